//! The starting positions of games.

use bartizan_notation::epd::{EpdReadError, read_epd};
use bartizan_notation::pgn::{PgnError, PgnGame, PgnReader, Strictness};
use bartizan_position::{Game, Position};
use bartizan_types::{Escaped, SplitMix64};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Which openings to play, and in which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct OpeningSettings {
    /// A PGN file if the name ends in `.pgn`; otherwise an EPD or FEN file with one position per line. Either may be
    /// compressed (`.gz`, `.bz2`, `.zst`).
    pub file: PathBuf,
    /// Seed that shuffles the openings; without it they keep the file's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Number of the first opening to play, from 1.
    #[serde(default = "one")]
    pub start: usize,
    /// Number of plies to play of each PGN opening; by default all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The value of [`Openings::sha256`] when the match began, as recorded in the journal. Journals of older versions
    /// lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

fn one() -> usize {
    1
}

impl OpeningSettings {
    /// All openings of a file, in its order.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), seed: None, start: 1, plies: None, sha256: None }
    }

    /// Shuffles the openings. The same seed always gives the same order.
    #[must_use]
    pub fn shuffled(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }
}

/// Why openings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The file cannot be opened.
    #[error("cannot open the openings '{}'", Escaped(path.display()))]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A line of an EPD file cannot be read.
    #[error("invalid openings '{}'", Escaped(path.display()))]
    Epd {
        /// The file.
        path: PathBuf,
        /// The reason, with the line.
        source: EpdReadError,
    },
    /// A game of a PGN file cannot be read.
    #[error("invalid openings '{}'", Escaped(path.display()))]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The reason, with the line.
        source: PgnError,
    },
    /// The file has no playable opening.
    #[error("no openings in '{}'", Escaped(.0.display()))]
    Empty(PathBuf),
    /// The number of the first opening is 0.
    #[error("the first opening of '{}' has number 1, not 0", Escaped(.0.display()))]
    Start(PathBuf),
}

/// The openings of a match, in the order of play.
#[derive(Clone, Debug)]
pub struct Openings {
    games: Vec<Game>,
    start: usize,
}

impl Openings {
    /// The initial position as the only opening.
    pub fn startpos() -> Self {
        Self { games: vec![Game::default()], start: 0 }
    }

    /// Reads a file. Leaves out openings in which the game is over, including claimable draws.
    ///
    /// # Errors
    /// When the file cannot be read, a line is invalid, or no opening is left.
    pub fn load(settings: &OpeningSettings) -> Result<Self, OpeningsError> {
        let path = &settings.file;
        if settings.start == 0 {
            return Err(OpeningsError::Start(path.clone()));
        }
        let file = bartizan_files::open(path).map_err(|source| OpeningsError::Open { path: path.clone(), source })?;
        let file = BufReader::new(file);
        let is_pgn = bartizan_files::has_extension(path, "pgn");
        let mut games = if is_pgn { from_pgn(path, file, settings.plies)? } else { from_epd(path, file)? };
        games.retain(|game| game.outcome().is_none() && game.claimable_draw().is_none());
        if games.is_empty() {
            return Err(OpeningsError::Empty(path.clone()));
        }
        if let Some(seed) = settings.seed {
            shuffle(&mut games, seed);
        }
        Ok(Self { start: (settings.start - 1) % games.len(), games })
    }

    /// The SHA-256 of the openings in order, in hexadecimal: of start positions and moves. It shows whether a file
    /// still has the openings of a match. Takes about a microsecond per opening.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for game in &self.games {
            hash.update(game.start().to_fen());
            game.moves().for_each(|mv| hash.update(format!(" {mv}")));
            hash.update("\n");
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The starting positions of the first openings, as many as are used.
    pub(crate) fn starts(&self, used: usize) -> impl Iterator<Item = &Position> + Clone {
        (0..used.min(self.len())).map(|number| self.get(number).start())
    }

    /// Number of openings.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Always false: there is at least one opening.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The opening with this number, from 0, wrapping around after the last.
    pub fn get(&self, number: usize) -> &Game {
        &self.games[(self.start + number) % self.games.len()]
    }
}

fn from_pgn(path: &Path, file: impl Read, plies: Option<usize>) -> Result<Vec<Game>, OpeningsError> {
    let opening = |game: Result<PgnGame, PgnError>| {
        let pgn = game.map_err(|source| OpeningsError::Pgn { path: path.to_owned(), source })?;
        let mut opening = Game::new(pgn.start.clone());
        for mv in pgn.moves.iter().take(plies.unwrap_or(usize::MAX)) {
            if opening.push(mv.mv).is_err() {
                unreachable!("the PGN reader resolved the move in this position");
            }
        }
        Ok(opening)
    };
    PgnReader::new(file).strictness(Strictness::Moves).map(opening).collect()
}

