//! Files of self-play games.
//!
//! # Binary
//!
//! Eight bytes `BZSELF01`, then one record a game, all numbers little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 4 | length of what follows in this record |
//! | 4 | number of the game |
//! | 1 | result: 0 black won, 1 draw, 2 white won |
//! | 1 | 0 |
//! | 2 | plies |
//! | 32 | the first position ([`PackedPosition`]) |
//! | 4 × plies | the move (16 bits of [`Move`]) and its score for the mover in internal centipawns (signed) |
//!
//! # PGN
//!
//! Usual export format; `Round` is the number of the game, each move has a comment `score/depth` for the mover, in
//! internal centipawns by the hundred: not as engines show their scores.
//!
//! A game is written at once when it ends. A record or game that was cut off is removed when the file is resumed.

use super::FileFormat;
use super::play::SelfplayGame;
use anyhow::{Context, ensure};
use bartizan_notation::pgn::{GameResult, PgnGame, PgnMove, PgnReader};
use bartizan_position::PackedPosition;
use bartizan_types::{Color, Value};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"BZSELF01";

/// A file open for more games.
pub(super) struct GameFile {
    file: File,
    format: FileFormat,
    name: String,
}

impl GameFile {
    /// Begins a file; one that is there is not touched.
    pub(super) fn create(path: &Path, format: FileFormat) -> anyhow::Result<Self> {
        let context = || format!("cannot begin {} (to go on with a file, say --resume)", path.display());
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).with_context(context)?;
        if format == FileFormat::Binary {
            file.write_all(MAGIC).with_context(context)?;
        }
        Ok(Self { file, format, name: path.display().to_string() })
    }

    /// Goes on with a file: the numbers of the games in it, and the file open at its end.
    pub(super) fn resume(path: &Path, format: FileFormat) -> anyhow::Result<(Self, HashSet<usize>)> {
        let context = || format!("cannot go on with {}", path.display());
        let bytes = std::fs::read(path).with_context(context)?;
        let (games, whole) = match format {
            FileFormat::Binary => whole_records(&bytes).with_context(context)?,
            FileFormat::Pgn => whole_games(&bytes),
        };
        let mut file = OpenOptions::new().write(true).open(path).with_context(context)?;
        file.set_len(whole as u64).with_context(context)?;
        file.seek(SeekFrom::End(0)).with_context(context)?;
        if format == FileFormat::Binary && whole == 0 {
            file.write_all(MAGIC).with_context(context)?;
        }
        Ok((Self { file, format, name: path.display().to_string() }, games))
    }

    /// Adds a game.
    pub(super) fn write(&mut self, game: &SelfplayGame) -> anyhow::Result<()> {
        let bytes = match self.format {
            FileFormat::Binary => record(game),
            FileFormat::Pgn => pgn(game).to_string().into_bytes(),
        };
        self.file.write_all(&bytes).with_context(|| format!("cannot write {}", self.name))
    }
}

fn record(game: &SelfplayGame) -> Vec<u8> {
    let plies = game.moves.len().min(usize::from(u16::MAX));
    let mut body = Vec::with_capacity(40 + 4 * plies);
    body.extend((game.id as u32).to_le_bytes());
    body.push(match game.winner {
        Some(Color::Black) => 0,
        None => 1,
        Some(Color::White) => 2,
    });
    body.push(0);
    body.extend((plies as u16).to_le_bytes());
    body.extend(PackedPosition::pack(&game.start).0);
    for scored in &game.moves[..plies] {
        body.extend(scored.mv.to_bits().to_le_bytes());
        body.extend((scored.value.0 as i16).to_le_bytes());
    }
    let mut record = (body.len() as u32).to_le_bytes().to_vec();
    record.extend(body);
    record
}

/// The numbers of the games, and the length of the file up to the last whole one.
fn whole_records(bytes: &[u8]) -> anyhow::Result<(HashSet<usize>, usize)> {
    if bytes.len() < MAGIC.len() && MAGIC.starts_with(bytes) {
        return Ok((HashSet::new(), 0));
    }
    ensure!(bytes.starts_with(MAGIC), "it is no self-play file");
    let (mut games, mut at) = (HashSet::new(), MAGIC.len());
    let number = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    while let (Some(length), Some(id)) = (number(at), number(at + 4)) {
        let end = at + 4 + length as usize;
        ensure!(length >= 40, "the record at byte {at} is too short");
        if end > bytes.len() {
            break;
        }
        games.insert(id as usize);
        at = end;
    }
    Ok((games, at))
}

fn pgn(game: &SelfplayGame) -> PgnGame {
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

/// In pawns, or `M5` for a mate in five moves.
fn score_text(value: Value) -> String {
    match value.mate_in_moves() {
        Some(moves) if moves < 0 => format!("-M{}", -moves),
        Some(moves) => format!("+M{moves}"),
        None => format!("{:+.2}", f64::from(value.0) / 100.0),
    }
}

fn whole_games(bytes: &[u8]) -> (HashSet<usize>, usize) {
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2"];
    let whole = (2..=bytes.len())
        .rev()
        .find(|&end| bytes[..end].ends_with(b"\n\n") && results.iter().any(|result| bytes[..end - 2].ends_with(result)))
        .unwrap_or(0);
    let games = PgnReader::new(&bytes[..whole]).filter_map(Result::ok);
    let round = |game: PgnGame| game.tag("Round").and_then(|id| id.parse().ok());
    (games.filter_map(round).collect(), whole)
}

#[cfg(test)]
mod tests {
    use super::super::play::ScoredMove;
    use super::*;
    use bartizan_position::Position;

    fn games() -> Vec<SelfplayGame> {
        let start = Position::startpos();
        let scored =
            |text: &str, value| ScoredMove { mv: start.parse_uci(text).unwrap(), value: Value(value), depth: 7 };
        [Some(Color::White), None, Some(Color::Black)]
            .into_iter()
            .enumerate()
            .map(|(id, winner)| SelfplayGame {
                id,
                start: start.clone(),
                moves: vec![scored("e2e4", 31_990 - id as i32)],
                winner,
            })
            .collect()
    }

    /// Cut at any byte: what was whole stays, nothing is there twice, and the rest can be written again.
    #[test]
    fn a_file_cut_anywhere_goes_on() {
        for format in [FileFormat::Binary, FileFormat::Pgn] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games");
            let mut file = GameFile::create(&path, format).unwrap();
            for game in games() {
                file.write(&game).unwrap();
            }
            assert!(GameFile::create(&path, format).is_err());
            let whole = std::fs::read(&path).unwrap();
            for cut in 0..=whole.len() {
                std::fs::write(&path, &whole[..cut]).unwrap();
                let (mut file, done) = GameFile::resume(&path, format).unwrap();
                for game in games().into_iter().filter(|game| !done.contains(&game.id)) {
                    file.write(&game).unwrap();
                }
                assert_eq!(std::fs::read(&path).unwrap(), whole, "{format:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert!(whole_records(b"not a file of games").is_err());
        assert!(whole_records(b"BZSELF01\x01\0\0\0\0\0\0\0").is_err());
    }
}
