//! Fills the data of a page from a review.

use super::data::{
    CriticalMoment, GameReport, GameTags, LineMove, MistakeCounts, MoveReport, OpeningName, PhaseAccuracy,
};
use crate::ReviewDetails;
use crate::judgement::{JudgedGame, JudgedMove, SideAccuracy, win_percent};
use crate::page::text;
use bartizan_notation::pgn::GameTree;
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::{ByColor, Move};
use std::time::Duration;

impl GameReport {
    /// From a game, its judgement, and reasons and critical moments, which may be missing.
    pub fn new(tree: &GameTree, judged: &JudgedGame, details: &ReviewDetails) -> Self {
        let reason = |ply: usize| details.reasons.get(ply)?.as_deref().map(text::with_short_numbers);
        let mut counts = ByColor::<MistakeCounts>::default();
        let mut moves = Vec::with_capacity(judged.moves.len());
        for (ply, mv) in judged.moves.iter().enumerate() {
            let [before, after] = [&judged.positions[ply], &judged.positions[ply + 1]];
            let report = move_report(before, after, mv, reason(ply));
            counts[before.turn()].add(&report);
            moves.push(report);
        }
        let critical = details.critical.iter().map(|moment| {
            let position = &judged.positions[moment.ply];
            let value = |&(mv, eval)| (uci(position, mv), win_percent(eval));
            CriticalMoment { ply: moment.ply + 1, values: moment.values.iter().map(value).collect() }
        });
        Self {
            tags: tags(tree),
            opening: judged
                .opening
                .map(|opening| OpeningName { eco: opening.code().to_owned(), name: opening.name().to_owned() }),
            last_book_ply: judged.book_plies,
            start_fen: judged.positions[0].to_fen(),
            start_win: judged.moves.first().and_then(|mv| mv.before).map(win_percent),
            accuracy: judged.accuracy.map(|accuracy| phase_accuracy(&accuracy)),
            counts,
            moves,
            critical: critical.collect(),
            pgn: tree.to_string(),
        }
    }
}

fn tags(tree: &GameTree) -> GameTags {
    let tag = |name| tree.tag(name).filter(|value| !matches!(value.trim(), "" | "?" | "-")).unwrap_or_default();
    let date = tag("Date");
    GameTags {
        white: tag("White").to_owned(),
        black: tag("Black").to_owned(),
        white_elo: tag("WhiteElo").to_owned(),
        black_elo: tag("BlackElo").to_owned(),
        result: tag("Result").to_owned(),
        date: if date.starts_with('?') { String::new() } else { date.to_owned() },
        event: tag("Event").to_owned(),
        site: tag("Site").to_owned(),
        round: tag("Round").to_owned(),
        time_control: tag("TimeControl").to_owned(),
    }
}

fn move_report(before: &Position, after: &Position, mv: &JudgedMove, reason: Option<String>) -> MoveReport {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    MoveReport {
        san: San::new(before, mv.mv).to_string(),
        uci: uci(before, mv.mv),
        fen: after.to_fen(),
        eval: mv.after.filter(|_| after.has_legal_move()),
        win: mv.after.map(win_percent),
        class: mv.class.unwrap_or_default(),
        loss: mv.loss.unwrap_or_default(),
        accuracy: mv.accuracy,
        clock: seconds(mv.time.left),
        spent: seconds(mv.time.spent),
        best_line: line(before, &mv.better),
        refutation: line(after, &mv.reply),
        refutation_length: mv.refutation_length.map(|plies| plies as usize),
        reasons: reason.into_iter().collect(),
        phase: mv.phase,
        is_turning_point: mv.is_turning_point,
    }
}

/// The longest line that a page shows, in plies.
const LINE: usize = 12;

fn line(start: &Position, moves: &[Move]) -> Vec<LineMove> {
    let mut position = start.clone();
    let write = |&mv: &Move| {
        let next = position.play(mv).ok()?;
        let before = std::mem::replace(&mut position, next);
        Some(LineMove { san: San::new(&before, mv).to_string(), uci: uci(&before, mv) })
    };
    moves.iter().take(LINE).map_while(write).collect()
}

/// A move as UCI writes it in the game's variant.
fn uci(position: &Position, mv: Move) -> String {
    mv.to_uci(position.variant()).to_string()
}

fn phase_accuracy(accuracy: &SideAccuracy) -> PhaseAccuracy {
    let [opening, middlegame, endgame] = accuracy.phases;
    PhaseAccuracy { game: accuracy.game, opening, middlegame, endgame }
}