fn from_epd(path: &Path, file: impl BufRead) -> Result<Vec<Game>, OpeningsError> {
    read_epd(file)
        .map(|epd| match epd {
            Ok(epd) => Ok(Game::new(epd.position)),
            Err(source) => Err(OpeningsError::Epd { path: path.to_owned(), source }),
        })
        .collect()
}

/// A Fisher-Yates shuffle. Unlike [`SplitMix64::shuffle`] it takes the remainder of each number: journals rely on the
/// order for a seed, so it must never change.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, text: &str, seed: Option<u64>, start: usize) -> Result<Openings, OpeningsError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        Openings::load(&OpeningSettings { seed, start, plies: Some(3), ..OpeningSettings::new(file) })
    }

    const EPD: &str = "# remark\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\n\
        4k3/8/8/8/8/8/8/4K2R w K - id \"x\";\n4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n";

    #[test]
    fn epd_and_pgn() {
        let openings = load("a.epd", EPD, None, 2).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings.get(0).position().to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(openings.get(2).position().to_fen(), openings.get(5).position().to_fen());
        let pgn = load("a.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 *\n", None, 1).unwrap();
        assert_eq!((pgn.len(), pgn.get(0).moves().len(), pgn.get(1).moves().len()), (2, 3, 2));
    }

    #[test]
    fn openings_that_are_drawn_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.pgn");
        std::fs::write(&file, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n\n1. d4 *\n").unwrap();
        for (plies, left) in [(None, 1), (Some(7), 2)] {
            let openings = Openings::load(&OpeningSettings { plies, ..OpeningSettings::new(&file) });
            assert_eq!(openings.unwrap().len(), left);
        }
        let late = "4k3/8/8/8/8/8/8/4K2R w K - 99 90\n4k3/8/8/8/8/8/8/4K2R w K - 100 90\n";
        assert_eq!(load("a.epd", late, None, 1).unwrap().len(), 1);
    }

    /// From `printf '%s\n' … | sha256sum`: journals rely on it.
    #[test]
    fn the_digest_is_that_of_positions_and_moves() {
        let digest = |name, text| load(name, text, None, 1).unwrap().sha256();
        let expected = "0b0eac535da731fc2e3411b89adba27c370b2468cc5d4f197a6761e6a05c4b6a";
        assert_eq!(digest("a.epd", "4k3/8/8/8/8/8/8/4K2R w K - id \"x\";\n4k3/8/8/8/8/8/8/R3K3 w Q -\n"), expected);
        let expected = "40b191a6581d9a208c45e75aa53375e88b38b2171feebaaa8c7a910211f68169";
        assert_eq!(digest("a.pgn", "1. e4 {a comment} e5 *"), expected);
        assert_ne!(digest("a.pgn", "1. e4 e6 *"), expected);
    }

    #[test]
    fn compressed_files() {
        // `printf '4k3/8/8/8/8/8/8/4K2R w K -\n' | gzip -n`, and the same of `1. e4 e5 *`.
        let epd = "1f8b080000000000000333c936d6b7408226de46410ae50ade0aba5c005012ef461b000000";
        let pgn = "1f8b080000000000000333d453483551483555d0e20200202d59b30b000000";
        let folder = tempfile::tempdir().unwrap();
        let load = |name: &str, hex: &str| {
            let bytes: Vec<u8> =
                (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).unwrap()).collect();
            let file = folder.path().join(name);
            std::fs::write(&file, bytes).unwrap();
            Openings::load(&OpeningSettings::new(file)).unwrap()
        };
        assert_eq!(load("a.epd.gz", epd).get(0).position().to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(load("a.pgn.gz", pgn).get(0).moves().len(), 2);
    }

    /// Computed by an independent implementation: journals rely on this order.
    #[test]
    fn the_order_for_a_seed_never_changes() {
        let order = |seed| {
            let mut items: Vec<u32> = (0..10).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(order(1), [4, 2, 8, 1, 9, 3, 0, 6, 7, 5]);
        assert_eq!(order(u64::MAX), [3, 4, 2, 7, 5, 0, 8, 1, 9, 6]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = |name, text| {
            let error = load(name, text, None, 1).unwrap_err();
            let source = std::error::Error::source(&error).map_or_else(String::new, ToString::to_string);
            format!("{error}: {source}")
        };
        assert!(error("a.epd", "x\n").contains("a.epd': line 1"));
        assert!(error("a.epd", "").starts_with("no openings in '"));
        assert!(error("a.pgn", "1. e5 *").contains("line 1"));
        let missing = Openings::load(&OpeningSettings::new("no/such/file.epd")).unwrap_err();
        assert_eq!(missing.to_string(), "cannot open the openings 'no/such/file.epd'");
        assert!(matches!(load("a.epd", EPD, None, 0), Err(OpeningsError::Start(_))));
    }
}
