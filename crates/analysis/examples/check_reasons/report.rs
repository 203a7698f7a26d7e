//! What a run found, as text.

use crate::mistakes::{Mistake, win_percent};
use crate::second::Ruling;
use bartizan_analysis::Score;
use bartizan_notation::san::{San, numbered};
use bartizan_position::Position;
use bartizan_review::reasons::claim::Claim;
use bartizan_types::Move;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A claim with what the second verifier says.
pub(crate) struct Ruled {
    pub(crate) claim: Claim,
    pub(crate) ruling: Ruling,
}

/// A mistake with all claims about it.
pub(crate) struct Explained {
    pub(crate) mistake: Mistake,
    pub(crate) claims: Vec<Ruled>,
    /// The sentences made from the claims.
    pub(crate) text: String,
}

impl Explained {
    /// Whether a claim about a concrete event passes.
    fn has_cause(&self) -> bool {
        self.claims.iter().any(|ruled| ruled.claim.is_concrete() && ruled.ruling.refuted.is_none())
    }

    /// Whether any claim passes.
    fn has_claim(&self) -> bool {
        self.claims.iter().any(|ruled| ruled.ruling.refuted.is_none())
    }
}

/// The kind of a claim: `material allowed fork`.
fn kind(claim: &Claim) -> String {
    let value = serde_json::to_value(claim).unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let parts = [
        text(&value["claim"]),
        text(&value["chance"]),
        text(&value["draw"]),
        text(&value["kind"]),
        text(&value["remedy"]),
        text(&value["feature"]["feature"]),
        text(&value["motif"]["motif"]),
        text(&value["motif"]["exposure"]["exposure"]),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[allow(clippy::cast_precision_loss)] // Counts of mistakes.
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The counts of mistakes and claims.
pub(crate) fn table(all: &[Explained]) -> String {
    let mut text = String::new();
    let _ =
        writeln!(text, "| moves | count | with a concrete cause | % | with any claim | % |\n|---|---|---|---|---|---|");
    let groups = [
        ("blunders (15 points and more)", [true, true]),
        ("mistakes (10 to 15 points)", [false, false]),
        ("both", [false, true]),
    ];
    for (name, kinds) in groups {
        let group: Vec<&Explained> =
            all.iter().filter(|explained| kinds.contains(&explained.mistake.is_blunder())).collect();
        let caused = group.iter().filter(|explained| explained.has_cause()).count();
        let claimed = group.iter().filter(|explained| explained.has_claim()).count();
        let (caused_share, claimed_share) = (percent(caused, group.len()), percent(claimed, group.len()));
        let _ = writeln!(
            text,
            "| {name} | {} | {caused} | {caused_share:.1} | {claimed} | {claimed_share:.1} |",
            group.len()
        );
    }
    let mut kinds: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for Ruled { claim, ruling } in all.iter().flat_map(|explained| &explained.claims) {
        for name in [kind(claim), "all".to_owned()] {
            let [count, refuted, doubtful] = kinds.entry(name).or_default();
            *count += 1;
            *refuted += usize::from(ruling.refuted.is_some());
            *doubtful += usize::from(!ruling.doubts.is_empty());
        }
    }
    let _ = writeln!(text, "\n| claim | count | refuted | doubtful |\n|---|---|---|---|");
    for (name, [count, refuted, doubtful]) in kinds {
        let _ = writeln!(text, "| {name} | {count} | {refuted} | {doubtful} |");
    }
    text
}

/// A line of moves with numbers.
fn moves(position: &Position, line: &[Move]) -> String {
    numbered(position, line).unwrap_or_else(|_| "illegal".to_owned())
}

/// The position, the move, the lines and their scores.
fn describe(mistake: &Mistake) -> String {
    let Mistake { game, before, played, better, refutation, loss, .. } = mistake;
    let negated = match refutation.score {
        Score::Cp(centipawns) => Score::Cp(-centipawns),
        Score::Mate(moves) => Score::Mate(-moves),
    };
    let after = mistake.after();
    format!(
        "game {game}: {}\n  played {} ({loss:.1} points; {:.0} % to {:.0} %; {} to {negated})\n  better {}\n  \
         refutation {}\n",
        before.to_fen(),
        San::new(before, *played),
        win_percent(better.score),
        100.0 - win_percent(refutation.score),
        better.score,
        moves(before, &better.line),
        moves(&after, &refutation.line),
    )
}

/// The refuted and the doubtful claims.
pub(crate) fn refuted(all: &[Explained]) -> String {
    let mut text = String::new();
    for explained in all {
        for Ruled { claim, ruling } in &explained.claims {
            if ruling.refuted.is_none() && ruling.doubts.is_empty() {
                continue;
            }
            let verdict = if ruling.refuted.is_some() { "REFUTED" } else { "doubtful" };
            let why: Vec<&str> = ruling.refuted.iter().chain(&ruling.doubts).map(String::as_str).collect();
            let start = match claim.chance() {
                Some(bartizan_review::reasons::claim::Chance::Missed) => explained.mistake.before.clone(),
                _ => explained.mistake.after(),
            };
            let _ = writeln!(
                text,
                "{verdict}: {}: {}\n{}  text: {}\n  line {}\n  claim {}\n",
                kind(claim),
                why.join("; "),
                describe(&explained.mistake),
                explained.text,
                moves(&start, claim.line()),
                serde_json::to_string(claim).unwrap_or_default(),
            );
        }
    }
    text
}

/// The mistakes without a concrete cause, blunders first.
pub(crate) fn causeless(all: &[Explained]) -> String {
    let mut without: Vec<&Explained> = all.iter().filter(|explained| !explained.has_cause()).collect();
    without.sort_by(|a, b| b.mistake.loss.total_cmp(&a.mistake.loss));
    let mut text = String::new();
    for explained in without {
        let name = if explained.mistake.is_blunder() { "BLUNDER" } else { "mistake" };
        let _ = writeln!(text, "{name}: {}  text: {}\n", describe(&explained.mistake), explained.text);
    }
    text
}

/// All texts, to be read by a person.
pub(crate) fn texts(all: &[Explained]) -> String {
    let mut text = String::new();
    for explained in all {
        let kinds: Vec<String> = explained.claims.iter().map(|ruled| kind(&ruled.claim)).collect();
        let _ = writeln!(text, "{}  text: {}\n  {}\n", describe(&explained.mistake), explained.text, kinds.join("; "));
    }
    text
}
