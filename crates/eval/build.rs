//! Writes the table of king and pawn against king to `OUT_DIR`: for each side to move, pawn square and square of the
//! strong king, the set of squares on which the weak king is lost.
//!
//! The method is retrograde analysis (Ken Thompson, "Retrograde Analysis of Certain Endgames", 1986) on sets of
//! positions. It starts with the white pawn on the seventh rank, where the results of promotion are known, and goes
//! down rank by rank. For each pawn square, it repeats until no more wins are found.

use bartizan_types::{Bitboard, Color, Direction, Rank, Square};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

mod index {
    include!("src/kpk/index.rs");
}

/// The squares of the weak king on which White wins, by [`index::word`].
struct Wins(Vec<Bitboard>);

impl Wins {
    fn get(&self, turn: Color, pawn: Square, king: Square) -> Bitboard {
        self.0[index::word(turn, pawn, king)]
    }

    /// Replaces a set by a superset. Returns whether it has grown.
    fn grow(&mut self, turn: Color, pawn: Square, king: Square, set: Bitboard) -> bool {
        let word = &mut self.0[index::word(turn, pawn, king)];
        assert!(word.is_subset_of(set), "a position found won must stay won");
        let grown = *word != set;
        *word = set;
        grown
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/kpk/index.rs");

    let mut wins = Wins(vec![Bitboard::EMPTY; index::WORDS]);
    for rank in Rank::ALL[1..7].iter().rev() {
        for pawn in rank.bitboard().into_iter().take(4) {
            solve(&mut wins, pawn);
        }
    }

    let mut out = String::new();
    writeln!(out, "static WINS: [u64; index::WORDS] = [").expect("writing to a string succeeds");
    for row in wins.0.chunks(8) {
        for word in row {
            write!(out, "{:#x},", word.0).expect("writing to a string succeeds");
        }
        out.push('\n');
    }
    writeln!(out, "];").expect("writing to a string succeeds");
    let path = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("kpk.rs");
    fs::write(&path, out).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// Solves all positions with the pawn on this square. Positions with the pawn further up are already solved.
fn solve(wins: &mut Wins, pawn: Square) {
    let kings = || Square::ALL.into_iter().filter(|&king| king != pawn);
    loop {
        let mut grown = false;
        for king in kings() {
            let set = won_to_move(wins, pawn, king);
            grown |= wins.grow(Color::White, pawn, king, set);
        }
        for king in kings() {
            let set = lost_to_move(wins, pawn, king);
            grown |= wins.grow(Color::Black, pawn, king, set);
        }
        if !grown {
            return;
        }
    }
}

/// With White to move, the squares on which the weak king is lost: some white move leads to a won position.
fn won_to_move(wins: &Wins, pawn: Square, king: Square) -> Bitboard {
    let mut won = Bitboard::EMPTY;
    for to in step(king.bitboard()) - pawn.bitboard() {
        won |= wins.get(Color::Black, pawn, to);
    }
    for (to, over) in pushes(pawn) {
        let path = to.bitboard() | over;
        if !path.contains(king) {
            let after = if to.rank() == Rank::Eighth { promoted(king, to) } else { wins.get(Color::Black, to, king) };
            won |= after - path;
        }
    }
    // With White to move, Black's king cannot be in check.
    won & (legal(pawn, king) - attacks_of_pawn(pawn))
}

/// With Black to move, the squares on which the weak king is lost: every move loses. Stalemate is a draw.
fn lost_to_move(wins: &Wins, pawn: Square, king: Square) -> Bitboard {
    let allowed = !(step(king.bitboard()) | king.bitboard() | attacks_of_pawn(pawn));
    // Capturing the pawn saves the king: its square is allowed unless the strong king protects it.
    let escapes = allowed - wins.get(Color::White, pawn, king);
    let can_move = step(allowed);
    let escaped = step(escapes);
    legal(pawn, king) & ((can_move | attacks_of_pawn(pawn)) - escaped)
}

/// After a promotion on `square`, the squares on which the weak king, to move, is lost. A queen or rook wins against
/// the bare king unless the king captures it at once or is stalemated.
fn promoted(king: Square, square: Square) -> Bitboard {
    let mut lost = Bitboard::EMPTY;
    for directions in [&Direction::ALL[..], &Direction::ROOK[..]] {
        for weak in legal(square, king) {
            // The weak king does not shield the squares behind it from the piece that gives check.
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

/// The squares on which the weak king may stand, given the strong king and its pawn or promoted piece.
fn legal(pawn: Square, king: Square) -> Bitboard {
    !(step(king.bitboard()) | king.bitboard() | pawn.bitboard())
}

/// The squares to which the pawn may be pushed, each with the squares that it passes.
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

/// The squares that a king reaches in one step from any of `squares`.
fn step(squares: Bitboard) -> Bitboard {
    Direction::ALL.into_iter().fold(Bitboard::EMPTY, |all, direction| all | squares.shift(direction))
}
