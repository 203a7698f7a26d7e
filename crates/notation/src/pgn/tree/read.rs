//! Reading trees.

use super::{GameTree, NodeId};
use crate::pgn::tags::{is_derived, start_of_tag, variant_of_tag};
use crate::pgn::{
    Comment, GameResult, Interest, MoveText, Nag, PgnError, PgnErrorKind, PgnParser, PgnProblem, PgnProblemKind,
    Strictness, TagValue, Visitor,
};
use crate::san::SanError;
use crate::text::excerpt;
use bartizan_position::Position;
use bartizan_types::Variant;
use std::io::Read;

/// Iterator over the games of a PGN file with all their variations, comments and glyphs. Every move is checked.
///
/// The reader is lenient, as [`PgnReader`](crate::pgn::PgnReader) is: [`GameTree::problems`] tells what is wrong in the
/// text of a game. After an I/O error, the iterator ends.
#[derive(Debug)]
pub struct TreeReader<R> {
    parser: PgnParser<R>,
    strictness: Strictness,
}

impl<R: Read> TreeReader<R> {
    /// Creates a reader of games.
    pub fn new(reader: R) -> Self {
        Self::from(PgnParser::new(reader))
    }

    /// Sets which problems are errors, each of which costs its game. By default none is.
    #[must_use]
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// The number of games read so far, including invalid ones.
    pub fn games(&self) -> usize {
        self.parser.games()
    }

    /// Reads the next game; `None` at the end of the input. If the game is invalid, `tree` holds its tags and what
    /// precedes the error.
    ///
    /// # Errors
    /// [`PgnError`] if the game is invalid or the input cannot be read.
    pub fn read_next(&mut self, tree: &mut GameTree) -> Option<Result<(), PgnError>> {
        *tree = GameTree::default();
        self.parser.read_game(&mut Builder::new(tree, self.strictness)).transpose().map(|read| read.flatten())
    }
}

impl<R: Read> From<PgnParser<R>> for TreeReader<R> {
    fn from(parser: PgnParser<R>) -> Self {
        Self { parser, strictness: Strictness::Lenient }
    }
}

impl<R: Read> Iterator for TreeReader<R> {
    type Item = Result<GameTree, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut tree = GameTree::default();
        let read = self.read_next(&mut tree)?;
        Some(read.map(|()| tree))
    }
}

const TOO_LONG: PgnErrorKind = PgnErrorKind::TooLong("a game of more than 256 MiB of memory");

/// The point up to which a line has been read.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The node after which the next move comes.
    at: NodeId,
    /// The last move of the line, if it has one.
    last: Option<NodeId>,
}

/// Fills a tree.
struct Builder<'a> {
    tree: &'a mut GameTree,
    cursor: Cursor,
    /// The positions after `cursor.at`, and before its move; `None` if they must be recomputed.
    positions: Option<(Position, Position)>,
    /// The outer lines, and the positions of the outermost of them.
    lines: Vec<Cursor>,
    kept: Vec<Option<(Position, Position)>>,
    /// The comment before the next move.
    before: String,
    has_tags: bool,
    strictness: Strictness,
    fault: Option<PgnError>,
    /// The number of bytes that may still be stored.
    budget: usize,
    /// The number of moves that may still be replayed to recompute positions.
    replays: usize,
}

impl<'a> Builder<'a> {
    /// The maximum number of bytes to store for a game.
    const LIMIT: usize = 1 << 28;

    /// The number of nested variations whose positions are kept. For deeper ones they are recomputed.
    const KEPT: usize = 256;

    /// The number of moves that may be replayed for each move read, so that the time is linear in the length of the
    /// game. Only lines nested deeper than [`Self::KEPT`] need any.
    const REPLAYS: usize = 64;

    fn new(tree: &'a mut GameTree, strictness: Strictness) -> Self {
        let start = tree.start.clone();
        let cursor = Cursor { at: tree.root(), last: None };
        Self {
            tree,
            cursor,
            positions: Some((start.clone(), start)),
            lines: Vec::new(),
            kept: Vec::new(),
            before: String::new(),
            has_tags: false,
            strictness,
            fault: None,
            budget: Self::LIMIT,
            replays: 1 << 16,
        }
    }

    fn afford(&mut self, bytes: usize) -> Result<(), PgnErrorKind> {
        self.budget = self.budget.checked_sub(bytes).ok_or(TOO_LONG)?;
        Ok(())
    }

    /// Computes the positions at the cursor, unless they are known.
    fn locate(&mut self) -> Result<(Position, Position), PgnErrorKind> {
        if let Some(positions) = self.positions.take() {
            return Ok(positions);
        }
        let path = self.tree.path(self.cursor.at);
        self.replays = self.replays.checked_sub(path.len()).ok_or(TOO_LONG)?;
        let before = self.tree.parent(self.cursor.at).unwrap_or(self.tree.root());
        Ok((self.tree.position_at(self.cursor.at), self.tree.position_at(before)))
    }

    /// The comment at the cursor.
    fn comment_place(&mut self) -> &mut String {
        match self.cursor.last {
            Some(last) => &mut self.tree.node_mut(last).after,
            None if self.lines.is_empty() => &mut self.tree.nodes[0].after,
            None => &mut self.before,
        }
    }

