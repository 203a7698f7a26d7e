//! The judgement of a whole game.

use super::accuracy::{START, WeightedAccuracies};
use super::class::{Judgement, MoveClass, MoveFacts};
use super::clock::{MoveTime, TimeControl, times};
use super::counts::JudgementCounts;
use super::phase::Phase;
use super::refutation;
use super::win::{centipawns, of_side, win_percent};
use crate::{PositionEval, WhiteEval};
use bartizan_book::eco::{Opening, lookup};
use bartizan_notation::pgn::{GameTree, NodeId};
use bartizan_position::{Game, Outcome, Position};
use bartizan_types::{ByColor, Color, Move};

/// The maximum length of a line that is kept, in plies.
const LINE: usize = 24;

/// A move of a game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move.
    pub mv: Move,
    /// The evaluation before the move; `None` if it is unknown.
    pub before: Option<WhiteEval>,
    /// The evaluation after the move. A finished game has one: a mate counts as mate in one.
    pub after: Option<WhiteEval>,
    /// The loss of the mover in points of win per cent; 0 for the engine's own choice.
    pub loss: Option<f64>,
    /// The loss in centipawns, with evaluations cut at ±[`super::DECIDED`].
    pub centipawns: Option<u32>,
    /// The accuracy, from 0 to 100, from the evaluations alone.
    pub accuracy: Option<f64>,
    /// The class; `None` without both evaluations.
    pub class: Option<MoveClass>,
    /// The engine's line from the position before the move.
    pub better: Vec<Move>,
    /// The engine's line from the position after the move.
    pub reply: Vec<Move>,
    /// After how many plies of [`reply`](Self::reply) the opponent has won what a bad move loses, if that can be
    /// counted: material or mate.
    pub refutation_length: Option<u32>,
    /// The phase of the position before the move.
    pub phase: Phase,
    /// Clock and time used.
    pub time: MoveTime,
    /// Whether the move changed the course of the game: a mistake or a blunder after which another side is ahead, or
    /// none, which the next move did not give back, and which did not itself give back what the move before had lost.
    pub is_turning_point: bool,
}

impl JudgedMove {
    /// Inaccuracy, mistake or blunder.
    pub fn judgement(&self) -> Option<Judgement> {
        self.loss.and_then(Judgement::of).filter(|_| self.class != Some(MoveClass::Forced))
    }
}

/// A player's accuracy, from 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideAccuracy {
    /// Of all moves; `None` if an evaluation is missing.
    pub game: Option<f64>,
    /// Of the moves of each [`Phase`].
    pub phases: [Option<f64>; Phase::ALL.len()],
}

/// A game, judged move by move up to the first null move.
#[derive(Clone, Debug)]
pub struct JudgedGame {
    /// The positions: one more than moves.
    pub positions: Vec<Position>,
    /// The moves from the first on. Those that were skipped have no evaluation.
    pub moves: Vec<JudgedMove>,
    /// The opening of the game.
    pub opening: Option<&'static Opening>,
    /// The number of first plies that stay in the openings table. The next move, if any, is the first outside the book.
    pub book_plies: usize,
    /// Each side's accuracy.
    pub accuracy: ByColor<SideAccuracy>,
    /// Each side's judgements.
    pub counts: ByColor<JudgementCounts>,
    /// The time control, from its tag.
    pub time_control: TimeControl,
}

/// The moves of the main line, up to the first null move.
pub(crate) fn main_line(tree: &GameTree) -> impl Iterator<Item = (NodeId, Move)> + '_ {
    tree.main_line().map_while(|node| Some((node, tree.mv(node)?)))
}

/// The moves of the main line of a game, up to the first null move: those that are judged.
pub fn moves_of(tree: &GameTree) -> impl Iterator<Item = Move> + '_ {
    main_line(tree).map(|(_, mv)| mv)
}

/// The evaluation of the last position of a game, whatever an engine thinks of a finished one.
fn evaluation(game: &Game, opinion: Option<&PositionEval>) -> Option<WhiteEval> {
    match game.outcome() {
        Some(Outcome::Checkmate(winner)) => Some(WhiteEval::Mate(if winner.is_white() { 1 } else { -1 })),
        Some(_) => Some(WhiteEval::Cp(0)),
        None => opinion.map(|opinion| opinion.eval),
    }
}

