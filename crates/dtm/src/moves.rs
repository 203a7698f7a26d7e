//! Moves and unmoves of a table's pieces, on squares alone.

use crate::layout::{Layout, Squares};
use crate::solved::Links;
use crate::value::{DRAW, ILLEGAL, MATED, is_win};
use bartizan_types::{Bitboard, Color, PieceType, Square};

/// The counter of a position that cannot be lost, whatever the counted moves lead to.
pub(crate) const NEVER: u8 = 255;

/// The counter units per move. A class of mirrored positions may have half as many moves into it as unmoves out of it,
/// so an unmove counts 1, 2 or 4: see [`weight`].
const PER_MOVE: u32 = 2;

/// The maximum number of moves that a counter can hold. A position of 5 men has at most 89 moves (three queens and the
/// king).
const MOST_MOVES: u32 = 120;

/// The amount by which an unmove from position `after` to position `before` decreases the counter of `before`.
///
/// A position that is its own mirror image has 4 images, all others have 8. Each move from an image of `before` to an
/// image of `after` is one edge, so the number of moves from one image of `before` equals the number of unmoves from
/// one image of `after`, times the images of `after`, divided by the images of `before`.
pub(crate) fn weight(before_is_own_image: bool, after_is_own_image: bool) -> u8 {
    match (before_is_own_image, after_is_own_image) {
        (true, false) => 4,
        (false, true) => 1,
        _ => 2,
    }
}

/// The occupied squares.
#[inline]
pub(crate) fn occupied(layout: &Layout, squares: &Squares) -> Bitboard {
    let mut occupied = 0;
    for square in &squares[..layout.pieces.len()] {
        occupied |= 1 << square;
    }
    Bitboard(occupied)
}

#[inline]
fn at(squares: &Squares, slot: usize) -> Square {
    Square::from_index(usize::from(squares[slot]))
}

/// The attacks of the piece in `slot` from `square`.
#[inline]
fn attacks(layout: &Layout, slot: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let piece = layout.pieces[slot];
    match piece.piece_type() {
        PieceType::Pawn => bartizan_attacks::pawn(piece.color(), square),
        piece_type => bartizan_attacks::of(piece_type, square, occupied),
    }
}

/// Whether a piece of `by`, ignoring the slot `captured`, attacks `target`.
#[inline]
pub(crate) fn is_attacked(
    layout: &Layout,
    squares: &Squares,
    occupied: Bitboard,
    target: Square,
    by: Color,
    captured: Option<usize>,
) -> bool {
    layout.slots[by.index()]
        .iter()
        .any(|&slot| Some(slot) != captured && attacks(layout, slot, at(squares, slot), occupied).contains(target))
}

/// What is known about the moves of a position before the table is solved.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The number of moves that stay in the table.
    pub(crate) quiet: u32,
    /// The code of the fastest win by a capture or promotion, or 0.
    win: u8,
    /// The code of the slowest loss after a capture or promotion, or 0.
    loss: u8,
    /// Whether a capture or promotion draws.
    draw: bool,
    /// Whether the side to move is in check.
    check: bool,
    /// Whether a distance is too long for a code.
    pub(crate) too_long: bool,
}

impl Known {
    /// Adds a move to another table, given the code of the position after it.
    pub(crate) fn add(&mut self, after: u8) {
        if after == DRAW {
            self.draw = true;
            return;
        }
        self.too_long |= after + 1 == ILLEGAL;
        let code = after + 1;
        if !is_win(code) {
            self.loss = self.loss.max(code);
        } else if self.win == 0 || code < self.win {
            self.win = code;
        }
    }

    /// The initial value and counter. The value comes from captures and promotions: a win unless a faster one is found,
    /// or the minimum distance of a loss, which becomes final when the counter reaches 0.
    pub(crate) fn cell(&self) -> (u8, u8) {
        if self.win != 0 {
            (self.win, NEVER)
        } else if self.draw {
            (DRAW, NEVER)
        } else if self.quiet > 0 {
            (self.loss, (self.quiet.min(MOST_MOVES) * PER_MOVE) as u8)
        } else if self.loss != 0 {
            (self.loss, 0)
        } else if self.check {
            (MATED, 0)
        } else {
            (DRAW, NEVER)
        }
    }
}

