#![cfg_attr(all(feature = "analysis", feature = "notation"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "analysis", feature = "notation")),
    doc = "A chess library: rules, notation, analysis, engines and tablebases."
)]

#[cfg(feature = "analysis")]
mod analysis;
#[cfg(feature = "notation")]
mod ext;

pub use bartizan_attacks as attacks;
pub use bartizan_position::{
    self as position, Draw, FenError, FenStyle, Game, IllegalMove, MoveError, MoveList, Outcome, Position,
    PositionError, Setup, Tolerance, perft,
};
pub use bartizan_types::{
    self as types, Bitboard, Bound, ByColor, ByPieceType, CastlingRights, CastlingSide, Color, Direction, File,
    GameResult, Key, Move, MoveKind, Piece, PieceType, Rank, Square, UciMove, Value, Variant,
};

#[cfg(feature = "analysis")]
pub use crate::analysis::{Analyser, Analysis, AnalysisError, analyse, analyse_with};
#[cfg(feature = "notation")]
pub use crate::ext::{GameExt, PositionExt};
#[cfg(feature = "book")]
pub use bartizan_book as book;
#[cfg(feature = "client")]
pub use bartizan_client as client;
#[cfg(feature = "dtm")]
pub use bartizan_dtm as dtm;
#[cfg(feature = "engine")]
pub use bartizan_engine as engine;
#[cfg(feature = "analysis")]
pub use bartizan_eval as eval;
#[cfg(feature = "analysis")]
pub use bartizan_network as network;
#[cfg(feature = "notation")]
pub use bartizan_notation::{epd, list, pgn, san, svg};
#[cfg(any(feature = "analysis", feature = "protocol"))]
pub use bartizan_protocol::Score;
#[cfg(feature = "protocol")]
pub use bartizan_protocol::{uci, xboard};
#[cfg(feature = "analysis")]
pub use bartizan_search::{self as search, Limits};
#[cfg(feature = "tablebase")]
pub use bartizan_tablebase as tablebase;

/// The types and traits that most programs need: `use bartizan_chess::prelude::*`.
pub mod prelude {
    #[cfg(feature = "notation")]
    pub use crate::{GameExt, PositionExt};
    #[cfg(feature = "notation")]
    pub use bartizan_notation::san::SanExt;
    pub use bartizan_position::{Game, Outcome, Position};
    pub use bartizan_types::{Color, GameResult, Move, Piece, PieceType, Square};
}
