//! `genfens`: random openings for training games, following the conventions of the OpenBench framework.
//!
//! An opening is the initial position or a book position, followed by random legal moves. Openings in which the game is
//! over, the side to move is in check, or a short search finds one side too far ahead are discarded.

mod book;

pub use book::{OpeningSource, OpeningSourceError};

use crate::{Engine, EngineError, Limits, Options};
use bartizan_eval::{MaterialCount, shown};
use bartizan_position::{Game, Position};
use bartizan_types::{Key, SplitMix64};
use std::collections::HashSet;

/// The maximum score of a balanced opening, in displayed centipawns: see [`GenfensSettings::balance`].
pub const BALANCE: i32 = 200;

/// Nodes of the search that checks an opening: a few milliseconds. With a quarter of them it misses simple tactics.
const NODES: u64 = 4_000;

/// Size of the hash table of these searches, in MiB.
const HASH: usize = 1;

/// Maximum number of consecutive failed attempts. From the initial position, most openings are balanced.
const ATTEMPTS: u32 = 1_000;

/// Which openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GenfensSettings {
    /// The seed: the same seed, book and settings give the same openings.
    pub seed: u64,
    /// Number of random plies. Half of the openings have one more, so that either side may be to move.
    pub plies: u32,
    /// The maximum score of either side, in displayed centipawns.
    pub balance: i32,
}

impl GenfensSettings {
    /// The default number of random plies from the initial position.
    pub const PLIES: u32 = 8;
    /// The default number of random plies from a book position.
    pub const PLIES_FROM_BOOK: u32 = 4;

    /// The default settings for a book.
    pub fn new(seed: u64, book: &OpeningSource) -> Self {
        let plies = if book.is_startpos() { Self::PLIES } else { Self::PLIES_FROM_BOOK };
        Self { seed, plies, balance: BALANCE }
    }

    /// Sets the number of random plies.
    #[must_use]
    pub fn with_plies(self, plies: u32) -> Self {
        Self { plies, ..self }
    }
}

/// Why an opening could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenfensError {
    /// The system cannot provide the thread or the hash table.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The book cannot be read.
    #[error(transparent)]
    Book(#[from] OpeningSourceError),
    /// Too many consecutive attempts gave no new balanced opening.
    #[error("no other opening found in {ATTEMPTS} attempts after {made}; allow more plies or a larger balance")]
    Exhausted {
        /// Number of openings made before.
        made: usize,
    },
}

/// Generates openings, all of them different.
///
/// ```
/// use bartizan_engine::genfens::{GenfensSettings, OpeningGenerator, OpeningSource};
///
/// let settings = GenfensSettings::new(1, &OpeningSource::Startpos);
/// let mut generator = OpeningGenerator::new(settings, OpeningSource::Startpos)?;
/// let opening = generator.next_opening()?;
/// assert!(!opening.in_check() && !opening.legal_moves().is_empty());
/// # Ok::<(), bartizan_engine::genfens::GenfensError>(())
/// ```
#[derive(Debug)]
pub struct OpeningGenerator {
    settings: GenfensSettings,
    book: OpeningSource,
    engine: Engine,
    random: SplitMix64,
    made: HashSet<Key>,
}

impl OpeningGenerator {
    /// Prepares the search.
    ///
    /// # Errors
    /// [`GenfensError::Engine`].
    pub fn new(settings: GenfensSettings, book: OpeningSource) -> Result<Self, GenfensError> {
        let mut engine = Engine::with_options(Options::default().with_hash_mib(HASH)?)?;
        engine.prepare()?;
        let random = SplitMix64::new(settings.seed);
        Ok(Self { settings, book, engine, random, made: HashSet::new() })
    }

    /// Generates an opening that differs from the previous ones.
    ///
    /// # Errors
    /// [`GenfensError`] when the book cannot be read, or no such opening is found.
    pub fn next_opening(&mut self) -> Result<Position, GenfensError> {
        for _ in 0..ATTEMPTS {
            let start = self.book.pick(&mut self.random)?;
            let Some(opening) = self.play_randomly(start) else { continue };
            let position = opening.position();
            if !self.made.contains(&position.key()) && self.is_balanced(&opening)? {
                let position = position.clone();
                self.made.insert(position.key());
                return Ok(position);
            }
        }
        Err(GenfensError::Exhausted { made: self.made.len() })
    }

    /// Plays random legal moves; `None` if the game is over by then, or the side to move is in check.
    fn play_randomly(&mut self, start: Position) -> Option<Game> {
        let mut game = Game::new(start);
        let extra = if self.settings.plies > 0 { self.random.below(2) as u32 } else { 0 };
        for _ in 0..self.settings.plies + extra {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.push(*moves.get(self.random.below(moves.len()))?).ok()?;
        }
        (game.outcome().is_none() && !game.position().in_check()).then_some(game)
    }

