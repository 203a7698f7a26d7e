//! Plays matches, and reads their journals.

use super::Lab;
use crate::error::{Error, Result};
use bartizan_stats::elo_from_score;
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// A match between engines.
#[derive(Debug)]
pub(super) struct Match {
    /// The file name of its journal, without extension.
    pub(super) name: String,
    /// Engine specifications.
    pub(super) engines: Vec<String>,
    /// Pairs of games for each pairing.
    pub(super) rounds: u32,
    /// More arguments of `bartizan-tools match`.
    pub(super) args: Vec<String>,
}

impl Match {
    /// A match with the shared openings.
    pub(super) fn new(lab: &Lab<'_>, name: impl Into<String>, engines: Vec<String>, games: u32) -> Self {
        Self { name: name.into(), engines, rounds: games.div_ceil(2), args: lab.openings.clone() }
    }

    /// With more arguments.
    pub(super) fn with(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    /// Plays the games that are not played yet, and returns the result.
    pub(super) fn play(&self, lab: &Lab<'_>) -> Result<Played> {
        let journal = lab.file(&format!("{}.jsonl", self.name));
        (lab.report)(&format!("{}: {} games for each pairing", self.name, 2 * self.rounds));
        let file = journal.display().to_string();
        let has_games = fs::metadata(&journal).is_ok_and(|file| file.len() > 0);
        let rounds = if has_games { self.rounds.max(rounds_of(&journal)?) } else { self.rounds };
        let mut args = vec!["match".to_owned()];
        args.extend([if has_games { "--resume" } else { "--journal" }.to_owned(), file]);
        args.extend(["--rounds".to_owned(), rounds.to_string()]);
        args.extend(["--concurrency".to_owned(), lab.concurrency.to_string(), "--json".to_owned()]);
        for engine in &self.engines {
            args.extend(["--engine".to_owned(), engine.clone()]);
        }
        args.extend(self.args.iter().cloned());
        let summary = lab.tools(&args)?;
        Ok(Played { summary, journal })
    }
}

/// The rounds with which a match was last run. Fewer would leave out games that are played.
fn rounds_of(journal: &Path) -> Result<u32> {
    let mut rounds = 0;
    for line in lines(journal)? {
        if let Some(known) = line["settings"]["rounds"].as_u64().and_then(|known| u32::try_from(known).ok()) {
            rounds = known;
        }
    }
    Ok(rounds)
}

/// A match that is complete.
#[derive(Debug)]
pub(super) struct Played {
    /// The output of `match --json`.
    pub(super) summary: Value,
    pub(super) journal: PathBuf,
}

/// A result against an opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Difference in Elo, and the half-width of its 95 % interval, by pairs of games; `None` where all pairs ended
    /// alike.
    pub(super) elo: Option<(f64, Option<f64>)>,
}

impl Score {
    /// The result of an engine of a match.
    fn of(row: &Value) -> Option<Self> {
        let count = |key: &str| row[key].as_u64();
        let elo = row["elo"]["value"].as_f64().map(|value| (value, row["elo"]["margin"].as_f64()));
        Some(Self { wins: count("wins")?, draws: count("draws")?, losses: count("losses")?, elo })
    }

    pub(super) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The difference and its standard error in Elo. Where the games give none, half a point is added to both sides.
    pub(super) fn estimate(self) -> Option<(f64, f64)> {
        if let Some((elo, Some(margin))) = self.elo {
            return Some((elo, margin / Z95));
        }
        let games = self.games() as f64 + 1.0;
        let score = (self.wins as f64 + 0.5 * self.draws as f64 + 0.5) / games;
        // The slope of Elo by score is 400 / (ln 10 · s · (1 − s)).
        let error = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score) * games).sqrt();
        elo_from_score(score).map(|elo| (elo, error))
    }

    /// `+12 ± 5`.
    pub(super) fn elo_text(self) -> String {
        match self.elo {
            Some((elo, Some(margin))) => format!("{elo:+.0} ± {margin:.0}"),
            Some((elo, None)) => format!("{elo:+.0} ± ?"),
            None => "?".to_owned(),
        }
    }

    /// Wins, draws and losses.
    pub(super) fn wdl_text(self) -> String {
        format!("{} {} {}", self.wins, self.draws, self.losses)
    }

    pub(super) fn json(self) -> Value {
        serde_json::json!({
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "elo": self.elo.map(|(elo, _)| elo),
            "margin": self.elo.and_then(|(_, margin)| margin),
        })
    }
}

/// The quantile of the normal distribution for 95 % intervals.
pub(super) const Z95: f64 = 1.959_964;

impl Played {
    /// The result of the first engine, against the only other one.
    pub(super) fn score(&self) -> Result<Score> {
        let row = &self.summary["engines"][0];
        Score::of(row).ok_or_else(|| Error::Check(format!("`bartizan-tools match --json` has no result: {row}")))
    }

