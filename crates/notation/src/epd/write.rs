//! Formatting a line.

use super::operation::is_counter;
use super::parse::MAX_COUNTER;
use super::{Epd, Operation};
use crate::text::Quoted;
use std::fmt;

/// Formats the four fields of the position, the counters as `hmvc` and `fmvn` unless they are 0 and 1, then the
/// operations.
///
/// Castling rights are written as in X-FEN, with `{:#}` as in Shredder-FEN. Control characters in operands become
/// spaces, so the result is always one line.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = if f.alternate() { format!("{:#}", self.position) } else { self.position.to_fen() };
        for (i, field) in fen.split(' ').take(4).enumerate() {
            write!(f, "{}{field}", if i == 0 { "" } else { " " })?;
        }
        let counters = [("hmvc", self.position.halfmove_clock(), 0), ("fmvn", self.position.fullmove_number(), 1)];
        for (opcode, value, default) in counters {
            if value != default {
                write!(f, " {opcode} {};", value.min(MAX_COUNTER))?;
            }
        }
        let mut own = self.operations.iter().filter(|operation| !is_counter(&operation.opcode));
        own.try_for_each(|operation| write!(f, " {operation}"))
    }
}

/// Formats the operation with its semicolon. Operands are quoted where the standard or their text requires it.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            f.write_str(" ")?;
            let special = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ';' | '"');
            if self.takes_string() || operand.is_empty() || operand.contains(special) {
                write!(f, "{}", Quoted(operand))?;
            } else {
                f.write_str(operand)?;
            }
        }
        f.write_str(";")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for line in [
            "8/8/8/8/8/8/8/K1k5 w - -",
            "8/8/8/8/8/8/8/K1k5 w - - hmvc 3; fmvn 40; bm Kb1 Ka2; id \"WAC.001\";",
            r#"8/8/8/8/8/8/8/K1k5 w - - c0 "a \"b\"; c\\"; resign; xx "" "a b" c\d;"#,
            "4k3/8/8/8/8/8/8/4KR1R w F - am O-O;",
        ] {
            assert_eq!(Epd::parse(line).unwrap().to_string(), line);
        }
        let inner = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
        assert_eq!(format!("{inner:#}"), "4k3/8/8/8/8/8/8/4K2R w H -");
    }

    #[test]
    fn line_ends_become_spaces() {
        let operation = Operation { opcode: "c0".to_owned(), operands: vec!["two\nlines".to_owned()] };
        assert_eq!(operation.to_string(), "c0 \"two lines\";");
    }
}
