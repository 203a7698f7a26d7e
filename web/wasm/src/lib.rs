//! Bartizan for the web, as a WebAssembly module: the rules of chess and, with the feature `engine`, the engine and the
//! reviews. The package's JavaScript wraps what is exported here; texts that are data are JSON.

#[cfg(feature = "engine")]
mod host;
mod rules;
#[cfg(feature = "engine")]
mod session;

#[cfg(feature = "engine")]
pub use host::{Host, stop};
#[cfg(feature = "engine")]
pub use session::Session;
