//! One game of the engine against itself.

use super::settings::SelfplaySettings;
use super::start::random_start;
use crate::Error;
use bartizan_engine::{PlayoutEnd, SearchedMove, SingleThreadedEngine, StopFlag, play_out};
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Move};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The number of the game.
    pub id: usize,
    /// The position after the opening and the random plies.
    pub start: Position,
    /// The moves from there on.
    pub moves: Vec<SearchedMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

/// Plays a game; `None` if stopped. The game depends on the seed and its number, not on the number of threads.
///
/// # Errors
/// If no start is playable, for instance because the random plies end every game.
pub(super) fn game(
    engine: &mut SingleThreadedEngine,
    settings: &SelfplaySettings,
    opening: &Game,
    id: usize,
    stop: &StopFlag,
) -> Result<Option<FinishedGame>, Error> {
    engine.forget();
    for attempt in 0..ATTEMPTS {
        if stop.is_stopped() {
            return Ok(None);
        }
        let Some(start) = random_start(opening, settings, id, attempt) else { continue };
        if attempt < BALANCED_ATTEMPTS {
            let Some(result) = engine.search(&start, settings.limits(), stop) else { return Ok(None) };
            if result.value.0.abs() > settings.balance {
                continue;
            }
        }
        return Ok(play_on(engine, settings, start, id, stop));
    }
    Err(Error::NoStart { id, random_plies: settings.random_plies, attempts: ATTEMPTS })
}

/// The start of a recorded game, with the moves that lead to it; `None` if these settings make no such start.
pub(super) fn find_start(opening: &Game, settings: &SelfplaySettings, id: usize, start: &Position) -> Option<Game> {
    (0..ATTEMPTS)
        .filter_map(|attempt| random_start(opening, settings, id, attempt))
        .find(|game| game.position() == start)
}

/// Whether the engine chooses these moves from a start, unless it is stopped.
pub(super) fn replay(
    engine: &mut SingleThreadedEngine,
    settings: &SelfplaySettings,
    start: Game,
    moves: &[Move],
    stop: &StopFlag,
) -> bool {
    let mut game = start;
    engine.forget();
    moves.iter().all(|&mv| match engine.search(&game, settings.limits(), stop) {
        None => true,
        Some(result) => result.best == Some(mv) && game.push(mv).is_ok(),
    })
}

/// Number of attempts after which a start need not be balanced, so that an unbalanced opening cannot cause an endless
/// loop.
const BALANCED_ATTEMPTS: u64 = 100;

/// Number of attempts to start a game; an attempt fails if the game is over.
const ATTEMPTS: u64 = 2 * BALANCED_ATTEMPTS;

fn play_on(
    engine: &mut SingleThreadedEngine,
    settings: &SelfplaySettings,
    start: Game,
    id: usize,
    stop: &StopFlag,
) -> Option<FinishedGame> {
    let position = start.position().clone();
    let choose = |game: &Game| {
        let result = engine.search(game, settings.limits(), stop)?;
        Some(SearchedMove { mv: result.best?, value: result.value, depth: result.depth })
    };
    let judge = |game: &Game, moves: &[SearchedMove]| {
        if moves.len() >= settings.max_plies { Some(None) } else { adjudicate(settings, game, moves) }
    };
    let (moves, ending) = play_out(start, stop, choose, judge)?;
    let winner = match ending {
        PlayoutEnd::Rules(winner) | PlayoutEnd::Adjudicated(winner) => winner,
    };
    Some(FinishedGame { id, start: position, moves, winner })
}

/// The agreed result, `Some(winner)` or `Some(None)` for a draw; `None` while the sides do not agree.
fn adjudicate(settings: &SelfplaySettings, game: &Game, moves: &[SearchedMove]) -> Option<Option<Color>> {
    const WIN_PLIES: usize = 4;
    const DRAW_PLIES: usize = 12;
    const DRAW_SCORE: i32 = 5;
    const DRAW_MOVE: u16 = 40;
    // The last score is from the side that just moved; going back, the sides alternate.
    let mover = !game.position().turn();
    let for_mover =
        |(back, scored): (usize, &SearchedMove)| if back % 2 == 0 { scored.value.0 } else { -scored.value.0 };
    let last = |plies: usize| moves.iter().rev().take(plies).enumerate().map(for_mover);
    if moves.len() >= WIN_PLIES {
        if last(WIN_PLIES).all(|score| score >= settings.win_score) {
            return Some(Some(mover));
        }
        if last(WIN_PLIES).all(|score| score <= -settings.win_score) {
            return Some(Some(!mover));
        }
    }
    let drawn = settings.adjudicate_draws
        && moves.len() >= DRAW_PLIES
        && game.position().fullmove_number() >= DRAW_MOVE
        && last(DRAW_PLIES).all(|score| score.abs() <= DRAW_SCORE);
    drawn.then_some(None)
}
