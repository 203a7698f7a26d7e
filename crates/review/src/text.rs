//! The review of a game as text, for a terminal of 80 columns.

mod graph;

use crate::judgement::{JudgedGame, JudgedMove, Judgement, MoveClass, Phase};
use bartizan_notation::pgn::GameTree;
use bartizan_notation::san::{San, move_number, numbered};
use bartizan_position::Position;
use bartizan_types::{Color, Escaped, Move};
use std::fmt::Write;

/// The longest line.
const WIDTH: usize = 80;

/// The maximum length of a better line, in plies.
const LINE: usize = 8;

/// Draws a position; the move led to it.
pub type DrawBoard<'a> = &'a dyn Fn(&Position, Option<Move>) -> String;

/// How the text is drawn.
#[derive(Clone, Copy, Default)]
pub struct TextStyle<'a> {
    /// Whether to use ANSI colours.
    pub colors: bool,
    /// Whether to draw the graph with Unicode blocks, which are finer than ASCII.
    pub blocks: bool,
    /// Draws the positions in which bad moves were played. `None` for no boards.
    pub board: Option<DrawBoard<'a>>,
}

impl TextStyle<'_> {
    /// `text` in an ANSI style, if there are colours.
    fn paint(&self, code: &str, text: &str) -> String {
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// A text in the colour of a judgement.
    fn judged(&self, judgement: Judgement, text: &str) -> String {
        let code = match judgement {
            Judgement::Inaccuracy => "33",
            Judgement::Mistake => "35",
            Judgement::Blunder => "1;31",
        };
        self.paint(code, text)
    }
}

/// The review of a game: players, opening, accuracy, a graph of the chances, and every bad move with the better line.
///
/// `reasons` has a text for each move, which follows the move; it may be empty or short. Text of the game's tags is
/// [escaped](Escaped), so the result can be printed as it is.
///
/// ```
/// use bartizan_notation::pgn::{GameTree, TreeReader};
/// use bartizan_review::{JudgedGame, TextStyle, text};
///
/// let tree: GameTree = "[White \"Müller\"]\n\n1. e4 e5 2. h4 *".parse()?;
/// let judged = JudgedGame::new(&tree, &[], 0);
/// let review = text(&tree, &judged, &[], TextStyle::default());
/// assert!(review.starts_with("Müller - ?  *\nC20 King's Pawn Game; out of book with 2. h4\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(tree: &GameTree, judged: &JudgedGame, reasons: &[Option<String>], style: TextStyle<'_>) -> String {
    let mut text = heading(tree, judged, style);
    text += &format!("\n{}", table(judged, style));
    if let Some(graph) = graph::draw(judged, style.blocks) {
        text += &format!("\n{}\n{graph}", style.bold("White's chance to win in %, a draw as half a win:"));
    }
    let bad: Vec<usize> = (0..judged.moves.len()).filter(|&ply| judged.moves[ply].judgement().is_some()).collect();
    if bad.is_empty() {
        return text + "\nNo inaccuracies, mistakes or blunders.\n";
    }
    text += &format!("\n{}\n", style.bold("Bad moves, with the mover's chance before and after:"));
    for ply in bad {
        let reason = reasons.get(ply).and_then(Option::as_deref);
        text += &format!("\n{}", bad_move(judged, ply, reason, style));
    }
    text
}

/// Players, result, event and opening.
fn heading(tree: &GameTree, judged: &JudgedGame, style: TextStyle<'_>) -> String {
    let tag = |name| {
        let value = tree.tag(name).unwrap_or_default();
        if value.trim_matches(['?', '.', '-', ' ']).is_empty() { None } else { Some(Escaped(value).to_string()) }
    };
    let player = |name, rating| {
        let name = tag(name).unwrap_or_else(|| "?".to_owned());
        tag(rating).map_or(name.clone(), |rating| format!("{name} ({rating})"))
    };
    let players = format!("{} - {}", player("White", "WhiteElo"), player("Black", "BlackElo"));
    let mut text = style.bold(&wrap(&format!("{players}  {}", tree.result), 0)) + "\n";
    // An unknown month or day is left out.
    let date = tag("Date").map(|date| date.trim_end_matches(".??").to_owned());
    let event: Vec<String> = [tag("Event"), tag("Site"), date].into_iter().flatten().collect();
    if !event.is_empty() {
        text += &(wrap(&event.join(", "), 0) + "\n");
    }
    if let Some(opening) = judged.opening {
        let mut line = format!("{} {}", opening.code(), opening.name());
        if judged.book_plies > 0 && judged.book_plies < judged.moves.len() {
            let _ = write!(line, "; out of book with {}", numbered_move(judged, judged.book_plies));
        }
        text += &(wrap(&line, 0) + "\n");
    }
    text
}

