//! Statistics of a collection.

use crate::filter::{self, Ending, TimeControlTag};
use crate::folding::SeenGame;
use crate::identity::is_usual_start;

use crate::tags;
use bartizan_notation::pgn::{PgnErrorKind, PgnGame, PgnProblemKind};
use bartizan_types::{Color, GameResult, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers of games by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games without a known result.
    pub unknown: u64,
}

impl ResultCounts {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    /// White's score, from 0 to 1; `None` if no result is known.
    pub fn score(&self) -> Option<f64> {
        ratio(2 * self.white + self.draws, 2 * (self.white + self.draws + self.black))
    }

    fn add(&mut self, result: GameResult) {
        let count = match result {
            GameResult::WhiteWins => &mut self.white,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black,
            _ => &mut self.unknown,
        };
        *count += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
    }
}

/// A player's results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// The results of the games with White.
    pub as_white: ResultCounts,
    /// The results of the games with Black.
    pub as_black: ResultCounts,
    /// The number of games with a known result against an opponent with a rating.
    pub rated: u64,
    /// The points of these games, in half points.
    pub rated_half_points: u64,
    /// The sum of the ratings of these opponents.
    pub opponents: u64,
}

impl PlayerStatistics {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.as_white.games() + self.as_black.games()
    }

    /// The points, in half points.
    pub fn half_points(&self) -> u64 {
        2 * (self.as_white.white + self.as_black.black) + self.as_white.draws + self.as_black.draws
    }

    /// The score, from 0 to 1; `None` if no result is known.
    pub fn score(&self) -> Option<f64> {
        let unknown = self.as_white.unknown + self.as_black.unknown;
        ratio(self.half_points(), 2 * (self.games() - unknown))
    }

    /// The rating that explains the score against the opponents' mean rating, by Elo's logistic formula; at most 800
    /// above or below it. `None` if no opponent has a rating.
    pub fn performance(&self) -> Option<f64> {
        let mean = ratio(self.opponents, self.rated)?;
        let score = ratio(self.rated_half_points, 2 * self.rated)?;
        let difference = 400.0 * (score / (1.0 - score)).log10();
        Some(mean + difference.clamp(-800.0, 800.0))
    }

    /// Counts a game with these pieces against an opponent of this rating.
    fn add(&mut self, color: Color, result: GameResult, opponent: Option<u64>) {
        let results = if color.is_white() { &mut self.as_white } else { &mut self.as_black };
        results.add(result);
        if let (Some(opponent), true) = (opponent, result != GameResult::Unknown) {
            self.rated += 1;
            self.opponents += opponent;
            self.rated_half_points += match result.winner() {
                Some(winner) => 2 * u64::from(winner == color),
                None => 1,
            };
        }
    }

    fn merge(&mut self, other: &Self) {
        self.as_white.merge(&other.as_white);
        self.as_black.merge(&other.as_black);
        self.rated += other.rated;
        self.rated_half_points += other.rated_half_points;
        self.opponents += other.opponents;
    }
}

#[allow(clippy::cast_precision_loss)] // Numbers of games are far below 2^52.
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Statistics of a collection. Those of its parts can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionStatistics {
    /// The number of games, including broken ones.
    pub games: u64,
    /// The faults of broken games, by kind. Broken games count nowhere else.
    pub faults: BTreeMap<String, u64>,
    /// The problems in the texts of other games, by kind.
    #[serde(default)]
    pub problems: BTreeMap<String, u64>,
    /// The results.
    pub results: ResultCounts,
    /// The number of games by their number of plies.
    pub plies: BTreeMap<u64, u64>,
    /// The number of players of all games by their rating, in steps of 100.
    pub ratings: BTreeMap<u64, u64>,
    /// The number of games by year; `?` if unknown.
    pub years: BTreeMap<String, u64>,
    /// The number of games by speed; `?` if the time control is unknown.
    pub speeds: BTreeMap<String, u64>,
    /// The results by ECO code; `?` without one.
    pub eco: BTreeMap<String, ResultCounts>,
    /// The results by opening; `?` without one.
    pub openings: BTreeMap<String, ResultCounts>,
    /// The players.
    pub players: BTreeMap<String, PlayerStatistics>,
    /// The number of games by the tag `Termination`; `?` without one.
    pub terminations: BTreeMap<String, u64>,
    /// The number of games by the kind of their last position.
    pub endings: BTreeMap<String, u64>,
    /// The number of games that do not start from the initial position of chess.
    pub other_starts: u64,
    /// The number of games of Chess960.
    pub chess960: u64,
}

