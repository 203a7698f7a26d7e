//! Placement of single pieces: outposts, trapped pieces, open files, pins and similar terms.

use crate::context::Context;
use crate::side::{Side, ranks, relative_rank};
use crate::side_score::{SideScore, Tracer};
use crate::spans::{CENTRE_FILES, beside, file_ahead};
use crate::terms::king::may_castle;
use crate::terms::pawns::Structure;
use crate::weights::{
    BISHOP_BLOCKED_CENTRE, BISHOP_LONG_DIAGONAL, BISHOP_OUTPOST, BISHOP_SAME_COLOR_PAWNS, BISHOP_TRAPPED,
    BISHOP_XRAY_PAWNS, KNIGHT_OUTPOST, KNIGHT_OUTPOST_REACHABLE, MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE, PINNED,
    QUEEN_INFILTRATION, QUEEN_XRAYED, ROOK_CLOSED_FILE, ROOK_ON_FILE, ROOK_ON_QUEEN_FILE, ROOK_ON_SEVENTH,
    ROOK_TRAPPED,
};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, ByColor, PieceType, Square};

/// The four centre squares d4, e4, d5 and e5.
pub(crate) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Outposts: squares on ranks 4 to 6 that no enemy pawn can attack now or after advancing.
#[inline(always)]
fn outposts<S: Side>(structures: &ByColor<Structure>) -> Bitboard {
    ranks::<S>(3, 5) - structures[S::THEM].span
}

#[inline(always)]
pub(crate) fn knight<S: Side, T: Tracer>(
    square: Square,
    reach: Bitboard,
    context: &Context<'_>,
    structures: &ByColor<Structure>,
    tally: &mut SideScore<'_, S, T>,
) {
    let outposts = outposts::<S>(structures);
    let defended = context.us::<S>().by(PieceType::Pawn);
    if outposts.contains(square) {
        tally.add_at(KNIGHT_OUTPOST, usize::from(defended.contains(square)));
    } else if (reach & outposts & (defended - context.us::<S>().all)).any() {
        tally.add(KNIGHT_OUTPOST_REACHABLE);
    }
    minor::<S, T>(0, square, context, tally);
}

#[inline(always)]
pub(crate) fn bishop<S: Side, T: Tracer>(
    square: Square,
    context: &Context<'_>,
    structures: &ByColor<Structure>,
    tally: &mut SideScore<'_, S, T>,
) {
    let us = context.us::<S>();
    if outposts::<S>(structures).contains(square) {
        tally.add_at(BISHOP_OUTPOST, usize::from(us.by(PieceType::Pawn).contains(square)));
    }
    let ours = us.of(PieceType::Pawn);
    let same_color = (ours & square.shade()).count();
    tally.add_n(BISHOP_SAME_COLOR_PAWNS, same_color);
    let blocked = ours & CENTRE_FILES & context.occupied.shift(S::DOWN);
    if blocked.any() {
        tally.add_n(BISHOP_BLOCKED_CENTRE, same_color * blocked.count());
    }
    let theirs = context.them::<S>().of(PieceType::Pawn);
    tally.add_n(BISHOP_XRAY_PAWNS, (attacks::bishop_rays(square) & theirs).count());
    let sees = attacks::bishop(square, ours | theirs);
    if (sees & CENTRE).has_many() {
        tally.add(BISHOP_LONG_DIAGONAL);
    }
    if is_trapped::<S>(square, theirs) {
        tally.add(BISHOP_TRAPPED);
    }
    minor::<S, T>(1, square, context, tally);
}

/// Whether an enemy pawn traps the bishop: for example a white bishop on a7 or a6 and a black pawn on b6 or b5.
#[inline(always)]
fn is_trapped<S: Side>(square: Square, theirs: Bitboard) -> bool {
    const EDGE_FILES: Bitboard = Bitboard(0x8181_8181_8181_8181);
    let behind = square.bitboard().shift(S::DOWN);
    (ranks::<S>(5, 6) & EDGE_FILES).contains(square) && theirs.intersects(beside(behind))
}

