//! Editing of trees.

use super::{GameTree, Node, NodeId, TreeError};
use bartizan_position::Position;
use bartizan_types::Move;
use std::collections::{HashMap, HashSet};

impl GameTree {
    /// Appends a child. The move must be legal.
    pub(super) fn push(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let node = Node { stamp: self.stamps.next(), mv, ..Node::default() };
        let index = self.free.pop().unwrap_or(self.nodes.len() as u32);
        match self.nodes.get_mut(index as usize) {
            Some(deleted) => *deleted = node,
            None => self.nodes.push(node),
        }
        let id = self.id(index);
        self.append(parent, id);
        id
    }

    /// Makes a node the last child of another.
    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.node_mut(child).parent = Some(parent.index);
        let node = self.node_mut(parent);
        match node.last_child.replace(child.index) {
            Some(last) => self.nodes[last as usize].next_sibling = Some(child.index),
            None => node.first_child = Some(child.index),
        }
    }

    /// Replaces the start position, and says whether the game is one of Chess960. The tree must have no moves.
    ///
    /// # Errors
    /// [`TreeError::HasMoves`] if it has; nothing changes.
    pub fn restart(&mut self, start: Position, chess960: bool) -> Result<(), TreeError> {
        if self.next(self.root()).is_some() {
            return Err(TreeError::HasMoves);
        }
        (self.start, self.double_step, self.chess960) = (start, None, chess960);
        Ok(())
    }

    /// Adds a move after a node: as the continuation of its line if it has none, otherwise as the last variation. If
    /// the move is there already, nothing changes. Returns the node of the move.
    ///
    /// # Errors
    /// [`TreeError`] if the move is not legal after the node, or the node is not in the tree.
    pub fn add_move(&mut self, node: NodeId, mv: Move) -> Result<NodeId, TreeError> {
        self.add_line(node, &[mv])
    }

    /// Adds several moves, one after the other, like [`GameTree::add_move`]. Returns the node of the last.
    ///
    /// # Errors
    /// [`TreeError`] if one of the moves is not legal, or the node is not in the tree. The tree is then unchanged.
    pub fn add_line(&mut self, node: NodeId, moves: &[Move]) -> Result<NodeId, TreeError> {
        let mut position = self.position(node)?;
        for &mv in moves {
            position = position.play(mv)?;
        }
        let mut last = node;
        for &mv in moves {
            let known = self.children(last).find(|&child| self.mv(child) == Some(mv));
            last = known.unwrap_or_else(|| self.push(last, Some(mv)));
        }
        Ok(last)
    }

    /// Inserts a move after a node before its other moves, so that it continues the line; the previous continuation
    /// becomes the first variation. Returns the node of the move.
    ///
    /// # Errors
    /// [`TreeError`] if the move is not legal after the node, or the node is not in the tree.
    pub fn insert_move(&mut self, node: NodeId, mv: Move) -> Result<NodeId, TreeError> {
        let added = self.add_move(node, mv)?;
        self.place_first(added);
        Ok(added)
    }

    /// Adds a null move after a node, like [`GameTree::add_move`].
    ///
    /// # Errors
    /// [`TreeError`] if the side to move is in check, or the node is not in the tree.
    pub fn add_null_move(&mut self, node: NodeId) -> Result<NodeId, TreeError> {
        if self.position(node)?.in_check() {
            return Err(TreeError::NullMoveInCheck);
        }
        let known = self.children(node).find(|&child| self.mv(child).is_none());
        Ok(known.unwrap_or_else(|| self.push(node, None)))
    }

    /// Deletes a move and everything after it. For the root, deletes only what follows it. Later moves reuse the
    /// memory.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn delete(&mut self, node: NodeId) -> Result<(), TreeError> {
        self.check(node)?;
        let mut deleted: Vec<NodeId> = self.descendants(node).collect();
        if node == self.root() {
            (self.node_mut(node).first_child, self.node_mut(node).last_child) = (None, None);
        } else {
            self.unlink(node);
            deleted.push(node);
        }
        for id in deleted {
            *self.node_mut(id) = Node::default();
            self.free.push(id.index);
        }
        Ok(())
    }

    /// Removes a node from the children of its parent, which is returned; `None` for the root.
    fn unlink(&mut self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        let next = self.node_mut(node).next_sibling.take();
        let before = self.children(parent).take_while(|&child| child != node).last();
        match before {
            Some(before) => self.node_mut(before).next_sibling = next,
            None => self.node_mut(parent).first_child = next,
        }
        if next.is_none() {
            self.node_mut(parent).last_child = before.map(|before| before.index);
        }
        Some(parent)
    }

    /// Puts a node before its siblings.
    pub(super) fn place_first(&mut self, node: NodeId) {
        let Some(parent) = self.unlink(node) else { return };
        let old = self.node_mut(parent).first_child.replace(node.index);
        self.node_mut(node).next_sibling = old;
        if old.is_none() {
            self.node_mut(parent).last_child = Some(node.index);
        }
    }

    /// Makes a variation the continuation of its parent; the previous continuation becomes the first variation.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn promote(&mut self, node: NodeId) -> Result<(), TreeError> {
        self.check(node)?;
        self.place_first(node);
        Ok(())
    }

    /// Makes a node part of the main line: promotes it and all moves before it.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn promote_to_main_line(&mut self, node: NodeId) -> Result<(), TreeError> {
        self.check(node)?;
        self.path(node).into_iter().for_each(|id| self.place_first(id));
        Ok(())
    }

    /// Puts a move after its siblings, as the last variation.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn demote(&mut self, node: NodeId) -> Result<(), TreeError> {
        self.check(node)?;
        if let Some(parent) = self.unlink(node) {
            self.append(parent, node);
        }
        Ok(())
    }

    /// Adds the lines of another game as variations. Moves in both games are not repeated; their glyphs are merged, and
    /// different comments are joined by a semicolon. Tags and result are unchanged. Returns `false`, and changes
    /// nothing, if the games start from different positions.
    pub fn merge(&mut self, other: &Self) -> bool {
        if self.start != other.start {
            return false;
        }
        let mut merging = Merging::default();
        let mut pairs = vec![(self.root(), other.root())];
        while let Some((ours, theirs)) = pairs.pop() {
            let from = other.node(theirs);
            let node = self.node_mut(ours);
            merging.join(&mut node.before, (ours, false), &from.before);
            merging.join(&mut node.after, (ours, true), &from.after);
            for nag in &from.nags {
                if !node.nags.contains(nag) {
                    node.nags.push(*nag);
                }
            }
            if merging.seen.insert(ours) {
                for own in self.children(ours) {
                    // The first of several equal moves.
                    merging.moves.entry((ours, self.mv(own))).or_insert(own);
                }
            }
            for child in other.children(theirs) {
                let mv = other.mv(child);
                let known = *merging.moves.entry((ours, mv)).or_insert_with(|| self.push(ours, mv));
                pairs.push((known, child));
            }
        }
        true
    }
}

/// The separator of joined comments.
const SEPARATOR: &str = "; ";

/// Lookups for the target of a merge, so that nothing is searched twice.
#[derive(Default)]
struct Merging {
    /// Nodes whose children are among the moves.
    seen: HashSet<NodeId>,
    moves: HashMap<(NodeId, Option<Move>), NodeId>,
    /// The parts of the comments before (`false`) and after (`true`) the moves.
    comments: HashMap<(NodeId, bool), HashSet<String>>,
}

impl Merging {
    /// Appends a comment, unless all its parts are there already.
    fn join(&mut self, to: &mut String, place: (NodeId, bool), comment: &str) {
        if comment.is_empty() {
            return;
        }
        let own = || to.split(SEPARATOR).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let parts = self.comments.entry(place).or_insert_with(own);
        let before = parts.len();
        parts.extend(comment.split(SEPARATOR).map(str::to_owned));
        if parts.len() > before {
            if !to.is_empty() {
                to.push_str(SEPARATOR);
            }
            to.push_str(comment);
        }
    }
}
