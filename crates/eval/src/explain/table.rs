//! An explanation as text.

use super::{Explanation, PieceWorth, Row};
use crate::formula::{FULL_SCALE, Halves};
use bartizan_types::{File, Rank, Square};
use std::fmt;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:14} | {:^15} | {:^15} | {:^15} | {:>7}", "", "white", "black", "difference", "")?;
        write!(f, "{:14} |", "term")?;
        (0..3).try_for_each(|_| write!(f, " {:>7} {:>7} |", "mg", "eg"))?;
        writeln!(f, " {:>7}", "tapered")?;
        line(f)?;
        for row in &self.rows {
            write_row(f, row, self.tapered(row.difference()))?;
        }
        line(f)?;
        if self.scale != FULL_SCALE {
            let name = format!("scaled {}/64", self.scale);
            writeln!(f, "{name:14} |{:16} |{:16} |{:16} | {:>7.2}", "", "", "", self.scaling() / 100.0)?;
        }
        let total = self.tapered(self.sum) + self.scaling();
        writeln!(f, "{:14} |{:16} |{:16} |{} | {:>7.2}", "total", "", "", Pawns(self.sum), total / 100.0)?;
        writeln!(f, "\nphase {} of 24, pawns for white: {:.2}", self.phase, f64::from(self.white.0) / 100.0)?;
        if self.is_known {
            writeln!(f, "This ending is known: the terms above have no say.")?;
        }
        writeln!(f, "\nWhat each piece is worth where it stands:\n")?;
        write_board(f, &self.pieces)
    }
}

fn line(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "{:-<15}+{:-<17}+{:-<17}+{:-<17}+{:-<8}", "", "", "", "", "")
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row, tapered: f64) -> fmt::Result {
    let name = row.group.name();
    let (white, black, difference) = (Pawns(row.white), Pawns(row.black), Pawns(row.difference()));
    writeln!(f, "{name:14} |{white} |{black} |{difference} | {:>7.2}", tapered / 100.0)
}

/// A pair in pawns.
struct Pawns(Halves);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {:>7.2} {:>7.2}", f64::from(self.0.mg) / 100.0, f64::from(self.0.eg) / 100.0)
    }
}

/// Each square with its piece and below it the piece's worth in pawns, for its own side.
fn write_board(f: &mut fmt::Formatter<'_>, pieces: &[PieceWorth]) -> fmt::Result {
    let rule = format!("  +{}\n", "-------+".repeat(8));
    f.write_str(&rule)?;
    for rank in Rank::ALL.into_iter().rev() {
        let on = |file: File| pieces.iter().find(|piece| piece.square == Square::new(file, rank));
        write!(f, "{} |", rank.to_char())?;
        for file in File::ALL {
            let letter = on(file).map_or(' ', |piece| piece.piece.to_char());
            write!(f, "   {letter}   |")?;
        }
        f.write_str("\n  |")?;
        for file in File::ALL {
            match on(file) {
                None => write!(f, "       |")?,
                Some(PieceWorth { worth: None, .. }) => write!(f, "   ?   |")?,
                Some(PieceWorth { worth: Some(worth), piece, .. }) => {
                    let sign = if piece.color().is_white() { 1.0 } else { -1.0 };
                    write!(f, " {:5.2} |", sign * f64::from(worth.0) / 100.0)?;
                }
            }
        }
        write!(f, "\n{rule}")?;
    }
    writeln!(f, "      a       b       c       d       e       f       g       h")
}
