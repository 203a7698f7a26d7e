//! The grammar of PGN.

use super::lexer::{
    CommentEnd, KNOWN_TAGS, Symbol, begins_moves, classify, comment_text, is_plain_move, known_tag, plain_spelling,
};
use super::tags::derived;
use super::visitor::{Interest, Visitor};
use super::window::Window;
use super::{Comment, MoveText, PgnError, PgnErrorKind, PgnProblemKind};
use crate::san::SanError;
use crate::text::{self, excerpt};
use bartizan_types::GameResult;
use std::borrow::Cow;
use std::io::Read;

/// Reads the games of a PGN file and passes their parts to a [`Visitor`]. It does not check moves.
///
/// It needs no buffered reader. It keeps a window of the input in memory: 64 KiB, or as much as the longest tag or
/// comment takes, at most 2 MiB. Tokens need no allocation, however long a line or deep a variation is.
///
/// ```
/// use bartizan_notation::pgn::{Comment, MoveText, PgnErrorKind, PgnParser, Visitor};
///
/// /// Counts moves and comments of the main line.
/// #[derive(Default)]
/// struct Count(usize, usize);
///
/// impl Visitor for Count {
///     type Output = (usize, usize);
///
///     fn begin_game(&mut self) {
///         *self = Self::default();
///     }
///     fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
///         self.0 += 1;
///         Ok(())
///     }
///     fn comment(&mut self, _: Comment<'_>) -> Result<(), PgnErrorKind> {
///         self.1 += 1;
///         Ok(())
///     }
///     fn end_game(&mut self) -> (usize, usize) {
///         (self.0, self.1)
///     }
/// }
///
/// let mut parser = PgnParser::new("1. e4 {best by test} e5 (1... c5) 2. Nf3 * 1. d4 *".as_bytes());
/// assert_eq!(parser.read_game(&mut Count::default())?, Some((3, 1)));
/// assert_eq!(parser.read_game(&mut Count::default())?, Some((1, 0)));
/// assert_eq!(parser.read_game(&mut Count::default())?, None);
/// # Ok::<(), bartizan_notation::pgn::PgnError>(())
/// ```
#[derive(Debug)]
pub struct PgnParser<R> {
    window: Window<R>,
    games: usize,
    /// Whether a game that reaches the end of the input has been cut there.
    is_cut: bool,
    /// See [`PgnParser::start`].
    start: usize,
    /// The names of the tags of the game.
    names: Names,
}

/// The result of a game that both sides lost.
const LOST_BY_BOTH: &[u8] = b"0-0";

/// The state of the game being read.
#[derive(Debug, Default)]
struct State {
    has_tags: bool,
    /// Whether a blank line has followed the last tag.
    is_behind_blank: bool,
    /// The value of the tag `Result`.
    result_tag: Option<GameResult>,
    /// Whether both sides lost according to the tag `Result`.
    is_lost_by_both: bool,
    /// Whether an error makes the game unreadable.
    is_unreadable: bool,
    /// Whether the movetext has begun.
    begun: bool,
    /// Whether something other than comments has been read.
    is_game: bool,
    /// The offset of the first comment before that.
    comment: Option<usize>,
    /// The number of open variations.
    depth: usize,
    muted: Option<Mute>,
    /// The number of moves since the last move number, or since the beginning of the line. 0 where a move comes next.
    moves: usize,
    /// The last move number of the line, 0 if it has none.
    number: u32,
    /// Whether it has no full stop.
    is_bare: bool,
}

/// What the visitor is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mute {
    /// The movetext: it is skipped, or the game is unreadable.
    Game,
    /// A variation that it skips, of the line at this depth.
    Variation(usize),
    /// The rest of the line at this depth, which has ended at a problem.
    Line(usize),
}

impl State {
    /// Whether the visitor is told about moves.
    #[inline]
    fn is_told(&self) -> bool {
        self.muted.is_none()
    }
}

