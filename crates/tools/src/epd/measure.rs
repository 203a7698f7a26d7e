//! The searches of `epd depth` and `epd ttd`.

use crate::interrupt::Interrupted;
use crate::progress;
use anyhow::{Context, bail};
use bartizan_analysis::{Analyser, AnalysisError, AnalysisResult, Limits, SearchLine, depth};
use bartizan_notation::epd::Epd;
use bartizan_types::Escaped;
use std::path::Path;

/// Options of both commands.
#[derive(Debug, clap::Args)]
pub(super) struct Measuring {
    /// Step through the file; with 2, every second position is searched
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Print the results as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Searches the positions of a file with [`depth::measure`]. Returns the samples, and why positions remain.
///
/// # Errors
/// If there is no sample.
pub(super) fn measure<S>(
    file: &Path,
    positions: &[(usize, Epd)],
    limits: &Limits,
    analysers: &mut [Analyser],
    json: bool,
    sample: impl Fn(&[SearchLine], AnalysisResult) -> Option<S>,
) -> anyhow::Result<(Vec<Vec<S>>, anyhow::Result<()>)> {
    let bar = progress::bar(positions.len() as u64, "{bar:30} {pos}/{len}  {msg}  {eta} left", json)?;
    let mut searched = 0;
    let each = || {
        searched += 1;
        bar.inc(1);
    };
    let all = positions.iter().map(|(_, epd)| &epd.position);
    let (samples, ended) = depth::measure(analysers, all, limits, sample, each);
    bar.finish_and_clear();
    let ended = match ended {
        Err(AnalysisError::Stopped) => {
            Err(Interrupted(format!("after {searched} of {} positions", positions.len())).into())
        }
        ended => ended.with_context(|| format!("'{}' line {}", Escaped(file.display()), positions[searched].0)),
    };
    if samples.iter().all(Vec::is_empty) {
        ended?;
        bail!("no position in '{}' can be searched", Escaped(file.display()));
    }
    Ok((samples, ended))
}
