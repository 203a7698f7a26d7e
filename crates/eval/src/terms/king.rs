//! The king: pawn shelter, pawn storm, distance to the pawns, mobility, defenders and castling rights.

use crate::context::Context;
use crate::side::{Side, ranks};
use crate::side_score::{Shelter, SideScore, Tracer};
use crate::spans::{edge_distance, fill_ahead, flank, king_zone};
use crate::weights::{
    CASTLING_RIGHT, DANGER_SHELTER, DANGER_STORM, KING_DEFENDERS, KING_FLANK_ATTACKED, KING_MOBILITY,
    KING_PAWN_DISTANCE, KING_PAWNLESS_FLANK, KING_SHELTER, KING_STORM,
};
use bartizan_position::Position;
use bartizan_types::{Bitboard, CastlingSide, Color, File, PieceType, Square};

/// The pawn shelter of the king of `S`, and the pawn storm against it. Depends only on the pawns and the king's square.
pub(crate) fn shelter<S: Side, T: Tracer>(position: &Position, tracer: &mut T) -> Shelter {
    let king = position.king(S::US);
    let pawns = position.by_type(PieceType::Pawn);
    let mut tally = SideScore::<S, T>::new(tracer);
    for file in files_at(king) {
        let (own, enemy) = nearest_pawns::<S>(position, king, file);
        let table = edge_distance(file) * 8;
        tally.add_at(KING_SHELTER, table + own + if file == king.file() { 32 } else { 0 });
        tally.add_at(KING_STORM, table + enemy + if is_blocked(own, enemy) { 32 } else { 0 });
    }
    tally.add_at(KING_PAWN_DISTANCE, pawn_distance(king, pawns));
    if !pawns.intersects(flank(king.file())) {
        tally.add(KING_PAWNLESS_FLANK);
    }
    let score = tally.score;

    let mut tally = SideScore::<S::Opponent, T>::new(tracer);
    for file in files_at(king) {
        let (own, enemy) = nearest_pawns::<S>(position, king, file);
        tally.add_at(DANGER_SHELTER, own + if file == king.file() { 8 } else { 0 });
        tally.add_at(DANGER_STORM, enemy + if is_blocked(own, enemy) { 8 } else { 0 });
    }
    Shelter { score, danger: tally.danger }
}

/// The relative ranks of the nearest own and enemy pawn on a file, on the king's rank or ahead of it; 0 for none.
fn nearest_pawns<S: Side>(position: &Position, king: Square, file: File) -> (usize, usize) {
    let not_behind = fill_ahead::<S>(king.rank().bitboard()) & file.bitboard();
    let nearest = |color| nearest::<S>(position.pieces(color, PieceType::Pawn) & not_behind);
    (nearest(S::US), nearest(S::THEM))
}

/// The king's file and the adjacent ones; for a king on the edge, the three files nearest to it.
fn files_at(king: Square) -> impl Iterator<Item = File> {
    let middle = king.file().index().clamp(1, 6);
    (middle - 1..=middle + 1).map(File::from_index)
}

/// The relative rank of the pawn nearest to the back rank of `S`; 0 for none.
fn nearest<S: Side>(pawns: Bitboard) -> usize {
    let square = if S::US.is_white() { pawns.first() } else { pawns.last() };
    square.map_or(0, |square| crate::side::relative_rank::<S>(square))
}

/// Whether the own pawn stands directly in front of the enemy pawn, by their relative ranks.
fn is_blocked(own: usize, enemy: usize) -> bool {
    own != 0 && enemy == own + 1
}

/// King moves to the nearest pawn of either side; 0 without pawns.
fn pawn_distance(king: Square, pawns: Bitboard) -> usize {
    pawns.into_iter().map(|pawn| usize::from(king.distance(pawn))).min().unwrap_or(0)
}

/// The king terms that need the attacks of both sides.
#[inline(always)]
pub(crate) fn king<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let flights = us.by(PieceType::King) - us.all - them.attacked;
    tally.add_at(KING_MOBILITY, flights.count() as usize);
    let defenders = us.of(PieceType::Pawn) | us.of(PieceType::Knight) | us.of(PieceType::Bishop);
    tally.add_at(KING_DEFENDERS, (defenders & king_zone(us.king)).count() as usize);
    let attacked = flank(us.king.file()) & ranks::<S>(0, 4) & them.attacked;
    tally.add_n(KING_FLANK_ATTACKED, attacked.count() + (attacked & them.attacked_twice).count());
    castling::<S, T>(context, tally);
}

#[inline(always)]
fn castling<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    for rook in context.position.castling().rooks_of(S::US) {
        match CastlingSide::of(context.us::<S>().king, rook) {
            CastlingSide::King => tally.add_at(CASTLING_RIGHT, 0),
            CastlingSide::Queen => tally.add_at(CASTLING_RIGHT, 1),
        }
    }
}

/// Whether `color` still has a castling right.
#[inline(always)]
pub(crate) fn may_castle(position: &Position, color: Color) -> bool {
    position.castling().rooks_of(color).any()
}
