//! An explanation as text.

use super::paint::Paint;
use super::{ContributionBoard, Explanation, GroupRow};
use crate::formula::{FULL_SCALE, MgEg};
use crate::{ORDINARY_MAX, Phase};
use std::fmt;

/// The number of reasons above the table.
const REASONS: usize = 3;

/// An explanation with ANSI colours; made by [`Explanation::colored`].
#[derive(Clone, Copy, Debug)]
pub struct Colored<'e>(pub(super) &'e Explanation);

impl fmt::Display for Colored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer { explanation: self.0, paint: Paint::Ansi }.write(f)
    }
}

/// The table of an explanation, and whether it counts; made by [`Explanation::table`].
#[derive(Clone, Copy, Debug)]
pub struct Table<'e>(pub(super) &'e Explanation);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writer = Writer { explanation: self.0, paint: Paint::Plain };
        if self.0.is_known {
            writer.write_reasons(f)?;
        }
        writer.write_table(f)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer { explanation: self, paint: Paint::Plain }.write(f)
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
        let board = ContributionBoard::new(&self.explanation.pieces, self.explanation.pawn).painted(self.paint);
        write!(f, "{board}")
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
            let score = self.pawns(reason.score);
            writeln!(f, "  {}  {}", self.paint.by_sign(score, &format!("{score:+.2}")), reason.text)?;
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
        let limit = f64::from(ORDINARY_MAX.0);
        if total.abs() > limit && !explanation.is_known {
            self.write_sum(f, "limited to", &format!("{:16}", ""), total.clamp(-limit, limit))?;
        }
        let phase = explanation.phase * 100 / Phase::FULL;
        writeln!(f, "\nmg: middlegame, counts {phase}%; eg: endgame, counts {}%", 100 - phase)
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, row: &GroupRow) -> fmt::Result {
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

    fn pair(&self, halves: MgEg) -> String {
        format!(" {:>7.2} {:>7.2}", self.pawns(f64::from(halves.mg)), self.pawns(f64::from(halves.eg)))
    }
}

fn write_rule(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "{:-<15}+{:-<17}+{:-<17}+{:-<17}+{:-<8}", "", "", "", "", "")
}
