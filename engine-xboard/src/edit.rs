//! Edit mode: positions from clients that do not know `setboard`.

use bartizan_position::{IllegalSetup, Position, Setup, Tolerance};
use bartizan_protocol::xboard::EditLine;
use bartizan_types::{CastlingRights, Color, PieceType, Square};

/// A position that is being set up.
pub(crate) struct Edit {
    setup: Setup,
    color: Color,
}

impl Edit {
    /// Begins with what is on the board, White to be placed.
    pub(crate) fn new(position: &Position) -> Self {
        Self { setup: position.to_setup(), color: Color::White }
    }

    /// Takes a line; the position when it is complete.
    pub(crate) fn take(&mut self, line: EditLine) -> Option<Result<Position, IllegalSetup>> {
        match line {
            EditLine::Clear => self.setup.board = Setup::EMPTY.board,
            EditLine::ChangeColor => self.color = !self.color,
            EditLine::Place(piece_type, square) => self.setup.board[square.index()] = Some(piece_type.of(self.color)),
            EditLine::Remove(square) => self.setup.board[square.index()] = None,
            EditLine::Done => return Some(self.finish()),
        }
        None
    }

    /// The protocol has no words for the rest: kings and rooks at home may castle, no pawn can be taken in passing, and the
    /// turn stays as it was.
    fn finish(&mut self) -> Result<Position, IllegalSetup> {
        self.setup.castling = rights_at_home(&self.setup);
        self.setup.en_passant = None;
        self.setup.halfmove_clock = 0;
        self.setup.validate(Tolerance::ALL)
    }
}

fn rights_at_home(setup: &Setup) -> CastlingRights {
    let is = |square, color, piece_type: PieceType| setup.piece_at(square) == Some(piece_type.of(color));
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

    fn edit(lines: &str) -> Result<String, String> {
        let mut edit = Edit::new(&Position::startpos());
        let mut lines = lines.split(' ').map(|line| EditLine::parse(line).unwrap());
        let position = lines.find_map(|line| edit.take(line)).unwrap();
        position.map(|position| position.to_fen()).map_err(|error| error.to_string())
    }

    #[test]
    fn positions() {
        assert_eq!(edit("# Ke1 Ra1 Pe2 c Ke8 ."), Ok("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1".to_owned()));
        assert_eq!(edit("xe2 ."), Ok("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1".to_owned()));
        assert!(edit("# Ke1 .").is_err());
    }
}
