//! Reads the tree of a search, as `go … trace FILE` of the engine writes it, and shows parts of it.
//!
//! The module `tracer` of `bartizan-search` documents the format.

mod html;
mod read;
mod text;

use bartizan_position::Position;
use bartizan_types::{UciMove, Value};
pub use html::TreePage;
pub use read::{TreeError, TreeErrorKind};
use std::fmt;
pub use text::TreeText;

/// The tree of a search.
///
/// ```
/// use bartizan_analysis::tree::{SearchTree, TreePart};
///
/// let text = "bartizan-trace 1\n\
///     position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
///     n 1 e2e4 move 0 -30001 30001 12 exact 1\n\
///     p 1 a2a3 late-move\n\
///     n 0 - root 1 -30001 30001 12 exact 2\n\
///     end 3 0\n";
/// let tree = SearchTree::read(text.as_bytes())?;
/// let part = TreePart::default();
/// assert!(tree.text(&part)?.to_string().contains("e2e4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SearchTree {
    /// The position of the root.
    pub position: Position,
    /// Records that the file leaves out because it had reached its limit.
    pub left_out: u64,
    nodes: Vec<TreeNode>,
    /// The last root search; the others follow as earlier siblings.
    roots: Vec<u32>,
    /// Names of purposes and steps.
    names: Vec<String>,
}

/// The move that leads to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeMove {
    /// None: the position above is searched for another purpose.
    Same,
    Null,
    Move(UciMove),
}

impl fmt::Display for TreeMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.pad("-"),
            Self::Null => f.pad("0000"),
            Self::Move(mv) => f.pad(&mv.to_string()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    mv: TreeMove,
    /// Numbers of names.
    step: u8,
    searched: Option<Searched>,
    first_child: Option<u32>,
    next_sibling: Option<u32>,
}

/// What a node has that was searched, not pruned.
#[derive(Clone, Copy, Debug)]
struct Searched {
    purpose: u8,
    depth: i16,
    alpha: i32,
    beta: i32,
    value: i32,
    nodes: u64,
}

/// Which part of a tree to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePart {
    /// The depth of the root searches to show, in plies; `None` for the last root search.
    pub iteration: Option<i16>,
    /// Moves from the root to the nodes whose trees are shown. A null move is `0000`.
    pub path: Vec<String>,
    /// Levels below these nodes.
    pub levels: usize,
    /// Children of a node that are shown, in the order of the search.
    pub children: usize,
    /// Nodes that are shown altogether; those closest to the root come first.
    pub nodes: usize,
}

impl Default for TreePart {
    fn default() -> Self {
        Self { iteration: None, path: Vec::new(), levels: 1, children: 100, nodes: 10_000 }
    }
}

/// No node is where a [`TreePart`] looks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreePartError {
    /// There is no root search of this depth.
    #[error("no root search of depth {0} in the trace")]
    Iteration(i16),
    /// The path does not continue with this move.
    #[error("no move '{mv}' after {} moves of the path", after)]
    Path {
        /// The move.
        mv: String,
        /// The number of moves before it.
        after: usize,
    },
}

impl SearchTree {
    /// The number of nodes and pruned moves.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A part of the tree as indented text.
    ///
    /// # Errors
    /// [`TreePartError`].
    pub fn text(&self, part: &TreePart) -> Result<TreeText<'_>, TreePartError> {
        Ok(TreeText { tree: self, shown: self.shown(part)? })
    }

    /// A part of the tree as an HTML page that folds and needs nothing else.
    ///
    /// # Errors
    /// [`TreePartError`].
    pub fn page(&self, part: &TreePart) -> Result<TreePage<'_>, TreePartError> {
        Ok(TreePage { tree: self, shown: self.shown(part)? })
    }

    fn node(&self, index: u32) -> &TreeNode {
        &self.nodes[index as usize]
    }

    fn name(&self, name: u8) -> &str {
        &self.names[usize::from(name)]
    }

    fn children(&self, index: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.node(index).first_child, |&child| self.node(child).next_sibling)
    }

    /// The nodes at the end of the path.
    fn starts(&self, part: &TreePart) -> Result<Vec<u32>, TreePartError> {
        let depth = |&root: &u32| self.node(root).searched.map(|searched| searched.depth);
        let mut found: Vec<u32> = match part.iteration {
            None => self.roots.last().copied().into_iter().collect(),
            Some(iteration) => self.roots.iter().copied().filter(|root| depth(root) == Some(iteration)).collect(),
        };
        if let Some(iteration) = part.iteration.filter(|_| found.is_empty()) {
            return Err(TreePartError::Iteration(iteration));
        }
        for (after, mv) in part.path.iter().enumerate() {
            let is_next = |child: &u32| self.node(*child).mv.to_string().eq_ignore_ascii_case(mv);
            found = found.iter().flat_map(|&node| self.children(node).filter(is_next).collect::<Vec<_>>()).collect();
            if found.is_empty() {
                return Err(TreePartError::Path { mv: mv.clone(), after });
            }
        }
        Ok(found)
    }

    /// Chooses the nodes to show, breadth first, and puts them in the order of the tree.
    fn shown(&self, part: &TreePart) -> Result<Vec<Shown>, TreePartError> {
        let starts = self.starts(part)?;
        let mut budget = part.nodes.max(1);
        let mut chosen: Vec<Choice> = Vec::new();
        for &index in starts.iter().take(budget) {
            chosen.push(Choice { index, level: 0, children: Vec::new(), hidden: 0 });
        }
        budget -= chosen.len();
        let mut next = 0;
        while next < chosen.len() {
            let (index, level) = (chosen[next].index, chosen[next].level);
            let room = if level < part.levels { part.children.min(budget) } else { 0 };
            let mut children = self.children(index);
            for child in children.by_ref().take(room) {
                let number = chosen.len();
                chosen[next].children.push(number);
                chosen.push(Choice { index: child, level: level + 1, children: Vec::new(), hidden: 0 });
            }
            budget -= chosen[next].children.len();
            chosen[next].hidden = children.count();
            next += 1;
        }
        // Depth first, without recursion: a level may be deep.
        let mut shown = Vec::with_capacity(chosen.len());
        let mut stack: Vec<usize> = (0..starts.len().min(chosen.len())).rev().collect();
        while let Some(number) = stack.pop() {
            let Choice { index, level, ref children, hidden } = chosen[number];
            shown.push(Shown { index, level, children: children.len(), hidden });
            stack.extend(children.iter().rev());
        }
        Ok(shown)
    }
}

