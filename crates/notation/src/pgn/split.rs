//! Cutting a PGN file into the texts of its games.

use super::raw::unescape;
use super::window::is_blank;
use super::{
    Chunks, GameResult, Interest, MoveText, PgnError, PgnErrorKind, PgnParser, PgnProblem, PgnReader, TagValue,
    TreeReader, Visitor,
};
use crate::text::{Quoted, decode};
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::mem::take;
use std::ops::Range;

/// The text of a game, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// The bytes, with the blank lines that follow the game, and comments behind them: these belong to the next game if
    /// it has no tags, as for [`PgnReader`]. The games of a file in order make up the file.
    pub bytes: Vec<u8>,
    /// The number of the line on which the text begins, from 1.
    pub line: usize,
    /// The ranges of the tags in the text, each from `[` to `]`.
    pub tags: Vec<Range<usize>>,
    /// Whether the text is a part of a game of more than [`RawGames::LIMIT`] bytes.
    pub is_part: bool,
    /// The problems of the tags and of the result, in their order, at most 100: those that need no look at the moves.
    pub problems: Vec<PgnProblem>,
    /// Whether a game begins in the text: not in the rest of a long game, nor in a text of comments only.
    pub is_game: bool,
    /// The column at which the text begins, from 1, or 0 for the same.
    pub(super) column: usize,
    /// The result behind the moves, if there is one.
    pub(super) movetext_result: Option<GameResult>,
}

impl RawGame {
    /// Whether a tag of the text has this name, in any case.
    pub fn is_tag(&self, tag: &Range<usize>, name: &str) -> bool {
        // Most tags begin with another letter.
        match (self.bytes.get(tag.start + 1), name.as_bytes().first()) {
            (Some(own), Some(first)) if own.is_ascii_alphanumeric() && !own.eq_ignore_ascii_case(first) => false,
            _ => self.tag_name(tag).eq_ignore_ascii_case(name.as_bytes()),
        }
    }

    /// The name of a tag of the text; empty if it has none.
    pub fn tag_name(&self, tag: &Range<usize>) -> &[u8] {
        self.bytes.get(tag.clone()).map_or(&[], tag_name)
    }

    /// The value of a tag of the text, as [`TagValue::decode`](super::TagValue::decode) gives it; empty if it has none.
    pub fn tag_value(&self, tag: &Range<usize>) -> Cow<'_, str> {
        let bytes = self.bytes.get(tag.clone()).unwrap_or_default();
        let Some(first) = bytes.iter().position(|&byte| byte == b'"') else { return Cow::Borrowed("") };
        let rest = &bytes[first + 1..];
        let inner = rest.iter().rposition(|&byte| byte == b'"').map_or(rest, |last| &rest[..last]);
        unescape(decode(inner))
    }

    /// The result, as [`PgnReader`] gives it: the one behind the moves, or that of the tag `Result` if there is none or
    /// only `*`.
    pub fn result(&self) -> GameResult {
        let of_moves = self.movetext_result.filter(|&result| result != GameResult::Unknown);
        let is_result = |tag: &&Range<usize>| self.is_tag(tag, "Result");
        let of_tag = || self.tag_value(self.tags.iter().find(is_result)?).parse().ok();
        of_moves.or_else(of_tag).unwrap_or_default()
    }

    /// The text after the tags: the moves with their comments, and the result.
    pub fn movetext(&self) -> &[u8] {
        let begin = self.tags.last().map_or(0, |tag| tag.end);
        self.bytes.get(begin..).unwrap_or_default()
    }

    /// The text in a form that can begin a line: a `%` within a line of the file is a word, but at the beginning of a
    /// line it would hide the rest, so a space is put before it.
    pub fn line_text(&self) -> Cow<'_, [u8]> {
        if self.hides_line() { Cow::Owned([b" ", self.bytes.as_slice()].concat()) } else { Cow::Borrowed(&self.bytes) }
    }

    /// Whether the text would begin with a hidden line if it began a line.
    fn hides_line(&self) -> bool {
        self.is_game && self.column > 1 && self.bytes.starts_with(b"%")
    }

    /// Reads the game. Errors give the line of the file.
    pub fn games(&self) -> PgnReader<&[u8]> {
        PgnReader::from(self.parser())
    }

    /// Reads the game with its variations; see [`RawGame::games`].
    pub fn trees(&self) -> TreeReader<&[u8]> {
        TreeReader::from(self.parser())
    }

    /// Reads the game with a visitor; see [`RawGame::games`].
    pub fn parser(&self) -> PgnParser<&[u8]> {
        PgnParser::of_bytes(&self.bytes).first_place(self.line.max(1), self.column.max(1))
    }
}

