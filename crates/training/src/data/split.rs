//! Divides games by chance.

use super::DataSource;
use crate::Error;
use bartizan_games::selfplay::SelfplayGame;
use bartizan_types::SplitMix64;

/// How many games went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SplitCounts {
    /// Games to train with.
    pub train: u32,
    /// Games to validate with.
    pub validation: u32,
    /// Broken games.
    pub skipped: u64,
}

/// Passes each game to `write`, and whether it is for validation: with probability `share`, depending on the seed and
/// the number of the game in all files. Games get new, unique numbers.
///
/// # Errors
/// If a file cannot be read; those of `write`.
pub fn split<E: From<Error>>(
    source: &DataSource<'_>,
    share: f64,
    seed: u64,
    mut write: impl FnMut(bool, &SelfplayGame) -> Result<(), E>,
) -> Result<SplitCounts, E> {
    let mut counts = SplitCounts::default();
    let mut random = SplitMix64::new(seed);
    counts.skipped = source.each_game(|mut game| {
        let is_validation = random.unit_f64() < share;
        // Numbers are unique within a file but not across files.
        game.id = counts.train + counts.validation;
        let count = if is_validation { &mut counts.validation } else { &mut counts.train };
        *count += 1;
        write(is_validation, &game)
    })?;
    Ok(counts)
}