/// Whether the squares are different and the side not to move is not in check.
pub(crate) fn is_legal(layout: &Layout, squares: &Squares, turn: Color) -> bool {
    let occupied = occupied(layout, squares);
    occupied.count() as usize == layout.pieces.len()
        && !is_attacked(layout, squares, occupied, at(squares, usize::from(turn.is_white())), turn, None)
}

/// Examines all moves of a legal position. En passant is left out: see [`en_passant_captures`].
pub(crate) fn known_moves(layout: &Layout, links: &Links, squares: &Squares, turn: Color) -> Known {
    let occupied = occupied(layout, squares);
    let own: Bitboard = layout.slots[turn.index()].iter().map(|&slot| at(squares, slot)).collect();
    let king = layout.slots[turn.index()][0];
    let mut known =
        Known { check: is_attacked(layout, squares, occupied, at(squares, king), !turn, None), ..Known::default() };
    for &slot in &layout.slots[turn.index()] {
        let from = at(squares, slot);
        let is_pawn = layout.pieces[slot].piece_type() == PieceType::Pawn;
        let targets = if is_pawn {
            pawn_steps(turn, from, occupied) | bartizan_attacks::pawn(turn, from) & (occupied - own)
        } else {
            attacks(layout, slot, from, occupied) - own
        };
        for to in targets {
            let captured = if occupied.contains(to) {
                layout.slots[(!turn).index()].iter().copied().find(|&other| at(squares, other) == to)
            } else {
                None
            };
            let mut after = *squares;
            after[slot] = to.index() as u8;
            let occupied = (occupied ^ from.bitboard()) | to.bitboard();
            if is_attacked(layout, &after, occupied, at(&after, king), !turn, captured) {
                continue;
            }
            if is_pawn && matches!(to.index() / 8, 0 | 7) {
                for link in links.promotions(slot, captured) {
                    known.add(link.code(&after, !turn));
                }
            } else if let Some(link) = captured.and_then(|captured| links.capture(captured)) {
                known.add(link.code(&after, !turn));
            } else {
                known.quiet += 1;
            }
        }
    }
    known.too_long |= known.quiet > MOST_MOVES;
    known
}

/// The squares to which a pawn advances.
fn pawn_steps(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let step = |square: Bitboard| Bitboard(if color.is_white() { square.0 << 8 } else { square.0 >> 8 }) - occupied;
    let one = step(from.bitboard());
    let home = if color.is_white() { 1 } else { 6 };
    if from.index() / 8 == home { one | step(one) } else { one }
}

/// Calls `found` for each legal en passant capture of the pawn `passed` of the side not to move, with the code of the
/// position after it. The pawn must stand where a double step ends, with the squares behind it empty.
pub(crate) fn en_passant_captures(
    layout: &Layout,
    links: &Links,
    squares: &Squares,
    turn: Color,
    passed: usize,
    mut found: impl FnMut(u8),
) {
    let Some(link) = links.capture(passed) else { return };
    let occupied = occupied(layout, squares);
    let pawn = at(squares, passed);
    let target = Square::from_index(pawn.index() ^ 8);
    let king = layout.slots[turn.index()][0];
    for &slot in &layout.slots[turn.index()] {
        let from = at(squares, slot);
        if layout.pieces[slot].piece_type() != PieceType::Pawn || !bartizan_attacks::pawn(turn, from).contains(target) {
            continue;
        }
        let mut after = *squares;
        after[slot] = target.index() as u8;
        let occupied = (occupied - from.bitboard() - pawn.bitboard()) | target.bitboard();
        if !is_attacked(layout, &after, occupied, at(&after, king), !turn, Some(passed)) {
            found(link.code(&after, !turn));
        }
    }
}

