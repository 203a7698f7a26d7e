//! Reads the games of a text with several threads.

use bartizan_notation::pgn::{
    Chunk, GameResult, GameTree, PgnError, PgnErrorKind, PgnGame, PgnProblem, PgnProblemKind, PgnReader, RawGame,
    RawGames, ResultOrder, Strictness,
};
use bartizan_parallel::StopFlag;
use bartizan_position::Position;
use std::cell::Cell;
use std::io::{self, Read};
use std::mem::take;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The text of a game, or a text without a game: a comment at the end of a file, or the rest of a game of more than
/// [`RawGames::LIMIT`] bytes. Concatenated, the texts of a file equal the file.
pub struct GameText<'a> {
    /// The text.
    pub raw: &'a RawGame,
    strictness: Strictness,
    fault: Cell<Option<GameFault>>,
    /// The problems, if the moves have been read.
    problems: Cell<Option<Vec<PgnProblem>>>,
    spare: &'a Spare,
}

/// A game whose memory is used again for each text.
type Spare = Cell<Option<Box<PgnGame>>>;

/// Why a game is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFault {
    /// The line of the input, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl GameFault {
    pub(crate) fn of(error: &PgnError) -> Self {
        Self { line: error.line, column: error.column, reason: error.kind.to_string() }
    }

    /// That of a game of more than [`RawGames::LIMIT`] bytes, which begins on this line.
    pub(crate) fn too_long(line: usize) -> (Self, PgnErrorKind) {
        let reason = format!("the game has more than {} MiB", RawGames::<&[u8]>::LIMIT >> 20);
        (Self { line, column: 1, reason }, PgnErrorKind::TooLong("a game of more than 16 MiB"))
    }
}

impl<'a> GameText<'a> {
    fn new(raw: &'a RawGame, strictness: Strictness, spare: &'a Spare) -> Self {
        Self { raw, strictness, fault: Cell::new(None), problems: Cell::new(None), spare }
    }

    /// Reads the first `plies` moves. `None` if the text has no game, or a broken one, which is reported.
    pub fn read(&self, plies: usize) -> Option<PgnGame> {
        self.see(plies, PgnGame::clone)
    }

    /// Reads the first `plies` moves, like [`GameText::read`], and passes the game to `see`, which takes no memory of
    /// its own.
    pub fn see<T>(&self, plies: usize, see: impl FnOnce(&PgnGame) -> T) -> Option<T> {
        let reader = self.raw.games().strictness(self.strictness).max_plies(plies);
        self.see_with(reader, |game, _| see(game))?.ok()
    }

    /// Reads all moves, like [`GameText::read`], and checks those of variations, too. Returns the fault of a broken
    /// game.
    pub fn read_checked(&self) -> Option<Result<PgnGame, PgnErrorKind>> {
        self.see_checked(|game, _| game.clone())
    }

    /// Reads all moves, like [`GameText::read_checked`], and passes the game and its last position to `see`.
    pub fn see_checked<T>(&self, see: impl FnOnce(&PgnGame, &Position) -> T) -> Option<Result<T, PgnErrorKind>> {
        self.see_with(self.raw.games().strictness(self.strictness).check_variations(true), see)
    }

    fn see_with<T>(
        &self,
        mut reader: PgnReader<&[u8]>,
        see: impl FnOnce(&PgnGame, &Position) -> T,
    ) -> Option<Result<T, PgnErrorKind>> {
        let mut game = self.spare.take().unwrap_or_default();
        let seen = self.note(|| {
            let read = reader.read_next(&mut game)?;
            Some(read.map(|()| (see(&game, reader.last_position()), game.problems.clone())))
        });
        self.spare.set(Some(game));
        seen
    }

    /// Reads the moves with variations and glyphs; see [`GameText::read`].
    pub fn tree(&self) -> Option<GameTree> {
        let with_problems = |tree: GameTree| {
            let problems = tree.problems().to_vec();
            (tree, problems)
        };
        self.note(|| Some(self.raw.trees().strictness(self.strictness).next()?.map(with_problems)))?.ok()
    }

