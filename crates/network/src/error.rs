//! Errors of network files.

/// The error of creating or reading a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes do not start like a network file.
    #[error("not a network file: it does not begin with 'BZNETW'")]
    Magic,
    /// The file has a different format version.
    #[error("network file of format '{}', expected '01'", .0.escape_ascii())]
    Version([u8; 2]),
    /// The length of the file differs from that in its header.
    #[error("network file of {found} bytes, {expected} expected")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length according to the header, or the minimum length of a file.
        expected: usize,
    },
    /// A part of the architecture has an unsupported value.
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
        /// The checksum stored in the file.
        expected: u32,
    },
    /// A weight is so large that sums could overflow.
    #[error("{0} are too large")]
    Weights(&'static str),
}

/// The error of reading a network file.
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
