//! How long a refutation takes.

use bartizan_position::Position;
use bartizan_types::{Color, Move, PieceType};

/// The worth of the pieces in pawns, as taught to beginners.
const WORTH: [(PieceType, i32); 5] =
    [(PieceType::Pawn, 1), (PieceType::Knight, 3), (PieceType::Bishop, 3), (PieceType::Rook, 5), (PieceType::Queen, 9)];

/// The material of a side less that of the other, in pawns.
pub(crate) fn material(position: &Position, side: Color) -> i32 {
    let count = |side, piece_type| position.pieces(side, piece_type).count().cast_signed();
    WORTH.iter().map(|&(piece_type, worth)| worth * (count(side, piece_type) - count(!side, piece_type))).sum()
}

/// After how many plies of a line the side to move has won what it keeps: material, or the game by mate. `None` if it
/// wins nothing that can be counted.
pub(crate) fn length(position: &Position, line: &[Move]) -> Option<u32> {
    let side = position.turn();
    let before = material(position, side);
    let mut position = position.clone();
    let mut balance = Vec::with_capacity(line.len());
    for &mv in line {
        position = position.play(mv).ok()?;
        balance.push(material(&position, side) - before);
    }
    if position.is_checkmate() && position.turn() != side {
        return u32::try_from(line.len()).ok();
    }
    // What is taken by the last move may be taken back.
    balance.truncate(line.len().saturating_sub(1));
    for ply in (1..balance.len()).rev() {
        balance[ply - 1] = balance[ply - 1].min(balance[ply]);
    }
    let kept = *balance.last()?;
    let won = balance.iter().position(|&balance| balance >= kept)?;
    if kept > 0 { u32::try_from(won + 1).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(fen: &str, line: &str) -> Option<u32> {
        let mut position = Position::from_fen(fen).unwrap();
        let start = position.clone();
        let play = |text| {
            let mv = position.parse_uci(text).unwrap();
            position.make_unchecked(mv);
            mv
        };
        length(&start, &line.split_whitespace().map(play).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_kept_counts() {
        // A fork of king and rook wins the rook with its third ply.
        let fork = "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1";
        assert_eq!(plies(fork, "b5c7 e8d7 c7a8 d7c6"), Some(3));
        // Two rooks.
        assert_eq!(plies("r3k3/2r5/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d8 c7a8 d8c8"), Some(3));
        // An exchange wins nothing, nor do quiet moves, nor does a line without moves.
        assert_eq!(plies("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5 c6d5 e1e2"), None);
        assert_eq!(plies(fork, "e1e2 e8e7"), None);
        assert_eq!(plies(fork, ""), None);
        // The last move may be answered by a recapture.
        assert_eq!(plies("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e1d1 e8d8 e4d5"), None);
    }

    #[test]
    fn a_mate_takes_the_whole_line() {
        assert_eq!(plies("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8"), Some(1));
        assert_eq!(plies("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "f6g6 h8g8 a1a8"), Some(3));
    }
}
