//! Writes the judgement of a game into it.

use crate::judgement::{JudgedGame, JudgedMove, Judgement, main_line};
use crate::{WhiteEval, judgement::JudgementCounts};
use bartizan_notation::pgn::{GameTree, Nag, NodeId, PgnScore, TreeError};
use bartizan_types::{ByColor, Move};

/// How a game is annotated.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationStyle {
    /// The number of opening plies that are not judged.
    pub skipped: usize,
    /// The maximum length of a better line in plies.
    pub variation: usize,
    /// Whether existing evaluations and move glyphs are removed first.
    pub replaces: bool,
    /// Whether the evaluation after each move is written, as `[%eval -0.25]`.
    pub evals: bool,
}

impl Default for AnnotationStyle {
    /// Judges every move, adds evaluations and better lines of 8 plies, and removes nothing.
    fn default() -> Self {
        Self { skipped: 0, variation: 8, replaces: false, evals: true }
    }
}

impl Judgement {
    fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::DUBIOUS,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }
}

/// Writes evaluations, glyphs, better lines and reasons into the main line of a game. Returns the losses of each side.
///
/// `reasons` has a text for each move, which follows the move as a comment; it may be empty or short.
pub fn annotate_judged(
    tree: &mut GameTree,
    judged: &JudgedGame,
    reasons: &[Option<String>],
    style: AnnotationStyle,
) -> ByColor<JudgementCounts> {
    let line: Vec<(NodeId, Move)> = main_line(tree).collect();
    for (ply, (&(node, _), mv)) in line.iter().zip(&judged.moves).enumerate().skip(style.skipped) {
        // The nodes are in the tree.
        let _ = clear(tree, node, style);
        let is_mate = judged.positions.get(ply + 1).is_some_and(|position| position.is_checkmate());
        if let Some(after) = mv.after.filter(|_| style.evals && !is_mate) {
            let _ = write_eval(tree, node, after);
        }
        if let Some(judgement) = mv.judgement() {
            let _ = write_judgement(tree, node, mv, judgement, style.variation);
        }
        if let Some(Some(reason)) = reasons.get(ply) {
            let _ = write_reason(tree, node, reason);
        }
    }
    judged.counts
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
fn write_eval(tree: &mut GameTree, node: NodeId, eval: WhiteEval) -> Result<(), TreeError> {
    let mut comment = tree.annotations(node);
    if comment.eval.is_none() {
        let score = match eval {
            WhiteEval::Cp(centipawns) => PgnScore::Centipawns(centipawns),
            WhiteEval::Mate(moves) => PgnScore::Mate(moves),
        };
        comment.eval = Some((score, None));
        tree.set_annotations(node, &comment)?;
    }
    Ok(())
}

/// Writes a glyph, unless there is one for a move, and the better line.
fn write_judgement(
    tree: &mut GameTree,
    node: NodeId,
    mv: &JudgedMove,
    judgement: Judgement,
    length: usize,
) -> Result<(), TreeError> {
    let nags = tree.nags_mut(node)?;
    if !nags.iter().any(|nag| nag.is_of_move()) {
        nags.insert(0, judgement.nag());
    }
    let better = &mv.better[..length.min(mv.better.len())];
    if !better.is_empty() {
        let parent = tree.parent(node).unwrap_or(tree.root());
        tree.add_line(parent, better)?;
    }
    Ok(())
}

/// Adds a reason to the comment of a move, unless the comment has it.
fn write_reason(tree: &mut GameTree, node: NodeId, reason: &str) -> Result<(), TreeError> {
    let mut comment = tree.annotations(node);
    if !comment.text.contains(reason) {
        comment.text = if comment.text.is_empty() { reason.to_owned() } else { format!("{} {reason}", comment.text) };
        tree.set_annotations(node, &comment)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PositionEval;
    use bartizan_notation::pgn::TreeReader;
    use bartizan_types::Color;

    fn read(text: &str) -> GameTree {
        TreeReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn opinion(eval: &str, line: &str) -> Option<PositionEval> {
        Some(serde_json::from_str(&format!(r#"{{"eval":{{{eval}}},"line":"{line}"}}"#)).unwrap())
    }

    const STYLE: AnnotationStyle = AnnotationStyle { skipped: 0, variation: 2, replaces: false, evals: true };

    fn write(
        tree: &mut GameTree,
        opinions: &[Option<PositionEval>],
        reasons: &[Option<String>],
        style: AnnotationStyle,
    ) -> ByColor<JudgementCounts> {
        let judged = JudgedGame::new(tree, opinions, style.skipped);
        annotate_judged(tree, &judged, reasons, style)
    }

    fn movetext(tree: &GameTree) -> String {
        tree.to_string().split_once("\n\n").unwrap().1.trim().to_owned()
    }

    #[test]
    fn a_game_gets_evaluations_glyphs_better_lines_and_reasons() {
        let mut tree = read("1. f3 {weak} e5 (1... d5) 2. g4 $14 {[%clk 0:01:00]} Qh4# 0-1");
        let opinions = [
            opinion(r#""cp":20"#, "e2e4 e7e5 g1f3"),
            opinion(r#""cp":-60"#, "e7e5 e2e4"),
            opinion(r#""cp":-70"#, "g1h3 d7d5 e2e4"),
            opinion(r#""mate":-1"#, "d8h4"),
            None,
        ];
        let reasons = [None, None, Some("Allows mate by Qh4.".to_owned())];
        let counts = write(&mut tree, &opinions, &reasons, STYLE);
        let expected = "1. f3 $6 {[%eval -0.60] weak} (1. e4 e5) 1... e5 {[%eval -0.70]} (1... d5)\n\
                        2. g4 $4 $14 {[%clk 0:01:00] [%eval #-1] Allows mate by Qh4.} (2. Nh3 d5)\n\
                        2... Qh4# 0-1";
        assert_eq!(movetext(&tree), expected);
        assert_eq!(counts[Color::White], JudgementCounts { moves: 2, loss: 80 + 930, judgements: [1, 0, 1] });
        assert_eq!(counts[Color::Black], JudgementCounts { moves: 2, loss: 0, judgements: [0; 3] });
        // A second pass changes nothing.
        write(&mut tree, &opinions, &reasons, STYLE);
        assert_eq!(movetext(&tree), expected);
    }

    #[test]
    fn evaluations_are_optional() {
        let mut tree = read("1. e4 *");
        write(
            &mut tree,
            &[opinion(r#""cp":20"#, "e2e4"), opinion(r#""cp":25"#, "e7e5")],
            &[],
            AnnotationStyle { evals: false, ..STYLE },
        );
        assert_eq!(movetext(&tree), "1. e4 *");
    }

    #[test]
    fn what_is_there_stays_unless_it_is_replaced() {
        let text = "1. e4 $1 {[%eval 0.3] good} d5 $4 {[%eval 0.5]} 2. a3 -- 3. a4 *";
        let opinions =
            [opinion(r#""cp":20"#, "d2d4"), opinion(r#""cp":10"#, "d7d5"), None, opinion(r#""cp":-400"#, "d5e4")];
        let mut tree = read(text);
        write(&mut tree, &opinions, &[], STYLE);
        assert_eq!(
            movetext(&tree),
            "1. e4 $1 {[%eval 0.3] good} 1... d5 $4 {[%eval 0.5]} 2. a3 {[%eval -4.00]}\n2... -- 3. a4 *"
        );
        let mut tree = read(text);
        let counts = write(&mut tree, &opinions, &[], AnnotationStyle { replaces: true, ..STYLE });
        assert_eq!(movetext(&tree), "1. e4 $1 {[%eval 0.10] good} 1... d5 2. a3 {[%eval -4.00]} 2... -- 3. a4 *");
        // A move is judged by the positions before and after it.
        assert_eq!(counts.0.map(|counts| counts.moves), [1, 0]);
        let mut tree = read(text);
        write(&mut tree, &opinions[2..], &[], AnnotationStyle { skipped: 2, replaces: true, ..STYLE });
        assert_eq!(
            movetext(&tree),
            "1. e4 $1 {[%eval 0.3] good} 1... d5 $4 {[%eval 0.5]} 2. a3 {[%eval -4.00]}\n2... -- 3. a4 *"
        );
    }
}
