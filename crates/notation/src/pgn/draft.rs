//! A game that is being read.

use super::symbol::{Symbol, classify};
use super::tags::{is_chess960, is_derived};
use super::{GameResult, PgnErrorKind, PgnGame, PgnMove};
use crate::san::parse_san;
use crate::text::excerpt;
use bartizan_position::{Position, Tolerance};

/// A line and a column, from 1.
pub(super) type Place = (usize, usize);

/// A game that is being read. Its first fault is remembered, and the rest of it is passed over.
#[derive(Debug)]
pub(super) struct Draft {
    game: PgnGame,
    /// The position after the moves so far.
    position: Position,
    max_plies: usize,
    /// How many bytes may still be kept.
    budget: usize,
    /// The tag `FEN`, and where it stands.
    fen: Option<(String, Place)>,
    tag_result: Option<GameResult>,
    result: Option<GameResult>,
    has_tags: bool,
    has_event: bool,
    /// Whether the movetext has begun, and the tags have been understood.
    begun: bool,
    /// Whether a move was left out because of `max_plies`.
    cut: bool,
    /// Variations that are open.
    depth: usize,
    fault: Option<(PgnErrorKind, Place)>,
}

impl Draft {
    /// Bytes kept of one game.
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

    /// Whether there is nothing here but, perhaps, comments.
    pub(super) fn is_empty(&self) -> bool {
        !self.begun && !self.has_tags && self.fault.is_none()
    }

    /// Whether a tag with this name begins another game: behind moves, or where a game without moves had it already.
    pub(super) fn is_followed_by(&self, name: &str) -> bool {
        self.begun || (name == "Event" && self.has_event)
    }

    /// Remembers the first fault.
    pub(super) fn fail(&mut self, kind: PgnErrorKind, place: Place) {
        if matches!(kind, PgnErrorKind::UnterminatedComment) {
            // The next tag is another game's.
            self.begin();
        }
        self.fault.get_or_insert((kind, place));
    }

    /// The game, or its first fault.
    pub(super) fn finish(mut self, end: Place) -> Result<PgnGame, (PgnErrorKind, Place)> {
        // A game without moves has not looked at its tags yet.
        self.begin();
        if self.depth > 0 {
            self.fail(PgnErrorKind::UnterminatedVariation, end);
        }
        self.game.result = self.result.or(self.tag_result).unwrap_or_default();
        self.fault.map_or(Ok(self.game), Err)
    }

    pub(super) fn tag(&mut self, name: String, value: String, place: Place) {
        if !self.has_tags {
            // What stood before the tags was said about the game before, or about the file.
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

    /// A variation begins.
    pub(super) fn open(&mut self) {
        self.begin();
        self.depth += 1;
    }

    /// A variation ends.
    pub(super) fn close(&mut self, place: Place) {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => self.fail(PgnErrorKind::Unexpected(')'), place),
        }
    }

    /// A word of the movetext; `true` if the game ends with it.
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

    /// The tags are complete: the start is known.
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

    /// Whether so many bytes more may be kept. Of a faulty game, none.
    fn afford(&mut self, bytes: usize, place: Place) -> bool {
        match self.budget.checked_sub(bytes) {
            Some(rest) => self.budget = rest,
            None => self.fail(PgnErrorKind::TooLong, place),
        }
        self.fault.is_none()
    }
}
