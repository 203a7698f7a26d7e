//! Replacement weights for matches that test them.
//!
//! Piece-square sums, the evaluation's caches and the search's hash table store results that depend on the weights, so
//! the first use of a weight fixes all weights for the rest of the process.

use super::{COUNT, TermGroup, WEIGHTS, terms};
use bartizan_types::TaperedScore;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Why weights were not replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The process has already used its weights.
    #[error("cannot change weights after the first evaluation")]
    Frozen,
    /// No term has this name.
    #[error("unknown term '{0}'")]
    UnknownTerm(String),
    /// The term has a different number of weights.
    #[error("term '{name}' has {expected} weights, not {found}")]
    Count {
        /// The term.
        name: &'static str,
        /// How many weights the term has.
        expected: usize,
        /// How many weights were given.
        found: usize,
    },
}

/// The weights before and after the first use.
struct LiveWeights {
    next: Mutex<PendingWeights>,
    current: OnceLock<Box<[TaperedScore; COUNT]>>,
}

struct PendingWeights {
    weights: [TaperedScore; COUNT],
    /// Set together with the copy for use, so that no change can fall between the copy and the end of the first use.
    is_frozen: bool,
}

static LIVE: LiveWeights = LiveWeights::new();

impl LiveWeights {
    const fn new() -> Self {
        Self { next: Mutex::new(PendingWeights { weights: WEIGHTS, is_frozen: false }), current: OnceLock::new() }
    }

    fn next(&self) -> MutexGuard<'_, PendingWeights> {
        // A panic in another thread cannot leave weights half written: `change` only copies.
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn current(&self) -> &[TaperedScore; COUNT] {
        self.current.get_or_init(|| {
            let mut next = self.next();
            next.is_frozen = true;
            Box::new(next.weights)
        })
    }

    fn change(&self, change: impl FnOnce(&mut [TaperedScore; COUNT])) -> Result<(), WeightsError> {
        let mut next = self.next();
        if next.is_frozen {
            return Err(WeightsError::Frozen);
        }
        change(&mut next.weights);
        Ok(())
    }
}

/// The weights of this process. The first call fixes them.
#[inline]
pub(crate) fn current() -> &'static [TaperedScore; COUNT] {
    LIVE.current()
}

/// Replaces the weights of the term `name`; each pair is a middlegame and an endgame half in centipawns.
///
/// # Errors
/// Fails, and changes nothing, if no term has this name and number of weights, or after the first evaluation of the
/// process.
pub fn replace(name: &str, values: &[(i16, i16)]) -> Result<(), WeightsError> {
    let term = terms().iter().find(|term| term.name == name);
    let term = term.ok_or_else(|| WeightsError::UnknownTerm(name.to_owned()))?;
    if term.len != values.len() {
        return Err(WeightsError::Count { name: term.name, expected: term.len, found: values.len() });
    }
    LIVE.change(|weights| {
        for (weight, &(mg, eg)) in weights[term.offset..].iter_mut().zip(values) {
            *weight = TaperedScore::new(mg, eg);
        }
    })
}

/// Sets all weights of a group of terms to 0.
///
/// # Errors
/// [`WeightsError::Frozen`] after the first evaluation of the process.
pub fn disable(group: TermGroup) -> Result<(), WeightsError> {
    LIVE.change(|weights| {
        for term in terms().iter().filter(|term| term.group == group) {
            weights[term.offset..term.offset + term.len].fill(TaperedScore::ZERO);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Every change that `change` accepts takes effect, even while another thread uses the weights for the first time.
    #[test]
    fn no_accepted_change_is_lost() {
        for _ in 0..300 {
            let live = LiveWeights::new();
            let mut last = WEIGHTS[0];
            let used = thread::scope(|scope| {
                let used = scope.spawn(|| live.current()[0]);
                for mg in 1..i16::MAX {
                    let weight = TaperedScore::new(mg, 0);
                    if live.change(|weights| weights[0] = weight).is_err() {
                        break;
                    }
                    last = weight;
                }
                used.join().unwrap()
            });
            assert_eq!(used, last);
            assert_eq!(live.change(|_| ()), Err(WeightsError::Frozen));
        }
    }
}
