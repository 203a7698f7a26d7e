//! `cargo xtask python`: writes the licences of what a wheel contains, which maturin puts into it.

use crate::dist::{Shipped, standard_library, third_party};
use crate::error::{Error, Result};
use crate::{files, run};
use std::fs;

/// The target whose crates are listed. Those of other platforms are the same.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Writes the files.
pub(crate) fn run() -> Result<String> {
    let python = files::root().join("python");
    let notices = third_party(&Shipped {
        manifest: run::PYTHON,
        packages: &["bartizan-python"],
        features: &[],
        target: TARGET,
        what: "The compiled module of this package contains",
        standard_library: "rust-standard-library.html",
    })?;
    files::replace(&python.join("NOTICES.txt"), &notices)?;
    let path = python.join("rust-standard-library.html");
    fs::write(&path, standard_library()?).map_err(Error::io(&path))?;
    Ok("wrote python/NOTICES.txt and python/rust-standard-library.html".to_owned())
}
