//! Writing trees.

use super::{GameTree, NodeId};
use crate::pgn::write::{Lines, comment_words, write_tags};
use crate::san::San;
use bartizan_position::Position;
use bartizan_types::Color;
use std::fmt;
use std::io;

impl GameTree {
    /// Writes the game in the export format, like `Display`.
    ///
    /// # Errors
    /// Any error of `out`.
    pub fn write_to<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        write!(out, "{self}")
    }
}

/// Formats the game in the export format, with all variations, comments and glyphs: see
/// [`PgnGame`](crate::pgn::PgnGame). `{:#}` writes `Nf3!?` in place of `Nf3 $5`.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tags(f, &self.tags, self.source())?;
        f.write_str("\n")?;
        let with_marks = f.alternate();
        let mut writer = Writer {
            tree: self,
            words: Words { lines: Lines::new(f), pending: String::new(), is_open: false },
            with_marks,
        };
        writer.write()?;
        writer.words.word(self.result.as_str())?;
        writer.words.flush()?;
        f.write_str("\n\n")
    }
}

/// Writes words, holding back the last one, because a `)` may have to be attached to it.
struct Words<'a, 'f> {
    lines: Lines<'a, 'f>,
    pending: String,
    /// Whether `pending` ends with the `(` of a variation.
    is_open: bool,
}

impl Words<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        if !std::mem::take(&mut self.is_open) {
            self.flush()?;
        }
        self.pending.push_str(word);
        Ok(())
    }

    fn open(&mut self) -> fmt::Result {
        self.word("(")?;
        self.is_open = true;
        Ok(())
    }

    fn close(&mut self) {
        self.pending.push(')');
    }

    fn flush(&mut self) -> fmt::Result {
        if !self.pending.is_empty() {
            self.lines.word(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }
}

/// A node of the tree at which variations begin.
struct Fork {
    /// The move that the variations replace, already written.
    main: NodeId,
    /// The next variation to write.
    next: Option<NodeId>,
    /// The position before the moves; `None` if it must be recomputed.
    position: Option<Position>,
}

struct Writer<'t, 'a, 'f> {
    tree: &'t GameTree,
    words: Words<'a, 'f>,
    with_marks: bool,
}

impl Writer<'_, '_, '_> {
    /// The number of forks whose positions are kept. The others are recomputed.
    const KEPT: usize = 256;

    fn write(&mut self) -> fmt::Result {
        let tree = self.tree;
        let mut forks: Vec<Fork> = Vec::new();
        let mut node = tree.root();
        // The position after the node; `None` if it must be recomputed.
        let mut position = Some(tree.start.clone());
        let mut interrupted = true;
        self.comment_after(node)?;
        loop {
            if let Some(main) = tree.next(node) {
                let mut now = position.take().unwrap_or_else(|| tree.position_at(node));
                interrupted = self.mv(&now, main, interrupted)?;
                let next = tree.next_sibling(main);
                if next.is_none() {
                    tree.play(&mut now, main);
                    (node, position) = (main, Some(now));
                    continue;
                }
                forks.push(Fork { main, next, position: (forks.len() < Self::KEPT).then(|| now.clone()) });
                position = Some(now);
            } else if forks.is_empty() {
                return Ok(());
            } else {
                self.words.close();
                position = None;
            }
            let Some(fork) = forks.last_mut() else { return Ok(()) };
            if let Some(variation) = fork.next {
                fork.next = tree.next_sibling(variation);
                let before = || tree.parent(variation).map_or_else(|| tree.start.clone(), |id| tree.position_at(id));
                let mut now = position.take().or_else(|| fork.position.clone()).unwrap_or_else(before);
                self.words.open()?;
                interrupted = self.mv(&now, variation, true)?;
                tree.play(&mut now, variation);
                (node, position) = (variation, Some(now));
            } else {
                node = fork.main;
                position = fork.position.take().map(|mut before| {
                    tree.play(&mut before, node);
                    before
                });
                interrupted = true;
                forks.pop();
            }
        }
    }

    /// Writes a move with its comments and glyphs. Returns whether a comment follows it, so that the next move needs
    /// its number.
    fn mv(&mut self, position: &Position, node: NodeId, interrupted: bool) -> Result<bool, fmt::Error> {
        let tree = self.tree;
        // Before the next move of a line it is written with the comment of the previous move: see `comment_after`.
        let begins_variation = tree.parent(node).is_none_or(|parent| tree.next(parent) != Some(node));
        let interrupted = begins_variation && self.comment(tree.comment_before(node))? || interrupted;
        let mut text = match position.turn() {
            Color::White => format!("{}. ", position.fullmove_number()),
            Color::Black if interrupted => format!("{}... ", position.fullmove_number()),
            Color::Black => String::new(),
        };
        match tree.mv(node) {
            Some(mv) => text.push_str(San::new(position, mv).as_str()),
            None => text.push_str("--"),
        }
        let mut nags = tree.nags(node);
        if self.with_marks
            && let [first, rest @ ..] = nags
            && let Some(mark) = first.glyph().filter(|_| first.is_of_move())
        {
            text.push_str(mark);
            nags = rest;
        }
        self.words.word(&text)?;
        for nag in nags {
            self.words.word(&nag.to_string())?;
        }
        self.comment_after(node)
    }

    /// Writes the comment after a move together with the one before the next move of its line, because readers join the
    /// comments between two moves. Returns whether there was one.
    fn comment_after(&mut self, node: NodeId) -> Result<bool, fmt::Error> {
        let tree = self.tree;
        let after = tree.comment(node);
        match tree.next(node).map(|next| tree.comment_before(next)).filter(|before| !before.is_empty()) {
            Some(before) => self.comment(&format!("{after} {before}")),
            None => self.comment(after),
        }
    }

    /// Writes a comment. Returns whether there was one.
    fn comment(&mut self, comment: &str) -> Result<bool, fmt::Error> {
        comment_words(comment, |word| self.words.word(word))
    }
}
