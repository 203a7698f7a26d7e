//! EPD operations.

use crate::text::excerpt;

/// An opcode and its operands: `bm Nf3 Nc3`, `id "WAC.001"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Operation {
    /// The opcode, such as `bm`, `id` or `c0`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_opcode"))]
    pub opcode: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
}

impl Operation {
    /// Creates an operation from an opcode and its operands.
    ///
    /// # Errors
    /// [`OperationError`] if no EPD could hold the operation: the opcode is not a letter with letters, digits and
    /// underscores after it, it is `hmvc` or `fmvn`, or an operand has control characters, such as line ends.
    ///
    /// ```
    /// use bartizan_notation::epd::{Operation, OperationError};
    ///
    /// assert_eq!(Operation::new("id", ["back rank"])?.to_string(), "id \"back rank\";");
    /// let error = Operation::new("best move", ["e4"]).unwrap_err();
    /// assert!(error.to_string().starts_with("invalid opcode 'best move'"));
    /// # Ok::<(), OperationError>(())
    /// ```
    pub fn new<O: Into<String>>(
        opcode: impl Into<String>,
        operands: impl IntoIterator<Item = O>,
    ) -> Result<Self, OperationError> {
        let (opcode, operands) = (opcode.into(), operands.into_iter().map(Into::into).collect::<Vec<String>>());
        check_opcode(&opcode)?;
        match operands.iter().find(|operand| operand.contains(char::is_control)) {
            Some(operand) => Err(OperationError::Operand { opcode, operand: excerpt(operand) }),
            None => Ok(Self { opcode, operands }),
        }
    }

    /// Whether the standard defines the operands of this opcode as strings, which are always quoted.
    pub(super) fn takes_string(&self) -> bool {
        matches!(self.opcode.as_bytes(), b"id" | [b'c' | b'v', b'0'..=b'9'])
    }
}

/// The error of creating an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The opcode is not a letter with letters, digits and underscores after it. Holds its beginning.
    #[error("invalid opcode '{}': expected a letter, then letters, digits and underscores", .0.escape_debug())]
    Opcode(String),
    /// The opcode sets a counter of the position.
    #[error("the opcode '{0}' follows from the position")]
    Counter(String),
    /// An operand has control characters, such as line ends.
    #[error("{opcode}: the operand '{}' has control characters", .operand.escape_debug())]
    Operand {
        /// The opcode.
        opcode: String,
        /// The beginning of the operand.
        operand: String,
    },
}

/// Whether the opcode of an operation is valid.
fn check_opcode(opcode: &str) -> Result<(), OperationError> {
    if !is_opcode(opcode) {
        return Err(OperationError::Opcode(excerpt(opcode)));
    }
    if is_counter(opcode) { Err(OperationError::Counter(opcode.to_owned())) } else { Ok(()) }
}

/// The operands are not checked: those that were read from a line may have control characters, which no line needs.
#[cfg(feature = "serde")]
fn deserialize_opcode<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let opcode: String = serde::Deserialize::deserialize(deserializer)?;
    check_opcode(&opcode).map_err(serde::de::Error::custom)?;
    Ok(opcode)
}

/// Whether a text is an opcode.
pub(super) fn is_opcode(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether an opcode sets a counter of the position.
pub(super) fn is_counter(opcode: &str) -> bool {
    matches!(opcode, "hmvc" | "fmvn")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epd::Epd;

    #[test]
    fn what_no_line_can_hold_is_an_error() {
        for opcode in ["", " ", "best move", "1x", "_x", "c0;", "\"id\"", "é", "id\n"] {
            assert_eq!(Operation::new(opcode, ["x"]), Err(OperationError::Opcode(excerpt(opcode))));
        }
        for opcode in ["hmvc", "fmvn"] {
            assert_eq!(Operation::new(opcode, ["3"]), Err(OperationError::Counter(opcode.to_owned())));
        }
        for operand in ["a\nb", "\r", "\u{1b}[1m", "\u{85}"] {
            let error = Operation::new("c0", ["fine", operand]).unwrap_err();
            assert!(matches!(error, OperationError::Operand { .. }) && !error.to_string().contains(operand));
        }
    }

    #[test]
    fn every_other_operation_is_read_as_written() {
        for operands in [&[][..], &[""], &["a b", "c"], &["\\", "\"", "a;b", "\u{2028}", "\\\""], &["é", "x\\"]] {
            for opcode in ["id", "bm", "x_1"] {
                let mut epd = Epd::default();
                epd.set(Operation::new(opcode, operands.iter().copied()).unwrap());
                assert_eq!(Epd::parse(&epd.to_string()), Ok(epd));
            }
        }
    }

    #[test]
    #[cfg(feature = "serde")]
    fn operations_are_deserialised_with_valid_opcodes() {
        let epd = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a\tb\"; resign;").unwrap();
        assert_eq!(serde_json::from_str::<Epd>(&serde_json::to_string(&epd).unwrap()).unwrap(), epd);
        for opcode in ["", "best move", "hmvc"] {
            let json = format!("{{\"opcode\":\"{opcode}\",\"operands\":[]}}");
            assert!(serde_json::from_str::<Operation>(&json).is_err(), "{opcode}");
        }
    }
}
