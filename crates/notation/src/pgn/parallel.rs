//! Reading a file with several threads: it is split between games, and the parts are read at the same time.

use super::lexer::NEXT_GAME;
use super::split::{CutGame, LIMIT, cut_games};
use super::tag_lexer::parse_plain_tag;
use super::window::advance;
use super::{PgnParser, PgnReader, RawGame, TreeReader};
use crate::lines::refuse_utf16;
use bartizan_parallel::{FeedOptions, ResultOrder, run};
use std::convert::Infallible;
use std::io::{self, Read};
use std::mem::{swap, take};
use std::num::NonZeroUsize;

/// A part of a PGN file that begins and ends between games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of the part, from 0.
    pub number: usize,
    /// The line of the file on which it begins, from 1.
    pub first_line: usize,
    /// Whether it contains whole games.
    pub kind: ChunkKind,
    /// The column at which it begins, from 1.
    first_column: usize,
    bytes: Vec<u8>,
}

/// What a [`Chunk`] consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKind {
    /// Whole games.
    Games,
    /// The beginning of one game of more than 16 MiB.
    Beginning,
    /// What follows a [`ChunkKind::Beginning`], or a part of it.
    Rest,
}

impl Chunk {
    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the games. Errors give the line of the file, and the number of the game in this part.
    pub fn games(&self) -> PgnReader<&[u8]> {
        PgnReader::from(self.parser())
    }

    /// Reads the games with their variations; see [`Chunk::games`].
    pub fn trees(&self) -> TreeReader<&[u8]> {
        TreeReader::from(self.parser())
    }

    /// Reads the games with a visitor; see [`Chunk::games`]. A game of which only the beginning is here ends with the
    /// error [`PgnErrorKind::TooLong`](super::PgnErrorKind::TooLong); its rest is not read.
    pub fn parser(&self) -> PgnParser<&[u8]> {
        let bytes = if self.kind == ChunkKind::Rest { &[] } else { self.as_bytes() };
        let parser = PgnParser::of_bytes(bytes).first_place(self.first_line, self.first_column);
        parser.cut(self.kind == ChunkKind::Beginning)
    }

    /// The texts of the games, byte for byte; see [`RawGames`](super::RawGames).
    pub fn raw_games(&self) -> impl Iterator<Item = RawGame> {
        let mut cutter = self.cutter();
        std::iter::from_fn(move || cutter.next_game().map(take))
    }

    /// The texts of the games, one at a time in the same memory, which is faster than [`Chunk::raw_games`].
    pub fn cutter(&self) -> ChunkCutter<'_> {
        let parser = PgnParser::of_bytes(self.as_bytes()).first_place(self.first_line, self.first_column);
        let mut cutter = ChunkCutter {
            chunk: self,
            parser,
            raw: RawGame::default(),
            ahead: CutGame::default(),
            has_ahead: false,
            end: 0,
            place: (self.first_line, self.first_column),
        };
        if self.kind != ChunkKind::Rest {
            cutter.read_ahead();
        }
        cutter
    }
}

/// Cuts a [`Chunk`] into the texts of its games.
///
/// ```
/// use bartizan_notation::pgn::Chunks;
///
/// let text = "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n";
/// let chunk = Chunks::new(text.as_bytes()).next().unwrap()?;
/// let mut cutter = chunk.cutter();
/// let mut lines = Vec::new();
/// while let Some(game) = cutter.next_game() {
///     lines.push((game.line, game.bytes.len()));
/// }
/// assert_eq!(lines, [(1, 22), (5, 21)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ChunkCutter<'a> {
    chunk: &'a Chunk,
    parser: PgnParser<&'a [u8]>,
    /// The text that was returned last.
    raw: RawGame,
    /// The game behind it, if there is one.
    ahead: CutGame,
    has_ahead: bool,
    /// The end of the text that was returned last, and its line and column.
    end: usize,
    place: (usize, usize),
}

