//! Why a move is not legal.

use bartizan_notation::san::{SanError, parse_san};
use bartizan_position::Position;
use bartizan_types::{CastlingSide, PieceType, Rank, UciMove};

/// Why a text does not denote a legal move, where more can be said than that there is none; `None` also if it does.
pub(super) fn why_illegal(position: &Position, text: &str) -> Option<String> {
    let error = parse_san(position, text).err()?;
    let word = text.trim().trim_end_matches(['+', '#', '!', '?']);
    match word {
        "O-O" | "o-o" | "0-0" => return Some(why_no_castling(position, CastlingSide::King).to_owned()),
        "O-O-O" | "o-o-o" | "0-0-0" => return Some(why_no_castling(position, CastlingSide::Queen).to_owned()),
        _ => {}
    }
    match (word.parse(), error) {
        (Ok(mv), _) => Some(why_not_from(position, mv)),
        (Err(_), SanError::Illegal { .. }) => Some(why_not_safe(position)),
        _ => None,
    }
}

fn why_no_castling(position: &Position, side: CastlingSide) -> &'static str {
    let us = position.turn();
    if position.castling().rook(us, side, position.king(us)).is_none() {
        "there is no right to castle on that side"
    } else if position.in_check() {
        "the king is in check"
    } else if position.castling_path_is_free(side) {
        "the king would pass through check"
    } else {
        "a piece is in the way"
    }
}

fn why_not_safe(position: &Position) -> String {
    format!("the king would {}be in check", if position.in_check() { "still " } else { "" })
}

fn why_not_from(position: &Position, UciMove { from, to, promotion }: UciMove) -> String {
    let Some(piece) = position.piece_at(from) else { return format!("there is no piece on {from}") };
    let name = piece.piece_type().name();
    if piece.color() != position.turn() {
        return format!("the {name} on {from} is {}'s", piece.color().name());
    }
    let is_king = piece.piece_type() == PieceType::King;
    if is_king && from.rank() == to.rank() && from.file().distance(to.file()) == 2 {
        return why_no_castling(position, CastlingSide::of(from, to)).to_owned();
    }
    if !position.reaches(from, to) {
        return format!("the {name} on {from} cannot go to {to}");
    }
    let promotes = piece.piece_type() == PieceType::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    match (promotes, promotion) {
        (true, None) => format!("the promotion needs a piece, as in {from}{to}q"),
        (false, Some(_)) => format!("the {name} on {from} does not promote on {to}"),
        _ => why_not_safe(position),
    }
}
