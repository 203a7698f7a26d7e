//! The base reductions of late moves.

use crate::node::{Candidate, Node};
use crate::params;

/// Reductions are in units of 1/1024 of a ply.
pub(crate) const ONE_PLY: i32 = 1024;

/// Depths and move numbers in the table. Greater ones use the last row or column.
const SIZE: usize = 64;

/// Base reductions in 1/1024 of a ply, by \[quiet\]\[depth\]\[move number\].
pub(crate) struct Reductions(Box<[[[i32; SIZE]; SIZE]; 2]>);

impl Reductions {
    /// Computes the table by the logarithmic formula of Stockfish.
    pub(crate) fn new() -> Self {
        let mut table = Box::new([[[0; SIZE]; SIZE]; 2]);
        let kinds = [
            (params::lmr_noisy_base(), params::lmr_noisy_divisor()),
            (params::lmr_quiet_base(), params::lmr_quiet_divisor()),
        ];
        for (rows, (base, divisor)) in table.iter_mut().zip(kinds) {
            for (depth, row) in rows.iter_mut().enumerate().skip(1) {
                for (number, cell) in row.iter_mut().enumerate().skip(1) {
                    let logs = (depth as f64).ln() * (number as f64).ln();
                    // Both parameters are in hundredths.
                    let plies = f64::from(base) / 100.0 + logs * 100.0 / f64::from(divisor);
                    *cell = (plies * f64::from(ONE_PLY)) as i32;
                }
            }
        }
        Self(table)
    }

    /// The reduction of a move by depth, move number and kind alone, in 1/1024 of a ply.
    #[inline]
    pub(crate) fn base(&self, node: &Node, candidate: &Candidate) -> i32 {
        let depth = (node.depth.0.max(0) as usize).min(SIZE - 1);
        self.0[usize::from(candidate.is_quiet)][depth][candidate.number.min(SIZE - 1)]
    }
}
