//! Judgements of moves and games, with their reasons.

use super::facts::{self, Facts};
use super::games::Record;
use super::reply::Evaluation;
use super::search::{Job, failure};
use bartizan_analysis::{
    Analyser, AnalysisError, DetailOptions, Limits, ReviewOptions, ReviewStep, SearchLine, describe, details,
    review_game,
};
use bartizan_position::{Game, Position};
use bartizan_review::WhiteEval;
use bartizan_review::page::{GameReport, LineMove, MoveReport};
use bartizan_types::Bound;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

/// A line of an analysis.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Line {
    /// First move, in algebraic notation.
    pub(crate) best_move: String,
    /// The line with move numbers.
    pub(crate) line: String,
    /// Evaluation after best play.
    pub(crate) evaluation: Evaluation,
    /// Depth of the search, in plies.
    pub(crate) depth: u32,
}

/// Of `analyse`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Analysis {
    /// Position that was analysed.
    pub(crate) position: Facts,
    /// Best lines, the best one first; none if the game is over.
    pub(crate) lines: Vec<Line>,
    /// Limits of the search.
    pub(crate) limits: String,
}

/// Of `explain`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Explanation {
    /// Position of the game; a move that was only asked about is not played.
    pub(crate) position: Facts,
    /// The move and its judgement.
    pub(crate) judgement: JudgedMove,
    /// What is missing, if the time was over before all was found.
    pub(crate) missing: Option<String>,
}

/// A move and its judgement.
#[derive(Serialize, JsonSchema)]
pub(crate) struct JudgedMove {
    /// The move with its number.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// What it was, such as `blunder`, `best` or `book`.
    pub(crate) class: String,
    /// Expected score that it lost, in points of percent.
    pub(crate) loss: f64,
    /// Evaluation after it; absent if the game is over.
    pub(crate) evaluation: Option<Evaluation>,
    /// Why it was a mistake, confirmed by searches.
    pub(crate) reasons: Vec<String>,
    /// Better line.
    pub(crate) better: String,
    /// How it is refuted.
    pub(crate) refutation: String,
}

/// Of `review`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameReview {
    /// Position at the end of the game.
    pub(crate) position: Facts,
    /// Opening with its code, if known.
    pub(crate) opening: Option<String>,
    /// Accuracy of White, 0 to 100.
    pub(crate) white_accuracy: Option<f64>,
    /// Accuracy of Black.
    pub(crate) black_accuracy: Option<f64>,
    /// White's inaccuracies, mistakes and blunders.
    pub(crate) white_errors: [usize; 3],
    /// Black's.
    pub(crate) black_errors: [usize; 3],
    /// Moves that were mistakes, with their reasons.
    pub(crate) mistakes: Vec<JudgedMove>,
    /// What is missing, if the time was over before all was found.
    pub(crate) missing: Option<String>,
}

/// What is said of a report whose reasons are not complete.
pub(crate) const NO_REASONS: &str = "The time was over before the reasons were found: no reason is given.";

/// Lines of the best moves.
pub(crate) fn lines(
    job: &Job,
    game: &Game,
    count: usize,
    nodes: u64,
    longest: Duration,
) -> Result<(Vec<Line>, String), String> {
    let limits = Limits::nodes(nodes).with_move_time(longest);
    let position = game.position();
    let mut best: BTreeMap<usize, SearchLine> = BTreeMap::new();
    let on_line = |line: &SearchLine| {
        if line.rank == 1 {
            job.progress(line.nodes.min(nodes) as usize, nodes as usize);
        }
        if line.bound == Bound::Exact || !best.contains_key(&line.rank) {
            best.insert(line.rank, line.clone());
        }
        ControlFlow::Continue(())
    };
    let count = count.min(position.legal_moves().len());
    let found = job.analyser()?.search(game, &limits, Some(count), on_line);
    found.map_err(|error| failure(&error))?;
    let line = |line: SearchLine| Line {
        best_move: facts::san(position, &line.pv[..1]),
        line: facts::san(position, &line.pv),
        evaluation: WhiteEval::new(line.score, position.turn()).into(),
        depth: line.depth,
    };
    Ok((best.into_values().map(line).collect(), describe(&limits)))
}

/// The judgement of the last move of a game, and what is missing in it.
pub(crate) fn last_move(job: &Job, record: &Record, nodes: u64) -> Result<(JudgedMove, Option<String>), String> {
    let plies = record.game.moves().len();
    let skipped = plies.checked_sub(1).ok_or("no move was played; name one with `move`")?;
    let options = ReviewOptions { limits: Limits::nodes(nodes), only_moves: None };
    let (report, missing) = report(job, 1, record, skipped, &options)?.ok_or("no move was played")?;
    let mv = report.moves.last().ok_or("no move was judged")?;
    let before = record.game.positions().rev().nth(1).ok_or("no move was played")?;
    Ok((judged(before, mv), missing))
}

