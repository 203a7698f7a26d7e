//! Games that are being read.

use super::symbol::{Symbol, classify};
use super::tags::{is_chess960, is_derived};
use super::{GameResult, PgnErrorKind, PgnGame, PgnMove};
use crate::san::parse_san;
use crate::text::excerpt;
use bartizan_position::{Position, Tolerance};

/// A place in the file: line and column, from 1.
pub(super) type Place = (usize, usize);

/// A game that is being read. After its first fault, the rest of the game is skipped.
#[derive(Debug)]
pub(super) struct Draft {
    game: PgnGame,
    /// The position after the moves so far.
    position: Position,
    max_plies: usize,
    /// The number of bytes that may still be stored.
    budget: usize,
    /// The tag `FEN` and its place.
    fen: Option<(String, Place)>,
    tag_result: Option<GameResult>,
    result: Option<GameResult>,
    has_tags: bool,
    has_event: bool,
    /// Whether the movetext has begun and the tags have been evaluated.
    begun: bool,
    /// Whether a move was omitted because of `max_plies`.
    cut: bool,
    /// The number of open variations.
    depth: usize,
    fault: Option<(PgnErrorKind, Place)>,
}

impl Draft {
    /// The greatest number of bytes to store for a game.
    const LIMIT: usize = 1 << 24;

    pub(super) fn new(max_plies: usize) -> Self {
        let game = PgnGame::default();
        let position = game.start.clone();
        Self {
            game,
            position,
            max_plies,
            budget: Self::LIMIT,
            fen: None,
            tag_result: None,
            result: None,
            has_tags: false,
            has_event: false,
            begun: false,
            cut: false,
            depth: 0,
            fault: None,
        }
    }

    /// Whether nothing but comments has been read.
    pub(super) fn is_empty(&self) -> bool {
        !self.begun && !self.has_tags && self.fault.is_none()
    }

    /// Whether a tag with this name begins another game: it follows the movetext, or it is a second `Event` tag.
    pub(super) fn is_followed_by(&self, name: &str) -> bool {
        self.begun || (name == "Event" && self.has_event)
    }

    /// Records a fault, unless there is an earlier one.
    pub(super) fn fail(&mut self, kind: PgnErrorKind, place: Place) {
        if matches!(kind, PgnErrorKind::UnterminatedComment) {
            // The next tag belongs to another game.
            self.begin();
        }
        self.fault.get_or_insert((kind, place));
    }

    /// Returns the game, or its first fault.
    pub(super) fn finish(mut self, end: Place) -> Result<PgnGame, (PgnErrorKind, Place)> {
        // The tags of a game without moves are not yet evaluated.
        self.begin();
        if self.depth > 0 {
            self.fail(PgnErrorKind::UnterminatedVariation, end);
        }
        self.game.result = self.result.or(self.tag_result).unwrap_or_default();
        self.fault.map_or(Ok(self.game), Err)
    }

    pub(super) fn tag(&mut self, name: String, value: String, place: Place) {
        if !self.has_tags {
            // A comment before the tags does not belong to this game.
            self.game.comment = None;
        }
        self.has_tags = true;
        self.has_event |= name == "Event";
        if !self.afford(name.len() + value.len() + size_of::<(String, String)>(), place) {
            return;
        }
        match name.as_str() {
            "FEN" => self.fen = Some((value, place)),
            "Result" => self.tag_result = value.parse().ok(),
            "Variant" => match is_chess960(&value) {
                Some(chess960) => self.game.chess960 = chess960,
                None => self.fail(PgnErrorKind::Variant(excerpt(&value)), place),
            },
            _ if is_derived(&name) => {}
            _ => self.game.tags.push((name, value)),
        }
    }

    pub(super) fn comment(&mut self, text: &str, place: Place) {
        if self.depth > 0 || self.cut || text.is_empty() || !self.afford(text.len() + 1, place) {
            return;
        }
        let comment = match self.game.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.game.comment,
        };
        match comment {
            Some(before) => {
                before.push(' ');
                before.push_str(text);
            }
            None => *comment = Some(text.to_owned()),
        }
    }

    /// Begins a variation.
    pub(super) fn open(&mut self) {
        self.begin();
        self.depth += 1;
    }

    /// Ends a variation.
    pub(super) fn close(&mut self, place: Place) {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => self.fail(PgnErrorKind::Unexpected(')'), place),
        }
    }

    /// Handles a word of the movetext. Returns whether it ends the game.
    pub(super) fn word(&mut self, word: &str, place: Place) -> bool {
        self.begin();
        if self.depth > 0 {
            return false;
        }
        match classify(word) {
            Symbol::Nothing => {}
            Symbol::Result(result) => {
                self.result = Some(result);
                return true;
            }
            Symbol::Move(_) if self.game.moves.len() >= self.max_plies => self.cut = true,
            Symbol::Move(text) => {
                if self.afford(size_of::<PgnMove>(), place) {
                    self.play(text, place);
                }
            }
        }
        false
    }

    fn play(&mut self, text: &str, place: Place) {
        match parse_san(&self.position, text) {
            Ok(mv) => {
                self.position = self.position.play_unchecked(mv);
                self.game.moves.push(mv.into());
            }
            Err(error) => self.fail(error.into(), place),
        }
    }

    /// Evaluates the tags at the beginning of the movetext.
    fn begin(&mut self) {
        if self.begun {
            return;
        }
        self.begun = true;
        let Some((fen, place)) = self.fen.take() else { return };
        match Position::from_fen_with(&fen, Tolerance::ALL) {
            Ok(start) => {
                self.position = start.clone();
                self.game.start = start;
            }
            Err(error) => self.fail(error.into(), place),
        }
    }

    /// Reserves memory. Returns whether the bytes may be stored; never for a game with a fault.
    fn afford(&mut self, bytes: usize, place: Place) -> bool {
        match self.budget.checked_sub(bytes) {
            Some(rest) => self.budget = rest,
            None => self.fail(PgnErrorKind::TooLong, place),
        }
        self.fault.is_none()
    }
}
