//! The client's information about the opponent.

use bartizan_engine::options::{OptionType, OptionValue};
use std::fmt;
use std::str::FromStr;

/// The opponent.
///
/// As text it is the value of `UCI_Opponent`: title, rating, type and name.
///
/// ```
/// use bartizan_frontend::Opponent;
/// let opponent: Opponent = "GM 2800 human Gary Kasparov".parse().unwrap();
/// assert_eq!(opponent.name.as_deref(), Some("Gary Kasparov"));
/// assert_eq!(opponent.rating, Some(2800));
/// assert_eq!(opponent.to_string(), "GM 2800 human Gary Kasparov");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opponent {
    /// Title, such as `GM`.
    pub title: Option<String>,
    /// The opponent's rating.
    pub rating: Option<i32>,
    /// The engine's rating.
    pub own_rating: Option<i32>,
    /// Whether the opponent is a program.
    pub is_computer: bool,
    /// The name, for the game log.
    pub name: Option<String>,
}

/// A text that does not describe an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a title, a rating, 'human' or 'computer', and a name")]
pub struct ParseOpponentError;

impl Opponent {
    /// Prepares for a new game: the name is kept, the old ratings are dropped.
    pub fn new_game(&mut self) {
        *self = Self { name: self.name.take(), ..Self::default() };
    }

    /// Our rating lead over the opponent, in Elo, for deciding who should press for a win. `own` is our rating unless
    /// the client has told it. 0 if a rating is unknown, and against programs: servers rate programs mostly by their
    /// games against people.
    pub fn rating_lead(&self, own: Option<i32>) -> i32 {
        match (self.own_rating.or(own), self.rating) {
            (Some(own), Some(opponent)) if !self.is_computer => own.saturating_sub(opponent).clamp(-5_000, 5_000),
            _ => 0,
        }
    }
}

impl FromStr for Opponent {
    type Err = ParseOpponentError;

    /// Parses `TITLE RATING TYPE NAME`; title and rating may be `none`. An empty text means an unknown opponent.
    fn from_str(text: &str) -> Result<Self, ParseOpponentError> {
        let mut words = text.split_whitespace();
        let Some(title) = words.next() else { return Ok(Self::default()) };
        let known = |word: &str| !word.eq_ignore_ascii_case("none");
        let rating = match words.next().ok_or(ParseOpponentError)? {
            word if known(word) => Some(word.parse().ok().filter(|&rating| rating > 0).ok_or(ParseOpponentError)?),
            _ => None,
        };
        let is_computer = match words.next() {
            Some(word) if word.eq_ignore_ascii_case("computer") => true,
            Some(word) if word.eq_ignore_ascii_case("human") => false,
            _ => return Err(ParseOpponentError),
        };
        let name = words.collect::<Vec<_>>().join(" ");
        Ok(Self {
            title: known(title).then(|| title.to_owned()),
            rating,
            own_rating: None,
            is_computer,
            name: (!name.is_empty()).then_some(name),
        })
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return Ok(());
        }
        let title = self.title.as_deref().unwrap_or("none");
        let rating = self.rating.map_or("none".to_owned(), |rating| rating.to_string());
        let kind = if self.is_computer { "computer" } else { "human" };
        write!(f, "{title} {rating} {kind}")?;
        self.name.iter().try_for_each(|name| write!(f, " {name}"))
    }
}

impl OptionType for Opponent {
    fn get(&self) -> OptionValue {
        OptionValue::Text(self.to_string())
    }

    fn set(&mut self, value: OptionValue) -> bool {
        let opponent = match value {
            OptionValue::Text(text) => text.parse().ok(),
            _ => None,
        };
        opponent.map(|opponent| *self = opponent).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_count_against_people_only() {
        let mut opponent = Opponent { name: Some("x".to_owned()), ..Opponent::default() };
        assert_eq!(opponent.rating_lead(None), 0);
        opponent.rating = Some(2_600);
        assert_eq!(opponent.rating_lead(Some(2_700)), 100);
        opponent.rating = None;
        opponent.own_rating = Some(2_500);
        assert_eq!(opponent.rating_lead(Some(2_700)), 0);
        assert_eq!(opponent.rating_lead(None), 0);
        opponent.rating = Some(2_600);
        assert_eq!(opponent.rating_lead(None), -100);
        opponent.is_computer = true;
        assert_eq!(opponent.rating_lead(None), 0);
        opponent.new_game();
        (opponent.own_rating, opponent.rating) = (Some(i32::MAX), Some(1));
        assert_eq!((opponent.rating_lead(None), opponent.name.as_deref()), (5_000, Some("x")));
    }

    #[test]
    fn text_round_trips_and_nonsense_is_refused() {
        for text in
            ["", "GM 2800 human Gary Kasparov", "none none computer Shredder", "IM 2400 human", "none 1 human x"]
        {
            assert_eq!(text.parse::<Opponent>().unwrap().to_string(), text);
        }
        for text in ["GM", "GM 2800", "GM many human x", "GM 0 human x", "GM 2800 dog x", "GM 99999999999 human x"] {
            assert!(text.parse::<Opponent>().is_err(), "{text}");
        }
    }
}
