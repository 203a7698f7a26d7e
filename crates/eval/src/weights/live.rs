//! Weights that take the place of the committed ones, for matches that test them.
//!
//! Piece-square sums, pawn and material tables and entries of the search's hash table all keep what they were once
//! worth, so the weights of a process are settled when the first of them is used.

use super::{COUNT, Group, WEIGHTS, terms};
use bartizan_types::Score;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The process has evaluated something: its weights cannot be changed any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frozen;

impl std::fmt::Display for Frozen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the weights cannot be changed once a position has been evaluated")
    }
}

impl std::error::Error for Frozen {}

static NEXT: Mutex<[Score; COUNT]> = Mutex::new(WEIGHTS);
static CURRENT: OnceLock<Box<[Score; COUNT]>> = OnceLock::new();

fn next() -> MutexGuard<'static, [Score; COUNT]> {
    // The weights are valid between any two writes.
    NEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The weights of this process, settled by this call if they were not.
#[inline]
pub(crate) fn current() -> &'static [Score; COUNT] {
    CURRENT.get_or_init(|| Box::new(*next()))
}

fn change(change: impl FnOnce(&mut [Score; COUNT])) -> Result<(), Frozen> {
    let mut next = next();
    if CURRENT.get().is_some() {
        return Err(Frozen);
    }
    change(&mut next);
    Ok(())
}

/// Gives the term `name` other weights, each a middlegame and an endgame half in centipawns. `false` when there is no
/// term of this name with so many weights; nothing is changed then.
///
/// # Errors
/// [`Frozen`] after the first evaluation of the process.
pub fn replace(name: &str, values: &[(i16, i16)]) -> Result<bool, Frozen> {
    let Some(term) = terms().iter().find(|term| term.name == name && term.len == values.len()) else {
        return Ok(false);
    };
    change(|weights| {
        for (weight, &(mg, eg)) in weights[term.offset..].iter_mut().zip(values) {
            *weight = Score::new(mg, eg);
        }
    })?;
    Ok(true)
}

/// Takes a whole group of terms out of the evaluation: all its weights become 0.
///
/// # Errors
/// [`Frozen`] after the first evaluation of the process.
pub fn without(group: Group) -> Result<(), Frozen> {
    change(|weights| {
        for term in terms().iter().filter(|term| term.group == group) {
            weights[term.offset..term.offset + term.len].fill(Score::ZERO);
        }
    })
}
