//! Judges the moves of a game by an engine's opinions of its positions.

use crate::review::ReviewedGame;
use crate::{Analyser, AnalysisError, Limits, SearchLine};
use bartizan_client::Score;
use bartizan_eval::{MaterialCount, WdlModel, internal};
use bartizan_notation::pgn::{GameTree, Nag, NodeId, PgnScore, TreeError};
use bartizan_position::{Game, Outcome, Position};
use bartizan_types::{ByColor, Color, Move};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// An evaluation, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Eval {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if Black mates.
    Mate(i32),
}

/// An engine's view of a position: an evaluation and a best line. Can be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionEval {
    eval: Eval,
    /// The best line: moves in coordinate notation, separated by spaces.
    line: String,
}

impl PositionEval {
    /// The opinion that a search has of a position.
    pub(crate) fn new(position: &Position, best: &SearchLine) -> Self {
        let for_white = |number: i32| if position.turn().is_white() { number } else { number.saturating_neg() };
        let eval = match best.score {
            Score::Cp(centipawns) => Eval::Cp(for_white(centipawns)),
            Score::Mate(moves) => Eval::Mate(for_white(moves)),
        };
        let moves: Vec<String> = best.pv.iter().map(ToString::to_string).collect();
        Self { eval, line: moves.join(" ") }
    }

    /// The first moves of the best line of a position.
    fn line(&self, position: &Position, length: usize) -> Vec<Move> {
        let mut position = position.clone();
        let play = |word| {
            let mv = position.parse_uci(word).ok()?;
            position.make_unchecked(mv);
            Some(mv)
        };
        self.line.split(' ').take(length).map_while(play).collect()
    }
}

/// A move that loses expected score, in points per game (a draw is half a point).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// From 0.1 points on; `?!` in PGN.
    Inaccuracy,
    /// From 0.2 points on; `?`.
    Mistake,
    /// From 0.3 points on; `??`.
    Blunder,
}

impl Judgement {
    /// The number of marks.
    pub const COUNT: usize = 3;

    /// The least loss of expected score, in points per game (a draw is half a point).
    const LIMITS: [(Self, f64); Self::COUNT] = [(Self::Blunder, 0.3), (Self::Mistake, 0.2), (Self::Inaccuracy, 0.1)];

    fn of(loss: f64) -> Option<Self> {
        Self::LIMITS.iter().find(|&&(_, limit)| loss >= limit).map(|&(mark, _)| mark)
    }

    fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::DUBIOUS,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }
}

/// A player's marks and the total loss of all judged moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgementCounts {
    /// The number of judged moves.
    pub moves: u64,
    /// The sum of the losses in centipawns.
    pub loss: u64,
    /// The number of moves with each [`Judgement`].
    pub judgements: [u64; Judgement::COUNT],
}

impl JudgementCounts {
    /// The number of moves with a mark.
    pub fn count(&self, mark: Judgement) -> u64 {
        self.judgements[mark as usize]
    }

    /// The mean loss of a move in centipawns; `None` if no move was judged.
    #[allow(clippy::cast_precision_loss)] // Sums of centipawns are far below 2^52.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss as f64 / self.moves as f64)
    }
}

/// Adds the moves of another game.
impl AddAssign for JudgementCounts {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.judgements.iter_mut().zip(other.judgements).for_each(|(sum, marks)| *sum += marks);
    }
}

/// Centipawns beyond which a loss does not count because the game is decided.
const DECIDED: i32 = 1_000;

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct JudgedEval {
    eval: Eval,
    /// Whether to write the evaluation: after checkmate there is none.
    is_shown: bool,
}

impl JudgedEval {
    /// Of the last position of a game; `None` if unknown.
    fn of(game: &Game, opinion: Option<&PositionEval>) -> Option<Self> {
        Some(match game.outcome() {
            Some(Outcome::Checkmate(winner)) => {
                Self { eval: Eval::Mate(if winner.is_white() { 1 } else { -1 }), is_shown: false }
            }
            Some(_) => Self { eval: Eval::Cp(0), is_shown: true },
            None => Self { eval: opinion?.eval, is_shown: true },
        })
    }

    /// The points that White can expect with this material on the board.
    fn points(self, material: MaterialCount) -> f64 {
        match self.eval {
            Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
            Eval::Cp(centipawns) => {
                let [win, draw, _] = WdlModel::FITTED.chances(internal(centipawns, material).into(), material);
                win + draw / 2.0
            }
        }
    }

    /// Centipawns for White, at most [`DECIDED`].
    fn centipawns(self) -> i32 {
        match self.eval {
            Eval::Mate(moves) => DECIDED * moves.signum(),
            Eval::Cp(centipawns) => centipawns.clamp(-DECIDED, DECIDED),
        }
    }

    fn shown(self) -> Option<PgnScore> {
        self.is_shown.then_some(match self.eval {
            Eval::Mate(moves) => PgnScore::Mate(moves),
            Eval::Cp(centipawns) => PgnScore::Centipawns(centipawns),
        })
    }
}

