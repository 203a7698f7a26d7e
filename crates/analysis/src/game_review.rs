//! The whole review of a game: judgement, reasons, and the value of every move at the critical moments.

use crate::review::{ReviewOptions, ReviewedGame, ReviewedPosition, opinion};
use crate::searcher::AnalyserSearcher;
use crate::{Analyser, AnalysisError, GameError, Limits};
use bartizan_notation::pgn::GameTree;
use bartizan_parallel::{FeedOptions, run};
use bartizan_review::judgement::{Judgement, win_percent};
use bartizan_review::reasons::{MistakeContext, Reason, explain};
use bartizan_review::{CriticalMoment, JudgedGame, ReviewDetails};

/// A reviewed game.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// The judgement of its moves.
    pub judged: JudgedGame,
    /// Reasons and critical moments.
    pub details: ReviewDetails,
}

/// What a review adds to the judgement.
#[derive(Clone, Copy, Debug)]
pub struct DetailOptions {
    /// Whether to look for the reasons of mistakes and blunders.
    pub reasons: bool,
    /// The maximum number of critical moments; 0 for none.
    pub critical: usize,
    /// The nodes for each move of a critical moment.
    pub critical_nodes: u64,
}

impl Default for DetailOptions {
    fn default() -> Self {
        Self { reasons: true, critical: 8, critical_nodes: 20_000 }
    }
}

/// How far a review is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewStep {
    /// The positions of the game are being evaluated.
    Positions {
        /// The number of finished positions.
        done: usize,
        /// The number of positions.
        total: usize,
    },
    /// Reasons and critical moments are being looked for.
    Details {
        /// The number of finished ones.
        done: usize,
        /// Their number.
        total: usize,
    },
}

/// A task of [`details`], and its result.
enum Task {
    Reason(usize),
    Critical(usize),
}

enum Detail {
    Reason(usize, Option<String>),
    Critical(CriticalMoment),
}

/// Finds reasons and critical moments of a judged game. The result does not depend on the number of analysers. `number`
/// is that of the game in errors.
///
/// # Errors
/// The first error of an analyser.
pub fn details(
    number: u64,
    judged: &JudgedGame,
    analysers: &mut [Analyser],
    options: &DetailOptions,
) -> Result<ReviewDetails, GameError> {
    find_details(number, judged, analysers, options, |_, _| {})
}

/// As [`details`]; `progress` is called with the number of finished ones and of all.
fn find_details(
    number: u64,
    judged: &JudgedGame,
    analysers: &mut [Analyser],
    options: &DetailOptions,
    mut progress: impl FnMut(usize, usize),
) -> Result<ReviewDetails, GameError> {
    let mut reasons = if options.reasons { vec![None; judged.moves.len()] } else { Vec::new() };
    let mut critical = Vec::new();
    let tasks = tasks(judged, options);
    let (mut done, total) = (0, tasks.len());
    let fail = |ply: usize, source| {
        let fen = judged.positions[ply].to_fen();
        GameError { game: number, fen, source: Box::new(source) }
    };
    let worker = |analyser| {
        let fail = &fail;
        let mut searcher = AnalyserSearcher::new(analyser);
        move |task| {
            Some(match task {
                Task::Reason(ply) => {
                    let reason = reason(judged, ply, &mut searcher).map(|reason| reason.to_string());
                    searcher.failure().map_or(Ok(Detail::Reason(ply, reason)), |source| Err(fail(ply, source)))
                }
                Task::Critical(ply) => values(judged, ply, options.critical_nodes, &mut searcher)
                    .map(Detail::Critical)
                    .map_err(|source| fail(ply, source)),
            })
        }
    };
    run(tasks.into_iter(), analysers.iter_mut().map(worker), FeedOptions::any(64), |detail| {
        match detail? {
            Detail::Reason(ply, reason) => reasons[ply] = reason,
            Detail::Critical(moment) => critical.push(moment),
        }
        done += 1;
        progress(done, total);
        Ok::<(), GameError>(())
    })?;
    critical.sort_by_key(|moment| moment.ply);
    Ok(ReviewDetails { reasons, critical })
}

/// What remains to be searched.
fn tasks(judged: &JudgedGame, options: &DetailOptions) -> Vec<Task> {
    let mut mistakes: Vec<(usize, f64)> = Vec::new();
    for (ply, mv) in judged.moves.iter().enumerate() {
        if mv.judgement() >= Some(Judgement::Mistake) {
            mistakes.push((ply, mv.loss.unwrap_or_default()));
        }
    }
    let mut tasks: Vec<Task> = Vec::new();
    if options.reasons {
        tasks.extend(mistakes.iter().map(|&(ply, _)| Task::Reason(ply)));
    }
    // The greatest losses; of equal ones the first.
    mistakes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    tasks.extend(mistakes.iter().take(options.critical).map(|&(ply, _)| Task::Critical(ply)));
    tasks
}

/// The reason of a mistake.
fn reason(judged: &JudgedGame, ply: usize, searcher: &mut AnalyserSearcher<'_>) -> Option<Reason> {
    let mv = judged.moves.get(ply)?;
    let previous = ply.checked_sub(1).map(|before| (&judged.positions[before], judged.moves[before].mv));
    let context = MistakeContext {
        before: &judged.positions[ply],
        previous,
        played: mv.mv,
        better: &mv.better,
        refutation: &mv.reply,
        eval_before: mv.before?,
        eval_after: mv.after?,
    };
    explain(&context, searcher)
}

