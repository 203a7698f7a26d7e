//! How the games are divided into folders.

use crate::tags;
use bartizan_notation::pgn::PgnGame;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What the games of a folder have in common: `year=2024`, `rating=1800`, `by_eco=B20`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Partition {
    /// The year of the date.
    Year,
    /// The mean rating of both players, rounded down to a multiple of 200.
    Rating,
    /// The value of a tag.
    Tag(String),
}

/// A text does not name a partition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected year, rating or the name of a tag, such as ECO")]
pub struct PartitionError;

/// The folder of games without a value, which Hive, Spark and polars read as null.
const NONE: &str = "__HIVE_DEFAULT_PARTITION__";

/// The width of a band of ratings.
const BAND: u32 = 200;

/// Longer values are cut, so that names of folders stay below the 255 bytes of file systems.
const LONGEST: usize = 60;

impl FromStr for Partition {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Self, PartitionError> {
        let is_tag = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_alphabetic())
                && text.len() <= LONGEST
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        match text {
            "year" => Ok(Self::Year),
            "rating" => Ok(Self::Rating),
            tag if is_tag(tag) => Ok(Self::Tag(tag.to_owned())),
            _ => Err(PartitionError),
        }
    }
}

impl TryFrom<String> for Partition {
    type Error = PartitionError;

    fn try_from(text: String) -> Result<Self, PartitionError> {
        text.parse()
    }
}

impl From<Partition> for String {
    fn from(partition: Partition) -> Self {
        partition.to_string()
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Year => "year",
            Self::Rating => "rating",
            Self::Tag(tag) => tag,
        })
    }
}

impl Partition {
    /// The name of the column that the folders stand for. It differs from those of the tags, also for databases that do
    /// not distinguish upper and lower case.
    pub fn column(&self) -> String {
        match self {
            Self::Year => "year".to_owned(),
            Self::Rating => "rating".to_owned(),
            Self::Tag(tag) => format!("by_{}", tag.to_ascii_lowercase()),
        }
    }

    /// The name of a game's folder.
    pub(super) fn folder(&self, game: &PgnGame) -> String {
        let rating = |tag| tags::rating(game, tag).filter(|&rating| rating > 0);
        let value = match self {
            Self::Year => tags::date(game)
                .map(|date| date.chars().take(4).collect::<String>())
                .filter(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit())),
            Self::Rating => match (rating("WhiteElo"), rating("BlackElo")) {
                (Some(white), Some(black)) => Some(white.midpoint(black) / BAND * BAND).map(|band| band.to_string()),
                (one, other) => one.or(other).map(|rating| (rating / BAND * BAND).to_string()),
            },
            Self::Tag(tag) => tags::known(game, tag).map(|value| escape(&value)),
        };
        format!("{}={}", self.column(), value.as_deref().unwrap_or(NONE))
    }
}

/// A value as part of the name of a folder, as Hive writes it: other bytes than letters, digits and a few signs become
/// `%` and their number.
fn escape(value: &str) -> String {
    value.bytes().take(LONGEST).fold(String::new(), |text, byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => text + &char::from(byte).to_string(),
        other => text + &format!("%{other:02X}"),
    })
}