impl ChunkCutter<'_> {
    /// The next text. The caller may change it or take parts of it.
    pub fn next_game(&mut self) -> Option<&mut RawGame> {
        let text = self.chunk.as_bytes();
        let start = self.end;
        if start == text.len() {
            return None;
        }
        let raw = &mut self.raw;
        raw.is_part = self.chunk.kind != ChunkKind::Games;
        raw.is_game = self.has_ahead || self.chunk.kind == ChunkKind::Beginning;
        raw.movetext_result = self.ahead.result.take();
        raw.problems = take(&mut self.ahead.problems);
        swap(&mut raw.tags, &mut self.ahead.tags);
        for tag in &mut raw.tags {
            *tag = tag.start - start..tag.end - start;
        }
        (raw.line, raw.column) = self.place;
        self.end = if self.chunk.kind == ChunkKind::Games && self.read_ahead() { self.ahead.start } else { text.len() };
        let own = &text[start..self.end];
        self.place = place_after(own, self.place);
        self.raw.bytes.clear();
        self.raw.bytes.extend_from_slice(own);
        Some(&mut self.raw)
    }

    /// Finds the next game. Returns whether there is one.
    fn read_ahead(&mut self) -> bool {
        // Bytes in memory are read without errors.
        self.has_ahead = matches!(self.parser.read_game(&mut self.ahead), Ok(Some(())));
        if self.has_ahead {
            self.ahead.start = self.parser.start();
        } else {
            self.ahead = CutGame::default();
        }
        self.has_ahead
    }
}

/// The line and the column after a text that begins at a place.
fn place_after(text: &[u8], place: (usize, usize)) -> (usize, usize) {
    // A byte order mark has no column.
    let text = if place == (1, 1) { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
    advance(text, place)
}

/// Iterator over the parts of a PGN file. They have about 1 MiB each, so memory use is constant.
///
/// A part ends where a line with the tag `Event` follows a line of movetext. If there is no such line, the text is
/// searched for the last beginning of a game. If the part is a single game, it grows; a game of more than 16 MiB is
/// cut, see [`ChunkKind`]. The parts in order make up the file. After an I/O error, the iterator ends.
#[derive(Debug)]
pub struct Chunks<R> {
    reader: R,
    /// What has been read and not yet returned.
    bytes: Vec<u8>,
    number: usize,
    /// The line and the column at which they begin.
    place: (usize, usize),
    /// The usual and the maximum size of a part.
    size: usize,
    limit: usize,
    /// Whether the last part was of a game that was cut.
    is_cut: bool,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    /// The usual size of a part in bytes.
    const SIZE: usize = 1 << 20;

    /// Creates the iterator.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            bytes: Vec::new(),
            number: 0,
            place: (1, 1),
            size: Self::SIZE,
            limit: LIMIT,
            is_cut: false,
            ended: false,
        }
    }

    /// Sets the usual size of a part in bytes, and the size from which a single game is cut.
    #[must_use]
    pub fn sizes(mut self, size: usize, limit: usize) -> Self {
        self.size = size.max(1);
        self.limit = limit.max(self.size);
        self
    }

    fn read(&mut self) -> io::Result<Option<Chunk>> {
        let mut wanted = self.size;
        let (end, kind) = loop {
            let missing = wanted.saturating_sub(self.bytes.len());
            let read = (&mut self.reader).take(missing as u64).read_to_end(&mut self.bytes)?;
            self.ended = read < missing;
            if self.number == 0 {
                refuse_utf16(&self.bytes)?;
            }
            if self.is_cut {
                break (self.end_of_rest(), ChunkKind::Rest);
            }
            if self.ended {
                break (self.bytes.len(), ChunkKind::Games);
            }
            if let Some(boundary) = last_boundary(&self.bytes).or_else(|| last_game(&self.bytes, self.place)) {
                break (boundary, ChunkKind::Games);
            }
            if wanted >= self.limit {
                self.is_cut = true;
                break (self.bytes.len(), ChunkKind::Beginning);
            }
            wanted = (2 * wanted).min(self.limit);
        };
        if end == 0 {
            return Ok(None);
        }
        let rest = self.bytes.split_off(end);
        self.ended &= rest.is_empty();
        let bytes = std::mem::replace(&mut self.bytes, rest);
        let (first_line, first_column) = self.place;
        let chunk = Chunk { number: self.number, first_line, first_column, kind, bytes };
        self.number += 1;
        self.place = place_after(&chunk.bytes, self.place);
        Ok(Some(chunk))
    }

    /// The end of the text that belongs to a game that was cut, or of a part of it.
    fn end_of_rest(&mut self) -> usize {
        if let Some(next) = next_tags(&self.bytes) {
            self.is_cut = false;
            return next;
        }
        if self.ended {
            return self.bytes.len();
        }
        // The last two lines may be needed to see that a game begins.
        let mut newlines = (0..self.bytes.len()).rev().filter(|&at| self.bytes[at] == b'\n');
        newlines.nth(2).map_or(self.bytes.len(), |newline| newline + 1)
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let chunk = self.read();
        self.ended |= chunk.is_err();
        chunk.transpose()
    }
}

