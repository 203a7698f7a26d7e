//! Reads the games and counts results by material and score.

use super::Args;
use crate::files;
use crate::interrupt::Interrupt;
use crate::records::Reading;
use anyhow::ensure;
use bartizan_eval::{Material, internal};
use bartizan_games::records::Record;
use bartizan_training::wdl::Outcomes;
use serde::Serialize;
use std::ops::ControlFlow;

/// The counted results.
pub(super) struct Data {
    pub(super) all: Outcomes,
    /// Every second game, and the others. Separate fits to both show the statistical error.
    pub(super) halves: [Outcomes; 2],
    pub(super) counts: Counts,
}

/// Numbers of games and positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    /// Games with a result.
    pub(super) games: u64,
    /// Games that White won, draws, and games that Black won.
    pub(super) results: [u64; 3],
    /// Games without a result, and single positions.
    pub(super) left_out: u64,
    /// Broken games and lines that were skipped.
    pub(super) broken: usize,
    /// Positions that the model is compared with.
    pub(super) positions: u64,
    /// Positions skipped because of a large score.
    pub(super) decided: u64,
}

impl Counts {
    /// Why no position was taken.
    fn why_none(&self) -> String {
        let Self { games, left_out, decided, .. } = self;
        match (games, decided) {
            (0, _) => format!("no game with a result, {left_out} games without one or single positions"),
            (_, 0) => format!("{games} games with a result, but no move with a score"),
            _ => format!("{games} games with a result, but all {decided} scores are too large"),
        }
    }
}

/// Score limit in internal centipawns of the positions that the model is compared with, whatever it is fitted to.
const LARGEST: u32 = 1_000;

/// Reads all files; `None` if interrupted.
pub(super) fn load(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Option<Data>> {
    let mut halves = [(); 2].map(|()| Outcomes::new(args.max_score.max(LARGEST)));
    let mut counts = Counts::default();
    let reading = Reading { files: &args.data, skip_errors: args.skip_errors, quiet: args.json, interrupt };
    let broken = reading.each(|record| {
        match record {
            Record::Game(game) => {
                let is_normalised = args.shown && game.is_shown;
                let score =
                    |score: i32, material: Material| if is_normalised { internal(score, material) } else { score };
                let half = &mut halves[(counts.games % 2) as usize];
                let (taken, decided) = half.add_game(game, args.skip_plies, score);
                counts.games += 1;
                counts.results[game.winner.map_or(1, |winner| 2 * winner.index())] += 1;
                counts.positions += taken;
                counts.decided += decided;
            }
            Record::Position(_) | Record::NoResult => counts.left_out += 1,
        }
        ControlFlow::Continue(counts.positions as usize)
    })?;
    let Some(broken) = broken else { return Ok(None) };
    counts.broken = broken;
    ensure!(counts.positions > 0, "no position to fit to in {}: {}", files::names(&args.data), counts.why_none());
    let mut all = halves[0].clone();
    all.extend(&halves[1]);
    Ok(Some(Data { all, halves, counts }))
}
