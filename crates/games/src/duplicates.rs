//! Games that a collection has more than once.

use crate::identity::{Identity, Running};
use crate::tags;
use bartizan_notation::pgn::{PgnGame, RawGame};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Finds games with equal moves and start positions, and chooses one of each. It keeps a few dozen bytes for each
/// different game.
///
/// The games are numbered from 0 in the order in which they are seen. First all of them are seen, then
/// [`Duplicates::kept`] tells which ones stay.
#[derive(Debug, Default)]
pub struct Duplicates {
    /// The fullness and the number of the best game of each kind.
    best: HashMap<Identity, (u32, u64)>,
    games: u64,
}

impl Duplicates {
    /// Creates a finder that has seen no game.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sees the next game. Of equal games the fullest one stays, and of these the first. A game without identity, which
    /// could not be read, always stays. Returns whether an equal game was seen before.
    pub fn see(&mut self, identity: Option<Identity>, fullness: u32) -> bool {
        let number = self.games;
        self.games += 1;
        let Some(identity) = identity else { return false };
        match self.best.entry(identity) {
            Entry::Vacant(entry) => {
                entry.insert((fullness, number));
                false
            }
            Entry::Occupied(mut entry) => {
                if fullness > entry.get().0 {
                    entry.insert((fullness, number));
                }
                true
            }
        }
    }

    /// Whether a game stays.
    pub fn keeps(&self, identity: Option<Identity>, number: u64) -> bool {
        identity.and_then(|identity| self.best.get(&identity)).is_none_or(|&(_, best)| best == number)
    }
}

/// Finds games that are the beginning of another one with the same players, date and start position: a game that was
/// recorded twice, once before it ended.
///
/// First all games are seen as [`Prefixes::add`], then all of them again as [`Prefixes::extend`].
#[derive(Debug, Default)]
pub struct Prefixes {
    /// Whether a longer game begins so.
    games: HashMap<Identity, bool>,
}

impl Prefixes {
    /// Creates a finder that has seen no game.
    pub fn new() -> Self {
        Self::default()
    }

    /// The identities of a game after each move, from the start position on.
    pub fn steps(raw: &RawGame, game: &PgnGame) -> Vec<Identity> {
        let mut hash = Running::new(&game.start);
        for name in ["White", "Black", "Date"] {
            hash.text(&tags::value(raw, name).unwrap_or_default());
        }
        let mut steps = vec![hash.identity()];
        steps.extend(game.moves.iter().map(|played| {
            hash.push(played.mv);
            hash.identity()
        }));
        steps
    }

    /// Adds a game, by the last of its steps.
    pub fn add(&mut self, steps: &[Identity]) {
        if let Some(&last) = steps.last() {
            self.games.entry(last).or_default();
        }
    }

    /// Marks the games that are the beginning of this one.
    pub fn extend(&mut self, steps: &[Identity]) {
        let shorter = steps.split_last().map_or(&[][..], |(_, shorter)| shorter);
        for step in shorter {
            if let Some(is_prefix) = self.games.get_mut(step) {
                *is_prefix = true;
            }
        }
    }

    /// Whether a longer game begins as this one.
    pub fn is_prefix(&self, steps: &[Identity]) -> bool {
        steps.last().and_then(|last| self.games.get(last)).copied().unwrap_or(false)
    }
}

/// How much a game says beside its moves: the number of its tags with a value, of its comments, glyphs and variations.
pub fn fullness(raw: &RawGame) -> u32 {
    let known = tags::all(raw).filter(|(_, value)| !value.is_empty() && !value.starts_with('?')).count();
    let moves = raw.tags.last().map_or(0, |tag| tag.end);
    let signs = raw.bytes.get(moves..).unwrap_or_default().iter().filter(|byte| matches!(byte, b'{' | b'(' | b'$'));
    u32::try_from(known + signs.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::{PgnReader, RawGames};

    #[test]
    fn the_fullest_of_equal_games_stays() {
        let text =
            "1. e4 *\n\n[White \"a\"]\n[Black \"?\"]\n\n1. e4 {x} (1. d4) *\n\n[White \"a\"]\n\n1. e4 *\n\n1. d4 *";
        let raws: Vec<RawGame> = RawGames::new(text.as_bytes()).map(Result::unwrap).collect();
        let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(raws.iter().map(fullness).collect::<Vec<_>>(), [0, 3, 1, 0]);
        for (counts, kept) in [(true, [false, true, false, true]), (false, [true, false, false, true])] {
            let mut duplicates = Duplicates::new();
            let identities: Vec<_> = games.iter().map(|game| Some(Identity::of(game))).collect();
            let seen = raws.iter().zip(&identities);
            let again: Vec<bool> =
                seen.map(|(raw, &identity)| duplicates.see(identity, if counts { fullness(raw) } else { 0 })).collect();
            assert_eq!(again, [false, true, true, false]);
            let keeps: Vec<bool> = (0..).zip(identities).map(|(n, identity)| duplicates.keeps(identity, n)).collect();
            assert_eq!(keeps, kept);
            assert!(!duplicates.see(None, 0) && duplicates.keeps(None, 4));
        }
    }

    #[test]
    fn beginnings_are_found() {
        let text = "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. e4 *\n\n\
                    [White \"a\"]\n\n*\n\n[White \"a\"]\n\n1. e4 e5 1-0\n";
        let raws = RawGames::new(text.as_bytes()).map(Result::unwrap);
        let games = PgnReader::new(text.as_bytes()).map(Result::unwrap);
        let steps: Vec<Vec<Identity>> = raws.zip(games).map(|(raw, game)| Prefixes::steps(&raw, &game)).collect();
        let mut prefixes = Prefixes::new();
        steps.iter().for_each(|steps| prefixes.add(steps));
        steps.iter().for_each(|steps| prefixes.extend(steps));
        let found: Vec<bool> = steps.iter().map(|steps| prefixes.is_prefix(steps)).collect();
        assert_eq!(found, [false, true, false, true, false]);
    }
}
