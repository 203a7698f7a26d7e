//! The numbers of the evaluation, in internal centipawns.
//!
//! Each is derived from the formula beside it or is a round starting value from common practice; none is tuned yet.

use bartizan_types::{ByPieceType, Score};

/// What each piece is worth by itself; the king is never lost.
///
/// Starting values: the usual 1 : 3+ : 3+ : 5 : 9+, with rooks and pawns worth more in the endgame.
pub const MATERIAL: ByPieceType<Score> = ByPieceType([
    Score::new(88, 112),
    Score::new(330, 300),
    Score::new(345, 315),
    Score::new(475, 540),
    Score::new(1000, 980),
    Score::ZERO,
]);

/// For having the move, which is worth about a third of a tempo in development.
pub const TEMPO: i32 = 12;

/// A bonus for each rank that a pawn has advanced, second rank first.
pub(crate) const PAWN_ADVANCE: [Score; 6] = [
    Score::new(0, 0),
    Score::new(2, 4),
    Score::new(6, 10),
    Score::new(14, 26),
    Score::new(36, 58),
    Score::new(80, 120),
];

/// For pawns on the c, d and e files (and less for the f-file) at the height of the centre: rank 4, then rank 5.
pub(crate) const PAWN_CENTRE: [[i16; 2]; 8] =
    [[-8, -8], [-4, -4], [8, 8], [22, 20], [24, 22], [2, 4], [-6, -4], [-8, -8]];

/// A step towards the centre (0 on the rim to 6 in the centre, files and ranks added): what it is worth to each piece.
pub(crate) const CENTRALITY: ByPieceType<Score> = ByPieceType([
    Score::ZERO,
    Score::new(10, 8),
    Score::new(5, 4),
    Score::new(2, 0),
    Score::new(1, 5),
    Score::new(-8, 10),
]);

/// Taken from minor pieces that still stand on their back rank.
pub(crate) const UNDEVELOPED: Score = Score::new(-12, -2);

/// A rook on its seventh rank.
pub(crate) const ROOK_ON_SEVENTH: Score = Score::new(18, 22);

/// The king on its back rank by file: corners are shelter, the centre files are not.
pub(crate) const KING_BACK_RANK: [i16; 8] = [20, 32, 16, -6, 0, -6, 34, 22];

/// Taken from the king in the middlegame for each rank that it has left its back rank, up to three.
pub(crate) const KING_WALK: i16 = -24;
