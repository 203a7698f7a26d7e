//! The grammar of PGN.

use super::lexer::{Symbol, begins_moves, classify, comment_text, is_plain_move};
use super::tags::derived;
use super::visitor::{Interest, Visitor};
use super::window::Window;
use super::{MoveText, PgnError, PgnErrorKind};
use crate::text::{self, number_length};
use bartizan_types::GameResult;
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
    keeps_rest: bool,
    rest: Vec<u8>,
    /// Whether a game that reaches the end of the input has been cut there.
    is_cut: bool,
    /// See [`PgnParser::start`].
    start: usize,
    /// Whether the last game has ended with its result.
    is_behind_result: bool,
    /// The error of a comment after it, which belongs to the next game.
    fault_behind: Option<PgnErrorKind>,
}

/// The result of a game that both sides lost.
const LOST_BY_BOTH: &[u8] = b"0-0";

/// Whether a character of a word separates words: white space of several bytes, or a byte order mark.
fn is_gap(c: char) -> bool {
    text::is_blank(c) || c == '\u{feff}'
}

/// The state of the game being read.
#[derive(Debug, Default)]
struct State {
    has_tags: bool,
    has_event: bool,
    /// Whether both sides lost according to the tag `Result`.
    is_lost_by_both: bool,
    /// Whether the movetext has begun.
    begun: bool,
    /// Whether something other than comments has been read.
    is_game: bool,
    /// The offset of the first comment before that.
    comment: Option<usize>,
    /// The number of open variations.
    depth: usize,
    /// The number of open variations when the visitor lost interest.
    muted: Option<usize>,
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
        Self {
            window,
            games: 0,
            keeps_rest: false,
            rest: Vec::new(),
            is_cut: false,
            start: 0,
            is_behind_result: false,
            fault_behind: None,
        }
    }

    /// Makes [`PgnParser::rest`] available.
    #[must_use]
    pub fn keep_rest(mut self, keep: bool) -> Self {
        self.keeps_rest = keep;
        self
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

    /// The number of games that have been read.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The line of the last token that was read, from 1: after a game, that of its result or of its last word.
    pub fn line(&mut self) -> usize {
        self.window.place().0
    }

    /// The text of the last game from its first error on, at most 16 MiB. Empty if the game has no error, or without
    /// [`PgnParser::keep_rest`].
    pub fn rest(&self) -> &[u8] {
        &self.rest
    }

    /// Reads the next game. Returns what [`Visitor::end_game`] returns, or `None` at the end of the input.
    ///
    /// # Errors
    /// [`PgnErrorKind::Io`] if the input cannot be read. Errors of the text go to [`Visitor::fault`] instead.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, PgnError> {
        self.games += 1;
        self.rest.clear();
        if std::mem::take(&mut self.is_behind_result) {
            self.skip_behind_result();
        }
        let mut state = State::default();
        let mut is_new = true;
        if let Some(kind) = self.fault_behind.take() {
            is_new = false;
            visitor.begin_game();
            self.comment_fault(kind, visitor, &mut state);
        }
        loop {
            if state.muted.is_some() {
                self.window.skip_plain();
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
                    self.fail(PgnErrorKind::TooLong, visitor, &mut state);
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
            match first {
                b'[' => {
                    let mut ends = self.tag(visitor, &mut state);
                    while !ends && self.window.next_line_is_tag() {
                        ends = self.tag(visitor, &mut state);
                    }
                    if ends {
                        break;
                    }
                }
                b'{' | b';' => self.comment(first, visitor, &mut state),
                b'(' => self.begin_variation(visitor, &mut state),
                b')' => self.end_variation(visitor, &mut state),
                b'}' | b']' | b'"' => {
                    self.window.at += 1;
                    self.fail(PgnErrorKind::Unexpected(first.into()), visitor, &mut state);
                }
                b'*' => {
                    self.window.at += 1;
                    self.begin(visitor, &mut state);
                    if Self::symbol(classify(b"*"), visitor, &mut state).0 {
                        self.is_behind_result = true;
                        break;
                    }
                }
                _ => {
                    if self.word(first, visitor, &mut state) {
                        self.is_behind_result = true;
                        break;
                    }
                }
            }
        }
        if state.depth > 0 {
            self.fail(PgnErrorKind::UnterminatedVariation, visitor, &mut state);
        }
        if let Some(comment) = state.comment
            && !state.has_tags
        {
            self.start = comment;
        }
        if self.keeps_rest {
            self.window.token = self.window.at;
            self.rest = self.window.take_kept();
        }
        Ok(Some(visitor.end_game()))
    }

    /// Skips text after a result that begins no game, up to a blank line: a second result, possibly after a comment, or
    /// words such as `White wins`.
    fn skip_behind_result(&mut self) {
        let mut depth = 0_usize;
        while let Some(first) = self.window.next_token_of_block() {
            match first {
                b'(' => {
                    self.window.at += 1;
                    depth += 1;
                }
                b')' => {
                    self.window.at += 1;
                    depth = depth.saturating_sub(1);
                }
                b'%' if self.window.is_line_start() => self.window.skip_line(),
                // Where such a comment is not closed, another game may begin.
                b'{' if depth > 0 => drop(self.window.comment(false)),
                b';' if depth > 0 => drop(self.window.line_comment()),
                b'{' | b';' => {
                    let comment = if first == b'{' { self.window.comment(true) } else { self.window.line_comment() };
                    match comment {
                        Ok(_) if self.window.is_before_result() => {}
                        Ok(_) => {
                            self.window.at = self.window.token;
                            return;
                        }
                        Err(kind) => {
                            self.fault_behind = Some(kind);
                            return;
                        }
                    }
                }
                b'[' | b'%' => return,
                b'}' | b']' | b'"' | b'*' => self.window.at += 1,
                _ => {
                    let (length, _) = self.window.word();
                    let text = text::decode(&self.window.token_text()[..length]);
                    if depth == 0 && text.split(is_gap).any(|word| begins_moves(word.as_bytes())) {
                        self.window.at = self.window.token;
                        return;
                    }
                    self.window.end_word(length);
                }
            }
        }
    }

    /// Handles a tag. Returns whether it belongs to the next game; it is then left to be read again.
    fn tag<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) -> bool {
        let tag = match self.window.tag() {
            Ok(tag) => tag,
            Err(kind) => {
                self.fail(kind, visitor, state);
                return false;
            }
        };
        let is_event = tag.name(self.window.token_text()) == b"Event";
        if state.begun || is_event && state.has_event {
            self.window.at = self.window.token;
            return true;
        }
        self.begin_game(state);
        let offset = self.window.offset();
        let range = (offset, offset + self.window.at - self.window.token);
        let text = self.window.token_text();
        let value = tag.value(text, range);
        state.is_lost_by_both |= value.raw == LOST_BY_BOTH && tag.name(text).eq_ignore_ascii_case(b"Result");
        let told = match tag.known_name {
            Some(name) => visitor.tag(name, value),
            None => {
                let name = text::decode(tag.name(text));
                visitor.tag(derived(&name).unwrap_or(&name), value)
            }
        };
        state.has_tags = true;
        state.has_event |= is_event;
        self.check(told, visitor, state);
        false
    }

    /// Handles a comment in braces or after a semicolon.
    #[inline]
    fn comment<V: Visitor>(&mut self, first: u8, visitor: &mut V, state: &mut State) {
        if !state.is_game {
            state.comment.get_or_insert(self.window.offset());
        }
        let wanted = state.muted.is_none();
        let length = if first == b'{' { self.window.comment(wanted) } else { self.window.line_comment() };
        match length {
            Ok(length) if wanted => {
                let told = visitor.comment(comment_text(self.window.token_text(), length));
                self.check(told, visitor, state);
            }
            Ok(_) => {}
            Err(kind) => self.comment_fault(kind, visitor, state),
        }
    }

    #[cold]
    fn comment_fault<V: Visitor>(&mut self, mut kind: PgnErrorKind, visitor: &mut V, state: &mut State) {
        // The tag that follows belongs to another game.
        state.begun |= matches!(kind, PgnErrorKind::UnterminatedComment);
        if self.is_cut && self.window.is_over() {
            kind = PgnErrorKind::TooLong;
        }
        self.fail(kind, visitor, state);
    }

    #[inline]
    fn begin_variation<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        self.window.at += 1;
        self.begin(visitor, state);
        if state.muted.is_none() && visitor.begin_variation() == Interest::Skip {
            state.muted = Some(state.depth);
        }
        state.depth += 1;
    }

    #[inline]
    fn end_variation<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        self.window.at += 1;
        let Some(depth) = state.depth.checked_sub(1) else {
            return self.fail(PgnErrorKind::Unexpected(')'), visitor, state);
        };
        state.depth = depth;
        if state.muted.is_none() {
            visitor.end_variation();
        } else if state.muted == Some(depth) {
            state.muted = None;
        }
    }

    /// Handles a word. Returns whether it ends the game.
    #[inline]
    fn word<V: Visitor>(&mut self, first: u8, visitor: &mut V, state: &mut State) -> bool {
        if first.is_ascii_digit() && self.window.move_number() {
            if state.muted.is_none() {
                self.begin(visitor, state);
            }
            return false;
        }
        let (length, is_ascii) = self.window.word();
        if !is_ascii {
            return self.foreign_word(length, visitor, state);
        }
        let is_number = first.is_ascii_digit();
        // While skipping, only a result matters.
        if state.muted.is_some() && (state.depth > 0 || !is_number) {
            self.window.end_word(length);
            return false;
        }
        self.begin(visitor, state);
        if is_number && state.is_lost_by_both && self.is_lost_by_both(length, state) {
            if state.muted.is_none() {
                visitor.result(GameResult::Unknown);
            }
            return true;
        }
        let mut word = &self.window.token_text()[..length];
        if is_number {
            word = &word[number_length(word)..];
            if word.is_empty() {
                return false;
            }
        }
        let (ends, told) = if state.muted.is_none() && is_plain_move(word) {
            (false, visitor.san(MoveText(word)))
        } else {
            Self::symbol(classify(word), visitor, state)
        };
        self.check(told, visitor, state);
        self.window.end_word(length);
        if ends && &self.window.token_text()[..length] == b"1/2" {
            self.window.skip_half();
        }
        ends
    }

    /// Whether the word at the token is the result `0-0` rather than castling: at the end of a game whose tag has this
    /// result.
    #[cold]
    fn is_lost_by_both(&mut self, length: usize, state: &State) -> bool {
        state.depth == 0 && &self.window.token_text()[..length] == LOST_BY_BOTH && self.window.is_last_word()
    }

    /// Handles a word that is not ASCII: it may contain multi-byte white space, or the byte order mark of a file that
    /// was appended to another.
    #[cold]
    fn foreign_word<V: Visitor>(&mut self, length: usize, visitor: &mut V, state: &mut State) -> bool {
        let text = text::decode(&self.window.token_text()[..length]).into_owned();
        if text.chars().all(is_gap) {
            return false;
        }
        self.begin(visitor, state);
        let mut ends = false;
        for word in text.split(is_gap) {
            let word = &word.as_bytes()[number_length(word.as_bytes())..];
            if !word.is_empty() && !ends {
                let (is_result, told) = Self::symbol(classify(word), visitor, state);
                self.check(told, visitor, state);
                ends = is_result;
            }
        }
        self.window.end_word(length);
        ends
    }

    /// Handles a word of the movetext, which has begun. Returns whether it ends the game, and the visitor's result.
    #[inline]
    fn symbol<V: Visitor>(symbol: Symbol<'_>, visitor: &mut V, state: &mut State) -> (bool, Result<(), PgnErrorKind>) {
        let wanted = state.muted.is_none();
        let mut told = Ok(());
        match symbol {
            Symbol::Move(text, glyphs) if wanted => {
                told = visitor.san(text);
                glyphs.into_iter().flatten().for_each(|nag| visitor.nag(nag));
            }
            Symbol::Result(result) if state.depth == 0 => {
                if wanted {
                    visitor.result(result);
                }
                return (true, told);
            }
            Symbol::Nag(nag) if wanted => visitor.nag(nag),
            _ => {}
        }
        (false, told)
    }

    /// Begins the movetext.
    #[inline]
    fn begin<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if !state.begun {
            state.begun = true;
            self.begin_game(state);
            if visitor.begin_moves() == Interest::Skip {
                // Once skipped, a movetext stays skipped.
                state.muted = Some(usize::MAX);
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
    fn fail<V: Visitor>(&mut self, kind: PgnErrorKind, visitor: &mut V, state: &mut State) {
        self.begin_game(state);
        let error = self.error(kind);
        if self.keeps_rest {
            self.window.keep();
        }
        visitor.fault(error);
    }

    /// An error at the token.
    fn error(&mut self, kind: PgnErrorKind) -> PgnError {
        let (line, column) = self.window.place();
        PgnError { game: self.games, line, column, kind }
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

        fn begin_moves(&mut self) -> Interest {
            if self.skips { Interest::Skip } else { Interest::Read }
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

        fn result(&mut self, result: GameResult) {
            self.text += result.as_str();
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
            "A=5 g3 (g4 ",
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
        let expected = [
            "A=1 e4 1-0",
            "A=2 d4 1-0",
            "B=x c4 1/2-1/2",
            "Nf3 0-1",
            "x *",
            "b3 *",
            "a4 0-1",
            "White wins 1-0",
            "x *",
            "A=3 *",
        ];
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
    fn the_fault_of_a_comment_behind_a_result_is_told_once() {
        #[derive(Default)]
        struct Faults(Vec<String>);
        impl Visitor for Faults {
            type Output = ();
            fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
                Ok(())
            }
            fn fault(&mut self, error: PgnError) {
                self.0.push(error.to_string().replace("line 3, column 1:", "line 2, column 1:"));
            }
            fn end_game(&mut self) {}
        }
        let long = "c4 ".repeat(700_000);
        for (text, faults) in [
            (format!("1. e4 1-0\n{{{long}\n\n1. d4 *"), ["game 2, line 2, column 1: unterminated comment"]),
            (format!("1. e4 1-0\n{{{long}}} 1-0"), ["game 2, line 2, column 1: the comment or game is too long"]),
            ("1. e4 1-0 {c4\n\n[Event \"?\"] 1. d4 *".to_owned(), ["game 2, line 1, column 11: unterminated comment"]),
        ] {
            for behind in [text.clone(), text.replacen('\n', "\n\n", 1)] {
                let mut parser = PgnParser::new(behind.as_bytes());
                let mut visitor = Faults::default();
                while parser.read_game(&mut visitor).unwrap().is_some() {}
                assert_eq!(visitor.0, faults);
            }
        }
    }

    #[test]
    fn a_first_move_behind_a_result_begins_a_game() {
        let text = "e2e4 1-0\nd2-d4 1-0\n1 Ng1-f3 0-1\nNg1f3 * Nb1a3! * Ng1-e2 * e2 * e2e5 * Nc3 *";
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
        let expected = "e4 $18 e5 $19 Nf3 $5 Qh4+ Qxf7+ $1 $16 O-O $10 e8=Q $16 exd1=N+ $15 O-O-O \
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
