#![doc = include_str!("../README.md")]
//!
//! Pure functions: no input, no output, no dependency on the rest of Bartizan.
//!
//! | question | answer |
//! |---|---|
//! | What are the results? | [`MatchTally`]: games ([`WdlCounts`]) and pairs of games ([`Pentanomial`]) |
//! | How large is the difference, and how certain? | [`ScoreSample`]: Elo, normalised Elo, likelihood of superiority |
//! | Can the match stop? | [`Sprt`], the sequential probability ratio test |
//! | How long will it take? | [`Sprt::expect`] |
//! | How do many engines rank? | [`Ladder`], Bradley-Terry ratings |
//! | How certain is a share or a speed ratio? | [`wilson`], [`geometric_mean_interval`] |
//! | Do two methods that were tried on the same cases differ? | [`PairedDifference`] |
//! | What does each of many changes contribute? | [`LeastSquares`] |
//! | How does a difference change with the nodes? | [`LinearTrend`] |
//! | How does all that look? | [`chart`]: lines and dots as SVG |
//!
//! Games come in pairs: one opening, colours swapped. The two games of a pair depend on each other (an opening that
//! favours White favours each engine once), so the pair is the observation and its score has one of five values, hence
//! *pentanomial*. Counting games instead (*trinomial*) overstates the variance, the more so the less balanced the
//! openings are.
//!
//! All error bars are for 95 % confidence.
//!

pub mod chart;
mod elo;
mod interval;
mod ladder;
mod least_squares;
mod normal;
mod paired;
mod plan;
mod score;
mod sprt;
mod trend;

#[cfg(test)]
mod simulation;

pub use elo::{Estimate, NORMALISED_ELO_PER_T, OptionalEstimate, ScoreSample, elo_from_score, score_from_elo};
pub use interval::{Interval, geometric_mean, geometric_mean_interval, wilson};
pub use ladder::{Anchor, Ladder, LadderError, PRIOR_DRAWS, Rating};
pub use least_squares::{Coefficient, LeastSquares};
pub use normal::{Z95, normal_cdf};
pub use paired::PairedDifference;
pub use plan::Expectation;
pub use score::{GameScore, MatchTally, Pentanomial, WdlCounts};
pub use sprt::{Sprt, SprtError, SprtModel, SprtReport, SprtStatus};
pub use trend::LinearTrend;
