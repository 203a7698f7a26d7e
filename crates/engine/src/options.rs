//! The options of the engine: names, ranges, values.

#[cfg(feature = "tuning")]
use bartizan_search::{Steps, TimeRules};

/// What kind of value an option takes, and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// Something to do at once.
    Button,
    /// The path of a file; empty for none, or for the usual place.
    File,
}

/// An option as a front end declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, as UCI knows it.
    pub name: &'static str,
    /// Its kind.
    pub kind: OptionKind,
}

/// Why an option was not set. The old value stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The option wants a value.
    #[error("option {name} needs a value")]
    Missing {
        /// The option.
        name: &'static str,
    },
    /// The value is not of the option's kind.
    #[error("option {name}: '{value}' is not {expected}")]
    Invalid {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The number is out of range.
    #[error("option {name}: {value} is not between {min} and {max}")]
    Range {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The least value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// What the option asks for could not be had.
    #[error("option {name}: {reason}")]
    Failed {
        /// The option.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// The values now in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads.
    pub threads: usize,
    /// The hash table, in MiB.
    pub hash: usize,
    /// How many best lines to show.
    pub multipv: usize,
    /// What is lost between the clock and the engine with every move, in milliseconds.
    pub move_overhead: u64,
    /// Whether the client means to let the engine think in the opponent's time.
    pub ponder: bool,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the chances of win, draw and loss are shown.
    pub show_wdl: bool,
    /// What a draw costs the engine, in internal centipawns: above zero it avoids draws, below zero it seeks them.
    pub contempt: i32,
    /// How strong to play, in hundredths; below 100 the search gets a budget of nodes.
    pub strength: u32,
    /// What is kept of games for the next ones.
    pub learning: LearningOptions,
    /// The PGN file to which games are added; empty for none.
    pub game_log: String,
    /// When to give up, and what to do about draws: for front ends whose protocol has words for it.
    pub manners: Manners,
    /// What the search does at all; only a build with the feature `tuning` has options for it.
    #[cfg(feature = "tuning")]
    pub steps: Steps,
    /// The rules of the time plan.
    #[cfg(feature = "tuning")]
    pub time_rules: TimeRules,
}

/// What is learnt, and where it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningOptions {
    /// Whether anything is learnt or used.
    pub on: bool,
    /// The file; empty for the usual place in the user's folder.
    pub file: String,
    /// By how much a deep search must contradict the shallower ones, in internal centipawns.
    pub threshold: i32,
    /// The least depth of a search that is kept, in plies.
    pub depth: u32,
    /// Whether the file is used but never written.
    pub read_only: bool,
}

impl Default for LearningOptions {
    fn default() -> Self {
        Self { on: false, file: String::new(), threshold: 80, depth: 10, read_only: false }
    }
}

/// When a game is given up or its end agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manners {
    /// Whether to resign at all.
    pub resign: bool,
    /// So many centipawns down, as scores are shown …
    pub resign_score: i32,
    /// … for so many moves in a row.
    pub resign_moves: u32,
    /// Whether to offer and accept draws.
    pub draws: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self { resign: false, resign_score: 700, resign_moves: 4, draws: true }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            hash: 16,
            multipv: 1,
            move_overhead: 10,
            ponder: false,
            chess960: false,
            show_wdl: false,
            contempt: 0,
            strength: 100,
            learning: LearningOptions::default(),
            game_log: String::new(),
            manners: Manners::default(),
            #[cfg(feature = "tuning")]
            steps: Steps::DEFAULT,
            #[cfg(feature = "tuning")]
            time_rules: TimeRules::ALL,
        }
    }
}

