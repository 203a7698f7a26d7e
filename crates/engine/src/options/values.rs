//! The options as typed values with their ranges.

#[cfg(feature = "tuning")]
use super::tuning::Tuning;
use crate::EngineError;
use bartizan_levels::Rating;
#[cfg(feature = "tuning")]
use bartizan_search::{Steps, TimeRules};
use bartizan_types::Variant;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The options of an [`Engine`](crate::Engine).
///
/// ```
/// use bartizan_engine::{Engine, Options};
///
/// let mut engine = Engine::with_options(Options::default().with_threads(2)?.with_hash_mib(64)?)?;
/// // Or change an existing engine; a value out of range is an error and changes nothing.
/// engine.configure(|options| options.multipv = 3)?;
/// assert!(engine.configure(|options| options.multipv = 0).is_err());
/// assert_eq!(engine.options().multipv, 3);
/// # Ok::<(), bartizan_engine::EngineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Number of search threads, in [`Options::THREADS`].
    pub threads: usize,
    /// Size of the hash table in MiB, in [`Options::HASH_MIB`].
    pub hash_mib: usize,
    /// Number of best lines that a search reports, in [`Options::MULTIPV`].
    pub multipv: usize,
    /// Time lost between the clock and the engine with every move, in [`Options::MOVE_OVERHEAD`].
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond of the engine's clock, in [`Options::NODE_TIME`]; 0 for real time. The engine
    /// then keeps the clock of a game itself. A limit with a [`node_rate`](bartizan_search::Limits::node_rate) is used
    /// unchanged.
    pub node_time: u32,
    /// The cost of a draw for the engine, in internal centipawns, in [`Options::CONTEMPT`]: positive values avoid
    /// draws, negative values seek them.
    pub contempt: i32,
    /// Whether the engine plays at the rating [`Options::elo`].
    pub limit_strength: bool,
    /// The rating to play at with [`Options::limit_strength`], in [`Options::ELO`].
    pub elo: u32,
    /// Playing level without [`Options::limit_strength`], in [`Options::SKILL_LEVEL`]; the maximum is full strength.
    pub skill_level: u32,
    /// Determines the errors below full strength, the moves chosen from the book and the times of
    /// [`Options::human_time`], which otherwise depend on the game only, and on the clock where time is short; 0 for
    /// other ones in each game.
    pub seed: u32,
    /// Whether the engine takes about the time of a person for each move below full strength, if it plays by a clock or
    /// with a time per move.
    pub human_time: bool,
    /// Whether every search is a neutral analysis: contempt and ratings are ignored.
    pub analyse: bool,
    /// The variant of chess, which determines the move notation.
    pub variant: Variant,
    /// Whether and how the opening book is used.
    pub book: BookOptions,
    /// Syzygy tables, and how searches use them.
    pub syzygy: SyzygyOptions,
    /// The folders with distance-to-mate tables; no tables if empty. Unusable folders and files are not an error: see
    /// [`Engine::take_notices`](crate::Engine::take_notices).
    pub table_folders: Vec<PathBuf>,
    /// Which evaluation to use.
    pub evaluation: EvaluationKind,
    /// The file of the network; `None` for the built-in network. No effect on the hand-written evaluation.
    pub eval_file: Option<PathBuf>,
    /// The enabled steps of the search.
    #[cfg(feature = "tuning")]
    pub steps: Steps,
    /// The enabled time management rules.
    #[cfg(feature = "tuning")]
    pub time_rules: TimeRules,
    /// Parameters and weights, which belong to the whole process.
    #[cfg(feature = "tuning")]
    pub tuning: Tuning,
}

