//! Basic endings against perfect play: the engine, with its network, must win won positions and hold drawn ones. Its
//! opponent plays by the distances to mate of `bartizan-testkit`.
//!
//! The engine searches a fixed number of nodes for each move, so that the tests give the same result on every machine.
//! Run the long versions by hand: `cargo test --release -p bartizan-search --test all -- --ignored --nocapture`.
//! With the environment variable `BARTIZAN_MOVE_MS=50` they give the engine 50 ms for each move instead.

use bartizan_network::AnyEvaluator;
use bartizan_position::{Game, Outcome, Position, Setup, Tolerance};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_testkit::{KingAndPawnMates, Mates, PieceMates};
use bartizan_types::{Color, Move, PieceType, SplitMix64};
use std::sync::Arc;
use std::time::Duration;

/// A random legal position with the kings and these white pieces, where the side to move has a move.
fn random_position(random: &mut SplitMix64, pieces: &[PieceType]) -> Position {
    loop {
        let turn = Color::ALL[random.below(2)];
        let mut setup = Setup { turn, ..Setup::EMPTY };
        let white = pieces.iter().map(|&piece_type| piece_type.of(Color::White));
        let kings = Color::ALL.map(|color| PieceType::King.of(color));
        for piece in white.chain(kings) {
            setup.board[random.below(64)] = Some(piece);
        }
        if let Ok(position) = setup.validate(Tolerance::ALL)
            && position.occupied().count() == pieces.len() as u32 + 2
            && position.has_legal_move()
        {
            return position;
        }
    }
}

/// The engine, which plays one side.
struct Player {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
    limits: Limits,
}

impl Player {
    fn new(limits: Limits) -> Self {
        let pool = ThreadPool::new(1, AnyEvaluator::built_in).unwrap();
        Self { pool, table: Arc::new(TranspositionTable::new(8).unwrap()), limits }
    }

    fn forget(&mut self) {
        self.pool.clear();
        self.table.clear();
    }

    fn choose(&mut self, game: &Game) -> Move {
        self.pool.go(Search::new(game.clone(), self.limits.clone()), self.table.clone()).wait().best.unwrap()
    }
}

/// The result of a game for the engine.
#[derive(Debug, PartialEq)]
enum Played {
    /// Won, with the number of plies to mate.
    Won(u32),
    Held,
    /// The win or draw was given away; the text says how, with the moves.
    Misplayed(String),
}

/// Plays a won position with the engine as White. Black plays the longest defence.
fn win(player: &mut Player, oracle: &dyn Mates, start: &Position) -> Played {
    player.forget();
    let mut game = Game::new(start.clone());
    loop {
        let position = game.position();
        match game.outcome() {
            Some(Outcome::Checkmate(Color::White)) => return Played::Won(game.moves().len() as u32),
            Some(outcome) => return misplayed(&game, &format!("{outcome:?}")),
            None => {}
        }
        if let Some(draw) = game.claimable_draw() {
            return misplayed(&game, &draw.to_string());
        }
        if oracle.plies(position).is_none() {
            return misplayed(&game, "the win was given away");
        }
        let mv = if position.turn() == Color::White {
            player.choose(&game)
        } else {
            // Prefer a draw, then the longest mate.
            let length = |mv: &Move| oracle.plies(&position.play(*mv).unwrap()).unwrap_or(u32::MAX);
            position.legal_moves().into_iter().max_by_key(length).unwrap()
        };
        game.push(mv).unwrap();
    }
}

/// Plays 50 plies of a drawn position with the engine as Black. White sets traps.
fn hold(player: &mut Player, oracle: &dyn Mates, start: &Position) -> Played {
    player.forget();
    let mut game = Game::new(start.clone());
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < 50 {
        let position = game.position();
        if oracle.plies(position).is_some() {
            return misplayed(&game, "the draw was given away");
        }
        let mv = if position.turn() == Color::Black {
            player.choose(&game)
        } else {
            // Prefer king moves, then the move with the fewest replies that hold the draw.
            let answers = |mv: &Move| {
                let next = position.play(*mv).unwrap();
                let drawing = |mv: &&Move| oracle.plies(&next.play(**mv).unwrap()).is_none();
                let pushed = position.by_type(PieceType::Pawn) != next.by_type(PieceType::Pawn);
                (pushed, next.legal_moves().iter().filter(drawing).count())
            };
            position.legal_moves().into_iter().min_by_key(answers).unwrap()
        };
        game.push(mv).unwrap();
    }
    match game.outcome() {
        Some(Outcome::Checkmate(_)) => misplayed(&game, "mated"),
        _ => Played::Held,
    }
}

fn misplayed(game: &Game, what: &str) -> Played {
    let moves: Vec<_> = game.moves().map(|mv| mv.to_string()).collect();
    Played::Misplayed(format!("{what}: {} moves {}", game.start().to_fen(), moves.join(" ")))
}