impl Options {
    /// The value of an option as text; `None` for a button and for what only a tuning build has.
    pub fn value(&self, spec: &OptionSpec) -> Option<String> {
        let (learning, manners) = (&self.learning, &self.manners);
        let text = match *spec {
            THREADS => self.threads.to_string(),
            HASH => self.hash.to_string(),
            MULTIPV => self.multipv.to_string(),
            MOVE_OVERHEAD => self.move_overhead.to_string(),
            PONDER => self.ponder.to_string(),
            CHESS960 => self.chess960.to_string(),
            SHOW_WDL => self.show_wdl.to_string(),
            CONTEMPT => self.contempt.to_string(),
            STRENGTH => self.strength.to_string(),
            LEARNING => learning.on.to_string(),
            LEARNING_FILE => learning.file.clone(),
            LEARNING_THRESHOLD => learning.threshold.to_string(),
            LEARNING_DEPTH => learning.depth.to_string(),
            LEARNING_READ_ONLY => learning.read_only.to_string(),
            GAME_LOG => self.game_log.clone(),
            RESIGN => manners.resign.to_string(),
            RESIGN_SCORE => manners.resign_score.to_string(),
            RESIGN_MOVES => manners.resign_moves.to_string(),
            DRAWS => manners.draws.to_string(),
            _ => return None,
        };
        Some(text)
    }
}

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max } }
}

const fn check(name: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Check { default: false } }
}

pub(crate) const THREADS: OptionSpec = spin("Threads", 1, 1, 1_024);
/// 32 TiB, as others allow; what the machine does not have is refused when it is asked for.
pub(crate) const HASH: OptionSpec = spin("Hash", 16, 1, 33_554_432);
pub(crate) const CLEAR_HASH: OptionSpec = OptionSpec { name: "Clear Hash", kind: OptionKind::Button };
pub(crate) const PONDER: OptionSpec = check("Ponder");
/// No position has more moves than this.
pub(crate) const MULTIPV: OptionSpec = spin("MultiPV", 1, 1, 256);
pub(crate) const MOVE_OVERHEAD: OptionSpec = spin("Move Overhead", 10, 0, 5_000);
pub(crate) const CHESS960: OptionSpec = check("UCI_Chess960");
pub(crate) const SHOW_WDL: OptionSpec = check("UCI_ShowWDL");
pub(crate) const CONTEMPT: OptionSpec = spin("Contempt", 0, -200, 200);
pub(crate) const STRENGTH: OptionSpec = spin("Strength", 100, 1, 100);
pub(crate) const LEARNING: OptionSpec = check("Learning");
pub(crate) const LEARNING_FILE: OptionSpec = file("Learning File");
pub(crate) const LEARNING_THRESHOLD: OptionSpec = spin("Learning Threshold", 80, 1, 2_000);
pub(crate) const LEARNING_DEPTH: OptionSpec = spin("Learning Depth", 10, 1, 127);
pub(crate) const LEARNING_READ_ONLY: OptionSpec = check("Learning Read Only");
pub(crate) const GAME_LOG: OptionSpec = file("Game Log");

/// The options of every build, in the order in which they are shown.
const COMMON: [OptionSpec; 16] = [
    THREADS,
    HASH,
    CLEAR_HASH,
    PONDER,
    MULTIPV,
    MOVE_OVERHEAD,
    CONTEMPT,
    STRENGTH,
    LEARNING,
    LEARNING_FILE,
    LEARNING_THRESHOLD,
    LEARNING_DEPTH,
    LEARNING_READ_ONLY,
    GAME_LOG,
    CHESS960,
    SHOW_WDL,
];

pub(crate) const RESIGN: OptionSpec = check("Resign");
pub(crate) const RESIGN_SCORE: OptionSpec = spin("Resign Score", 700, 100, 30_000);
pub(crate) const RESIGN_MOVES: OptionSpec = spin("Resign Moves", 4, 1, 100);
pub(crate) const DRAWS: OptionSpec = OptionSpec { name: "Draw Offers", kind: OptionKind::Check { default: true } };

/// Options of [`Manners`], which only a protocol with draw offers and resignation shows.
pub(crate) const MANNERS: [OptionSpec; 4] = [RESIGN, RESIGN_SCORE, RESIGN_MOVES, DRAWS];

const fn file(name: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::File }
}

/// All options of this build.
#[cfg(not(feature = "tuning"))]
pub(crate) fn all() -> &'static [OptionSpec] {
    &COMMON
}

/// A file of weights for the evaluation, as the tuner writes it.
#[cfg(feature = "tuning")]
pub(crate) const WEIGHTS: OptionSpec = file("Weights");

