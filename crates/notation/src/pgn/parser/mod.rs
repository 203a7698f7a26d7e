//! The grammar of PGN.

mod result;
mod tags;
mod words;

use super::lexer::{CommentEnd, comment_text};
use super::visitor::{Interest, Visitor};
use super::window::Window;
use super::{Comment, MoveText, PgnError, PgnErrorKind, PgnProblemKind};
use bartizan_types::GameResult;
use std::io::Read;
use tags::Names;

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
    /// Whether the visitor has been asked for its interest in the movetext.
    is_asked: bool,
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
        if !state.is_unreadable && !has_result {
            self.problem(PgnProblemKind::NoResult(state.result_tag.unwrap_or_default()), visitor, state);
        }
        if let Some(comment) = state.comment
            && !state.has_tags
        {
            self.start = comment;
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
        if wanted && state.is_told() {
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

    /// Begins the movetext.
    #[inline]
    fn begin<V: Visitor>(&mut self, visitor: &mut V, state: &mut State) {
        if !state.is_asked {
            (state.begun, state.is_asked) = (true, true);
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

#[cfg(test)]
mod tests;
