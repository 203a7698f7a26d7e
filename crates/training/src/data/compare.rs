//! Finds the positions on which a network and the hand-written evaluation disagree most.

use super::{CHUNK, DataSource};
use crate::Error;
use bartizan_engine::{Limits, SingleThreadedEngine};
use bartizan_eval::{MaterialCount, evaluate, shown, win_draw_loss};
use bartizan_network::{EvaluationModel, Network};
use bartizan_parallel::StopFlag;
use bartizan_position::{Game, Position};
use bartizan_types::Value;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt;

/// A position with two values for the side to move.
#[derive(Clone, Debug)]
struct Disputed {
    /// The difference in expected points.
    points: f64,
    position: Position,
    network: Value,
    hand_written: Value,
}

impl Disputed {
    fn new(position: Position, network: Value, hand_written: Value) -> Self {
        let material = MaterialCount::of(&position);
        let expected = |value| {
            let [win, draw, _] = win_draw_loss(value, material);
            (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
        };
        let points = (expected(network) - expected(hand_written)).abs();
        Self { points, position, network, hand_written }
    }
}

impl PartialEq for Disputed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Disputed {}

impl PartialOrd for Disputed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Disputed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.points.total_cmp(&other.points)
    }
}

/// The positions whose values differ most, greatest difference first. The difference is measured in expected points:
/// half a pawn counts for more in a balanced position than in a won one.
#[derive(Clone, Debug)]
pub struct Disputes {
    disputed: Vec<Disputed>,
    positions: u64,
    mean_points: f64,
}

/// A position, its values and its search score, in displayed centipawns for White.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedPosition {
    /// The position.
    pub fen: String,
    /// The value of the network.
    pub network: i32,
    /// The value of the hand-written evaluation.
    pub hand_written: i32,
    /// The score of the search.
    pub search: i32,
    /// Full moves to a mate found by the search, negative if Black mates.
    pub mate: Option<i32>,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The difference in expected points between the two values.
    pub points: f64,
}

/// The comparison.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ValueComparison {
    /// Positions read.
    pub positions: u64,
    /// The mean difference in expected points.
    pub mean_points: f64,
    /// The number of listed positions in which the network is closer to the search.
    pub network_nearer: usize,
    /// The number of listed positions in which the hand-written value is closer.
    pub hand_written_nearer: usize,
    /// The listed positions.
    pub rows: Vec<ComparedPosition>,
}

impl fmt::Display for ValueComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, mean_points, network_nearer, hand_written_nearer, rows } = self;
        writeln!(f, "{positions} positions, which differ by {mean_points:.3} points on average\n")?;
        writeln!(f, " network  by hand   search  depth  position")?;
        let pawns = |score: i32| format!("{:+.2}", f64::from(score) / 100.0);
        for &ComparedPosition { ref fen, network, hand_written, search, mate, depth, .. } in rows {
            let [network, hand_written, search] = [network, hand_written, search].map(pawns);
            let search = mate.map_or(search, |moves| format!("mate {moves:+}"));
            writeln!(f, "{network:>8} {hand_written:>8} {search:>8} {depth:>6}  {fen}")?;
        }
        writeln!(f, "\nnearer to the search: the network {network_nearer}, the hand-written {hand_written_nearer}")
    }
}

impl Disputes {
    /// The `count` positions with the greatest differences.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn find(source: &DataSource<'_>, network: &Network, count: usize) -> Result<Self, Error> {
        let mut best = BinaryHeap::new();
        let (mut positions, mut points) = (0, 0.0);
        source.each_chunk(CHUNK, |samples, place| {
            for (index, sample) in samples.iter().enumerate() {
                positions += 1;
                let position = place.unpack(sample, index)?;
                // As in the engine, which does not use the network for known endings.
                let by_network = network.value(&position);
                let by_hand = evaluate(&position);
                let disputed = Disputed::new(position, by_network, by_hand);
                points += disputed.points;
                best.push(Reverse(disputed));
                if best.len() > count {
                    best.pop();
                }
            }
            Ok::<_, Error>(())
        })?;
        let disputed = best.into_sorted_vec().into_iter().map(|Reverse(disputed)| disputed).collect();
        Ok(Self { disputed, positions, mean_points: points / positions.max(1) as f64 })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.disputed.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.disputed.is_empty()
    }

    /// Searches each position with `nodes` nodes and a hash table of `hash` MB, using the engine's evaluation.
    /// `progress` is called after each search.
    ///
    /// # Errors
    /// If there is no memory for the search, or if it is stopped.
    pub fn search(
        self,
        nodes: u64,
        hash: usize,
        stop: &StopFlag,
        progress: impl Fn(),
    ) -> Result<ValueComparison, Error> {
        let Self { disputed, positions, mean_points } = self;
        let mut comparison = ValueComparison { positions, mean_points, ..ValueComparison::default() };
        let mut engine = SingleThreadedEngine::new(hash, EvaluationModel::built_in())?;
        for Disputed { points, position, network, hand_written } in disputed {
            engine.forget();
            let result = engine.search(&Game::new(position.clone()), Limits::nodes(nodes), stop);
            let result = result.ok_or(Error::Stopped)?;
            let material = MaterialCount::of(&position);
            let sign = if position.turn().is_white() { 1 } else { -1 };
            let row = ComparedPosition {
                fen: position.to_fen(),
                network: sign * shown(network, material),
                hand_written: sign * shown(hand_written, material),
                search: sign * shown(result.value, material),
                mate: result.value.mate_in_moves().map(|moves| sign * moves),
                depth: result.depth,
                points,
            };
            let [by_network, by_hand] = [row.network, row.hand_written].map(|value| value.abs_diff(row.search));
            comparison.network_nearer += usize::from(by_network < by_hand);
            comparison.hand_written_nearer += usize::from(by_hand < by_network);
            comparison.rows.push(row);
            progress();
        }
        Ok(comparison)
    }
}