impl JudgedGame {
    /// Judges the main line of a game by opinions of its positions: that before the move after `skipped` plies, and
    /// those after it and each later move. An opinion that is missing leaves the moves before and after it without a
    /// judgement.
    pub fn new(tree: &GameTree, opinions: &[Option<PositionEval>], skipped: usize) -> Self {
        let (nodes, line): (Vec<NodeId>, Vec<Move>) = main_line(tree).unzip();
        let time_control = TimeControl::parse(tree.tag("TimeControl").unwrap_or_default());
        let times = times(tree, &nodes, time_control);
        let opinion = |ply: usize| opinions.get(ply.checked_sub(skipped)?)?.as_ref();
        let mut game = Game::new(tree.start().clone());
        let mut judged = Self {
            positions: vec![tree.start().clone()],
            moves: Vec::with_capacity(line.len()),
            opening: lookup(tree.start()),
            book_plies: 0,
            accuracy: ByColor::default(),
            counts: ByColor::default(),
            time_control,
        };
        let mut before = None;
        let mut phase = Phase::default();
        for (ply, (&mv, &time)) in line.iter().zip(&times).enumerate() {
            if ply == skipped {
                before = evaluation(&game, opinion(ply));
            }
            let position = game.position().clone();
            // The moves come from a parsed game, so they are legal.
            if game.push(mv).is_err() {
                break;
            }
            let after = if ply < skipped { None } else { evaluation(&game, opinion(ply + 1)) };
            phase = phase.max(Phase::of(&position));
            let known = lookup(game.position());
            if known.is_some() && judged.book_plies == ply {
                judged.book_plies = ply + 1;
            }
            judged.opening = known.or(judged.opening);
            let mut next = JudgedMove {
                mv,
                before,
                after,
                loss: None,
                centipawns: None,
                accuracy: None,
                class: None,
                better: opinion(ply).map(|opinion| opinion.line(&position, LINE)).unwrap_or_default(),
                reply: opinion(ply + 1).map(|opinion| opinion.line(game.position(), LINE)).unwrap_or_default(),
                refutation_length: None,
                phase,
                time,
                is_turning_point: false,
            };
            let margin = opinion(ply).and_then(PositionEval::margin);
            next.judge(&position, game.position(), margin, judged.book_plies > ply);
            if let (Some(loss), true) = (next.centipawns, next.class.is_some()) {
                judged.counts[position.turn()].add(loss, next.judgement());
            }
            judged.moves.push(next);
            judged.positions.push(game.position().clone());
            before = after;
        }
        judged.find_turning_points();
        judged.compute_accuracy(skipped);
        judged
    }

    /// The side that makes the move with an index.
    pub fn mover(&self, ply: usize) -> Color {
        self.positions[ply].turn()
    }

    /// The mover's chance to win before and after the move with an index, in per cent.
    pub fn chances(&self, ply: usize) -> Option<[f64; 2]> {
        let mover = self.mover(ply);
        Some(self.wins(ply)?.map(|win| of_side(win, mover)))
    }

    /// White's chance to win before and after the move with an index, in per cent.
    pub fn wins(&self, ply: usize) -> Option<[f64; 2]> {
        let mv = self.moves.get(ply)?;
        Some([mv.before?, mv.after?].map(win_percent))
    }

    fn find_turning_points(&mut self) {
        for ply in 0..self.moves.len() {
            let [Some([before, after]), next] = [self.wins(ply), self.wins(ply + 1)] else { continue };
            let is_bad = self.moves[ply].judgement() >= Some(Judgement::Mistake);
            let changes = leader(before) != leader(after);
            let is_given_back = next.is_some_and(|[_, next]| leader(next) == leader(before));
            let previous = ply.checked_sub(1).and_then(|ply| self.wins(ply));
            let gives_back = previous.is_some_and(|[earlier, _]| leader(earlier) == leader(after));
            self.moves[ply].is_turning_point = is_bad && changes && !is_given_back && !gives_back;
        }
    }

