//! What is known of a position without a search: its evaluation in words, book moves, endgame tables.

use bartizan_book::BookMove;
use bartizan_eval::{MaterialCount, MgEg, explain, shown};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_tablebase::{Dtz, Tablebases, WinRanking};
use bartizan_types::Value;
use serde::Serialize;

/// The worth of a group of terms for each side, in centipawns.
#[derive(Serialize)]
struct Term {
    name: &'static str,
    white: i32,
    black: i32,
}

#[derive(Serialize)]
struct PieceWorth {
    square: String,
    value: i32,
}

/// An evaluation; see `Evaluation` in `engine.js`.
#[derive(Serialize)]
struct Evaluation {
    value: i32,
    words: Vec<String>,
    terms: Vec<Term>,
    pieces: Vec<PieceWorth>,
}

/// The evaluation of a position by the hand-written terms, as JSON; `null` in check. `searched` is the value that
/// searches use, for the side to move.
pub(super) fn evaluation(position: &Position, searched: Option<Value>) -> Result<String, String> {
    if position.in_check() {
        return Ok("null".to_owned());
    }
    let explanation = explain(position);
    let value = searched.map_or(explanation.white, |value| if position.turn().is_white() { value } else { -value });
    let centipawns = |internal: f64| (100.0 * internal / explanation.pawn).round() as i32;
    let share = |pair: MgEg| centipawns(explanation.tapered(pair));
    let evaluation = Evaluation {
        value: shown(value, MaterialCount::of(position)),
        words: explanation.reasons.iter().take(8).map(|reason| reason.text.clone()).collect(),
        terms: explanation
            .rows
            .iter()
            .map(|row| Term { name: row.group.name(), white: share(row.white), black: share(row.black) })
            .collect(),
        pieces: explanation
            .pieces
            .iter()
            .filter_map(|piece| {
                Some(PieceWorth { square: piece.square.to_string(), value: centipawns(f64::from(piece.value?.0)) })
            })
            .collect(),
    };
    json(&evaluation)
}

#[derive(Serialize)]
struct BookLine {
    uci: String,
    san: String,
    /// How often the book plays it, from 0 to 1.
    share: f64,
}

/// The moves of a book, as JSON.
pub(super) fn book_moves(position: &Position, moves: &[BookMove]) -> Result<String, String> {
    let total: u32 = moves.iter().map(|mv| u32::from(mv.weight)).sum();
    let lines = moves.iter().map(|&BookMove { mv, weight, .. }| BookLine {
        uci: mv.to_uci(position.variant()).to_string(),
        san: San::new(position, mv).to_string(),
        share: f64::from(weight) / f64::from(total.max(1)),
    });
    json(&lines.collect::<Vec<_>>())
}

#[derive(Serialize)]
struct TableMove {
    uci: String,
    san: String,
    wdl: i8,
    dtz: Option<i32>,
}

#[derive(Serialize)]
struct TableResult {
    wdl: i8,
    dtz: Option<i32>,
    moves: Vec<TableMove>,
}

/// What the tables say of a position, as JSON; `null` if they do not cover it.
pub(super) fn probe(tables: &Tablebases, position: &Position) -> Result<String, String> {
    let Some(wdl) = tables.probe_wdl(position).map_err(|error| error.to_string())? else {
        return Ok("null".to_owned());
    };
    let plies = |dtz: Option<Dtz>| dtz.map(|Dtz(plies)| plies);
    let dtz = plies(tables.probe_dtz(position).map_err(|error| error.to_string())?);
    let ranked = tables.probe_root(position, WinRanking::ByDistance).map_err(|error| error.to_string())?;
    let moves = ranked.unwrap_or_default().into_iter().map(|ranked| TableMove {
        uci: ranked.mv.to_uci(position.variant()).to_string(),
        san: San::new(position, ranked.mv).to_string(),
        wdl: ranked.outcome.to_int(),
        dtz: plies(ranked.dtz),
    });
    json(&TableResult { wdl: wdl.to_int(), dtz, moves: moves.collect() })
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
