//! Writes the table of king and pawn against king to `OUT_DIR`: for each side to move, square of the pawn and square of
//! its king, the set of squares on which the other king is lost.
//!
//! Solved backwards, as Ken Thompson solved endings ("Retrograde Analysis of Certain Endgames", 1986), with whole sets of
//! positions at once: the white pawn stands on its seventh rank first, where what it can become is known; then each rank
//! rests on the one before it. On one square of the pawn the wins are grown until they grow no more.

use bartizan_types::{Bitboard, Direction, Rank, Square};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

mod index {
    include!("src/index.rs");
}

/// The squares of the weak king on which White wins, by [`index::word`].
struct Wins(Vec<Bitboard>);

impl Wins {
    fn get(&self, strong_to_move: bool, pawn: Square, king: Square) -> Bitboard {
        self.0[index::word(strong_to_move, pawn, king)]
    }

    /// Keeps a set that can only have grown; whether it has.
    fn grow(&mut self, strong_to_move: bool, pawn: Square, king: Square, set: Bitboard) -> bool {
        let word = &mut self.0[index::word(strong_to_move, pawn, king)];
        assert!(word.is_subset_of(set), "a win was lost again");
        let grown = *word != set;
        *word = set;
        grown
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/index.rs");

    let mut wins = Wins(vec![Bitboard::EMPTY; index::WORDS]);
    for rank in Rank::ALL[1..7].iter().rev() {
        for pawn in rank.bitboard().into_iter().take(4) {
            solve(&mut wins, pawn);
        }
    }

    let mut out = String::new();
    writeln!(out, "static WINS: [u64; index::WORDS] = [").expect("a string takes all");
    for row in wins.0.chunks(8) {
        for word in row {
            write!(out, "{:#x},", word.0).expect("a string takes all");
        }
        out.push('\n');
    }
    writeln!(out, "];").expect("a string takes all");
    let path = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("kpk.rs");
    fs::write(&path, out).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// All positions with the pawn on this square; those with it further up are solved.
fn solve(wins: &mut Wins, pawn: Square) {
    let kings = || Square::ALL.into_iter().filter(|&king| king != pawn);
    loop {
        let mut grown = false;
        for king in kings() {
            let set = won_to_move(wins, pawn, king);
            grown |= wins.grow(true, pawn, king, set);
        }
        for king in kings() {
            let set = lost_to_move(wins, pawn, king);
            grown |= wins.grow(false, pawn, king, set);
        }
        if !grown {
            return;
        }
    }
}

/// White to move: where the weak king is lost because one move of White's leads to a win.
fn won_to_move(wins: &Wins, pawn: Square, king: Square) -> Bitboard {
    let mut won = Bitboard::EMPTY;
    for to in step(king.bitboard()) - pawn.bitboard() {
        won |= wins.get(false, pawn, to);
    }
    for (to, over) in pushes(pawn) {
        let path = to.bitboard() | over;
        if !path.contains(king) {
            let after = if to.rank() == Rank::Eighth { promoted(king, to) } else { wins.get(false, to, king) };
            won |= after - path;
        }
    }
    // A king that the pawn attacks cannot have been left there.
    won & (legal(pawn, king) - attacks_of_pawn(pawn))
}

/// Black to move: where the king is lost because each of its moves loses. Stalemate is a draw.
fn lost_to_move(wins: &Wins, pawn: Square, king: Square) -> Bitboard {
    let allowed = !(step(king.bitboard()) | king.bitboard() | attacks_of_pawn(pawn));
    // What it can take it takes: the pawn is among the allowed squares unless its king stands beside it.
    let escapes = allowed - wins.get(true, pawn, king);
    let can_move = step(allowed);
    let escaped = step(escapes);
    legal(pawn, king) & ((can_move | attacks_of_pawn(pawn)) - escaped)
}

/// Where the weak king, to move, is lost after a promotion on `square`. A queen or rook that cannot be taken at once wins
/// against the bare king, unless it is stalemate.
fn promoted(king: Square, square: Square) -> Bitboard {
    let mut lost = Bitboard::EMPTY;
    for directions in [&Direction::ALL[..], &Direction::ROOK[..]] {
        for weak in legal(square, king) {
            // The weak king does not shield the squares behind it from the piece that checks it.
            let attacked = bartizan_types::rays::slider_attacks(square, directions, king.bitboard());
            let moves = step(weak.bitboard()) - step(king.bitboard()) - attacked;
            let takes = moves.contains(square);
            let check = attacked.contains(weak);
            if !takes && (moves.any() || check) {
                lost |= weak.bitboard();
            }
        }
    }
    lost
}

/// Where the weak king may stand beside a pawn (or piece) and its king.
fn legal(pawn: Square, king: Square) -> Bitboard {
    !(step(king.bitboard()) | king.bitboard() | pawn.bitboard())
}

/// Where the pawn can be pushed to, with the squares that it skips.
fn pushes(pawn: Square) -> impl Iterator<Item = (Square, Bitboard)> {
    let single = pawn.step(Direction::North);
    let double = single.filter(|_| pawn.rank() == Rank::Second).and_then(|over| over.step(Direction::North));
    let skipped = single.map_or(Bitboard::EMPTY, Square::bitboard);
    single.map(|to| (to, Bitboard::EMPTY)).into_iter().chain(double.map(|to| (to, skipped)))
}

/// The squares that the white pawn attacks.
fn attacks_of_pawn(pawn: Square) -> Bitboard {
    pawn.bitboard().shift(Direction::NorthEast) | pawn.bitboard().shift(Direction::NorthWest)
}

/// The squares a king's step from any of these.
fn step(squares: Bitboard) -> Bitboard {
    Direction::ALL.into_iter().fold(Bitboard::EMPTY, |all, direction| all | squares.shift(direction))
}
