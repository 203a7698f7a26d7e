//! The options for bands of ratings.

use super::select::parse_range;
use anyhow::Context;
use bartizan_analysis::{RatingBand, RatingBands};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// The bands of ratings by which players are grouped.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct BandArgs {
    /// Width of a band of ratings
    #[arg(long, value_name = "POINTS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    band: u32,
    /// Where the first band of ratings begins, and the last one, which has no end
    #[arg(long, value_name = "FIRST-LAST", default_value = "800-2200", value_parser = parse_range)]
    ratings: RangeInclusive<u32>,
}

impl BandArgs {
    pub(super) fn bands(&self) -> anyhow::Result<RatingBands> {
        let (first, last) = (*self.ratings.start(), *self.ratings.end());
        RatingBands::new(first, self.band, last).with_context(|| format!("invalid --ratings '{first}-{last}'"))
    }
}

/// A band in JSON: its name and its limits.
pub(super) fn band_json(band: RatingBand) -> Map<String, Value> {
    let [low, high] = band.limits();
    let fields = [("rating", json!(band.to_string())), ("low", json!(low)), ("high", json!(high))];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
