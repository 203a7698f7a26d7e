//! How long a refutation takes.

use crate::points::balance;
use bartizan_position::Position;
use bartizan_types::Move;

/// After how many plies of a line the side to move has won what it keeps: material, or the game by mate. `None` if it
/// wins nothing that can be counted.
pub(crate) fn length(position: &Position, line: &[Move]) -> Option<u32> {
    let side = position.turn();
    let before = balance(position, side);
    let mut position = position.clone();
    let mut balances = Vec::with_capacity(line.len());
    for &mv in line {
        position = position.play(mv).ok()?;
        balances.push(balance(&position, side) - before);
    }
    if position.is_checkmate() && position.turn() != side {
        return u32::try_from(line.len()).ok();
    }
    // What is taken by the last move may be taken back.
    balances.truncate(line.len().saturating_sub(1));
    for ply in (1..balances.len()).rev() {
        balances[ply - 1] = balances[ply - 1].min(balances[ply]);
    }
    let kept = *balances.last()?;
    let won = balances.iter().position(|&balance| balance >= kept)?;
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
