//! All integration tests in one program, because linking one per file would take longer than running them.

mod fit;
mod network;
mod positions;