    /// Games that each engine lost by a fault such as a crash, in the order of the engines.
    pub(super) fn faults(&self) -> Vec<u64> {
        let of = |row: &Value| {
            let kinds = row["lost_by_fault"].as_object().into_iter().flatten();
            kinds.filter_map(|(_, count)| count.as_u64()).sum()
        };
        self.summary["engines"].as_array().into_iter().flatten().map(of).collect()
    }

    /// The games by number.
    pub(super) fn games(&self) -> Result<Vec<Game>> {
        games(&self.journal)
    }
}

/// A finished game.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) id: usize,
    /// The number of the engine that played White.
    pub(super) white: usize,
    /// The number of the engine that played Black.
    pub(super) black: usize,
    /// `white`, `black` or `none`.
    pub(super) winner: String,
    /// The reason, such as `checkmate`.
    pub(super) termination: String,
    pub(super) pgn: String,
}

/// The games of a journal by number.
fn games(journal: &Path) -> Result<Vec<Game>> {
    let lines = lines(journal)?;
    let games = lines.into_iter().filter(|line| line["event"] == "game").map(serde_json::from_value);
    let mut games: Vec<Game> = games
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| Error::Check(format!("'{}': {error}", journal.display())))?;
    games.sort_by_key(|game| game.id);
    Ok(games)
}

/// The lines of a journal. The last one may be cut off.
fn lines(journal: &Path) -> Result<Vec<Value>> {
    let file = fs::File::open(journal).map_err(Error::io(journal))?;
    let lines = BufReader::new(file).lines().map_while(std::result::Result::ok);
    Ok(lines.filter_map(|line| serde_json::from_str(&line).ok()).collect())
}

/// The first moves of a game in its PGN, without numbers and comments.
pub(super) fn first_moves(pgn: &str, plies: usize) -> Vec<String> {
    let mut text = String::new();
    let mut depth = 0_u32;
    for line in pgn.lines().filter(|line| !line.starts_with('[')) {
        for character in line.chars() {
            match character {
                '{' => depth = 1,
                '}' => depth = 0,
                _ if depth == 0 => text.push(character),
                _ => {}
            }
        }
        text.push(' ');
    }
    let is_move = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let words = text.split_whitespace().map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    words.filter(is_move).take(plies).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const GAME: &str =
        "[Event \"?\"]\n[White \"a\"]\n\n1. e4 {book} e5 {+0.1/2 0.1s, good} 2.Nf3 {a\nb} Nc6 3. O-O 1-0\n\n";

    #[test]
    fn moves_are_read_without_numbers_and_comments() {
        assert_eq!(first_moves(GAME, 10), ["e4", "e5", "Nf3", "Nc6", "O-O"]);
        assert_eq!(first_moves(GAME, 2), ["e4", "e5"]);
        assert!(first_moves("[Result \"*\"]\n\n*\n", 4).is_empty());
    }

    #[test]
    fn games_are_sorted_and_a_cut_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("a.jsonl");
        let game = |id: usize| {
            let winner = if id == 0 { "white" } else { "none" };
            json!({ "event": "game", "id": id, "white": id, "black": 1 - id, "winner": winner,
                    "termination": "checkmate", "pgn": GAME })
        };
        let start = json!({ "event": "start", "version": 1, "settings": { "rounds": 7 } });
        fs::write(&journal, format!("{start}\n{}\n{}\n{{\"event\":\"ga", game(1), game(0))).unwrap();
        let games = games(&journal).unwrap();
        assert_eq!(games.iter().map(|game| (game.id, game.white)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
        assert_eq!(games[0].winner, "white");
        assert_eq!(rounds_of(&journal).unwrap(), 7);
    }

    #[test]
    fn results_have_an_estimate_even_without_a_margin() {
        let row = json!({ "wins": 7, "draws": 2, "losses": 1, "elo": { "value": 240.0, "margin": 98.0 } });
        let score = Score::of(&row).unwrap();
        assert_eq!((score.games(), score.elo_text().as_str(), score.wdl_text().as_str()), (10, "+240 ± 98", "7 2 1"));
        let (elo, error) = score.estimate().unwrap();
        assert!((elo - 240.0).abs() < 1e-9 && (error - 50.0).abs() < 0.01);
        let all = Score::of(&json!({ "wins": 10, "draws": 0, "losses": 0, "elo": null })).unwrap();
        assert_eq!(all.elo_text(), "?");
        let (elo, error) = all.estimate().unwrap();
        assert!(elo > 500.0 && error > 200.0, "{elo} {error}");
        assert!(Score::of(&json!({ "wins": 1 })).is_none());
    }
}
