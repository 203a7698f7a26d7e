//! The record of a finished game.

use bartizan_stats::GameScore;
use bartizan_types::{Color, GameResult};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Threefold repetition.
    Repetition,
    /// The 50-move rule.
    FiftyMoves,
    /// Neither side has mating material.
    InsufficientMaterial,
    /// A win by adjudication; if by tablebases, the detail says `tablebase`.
    AdjudicatedWin,
    /// A draw by adjudication; if by tablebases, the detail says `tablebase`.
    AdjudicatedDraw,
    /// A draw because the game reached its maximum length.
    TooLong,
    /// An engine resigned.
    Resignation,
    /// An engine exceeded its time.
    TimeForfeit,
    /// An engine played an illegal move.
    IllegalMove,
    /// An engine made a false claim about the result.
    FalseClaim,
    /// An engine's process ended.
    Crash,
    /// An engine did not move, even when told to stop, or moved only then although its time was not limited.
    Hang,
    /// An engine did not start. Kept for old journals: such a match now ends with an error.
    NoStart,
}

impl Termination {
    /// All reasons, in declaration order.
    pub const ALL: [Self; 15] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::InsufficientMaterial,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::TooLong,
        Self::Resignation,
        Self::TimeForfeit,
        Self::IllegalMove,
        Self::FalseClaim,
        Self::Crash,
        Self::Hang,
        Self::NoStart,
    ];

    /// The value of the PGN tag `Termination`: one of those in the standard.
    pub fn pgn(self) -> &'static str {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::Repetition
            | Self::FiftyMoves
            | Self::InsufficientMaterial
            | Self::Resignation => "normal",
            Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::TooLong => "adjudication",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove | Self::FalseClaim => "rules infraction",
            Self::Crash | Self::Hang | Self::NoStart => "abandoned",
        }
    }

    /// Whether the loser lost because of a program fault, which says nothing about its chess.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit | Self::IllegalMove | Self::FalseClaim | Self::Crash | Self::Hang | Self::NoStart
        )
    }
}

// Reasons added at the end must be in the list.
const _: () = assert!(Termination::ALL.len() == Termination::NoStart as usize + 1);

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "50-move rule",
            Self::InsufficientMaterial => "insufficient material",
            Self::AdjudicatedWin => "win by adjudication",
            Self::AdjudicatedDraw => "draw by adjudication",
            Self::TooLong => "draw by length",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::FalseClaim => "false claim",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::NoStart => "no start",
        })
    }
}

/// Totals of one side's moves in a game. Moves of the opening do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStats {
    /// Number of moves.
    pub moves: u64,
    /// Sum of the reported depths, in plies.
    pub depth: u64,
    /// Number of moves with a reported depth.
    pub moves_with_depth: u64,
    /// Total of the reported nodes, without moves on which the engine pondered.
    pub nodes: u64,
    /// Microseconds of the moves with these nodes, on the referee's clock.
    pub node_time: u64,
    /// Microseconds of all moves, on the referee's clock.
    pub time: u64,
}

impl std::ops::AddAssign for SideStats {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.moves_with_depth += other.moves_with_depth;
        self.nodes += other.nodes;
        self.node_time += other.node_time;
        self.time += other.time;
    }
}

/// A protocol violation that did not lose the game, or a warning: see [`ProtocolFaultKind::is_warning`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolFault {
    /// Number of the engine.
    pub engine: usize,
    /// Ply of the game, from 0, including the opening.
    pub ply: usize,
    /// Kind of the fault.
    pub kind: ProtocolFaultKind,
    /// The evidence.
    pub detail: String,
}

/// The kinds of protocol violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtocolFaultKind {
    /// A pv with an illegal move.
    IllegalPv,
    /// The best move is not the first of the last PV.
    BestMoveNotPv,
    /// A PV that continues where the game is over or a draw can be claimed, with legal moves. A warning.
    PvPastEnd,
    /// A best move without a search. UCI only.
    BestMoveTooEarly,
    /// A mate score that the engine's own PV contradicts.
    ContradictoryMate,
    /// A best move without any preceding info.
    Silent,
}

impl ProtocolFaultKind {
    /// Whether it is a matter of taste and no violation: a repetition, for example, does not end a game unless a player
    /// claims the draw, so a PV may continue after it.
    pub const fn is_warning(self) -> bool {
        matches!(self, Self::PvPastEnd)
    }
}

impl fmt::Display for ProtocolFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalPv => "illegal pv",
            Self::BestMoveNotPv => "bestmove is not pv[0]",
            Self::PvPastEnd => "pv past the end of the game",
            Self::BestMoveTooEarly => "bestmove too early",
            Self::ContradictoryMate => "contradictory mate score",
            Self::Silent => "silent engine",
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game, from 0; see [`ScheduledGame`](crate::ScheduledGame).
    pub id: usize,
    /// Number of the round, from 0.
    pub round: usize,
    /// Number of the pair, from 0; its two games share an opening.
    pub pair: usize,
    /// Number of the engine that played White.
    pub white: usize,
    /// Number of the engine that played Black.
    pub black: usize,
    /// The winner; `None` for a draw.
    #[serde(with = "winner")]
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub termination: Termination,
    /// Details of the reason; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Number of plies, opening included.
    pub plies: usize,
    /// Totals of White's and Black's moves.
    pub sides: [SideStats; 2],
    /// Protocol violations and warnings of both engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ProtocolFault>,
    /// The game as PGN, followed by an empty line.
    pub pgn: String,
}

mod winner {
    use super::Color;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(winner: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match winner {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "none",
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "white" => Ok(Some(Color::White)),
            "black" => Ok(Some(Color::Black)),
            "none" => Ok(None),
            other => Err(D::Error::custom(format!("expected white, black or none, found '{other}'"))),
        }
    }
}

impl GameRecord {
    /// The result for one of the two engines.
    pub fn score(&self, engine: usize) -> GameScore {
        match self.winner {
            None => GameScore::Draw,
            Some(Color::White) if engine == self.white => GameScore::Win,
            Some(Color::Black) if engine == self.black => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }

    /// The points of one of the two engines, in half points: 0, 1 or 2.
    pub fn half_points(&self, engine: usize) -> u64 {
        u64::from(self.score(engine).half_points())
    }

    /// The result in PGN notation: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        self.winner.map_or(GameResult::Draw, GameResult::won_by).as_str()
    }
}

#[cfg(test)]
pub(crate) fn record(id: usize, white: usize, black: usize, winner: Option<Color>) -> GameRecord {
    GameRecord {
        id,
        round: id / 2,
        pair: id / 2,
        white,
        black,
        winner,
        termination: if winner.is_some() { Termination::Checkmate } else { Termination::Repetition },
        detail: String::new(),
        plies: 80,
        sides: [SideStats { moves: 40, time: 4_000, ..SideStats::default() }; 2],
        faults: Vec::new(),
        pgn: format!("1. e4 {}\n\n", winner.map_or(GameResult::Draw, GameResult::won_by)),
    }
}
