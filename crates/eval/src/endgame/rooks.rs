//! Rook endings, by the textbook rules: Philidor (1777), Lucena, the defences from the back rank and from the side.

use super::view::{View, distance};
use super::{SCALE_DRAW, SideMaterial};
use bartizan_types::{Bitboard, File, PieceType, Rank, Square};

/// Scale with the defending king in front of the pawn, which has not passed its fifth rank.
const KING_IN_FRONT: i32 = 20;

/// Scale with the defending king in front of an advanced pawn, and of a rook pawn with the king cut off.
const HARD_TO_WIN: i32 = 36;

/// Scale with the defending king cut off from a pawn that is not a rook pawn: nearly always won.
const KING_CUT_OFF: i32 = 60;

/// The number of files between king and pawn from which the king is cut off.
const CUT_OFF_FILES: u8 = 2;

/// The number of files between rook and pawn that checks from the side need.
const SIDE_CHECK_FILES: u8 = 3;

/// The scale of rook and pawns against rook and pawns; `None` for endings without a rule.
pub(super) fn scale(view: &View<'_>, strong: SideMaterial, weak: SideMaterial) -> Option<i32> {
    match (strong.count(PieceType::Pawn), weak.count(PieceType::Pawn)) {
        (1, 0) => RookPawn::new(view)?.scale(),
        (2, 1) => two_pawns_against_one(view),
        _ => None,
    }
}

/// Rook and pawn against rook, with the pawn on files a to d.
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
        let ahead = self.weak_king.rank() > self.pawn.rank();
        let cut_off = self.weak_king.file().distance(self.pawn.file()) >= CUT_OFF_FILES;
        Some(match (ahead && !cut_off, self.pawn.file()) {
            (true, _) if self.pawn.rank() <= Rank::Fifth => KING_IN_FRONT,
            (true, _) | (false, File::A) => HARD_TO_WIN,
            (false, _) => KING_CUT_OFF,
        })
    }

    /// Whether the defending king is on the queening square or beside it.
    fn king_holds_queening_square(&self) -> bool {
        self.weak_king.distance(self.queening) <= 1
    }

    /// Philidor's defence: the rook keeps the king off the sixth rank until the pawn advances there, then checks from
    /// behind.
    fn third_rank_defence(&self) -> bool {
        self.king_holds_queening_square()
            && self.pawn.rank() <= Rank::Fifth
            && self.strong_king.rank() <= Rank::Fifth
            && (self.weak_rook.rank() == Rank::Sixth
                || self.pawn.rank() <= Rank::Third && self.strong_rook.rank() != Rank::Sixth)
    }

    /// The pawn is on its sixth rank and its king has no shelter there: checks from behind or from the side draw.
    fn checks_from_behind(&self) -> bool {
        let from_the_side = self.tempo == 0 && self.weak_rook.file().distance(self.pawn.file()) >= SIDE_CHECK_FILES;
        self.king_holds_queening_square()
            && self.pawn.rank() == Rank::Sixth
            && self.strong_king.rank().index() as i32 + self.tempo <= Rank::Sixth.index() as i32
            && (self.weak_rook.rank() == Rank::First || from_the_side)
    }

    /// The defending king on the queening square and its rook on the first rank: neither can be driven away.
    fn king_on_queening_square(&self) -> bool {
        self.pawn.rank() >= Rank::Sixth
            && self.weak_king == self.queening
            && self.weak_rook.rank() == Rank::First
            && (self.tempo == 0 || self.strong_king.distance(self.pawn) >= 2)
    }

    /// Pawn on a7 and its rook on a8, the other rook behind the pawn, the defending king on g7 or h7 (Vančura and
    /// others). The rook cannot leave a8, and the attacking king has no shelter from checks along the a-file.
    fn rook_before_rook_pawn(&self) -> bool {
        self.pawn == Square::A7
            && self.strong_rook == Square::A8
            && matches!(self.weak_king, Square::G7 | Square::H7)
            && self.weak_rook.file() == File::A
            && (self.weak_rook.rank() <= Rank::Third
                || self.strong_king.file() >= File::D
                || self.strong_king.rank() <= Rank::Fifth)
    }

    /// The defending king directly in front of the pawn, and the other king too far away to drive it out.
    fn blockade(&self) -> bool {
        self.pawn.rank() <= Rank::Fifth
            && Some(self.weak_king) == self.pawn.offset(0, 1)
            && distance(self.strong_king, self.pawn) - self.tempo >= 2
            && distance(self.strong_king, self.weak_rook) - self.tempo >= 2
    }
}

/// Two pawns against one: usually drawn while the defending king is in front of both pawns and neither is passed.
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

/// Queen against rook and pawns: the fortress of a rook on its third rank (the sixth in a view).
///
/// A pawn guards the rook, the king behind them guards the pawn, and the other king is on the far side of the rook.
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
