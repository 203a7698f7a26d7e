//! The positions of many games.

use super::{MineStage, MinedGame, MinedPosition};
use std::collections::{BTreeMap, HashSet};

/// The games that have been searched, by their numbers from 0. A suite takes their positions in the order of the games,
/// so that it does not depend on the threads.
#[derive(Debug, Default)]
pub struct MinedGames {
    games: BTreeMap<u64, MinedGame>,
    limit: Option<usize>,
    /// The number of games finished without a gap, and the number of their positions.
    counted: u64,
    seen: HashSet<String>,
    found: usize,
}

impl MinedGames {
    /// Begins with the games of an earlier run. `limit` is the number of positions to collect.
    pub fn new(games: BTreeMap<u64, MinedGame>, limit: Option<usize>) -> Self {
        let mut mined = Self { games, limit, ..Self::default() };
        mined.advance();
        mined
    }

    /// Adds a game.
    pub fn add(&mut self, number: u64, finds: MinedGame) {
        self.games.insert(number, finds);
        self.advance();
    }

    /// Counts the positions of the games up to the first missing one.
    fn advance(&mut self) {
        while let Some(finds) = self.games.get(&self.counted) {
            self.found += finds.found.iter().filter(|found| self.seen.insert(found.fen.clone())).count();
            self.counted += 1;
        }
    }

    /// Whether there are as many positions as wanted.
    pub fn is_enough(&self) -> bool {
        self.limit.is_some_and(|limit| self.found >= limit)
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of distinct positions in the games up to the first missing one.
    pub fn found(&self) -> usize {
        self.found
    }

    /// The number of positions of all games that were rejected at a stage.
    pub fn count(&self, stage: MineStage) -> u64 {
        self.games.values().map(|finds| finds.counts[stage as usize]).sum()
    }

    /// The positions of the suite with the numbers of their games. An interrupted run may have games beyond a gap;
    /// their positions are proven too.
    pub fn taken(&self) -> Vec<(u64, &MinedPosition)> {
        let mut seen = HashSet::new();
        let all = self.games.iter().flat_map(|(&number, finds)| finds.found.iter().map(move |found| (number, found)));
        all.filter(|(_, found)| seen.insert(&found.fen)).take(self.limit.unwrap_or(usize::MAX)).collect()
    }
}
