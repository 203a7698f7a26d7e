//! Won endings are won, and drawn ones held, against the longest resistance: every move of the defender comes from a
//! table of distances to mate, which is solved here so that the engine shares nothing with it.
//!
//! The engine has so many nodes a move, which makes the tests the same on every machine. The long versions are run by
//! hand: `cargo test --release -p bartizan-search --test endings -- --ignored --nocapture`; with `BARTIZAN_MOVE_MS=50` before
//! it the engine has 50 ms a move instead.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // In a test a panic is the report; the long versions report numbers.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Outcome, Position, Setup, Tolerance};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_types::{Bitboard, Color, Direction, File, Move, PieceType, Rank, Square, rays};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Draws, unknown and illegal positions in the tables.
const NO_MATE: u8 = u8::MAX;

fn king_steps(square: Square) -> Bitboard {
    Direction::ALL.into_iter().filter_map(|direction| square.step(direction)).collect()
}

fn attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Knight => [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            .into_iter()
            .filter_map(|(files, ranks)| square.offset(files, ranks))
            .collect(),
        PieceType::Bishop => rays::slider_attacks(square, &Direction::BISHOP, occupied),
        PieceType::Rook => rays::slider_attacks(square, &Direction::ROOK, occupied),
        PieceType::Queen => rays::slider_attacks(square, &Direction::ALL, occupied),
        PieceType::King => king_steps(square),
        PieceType::Pawn => unreachable!("pawns have a table of their own"),
    }
}

/// Plies to mate with one or two pieces (no pawns) against the bare king, by retrograde analysis. Black has the bare king,
/// which the symmetry of the board keeps on a1 to d4.
struct Mates {
    pieces: Vec<PieceType>,
    /// By [`Mates::index`]: the strong side to move, then the weak side.
    plies: [Vec<u8>; 2],
}

/// The bare king, the other one, and the pieces.
#[derive(Clone, Copy)]
struct Squares<const N: usize>([Square; N]);

impl Mates {
    fn solve(pieces: &[PieceType]) -> Self {
        match pieces.len() {
            1 => Self::solve_men::<3>(pieces),
            2 => Self::solve_men::<4>(pieces),
            _ => unreachable!("one piece or two"),
        }
    }

    /// The place of a position in the table; the squares of the pieces in the order of `pieces`.
    fn index(squares: &[Square]) -> usize {
        let weak = squares[0];
        let files = if weak.file() > File::D { 7 } else { 0 };
        let ranks = if weak.rank() > Rank::Fourth { 56 } else { 0 };
        let image = |square: Square| square.index() ^ files ^ ranks;
        let weak = image(weak);
        squares[1..].iter().fold((weak >> 3) * 4 + (weak & 7), |index, &square| index * 64 + image(square))
    }

    fn squares<const N: usize>(mut index: usize) -> Squares<N> {
        let mut squares = [Square::A1; N];
        for square in squares[1..].iter_mut().rev() {
            *square = Square::from_index(index & 63);
            index >>= 6;
        }
        squares[0] = Square::from_index((index >> 2) * 8 + (index & 3));
        Squares(squares)
    }

    fn solve_men<const N: usize>(pieces: &[PieceType]) -> Self {
        let size = 16 << (6 * (N - 1));
        let mut plies = [vec![NO_MATE; size], vec![NO_MATE; size]];
        // Whether the strong side may be to move, and how many moves the weak side has that do not lose yet.
        let mut strong_to_move = vec![false; size];
        let mut escapes = vec![0_u8; size];
        let mut lost = Vec::new();
        for index in 0..size {
            let Squares(squares) = Self::squares::<N>(index);
            let [weak, strong] = [squares[0], squares[1]];
            let all: Bitboard = squares.into_iter().collect();
            if all.count() < N as u32 || weak.distance(strong) < 2 {
                continue;
            }
            // The bare king does not shield the squares behind it.
            let others = all - weak.bitboard();
            let guarded =
                pieces.iter().zip(&squares[2..]).fold(king_steps(strong), |guarded, (&piece_type, &square)| {
                    guarded | attacks(piece_type, square, others)
                });
            strong_to_move[index] = !guarded.contains(weak);
            // Taking an unguarded piece is one of the moves, and never loses: too little is left.
            escapes[index] = (king_steps(weak) - guarded).count() as u8;
            if escapes[index] == 0 && guarded.contains(weak) {
                plies[1][index] = 0;
                lost.push(index);
            }
        }
        for depth in (1..).step_by(2) {
            let mut won = Vec::new();
            for index in lost.drain(..) {
                Self::before_strong::<N>(pieces, index, |before| {
                    if strong_to_move[before] && plies[0][before] == NO_MATE {
                        plies[0][before] = depth;
                        won.push(before);
                    }
                });
            }
            for index in won {
                Self::before_weak::<N>(index, |before| {
                    escapes[before] -= 1;
                    if escapes[before] == 0 {
                        plies[1][before] = depth + 1;
                        lost.push(before);
                    }
                });
            }
            if lost.is_empty() {
                break;
            }
        }
        Self { pieces: pieces.to_vec(), plies }
    }

