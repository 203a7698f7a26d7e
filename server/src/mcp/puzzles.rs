//! Puzzles from the mistakes of a game.

use super::facts::{Facts, side};
use super::games::Record;
use super::search::{Job, failure};
use bartizan_analysis::{Limits, PuzzleOptions, find_puzzles};
use bartizan_review::Puzzle;
use bartizan_types::ByColor;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// By how much the solution is better than every other move, in points of percent.
const MARGIN: f64 = 15.0;

/// Of `puzzle`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Puzzles {
    /// Position at the end of the game.
    pub(crate) position: Facts,
    /// The puzzles, in the order of the game.
    pub(crate) puzzles: Vec<OnePuzzle>,
}

/// A position in which one move is much better than every other, and which a player missed.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OnePuzzle {
    /// Position to solve. `new_game` with this FEN lets a user try.
    pub(crate) fen: String,
    /// Side to move.
    pub(crate) solver: String,
    /// Solution with move numbers; do not show it before the user has tried.
    pub(crate) solution: String,
    /// What was played instead.
    pub(crate) played: String,
    /// What the solution is about, such as `fork`.
    pub(crate) themes: Vec<String>,
}

pub(crate) fn find(job: &Job, record: &Record, nodes: u64) -> Result<Vec<OnePuzzle>, String> {
    if record.game.moves().len() == 0 {
        return Err("the game has no moves".to_owned());
    }
    let options = PuzzleOptions { limits: Limits::nodes(nodes), check: Limits::nodes(nodes * 4), margin: MARGIN };
    let (tree, mut analyser) = (record.tree(), job.analyser()?);
    let both = ByColor([true, true]);
    let found = find_puzzles(1, &tree, both, &mut analyser, &options, |done, total| job.progress(done, total));
    let found = found.map_err(|error| failure(&error.source))?;
    let puzzle = |puzzle: &Puzzle| OnePuzzle {
        fen: puzzle.position.to_fen(),
        solver: side(puzzle.solver()).to_lowercase(),
        solution: puzzle.solution_text(),
        played: super::facts::san(&puzzle.position, &[puzzle.played]),
        themes: puzzle.themes.clone(),
    };
    Ok(found.iter().map(puzzle).collect())
}

impl Puzzles {
    /// The puzzles in words.
    pub(crate) fn words(&self) -> String {
        if self.puzzles.is_empty() {
            return "The game has no puzzle: nobody missed an only good move.".to_owned();
        }
        let puzzle = |puzzle: &OnePuzzle| {
            let OnePuzzle { fen, solver, solution, played, themes } = puzzle;
            format!("- {solver} to move: {fen}. Solution: {solution} ({}). Played was {played}.", themes.join(", "))
        };
        self.puzzles.iter().map(puzzle).collect::<Vec<_>>().join("\n")
    }
}
