//! Games being read, with every move checked.

use super::tags::{is_derived, start_of_tag, variant_of_tag};
use super::{
    Comment, GameResult, Interest, MoveText, Nag, PgnError, PgnErrorKind, PgnGame, PgnMove, PgnProblem, PgnProblemKind,
    Strictness, TagValue, Visitor,
};
use crate::san::SanError;
use crate::text::excerpt;
use bartizan_position::Position;
use bartizan_types::{Move, Variant};

/// Memory reused from earlier games.
#[derive(Debug, Default)]
pub(super) struct TextPool {
    texts: Vec<String>,
}

impl TextPool {
    /// The maximum size of a text whose memory is kept.
    const LIMIT: usize = 256;

    fn take(&mut self) -> String {
        self.texts.pop().unwrap_or_default()
    }

    fn give(&mut self, mut text: String) {
        if text.capacity() <= Self::LIMIT {
            text.clear();
            self.texts.push(text);
        }
    }
}

/// How games are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// The maximum number of moves to keep.
    pub(super) max_plies: usize,
    /// What to do about problems.
    pub(super) strictness: Strictness,
    /// Whether the moves of variations are checked.
    pub(super) checks_variations: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_plies: usize::MAX, strictness: Strictness::Lenient, checks_variations: false }
    }
}

/// Fills a game.
#[derive(Debug)]
pub(super) struct GameBuilder<'a> {
    game: &'a mut PgnGame,
    spare: &'a mut TextPool,
    /// The position after the moves so far.
    position: Position,
    settings: Settings,
    /// The way to the position before the last move, if variations are checked.
    way: Way,
    /// The positions and ways of each line with an open variation, from the main line on.
    outer: Vec<(Position, Way)>,
    /// The number of bytes that may still be stored.
    budget: usize,
    /// The number of tags read. Any further ones belong to the previous game.
    tags: usize,
    has_tags: bool,
    /// Whether a tag has set the start position.
    has_start: bool,
    /// Whether a move was omitted because of `max_plies`.
    cut: bool,
    fault: Option<PgnError>,
}

/// A position and the few moves that follow it: cheaper than a copy of the position before each move.
#[derive(Clone, Debug)]
struct Way {
    from: Position,
    moves: [Option<Move>; Self::LENGTH],
    length: usize,
}

impl Way {
    const LENGTH: usize = 8;

    fn from(from: &Position) -> Self {
        Self { from: from.clone(), moves: [None; Self::LENGTH], length: 0 }
    }

    /// Adds the move that is made in a position.
    fn push(&mut self, position: &Position, mv: Move) {
        if self.length == Self::LENGTH {
            self.from.clone_from(position);
            self.length = 0;
        }
        self.moves[self.length] = Some(mv);
        self.length += 1;
    }

    fn last(&self) -> Option<Move> {
        self.moves[self.length.checked_sub(1)?]
    }

    /// The position before the last move; the first one if there is no move.
    fn before_last(&self) -> Position {
        let mut position = self.from.clone();
        let moves = &self.moves[..self.length.saturating_sub(1)];
        moves.iter().flatten().for_each(|&mv| position.make_unchecked(mv));
        position
    }
}

impl<'a> GameBuilder<'a> {
    /// The maximum number of bytes to store for a game.
    const LIMIT: usize = 1 << 24;

    /// The depth from which variations are skipped. No person nests them so deeply.
    const MAX_DEPTH: usize = 100;

    pub(super) fn new(game: &'a mut PgnGame, spare: &'a mut TextPool, settings: Settings) -> Self {
        let start = Position::startpos_ref();
        game.start.clone_from(start);
        game.double_step = None;
        game.chess960 = false;
        game.result = GameResult::Unknown;
        game.problems.clear();
        for text in game.moves.drain(..).filter_map(|played| played.comment).chain(game.comment.take()) {
            spare.give(text);
        }
        Self {
            game,
            spare,
            position: start.clone(),
            settings,
            way: Way::from(start),
            outer: Vec::new(),
            budget: Self::LIMIT,
            tags: 0,
            has_tags: false,
            has_start: false,
            cut: false,
            fault: None,
        }
    }

    /// Removes what is left of the previous game. Returns the position after the last move.
    pub(super) fn finish(self) -> Position {
        self.game.tags.truncate(self.tags);
        self.position
    }

    /// Reserves memory. Returns whether the bytes may be stored; never for a game with an error.
    #[inline]
    fn afford(&mut self, bytes: usize) -> Result<bool, PgnErrorKind> {
        match self.budget.checked_sub(bytes) {
            Some(rest) => self.budget = rest,
            None => return Err(PgnErrorKind::TooLong("a game of more than 16 MiB")),
        }
        Ok(self.fault.is_none())
    }

