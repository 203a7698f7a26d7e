//! The tags of a game.

use super::{LOST_BY_BOTH, PgnParser, State};
use crate::pgn::tag_lexer::{KNOWN_TAGS, known_tag};
use crate::pgn::tags::derived;
use crate::pgn::{PgnProblemKind, Visitor};
use crate::text::{self, excerpt};
use std::borrow::Cow;
use std::io::Read;

impl<R: Read> PgnParser<R> {
    /// Handles a tag, or what looks like one. Returns whether it belongs to the next game; it is then left to be read
    /// again.
    pub(super) fn tag<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) -> bool {
        let tag = match self.window.tag() {
            Ok(tag) => tag,
            Err(kind) => {
                self.invalid_tag(kind, visitor, state);
                return false;
            }
        };
        let text = self.window.token_text();
        let other = if tag.known.is_some() { Cow::Borrowed("") } else { text::decode(tag.name(text)) };
        let known = tag.known.or_else(|| derived(&other).and_then(|name| known_tag(name.as_bytes())));
        let name = known.map_or(&*other, |index| KNOWN_TAGS[index]);
        let is_repeated = !self.names.insert(known, name);
        if state.begun || is_repeated && state.is_behind_blank {
            self.window.at = self.window.token;
            return true;
        }
        if is_repeated {
            let kind = PgnProblemKind::RepeatedTag(excerpt(name));
            self.problem(kind, visitor, state);
            return false;
        }
        let offset = self.window.offset();
        if !state.is_game {
            state.is_game = true;
            self.start = offset;
        }
        let value = tag.value(text, (offset, offset + self.window.at - self.window.token));
        if name == "Result" {
            state.result_tag = value.decode().parse().ok();
            state.is_lost_by_both = value.raw == LOST_BY_BOTH;
        }
        let told = visitor.tag(name, value);
        state.has_tags = true;
        state.is_behind_blank = false;
        self.check(told, visitor, state);
        false
    }

    /// Skips a tag that is not of the right form. Within a line of moves, only a bracket is there.
    #[cold]
    fn invalid_tag<V: Visitor>(&mut self, kind: PgnProblemKind, visitor: &mut V, state: &mut State) {
        if state.begun && !self.window.is_line_start() {
            return self.unexpected(b'[', visitor, state);
        }
        let is_long = kind == PgnProblemKind::TagTooLong;
        self.problem(kind, visitor, state);
        if is_long {
            self.window.skip_line();
        } else {
            self.window.skip_invalid_tag();
        }
    }
}

/// The names of the tags of a game, to find those that are repeated.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// A bit for each of [`KNOWN_TAGS`].
    known: u64,
    /// Other names, each with a line end.
    others: String,
    count: usize,
}

impl Names {
    /// The number of other names that are compared, so that the time is linear in the length of the input.
    const LIMIT: usize = 64;

    pub(super) fn clear(&mut self) {
        self.known = 0;
        self.others.clear();
        self.count = 0;
    }

    /// Adds a name, whose index is known for [`KNOWN_TAGS`]. Returns whether it is new.
    fn insert(&mut self, known: Option<usize>, name: &str) -> bool {
        if let Some(index) = known {
            let is_new = self.known >> index & 1 == 0;
            self.known |= 1 << index;
            return is_new;
        }
        if self.count == Self::LIMIT {
            return true;
        }
        let is_new = !self.others.split_terminator('\n').any(|other| other == name);
        if is_new {
            self.others.push_str(name);
            self.others.push('\n');
            self.count += 1;
        }
        is_new
    }
}