impl<'a> PgnParser<&'a [u8]> {
    /// Creates a parser of a text, which takes no more memory than the text.
    pub(super) fn of_bytes(bytes: &'a [u8]) -> Self {
        Self::of_window(Window::with_size(bytes, bytes.len()))
    }
}

impl<R: Read> PgnParser<R> {
    /// Creates a parser.
    pub fn new(reader: R) -> Self {
        Self::of_window(Window::new(reader))
    }

    fn of_window(window: Window<R>) -> Self {
        Self { window, games: 0, is_cut: false, start: 0, names: Names::default() }
    }

    /// Sets the number of the first line, for errors: the input is a part of a file.
    #[must_use]
    pub fn first_line(self, line: usize) -> Self {
        self.first_place(line, 1)
    }

    /// Sets the line and the column at which the input begins: it is a part of a file.
    #[must_use]
    pub(super) fn first_place(mut self, line: usize, column: usize) -> Self {
        self.window.set_place(line, column);
        self
    }

    /// The number of bytes of the input before the last game. It begins with its first tag, or, if it has none, with
    /// its first word or the comments in front of it.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Sets whether the input is the beginning of a longer one: then a game that reaches its end is too long.
    #[must_use]
    pub(super) fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut = is_cut;
        self
    }

    /// Whether the input has ended in a comment, which a longer input might close.
    pub(super) fn ends_in_comment(&self) -> bool {
        self.window.ends_in_comment
    }

    /// The number of games that have been read.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The line of the last token that was read, from 1: after a game, that of its result or of what follows.
    pub fn line(&mut self) -> usize {
        self.window.place().0
    }

    /// Reads the next game. Returns what [`Visitor::end_game`] returns, or `None` at the end of the input.
    ///
    /// # Errors
    /// [`PgnErrorKind::Io`] if the input cannot be read. Errors of the text go to [`Visitor::fault`] instead.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, PgnError> {
        self.games += 1;
        self.names.clear();
        let mut state = State::default();
        let mut is_new = true;
        let mut has_result = false;
        loop {
            if !state.is_told() {
                self.window.skip_plain();
            } else if state.has_tags && !state.begun && !state.is_behind_blank {
                state.is_behind_blank = self.window.is_before_blank_line();
            }
            let Some(first) = self.window.next_token() else {
                if let Some(error) = self.window.take_error() {
                    return Err(self.error(error.into()));
                }
                if !state.is_game {
                    self.games -= 1;
                    return Ok(None);
                }
                if self.is_cut {
                    self.fail(PgnErrorKind::TooLong(GAME_TOO_LONG), visitor, &mut state);
                }
                break;
            };
            if first == b'%' && self.window.is_line_start() {
                // Such lines are for other programs.
                self.window.skip_line();
                continue;
            }
            if is_new {
                is_new = false;
                visitor.begin_game();
            }
            let result = match first {
                b'[' => {
                    let mut ends = self.tag(visitor, &mut state);
                    while !ends && self.window.next_line_is_tag() {
                        ends = self.tag(visitor, &mut state);
                    }
                    if ends {
                        break;
                    }
                    None
                }
                b'{' | b';' => {
                    self.comment(first, visitor, &mut state);
                    None
                }
                b'(' => {
                    self.begin_variation(visitor, &mut state);
                    None
                }
                b')' => {
                    self.end_variation(visitor, &mut state);
                    None
                }
                b'.' => {
                    self.window.skip_periods();
                    state.is_bare = false;
                    None
                }
                b'<' => {
                    self.angle_brackets(visitor, &mut state);
                    None
                }
                b'*' => self.asterisk(visitor, &mut state),
                b'}' | b']' | b'"' | b'>' => {
                    self.unexpected(first, visitor, &mut state);
                    None
                }
                _ => self.word(first, visitor, &mut state),
            };
            if let Some(result) = result {
                has_result = true;
                self.result(result, visitor, &mut state);
                break;
            }
        }
        self.end(has_result, visitor, &mut state);
        Ok(Some(visitor.end_game()))
    }

    /// Handles the result at the token, and what follows it up to a blank line: comments, which belong to the game,
    /// and text that begins no other game.
    fn result<V: Visitor>(&mut self, result: GameResult, visitor: &mut V, state: &mut State) {
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

    /// Ends the game: behind its result, before the next game, or at the end of the input.
    fn end<V: Visitor>(&mut self, has_result: bool, visitor: &mut V, state: &mut State) {
        if state.has_tags {
            self.begin(visitor, state);
        }
        if !has_result {
            self.check_last_number(visitor, state);
        }
        let told = match state.muted {
            None => state.depth,
            Some(Mute::Game) => 0,
            Some(Mute::Variation(depth) | Mute::Line(depth)) => depth,
        };
        self.end_line(visitor, state);
        (0..told).for_each(|_| visitor.end_variation());
        if !state.is_unreadable && state.depth > 0 {
            self.problem(PgnProblemKind::UnterminatedVariation, visitor, state);
        }
        if let Some(tag) = state.result_tag
            && !state.is_unreadable
            && !has_result
            && tag != GameResult::Unknown
        {
            self.problem(PgnProblemKind::NoResult(tag), visitor, state);
        }
        if let Some(comment) = state.comment
            && !state.has_tags
        {
            self.start = comment;
        }
    }

    /// Handles a tag, or what looks like one. Returns whether it belongs to the next game; it is then left to be read
    /// again.
    fn tag<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) -> bool {
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

    /// Handles a comment in braces or after a semicolon.
    #[inline]
    fn comment<V: Visitor>(&mut self, first: u8, visitor: &mut V, state: &mut State) {
        if !state.is_game {
            state.comment.get_or_insert(self.window.offset());
        }
        let wanted = state.is_told();
        let end = if first == b'{' { self.window.comment(wanted) } else { self.window.line_comment() };
        let length = match end {
            CommentEnd::Closed(length) => length,
            other => match self.faulty_comment(other, visitor, state) {
                Some(length) => length,
                None => return,
            },
        };
        if wanted {
            let told = visitor.comment(comment_text(self.window.token_text(), length));
            self.check(told, visitor, state);
        }
    }

    /// Reports what is wrong with a comment. Returns the length of its text if it can be read.
    #[cold]
    fn faulty_comment<V: Visitor>(&mut self, end: CommentEnd, visitor: &mut V, state: &mut State) -> Option<usize> {
        let (kind, length) = match end {
            CommentEnd::Closed(length) => return Some(length),
            CommentEnd::Nested(length) => (PgnProblemKind::NestedComment, length),
            CommentEnd::Missing(_) if self.is_cut && self.window.is_over() => {
                self.fail(PgnErrorKind::TooLong(GAME_TOO_LONG), visitor, state);
                return None;
            }
            CommentEnd::Missing(length) => {
                // The tag that follows belongs to another game.
                state.begun = true;
                (PgnProblemKind::UnterminatedComment, length)
            }
            CommentEnd::TooLong => {
                if state.is_told() {
                    self.fail(PgnErrorKind::TooLong("a comment of more than 1 MiB"), visitor, state);
                }
                return None;
            }
        };
        if !state.is_unreadable {
            self.problem(kind, visitor, state);
        }
        Some(length)
    }

    #[inline]
    fn begin_variation<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        self.window.at += 1;
        self.begin(visitor, state);
        if state.is_told() && visitor.begin_variation() == Interest::Skip {
            state.muted = Some(Mute::Variation(state.depth));
        }
        state.depth += 1;
        (state.moves, state.number, state.is_bare) = (0, 0, false);
    }

    #[inline]
    fn end_variation<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        let Some(depth) = state.depth.checked_sub(1) else {
            self.window.at += 1;
            self.begin(visitor, state);
            if state.is_told() {
                self.problem(PgnProblemKind::Parenthesis, visitor, state);
            }
            return;
        };
        self.check_last_number(visitor, state);
        if state.muted == Some(Mute::Line(state.depth)) {
            self.end_line(visitor, state);
        }
        self.window.at += 1;
        state.depth = depth;
        (state.moves, state.number, state.is_bare) = (1, 0, false);
        if state.is_told() {
            visitor.end_variation();
        } else if state.muted == Some(Mute::Variation(depth)) {
            state.muted = None;
        }
    }

    /// Passes on the text that follows the problem at which a line has ended, up to the token.
    #[inline]
    fn end_line<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if let Some(Mute::Line(_)) = state.muted {
            state.muted = None;
            visitor.rest(Comment(&self.window.take_kept()));
        }
    }

    /// Handles text in angle brackets.
    #[cold]
    fn angle_brackets<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        let is_null = self.window.reserved();
        self.begin(visitor, state);
        if !state.is_told() {
            return;
        }
        if is_null {
            state.moves += 1;
            let told = visitor.san(MoveText(b"<>"));
            self.check(told, visitor, state);
        } else {
            self.problem(PgnProblemKind::Reserved, visitor, state);
        }
    }

    /// Handles `*`: the result, unless it is a part of a word.
    fn asterisk<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) -> Option<GameResult> {
        if self.window.is_part_of_word() {
            self.unexpected(b'*', visitor, state);
            return None;
        }
        self.window.at += 1;
        self.begin(visitor, state);
        (state.depth == 0).then_some(GameResult::Unknown)
    }

    /// Handles a character that is not valid in its place.
    #[cold]
    fn unexpected<V: Visitor>(&mut self, character: u8, visitor: &mut V, state: &mut State) {
        self.window.at = self.window.token + 1;
        self.begin(visitor, state);
        if state.is_told() {
            let kind = match character {
                b'}' => PgnProblemKind::Brace,
                other => PgnProblemKind::Unexpected(other.into()),
            };
            self.problem(kind, visitor, state);
        }
    }

    /// Handles a word. Returns the result if it ends the game.
    #[inline]
    fn word<V: Visitor>(&mut self, first: u8, visitor: &mut V, state: &mut State) -> Option<GameResult> {
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
    fn check_last_number<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if state.is_bare && state.moves == 0 && state.is_told() {
            self.not_a_number(state.number, visitor, state);
        }
    }

    /// The number at the token; 0 if it does not fit.
    #[inline]
    fn number_at_token(&self) -> u32 {
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
    fn skip_gap(&mut self) -> bool {
        let (length, _) = self.window.word();
        let gap = text::length_while(&self.window.token_text()[..length], is_gap);
        self.window.at = self.window.token + gap;
        gap > 0
    }

    /// Reads the word at the token, up to the white space of [`PgnParser::skip_gap`]. Returns its length, and whether
    /// it is ASCII.
    #[inline]
    fn word_to_gap(&mut self) -> (usize, bool) {
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

    /// Begins the movetext.
    #[inline]
    fn begin<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if !state.begun {
            state.begun = true;
            self.begin_game(state);
            let interest = visitor.begin_moves().unwrap_or_else(|kind| {
                self.fail(kind, visitor, state);
                Interest::Read
            });
            if interest == Interest::Skip || state.is_unreadable {
                state.muted = Some(Mute::Game);
            }
        }
    }

    /// Begins the game at the token, unless it has begun.
    #[inline]
    fn begin_game(&mut self, state: &mut State) {
        if !state.is_game {
            state.is_game = true;
            self.start = self.window.offset();
        }
    }

    #[inline]
    fn check<V: Visitor>(&mut self, told: Result<(), PgnErrorKind>, visitor: &mut V, state: &mut State) {
        if let Err(kind) = told {
            self.fail(kind, visitor, state);
        }
    }

    #[cold]
    fn problem<V: Visitor>(&mut self, kind: PgnProblemKind, visitor: &mut V, state: &mut State) {
        self.fail(kind.into(), visitor, state);
    }

    #[cold]
    fn fail<V: Visitor>(&mut self, kind: PgnErrorKind, visitor: &mut V, state: &mut State) {
        self.begin_game(state);
        match &kind {
            PgnErrorKind::Problem(kind) if kind.ends_line() && state.is_told() => {
                state.muted = Some(Mute::Line(state.depth));
                self.window.keep();
            }
            PgnErrorKind::Problem(_) => {}
            _ => {
                state.is_unreadable = true;
                if state.begun {
                    state.muted = Some(Mute::Game);
                    self.window.take_kept();
                }
            }
        }
        visitor.fault(self.error(kind));
    }

    /// An error at the token.
    fn error(&mut self, kind: PgnErrorKind) -> PgnError {
        let (line, column) = self.window.place();
        PgnError { game: self.games, line, column, kind }
    }
}

