//! Editing of trees.

use super::{GameTree, Node, NodeId};
use bartizan_position::IllegalMove;
use bartizan_types::Move;
use std::collections::{HashMap, HashSet};

impl GameTree {
    /// Appends a child. The move must be legal.
    pub(super) fn push(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { mv, parent: Some(parent), ..Node::default() });
        let node = self.node_mut(parent);
        match node.last_child.replace(id) {
            Some(last) => self.node_mut(last).next_sibling = Some(id),
            None => node.first_child = Some(id),
        }
        id
    }

    /// Adds a move after a node: as the continuation of its line if it has none, otherwise as the last variation. If
    /// the move is there already, nothing changes. Returns the node of the move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal after the node, or the node has been deleted.
    pub fn add_move(&mut self, node: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        self.add_line(node, &[mv])
    }

    /// Adds several moves, one after the other, like [`GameTree::add_move`]. Returns the node of the last.
    ///
    /// # Errors
    /// [`IllegalMove`] if one of the moves is not legal, or the node has been deleted. The tree is then unchanged.
    pub fn add_line(&mut self, node: NodeId, moves: &[Move]) -> Result<NodeId, IllegalMove> {
        let mut position = self.position(node);
        for &mv in moves {
            // No move is legal after a deleted one.
            let legal = if self.is_deleted(node) { Err(IllegalMove::new(mv)) } else { position.play(mv) };
            position = legal?;
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
    /// [`IllegalMove`] if the move is not legal after the node, or the node has been deleted.
    pub fn insert_move(&mut self, node: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        let added = self.add_move(node, mv)?;
        self.place_first(added);
        Ok(added)
    }

    /// Adds a null move after a node. `None` if the side to move is in check, or the node has been deleted.
    pub fn add_null_move(&mut self, node: NodeId) -> Option<NodeId> {
        if self.is_deleted(node) || self.position(node).in_check() {
            return None;
        }
        let known = self.children(node).find(|&child| self.mv(child).is_none());
        Some(known.unwrap_or_else(|| self.push(node, None)))
    }

    /// Deletes a move and everything after it. For the root, deletes only what follows it.
    pub fn delete(&mut self, node: NodeId) {
        let mut below: Vec<NodeId> = self.descendants(node).collect();
        if node == self.root() {
            (self.node_mut(node).first_child, self.node_mut(node).last_child) = (None, None);
        } else if !self.is_deleted(node) {
            self.unlink(node);
            below.push(node);
        }
        for id in below {
            // The parents remain, so that a deleted node still has a position.
            let deleted = self.node_mut(id);
            deleted.is_deleted = true;
            (deleted.first_child, deleted.last_child, deleted.next_sibling) = (None, None, None);
        }
    }

    /// Removes a node from the children of its parent.
    fn unlink(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        let next = self.node(node).next_sibling;
        let before = self.children(parent).take_while(|&child| child != node).last();
        match before {
            Some(before) => self.node_mut(before).next_sibling = next,
            None => self.node_mut(parent).first_child = next,
        }
        if self.node(parent).last_child == Some(node) {
            self.node_mut(parent).last_child = before;
        }
        self.node_mut(node).next_sibling = None;
    }

    /// Puts a node before its siblings.
    pub(super) fn place_first(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node).filter(|_| !self.is_deleted(node)) else { return };
        self.unlink(node);
        let old = self.node_mut(parent).first_child.replace(node);
        self.node_mut(node).next_sibling = old;
        if old.is_none() {
            self.node_mut(parent).last_child = Some(node);
        }
    }

    /// Makes a variation the continuation of its parent; the previous continuation becomes the first variation.
    pub fn promote(&mut self, node: NodeId) {
        self.place_first(node);
    }

    /// Makes a node part of the main line: promotes it and all moves before it.
    pub fn promote_to_main_line(&mut self, node: NodeId) {
        for id in self.path(node) {
            self.place_first(id);
        }
    }

    /// Puts a move after its siblings, as the last variation.
    pub fn demote(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node).filter(|_| !self.is_deleted(node)) else { return };
        self.unlink(node);
        match self.node_mut(parent).last_child.replace(node) {
            Some(last) => self.node_mut(last).next_sibling = Some(node),
            None => self.node_mut(parent).first_child = Some(node),
        }
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
