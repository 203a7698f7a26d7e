//! `cargo xtask ci`: the checks that neither the compiler nor the tests make.

use crate::error::{Error, Result};
use crate::{layers, magics, params, wdl};

/// A check's name, and the check: it says what it looked at, or why it fails.
type Check = (&'static str, fn() -> Result<String>);

/// Makes all checks, the later ones too when an earlier one fails. `say` is told of each.
pub(crate) fn ci(mut say: impl FnMut(&str)) -> Result<String> {
    let checks: [Check; 4] = [
        ("layers", layers::check),
        ("magic numbers", magics::check),
        ("weights of the evaluation", params::check),
        ("chances by value", wdl::check),
    ];
    let mut failed = Vec::new();
    for (name, check) in checks {
        match check() {
            Ok(what) => say(&format!("ok      {name}: {what}")),
            Err(error) => {
                failed.push(name);
                say(&format!("FAILED  {name}: {error}"));
            }
        }
    }
    if failed.is_empty() {
        Ok(format!("{} checks passed", checks.len()))
    } else {
        Err(Error::Check(format!("{} of {} checks failed: {}", failed.len(), checks.len(), failed.join(", "))))
    }
}