impl RawGame {
    /// Writes the text with other tags. Each change is a name and its new value, or `None` to remove the tag; names are
    /// case-insensitive. An existing tag is replaced in place; a new one follows the last tag. Everything else is
    /// written unchanged.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_with_tags<W: Write>(&self, mut out: W, changes: &[(&str, Option<&str>)]) -> io::Result<()> {
        let bytes = self.bytes.as_slice();
        let line_end = if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let mut is_written = vec![false; changes.len()];
        let first = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut at = first;
        out.write_all(&bytes[..first])?;
        let begins_line = |at: usize| if at == first { self.column <= 1 } else { bytes[at - 1] == b'\n' };
        // A `%` that did not begin a line must not begin one now, because it would hide the rest.
        let gap = |at: usize, is_line_start: bool| {
            if is_line_start && bytes[at..].starts_with(b"%") && !begins_line(at) { " " } else { "" }
        };
        // Whether the next text written begins a line.
        let mut is_line_start = begins_line(first);
        // Whether new tags are written before the rest of the text rather than after an unfinished line.
        let mut is_line_end = true;
        for tag in &self.tags {
            let name = self.tag_name(tag);
            let change = changes.iter().position(|(changed, _)| name.eq_ignore_ascii_case(changed.as_bytes()));
            if at < tag.start {
                out.write_all(gap(at, is_line_start).as_bytes())?;
                out.write_all(&bytes[at..tag.start])?;
                is_line_start = begins_line(tag.start);
            }
            at = tag.end;
            is_line_end = false;
            match change.map(|index| (index, changes[index])) {
                None => {
                    out.write_all(&bytes[tag.clone()])?;
                    is_line_start = false;
                }
                Some((index, (name, Some(value)))) if !is_written[index] => {
                    write_tag(&mut out, name, value)?;
                    is_written[index] = true;
                    is_line_start = false;
                }
                // The rest of the line is removed with the tag if nothing else is in it.
                Some(_) => {
                    let rest = &bytes[at..];
                    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                    if (tag.start == first || begins_line(tag.start)) && rest.get(blanks) == Some(&b'\n') {
                        at += blanks + 1;
                        is_line_end = true;
                    }
                }
            }
        }
        let mut is_new = false;
        for (&(name, value), is_written) in changes.iter().zip(is_written) {
            let (Some(value), false) = (value, is_written) else { continue };
            let (before, after) = if is_line_end { ("", line_end) } else { (line_end, "") };
            out.write_all(before.as_bytes())?;
            write_tag(&mut out, name, value)?;
            out.write_all(after.as_bytes())?;
            is_line_start = is_line_end;
            is_new = true;
        }
        if is_new && self.tags.is_empty() {
            // An empty line ends the tags.
            out.write_all(line_end.as_bytes())?;
        }
        out.write_all(gap(at, is_line_start).as_bytes())?;
        out.write_all(&bytes[at..])
    }
}

fn write_tag<W: Write>(mut out: W, name: &str, value: &str) -> io::Result<()> {
    write!(out, "[{name} {}]", Quoted(value))
}

fn tag_name(tag: &[u8]) -> &[u8] {
    let inner = tag.strip_prefix(b"[").unwrap_or(tag);
    let inner = &inner[inner.iter().take_while(|&&byte| is_blank(byte)).count()..];
    let end = inner.iter().position(|&byte| is_blank(byte) || matches!(byte, b'"' | b']'));
    &inner[..end.unwrap_or(inner.len())]
}