    /// Whether a short search finds neither side too far ahead.
    fn is_balanced(&mut self, opening: &Game) -> Result<bool, EngineError> {
        let result = self.engine.search(opening.clone(), Limits::nodes(NODES), 1)?.wait();
        Ok(shown(result.value, MaterialCount::of(opening.position())).abs() <= self.settings.balance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::Path;

    fn startpos(seed: u64) -> OpeningGenerator {
        OpeningGenerator::new(GenfensSettings::new(seed, &OpeningSource::Startpos), OpeningSource::Startpos).unwrap()
    }

    fn openings(generator: &mut OpeningGenerator, count: usize) -> Vec<Position> {
        (0..count).map(|_| generator.next_opening().unwrap()).collect()
    }

    fn file(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
        (folder, path)
    }

    fn from_book(path: &Path) -> Result<OpeningGenerator, GenfensError> {
        let book = OpeningSource::open(path)?;
        OpeningGenerator::new(GenfensSettings::new(1, &book), book)
    }

    #[test]
    fn openings_are_playable_balanced_distinct_and_reproducible() {
        let first = openings(&mut startpos(7), 40);
        assert_eq!(first, openings(&mut startpos(7), 40));
        assert_ne!(first, openings(&mut startpos(8), 40));
        let keys: HashSet<Key> = first.iter().map(Position::key).collect();
        assert_eq!(keys.len(), first.len());
        for position in &first {
            assert!(!position.in_check() && !position.legal_moves().is_empty(), "{position}");
            assert!(position.fullmove_number() == 5, "{position}");
            let mut engine = Engine::new();
            let value = engine.search(Game::new(position.clone()), Limits::nodes(20_000), 1).unwrap().wait().value;
            // The longer search may disagree a little.
            assert!(shown(value, MaterialCount::of(position)).abs() <= BALANCE + 150, "{position}: {value:?}");
        }
        let white = first.iter().filter(|position| position.turn().is_white()).count();
        assert!((5..=35).contains(&white), "{white} of 40 with White to move");
    }

    #[test]
    fn a_book_may_be_epd_fen_or_pgn() {
        let epd = "\u{feff}# comment\r\n\r\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"e\";\r\n\
            rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
        let pgn = "[Event \"?\"]\n\n1. e4 e5 *\n\n[Event \"?\"]\n\n1. d4 d5 *\n";
        for (name, text) in [("book.epd", epd), ("book.PGN", pgn)] {
            let (_folder, path) = file(name, text);
            let mut book = OpeningSource::open(&path).unwrap();
            let mut random = SplitMix64::new(1);
            let picked: HashSet<Key> = (0..50).map(|_| book.pick(&mut random).unwrap().key()).collect();
            assert_eq!(picked.len(), 2, "{name}");
            let made = openings(&mut from_book(&path).unwrap(), 20);
            // The EPD line without counters is at move 1.
            assert!(made.iter().all(|position| (3..=4).contains(&position.fullmove_number())), "{name}");
        }
    }

    #[test]
    fn castling_rights_of_chess960_survive() {
        let (_folder, path) = file("frc.epd", "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1");
        let book = OpeningSource::open(&path).unwrap();
        let mut generator = OpeningGenerator::new(GenfensSettings::new(1, &book).with_plies(0), book).unwrap();
        let fen = generator.next_opening().unwrap().to_fen();
        assert_eq!(fen, "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1");
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        let good = "4k3/8/8/8/8/8/QQQ5/4K3 w - - 0 1";
        for (name, text, expected) in [
            ("a.epd", "", "no positions in"),
            ("a.epd", "# only a comment\n\n", "no positions in"),
            ("a.epd", "\n# a\nhello\n", "line 3: invalid FEN"),
            ("a.pgn", "", "no positions in"),
            ("a.pgn", "1. e4 e5 2. Ke3 *\n", "line 1"),
            // Won, and over.
            ("a.epd", good, "no other opening found in 1000 attempts after 0"),
            ("a.epd", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "no other opening found in 1000 attempts after 0"),
        ] {
            let (_folder, path) = file(name, text);
            let error = from_book(&path).and_then(|mut generator| generator.next_opening()).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
        for path in [Path::new("/nowhere/at/all.epd"), Path::new("."), Path::new("/dev/zero")] {
            let error = from_book(path).unwrap_err().to_string();
            assert!(error.contains(&format!("'{}'", path.display())), "{error}");
        }
    }

    #[test]
    fn the_end_of_all_openings_is_an_error() {
        let (_folder, path) = file("one.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let book = OpeningSource::open(&path).unwrap();
        let mut generator = OpeningGenerator::new(GenfensSettings::new(1, &book).with_plies(0), book).unwrap();
        generator.next_opening().unwrap();
        assert!(matches!(generator.next_opening(), Err(GenfensError::Exhausted { made: 1 })));
    }
}
