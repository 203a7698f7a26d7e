//! The integration tests in one program, because linking one for each file would take longer than running them.

mod perft;
mod properties;
mod see;
mod zobrist;
