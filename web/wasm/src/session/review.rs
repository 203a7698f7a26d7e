//! Reviews of games.

use crate::host;
use bartizan_analysis::{Analyser, DetailOptions, Limits, ReviewOptions, ReviewStep, review_game};
use bartizan_notation::pgn::{GameTree, TreeReader};
use bartizan_position::Game;
use bartizan_review::page::{GameReport, game_markup};

/// The size of the hash table of a review, in MiB: each search begins with an empty one.
pub(super) const HASH_MIB: usize = 16;

/// A game's report, and what its text lacks.
#[derive(serde::Serialize)]
struct Report {
    #[serde(flatten)]
    game: GameReport,
    /// Parts of the text that could not be read, with their places. An illegal move ends the game before it.
    problems: Vec<String>,
    /// The markup for a page, on which the modules of `web/report` work.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

/// The review of a game.
pub(super) struct ReviewTask {
    tree: GameTree,
    skipped: usize,
    options: ReviewOptions,
    detail: DetailOptions,
    has_page: bool,
}

impl ReviewTask {
    pub(super) fn new(pgn: &str, skipped: usize, nodes: u64, critical: usize, has_page: bool) -> Result<Self, String> {
        let tree = first_game(pgn)?;
        let only_moves = Some(Limits::nodes((nodes / 4).max(1)));
        let options = ReviewOptions { limits: Limits::nodes(nodes.max(1)), only_moves };
        let detail = DetailOptions { critical, ..DetailOptions::default() };
        Ok(Self { tree, skipped, options, detail, has_page })
    }

    /// The review of the last move of a game.
    pub(super) fn of_last_move(game: &Game, nodes: u64) -> Self {
        let mut tree = GameTree::new(game.start().clone());
        let mut node = tree.root();
        for mv in game.moves() {
            // The moves of a game are legal.
            node = tree.add_move(node, mv).unwrap_or(node);
        }
        let options = ReviewOptions { limits: Limits::nodes(nodes.max(1)), only_moves: None };
        let detail = DetailOptions { critical: 0, ..DetailOptions::default() };
        Self { tree, skipped: game.moves().len().saturating_sub(1), options, detail, has_page: false }
    }

    /// The game's report as JSON.
    pub(super) fn run(self: Box<Self>) -> Result<String, String> {
        let mut analyser = Analyser::in_place(HASH_MIB, host::is_stopped).map_err(|error| error.to_string())?;
        let progress = |step| match step {
            ReviewStep::Positions { done, total } => host::progress("positions", done, total),
            ReviewStep::Details { done, total } => host::progress("details", done, total),
        };
        let analysers = std::slice::from_mut(&mut analyser);
        let Self { tree, skipped, options, detail, has_page } = *self;
        let reviewed = review_game(tree.clone(), skipped, analysers, &options, &detail, progress);
        if host::was_stopped() {
            return Err("stopped".to_owned());
        }
        let reviewed = reviewed.map_err(|error| format!("{error}: {}", error.source))?;
        let report = reviewed.map(|review| {
            let game = GameReport::new(&tree, &review.judged, &review.details);
            let page = has_page.then(|| game_markup(&game, 0));
            Report { game, problems: tree.problems().iter().map(ToString::to_string).collect(), page }
        });
        serde_json::to_string(&report).map_err(|error| error.to_string())
    }
}

pub(super) fn first_game(pgn: &str) -> Result<GameTree, String> {
    let tree = TreeReader::new(pgn.as_bytes()).next().ok_or("no game in the text")?;
    tree.map_err(|error| error.to_string())
}
