#![doc = include_str!("../README.md")]

pub mod positions;
pub mod train;
pub mod tune;
pub mod wdl;
