//! The searches of `epd depth` and `epd ttd`.
//!
//! Each position is searched by all solvers before the next one, in rotating order, so that a change of the machine's
//! speed affects them alike. Each search starts with empty tables.

use crate::interrupt::Interrupted;
use crate::progress;
use anyhow::{Context, bail};
use bartizan_analysis::{Analyser, AnalysisError, Answer, Limits, Line};
use bartizan_notation::epd::Epd;
use bartizan_position::Game;
use std::ops::ControlFlow;
use std::path::Path;

/// What searches have given.
pub(super) struct Measured<S> {
    /// The samples of each solver, of the positions that all have searched.
    pub(super) samples: Vec<Vec<S>>,
    /// Why positions are left.
    pub(super) ended: anyhow::Result<()>,
}

/// Searches the positions of a file. `sample` makes a sample of the main lines of a search and its answer.
///
/// # Errors
/// If there is no sample.
pub(super) fn measure<S>(
    file: &Path,
    positions: &[(usize, Epd)],
    limits: &Limits,
    solvers: &mut [Analyser],
    json: bool,
    sample: impl Fn(&[Line], Answer) -> Option<S>,
) -> anyhow::Result<Measured<S>> {
    let bar = progress::bar(positions.len() as u64, "{bar:30} {pos}/{len}  {msg}  {eta} left", json)?;
    let mut samples: Vec<Vec<S>> = solvers.iter().map(|_| Vec::new()).collect();
    let mut search = || -> anyhow::Result<()> {
        for (index, (line, epd)) in positions.iter().enumerate() {
            let mut found = Vec::new();
            for turn in 0..solvers.len() {
                let which = (turn + index) % solvers.len();
                let mut lines = Vec::new();
                let game = Game::new(epd.position.clone());
                let solver = &mut solvers[which];
                let answer = solver.clear().and_then(|()| {
                    solver.search(&game, limits, None, |line| {
                        lines.extend(line.is_main().then(|| line.clone()));
                        ControlFlow::Continue(())
                    })
                });
                if let Err(AnalysisError::Stopped) = answer {
                    bail!(Interrupted(format!("after {index} of {} positions", positions.len())));
                }
                let answer = answer.with_context(|| format!("'{}' line {line}", file.display()))?;
                found.push((which, sample(&lines, answer)));
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
