//! Compares what the plans say about the result with the tables, on random positions:
//! `cargo run --release -p bartizan-advisor --example verdicts -- [--draws N] TABLES`.
//!
//! TABLES is a folder of `bartizan-tools tb generate all4 KRPKR`. Rook and pawn against rook takes the table of KRPKR,
//! and is left out without it. The plans are made without the result: with it, they never contradict the tables.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_advisor::{Outcome, Plan, plan};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_tablebase::{DtmTables, Endgame};
use bartizan_types::{Bitboard, Color, PieceType, SplitMix64, Square};

type Error = Box<dyn std::error::Error>;

/// Random placements of each ending.
const DRAWS: u64 = 2_000_000;

/// Exceptions that are shown.
const SHOWN: usize = 8;

/// Draws the squares of a king and its pawn.
type Near = fn(&mut SplitMix64) -> (Square, Square);

/// What a plan says about the result: a part of its title or text, and the result for the stronger side.
struct Claim {
    ending: &'static str,
    words: &'static str,
    outcome: Outcome,
    /// Squares for the stronger side's king and pawn in every second draw, so that there are enough such positions.
    near: Option<Near>,
}

const CLAIMS: [Claim; 8] = [
    Claim { ending: "KRPKR", words: "Lucena position", outcome: Outcome::Win, near: Some(before_the_pawn) },
    Claim { ending: "KRPKR", words: "Philidor's defence", outcome: Outcome::Draw, near: None },
    Claim { ending: "KRPKR", words: "Vancura's defence", outcome: Outcome::Draw, near: Some(rook_pawn_on_the_sixth) },
    Claim { ending: "KRKP", words: "and it falls", outcome: Outcome::Win, near: None },
    Claim { ending: "KRKP", words: "alone and is lost", outcome: Outcome::Win, near: None },
    Claim { ending: "KQKP", words: "not yet on its seventh rank", outcome: Outcome::Win, near: None },
    Claim { ending: "KBPK", words: "comes: the pawn promotes", outcome: Outcome::Win, near: None },
    Claim { ending: "KBBK", words: "there is no mate", outcome: Outcome::Draw, near: None },
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
                1 => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            };
            positions += 1;
            if outcome == claim.outcome {
                kept += 1;
            } else {
                exceptions.push((claim.words, outcome, position.to_fen()));
            }
        }
        println!("| {ending} | {} | {positions} | {kept} | {} |", claim.words, positions - kept);
    }
    for claim in &CLAIMS {
        for (words, outcome, fen) in exceptions.iter().filter(|(words, ..)| *words == claim.words).take(SHOWN) {
            println!("{words}: {outcome} for the stronger side: {fen}");
        }
    }
    Ok(())
}

fn says(plan: &Plan, words: &str) -> bool {
    plan.title == words || plan.text.iter().any(|text| text.contains(words))
}

/// A random legal position, and the side with the first pieces of the ending.
fn draw(ending: &Endgame, near: Option<Near>, random: &mut SplitMix64) -> Option<(Position, Color)> {
    let mut setup = Setup::EMPTY;
    let mut taken = Bitboard::EMPTY;
    let mut fixed = near.filter(|_| random.below(2) == 0).map(|near| near(random));
    for color in Color::ALL {
        for piece in ending.side(color).iter().copied().chain([PieceType::King]) {
            let drawn = Square::from_index(random.below(Square::COUNT));
            let square = match (color, piece, &mut fixed) {
                (Color::White, PieceType::King, Some((king, _))) => *king,
                (Color::White, PieceType::Pawn, Some((_, pawn))) => *pawn,
                _ => drawn,
            };
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
fn before_the_pawn(random: &mut SplitMix64) -> (Square, Square) {
    let file = random.below(8);
    (Square::from_index(56 + file), Square::from_index(48 + file))
}

/// A rook's pawn on the sixth rank, the king anywhere.
fn rook_pawn_on_the_sixth(random: &mut SplitMix64) -> (Square, Square) {
    (Square::from_index(random.below(64)), Square::from_index(40 + 7 * random.below(2)))
}
