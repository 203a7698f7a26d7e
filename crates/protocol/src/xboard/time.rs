//! Durations as the protocol writes them.

use std::fmt;
use std::time::Duration;

/// Parses seconds, with or without a fraction, from 0 to a century.
pub(super) fn parse_seconds(word: &str) -> Option<Duration> {
    parse_units(word, 1.0)
}

/// Parses minutes (`5`, `0.5`) or minutes and seconds (`5:30`). What follows is ignored, as the protocol asks: clients
/// may append the time controls to come, as in `25+5`.
pub(super) fn parse_base(word: &str) -> Option<Duration> {
    let (minutes, rest) = split_number(word);
    if rest.starts_with(',') {
        // Half a minute as `0,5` must not become none.
        return None;
    }
    let (seconds, _) = split_number(rest.strip_prefix(':').unwrap_or_default());
    Some(parse_units(minutes, 60.0)?.saturating_add(parse_seconds(seconds).unwrap_or_default()))
}

/// The decimal number that a word begins with, which may be empty, and the rest.
fn split_number(word: &str) -> (&str, &str) {
    let mut has_point = false;
    let ends = |c: char| !c.is_ascii_digit() && (c != '.' || std::mem::replace(&mut has_point, true));
    word.split_at(word.find(ends).unwrap_or(word.len()))
}

const CENTURY: f64 = 100.0 * 365.25 * 86_400.0;

fn parse_units(word: &str, seconds_per_unit: f64) -> Option<Duration> {
    // Rust parses `inf` and `nan` as numbers too.
    let number: f64 = word.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)?;
    let seconds = (number * seconds_per_unit).min(CENTURY);
    // Whole milliseconds, so that 0.1 is exactly a tenth of a second.
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// Writes seconds with up to three decimals.
pub(super) struct Seconds(pub(super) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0.as_secs(), self.0.subsec_millis());
        if millis == 0 {
            return write!(f, "{seconds}");
        }
        let decimals = format!("{millis:03}");
        write!(f, "{seconds}.{}", decimals.trim_end_matches('0'))
    }
}

/// Writes minutes, or minutes and seconds, rounded up to whole seconds: a base of `0:00` would be no time at all.
pub(super) struct Base(pub(super) Duration);

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0);
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        if seconds == 0 { write!(f, "{minutes}") } else { write!(f, "{minutes}:{seconds:02}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (text, millis) in [("0", 0), ("12", 12_000), ("0.1", 100), ("2.25", 2250), ("0.001", 1)] {
            assert_eq!(parse_seconds(text), Some(Duration::from_millis(millis)), "{text}");
            assert_eq!(Seconds(Duration::from_millis(millis)).to_string(), text);
        }
        for (text, seconds) in [("5", 300), ("5:30", 330), ("0:05", 5), ("120", 7200)] {
            assert_eq!(parse_base(text), Some(Duration::from_secs(seconds)), "{text}");
            assert_eq!(Base(Duration::from_secs(seconds)).to_string(), text);
        }
        assert_eq!(parse_base("0.5"), Some(Duration::from_secs(30)));
        assert_eq!(Base(Duration::from_millis(100)).to_string(), "0:01");
    }

    #[test]
    fn what_follows_a_base_is_ignored() {
        for (word, seconds) in
            [("25+5", 1500), ("0:30+0:10", 30), ("2min", 120), ("1e3", 60), ("1:", 60), ("1:2:3", 62), ("1.5.9", 90)]
        {
            assert_eq!(parse_base(word), Some(Duration::from_secs(seconds)), "{word}");
        }
    }

    #[test]
    fn nonsense() {
        for word in ["", "x", "nan", "inf", "-", "--5", ".", ":", ":30", "0,5"] {
            assert_eq!(parse_base(word), None, "{word}");
        }
        assert_eq!(parse_seconds("-3"), None);
        assert_eq!(["-5", "-1:55"].map(parse_base), [None; 2]);
        assert!(parse_base(&"9".repeat(300)).unwrap().as_secs() < 4_000_000_000);
    }
}
