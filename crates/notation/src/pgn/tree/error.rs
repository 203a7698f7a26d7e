//! Errors of editing a tree.

use bartizan_position::IllegalMove;

/// The error of a method of [`GameTree`](super::GameTree) that takes a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The node has been deleted, or belongs to another tree.
    #[error("the move is not in the game tree: it has been deleted, or belongs to another tree")]
    NoSuchNode,
    /// The move to add is not legal after the node.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// The start position cannot be replaced, because the game has moves.
    #[error("the game has moves already")]
    HasMoves,
    /// A null move cannot be added where the side to move is in check.
    #[error("a null move is illegal in check")]
    NullMoveInCheck,
}