    /// Adds text to the comment of the last move.
    fn add_comment(&mut self, append: impl FnOnce(&mut String)) {
        let place = match self.game.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.game.comment,
        };
        let mut text = place.take().unwrap_or_else(|| self.spare.take());
        append(&mut text);
        if text.is_empty() {
            self.spare.give(text);
        } else {
            *place = Some(text);
        }
    }

    /// Stores a tag in place of one of the previous game.
    fn put_tag(&mut self, name: &str, value: TagValue<'_>) {
        if self.tags == self.game.tags.len() {
            self.game.tags.push((String::new(), String::new()));
        }
        if let Some((old_name, old_value)) = self.game.tags.get_mut(self.tags) {
            old_name.clear();
            old_name.push_str(name);
            value.copy_to(old_value);
            self.tags += 1;
        }
    }

    fn set_start(&mut self, fen: &str) -> Result<(), PgnErrorKind> {
        (self.game.start, self.game.double_step) = start_of_tag(fen)?;
        self.position.clone_from(&self.game.start);
        self.way = Way::from(&self.game.start);
        self.has_start = true;
        Ok(())
    }
}

impl Visitor for GameBuilder<'_> {
    type Output = Result<(), PgnError>;

    fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        if !self.has_tags {
            // A comment before the tags does not belong to this game.
            self.game.comment = None;
        }
        self.has_tags = true;
        if !self.afford(name.len() + value.as_bytes().len() + size_of::<(String, String)>())? {
            return Ok(());
        }
        if !is_derived(name) {
            self.put_tag(name, value);
            return Ok(());
        }
        match name {
            "FEN" => return self.set_start(&value.decode()),
            "Result" => self.game.result = value.decode().parse().unwrap_or_default(),
            "Variant" => match variant_of_tag(&value.decode()) {
                Some(variant) => self.game.chess960 = variant == Variant::Chess960,
                None => return Err(PgnErrorKind::Variant(excerpt(&value.decode()))),
            },
            _ => {}
        }
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        if !self.game.chess960 && self.has_start {
            let dropped = self.game.start.drop_nonstandard_castling();
            if !dropped.is_empty() {
                self.position.clone_from(&self.game.start);
                self.way = Way::from(&self.game.start);
                return Err(PgnProblemKind::Castling(dropped).into());
            }
        }
        Ok(Interest::Read)
    }

    #[inline]
    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let is_main_line = self.outer.is_empty();
        if is_main_line && self.game.moves.len() >= self.settings.max_plies {
            self.cut = true;
            return Ok(());
        }
        if !is_main_line || self.afford(size_of::<PgnMove>())? {
            let mv = self.settings.strictness.find(text, &self.position)?;
            let hidden = text.is_hidden_capture(&self.position, mv);
            if self.settings.checks_variations {
                self.way.push(&self.position, mv);
            }
            self.position.make_unchecked(mv);
            if is_main_line {
                self.game.moves.push(mv.into());
            }
            if hidden {
                return Err(PgnProblemKind::HiddenCapture { text: excerpt(&text.decode()) }.into());
            }
        }
        Ok(())
    }

    fn remark(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let mv = if self.outer.is_empty() { self.game.moves.last().map(|played| played.mv) } else { self.way.last() };
        if self.cut || self.fault.is_some() || text.is_true_remark(mv, &self.position) {
            return Ok(());
        }
        Err(SanError::Syntax { text: excerpt(&text.decode()) }.into())
    }

    fn begin_variation(&mut self) -> Interest {
        if !self.settings.checks_variations || self.cut || self.outer.len() == Self::MAX_DEPTH {
            return Interest::Skip;
        }
        self.outer.push((self.position.clone(), self.way.clone()));
        self.position = self.way.before_last();
        self.way = Way::from(&self.position);
        Interest::Read
    }

    fn end_variation(&mut self) {
        if let Some((position, way)) = self.outer.pop() {
            (self.position, self.way) = (position, way);
        }
    }

    fn nag(&mut self, nag: Nag) {
        let is_kept = !self.cut && self.fault.is_none() && self.outer.is_empty();
        if let Some(last) = self.game.moves.last_mut().filter(|_| is_kept) {
            last.nags.push(nag);
        }
    }

    fn comment(&mut self, comment: Comment<'_>) -> Result<(), PgnErrorKind> {
        if !self.cut && self.outer.is_empty() && self.afford(comment.as_bytes().len() + 1)? {
            self.add_comment(|to| comment.append_words(to));
        }
        Ok(())
    }

    fn rest(&mut self, text: Comment<'_>) {
        if !self.cut && self.outer.is_empty() && self.fault.is_none() {
            self.add_comment(|to| text.append_moves(to));
        }
    }

    fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
        // `*` leaves the value of the tag.
        if result != GameResult::Unknown {
            self.game.result = result;
        }
        Ok(())
    }

    fn fault(&mut self, error: PgnError) {
        match error {
            PgnError { line, column, kind: PgnErrorKind::Problem(kind), .. }
                if !self.settings.strictness.refuses(&kind) =>
            {
                PgnProblem { line, column, kind }.add_to(&mut self.game.problems);
            }
            error => drop(self.fault.get_or_insert(error)),
        }
    }

    fn end_game(&mut self) -> Self::Output {
        self.fault.take().map_or(Ok(()), Err)
    }
}