/// Setters that take and return the options, and check the new value.
macro_rules! setters {
    ($($(#[$doc:meta])* $setter:ident: $field:ident = $type:ty;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`EngineError::OutOfRange`] for a value that is out of range.
        pub fn $setter(self, $field: $type) -> Result<Self, EngineError> {
            let options = Self { $field, ..self };
            options.validate()?;
            Ok(options)
        }
    )*};
}

impl Options {
    /// Range of [`Options::threads`].
    pub const THREADS: RangeInclusive<usize> = 1..=1_024;
    /// Range of [`Options::hash_mib`]: up to 32 TiB, as in other engines. A size that the machine cannot provide is an
    /// error when it is set.
    pub const HASH_MIB: RangeInclusive<usize> = 1..=33_554_432;
    /// Range of [`Options::multipv`]: no position has more legal moves.
    pub const MULTIPV: RangeInclusive<usize> = 1..=256;
    /// Range of [`Options::move_overhead`].
    pub const MOVE_OVERHEAD: RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(5);
    /// Range of [`Options::node_time`], in nodes.
    pub const NODE_TIME: RangeInclusive<u32> = 0..=10_000;
    /// Range of [`Options::contempt`].
    pub const CONTEMPT: RangeInclusive<i32> = -200..=200;
    /// Range of [`Options::elo`]. The end is nearly full strength.
    pub const ELO: RangeInclusive<u32> = Rating::RANGE;
    /// Range of [`Options::skill_level`].
    pub const SKILL_LEVEL: RangeInclusive<u32> = 0..=20;
    /// Range of [`Options::seed`].
    pub const SEED: RangeInclusive<u32> = 0..=u32::MAX;

    setters! {
        /// Sets the number of search threads.
        with_threads: threads = usize;
        /// Sets the size of the hash table in MiB.
        with_hash_mib: hash_mib = usize;
        /// Sets the number of best lines that a search reports.
        with_multipv: multipv = usize;
        /// Sets the time lost between the clock and the engine with every move.
        with_move_overhead: move_overhead = Duration;
        /// Sets the cost of a draw for the engine, in internal centipawns.
        with_contempt: contempt = i32;
        /// Sets whether the engine plays at the rating [`Options::elo`].
        with_limit_strength: limit_strength = bool;
        /// Sets the rating to play at.
        with_elo: elo = u32;
        /// Sets the level of play.
        with_skill_level: skill_level = u32;
        /// Sets what determines the choices of the engine.
        with_seed: seed = u32;
        /// Sets whether and how the opening book is used.
        with_book: book = BookOptions;
        /// Sets the evaluation to use.
        with_evaluation: evaluation = EvaluationKind;
        /// Sets the file of the network.
        with_eval_file: eval_file = Option<PathBuf>;
    }

    /// Checks every value against its range.
    ///
    /// # Errors
    /// [`EngineError::OutOfRange`] for the first value that is out of range.
    pub fn validate(&self) -> Result<(), EngineError> {
        check("threads", self.threads, Self::THREADS)?;
        check("hash_mib", self.hash_mib, Self::HASH_MIB)?;
        check("multipv", self.multipv, Self::MULTIPV)?;
        check("move_overhead", self.move_overhead, Self::MOVE_OVERHEAD)?;
        check("node_time", self.node_time, Self::NODE_TIME)?;
        check("contempt", self.contempt, Self::CONTEMPT)?;
        check("elo", self.elo, Self::ELO)?;
        check("skill_level", self.skill_level, Self::SKILL_LEVEL)?;
        check("book.depth", self.book.depth, BookOptions::DEPTH)?;
        check("book.variety", self.book.variety, BookOptions::VARIETY)?;
        check("syzygy.probe_depth", self.syzygy.probe_depth, SyzygyOptions::PROBE_DEPTH)?;
        check("syzygy.probe_limit", self.syzygy.probe_limit, SyzygyOptions::PROBE_LIMIT)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mib: 16,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            node_time: 0,
            contempt: 0,
            limit_strength: false,
            elo: *Self::ELO.end(),
            skill_level: *Self::SKILL_LEVEL.end(),
            seed: 0,
            human_time: false,
            analyse: false,
            variant: Variant::Standard,
            book: BookOptions::default(),
            syzygy: SyzygyOptions::default(),
            table_folders: Vec::new(),
            evaluation: EvaluationKind::default(),
            eval_file: None,
            #[cfg(feature = "tuning")]
            steps: Steps::DEFAULT,
            #[cfg(feature = "tuning")]
            time_rules: TimeRules::ALL,
            #[cfg(feature = "tuning")]
            tuning: Tuning::default(),
        }
    }
}

