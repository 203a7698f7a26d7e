//! The page of puzzles.

use super::board::{Picture, picture};
use super::data::{LineMove, PuzzleData, PuzzleReport};
use super::text::{self, MoveNumber};
use bartizan_notation::san::SanExt;
use bartizan_position::Position;
use maud::{Markup, html};

/// The solution in algebraic notation, as far as it is legal.
fn solution(puzzle: &PuzzleReport) -> String {
    let Ok(mut position) = Position::from_fen(&puzzle.fen) else { return String::new() };
    let mut line = Vec::new();
    for uci in &puzzle.moves {
        let Ok(mv) = position.parse_uci(uci) else { break };
        line.push(LineMove { san: position.san(mv).to_string(), uci: uci.clone() });
        position.make_unchecked(mv);
    }
    text::line(&puzzle.fen, &line)
}

fn puzzle(puzzle: &PuzzleReport, number: usize) -> Markup {
    let turn = MoveNumber::of(&puzzle.fen).turn;
    let label = format!("Puzzle {number}.");
    html! {
        li.panel {
            h2 { (number) ". " (text::side(turn)) " to move" }
            (picture(&Picture {
                fen: &puzzle.fen, bottom: turn, last_move: None, arrows: &[], label: &label, is_viewer: false,
            }))
            details {
                summary { "Solution" }
                p { (solution(puzzle)) }
                @if !puzzle.themes.is_empty() { p { "Themes: " (puzzle.themes.join(", ")) } }
                @if !puzzle.source.is_empty() { p.muted { (puzzle.source) } }
            }
        }
    }
}

/// The trainer, which the script fills, and the list of all puzzles.
pub(super) fn puzzles(data: &PuzzleData) -> Markup {
    html! {
        section data-trainer aria-label="Trainer" {}
        section.panel aria-label="All puzzles" {
            details open[data.puzzles.len() <= 12] {
                summary { "All puzzles (" (data.puzzles.len()) ")" }
                ul.puzzles { @for (index, each) in data.puzzles.iter().enumerate() { (puzzle(each, index + 1)) } }
            }
        }
    }
}
