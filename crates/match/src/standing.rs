//! The standing of a match, computed from the finished games alone.

use crate::record::{GameRecord, SideStats};
use bartizan_stats::{GameScore, MatchTally, ScoreSample, WdlCounts};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The results of one engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EngineStanding {
    /// All games.
    pub games: WdlCounts,
    /// Games with White.
    pub as_white: WdlCounts,
    /// Games with Black.
    pub as_black: WdlCounts,
    /// Sums over all moves.
    pub moves: SideStats,
    /// Games lost by a program fault, by termination.
    pub lost_by_fault: BTreeMap<String, u64>,
    /// Protocol violations that lost no game, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Warnings, which are no violations, by kind.
    pub warnings: BTreeMap<String, u64>,
}

impl EngineStanding {
    /// Mean reported depth, in plies; `None` if none was reported.
    pub fn depth(&self) -> Option<f64> {
        ratio(self.moves.depth, self.moves.moves_with_depth)
    }

    /// Reported nodes per second of the referee's clock; `None` if none were reported.
    pub fn nps(&self) -> Option<f64> {
        ratio(self.moves.nodes, self.moves.node_time).map(|per_microsecond| per_microsecond * 1e6)
    }

    /// Mean seconds per move; `None` without a move.
    pub fn seconds_per_move(&self) -> Option<f64> {
        ratio(self.moves.time, self.moves.moves).map(|micros| micros / 1e6)
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The results of all engines.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Results by engine number.
    pub engines: Vec<EngineStanding>,
    /// Complete pairs by pairing, lower number first, from the first engine's point of view.
    pairings: BTreeMap<(usize, usize), MatchTally>,
    /// All games by pairing, lower number first, from the first engine's point of view.
    games_between: BTreeMap<(usize, usize), WdlCounts>,
    /// Finished games of incomplete pairs, by pair, from the point of view of the engine with the lower number.
    half_pairs: HashMap<usize, GameScore>,
    /// Number of games by termination.
    pub terminations: BTreeMap<String, u64>,
    /// Number of games.
    pub games: usize,
    /// Number of plies.
    pub plies: usize,
}

impl Standing {
    /// The standing before the first game.
    pub fn new(engines: usize) -> Self {
        Self { engines: vec![EngineStanding::default(); engines], ..Self::default() }
    }

    /// The standing after these games.
    pub fn of(engines: usize, games: &[GameRecord]) -> Self {
        let mut standing = Self::new(engines);
        games.iter().for_each(|game| standing.add(game));
        standing
    }

    /// Counts a game. Games of unknown engines are ignored.
    pub fn add(&mut self, record: &GameRecord) {
        let count = self.engines.len();
        if record.white >= count || record.black >= count {
            return;
        }
        self.games += 1;
        self.plies += record.plies;
        *self.terminations.entry(record.termination.to_string()).or_default() += 1;
        for (side, engine) in [record.white, record.black].into_iter().enumerate() {
            let score = record.score(engine);
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
                let kinds = if fault.kind.is_warning() { &mut standing.warnings } else { &mut standing.faults };
                *kinds.entry(fault.kind.to_string()).or_default() += 1;
            }
        }
        self.add_to_pair(record);
    }

    fn add_to_pair(&mut self, record: &GameRecord) {
        let first = record.white.min(record.black);
        let pairing = (first, record.white.max(record.black));
        let score = record.score(first);
        self.games_between.entry(pairing).or_default().add_game(score);
        match self.half_pairs.remove(&record.pair) {
            Some(other) => self.pairings.entry(pairing).or_default().add_pair(other, score),
            None => {
                self.half_pairs.insert(record.pair, score);
            }
        }
    }

    /// All games between two engines, from the first engine's point of view.
    pub fn games_between(&self, first: usize, second: usize) -> WdlCounts {
        let games = self.games_between.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first <= second { games } else { games.reversed() }
    }

    /// The complete pairs between two engines, from the first engine's point of view. An SPRT must use nothing else:
    /// short games end first, so results that include incomplete pairs are biased.
    pub fn pairs(&self, first: usize, second: usize) -> MatchTally {
        let tally = self.pairings.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first <= second { tally } else { tally.reversed() }
    }

    /// The complete pairs of an engine against all opponents, from its point of view.
    pub fn tally(&self, engine: usize) -> MatchTally {
        let own = |(&(first, second), tally): (&(usize, usize), &MatchTally)| match engine {
            _ if engine == first => Some(*tally),
            _ if engine == second => Some(tally.reversed()),
            _ => None,
        };
        self.pairings.iter().filter_map(own).sum()
    }

    /// The complete pairs of each pairing, from the first engine's point of view.
    pub fn pairings(&self) -> impl Iterator<Item = ((usize, usize), &MatchTally)> {
        self.pairings.iter().map(|(&pairing, tally)| (pairing, tally))
    }

    /// The moments of an engine's results against all opponents, for Elo and its error bars.
    pub fn sample(&self, engine: usize) -> ScoreSample {
        ScoreSample::from(&self.tally(engine))
    }

    /// Number of games lost by a fault.
    pub fn lost_by_fault_count(&self) -> u64 {
        self.engines.iter().flat_map(|engine| engine.lost_by_fault.values()).sum()
    }

    /// Number of protocol violations of all engines that lost no game, without warnings.
    pub fn fault_count(&self) -> u64 {
        self.engines.iter().flat_map(|engine| engine.faults.values()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ProtocolFault, ProtocolFaultKind, record};
    use bartizan_types::Color::{Black, White};

    #[test]
    fn games_form_pairs_in_any_order() {
        // Engine 0 wins with white and draws with black: 1.5 points.
        let games = [record(1, 1, 0, None), record(2, 0, 1, Some(Black)), record(0, 0, 1, Some(White))];
        let standing = Standing::of(2, &games);
        assert_eq!(standing.pairs(0, 1).pairs.0, [0, 0, 0, 1, 0]);
        assert_eq!(standing.pairs(1, 0).pairs.0, [0, 1, 0, 0, 0]);
        assert_eq!(standing.engines[0].games, WdlCounts::new(1, 1, 1));
        assert_eq!(standing.engines[1].as_black, WdlCounts::new(1, 0, 1));
        assert_eq!(standing.games_between(1, 0), WdlCounts::new(1, 1, 1));
        assert_eq!(standing.games, 3);
        assert_eq!(standing.engines[0].seconds_per_move(), Some(0.0001));
    }

    #[test]
    fn warnings_are_no_faults() {
        let fault = |kind| ProtocolFault { engine: 1, ply: 0, kind, detail: String::new() };
        let mut game = record(0, 0, 1, None);
        game.faults =
            [ProtocolFaultKind::PvPastEnd, ProtocolFaultKind::PvPastEnd, ProtocolFaultKind::Silent].map(fault).to_vec();
        let standing = Standing::of(2, &[game]);
        assert_eq!(standing.fault_count(), 1);
        assert_eq!(standing.engines[1].warnings, BTreeMap::from([("pv past the end of the game".to_owned(), 2)]));
        assert_eq!(standing.engines[0].warnings, BTreeMap::new());
    }
}
