//! The engine in one thread, which weighs positions, and what stops its searches.

use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_eval::{Material, shown};
use bartizan_network::{Evaluation, EvaluationModel};
use bartizan_position::{Game, Position, Tolerance};
use bartizan_search::{Limits, Search, SearchEvent, SearchResult, ThreadPool, TranspositionTable};
use bartizan_types::Color;
use crossbeam::channel::{RecvTimeoutError, bounded};
use std::sync::Arc;
use std::time::Duration;

/// How often a search that reports nothing is looked after.
const PATIENCE: Duration = Duration::from_millis(50);

/// An engine of one thread, with a hash table.
pub(crate) struct Engine {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
}

impl Engine {
    /// An engine with a hash table of a size in MiB.
    pub(crate) fn new(megabytes: usize) -> anyhow::Result<Self> {
        Self::with_model(megabytes, EvaluationModel::built_in())
    }

    /// The same with another evaluation.
    pub(crate) fn with_model(megabytes: usize, model: EvaluationModel) -> anyhow::Result<Self> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(Self { pool: ThreadPool::new(1, move || Evaluation::new(&model))?, table })
    }

    /// Forgets all searches, so that the next one does not depend on those before.
    pub(crate) fn forget(&self) {
        self.table.clear();
        self.pool.clear();
    }

    /// The score of a position in centipawns as they are shown, for White, by a search from an empty hash table; `None`
    /// if interrupted. It depends on the board, the side to move, castling and en passant only: a book plays the same
    /// moves whatever the clocks and the line that led there.
    pub(crate) fn score(
        &mut self,
        position: &Position,
        depth: u32,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<i32>> {
        let fen = format!("{} 0 1", four_fields(position));
        let alone = Position::from_fen_with(&fen, Tolerance::ALL).with_context(|| format!("'{fen}'"))?;
        self.forget();
        let result = self.search(&Game::new(alone), Limits::depth(depth), interrupt);
        Ok(result.map(|result| score_for_white(position, &result)))
    }

    /// Searches the last position of a game; `None` if interrupted. If the search fails, the result has no move.
    pub(crate) fn search(&mut self, game: &Game, limits: Limits, interrupt: &Interrupt) -> Option<SearchResult> {
        if interrupt.is_set() {
            return None;
        }
        let (sender, finished) = bounded(1);
        let control = self.pool.go_with(Search::new(game.clone(), limits), self.table.clone(), move |event| {
            if let SearchEvent::Finished(result) = event {
                drop(sender.send(result));
            }
        });
        loop {
            match finished.recv_timeout(PATIENCE) {
                Ok(result) => return (!interrupt.is_set()).then_some(result),
                Err(RecvTimeoutError::Timeout) if interrupt.is_set() => control.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(SearchResult::default()),
            }
        }
    }
}

/// The FEN of a position without the clocks, as EPD has it.
pub(crate) fn four_fields(position: &Position) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The score of a search in centipawns as they are shown, for White.
pub(crate) fn score_for_white(position: &Position, result: &SearchResult) -> i32 {
    let score = shown(result.value, Material::of(position));
    if position.turn() == Color::White { score } else { -score }
}

/// A score in pawns.
pub(crate) fn pawns(score: i32) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}
