//! Generates `src/endgame/kbnk.bin`, the plies to mate with bishop and knight by the squares of the kings and the
//! knight:
//!
//!     cargo run --release -p bartizan-eval --example kbnk > crates/eval/src/endgame/kbnk.bin
//!
//! The program solves the ending by retrograde analysis, with the bishop on dark squares. Each byte holds the plies to
//! mate with the bare king to move, for the best square of the bishop, which it usually reaches in one or two moves. It
//! is 255 where the kings are adjacent or there is no mate.
//!
//! The table has 4,096 bytes for each square of the bare king in the triangle a1, h1, d4/e4, rank by rank: 64 squares
//! of the other king times 64 of the knight. Other squares of the bare king are mirror images.

use bartizan_types::{Bitboard, Direction, Square, rays};
use std::io::Write as _;

/// The bare king is not lost, or the position is illegal.
const NO_MATE: u8 = u8::MAX;

/// The bare king, the other king, the bishop, the knight.
type Men = [Square; 4];

fn main() -> std::io::Result<()> {
    let lost = solve();
    let mut table = Vec::new();
    for rank in 0..4 {
        for file in rank..8 - rank {
            let weak = Square::from_index(rank * 8 + file);
            for strong in Square::ALL {
                table.extend(Square::ALL.map(|knight| at_best(&lost, weak, strong, knight)));
            }
        }
    }
    std::io::stdout().write_all(&table)
}

/// The plies to mate with the bishop on its best square.
fn at_best(lost: &[u8], weak: Square, strong: Square, knight: Square) -> u8 {
    let plies = Bitboard::DARK.into_iter().map(|bishop| lost[index([weak, strong, bishop, knight])]);
    plies.min().unwrap_or(NO_MATE)
}

fn index(men: Men) -> usize {
    men.into_iter().fold(0, |index, square| index * 64 + square.index())
}

fn men(index: usize) -> Men {
    [18, 12, 6, 0].map(|shift| Square::from_index(index >> shift))
}

fn king(square: Square) -> Bitboard {
    Direction::ALL.into_iter().filter_map(|direction| square.step(direction)).collect()
}

/// The squares attacked by the man with this index in [`Men`].
fn attacks(man: usize, square: Square, occupied: Bitboard) -> Bitboard {
    const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    match man {
        2 => rays::slider_attacks(square, &Direction::BISHOP, occupied),
        3 => KNIGHT.into_iter().filter_map(|(files, ranks)| square.offset(files, ranks)).collect(),
        _ => king(square),
    }
}

/// Plies to mate with the bare king to move, by [`index`].
fn solve() -> Vec<u8> {
    const SIZE: usize = 1 << 24;
    let mut lost = vec![NO_MATE; SIZE];
    let mut won = vec![false; SIZE];
    // Whether the position is legal with the strong side to move, and the number of moves of the bare king that are not
    // known to lose.
    let mut strong_to_move = vec![false; SIZE];
    let mut escapes = vec![0_u8; SIZE];
    let mut latest = Vec::new();
    for index in 0..SIZE {
        let [weak, strong, bishop, knight] = men(index);
        let all: Bitboard = men(index).into_iter().collect();
        if all.count() < 4 || weak.distance(strong) < 2 || bishop.is_light() {
            continue;
        }
        // A king does not shield the squares behind it from a slider.
        let others = all - weak.bitboard();
        let guarded = king(strong) | attacks(2, bishop, others) | attacks(3, knight, others);
        strong_to_move[index] = !guarded.contains(weak);
        // Capturing an unguarded piece counts as a move that never loses.
        escapes[index] = (king(weak) - guarded).count() as u8;
        if escapes[index] == 0 && guarded.contains(weak) {
            lost[index] = 0;
            latest.push(index);
        }
    }
    for plies in (2..NO_MATE).step_by(2) {
        let mut winning = Vec::new();
        for now in latest.drain(..) {
            for man in 1..4 {
                for before in moved_back(now, man).filter(|&before| strong_to_move[before]) {
                    if !won[before] {
                        won[before] = true;
                        winning.push(before);
                    }
                }
            }
        }
        for now in winning {
            for before in moved_back(now, 0) {
                escapes[before] -= 1;
                if escapes[before] == 0 {
                    lost[before] = plies;
                    latest.push(before);
                }
            }
        }
    }
    lost
}

/// The positions from which a quiet move of one man leads to `now`.
fn moved_back(now: usize, man: usize) -> impl Iterator<Item = usize> {
    let now = men(now);
    let all: Bitboard = now.into_iter().collect();
    let origins = attacks(man, now[man], all) - all;
    origins.into_iter().filter_map(move |from| {
        let mut before = now;
        before[man] = from;
        (before[0].distance(before[1]) > 1).then(|| index(before))
    })
}