/// What stands before the name of a group of terms in the option that takes it out of the evaluation.
#[cfg(feature = "tuning")]
pub(crate) const TERMS: &str = "Terms ";

/// All options of this build: the numbers and the steps of the search and the weights of the evaluation as well.
#[cfg(feature = "tuning")]
pub(crate) fn all() -> &'static [OptionSpec] {
    use bartizan_search::{Step, TimeRule, params};
    static ALL: std::sync::LazyLock<Vec<OptionSpec>> = std::sync::LazyLock::new(|| {
        let numbers = params::ALL
            .iter()
            .map(|param| spin(param.name, i64::from(param.default), i64::from(param.min), i64::from(param.max)));
        let steps = Step::ALL.iter().map(|&step| OptionSpec {
            name: step.name(),
            kind: OptionKind::Check { default: Steps::default().has(step) },
        });
        let rules = TimeRule::ALL
            .iter()
            .map(|&rule| OptionSpec { name: rule.name(), kind: OptionKind::Check { default: true } });
        let groups = bartizan_eval::weights::Group::ALL.into_iter().map(|group| OptionSpec {
            name: format!("{TERMS}{}", group.name()).leak(),
            kind: OptionKind::Check { default: true },
        });
        COMMON.into_iter().chain(numbers).chain(steps).chain(rules).chain([WEIGHTS]).chain(groups).collect()
    });
    &ALL
}

/// Whether two option names are the same: case does not count, and any run of white space is one blank.
pub fn same_name(a: &str, b: &str) -> bool {
    let mut b = b.split_whitespace();
    a.split_whitespace().all(|word| b.next().is_some_and(|other| word.eq_ignore_ascii_case(other)))
        && b.next().is_none()
}

/// A word for a message: not longer than fits a line.
fn short(value: &str) -> String {
    value.chars().take(40).collect()
}

pub(crate) fn find(name: &str) -> Result<OptionSpec, OptionError> {
    let spec = all().iter().chain(&MANNERS).find(|spec| same_name(spec.name, name));
    spec.copied().ok_or_else(|| OptionError::Unknown(short(name)))
}

impl OptionSpec {
    pub(crate) fn parse_check(&self, value: Option<&str>) -> Result<bool, OptionError> {
        match value.ok_or(OptionError::Missing { name: self.name })? {
            // UCI writes words, xboard numbers.
            value if value.eq_ignore_ascii_case("true") || value == "1" => Ok(true),
            value if value.eq_ignore_ascii_case("false") || value == "0" => Ok(false),
            value => Err(OptionError::Invalid { name: self.name, value: short(value), expected: "true or false" }),
        }
    }

    /// A path. UCI writes an empty one as `<empty>`.
    pub(crate) fn parse_file(&self, value: Option<&str>) -> String {
        value.map(str::trim).filter(|&path| path != "<empty>").unwrap_or_default().to_owned()
    }

    pub(crate) fn parse_spin(&self, value: Option<&str>) -> Result<i64, OptionError> {
        let OptionKind::Spin { min, max, .. } = self.kind else { return Err(OptionError::Missing { name: self.name }) };
        let value = value.ok_or(OptionError::Missing { name: self.name })?.trim();
        let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let expected = "a whole number";
            return Err(OptionError::Invalid { name: self.name, value: short(value), expected });
        }
        // What does not fit the type is out of range as well.
        let number = value.parse::<i64>().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| OptionError::Range { name: self.name, value: short(value), min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_loosely() {
        assert!(same_name("Move Overhead", "move   OVERHEAD"));
        assert!(!same_name("Move Overhead", "Move"));
        assert!(!same_name("Move", "Move Overhead"));
        assert_eq!(find("hash").unwrap(), HASH);
    }

    #[test]
    fn errors_name_option_and_value() {
        let error = |value| HASH.parse_spin(value).unwrap_err().to_string();
        assert_eq!(error(None), "option Hash needs a value");
        assert_eq!(error(Some("x")), "option Hash: 'x' is not a whole number");
        assert_eq!(error(Some("0")), "option Hash: 0 is not between 1 and 33554432");
        assert_eq!(
            error(Some("99999999999999999999")),
            "option Hash: 99999999999999999999 is not between 1 and 33554432"
        );
    }
}
