//! Replacement weights for matches that test them.
//!
//! Piece-square sums, the evaluation's caches and the search's hash table store results that depend on the weights, so
//! the first use of a weight fixes all weights for the rest of the process.

use super::{COUNT, Group, WEIGHTS, terms};
use bartizan_types::PhasedScore;
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
    /// The term has another number of weights.
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

static NEXT: Mutex<[PhasedScore; COUNT]> = Mutex::new(WEIGHTS);
static CURRENT: OnceLock<Box<[PhasedScore; COUNT]>> = OnceLock::new();

fn next() -> MutexGuard<'static, [PhasedScore; COUNT]> {
    // A panic in another thread cannot leave weights half written: `change` only copies.
    NEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The weights of this process. The first call fixes them.
#[inline]
pub(crate) fn current() -> &'static [PhasedScore; COUNT] {
    CURRENT.get_or_init(|| Box::new(*next()))
}

fn change(change: impl FnOnce(&mut [PhasedScore; COUNT])) -> Result<(), WeightsError> {
    let mut next = next();
    if CURRENT.get().is_some() {
        return Err(WeightsError::Frozen);
    }
    change(&mut next);
    Ok(())
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
    change(|weights| {
        for (weight, &(mg, eg)) in weights[term.offset..].iter_mut().zip(values) {
            *weight = PhasedScore::new(mg, eg);
        }
    })
}

/// Sets all weights of a group of terms to 0.
///
/// # Errors
/// [`WeightsError::Frozen`] after the first evaluation of the process.
pub fn disable(group: Group) -> Result<(), WeightsError> {
    change(|weights| {
        for term in terms().iter().filter(|term| term.group == group) {
            weights[term.offset..term.offset + term.len].fill(PhasedScore::ZERO);
        }
    })
}
