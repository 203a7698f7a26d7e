//! The conduct of groups of players.

use super::Conduct;
use bartizan_review::JudgedGame;
use bartizan_types::{ByColor, Color, Key, Move};
use std::collections::{BTreeMap, HashSet};

/// The number of plies by which openings are told apart.
const OPENING: usize = 10;

/// The conduct of a group of players in their games.
#[derive(Clone, Debug, Default)]
pub struct ConductRow {
    /// The number of games in which the group had a side.
    pub games: u64,
    /// What its players did.
    pub conduct: Conduct,
    openings: HashSet<(Key, Vec<Move>)>,
}

impl ConductRow {
    /// The number of games that differ in the start position or in the first ten plies.
    pub fn openings(&self) -> usize {
        self.openings.len()
    }
}

/// The conduct of several groups of players, such as bands of ratings or players by name.
#[derive(Clone, Debug)]
pub struct ConductTable<K>(BTreeMap<K, ConductRow>);

impl<K> Default for ConductTable<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> ConductTable<K> {
    /// Adds a game. `groups` are those of the sides.
    pub fn add(&mut self, groups: ByColor<K>, game: &JudgedGame) {
        let moves: Vec<Move> = game.moves.iter().take(OPENING).map(|judged| judged.mv).collect();
        let opening = (game.positions[0].key(), moves);
        let conduct = Conduct::of_game(game);
        let is_same = groups[Color::White] == groups[Color::Black];
        for (side, group) in Color::ALL.into_iter().zip(groups.0) {
            let row = self.0.entry(group).or_default();
            row.games += u64::from(side.is_white() || !is_same);
            row.conduct += conduct[side];
            row.openings.insert(opening.clone());
        }
    }

    /// The groups in order.
    pub fn rows(&self) -> impl Iterator<Item = (&K, &ConductRow)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_notation::pgn::TreeReader;

    #[test]
    fn games_count_once_for_a_group() {
        let same = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
        let text = format!("{same} 6. Re1 *\n\n{same} 6. d3 *\n\n1. e4 *\n\n*\n");
        let mut table = ConductTable::default();
        let groups = [["a", "a"], ["a", "b"], ["b", "a"], ["c", "c"]];
        for (tree, groups) in TreeReader::new(text.as_bytes()).zip(groups) {
            table.add(ByColor(groups), &JudgedGame::new(&tree.unwrap(), &[], 0));
        }
        let rows: Vec<_> =
            table.rows().map(|(name, row)| (*name, row.games, row.conduct.moves, row.openings())).collect();
        assert_eq!(rows, [("a", 3, 17, 2), ("b", 2, 6, 2), ("c", 1, 0, 1)]);
    }
}