#[inline(always)]
fn minor<S: Side, T: Tracer>(kind: usize, square: Square, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let pawns = context.position.by_type(PieceType::Pawn);
    if (square.bitboard() & ranks::<S>(0, 4)).shift(S::UP).intersects(pawns) {
        tally.add_at(MINOR_BEHIND_PAWN, kind);
    }
    tally.add_at(MINOR_KING_DISTANCE, kind * 8 + usize::from(square.distance(context.us::<S>().king)));
}

#[inline(always)]
pub(crate) fn rook<S: Side, T: Tracer>(
    square: Square,
    reach: Bitboard,
    context: &Context<'_>,
    tally: &mut SideScore<'_, S, T>,
) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let file = square.file().bitboard();
    let own_pawns = us.of(PieceType::Pawn);
    if !file.intersects(own_pawns) {
        tally.add_at(ROOK_ON_FILE, usize::from(!file.intersects(them.of(PieceType::Pawn))));
    } else {
        if (own_pawns & file).shift(S::UP).intersects(context.occupied) {
            tally.add(ROOK_CLOSED_FILE);
        }
        if reach.count() <= TRAPPED_REACH {
            trapped::<S, T>(square, context, tally);
        }
    }
    if file.intersects(context.position.by_type(PieceType::Queen)) {
        tally.add(ROOK_ON_QUEEN_FILE);
    }
    if relative_rank::<S>(square) == 6
        && (relative_rank::<S>(them.king) == 7 || them.of(PieceType::Pawn).intersects(ranks::<S>(6, 6)))
    {
        tally.add(ROOK_ON_SEVENTH);
    }
}

/// A rook that reaches more squares than this is not trapped.
const TRAPPED_REACH: u32 = 3;

/// Adds the penalty for a rook between its king and the nearer edge.
#[inline(always)]
fn trapped<S: Side, T: Tracer>(square: Square, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let king = context.us::<S>().king.file().index();
    let rook = square.file().index();
    if rook != king && (king < 4) == (rook < king) {
        tally.add_at(ROOK_TRAPPED, usize::from(!may_castle(context.position, S::US)));
    }
}

#[inline(always)]
pub(crate) fn queen<S: Side, T: Tracer>(
    square: Square,
    context: &Context<'_>,
    structures: &ByColor<Structure>,
    tally: &mut SideScore<'_, S, T>,
) {
    let them = context.them::<S>();
    let rooks = attacks::rook_rays(square) & them.of(PieceType::Rook);
    let bishops = attacks::bishop_rays(square) & them.of(PieceType::Bishop);
    let behind_one = |slider: Square| {
        let between = attacks::between(square, slider) & context.occupied;
        between.any() && !between.has_many()
    };
    if (rooks | bishops).into_iter().any(behind_one) {
        tally.add(QUEEN_XRAYED);
    }
    if (ranks::<S>(4, 7) - structures[S::THEM].span).contains(square) {
        tally.add(QUEEN_INFILTRATION);
    }
}

/// Own pieces pinned to the own king.
#[inline(always)]
pub(crate) fn pins<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    for square in context.us::<S>().pinned {
        tally.set_subject(square);
        if let Some(piece) = context.position.piece_at(square) {
            tally.add_at(PINNED, piece.piece_type().index().min(4));
        }
    }
    tally.set_subject(None);
}

/// Whether an own rook or queen, and whether an enemy one, stands behind a pawn with nothing in between.
#[inline(always)]
pub(crate) fn heavies_behind<S: Side>(pawn: Square, context: &Context<'_>) -> (bool, bool) {
    let heavies = context.position.orthogonal_sliders() & file_ahead::<S::Opponent>(pawn);
    let mut ours = false;
    let mut theirs = false;
    for heavy in heavies {
        if !attacks::between(pawn, heavy).intersects(context.occupied) {
            ours |= context.us::<S>().all.contains(heavy);
            theirs |= context.them::<S>().all.contains(heavy);
        }
    }
    (ours, theirs)
}
