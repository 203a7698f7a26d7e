//! Reading a file with several threads: it is split between games, and the parts are read at the same time.

use super::{PgnParser, PgnReader, TreeReader};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// A part of a PGN file that begins and ends between games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of the part, from 0.
    pub number: usize,
    /// The line of the file with which it begins, from 1.
    pub first_line: usize,
    bytes: Vec<u8>,
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

    /// Reads the games with a visitor; see [`Chunk::games`].
    pub fn parser(&self) -> PgnParser<&[u8]> {
        PgnParser::new(self.as_bytes()).first_line(self.first_line)
    }
}

/// Iterator over the parts of a PGN file. They have about 1 MiB each, so that the memory is constant.
///
/// A part begins where a line with the tag `Event` follows a line of movetext. After an error, the iterator ends.
#[derive(Debug)]
pub struct Chunks<R> {
    reader: R,
    /// What has been read and not yet returned.
    bytes: Vec<u8>,
    number: usize,
    line: usize,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    /// The usual size of a part in bytes.
    const SIZE: usize = 1 << 20;

    /// The greatest size of a part in bytes.
    const LIMIT: usize = 1 << 25;

    /// Creates the iterator.
    pub fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), number: 0, line: 1, ended: false }
    }

    fn read(&mut self) -> io::Result<Option<Chunk>> {
        let mut wanted = Self::SIZE;
        let end = loop {
            let missing = wanted.saturating_sub(self.bytes.len());
            let read = (&mut self.reader).take(missing as u64).read_to_end(&mut self.bytes)?;
            if read < missing {
                self.ended = true;
                break self.bytes.len();
            }
            if let Some(boundary) = last_boundary(&self.bytes) {
                break boundary;
            }
            if wanted == Self::LIMIT {
                let line = self.line;
                let message = format!("no tag 'Event' begins a game within 32 MiB after line {line}: use one thread");
                return Err(io::Error::new(ErrorKind::InvalidData, message));
            }
            wanted *= 2;
        };
        if end == 0 {
            return Ok(None);
        }
        let rest = self.bytes.split_off(end);
        let bytes = std::mem::replace(&mut self.bytes, rest);
        let chunk = Chunk { number: self.number, first_line: self.line, bytes };
        self.number += 1;
        self.line += chunk.bytes.iter().filter(|&&byte| byte == b'\n').count();
        Ok(Some(chunk))
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

/// The last place where a game certainly begins, except the start of the text.
fn last_boundary(text: &[u8]) -> Option<usize> {
    const EVENT: &[u8] = b"[Event \"";
    let mut end = text.len();
    while let Some(newline) = text[..end].iter().rposition(|&byte| byte == b'\n') {
        if text[newline + 1..].starts_with(EVENT) && ends_in_movetext(&text[..newline]) {
            return Some(newline + 1);
        }
        end = newline;
    }
    None
}

/// Whether the last line that is not blank has movetext: it is neither a tag nor a comment.
fn ends_in_movetext(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let line = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    !line.is_empty()
        && !line.starts_with(b"[")
        && !line.starts_with(b"%")
        && !line.contains(&b';')
        && !line.ends_with(b"}")
}

/// Whether results are passed on in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order of the file.
    Kept,
    /// As they are ready.
    Any,
}

