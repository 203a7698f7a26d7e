//! The arguments of the tools.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Of `new_game`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// Position to begin with, as FEN, for a position that the user has given. Leave out for the initial position. To
    /// change a game, play moves instead of writing a FEN.
    #[serde(default)]
    pub(crate) fen: Option<String>,
    /// Game in PGN; the first game of the text is taken.
    #[serde(default)]
    pub(crate) pgn: Option<String>,
    /// Moves to play at once, in algebraic (`Nf3`) or coordinate notation (`g1f3`).
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// Of `play`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    /// Handle of the game, such as `g1`.
    pub(crate) game: String,
    /// Moves of both sides in order, in algebraic (`Nf3`) or coordinate notation (`g1f3`). If one is illegal, none is
    /// played.
    pub(crate) moves: Vec<String>,
}

/// Of `take_back`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeBack {
    /// Handle of the game.
    pub(crate) game: String,
    /// How many moves to take back, counted for both sides; default 1.
    #[serde(default)]
    pub(crate) moves: Option<u16>,
}

/// Of `legal_moves`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LegalMoves {
    /// Handle of the game.
    pub(crate) game: String,
    /// Only moves of the piece on this square, such as `g1`.
    #[serde(default)]
    pub(crate) from: Option<String>,
}

/// Of `analyse`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Analyse {
    /// Handle of the game.
    pub(crate) game: String,
    /// Number of best lines, 1 to 10; default 1.
    #[serde(default)]
    pub(crate) lines: Option<u8>,
    /// Positions to search; default 500000, at most 20000000.
    #[serde(default)]
    pub(crate) nodes: Option<u64>,
}

/// Of `explain`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    /// Handle of the game.
    pub(crate) game: String,
    /// Move to judge as if it were played now. Leave out for the last move of the game.
    #[serde(default, rename = "move")]
    pub(crate) mv: Option<String>,
    /// Positions to search; default 300000, at most 20000000.
    #[serde(default)]
    pub(crate) nodes: Option<u64>,
}

/// Of `review` and `puzzle`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Review {
    /// Handle of the game.
    pub(crate) game: String,
    /// Positions to search for each move of the game; default 50000, at most 1000000.
    #[serde(default)]
    pub(crate) nodes: Option<u64>,
}

/// Of `opening` and `tablebase`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    /// Handle of the game.
    pub(crate) game: String,
}

/// Of `board`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    /// Handle of the game.
    pub(crate) game: String,
    /// `text` (the default) or `svg`.
    #[serde(default)]
    pub(crate) format: Format,
    /// Whether Black is at the bottom.
    #[serde(default)]
    pub(crate) flipped: bool,
}

/// How a board is drawn.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// Letters.
    #[default]
    Text,
    /// A picture.
    Svg,
}
