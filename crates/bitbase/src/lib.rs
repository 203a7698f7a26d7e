#![doc = include_str!("../README.md")]
//!
//! The build script computes the table by retrograde analysis. It is a constant in the binary: nothing is loaded or
//! initialised at run time. The crate is `no_std`.
#![no_std]

mod index;
pub mod kpk;
