//! Totals of a run.

use super::FinishedGame;
use bartizan_types::Color;
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SelfplaySummary {
    games: usize,
    resumed: usize,
    white_wins: usize,
    draws: usize,
    black_wins: usize,
    plies: usize,
    seconds: f64,
    games_per_second: f64,
    complete: bool,
}

impl SelfplaySummary {
    /// The summary of a run that continues after `resumed` games.
    pub fn new(resumed: usize) -> Self {
        Self { resumed, ..Self::default() }
    }

    /// Counts a game of the run, which began at `start`. Returns a progress line.
    pub fn count(&mut self, game: &FinishedGame, start: Instant) -> String {
        self.games += 1;
        self.plies += game.moves.len();
        match game.winner {
            Some(Color::White) => self.white_wins += 1,
            Some(Color::Black) => self.black_wins += 1,
            None => self.draws += 1,
        }
        let rate = self.games as f64 / start.elapsed().as_secs_f64();
        format!("{rate:.2} games/s, +{} ={} -{}", self.white_wins, self.draws, self.black_wins)
    }

    /// Ends the run, which began at `start`. Returns whether all `all` games are done.
    pub fn finish(&mut self, start: Instant, all: usize) -> bool {
        self.seconds = start.elapsed().as_secs_f64();
        self.games_per_second = self.games as f64 / self.seconds.max(1e-9);
        self.complete = self.resumed + self.games == all;
        self.complete
    }
}

impl fmt::Display for SelfplaySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, resumed, white_wins, draws, black_wins, plies, games_per_second, .. } = self;
        write!(f, "{games} games ({resumed} resumed), White +{white_wins} ={draws} -{black_wins}, ")?;
        write!(f, "{plies} plies, {games_per_second:.2} games/s")
    }
}
