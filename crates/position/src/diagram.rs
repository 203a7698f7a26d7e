//! Text diagrams of the board.

use crate::Position;
use bartizan_types::{Color, File, Rank, Square};
use core::fmt;

/// A text diagram of a position; created by [`Position::diagram`].
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    position: &'a Position,
    bottom: Color,
    figurines: bool,
}

impl Position {
    /// Draws the board with FEN letters and coordinates, white at the bottom. [`Diagram`] has the options.
    ///
    /// ```
    /// let start = bartizan_position::Position::startpos();
    /// assert!(start.diagram().to_string().starts_with(
    ///     " +---+---+---+---+---+---+---+---+\n \
    ///      | r | n | b | q | k | b | n | r | 8\n"
    /// ));
    /// ```
    pub fn diagram(&self) -> Diagram<'_> {
        Diagram { position: self, bottom: Color::White, figurines: false }
    }
}

impl Diagram<'_> {
    /// Draws the board from the side of `bottom`.
    #[must_use]
    pub fn seen_by(self, bottom: Color) -> Self {
        Self { bottom, ..self }
    }

    /// Draws Unicode chess symbols in place of letters, or letters again.
    #[must_use]
    pub fn figurines(self, figurines: bool) -> Self {
        Self { figurines, ..self }
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const EDGE: &str = " +---+---+---+---+---+---+---+---+\n";
        f.write_str(EDGE)?;
        for row in Rank::ALL {
            let rank = if self.bottom.is_white() { row.mirror() } else { row };
            for column in File::ALL {
                let file = if self.bottom.is_white() { column } else { column.mirror() };
                let mark = match self.position.piece_at(Square::new(file, rank)) {
                    Some(piece) if self.figurines => piece.to_figurine(),
                    Some(piece) => piece.to_char(),
                    None => ' ',
                };
                write!(f, " | {mark}")?;
            }
            writeln!(f, " | {rank}")?;
            f.write_str(EDGE)?;
        }
        f.write_str("  ")?;
        for column in File::ALL {
            let file = if self.bottom.is_white() { column } else { column.mirror() };
            write!(f, " {file}{}", if column == File::H { "" } else { "  " })?;
        }
        writeln!(f)
    }
}
