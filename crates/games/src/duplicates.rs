//! Finds duplicate games in a collection.

use crate::identity::{GameIdentity, Running};
use crate::tags;
use bartizan_notation::pgn::{Comment, Interest, MoveText, Nag, PgnErrorKind, PgnGame, RawGame, TagValue, Visitor};
use bartizan_types::GameResult;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Finds games with equal moves and start positions, and chooses one of each. Keeps a few dozen bytes per distinct
/// game.
///
/// The games are numbered from 0 in the order in which they are seen.
#[derive(Debug, Default)]
pub struct Duplicates {
    /// The fullness and the number of the best game for each identity.
    best: HashMap<GameIdentity, (u32, u64)>,
    dropped: Numbers,
    games: u64,
}

impl Duplicates {
    /// Creates a finder that has seen no game.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next game. Of equal games the fullest is kept, and of these the first. A game without identity, which
    /// could not be read, is always kept.
    pub fn see(&mut self, identity: Option<GameIdentity>, fullness: u32) {
        let number = self.games;
        self.games += 1;
        match identity.map(|identity| self.best.entry(identity)) {
            None => {}
            Some(Entry::Vacant(entry)) => {
                entry.insert((fullness, number));
            }
            Some(Entry::Occupied(mut entry)) if fullness > entry.get().0 => {
                self.dropped.insert(entry.insert((fullness, number)).1);
            }
            Some(Entry::Occupied(_)) => self.dropped.insert(number),
        }
    }

    /// The numbers of the games to drop.
    pub fn into_dropped(self) -> Numbers {
        self.dropped
    }
}

/// Finds games that are the beginning of another game with the same players, date and start position, such as a game
/// recorded once before it ended. Both players must be known, and the result of the shorter game must be unknown or
/// equal that of the longer one.
///
/// Pass all games to [`Prefixes::add`], then all that are kept to [`Prefixes::extend`].
#[derive(Debug, Default)]
pub struct Prefixes {
    games: HashMap<GameIdentity, Prefix>,
}

/// A game that may be the beginning of longer ones.
#[derive(Debug, Default)]
struct Prefix {
    /// Its number and its result, if it is kept.
    game: Option<(u64, GameResult)>,
    /// The results of the longer games, one bit each.
    longer: u8,
}

/// A bit for each result.
fn bit(result: GameResult) -> u8 {
    match result {
        GameResult::WhiteWins => 2,
        GameResult::Draw => 4,
        GameResult::BlackWins => 8,
        _ => 1,
    }
}

impl Prefixes {
    /// Creates a finder that has seen no game.
    pub fn new() -> Self {
        Self::default()
    }

    /// The identities of a game after each move, from the start position on; none if a player is unknown.
    pub fn steps(raw: &RawGame, game: &PgnGame) -> Vec<GameIdentity> {
        if tags::known(raw, "White").is_none() || tags::known(raw, "Black").is_none() {
            return Vec::new();
        }
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

    /// Adds a game by its last step.
    pub fn add(&mut self, last: GameIdentity) {
        self.games.entry(last).or_default();
    }

    /// Marks the games that are the beginning of this one.
    pub fn extend(&mut self, number: u64, result: GameResult, steps: &[GameIdentity]) {
        let Some((last, shorter)) = steps.split_last() else { return };
        if let Some(prefix) = self.games.get_mut(last) {
            prefix.game = Some((number, result));
        }
        for step in shorter {
            if let Some(prefix) = self.games.get_mut(step) {
                prefix.longer |= bit(result);
            }
        }
    }

    /// The numbers of the games that are the beginning of a longer one.
    pub fn into_dropped(self) -> Numbers {
        let mut dropped = Numbers::default();
        for Prefix { game, longer } in self.games.into_values() {
            if let Some((number, result)) = game
                && (longer & bit(result) != 0 || longer != 0 && result == GameResult::Unknown)
            {
                dropped.insert(number);
            }
        }
        dropped
    }
}

/// A set of game numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    words: Vec<u64>,
    count: u64,
}

