//! What the endgame tables say about the root: they rank its moves, so that a won position stays won and makes
//! progress (after Stockfish).

use crate::fifty_moves::FIFTY_MOVES;
use crate::tables::TableProbing;
use bartizan_dtm::Dtm;
use bartizan_position::{KeyHistory, Position};
use bartizan_tablebase::{RootMove, Wdl, WinRanking};
use bartizan_types::{Depth, Move, Ply, Value};

/// What a cursed win is worth in the tree: a draw that the opponent may still lose.
pub(crate) const CURSED: i32 = 2;

/// A root move as the tables see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedMove {
    pub(crate) mv: Move,
    /// Moves of higher rank are searched first, and no move of a lower rank is played while there is one of a higher.
    pub(crate) rank: i32,
    /// The value of the move by the tables; `None` without tables.
    pub(crate) value: Option<Value>,
}

/// What the tables say about the root, and what is left for them in the tree.
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
    pub(crate) probing: &'a TableProbing,
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
        if let Some(mates) = &probing.mates {
            mates.resume();
        }
        if let Some(tables) = &probing.tables {
            tables.resume();
        }
        roots.mate_limit = probing.mates.as_ref().map_or(0, |mates| mates.tables().max_pieces() as u32);
        if let Some(moves) = self.ranked_by_mates(roots.mate_limit) {
            roots.hits = moves.len() as u64;
            roots.moves = moves;
            return roots;
        }
        let Some(tables) = &probing.tables else { return roots };
        let most = tables.max_pieces();
        roots.limit = probing.limit.min(most) as u32;
        // A limit above the tables excludes no position that they have.
        roots.depth = if probing.limit > most { Depth::ZERO } else { Depth(probing.depth.min(128) as i32) };
        if position.occupied().count() > roots.limit {
            return roots;
        }
        // After a repetition, every move must make progress.
        let is_repeated = self.keys.has_repetition(position.halfmove_clock());
        let wins = if is_repeated { WinRanking::ByDistance } else { WinRanking::Equal };
        let Some(ranked) = tables.search_root(position, wins) else { return roots };
        roots.hits = ranked.len() as u64;
        let moves = ranked.iter().filter(|ranked| self.moves.contains(&ranked.mv));
        roots.moves = moves
            .map(|ranked| match self.is_third_repetition(ranked.mv) {
                true => RankedMove { mv: ranked.mv, rank: 0, value: Some(Value::DRAW) },
                false => RankedMove { mv: ranked.mv, rank: self.rank_of(ranked), value: Some(self.value_of(ranked)) },
            })
            .collect();
        roots.moves.sort_by_key(|ranked| -ranked.rank);
        // With distances the ranking ensures progress, and a search without probes finds mates. Without them, a won
        // position needs the next capture or pawn move that wins: the tree has it.
        let has_distances = ranked.iter().all(|ranked| ranked.dtz.is_some());
        let is_won = roots.moves.first().is_some_and(|best| best.rank > 0);
        if has_distances || !is_won {
            roots.limit = 0;
        }
        roots
    }

    /// The root moves by their distance to mate, best first, if that is known for all of them and the 50-move rule does not
    /// come before the mate.
    fn ranked_by_mates(&self, limit: u32) -> Option<Vec<RankedMove>> {
        if self.position.occupied().count() > limit {
            return None;
        }
        let mates = self.probing.mates.as_ref()?;
        let ranked = |&mv: &Move| {
            let value = mates.probe(&self.position.play_unchecked(mv))?.before_move();
            Some((mv, if self.is_third_repetition(mv) { Dtm::Draw } else { value }))
        };
        let mut moves = self.moves.iter().map(ranked).collect::<Option<Vec<(Move, Dtm)>>>()?;
        moves.sort_by_key(|(_, value)| -value.preference());
        let plies = moves.first()?.1.plies().unwrap_or(0);
        if self.probing.fifty_moves && plies > 0 && plies.saturating_add(self.position.halfmove_clock()) > FIFTY_MOVES {
            return None;
        }
        let value = |value: Dtm| match value {
            Dtm::Win(plies) => mate_value(Ply(plies.into())).unwrap_or(Value::TABLE_WIN),
            Dtm::Draw => Value::DRAW,
            Dtm::Loss(plies) => -mate_value(Ply(plies.into())).unwrap_or(Value::TABLE_WIN),
        };
        let moves = moves.into_iter();
        Some(moves.map(|(mv, found)| RankedMove { mv, rank: found.preference(), value: Some(value(found)) }).collect())
    }

    /// Whether a root move draws by repetition.
    fn is_third_repetition(&self, mv: Move) -> bool {
        let after = self.position.play_unchecked(mv);
        let mut keys = self.keys.clone();
        keys.push(after.key());
        keys.repetitions(after.halfmove_clock()) >= 2
    }

    /// The rank of a root move. Without the 50-move rule, a win that the clock ends is better than a draw, and a loss is
    /// worse.
    fn rank_of(&self, ranked: &RootMove) -> i32 {
        match ranked.wdl.without_50_moves() {
            Wdl::Win if !self.probing.fifty_moves => ranked.rank.max(1),
            Wdl::Loss if !self.probing.fifty_moves => ranked.rank.min(-1),
            _ => ranked.rank,
        }
    }

    /// The value of a root move. A cursed win is worth half a pawn at most, and less the longer it takes.
    fn value_of(&self, ranked: &RootMove) -> Value {
        let by_clock = if self.probing.fifty_moves { ranked.outcome } else { ranked.wdl.without_50_moves() };
        let hope = match ranked.dtz {
            // Stockfish: from 50 centipawns at the limit of the 50-move rule down to 1.
            Some(dtz) => {
                (200 - dtz.plies().min(200) as i32 - i32::from(self.position.halfmove_clock())).clamp(CURSED, 100) / 2
            }
            None => CURSED,
        };
        match by_clock {
            Wdl::Win => Value::TABLE_WIN,
            Wdl::CursedWin => Value(hope),
            Wdl::Draw => Value::DRAW,
            Wdl::BlessedLoss => Value(-hope),
            Wdl::Loss => -Value::TABLE_WIN,
        }
    }
}

/// The value of a mate at a distance from the root, unless that is too far for values of mates.
pub(crate) fn mate_value(mate: Ply) -> Option<Value> {
    (mate.0 <= Value::MATE.0 - Value::MATE_BOUND.0).then(|| Value::mate_in(mate))
}
