//! The conduct of players, as tables and as JSON.

use super::{Counted, Group};
use crate::pgn::bands::band_json;
use bartizan_analysis::conduct::{ConductRow, Losses, Share};
use bartizan_types::Escaped;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Two tables: what the rules tell, and the losses.
pub(super) fn text(counted: &Counted) -> String {
    let Counted { games, broken, counted: with_moves, ref table, ref engine } = *counted;
    let moves: u64 = table.rows().map(|(_, row)| row.conduct.moves).sum();
    let mut text = format!("{games} games, {moves} moves");
    for (count, what) in [(broken, "broken"), (games - broken - with_moves, "without moves")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    if let Some((engine, limit)) = engine {
        let _ = write!(text, "; {limit} per position by {engine}");
    }
    let rows: Vec<(String, &ConductRow)> = table.rows().map(|(group, row)| (label(group), row)).collect();
    let is_by_name = table.rows().any(|(group, _)| matches!(group, Group::Name(_)));
    let head = if is_by_name { "player" } else { "rating" };
    let width = rows.iter().fold(head.len(), |most, (label, _)| most.max(label.chars().count()));
    let columns =
        "   games    moves   left      gifts taken  undone  walks     mates missed  recaptures missed  openings";
    let _ = writeln!(text, "\n\n{head:<width$}{columns}");
    for (label, row) in &rows {
        let conduct = &row.conduct;
        let [left, undone, walks] = [conduct.gifts_left, conduct.undone, conduct.king_walks].map(per_100);
        let [gifts, mates, recaptures] =
            [conduct.gifts_taken, conduct.mates_missed, conduct.recaptures_missed].map(of_all);
        let _ = writeln!(
            text,
            "{label:<width$}{:>8}{:>9}{left:>7}{gifts:>17}{undone:>8}{walks:>7}{mates:>17}{recaptures:>19}{:>10}",
            row.games,
            conduct.moves,
            row.openings()
        );
    }
    if engine.is_some() {
        let _ = write!(text, "\n{head:<width$}    moves    loss  under 1");
        for large in Losses::LARGE {
            let _ = write!(text, "{:>12}", format!("{large} or more"));
        }
        text.push('\n');
        for (label, ConductRow { conduct, .. }) in &rows {
            let losses = &conduct.losses;
            let mean = losses.mean().map_or_else(none, |mean| format!("{mean:.2}"));
            let _ = write!(text, "{label:<width$}{:>9}{mean:>8}{:>9}", losses.moves, per_cent(losses.small()));
            for share in losses.large_shares() {
                let _ = write!(text, "{:>12}", per_cent(share));
            }
            text.push('\n');
        }
    }
    text
}

fn label(group: &Group) -> String {
    match group {
        Group::Band(band) => band.to_string(),
        Group::Name(name) => Escaped(name).to_string(),
    }
}

fn none() -> String {
    "–".to_owned()
}

fn per_100(share: Share) -> String {
    share.per_cent().map_or_else(none, |share| format!("{share:.1}"))
}

fn per_cent(share: Share) -> String {
    share.per_cent().map_or_else(none, |share| format!("{share:.1} %"))
}

fn of_all(share: Share) -> String {
    share.per_cent().map_or_else(none, |per_cent| format!("{per_cent:.0} % of {}", share.of))
}

/// All counts.
pub(super) fn json(counted: &Counted) -> Value {
    let rows: Vec<Value> = counted.table.rows().map(|(group, row)| row_json(group, row)).collect();
    let mut object = json!({ "games": counted.games, "broken": counted.broken, "rows": rows });
    if let Some((engine, limit)) = &counted.engine {
        (object["engine"], object["limit"]) = (json!(engine), json!(limit));
    }
    object
}

fn row_json(group: &Group, row: &ConductRow) -> Value {
    let mut object = match group {
        Group::Band(band) => band_json(*band),
        Group::Name(name) => Map::from_iter([("name".to_owned(), json!(name))]),
    };
    let conduct = &row.conduct;
    let share = |share: Share| json!({ "count": share.count, "of": share.of });
    let losses = &conduct.losses;
    let mut lost = json!({ "moves": losses.moves, "mean": losses.mean(), "under_1": losses.under_1 });
    for (large, count) in Losses::LARGE.into_iter().zip(losses.large) {
        lost[format!("from_{large}")] = json!(count);
    }
    let fields = [
        ("games", json!(row.games)),
        ("openings", json!(row.openings())),
        ("moves", json!(conduct.moves)),
        ("gifts_left", share(conduct.gifts_left)),
        ("gifts_taken", share(conduct.gifts_taken)),
        ("undone", share(conduct.undone)),
        ("king_walks", share(conduct.king_walks)),
        ("mates_missed", share(conduct.mates_missed)),
        ("recaptures_missed", share(conduct.recaptures_missed)),
        ("losses", if losses.moves > 0 { lost } else { Value::Null }),
    ];
    object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::Object(object)
}
