//! Advice as JSON.

use crate::advice::{Advice, AdvisedMove, PositionValue, TheoreticalResult, Verdict};
use bartizan_types::Variant;
use serde_json::{Value as Json, json};

impl Advice {
    /// The advice as a JSON object. Results are those of the side to move: `win`, `draw` or `loss`. `mate` counts
    /// moves, `zeroing` plies; values that the tables do not give are `null`.
    pub fn to_json(&self) -> Json {
        let mut object = value(self.value);
        let line: Vec<String> = self.line.iter().map(|mv| mv.to_uci(Variant::Standard).to_string()).collect();
        let plan = self.plan.as_ref().map(|plan| {
            let squares: Vec<String> = plan.squares.into_iter().map(|square| square.to_string()).collect();
            json!({ "title": plan.title, "text": plan.text, "squares": squares })
        });
        object["fen"] = self.position.to_fen().into();
        object["headline"] = self.headline().into();
        object["moves"] = self.moves.iter().map(advised).collect();
        object["plan"] = plan.into();
        object["line"] = line.into();
        object["line_end"] = self.line_end().into();
        object["line_san"] = self.line_text().into();
        object
    }
}

fn advised(mv: &AdvisedMove) -> Json {
    let mut object = value(mv.value);
    object["move"] = mv.mv.to_uci(Variant::Standard).to_string().into();
    object["san"] = mv.san.clone().into();
    object["verdict"] = match mv.verdict {
        Verdict::Best => "best",
        Verdict::Keeps(_) => "keeps",
        Verdict::TooSlow => "too slow",
        Verdict::Uncertain => "uncertain",
        Verdict::Spoils(_) => "spoils",
    }
    .into();
    object["comment"] = mv.comment().into();
    object
}

fn value(value: PositionValue) -> Json {
    json!({
        "result": value.outcome.noun(),
        "result_50_moves": value.with_rule.map(TheoreticalResult::noun),
        "mate": value.mate.and_then(|mate| mate.moves()),
        "zeroing": value.zeroing.map(|zeroing| zeroing.0),
    })
}
