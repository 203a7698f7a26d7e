//! The likelihood of each legal move, as the format defines it: a frozen table of weights, independent of the search
//! and the evaluation. It considers the piece and its squares, their attackers and defenders, captures, checks, and the
//! preceding moves.

use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bitboard, Move, PieceType, Square};

/// Logarithms of weights, in units of 1/16. Fitted by logistic regression to self-play; they must never change.
static LOGARITHMS: &[u8; COUNT] = include_bytes!("moves.bin");

/// Attackers of a square: none, or the type of the least valuable one.
const ATTACKERS: usize = PieceType::COUNT + 1;
/// Pieces on the target: none, or their type.
const VICTIMS: usize = PieceType::COUNT;

// Where the parts of the table begin.
const TARGETS: usize = 0;
const SOURCES: usize = TARGETS + 2 * 6 * 64;
const EXCHANGES: usize = SOURCES + 2 * 6 * 64;
const THREATS: usize = EXCHANGES + 6 * VICTIMS * ATTACKERS * 2;
const CHECKS: usize = THREATS + 6 * ATTACKERS * 2;
const RECAPTURES: usize = CHECKS + 6 * 2;
const AGAIN: usize = RECAPTURES + 6 * 2;
const BACK: usize = AGAIN + 6;
const PROMOTIONS: usize = BACK + 6;
const CASTLING: usize = PROMOTIONS + 6;
const COUNT: usize = CASTLING + 1;

/// With more knights, bishops, rooks and queens than this, a game is in its first phase.
const FIRST_PHASE_PIECES: u32 = 6;

/// The number of entries of [`EXPONENTIALS`].
const STEPS: usize = 160;

/// e^(−i/16) in units of 2⁻¹⁶, each computed from the one before.
static EXPONENTIALS: [u32; STEPS] = {
    let mut table = [1 << 16; STEPS];
    let mut i = 1;
    while i < STEPS {
        table[i] = (table[i - 1] * 15_391) >> 14;
        i += 1;
    }
    table
};

/// A position in terms of the weights.
struct View<'a> {
    position: &'a Position,
    phase: usize,
    checks: CheckInfo,
    /// What the opponent attacks: with pawns, minor pieces, rooks, queens, the king.
    attacked: [Bitboard; 6],
    defended: Bitboard,
    /// Attacked at least twice by the side to move.
    twice: Bitboard,
}

impl<'a> View<'a> {
    fn new(position: &'a Position) -> Self {
        let us = position.turn();
        let mut attacked = [Bitboard::EMPTY; 6];
        for piece_type in PieceType::ALL {
            for square in position.pieces(!us, piece_type) {
                attacked[piece_type.index()] |= position.attacks_from(square);
            }
        }
        let (mut defended, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in position.color(us) {
            let attacks = position.attacks_from(square);
            twice |= defended & attacks;
            defended |= attacks;
        }
        let pawns_and_kings = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
        let is_late = (position.occupied() - pawns_and_kings).count() <= FIRST_PHASE_PIECES;
        Self { position, phase: is_late.into(), checks: position.check_info(), attacked, defended, twice }
    }

    /// 0 for none, otherwise one more than the type of the least valuable attacker; a knight counts as a bishop.
    fn attacker(&self, square: Square) -> usize {
        self.attacked.iter().position(|attacked| attacked.contains(square)).map_or(0, |index| index + 1)
    }

    /// Calls `add` with the index of each summand of the logarithm of a move's weight.
    fn parts(&self, mv: Move, before: [Option<Move>; 2], mut add: impl FnMut(usize)) {
        let us = self.position.turn();
        let (from, to) = (mv.from(), mv.destination());
        let Some(piece_type) = self.position.piece_at(from).map(|piece| piece.piece_type()) else { return };
        let piece = piece_type.index();
        let square = |square: Square| square.relative_to(us).index();
        add(TARGETS + (self.phase * 6 + piece) * 64 + square(to));
        add(SOURCES + (self.phase * 6 + piece) * 64 + square(from));
        if mv.is_castling() {
            return add(CASTLING);
        }
        let victim = match self.position.piece_at(to) {
            Some(piece) => 1 + piece.piece_type().index(),
            None => mv.is_en_passant().into(),
        };
        let attacker = self.attacker(to);
        let is_push = piece_type == PieceType::Pawn && from.file() == to.file();
        let is_defended = if is_push { self.defended } else { self.twice }.contains(to);
        add(EXCHANGES + ((piece * VICTIMS + victim) * ATTACKERS + attacker) * 2 + usize::from(is_defended));
        let is_safe = self.defended.contains(from);
        add(THREATS + (piece * ATTACKERS + self.attacker(from)) * 2 + usize::from(is_safe));
        let is_risky = usize::from(attacker > 0 && (attacker <= piece || !is_defended));
        if self.position.gives_check_with(&self.checks, mv) {
            add(CHECKS + piece * 2 + is_risky);
        }
        let [theirs, ours] = before;
        if victim > 0 && theirs.is_some_and(|theirs| theirs.destination() == to) {
            add(RECAPTURES + piece * 2 + is_risky);
        }
        if let Some(ours) = ours.filter(|ours| ours.destination() == from) {
            add(if ours.from() == to { BACK } else { AGAIN } + piece);
        }
        if let Some(promoted) = mv.promotes_to() {
            add(PROMOTIONS + promoted.index());
        }
    }
}

/// The weights of legal moves: positive numbers with a sum of at most 2¹⁶. `before` are the last move and the one
/// before it, if any.
pub(super) fn weights(position: &Position, moves: &[Move], before: [Option<Move>; 2]) -> Vec<u32> {
    let view = View::new(position);
    let logarithm = |&mv: &Move| {
        let mut sum = 0;
        view.parts(mv, before, |part| sum += i32::from(LOGARITHMS[part] as i8));
        sum
    };
    let logarithms: Vec<i32> = moves.iter().map(logarithm).collect();
    let best = logarithms.iter().copied().max().unwrap_or(0);
    let share = (1 << 16) / moves.len().max(1) as u32;
    let weight = |&logarithm: &i32| {
        let exponential = EXPONENTIALS.get((best - logarithm) as usize).copied().unwrap_or(0);
        ((u64::from(exponential) * u64::from(share)) >> 16).max(1) as u32
    };
    logarithms.iter().map(weight).collect()
}
