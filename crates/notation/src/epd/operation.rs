//! One thing that is known about a position.

/// An opcode and its operands: `bm Nf3 Nc3`, `id "WAC.001"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What is said: `bm`, `id`, `c0` ….
    pub opcode: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
}

impl Operation {
    /// An operation from its parts.
    pub fn new<O: Into<String>>(opcode: impl Into<String>, operands: impl IntoIterator<Item = O>) -> Self {
        Self { opcode: opcode.into(), operands: operands.into_iter().map(Into::into).collect() }
    }

    /// Whether the standard says that the operands of the opcode are strings, which are always quoted.
    pub(super) fn takes_string(&self) -> bool {
        matches!(self.opcode.as_bytes(), b"id" | [b'c' | b'v', b'0'..=b'9'])
    }
}
