//! The interface of endgame tables to the search.

use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::fmt::Debug;
use std::sync::Arc;

/// The result of a position by endgame tables, for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablebaseResult {
    /// A loss.
    Loss,
    /// A loss that the 50-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the 50-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl TablebaseResult {
    /// The result without the 50-move rule.
    pub(crate) const fn without_50_moves(self) -> Self {
        match self {
            Self::CursedWin => Self::Win,
            Self::BlessedLoss => Self::Loss,
            other => other,
        }
    }
}

/// A root move with its results by endgame tables, for the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablebaseMove {
    /// The move.
    pub mv: Move,
    /// The result if the halfmove clock were zero before the move.
    pub result: TablebaseResult,
    /// The result under the current halfmove clock, as far as the tables know it.
    pub outcome: TablebaseResult,
    /// The number of plies to the next capture or pawn move, this move included; `None` if it is not known.
    pub zeroing: Option<u32>,
    /// The quality of the move under the current halfmove clock: above zero for wins, below zero for losses.
    pub rank: i32,
}

/// Endgame tables that a search can probe, from all of its threads.
///
/// A position that is not covered or cannot be read gives `None`; the search continues without it.
///
/// ```
/// use bartizan_position::{Game, Position};
/// use bartizan_search::{EndgameTables, Limits, Search, TablebaseMove, TablebaseProbing, TablebaseResult};
/// use std::sync::Arc;
///
/// /// Knows that bare kings draw.
/// #[derive(Debug)]
/// struct BareKings;
///
/// impl EndgameTables for BareKings {
///     fn max_pieces(&self) -> usize {
///         2
///     }
///
///     fn result(&self, position: &Position) -> Option<TablebaseResult> {
///         (position.occupied().count() == 2).then_some(TablebaseResult::Draw)
///     }
///
///     fn rank_moves(&self, _position: &Position, _must_progress: bool) -> Option<Vec<TablebaseMove>> {
///         None
///     }
/// }
///
/// let tables = TablebaseProbing::new(Arc::new(BareKings));
/// let search = Search::new(Game::default(), Limits::depth(10)).with_tables(tables);
/// # assert!(search.tables.is_some());
/// ```
pub trait EndgameTables: Debug + Send + Sync {
    /// Called when a search starts: tables with temporary read errors may be tried again.
    fn resume(&self) {}

    /// The greatest number of pieces of positions whose result may be known; 0 for none.
    fn max_pieces(&self) -> usize;

    /// The greatest number of pieces of positions whose distance to mate may be known; 0 for none.
    fn max_mate_pieces(&self) -> usize {
        0
    }

    /// The result of a position for the side to move if the halfmove clock is zero.
    fn result(&self, position: &Position) -> Option<TablebaseResult>;

    /// The exact value of a position without the 50-move rule: [`Value::mate_in`] or [`Value::mated_in`], counted from
    /// this position, or [`Value::DRAW`].
    fn mate_value(&self, _position: &Position) -> Option<Value> {
        None
    }

    /// All legal moves of a position by their results; `None` unless all of them are known. With `must_progress`,
    /// shorter wins rank higher; otherwise all certain wins may have the same rank, and the search chooses among them.
    fn rank_moves(&self, position: &Position, must_progress: bool) -> Option<Vec<TablebaseMove>>;
}

/// Endgame tables and the rules for probing them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TablebaseProbing {
    /// The tables.
    pub tables: Arc<dyn EndgameTables>,
    /// The least remaining depth, in plies, at which positions with as many pieces as [`TablebaseProbing::limit`] are
    /// probed. Positions with fewer pieces are probed at every depth.
    pub depth: u32,
    /// The maximum number of pieces of positions to probe for their result.
    pub limit: usize,
    /// Whether the 50-move rule applies. Without it, wins that take too long count as wins.
    pub fifty_moves: bool,
}

impl TablebaseProbing {
    /// Uses tables wherever they cover a position, with the 50-move rule.
    pub fn new(tables: Arc<dyn EndgameTables>) -> Self {
        Self { tables, depth: 1, limit: usize::MAX, fifty_moves: true }
    }
}
