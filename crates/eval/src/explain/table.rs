//! An explanation as text.

use super::{Explanation, PieceWorth, Row};
use crate::Phase;
use crate::formula::{FULL_SCALE, Halves};
use bartizan_types::{File, Rank, Square};
use std::fmt;

/// How many reasons stand above the table.
const REASONS: usize = 3;

/// An explanation with ANSI colours; made by [`Explanation::colored`].
#[derive(Clone, Copy, Debug)]
pub struct Colored<'e>(pub(super) &'e Explanation);

impl fmt::Display for Colored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer { explanation: self.0, paint: Paint::Ansi }.write(f)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer { explanation: self, paint: Paint::Plain }.write(f)
    }
}

#[derive(Clone, Copy)]
enum Paint {
    Plain,
    Ansi,
}

impl Paint {
    fn text(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn bold(self, text: &str) -> String {
        self.text("1", text)
    }

    /// Text about a number: green if it is good for White (or for the owner of a piece), red if bad.
    fn by_sign(self, number: f64, text: &str) -> String {
        match number {
            number if number >= 0.005 => self.text("32", text),
            number if number <= -0.005 => self.text("31", text),
            _ => self.text("2", text),
        }
    }
}

struct Writer<'e> {
    explanation: &'e Explanation,
    paint: Paint,
}

impl Writer<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_reasons(f)?;
        self.write_table(f)?;
        writeln!(f, "\nWhat each piece adds to its side, in pawns:\n")?;
        self.write_board(f)
    }

    /// Centipawns in pawns, as scores are shown.
    fn pawns(&self, centipawns: f64) -> f64 {
        centipawns / self.explanation.pawn
    }

    fn write_reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explanation.is_known {
            return writeln!(f, "The value comes from endgame knowledge; the terms below do not count.\n");
        }
        writeln!(f, "{}", self.paint.bold("Main reasons:"))?;
        if self.explanation.reasons.is_empty() {
            writeln!(f, "  none: the position is balanced")?;
        }
        for reason in self.explanation.reasons.iter().take(REASONS) {
            let worth = self.pawns(reason.worth);
            writeln!(f, "  {}  {}", self.paint.by_sign(worth, &format!("{worth:+.2}")), reason.text)?;
        }
        writeln!(f)
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let explanation = self.explanation;
        let head = format!("{:14} | {:^15} | {:^15} | {:^15} |", "", "White", "Black", "White - Black");
        writeln!(f, "{}", self.paint.bold(&head))?;
        let columns = format!(" {:>7} {:>7} |", "mg", "eg").repeat(3);
        writeln!(f, "{}", self.paint.bold(&format!("{:14} |{columns} {:>7}", "Term", "Tapered")))?;
        write_rule(f)?;
        for row in &explanation.rows {
            self.write_row(f, row)?;
        }
        write_rule(f)?;
        if explanation.scale != FULL_SCALE {
            let name = format!("scaled {}/64", explanation.scale);
            self.write_sum(f, &name, &format!("{:16}", ""), explanation.scaling())?;
        }
        let total = explanation.tapered(explanation.sum) + explanation.scaling();
        self.write_sum(f, "total", &self.pair(explanation.sum), total)?;
        let phase = explanation.phase * 100 / Phase::FULL;
        writeln!(f, "\nmg: middlegame, counts {phase}%; eg: endgame, counts {}%", 100 - phase)
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        let (white, black, difference) = (self.pair(row.white), self.pair(row.black), self.pair(row.difference()));
        let tapered = self.pawns(self.explanation.tapered(row.difference()));
        let tapered = self.paint.by_sign(tapered, &format!("{tapered:>7.2}"));
        writeln!(f, "{:14} |{white} |{black} |{difference} | {tapered}", row.group.name())
    }

    fn write_sum(&self, f: &mut fmt::Formatter<'_>, name: &str, halves: &str, centipawns: f64) -> fmt::Result {
        let pawns = self.pawns(centipawns);
        let tapered = self.paint.by_sign(pawns, &format!("{pawns:>7.2}"));
        writeln!(f, "{name:14} |{:16} |{:16} |{halves} | {tapered}", "", "")
    }

    fn pair(&self, halves: Halves) -> String {
        format!(" {:>7.2} {:>7.2}", self.pawns(f64::from(halves.mg)), self.pawns(f64::from(halves.eg)))
    }

    /// Each square with its piece and below it the worth of the piece for its own side.
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = format!("  +{}\n", "-------+".repeat(8));
        f.write_str(&rule)?;
        for rank in Rank::ALL.into_iter().rev() {
            let on = |file: File| self.explanation.pieces.iter().find(|it| it.square == Square::new(file, rank));
            write!(f, "{} |", rank.to_char())?;
            for file in File::ALL {
                let letter =
                    on(file).map_or_else(|| " ".to_owned(), |it| self.paint.bold(&it.piece.to_char().to_string()));
                write!(f, "   {letter}   |")?;
            }
            f.write_str("\n  |")?;
            for file in File::ALL {
                write!(f, "{}|", on(file).map_or_else(|| " ".repeat(7), |it| self.worth(it)))?;
            }
            write!(f, "\n{rule}")?;
        }
        writeln!(f, "      a       b       c       d       e       f       g       h")
    }

    fn worth(&self, it: &PieceWorth) -> String {
        let Some(worth) = it.worth else { return " ".repeat(7) };
        let sign = if it.piece.color().is_white() { 1.0 } else { -1.0 };
        let worth = self.pawns(sign * f64::from(worth.0));
        self.paint.by_sign(worth, &format!(" {worth:5.2} "))
    }
}

fn write_rule(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "{:-<15}+{:-<17}+{:-<17}+{:-<17}+{:-<8}", "", "", "", "", "")
}
