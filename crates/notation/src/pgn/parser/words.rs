//! The words of the movetext: moves, numbers, glyphs and results.

use super::{LOST_BY_BOTH, PgnParser, State};
use crate::pgn::symbols::{Symbol, classify, is_plain_move, plain_spelling};
use crate::pgn::{GameResult, MoveText, PgnErrorKind, PgnProblemKind, Visitor};
use crate::san::SanError;
use crate::text::{self, excerpt};
use std::io::Read;

impl<R: Read> PgnParser<R> {
    /// Handles a word. Returns the result if it ends the game.
    #[inline]
    pub(super) fn word<V: Visitor>(&mut self, first: u8, visitor: &mut V, state: &mut State) -> Option<GameResult> {
        if first.is_ascii_digit() && self.window.move_number() {
            if state.is_told() {
                self.begin(visitor, state);
                self.number(false, visitor, state);
            }
            return None;
        }
        if first >= 0x80 && self.skip_gap() {
            return None;
        }
        let (length, is_ascii) = self.word_to_gap();
        if !is_ascii {
            return self.foreign_word(length, visitor, state);
        }
        let is_number = first.is_ascii_digit();
        // While skipping, only a result matters.
        if !state.is_told() && (state.depth > 0 || !is_number) {
            self.window.end_word(length);
            return None;
        }
        if !state.begun && state.has_tags && self.window.is_tag_without_bracket() {
            self.problem(PgnProblemKind::Tag, visitor, state);
            self.window.skip_line();
            return None;
        }
        self.begin(visitor, state);
        let is_told = state.is_told();
        let word = &self.window.token_text()[..length];
        if is_told && is_plain_move(word) {
            state.moves += 1;
            let told = visitor.san(MoveText(word));
            self.check(told, visitor, state);
            self.window.end_word(length);
            return None;
        }
        if is_number && state.is_lost_by_both && self.is_lost_by_both(length, state) {
            return Some(GameResult::Unknown);
        }
        let word = &self.window.token_text()[..length];
        if is_number && is_move_number(word) {
            if is_told {
                self.number(true, visitor, state);
            }
            self.window.end_word(length);
            return None;
        }
        let symbol = match classify(word) {
            // A letter that something else follows without a space is no glyph.
            Symbol::Nag(_)
                if word[0].is_ascii_alphabetic() && matches!(self.window.ahead(), [b'.' | b'$' | b'<' | b'[', ..]) =>
            {
                Symbol::Move(MoveText(word), [None; 2])
            }
            symbol => symbol,
        };
        let (result, told) = Self::symbol(word, symbol, visitor, state);
        self.check(told, visitor, state);
        self.window.end_word(length);
        if result.is_some() && &self.window.token_text()[..length] == b"1/2" {
            self.window.skip_half();
        }
        result
    }

    /// Handles the move number at the token. Behind another one, a move is missing. Without a full stop, it may be what
    /// is left of a move, so it must fit.
    #[inline]
    fn number<V: Visitor>(&mut self, is_bare: bool, visitor: &mut V, state: &mut State) {
        let number = self.number_at_token();
        let is_first = state.number == 0;
        let fits = is_first
            || number == state.number
            || state.moves > 0 && (!is_bare || number == state.number.wrapping_add(1));
        if !fits {
            self.not_a_number(number, visitor, state);
        } else if !is_first && (number < state.number || number == state.number && state.moves > 1) {
            self.problem(PgnProblemKind::Number { number, previous: state.number }, visitor, state);
        }
        (state.moves, state.number, state.is_bare) = (0, number, is_bare);
    }

    #[cold]
    fn not_a_number<V: Visitor>(&mut self, number: u32, visitor: &mut V, state: &mut State) {
        let text = number.to_string();
        self.fail(SanError::Syntax { text }.into(), visitor, state);
    }