impl CollectionStatistics {
    /// The number of broken games.
    pub fn broken(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Counts a game that could not be read.
    pub fn add_broken(&mut self, fault: &PgnErrorKind) {
        self.games += 1;
        let kind = match fault {
            PgnErrorKind::Position(_) => "invalid FEN",
            PgnErrorKind::Variant(_) => "unsupported variant",
            PgnErrorKind::TooLong(_) => "too long",
            PgnErrorKind::Problem(problem) => problem_kind(problem),
            _ => "other",
        };
        count(&mut self.faults, kind);
    }

    /// Counts a game that [`fold`](crate::fold) has read; see [`CollectionStatistics::add`].
    pub fn see(&mut self, game: SeenGame<'_>, by_position: bool) {
        match game {
            Ok((pgn, last)) => self.count(pgn, Ending::at(last, pgn), by_position),
            Err(kind) => self.add_broken(kind),
        }
    }

    /// Counts a game. The opening comes from the tags, or from the positions.
    pub fn add(&mut self, game: &PgnGame, by_position: bool) {
        self.count(game, Ending::of(game), by_position);
    }

    fn count(&mut self, game: &PgnGame, ending: Ending, by_position: bool) {
        self.games += 1;
        game.problems.iter().for_each(|problem| count(&mut self.problems, problem_kind(&problem.kind)));
        self.results.add(game.result);
        *self.plies.entry(game.moves.len() as u64).or_default() += 1;
        self.other_starts += u64::from(!is_usual_start(&game.start));
        self.chess960 += u64::from(game.chess960 || game.start.variant() == Variant::Chess960);
        let date = tags::date(game).unwrap_or_default();
        let year = filter::days(&date).filter(|(first, last)| first / 10_000 == last / 10_000);
        let year = year.and_then(|_| date.trim().get(..4)).unwrap_or("?");
        count(&mut self.years, year);
        let speed = tags::value(game, "TimeControl").and_then(|value| TimeControlTag::parse(&value));
        count(&mut self.speeds, speed.map_or("?", |control| control.speed().name()));
        count(&mut self.terminations, &tags::known(game, "Termination").unwrap_or("?".into()));
        count(&mut self.endings, ending.name());
        let (eco, opening) = if by_position {
            let opening = filter::opening(game);
            let name = |name: Option<&'static str>| name.unwrap_or("?").into();
            (name(opening.map(|opening| opening.code())), name(opening.map(|opening| opening.opening())))
        } else {
            (tags::known(game, "ECO").unwrap_or("?".into()), tags::known(game, "Opening").unwrap_or("?".into()))
        };
        update(&mut self.eco, &eco, |counts| counts.add(game.result));
        update(&mut self.openings, &opening, |counts| counts.add(game.result));
        self.add_players(game);
    }

    fn add_players(&mut self, game: &PgnGame) {
        let ratings = ["WhiteElo", "BlackElo"].map(|name| tags::rating(game, name).map(u64::from));
        for rating in ratings.into_iter().flatten() {
            *self.ratings.entry(rating / 100 * 100).or_default() += 1;
        }
        for (color, tag, opponent) in [(Color::White, "White", ratings[1]), (Color::Black, "Black", ratings[0])] {
            let Some(name) = tags::known(game, tag) else { continue };
            update(&mut self.players, &name, |player| player.add(color, game.result, opponent));
        }
    }

    /// Adds the counts of another part of the collection.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.results.merge(&other.results);
        self.other_starts += other.other_starts;
        self.chess960 += other.chess960;
        for (mine, theirs) in [(&mut self.plies, &other.plies), (&mut self.ratings, &other.ratings)] {
            theirs.iter().for_each(|(&key, games)| *mine.entry(key).or_default() += games);
        }
        for (mine, theirs) in [
            (&mut self.faults, &other.faults),
            (&mut self.problems, &other.problems),
            (&mut self.years, &other.years),
            (&mut self.speeds, &other.speeds),
            (&mut self.terminations, &other.terminations),
            (&mut self.endings, &other.endings),
        ] {
            theirs.iter().for_each(|(key, games)| update(mine, key, |count| *count += games));
        }
        for (mine, theirs) in [(&mut self.eco, &other.eco), (&mut self.openings, &other.openings)] {
            theirs.iter().for_each(|(key, results)| update(mine, key, |own| own.merge(results)));
        }
        other.players.iter().for_each(|(name, player)| update(&mut self.players, name, |own| own.merge(player)));
    }
}

/// The name of a kind of problem.
fn problem_kind(kind: &PgnProblemKind) -> &'static str {
    match kind {
        PgnProblemKind::Move(_) => "illegal or ambiguous move",
        PgnProblemKind::Unexpected(_)
        | PgnProblemKind::Parenthesis
        | PgnProblemKind::Brace
        | PgnProblemKind::Reserved => "unexpected character",
        PgnProblemKind::Glyph(_) => "unknown glyph",
        PgnProblemKind::Number { .. } => "move number",
        PgnProblemKind::Tag | PgnProblemKind::TagTooLong => "invalid tag",
        PgnProblemKind::HiddenCapture { .. } => "capture written as an advance",
        PgnProblemKind::Castling(_) => "castling rights of Chess960",
        PgnProblemKind::RepeatedTag(_) => "repeated tag",
        PgnProblemKind::Result { .. } => "different results",
        PgnProblemKind::NoResult(_) => "no result",
        PgnProblemKind::AfterResult(_) => "text after the result",
        PgnProblemKind::UnterminatedComment | PgnProblemKind::NestedComment => "unterminated comment",
        PgnProblemKind::UnterminatedVariation => "unterminated variation",
        _ => "other",
    }
}

