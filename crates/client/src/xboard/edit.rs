//! Positions for engines without `setboard`: one piece after the other.

use bartizan_position::Position;
use bartizan_protocol::xboard::EditLine;
use bartizan_types::{CastlingRights, Color, PieceType, Square};

/// What follows `edit`; `None` if the position cannot be told so. Such an engine takes it that a king and a rook at home may
/// castle, and that no pawn can be taken in passing. The turn is not told: it stays as it was.
pub(super) fn edit_lines(position: &Position) -> Option<Vec<EditLine>> {
    if position.en_passant().is_some() || position.castling() != rights_at_home(position) {
        return None;
    }
    let place = |color| {
        let on = move |square| position.piece_at(square).map(|piece| EditLine::Place(piece.piece_type(), square));
        position.color(color).into_iter().filter_map(on)
    };
    let lines = std::iter::once(EditLine::Clear)
        .chain(place(Color::White))
        .chain([EditLine::ChangeColor])
        .chain(place(Color::Black))
        .chain([EditLine::Done]);
    Some(lines.collect())
}

/// The rights that kings and rooks on the squares where a game of plain chess begins would have.
fn rights_at_home(position: &Position) -> CastlingRights {
    let is = |square, color, piece_type: PieceType| position.piece_at(square) == Some(piece_type.of(color));
    let mut rights = CastlingRights::NONE;
    for (color, king, rooks) in
        [(Color::White, Square::E1, [Square::A1, Square::H1]), (Color::Black, Square::E8, [Square::A8, Square::H8])]
    {
        for rook in rooks {
            if is(king, color, PieceType::King) && is(rook, color, PieceType::Rook) {
                rights.insert(rook);
            }
        }
    }
    rights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(fen: &str) -> Option<String> {
        let lines = edit_lines(&Position::from_fen(fen).unwrap())?;
        Some(lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn positions() {
        let text = lines("4k3/8/8/8/8/8/4P3/R3K3 w Q - 3 9").unwrap();
        assert_eq!(text, "# Ra1 Ke1 Pe2 c Ke8 .");
        assert_eq!(lines("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"), None);
        assert_eq!(lines("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), None);
        assert!(lines("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1").is_some());
    }
}