struct Choice {
    index: u32,
    level: usize,
    /// Numbers of choices.
    children: Vec<usize>,
    hidden: usize,
}

/// A node that is shown.
#[derive(Clone, Copy, Debug)]
struct Shown {
    index: u32,
    /// The level below the start.
    level: usize,
    /// Children that are shown.
    children: usize,
    /// Children that are not.
    hidden: usize,
}

/// A value in centipawns of the search, or as a mate.
fn value(number: i32) -> String {
    let value = Value(number);
    match value.mate_in_moves() {
        _ if number >= Value::INFINITE.0 => "inf".to_owned(),
        _ if number <= -Value::INFINITE.0 => "-inf".to_owned(),
        Some(moves) => format!("#{moves}"),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "bartizan-trace 1\n\
        position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
        n 1 d2d4 move 0 -32000 32000 -20 exact 1\n\
        n 0 - root 1 -32000 32000 20 exact 2\n\
        n 3 e7e5 quiescence 0 5 6 7 stand-pat 1\n\
        n 2 - singular 3 1 2 0 fail-low 2\n\
        n 2 0000 null-move 1 -2 -1 -9 hash 1\n\
        p 2 h7h6 late-move\n\
        n 1 e2e4 move 1 -32000 32000 -30 null-move 5\n\
        n 1 e2e4 research 1 -32000 32000 -31 exact 1\n\
        p 1 a2a3 futility\n\
        n 0 - root 2 -32000 32000 29999 fail-high 8\n\
        end 10 7\n";

    fn tree() -> SearchTree {
        SearchTree::read(TREE.as_bytes()).unwrap()
    }

    fn part(path: &str, levels: usize) -> TreePart {
        TreePart { path: path.split_whitespace().map(str::to_owned).collect(), levels, ..TreePart::default() }
    }

    #[test]
    fn parts_are_found_by_iteration_and_path() {
        let tree = tree();
        assert_eq!((tree.len(), tree.left_out), (10, 7));
        let lines = |part: &TreePart| tree.text(part).unwrap().to_string().lines().count();
        // The root searches' line, then nodes.
        assert_eq!(lines(&part("", 0)), lines(&part("", 1)) - 3);
        let text = tree.text(&part("E2E4", 9)).unwrap().to_string();
        assert_eq!(text.matches("e2e4").count(), 2, "{text}");
        assert!(text.contains("stand-pat") && text.contains("late-move") && !text.contains("futility"), "{text}");
        let text = tree.text(&part("e2e4 - e7e5", 0)).unwrap().to_string();
        assert!(text.contains("e7e5") && text.contains("5..6"), "{text}");
        let first = TreePart { iteration: Some(1), ..part("d2d4", 0) };
        assert!(tree.text(&first).unwrap().to_string().contains("d2d4"));
        let missing = TreePart { iteration: Some(9), ..part("", 0) };
        assert_eq!(tree.text(&missing).unwrap_err(), TreePartError::Iteration(9));
        let error = tree.text(&part("e2e4 c7c5", 0)).unwrap_err();
        assert_eq!(error.to_string(), "no move 'c7c5' after 1 moves of the path");
    }

    /// What is not shown is counted, and a bound keeps the nodes closest to the root.
    #[test]
    fn bounds_hide_children_and_count_them() {
        let tree = tree();
        let few = TreePart { children: 1, ..part("", 3) };
        let text = tree.text(&few).unwrap().to_string();
        assert!(text.contains("… 2 more") && !text.contains("research"), "{text}");
        let bounded = TreePart { nodes: 4, ..part("", 9) };
        let text = tree.text(&bounded).unwrap().to_string();
        assert!(text.contains("a2a3") && text.contains("research") && !text.contains("singular"), "{text}");
        let page = tree.page(&bounded).unwrap().to_string();
        assert!(page.contains("3 more"), "{page}");
    }

    #[test]
    fn a_page_is_whole_and_folds() {
        let page = tree().page(&part("", 9)).unwrap().to_string();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        assert!(page.matches("<details").count() >= 3 && page.contains("#1") && page.contains("7 records"), "{page}");
        for outside in ["http:", "https:", "src=", "href="] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
