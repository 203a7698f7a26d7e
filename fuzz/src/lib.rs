//! Fuzz targets: one function each, which accepts any bytes and panics if a property does not hold.
//!
//! `cargo xtask fuzz` runs them. `cargo test --manifest-path fuzz/Cargo.toml` replays the seeds, and
//! `cargo run --manifest-path fuzz/Cargo.toml --bin TARGET FILE…` single inputs; neither needs a nightly compiler.

mod book;
mod dtm;
mod files;
mod games;
mod invariants;
mod notation;
mod protocol;
mod rules;
mod scratch;
mod slow;
mod starts;
mod syzygy;
mod training;

pub use book::book;
pub use dtm::dtm;
pub use files::{hash, journal, learning, openings, selfplay, settings, trace};
pub use games::games;
pub use notation::{epd, pgn, san};
pub use protocol::{uci_command, uci_message, xboard_command, xboard_message};
pub use rules::{fen, moves, setup};
pub use syzygy::syzygy;
pub use training::{checkpoint, network, positions};

/// A fuzz target.
pub type Target = fn(&[u8]);

/// All targets, by the names of their programs and seeds.
pub const TARGETS: [(&str, Target); 24] = [
    ("fen", fen),
    ("setup", setup),
    ("moves", moves),
    ("san", san),
    ("epd", epd),
    ("pgn", pgn),
    ("uci_command", uci_command),
    ("uci_message", uci_message),
    ("xboard_command", xboard_command),
    ("xboard_message", xboard_message),
    ("settings", settings),
    ("learning", learning),
    ("hash", hash),
    ("journal", journal),
    ("openings", openings),
    ("selfplay", selfplay),
    ("syzygy", syzygy),
    ("book", book),
    ("games", games),
    ("dtm", dtm),
    ("network", network),
    ("positions", positions),
    ("checkpoint", checkpoint),
    ("trace", trace),
];

/// The program of a target: for libFuzzer if `cargo fuzz` builds it, otherwise one that replays the files in its
/// arguments.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$name(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            for path in std::env::args_os().skip(1) {
                $crate::$name(&std::fs::read(path)?);
            }
            Ok(())
        }
    };
}

/// Takes the first byte; 0 if there is none.
fn take_byte(data: &mut &[u8]) -> u8 {
    match data.split_first() {
        Some((&first, rest)) => {
            *data = rest;
            first
        }
        None => 0,
    }
}

/// Takes `N` bytes, padded with zeros.
fn take_bytes<const N: usize>(data: &mut &[u8]) -> [u8; N] {
    std::array::from_fn(|_| take_byte(data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Every target accepts its seeds, which include all inputs that once failed, and parts of them.
    #[test]
    fn seeds_pass() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (name, target) in TARGETS {
            let folder = root.join("seeds").join(name);
            let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
            assert!(files.len() >= 3, "{name}");
            for path in files {
                println!("{}", path.display());
                let data = fs::read(&path).unwrap();
                target(&data);
                target(&data[..data.len() / 2]);
            }
            target(&[]);
        }
    }

    #[test]
    fn every_target_has_a_program() {
        let manifest = include_str!("../Cargo.toml");
        let programs: Vec<&str> =
            manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")).collect();
        let expected: Vec<String> = TARGETS.iter().map(|(name, _)| format!("{name}.rs\"")).collect();
        assert_eq!(programs, expected);
    }
}