/// Iterator over the texts of the games of a PGN file. It checks no moves and changes nothing: a program can edit the
/// tags of a game and copy the rest.
///
/// A game ends with its result, with the first tag after its moves, or where a tag is repeated behind a blank line, as
/// for [`PgnReader`]. Text between a result and a blank line that begins no game belongs to the text of the game. About
/// 1 MiB is held in memory, and a game of more than [`LIMIT`](Self::LIMIT) bytes is returned in parts; see [`Chunks`]. After an I/O
/// error, the iterator ends.
///
/// ```
/// use bartizan_notation::pgn::RawGames;
///
/// let text = "[Event \"a\"]\n\n1. e4 {good} (1. d4) *\n\n[Event \"b\"]\n\n1. c4 1-0\n";
/// let games: Vec<_> = RawGames::new(text.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!((games.len(), games[1].line), (2, 5));
/// assert!(games[0].bytes.ends_with(b"(1. d4) *\n\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RawGames<R> {
    chunks: Chunks<R>,
    ready: std::vec::IntoIter<RawGame>,
}

/// The most bytes of a game that are kept in memory.
pub(super) const LIMIT: usize = 1 << 24;

impl<R: Read> RawGames<R> {
    /// The most bytes of a game that are kept in memory.
    pub const LIMIT: usize = LIMIT;

    /// Creates an iterator over the games of a file.
    pub fn new(reader: R) -> Self {
        Self { chunks: Chunks::new(reader), ready: Vec::new().into_iter() }
    }
}

impl<R: Read> Iterator for RawGames<R> {
    type Item = io::Result<RawGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.next() {
                return Some(Ok(game));
            }
            match self.chunks.next()? {
                Ok(chunk) => self.ready = chunk.raw_games().collect::<Vec<_>>().into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The start of a game in a text, and its tags.
#[derive(Debug, Default)]
pub(super) struct CutGame {
    /// See [`PgnParser::start`]; or the offset of an error before it.
    pub(super) start: usize,
    pub(super) tags: Vec<Range<usize>>,
    /// Whether it has a tag or a word, not only an error.
    pub(super) is_certain: bool,
    /// Whether it follows a comment that the text does not close: more of the text might.
    pub(super) is_doubtful: bool,
    /// The result behind the moves.
    pub(super) result: Option<GameResult>,
    pub(super) problems: Vec<PgnProblem>,
}

/// Finds the games of a text that begins at a place: a line and a column.
pub(super) fn cut_games(text: &[u8], (line, column): (usize, usize)) -> Vec<CutGame> {
    let mut parser = PgnParser::of_bytes(text).first_place(line, column);
    let mut games = Vec::new();
    let mut game = CutGame::default();
    let mut is_doubtful = false;
    // Bytes in memory are read without errors.
    while let Ok(Some(())) = parser.read_game(&mut game) {
        games.push(CutGame { start: parser.start(), is_doubtful, ..take(&mut game) });
        is_doubtful = parser.ends_in_comment();
    }
    games
}

impl Visitor for CutGame {
    type Output = ();

    fn begin_game(&mut self) {
        let mut tags = take(&mut self.tags);
        tags.clear();
        *self = Self { tags, ..Self::default() };
    }

    fn tag(&mut self, _: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        self.tags.push(value.range());
        self.is_certain = true;
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        self.is_certain = true;
        Ok(Interest::Skip)
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn result(&mut self, result: GameResult) -> Result<(), PgnErrorKind> {
        self.result = Some(result);
        Ok(())
    }

    fn fault(&mut self, error: PgnError) {
        if let PgnErrorKind::Problem(kind) = error.kind {
            PgnProblem { line: error.line, column: error.column, kind }.add_to(&mut self.problems);
        }
    }

    fn end_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn split(text: &str) -> Vec<String> {
        let games: Vec<RawGame> = RawGames::new(text.as_bytes()).map(Result::unwrap).collect();
        let joined: Vec<u8> = games.iter().flat_map(|game| game.bytes.clone()).collect();
        assert_eq!(joined, text.as_bytes());
        let mut start = 0;
        for game in &games {
            assert_eq!(game.line, joined[..start].iter().filter(|&&byte| byte == b'\n').count() + 1);
            assert!(game.tags.iter().all(|tag| game.bytes[tag.clone()].starts_with(b"[")));
            start += game.bytes.len();
        }
        games.into_iter().map(|game| String::from_utf8(game.bytes).unwrap()).collect()
    }

    #[test]
    fn games_end_with_results_and_before_tags() {
        assert_eq!(
            split("1. e4 * 1. d4 1/2-1/2\n\n1.c4 1-0 {what a game}"),
            ["1. e4 * ", "1. d4 1/2-1/2\n\n", "1.c4 1-0 {what a game}"]
        );
        assert_eq!(split("[A \"a\"]\n\n1. e4\n\n[A \"b\"][B \"[\"]\n\n1. d4\n").len(), 2);
        assert_eq!(split("[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n").len(), 2);
        assert_eq!(split("1. e4 (1. d4 *) e5 {1-0} ; 0-1\n%*\n$1 (1... c5 1-0) 2. Nf3 0-1\n[A \"b\"]").len(), 2);
        assert_eq!(split("[A \"the \"best\" ] move\"]\n1. e4 e8(Q)*1. d4*").len(), 2);
        assert_eq!(split(""), [""; 0]);
    }

    /// A `%` hides the rest of a line only where it begins the line.
    #[test]
    fn a_percent_sign_within_a_line_hides_nothing_when_it_moves() {
        let text = "1. e4 e5 1-0 % 1. d4 d5 0-1\n[Opening \"a\"] [Event \"b\"]% 1. c4 *\n\
                    [Event \"b\"]\n[Opening \"c\"]% 1. c4 *\n% hidden\n 1. f4 *";
        let games: Vec<RawGame> = RawGames::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.len(), 5);
        let moves = |text: &[u8]| PgnReader::new(text).map(|game| game.unwrap().moves.len()).collect::<Vec<_>>();
        for (game, plies) in games.iter().zip([2, 2, 0, 0, 1]) {
            assert_eq!(moves(&game.line_text()), [plies], "{game:?}");
            for changes in [&[("ECO", Some("A00"))][..], &[("Opening", None), ("Event", None)]] {
                let mut changed = Vec::new();
                game.write_with_tags(&mut changed, changes).unwrap();
                if changed == game.bytes {
                    continue;
                }
                let again: Vec<RawGame> = RawGames::new(changed.as_slice()).map(Result::unwrap).collect();
                assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&changed));
                assert_eq!(moves(&again[0].line_text()), [plies], "{}", String::from_utf8_lossy(&changed));
            }
            let mut copy = Vec::new();
            game.write_with_tags(&mut copy, &[]).unwrap();
            assert_eq!(copy, game.bytes);
        }
    }

