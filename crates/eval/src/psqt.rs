//! Piece-square tables, computed from the few numbers of [`params`](crate::params).

use crate::params::{
    CENTRALITY, KING_BACK_RANK, KING_WALK, MATERIAL, PAWN_ADVANCE, PAWN_CENTRE, ROOK_ON_SEVENTH, UNDEVELOPED,
};
use bartizan_types::{Piece, PieceType, Rank, Score, Square};
use std::sync::LazyLock;

/// Material and place of every piece on every square, white minus black.
static TABLE: LazyLock<[[Score; Square::COUNT]; Piece::COUNT]> = LazyLock::new(|| {
    Piece::ALL.map(|piece| {
        Square::ALL.map(|square| {
            let score = MATERIAL[piece.piece_type()] + place(piece.piece_type(), square.relative_to(piece.color()));
            if piece.color().is_white() { score } else { -score }
        })
    })
});

/// A handle to the table, fetched once per evaluator so that the hot path does not ask whether it is ready.
pub(crate) fn table() -> &'static [[Score; Square::COUNT]; Piece::COUNT] {
    &TABLE
}

/// The place of a white piece, without its material.
fn place(piece_type: PieceType, square: Square) -> Score {
    let (file, rank) = (square.file(), square.rank());
    let towards_centre = |index: usize| index.min(7 - index) as i32;
    let centrality = CENTRALITY[piece_type] * (towards_centre(file.index()) + towards_centre(rank.index()) - 3);
    match piece_type {
        PieceType::Pawn => match rank {
            Rank::First | Rank::Eighth => Score::ZERO,
            _ => {
                let centre = match rank {
                    Rank::Fourth => PAWN_CENTRE[file.index()][0],
                    Rank::Fifth => PAWN_CENTRE[file.index()][1],
                    _ => 0,
                };
                PAWN_ADVANCE[rank.index() - 1] + Score::new(centre, 0)
            }
        },
        PieceType::Knight | PieceType::Bishop if rank == Rank::First => centrality + UNDEVELOPED,
        PieceType::Rook if rank == Rank::Seventh => centrality + ROOK_ON_SEVENTH,
        PieceType::King => {
            let eg = centrality.eg() as i16;
            let mg = match rank {
                Rank::First => KING_BACK_RANK[file.index()],
                _ => centrality.mg() as i16 + KING_WALK * rank.index().min(3) as i16,
            };
            Score::new(mg, eg)
        }
        _ => centrality,
    }
}
