//! Where a number comes from: date, commit, machine, compiler.

use crate::error::Result;
use crate::run;
use std::time::{SystemTime, UNIX_EPOCH};

/// One sentence, as it stands below each table.
pub(crate) fn describe() -> Result<String> {
    let commit = run::output("git", &["rev-parse", "--short", "HEAD"])?;
    // The pages themselves change while it is measured.
    let pages = [":!docs/measurements.md", ":!README.md"];
    let changes =
        run::output("git", &[&["status", "--porcelain", "--untracked-files=no", "--", "."][..], &pages].concat())?;
    let local = if changes.is_empty() { "" } else { " with local changes" };
    let compiler = run::output("rustc", &["--version"])?;
    let compiler = compiler.split_whitespace().nth(1).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("Measured on {}, commit {commit}{local}, {cores} cores of {}, Rust {compiler}.", today(), processor()))
}

/// The processor's name where the system tells it, its architecture otherwise.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    name.unwrap_or(std::env::consts::ARCH).to_owned()
}

/// Today's date in UTC as `YYYY-MM-DD`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms").
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_779), (2026, 11, 22));
    }
}
