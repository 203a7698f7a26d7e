//! Sort keys for games.

use crate::reading::GameText;
use crate::tags;
use bartizan_notation::pgn::{PgnGame, RawGame};
use bartizan_types::GameResult;
use std::str::FromStr;

/// A sort key. Games for which it is unknown come first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortKey {
    /// The date; unknown parts come first.
    Date,
    /// The mean of the ratings, or the only known one.
    Rating,
    /// The code in the tag `ECO`.
    Eco,
    /// The tag `Event`.
    Event,
    /// The tag `Round`: `2.10` follows `2.9`.
    Round,
    /// The tag `White`.
    White,
    /// The tag `Black`.
    Black,
    /// The number of plies.
    Plies,
    /// White's wins, draws, Black's wins: by the tag, or by the moves if the tag is missing or unknown.
    Result,
    /// Another tag, as text.
    Tag(String),
}

/// A name is not that of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown sort key '{0}': expected date, rating, eco, event, round, white, black, plies, result or tag:NAME")]
pub struct SortKeyError(String);

impl FromStr for SortKey {
    type Err = SortKeyError;

    fn from_str(text: &str) -> Result<Self, SortKeyError> {
        Ok(match text {
            "date" => Self::Date,
            "rating" | "elo" => Self::Rating,
            "eco" => Self::Eco,
            "event" => Self::Event,
            "round" => Self::Round,
            "white" => Self::White,
            "black" => Self::Black,
            "plies" => Self::Plies,
            "result" => Self::Result,
            _ => match text.strip_prefix("tag:") {
                Some(name) if !name.is_empty() => Self::Tag(name.to_owned()),
                _ => return Err(SortKeyError(text.to_owned())),
            },
        })
    }
}

impl SortKey {
    /// The bytes by which a game is sorted; the first key is the most significant.
    pub fn of_game(keys: &[Self], reverse: bool, game: &GameText<'_>) -> Vec<u8> {
        let needs_moves = keys.iter().any(|by| by.needs_moves());
        let pgn = if needs_moves { game.read(usize::MAX) } else { None };
        let mut bytes = Vec::new();
        keys.iter().for_each(|by| by.append(game.raw, pgn.as_ref(), &mut bytes));
        if reverse {
            bytes.iter_mut().for_each(|byte| *byte = !*byte);
        }
        bytes
    }

    /// Whether the moves of a game must be read.
    pub fn needs_moves(&self) -> bool {
        *self == Self::Plies
    }

    /// Appends bytes in the sort order. `game` is the parsed text, if readable.
    pub fn append(&self, raw: &RawGame, game: Option<&PgnGame>, to: &mut Vec<u8>) {
        match self {
            Self::Date => {
                let date = tags::date(raw).unwrap_or_default().replace('?', "0");
                let padded: Vec<String> = date.split(['.', '-', '/']).map(|part| format!("{part:0>2}")).collect();
                text(&padded.join("."), to);
            }
            Self::Rating => {
                let ratings = ["WhiteElo", "BlackElo"].map(|name| tags::rating(raw, name));
                let sum: u64 = ratings.iter().flatten().map(|&rating| u64::from(rating)).sum();
                let known = ratings.iter().flatten().count().max(1) as u64;
                to.extend((sum * 2 / known).to_be_bytes());
            }
            Self::Eco => text(&tags::known(raw, "ECO").unwrap_or_default(), to),
            Self::Event => text(&tags::known(raw, "Event").unwrap_or_default(), to),
            Self::Round => round(&tags::known(raw, "Round").unwrap_or_default(), to),
            Self::White => text(&tags::known(raw, "White").unwrap_or_default(), to),
            Self::Black => text(&tags::known(raw, "Black").unwrap_or_default(), to),
            Self::Plies => to.extend((game.map_or(0, |game| game.moves.len() as u64)).to_be_bytes()),
            Self::Result => to.push(match raw.result() {
                GameResult::WhiteWins => 1,
                GameResult::Draw => 2,
                GameResult::BlackWins => 3,
                _ => 0,
            }),
            Self::Tag(name) => text(&tags::value(raw, name).unwrap_or_default(), to),
        }
    }
}

/// Text, ignoring case; a prefix comes first.
fn text(text: &str, to: &mut Vec<u8>) {
    to.extend(text.trim().to_lowercase().bytes().map(|byte| byte.max(1)));
    to.push(0);
}

/// The parts of a round: numbers compare as numbers and precede other text.
fn round(value: &str, to: &mut Vec<u8>) {
    for part in value.split('.').filter(|_| !value.is_empty()) {
        match part.trim().parse::<u64>() {
            Ok(number) => {
                to.push(1);
                to.extend(number.to_be_bytes());
            }
            Err(_) => {
                to.push(2);
                text(part, to);
            }
        }
    }
    to.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::{PgnReader, RawGames};

    fn key(key: &SortKey, tags: &str) -> Vec<u8> {
        let raw = RawGames::new(tags.as_bytes()).next().unwrap().unwrap();
        let mut bytes = Vec::new();
        let game = PgnReader::new(tags.as_bytes()).next().unwrap().unwrap();
        key.append(&raw, Some(&game), &mut bytes);
        bytes
    }

    #[test]
    fn keys_are_ordered_as_the_games() {
        for (name, games) in [
            (
                "date",
                &["*", "[Date \"2020.??.??\"]", "[Date \"2020-1-1\"]", "[Date \"2020.01.02\"]", "[Date \"2020.10.1\"]"]
                    [..],
            ),
            ("rating", &["*", "[BlackElo \"1\"]", "[WhiteElo \"2000\"]\n[BlackElo \"2001\"]", "[WhiteElo \"2001\"]"]),
            ("eco", &["[ECO \"?\"]", "[ECO \"A09\"]", "[ECO \"b00\"]"]),
            (
                "round",
                &["*", "[Round \"2\"]", "[Round \"2.9\"]", "[Round \"2.10\"]", "[Round \"10\"]", "[Round \"x\"]"],
            ),
            ("white", &["*", "[White \"adams\"]", "[White \"Adamson\"]", "[White \"Brown\"]"]),
            ("plies", &["*", "1. e4 *", "1. e4 e5 *"]),
            ("result", &["*", "[Result \"1-0\"]", "[Result \"1/2-1/2\"]", "[Result \"0-1\"]"]),
            ("result", &["[Result \"?\"] *", "1. e4 1-0", "[Result \"*\"] 1. e4 1/2-1/2", "[Result \"0-1\"] *"]),
            ("tag:Board", &["[Board \"1\"]", "[Board \"2\"]"]),
        ] {
            let by: SortKey = name.parse().unwrap();
            assert!(games.is_sorted_by(|a, b| key(&by, a) < key(&by, b)), "{name}");
        }
        assert!("size".parse::<SortKey>().is_err() && "tag:".parse::<SortKey>().is_err());
    }
}
