//! What the tests, benches and examples of the workspace share: the files of `testdata`, programs under test, a fake
//! engine, distances to mate, random games and mirror images. It may only be a dev-dependency.
//!
//! Only integration tests can pass its positions to the crate under test: in a unit test, the crate's own types differ
//! from those that this crate was built with.
//!
//! ```
//! let start = &bartizan_testkit::perft_suite("classic")[0];
//! assert_eq!(start.fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//! assert_eq!(start.counts[..3], [20, 400, 8_902]);
//! ```
//!
//! The functions panic if a file is missing or malformed.

mod fake_engine;
mod mates;
mod mirror;
#[cfg(feature = "evaluators")]
mod panicking_evaluator;
mod perft;
mod program;
mod random_games;
mod sequences;

pub use fake_engine::fake_engine;
pub use mates::{KingAndPawnMates, Mates, PieceMates};
pub use mirror::mirrored;
#[cfg(feature = "evaluators")]
pub use panicking_evaluator::PanickingEvaluator;
pub use perft::{PERFT_SUITES, PerftCase, perft_suite};
pub use program::{EDITOR_READS, LISTEN, PROMPT, Program, SEARCH};
pub use random_games::{random_move, random_positions};
pub use sequences::{garbage, pick, random_sequences};

use std::path::{Path, PathBuf};

/// The path of a file or folder of `testdata`.
pub fn testdata(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path)
}

/// The text of a file of `testdata`.
///
/// # Panics
///
/// When the file cannot be read; the message names it.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = testdata(path);
    match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The lines of a file, each with its number (from 1) and the comment after ` # `. Empty lines and lines that begin
/// with `#` are skipped.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, Option<&str>)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (content, remark) = match line.split_once(" # ") {
            Some((content, remark)) => (content.trim_end(), Some(remark.trim())),
            None => (line, None),
        };
        Some((index + 1, content, remark))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_found() {
        assert!(testdata("perft").is_dir());
    }

    #[test]
    #[should_panic(expected = "absent.txt")]
    fn a_missing_file_is_named() {
        read("absent.txt");
    }

    #[test]
    fn lines_are_numbered_and_split_from_their_remarks() {
        let text = "# head\n\n a b # c # d\nplain\r\n#tail";
        assert_eq!(lines(text).collect::<Vec<_>>(), [(3, "a b", Some("c # d")), (4, "plain", None)]);
    }
}