/// The value of every legal move. The moves that the review has searched keep those evaluations, and no move is better
/// than the best one.
fn values(
    judged: &JudgedGame,
    ply: usize,
    nodes: u64,
    searcher: &mut AnalyserSearcher<'_>,
) -> Result<CriticalMoment, AnalysisError> {
    let (position, played) = (&judged.positions[ply], &judged.moves[ply]);
    let mover = position.turn();
    let for_mover = |eval| if mover.is_white() { win_percent(eval) } else { 100.0 - win_percent(eval) };
    let best = played.better.first().copied().zip(played.before);
    let limits = Limits::nodes(nodes);
    let mut values = Vec::new();
    for &mv in &position.legal_moves() {
        let known = best.filter(|&(best, _)| best == mv).map(|(_, eval)| eval);
        let known = known.or_else(|| played.after.filter(|_| mv == played.mv));
        let eval = match known {
            Some(eval) => eval,
            None => searcher.eval(&position.play_unchecked(mv), &limits)?,
        };
        let capped = best.map(|(_, best)| best).filter(|&best| for_mover(eval) > for_mover(best));
        values.push((mv, capped.unwrap_or(eval)));
    }
    values.sort_by(|(_, a), (_, b)| for_mover(*b).total_cmp(&for_mover(*a)));
    if let Some(at) = values.iter().position(|&(mv, _)| best.is_some_and(|(best, _)| best == mv)) {
        values[..=at].rotate_right(1);
    }
    Ok(CriticalMoment { ply, values })
}

/// Reviews one game from the ply after `skipped` on: judges the moves, then adds reasons and critical moments. `None`
/// if there is no move to judge. `progress` is called after each search. The result does not depend on the number of
/// analysers.
///
/// # Errors
/// The first error of an analyser.
pub fn review_game(
    tree: GameTree,
    skipped: usize,
    analysers: &mut [Analyser],
    options: &ReviewOptions,
    detail: &DetailOptions,
    mut progress: impl FnMut(ReviewStep),
) -> Result<Option<GameReview>, GameError> {
    let Some(mut game) = ReviewedGame::new(1, tree, skipped, None) else { return Ok(None) };
    let positions = game.positions();
    let total = positions.len();
    let worker = |analyser| {
        let analyser: &mut Analyser = analyser;
        move |(at, position): (usize, ReviewedPosition)| {
            let found = opinion(analyser, &position, options);
            Some(found.map(|opinion| (at, opinion)).map_err(|source| position.error(1, source)))
        }
    };
    let mut done = 0;
    run(positions.into_iter(), analysers.iter_mut().map(worker), FeedOptions::any(64), |found| {
        let (at, opinion) = found?;
        game.opinions[at] = opinion;
        done += 1;
        progress(ReviewStep::Positions { done, total });
        Ok::<(), GameError>(())
    })?;
    let judged = game.judge();
    let details = find_details(1, &judged, analysers, detail, |done, total| {
        progress(ReviewStep::Details { done, total });
    })?;
    Ok(Some(GameReview { judged, details }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::TreeReader;

    fn reviewed(threads: usize, skipped: usize) -> (GameReview, Vec<ReviewStep>) {
        let text = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
        let tree = TreeReader::new(text.as_bytes()).next().unwrap().unwrap();
        let mut analysers: Vec<_> = (0..threads).map(|_| Analyser::new(1, 4).unwrap()).collect();
        let detail = DetailOptions { critical_nodes: 500, ..DetailOptions::default() };
        let options = ReviewOptions { limits: Limits::nodes(5_000), only_moves: Some(Limits::nodes(2_000)) };
        let mut steps = Vec::new();
        let review = review_game(tree, skipped, &mut analysers, &options, &detail, |step| steps.push(step));
        (review.unwrap().unwrap(), steps)
    }

    #[test]
    fn a_game_is_reviewed_alike_with_any_number_of_threads() {
        let (review, steps) = reviewed(1, 0);
        assert_eq!(review.judged.moves[5].judgement(), Some(Judgement::Blunder));
        assert!(review.details.reasons[5].as_ref().unwrap().contains("mate"), "{:?}", review.details);
        let moment = review.details.critical.last().unwrap();
        assert_eq!(moment.ply, 5);
        assert_eq!(moment.values.len(), review.judged.positions[5].legal_moves().len());
        assert_eq!(Some(moment.values[0].0), review.judged.moves[5].better.first().copied());
        let (other, _) = reviewed(2, 0);
        assert_eq!(review.judged.moves, other.judged.moves);
        assert_eq!(review.details, other.details);
        let json = serde_json::to_string(&review.details).unwrap();
        assert_eq!(serde_json::from_str::<ReviewDetails>(&json).unwrap(), review.details);
        assert_eq!(steps[..7], std::array::from_fn::<_, 7, _>(|at| ReviewStep::Positions { done: at + 1, total: 7 }));
        assert!(matches!(steps.last(), Some(ReviewStep::Details { done, total }) if done == total), "{steps:?}");
    }

    #[test]
    fn a_part_of_a_game_is_reviewed() {
        let (review, steps) = reviewed(1, 5);
        assert_eq!(steps[1], ReviewStep::Positions { done: 2, total: 2 });
        assert_eq!(review.judged.moves[5].judgement(), Some(Judgement::Blunder));
        assert_eq!(review.judged.moves[4].class, None);
    }
}
