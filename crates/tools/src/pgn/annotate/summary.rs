//! The losses of the players' moves, as JSON and as a table.

use crate::progress::counted;
use bartizan_analysis::{Judgement, JudgementCounts, ReviewStatistics};
use bartizan_types::Escaped;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The report as JSON, with the engine and its limits.
pub(super) fn json(report: &ReviewStatistics, engine: &str, limit: &str) -> Value {
    let player = |(name, (games, tally)): (&String, &(u64, JudgementCounts))| {
        json!({
            "name": name,
            "games": games,
            "moves": tally.moves,
            "average_centipawn_loss": tally.mean_loss(),
            "inaccuracies": tally.count(Judgement::Inaccuracy),
            "mistakes": tally.count(Judgement::Mistake),
            "blunders": tally.count(Judgement::Blunder),
        })
    };
    json!({
        "engine": engine,
        "limit": limit,
        "games": report.games,
        "annotated": report.annotated,
        "broken": report.broken,
        "positions": report.positions,
        "players": report.players.iter().map(player).collect::<Vec<_>>(),
    })
}

/// The counts, and a table of the players by name.
pub(super) fn table(report: &ReviewStatistics) -> String {
    let mut text = format!("{}: {} annotated", counted(report.games, "game"), report.annotated);
    if report.broken > 0 {
        let _ = write!(text, ", {} broken", report.broken);
    }
    let _ = write!(text, "; {} searched", counted(report.positions, "position"));
    if !report.players.is_empty() {
        text += "\n\n   games   moves    loss  inaccuracies  mistakes  blunders  player";
    }
    for (name, (games, tally)) in &report.players {
        let loss = tally.mean_loss().map_or_else(|| "–".to_owned(), |loss| format!("{loss:.1}"));
        let [inaccuracies, mistakes, blunders] =
            [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder].map(|mark| tally.count(mark));
        let moves = tally.moves;
        let _ = write!(
            text,
            "\n{games:>8}{moves:>8}{loss:>8}{inaccuracies:>14}{mistakes:>10}{blunders:>10}  {}",
            Escaped(name)
        );
    }
    text
}
