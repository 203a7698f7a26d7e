//! Endings with few pieces and one to three pawns on the side that is ahead: the defender may exchange the last pawns,
//! or give up a piece for them.
//!
//! The scales come from 20,000 games of self-play; `testdata/endings/SOURCE.md` has the command and its output.

use super::view::View;
use super::{MINOR_PIECE, SCALE_NORMAL, SideMaterial};
use bartizan_types::PieceType;

/// Scales by the number of pawns.
struct Scales {
    /// With the pawns of both sides on four adjacent files, where one king guards against all of them.
    one_wing: [i32; 3],
    both_wings: [i32; 3],
}

/// Without a lead in pieces.
const NO_LEAD: Scales = Scales { one_wing: [21, 41, 50], both_wings: [32, 48, 54] };

/// With a lead of at most a minor piece, too little once the last pawn is gone. Two and three pawns on one wing share
/// the mean of their scales, because an extra pawn is not a drawback.
const MINOR_LEAD: Scales = Scales { one_wing: [41, 54, 54], both_wings: [62, SCALE_NORMAL, SCALE_NORMAL] };

/// The maximum scale of an extra minor piece against a queen, which may give perpetual check, with any number of pawns.
const MINOR_LEAD_AGAINST_QUEEN: i32 = 43;

pub(super) fn scale(view: &View<'_>, strong: SideMaterial, weak: SideMaterial) -> i32 {
    let lead = strong.points() - weak.points();
    if weak.points() == 0 || lead > MINOR_PIECE {
        return SCALE_NORMAL;
    }
    let scales = if lead > 0 { MINOR_LEAD } else { NO_LEAD };
    let by_pawns = if view.is_one_wing() { scales.one_wing } else { scales.both_wings };
    let pawns = strong.count(PieceType::Pawn) as usize;
    let scale = by_pawns.get(pawns.wrapping_sub(1)).copied().unwrap_or(SCALE_NORMAL);
    if lead > 0 && weak.count(PieceType::Queen) > 0 { scale.min(MINOR_LEAD_AGAINST_QUEEN) } else { scale }
}
