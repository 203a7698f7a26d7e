//! Bartizan for the web, as WebAssembly modules: with the feature `engine` the engine and the reviews, which run in a
//! worker, without it the rules of chess, which a page calls itself. The package's JavaScript wraps what is exported
//! here; texts that are data are JSON.

#[cfg(feature = "engine")]
mod host;
#[cfg(not(feature = "engine"))]
mod rules;
#[cfg(feature = "engine")]
mod session;

#[cfg(feature = "engine")]
pub use host::{Host, stop};
#[cfg(feature = "engine")]
pub use session::Session;
