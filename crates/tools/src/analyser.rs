//! The analysing engines, as specified on the command line.

use crate::files::shown as excerpt;
use crate::interrupt::{Interrupt, Interrupted};
use anyhow::{Context, bail, ensure};
use bartizan_analysis::{Analyser, describe};
use bartizan_client::{ClientError, EngineLimits, EngineSpec};
use bartizan_engine::options::find;
use bartizan_engine::{Limits, Options};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The engine of `--engine`, which must not set limits: those of the command apply.
pub(crate) fn parse_engine(text: &str) -> anyhow::Result<EngineSpec> {
    let engine: EngineSpec = text.parse()?;
    let has_limits = engine.limits() != EngineLimits::default() || engine.factor.is_some();
    ensure!(
        !has_limits,
        "--engine '{}' has limits, which this command ignores; give --st, --depth or --nodes",
        excerpt(text)
    );
    Ok(engine)
}

/// The name and the value of `--option`.
pub(crate) fn parse_option(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) =
        text.split_once('=').with_context(|| format!("invalid --option '{}', expected NAME=VALUE", excerpt(text)))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::Args, Serialize, Deserialize)]
pub(crate) struct SearchBudget {
    /// Time per position
    #[arg(long, value_name = "SECONDS")]
    pub(crate) st: Option<f64>,
    /// Depth per position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
}

impl SearchBudget {
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.st.is_some() || self.depth.is_some() || self.nodes.is_some(),
            "no search limit; give --st, --depth or --nodes"
        );
        let st = self.st.unwrap_or(1.0);
        ensure!(st.is_finite() && st > 0.0 && st <= 1e6, "invalid --st '{st}': must be a positive number of seconds");
        Ok(())
    }

    /// The limits of a search.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        (limits.move_time, limits.depth, limits.nodes) = (self.st.map(Duration::from_secs_f64), self.depth, self.nodes);
        limits
    }
}

/// As in `1 s, depth 20, 5000 nodes`.
impl fmt::Display for SearchBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&describe(&self.limits()))
    }
}

/// How long to wait for an engine that is not the built-in one.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct EngineTimeouts {
    /// Time without output after which a search without --st counts as hung
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    hang: u64,
}

/// Starts the engine of the entry, or the built-in one without an entry, and sets its options. A user interrupt ends
/// searches, and every wait for another engine.
pub(crate) fn start(
    entry: Option<&EngineSpec>,
    options: &[(String, String)],
    timeouts: EngineTimeouts,
    interrupt: &Interrupt,
) -> anyhow::Result<Analyser> {
    let analyser = match entry {
        None => Analyser::with_options(built_in_options(options)?)?,
        Some(entry) => {
            let mut config = entry.client_config(false)?.cancel(interrupt.flag());
            config.timeouts = config.timeouts.with_silence(Duration::from_secs(timeouts.hang));
            config.options.extend(options.iter().cloned());
            let client = config.start();
            if let Err(ClientError::Cancelled { .. }) = client {
                bail!(Interrupted("before the first position".to_owned()));
            }
            Analyser::of_client(client?)
        }
    };
    Ok(analyser.stop_by(&interrupt.stop()))
}

/// The options of the built-in engine. Those that only the front ends have, such as learning and the game log, would
/// have no effect.
fn built_in_options(options: &[(String, String)]) -> anyhow::Result<Options> {
    let mut set = Options::default();
    for (name, value) in options {
        let is_of_front_end = find(name).is_err() && bartizan_frontend::options::find(name).is_ok();
        ensure!(
            !is_of_front_end,
            "the built-in engine of bartizan-tools has no option '{}': only 'bartizan' and 'bartizan-xboard' have it",
            excerpt(name)
        );
        set.set(name, Some(value))?;
    }
    Ok(set)
}

/// The name with the version, as reported by the engine, unless the user has named the engine.
pub(crate) fn full_name(analyser: &Analyser, entry: Option<&EngineSpec>) -> String {
    let is_named = entry.is_some_and(|entry| entry.name.is_some());
    if is_named { analyser.name() } else { analyser.full_name() }.to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    #[test]
    fn options_without_an_effect_are_refused() {
        let set = |name: &str, value: &str| built_in_options(&[(name.to_owned(), value.to_owned())]);
        assert_eq!(set("hash", "2").unwrap().hash_mib, 2);
        for name in ["Learning", "Learning File", "game log", "Ponder"] {
            let expected = format!(
                "the built-in engine of bartizan-tools has no option '{name}': \
                 only 'bartizan' and 'bartizan-xboard' have it"
            );
            assert_eq!(set(name, "x").unwrap_err().to_string(), expected);
        }
        assert_eq!(set("hahs", "2").unwrap_err().to_string(), "unknown option 'hahs'; did you mean 'Hash'?");
    }
}