/// Plays `games` random won positions, of which all but `missed` must be won within the 50-move rule.
fn wins_all_but(missed: usize, pieces: &[PieceType], oracle: &dyn Mates, games: usize, limits: Limits) {
    let mut random = SplitMix64::new(pieces.iter().fold(1, |seed, piece_type| seed * 7 + piece_type.index() as u64));
    let mut player = Player::new(limits);
    let (mut played, mut best, mut failures) = (0, 0, Vec::new());
    for _ in 0..games {
        let (start, plies) = loop {
            let position = random_position(&mut random, pieces);
            if let Some(plies) = oracle.plies(&position) {
                break (position, plies);
            }
        };
        match win(&mut player, oracle, &start) {
            Played::Won(moves) => {
                played += moves;
                best += plies;
            }
            other => failures.push(other),
        }
    }
    eprintln!(
        "{pieces:?}: {} of {games} won, in {:.1} plies on average, where {:.1} are optimal",
        games - failures.len(),
        f64::from(played) / (games - failures.len()) as f64,
        f64::from(best) / (games - failures.len()) as f64
    );
    assert!(failures.len() <= missed, "{failures:#?}");
}

/// Plays `games` random positions of king and pawn against king: won ones with the pawn, drawn ones against it.
fn plays_king_and_pawn(games: usize, limits: Limits) {
    let oracle = KingAndPawnMates::get();
    let mut random = SplitMix64::new(1851);
    let mut player = Player::new(limits);
    let (mut won, mut held, mut failures) = (0, 0, Vec::new());
    for _ in 0..games {
        let start = random_position(&mut random, &[PieceType::Pawn]);
        let played = match oracle.plies(&start) {
            Some(_) => win(&mut player, oracle, &start),
            None => hold(&mut player, oracle, &start),
        };
        match played {
            Played::Won(_) => won += 1,
            Played::Held => held += 1,
            failure @ Played::Misplayed(_) => failures.push(failure),
        }
    }
    eprintln!("king and pawn: {won} won and {held} held of {games}");
    assert!(failures.is_empty(), "{failures:#?}");
}

const QUEEN: &[PieceType] = &[PieceType::Queen];
const ROOK: &[PieceType] = &[PieceType::Rook];
const BISHOPS: &[PieceType] = &[PieceType::Bishop, PieceType::Bishop];
const BISHOP_KNIGHT: &[PieceType] = &[PieceType::Bishop, PieceType::Knight];

#[test]
fn queen_wins() {
    wins_all_but(0, QUEEN, KingAndPawnMates::get().queen(), 10, Limits::nodes(5_000));
}

#[test]
fn rook_wins() {
    wins_all_but(0, ROOK, KingAndPawnMates::get().rook(), 10, Limits::nodes(10_000));
}

#[test]
fn king_and_pawn_is_played_right() {
    plays_king_and_pawn(20, Limits::nodes(3_000));
}

/// Solving four men takes seconds, so only two endings of four men are tested.
#[test]
fn two_bishops_win() {
    wins_all_but(0, BISHOPS, &PieceMates::solve(BISHOPS), 5, Limits::nodes(15_000));
}

/// The longest of the basic mates. The search does not always succeed within 50 moves.
#[test]
fn bishop_and_knight_win() {
    wins_all_but(1, BISHOP_KNIGHT, &PieceMates::solve(BISHOP_KNIGHT), 5, Limits::nodes(20_000));
}

/// The limits of the long versions: about as many nodes as 50 ms allow, unless the environment sets a time.
fn long_limits() -> Limits {
    match std::env::var("BARTIZAN_MOVE_MS") {
        Ok(text) => {
            let move_time = Duration::from_millis(text.parse().expect("BARTIZAN_MOVE_MS is a number of milliseconds"));
            Limits::move_time(move_time)
        }
        Err(_) => Limits::nodes(30_000),
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test all -- --ignored"]
fn queen_wins_200() {
    wins_all_but(0, QUEEN, KingAndPawnMates::get().queen(), 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test all -- --ignored"]
fn rook_wins_200() {
    wins_all_but(0, ROOK, KingAndPawnMates::get().rook(), 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test all -- --ignored"]
fn two_bishops_win_200() {
    let oracle = PieceMates::solve(BISHOPS);
    assert_eq!(oracle.longest(), Some(37));
    wins_all_but(0, BISHOPS, &oracle, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test all -- --ignored"]
fn bishop_and_knight_win_200() {
    let oracle = PieceMates::solve(BISHOP_KNIGHT);
    assert_eq!(oracle.longest(), Some(65));
    wins_all_but(5, BISHOP_KNIGHT, &oracle, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test all -- --ignored"]
fn king_and_pawn_is_played_right_1000() {
    plays_king_and_pawn(1_000, long_limits());
}
