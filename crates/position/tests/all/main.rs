//! The integration tests in one program: to link one for each file would take longer than to run them.

mod perft;
mod properties;
mod see;
mod zobrist;
