#![doc = include_str!("../README.md")]
//!
//! | need | function |
//! |---|---|
//! | the result of each item, in order | [`map`] |
//! | results passed on while others are computed, by workers with state | [`run`] |
//! | the same, with jobs that a producer pushes one after another | [`feed`] |
//! | a stop request shared by threads and signal handlers | [`StopFlag`] |
//!
//! In all of them, if a thread cannot be started, the others do its jobs. A panic in one thread stops the others at
//! their next job and is propagated to the caller.

mod stop;
mod team;

pub use stop::StopFlag;
pub use team::{FeedOptions, JobSender, JobsClosed, ResultOrder, cores, feed, map, run};
