//! Counts of results by material and score.

use bartizan_eval::MaterialCount;
use bartizan_games::records::GameRecord;
use bartizan_types::Color;

/// Wins, draws and losses of positions by material and score.
///
/// The model is symmetric, so a position with a negative score is counted with the score and result of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// Score from which positions are not counted.
    limit: u32,
    /// Wins, draws and losses, by material and then by score from 0.
    cells: Vec<[u32; 3]>,
}

/// The results of all positions of one material and score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Material on the board.
    pub material: MaterialCount,
    /// Score in centipawns for the side that is not behind.
    pub score: u32,
    /// Wins, draws and losses of that side.
    pub results: [u32; 3],
}

impl Cell {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.results.iter().map(|&count| u64::from(count)).sum()
    }
}

impl Outcomes {
    /// Empty counts. Positions with a score of at least `limit` centipawns will not be counted.
    pub fn new(limit: u32) -> Self {
        Self { limit, cells: vec![[0; 3]; MaterialCount::all().len() * limit as usize] }
    }

    /// Counts a position by its score for White and the winner of its game, `None` for a draw. Returns `false` if the
    /// score is beyond the limit.
    pub fn add(&mut self, material: MaterialCount, score: i32, winner: Option<Color>) -> bool {
        if score.unsigned_abs() >= self.limit {
            return false;
        }
        let result = winner.map_or(1, |winner| if winner.is_white() == (score >= 0) { 0 } else { 2 });
        let index = (material.points() - MaterialCount::MIN.points()) * self.limit + score.unsigned_abs();
        self.cells[index as usize][result] += 1;
        true
    }

    /// Counts the positions of a game that have a score, except for the first `skip_plies`. Returns the numbers of
    /// positions counted and of positions beyond the limit. `score` converts a score in the file, given the material.
    pub fn add_game(
        &mut self,
        game: &GameRecord,
        skip_plies: usize,
        score: impl Fn(i32, MaterialCount) -> i32,
    ) -> (u64, u64) {
        let mut position = game.start.clone();
        let (mut counted, mut beyond) = (0, 0);
        for (ply, &(mv, white)) in game.moves.iter().enumerate() {
            if let Some(white) = white.filter(|_| ply >= skip_plies) {
                let material = MaterialCount::of(&position);
                if self.add(material, score(white, material), game.winner) {
                    counted += 1;
                } else {
                    beyond += 1;
                }
            }
            position = position.play_unchecked(mv);
        }
        (counted, beyond)
    }

    /// Adds the counts of `other`, except for scores beyond the limit of `self`.
    pub fn extend(&mut self, other: &Self) {
        for cell in other.cells() {
            let [wins, draws, losses] = cell.results;
            let index = (cell.material.points() - MaterialCount::MIN.points()) * self.limit + cell.score;
            if cell.score < self.limit {
                let sum = &mut self.cells[index as usize];
                *sum = [sum[0] + wins, sum[1] + draws, sum[2] + losses];
            }
        }
    }

    /// The counts of the positions whose score is below `limit`.
    #[must_use]
    pub fn within(&self, limit: u32) -> Self {
        let mut outcomes = Self::new(limit);
        outcomes.extend(self);
        outcomes
    }

    /// All cells with positions, by material and score.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let all = MaterialCount::all().flat_map(|material| (0..self.limit).map(move |score| (material, score)));
        let cells = all.zip(&self.cells).filter(|(_, results)| **results != [0; 3]);
        cells.map(|((material, score), &results)| Cell { material, score, results })
    }

    /// The materials with fewer than `least` positions.
    pub fn scarce(&self, least: u64) -> Vec<MaterialCount> {
        let mut counts = vec![0; MaterialCount::all().len()];
        for cell in self.cells() {
            counts[(cell.material.points() - MaterialCount::MIN.points()) as usize] += cell.positions();
        }
        let counted = MaterialCount::all().zip(counts);
        counted.filter(|&(_, count)| count < least).map(|(material, _)| material).collect()
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.cells().map(|cell| cell.positions()).sum()
    }

    /// Wins, draws and losses of the side that is not behind.
    pub fn results(&self) -> [u64; 3] {
        self.cells().fold([0; 3], |sum, cell| [0, 1, 2].map(|result| sum[result] + u64::from(cell.results[result])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Position;

    const WHITE: Option<Color> = Some(Color::White);
    const BLACK: Option<Color> = Some(Color::Black);

    #[test]
    fn both_sides_count_alike() {
        let mut outcomes = Outcomes::new(100);
        let material = MaterialCount::new(40);
        assert!(
            outcomes.add(material, 30, WHITE) && outcomes.add(material, -30, BLACK) && outcomes.add(material, 30, None)
        );
        assert!(outcomes.add(material, -30, WHITE) && !outcomes.add(material, -100, BLACK));
        let cells: Vec<_> = outcomes.cells().collect();
        assert_eq!(cells, [Cell { material, score: 30, results: [2, 1, 1] }]);
        assert_eq!((outcomes.positions(), outcomes.results()), (4, [2, 1, 1]));
        let mut both = outcomes.clone();
        both.extend(&outcomes);
        assert_eq!(both.results(), [4, 2, 2]);
        assert_eq!(
            (both.scarce(1).len(), both.scarce(9).len()),
            (MaterialCount::all().len() - 1, MaterialCount::all().len())
        );
        both.add(material, 0, None);
        assert_eq!((both.within(31).results(), both.within(30).results()), ([4, 3, 2], [0, 1, 0]));
    }

    #[test]
    fn a_game_is_counted_move_by_move() {
        let start = Position::startpos();
        let after = start.play(start.parse_uci("e2e4").unwrap()).unwrap();
        let moves = vec![(start.parse_uci("e2e4").unwrap(), Some(20)), (after.parse_uci("e7e5").unwrap(), Some(-700))];
        let mut game = GameRecord { start, moves, winner: WHITE, is_shown: false };
        let count = |game: &GameRecord, skip| {
            let mut outcomes = Outcomes::new(500);
            let counted = outcomes.add_game(game, skip, |score, _| score);
            (counted, outcomes.results())
        };
        assert_eq!(count(&game, 0), ((1, 1), [1, 0, 0]));
        assert_eq!(count(&game, 1), ((0, 1), [0, 0, 0]));
        game.moves[0].1 = None;
        assert_eq!(count(&game, 0), ((0, 1), [0, 0, 0]));
    }
}