    /// The positions from which a quiet move of the strong side leads here.
    fn before_strong<const N: usize>(pieces: &[PieceType], index: usize, mut found: impl FnMut(usize)) {
        let Squares(squares) = Self::squares::<N>(index);
        let all: Bitboard = squares.into_iter().collect();
        for man in 1..N {
            let piece_type = if man == 1 { PieceType::King } else { pieces[man - 2] };
            for from in attacks(piece_type, squares[man], all) - all {
                let mut before = squares;
                before[man] = from;
                if before[0].distance(before[1]) > 1 {
                    found(Self::index(&before));
                }
            }
        }
    }

    /// The positions from which a quiet move of the bare king leads here.
    fn before_weak<const N: usize>(index: usize, mut found: impl FnMut(usize)) {
        let Squares(squares) = Self::squares::<N>(index);
        let all: Bitboard = squares.into_iter().collect();
        for from in king_steps(squares[0]) - all {
            let mut before = squares;
            before[0] = from;
            if before[0].distance(before[1]) > 1 {
                found(Self::index(&before));
            }
        }
    }

    /// Plies to mate, `None` for a draw. White must have the pieces of this table.
    fn probe(&self, position: &Position) -> Option<u32> {
        let mut squares = vec![position.king(Color::Black), position.king(Color::White)];
        let mut left = position.color(Color::White) - squares[1].bitboard();
        for &piece_type in &self.pieces {
            let square = (left & position.by_type(piece_type)).first()?;
            left -= square.bitboard();
            squares.push(square);
        }
        let plies = self.plies[usize::from(position.turn() == Color::Black)][Self::index(&squares)];
        (plies != NO_MATE).then_some(u32::from(plies))
    }
}

/// Plies to mate with king and pawn against king, the pawn white and anywhere, by going over all positions until nothing
/// changes.
struct PawnMates {
    /// The pawn's square, then the strong king, then the weak king, then who is to move.
    plies: Vec<u8>,
}

impl PawnMates {
    fn index(strong_to_move: bool, pawn: Square, strong: Square, weak: Square) -> usize {
        let side = usize::from(!strong_to_move);
        ((pawn.index() * 64 + strong.index()) * 64 + weak.index()) * 2 + side
    }

    fn solve(queen: &Mates, rook: &Mates) -> Self {
        let mut table = Self { plies: vec![NO_MATE; 64 * 64 * 64 * 2] };
        for rank in Rank::ALL[1..7].iter().rev() {
            for pawn in rank.bitboard() {
                while table.sweep(pawn, queen, rook) {}
            }
        }
        table
    }

    /// All positions with the pawn on one square, once; whether anything changed.
    fn sweep(&mut self, pawn: Square, queen: &Mates, rook: &Mates) -> bool {
        let mut changed = false;
        for strong in Square::ALL.into_iter().filter(|&strong| strong != pawn) {
            for weak in Square::ALL.into_iter().filter(|&weak| weak != pawn && weak.distance(strong) > 1) {
                for strong_to_move in [true, false] {
                    let plies = if strong_to_move {
                        self.strong_moves(pawn, strong, weak, queen, rook)
                    } else {
                        self.weak_moves(pawn, strong, weak)
                    };
                    let entry = &mut self.plies[Self::index(strong_to_move, pawn, strong, weak)];
                    changed |= *entry != plies;
                    *entry = plies;
                }
            }
        }
        changed
    }

    fn guards(pawn: Square, square: Square) -> bool {
        [Direction::NorthEast, Direction::NorthWest].into_iter().any(|side| pawn.step(side) == Some(square))
    }

    fn strong_moves(&self, pawn: Square, strong: Square, weak: Square, queen: &Mates, rook: &Mates) -> u8 {
        if Self::guards(pawn, weak) {
            return NO_MATE; // Illegal: the king can be taken.
        }
        let mut best = NO_MATE;
        for to in king_steps(strong).into_iter().filter(|&to| to != pawn && to.distance(weak) > 1) {
            best = best.min(self.plies[Self::index(false, pawn, to, weak)]);
        }
        let free = |square: &Square| *square != strong && *square != weak;
        let single = pawn.step(Direction::North).filter(free);
        let double = single.filter(|_| pawn.rank() == Rank::Second).and_then(|over| over.step(Direction::North));
        for to in single.into_iter().chain(double.filter(free)) {
            if to.rank() == Rank::Eighth {
                let index = Mates::index(&[weak, strong, to]);
                best = best.min(queen.plies[1][index]).min(rook.plies[1][index]);
            } else {
                best = best.min(self.plies[Self::index(false, to, strong, weak)]);
            }
        }
        if best == NO_MATE { NO_MATE } else { best + 1 }
    }

