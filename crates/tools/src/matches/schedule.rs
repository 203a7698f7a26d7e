//! Who plays whom, when, with which opening.

use super::config::Format;

/// A game to be played. Games come in pairs: one opening, colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// From 0; the same in every run of the tournament.
    pub id: usize,
    /// From 0.
    pub round: usize,
    /// The number of the opening: that of the round, or of the pair where all play at once in pairs.
    pub opening: usize,
    /// The number of the pair, from 0.
    pub pair: usize,
    /// The engine that plays white.
    pub white: usize,
    /// The engine that plays black.
    pub black: usize,
}

/// All games of a tournament, in order. It is a function of the settings alone, so that a tournament can be resumed.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    /// For so many engines.
    pub fn new(format: Format, engines: usize, rounds: u32) -> Self {
        let pairings = match format {
            Format::Pairs => (0..engines / 2).map(|pair| (2 * pair, 2 * pair + 1)).collect(),
            Format::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            Format::RoundRobin => {
                (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
            }
        };
        Self { format, pairings, rounds: rounds as usize }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// Whether there is no game at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A game by its number.
    pub fn fixture(&self, id: usize) -> Option<Fixture> {
        let pair = id / 2;
        let round = pair.checked_div(self.pairings.len())?;
        let &(first, second) = self.pairings.get(pair % self.pairings.len())?;
        let (white, black) = if id.is_multiple_of(2) { (first, second) } else { (second, first) };
        let opening = if self.format == Format::Pairs { pair } else { round };
        (round < self.rounds).then_some(Fixture { id, round, opening, pair, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_meets_everyone_with_both_colours() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3);
        assert_eq!(schedule.len(), 2 * 3 * 6);
        let fixtures: Vec<Fixture> = (0..schedule.len()).map(|id| schedule.fixture(id).unwrap()).collect();
        assert!(schedule.fixture(schedule.len()).is_none());
        for white in 0..4 {
            for black in 0..4 {
                let games = fixtures.iter().filter(|f| (f.white, f.black) == (white, black)).count();
                assert_eq!(games, if white == black { 0 } else { 3 });
            }
        }
        for pair in fixtures.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black, pair[0].round), (pair[1].black, pair[1].white, pair[1].round));
        }
        assert_eq!(Schedule::new(Format::Gauntlet, 4, 1).len(), 6);
    }

    #[test]
    fn pairs_have_openings_of_their_own() {
        let schedule = Schedule::new(Format::Pairs, 6, 1);
        let fixtures: Vec<Fixture> = (0..schedule.len()).filter_map(|id| schedule.fixture(id)).collect();
        let of = |f: &Fixture| (f.white, f.black, f.opening);
        assert_eq!(
            fixtures.iter().map(of).collect::<Vec<_>>(),
            [(0, 1, 0), (1, 0, 0), (2, 3, 1), (3, 2, 1), (4, 5, 2), (5, 4, 2)]
        );
    }
}