/// The pawns of the side not to move that may have just made a double step: they stand where one ends, and the squares
/// behind them are empty.
pub(crate) fn doubly_stepped<'a>(
    layout: &'a Layout,
    squares: &'a Squares,
    turn: Color,
) -> impl Iterator<Item = usize> + use<'a> {
    let occupied = occupied(layout, squares);
    layout.slots[(!turn).index()].iter().copied().filter(move |&slot| {
        layout.pieces[slot].piece_type() == PieceType::Pawn
            && double_step_origin(!turn, at(squares, slot), occupied).is_some()
    })
}

/// The origin of a double step to `to`, if there can have been one.
fn double_step_origin(color: Color, to: Square, occupied: Bitboard) -> Option<Square> {
    let (rank, back) = if color.is_white() { (3, -8) } else { (4, 8) };
    if to.index() / 8 != rank {
        return None;
    }
    let [passed, origin] = [1, 2].map(|steps| Square::from_index((to.index() as isize + steps * back) as usize));
    (!occupied.contains(passed) && !occupied.contains(origin)).then_some(origin)
}

/// The position before the double step of the pawn of a slot.
pub(crate) fn before_double_step(layout: &Layout, squares: &Squares, slot: usize) -> Option<Squares> {
    let origin = double_step_origin(layout.pieces[slot].color(), at(squares, slot), occupied(layout, squares))?;
    let mut before = *squares;
    before[slot] = origin.index() as u8;
    Some(before)
}

/// Calls `found` for each position from which `turn` has a move to this one that stays in the table. Some of them are
/// illegal. Double steps are left out if `is_passing` returns `true` for the pawn's slot.
pub(crate) fn unmoves(
    layout: &Layout,
    squares: &Squares,
    turn: Color,
    mut is_passing: impl FnMut(usize) -> bool,
    mut found: impl FnMut(&Squares),
) {
    let mover = !turn;
    let occupied = occupied(layout, squares);
    for &slot in &layout.slots[mover.index()] {
        let to = at(squares, slot);
        let origins = if layout.pieces[slot].piece_type() == PieceType::Pawn {
            pawn_origins(mover, to, occupied, || is_passing(slot))
        } else {
            attacks(layout, slot, to, occupied) - occupied
        };
        for from in origins {
            let mut before = *squares;
            before[slot] = from.index() as u8;
            found(&before);
        }
    }
}

fn pawn_origins(color: Color, to: Square, occupied: Bitboard, is_passing: impl FnOnce() -> bool) -> Bitboard {
    let rank = to.index() / 8;
    if rank == if color.is_white() { 1 } else { 6 } {
        return Bitboard::EMPTY;
    }
    let back = Square::from_index(if color.is_white() { to.index() - 8 } else { to.index() + 8 });
    let mut origins = back.bitboard() - occupied;
    if let Some(origin) = double_step_origin(color, to, occupied)
        && !is_passing()
    {
        origins |= origin.bitboard();
    }
    origins
}

#[cfg(test)]
mod tests {
    use super::super::Endgame;
    use super::super::solved::{Solved, sides};
    use super::super::verify::setup;
    use super::*;
    use bartizan_position::{Position, Setup, Tolerance};
    use bartizan_types::{MoveKind, SplitMix64};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// Links to tables that are completely drawn.
    fn links(layout: &Layout) -> Links {
        let drawn = |endgame: Endgame| {
            let layout = Arc::new(Layout::new(&endgame));
            let codes = vec![vec![DRAW; layout.size()]; sides(&endgame)];
            (endgame, Arc::new(Solved { layout, codes }))
        };
        let tables: BTreeMap<_, _> = layout.endgame.successors().into_iter().map(drawn).collect();
        Links::new(layout, &|endgame| tables.get(endgame).cloned()).unwrap()
    }

