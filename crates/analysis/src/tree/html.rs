//! A part of a tree as an HTML page that folds.

use super::{SearchTree, Searched, Shown, value};
use std::fmt;

const STYLE: &str = "\
body { font: 14px/1.5 sans-serif; margin: 2em; color: #222; background: #fff; }
code, summary, .leaf { font-family: monospace; }
details, .leaf, .more { margin-left: 1.4em; }
summary { cursor: pointer; margin-left: -1.1em; }
summary:hover { background: #eef; }
b { display: inline-block; min-width: 4em; }
i { font-style: normal; color: #777; }
.high { color: #17642b; } .low { color: #9c2b1f; } .exact { color: #1f4fa0; } .pruned, .more { color: #888; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; } summary:hover { background: #2a2a3a; } i { color: #999; }
  .high { color: #7fd08f; } .low { color: #f09080; } .exact { color: #8fb4ff; }
}
";

/// A part of a tree as a page: a [`details`] element for each node with children. It needs no other file.
///
/// [`details`]: https://html.spec.whatwg.org/#the-details-element
#[derive(Debug)]
pub struct TreePage<'a> {
    pub(super) tree: &'a SearchTree,
    pub(super) shown: Vec<Shown>,
}

impl fmt::Display for TreePage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(f, "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Search tree</title>")?;
        writeln!(f, "<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Search tree</h1>")?;
        let (fen, shown, all) = (self.tree.position.to_fen(), self.shown.len(), self.tree.len());
        writeln!(f, "<p>Position <code>{fen}</code>. This page has {shown} of {all} records.")?;
        if self.tree.left_out > 0 {
            writeln!(f, "The trace is cut at its limit: {} records left out.", self.tree.left_out)?;
        }
        writeln!(f, "</p>\n<p>Move and purpose, depth, window: value for the side to move, deciding step, nodes.</p>")?;
        self.tree_of(f)?;
        writeln!(f, "</body>\n</html>")
    }
}

impl TreePage<'_> {
    fn tree_of(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The open nodes: level, and the children that are not shown.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for &Shown { index, level, children, hidden } in &self.shown {
            while open.last().is_some_and(|&(above, _)| above >= level) {
                close(f, open.pop())?;
            }
            if children == 0 {
                self.leaf(f, index, hidden)?;
                continue;
            }
            let is_open = if level == 0 { " open" } else { "" };
            write!(f, "<details{is_open}><summary>")?;
            self.node(f, index)?;
            writeln!(f, "</summary>")?;
            open.push((level, hidden));
        }
        while !open.is_empty() {
            close(f, open.pop())?;
        }
        Ok(())
    }

    fn leaf(&self, f: &mut fmt::Formatter<'_>, index: u32, hidden: usize) -> fmt::Result {
        write!(f, "<div class=\"leaf\">")?;
        self.node(f, index)?;
        if hidden > 0 {
            write!(f, " <i>({hidden} more below)</i>")?;
        }
        writeln!(f, "</div>")
    }

    /// A node in one line. All of it is ASCII without characters that HTML reserves, as the reader ensures.
    fn node(&self, f: &mut fmt::Formatter<'_>, index: u32) -> fmt::Result {
        let node = self.tree.node(index);
        let step = self.tree.name(node.step);
        let Some(Searched { purpose, depth, alpha, beta, value: found, nodes }) = node.searched else {
            return write!(f, "<b class=\"pruned\">{}</b> <i>pruned: {step}</i>", node.mv);
        };
        let kind = match found {
            _ if found >= beta => "high",
            _ if found <= alpha => "low",
            _ => "exact",
        };
        let (purpose, [alpha, beta, found]) = (self.tree.name(purpose), [alpha, beta, found].map(value));
        write!(f, "<b>{}</b> <i>{purpose}, depth {depth}, {alpha}..{beta}:</i> ", node.mv)?;
        write!(f, "<span class=\"{kind}\">{found}, {step}</span> <i>{nodes} nodes</i>")
    }
}

fn close(f: &mut fmt::Formatter<'_>, open: Option<(usize, usize)>) -> fmt::Result {
    if let Some((_, hidden @ 1..)) = open {
        writeln!(f, "<div class=\"more\">{hidden} more</div>")?;
    }
    writeln!(f, "</details>")
}
