//! The end of a game.

use super::{PgnParser, State};
use crate::pgn::symbols::begins_moves;
use crate::pgn::{GameResult, PgnProblemKind, Visitor};
use crate::text::{self, excerpt};
use std::io::Read;

impl<R: Read> PgnParser<R> {
    /// Handles the result at the token, and what follows it up to a blank line: comments, which belong to the game,
    /// and text that begins no other game.
    pub(super) fn result<V: Visitor>(&mut self, result: GameResult, visitor: &mut V, state: &mut State) {
        self.check_last_number(visitor, state);
        self.end_line(visitor, state);
        let told = visitor.result(result);
        self.check(told, visitor, state);
        if let Some(tag) = state.result_tag.filter(|&tag| tag != result) {
            self.problem(PgnProblemKind::Result { tag, movetext: result }, visitor, state);
        }
        let mut is_problem_told = false;
        let mut depth = 0_usize;
        while let Some(first) = self.window.next_token_of_block() {
            match first {
                b'%' if self.window.is_line_start() => {
                    self.window.skip_line();
                    continue;
                }
                b'[' => return,
                b'{' | b';' if depth == 0 => {
                    self.comment(first, visitor, state);
                    continue;
                }
                // Such text may contain white space of several bytes.
                0x80.. if self.skip_gap() => continue,
                _ if depth == 0 && self.begins_game(first) => {
                    self.window.at = self.window.token;
                    return;
                }
                _ => {}
            }
            let text = self.text_behind_result(first, &mut depth);
            let is_repeated = depth == 0 && text.parse::<GameResult>() == Ok(result);
            if !is_repeated && !is_problem_told {
                is_problem_told = true;
                self.problem(PgnProblemKind::AfterResult(excerpt(&text)), visitor, state);
            }
            let length = self.window.at - self.window.token;
            self.window.end_word(length);
        }
    }

    /// Whether a game without tags begins at the token, behind a result: with the move number 1, or, at the beginning
    /// of a line, with a first move.
    #[cold]
    fn begins_game(&mut self, first: u8) -> bool {
        if !(first.is_ascii_alphanumeric() || first >= 0x80) {
            return false;
        }
        if first.is_ascii_digit() && self.window.move_number() {
            return self.number_at_token() == 1;
        }
        let is_line_start = self.window.is_line_start();
        let (length, _) = self.word_to_gap();
        let word = &self.window.token_text()[..length];
        word == b"1" || is_line_start && begins_moves(text::decode(word).as_bytes())
    }

    /// Reads a token behind a result. `depth` is the number of open parentheses.
    #[cold]
    fn text_behind_result(&mut self, first: u8, depth: &mut usize) -> String {
        match first {
            b'(' => *depth += 1,
            b')' => *depth = depth.saturating_sub(1),
            b'{' | b';' => {
                let _ = if first == b'{' { self.window.comment(false) } else { self.window.line_comment() };
                return char::from(first).to_string();
            }
            _ if first.is_ascii_alphanumeric() || matches!(first, b'$' | 0x80..) => {
                let length = self.word_to_gap().0;
                let text = text::decode(&self.window.token_text()[..length]).into_owned();
                if text == "1/2" {
                    self.window.skip_half();
                }
                return text;
            }
            _ => {}
        }
        self.window.at = self.window.token + 1;
        char::from(first).to_string()
    }
}
