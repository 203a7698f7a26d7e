//! What a review adds to the judgement of a game.

use crate::WhiteEval;
use bartizan_types::Move;
use serde::{Deserialize, Serialize};

/// A critical moment: a position in which a choice decided much, and what each choice is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriticalMoment {
    /// The index of the move that was played there.
    pub ply: usize,
    /// Each legal move and the evaluation after it, the best for the mover first.
    pub values: Vec<(Move, WhiteEval)>,
}

/// What a review adds to the judgement of a game. It can be stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewDetails {
    /// For each move, why it was a mistake, if it was one and a reason was confirmed: one or two sentences. Empty if no
    /// reasons were looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Option<String>>,
    /// The critical moments in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critical: Vec<CriticalMoment>,
}