    fn compute_accuracy(&mut self, skipped: usize) {
        let Some(judged) = self.moves.get(skipped..) else { return };
        let Some(evals) = judged.iter().map(|mv| mv.after).collect::<Option<Vec<_>>>() else { return };
        let is_usual = skipped == 0 && self.positions[0] == Position::startpos();
        let start = if is_usual { Some(START) } else { judged.first().and_then(|mv| mv.before) };
        let Some(start) = start else { return };
        let wins: Vec<f64> = std::iter::once(start).chain(evals).map(win_percent).collect();
        let accuracies = WeightedAccuracies::new(&wins, self.positions[skipped].turn());
        let phases: Vec<Phase> = judged.iter().map(|mv| mv.phase).collect();
        self.accuracy = ByColor::from_fn(|side| SideAccuracy {
            game: accuracies.of(side, |_| true),
            phases: Phase::ALL.map(|phase| accuracies.of(side, |ply| phases[ply] == phase)),
        });
        for (ply, mv) in self.moves[skipped..].iter_mut().enumerate() {
            mv.accuracy = accuracies.of_ply(ply);
        }
    }
}

impl JudgedMove {
    /// Judges the move by the evaluations before and after it.
    fn judge(&mut self, position: &Position, after_move: &Position, margin: Option<f64>, is_book: bool) {
        let (Some(before), Some(after)) = (self.before, self.after) else { return };
        let mover = position.turn();
        let sign = if mover.is_white() { 1 } else { -1 };
        let facts = MoveFacts {
            is_forced: position.legal_moves().len() == 1,
            is_book,
            is_best: self.better.first() == Some(&self.mv),
            margin,
            before: of_side(win_percent(before), mover),
            after: of_side(win_percent(after), mover),
        };
        let loss = facts.loss();
        let centipawns = sign * (centipawns(before) - centipawns(after));
        self.loss = Some(loss);
        self.centipawns = Some(if facts.is_best { 0 } else { centipawns.max(0).unsigned_abs() });
        self.class = Some(MoveClass::of(&facts));
        if Judgement::of(loss).is_some() {
            self.refutation_length = refutation::length(after_move, &self.reply);
        }
    }
}

