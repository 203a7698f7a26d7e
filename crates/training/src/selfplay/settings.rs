//! The settings of a run. The file records them, so that a later run can continue it.

use super::Openings;
use crate::error::{Error, FileAction};
use bartizan_engine::{EngineIdentity, EvaluationKind, EvaluationModel, Limits, Network};
use bartizan_types::Checksum;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that decides which games a file gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplaySettings {
    /// Number of games. It does not affect any game, so a later run may change it.
    pub games: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Nodes after which no deeper iteration begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u64>,
    /// Older files lack this field: they used the only evaluation that existed.
    #[serde(default = "classical", with = "kind")]
    pub evaluation: EvaluationKind,
    /// The network; `None` for the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_file: Option<InputFile>,
    /// Random plies at the start of each game; half of the games have one more.
    pub random_plies: usize,
    /// The openings; `None` for the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<InputFile>,
    /// Share of games from starting positions of Chess960, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chess960: u32,
    /// Share of games from random endings, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub endings: u32,
    /// Largest advantage at the start, in internal centipawns.
    pub balance: i32,
    /// Advantage in internal centipawns that wins the game once both sides have agreed on it for 4 plies.
    pub win_score: i32,
    /// Whether a game is a draw from move 40 on when both sides report at most 5 internal centipawns for 12 plies.
    pub adjudicate_draws: bool,
    /// Length after which a game is a draw, in plies.
    pub max_plies: usize,
    /// Seed of the openings and random plies.
    pub seed: u64,
    /// Size of the hash table of a game, in MB.
    pub hash: usize,
    /// The engine that plays.
    pub engine: EngineIdentity,
}

impl SelfplaySettings {
    /// The default settings for a number of games.
    pub fn new(games: usize, engine: EngineIdentity) -> Self {
        Self {
            games,
            nodes: 5_000,
            soft_nodes: None,
            evaluation: EvaluationKind::default(),
            eval_file: None,
            random_plies: 8,
            openings: None,
            chess960: 0,
            endings: 0,
            balance: 400,
            win_score: 2_000,
            adjudicate_draws: false,
            max_plies: 400,
            seed: 1,
            hash: 4,
            engine,
        }
    }
}

/// The name of the network file in error messages.
const NETWORK: &str = "network";

/// The name of the openings file in error messages.
pub(super) const OPENINGS: &str = "openings";

/// A file on which the games depend.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// Its name.
    pub file: PathBuf,
    /// Checksum of the content, in hexadecimal.
    checksum: String,
}

/// Compares the content, not the name.
impl PartialEq for InputFile {
    fn eq(&self, other: &Self) -> bool {
        self.checksum == other.checksum
    }
}

/// The largest file on which games depend: 4 GiB.
const MOST_INPUT: u64 = 1 << 32;

impl InputFile {
    /// Reads the network that evaluates positions.
    ///
    /// # Errors
    /// If the file cannot be read, or has a name that is not UTF-8.
    pub fn network(file: &Path) -> Result<Self, Error> {
        Self::read(file, NETWORK)
    }

    /// Reads openings.
    ///
    /// # Errors
    /// As for [`network`](Self::network).
    pub fn openings(file: &Path) -> Result<Self, Error> {
        Self::read(file, OPENINGS)
    }

    fn read(file: &Path, what: &'static str) -> Result<Self, Error> {
        if file.to_str().is_none() {
            return Err(Error::Name { what, path: file.to_owned() });
        }
        let bytes = bartizan_files::read_regular(file, MOST_INPUT).map_err(FileAction::Open(what).failed(file))?;
        let mut checksum = Checksum::default();
        bytes.iter().for_each(|&byte| checksum.add(u64::from(byte)));
        Ok(Self { file: file.to_owned(), checksum: checksum.to_string() })
    }

    /// Fails if the content has changed.
    fn check(&self, what: &'static str) -> Result<(), Error> {
        if Self::read(&self.file, what)? == *self {
            return Ok(());
        }
        Err(Error::Changed { what, path: self.file.clone() })
    }
}

fn classical() -> EvaluationKind {
    EvaluationKind::Classical
}

/// The evaluation as its name.
mod kind {
    use bartizan_engine::EvaluationKind;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
    pub(super) fn serialize<S: Serializer>(kind: &EvaluationKind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EvaluationKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = EvaluationKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| D::Error::custom(format!("unknown evaluation '{name}'")))
    }
}

/// The evaluation of a kind, with the network from a file or else the built-in one.
///
/// # Errors
/// If the network cannot be read.
pub fn evaluation_model(kind: EvaluationKind, file: Option<&Path>) -> Result<EvaluationModel, Error> {
    let network = || -> Result<Arc<Network>, Error> {
        Ok(Arc::new(match file {
            Some(file) => Network::open(file).map_err(FileAction::Read.failed(file))?,
            None => Network::built_in()?,
        }))
    };
    Ok(match kind {
        EvaluationKind::Combined => EvaluationModel::Combined(network()?),
        EvaluationKind::Network => EvaluationModel::Network(network()?),
        EvaluationKind::Classical => EvaluationModel::HandCrafted,
    })
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(percent: &u32) -> bool {
    *percent == 0
}

impl SelfplaySettings {
    /// The limits of each search.
    pub(super) fn limits(&self) -> Limits {
        let limits = Limits::nodes(self.nodes);
        match self.soft_nodes {
            Some(nodes) => limits.with_soft_nodes(nodes),
            None => limits,
        }
    }

    /// The evaluation.
    ///
    /// # Errors
    /// If the network cannot be read, or differs from the one that the games were begun with.
    pub fn model(&self) -> Result<EvaluationModel, Error> {
        let file = self.eval_file.as_ref();
        file.map_or(Ok(()), |network| network.check(NETWORK))?;
        evaluation_model(self.evaluation, file.map(|network| network.file.as_path()))
    }

    /// The openings.
    ///
    /// # Errors
    /// If they cannot be read, or differ from those that the games were begun with.
    pub fn openings(&self) -> Result<Openings, Error> {
        let Some(openings) = &self.openings else { return Ok(Openings::startpos()) };
        openings.check(OPENINGS)?;
        Openings::load(&openings.file, self.seed)
    }

    /// Parses the settings in a file.
    pub(super) fn parse(text: &str) -> Result<Self, SettingsError> {
        serde_json::from_str(text).map_err(SettingsError)
    }

    pub(super) fn to_text(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self)?)
    }
}

/// The settings of a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read its settings, which another version may have written")]
pub(super) struct SettingsError(#[source] serde_json::Error);
