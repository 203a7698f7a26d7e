//! Days of the calendar.

use core::fmt;

/// A day of the Gregorian calendar from 1970 on, in UTC.
///
/// ```
/// let date = bartizan_types::Date::from_unix_seconds(1_709_164_800);
/// assert_eq!((date.to_string(), date.pgn().to_string()), ("2024-02-29".to_owned(), "2024.02.29".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u64,
    /// From 1.
    month: u8,
    /// From 1.
    day: u8,
}

impl Date {
    /// Today, by the system clock; 1970-01-01 if the clock is set before 1970.
    #[cfg(feature = "std")]
    pub fn today() -> Self {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self::from_unix_seconds(since_1970.map_or(0, |time| time.as_secs()))
    }

    /// The day of a point in time, in seconds since the beginning of 1970.
    ///
    /// Years begin on 1 March here, so the leap day is the last day of a year. Source: Howard Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    pub fn from_unix_seconds(seconds: u64) -> Self {
        const SECONDS_PER_DAY: u64 = 86_400;
        const DAYS_PER_ERA: u64 = 146_097; // 400 years
        const DAYS_FROM_0000_03_01_TO_1970: u64 = 719_468;
        let days = seconds / SECONDS_PER_DAY + DAYS_FROM_0000_03_01_TO_1970;
        let (era, day_of_era) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Five months have 153 days, counted from March.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Self { year: 400 * era + year_of_era + u64::from(month <= 2), month: month as u8, day: day as u8 }
    }

    /// The date in the format of PGN tags: `2024.02.29`.
    pub fn pgn(self) -> impl fmt::Display {
        Separated(self, '.')
    }
}

/// The ISO 8601 format: `2024-02-29`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Separated(*self, '-').fmt(f)
    }
}

/// A date with this character between its parts.
struct Separated(Date, char);

impl fmt::Display for Separated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Date { year, month, day }, separator) = self;
        write!(f, "{year:04}{separator}{month:02}{separator}{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn known_dates() {
        for (seconds, date) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_709_164_800, "2024.02.29"),
            (1_735_689_599, "2024.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(Date::from_unix_seconds(seconds).pgn().to_string(), date);
            assert_eq!(Date::from_unix_seconds(seconds).to_string(), date.replace('.', "-"));
        }
    }

    /// Counts through 400 years day by day.
    #[test]
    fn every_day_follows_the_one_before() {
        let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..146_097 {
            assert_eq!(Date::from_unix_seconds(days * 86_400), Date { year, month, day });
            let length = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            day += 1;
            if day > length[usize::from(month) - 1] {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }
}
