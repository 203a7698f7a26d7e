//! The worth of each piece, drawn as a board.

use super::PieceContribution;
use super::paint::Paint;
use bartizan_types::{File, Rank, Square};
use std::fmt;

/// A text board: each square with its piece, and below it the worth of the piece for its own side in pawns. It can show
/// the worths of any evaluation.
///
/// ```
/// use bartizan_eval::ContributionBoard;
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").unwrap();
/// let explanation = bartizan_eval::explain(&position);
/// let board = ContributionBoard::new(&explanation.pieces, explanation.pawn).to_string();
/// assert!(explanation.to_string().ends_with(&board));
/// assert!(board.contains("2 |   P   |   P   |   P   |"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContributionBoard<'p> {
    pieces: &'p [PieceContribution],
    pawn: f64,
    paint: Paint,
}

impl<'p> ContributionBoard<'p> {
    /// A board with these pieces, on which `pawn` internal centipawns are shown as one pawn; [`WdlModel::half_won`]
    /// gives them for the material of a position.
    ///
    /// [`WdlModel::half_won`]: crate::WdlModel::half_won
    pub fn new(pieces: &'p [PieceContribution], pawn: f64) -> Self {
        Self { pieces, pawn, paint: Paint::Plain }
    }

    /// The same board with ANSI colours, for a terminal: green for what helps the owner, red for what harms it.
    #[must_use]
    pub fn colored(self) -> Self {
        self.painted(Paint::Ansi)
    }

    pub(super) fn painted(self, paint: Paint) -> Self {
        Self { paint, ..self }
    }

    /// The worth, seven columns wide.
    fn cell(&self, it: &PieceContribution) -> String {
        let Some(value) = it.pawns(self.pawn) else { return " ".repeat(7) };
        let decimals = if value.abs() < 100.0 { 2 } else { 1 };
        self.paint.by_sign(value, &format!("{value:6.decimals$} "))
    }
}

impl fmt::Display for ContributionBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = format!("  +{}\n", "-------+".repeat(8));
        f.write_str(&rule)?;
        for rank in Rank::ALL.into_iter().rev() {
            let on = |file: File| self.pieces.iter().find(|it| it.square == Square::new(file, rank));
            write!(f, "{} |", rank.to_char())?;
            for file in File::ALL {
                let letter =
                    on(file).map_or_else(|| " ".to_owned(), |it| self.paint.bold(&it.piece.to_char().to_string()));
                write!(f, "   {letter}   |")?;
            }
            f.write_str("\n  |")?;
            for file in File::ALL {
                write!(f, "{}|", on(file).map_or_else(|| " ".repeat(7), |it| self.cell(it)))?;
            }
            write!(f, "\n{rule}")?;
        }
        writeln!(f, "      a       b       c       d       e       f       g       h")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::{Piece, Value};

    #[test]
    fn worths_of_any_size_fit_and_nothing_is_shown_as_minus_nothing() {
        let value = |square, value| PieceContribution { square, piece: Piece::BlackPawn, value: Some(Value(value)) };
        let pieces = [
            value(Square::A2, 0),
            value(Square::B2, 1),
            value(Square::C2, 2_512),
            value(Square::D2, -2_512),
            value(Square::E2, 35_000),
            PieceContribution { square: Square::F2, piece: Piece::BlackKing, value: None },
        ];
        let board = ContributionBoard::new(&pieces, 250.0);
        let text = board.to_string();
        assert!(text.contains("\n2 |   p   |   p   |   p   |   p   |   p   |   k   |       |       |\n"), "{text}");
        assert!(text.contains("\n  |  0.00 |  0.00 |-10.05 | 10.05 |-140.0 |       |       |       |\n"), "{text}");
        assert!(!text.contains('\x1b'));
        let colored = board.colored().to_string();
        assert!(colored.contains("|\x1b[31m-10.05 \x1b[0m|\x1b[32m 10.05 \x1b[0m|"), "{colored}");
    }
}