    fn weak_moves(&self, pawn: Square, strong: Square, weak: Square) -> u8 {
        let mut worst = None;
        for to in king_steps(weak).into_iter().filter(|&to| to.distance(strong) > 1 && !Self::guards(pawn, to)) {
            let plies = if to == pawn { NO_MATE } else { self.plies[Self::index(true, pawn, strong, to)] };
            worst = worst.max(Some(plies));
        }
        match worst {
            None if Self::guards(pawn, weak) => 0,
            None | Some(NO_MATE) => NO_MATE,
            Some(plies) => plies + 1,
        }
    }
}

/// The truth about an ending and what it can turn into.
trait Oracle {
    /// Plies to mate, `None` for a draw. White has the pieces.
    fn plies(&self, position: &Position) -> Option<u32>;
}

impl Oracle for Mates {
    fn plies(&self, position: &Position) -> Option<u32> {
        self.probe(position)
    }
}

/// King and pawn against king, and after the promotion.
struct KingAndPawn {
    pawn: PawnMates,
    queen: Mates,
    rook: Mates,
}

impl KingAndPawn {
    fn get() -> &'static Self {
        static SOLVED: LazyLock<KingAndPawn> = LazyLock::new(|| {
            let [queen, rook] = [PieceType::Queen, PieceType::Rook].map(|piece_type| Mates::solve(&[piece_type]));
            KingAndPawn { pawn: PawnMates::solve(&queen, &rook), queen, rook }
        });
        &SOLVED
    }
}

impl Oracle for KingAndPawn {
    fn plies(&self, position: &Position) -> Option<u32> {
        if let Some(pawn) = position.by_type(PieceType::Pawn).first() {
            let [strong, weak] = Color::ALL.map(|color| position.king(color));
            let index = PawnMates::index(position.turn() == Color::White, pawn, strong, weak);
            let plies = self.pawn.plies[index];
            (plies != NO_MATE).then_some(u32::from(plies))
        } else {
            self.queen.probe(position).or_else(|| self.rook.probe(position))
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// White's pieces and both kings anywhere, with either side to move and a move to make.
    fn position(&mut self, pieces: &[PieceType]) -> Position {
        loop {
            let turn = Color::ALL[self.below(2)];
            let mut setup = Setup { turn, ..Setup::EMPTY };
            let white = pieces.iter().map(|&piece_type| piece_type.of(Color::White));
            let kings = Color::ALL.map(|color| PieceType::King.of(color));
            for piece in white.chain(kings) {
                setup.board[self.below(64)] = Some(piece);
            }
            if let Ok(position) = setup.validate(Tolerance::ALL)
                && position.occupied().count() == pieces.len() as u32 + 2
                && position.has_legal_move()
            {
                return position;
            }
        }
    }
}

/// The engine, who plays one side.
struct Player {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
    limits: Limits,
}

impl Player {
    fn new(limits: Limits) -> Self {
        let pool = ThreadPool::new(1, HandCrafted::new).unwrap();
        Self { pool, table: Arc::new(TranspositionTable::new(8).unwrap()), limits }
    }

    fn forget(&mut self) {
        self.pool.clear();
        self.table.clear();
    }

    fn choose(&mut self, game: &Game) -> Move {
        self.table.age();
        self.pool.go(Search::new(game.clone(), self.limits.clone()), self.table.clone()).wait().best.unwrap()
    }
}

/// What a game of the engine was worth, in plies to the mate where there was one.
#[derive(Debug, PartialEq)]
enum Played {
    Won(u32),
    Held,
    Misplayed(String),
}

/// The engine has White and a won position; Black resists as long as he can.
fn win(player: &mut Player, oracle: &dyn Oracle, start: &Position) -> Played {
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
            return misplayed(&game, "the win is gone");
        }
        let mv = if position.turn() == Color::White {
            player.choose(&game)
        } else {
            // A draw first of all, then the longest way to the mate.
            let length = |mv: &Move| oracle.plies(&position.play(*mv).unwrap()).unwrap_or(u32::MAX);
            position.legal_moves().into_iter().max_by_key(length).unwrap()
        };
        game.push(mv).unwrap();
    }
}

