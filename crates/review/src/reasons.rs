//! Why a move was a mistake: facts that rules and searches confirm, and sentences made from them.
//!
//! [`find`] looks for facts in the lines of an engine, with a small detector for each kind; [`verify`] confirms one by
//! the rules and by searches; [`explain`] does both and puts the result into words. Where nothing is confirmed there is
//! no reason. [`themes`] names what the winning line of a puzzle is about, by the same detectors.

pub mod claim;
mod detect;
mod draw;
mod ending;
mod line;
mod mate;
mod material;
mod positional;
mod remedy;
mod search;
mod sentence;
mod theme;
mod verify;

pub use claim::{Chance, Claim, MistakeContext, Motif};
pub use search::{NODES, Searcher};
pub use theme::{Theme, themes};
pub use verify::verify;

use crate::WhiteEval;
use bartizan_position::Position;
use bartizan_types::{Color, Move};
use search::{LIMIT, Remembering};
use std::fmt;

/// Why a move was a mistake.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Reason {
    /// The facts, the most important first; all are confirmed.
    pub claims: Vec<Claim>,
    sentences: Vec<String>,
}

impl Reason {
    /// Of claims that hold.
    fn new(claims: Vec<Claim>, context: &MistakeContext<'_>) -> Self {
        let sentences = sentence::all(&claims, context);
        Self { claims, sentences }
    }

    /// One or two sentences, in the order of the claims; two claims may share one.
    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }
}

/// The sentences, separated by spaces.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences.join(" "))
    }
}

/// The claims that the lines of the context suggest, the most telling first. None is confirmed yet.
pub fn find(context: &MistakeContext<'_>) -> Vec<Claim> {
    let mut claims = find_concrete(context);
    claims.extend(positional::find(context));
    claims
}

/// The claims about events.
fn find_concrete(context: &MistakeContext<'_>) -> Vec<Claim> {
    let lines = [(Chance::Allowed, context.refutation), (Chance::Missed, context.better)];
    let mut claims: Vec<Claim> = Vec::new();
    claims.extend(lines.iter().filter_map(|&(chance, line)| mate::find(context, chance, line)));
    claims.extend(lines.iter().filter_map(|&(chance, line)| draw::find(context, chance, line)));
    let mut gains = lines.map(|(chance, line)| material::find(context, chance, line));
    // Of equal gains, the one that is easier to follow.
    gains.sort_by_key(|claims| claims.first().map(|claim| (-gain(claim), claim.motif().is_none(), claim.line().len())));
    claims.extend(gains.into_iter().flatten());
    claims.extend(lines.iter().filter_map(|&(chance, line)| ending::find_pawn(context, chance, line)));
    claims.extend(ending::find(context));
    claims
}

fn gain(claim: &Claim) -> i32 {
    if let Claim::Material { gain, .. } = claim { *gain } else { 0 }
}

/// The reason for a mistake, if one is confirmed. It looks at the lines of the context, then at lines of its own
/// searches; this takes from three to about forty searches.
pub fn explain(context: &MistakeContext<'_>, searcher: &mut dyn Searcher) -> Option<Reason> {
    let mut searcher = Remembering::new(searcher);
    let loss = ending::for_side(context.eval_before, context.player())
        - ending::for_side(context.eval_after, context.player());
    let stages: [Stage; 3] = [Lines::given, Lines::searched, Lines::stepwise];
    let mut tried = Vec::new();
    // What is true, but explains a part of the loss only.
    let mut partial: Option<Vec<Claim>> = None;
    for stage in stages {
        let lines = stage(context, &mut searcher);
        let found = lines.concrete(context, loss, &mut searcher);
        if found.first().is_some_and(|first| suffices(first, loss)) {
            return Some(Reason::new(found, context));
        }
        let more = |claims: &Vec<Claim>| claims.first().map_or(0, gain);
        if more(&found) > partial.as_ref().map_or(0, more) {
            partial = Some(found);
        }
        tried.push(lines);
    }
    let table = ending::find_in_tables(context, &mut searcher);
    let table = table.filter(|claim| verify(claim, context, &mut searcher)).map(|claim| vec![claim]);
    let concrete = table.or(partial);
    let claims = concrete.or_else(|| tried.iter().find_map(|lines| lines.positional(context, &mut searcher)))?;
    Some(Reason::new(claims, context))
}

/// Whether a claim accounts for a loss of this number of centipawns, at twice the value of material and something more.
fn suffices(claim: &Claim, loss: i32) -> bool {
    match claim {
        Claim::Material { gain, .. } => 250 + 200 * gain >= loss,
        claim => claim.is_concrete(),
    }
}

/// The nodes of each search for a line that is searched step by step.
const STEP_NODES: u64 = 100_000;

