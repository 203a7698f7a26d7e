//! A part of a tree as indented text.

use super::{SearchTree, Searched, Shown, value};
use std::fmt;

/// A part of a tree as text: a line for each node, indented by its level.
#[derive(Debug)]
pub struct TreeText<'a> {
    pub(super) tree: &'a SearchTree,
    pub(super) shown: Vec<Shown>,
}

impl fmt::Display for TreeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "move and purpose, depth, window: value, deciding step, nodes")?;
        // Children that are hidden are told after those that are shown.
        let mut hidden: Vec<(usize, usize)> = Vec::new();
        for &Shown { index, level, children, hidden: more } in &self.shown {
            while let Some(&(above, count)) = hidden.last().filter(|(above, _)| *above >= level) {
                writeln!(f, "{:indent$}… {count} more", "", indent = 2 * (above + 1))?;
                hidden.pop();
            }
            let node = self.tree.node(index);
            write!(f, "{:indent$}{:<5} ", "", node.mv, indent = 2 * level)?;
            let step = self.tree.name(node.step);
            match node.searched {
                Some(Searched { purpose, depth, alpha, beta, value: found, nodes }) => {
                    let (purpose, window) = (self.tree.name(purpose), format!("{}..{}", value(alpha), value(beta)));
                    writeln!(f, "{purpose}, depth {depth}, {window}: {}, {step}, {nodes} nodes", value(found))?;
                }
                None => writeln!(f, "pruned: {step}")?,
            }
            if more > 0 && children > 0 {
                hidden.push((level, more));
            }
        }
        for (above, count) in hidden.into_iter().rev() {
            writeln!(f, "{:indent$}… {count} more", "", indent = 2 * (above + 1))?;
        }
        if self.tree.left_out > 0 {
            writeln!(f, "the trace is cut at its limit: {} records left out", self.tree.left_out)?;
        }
        Ok(())
    }
}
