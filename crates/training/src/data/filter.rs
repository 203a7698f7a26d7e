//! Takes positions of games.

use super::{DataSource, write_share};
use crate::Error;
use crate::positions::PositionSample;
use bartizan_games::selfplay::SelfplayGame;
use std::fmt;

/// The largest mixed score. Points of nearly 0 or 1 have no finite score.
const LABEL_MAX: f64 = 4_000.0;

/// Which positions to take, and with which score.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Number of plies to skip at the start of each game.
    pub skip_plies: usize,
    /// Score above which a position is left out, in internal centipawns.
    pub max_score: u16,
    /// Mixes each score with those of the following plies, this many on average, and with the result of the game.
    pub horizon: u16,
    /// Internal centipawns of the games' scores that equal one unit of the logistic curve of expected points.
    pub unit: u16,
    /// The same for the written scores.
    pub unit_out: u16,
    /// Whether to take positions whose best move is a capture or a promotion too.
    pub tactical: bool,
}

/// The number of positions taken, and the reasons why others were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FilterCounts {
    /// Games.
    pub games: u64,
    /// Broken games.
    pub skipped_games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Positions at the start of a game.
    pub opening: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions whose best move is a capture or a promotion.
    pub tactical: u64,
    /// Positions with too large a score.
    pub decided: u64,
    /// Positions taken.
    pub taken: u64,
}

impl fmt::Display for FilterCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, skipped_games, positions, opening, in_check, tactical, decided, taken } = *self;
        writeln!(f, "{games} games, {positions} positions")?;
        if skipped_games > 0 {
            writeln!(f, "{skipped_games} broken games skipped")?;
        }
        for (count, reason) in [
            (opening, "at the start of a game"),
            (in_check, "in check"),
            (tactical, "with a capture or a promotion as best move"),
            (decided, "with too large a score"),
            (taken, "taken"),
        ] {
            write_share(f, count, positions, reason)?;
        }
        Ok(())
    }
}

/// Passes the positions of games that suit training to `write`, and adds to `counts`, even before an error. Positions
/// in check are left out, because a static evaluation should not learn what only a search can see.
///
/// # Errors
/// If a file cannot be read; those of `write`.
pub fn filter<E: From<Error>>(
    source: &DataSource<'_>,
    filter: &Filter,
    counts: &mut FilterCounts,
    mut write: impl FnMut(PositionSample) -> Result<(), E>,
) -> Result<(), E> {
    let skipped = source.each_game(|game| {
        counts.games += 1;
        filter.take(&game, counts, &mut write)
    })?;
    counts.skipped_games += skipped;
    Ok(())
}

impl Default for Filter {
    /// Quiet positions from the fifth ply on, with unchanged scores of up to 2,000.
    fn default() -> Self {
        Self { skip_plies: 4, max_score: 2_000, horizon: 0, unit: 200, unit_out: 200, tactical: false }
    }
}

impl Filter {
    /// Takes the positions of a game.
    fn take<E>(
        &self,
        game: &SelfplayGame,
        counts: &mut FilterCounts,
        mut write: impl FnMut(PositionSample) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut position = game.start.clone();
        let labels = labels(game, self.horizon, self.unit, self.unit_out);
        for (ply, (scored, &label)) in game.moves.iter().zip(&labels).enumerate() {
            counts.positions += 1;
            let reason = if ply < self.skip_plies {
                &mut counts.opening
            } else if position.in_check() {
                &mut counts.in_check
            } else if !self.tactical && position.is_tactical(scored.mv) {
                &mut counts.tactical
            } else if scored.score.unsigned_abs() > self.max_score {
                &mut counts.decided
            } else {
                write(PositionSample::new(&position, label, game.winner))?;
                &mut counts.taken
            };
            *reason += 1;
            position.make_unchecked(scored.mv);
        }
        Ok(())
    }
}

/// The score of each ply for the side to move, mixed with those after it.
///
/// The expected points of a ply are `1 / (N + 1)` its own and `N / (N + 1)` the mixed ones of the next ply, where `N`
/// is `horizon`; after the last ply they are the result. This is TD(λ) with λ = `N / (N + 1)` (Richard Sutton 1988). A
/// score of `unit` is worth `1 / (1 + 1 / e)` points when read, and one of `unit_out` when written.
fn labels(game: &SelfplayGame, horizon: u16, unit: u16, unit_out: u16) -> Vec<i16> {
    let mut labels: Vec<i16> = game.moves.iter().map(|scored| scored.score).collect();
    if horizon == 0 && unit == unit_out {
        return labels;
    }
    let [horizon, unit, unit_out] = [horizon, unit, unit_out].map(f64::from);
    let later = horizon / (horizon + 1.0);
    let last_mover = if labels.len().is_multiple_of(2) { !game.start.turn() } else { game.start.turn() };
    // The points of the side that just moved.
    let mut points = game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == last_mover)));
    for label in labels.iter_mut().rev() {
        let own = 1.0 / (1.0 + (-f64::from(*label) / unit).exp());
        let mixed = (1.0 - later) * own + later * points;
        let score = unit_out * (mixed / (1.0 - mixed)).ln();
        *label = score.clamp(-LABEL_MAX, LABEL_MAX).round() as i16;
        points = 1.0 - mixed;
    }
    labels
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_games::selfplay::ScoredMove;
    use bartizan_position::Position;
    use bartizan_types::Color;

    /// A game of 1. e4 e5 2. Nf3 with these scores.
    fn game(scores: [i16; 3], winner: Option<Color>) -> SelfplayGame {
        let start = Position::startpos();
        let mut position = start.clone();
        let moves = ["e2e4", "e7e5", "g1f3"].iter().zip(scores).map(|(text, score)| {
            let mv = position.legal_moves().iter().copied().find(|mv| mv.to_string() == *text).unwrap();
            position.make_unchecked(mv);
            ScoredMove { mv, score }
        });
        let moves = moves.collect();
        SelfplayGame { id: 0, start, moves, winner }
    }

    #[test]
    fn without_a_horizon_scores_stay_or_are_stretched() {
        let game = game([20, -1_900, 32_000], None);
        assert_eq!(labels(&game, 0, 200, 200), [20, -1_900, 32_000]);
        assert_eq!(labels(&game, 0, 180, 200), [22, -2_111, 4_000]);
    }

    #[test]
    fn with_a_horizon_later_scores_and_the_result_count() {
        // Half from its own points, half from the following ones: 0 cp are 0.5 points, and a win is 1.
        let won = labels(&game([0, 0, 0], Some(Color::White)), 1, 200, 200);
        let cp = |points: f64| (200.0 * (points / (1.0 - points)).ln()).round() as i16;
        assert_eq!(won, [cp(0.5625), cp(0.375), cp(0.75)]);
        let lost = labels(&game([0, 0, 0], Some(Color::Black)), 1, 200, 200);
        assert_eq!(lost, won.iter().map(|score| -score).collect::<Vec<_>>());
        assert_eq!(labels(&game([0, 0, 0], None), 1, 200, 200), [0, 0, 0]);
    }
}