fn count(counts: &mut BTreeMap<String, u64>, key: &str) {
    update(counts, key, |count| *count += 1);
}

/// Changes the value of a key. Most keys are known, and need no memory.
fn update<T: Default>(map: &mut BTreeMap<String, T>, key: &str, change: impl FnOnce(&mut T)) {
    match map.get_mut(key) {
        Some(value) => change(value),
        None => change(map.entry(key.to_owned()).or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;
    use proptest::prelude::*;

    fn statistics(text: &str) -> CollectionStatistics {
        let mut statistics = CollectionStatistics::default();
        for game in PgnReader::new(text.as_bytes()) {
            match game {
                Ok(game) => statistics.add(&game, false),
                Err(error) => statistics.add_broken(&error.kind),
            }
        }
        statistics
    }

    #[test]
    fn chess960_is_known_by_the_tag() {
        let start = |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n");
        let counts = statistics(&format!(
            "{}{}[Variant \"Chess960\"]\n\n*\n",
            start("1r2k1r1/8/8/8/8/8/8/1R2KR2 w FBgb - 0 1"),
            start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        ));
        assert_eq!((counts.games, counts.other_starts, counts.chess960), (3, 2, 1));
        // Counters do not make a different start.
        let counts = statistics(&start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2"));
        assert_eq!((counts.games, counts.other_starts), (1, 0));
    }

    #[test]
    fn games_are_counted() {
        let counts = statistics(
            "[White \"a\"]\n[Black \"b\"]\n[WhiteElo \"2010\"]\n[BlackElo \"2090\"]\n[Date \"2020.01.??\"]\n\
             [ECO \"C20\"]\n[Opening \"King's Pawn\"]\n[TimeControl \"60\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
             [White \"b\"]\n[Black \"a\"]\n[WhiteElo \"2100\"]\n[Termination \"time forfeit\"]\n\n1. e4 1/2-1/2\n\n\
             [White \"b\"]\n[Black \"?\"]\n[FEN \"x\"]\n\n1. e4 1-0\n\n[White \"b\"]\n\n1. d4 Ke5 *\n",
        );
        assert_eq!((counts.games, counts.broken(), counts.faults["invalid FEN"]), (4, 1, 1));
        assert_eq!(counts.problems, BTreeMap::from([("illegal or ambiguous move".to_owned(), 1)]));
        assert_eq!(counts.results, ResultCounts { white: 0, draws: 1, black: 1, unknown: 1 });
        assert_eq!(counts.results.score(), Some(0.25));
        assert_eq!(counts.plies, BTreeMap::from([(1, 2), (4, 1)]));
        assert_eq!(counts.ratings, BTreeMap::from([(2000, 2), (2100, 1)]));
        assert_eq!((counts.years["2020"], counts.years["?"], counts.speeds["bullet"]), (1, 2, 1));
        assert_eq!((counts.eco["C20"].black, counts.openings["?"].games(), counts.endings["checkmate"]), (1, 2, 1));
        assert_eq!((counts.terminations["time forfeit"], counts.terminations["?"]), (1, 2));
        let (a, b) = (&counts.players["a"], &counts.players["b"]);
        assert_eq!((a.games(), a.half_points(), a.rated, a.opponents), (2, 1, 2, 4190));
        assert_eq!((b.games(), b.half_points(), b.rated, b.score()), (3, 3, 1, Some(0.75)));
        assert_eq!(b.performance(), Some(2810.0));
        assert_eq!(a.performance().map(f64::round), Some(1904.0));
    }

    fn game() -> impl Strategy<Value = String> {
        let tag = |name: &'static str, values: &'static [&'static str]| {
            prop::sample::select(values)
                .prop_map(move |value| if value.is_empty() { String::new() } else { format!("[{name} \"{value}\"]\n") })
        };
        let moves =
            &["1. e4 1-0", "1. d4 d5 0-1", "1. f3 e5 2. g4 Qh4# 0-1", "1. Nc3 1/2-1/2", "1. Ke2 *", "1. e4 ) *"];
        (
            tag("White", &["", "a", "b", "?", "ä\\\"x"]),
            tag("Black", &["", "a", "c"]),
            tag("BlackElo", &["", "1999", "2500", "x"]),
            tag("ECO", &["", "A00", "B90"]),
            tag("Date", &["", "2020.??.??", "1999.12.31", "no"]),
            prop::sample::select(&moves[..]),
        )
            .prop_map(|(white, black, elo, eco, date, moves)| {
                format!("[Event \"x\"]\n{white}{black}{elo}{eco}{date}\n{moves}\n\n")
            })
    }

    proptest! {
        /// Merged parts equal the whole, also via JSON.
        #[test]
        fn parts_add_up(games in prop::collection::vec(game(), 0..20), cut in 0_usize..20) {
            let (first, second) = games.split_at(cut.min(games.len()));
            let mut merged = statistics(&first.concat());
            let json = serde_json::to_string(&statistics(&second.concat())).unwrap();
            merged.merge(&serde_json::from_str(&json).unwrap());
            prop_assert_eq!(merged, statistics(&games.concat()));
        }
    }
}