/// The length of such a line.
const STEPS: usize = 12;

/// The most claims that are tried for a reason.
const TRIED: usize = 10;

/// The longest line of the second sentence.
const SECOND: usize = 5;

/// The most features that are confirmed.
const MOST_FEATURES: usize = 3;

/// How the lines are found.
type Stage = fn(&MistakeContext<'_>, &mut Remembering<'_>) -> Lines;

/// A better line and a refutation, with their evaluations.
struct Lines {
    better: Vec<Move>,
    refutation: Vec<Move>,
    evals: [WhiteEval; 2],
}

impl Lines {
    /// Those of the context.
    fn given(context: &MistakeContext<'_>, _: &mut Remembering<'_>) -> Self {
        let evals = [context.eval_before, context.eval_after];
        Self { better: context.better.to_vec(), refutation: context.refutation.to_vec(), evals }
    }

    /// Those of one search for each position.
    fn searched(context: &MistakeContext<'_>, searcher: &mut Remembering<'_>) -> Self {
        let mut lines = Self::given(context, searcher);
        if let Some((score, line)) = searcher.search(context.before, NODES) {
            lines.better = line;
            lines.evals[0] = white(score.centipawns(), context.player());
        }
        if let Some((score, line)) = searcher.search(&context.after(), NODES) {
            lines.refutation = line;
            lines.evals[1] = white(score.centipawns(), !context.player());
        }
        lines
    }

    /// Those of a search for each move of the winner and its reply.
    fn stepwise(context: &MistakeContext<'_>, searcher: &mut Remembering<'_>) -> Self {
        let evals = Self::searched(context, searcher).evals;
        Self { better: step(context.before, searcher), refutation: step(&context.after(), searcher), evals }
    }

    fn context<'a>(&'a self, context: &MistakeContext<'a>) -> MistakeContext<'a> {
        let [eval_before, eval_after] = self.evals;
        MistakeContext { better: &self.better, refutation: &self.refutation, eval_before, eval_after, ..*context }
    }

    /// The first confirmed claim about an event that accounts for the loss, or the largest gain, and what goes with it.
    fn concrete(&self, context: &MistakeContext<'_>, loss: i32, searcher: &mut Remembering<'_>) -> Vec<Claim> {
        let claims = find_concrete(&self.context(context));
        let mut first: Option<&Claim> = None;
        for claim in claims.iter().take(TRIED) {
            let is_more = suffices(claim, loss) || first.is_none_or(|first| gain(claim) > gain(first));
            if is_more && verify(claim, context, searcher) {
                first = Some(claim);
                if suffices(claim, loss) {
                    break;
                }
            }
        }
        let Some(first) = first else { return Vec::new() };
        let second = second(first, &claims, context, searcher);
        [first.clone()].into_iter().chain(second).collect()
    }

    /// The features that are confirmed, at most two.
    fn positional(&self, context: &MistakeContext<'_>, searcher: &mut Remembering<'_>) -> Option<Vec<Claim>> {
        let claims = positional::find(&self.context(context));
        let mut claims: Vec<Claim> =
            claims.into_iter().filter(|claim| verify(claim, context, searcher)).take(MOST_FEATURES).collect();
        // A piece or a square says more than a group of terms.
        if claims.iter().any(positional::is_specific) {
            claims.retain(positional::is_specific);
        }
        claims.truncate(2);
        (!claims.is_empty()).then_some(claims)
    }
}

/// What goes with the first claim: what the better move does about a hanging man, or a gain that was missed besides.
fn second(
    first: &Claim,
    claims: &[Claim],
    context: &MistakeContext<'_>,
    searcher: &mut Remembering<'_>,
) -> Option<Claim> {
    // The remedy is about the lines of the context.
    let remedy = remedy::find(context, first).filter(|_| first.line().first() == context.refutation.first());
    let other = claims.iter().find(|claim| claim.chance().is_some() && claim.chance() != first.chance());
    let is_short = |claim: &&Claim| claim.line().len() <= SECOND;
    let other = other.filter(|claim| matches!(claim, Claim::Mate { .. } | Claim::Material { .. })).filter(is_short);
    remedy.into_iter().chain(other.cloned()).find(|claim| verify(claim, context, searcher))
}

/// A line in which each move of the side to move is searched again.
fn step(start: &Position, searcher: &mut Remembering<'_>) -> Vec<Move> {
    let mut position = start.clone();
    let mut line = Vec::new();
    while line.len() < STEPS && position.has_legal_move() {
        let Some((_, moves)) = searcher.search(&position, STEP_NODES) else { break };
        for &mv in moves.iter().take(2) {
            let Ok(next) = position.play(mv) else { return line };
            position = next;
            line.push(mv);
        }
        if moves.is_empty() {
            break;
        }
    }
    line
}

