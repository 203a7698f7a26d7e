//! The scale of the levels.

use std::ops::RangeInclusive;

/// A playing strength in Elo, on a scale of engines: see `docs/levels.md` for what the levels mean for people, and
/// `docs/lab/levels.md` for how they were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u32);

impl Rating {
    /// The ratings that exist. At the highest the only limit is 400,000 nodes for each move.
    pub const RANGE: RangeInclusive<u32> = 600..=3_000;

    /// The rating closest to a number.
    pub const fn new(elo: u32) -> Self {
        let (least, most) = (*Self::RANGE.start(), *Self::RANGE.end());
        Self(if elo < least {
            least
        } else if elo > most {
            most
        } else {
            elo
        })
    }

    /// The rating as a number.
    pub const fn elo(self) -> u32 {
        self.0
    }
}
