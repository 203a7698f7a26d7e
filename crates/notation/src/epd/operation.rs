//! EPD operations.

/// An opcode and its operands: `bm Nf3 Nc3`, `id "WAC.001"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The opcode, such as `bm`, `id` or `c0`.
    pub opcode: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
}

impl Operation {
    /// Creates an operation from an opcode and its operands.
    pub fn new<O: Into<String>>(opcode: impl Into<String>, operands: impl IntoIterator<Item = O>) -> Self {
        Self { opcode: opcode.into(), operands: operands.into_iter().map(Into::into).collect() }
    }

    /// Whether the standard defines the operands of this opcode as strings, which are always quoted.
    pub(super) fn takes_string(&self) -> bool {
        matches!(self.opcode.as_bytes(), b"id" | [b'c' | b'v', b'0'..=b'9'])
    }
}