    /// Random squares; pawns often stand where double steps begin and end.
    fn random_squares(layout: &Layout, random: &mut SplitMix64) -> Squares {
        let mut squares = Squares::default();
        for (square, piece) in squares.iter_mut().zip(&layout.pieces) {
            *square = match piece.piece_type() {
                PieceType::Pawn if random.below(2) == 0 => 24 + random.below(16),
                PieceType::Pawn => 8 + random.below(48),
                _ => random.below(64),
            } as u8;
        }
        squares
    }

    fn squares_after(position: &Position, layout: &Layout) -> Vec<(bartizan_types::Piece, Square)> {
        let mut all: Vec<_> = layout
            .pieces
            .iter()
            .flat_map(|&piece| position.pieces(piece.color(), piece.piece_type()).into_iter().map(move |s| (piece, s)))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn moves_and_unmoves_are_those_of_the_rules() {
        let mut random = SplitMix64::new(1);
        let (mut legal, mut passing, mut back) = (0, 0, 0);
        for name in ["KPKP", "KQKR", "KBKN", "KPPK"] {
            let layout = Layout::new(&name.parse().unwrap());
            let links = links(&layout);
            for _ in 0..6_000 {
                let squares = random_squares(&layout, &mut random);
                let turn = Color::ALL[random.below(2)];
                let men = layout.pieces.len();
                if (0..men).any(|a| (0..a).any(|b| squares[a] == squares[b])) {
                    assert!(!is_legal(&layout, &squares, turn));
                    continue;
                }
                let validated = setup(&layout, &squares, turn).validate(Tolerance::ALL);
                assert_eq!(is_legal(&layout, &squares, turn), validated.is_ok(), "{name} {squares:?} {turn}");
                let Ok(position) = validated else { continue };
                legal += 1;
                let known = known_moves(&layout, &links, &squares, turn);
                let moves = position.legal_moves();
                let leaves = moves.iter().filter(|&&mv| position.is_capture(mv) || mv.promotes_to().is_some()).count();
                let fen = position.to_fen();
                assert_eq!((known.quiet as usize, known.draw), (moves.len() - leaves, leaves > 0), "{fen}");
                assert_eq!(known.check, position.in_check(), "{fen}");
                assert_eq!((known.win, known.loss, known.too_long), (0, 0, false));

                let stepped: Vec<usize> = doubly_stepped(&layout, &squares, turn).collect();
                for &slot in &layout.slots[(!turn).index()] {
                    let mut captures = 0;
                    if stepped.contains(&slot) {
                        en_passant_captures(&layout, &links, &squares, turn, slot, |_| captures += 1);
                        let before = before_double_step(&layout, &squares, slot).unwrap();
                        assert_eq!(before[slot] ^ 16, squares[slot]);
                    }
                    if layout.pieces[slot].piece_type() == PieceType::Pawn {
                        let passed = Square::from_index(usize::from(squares[slot]) ^ 8);
                        let setup = Setup { en_passant: Some(passed), ..position.to_setup() };
                        let position = setup.validate(Tolerance { en_passant: false, ..Tolerance::ALL });
                        let moves = position.map(|position| position.legal_moves()).unwrap_or_default();
                        let found = moves.iter().filter(|mv| mv.kind() == MoveKind::EnPassant).count();
                        assert_eq!(captures, found, "{fen} {passed}");
                        passing += found;
                    }
                }

                let after = squares_after(&position, &layout);
                unmoves(
                    &layout,
                    &squares,
                    turn,
                    |_| false,
                    |before| {
                        if !is_legal(&layout, before, !turn) {
                            return;
                        }
                        let before = setup(&layout, before, !turn).validate(Tolerance::ALL).unwrap();
                        let leads_here =
                            |mv: &&bartizan_types::Move| squares_after(&before.play_unchecked(**mv), &layout) == after;
                        assert_eq!(
                            before.legal_moves().iter().filter(leads_here).count(),
                            1,
                            "{} {fen}",
                            before.to_fen()
                        );
                        back += 1;
                    },
                );
            }
        }
        assert!(legal > 9_000 && passing > 50 && back > 50_000, "{legal} {passing} {back}");
    }
}
