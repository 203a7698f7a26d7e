//! Errors of network files.

/// A network cannot be made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes do not begin like a network file.
    #[error("not a network file: it does not begin with 'BZNETW'")]
    Magic,
    /// The file has a format of another version.
    #[error("network file of format '{}', expected '01'", .0.escape_ascii())]
    Version([u8; 2]),
    /// The file has another length than its header says.
    #[error("network file of {found} bytes, {expected} expected")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length that the header asks for, or the least that a file has.
        expected: usize,
    },
    /// A part of the architecture has a value that is not supported.
    #[error("unsupported architecture: {0}")]
    Architecture(&'static str),
    /// The quantisation is out of range.
    #[error("unsupported quantisation: {0}")]
    Quantisation(&'static str),
    /// The command is not UTF-8.
    #[error("the training command in the network file is not UTF-8")]
    Command,
    /// The checksum is wrong: the file was changed or damaged.
    #[error("network file is damaged: checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum of the content.
        found: u32,
        /// The checksum that the file states.
        expected: u32,
    },
    /// A weight is so large that sums could overflow.
    #[error("{0} are too large")]
    Weights(&'static str),
}

/// A network file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file has no usable network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}
