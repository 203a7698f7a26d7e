//! Endgame tables at the root: they rank its moves, so that a won position stays won and makes progress (after
//! Stockfish).

use crate::fifty_moves::is_outrun;
use crate::tables::{TablebaseMove, TablebaseProbing, TablebaseResult};
use bartizan_position::{KeyHistory, Position};
use bartizan_types::{Depth, Move, Ply, Value};

/// The value of a cursed win in the tree: a draw that the opponent may still lose.
pub(crate) const CURSED: i32 = 2;

/// A root move with its results by the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedMove {
    pub(crate) mv: Move,
    /// Moves of higher rank are searched first; moves of lower rank are never played while there is one of higher rank.
    pub(crate) rank: i32,
    /// The value of the move by the tables; `None` without tables.
    pub(crate) value: Option<Value>,
}

/// The result of the tables for the root, and how to probe them in the tree.
#[derive(Clone, Debug)]
pub(crate) struct RootTables {
    /// The moves to search, of the highest rank first.
    pub(crate) moves: Vec<RankedMove>,
    /// The greatest number of pieces to probe in the tree; 0 for no probes.
    pub(crate) limit: u32,
    /// The least depth at which positions with this number of pieces are probed.
    pub(crate) depth: Depth,
    /// The greatest number of pieces of positions whose distance to mate may be known; 0 for no probes.
    pub(crate) mate_limit: u32,
    /// The number of positions found in the tables.
    pub(crate) hits: u64,
}

/// The root of a search, and the tables that rank its moves.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a> {
    pub(crate) position: &'a Position,
    /// The moves to rank.
    pub(crate) moves: &'a [Move],
    /// The keys of the game that a repetition can still reach, the root's last.
    pub(crate) keys: &'a KeyHistory,
    pub(crate) probing: &'a TablebaseProbing,
}

impl RootTables {
    /// Moves without ranks, and no probes in the tree.
    pub(crate) fn unranked(moves: &[Move]) -> Self {
        let unranked = moves.iter().map(|&mv| RankedMove { mv, rank: 0, value: None });
        Self { moves: unranked.collect(), limit: 0, depth: Depth::ZERO, mate_limit: 0, hits: 0 }
    }
}

impl Root<'_> {
    /// Ranks the moves.
    pub(crate) fn rank(&self) -> RootTables {
        let Self { position, probing, .. } = *self;
        let mut roots = RootTables::unranked(self.moves);
        probing.tables.resume();
        roots.mate_limit = probing.tables.max_mate_pieces() as u32;
        if let Some(moves) = self.ranked_by_mates(roots.mate_limit) {
            roots.hits = moves.len() as u64;
            roots.moves = moves;
            return roots;
        }
        let most = probing.tables.max_pieces();
        roots.limit = probing.limit.min(most) as u32;
        // A limit above the largest tables excludes no position.
        roots.depth = if probing.limit > most { Depth::ZERO } else { Depth(probing.depth.min(128) as i32) };
        if position.occupied().count() > roots.limit {
            return roots;
        }
        // After a repetition, every move must make progress.
        let is_repeated = self.keys.has_repetition(position.halfmove_clock());
        let Some(ranked) = probing.tables.rank_moves(position, is_repeated) else { return roots };
        roots.hits = ranked.len() as u64;
        let moves = ranked.iter().filter(|ranked| self.moves.contains(&ranked.mv));
        roots.moves = moves
            .map(|ranked| match self.is_third_repetition(ranked.mv) {
                true => RankedMove { mv: ranked.mv, rank: 0, value: Some(Value::DRAW) },
                false => RankedMove { mv: ranked.mv, rank: self.rank_of(ranked), value: Some(self.value_of(ranked)) },
            })
            .collect();
        roots.moves.sort_by_key(|ranked| -ranked.rank);
        // With distances, the ranking ensures progress, and a search without probes finds mates. Without them, probes
        // in the tree find the next winning capture or pawn move.
        let has_distances = ranked.iter().all(|ranked| ranked.zeroing.is_some());
        let is_won = roots.moves.first().is_some_and(|best| best.rank > 0);
        if has_distances || !is_won {
            roots.limit = 0;
        }
        roots
    }

    /// The moves by their distance to mate, best first, if it is known for all of them and the 50-move rule does not
    /// come before the best mate.
    fn ranked_by_mates(&self, limit: u32) -> Option<Vec<RankedMove>> {
        if self.position.occupied().count() > limit {
            return None;
        }
        let ranked = |&mv: &Move| {
            let value = before_move(self.probing.tables.mate_value(&self.position.play_unchecked(mv))?);
            let value = if self.is_third_repetition(mv) { Value::DRAW } else { value };
            Some(RankedMove { mv, rank: value.0, value: Some(value) })
        };
        let mut moves = self.moves.iter().map(ranked).collect::<Option<Vec<_>>>()?;
        moves.sort_by_key(|ranked| -ranked.rank);
        let best = moves.first()?.value?;
        if self.probing.fifty_moves && is_outrun(best, Ply::ZERO, self.position.halfmove_clock()) {
            return None;
        }
        Some(moves)
    }

    /// Whether a root move draws by repetition.
    fn is_third_repetition(&self, mv: Move) -> bool {
        let after = self.position.play_unchecked(mv);
        let mut keys = self.keys.clone();
        keys.push(after.key());
        keys.repetitions(after.halfmove_clock()) >= 2
    }

    /// The rank of a root move. Without the 50-move rule, a win that the clock ends is better than a draw, and a loss
    /// is worse.
    fn rank_of(&self, ranked: &TablebaseMove) -> i32 {
        match ranked.result.without_50_moves() {
            TablebaseResult::Win if !self.probing.fifty_moves => ranked.rank.max(1),
            TablebaseResult::Loss if !self.probing.fifty_moves => ranked.rank.min(-1),
            _ => ranked.rank,
        }
    }

    /// The value of a root move. A cursed win is worth half a pawn at most, and less the longer it takes.
    fn value_of(&self, ranked: &TablebaseMove) -> Value {
        let by_clock = if self.probing.fifty_moves { ranked.outcome } else { ranked.result.without_50_moves() };
        let hope = match ranked.zeroing {
            // Stockfish: from 50 centipawns at the limit of the 50-move rule down to 1.
            Some(plies) => {
                (200 - plies.min(200) as i32 - i32::from(self.position.halfmove_clock())).clamp(CURSED, 100) / 2
            }
            None => CURSED,
        };
        match by_clock {
            TablebaseResult::Win => Value::TABLE_WIN,
            TablebaseResult::CursedWin => Value(hope),
            TablebaseResult::Draw => Value::DRAW,
            TablebaseResult::BlessedLoss => Value(-hope),
            TablebaseResult::Loss => -Value::TABLE_WIN,
        }
    }
}

/// The value for the side that moves to a position whose value by the distance to mate is known.
pub(crate) fn before_move(after: Value) -> Value {
    -Value::from_table(after, Ply(1))
}
