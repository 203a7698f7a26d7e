//! The engines of the games, as `bartizan-tools match` takes them.

use crate::error::{Error, Result};
use crate::measure::installed;
use std::path::Path;

/// A level ends its search itself. This limit keeps it from being asked for an endless one, so that no clock is needed.
const LEVEL_NODES: u64 = 1_000_000;

/// The specification of a program. Quotes keep spaces in its path.
pub(super) fn spec(program: &Path, name: &str, more: &str) -> String {
    let path = program.display().to_string().replace('\\', "\\\\").replace('\'', "\\'");
    format!("cmd='{path}' name='{name}' {more}").trim_end().to_owned()
}

/// A level of the engine without its book and without the user's settings, with limits and options in addition.
pub(super) fn level(engine: &Path, rating: u32, more: &str) -> String {
    let options = format!("option.UCI_LimitStrength=true option.UCI_Elo={rating} option.OwnBook=false");
    spec(engine, &rating.to_string(), &format!("arg=--no-config {options} {more}"))
}

/// A level without a clock.
pub(super) fn untimed(engine: &Path, rating: u32) -> String {
    level(engine, rating, &format!("nodes={LEVEL_NODES}"))
}

/// A limited level of Stockfish 15.1.
#[derive(Debug)]
pub(super) struct Rival {
    pub(super) name: &'static str,
    /// Its rating by its authors, in Elo.
    pub(super) rating: u32,
    options: &'static str,
    /// Nodes with which it reaches the depth at which it picks its move, and a few plies more. That depth is its level
    /// plus 1.
    nodes: u64,
}

/// In games, it must search on after the depth at which it picks its move, because what stays in its hash table makes
/// the next moves stronger; see docs/lab/levels.md.
const RIVAL_GAME_NODES: u64 = 100_000;

/// The ratings of `Skill Level` are those of docs/lab/levels.md, and those of `UCI_Elo` its own names.
pub(super) const RIVALS: [Rival; 9] = [
    Rival { name: "Skill 0", rating: 1320, options: "option.'Skill Level'=0", nodes: 20_000 },
    Rival {
        name: "Elo 1350",
        rating: 1350,
        options: "option.UCI_LimitStrength=true option.UCI_Elo=1350",
        nodes: 20_000,
    },
    Rival {
        name: "Elo 1600",
        rating: 1600,
        options: "option.UCI_LimitStrength=true option.UCI_Elo=1600",
        nodes: 20_000,
    },
    Rival { name: "Skill 3", rating: 1742, options: "option.'Skill Level'=3", nodes: 20_000 },
    Rival {
        name: "Elo 2000",
        rating: 2000,
        options: "option.UCI_LimitStrength=true option.UCI_Elo=2000",
        nodes: 50_000,
    },
    Rival { name: "Skill 6", rating: 2363, options: "option.'Skill Level'=6", nodes: 50_000 },
    Rival {
        name: "Elo 2400",
        rating: 2400,
        options: "option.UCI_LimitStrength=true option.UCI_Elo=2400",
        nodes: 100_000,
    },
    Rival { name: "Skill 9", rating: 2703, options: "option.'Skill Level'=9", nodes: 100_000 },
    Rival {
        name: "Elo 2800",
        rating: 2800,
        options: "option.UCI_LimitStrength=true option.UCI_Elo=2800",
        nodes: 100_000,
    },
];

impl Rival {
    /// For games.
    pub(super) fn in_games(&self, stockfish: &Path) -> String {
        spec(stockfish, &self.label(), &format!("{} option.Hash=64 nodes={RIVAL_GAME_NODES}", self.options))
    }

    /// For single positions.
    pub(super) fn in_positions(&self, stockfish: &Path) -> String {
        spec(stockfish, &self.label(), &format!("{} option.Hash=16 nodes={}", self.options, self.nodes))
    }

    /// The name in tables and games.
    pub(super) fn label(&self) -> String {
        format!("Stockfish {}", self.name)
    }
}

/// The program of an opponent.
pub(super) fn opponent(name: &str, package: &str) -> Result<std::path::PathBuf> {
    installed(name).ok_or_else(|| Error::Skipped(format!("'{name}' is not installed (Debian package {package})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_spaces_are_quoted() {
        assert_eq!(spec(Path::new("/a b/c"), "x y", "nodes=1"), "cmd='/a b/c' name='x y' nodes=1");
        assert_eq!(spec(Path::new("/it's"), "x", ""), "cmd='/it\\'s' name='x'");
        assert_eq!(
            untimed(Path::new("/e"), 800),
            "cmd='/e' name='800' arg=--no-config option.UCI_LimitStrength=true option.UCI_Elo=800 \
             option.OwnBook=false nodes=1000000"
        );
    }

    #[test]
    fn rivals_rise() {
        assert!(RIVALS.is_sorted_by_key(|rival| rival.rating));
        assert!(RIVALS[0].in_games(Path::new("/s")).starts_with("cmd='/s' name='Stockfish Skill 0' option.'Skill"));
    }
}
