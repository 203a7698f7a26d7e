//! The searches of `epd depth` and `epd ttd`.
//!
//! Each position is searched by all solvers before the next one, in rotating order, so that a change of the machine's
//! speed affects them alike. Each search starts with empty tables.

use crate::interrupt::{Interrupt, Interrupted};
use crate::progress;
use crate::solver::{Answer, Budget, Solver, Thought};
use anyhow::{Context, bail};
use bartizan_notation::epd::Epd;
use std::path::Path;

/// What searches have given.
pub(super) struct Measured<S> {
    /// The samples of each solver, of the positions that all have searched.
    pub(super) samples: Vec<Vec<S>>,
    /// Why positions are left.
    pub(super) ended: anyhow::Result<()>,
}

/// Searches the positions of a file. `sample` makes a sample of the principal variations of a search and its answer.
///
/// # Errors
/// If there is no sample.
pub(super) fn measure<S>(
    file: &Path,
    positions: &[(usize, Epd)],
    budget: &Budget,
    solvers: &mut [Solver],
    json: bool,
    interrupt: &Interrupt,
    sample: impl Fn(&[Thought], Answer) -> Option<S>,
) -> anyhow::Result<Measured<S>> {
    let bar = progress::bar(positions.len() as u64, "{bar:30} {pos}/{len}  {msg}  {eta} left", json)?;
    let mut samples: Vec<Vec<S>> = solvers.iter().map(|_| Vec::new()).collect();
    let mut search = || -> anyhow::Result<()> {
        for (index, (line, epd)) in positions.iter().enumerate() {
            let mut found = Vec::new();
            for turn in 0..solvers.len() {
                let which = (turn + index) % solvers.len();
                let mut thoughts = Vec::new();
                let answer = solvers[which]
                    .solve(&epd.position, budget, &|| interrupt.is_set(), |thought| {
                        thoughts.push(thought);
                        true
                    })
                    .with_context(|| format!("'{}' line {line}", file.display()))?;
                let Some(answer) = answer else {
                    bail!(Interrupted(format!("after {index} of {} positions", positions.len())));
                };
                found.push((which, sample(&thoughts, answer)));
            }
            found.into_iter().for_each(|(which, sample)| samples[which].extend(sample));
            bar.inc(1);
        }
        Ok(())
    };
    let ended = search();
    bar.finish_and_clear();
    if samples.iter().all(Vec::is_empty) {
        ended?;
        bail!("no position in '{}' can be searched", file.display());
    }
    Ok(Measured { samples, ended })
}
