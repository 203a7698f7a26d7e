//! A tree that several Python objects share.

use super::{Game, GameNode};
use crate::errors::IllegalMoveError;
use crate::moves::Packed;
use crate::state::State;
use bartizan_notation::pgn::{GameTree, NodeId, TreeError};
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A tree, and a mutex that is never held while Python code can run.
#[derive(Clone)]
pub(crate) struct SharedTree(Arc<Mutex<GameTree>>);

impl SharedTree {
    pub(crate) fn new(tree: GameTree) -> Self {
        Self(Arc::new(Mutex::new(tree)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, GameTree> {
        // A tree is whole between its method calls.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The address, which tells trees apart.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The Python object of a node: a `Game` for the root.
    pub(crate) fn object(&self, py: Python<'_>, id: NodeId) -> PyResult<Py<GameNode>> {
        let is_root = self.lock().root() == id;
        let node = GameNode { tree: self.clone(), id };
        if !is_root {
            return Py::new(py, node);
        }
        let game = Py::new(py, PyClassInitializer::from(node).add_subclass(Game::default()))?;
        Ok(game.into_bound(py).into_super().unbind())
    }

    pub(crate) fn objects(&self, py: Python<'_>, ids: &[NodeId]) -> PyResult<Vec<Py<GameNode>>> {
        ids.iter().map(|&id| self.object(py, id)).collect()
    }

    /// The board after a node, with the moves before.
    pub(crate) fn board(&self, id: NodeId) -> PyResult<State> {
        let (start, chess960, moves) = {
            let tree = self.lock();
            if !tree.contains(id) {
                return Err(tree_error(TreeError::NoSuchNode));
            }
            let moves: Vec<_> = tree.path(id).into_iter().map(|id| tree.mv(id)).collect();
            (tree.start().clone(), is_chess960(&tree), moves)
        };
        let mut state = State::new(start, chess960);
        for mv in moves {
            match mv {
                Some(mv) => state.play(mv),
                None => state.push(Packed::NULL)?,
            }
        }
        Ok(state)
    }
}

/// Whether the moves of a tree are written as in Chess960.
pub(crate) fn is_chess960(tree: &GameTree) -> bool {
    tree.chess960 || tree.start().variant() == bartizan_types::Variant::Chess960
}

pub(crate) fn tree_error(error: TreeError) -> PyErr {
    match error {
        TreeError::NoSuchNode | TreeError::HasMoves => PyValueError::new_err(error.to_string()),
        error => IllegalMoveError::new_err(error.to_string()),
    }
}
