//! The rows and their lookup. To add an option, add a field to [`Options`] and a row here.

use super::error::OptionError;
use super::row::{Action, OptionRow, Retry, excerpt};
use super::values::{BookOptions, EvaluationKind, Options, SyzygyOptions};
use bartizan_protocol::did_you_mean;
use std::sync::LazyLock;

/// All options of an engine, in declaration order, which is also the order in which clients and settings files set
/// them.
pub fn all() -> &'static [OptionRow] {
    static ALL: LazyLock<Vec<OptionRow>> = LazyLock::new(|| rows().collect());
    &ALL
}

/// The option with a name, ignoring case and spaces: `Move Overhead`, `move overhead` and `MoveOverhead` are the same.
///
/// # Errors
/// [`OptionError::Unknown`], which suggests a similar name.
pub fn find(name: &str) -> Result<&'static OptionRow, OptionError> {
    find_in(all(), name)
}

/// As [`find`], in any table.
///
/// # Errors
/// As [`find`].
pub fn find_in<'a, C: Clone>(rows: &'a [OptionRow<C>], name: &str) -> Result<&'a OptionRow<C>, OptionError> {
    rows.iter().find(|row| same_name(row.name(), name)).ok_or_else(|| OptionError::Unknown {
        name: excerpt(name),
        suggestion: did_you_mean(name, rows.iter().map(OptionRow::name)),
    })
}

impl Options {
    /// Sets an option by name, with a value in the client's notation: see [`OptionRow::parse`]. A button has no effect;
    /// [`Engine::set_option`](crate::Engine::set_option) presses it.
    ///
    /// # Errors
    /// [`OptionError`]; the options are unchanged.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let row = find(name)?;
        row.set(self, row.parse(value)?)
    }
}

/// Whether two names denote the same option, ignoring case and spaces, because some clients drop the spaces.
pub fn same_name(a: &str, b: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase())
    }
    letters(a).eq(letters(b))
}

/// Creates all rows: a front end puts them into its own table with [`OptionRow::within`].
#[rustfmt::skip] // One row takes one line, or two.
pub fn rows() -> impl Iterator<Item = OptionRow> {
    fn names() -> impl Iterator<Item = &'static str> {
        EvaluationKind::ALL.into_iter().map(EvaluationKind::name)
    }
    type Row = OptionRow<Options>;
    let rows = [
        Row::spin("Threads", Options::THREADS, |o| &mut o.threads).key_is("threads").retries(Retry::Memory),
        Row::spin("Hash", Options::HASH_MIB, |o| &mut o.hash_mib).size().key_is("hash").retries(Retry::Memory),
        Row::button("Clear Hash", Action::ClearHash),
        Row::spin("MultiPV", Options::MULTIPV, |o| &mut o.multipv).key_is("multipv"),
        Row::spin("Move Overhead", Options::MOVE_OVERHEAD, |o| &mut o.move_overhead).key_is("move_overhead"),
        Row::spin("nodestime", Options::NODE_TIME, |o| &mut o.node_time).key_is("nodestime"),
        Row::spin("Contempt", Options::CONTEMPT, |o| &mut o.contempt).key_is("contempt"),
        Row::check("UCI_LimitStrength", |o| &mut o.limit_strength).key_is("limit_strength"),
        Row::spin("UCI_Elo", Options::ELO, |o| &mut o.elo).key_is("elo"),
        Row::spin("Skill Level", Options::SKILL_LEVEL, |o| &mut o.skill_level).key_is("skill_level"),
        Row::spin("Seed", Options::SEED, |o| &mut o.seed).key_is("seed"),
        Row::check("Human Time", |o| &mut o.human_time).key_is("human_time"),
        Row::check("OwnBook", |o| &mut o.book.enabled).key_is("book.on"),
        Row::path("BookFile", |o| &mut o.book.file).key_is("book.file").retries(Retry::Book),
        Row::spin("Book Depth", BookOptions::DEPTH, |o| &mut o.book.depth).key_is("book.depth"),
        Row::spin("Book Variety", BookOptions::VARIETY, |o| &mut o.book.variety).key_is("book.variety"),
        Row::folders("SyzygyPath", |o| &mut o.syzygy.folders).key_is("syzygy.path").retries(Retry::Tables),
        Row::spin("SyzygyProbeDepth", SyzygyOptions::PROBE_DEPTH, |o| &mut o.syzygy.probe_depth)
            .key_is("syzygy.probe_depth"),
        Row::spin("SyzygyProbeLimit", SyzygyOptions::PROBE_LIMIT, |o| &mut o.syzygy.probe_limit)
            .key_is("syzygy.probe_limit"),
        Row::check("Syzygy50MoveRule", |o| &mut o.syzygy.fifty_moves).key_is("syzygy.fifty_moves"),
        Row::folders("TablePath", |o| &mut o.table_folders).key_is("table_path").retries(Retry::Tables),
        Row::choice("Evaluation", names(), |o| &mut o.evaluation).key_is("evaluation"),
        Row::path("EvalFile", |o| &mut o.eval_file).key_is("eval_file"),
        Row::check("UCI_Chess960", |o| &mut o.variant),
        Row::check("UCI_AnalyseMode", |o| &mut o.analyse),
    ];
    rows.into_iter().chain(generated())
}

/// The rows of weights, parameters, search steps, time management rules, and groups of terms.
#[cfg(feature = "tuning")]
fn generated() -> impl Iterator<Item = OptionRow> {
    use crate::tuning::{Step, TermGroup, TimeRule, params};

    let weights = OptionRow::path("Weights", |options: &mut Options| &mut options.tuning.weights);
    let params = params::ALL.iter().enumerate().map(|(index, param)| {
        OptionRow::spin(param.name, param.min..=param.max, move |options: &mut Options| {
            &mut options.tuning.params[index]
        })
    });
    let steps = Step::ALL.iter().map(|&step| {
        let set = move |options: &mut Options, on| {
            options.steps = if on { options.steps.with(step) } else { options.steps.without(step) };
        };
        OptionRow::flag(step.name(), move |options: &Options| options.steps.has(step), set)
    });
    let rules = TimeRule::ALL.iter().map(|&rule| {
        let set = move |options: &mut Options, on| {
            let rules = options.time_rules;
            options.time_rules = if on { rules.with(rule) } else { rules.without(rule) };
        };
        OptionRow::flag(rule.name(), move |options: &Options| options.time_rules.has(rule), set)
    });
    let groups = TermGroup::ALL.into_iter().enumerate().map(|(index, group)| {
        // The table is created once per process.
        let name: &'static str = format!("Terms {}", group.name()).leak();
        OptionRow::check(name, move |options: &mut Options| &mut options.tuning.groups[index])
    });
    std::iter::once(weights).chain(params).chain(steps).chain(rules).chain(groups)
}

/// Only a tuning build has more rows.
#[cfg(not(feature = "tuning"))]
fn generated() -> impl Iterator<Item = OptionRow> {
    std::iter::empty()
}