/// How a game is annotated.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationStyle {
    /// The number of opening plies that are not judged.
    pub skipped: usize,
    /// The maximum length of a better line in plies.
    pub variation: usize,
    /// Whether existing evaluations and move glyphs are removed first.
    pub replaces: bool,
}

/// The moves of the main line, up to the first null move.
pub(crate) fn moves(tree: &GameTree) -> impl Iterator<Item = (NodeId, Move)> + '_ {
    tree.main_line().map_while(|node| Some((node, tree.mv(node)?)))
}

impl Default for AnnotationStyle {
    /// Judges every move, adds better lines of 8 plies, and removes nothing.
    fn default() -> Self {
        Self { skipped: 0, variation: 8, replaces: false }
    }
}

/// Lets an analyser judge the moves of a game, and writes evaluations, marks and better lines into it. Returns the
/// losses of each side.
///
/// # Errors
/// [`AnalysisError`] if the analyser fails. The game is then unchanged.
pub fn annotate(
    tree: &mut GameTree,
    analyser: &mut Analyser,
    limits: &Limits,
    style: AnnotationStyle,
) -> Result<ByColor<JudgementCounts>, AnalysisError> {
    let Some(mut game) = ReviewedGame::new(1, tree.clone(), style.skipped, None) else { return Ok(ByColor::default()) };
    for (at, game_to_there) in game.positions() {
        let lines = analyser.best_lines(&game_to_there, limits, 1)?;
        game.opinions[at] = lines.first().map(|best| PositionEval::new(game_to_there.position(), best));
    }
    Ok(write_opinions(tree, &game.opinions, style))
}

/// Writes the opinions of the positions before and after the judged moves into a game.
pub(crate) fn write_opinions(
    tree: &mut GameTree,
    opinions: &[Option<PositionEval>],
    style: AnnotationStyle,
) -> ByColor<JudgementCounts> {
    let line: Vec<(NodeId, Move)> = moves(tree).collect();
    let mut game = Game::new(tree.start().clone());
    let mut tallies = ByColor([JudgementCounts::default(); 2]);
    let mut before = None;
    for (ply, &(node, mv)) in line.iter().enumerate() {
        let index = ply.checked_sub(style.skipped);
        let opinion = |index: Option<usize>| opinions.get(index?)?.as_ref();
        if index == Some(0) {
            before = JudgedEval::of(&game, opinion(index));
        }
        let position = game.position().clone();
        // The moves come from a parsed game, so they are legal.
        if game.push(mv).is_err() {
            break;
        }
        let Some(index) = index else { continue };
        let after = JudgedEval::of(&game, opinion(Some(index + 1)));
        // The node is in the tree.
        let _ = clear(tree, node, style);
        if let Some(score) = after.and_then(JudgedEval::shown) {
            let _ = evaluate(tree, node, score);
        }
        if let (Some(before), Some(after), Some(opinion)) = (before, after, opinion(Some(index))) {
            let better = opinion.line(&position, style.variation.max(1));
            // The engine has nothing better than its own choice.
            let is_best = better.first() == Some(&mv);
            let loss = if is_best { Loss::default() } else { Loss::of(before, after, &position) };
            let tally = &mut tallies[position.turn()];
            tally.moves += 1;
            tally.loss += u64::from(loss.centipawns);
            if let Some(mark) = Judgement::of(loss.points) {
                tally.judgements[mark as usize] += 1;
                if let Ok(nags) = tree.nags_mut(node)
                    && !nags.iter().any(|nag| nag.is_of_move())
                {
                    nags.insert(0, mark.nag());
                }
                if style.variation > 0 {
                    let parent = tree.parent(node).unwrap_or(tree.root());
                    // The line consists of legal moves.
                    let _ = tree.add_line(parent, &better);
                }
            }
        }
        before = after;
    }
    tallies
}

/// Removes an earlier judgement of a move, if requested.
fn clear(tree: &mut GameTree, node: NodeId, style: AnnotationStyle) -> Result<(), TreeError> {
    if !style.replaces {
        return Ok(());
    }
    let mut comment = tree.annotations(node);
    if comment.eval.take().is_some() {
        tree.set_annotations(node, &comment)?;
    }
    tree.nags_mut(node)?.retain(|nag| ![Nag::DUBIOUS, Nag::MISTAKE, Nag::BLUNDER].contains(nag));
    Ok(())
}

/// Writes the evaluation after a move, unless there is one.
fn evaluate(tree: &mut GameTree, node: NodeId, score: PgnScore) -> Result<(), TreeError> {
    let mut comment = tree.annotations(node);
    if comment.eval.is_none() {
        comment.eval = Some((score, None));
        tree.set_annotations(node, &comment)?;
    }
    Ok(())
}

/// The loss of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Loss {
    /// Expected points of the game.
    points: f64,
    centipawns: u32,
}

