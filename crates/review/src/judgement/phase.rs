//! The phases of a game.

use bartizan_position::Position;
use bartizan_types::{Color, PieceType, Rank};
use serde::{Deserialize, Serialize};

/// A phase of a game. It never goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// Until the pieces are developed or exchanged.
    #[default]
    Opening,
    /// From ten knights, bishops, rooks and queens on the board, or when a side has left its back rank: fewer than four
    /// pieces are there, king included.
    Middlegame,
    /// From six knights, bishops, rooks and queens on the board.
    Endgame,
}

impl Phase {
    /// All phases in their order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase of a position, whatever came before it.
    pub fn of(position: &Position) -> Self {
        let pawns = position.by_type(PieceType::Pawn);
        let kings = position.by_type(PieceType::King);
        let pieces = (position.occupied() & !pawns & !kings).count();
        let is_developed = |side: Color, back: Rank| (position.color(side) & !pawns & back.bitboard()).count() < 4;
        if pieces <= 6 {
            Self::Endgame
        } else if pieces <= 10 || is_developed(Color::White, Rank::First) || is_developed(Color::Black, Rank::Eighth) {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }

    /// The name: `Opening`, `Middlegame` or `Endgame`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "Opening",
            Self::Middlegame => "Middlegame",
            Self::Endgame => "Endgame",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_decide() {
        let phase = |fen| Phase::of(&Position::from_fen(fen).unwrap());
        assert_eq!(Phase::of(&Position::startpos()), Phase::Opening);
        // Ruy Lopez: White has castled, Black has not.
        assert_eq!(phase("r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 5"), Phase::Opening);
        // White's back rank has three pieces.
        assert_eq!(phase("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R4RK1 b - - 0 8"), Phase::Middlegame);
        assert_eq!(phase("2r3k1/5ppp/4p3/3pP3/3P4/3B4/5PPP/2R3K1 w - - 0 30"), Phase::Endgame);
        assert_eq!(phase("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Phase::Endgame);
    }
}
