//! Scores and moves in the notations of clients and users.

use bartizan_engine::{MaterialCount, shown};
use bartizan_notation::san::{San, parse_san};
use bartizan_position::Position;
use bartizan_types::{Move, Value};

/// A value for a user: displayed pawns, or moves to mate. `material` is the material on the board at the search's root.
pub fn score_text(value: Value, material: MaterialCount) -> String {
    match value.mate_in_moves() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None if value.is_decisive() => if value > Value::ZERO { "table win" } else { "table loss" }.to_owned(),
        None => format!("{:+.2}", f64::from(shown(value, material)) / 100.0),
    }
}

/// The legal move that a text denotes, in coordinates (`e2e4`) or algebraic notation (`Nf3`, `O-O`).
pub fn resolve_move(position: &Position, text: &str) -> Option<Move> {
    position.parse_uci(text).ok().or_else(|| parse_san(position, text).ok())
}

/// A line of moves in algebraic notation, up to the first illegal move.
pub fn san_line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        let Ok(next) = position.play(mv) else { break };
        words.push(San::new(&position, mv).to_string());
        position = next;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Ply;

    #[test]
    fn scores_in_words() {
        assert_eq!(score_text(Value(-31_996), MaterialCount::MAX), "mated in 2");
        assert_eq!(score_text(Value::table_loss_in(Ply(4)), MaterialCount::MAX), "table loss");
        let material = MaterialCount::new(40);
        let value = (0..).map(|value| Value(-value)).find(|&value| shown(value, material) == -7).unwrap();
        assert_eq!(score_text(value, material), "-0.07");
    }

    #[test]
    fn moves_in_every_notation() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castling = resolve_move(&position, "e1g1");
        assert!(castling.is_some_and(Move::is_castling));
        assert_eq!((resolve_move(&position, "O-O"), resolve_move(&position, "0-0")), (castling, castling));
        assert_eq!(resolve_move(&position, "Rd1").unwrap().to_string(), "a1d1");
        for text in ["e1e3", "Ke3", "", "@@@@", "é"] {
            assert_eq!(resolve_move(&position, text), None, "{text}");
        }
    }
}