impl Numbers {
    fn insert(&mut self, number: u64) {
        let (word, bit) = (usize::try_from(number / 64).unwrap_or(usize::MAX), 1 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.count += u64::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// Whether the set contains a number.
    pub fn contains(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).ok().and_then(|word| self.words.get(word));
        word.is_some_and(|word| word & 1 << (number % 64) != 0)
    }

    /// The number of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The amount of information in a game beside its moves: the number of tags with a value, comments, glyphs and
/// variations.
pub fn fullness(raw: &RawGame) -> u32 {
    let known = tags::all(raw).filter(|(_, value)| !value.is_empty() && !value.starts_with('?')).count();
    // Reading bytes in memory cannot fail.
    let extras = raw.parser().read_game(&mut Extras::default()).ok().flatten().unwrap_or_default();
    u32::try_from(known).unwrap_or(u32::MAX).saturating_add(extras)
}

/// Counts comments, glyphs and variations.
#[derive(Default)]
struct Extras(u32);

impl Extras {
    fn add(&mut self) {
        self.0 = self.0.saturating_add(1);
    }
}

impl Visitor for Extras {
    type Output = u32;

    fn tag(&mut self, _: &str, _: TagValue<'_>) -> Result<(), PgnErrorKind> {
        // A comment before the tags does not belong to the game.
        self.0 = 0;
        Ok(())
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn nag(&mut self, _: Nag) {
        self.add();
    }

    fn comment(&mut self, _: Comment<'_>) -> Result<(), PgnErrorKind> {
        self.add();
        Ok(())
    }

    fn begin_variation(&mut self) -> Interest {
        self.add();
        Interest::Read
    }

    fn end_game(&mut self) -> u32 {
        self.0
    }
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
        for (counts, dropped) in [(true, [0, 2]), (false, [1, 2])] {
            let mut duplicates = Duplicates::new();
            for (raw, game) in raws.iter().zip(&games) {
                duplicates.see(Some(GameIdentity::of(game)), if counts { fullness(raw) } else { 0 });
            }
            duplicates.see(None, 0);
            let found = duplicates.into_dropped();
            assert_eq!((0..5).filter(|&number| found.contains(number)).collect::<Vec<_>>(), dropped);
            assert_eq!((found.count(), found.contains(1_000)), (2, false));
        }
    }

    #[test]
    fn comments_glyphs_and_variations_count_and_their_words_do_not() {
        for (text, expected) in [
            ("1. e4 e5 *", 0),
            ("1. e4! e5!? $10 *", 3),
            ("1. e4 ; best by test\n e5 {a ($1) {b} (1... c5 {c} (1... e6)) *", 5),
            ("{before} 1. e4 * {after}", 2),
            ("{of another game} [Event \"x\"]\n\n1. e4 *", 1),
        ] {
            let raw = RawGames::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(fullness(&raw), expected, "{text}");
        }
    }

    #[test]
    fn beginnings_are_found() {
        let found = |games: &[(&str, &str)], without: Option<u64>| {
            let tags = |white: &str| format!("[White \"{white}\"]\n[Black \"x\"]\n\n");
            let text: String = games.iter().map(|(white, moves)| tags(white) + moves + "\n\n").collect();
            let raws = RawGames::new(text.as_bytes()).map(Result::unwrap);
            let games = PgnReader::new(text.as_bytes()).map(Result::unwrap);
            let steps: Vec<(GameResult, Vec<GameIdentity>)> =
                raws.zip(games).map(|(raw, game)| (game.result, Prefixes::steps(&raw, &game))).collect();
            let mut prefixes = Prefixes::new();
            steps.iter().filter_map(|(_, steps)| steps.last()).for_each(|last| prefixes.add(*last));
            for (number, (result, steps)) in (0..).zip(&steps).filter(|&(number, _)| Some(number) != without) {
                prefixes.extend(number, *result, steps);
            }
            let dropped = prefixes.into_dropped();
            (0..steps.len() as u64).filter(|&number| dropped.contains(number)).collect::<Vec<_>>()
        };
        let games = [("a", "1. e4 e5 *"), ("a", "1. e4 *"), ("b", "1. e4 *"), ("a", "*"), ("a", "1. e4 e5 1-0")];
        assert_eq!(found(&games, Some(4)), [1, 3]);
        // A finished game only continues in a record with the same result.
        let games = [("a", "1. e4 1-0"), ("a", "1. e4 e5 0-1"), ("a", "1. e4 e5 2. f4 *")];
        assert_eq!(found(&games, None), [0_u64; 0]);
        let games = [("a", "1. e4 1-0"), ("a", "1. e4 e5 1-0"), ("a", "1. e4 e5 2. f4 0-1")];
        assert_eq!(found(&games, None), [0]);
        // Unknown players need not be the same.
        assert_eq!(found(&[("?", "1. e4 *"), ("?", "1. e4 e5 *")], None), [0_u64; 0]);
    }
}
