//! The integration tests in one program: to link one for each file would take longer than to run them.

mod long_lines;
#[cfg(feature = "serde")]
mod serialised;
mod uci_properties;
mod xboard_properties;