/// The last beginning of a game, except the start of the text, which begins at `place` and continues beyond its end.
fn last_game(text: &[u8], place: (usize, usize)) -> Option<usize> {
    let last = |text: &[u8], certain| {
        let games = cut_games(text, place);
        let is_start = |game: &&CutGame| game.is_certain && !game.is_doubtful && (1..=certain).contains(&game.start);
        games.iter().skip(1).rfind(is_start).map(|game| game.start)
    };
    // No tag or word extends beyond the end of a line. Within a line, what looks like one near the end may be something
    // else.
    let lines = memchr::memrchr(b'\n', text).and_then(|newline| last(&text[..=newline], newline));
    lines.or_else(|| last(text, text.len().checked_sub(1 << 16)?))
}

/// The first line that looks like the first tag of a game, except the first line of the text.
fn next_tags(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(newline) = text[from..].iter().position(|&byte| byte == b'\n') {
        let (before, line) = (text[from..from + newline].trim_ascii(), &text[from + newline + 1..]);
        from += newline + 1;
        let is_tag = || {
            let end = line.iter().position(|&byte| byte == b'\n').unwrap_or(line.len());
            line.starts_with(b"[") && line[..end].trim_ascii_end().ends_with(b"\"]")
        };
        if line.starts_with(NEXT_GAME) || before.is_empty() && is_tag() {
            return Some(from);
        }
    }
    None
}

/// The last place where a game definitely begins, except the start of the text.
fn last_boundary(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    while let Some(newline) = text[..end].iter().rposition(|&byte| byte == b'\n') {
        end = newline;
        if begins_with_event(&text[newline + 1..]) && ends_in_movetext(&text[..newline]) {
            match memchr::memrchr2(b'{', b'}', &text[..newline]) {
                // It may lie in a comment.
                Some(brace) if text[brace] == b'{' => end = brace,
                _ => return Some(newline + 1),
            }
        }
    }
    None
}

/// Whether a text definitely begins with a tag `Event`.
fn begins_with_event(text: &[u8]) -> bool {
    text.starts_with(NEXT_GAME) && parse_plain_tag(text).is_some()
}

/// Whether the last non-blank line definitely ends in movetext: with a word, and without the beginning or end of a
/// comment or tag anywhere.
fn ends_in_movetext(text: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'*';
    let text = text.trim_ascii_end();
    let line = &text[memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1)..];
    line.last().is_some_and(is_word) && !line.iter().any(|byte| b"[]{};%\"".contains(byte))
}

