//! Endgame tables in the search.
//!
//! At the root the tables rank the moves, so that a won position stays won and makes progress: see [`RootTables`]. In
//! the tree they give the result of a position right after a capture or pawn move, when the halfmove clock cannot
//! falsify it. Both follow Stockfish.

use crate::job::Job;
use crate::table::TableEntry;
use crate::worker::{FIFTY_MOVES, Worker};
use bartizan_dtm::{Dtm, DtmError, DtmTables};
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_tablebase::{RootMove, Tablebases, Wdl, WinRanking};
use bartizan_types::{Bound, Depth, Key, Move, Ply, Value};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Endgame tables, and how a search uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableProbing {
    /// Syzygy tables.
    pub tables: Option<Arc<Tablebases>>,
    /// Distances to mate. Where they have a position, its value is exact.
    pub mates: Option<Arc<MateTables>>,
    /// The least remaining depth, in plies, at which positions with as many pieces as [`TableProbing::limit`] are
    /// probed. Positions with fewer pieces are probed at every depth.
    pub depth: u32,
    /// The greatest number of pieces of the positions to probe.
    pub limit: usize,
    /// Whether the 50-move rule counts. Without it, wins that take too long are wins.
    pub fifty_moves: bool,
}

impl TableProbing {
    /// Uses tables wherever they have a position, with the 50-move rule.
    pub fn new(tables: Option<Arc<Tablebases>>, mates: Option<Arc<MateTables>>) -> Self {
        Self { tables, mates, depth: 1, limit: bartizan_tablebase::MAX_MEN, fifty_moves: true }
    }

    /// The result that counts.
    fn result(&self, wdl: Wdl) -> Wdl {
        if self.fifty_moves { wdl } else { wdl.without_50_moves() }
    }
}

/// Distance-to-mate tables for searches. If one of them proves damaged, none is used any more; if one cannot be read,
/// none is used in the rest of the search, which does not wait for a failing disk again and again.
#[derive(Debug)]
pub struct MateTables {
    tables: DtmTables,
    is_paused: AtomicBool,
    is_damaged: AtomicBool,
    fault: Mutex<Option<DtmError>>,
}

impl MateTables {
    /// Tables that no search has used yet.
    pub fn new(tables: DtmTables) -> Self {
        let (is_paused, is_damaged) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { tables, is_paused, is_damaged, fault: Mutex::new(None) }
    }

    /// The tables.
    pub fn tables(&self) -> &DtmTables {
        &self.tables
    }

    /// Whether a table has proved damaged, so that none is used any more.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Relaxed)
    }

    /// Tries the tables again in a new search, if they could only not be read: that may be temporary, as with too many
    /// open files.
    fn resume(&self) {
        self.is_paused.store(self.is_damaged(), Relaxed);
    }

    /// The error that has ended the use of the tables, for good or for the last search, once.
    pub fn take_fault(&self) -> Option<DtmError> {
        self.fault.lock().take()
    }

    /// The value of a position. Takes no lock, unless a table is opened or proves damaged.
    fn probe(&self, position: &Position) -> Option<Dtm> {
        // Relaxed: a thread that learns of the fault a little later only tries once more.
        if self.is_paused.load(Relaxed) {
            return None;
        }
        self.tables.probe(position).unwrap_or_else(|error| {
            let is_first = match error {
                DtmError::File { .. } => !self.is_paused.swap(true, Relaxed),
                _ => {
                    self.is_paused.store(true, Relaxed);
                    !self.is_damaged.swap(true, Relaxed)
                }
            };
            if is_first {
                *self.fault.lock() = Some(error);
            }
            None
        })
    }
}

/// The distances to mate that a thread has looked up, one for each slot. The hash table does not take them, so the same
/// position is asked for many times.
pub(crate) struct MateCache {
    slots: Box<[Option<(Key, Dtm)>]>,
}

impl MateCache {
    /// The number of slots, 64 KiB in all: a part of the second cache of the processor. A power of two.
    const SLOTS: usize = 4_096;

    /// A cache without room if it is not needed.
    pub(crate) fn new(is_needed: bool) -> Self {
        Self { slots: vec![None; if is_needed { Self::SLOTS } else { 0 }].into_boxed_slice() }
    }

