//! The games of a match: engines, order and openings.

use crate::settings::TournamentFormat;
use std::collections::HashSet;

/// A game to be played. The two games of a pair share an opening, with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number of the game, from 0; the same in every run of the match.
    pub id: usize,
    /// Number of the round, from 0.
    pub round: usize,
    /// Number of the opening, from 0: that of the round, or that of the pair in [`TournamentFormat::Pairs`].
    pub opening: usize,
    /// Number of the pair, from 0.
    pub pair: usize,
    /// Number of the engine that plays White.
    pub white: usize,
    /// Number of the engine that plays Black.
    pub black: usize,
}

/// All games of a match, in order. The order depends only on the settings, so a match can be resumed.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: TournamentFormat,
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    /// The schedule for a number of engines.
    pub fn new(format: TournamentFormat, engines: usize, rounds: u32) -> Self {
        let pairings = match format {
            TournamentFormat::Pairs => (0..engines / 2).map(|pair| (2 * pair, 2 * pair + 1)).collect(),
            TournamentFormat::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            TournamentFormat::RoundRobin => {
                (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
            }
        };
        Self { format, pairings, rounds: rounds as usize }
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// The number of openings needed if none is played twice.
    pub(crate) fn openings(&self) -> usize {
        if self.format == TournamentFormat::Pairs { self.len() / 2 } else { self.rounds }
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game with this number; `None` beyond the last.
    pub fn game(&self, id: usize) -> Option<ScheduledGame> {
        let pair = id / 2;
        let round = pair.checked_div(self.pairings.len())?;
        let &(first, second) = self.pairings.get(pair % self.pairings.len())?;
        let (white, black) = if id.is_multiple_of(2) { (first, second) } else { (second, first) };
        let opening = if self.format == TournamentFormat::Pairs { pair } else { round };
        (round < self.rounds).then_some(ScheduledGame { id, round, opening, pair, white, black })
    }
}

/// The remaining games, in order. Takes no memory for them.
#[derive(Clone, Debug)]
pub(crate) struct GamesLeft {
    schedule: Schedule,
    finished: HashSet<usize>,
    next: usize,
}

impl GamesLeft {
    /// The games of a schedule that are not yet finished.
    pub(crate) fn new(schedule: Schedule, finished: HashSet<usize>) -> Self {
        Self { schedule, finished, next: 0 }
    }
}

impl Iterator for GamesLeft {
    type Item = ScheduledGame;
    fn next(&mut self) -> Option<ScheduledGame> {
        while self.finished.contains(&self.next) {
            self.next += 1;
        }
        let scheduled = self.schedule.game(self.next)?;
        self.next += 1;
        Some(scheduled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_left_in_order_however_many() {
        let schedule = Schedule::new(TournamentFormat::RoundRobin, 2, u32::MAX);
        let left = GamesLeft::new(schedule.clone(), HashSet::from([0, 1, 3, schedule.len()]));
        assert_eq!(left.take(3).map(|scheduled| scheduled.id).collect::<Vec<_>>(), [2, 4, 5]);
        let few = Schedule::new(TournamentFormat::RoundRobin, 2, 2);
        assert_eq!(
            GamesLeft::new(few, HashSet::from([2, 3])).map(|scheduled| scheduled.id).collect::<Vec<_>>(),
            [0, 1]
        );
    }

    #[test]
    fn round_robin_pairs_all_engines_with_both_colours() {
        let schedule = Schedule::new(TournamentFormat::RoundRobin, 4, 3);
        assert_eq!(schedule.len(), 2 * 3 * 6);
        let games: Vec<ScheduledGame> = (0..schedule.len()).map(|id| schedule.game(id).unwrap()).collect();
        assert!(schedule.game(schedule.len()).is_none());
        for white in 0..4 {
            for black in 0..4 {
                let games = games.iter().filter(|f| (f.white, f.black) == (white, black)).count();
                assert_eq!(games, if white == black { 0 } else { 3 });
            }
        }
        for pair in games.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black, pair[0].round), (pair[1].black, pair[1].white, pair[1].round));
        }
        assert_eq!(Schedule::new(TournamentFormat::Gauntlet, 4, 1).len(), 6);
    }

    #[test]
    fn pairs_play_different_openings() {
        let schedule = Schedule::new(TournamentFormat::Pairs, 6, 1);
        let games: Vec<ScheduledGame> = (0..schedule.len()).filter_map(|id| schedule.game(id)).collect();
        let of = |f: &ScheduledGame| (f.white, f.black, f.opening);
        assert_eq!(
            games.iter().map(of).collect::<Vec<_>>(),
            [(0, 1, 0), (1, 0, 0), (2, 3, 1), (3, 2, 1), (4, 5, 2), (5, 4, 2)]
        );
    }
}
