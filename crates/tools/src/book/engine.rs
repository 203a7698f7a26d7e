//! The engine that weighs positions of books.

use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_eval::{HandCrafted, Material, shown};
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, SearchResult, ThreadPool, TranspositionTable};
use bartizan_types::Color;
use std::sync::Arc;

/// An engine of one thread.
pub(super) struct Engine {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
}

impl Engine {
    /// An engine with a hash table, which other engines may share.
    pub(super) fn new(table: Arc<TranspositionTable>) -> anyhow::Result<Self> {
        Ok(Self { pool: ThreadPool::new(1, HandCrafted::new)?, table })
    }

    /// A hash table.
    pub(super) fn table(megabytes: usize) -> anyhow::Result<Arc<TranspositionTable>> {
        Ok(Arc::new(TranspositionTable::new(megabytes).context("--hash")?))
    }

    /// Forgets all searches, so that the next one does not depend on those before.
    pub(super) fn forget(&self) {
        self.table.clear();
        self.pool.clear();
    }

    /// Searches a position; `None` if interrupted.
    pub(super) fn search(&mut self, game: &Game, limits: Limits, interrupt: &Interrupt) -> Option<SearchResult> {
        if interrupt.is_set() {
            return None;
        }
        let handle = self.pool.go(Search::new(game.clone(), limits), self.table.clone());
        let control = handle.control();
        // Each iteration is an event: an interruption waits for the current one.
        let result = handle.wait_with(|_| {
            if interrupt.is_set() {
                control.stop();
            }
        });
        (!interrupt.is_set()).then_some(result)
    }
}

/// The score of a search in centipawns as they are shown, for White.
pub(super) fn score_for_white(position: &Position, result: &SearchResult) -> i32 {
    let score = shown(result.value, Material::of(position));
    if position.turn() == Color::White { score } else { -score }
}

/// A score in pawns.
pub(super) fn pawns(score: i32) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}