    /// Whether the text has something of a game: a tag, a legal first move, or a result. Text that is no PGN lacks them
    /// and otherwise counts as a broken game.
    pub fn looks_like_game(&self) -> bool {
        let mut game = PgnGame::default();
        let _ = self.raw.games().max_plies(1).read_next(&mut game);
        let PgnGame { moves, result, problems, .. } = &game;
        let is_markup = problems.first().is_some_and(|problem| problem.kind == PgnProblemKind::Reserved);
        let is_unfinished = || self.raw.bytes.trim_ascii() == GameResult::Unknown.as_str().as_bytes();
        self.raw.is_game
            && (!self.raw.tags.is_empty()
                || !moves.is_empty() && !is_markup
                || *result != GameResult::Unknown
                || is_unfinished())
    }

    /// Notes what is wrong in a game: its fault, or the problems that are returned with what is read.
    fn note<T>(
        &self,
        read: impl FnOnce() -> Option<Result<(T, Vec<PgnProblem>), PgnError>>,
    ) -> Option<Result<T, PgnErrorKind>> {
        if self.raw.is_part {
            let (fault, kind) = GameFault::too_long(self.raw.line);
            self.fault.set(Some(fault));
            return Some(Err(kind));
        }
        match read()? {
            Ok((read, problems)) => {
                self.problems.set(Some(problems));
                Some(Ok(read))
            }
            Err(error) => {
                self.fault.set(Some(GameFault::of(&error)));
                Some(Err(error.kind))
            }
        }
    }
}

/// A text and the result of processing it.
#[derive(Clone, Debug)]
pub struct ProcessedText<T> {
    /// The line of the input on which it begins, from 1.
    pub line: usize,
    /// Whether it is a game.
    pub is_game: bool,
    /// Why the game is broken, as far as its moves were read.
    pub fault: Option<GameFault>,
    /// What is wrong in the text of a game that is not broken, as far as its moves were read.
    pub problems: Vec<PgnProblem>,
    /// The return value of the work.
    pub result: T,
}

/// The texts of an input could not all be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError<E> {
    /// The input cannot be read.
    #[error("cannot read the games")]
    Io(#[source] io::Error),
    /// The reading was stopped.
    #[error("stopped while reading games")]
    Stopped,
    /// The consumer of the texts failed.
    #[error("a game could not be taken")]
    Taker(E),
}

