//! Detects games that occur in several files, such as a journal and the PGN file of the same match.

use bartizan_notation::pgn::PgnGame;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Counts games by players, start, moves and result. Engines may play the same game twice, so a game counts as often as
/// it occurs in the file that has it most often.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// How often each game has counted.
    counted: HashMap<u64, usize>,
    /// How often each game occurs in the current file.
    in_file: HashMap<u64, usize>,
    repeated: usize,
}

impl Repeats {
    /// Begins another file.
    pub(crate) fn begin_file(&mut self) {
        self.in_file.clear();
    }

    /// Adds a game of the current file. Returns whether it counts, that is, whether no earlier file had it this often.
    pub(crate) fn is_new(&mut self, white: &str, black: &str, game: &PgnGame) -> bool {
        let mut hasher = DefaultHasher::new();
        (white, black, &game.start, game.result).hash(&mut hasher);
        game.moves.iter().for_each(|mv| mv.mv.to_bits().hash(&mut hasher));
        let key = hasher.finish();
        let in_file = self.in_file.entry(key).or_default();
        let counted = self.counted.entry(key).or_default();
        *in_file += 1;
        if *in_file > *counted {
            *counted = *in_file;
            return true;
        }
        self.repeated += 1;
        false
    }

    /// The number of games that did not count.
    pub(crate) fn repeated(&self) -> usize {
        self.repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;

    #[test]
    fn a_game_counts_as_often_as_the_file_with_most_of_it() {
        let read = |text: &str| PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let (short, long) = (read("1. e4 1-0"), read("1. e4 e5 1-0"));
        let mut repeats = Repeats::default();
        let mut is_new = |game: &PgnGame| repeats.is_new("a", "b", game);
        assert!(is_new(&short) && is_new(&short) && is_new(&long));
        repeats.begin_file();
        let mut is_new = |white: &str, game: &PgnGame| repeats.is_new(white, "b", game);
        assert!(!is_new("a", &short) && !is_new("a", &short) && is_new("a", &short) && is_new("c", &long));
        assert!(is_new("a", &read("1. e4 e5 0-1")) && !is_new("a", &long));
        assert_eq!(repeats.repeated(), 3);
    }
}