    #[test]
    fn comments_in_front_of_a_game_without_tags_belong_to_it() {
        assert_eq!(
            split("{a} 1. e4 *\n\n{b} ; c\n%d\n1. d4 * {e}\n\n{e}) 1. c4 *\n\n{f} [A \"g\"] * {h}"),
            ["{a} 1. e4 *\n\n", "{b} ; c\n%d\n1. d4 * {e}\n\n", "{e}) 1. c4 *\n\n{f} ", "[A \"g\"] * {h}"]
        );
        let long = "x".repeat(1 << 17);
        assert_eq!(split(&format!("*\n\n{{{long}}} 1. e4 *")), ["*\n\n".to_owned(), format!("{{{long}}} 1. e4 *")]);
    }

    #[test]
    fn a_missing_brace_costs_one_game() {
        assert_eq!(split("[Event \"a\"]\n1. e4 {open\n1-0\n[Event \"b\"]\n1. d4 *\n").len(), 2);
    }

    #[test]
    fn tags_are_found() {
        let text = b"\xef\xbb\xbf[White \"R\xe9ti\"] [ Eco  \"A00\" ]\r\n[\x01Date\x7f\"?\"]\n[Bad\n\n1. Nf3 *\r\n";
        let game = RawGames::new(&text[..]).next().unwrap().unwrap();
        let names: Vec<&[u8]> = game.tags.iter().map(|tag| game.tag_name(tag)).collect();
        assert_eq!(names, [&b"White"[..], b"Eco", b"Date"]);
        assert_eq!(&game.bytes[game.tags[1].clone()], b"[ Eco  \"A00\" ]");
    }