/// Which evaluation to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationKind {
    /// The mean of the network and the hand-written terms.
    #[default]
    Combined,
    /// A neural network alone.
    Network,
    /// The hand-written terms, which can be explained one by one.
    Classical,
}

impl EvaluationKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Combined, Self::Network, Self::Classical];

    /// The name, as a value of the option `Evaluation`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Network => "network",
            Self::Classical => "classical",
        }
    }
}

/// Whether and how the opening book is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookOptions {
    /// Whether to play book moves; `None` to play them below full strength only. People know openings, and a search as
    /// shallow as theirs does not find them. At full strength, most clients choose the openings themselves.
    pub enabled: Option<bool>,
    /// The book, a Polyglot file; `None` for the built-in one.
    pub file: Option<PathBuf>,
    /// The number of plies from the start of the game in which the book is used, in [`BookOptions::DEPTH`]. Below full
    /// strength, it is used no further than the level knows openings:
    /// see [`Level::book_plies`](crate::Level::book_plies).
    pub depth: u32,
    /// How the weights of the moves count, in [`BookOptions::VARIETY`]: 0 always plays the best move of the book, 100
    /// plays each move as often as its weight says, as the engine always does below full strength.
    pub variety: u32,
}

impl BookOptions {
    /// Range of [`BookOptions::depth`], in plies.
    pub const DEPTH: RangeInclusive<u32> = 0..=1_000;
    /// Range of [`BookOptions::variety`].
    pub const VARIETY: RangeInclusive<u32> = 0..=bartizan_book::MAX_VARIETY;
}

impl Default for BookOptions {
    fn default() -> Self {
        Self { enabled: None, file: None, depth: 100, variety: 100 }
    }
}

/// Endgame tables, and how searches use them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyzygyOptions {
    /// The folders with the tables; no tables if empty. Unusable folders and files are not an error: see
    /// [`Engine::take_notices`](crate::Engine::take_notices).
    pub folders: Vec<PathBuf>,
    /// The minimum remaining depth, in plies, for probing positions with as many pieces as the limit, in
    /// [`SyzygyOptions::PROBE_DEPTH`].
    pub probe_depth: u32,
    /// The maximum number of pieces of positions to probe, in [`SyzygyOptions::PROBE_LIMIT`].
    pub probe_limit: usize,
    /// Whether the 50-move rule counts. Without it, wins that take too long count as wins.
    pub fifty_moves: bool,
}

impl SyzygyOptions {
    /// Range of [`SyzygyOptions::probe_depth`], in plies.
    pub const PROBE_DEPTH: RangeInclusive<u32> = 1..=100;
    /// Range of [`SyzygyOptions::probe_limit`].
    pub const PROBE_LIMIT: RangeInclusive<usize> = 0..=7;
}

impl Default for SyzygyOptions {
    fn default() -> Self {
        Self { folders: Vec::new(), probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// Checks a value of a configuration against its range.
///
/// # Errors
/// [`EngineError::OutOfRange`] names the field.
pub fn check<T>(field: &'static str, value: T, range: RangeInclusive<T>) -> Result<(), EngineError>
where
    T: PartialOrd + std::fmt::Debug,
{
    if range.contains(&value) {
        return Ok(());
    }
    let text = |value: &T| format!("{value:?}");
    let (value, min, max) = (text(&value), text(range.start()), text(range.end()));
    Err(EngineError::OutOfRange { field, value, min, max })
}