impl Loss {
    /// The loss of a move in `position`, from the values before and after it.
    fn of(before: JudgedEval, after: JudgedEval, position: &Position) -> Self {
        // The same material for both, so that an equal evaluation does not count as a loss.
        let material = MaterialCount::of(position);
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        let points = f64::from(sign) * (before.points(material) - after.points(material));
        let centipawns = sign * (before.centipawns() - after.centipawns());
        Self { points: points.max(0.0), centipawns: centipawns.max(0).unsigned_abs() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_notation::pgn::TreeReader;

    fn read(text: &str) -> GameTree {
        TreeReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn opinion(eval: Eval, line: &str) -> Option<PositionEval> {
        Some(PositionEval { eval, line: line.to_owned() })
    }

    const STYLE: AnnotationStyle = AnnotationStyle { skipped: 0, variation: 2, replaces: false };

    fn movetext(tree: &GameTree) -> String {
        tree.to_string().split_once("\n\n").unwrap().1.trim().to_owned()
    }

    #[test]
    fn losses_become_marks() {
        assert_eq!([0.0, 0.099, 0.1, 0.2, 0.299, 0.3, 1.0].map(Judgement::of), {
            use Judgement::{Blunder, Inaccuracy, Mistake};
            [None, None, Some(Inaccuracy), Some(Mistake), Some(Mistake), Some(Blunder), Some(Blunder)]
        });
        let worth = |eval| JudgedEval { eval, is_shown: true };
        let start = Position::startpos();
        let loss = |before, after| Loss::of(worth(before), worth(after), &start);
        assert_eq!(loss(Eval::Cp(30), Eval::Cp(30)), Loss::default());
        assert_eq!(loss(Eval::Cp(0), Eval::Cp(90)), Loss::default());
        assert_eq!(loss(Eval::Mate(3), Eval::Mate(-2)), Loss { points: 1.0, centipawns: 2_000 });
        // A won position stays won.
        let won = loss(Eval::Mate(3), Eval::Cp(900));
        assert!(won.points < 0.1 && won.centipawns == 100, "{won:?}");
    }

    #[test]
    fn a_game_gets_evaluations_glyphs_and_better_lines() {
        let mut tree = read("1. f3 {weak} e5 (1... d5) 2. g4 $14 {[%clk 0:01:00]} Qh4# 0-1");
        let opinions = [
            opinion(Eval::Cp(20), "e2e4 e7e5 g1f3"),
            opinion(Eval::Cp(-60), "e7e5 e2e4"),
            opinion(Eval::Cp(-70), "g1h3 d7d5 e2e4"),
            opinion(Eval::Mate(-1), "d8h4"),
            None,
        ];
        let tallies = write_opinions(&mut tree, &opinions, STYLE);
        let expected = "1. f3 $6 {[%eval -0.60] weak} (1. e4 e5) 1... e5 {[%eval -0.70]} (1... d5)\n\
                        2. g4 $4 $14 {[%clk 0:01:00] [%eval #-1]} (2. Nh3 d5) 2... Qh4# 0-1";
        assert_eq!(movetext(&tree), expected);
        assert_eq!(tallies[Color::White], JudgementCounts { moves: 2, loss: 80 + 930, judgements: [1, 0, 1] });
        assert_eq!(tallies[Color::Black], JudgementCounts { moves: 2, loss: 0, judgements: [0; 3] });
        // A second pass changes nothing.
        write_opinions(&mut tree, &opinions, STYLE);
        assert_eq!(movetext(&tree), expected);
    }

    #[test]
    fn what_is_there_stays_unless_it_is_replaced() {
        let text = "1. e4 $1 {[%eval 0.3] good} d5 $4 {[%eval 0.5]} 2. a3 -- 3. a4 *";
        let opinions =
            [opinion(Eval::Cp(20), "d2d4"), opinion(Eval::Cp(10), "d7d5"), None, opinion(Eval::Cp(-400), "d5e4")];
        let mut tree = read(text);
        write_opinions(&mut tree, &opinions, STYLE);
        assert_eq!(
            movetext(&tree),
            "1. e4 $1 {[%eval 0.3] good} 1... d5 $4 {[%eval 0.5]} 2. a3 {[%eval -4.00]}\n2... -- 3. a4 *"
        );
        let mut tree = read(text);
        let tallies = write_opinions(&mut tree, &opinions, AnnotationStyle { replaces: true, ..STYLE });
        assert_eq!(movetext(&tree), "1. e4 $1 {[%eval 0.10] good} 1... d5 2. a3 {[%eval -4.00]} 2... -- 3. a4 *");
        // A move is judged by the positions before and after it.
        assert_eq!(tallies.0.map(|tally| tally.moves), [1, 0]);
        let mut tree = read(text);
        write_opinions(&mut tree, &opinions[2..], AnnotationStyle { skipped: 2, replaces: true, ..STYLE });
        assert!(movetext(&tree).starts_with("1. e4 $1 {[%eval 0.3] good} 1... d5 $4"), "{tree}");
    }
}