/// Who is ahead: a side whose chance is more than 60 %, or nobody.
fn leader(win: f64) -> Option<Color> {
    match win {
        win if win > 60.0 => Some(Color::White),
        win if win < 40.0 => Some(Color::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::{PgnScore, TreeReader};
    use std::path::Path;

    /// A stored opinion.
    fn opinion(position: &Position, eval: WhiteEval, line: &str) -> Option<PositionEval> {
        let (eval, line) = (serde_json::to_value(eval).unwrap(), serde_json::json!(line));
        let opinion: PositionEval = serde_json::from_value(serde_json::json!({"eval": eval, "line": line})).unwrap();
        assert!(opinion.line(position, 1).len() == usize::from(line != ""));
        Some(opinion)
    }

    fn read(text: &str) -> GameTree {
        TreeReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    /// The evaluations in the comments of a game, as opinions.
    fn commented(tree: &GameTree) -> Vec<Option<PositionEval>> {
        let start = opinion(tree.start(), START, "");
        let after = tree.main_line().map(|node| {
            let (score, _) = tree.annotations(node).eval?;
            let eval = match score {
                PgnScore::Centipawns(centipawns) => WhiteEval::Cp(centipawns),
                PgnScore::Mate(moves) => WhiteEval::Mate(moves),
            };
            opinion(tree.start(), eval, "")
        });
        std::iter::once(start).chain(after).collect()
    }

    /// Within 0.1 was the aim; the formulas agree.
    #[test]
    fn the_accuracy_of_games_is_that_of_an_independent_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/judgement");
        let games = std::fs::read(folder.join("games.pgn")).unwrap();
        let expected = std::fs::read_to_string(folder.join("accuracy.tsv")).unwrap();
        let mut lines = expected.lines();
        for tree in TreeReader::new(games.as_slice()).map(Result::unwrap) {
            let judged = JudgedGame::new(&tree, &commented(&tree), 0);
            let expected: Vec<f64> = lines.next().unwrap().split('\t').map(|value| value.parse().unwrap()).collect();
            for (side, expected) in Color::ALL.into_iter().zip(expected) {
                let found = judged.accuracy[side].game.unwrap();
                assert!((found - expected).abs() < 0.001, "{tree}: {side:?} {found} {expected}");
            }
        }
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn moves_get_classes_and_the_game_its_opening() {
        let tree = read("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. a3 Qg5 5. Nxe5 *");
        let evals = [20, 20, 25, 20, 20, 15, 90, 20, -10, -130].map(WhiteEval::Cp);
        let lines = ["", "", "", "", "", "", "f3e5", "d4f3", "e1g1", "g5g2"];
        let position = Position::startpos();
        let opinions: Vec<_> = evals
            .iter()
            .zip(lines)
            .map(|(eval, line)| {
                let mut opinion = opinion(&position, *eval, "").unwrap();
                opinion = serde_json::from_value(serde_json::json!({"eval": opinion.eval, "line": line})).unwrap();
                Some(opinion)
            })
            .collect();
        let judged = JudgedGame::new(&tree, &opinions, 0);
        let classes: Vec<_> = judged.moves.iter().map(|mv| mv.class.unwrap()).collect();
        use MoveClass::{Blunder, Book, Good, Inaccuracy, Mistake};
        assert_eq!(classes[..5], [Book; 5]);
        assert_eq!(classes[6..], [Inaccuracy, Good, Mistake]);
        assert!(![Blunder, Mistake].contains(&classes[5]));
        assert_eq!(judged.opening.unwrap().code(), "C50");
        assert!(judged.book_plies >= 5 && judged.positions.len() == 10);
        // Black's sixth move loses nothing: the evaluation rose for White by the errors of the analysis.
        assert_eq!(judged.counts[Color::White].judgements, [1, 1, 0]);
        assert_eq!(judged.moves[8].reply.len(), 1);
    }

    #[test]
    fn finished_and_unknown_positions_are_handled() {
        let tree = read("1. f3 e5 2. g4 Qh4# 0-1");
        let judged = JudgedGame::new(&tree, &[None, None, None, None, None], 0);
        assert_eq!(judged.moves[3].after, Some(WhiteEval::Mate(-1)));
        assert!(judged.moves.iter().all(|mv| mv.class.is_none() && mv.judgement().is_none()));
        assert_eq!(judged.accuracy[Color::White].game, None);
        // Judged from the last move on.
        let known = [opinion(tree.start(), WhiteEval::Mate(-1), ""), None];
        let judged = JudgedGame::new(&tree, &known, 3);
        assert_eq!(judged.moves[3].loss, Some(0.0));
        assert_eq!(judged.accuracy[Color::Black].game, Some(100.0));
        assert_eq!((judged.moves[2].before, judged.moves[2].after), (None, None));
        // No move at all.
        let judged = JudgedGame::new(&read("*"), &[None], 0);
        assert!(judged.moves.is_empty() && judged.positions.len() == 1);
    }

    #[test]
    fn a_turning_point_changes_the_leader() {
        let tree = read("1. a3 a6 2. b3 b6 3. c3 c6 *");
        let judge = |evals: [i32; 7]| {
            let opinions: Vec<_> = evals.iter().map(|&eval| opinion(tree.start(), WhiteEval::Cp(eval), "")).collect();
            let judged = JudgedGame::new(&tree, &opinions, 0);
            judged.moves.iter().map(|mv| mv.is_turning_point).collect::<Vec<_>>()
        };
        let at = |turning: &[usize]| (0..6).map(|ply| turning.contains(&ply)).collect::<Vec<_>>();
        assert_eq!(judge([0, 0, 0, -300, -300, -300, -310]), at(&[2]));
        // Given back at once: neither move counts.
        assert_eq!(judge([0, 0, 0, -300, 0, 0, 0]), at(&[]));
        // A side that stays ahead.
        assert_eq!(judge([500, 500, 500, 300, 300, 300, 300]), at(&[]));
    }
}
