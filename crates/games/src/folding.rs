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
/// thread for each state. `take` is told in this thread what is wrong with each game, in the order of the input.
/// Returns whether a text [looks like a game](crate::GameText::looks_like_game).
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{GameText, read_with};
    use bartizan_notation::pgn::RawGames;
    use std::convert::Infallible;

    /// What is read of each game, with its report, and whether a text looks like a game.
    type Found = (Vec<(Option<String>, GameReport)>, bool);

    fn show(game: SeenGame<'_>) -> String {
        game.map_or_else(|kind| kind.to_string(), |(game, last)| format!("{game}{}", last.to_fen()))
    }

    fn folded(text: &[u8], strictness: Strictness) -> Found {
        let (mut seen, mut reports) = ([Vec::new()], Vec::new());
        let see = |seen: &mut Vec<String>, game: SeenGame<'_>| seen.push(show(game));
        let take = |report| {
            reports.push(report);
            Ok::<(), Infallible>(())
        };
        let has_game = fold(text, strictness, &mut seen, &StopFlag::new(), see, take).unwrap();
        let [seen] = seen;
        assert_eq!(seen.len(), reports.len());
        (seen.into_iter().map(Some).zip(reports).collect(), has_game)
    }

    fn read_by_text(text: &[u8], strictness: Strictness) -> Found {
        let (mut games, mut has_game) = (Vec::new(), false);
        let work = |(): &mut (), game: &GameText<'_>| {
            let read = game.see_checked(|game, last| show(Ok((game, last))));
            (read.map(|read| read.unwrap_or_else(|kind| show(Err(&kind)))), game.looks_like_game())
        };
        read_with(text, strictness, &mut [()], &StopFlag::new(), work, |text| {
            let (seen, looks_like_game) = text.result;
            has_game |= looks_like_game;
            if text.is_game {
                games.push((seen, GameReport { fault: text.fault, problems: text.problems }));
            }
            Ok::<(), Infallible>(())
        })
        .unwrap();
        (games, has_game)
    }

    #[test]
    fn games_are_read_as_from_their_texts() {
        let long = format!("1. d4 *\n1. e4 {{{}}} e5 1-0\n[Event \"x\"]\n\n1. c4 *\n", "Nf3\n".repeat(6 << 20));
        assert!(long.len() > RawGames::<&[u8]>::LIMIT);
        for text in [
            "",
            "{a comment}",
            "# Notes\n\nThe move e4 is best.",
            "\u{feff}{a}\n[White \"a\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
             1. O-O {b} 1-0 {c}\n\n{d}\n1. e4 *\n{e}\n",
            "[FEN \"x\"]\n\n1. e4 *\n\n[Result \"0-1\"]\n[Black x]\n\n1. e4 e5 (1... c5 2. Ke3) 2. Nf3 1-0 1. d4 d6",
            "1. e4 {open\n\n[Event \"a\"]\n\n1. Ke2 (1. d4 *\n[Event \"b\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n",
            &"[Event \"x\"]\n\n1. e4 e5 2. Ke3 1-0\n\n".repeat(40_000),
            &long,
        ] {
            for strictness in [Strictness::Lenient, Strictness::Strict] {
                let found = folded(text.as_bytes(), strictness);
                assert!(found == read_by_text(text.as_bytes(), strictness), "{}", &text[..text.len().min(200)]);
            }
        }
    }

    #[test]
    fn each_thread_has_a_state() {
        let text = "[Event \"x\"]\n\n1. e4 e5 1-0\n\n".repeat(200_000);
        let (mut counts, mut reports) = ([0; 3], 0);
        let take = |report| {
            reports += usize::from(report == GameReport::default());
            Ok::<(), Infallible>(())
        };
        let see = |count: &mut usize, _: SeenGame<'_>| *count += 1;
        assert!(fold(text.as_bytes(), Strictness::Lenient, &mut counts, &StopFlag::new(), see, take).unwrap());
        assert_eq!((counts.iter().sum::<usize>(), reports), (200_000, 200_000));
    }

    #[test]
    fn reading_can_be_stopped() {
        let text = "1. e4 *\n".repeat(1_000);
        let stop = StopFlag::new();
        let see = |seen: &mut usize, _: SeenGame<'_>| {
            *seen += 1;
            stop.stop();
        };
        let mut seen = [0];
        let read = fold(text.as_bytes(), Strictness::Lenient, &mut seen, &stop, see, |_| Ok::<(), Infallible>(()));
        assert!(matches!(read, Err(ReadError::Stopped)) && seen == [1]);
        let failed = |_| Err("full");
        let read = fold(text.as_bytes(), Strictness::Lenient, &mut [()], &StopFlag::new(), |(), _| {}, failed);
        assert!(matches!(read, Err(ReadError::Taker("full"))));
    }
}
