//! Where a tournament stands: a function of the finished games alone.

use super::journal::{GameRecord, SideStats};
use bartizan_stats::{GameScore, Sample, Tally, Wdl};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// What one engine has done.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EngineStanding {
    /// Its games.
    pub games: Wdl,
    /// Those with white.
    pub as_white: Wdl,
    /// Those with black.
    pub as_black: Wdl,
    /// Its moves.
    pub moves: SideStats,
    /// Games lost by a fault of its own, by kind.
    pub lost_by_fault: BTreeMap<String, u64>,
    /// Faults of protocol, by kind.
    pub faults: BTreeMap<String, u64>,
}

impl EngineStanding {
    /// Mean depth of its moves, in plies.
    pub fn depth(&self) -> Option<f64> {
        ratio(self.moves.depth, self.moves.moves_with_depth)
    }

    /// Nodes per second of our clock.
    pub fn nps(&self) -> Option<f64> {
        ratio(self.moves.nodes, self.moves.node_time).map(|per_microsecond| per_microsecond * 1e6)
    }

    /// Mean seconds for a move.
    pub fn seconds_per_move(&self) -> Option<f64> {
        ratio(self.moves.time, self.moves.moves).map(|micros| micros / 1e6)
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The standing of all.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// By engine number.
    pub engines: Vec<EngineStanding>,
    /// By pairing (lower number first), from the view of the first.
    pairings: BTreeMap<(usize, usize), Tally>,
    /// First games of pairs whose second is not over.
    half_pairs: HashMap<usize, (usize, GameScore)>,
    /// How games ended.
    pub terminations: BTreeMap<String, u64>,
    /// Games in all.
    pub games: usize,
    /// Plies in all.
    pub plies: usize,
}

fn score_of(record: &GameRecord, engine: usize) -> GameScore {
    match record.half_points(engine) {
        0 => GameScore::Loss,
        1 => GameScore::Draw,
        _ => GameScore::Win,
    }
}

impl Standing {
    /// Before the first game of so many engines.
    pub fn new(engines: usize) -> Self {
        Self { engines: vec![EngineStanding::default(); engines], ..Self::default() }
    }

    /// After these games.
    pub fn of(engines: usize, games: &[GameRecord]) -> Self {
        let mut standing = Self::new(engines);
        games.iter().for_each(|game| standing.add(game));
        standing
    }

    /// A game is over.
    pub fn add(&mut self, record: &GameRecord) {
        let count = self.engines.len();
        if record.white >= count || record.black >= count {
            return;
        }
        self.games += 1;
        self.plies += record.plies;
        *self.terminations.entry(record.termination.to_string()).or_default() += 1;
        for (side, engine) in [record.white, record.black].into_iter().enumerate() {
            let score = score_of(record, engine);
            let standing = &mut self.engines[engine];
            standing.games.add_game(score);
            if side == 0 { &mut standing.as_white } else { &mut standing.as_black }.add_game(score);
            standing.moves += record.sides[side];
            if record.termination.is_fault() && score == GameScore::Loss {
                *standing.lost_by_fault.entry(record.termination.to_string()).or_default() += 1;
            }
        }
        for fault in &record.faults {
            if let Some(standing) = self.engines.get_mut(fault.engine) {
                *standing.faults.entry(fault.kind.to_string()).or_default() += 1;
            }
        }
        self.add_to_pair(record);
    }

    fn add_to_pair(&mut self, record: &GameRecord) {
        let first = record.white.min(record.black);
        let pairing = (first, record.white.max(record.black));
        let score = score_of(record, first);
        match self.half_pairs.remove(&record.pair) {
            Some((_, other)) => self.pairings.entry(pairing).or_default().add_pair(other, score),
            None => {
                self.half_pairs.insert(record.pair, (first, score));
            }
        }
    }

    /// The pairs of two engines from the view of the first, with single games of unfinished pairs left out: what an SPRT
    /// may look at.
    pub fn pairs(&self, first: usize, second: usize) -> Tally {
        let tally = self.pairings.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first <= second { tally } else { tally.reversed() }
    }

    /// All games of an engine as pairs, from its view.
    pub fn tally(&self, engine: usize) -> Tally {
        let own = |(&(first, second), tally): (&(usize, usize), &Tally)| match engine {
            _ if engine == first => Some(*tally),
            _ if engine == second => Some(tally.reversed()),
            _ => None,
        };
        self.pairings.iter().filter_map(own).sum()
    }

    /// The pairings so far, with their pairs from the view of the first.
    pub fn pairings(&self) -> impl Iterator<Item = ((usize, usize), &Tally)> {
        self.pairings.iter().map(|(&pairing, tally)| (pairing, tally))
    }

    /// The strength of an engine against its opponents, by pairs.
    pub fn sample(&self, engine: usize) -> Sample {
        Sample::from(&self.tally(engine))
    }

    /// Faults of protocol of all engines.
    pub fn fault_count(&self) -> u64 {
        self.engines.iter().flat_map(|engine| engine.faults.values()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::*;
    use bartizan_types::Color::{Black, White};

    #[test]
    fn pairs_are_put_together_whatever_the_order() {
        // Engine 0 wins with white and draws with black: 1.5 points.
        let games = [record(1, 1, 0, None), record(2, 0, 1, Some(Black)), record(0, 0, 1, Some(White))];
        let standing = Standing::of(2, &games);
        assert_eq!(standing.pairs(0, 1).pairs.0, [0, 0, 0, 1, 0]);
        assert_eq!(standing.pairs(1, 0).pairs.0, [0, 1, 0, 0, 0]);
        assert_eq!(standing.engines[0].games, Wdl::new(1, 1, 1));
        assert_eq!(standing.engines[1].as_black, Wdl::new(1, 0, 1));
        assert_eq!(standing.games, 3);
        assert_eq!(standing.engines[0].seconds_per_move(), Some(0.0001));
    }
}