/// Passes each text of an input to `work`, in several threads, and the results to `take`, in this thread and in the
/// order of the input. A game with a problem that the strictness refuses is broken.
///
/// # Errors
/// [`ReadError`]. Everything before the error has been passed to `take`.
///
/// ```
/// use bartizan_games::{ProcessedText, read};
/// use bartizan_notation::pgn::Strictness;
/// use bartizan_parallel::{StopFlag, cores};
///
/// let pgn = "1. e4 e5 *\n\n[White \"A\"]\n\n1. d4 *\n";
/// let mut plies = Vec::new();
/// let count = |ProcessedText { result, .. }: ProcessedText<usize>| {
///     plies.push(result);
///     Ok::<(), std::convert::Infallible>(())
/// };
/// let work = |game: &bartizan_games::GameText<'_>| game.read(usize::MAX).map_or(0, |game| game.moves.len());
/// assert!(read(pgn.as_bytes(), Strictness::Lenient, cores(), &StopFlag::new(), work, count).is_ok());
/// assert_eq!(plies, [2, 1]);
/// ```
pub fn read<T: Send, E>(
    input: impl Read + Send,
    strictness: Strictness,
    threads: NonZeroUsize,
    stop: &StopFlag,
    work: impl Fn(&GameText<'_>) -> T + Sync,
    take: impl FnMut(ProcessedText<T>) -> Result<(), E>,
) -> Result<(), ReadError<E>> {
    let mut states = vec![(); threads.get()];
    read_with(input, strictness, &mut states, stop, |(), game| work(game), take)
}

/// Like [`read`], with one thread for each state. Each call of `work` has that of its thread.
///
/// # Errors
/// As [`read`].
pub fn read_with<S: Send, T: Send, E>(
    input: impl Read + Send,
    strictness: Strictness,
    states: &mut [S],
    stop: &StopFlag,
    work: impl Fn(&mut S, &GameText<'_>) -> T + Sync,
    take: impl FnMut(ProcessedText<T>) -> Result<(), E>,
) -> Result<(), ReadError<E>> {
    let work = &work;
    let workers = states.iter_mut().map(|state| {
        let spare = Spare::default();
        move |chunk: &Chunk| batch(chunk, strictness, stop, &spare, |game| work(state, game))
    });
    run(input, workers, stop, take)
}

/// Passes each chunk of an input to the workers, one for each thread, and what they return for each game to `take`.
/// They also return whether they have processed the whole chunk.
pub(crate) fn run<T: Send, W: FnMut(&Chunk) -> (Vec<T>, bool) + Send, E>(
    input: impl Read + Send,
    workers: impl ExactSizeIterator<Item = W>,
    stop: &StopFlag,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), ReadError<E>> {
    let failed = AtomicBool::new(false);
    let reader = Stopping { input, failed: &failed, stop };
    let (mut is_cut_short, mut failure) = (false, None);
    let workers = workers.map(|mut work| move |chunk: Chunk| work(&chunk));
    let read = bartizan_notation::pgn::read_with(reader, workers, ResultOrder::Kept, |(games, is_whole)| {
        if failure.is_some() {
            return;
        }
        if let Err(error) = games.into_iter().try_for_each(&mut take) {
            failure = Some(error);
            failed.store(true, Relaxed);
        }
        is_cut_short |= !is_whole;
    });
    match (failure, read) {
        (Some(error), _) => Err(ReadError::Taker(error)),
        (None, Err(_)) if stop.is_stopped() => Err(ReadError::Stopped),
        _ if is_cut_short => Err(ReadError::Stopped),
        (None, read) => read.map_err(ReadError::Io),
    }
}

/// Whether a text of a chunk looks like a game.
pub(crate) fn contains_game(chunk: &Chunk) -> bool {
    let (mut cutter, spare) = (chunk.cutter(), Spare::default());
    while let Some(raw) = cutter.next_game() {
        if GameText::new(raw, Strictness::Lenient, &spare).looks_like_game() {
            return true;
        }
    }
    false
}

/// Processes the texts of a chunk. Also returns whether all of them have been processed.
fn batch<T>(
    chunk: &Chunk,
    strictness: Strictness,
    stop: &StopFlag,
    spare: &Spare,
    mut work: impl FnMut(&GameText<'_>) -> T,
) -> (Vec<ProcessedText<T>>, bool) {
    let mut texts = Vec::new();
    let mut cutter = chunk.cutter();
    while let Some(raw) = cutter.next_game() {
        if stop.is_stopped() {
            return (texts, false);
        }
        let game = GameText::new(raw, strictness, spare);
        let result = work(&game);
        // The rest of a long game does not count as another broken game.
        let fault = game.fault.take().filter(|_| raw.is_game || !raw.is_part);
        let of_moves = game.problems.take();
        let (line, is_game) = (raw.line, raw.is_game);
        let problems = if fault.is_some() { Vec::new() } else { of_moves.unwrap_or_else(|| take(&mut raw.problems)) };
        texts.push(ProcessedText { line, is_game, fault, problems, result });
    }
    (texts, true)
}

/// A reader that fails as soon as reading should end.
struct Stopping<'a, R> {
    input: R,
    failed: &'a AtomicBool,
    stop: &'a StopFlag,
}

impl<R: Read> Read for Stopping<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        // Relaxed: the flag publishes no other data.
        if self.failed.load(Relaxed) || self.stop.is_stopped() {
            return Err(io::Error::other("stopped"));
        }
        self.input.read(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_from_other_text() {
        let looks_like_game = |text: &str| {
            let raw = RawGames::new(text.as_bytes()).next().unwrap().unwrap();
            GameText::new(&raw, Strictness::Lenient, &Spare::default()).looks_like_game()
        };
        for text in ["[White \"a\"]", "[White \"a\"]\n\n1. Ke2", "1. e4 e5 2. Ke3", "{first} d4", "*\n", "1/2-1/2"] {
            assert!(looks_like_game(text), "{text}");
        }
        for text in ["# Notes\n\nThe move e4 is best.", "\u{7f}ELF", "{a comment}", "<b>e4</b>", "[package]\nname = 1"]
        {
            assert!(!looks_like_game(text), "{text}");
        }
    }
}
