//! Tests of the search through its public API, in one program, because each program would compile the search again.
// In a test a panic is the report. The long versions print numbers.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod easy_moves;
mod endings;
mod learnt;
mod mates;
mod plans;
mod search;
mod searcher;
