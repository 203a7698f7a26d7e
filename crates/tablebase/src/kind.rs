//! The kinds of table files.

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Win, draw or loss: `.rtbw`.
    Wdl,
    /// Distance to zeroing: `.rtbz`.
    Dtz,
}

impl Kind {
    /// The magic number at the start of the file.
    pub(crate) const fn magic(self) -> u32 {
        match self {
            Self::Wdl => 0x5d23_e871,
            Self::Dtz => 0xa50c_66d7,
        }
    }
}