/// Reads a PGN file with several threads. Each part of it is passed to `work`, and the results to `sink`, which runs in
/// the calling thread, in the [`ResultOrder`] of the parts or not.
///
/// Memory use is constant: no thread is more than a few parts ahead. If fewer threads can be started, fewer are used.
///
/// ```
/// use bartizan_notation::pgn::{ResultOrder, read_parallel};
/// use std::num::NonZeroUsize;
///
/// let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(1000);
/// let mut games = 0;
/// let threads = NonZeroUsize::new(2).unwrap();
/// read_parallel(text.as_bytes(), threads, ResultOrder::Any, |chunk| chunk.games().count(), |count| games += count)?;
/// assert_eq!(games, 1000);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read. Results of the preceding parts have been passed to `sink`.
///
/// # Panics
/// If `work` or `sink` does.
pub fn read_parallel<R: Read + Send, T: Send>(
    reader: R,
    threads: NonZeroUsize,
    order: ResultOrder,
    work: impl Fn(&Chunk) -> T + Sync,
    sink: impl FnMut(T),
) -> io::Result<()> {
    let workers = (0..threads.get()).map(|_| |chunk: Chunk| work(&chunk));
    read_with(reader, workers, order, sink)
}

/// Like [`read_parallel`], with one thread for each worker, which may have a state of its own.
///
/// ```
/// use bartizan_notation::pgn::{Chunk, ResultOrder, read_with};
///
/// let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(1000);
/// let mut counts = [0; 2];
/// let workers = counts.iter_mut().map(|count| |chunk: Chunk| *count += chunk.games().count());
/// read_with(text.as_bytes(), workers, ResultOrder::Any, |()| ())?;
/// assert_eq!(counts.iter().sum::<usize>(), 1000);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`read_parallel`].
///
/// # Panics
/// If a worker or `sink` does.
pub fn read_with<R: Read + Send, T: Send, W: FnMut(Chunk) -> T + Send>(
    reader: R,
    workers: impl IntoIterator<Item = W, IntoIter: ExactSizeIterator>,
    order: ResultOrder,
    mut sink: impl FnMut(T),
) -> io::Result<()> {
    let workers = workers.into_iter();
    let ahead = 4 * workers.len();
    let mut error = None;
    let chunks = Chunks::new(reader).map_while(|chunk| chunk.map_err(|found| error = Some(found)).ok());
    let workers = workers.map(|mut work| move |chunk| Some(work(chunk)));
    let Ok(()) = run(chunks, workers, FeedOptions { order, ahead }, |result| {
        sink(result);
        Ok::<(), Infallible>(())
    });
    error.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnGame;

    /// Games with some faults and text that looks like the beginning of a game.
    fn text(games: usize) -> String {
        (0..games)
            .map(|number| match number % 7 {
                0 => format!("[Event \"{number}\"]\n\n1. e4 {{a\n\n[Event x\n1-0}} e5 1-0\n\n"),
                1 => format!("[Event \"{number}\"]\n\n1. e4 Ke3 1-0\n\n"),
                2 => "[Site \"x\"]\n; a\n\n[Event \"y\"]\n\n1. d4 {x}\n\n".to_owned(),
                3 => "[Site \"x\"]\n\n[Event \"y\"]\n\n1. d4 {open\n".to_owned(),
                _ => format!("[Event \"{number}\"]\r\n\r\n1. c4 {{{}}} *\r\n\r\n", "word ".repeat(200)),
            })
            .collect()
    }

    fn show(game: Result<PgnGame, crate::pgn::PgnError>) -> String {
        game.map_or_else(|error| format!("{} {}: {}", error.line, error.column, error.kind), |game| game.to_string())
    }

    #[test]
    fn parts_have_the_games_of_the_whole() {
        let text = text(7_000);
        let whole: Vec<String> = PgnReader::new(text.as_bytes()).map(show).collect();
        assert!(whole.len() > 6_000 && Chunks::new(text.as_bytes()).count() > 3);
        let joined: Vec<u8> = Chunks::new(text.as_bytes()).flat_map(|chunk| chunk.unwrap().bytes).collect();
        assert!(joined == text.as_bytes());
        for threads in [1, 3] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let mut games = Vec::new();
            let work = |chunk: &Chunk| chunk.games().map(show).collect::<Vec<_>>();
            read_parallel(text.as_bytes(), threads, ResultOrder::Kept, work, |more| games.extend(more)).unwrap();
            assert!(games == whole);
            games.clear();
            read_parallel(text.as_bytes(), threads, ResultOrder::Any, work, |more| games.extend(more)).unwrap();
            games.sort();
            let mut sorted = whole.clone();
            sorted.sort();
            assert!(games == sorted);
        }
    }

    #[test]
    fn utf_16_is_refused() {
        for text in [b"\xff\xfe[\0E\0", b"\xfe\xff\0[\0E"] {
            let error = Chunks::new(&text[..]).next().unwrap().unwrap_err().to_string();
            assert_eq!(error, "the text is UTF-16, not UTF-8");
            let error = crate::pgn::PgnReader::new(&text[..]).next().unwrap().unwrap_err().to_string();
            assert!(error.contains("the text is UTF-16"), "{error}");
        }
    }

    #[test]
    fn games_need_no_tags() {
        for text in ["1. e4 *\n".repeat(1 << 19), "1. e4 * ".repeat(1 << 19), "[White \"x\"]\n*\n".repeat(1 << 18)] {
            let chunks: Vec<Chunk> = Chunks::new(text.as_bytes()).map(Result::unwrap).collect();
            assert!(chunks.len() > 3 && chunks.iter().all(|chunk| chunk.kind == ChunkKind::Games));
            assert!(chunks.iter().flat_map(|chunk| &chunk.bytes).eq(text.as_bytes()));
            let whole = PgnReader::new(text.as_bytes()).filter(Result::is_ok).count();
            let games = chunks.iter().flat_map(|chunk| chunk.games().map(Result::unwrap));
            assert_eq!(games.count(), whole);
            assert_eq!(chunks.iter().flat_map(Chunk::raw_games).count(), whole);
        }
    }

    /// The games before and after it are read, and its text is there.
    #[test]
    fn a_game_of_any_size_costs_one_game() {
        let before = "1. d4 *\n".repeat(100);
        let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(2 << 20);
        for after in ["[Event \"x\"]\n\n1. c4 *\n", "\n[White \"x\"]\n\n1. c4 *\n"] {
            let text = format!("{before}1. e4 {{{moves}}} e5 1-0\n{after}");
            let chunks: Vec<Chunk> = Chunks::new(text.as_bytes()).map(Result::unwrap).collect();
            assert!(chunks.iter().flat_map(|chunk| &chunk.bytes).eq(text.as_bytes()));
            let beginnings = chunks.iter().filter(|chunk| chunk.kind == ChunkKind::Beginning);
            assert_eq!(beginnings.count(), 1);
            let games: Vec<_> = chunks.iter().flat_map(Chunk::games).map(show).collect();
            assert_eq!(games.len(), 102);
            assert!(games[100].starts_with("101 7: too long: a game of more than 16 MiB"), "{}", games[100]);
            assert!(games[99].contains("d4") && games[101].contains("c4"));
            let raw: Vec<RawGame> = chunks.iter().flat_map(Chunk::raw_games).collect();
            assert!(raw.iter().flat_map(|game| &game.bytes).eq(text.as_bytes()));
            assert_eq!(raw.iter().filter(|game| game.is_game).count(), 102);
            assert_eq!(raw.last().unwrap().line, 102 + (2 << 20) + usize::from(after.starts_with('\n')));
        }
        // A variation that is never closed may be read in part only.
        let text = format!("1. e4 (({moves}");
        let games: Vec<_> = Chunks::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.iter().flat_map(Chunk::games).map(|game| game.is_err()).collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let text = text(7_000);
        let read = || {
            let work = |chunk: &Chunk| assert_ne!(chunk.number, 1);
            let _ = read_parallel(text.as_bytes(), NonZeroUsize::new(2).unwrap(), ResultOrder::Kept, work, |()| ());
        };
        assert!(std::panic::catch_unwind(read).is_err());
    }
}
