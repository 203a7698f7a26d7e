//! What engines say, in the same words for both protocols.

use crate::{Bound, GameResult, Score};
use bartizan_types::{Move, UciMove};
use std::time::{Duration, Instant};

/// Something an engine has said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// How the search goes.
    Info(Info),
    /// The end of the search.
    BestMove(BestMove),
    /// The engine offers a draw; the search goes on.
    DrawOffer,
    /// The engine resigns instead of a move.
    Resign,
    /// The engine says that the game is over.
    ResultClaim(ResultClaim),
    /// The engine calls a move or position that it was sent illegal: the line.
    Refused(String),
    /// Any other line.
    Other(String),
}

/// The move an engine has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// As the engine wrote it; `(none)` if it says that there is no legal move.
    pub text: String,
    /// The legal move that it means; `None` if it means none.
    pub mv: Option<Move>,
    /// The reply that it expects, if legal.
    pub ponder: Option<Move>,
    /// When the line came.
    pub received_at: Instant,
    /// From just before the engine was told to search until then.
    pub elapsed: Duration,
}

/// An engine's claim about the game's end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResultClaim {
    /// Who has won.
    pub result: GameResult,
    /// Why; may be empty.
    pub reason: String,
}

/// How a search goes. What an engine does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Info {
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The depth of the deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// What the position is worth to the side to move.
    pub score: Option<Score>,
    /// Whether the true score is at least or at most that; `None` if it is exact.
    pub bound: Option<Bound>,
    /// The chances of win, draw and loss for the side to move, per thousand.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The time the engine says it has spent.
    pub time: Option<Duration>,
    /// Which of several best lines this is, counted from 1.
    pub multipv: Option<u32>,
    /// How full the hash table is, per thousand entries.
    pub hashfull: Option<u16>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// The best line. UCI: as the engine wrote it, up to the first word that is no move, not checked against the rules.
    /// Xboard: up to the first word that is no legal move.
    pub pv: Vec<UciMove>,
    /// The best line as the engine wrote it.
    pub pv_text: String,
}

impl Info {
    /// Whether this is about the best line, and not about another or about nothing but progress.
    pub fn is_main_line(&self) -> bool {
        self.score.is_some() && self.multipv.is_none_or(|number| number <= 1)
    }

    /// Takes the counts of a later line that tells only of progress.
    pub(crate) fn update_counts(&mut self, later: &Self) {
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.time = later.time.or(self.time);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
    }
}

/// How a search ended: see [`Client::search`](crate::Client::search).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; `None` if the engine has played an illegal one (see `text`), resigned, or claimed a result.
    pub mv: Option<Move>,
    /// The move as the engine wrote it; empty if it resigned or claimed a result.
    pub text: String,
    /// The reply that it expects, if legal.
    pub ponder: Option<Move>,
    /// The last line about the best move ([`Info::is_main_line`]), with the latest counts.
    pub last_info: Option<Info>,
    /// Whether it has offered a draw.
    pub draw_offered: bool,
    /// Whether it has resigned instead of moving.
    pub resigned: bool,
    /// What it has claimed instead of moving.
    pub claim: Option<ResultClaim>,
    /// From just before the engine was told to search until `received_at`.
    pub elapsed: Duration,
    /// When the answer came.
    pub received_at: Instant,
}

impl Answer {
    /// Before anything is said.
    pub(crate) fn none(started: Instant) -> Self {
        Self {
            mv: None,
            text: String::new(),
            ponder: None,
            last_info: None,
            draw_offered: false,
            resigned: false,
            claim: None,
            elapsed: Duration::ZERO,
            received_at: started,
        }
    }

    pub(crate) fn note(&mut self, info: Info) {
        if info.is_main_line() {
            self.last_info = Some(info);
        } else if let (None, Some(last)) = (info.score, &mut self.last_info) {
            last.update_counts(&info);
        }
    }
}