/// Reads a PGN file with several threads. Each part of it is passed to `work`, and the results to `sink`, which runs in
/// the calling thread.
///
/// The memory is constant: no thread is more than a few parts ahead. If the system provides fewer threads, fewer are
/// used.
///
/// ```
/// use bartizan_notation::pgn::{Order, read_parallel};
/// use std::num::NonZeroUsize;
///
/// let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(1000);
/// let mut games = 0;
/// let threads = NonZeroUsize::new(2).unwrap();
/// read_parallel(text.as_bytes(), threads, Order::Any, |chunk| chunk.games().count(), |count| games += count)?;
/// assert_eq!(games, 1000);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read, or no game begins in 32 MiB of it. What precedes has been passed to `sink`.
///
/// # Panics
/// If `work` or `sink` does.
pub fn read_parallel<R: Read + Send, T: Send>(
    reader: R,
    threads: NonZeroUsize,
    order: Order,
    work: impl Fn(&Chunk) -> T + Sync,
    mut sink: impl FnMut(T),
) -> io::Result<()> {
    let source = Source {
        state: Mutex::new(State { chunks: Chunks::new(reader), done: 0, failed: false, error: None }),
        advanced: Condvar::new(),
        ahead: 4 * threads.get(),
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let mut started = 0;
        for _ in 0..threads.get() {
            let (sender, source, work) = (sender.clone(), &source, &work);
            let worker = move || {
                let _guard = Guard(source);
                while let Some(chunk) = source.take() {
                    if sender.send((chunk.number, work(&chunk))).is_err() {
                        break;
                    }
                }
            };
            started += usize::from(thread::Builder::new().spawn_scoped(scope, worker).is_ok());
        }
        drop(sender);
        // If `sink` panics, the workers must not wait.
        let _guard = Guard(&source);
        if started == 0 {
            while let Some(chunk) = source.take() {
                sink(work(&chunk));
                source.advance();
            }
        }
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, result) in receiver {
            if order == Order::Any {
                sink(result);
                source.advance();
                continue;
            }
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                sink(result);
                source.advance();
                next += 1;
            }
        }
    });
    let state = source.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.error.map_or(Ok(()), Err)
}

/// The parts of a file, for several threads.
struct Source<R> {
    state: Mutex<State<R>>,
    /// Notified when a result has been passed on.
    advanced: Condvar,
    /// The number of parts that may be taken before their results are passed on.
    ahead: usize,
}

struct State<R> {
    chunks: Chunks<R>,
    /// The number of results that have been passed on.
    done: usize,
    /// Whether a thread has panicked.
    failed: bool,
    error: Option<io::Error>,
}

impl<R: Read> Source<R> {
    fn take(&self) -> Option<Chunk> {
        let mut state = self.lock();
        while !state.failed && state.chunks.number >= state.done + self.ahead {
            state = self.advanced.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.failed {
            return None;
        }
        match state.chunks.next()? {
            Ok(chunk) => Some(chunk),
            Err(error) => {
                state.error = Some(error);
                None
            }
        }
    }

    fn advance(&self) {
        self.lock().done += 1;
        self.advanced.notify_all();
    }
}

impl<R> Source<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work of all threads if one panics.
struct Guard<'a, R>(&'a Source<R>);

impl<R> Drop for Guard<'_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().failed = true;
            self.0.advanced.notify_all();
        }
    }
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
            read_parallel(text.as_bytes(), threads, Order::Kept, work, |more| games.extend(more)).unwrap();
            assert!(games == whole);
            games.clear();
            read_parallel(text.as_bytes(), threads, Order::Any, work, |more| games.extend(more)).unwrap();
            games.sort();
            let mut sorted = whole.clone();
            sorted.sort();
            assert!(games == sorted);
        }
    }

    #[test]
    fn a_file_without_boundaries_is_refused() {
        let text = "1. e4 *\n".repeat(5 << 20);
        let threads = NonZeroUsize::new(2).unwrap();
        let error = read_parallel(text.as_bytes(), threads, Order::Any, |_| (), |()| ()).unwrap_err();
        assert!(error.to_string().starts_with("no tag 'Event' begins a game within 32 MiB after line 1"), "{error}");
        let small = "1. e4 *\n".repeat(1000);
        let mut games = 0;
        read_parallel(small.as_bytes(), threads, Order::Any, |chunk| chunk.games().count(), |n| games += n).unwrap();
        assert_eq!(games, 1000);
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let text = text(7_000);
        let read = || {
            let work = |chunk: &Chunk| assert_ne!(chunk.number, 1);
            let _ = read_parallel(text.as_bytes(), NonZeroUsize::new(2).unwrap(), Order::Kept, work, |()| ());
        };
        assert!(std::panic::catch_unwind(read).is_err());
    }
}
