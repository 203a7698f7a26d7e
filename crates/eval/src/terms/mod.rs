//! The terms of the evaluation, one file for each group. Each function takes the point of view of the side `S`.

pub(crate) mod complexity;
pub(crate) mod danger;
pub(crate) mod imbalance;
pub(crate) mod king;
pub(crate) mod mobility;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod piece_squares;
pub(crate) mod pieces;
pub(crate) mod race;
pub(crate) mod space;
pub(crate) mod threats;

#[cfg(test)]
mod tests;
