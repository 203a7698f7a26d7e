//! Edit mode for engines and clients: a position line by line.

use super::EditLine;
use bartizan_position::{IllegalSetup, Position, Setup, Tolerance};
use bartizan_types::{CastlingRights, Color, File, PieceType, Rank, Square, Variant};

/// The engine's side of edit mode: a position that is being set up.
///
/// ```
/// use bartizan_position::Position;
/// use bartizan_protocol::xboard::{Edit, EditLine};
/// use bartizan_types::Variant;
/// let mut edit = Edit::new(&Position::startpos(), Variant::Standard);
/// let mut lines = "# Ke1 Ra1 c Ke8 .".split(' ').filter_map(EditLine::parse);
/// let position = lines.find_map(|line| edit.take(line)).unwrap()?;
/// assert_eq!(position.to_fen(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
/// # Ok::<(), bartizan_position::IllegalSetup>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edit {
    setup: Setup,
    color: Color,
    variant: Variant,
}

impl Edit {
    /// Starts with the position on the board. At first, pieces are placed for White.
    pub fn new(position: &Position, variant: Variant) -> Self {
        Self { setup: position.to_setup(), color: Color::White, variant }
    }

    /// Takes a line. Returns the position when it is complete, or the reasons why it is illegal.
    ///
    /// Edit mode cannot express the rest of a position: kings and rooks on their starting squares may castle, there is
    /// no en passant square, and the side to move does not change. In Chess960, a king on its first rank may castle
    /// with the outermost rook on each side.
    pub fn take(&mut self, line: EditLine) -> Option<Result<Position, IllegalSetup>> {
        match line {
            EditLine::Clear => self.setup.board = Setup::EMPTY.board,
            EditLine::ChangeColor => self.color = !self.color,
            EditLine::Place(piece_type, square) => self.setup.board[square.index()] = Some(piece_type.of(self.color)),
            EditLine::Remove(square) => self.setup.board[square.index()] = None,
            EditLine::Done => return Some(self.finish()),
        }
        None
    }

    fn finish(&mut self) -> Result<Position, IllegalSetup> {
        self.setup.castling = match self.variant {
            Variant::Standard => rights_at_home(&self.setup),
            Variant::Chess960 => rights_of_outermost_rooks(&self.setup),
        };
        self.setup.en_passant = None;
        self.setup.halfmove_clock = 0;
        self.setup.validate(Tolerance::ALL)
    }
}

/// The client's side of edit mode: the lines that follow `edit`. They do not include the side to move. `None` if edit
/// mode cannot express the position, because it has other castling rights than [`Edit::take`] gives it in standard
/// chess, or an en passant square.
pub fn edit_lines(position: &Position) -> Option<Vec<EditLine>> {
    if position.en_passant().is_some() || position.castling() != rights_at_home(&position.to_setup()) {
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

/// The castling rights of all kings and rooks on their starting squares.
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

/// The castling rights of all kings on their first rank with the outermost rook on each side.
fn rights_of_outermost_rooks(setup: &Setup) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        let is = |square: &Square, piece_type: PieceType| setup.piece_at(*square) == Some(piece_type.of(color));
        let Some(king) = squares.iter().position(|square| is(square, PieceType::King)) else { continue };
        let (left, right) = squares.split_at(king);
        let left = left.iter().find(|square| is(square, PieceType::Rook));
        let right = right.iter().rfind(|square| is(square, PieceType::Rook));
        left.into_iter().chain(right).for_each(|&rook| rights.insert(rook));
    }
    rights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str) -> Option<String> {
        let lines = edit_lines(&Position::from_fen(fen).unwrap())?;
        Some(lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    fn heard(lines: &str, variant: Variant) -> Result<String, String> {
        let mut edit = Edit::new(&Position::startpos(), variant);
        let mut lines = lines.split(' ').map(|line| EditLine::parse(line).unwrap());
        let position = lines.find_map(|line| edit.take(line)).unwrap();
        position.map(|position| position.to_fen()).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_told() {
        assert_eq!(told("4k3/8/8/8/8/8/4P3/R3K3 w Q - 3 9").unwrap(), "# Ra1 Ke1 Pe2 c Ke8 .");
        assert_eq!(told("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"), None);
        assert_eq!(told("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), None);
        assert!(told("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1").is_some());
    }

    #[test]
    fn positions_are_heard() {
        let heard = |lines| heard(lines, Variant::Standard);
        assert_eq!(heard("# Ke1 Ra1 Pe2 c Ke8 ."), Ok("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1".to_owned()));
        assert_eq!(heard("xe2 ."), Ok("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1".to_owned()));
        assert!(heard("# Ke1 .").is_err());
    }

    #[test]
    fn chess960_castles_with_the_outermost_rooks() {
        let heard = |lines| heard(lines, Variant::Chess960).unwrap();
        assert_eq!(heard("# Rb1 Kf1 Rg1 c Rb8 Kf8 Rg8 ."), "1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1");
        assert_eq!(heard("# Ra1 Rb1 Kc1 Rg1 Rh1 c Ke7 Ra8 ."), "r7/4k3/8/8/8/8/8/RRK3RR w KQ - 0 1");
    }
}
