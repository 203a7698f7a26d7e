//! The tags of a game, read from its text without reading its moves.

use bartizan_notation::list::decode;
use bartizan_notation::pgn::{GameTree, PgnGame, RawGame, variant_of_tag};
use bartizan_types::Variant;
use std::borrow::Cow;

/// A game with tags.
pub trait Tagged {
    /// The value of the first tag with a name, which is matched without regard to case.
    fn find(&self, name: &str) -> Option<Cow<'_, str>>;
}

impl Tagged for RawGame {
    fn find(&self, name: &str) -> Option<Cow<'_, str>> {
        let tag = self.tags.iter().find(|tag| self.is_tag(tag, name))?;
        Some(self.tag_value(tag))
    }
}

/// Finds only the tags in [`PgnGame::tags`].
impl Tagged for PgnGame {
    fn find(&self, name: &str) -> Option<Cow<'_, str>> {
        let (_, value) = self.tags.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(Cow::Borrowed(value))
    }
}

/// Finds only the tags in [`GameTree::tags`].
impl Tagged for GameTree {
    fn find(&self, name: &str) -> Option<Cow<'_, str>> {
        let (_, value) = self.tags.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(Cow::Borrowed(value))
    }
}

/// The value of a tag; `None` if the game lacks the tag. The name is matched without regard to case. Text that is not
/// UTF-8 is read as Windows-1252.
///
/// ```
/// use bartizan_games::tags;
/// use bartizan_notation::pgn::RawGames;
///
/// let game = RawGames::new(&b"[White \"R\xe9ti\"]\n[Event \"the \\\"open\\\"\"]\n\n1. Nf3 *\n"[..]).next().unwrap()?;
/// assert_eq!(tags::value(&game, "white").as_deref(), Some("Réti"));
/// assert_eq!(tags::value(&game, "Event").as_deref(), Some("the \"open\""));
/// assert_eq!(tags::value(&game, "Black"), None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn value<'a>(game: &'a impl Tagged, name: &str) -> Option<Cow<'a, str>> {
    game.find(name)
}

/// The value of a tag, unless it is missing, empty or `?`.
pub fn known<'a>(game: &'a impl Tagged, name: &str) -> Option<Cow<'a, str>> {
    value(game, name).filter(|value| !matches!(value.trim(), "" | "?" | "-"))
}

/// All tags in order, as pairs of name and value.
pub fn all(game: &RawGame) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    game.tags.iter().map(|tag| (decode(game.tag_name(tag)), game.tag_value(tag)))
}

/// The rating of a player, by a tag such as `WhiteElo`. A text that is not a number, such as `-`, is not a rating, and
/// neither is 0.
pub fn rating(game: &impl Tagged, name: &str) -> Option<u32> {
    value(game, name)?.trim().parse().ok().filter(|&rating| rating > 0)
}

/// The date from the tag `Date`, or from `UTCDate` if `Date` is completely unknown.
pub fn date<'a>(game: &'a impl Tagged) -> Option<Cow<'a, str>> {
    let some = |name| known(game, name).filter(|date| !date.starts_with("????"));
    some("Date").or_else(|| some("UTCDate"))
}

/// The variant from the tag `Variant`, which few games have; `None` if it is neither chess nor Chess960.
pub fn variant(game: &RawGame) -> Option<Variant> {
    variant_of_tag(&value(game, "Variant").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::RawGames;

    #[test]
    fn values_are_what_the_reader_finds() {
        let text =
            "[Event \"a\\\\b\"]\n[ White  \"\" ]\n[Black x]\n[Site \"open\n[WhiteElo \" 2500 \"]\n[BlackElo \"?\"]\n*";
        let game = RawGames::new(text.as_bytes()).next().unwrap().unwrap();
        let found: Vec<String> = all(&game).map(|(name, value)| format!("{name}={value}")).collect();
        // An invalid tag is a fault of the game.
        assert_eq!(found, ["Event=a\\b", "White=", "WhiteElo= 2500 ", "BlackElo=?"]);
        assert_eq!((rating(&game, "WhiteElo"), rating(&game, "BlackElo")), (Some(2500), None));
        let of = |variant: &str| {
            let text = format!("[Variant \"{variant}\"]\n*");
            super::variant(&RawGames::new(text.as_bytes()).next().unwrap().unwrap())
        };
        // The reader rejects games of other variants.
        assert_eq!(["Fischer Random", "From Position", "Atomic", "Chess960 Atomic"].map(of), {
            [Some(Variant::Chess960), Some(Variant::Standard), None, None]
        });
        assert_eq!((known(&game, "White"), known(&game, "BlackElo")), (None, None));
    }
}
