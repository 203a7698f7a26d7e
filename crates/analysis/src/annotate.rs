//! Annotates a game by an engine's evaluations of its positions.

use crate::review::{ReviewOptions, ReviewedGame, opinion};
use crate::{Analyser, AnalysisError};
use bartizan_notation::pgn::GameTree;
use bartizan_review::{AnnotationStyle, JudgementCounts, annotate_judged};
use bartizan_types::ByColor;

/// Lets an analyser judge the moves of a game, and writes evaluations, glyphs and better lines into it. Returns the
/// losses of each side.
///
/// # Errors
/// [`AnalysisError`] if the analyser fails. The game is then unchanged.
pub fn annotate(
    tree: &mut GameTree,
    analyser: &mut Analyser,
    options: &ReviewOptions,
    style: AnnotationStyle,
) -> Result<ByColor<JudgementCounts>, AnalysisError> {
    let Some(mut game) = ReviewedGame::new(1, tree.clone(), style.skipped, None) else { return Ok(ByColor::default()) };
    for (at, position) in game.positions() {
        game.opinions[at] = opinion(analyser, &position, options)?;
    }
    Ok(annotate_judged(tree, &game.judge(), &[], style))
}
