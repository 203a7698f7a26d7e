//! Random numbers that recorded data depends on.

use bartizan_types::SplitMix64;

/// The random choices for a numbered pair of games. `screen` and `spsa` derive the settings of a recorded pair from its
/// seed and number, so the sequence must never change.
pub(crate) fn of_pair(seed: u64, pair: u64) -> SplitMix64 {
    let start = SplitMix64::new(seed ^ pair.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_u64();
    SplitMix64::new(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_recorded_data_never_changes() {
        assert_eq!(of_pair(1, 2).next_u64(), 0x8d10_f305_32ee_b7d4);
    }
}
