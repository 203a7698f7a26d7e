//! Compares the results that plans claim with the tables, on random positions: `cargo run --release -p bartizan-dtm
//! --example verdicts -- [--draws N] TABLES`.
//!
//! TABLES is a folder written by `bartizan-tools tb generate all4 KRPKR KBPKB`. Endings without a table are left out.
//! The plans are made without the result; with it, they never contradict the tables.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_dtm::advice::TheoreticalResult::{self, Draw, Loss, Win};
use bartizan_dtm::advice::{Plan, plan};
use bartizan_dtm::{DtmTables, Endgame};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Bitboard, Color, PieceType, SplitMix64, Square};

type Error = Box<dyn std::error::Error>;

/// Random placements of each ending.
const DRAWS: u64 = 2_000_000;

/// Exceptions that are shown.
const SHOWN: usize = 8;

/// Draws the squares of some pieces, one of each kind per side.
type PieceSampler = fn(&mut SplitMix64) -> Vec<(Color, PieceType, Square)>;

/// A plan's claim about the result: a part of its title or text, and the result for the stronger side.
struct Claim {
    ending: &'static str,
    words: &'static str,
    outcome: TheoreticalResult,
    /// Squares of White's or Black's pieces in every second draw, so that enough such positions occur.
    near: Option<PieceSampler>,
}

const fn claim(ending: &'static str, words: &'static str, outcome: TheoreticalResult) -> Claim {
    Claim { ending, words, outcome, near: None }
}

const CLAIMS: [Claim; 18] = [
    Claim { near: Some(before_the_pawn), ..claim("KRPKR", "Lucena position", Win) },
    Claim { near: Some(rook_on_the_sixth), ..claim("KRPKR", "Philidor's defence", Draw) },
    Claim { near: Some(pawn_on_the_sixth), ..claim("KRPKR", "The pawn has stepped on rank", Draw) },
    Claim { near: Some(rook_pawn_on_the_sixth), ..claim("KRPKR", "Vancura's defence", Draw) },
    Claim { near: Some(blockaded), ..claim("KBPKB", "nothing drives it away", Draw) },
    claim("KBPKB", "It is nearly always a draw", Draw),
    claim("KPK", "whoever is to move", Win),
    claim("KRKP", "and it falls", Win),
    claim("KRKP", "so that the pawn goes on alone and is lost", Win),
    claim("KRKP", "usually goes on alone and is lost", Win),
    claim("KQKP", "not yet on its seventh rank", Win),
    claim("KQKP", "Usually the queen still stops it", Win),
    claim("KBPK", "As a rule, the bishop guards", Win),
    claim("KBNK", "Done well, this takes at most 33 moves", Win),
    claim("KBBK", "there is no mate", Draw),
    claim("KNNK", "Two knights cannot force mate", Draw),
    claim("KRKB", "Usually a draw.", Draw),
    claim("KRKN", "Usually a draw while", Draw),
];

fn main() -> Result<(), Error> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut draws = DRAWS;
    if arguments.first().is_some_and(|first| first == "--draws") {
        draws = arguments.get(1).ok_or("the number of draws is missing")?.parse()?;
        arguments.drain(..2);
    }
    let tables = DtmTables::open(arguments.first().ok_or("the folder with the tables is missing")?)?;
    let mut exceptions = Vec::new();
    println!("| ending | words | positions | as the words say | exceptions |");
    println!("|---|---|---|---|---|");
    for claim in &CLAIMS {
        let ending: Endgame = claim.ending.parse()?;
        if !tables.endgames().any(|known| *known == ending) {
            println!("| {ending} | {} | no table | | |", claim.words);
            continue;
        }
        let mut random = SplitMix64::new(1);
        let (mut positions, mut kept) = (0_u64, 0_u64);
        for _ in 0..draws {
            let Some((position, strong)) = draw(&ending, claim.near, &mut random) else { continue };
            if !plan(&position, None).is_some_and(|plan| says(&plan, claim.words)) {
                continue;
            }
            let Some(value) = tables.probe(&position)? else { continue };
            let outcome = match value.sign() * if position.turn() == strong { 1 } else { -1 } {
                1 => Win,
                0 => Draw,
                _ => Loss,
            };
            positions += 1;
            if outcome == claim.outcome {
                kept += 1;
            } else {
                exceptions.push((claim, outcome, position.to_fen()));
            }
        }
        let share = 100.0 * kept as f64 / positions.max(1) as f64;
        println!("| {ending} | {} | {positions} | {share:.2} % | {} |", claim.words, positions - kept);
    }
    for claim in &CLAIMS {
        let of_claim = exceptions.iter().filter(|(other, ..)| std::ptr::eq(*other, claim));
        for (_, outcome, fen) in of_claim.take(SHOWN) {
            println!("{} {}: {outcome} for the stronger side: {fen}", claim.ending, claim.words);
        }
    }
    Ok(())
}