    /// The texts, read one by one, are the games that the reader finds in the whole file.
    #[test]
    fn the_reader_finds_the_same_games() {
        let text = "[Event \"1\"]\n\n1. e4 e5\n2. Ke5 Nf6 {1-0} (1-0) 1-0\n\n\
                    [Event \"2\"]\n[FEN \"x w\"]\n\n1. e4 *\n\
                    [Event \"4\"]\n\n1. e4 (1. d4 1-0\n\n\
                    [Event \"6\"]\n\n1. e4 {open\n1-0\n\n\
                    [Event \"7\"]\n\n1. e4 ) 1-0 1. e4 -- *\n\
                    [Event \"9\"]\n\n1. e4 1-0\n{after} 1. d4 d5 ; x\n 1/2 [Event \"10\"]\n[Event \"11\"]";
        let show = |game: Result<crate::pgn::PgnGame, crate::pgn::PgnError>| match game {
            Ok(game) => format!("{:?} {:?} {}", game.tags, game.comment, game.moves.len()),
            Err(error) => error.kind.to_string(),
        };
        let whole: Vec<String> = PgnReader::new(text.as_bytes()).map(show).collect();
        let each = split(text).into_iter().flat_map(|game| {
            let games: Vec<String> = PgnReader::new(game.as_bytes()).map(show).collect();
            assert_eq!(games.len(), 1, "{game}");
            games
        });
        assert_eq!(each.collect::<Vec<_>>(), whole);
    }

    #[test]
    fn tags_are_changed_and_the_rest_stays() {
        let change = |text: &str, changes: &[(&str, Option<&str>)]| {
            let mut out = Vec::new();
            RawGames::new(text.as_bytes()).next().unwrap().unwrap().write_with_tags(&mut out, changes).unwrap();
            String::from_utf8(out).unwrap()
        };
        let rest = "\n\n1. e4 $1 {a  b} (1. d4 ; c\n) *\n\n";
        let text = format!("[Event \"x\"]\n[Eco \"A00\"]\n[Old \"y\"]{rest}");
        let changes = [("ECO", Some("B00")), ("Opening", Some("a \"b\" \\")), ("old", None)];
        let expected = format!("[Event \"x\"]\n[ECO \"B00\"]\n[Opening \"a \\\"b\\\" \\\\\"]{rest}");
        assert_eq!(change(&text, &changes), expected);
        assert_eq!(change(&text, &[]), text);
        // A duplicate tag, several tags on a line, other line ends, no tags, and a byte order mark.
        assert_eq!(change("[A \"1\"] [B \"2\"]\n[a \"3\"]\n1. e4", &[("A", Some("4"))]), "[A \"4\"] [B \"2\"]\n1. e4");
        assert_eq!(change("[A \"1\"]\r\n\r\n*", &[("B", Some("2"))]), "[A \"1\"]\r\n[B \"2\"]\r\n\r\n*");
        assert_eq!(change("1. e4 *\n", &[("B", Some("2"))]), "[B \"2\"]\n\n1. e4 *\n");
        assert_eq!(change("\u{feff}[A \"1\"]\n", &[("A", None), ("B", Some("2"))]), "\u{feff}[B \"2\"]\n");
    }

    #[test]
    fn long_games_come_in_parts() {
        let comment = "x".repeat(RawGames::<&[u8]>::LIMIT * 2);
        let text = format!("[Event \"1\"]\n\n1. e4 {{{comment}}} *\n[Event \"2\"]\n\n1. d4 *\n");
        let games: Vec<RawGame> = RawGames::new(text.as_bytes()).map(Result::unwrap).collect();
        assert!(games.iter().rev().skip(1).all(|game| game.is_part) && !games.last().unwrap().is_part);
        let starts: Vec<usize> = (0..games.len()).filter(|&at| games[at].is_game).collect();
        assert_eq!(starts, [0, games.len() - 1]);
        assert_eq!(games.last().unwrap().line, 4);
        assert_eq!(games.iter().map(|game| game.bytes.len()).sum::<usize>(), text.len());
    }
}