    /// Reports a number without a full stop at the end of a line: it is no move number.
    #[inline]
    pub(super) fn check_last_number<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if state.is_bare && state.moves == 0 && state.is_told() {
            self.not_a_number(state.number, visitor, state);
        }
    }

    /// The number at the token; 0 if it does not fit.
    #[inline]
    pub(super) fn number_at_token(&self) -> u32 {
        let digits = self.window.token_text().iter().take_while(|byte| byte.is_ascii_digit()).take(10);
        digits.fold(0_u32, |number, byte| number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')))
    }

    /// Whether the word at the token is the result `0-0` rather than castling: at the end of a game whose tag has this
    /// result.
    #[cold]
    fn is_lost_by_both(&mut self, length: usize, state: &State) -> bool {
        state.depth == 0 && &self.window.token_text()[..length] == LOST_BY_BOTH && self.window.is_last_word()
    }

    /// Skips multi-byte white space, an ellipsis, or the byte order mark of a file that was appended to another.
    /// Returns whether there is any.
    #[cold]
    pub(super) fn skip_gap(&mut self) -> bool {
        let (length, _) = self.window.word();
        let gap = text::length_while(&self.window.token_text()[..length], is_gap);
        self.window.at = self.window.token + gap;
        gap > 0
    }

    /// Reads the word at the token, up to the white space of [`PgnParser::skip_gap`]. Returns its length, and whether
    /// it is ASCII.
    #[inline]
    pub(super) fn word_to_gap(&mut self) -> (usize, bool) {
        let (length, is_ascii) = self.window.word();
        if is_ascii { (length, true) } else { self.foreign_length(length) }
    }

    #[cold]
    fn foreign_length(&mut self, length: usize) -> (usize, bool) {
        let word = &self.window.token_text()[..length];
        let part = text::length_while(word, |c| !is_gap(c));
        let is_ascii = word[..part].is_ascii();
        if part < length {
            self.window.at = self.window.token + part;
        }
        (part, is_ascii)
    }

    /// Handles a word that is not ASCII.
    #[cold]
    fn foreign_word<V: Visitor>(&mut self, length: usize, visitor: &mut V, state: &mut State) -> Option<GameResult> {
        if !state.is_told() && state.depth > 0 {
            self.window.end_word(length);
            return None;
        }
        let word = plain_spelling(&text::decode(&self.window.token_text()[..length]));
        if state.is_told() {
            self.begin(visitor, state);
        }
        let (result, told) = Self::symbol(word.as_bytes(), classify(word.as_bytes()), visitor, state);
        self.check(told, visitor, state);
        self.window.end_word(length);
        result
    }

    /// Handles a word of the movetext, which has begun. Returns the result if it ends the game, and what the visitor
    /// says.
    #[inline]
    fn symbol<V: Visitor>(
        word: &[u8],
        symbol: Symbol<'_>,
        visitor: &mut V,
        state: &mut State,
    ) -> (Option<GameResult>, Result<(), PgnErrorKind>) {
        if let Symbol::Result(result) = symbol {
            return ((state.depth == 0).then_some(result), Ok(()));
        }
        if !state.is_told() {
            return (None, Ok(()));
        }
        let told = match symbol {
            Symbol::Move(text, glyphs) => {
                state.moves += 1;
                let told = visitor.san(text);
                if told.is_ok() {
                    glyphs.into_iter().flatten().for_each(|nag| visitor.nag(nag));
                }
                told
            }
            // A letter that stands for a glyph or a remark belongs to a move before it.
            Symbol::Nag(_) | Symbol::Remark if state.moves == 0 && word[0].is_ascii_alphabetic() => {
                Err(SanError::Syntax { text: excerpt(&text::decode(word)) }.into())
            }
            Symbol::Nag(nag) => {
                visitor.nag(nag);
                Ok(())
            }
            Symbol::UnknownNag => Err(PgnProblemKind::Glyph(excerpt(&text::decode(word))).into()),
            Symbol::Remark => visitor.remark(MoveText(word)),
            Symbol::Number | Symbol::Result(_) => Ok(()),
        };
        (None, told)
    }
}

/// Whether a character of a word separates words: white space of several bytes, an ellipsis, or a byte order mark.
fn is_gap(c: char) -> bool {
    text::is_blank(c) || matches!(c, '\u{feff}' | '\u{2026}')
}

/// Whether a word of digits is a move number rather than a null move.
fn is_move_number(word: &[u8]) -> bool {
    word != b"0000" && word.iter().all(u8::is_ascii_digit)
}