    /// The value of a position from the cache, or else from the tables.
    fn probe(&mut self, mates: &MateTables, position: &Position) -> Option<Dtm> {
        let key = position.key();
        let Some(slot) = self.slots.get_mut(key.0 as usize % Self::SLOTS) else { return mates.probe(position) };
        if let Some((known, found)) = *slot
            && known == key
        {
            return Some(found);
        }
        let found = mates.probe(position)?;
        *slot = Some((key, found));
        Some(found)
    }
}

const _: () = assert!(size_of::<Option<(Key, Dtm)>>() == 16);

/// What a cursed win is worth in the tree: a draw that the opponent may still lose.
const CURSED: i32 = 2;

/// The greatest depth that the table entry of a result claims beyond that of its node, in plies: a result is worth more
/// than a search of the node's depth.
const EXTRA_DEPTH: i32 = 6;

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

impl RootTables {
    /// Ranks the root moves of a search.
    pub(crate) fn new(job: &Job) -> Self {
        let unranked = job.moves.iter().map(|&mv| RankedMove { mv, rank: 0, value: None });
        let mut roots = Self { moves: unranked.collect(), limit: 0, depth: Depth::ZERO, mate_limit: 0, hits: 0 };
        let Some(probing) = &job.tables else { return roots };
        if let Some(mates) = &probing.mates {
            mates.resume();
        }
        if let Some(tables) = &probing.tables {
            tables.resume();
        }
        roots.mate_limit = probing.mates.as_ref().map_or(0, |mates| mates.tables.max_pieces() as u32);
        if let Some(moves) = ranked_by_mates(job, probing, roots.mate_limit) {
            roots.hits = moves.len() as u64;
            roots.moves = moves;
            return roots;
        }
        let Some(tables) = &probing.tables else { return roots };
        let most = tables.max_pieces();
        roots.limit = probing.limit.min(most) as u32;
        // A limit above the tables excludes no position that they have.
        roots.depth = if probing.limit > most { Depth::ZERO } else { Depth(probing.depth.min(128) as i32) };
        if job.root.occupied().count() > roots.limit {
            return roots;
        }
        // After a repetition, every move must make progress.
        let is_repeated = job.keys.has_repetition(job.root.halfmove_clock());
        let wins = if is_repeated { WinRanking::ByDistance } else { WinRanking::Equal };
        let Some(ranked) = tables.search_root(&job.root, wins) else { return roots };
        roots.hits = ranked.len() as u64;
        let clock = job.root.halfmove_clock();
        let moves = ranked.iter().filter(|ranked| job.moves.contains(&ranked.mv));
        roots.moves = moves
            .map(|ranked| match is_third_repetition(job, ranked.mv) {
                true => RankedMove { mv: ranked.mv, rank: 0, value: Some(Value::DRAW) },
                false => RankedMove {
                    mv: ranked.mv,
                    rank: root_rank(probing, ranked),
                    value: Some(root_value(probing, ranked, clock)),
                },
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
}

/// The root moves by their distance to mate, best first, if that is known for all of them and the 50-move rule does not
/// come before the mate.
fn ranked_by_mates(job: &Job, probing: &TableProbing, limit: u32) -> Option<Vec<RankedMove>> {
    if job.root.occupied().count() > limit {
        return None;
    }
    let mates = probing.mates.as_ref()?;
    let ranked = |&mv: &Move| {
        let value = mates.probe(&job.root.play_unchecked(mv))?.before_move();
        Some((mv, if is_third_repetition(job, mv) { Dtm::Draw } else { value }))
    };
    let mut moves = job.moves.iter().map(ranked).collect::<Option<Vec<(Move, Dtm)>>>()?;
    moves.sort_by_key(|(_, value)| -value.preference());
    let plies = moves.first()?.1.plies().unwrap_or(0);
    if probing.fifty_moves && plies > 0 && plies.saturating_add(job.root.halfmove_clock()) > FIFTY_MOVES {
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

/// The value of a mate at a distance from the root, unless that is too far for values of mates.
fn mate_value(mate: Ply) -> Option<Value> {
    (mate.0 <= Value::MATE.0 - Value::MATE_BOUND.0).then(|| Value::mate_in(mate))
}

/// A line from the root to a mate, completed as far as the tables have its moves: the search ends each line where they
/// begin. `None` if it is complete. Ends with the time for the move: of large tables, whole blocks are unpacked.
pub(crate) fn line_to_mate(job: &Job, value: Value, line: &[Move]) -> Option<Vec<Move>> {
    let mates = job.tables.as_ref()?.mates.as_ref()?;
    let length = value.plies_to_mate().filter(|&plies| plies as usize > line.len())? as usize;
    let mut whole = line.to_vec();
    let mut position = line.iter().fold((*job.root).clone(), |position, &mv| position.play_unchecked(mv));
    while whole.len() < length && !job.is_out_of_time() {
        let plies = (length - whole.len()) as u16;
        // Their number is odd for the side that mates.
        let best = if plies % 2 == 1 { Dtm::Win(plies) } else { Dtm::Loss(plies) };
        let leads_to_it =
            |mv: &Move| mates.probe(&position.play_unchecked(*mv)).is_some_and(|after| after.before_move() == best);
        let Some(mv) = position.legal_moves().iter().copied().find(leads_to_it) else { break };
        whole.push(mv);
        position = position.play_unchecked(mv);
    }
    Some(whole)
}

/// Whether a root move draws by repetition.
fn is_third_repetition(job: &Job, mv: Move) -> bool {
    let after = job.root.play_unchecked(mv);
    let mut keys = job.keys.clone();
    keys.push(after.key());
    keys.repetitions(after.halfmove_clock()) >= 2
}

/// The rank of a root move. Without the 50-move rule, a win that the clock ends is better than a draw, and a loss is
/// worse.
fn root_rank(probing: &TableProbing, ranked: &RootMove) -> i32 {
    match ranked.wdl.without_50_moves() {
        Wdl::Win if !probing.fifty_moves => ranked.rank.max(1),
        Wdl::Loss if !probing.fifty_moves => ranked.rank.min(-1),
        _ => ranked.rank,
    }
}

/// The value of a root move. A cursed win is worth half a pawn at most, and less the longer it takes.
fn root_value(probing: &TableProbing, ranked: &RootMove, clock: u16) -> Value {
    let by_clock = if probing.fifty_moves { ranked.outcome } else { ranked.wdl.without_50_moves() };
    let hope = match ranked.dtz {
        // Stockfish: from 50 centipawns at the limit of the 50-move rule down to 1.
        Some(dtz) => (200 - dtz.plies().min(200) as i32 - i32::from(clock)).clamp(CURSED, 100) / 2,
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

impl<E: Evaluator> Worker<E> {
    /// Whether a node has few enough pieces for the tables.
    #[inline]
    pub(crate) fn may_probe(&self, position: &Position) -> bool {
        self.probe_men > 0 && position.occupied().count() <= self.probe_men
    }

    /// The value of a node below the root by the tables, and its bound, if they have it. With distances to mate it is
    /// exact. Otherwise a win may still be a mate, so it is a lower bound, and a loss an upper one; and only positions
    /// after a capture or pawn move are probed, because the tables do not know the halfmove clock.
    #[inline(never)]
    pub(crate) fn probe_endgame(&mut self, position: &Position, depth: Depth, ply: Ply) -> Option<(Value, Bound)> {
        let men = position.occupied().count();
        if men <= self.mate_men
            && let Some(value) = self.probe_mate(position, ply)
        {
            self.table_hits += 1;
            return Some((value, Bound::Exact));
        }
        let is_due = men < self.table_men || men == self.table_men && depth >= self.table_depth;
        if !is_due || position.halfmove_clock() != 0 {
            return None;
        }
        let probing = self.job.tables.as_ref()?;
        let result = probing.result(probing.tables.as_ref()?.search_wdl(position)?);
        self.table_hits += 1;
        Some(match result {
            Wdl::Win => (Value::table_win_in(ply), Bound::Lower),
            Wdl::CursedWin => (self.draw_value(ply) + CURSED, Bound::Exact),
            Wdl::Draw => (self.draw_value(ply), Bound::Exact),
            Wdl::BlessedLoss => (self.draw_value(ply) - CURSED, Bound::Exact),
            Wdl::Loss => (Value::table_loss_in(ply), Bound::Upper),
        })
    }

    /// The value of a node by the distance to mate, if that is known and the 50-move rule cannot come before the mate.
    fn probe_mate(&mut self, position: &Position, ply: Ply) -> Option<Value> {
        let probing = self.job.tables.as_ref()?;
        let found = self.mate_cache.probe(probing.mates.as_ref()?, position)?;
        let Some(plies) = found.plies() else { return Some(self.draw_value(ply)) };
        let is_in_time = !probing.fifty_moves || plies.saturating_add(position.halfmove_clock()) <= FIFTY_MOVES;
        let value = mate_value(Ply(ply.0 + i32::from(plies)))?;
        is_in_time.then_some(if found.sign() > 0 { value } else { -value })
    }

    /// Stores a result that ends its node.
    pub(crate) fn store_endgame(&mut self, position: &Position, value: Value, bound: Bound, depth: Depth, ply: Ply) {
        // The table cannot tell whether a mate comes within the 50-move rule when it is reached by other moves.
        if value.is_mate() {
            return;
        }
        let entry = TableEntry {
            mv: None,
            value: value.to_table(ply),
            eval: None,
            depth: Depth((depth.0 + EXTRA_DEPTH).min(Depth::MAX.0)),
            bound,
            is_pv: false,
        };
        self.store_in_table(position, entry);
    }
}

/// Whether the 50-move rule may come between a node and the mate, or the table win or loss, that its entry promises.
/// The entry may be from another path to the position, with a lower clock.
pub(crate) fn is_outrun(value: Value, ply: Ply, clock: u16) -> bool {
    let plies = value.plies_to_mate().or_else(|| value.plies_to_table());
    plies.is_some_and(|plies| plies - ply.0 + i32::from(clock) > i32::from(FIFTY_MOVES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_dtm::{Generator, Stop};

    /// A win 20 plies from a node is in time up to a clock of 80, however far from the root the node is.
    #[test]
    fn a_win_beyond_the_fifty_moves_is_outrun() {
        for ply in [Ply(0), Ply(7)] {
            let then = Ply(ply.0 + 20);
            for win in [Value::mate_in(then), Value::table_win_in(then)] {
                for value in [win, -win] {
                    assert!(!is_outrun(value, ply, 80) && is_outrun(value, ply, 81), "{value:?} {ply:?}");
                }
            }
            assert!(!is_outrun(Value::EVAL_MAX, ply, 100) && !is_outrun(Value::ZERO, ply, 100));
        }
    }

    /// A cached value is that of the position and of no other one, also where two positions share a slot.
    #[test]
    fn cached_distances_are_those_of_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        Generator::new(folder.path(), 1).generate(&"KRK".parse().unwrap(), &Stop::new(), &|_| ()).unwrap();
        let mates = MateTables::new(DtmTables::open_folders(&[folder.path()]).unwrap());
        let mut positions = Vec::new();
        for king in ["7K", "6K1", "5K2", "4K3", "3K4", "2K5", "1K6"] {
            for rook in ["7R", "R7", "3R4"] {
                for turn in ['w', 'b'] {
                    let fen = format!("{king}/8/8/2k5/8/{rook}/8/8 {turn} - - 0 1");
                    positions.extend(Position::from_fen(&fen).ok());
                }
            }
        }
        let mut cache = MateCache::new(true);
        for round in 0..2 {
            for position in &positions {
                let expected = mates.probe(position);
                assert!(expected.is_some());
                assert_eq!(cache.probe(&mates, position), expected, "{round} {}", position.to_fen());
            }
        }
        assert_eq!(cache.slots.iter().flatten().count(), positions.len());
        // A slot that another position holds is not taken for this one.
        let held = cache.slots.iter().flatten().next().copied();
        cache.slots.fill(held);
        for position in &positions {
            assert_eq!(cache.probe(&mates, position), mates.probe(position), "{}", position.to_fen());
        }
        assert_eq!(MateCache::new(false).probe(&mates, &positions[0]), mates.probe(&positions[0]));
    }
}