    fn play(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        self.afford(size_of::<super::Node>() + self.before.len())?;
        self.replays += Self::REPLAYS;
        let (position, _) = self.locate()?;
        let mut next = position.clone();
        let mut is_hidden = false;
        let mv = if text.is_null() {
            if position.in_check() {
                return Err(SanError::NullMove.into());
            }
            next.make_null_unchecked();
            None
        } else {
            let mv = self.strictness.find(text, &position)?;
            is_hidden = text.is_hidden_capture(&position, mv);
            next.make_unchecked(mv);
            Some(mv)
        };
        let id = self.tree.push(self.cursor.at, mv);
        if self.cursor.last.is_none() && self.lines.is_empty() {
            // The game may begin with a variation.
            self.tree.place_first(id);
        }
        self.tree.node_mut(id).before = std::mem::take(&mut self.before);
        self.cursor = Cursor { at: id, last: Some(id) };
        self.positions = Some((next, position));
        if is_hidden {
            return Err(PgnProblemKind::HiddenCapture { text: excerpt(&text.decode()) }.into());
        }
        Ok(())
    }
}

impl Visitor for Builder<'_> {
    type Output = Result<(), PgnError>;

    fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        if !self.has_tags {
            // A comment before the tags does not belong to this game.
            self.tree.nodes[0].after.clear();
        }
        self.has_tags = true;
        let value = value.decode();
        self.afford(name.len() + value.len() + size_of::<(String, String)>())?;
        match name {
            "FEN" => {
                (self.tree.start, self.tree.double_step) = start_of_tag(&value)?;
                self.positions = Some((self.tree.start.clone(), self.tree.start.clone()));
            }
            "Result" => self.tree.result = value.parse().unwrap_or_default(),
            "Variant" => match variant_of_tag(&value) {
                Some(variant) => self.tree.chess960 = variant == Variant::Chess960,
                None => return Err(PgnErrorKind::Variant(excerpt(&value))),
            },
            _ if is_derived(name) => {}
            _ => self.tree.tags.push((name.to_owned(), value.into_owned())),
        }
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        if !self.tree.chess960 {
            let dropped = self.tree.start.drop_nonstandard_castling();
            if !dropped.is_empty() {
                self.positions = Some((self.tree.start.clone(), self.tree.start.clone()));
                return Err(PgnProblemKind::Castling(dropped).into());
            }
        }
        Ok(Interest::Read)
    }

    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        self.play(text)
    }

    fn nag(&mut self, nag: Nag) {
        if let Some(last) = self.cursor.last
            && self.afford(size_of::<Nag>()).is_ok()
        {
            self.tree.node_mut(last).nags.push(nag);
        }
    }

    fn comment(&mut self, comment: Comment<'_>) -> Result<(), PgnErrorKind> {
        self.afford(comment.as_bytes().len() + 1)?;
        comment.append_words(self.comment_place());
        Ok(())
    }

    fn rest(&mut self, text: Comment<'_>) {
        if self.afford(text.as_bytes().len() + 1).is_ok() {
            text.append_moves(self.comment_place());
        }
    }

    fn remark(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let (after, before) = self.locate()?;
        let mv = self.cursor.last.and_then(|last| self.tree.mv(last));
        let is_true = text.is_true_remark(mv, &after);
        self.positions = Some((after, before));
        if is_true { Ok(()) } else { Err(SanError::Syntax { text: excerpt(&text.decode()) }.into()) }
    }

    fn begin_variation(&mut self) -> Interest {
        if self.afford(size_of::<Cursor>()).is_err() {
            // The next move reports it.
            self.budget = 0;
            return Interest::Skip;
        }
        self.lines.push(self.cursor);
        let positions = self.positions.take();
        let start = positions.as_ref().map(|(after, before)| match self.cursor.last {
            Some(_) => (before.clone(), before.clone()),
            None => (after.clone(), before.clone()),
        });
        if self.kept.len() < Self::KEPT {
            self.kept.push(positions);
        }
        self.positions = start;
        if let Some(last) = self.cursor.last {
            self.cursor = Cursor { at: self.tree.parent(last).unwrap_or(self.tree.root()), last: None };
        }
        Interest::Read
    }

    fn end_variation(&mut self) {
        let depth = self.lines.len();
        let Some(outer) = self.lines.pop() else { return };
        self.cursor = outer;
        self.positions = if depth == self.kept.len() { self.kept.pop().flatten() } else { None };
        if !self.before.is_empty() {
            // A variation that consists of a comment.
            let text = std::mem::take(&mut self.before);
            let place = self.tree.node_mut(outer.last.unwrap_or(outer.at));
            if !place.after.is_empty() {
                place.after.push(' ');
            }
            place.after.push_str(&text);
        }
    }

    fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
        // `*` leaves the value of the tag.
        if result != GameResult::Unknown {
            self.tree.result = result;
        }
        Ok(())
    }

    fn fault(&mut self, error: PgnError) {
        match error {
            PgnError { line, column, kind: PgnErrorKind::Problem(kind), .. } if !self.strictness.refuses(&kind) => {
                PgnProblem { line, column, kind }.add_to(&mut self.tree.problems);
            }
            error => drop(self.fault.get_or_insert(error)),
        }
    }

    fn end_game(&mut self) -> Self::Output {
        self.fault.take().map_or(Ok(()), Err)
    }
}