fn says(plan: &Plan, words: &str) -> bool {
    plan.title == words || plan.text.iter().any(|text| text.contains(words))
}

/// A random legal position, and the side with the first pieces of the ending.
fn draw(ending: &Endgame, near: Option<PieceSampler>, random: &mut SplitMix64) -> Option<(Position, Color)> {
    let mut setup = Setup::EMPTY;
    let mut taken = Bitboard::EMPTY;
    let fixed = near.filter(|_| random.below(2) == 0).map(|near| near(random)).unwrap_or_default();
    for color in Color::ALL {
        for piece in ending.material().side(color).skip(1).chain([PieceType::King]) {
            let drawn = Square::from_index(random.below(Square::COUNT));
            let is_same = |&&(of, kind, _): &&(Color, PieceType, Square)| (of, kind) == (color, piece);
            let square = fixed.iter().find(is_same).map_or(drawn, |&(.., square)| square);
            if taken.contains(square) {
                return None;
            }
            taken |= square.bitboard();
            setup.board[square.index()] = Some(piece.of(color));
        }
    }
    setup.turn = if random.below(2) == 0 { Color::White } else { Color::Black };
    let position = setup.validate(Tolerance::NONE).ok()?;
    Some(if random.below(2) == 0 { (position, Color::White) } else { (position.flipped(), Color::Black) })
}

/// The king before a pawn on the seventh rank.
fn before_the_pawn(random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    let file = random.below(8);
    let (king, pawn) = (Square::from_index(56 + file), Square::from_index(48 + file));
    vec![(Color::White, PieceType::King, king), (Color::White, PieceType::Pawn, pawn)]
}

/// A pawn on a rank, and Black's king before it or on the next file.
fn blocked_pawn(rank: usize, random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    let file = random.below(8);
    let beside = (file + random.below(3)).saturating_sub(1).min(7);
    let king = Square::from_index(48 + 8 * random.below(2) + beside);
    vec![(Color::White, PieceType::Pawn, Square::from_index(8 * rank + file)), (Color::Black, PieceType::King, king)]
}

/// Black's king before the pawn, its rook on the sixth rank.
fn rook_on_the_sixth(random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    let mut fixed = blocked_pawn(1 + random.below(4), random);
    fixed.push((Color::Black, PieceType::Rook, Square::from_index(40 + random.below(8))));
    fixed
}

/// Black's king before a pawn on the sixth rank.
fn pawn_on_the_sixth(random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    blocked_pawn(5, random)
}

/// Black's king before the pawn.
fn blockaded(random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    let (file, rank) = (random.below(8), 1 + random.below(6));
    let king = Square::from_index(8 * (rank + 1 + random.below(7 - rank)) + file);
    let pawn = Square::from_index(8 * rank + file);
    vec![(Color::White, PieceType::Pawn, pawn), (Color::Black, PieceType::King, king)]
}

/// A rook's pawn on the sixth rank, its rook before it and the other king at the other end of the board.
fn rook_pawn_on_the_sixth(random: &mut SplitMix64) -> Vec<(Color, PieceType, Square)> {
    let (file, beside) = if random.below(2) == 0 { (0, 6) } else { (7, 0) };
    vec![
        (Color::White, PieceType::Pawn, Square::from_index(40 + file)),
        (Color::White, PieceType::Rook, Square::from_index(56 + file)),
        (Color::Black, PieceType::King, Square::from_index(48 + beside + random.below(2))),
        (Color::Black, PieceType::Rook, Square::from_index(40 + random.below(8))),
    ]
}
