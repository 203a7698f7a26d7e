//! The origin of a measurement: date, commit, machine, compiler.

use crate::error::Result;
use crate::run;
use bartizan_types::Date;

/// One sentence, placed below each table.
pub(crate) fn describe() -> Result<String> {
    let commit = run::output("git", &["rev-parse", "--short", "HEAD"])?;
    // The pages themselves change during the measurement.
    let pages = [":!docs/measurements.md", ":!README.md"];
    let changes =
        run::output("git", &[&["status", "--porcelain", "--untracked-files=no", "--", "."][..], &pages].concat())?;
    let local = if changes.is_empty() { "" } else { " with local changes" };
    let compiler = run::output("rustc", &["--version"])?;
    let compiler = compiler.split_whitespace().nth(1).unwrap_or_default();
    let cores = bartizan_parallel::cores();
    Ok(format!(
        "Measured on {}, commit {commit}{local}, {cores} cores of {}, Rust {compiler}.",
        Date::today(),
        processor()
    ))
}

/// The processor's name if the system provides it, otherwise its architecture.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    name.unwrap_or(std::env::consts::ARCH).to_owned()
}
