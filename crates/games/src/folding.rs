//! Reads the games of a text without keeping their texts.

use crate::reading::{GameFault, ReadError, contains_game, run};
use bartizan_notation::pgn::{Chunk, ChunkKind, PgnErrorKind, PgnGame, PgnProblem, Strictness};
use bartizan_parallel::StopFlag;
use bartizan_position::Position;
use std::io::Read;
use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A game and its last position, or why it could not be read.
pub type SeenGame<'a> = Result<(&'a PgnGame, &'a Position), &'a PgnErrorKind>;

/// What is wrong with a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameReport {
    /// Why it is broken.
    pub fault: Option<GameFault>,
    /// What is wrong in the text of a game that is not broken.
    pub problems: Vec<PgnProblem>,
}

/// Reads all moves of each game, those of variations, too, and adds the game to the state of a thread: there is one
/// thread for each state. `take` is told in this thread what is wrong with each game, in the order of the input. Returns
/// whether a text [looks like a game](crate::GameText::looks_like_game).
///
/// This is faster than [`read_with`](crate::read_with), which also looks for the end of each game before it is read.
///
/// # Errors
/// [`ReadError`]. Everything before the error has been passed to `take`.
///
/// ```
/// use bartizan_games::{CollectionStatistics, fold};
/// use bartizan_notation::pgn::Strictness;
/// use bartizan_parallel::StopFlag;
///
/// let pgn = "1. e4 e5 *\n\n[White \"A\"]\n\n1. d4 *\n";
/// let mut parts = [CollectionStatistics::default()];
/// let see = |part: &mut CollectionStatistics, game: bartizan_games::SeenGame<'_>| part.see(game, false);
/// let has_game = fold(pgn.as_bytes(), Strictness::Lenient, &mut parts, &StopFlag::new(), see, |_| Ok::<(), ()>(()));
/// assert!(has_game.is_ok_and(|has_game| has_game) && parts[0].games == 2);
/// ```
pub fn fold<S: Send, E>(
    input: impl Read + Send,
    strictness: Strictness,
    states: &mut [S],
    stop: &StopFlag,
    see: impl Fn(&mut S, SeenGame<'_>) + Sync,
    take: impl FnMut(GameReport) -> Result<(), E>,
) -> Result<bool, ReadError<E>> {
    let has_game = AtomicBool::new(false);
    let (see, found) = (&see, &has_game);
    let workers = states.iter_mut().map(|state| {
        let mut game = PgnGame::default();
        move |chunk: &Chunk| {
            // Relaxed: the flag publishes no other data. Several threads may set it.
            if !found.load(Relaxed) && contains_game(chunk) {
                found.store(true, Relaxed);
            }
            fold_chunk(chunk, strictness, stop, &mut game, |game| see(state, game))
        }
    });
    run(input, workers, stop, take)?;
    Ok(has_game.into_inner())
}

/// Reads the games of a chunk. Also returns whether all of them have been read.
fn fold_chunk(
    chunk: &Chunk,
    strictness: Strictness,
    stop: &StopFlag,
    game: &mut PgnGame,
    mut see: impl FnMut(SeenGame<'_>),
) -> (Vec<GameReport>, bool) {
    let mut reports = Vec::new();
    if chunk.kind == ChunkKind::Beginning {
        let (fault, kind) = GameFault::too_long(chunk.first_line);
        see(Err(&kind));
        reports.push(GameReport { fault: Some(fault), problems: Vec::new() });
        return (reports, true);
    }
    let mut reader = chunk.games().strictness(strictness).check_variations(true);
    while let Some(read) = reader.read_next(game) {
        if stop.is_stopped() {
            return (reports, false);
        }
        reports.push(match read {
            Ok(()) => {
                see(Ok((game, reader.last_position())));
                GameReport { fault: None, problems: take(&mut game.problems) }
            }
            Err(error) => {
                see(Err(&error.kind));
                GameReport { fault: Some(GameFault::of(&error)), problems: Vec::new() }
            }
        });
    }
    (reports, true)
}