/// Accuracy and the number of bad moves of each side, for each phase that was played.
fn table(judged: &JudgedGame, style: TextStyle<'_>) -> String {
    let glyphs = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder].map(Judgement::glyph);
    let [a, b, c] = glyphs;
    let head = format!("{:>8}{a:>4}{b:>4}{c:>4}", "accuracy");
    let sides = format!("{:12}{:^20}      {:^20}", "", "White", "Black");
    let mut text =
        format!("{}\n{}\n", style.bold(sides.trim_end()), style.bold(&format!("{:12}{head}      {head}", "")));
    for phase in Phase::ALL {
        if judged.moves.iter().any(|mv| mv.phase == phase && mv.class.is_some()) {
            text += &row(judged, phase.name(), Some(phase));
        }
    }
    text += &row(judged, "Game", None);
    let legend = format!("{a} inaccuracy, {b} mistake, {c} blunder: a loss of 5, 10, 15 points of win %.");
    text + &legend + "\n"
}

/// A row of the table, for one phase or for the whole game.
fn row(judged: &JudgedGame, name: &str, phase: Option<Phase>) -> String {
    let side = |color: Color| {
        let is_here = |ply: usize, mv: &JudgedMove| judged.mover(ply) == color && phase.is_none_or(|it| it == mv.phase);
        let moves = || judged.moves.iter().enumerate().filter(|&(ply, mv)| mv.class.is_some() && is_here(ply, mv));
        let accuracy = &judged.accuracy[color];
        let accuracy = phase.map_or(accuracy.game, |phase| accuracy.phases[phase as usize]);
        let accuracy = accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}"));
        let mut text = format!("{accuracy:>8}");
        for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
            let count = moves().filter(|(_, mv)| mv.judgement() == Some(judgement)).count();
            let count = if moves().next().is_some() { count.to_string() } else { "-".to_owned() };
            let _ = write!(text, "{count:>4}");
        }
        text
    };
    format!("{name:12}{}      {}\n", side(Color::White), side(Color::Black))
}

/// A move with its number: `12... Nf6`.
fn numbered_move(judged: &JudgedGame, ply: usize) -> String {
    let position = &judged.positions[ply];
    format!("{}{}", move_number(position), San::new(position, judged.moves[ply].mv))
}

/// A bad move: what it was, the better line, and the reason.
fn bad_move(judged: &JudgedGame, ply: usize, reason: Option<&str>, style: TextStyle<'_>) -> String {
    let (position, mv) = (&judged.positions[ply], &judged.moves[ply]);
    let Some(judgement) = mv.judgement() else { return String::new() };
    let name = format!("{}{}", numbered_move(judged, ply), judgement.glyph());
    let mut text = style.judged(judgement, &format!("{name:<16}"));
    if let Some([before, after]) = judged.chances(ply) {
        let _ = write!(text, " {before:>3.0} % -> {after:>2.0} %");
    }
    match mv.class {
        Some(class @ MoveClass::MissedWin) => text += &format!("  {class}"),
        _ => text += &format!("  {judgement}"),
    }
    if mv.is_turning_point {
        text += ", turning point";
    }
    text.push('\n');
    if let Some(draw) = style.board {
        let last = ply.checked_sub(1).map(|before| judged.moves[before].mv);
        text += &format!("\n{}\n\n", draw(position, last));
    }
    let better = &mv.better[..mv.better.len().min(LINE)];
    // The lines are legal: they were read from the position.
    if let Ok(line) = numbered(position, better)
        && !line.is_empty()
    {
        text += &(wrap(&format!("    Better: {line}"), 12) + "\n");
    }
    if let Some(reason) = reason {
        text += &(wrap(&format!("    {}", Escaped(reason)), 4) + "\n");
    }
    text
}

/// The text in lines of at most 80 columns; all but the first are indented by `indent`. A longer word is not divided.
/// Move numbers stay with their moves.
///
/// ```
/// let line = format!("Better: {}1. e4 e5", "x ".repeat(36));
/// assert!(bartizan_review::wrap(&line, 2).ends_with("x\n  1. e4 e5"));
/// ```
pub fn wrap(text: &str, indent: usize) -> String {
    let begin = text.len() - text.trim_start_matches(' ').len();
    let mut lines = text[..begin].to_owned();
    let (mut column, mut is_first) = (begin, true);
    let mut rest = text[begin..].split(' ').peekable();
    while let Some(word) = rest.next() {
        let mut word = word.to_owned();
        if word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit()) {
            word = rest.next().map_or(word.clone(), |mv| format!("{word} {mv}"));
        }
        let length = word.chars().count();
        if !is_first && column + 1 + length > WIDTH {
            lines.truncate(lines.trim_end().len());
            lines += &format!("\n{:indent$}", "");
            (column, is_first) = (indent, true);
        }
        if !is_first {
            lines.push(' ');
            column += 1;
        }
        lines += &word;
        (column, is_first) = (column + length, false);
    }
    lines
}

#[cfg(test)]
mod tests;
