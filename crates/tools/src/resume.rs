//! Continuing a run: its settings stand in its file, and those that are given too are compared with them.

use std::fmt::Debug;

/// Settings that the command line gives, and those of a file.
pub(crate) struct Comparison(Vec<String>);

impl Comparison {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Takes what the file has. A different value on the command line is remembered.
    pub(crate) fn stored<T: PartialEq + Debug>(&mut self, option: &str, given: Option<T>, stored: T) -> T {
        if let Some(given) = given.filter(|given| *given != stored) {
            self.0.push(format!("{option} {given:?} (the file has {stored:?})"));
        }
        stored
    }

    /// Remembers another difference.
    pub(crate) fn differs(&mut self, what: String) {
        self.0.push(what);
    }

    /// Fails if something differs.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        anyhow::ensure!(self.0.is_empty(), "it was begun with other settings: {}", self.0.join(", "));
        Ok(())
    }
}