/// The review of a game.
pub(crate) fn review(
    job: &Job,
    threads: usize,
    record: &Record,
    nodes: u64,
    position: Facts,
) -> Result<GameReview, String> {
    let only_moves = Some(Limits::nodes((nodes / 4).max(1)));
    let options = ReviewOptions { limits: Limits::nodes(nodes), only_moves };
    let (report, missing) = report(job, threads, record, 0, &options)?.ok_or("the game has no moves to review")?;
    let before = record.game.positions();
    let is_mistake = |mv: &MoveReport| ["blunder", "mistake", "inaccuracy", "missed win"].contains(&class(mv).as_str());
    let mistakes = report.moves.iter().zip(before).filter(|(mv, _)| is_mistake(mv));
    let mistakes = mistakes.map(|(mv, before)| judged(before, mv)).collect();
    use bartizan_types::Color::{Black, White};
    let errors = |color| {
        let counts = &report.counts[color];
        [counts.inaccuracies, counts.mistakes, counts.blunders]
    };
    Ok(GameReview {
        position,
        opening: report.opening.as_ref().map(|opening| format!("{} {}", opening.eco, opening.name)),
        white_accuracy: report.accuracy[White].game,
        black_accuracy: report.accuracy[Black].game,
        white_errors: errors(White),
        black_errors: errors(Black),
        mistakes,
        missing,
    })
}

/// The report of a game, and what is missing in it. Reasons take most of the time: if it is over before they are found,
/// they are left out.
fn report(
    job: &Job,
    threads: usize,
    record: &Record,
    skipped: usize,
    options: &ReviewOptions,
) -> Result<Option<(GameReport, Option<String>)>, String> {
    let mut analysers: Vec<Analyser> = (0..threads).map(|_| job.analyser()).collect::<Result<_, _>>()?;
    let tree = record.tree();
    let progress = |step| {
        if let ReviewStep::Positions { done, total } = step {
            job.progress(done, total);
        }
    };
    let [plain, reasons] = [false, true].map(|reasons| DetailOptions { reasons, critical: 0, critical_nodes: 0 });
    let reviewed = review_game(tree.clone(), skipped, &mut analysers, options, &plain, progress);
    let Some(review) = reviewed.map_err(|error| failure(&error.source))? else { return Ok(None) };
    let (details, missing) = match details(1, &review.judged, &mut analysers, &reasons) {
        Ok(details) => (details, None),
        Err(error) if matches!(*error.source, AnalysisError::Stopped) => (review.details, Some(NO_REASONS.to_owned())),
        Err(error) => return Err(failure(&error.source)),
    };
    Ok(Some((GameReport::new(&tree, &review.judged, &details), missing)))
}

/// The class of a move in words.
fn class(mv: &MoveReport) -> String {
    let name = serde_json::to_value(mv.class).ok();
    let mut words = String::new();
    for letter in name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words.replace('_', " ")
}

fn judged(before: &Position, mv: &MoveReport) -> JudgedMove {
    let played = before.parse_uci(&mv.uci).ok();
    let after = played.map(|played| before.play_unchecked(played));
    let moves = |position: Option<&Position>, line: &[LineMove]| {
        let Some(position) = position else { return String::new() };
        let mut current = position.clone();
        let mut moves = Vec::new();
        for mv in line {
            let Ok(mv) = current.parse_uci(&mv.uci) else { break };
            current = current.play_unchecked(mv);
            moves.push(mv);
        }
        facts::san(position, &moves)
    };
    JudgedMove {
        mv: played.map_or_else(|| mv.san.clone(), |played| facts::san(before, &[played])),
        class: class(mv),
        loss: (mv.loss * 10.0).round() / 10.0,
        evaluation: mv.eval.map(Evaluation::from),
        reasons: mv.reasons.clone(),
        better: moves(Some(before), &mv.best_line),
        refutation: moves(after.as_ref(), &mv.refutation),
    }
}

impl JudgedMove {
    /// The judgement in words.
    pub(crate) fn words(&self) -> String {
        let mut words = format!("{} ({})", self.mv, self.class);
        if let Some(evaluation) = &self.evaluation {
            words += &format!(": after it, {}", evaluation.words);
        }
        words += ".";
        for reason in &self.reasons {
            words += " ";
            words += reason;
        }
        if self.loss >= 5.0 {
            for (name, line) in [("Better", &self.better), ("It is answered by", &self.refutation)] {
                if !line.is_empty() {
                    words += &format!(" {name}: {line}.");
                }
            }
        }
        words
    }
}

impl Explanation {
    /// The judgement in words.
    pub(crate) fn words(&self) -> String {
        let mut words = self.judgement.words();
        if let Some(missing) = &self.missing {
            words += &format!(" {missing}");
        }
        words
    }
}

impl GameReview {
    /// The review in words.
    pub(crate) fn words(&self) -> String {
        let percent = |accuracy: Option<f64>| accuracy.map_or("?".to_owned(), |value| format!("{value:.0}"));
        let mut words = self.opening.as_ref().map_or_else(String::new, |opening| format!("Opening: {opening}.\n"));
        for (name, accuracy, errors) in
            [("White", self.white_accuracy, self.white_errors), ("Black", self.black_accuracy, self.black_errors)]
        {
            let [inaccuracies, mistakes, blunders] = errors;
            let accuracy = percent(accuracy);
            words += &format!(
                "{name}: accuracy {accuracy}, {inaccuracies} inaccuracies, {mistakes} mistakes, {blunders} blunders.\n"
            );
        }
        for mistake in &self.mistakes {
            words += &format!("- {}\n", mistake.words());
        }
        words += self.missing.as_deref().unwrap_or_default();
        words.trim_end().to_owned()
    }
}