const GAME_TOO_LONG: &str = "a game of more than 16 MiB";

/// Whether a character of a word separates words: white space of several bytes, an ellipsis, or a byte order mark.
fn is_gap(c: char) -> bool {
    text::is_blank(c) || matches!(c, '\u{feff}' | '\u{2026}')
}

/// Whether a word of digits is a move number rather than a null move.
fn is_move_number(word: &[u8]) -> bool {
    word != b"0000" && word.iter().all(u8::is_ascii_digit)
}

/// The names of the tags of a game, to find those that are repeated.
#[derive(Debug, Default)]
struct Names {
    /// A bit for each of [`KNOWN_TAGS`].
    known: u64,
    /// Other names, each with a line end.
    others: String,
    count: usize,
}

impl Names {
    /// The number of other names that are compared, so that the time is linear in the length of the input.
    const LIMIT: usize = 64;

    fn clear(&mut self) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameResult, MoveText, Nag, TagValue};

    /// Records the values of tags, moves and results, and skips the movetext of some games.
    #[derive(Default)]
    struct Notes {
        text: String,
        skips: bool,
    }

    impl Visitor for Notes {
        type Output = String;

        fn begin_game(&mut self) {
            self.text.clear();
        }

        fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
            self.text += &format!("{name}={} ", value.decode());
            Ok(())
        }

        fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
            Ok(if self.skips { Interest::Skip } else { Interest::Read })
        }

        fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
            self.text += &format!("{} ", text.decode());
            Ok(())
        }

        fn begin_variation(&mut self) -> Interest {
            self.text.push('(');
            Interest::Read
        }

        fn end_variation(&mut self) {
            self.text.push(')');
        }

        fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
            if !self.skips {
                self.text += result.as_str();
            }
            Ok(())
        }

        fn end_game(&mut self) -> String {
            self.text.clone()
        }
    }

    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let length = self.1.min(to.len());
            self.0.take(length as u64).read(to).inspect(|&length| self.0 = &self.0[length..])
        }
    }

    fn games(text: &str, size: usize, skips: bool) -> Vec<String> {
        let mut parser = PgnParser::new(Drops(text.as_bytes(), size));
        let mut notes = Notes { skips, ..Notes::default() };
        std::iter::from_fn(|| parser.read_game(&mut notes).unwrap()).collect()
    }

    const TEXT: &str = "[A \"x\"]\n[B_1 \"a\\\\b\"]\n\n1. e4 O-O (1. d4 {1-0 [C \"x\"]} (c4 1-0)) 0-0-0 \
                        e8(Q) $3 !? -- 1-0\n\
                        [A \"1\"]1.d4{a}d5;1-0\n*\n%[A \"x\"]\n1. e4 1/2 1. c4 \u{bd}-\u{bd}\n\
                        [A \"2\"]\n\n1. e4 {open\n[Event \"3\"]\n[A  \"4\" ]\n\n1. f4 Nf6 2. \
                        xxxxxxxxxxxxxxxxxxxxxxxxx 0-1\n\
                        [A \"5\"]\n[A 6]\n\n1. g3 (1. g4 [A \"7\"]\n\n* [A \"8\"]";

    #[test]
    fn a_visitor_is_told_everything() {
        let expected = [
            "A=x B_1=a\\b e4 O-O (d4 (c4 ))0-0-0 e8(Q) -- 1-0",
            "A=1 d4 d5 *",
            "e4 1/2-1/2",
            "c4 1/2-1/2",
            "A=2 e4 ",
            "Event=3 A=4 f4 Nf6 xxxxxxxxxxxxxxxxxxxxxxxxx 0-1",
            "A=5 g3 (g4 )",
            "A=7 *",
            "A=8 ",
        ];
        assert_eq!(games(TEXT, 1 << 20, false), expected);
    }

    #[test]
    fn results_that_are_not_in_the_standard_end_a_game() {
        let text = "1. e4 1/2 - 1/2 1. d4 1/2-0 1. c4 0-\u{bd} 1. f4 1/2  - 1. g4 1/2 -\n1/2 * ";
        let expected = ["e4 1/2-1/2", "d4 *", "c4 *", "f4 1/2-1/2", "g4 1/2-1/2"];
        // Castling is written like that, too.
        let lost = "[Result \"0-0\"]\n\n1. e4 0-0 (0-0) 2. Nf3 0-0\n\n[Result \"*\"]\n\n1. d4 0-0";
        let by_both = ["Result=0-0 e4 0-0 (0-0 )Nf3 *", "Result=* d4 0-0 "];
        for size in [1, 3, 1 << 20] {
            assert_eq!(games(text, size, false), expected, "{size}");
            assert_eq!(games(lost, size, false), by_both, "{size}");
            assert_eq!(games(lost, size, true), ["Result=0-0 ", "Result=* "], "{size}");
        }
    }

    #[test]
    fn what_follows_a_result_up_to_a_blank_line_is_no_game() {
        let text = "[A \"1\"]\n\n1. e4 1-0\n1-0\n\n[A \"2\"]\n1. d4 1-0 White wins, 34 moves (1. x {)} [B \"x\"]\n\
                    1. c4 1/2 (1. c4 {agreed)} ; )\n1-0) \u{bd}-\u{bd} $1 \" -- Ke2 Nf6\n% 1. d4\n*\r\n\r\n\
                    1. Nf3 0-1 Black\u{a0}won 1...x *!\u{a0}b3 * 0-1 2 a4 0-1 )\n\
                    {b} White wins 1-0 \n\nx \n\n * 1-0\n\u{feff}[A \"3\"]\n* ({";
        let expected = ["A=1 e4 1-0", "A=2 d4 1-0", "B=x c4 1/2-1/2", "Nf3 0-1", "x *", "x *", "A=3 *"];
        for size in [1, 3, 1 << 20] {
            assert_eq!(games(text, size, false), expected, "{size}");
        }
    }

    #[test]
    fn a_result_behind_a_comment_is_no_game() {
        let text = "1. e4 1-0 {Black resigns} 1-0\n\n1. d4 0-1 ; White resigns\n0-1 1-0 {b}\n1. c4 * {c}\n\n1-0 \
                    1. f4 * {d}1/2-1/2 {e}*\n\n\
                    1. e3 1-0 {a} {b\n\n} ; 0-1\n% *\n1-0\n\n\
                    1. d3 * {a} {b} 1. c3 * {a}\n{b}\n\n1-0";
        let expected = ["e4 1-0", "d4 0-1", "c4 *", "1-0", "f4 *", "e3 1-0", "d3 *", "c3 *", "1-0"];
        for size in [1, 3, 1 << 20] {
            assert_eq!(games(text, size, false), expected, "{size}");
        }
    }

    #[test]
    fn a_faulty_comment_belongs_to_the_game_in_front_of_it_up_to_a_blank_line() {
        #[derive(Default)]
        struct Faults(Vec<String>);
        impl Visitor for Faults {
            type Output = ();
            fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
                Ok(())
            }
            fn fault(&mut self, error: PgnError) {
                self.0.push(error.to_string());
            }
            fn end_game(&mut self) {}
        }
        let long = "c4 ".repeat(700_000);
        for (text, fault) in [
            (format!("1. e4 1-0\n{{{long}\n\n1. d4 *"), "unterminated comment"),
            (format!("1. e4 1-0\n{{{long}}} 1-0"), "too long: a comment of more than 1 MiB"),
            ("1. e4 1-0\n{c4\n\n[Event \"?\"] 1. d4 *".to_owned(), "unterminated comment"),
        ] {
            for (text, game) in [(text.clone(), 1), (text.replacen('\n', "\n\n", 1), 2)] {
                let mut parser = PgnParser::new(text.as_bytes());
                let mut visitor = Faults::default();
                while parser.read_game(&mut visitor).unwrap().is_some() {}
                assert_eq!(visitor.0, [format!("game {game}, line {}, column 1: {fault}", game + 1)]);
            }
        }
    }

    #[test]
    fn a_first_move_behind_a_result_begins_a_game() {
        let text = "e2e4 1-0\nd2-d4 1-0\n1 Ng1-f3 0-1\nNg1f3 *\nNb1a3! * Nc3\nNg1-e2 *\ne2 *\ne2e5 *\nNc3 *";
        let expected = ["e2e4 1-0", "d2-d4 1-0", "Ng1-f3 0-1", "Ng1f3 *", "Nb1a3 *", "Nc3 *"];
        for size in [1, 3, 1 << 20] {
            assert_eq!(games(text, size, false), expected, "{size}");
        }
    }

    #[test]
    fn glyphs_are_attached_to_moves() {
        #[derive(Default)]
        struct Glyphs(String);
        impl Visitor for Glyphs {
            type Output = String;
            fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
                self.0 += &format!("{} ", text.decode());
                Ok(())
            }
            fn nag(&mut self, nag: Nag) {
                self.0 += &format!("{nag} ");
            }
            fn end_game(&mut self) -> String {
                std::mem::take(&mut self.0)
            }
        }
        let text = "1. e4+- e5-+ 2. Nf3!? Qh4+ 3. Qxf7+!\u{b1} O-O= 4. e8=Q+/- exd1=N+=/+ \
                    5. O-O-O!!! 6. Ra1#+- 0-0+\u{2212} 7. d4\u{221e} e8(Q)+= *";
        let expected = "e4 $18 e5 $19 Nf3 $5 Qh4+ Qxf7+ $1 $16 O-O $10 e8=Q $16 exd1=N+ $15 O-O-O $3 \
                        Ra1# $18 0-0 $18 d4 $13 e8(Q) $14 ";
        let letters = "1. e4 N (1. d4 N) e5 D 2. Nf3 RR Nc6 ! R 3. e8R e1=R! *";
        let numbers = "e4 $146 e5 $201 Nf3 $145 Nc6 $1 $144 e8R e1=R $1 ";
        for size in [1, 3, 1 << 20] {
            for (text, expected) in [(text, expected), (letters, numbers)] {
                let mut parser = PgnParser::new(Drops(text.as_bytes(), size));
                assert_eq!(parser.read_game(&mut Glyphs::default()).unwrap().as_deref(), Some(expected), "{size}");
            }
        }
    }

    #[test]
    fn a_carriage_return_ends_a_comment_of_a_line() {
        let text = "[A \"1\"]\r\r1. e4 ;best\re5 *\r\r[A \"2\"]\r\r1. d4 ;1-0\r*\r";
        for size in [1, 7, 1 << 20] {
            assert_eq!(games(text, size, false), ["A=1 e4 e5 *", "A=2 d4 *"], "{size}");
            assert_eq!(games(text, size, true), ["A=1 ", "A=2 "], "{size}");
        }
    }

    #[test]
    fn the_case_of_names_with_a_meaning_does_not_matter() {
        assert_eq!(games("[Fen \"x\"][SETUP \"1\"][white \"a\"] *", 9, false), ["FEN=x SetUp=1 white=a *"]);
    }

    #[test]
    fn skipped_games_end_where_others_do() {
        let tags = |game: &String| -> String { game.split_inclusive(' ').filter(|word| word.contains('=')).collect() };
        for text in [TEXT.to_owned(), format!("1. {} * {TEXT}", "x".repeat(5_000))] {
            let expected: Vec<String> = games(&text, 1 << 20, false).iter().map(tags).collect();
            for size in [1, 2, 5, 16, 33, 1 << 20] {
                assert_eq!(games(&text, size, true), expected, "{size}");
            }
        }
    }
}
