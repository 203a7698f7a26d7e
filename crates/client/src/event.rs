//! Engine reports, in the same types for both protocols.

use crate::{Bound, GameResult, Score};
use bartizan_position::Position;
use bartizan_types::{Move, UciMove};
use std::time::Duration;

/// A report of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineEvent {
    /// The state of the search.
    Info(Info),
    /// The end of the search.
    BestMove(BestMove),
    /// The engine offers a draw. The search continues.
    DrawOffer,
    /// The engine resigns, which ends the search.
    Resign,
    /// The engine claims that the game is over, which ends the search.
    ResultClaim(ResultClaim),
    /// The engine calls a move or position illegal, which ends the search. The text is the engine's line.
    Refused(String),
    /// Any other line.
    Other(String),
}

/// The move that an engine has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BestMove {
    /// The move in the engine's notation; `(none)` if it found no legal move.
    pub text: String,
    /// The move, if it is legal.
    pub mv: Option<Move>,
    /// The reply that the engine expects, if legal.
    pub ponder: Option<Move>,
    /// The time from just before the start of the search (or the ponder hit) until the move arrived.
    pub elapsed: Duration,
}

/// An engine's claim that the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResultClaim {
    /// The result.
    pub result: GameResult,
    /// The reason; may be empty.
    pub reason: String,
}

/// The state of a search. Fields that the engine does not report are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Info {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The selective depth: the length in plies of the longest line searched.
    pub seldepth: Option<u32>,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// Whether the score is exact, a lower bound or an upper bound.
    pub bound: Bound,
    /// The chances of a win, a draw and a loss for the side to move, in permille.
    pub wdl: Option<[u16; 3]>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The search time as measured by the engine.
    pub time: Option<Duration>,
    /// The rank of this line among the best lines, from 1.
    pub multipv: Option<u32>,
    /// How full the hash table is, in permille.
    pub hashfull: Option<u16>,
    /// The number of endgame tablebase hits.
    pub tbhits: Option<u64>,
    /// The root move that is being searched. UCI only.
    pub currmove: Option<UciMove>,
    /// The principal variation. For UCI: the engine's text up to the first word that is not a move, not checked against
    /// the rules. For xboard: up to the first word that is not a legal move.
    pub pv: Vec<UciMove>,
    /// The principal variation as the engine wrote it.
    pub pv_text: String,
}

impl Info {
    /// Whether this describes the best line, rather than another line or only progress.
    pub fn is_main_line(&self) -> bool {
        self.score.is_some() && self.multipv.is_none_or(|rank| rank <= 1)
    }

    /// The principal variation from `position`, the searched position, up to the first illegal move.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, Limits};
    /// use bartizan_position::Game;
    ///
    /// let game = Game::default();
    /// let mut engine = Client::uci("stockfish")?;
    /// for info in engine.analyse(&game, &Limits::depth(15))? {
    ///     let moves = info?.legal_pv(game.position());
    ///     println!("{} moves", moves.len());
    /// }
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    pub fn legal_pv(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let mut moves = Vec::new();
        for &uci in &self.pv {
            let Ok(mv) = position.resolve_uci(uci) else { break };
            moves.push(mv);
            position = position.play_unchecked(mv);
        }
        moves
    }

    /// Adopts the counts of a later line that only reports progress.
    pub(crate) fn update_counts(&mut self, later: &Self) {
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.time = later.time.or(self.time);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
    }
}
