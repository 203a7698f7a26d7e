//! Puzzles from a game.

use super::review::{HASH_MIB, first_game};
use crate::host;
use bartizan_analysis::{Analyser, Limits, PuzzleOptions, find_puzzles};
use bartizan_notation::pgn::GameTree;
use bartizan_review::page::{PuzzleData, PuzzleReport, puzzles_markup};
use bartizan_types::ByColor;

/// The puzzles of a game, and the markup for a page, on which `trainer.js` of `web/report` works.
#[derive(serde::Serialize)]
struct Puzzles {
    #[serde(flatten)]
    data: PuzzleData,
    page: String,
}

/// A search for puzzles.
pub(super) struct PuzzleTask {
    tree: GameTree,
    options: PuzzleOptions,
}

impl PuzzleTask {
    /// The margin is that of `bartizan-tools puzzles`.
    pub(super) fn new(pgn: &str, nodes: u64) -> Result<Self, String> {
        let nodes = nodes.max(1);
        let options = PuzzleOptions {
            limits: Limits::nodes(nodes),
            check: Limits::nodes(nodes.saturating_mul(10)),
            margin: 15.0,
        };
        Ok(Self { tree: first_game(pgn)?, options })
    }

    /// The puzzles as JSON.
    pub(super) fn run(self: Box<Self>) -> Result<String, String> {
        let mut analyser = Analyser::in_place(HASH_MIB, host::is_stopped).map_err(|error| error.to_string())?;
        let progress = |done, total| host::progress("positions", done, total);
        let both = ByColor([true; 2]);
        let puzzles = find_puzzles(1, &self.tree, both, &mut analyser, &self.options, progress);
        if host::was_stopped() {
            return Err("stopped".to_owned());
        }
        let puzzles = puzzles.map_err(|error| format!("{error}: {}", error.source))?;
        let puzzles = puzzles.iter().map(PuzzleReport::from).collect();
        let data = PuzzleData { puzzles, ..PuzzleData::default() };
        let page = puzzles_markup(&data);
        serde_json::to_string(&Puzzles { data, page }).map_err(|error| error.to_string())
    }
}
