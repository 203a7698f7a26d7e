//! `cargo xtask ci`: checks of the repository beyond the compiler, clippy and the tests.

use crate::error::{Error, Result};
use crate::{
    book, layers, line_ends, links, magics, measure, network, opens, params, published, shown, supply, unused, wdl,
    width,
};

/// The name of a check and its function, which returns a summary.
type Check = (&'static str, fn() -> Result<String>);

/// Runs all checks, even after one has failed. Calls `report` with the result of each.
pub(crate) fn ci(mut report: impl FnMut(&str)) -> Result<String> {
    let checks: [Check; 17] = [
        ("layers", layers::check),
        ("dependencies", supply::dependencies),
        ("used dependencies", unused::dependencies),
        ("licences of the packages", published::licences),
        ("actions of the workflows", supply::actions),
        ("line width", width::check),
        ("opened files", opens::check),
        ("line ends", line_ends::check),
        ("untrusted text", shown::check),
        ("links between pages", links::check),
        ("pages of the book", unused::pages),
        ("numbers of README", measure::check),
        ("magic numbers", magics::check),
        ("evaluation weights", params::check),
        ("win-draw-loss model", wdl::check),
        ("opening book", book::check),
        ("network", network::check),
    ];
    let mut failed = Vec::new();
    for (name, check) in checks {
        match check() {
            Ok(what) => report(&format!("ok      {name}: {what}")),
            Err(error) => {
                failed.push(name);
                report(&format!("FAILED  {name}: {error}"));
            }
        }
    }
    if failed.is_empty() {
        Ok(format!("{} checks passed", checks.len()))
    } else {
        Err(Error::Check(format!("{} of {} checks failed: {}", failed.len(), checks.len(), failed.join(", "))))
    }
}
