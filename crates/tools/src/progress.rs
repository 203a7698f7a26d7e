//! Progress bars on standard error.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

/// A number of things: `1 game`, `2 games`.
pub(crate) fn counted(number: impl Into<u64>, what: &str) -> String {
    match number.into() {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// A bar for a length, or a spinner if the length is unknown.
pub(crate) fn bar(length: impl Into<Option<u64>>, template: &str, is_hidden: bool) -> anyhow::Result<ProgressBar> {
    let bar = match length.into() {
        _ if is_hidden => ProgressBar::hidden(),
        Some(length) => ProgressBar::new(length),
        None => ProgressBar::new_spinner(),
    };
    bar.set_style(ProgressStyle::with_template(template).context("progress style")?);
    Ok(bar)
}
