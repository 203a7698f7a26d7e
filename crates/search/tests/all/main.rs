//! Tests of the search by its public API, in one program: each further one would compile the search anew.
// In a test a panic is the report. The long versions print numbers.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod endings;
mod mates;
mod plans;
mod search;
mod searcher;
