//! Answers: in words, and as data.

use super::facts::{Facts, LegalMove};
use bartizan_review::WhiteEval;
use bartizan_review::judgement::win_percent;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// An answer that succeeded: the words, then the facts; `data` has both and more.
pub(crate) fn done<T: Serialize>(words: &str, facts: &Facts, data: &T) -> Result<CallToolResult, String> {
    let value = serde_json::to_value(data).map_err(|error| error.to_string())?;
    let text = if words.is_empty() { facts.words() } else { format!("{words}\n\n{}", facts.words()) };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    Ok(result)
}

/// The answer, or the error as one: the assistant reads it, and can do better.
pub(crate) fn answer(result: Result<CallToolResult, String>) -> CallToolResult {
    result.unwrap_or_else(|error| CallToolResult::error(vec![ContentBlock::text(error)]))
}

/// An evaluation, from White's view.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Evaluation {
    /// In words.
    pub(crate) words: String,
    /// Centipawns, positive if White is better; absent for a mate.
    pub(crate) centipawns: Option<i32>,
    /// Moves to mate, negative if Black mates.
    pub(crate) mate_in: Option<i32>,
    /// White's expected score, in percent.
    pub(crate) white_percent: f64,
}

impl From<WhiteEval> for Evaluation {
    fn from(eval: WhiteEval) -> Self {
        let (centipawns, mate_in, words) = match eval {
            WhiteEval::Cp(value) => {
                let leader = if value > 0 { "White" } else { "Black" };
                let words = match value.abs() {
                    0..30 => "the position is about equal".to_owned(),
                    30..80 => format!("{leader} is slightly better"),
                    80..200 => format!("{leader} is better"),
                    200..450 => format!("{leader} is much better"),
                    _ => format!("{leader} is winning"),
                };
                (Some(value), None, format!("{words} ({:+.2})", f64::from(value) / 100.0))
            }
            WhiteEval::Mate(moves) => {
                let winner = if moves > 0 { "White" } else { "Black" };
                (None, Some(moves), format!("{winner} mates in {}", moves.unsigned_abs()))
            }
        };
        Self { words, centipawns, mate_in, white_percent: (win_percent(eval) * 10.0).round() / 10.0 }
    }
}

/// Of `new_game`, `play` and `take_back`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameAnswer {
    /// Position now.
    pub(crate) position: Facts,
}

/// Of `legal_moves`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MovesAnswer {
    /// Position now.
    pub(crate) position: Facts,
    /// Legal moves.
    pub(crate) moves: Vec<LegalMove>,
}

/// Of `board`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BoardAnswer {
    /// Position now.
    pub(crate) position: Facts,
    /// `text` or `svg`.
    pub(crate) format: String,
    /// The drawing.
    pub(crate) drawing: String,
}
