//! The settings of a run. They stand in the file, so that a later run can continue it.

use super::play::Player;
use anyhow::Context;
use bartizan_engine::bench;
use bartizan_notation::list;
use bartizan_position::{Game, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything that decides which games a file gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// Number of games. It decides no game, so a later run may change it.
    pub(super) games: usize,
    pub(super) nodes: u64,
    pub(super) random_plies: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) openings: Option<OpeningFile>,
    pub(super) balance: i32,
    pub(super) win_score: i32,
    pub(super) adjudicate_draws: bool,
    pub(super) max_plies: usize,
    pub(super) seed: u64,
    /// Size of the hash table of a game, in MB.
    pub(super) hash: usize,
    pub(super) engine: EngineIdentity,
}

/// A file of openings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningFile {
    pub(super) file: PathBuf,
    /// Checksum of the content, in hexadecimal.
    checksum: String,
}

/// The content counts, not the name.
impl PartialEq for OpeningFile {
    fn eq(&self, other: &Self) -> bool {
        self.checksum == other.checksum
    }
}

impl OpeningFile {
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(file).with_context(|| format!("cannot open the openings '{}'", file.display()))?;
        let mut checksum = Checksum::default();
        bytes.iter().for_each(|&byte| checksum.add(u64::from(byte)));
        Ok(Self { file: file.to_owned(), checksum: checksum.to_hex() })
    }
}

/// Which engine plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EngineIdentity {
    version: String,
    /// Checksum of some searches, in hexadecimal: two engines that play alike have the same, whatever their version.
    searches: String,
}

impl fmt::Display for EngineIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {}, searches {}", self.version, self.searches)
    }
}

/// The searches count, not the version.
impl PartialEq for EngineIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.searches == other.searches
    }
}

/// Nodes of each search that tells engines apart.
const NODES: u64 = 1_000;
/// Number of these searches.
const SEARCHES: usize = 8;

impl EngineIdentity {
    pub(crate) fn of_this_program() -> anyhow::Result<Self> {
        let mut player = Player::new(1)?;
        let mut checksum = Checksum::default();
        for (_, fen) in list::records(bench::POSITIONS).take(SEARCHES) {
            let Ok(position) = Position::from_fen(fen) else { continue };
            player.new_game();
            let (mv, value, depth) = player.search(&Game::new(position), NODES);
            checksum.add(mv.map_or(0, |mv| u64::from(mv.to_bits())));
            checksum.add(value.0 as u64);
            checksum.add(u64::from(depth));
        }
        Ok(Self { version: env!("CARGO_PKG_VERSION").to_owned(), searches: checksum.to_hex() })
    }
}

/// FNV-1a on words. It detects changes, not tampering.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    fn to_hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

impl Settings {
    /// The settings in a file.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        serde_json::from_str(text).context("cannot read its settings, which another version may have written")
    }

    pub(super) fn to_text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}
