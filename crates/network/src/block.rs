//! Arithmetic on blocks of 32 16-bit numbers, in loops that the compiler vectorises for the [level](crate::level) into
//! whose work they are inlined.

use crate::architecture::BLOCK;

/// A part of a row of weights or of an accumulator. The alignment keeps it in one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Block(pub(crate) [i16; BLOCK]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

/// `to = from + Σ add - Σ sub`, for the numbers of rows given by the constants.
///
/// The sums would wrap on overflow, but the weights of a loaded network are bounded so that none occurs (see
/// `Network::check`).
#[inline(always)]
pub(crate) fn update<const ADD: usize, const SUB: usize>(
    from: &[Block],
    to: &mut [Block],
    add: [&[Block]; ADD],
    sub: [&[Block]; SUB],
) {
    let length = to.len();
    // Equal lengths let the compiler drop the bounds checks in the loop.
    let from = &from[..length];
    let add = add.map(|row| &row[..length]);
    let sub = sub.map(|row| &row[..length]);
    for i in 0..length {
        let mut sum = from[i];
        for row in add {
            for (sum, weight) in sum.0.iter_mut().zip(row[i].0) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for row in sub {
            for (sum, weight) in sum.0.iter_mut().zip(row[i].0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
        to[i] = sum;
    }
}

/// Adds a row to an accumulator.
#[inline(always)]
pub(crate) fn add(to: &mut [Block], row: &[Block]) {
    for (to, row) in to.iter_mut().zip(row) {
        for (to, weight) in to.0.iter_mut().zip(row.0) {
            *to = to.wrapping_add(weight);
        }
    }
}

/// Subtracts a row from an accumulator.
#[inline(always)]
pub(crate) fn subtract(to: &mut [Block], row: &[Block]) {
    for (to, row) in to.iter_mut().zip(row) {
        for (to, weight) in to.0.iter_mut().zip(row.0) {
            *to = to.wrapping_sub(weight);
        }
    }
}

/// The sum of `clamp(x, 0, limit)² · weight` over an accumulator.
///
/// `limit · weight` fits in 16 bits and the sum in 32 (see `Network::check`), so that one instruction multiplies and
/// adds pairs of products.
#[inline(always)]
pub(crate) fn squared_clipped_dot(accumulator: &[Block], weights: &[Block], limit: i16) -> i32 {
    let mut sum = 0_i32;
    for (values, weights) in accumulator.iter().zip(weights) {
        let mut part = 0_i32;
        for (&value, &weight) in values.0.iter().zip(&weights.0) {
            // Not `clamp`: it would let the compiler see that the value is not negative, and then it no longer uses the
            // instruction, which is for signed numbers.
            #[allow(clippy::manual_clamp)]
            let value = value.max(0).min(limit);
            part = part.wrapping_add(i32::from(value.wrapping_mul(weight)) * i32::from(value));
        }
        sum = sum.wrapping_add(part);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(seed: i32) -> Vec<Block> {
        (0..4).map(|i| Block(std::array::from_fn(|j| ((seed * 7919 + i * 389 + j as i32 * 31) % 251) as i16))).collect()
    }

    #[test]
    fn updates_equal_their_definition() {
        let rows: Vec<Vec<Block>> = (0..5).map(blocks).collect();
        let mut fused = vec![Block::ZERO; 4];
        update(&rows[0], &mut fused, [&rows[1], &rows[2]], [&rows[3], &rows[4]]);
        let mut single = rows[0].clone();
        add(&mut single, &rows[1]);
        add(&mut single, &rows[2]);
        subtract(&mut single, &rows[3]);
        subtract(&mut single, &rows[4]);
        assert_eq!(fused, single);
        assert_eq!(fused[3].0[31], {
            let at = |row: usize| rows[row][3].0[31];
            at(0) + at(1) + at(2) - at(3) - at(4)
        });
    }

    #[test]
    fn dot_products_clip_and_square() {
        let accumulator = [Block(std::array::from_fn(|i| i as i16 * 20 - 100))];
        let weights = [Block(std::array::from_fn(|i| i as i16 - 16))];
        let expected: i32 = (0..32)
            .map(|i| {
                let value = (i * 20 - 100).clamp(0, 255);
                value * value * (i - 16)
            })
            .sum();
        assert_eq!(squared_clipped_dot(&accumulator, &weights, 255), expected);
    }
}