/// Centipawns for `side` as an evaluation.
fn white(centipawns: i32, side: Color) -> WhiteEval {
    let centipawns = centipawns.clamp(-LIMIT, LIMIT);
    WhiteEval::Cp(if side.is_white() { centipawns } else { -centipawns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::{balance, points};
    use bartizan_protocol::Score;
    use bartizan_types::Key;
    use std::collections::HashMap;

    /// Moves in coordinate notation. Panics at an illegal one.
    pub(super) fn parse_line(start: &Position, text: &str) -> Vec<Move> {
        let mut position = start.clone();
        text.split_whitespace()
            .map(|word| {
                let mv = position.parse_uci(word).unwrap_or_else(|error| panic!("{word} in {position}: {error}"));
                position.make_unchecked(mv);
                mv
            })
            .collect()
    }

    /// A mistake, for tests.
    pub(super) struct Case {
        before: Position,
        previous: Option<(Position, Move)>,
        played: Move,
        pub(super) better: Vec<Move>,
        pub(super) refutation: Vec<Move>,
        pub(super) evals: (WhiteEval, WhiteEval),
    }

    impl Case {
        pub(super) fn new(fen: &str, played: &str, better: &str, refutation: &str) -> Self {
            let before = Position::from_fen(fen).unwrap();
            let played = before.parse_uci(played).unwrap();
            let better = parse_line(&before, better);
            let refutation = parse_line(&before.play_unchecked(played), refutation);
            let evals = (WhiteEval::Cp(0), WhiteEval::Cp(0));
            Self { before, previous: None, played, better, refutation, evals }
        }

        /// The opponent's move before.
        pub(super) fn preceded_by(&mut self, fen: &str, mv: &str) {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            self.previous = Some((position, mv));
        }

        pub(super) fn context(&self) -> MistakeContext<'_> {
            MistakeContext {
                before: &self.before,
                previous: self.previous.as_ref().map(|(position, mv)| (position, *mv)),
                played: self.played,
                better: &self.better,
                refutation: &self.refutation,
                eval_before: self.evals.0,
                eval_after: self.evals.1,
            }
        }
    }

    /// A searcher with known results: scores for the side to move. Others fail.
    pub(super) struct Fixed(HashMap<Key, i32>);

    impl Fixed {
        pub(super) fn new(scores: impl IntoIterator<Item = (Key, i32)>) -> Self {
            Self(scores.into_iter().collect())
        }
    }

    impl Searcher for Fixed {
        fn search(&mut self, position: &Position, _nodes: u64) -> Option<(Score, Vec<Move>)> {
            self.0.get(&position.key()).map(|&score| (Score::Cp(score), Vec::new()))
        }
    }

    /// A searcher that gives every position to the side with more material.
    struct Counter;

    impl Searcher for Counter {
        fn search(&mut self, position: &Position, _nodes: u64) -> Option<(Score, Vec<Move>)> {
            // The balance after the best capture.
            let best = position
                .legal_moves()
                .into_iter()
                .filter(|&mv| position.see_ge(mv, 100))
                .max_by_key(|&mv| position.captured(mv).map(points));
            let gained = best.and_then(|mv| position.captured(mv)).map_or(0, points);
            let balance = balance(position, position.turn()) + gained;
            Some((Score::Cp(100 * balance), best.into_iter().collect()))
        }
    }

    fn explained(case: &Case) -> String {
        explain(&case.context(), &mut Counter).map_or(String::new(), |reason| reason.to_string())
    }

    #[test]
    fn a_hanging_piece_and_its_remedy_are_explained() {
        let case = Case::new("4k3/5ppp/5b2/8/8/2N5/P4PPP/4K3 w - - 0 1", "a2a3", "c3b5 e8d7", "f6c3 e1e2 e8e7");
        let expected = "Leaves the knight on c3 hanging: Bxc3+ wins it. Nb5 moves it to safety.";
        assert_eq!(explained(&case), expected);
    }

    #[test]
    fn a_missed_capture_is_explained() {
        let case = Case::new("4k3/5ppp/1n6/8/8/8/P4BPP/2R1K3 w - - 0 1", "a2a3", "f2b6 e8d7", "b6d5 e1e2");
        assert_eq!(explained(&case), "Misses Bxb6, which wins the knight on b6.");
    }

    #[test]
    fn no_finding_is_no_reason() {
        let case = Case::new(&Position::startpos().to_fen(), "g2g4", "e2e4 e7e5", "d7d5 f1g2");
        assert_eq!(explain(&case.context(), &mut Counter), None);
    }
}
