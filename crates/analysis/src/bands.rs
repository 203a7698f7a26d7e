//! Bands of ratings, by which games of people are grouped.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Bands of equal width. Ratings below the first band form a band of their own, and the last band has no upper end.
///
/// ```
/// use bartizan_analysis::RatingBands;
///
/// let bands = RatingBands::new(800, 200, 2200)?;
/// let names = [Some(799), Some(800), Some(2199), Some(2600), None].map(|rating| bands.of(rating).to_string());
/// assert_eq!(names, ["under 800", "800–999", "2000–2199", "2200 and more", "unrated"]);
/// # Ok::<(), bartizan_analysis::RatingBandsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingBands {
    first: u32,
    width: u32,
    last: u32,
}

/// Why there are no such bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingBandsError {
    /// The width is 0.
    #[error("a band must be at least 1 point wide")]
    NoWidth,
    /// The last band begins before the first one.
    #[error("the last band begins before the first one")]
    Reversed,
}

/// A band of [`RatingBands`]. Bands are ordered by rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingBand {
    /// Ratings below this one.
    Under(u32),
    /// Ratings from the first to the second one.
    Within(u32, u32),
    /// This rating and all above it.
    From(u32),
    /// No rating.
    Unrated,
}

impl RatingBands {
    /// Bands of this width; the first one begins at `first`, and the last one, which is open, at `last`. The one before
    /// the last is narrower if the width does not fit.
    ///
    /// # Errors
    /// [`RatingBandsError`] if `width` is 0 or `last` is less than `first`.
    pub fn new(first: u32, width: u32, last: u32) -> Result<Self, RatingBandsError> {
        if width == 0 {
            return Err(RatingBandsError::NoWidth);
        }
        if last < first { Err(RatingBandsError::Reversed) } else { Ok(Self { first, width, last }) }
    }

    /// The band of a rating.
    pub fn of(&self, rating: Option<u32>) -> RatingBand {
        let Self { first, width, last } = *self;
        match rating {
            None => RatingBand::Unrated,
            Some(rating) if rating >= last => RatingBand::From(last),
            Some(rating) if rating < first => RatingBand::Under(first),
            Some(rating) => {
                let low = rating - (rating - first) % width;
                RatingBand::Within(low, low.saturating_add(width).min(last) - 1)
            }
        }
    }
}

/// From 800 to 2200, each 200 points wide.
impl Default for RatingBands {
    fn default() -> Self {
        Self { first: 800, width: 200, last: 2_200 }
    }
}

impl RatingBand {
    /// The lowest and the highest rating, as far as the band has them.
    pub fn limits(self) -> [Option<u32>; 2] {
        match self {
            Self::Under(end) => [None, end.checked_sub(1)],
            Self::Within(low, high) => [Some(low), Some(high)],
            Self::From(low) => [Some(low), None],
            Self::Unrated => [None; 2],
        }
    }
}

impl fmt::Display for RatingBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Under(end) => format!("under {end}"),
            Self::Within(low, high) => format!("{low}–{high}"),
            Self::From(low) => format!("{low} and more"),
            Self::Unrated => "unrated".to_owned(),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    #[test]
    fn every_rating_is_in_one_band() {
        let bands = RatingBands::new(1_000, 400, 1_800).unwrap();
        let expected = [(999, "under 1000"), (1_000, "1000–1399"), (1_799, "1400–1799"), (u32::MAX, "1800 and more")];
        let mut found = Vec::new();
        for (rating, name) in expected {
            let band = bands.of(Some(rating));
            let [low, high] = band.limits();
            assert!(low.is_none_or(|low| low <= rating) && high.is_none_or(|high| rating <= high), "{band:?}");
            assert_eq!(band.to_string(), name);
            found.push(band);
        }
        found.push(bands.of(None));
        assert!(found.is_sorted());
        assert_eq!(format!("{:>9}", bands.of(None)), "  unrated");
    }

    #[test]
    fn bands_have_a_width() {
        assert_eq!(RatingBands::new(800, 0, 800), Err(RatingBandsError::NoWidth));
        assert_eq!(RatingBands::new(800, 200, 800).unwrap().of(Some(900)), RatingBand::From(800));
        assert_eq!(RatingBands::new(800, 200, 799), Err(RatingBandsError::Reversed));
        let uneven = RatingBands::new(800, 400, 1_300).unwrap();
        assert_eq!(
            [1_199, 1_200, 1_300].map(|rating| uneven.of(Some(rating)).to_string()),
            ["800–1199", "1200–1299", "1300 and more"]
        );
        let widest = RatingBands::new(1, u32::MAX, u32::MAX).unwrap();
        assert_eq!(widest.of(Some(5)), RatingBand::Within(1, u32::MAX - 1));
    }
}
