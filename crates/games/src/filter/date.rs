//! Ranges of dates.

use std::str::FromStr;

/// A range of dates: `2019..2021.06`, `2020.05.17..`, `..1999`, `2020`.
///
/// A date may have unknown parts, as in `2020.??.??`. It is in the range if every possible day is.
///
/// ```
/// use bartizan_games::filter::DateRange;
///
/// let range: DateRange = "2019.06..2020".parse()?;
/// assert!(range.contains("2019.06.01") && range.contains("2020.??.??"));
/// assert!(!range.contains("2019.??.??") && !range.contains("????.??.??"));
/// # Ok::<(), bartizan_games::filter::DateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateRange {
    first: u32,
    last: u32,
}

/// A text is not a range of dates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a range of dates, such as 2019..2021.06 or 2020.05.17")]
pub struct DateError;

impl DateRange {
    /// Whether a PGN date lies in the range.
    pub fn contains(&self, date: &str) -> bool {
        days(date).is_some_and(|(first, last)| self.first <= first && last <= self.last)
    }
}

impl FromStr for DateRange {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        if from.is_empty() && to.is_empty() {
            return Err(DateError);
        }
        let bounds = |text: &str| if text.is_empty() { Ok((0, u32::MAX)) } else { days(text).ok_or(DateError) };
        let (first, last) = (bounds(from)?.0, bounds(to)?.1);
        if first > last { Err(DateError) } else { Ok(Self { first, last }) }
    }
}

/// The first and the last day that a date can denote, as numbers `YYYYMMDD`.
pub(crate) fn days(date: &str) -> Option<(u32, u32)> {
    let mut parts = date.trim().split(['.', '-', '/']);
    let (year, month, day) = (parts.next()?, parts.next().unwrap_or("??"), parts.next().unwrap_or("??"));
    if parts.next().is_some() || year.len() != 4 || month.len() > 2 || day.len() > 2 {
        return None;
    }
    let bounds = |part: &str, most: u32| {
        let digit = |byte: u8, unknown: u32| if byte == b'?' { Some(unknown) } else { char::from(byte).to_digit(10) };
        let number = |unknown| part.bytes().try_fold(0, |number, byte| Some(10 * number + digit(byte, unknown)?));
        let (first, last) = (number(0)?, number(9)?);
        // Some programs write 00 for an unknown part.
        let (first, last) = if last == 0 { (1, most) } else { (first.max(1), last.min(most)) };
        (!part.is_empty() && first <= last).then_some((first, last))
    };
    let (years, months, days) = (bounds(year, 9999)?, bounds(month, 12)?, bounds(day, 31)?);
    let number = |year: u32, month: u32, day: u32| year * 10_000 + month * 100 + day;
    Some((number(years.0, months.0, days.0), number(years.1, months.1, days.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parts_are_all_that_they_can_be() {
        assert_eq!(days("2020.05.17"), Some((20_200_517, 20_200_517)));
        assert_eq!(days("2020-05"), Some((20_200_501, 20_200_531)));
        assert_eq!(days("2020.1?.??"), Some((20_201_001, 20_201_231)));
        assert_eq!(days("199?.00.00"), Some((19_900_101, 19_991_231)));
        assert_eq!(days("????.??.??"), Some((10_101, 99_991_231)));
        for wrong in ["", "20", "2020.13.01", "2020.01.32", "2020.01.01.01", "x020.01.01", "2020.+1.01", "2020.001.1"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        let contains = |range: &str, date: &str| range.parse::<DateRange>().unwrap().contains(date);
        assert!(contains("..1999", "1999.12.31") && !contains("..1999", "2000.01.01"));
        assert!(contains("2020.05.17..", "2020.05.17") && !contains("2020.05.17..", "2020.05.??"));
        assert!(contains("2020", "2020.??.??") && !contains("2020", "202?.??.??") && !contains("2020", "today"));
        for wrong in ["", "..", "2021..2020", "x..y", "20"] {
            assert_eq!(wrong.parse::<DateRange>(), Err(DateError), "{wrong}");
        }
    }
}
