//! Random numbers that recorded data depends on.

use bartizan_types::SplitMix64;

/// The random plies of an attempt to start a selfplay game. The files of `selfplay` are resumed, and made again, by
/// seed and number, so the sequence must never change.
pub(crate) fn of_game(seed: u64, game: u64, attempt: u64) -> SplitMix64 {
    let game = game.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mut random = SplitMix64::new(seed ^ game ^ attempt.wrapping_mul(0xa5cb_3b1f_2f1c_6d27));
    random.next_u64();
    random
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequences_of_recorded_data_never_change() {
        assert_eq!(of_game(1, 2, 3).next_u64(), 0x7ceb_73c2_eac3_f143);
    }
}
