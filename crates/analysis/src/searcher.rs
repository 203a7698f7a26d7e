//! Searches for the reasons of mistakes.

use crate::{Analyser, AnalysisError, Limits, SearchLine};
use bartizan_position::{Game, Position};
use bartizan_protocol::Score;
use bartizan_review::WhiteEval;
use bartizan_review::reasons::Searcher;
use bartizan_types::Move;

/// Searches positions with empty tables. The first failure ends all later searches without a result.
#[derive(Debug)]
pub struct AnalyserSearcher<'a> {
    analyser: &'a mut Analyser,
    failure: Option<AnalysisError>,
}

impl<'a> AnalyserSearcher<'a> {
    /// Searches with an analyser.
    pub fn new(analyser: &'a mut Analyser) -> Self {
        Self { analyser, failure: None }
    }

    /// What went wrong since the last call.
    pub fn failure(&mut self) -> Option<AnalysisError> {
        self.failure.take()
    }

    /// The evaluation of a position that may be finished.
    ///
    /// # Errors
    /// [`AnalysisError`] if the analyser fails.
    pub fn eval(&mut self, position: &Position, limits: &Limits) -> Result<WhiteEval, AnalysisError> {
        let mover = position.turn();
        if position.is_checkmate() {
            return Ok(WhiteEval::new(Score::Mate(0), mover));
        }
        if !position.has_legal_move() || position.is_insufficient_material() {
            return Ok(WhiteEval::Cp(0));
        }
        let line = self.best(position, limits)?.ok_or(AnalysisError::Failed)?;
        Ok(WhiteEval::new(line.score, mover))
    }

    fn best(&mut self, position: &Position, limits: &Limits) -> Result<Option<SearchLine>, AnalysisError> {
        let lines = self.analyser.best_lines(&Game::new(position.clone()), limits, 1)?;
        Ok(lines.into_iter().next())
    }
}

impl Searcher for AnalyserSearcher<'_> {
    fn search(&mut self, position: &Position, nodes: u64) -> Option<(Score, Vec<Move>)> {
        if self.failure.is_some() {
            return None;
        }
        match self.best(position, &Limits::nodes(nodes)) {
            Ok(line) => line.map(|line| (line.score, line.pv)),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }
}
