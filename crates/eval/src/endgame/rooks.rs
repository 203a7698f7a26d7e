//! Rooks and pawns. The rules are those of every primer (Philidor 1777, Lucena, the defences from the back rank and from
//! the side).

use super::view::{View, distance};
use super::{Force, SCALE_DRAW};
use bartizan_types::{Bitboard, File, PieceType, Rank, Square};

/// Endings of rook and pawns against rook and pawns; `None` without an opinion.
pub(super) fn scale(view: &View<'_>, strong: Force, weak: Force) -> Option<i32> {
    match (strong.count(PieceType::Pawn), weak.count(PieceType::Pawn)) {
        (1, 0) => RookPawn::new(view)?.scale(),
        (2, 1) => two_pawns_against_one(view),
        _ => None,
    }
}

/// Rook and pawn against rook, the pawn on files a to d.
struct RookPawn {
    pawn: Square,
    queening: Square,
    strong_king: Square,
    strong_rook: Square,
    weak_king: Square,
    weak_rook: Square,
    /// 1 if the side with the pawn is to move.
    tempo: i32,
}

impl RookPawn {
    fn new(view: &View<'_>) -> Option<Self> {
        let view = &view.with_pawn_on_queenside();
        let pawn = view.strong(PieceType::Pawn).first()?;
        Some(Self {
            pawn,
            queening: Square::new(pawn.file(), Rank::Eighth),
            strong_king: view.strong_king,
            strong_rook: view.strong(PieceType::Rook).first()?,
            weak_king: view.weak_king,
            weak_rook: view.weak(PieceType::Rook).first()?,
            tempo: view.tempo(),
        })
    }

    fn scale(&self) -> Option<i32> {
        let drawn = self.third_rank_defence()
            || self.checks_from_behind()
            || self.king_on_queening_square()
            || self.rook_before_rook_pawn()
            || self.blockade();
        if drawn {
            return Some(SCALE_DRAW);
        }
        let before = self.weak_king.rank() > self.pawn.rank();
        let cut_off = self.weak_king.file().distance(self.pawn.file()) > 1;
        Some(match (before && !cut_off, self.pawn.file()) {
            (true, _) if self.pawn.rank() <= Rank::Fifth => 20,
            (true, _) => 36,
            (false, File::A) => 36,
            (false, _) => 60,
        })
    }

    fn king_holds_queening_square(&self) -> bool {
        self.weak_king.distance(self.queening) <= 1
    }

    /// Philidor: the rook keeps the king from the sixth rank until the pawn goes there, and then checks from behind.
    fn third_rank_defence(&self) -> bool {
        self.king_holds_queening_square()
            && self.pawn.rank() <= Rank::Fifth
            && self.strong_king.rank() <= Rank::Fifth
            && (self.weak_rook.rank() == Rank::Sixth
                || self.pawn.rank() <= Rank::Third && self.strong_rook.rank() != Rank::Sixth)
    }

    /// The pawn is on its sixth rank, its king cannot hide there: checks from behind or from far to the side.
    fn checks_from_behind(&self) -> bool {
        let from_the_side = self.tempo == 0 && self.weak_rook.file().distance(self.pawn.file()) >= 3;
        self.king_holds_queening_square()
            && self.pawn.rank() == Rank::Sixth
            && self.strong_king.rank().index() as i32 + self.tempo <= Rank::Sixth.index() as i32
            && (self.weak_rook.rank() == Rank::First || from_the_side)
    }

    /// The king on the queening square and the rook behind everything: nothing drives either away.
    fn king_on_queening_square(&self) -> bool {
        self.pawn.rank() >= Rank::Sixth
            && self.weak_king == self.queening
            && self.weak_rook.rank() == Rank::First
            && (self.tempo == 0 || self.strong_king.distance(self.pawn) >= 2)
    }

    /// The rook before its own pawn on a7 cannot leave, and the king finds no shelter from the checks of the rook behind
    /// the pawn; the other king waits on g7 or h7 (Vančura and others).
    fn rook_before_rook_pawn(&self) -> bool {
        self.pawn == Square::A7
            && self.strong_rook == Square::A8
            && matches!(self.weak_king, Square::G7 | Square::H7)
            && self.weak_rook.file() == File::A
            && (self.weak_rook.rank() <= Rank::Third
                || self.strong_king.file() >= File::D
                || self.strong_king.rank() <= Rank::Fifth)
    }

    /// The king right before the pawn and the other king too far away to drive it out.
    fn blockade(&self) -> bool {
        self.pawn.rank() <= Rank::Fifth
            && Some(self.weak_king) == self.pawn.offset(0, 1)
            && distance(self.strong_king, self.pawn) - self.tempo >= 2
            && distance(self.strong_king, self.weak_rook) - self.tempo >= 2
    }
}

/// Two pawns against one: usually drawn while the king stands before both of them and neither is passed.
fn two_pawns_against_one(view: &View<'_>) -> Option<i32> {
    let pawns = view.strong(PieceType::Pawn);
    let other = view.weak(PieceType::Pawn).first()?;
    let king = view.weak_king;
    let held = pawns.into_iter().all(|pawn| {
        let passed = pawn.file().distance(other.file()) > 1 || other.rank() <= pawn.rank();
        !passed && king.rank() > pawn.rank() && king.file().distance(pawn.file()) <= 1
    });
    let rank = pawns.into_iter().map(|pawn| pawn.rank().index() as i32).max()?;
    held.then_some(8 + 6 * rank)
}

/// Queen against rook and pawns: a rook on its third rank (here the sixth), guarded by a pawn that its king guards, with
/// that king behind it and the other one on the far side of the rook.
pub(super) fn fortress_against_queen(view: &View<'_>) -> bool {
    let (Some(rook), king) = (view.weak(PieceType::Rook).first(), view.weak_king) else { return false };
    let guards: Bitboard =
        [(-1, 1), (1, 1)].into_iter().filter_map(|(files, ranks)| rook.offset(files, ranks)).collect();
    let pawns = view.weak(PieceType::Pawn) & guards;
    rook.rank() == Rank::Sixth
        && king.rank() >= Rank::Seventh
        && view.strong_king.rank() <= Rank::Fifth
        && pawns.into_iter().any(|pawn| pawn.distance(king) <= 1)
}
