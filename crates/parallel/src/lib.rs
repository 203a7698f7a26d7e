#![doc = include_str!("../README.md")]
//!
//! | need | function |
//! |---|---|
//! | the result of each item, in order | [`map`] |
//! | results passed on while others are computed, by workers that keep something | [`run`] |
//! | the same, with jobs that a reader finds one after another | [`feed`] |
//! | a request to end, which threads and signal handlers share | [`StopFlag`] |
//!
//! In all of them, a thread that the system refuses leaves its jobs to the others, and a panic in one thread ends the
//! others at their next job and continues in the caller.

mod stop;
mod team;

pub use stop::StopFlag;
pub use team::{FeedOptions, JobSender, JobsClosed, ResultOrder, cores, feed, map, run};
