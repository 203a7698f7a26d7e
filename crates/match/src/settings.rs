//! What to play, in a form that journals keep.

use crate::adjudication::{DrawRule, ResignRule, TablebaseRule};
use crate::openings::OpeningSettings;
use crate::standing::Standing;
use bartizan_client::{EngineProblem, EngineSpec};
use bartizan_stats::{Sprt, SprtError, SprtReport};
use bartizan_types::Excerpt;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// How the engines are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TournamentFormat {
    /// Every engine against every other.
    #[default]
    RoundRobin,
    /// The first engine against each of the others.
    Gauntlet,
    /// The first against the second, the third against the fourth, and so on. Each of these pairings plays its own
    /// openings.
    Pairs,
}

impl TournamentFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::RoundRobin, Self::Gauntlet, Self::Pairs];

    /// The format's name, as journals write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Pairs => "pairs",
        }
    }
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text is not the name of a [`TournamentFormat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected round-robin, gauntlet or pairs")]
pub struct ParseFormatError;

impl FromStr for TournamentFormat {
    type Err = ParseFormatError;
    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        Self::ALL.into_iter().find(|format| format.as_str() == text).ok_or(ParseFormatError)
    }
}

/// Everything that defines a match. The journal keeps it, so a match can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct MatchSettings {
    /// The PGN's Event tag.
    pub event: String,
    /// The players.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineSpec>,
    /// Defaults for engines that do not set these themselves.
    pub each: EngineSpec,
    /// How the engines are paired.
    pub format: TournamentFormat,
    /// Pairs of games for each pairing of two engines. The two games of a pair share an opening, with colours swapped.
    pub rounds: u32,
    /// The openings; without them all games start from the initial position.
    pub openings: Option<OpeningSettings>,
    /// Whether the engines play Chess960.
    pub chess960: bool,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// Whether to bind each slot of concurrent games to one processor core.
    pub pin: bool,
    /// Milliseconds by which an engine may overstep its time without losing the game.
    pub margin: u64,
    /// Seconds after which an engine that does not move counts as hung: after its time (at most 5 if that is real
    /// time), or since its last line if its time is not limited.
    pub hang: u64,
    /// When to adjudicate a win.
    pub resign: Option<ResignRule>,
    /// When to adjudicate a draw.
    pub draw: Option<DrawRule>,
    /// Full moves, including the opening, after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Tablebases that adjudicate.
    pub tablebases: Option<TablebaseRule>,
    /// A test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// Whether to record a UCI engine's best move without a search as a protocol violation too.
    pub strict: bool,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self {
            event: "Bartizan match".to_owned(),
            engines: Vec::new(),
            each: EngineSpec::default(),
            format: TournamentFormat::default(),
            rounds: 1,
            openings: None,
            chess960: false,
            concurrency: 1,
            pin: false,
            margin: 0,
            hang: 60,
            resign: None,
            draw: None,
            max_moves: None,
            tablebases: None,
            sprt: None,
            strict: false,
        }
    }
}

/// Why a match cannot be played with its settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// There are fewer than two engines.
    #[error("a match needs at least two engines, {0} given")]
    TooFewEngines(usize),
    /// There are no rounds.
    #[error("rounds must be at least 1")]
    NoRounds,
    /// [`TournamentFormat::Pairs`] with an odd number of engines.
    #[error("the format 'pairs' needs an even number of engines, {0} given")]
    OddPairs(usize),
    /// The number of concurrent games is out of range.
    #[error("concurrency {0} is out of range (1 to 1024)")]
    Concurrency(usize),
    /// An engine cannot play.
    #[error("engine '{}': {problem}", Excerpt::new(engine))]
    Engine {
        /// The engine's name.
        engine: String,
        /// The problem.
        problem: EngineProblem,
    },
    /// Pondering needs two cores, but the game is bound to one.
    #[error("pin and ponder cannot be combined")]
    PinnedPonder,
    /// An SPRT compares two engines.
    #[error("an SPRT needs exactly two engines, {0} given")]
    SprtEngines(usize),
    /// The SPRT's parameters are wrong.
    #[error("invalid SPRT: {0}")]
    Sprt(SprtError),
}

/// The part in which two matches differ so that they cannot share a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsDifference {
    /// The engines, their options or their limits.
    Engines,
    /// The format.
    Format,
    /// Which openings are played, and in which order.
    Openings,
    /// The contents of the openings file.
    OpeningContents,
    /// Chess or Chess960.
    Chess960,
    /// The rules of adjudication.
    Adjudication,
}

impl fmt::Display for SettingsDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Engines => "engines",
            Self::Format => "format",
            Self::Openings => "openings",
            Self::OpeningContents => "contents of the openings",
            Self::Chess960 => "chess960",
            Self::Adjudication => "adjudication",
        })
    }
}

impl MatchSettings {
    /// Applies `each` to all engines, makes their names unique, and checks everything that can be checked before a game
    /// starts. Completing twice changes nothing.
    ///
    /// # Errors
    /// The first [`SettingsError`] found.
    pub fn complete(mut self) -> Result<Self, SettingsError> {
        self.engines = self.engines.iter().map(|engine| engine.or(&self.each)).collect();
        self.each = EngineSpec::default();
        let count = self.engines.len();
        if count < 2 {
            return Err(SettingsError::TooFewEngines(count));
        }
        if self.rounds == 0 {
            return Err(SettingsError::NoRounds);
        }
        if self.format == TournamentFormat::Pairs && !count.is_multiple_of(2) {
            return Err(SettingsError::OddPairs(count));
        }
        if !(1..=1_024).contains(&self.concurrency) {
            return Err(SettingsError::Concurrency(self.concurrency));
        }
        for engine in &self.engines {
            engine.check().map_err(|problem| SettingsError::Engine { engine: engine.label(), problem })?;
        }
        if self.pin && self.engines.iter().any(EngineSpec::ponders) {
            return Err(SettingsError::PinnedPonder);
        }
        self.make_names_unique();
        if let Some(sprt) = &self.sprt {
            if count != 2 {
                return Err(SettingsError::SprtEngines(count));
            }
            sprt.validate().map_err(SettingsError::Sprt)?;
        }
        Ok(self)
    }

    /// Appends numbers to duplicate engine names: tables and ladders identify engines by name.
    fn make_names_unique(&mut self) {
        let mut taken = HashSet::new();
        for (index, engine) in self.engines.iter_mut().enumerate() {
            while !taken.insert(engine.label()) {
                engine.name = Some(format!("{} ({})", engine.label(), index + 1));
            }
        }
    }

    /// The name of an engine; `?` for an unknown number.
    pub fn label(&self, engine: usize) -> String {
        self.engines.get(engine).map_or_else(|| "?".to_owned(), EngineSpec::label)
    }

    /// Compares everything that must be equal for results to belong to one match. Rounds may grow, and how games are
    /// run may change.
    ///
    /// # Errors
    /// The first part that differs.
    pub fn same_match(&self, other: &Self) -> Result<(), SettingsDifference> {
        let file_and_order = |openings: &OpeningSettings| OpeningSettings { sha256: None, ..openings.clone() };
        let contents = |settings: &Self| settings.openings.as_ref()?.sha256.clone();
        let is_alike = |(one, other): (&EngineSpec, &EngineSpec)| one.plays_as(other);
        if self.engines.len() != other.engines.len() || !self.engines.iter().zip(&other.engines).all(is_alike) {
            Err(SettingsDifference::Engines)
        } else if self.format != other.format {
            Err(SettingsDifference::Format)
        } else if self.openings.as_ref().map(file_and_order) != other.openings.as_ref().map(file_and_order) {
            Err(SettingsDifference::Openings)
        } else if contents(self).zip(contents(other)).is_some_and(|(one, other)| one != other) {
            Err(SettingsDifference::OpeningContents)
        } else if self.chess960 != other.chess960 {
            Err(SettingsDifference::Chess960)
        } else if (&self.resign, &self.draw, self.max_moves) != (&other.resign, &other.draw, other.max_moves)
            || self.tablebases != other.tablebases
        {
            Err(SettingsDifference::Adjudication)
        } else {
            Ok(())
        }
    }

    /// The state of the SPRT, if there is one.
    pub fn sprt_report(&self, standing: &Standing) -> Option<SprtReport> {
        self.sprt.as_ref().map(|sprt| sprt.report(&standing.pairs(0, 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(a: &str, b: &str) -> MatchSettings {
        MatchSettings { engines: vec![a.parse().unwrap(), b.parse().unwrap()], ..MatchSettings::default() }
    }

    #[test]
    fn engines_inherit_and_limits_scale() {
        let settings = MatchSettings {
            each: "tc=10+0.1 option.Hash=16".parse().unwrap(),
            ..two("cmd=a", "cmd=b st=0.1 factor=2")
        };
        let settings = settings.complete().unwrap();
        assert_eq!(settings.engines[0].limits().to_string(), "10+0.1");
        assert_eq!(settings.engines[0].options["Hash"], "16");
        assert_eq!(settings.engines[1].limits().to_string(), "0.2 s/move");
        assert_eq!(settings.clone().complete().unwrap(), settings);
    }

    #[test]
    fn matches_are_told_apart_by_what_decides_results() {
        let rule = TablebaseRule { path: "/tb".to_owned(), pieces: Some(5), ignore_50: false };
        let settings = MatchSettings { tablebases: Some(rule), ..two("cmd=a nodes=1", "cmd=b nodes=1") };
        let other = MatchSettings { tablebases: None, rounds: 9, ..settings.clone() };
        assert_eq!(settings.same_match(&other), Err(SettingsDifference::Adjudication));
        assert_eq!(settings.same_match(&MatchSettings { rounds: 9, ..settings.clone() }), Ok(()));
        let with = |file: &str, sha256: Option<&str>| {
            let openings = OpeningSettings { sha256: sha256.map(str::to_owned), ..OpeningSettings::new(file) };
            MatchSettings { openings: Some(openings), ..settings.clone() }
        };
        let openings = with("o.epd", Some("a"));
        for (other, expected) in [
            (with("o.epd", Some("a")), Ok(())),
            (with("o.epd", None), Ok(())),
            (with("o.epd", Some("b")), Err(SettingsDifference::OpeningContents)),
            (with("p.epd", Some("a")), Err(SettingsDifference::Openings)),
            (settings.clone(), Err(SettingsDifference::Openings)),
        ] {
            assert_eq!((openings.same_match(&other), other.same_match(&openings)), (expected, expected));
        }
    }

    #[test]
    fn settings_are_checked_before_a_game_starts() {
        let error = |settings: MatchSettings| settings.complete().unwrap_err().to_string();
        assert_eq!(error(MatchSettings::default()), "a match needs at least two engines, 0 given");
        assert_eq!(error(two("cmd=a nodes=1", "nodes=1")), "engine '?': no program given (cmd=PROGRAM)");
        assert!(error(two("cmd=a nodes=1", "cmd=b")).starts_with("engine 'b': no limit given"));
        assert!(error(two("cmd=a nodes=1", "cmd=b nodes=1 proto=x")).contains("'x' is neither"));
        let pinned = MatchSettings { pin: true, ..two("cmd=a nodes=1 ponder=true", "cmd=b nodes=1") };
        assert_eq!(error(pinned), "pin and ponder cannot be combined");
        let same = two("cmd=a nodes=1", "cmd=a nodes=1").complete().unwrap();
        assert_eq!((same.label(0), same.label(1), same.label(2)), ("a".into(), "a (2)".into(), "?".into()));
        let three =
            MatchSettings { engines: ["a", "a (3)", "a"].map(EngineSpec::new).map(|a| a.nodes(1)).to_vec(), ..same };
        let three = three.complete().unwrap();
        assert_eq!([0, 1, 2].map(|engine| three.label(engine)), ["a", "a (3)", "a (3) (3)"]);
        let versions = two("cmd=./eng-1.2 nodes=1", "cmd=./eng-1.3 nodes=1").complete().unwrap();
        assert_eq!((versions.label(0), versions.label(1)), ("eng-1.2".into(), "eng-1.3".into()));
    }
}
