#![doc = include_str!("../README.md")]

pub mod data;
mod error;
pub mod positions;
pub mod selfplay;
pub mod train;
pub mod tune;
pub mod wdl;

pub use error::{Cause, Error, FileAction};
