//! Plays out random won endings, the engine against itself, and compares the length of each game with the
//! distance-to-mate tables: `cargo run --release -p bartizan-engine --example endings -- TABLES [SYZYGY]`.
//!
//! TABLES is a folder written by `bartizan-tools tb generate`. The engine uses it, or the Syzygy tables if they are
//! given: those know who wins, but not how fast. It thinks for 20 ms per move, with and without the 50-move rule.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_dtm::{Dtm, DtmTables, Endgame};
use bartizan_engine::{Engine, Options};
use bartizan_position::{Game, Outcome, Position, Setup, Tolerance};
use bartizan_search::Limits;
use bartizan_types::{Color, PieceType, SplitMix64, Square};
use std::path::PathBuf;
use std::time::Duration;

/// Number of won positions with the rule; equally many are played without it.
const POSITIONS: usize = 500;

/// Plies after which a game is given up.
const LONGEST: usize = 300;

const TIME: Duration = Duration::from_millis(20);

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = folders.next().ok_or("the folder with the tables is missing")?;
    let syzygy: Vec<PathBuf> = folders.collect();
    let tables = DtmTables::open_folders(&[&folder])?;
    for fifty_moves in [true, false] {
        let mut options = Options::default().with_hash_mib(4)?;
        options.syzygy.fifty_moves = fifty_moves;
        options.syzygy.folders.clone_from(&syzygy);
        if syzygy.is_empty() {
            options.table_folders = vec![folder.clone()];
        }
        let mut engine = Engine::with_options(options)?;
        let mut random = SplitMix64::new(1);
        let (mut won, mut longer, mut more) = (0, 0, 0);
        for _ in 0..POSITIONS {
            let (position, plies) = won_position(&tables, &mut random)?;
            let (outcome, played) = play(&mut engine, &position, fifty_moves)?;
            if matches!(outcome, Some(Outcome::Checkmate(_))) {
                won += 1;
                longer += usize::from(played > plies);
                more += played.saturating_sub(plies);
            } else {
                println!("not won: {} {outcome:?}", position.to_fen());
            }
        }
        let rule = if fifty_moves { "with the 50-move rule" } else { "without it" };
        println!("{rule}: {won} of {POSITIONS} won, {longer} longer than the tables say, by {more} plies in all");
    }
    Ok(())
}

/// A random position of the largest endings that the side to move wins, and its distance to mate in plies.
fn won_position(tables: &DtmTables, random: &mut SplitMix64) -> Result<(Position, usize), Error> {
    let endings: Vec<&Endgame> = tables.endgames().filter(|ending| ending.men() == tables.max_pieces()).collect();
    loop {
        let ending = endings[random.below(endings.len())];
        let mut setup = Setup::EMPTY;
        for color in [Color::White, Color::Black] {
            for piece in ending.material().side(color).skip(1).chain([PieceType::King]) {
                setup.board[random.below(Square::COUNT)] = Some(piece.of(color));
            }
        }
        setup.turn = if random.below(2) == 0 { Color::White } else { Color::Black };
        // Pieces that fall on the same square give a smaller ending, which does no harm; a missing king is rejected.
        let Ok(position) = setup.validate(Tolerance::NONE) else { continue };
        if let Some(Dtm::Win(plies)) = tables.probe(&position)? {
            return Ok((position, usize::from(plies)));
        }
    }
}

/// Plays out a game; returns the result and the number of plies.
fn play(engine: &mut Engine, start: &Position, fifty_moves: bool) -> Result<(Option<Outcome>, usize), Error> {
    engine.new_game();
    engine.set_game(Game::new(start.clone()));
    let mut position = start.clone();
    for played in 0..LONGEST {
        let outcome = if fifty_moves { engine.game().outcome() } else { over(&position) };
        if outcome.is_some() {
            return Ok((outcome, played));
        }
        let best = engine.go(Limits::default().with_move_time(TIME))?.wait().best.ok_or("no move")?;
        engine.play(best)?;
        position = position.play(best)?;
    }
    Ok((None, LONGEST))
}

/// The outcome of a game, ignoring draws by repetition and the 50-move rule.
fn over(position: &Position) -> Option<Outcome> {
    let game = Game::new(position.clone());
    game.outcome().filter(|_| position.is_checkmate() || position.is_stalemate() || position.is_insufficient_material())
}
