//! Reads the games and counts results by material and score.

use super::Outcomes;
use bartizan_eval::{MaterialCount, internal};
use bartizan_games::records::{LoadError, Record, RecordFiles};
use serde::Serialize;
use std::ops::ControlFlow;

/// The counted results.
#[derive(Clone, Debug)]
pub struct Data {
    /// The results of all games.
    pub all: Outcomes,
    /// Every second game, and the others. Separate fits to both show the statistical error.
    pub halves: [Outcomes; 2],
    /// The numbers of games and positions.
    pub counts: WdlDataCounts,
}

/// Numbers of games and positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WdlDataCounts {
    /// Games with a result.
    pub games: u64,
    /// Games that White won, draws, and games that Black won.
    pub results: [u64; 3],
    /// Games without a result, and single positions.
    pub left_out: u64,
    /// Broken games and lines that were skipped.
    pub broken: usize,
    /// Positions that the model is compared with.
    pub positions: u64,
    /// Positions skipped because of a large score.
    pub decided: u64,
}

impl WdlDataCounts {
    /// Why no position was taken.
    pub fn why_none(&self) -> String {
        let Self { games, left_out, decided, .. } = self;
        match (games, decided) {
            (0, _) => format!("no game with a result, {left_out} games without one or single positions"),
            (_, 0) => format!("{games} games with a result, but no move with a score"),
            _ => format!("{games} games with a result, but all {decided} scores are too large"),
        }
    }
}

/// Which results are counted, and which of them are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WdlSettings {
    /// Whether the scores are displayed ones, normalised by this engine's model, and need to be converted back.
    pub shown: bool,
    /// Number of plies to skip at the start of each game.
    pub skip_plies: usize,
    /// Score from which a position is not fitted, in internal centipawns.
    pub max_score: u32,
}

/// Score limit in internal centipawns of the positions that the model is compared with, whatever it is fitted to.
const LARGEST: u32 = 1_000;

impl Data {
    /// Reads all files; `None` if stopped. After each record, `progress` is called with the number of positions so far;
    /// `warn` is called with each skipped error.
    ///
    /// # Errors
    /// As for [`RecordFiles::each`].
    pub fn load(
        files: &RecordFiles<'_>,
        settings: WdlSettings,
        mut progress: impl FnMut(usize),
        warn: impl FnMut(&LoadError),
    ) -> Result<Option<Self>, LoadError> {
        let mut halves = [(); 2].map(|()| Outcomes::new(settings.max_score.max(LARGEST)));
        let mut counts = WdlDataCounts::default();
        let take = |record: &Record| {
            match record {
                Record::Game(game) => {
                    let is_normalised = settings.shown && game.is_shown;
                    let score = |score: i32, material: MaterialCount| {
                        if is_normalised { internal(score, material) } else { score }
                    };
                    let half = &mut halves[(counts.games % 2) as usize];
                    let (taken, decided) = half.add_game(game, settings.skip_plies, score);
                    counts.games += 1;
                    counts.results[game.winner.map_or(1, |winner| 2 * winner.index())] += 1;
                    counts.positions += taken;
                    counts.decided += decided;
                }
                Record::Position(_) | Record::NoResult => counts.left_out += 1,
            }
            progress(counts.positions as usize);
            ControlFlow::Continue(())
        };
        let Some(broken) = files.each(take, warn)? else { return Ok(None) };
        counts.broken = broken;
        let mut all = halves[0].clone();
        all.extend(&halves[1]);
        Ok(Some(Self { all, halves, counts }))
    }
}
