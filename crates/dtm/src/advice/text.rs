//! Advice as text.

use crate::advice::position::can_claim;
use crate::advice::{Advice, AdvisedMove, PositionValue, TheoreticalResult, Verdict};
use bartizan_notation::san::numbered;
use std::fmt;

/// The maximum width of a line of text.
const WIDTH: usize = 100;

impl Advice {
    /// The result in a few words, such as "White to move and win: mate in 12 moves".
    pub fn headline(&self) -> String {
        let side = self.position.turn().name();
        let PositionValue { outcome, mate, .. } = self.value;
        if self.position.is_checkmate() {
            return format!("{side} is checkmated");
        }
        if self.position.is_stalemate() {
            return format!("{side} is stalemated: a draw");
        }
        let result = match outcome {
            TheoreticalResult::Win => "win",
            TheoreticalResult::Draw => "draw",
            TheoreticalResult::Loss => "lose",
        };
        match mate.and_then(|mate| mate.moves()).filter(|_| outcome != TheoreticalResult::Draw) {
            Some(moves) => {
                let s = if moves == 1 { "" } else { "s" };
                format!("{side} to move and {result}: mate in {moves} move{s}")
            }
            None => format!("{side} to move and {result}"),
        }
    }

    /// A sentence on the effect of the 50-move rule.
    pub fn rule(&self) -> String {
        let clock = self.position.halfmove_clock();
        let PositionValue { outcome, with_rule, .. } = self.value;
        let counted = if clock == 0 { String::new() } else { format!(", {} of it gone", plies(clock.into())) };
        match (outcome, with_rule) {
            (TheoreticalResult::Draw, _) => "A draw with and without the 50-move rule.".to_owned(),
            (_, Some(with)) if with == outcome => format!("The 50-move rule changes nothing{counted}."),
            (_, Some(_)) => format!("By the 50-move rule it is a draw{counted}."),
            (_, None) => format!("The tables do not say whether the 50-move rule makes it a draw{counted}."),
        }
    }

    /// The line of best play with move numbers.
    pub fn line_text(&self) -> String {
        // The moves of the line are legal.
        numbered(&self.position, &self.line).unwrap_or_default()
    }

    /// A sentence on why the line of best play ends before the game is decided: a draw can be claimed by the 50-move
    /// rule. `None` if it ends for another reason.
    pub fn line_end(&self) -> Option<&'static str> {
        let last = self.line.iter().fold(self.position.clone(), |position, &mv| position.play_unchecked(mv));
        can_claim(&last).then_some("A draw by the 50-move rule can be claimed.")
    }
}

impl AdvisedMove {
    /// The result of the move, for the side that plays it: "mate in 3", "draw", "mated in 5".
    pub fn result(&self) -> String {
        let PositionValue { outcome, mate, zeroing, .. } = self.value;
        match (outcome, mate.and_then(|mate| mate.moves()), zeroing) {
            (TheoreticalResult::Draw, ..) => "draw".to_owned(),
            (TheoreticalResult::Win, Some(moves), _) => format!("mate in {moves}"),
            (TheoreticalResult::Loss, Some(moves), _) => format!("mated in {moves}"),
            (_, None, Some(zeroing)) => {
                format!("{}, {} to a capture, pawn move or mate", outcome.noun(), plies(zeroing.plies()))
            }
            (_, None, None) => outcome.noun().to_owned(),
        }
    }

    /// The effect on the result: "best", "2 moves slower", "throws the win away".
    pub fn comment(&self) -> String {
        let plural = |moves: u16| if moves == 1 { "" } else { "s" };
        match (self.verdict, self.value.outcome) {
            (Verdict::Best, TheoreticalResult::Draw) => "keeps the draw".to_owned(),
            (Verdict::Best, _) => "best".to_owned(),
            (Verdict::Keeps(0), _) => "keeps the result".to_owned(),
            (Verdict::Keeps(moves), TheoreticalResult::Loss) => format!("{moves} move{} sooner", plural(moves)),
            (Verdict::Keeps(moves), _) => format!("{moves} move{} slower", plural(moves)),
            (Verdict::TooSlow, _) => "too slow for the 50-move rule".to_owned(),
            (Verdict::Uncertain, TheoreticalResult::Loss) => "may lose".to_owned(),
            (Verdict::Uncertain, _) => "may be too slow for the 50-move rule".to_owned(),
            (Verdict::Spoils(TheoreticalResult::Draw), _) => "throws the win away".to_owned(),
            (Verdict::Spoils(_), _) if self.value.with_rule == Some(TheoreticalResult::Loss) => "loses".to_owned(),
            (Verdict::Spoils(_), _) => "gives the draw away".to_owned(),
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.position.to_fen())?;
        writeln!(f, "{}. {}", self.headline(), self.rule())?;
        if let Some(plan) = &self.plan {
            writeln!(f, "\n{}", plan.title)?;
            for text in &plan.text {
                wrapped(f, text)?;
            }
        }
        if !self.moves.is_empty() {
            writeln!(f, "\nMoves")?;
        }
        let width = self.moves.iter().map(|mv| mv.result().len()).max().unwrap_or(0);
        for mv in &self.moves {
            writeln!(f, "  {:<7} {:<width$}  {}", mv.san, mv.result(), mv.comment())?;
        }
        let end = self.line_end();
        if !self.line.is_empty() || end.is_some() {
            writeln!(f, "\nBest play")?;
        }
        if !self.line.is_empty() {
            wrapped(f, &self.line_text())?;
        }
        if let Some(end) = end {
            writeln!(f, "  {end}")?;
        }
        Ok(())
    }
}

/// "1 ply", "2 plies".
fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// Writes an indented paragraph, wrapped to a limited width.
fn wrapped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut column = 0;
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        // Keeps a move on the same line as its number.
        let is_number = word.strip_suffix('.').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let glued = words.next_if(|_| is_number).map(|next| format!("{word} {next}"));
        let word = glued.as_deref().unwrap_or(word);
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            writeln!(f)?;
            column = 0;
        }
        let space = if column == 0 { "  " } else { " " };
        write!(f, "{space}{word}")?;
        column += space.len() + length;
    }
    writeln!(f)
}
