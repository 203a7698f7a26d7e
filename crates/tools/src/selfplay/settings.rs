//! The settings of a run. They stand in the file, so that a later run can continue it.

use super::EvaluationChoice;
use crate::checksum::Checksum;
use crate::input;
use crate::interrupt::Interrupt;
use crate::searcher::Engine;
use anyhow::{Context, ensure};
use bartizan_engine::{EvaluationModel, bench};
use bartizan_notation::list;
use bartizan_position::{Game, Position};
use bartizan_search::Limits;
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) soft_nodes: Option<u64>,
    /// Older files do not name it: they have the only evaluation that there was.
    #[serde(default = "classical")]
    pub(super) evaluation: EvaluationChoice,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) eval_file: Option<InputFile>,
    pub(super) random_plies: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) openings: Option<InputFile>,
    /// Share of games from starting positions of Chess960, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) chess960: u32,
    /// Share of games from random endings, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) endings: u32,
    pub(super) balance: i32,
    pub(super) win_score: i32,
    pub(super) adjudicate_draws: bool,
    pub(super) max_plies: usize,
    pub(super) seed: u64,
    /// Size of the hash table of a game, in MB.
    pub(super) hash: usize,
    pub(super) engine: EngineIdentity,
}

/// What errors call the file of `--eval-file`.
pub(super) const NETWORK: &str = "network";

/// A file on which the games depend.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFile {
    pub(super) file: PathBuf,
    /// Checksum of the content, in hexadecimal.
    checksum: String,
}

/// The content counts, not the name.
impl PartialEq for InputFile {
    fn eq(&self, other: &Self) -> bool {
        self.checksum == other.checksum
    }
}

impl InputFile {
    /// Reads a file; `what` names it in an error.
    pub(super) fn read(file: &Path, what: &str) -> anyhow::Result<Self> {
        input::refuse_stream(file)?;
        let is_text = file.to_str().is_some();
        ensure!(is_text, "the {what} '{}': its name is not UTF-8, and the file of games must name it", file.display());
        let bytes = std::fs::read(file).with_context(|| format!("cannot open the {what} '{}'", file.display()))?;
        let mut checksum = Checksum::default();
        bytes.iter().for_each(|&byte| checksum.add(u64::from(byte)));
        Ok(Self { file: file.to_owned(), checksum: checksum.to_hex() })
    }
}

fn classical() -> EvaluationChoice {
    EvaluationChoice::Classical
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(percent: &u32) -> bool {
    *percent == 0
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
    /// This program, with an evaluation.
    pub(crate) fn of_this_program(model: EvaluationModel) -> anyhow::Result<Self> {
        let mut engine = Engine::with_model(1, model)?;
        let mut checksum = Checksum::default();
        for (_, fen) in list::records(bench::POSITIONS).take(SEARCHES) {
            let Ok(position) = Position::from_fen(fen) else { continue };
            engine.forget();
            // They take milliseconds: nothing interrupts them.
            let result = engine.search(&Game::new(position), Limits::nodes(NODES), &Interrupt::default());
            let result = result.unwrap_or_default();
            checksum.add(result.best.map_or(0, |mv| u64::from(mv.to_bits())));
            checksum.add(result.value.0 as u64);
            checksum.add(u64::from(result.depth));
        }
        Ok(Self { version: env!("CARGO_PKG_VERSION").to_owned(), searches: checksum.to_hex() })
    }
}

impl Settings {
    /// The limits of each search.
    pub(super) fn limits(&self) -> Limits {
        let limits = Limits::nodes(self.nodes);
        match self.soft_nodes {
            Some(nodes) => limits.with_soft_nodes(nodes),
            None => limits,
        }
    }

    /// The evaluation, whose network must be the one that the games were begun with.
    pub(super) fn model(&self) -> anyhow::Result<EvaluationModel> {
        if let Some(network) = &self.eval_file {
            ensure!(
                InputFile::read(&network.file, NETWORK)? == *network,
                "the network '{}' has changed since the games were begun",
                network.file.display()
            );
        }
        self.evaluation.model(self.eval_file.as_ref().map(|network| network.file.as_path()))
    }

    /// The settings in a file.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        serde_json::from_str(text).context("cannot read its settings, which another version may have written")
    }

    pub(super) fn to_text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}
