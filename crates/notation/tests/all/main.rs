//! The integration tests in one program, because linking one for each file would take longer than running them.

mod collections;
mod cutting;
mod disturbed;
mod hostile;
mod properties;