/// The engine has Black and a drawn position; White sets the traps, 50 plies long.
fn hold(player: &mut Player, oracle: &dyn Oracle, start: &Position) -> Played {
    player.forget();
    let mut game = Game::new(start.clone());
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < 50 {
        let position = game.position();
        if oracle.plies(position).is_some() {
            return misplayed(&game, "the draw is gone");
        }
        let mv = if position.turn() == Color::Black {
            player.choose(&game)
        } else {
            // The move after which the fewest answers draw, pawn moves last.
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

/// Plays `games` random won positions; all but `missed` must be won within 50 moves.
fn wins_all_but(missed: usize, pieces: &[PieceType], oracle: &dyn Oracle, games: usize, limits: Limits) {
    let mut random = Random(pieces.iter().fold(1, |seed, piece_type| seed * 7 + piece_type.index() as u64));
    let mut player = Player::new(limits);
    let (mut played, mut best, mut failures) = (0, 0, Vec::new());
    for _ in 0..games {
        let (start, plies) = loop {
            let position = random.position(pieces);
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
        "{pieces:?}: {} of {games} won, in {:.1} plies on average where {:.1} are best",
        games - failures.len(),
        f64::from(played) / (games - failures.len()) as f64,
        f64::from(best) / (games - failures.len()) as f64
    );
    assert!(failures.len() <= missed, "{failures:#?}");
}

/// Plays `games` random positions of king and pawn against king: the won ones with the pawn, the drawn ones without.
fn king_and_pawn_never_misplayed(games: usize, limits: Limits) {
    let oracle = KingAndPawn::get();
    let mut random = Random(1851);
    let mut player = Player::new(limits);
    let (mut won, mut held, mut failures) = (0, 0, Vec::new());
    for _ in 0..games {
        let start = random.position(&[PieceType::Pawn]);
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

/// The longest mates as they are known: queen 10 moves, rook 16, bishops 19, bishop and knight 33, pawn 28.
#[test]
fn the_oracle_knows_the_longest_mates() {
    let longest = |plies: &[u8]| plies.iter().filter(|&&plies| plies != NO_MATE).max().map(|plies| plies.div_ceil(2));
    let all = KingAndPawn::get();
    assert_eq!([&all.queen, &all.rook].map(|mates| longest(&mates.plies[0])), [Some(10), Some(16)]);
    assert_eq!(longest(&all.pawn.plies), Some(28));
}

#[test]
fn queen_wins() {
    wins_all_but(0, QUEEN, &KingAndPawn::get().queen, 10, Limits::nodes(5_000));
}

#[test]
fn rook_wins() {
    wins_all_but(0, ROOK, &KingAndPawn::get().rook, 10, Limits::nodes(10_000));
}

#[test]
fn king_and_pawn_is_played_right() {
    king_and_pawn_never_misplayed(20, Limits::nodes(3_000));
}

/// Solving four men takes some seconds, hence two tests of them and not four.
#[test]
fn two_bishops_win() {
    wins_all_but(0, BISHOPS, &Mates::solve(BISHOPS), 5, Limits::nodes(15_000));
}

/// The longest of the elementary mates: the search does not always find its way in 50 moves.
#[test]
fn bishop_and_knight_win() {
    wins_all_but(1, BISHOP_KNIGHT, &Mates::solve(BISHOP_KNIGHT), 5, Limits::nodes(20_000));
}

/// What 50 ms a move are worth, and the same on a machine that has other things to do.
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
#[ignore = "minutes: cargo test --release -p bartizan-search --test endings -- --ignored"]
fn queen_wins_200() {
    wins_all_but(0, QUEEN, &KingAndPawn::get().queen, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test endings -- --ignored"]
fn rook_wins_200() {
    wins_all_but(0, ROOK, &KingAndPawn::get().rook, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test endings -- --ignored"]
fn two_bishops_win_200() {
    let oracle = Mates::solve(BISHOPS);
    assert_eq!(oracle.plies[0].iter().filter(|&&plies| plies != NO_MATE).max(), Some(&37));
    wins_all_but(0, BISHOPS, &oracle, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test endings -- --ignored"]
fn bishop_and_knight_win_200() {
    let oracle = Mates::solve(BISHOP_KNIGHT);
    assert_eq!(oracle.plies[0].iter().filter(|&&plies| plies != NO_MATE).max(), Some(&65));
    wins_all_but(5, BISHOP_KNIGHT, &oracle, 200, long_limits());
}

#[test]
#[ignore = "minutes: cargo test --release -p bartizan-search --test endings -- --ignored"]
fn king_and_pawn_is_played_right_1000() {
    king_and_pawn_never_misplayed(1_000, long_limits());
}
