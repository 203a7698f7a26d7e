//! The rows. To add an option, add a field to [`Config`](crate::Config) or the engine's options, and a row here.

use super::Protocols::{Uci, Xboard};
use super::{OptionRow, Retry};
use bartizan_engine::{AUTHOR, BookOptions, Engine, EvaluationKind, LearningOptions, NAME, Options, SyzygyOptions};

/// All options of this build, in the order in which they are declared: clients and settings files set them in it.
#[rustfmt::skip] // One row takes one line, or two.
pub(super) fn rows() -> Vec<OptionRow> {
    vec![
        OptionRow::path("Debug Log File", |config| &mut config.debug_log).key_is("debug_log").only_in(Uci)
            .retries(Retry::DebugLog),
        OptionRow::spin("Threads", Options::THREADS, |config| &mut config.engine.threads).key_is("threads")
            .only_in(Uci).retries(Retry::Memory),
        OptionRow::spin("Hash", Options::HASH_MIB, |config| &mut config.engine.hash_mib).size().key_is("hash")
            .only_in(Uci).retries(Retry::Memory),
        OptionRow::button("Clear Hash", Engine::clear),
        OptionRow::check("Ponder", |config| &mut config.ponder).only_in(Uci),
        OptionRow::spin("MultiPV", Options::MULTIPV, |config| &mut config.engine.multipv).key_is("multipv"),
        OptionRow::spin("Move Overhead", Options::MOVE_OVERHEAD, |config| &mut config.engine.move_overhead)
            .key_is("move_overhead"),
        OptionRow::spin("nodestime", Options::NODE_TIME, |config| &mut config.engine.node_time).key_is("nodestime")
            .only_in(Uci),
        OptionRow::spin("Contempt", Options::CONTEMPT, |config| &mut config.engine.contempt).key_is("contempt"),
        OptionRow::spin("Strength", Options::STRENGTH, |config| &mut config.engine.strength).key_is("strength"),
        OptionRow::check("UCI_LimitStrength", |config| &mut config.engine.limit_strength).key_is("limit_strength")
            .only_in(Uci),
        OptionRow::spin("UCI_Elo", Options::ELO, |config| &mut config.engine.elo).key_is("elo").only_in(Uci),
        OptionRow::spin("Skill Level", Options::SKILL_LEVEL, |config| &mut config.engine.skill_level)
            .key_is("skill_level"),
        OptionRow::check("OwnBook", |config| &mut config.engine.book.enabled).key_is("book.on"),
        OptionRow::path("BookFile", |config| &mut config.engine.book.file).key_is("book.file")
            .retries(Retry::Book),
        OptionRow::spin("Book Depth", BookOptions::DEPTH, |config| &mut config.engine.book.depth).key_is("book.depth"),
        OptionRow::spin("Book Variety", BookOptions::VARIETY, |config| &mut config.engine.book.variety)
            .key_is("book.variety"),
        OptionRow::folders("SyzygyPath", |config| &mut config.engine.syzygy.folders).key_is("syzygy.path")
            .only_in(Uci),
        OptionRow::spin("SyzygyProbeDepth", SyzygyOptions::PROBE_DEPTH,
            |config| &mut config.engine.syzygy.probe_depth).key_is("syzygy.probe_depth"),
        OptionRow::spin("SyzygyProbeLimit", SyzygyOptions::PROBE_LIMIT,
            |config| &mut config.engine.syzygy.probe_limit).key_is("syzygy.probe_limit"),
        OptionRow::check("Syzygy50MoveRule", |config| &mut config.engine.syzygy.fifty_moves)
            .key_is("syzygy.fifty_moves"),
        OptionRow::folders("TablePath", |config| &mut config.engine.table_folders).key_is("table_path"),
        OptionRow::choice("Evaluation", &EvaluationKind::ALL, EvaluationKind::name,
            |config| &mut config.engine.evaluation).key_is("evaluation"),
        OptionRow::path("EvalFile", |config| &mut config.engine.eval_file).key_is("eval_file"),
        OptionRow::check("Learning", |config| &mut config.engine.learning.enabled).key_is("learning.on"),
        // Before the file, which need not be writable then.
        OptionRow::check("Learning Read Only", |config| &mut config.engine.learning.read_only)
            .key_is("learning.read_only"),
        OptionRow::path("Learning File", |config| &mut config.engine.learning.file).key_is("learning.file"),
        OptionRow::spin("Learning Threshold", LearningOptions::THRESHOLD,
            |config| &mut config.engine.learning.threshold).key_is("learning.threshold"),
        OptionRow::spin("Learning Depth", LearningOptions::DEPTH, |config| &mut config.engine.learning.depth)
            .key_is("learning.depth"),
        OptionRow::path("Game Log", |config| &mut config.engine.game_log).key_is("game_log"),
        OptionRow::check("UCI_Chess960", |config| &mut config.engine.variant).only_in(Uci),
        OptionRow::check("UCI_ShowWDL", |config| &mut config.show_wdl).only_in(Uci),
        OptionRow::check("UCI_AnalyseMode", |config| &mut config.engine.analyse).only_in(Uci),
        OptionRow::opponent("UCI_Opponent", |config| &mut config.opponent).only_in(Uci),
        OptionRow::read_only("UCI_EngineAbout", format!("{NAME} by {AUTHOR}, see {}", env!("CARGO_PKG_HOMEPAGE")))
            .only_in(Uci),
        OptionRow::check("Resign", |config| &mut config.manners.resign).key_is("resign.on").only_in(Xboard),
        OptionRow::spin("Resign Score", 100..=30_000, |config| &mut config.manners.resign_score)
            .key_is("resign.score").only_in(Xboard),
        OptionRow::spin("Resign Moves", 1..=100, |config| &mut config.manners.resign_moves).key_is("resign.moves")
            .only_in(Xboard),
        OptionRow::check("Draw Offers", |config| &mut config.manners.draws).key_is("draws.on").only_in(Xboard),
        #[cfg(feature = "tuning")]
        OptionRow::path("Weights", |config| &mut config.tuning.weights),
    ]
    .into_iter()
    .chain(generated())
    .collect()
}

#[cfg(feature = "tuning")]
use super::tuning::rows as generated;

/// Only a tuning build has more rows.
#[cfg(not(feature = "tuning"))]
fn generated() -> impl Iterator<Item = OptionRow> {
    std::iter::empty()
}
