//! Files of self-play games.
//!
//! Binary files are those of [`bartizan_data`]. PGN files are in export format: `Round` is the number of the game, and
//! each move has the comment `score/depth` for its mover. The score is in internal centipawns, unlike the scores that
//! engines show.
//!
//! A game is written as soon as it ends. An incomplete game at the end of a file is removed when the file is resumed.

use super::FileFormat;
use super::play::FinishedGame;
use anyhow::Context;
use bartizan_data::{GameWriter, ScoredMove, SelfplayGame};
use bartizan_notation::pgn::{GameResult, PgnGame, PgnMove, PgnReader};
use bartizan_types::Value;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// A file open for more games.
pub(super) struct GameFile {
    name: String,
    writer: Writer,
}

enum Writer {
    Binary(GameWriter<File>),
    Pgn(File),
}

impl GameFile {
    /// Begins a file; fails if it exists.
    pub(super) fn create(path: &Path, format: FileFormat) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let context = || format!("cannot create '{name}' (--resume continues an existing file)");
        let file = OpenOptions::new().write(true).create_new(true).open(path).with_context(context)?;
        let writer = match format {
            FileFormat::Binary => Writer::Binary(GameWriter::new(file).with_context(context)?),
            FileFormat::Pgn => Writer::Pgn(file),
        };
        Ok(Self { name, writer })
    }

    /// Continues a file: opens it at its end and gives the numbers of the games in it.
    pub(super) fn resume(path: &Path, format: FileFormat) -> anyhow::Result<(Self, HashSet<usize>)> {
        let name = path.display().to_string();
        let context = || format!("cannot resume '{name}'");
        let mut file = OpenOptions::new().read(true).write(true).open(path).with_context(context)?;
        let (writer, games) = match format {
            FileFormat::Binary => {
                let (writer, ids) = GameWriter::resume(file).with_context(context)?;
                (Writer::Binary(writer), ids.into_iter().map(|id| id as usize).collect())
            }
            FileFormat::Pgn => {
                let (games, end) = complete_games(&std::fs::read(path).with_context(context)?);
                file.set_len(end as u64).with_context(context)?;
                file.seek(SeekFrom::End(0)).with_context(context)?;
                (Writer::Pgn(file), games)
            }
        };
        Ok((Self { name, writer }, games))
    }

    /// Appends a game.
    pub(super) fn write(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let context = || format!("cannot write to '{}'", self.name);
        match &mut self.writer {
            Writer::Binary(writer) => writer.write(&record(game)?).with_context(context),
            Writer::Pgn(file) => file.write_all(pgn(game).to_string().as_bytes()).with_context(context),
        }
    }
}

fn record(game: &FinishedGame) -> anyhow::Result<SelfplayGame> {
    let score = |value: Value| value.0.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    let moves = game.moves.iter().map(|scored| ScoredMove { mv: scored.mv, score: score(scored.value) });
    Ok(SelfplayGame {
        id: u32::try_from(game.id).context("game number out of range")?,
        start: game.start.clone(),
        moves: moves.collect(),
        winner: game.winner,
    })
}

fn pgn(game: &FinishedGame) -> PgnGame {
    let result = game.winner.map_or(GameResult::Draw, GameResult::won_by);
    let tags = [("Event", "Bartizan selfplay"), ("White", "Bartizan"), ("Black", "Bartizan")];
    let mut tags: Vec<(String, String)> = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    tags.push(("Round".to_owned(), game.id.to_string()));
    let moves = game.moves.iter().map(|scored| PgnMove {
        mv: scored.mv,
        comment: Some(format!("{}/{}", score_text(scored.value), scored.depth)),
    });
    PgnGame { tags, start: game.start.clone(), chess960: false, comment: None, moves: moves.collect(), result }
}

/// The score in pawns, or `+M5` for a mate in five moves.
fn score_text(value: Value) -> String {
    match value.mate_in_moves() {
        Some(moves) if moves < 0 => format!("-M{}", -moves),
        Some(moves) => format!("+M{moves}"),
        None => format!("{:+.2}", f64::from(value.0) / 100.0),
    }
}

/// The numbers of the complete games of a PGN file, and where they end.
fn complete_games(bytes: &[u8]) -> (HashSet<usize>, usize) {
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2"];
    let end = (2..=bytes.len())
        .rev()
        .find(|&end| bytes[..end].ends_with(b"\n\n") && results.iter().any(|result| bytes[..end - 2].ends_with(result)))
        .unwrap_or(0);
    let games = PgnReader::new(&bytes[..end]).filter_map(Result::ok);
    let round = |game: PgnGame| game.tag("Round").and_then(|id| id.parse().ok());
    (games.filter_map(round).collect(), end)
}

#[cfg(test)]
mod tests {
    use super::super::play::SearchedMove;
    use super::*;
    use bartizan_position::Position;
    use bartizan_types::Color;

    fn games() -> Vec<FinishedGame> {
        let start = Position::startpos();
        let searched =
            |text: &str, value| SearchedMove { mv: start.parse_uci(text).unwrap(), value: Value(value), depth: 7 };
        let finished = |(id, winner)| FinishedGame {
            id,
            start: start.clone(),
            moves: vec![searched("e2e4", 31_990 - id as i32)],
            winner,
        };
        [Some(Color::White), None, Some(Color::Black)].into_iter().enumerate().map(finished).collect()
    }

    /// Whatever byte a file is cut at, the complete games stay, none is written twice, and the rest can be added.
    #[test]
    fn a_file_cut_anywhere_is_resumed() {
        for format in [FileFormat::Binary, FileFormat::Pgn] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games");
            let mut file = GameFile::create(&path, format).unwrap();
            for game in games() {
                file.write(&game).unwrap();
            }
            assert!(GameFile::create(&path, format).is_err());
            let complete = std::fs::read(&path).unwrap();
            for cut in 0..=complete.len() {
                std::fs::write(&path, &complete[..cut]).unwrap();
                let (mut file, done) = GameFile::resume(&path, format).unwrap();
                for game in games().into_iter().filter(|game| !done.contains(&game.id)) {
                    file.write(&game).unwrap();
                }
                assert_eq!(std::fs::read(&path).unwrap(), complete, "{format:?} cut at {cut}");
            }
        }
    }
}
