//! Advice as a page with diagrams.

use crate::advice::{Advice, TheoreticalResult, Verdict};
use bartizan_notation::pgn::MarkColor;
use bartizan_notation::san::numbered;
use bartizan_notation::svg::{Arrow, BoardPicture, SquareMark};
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, Move};
use std::fmt::{self, Write};

/// The maximum number of diagrams of the line of best play.
const DIAGRAMS: usize = 8;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}figure{margin:0}
.board{width:min(26rem,100%)}.line{display:flex;flex-wrap:wrap;gap:1rem}.line figure{width:12rem}
figcaption{font-size:.85rem}table{border-collapse:collapse}td{padding:.15rem .8rem .15rem 0}
.best{color:#1f7a2e}.spoils{color:#9e2020}code{font-size:.85rem;overflow-wrap:anywhere}";

impl Advice {
    /// The advice as an HTML page: a single file with the diagrams embedded as SVG. The winning side, or the side to
    /// move, is at the bottom of the diagrams.
    pub fn to_html(&self) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_html(&mut page);
        page
    }

    fn write_html(&self, page: &mut String) -> fmt::Result {
        let title = escaped(&self.headline());
        writeln!(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(page, "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>")?;
        writeln!(page, "<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        let best = self.moves.first().map(|best| best.mv);
        let squares = self.plan.as_ref().map_or(Bitboard::EMPTY, |plan| plan.squares);
        writeln!(
            page,
            "<figure class=\"board\">{}</figure>",
            diagram(&self.position, self.bottom(), None, best, squares)
        )?;
        writeln!(page, "<p>{}</p>\n<p><code>{}</code></p>", escaped(&self.rule()), escaped(&self.position.to_fen()))?;
        if let Some(plan) = &self.plan {
            writeln!(page, "<h2>{}</h2>", escaped(plan.title))?;
            plan.text.iter().try_for_each(|text| writeln!(page, "<p>{}</p>", escaped(text)))?;
        }
        if !self.moves.is_empty() {
            writeln!(page, "<h2>Moves of {}</h2>\n<table>", self.position.turn().name())?;
        }
        for mv in &self.moves {
            let class = match mv.verdict {
                Verdict::Best => "best",
                Verdict::Keeps(_) => "keeps",
                Verdict::TooSlow | Verdict::Uncertain | Verdict::Spoils(_) => "spoils",
            };
            let cells = [mv.san.clone(), mv.result(), mv.comment()].map(|text| format!("<td>{}</td>", escaped(&text)));
            writeln!(page, "<tr class=\"{class}\">{}</tr>", cells.concat())?;
        }
        if !self.moves.is_empty() {
            writeln!(page, "</table>")?;
        }
        self.write_line(page)?;
        writeln!(page, "</body>\n</html>")
    }

    fn bottom(&self) -> Color {
        let turn = self.position.turn();
        if self.value.outcome == TheoreticalResult::Loss { turn.flip() } else { turn }
    }

    /// The line of best play, with diagrams of positions at equal distances.
    fn write_line(&self, page: &mut String) -> fmt::Result {
        let end = self.line_end();
        if !self.line.is_empty() || end.is_some() {
            writeln!(page, "<h2>Best play</h2>")?;
        }
        if !self.line.is_empty() {
            writeln!(page, "<p>{}</p>", escaped(&self.line_text()))?;
        }
        if let Some(end) = end {
            writeln!(page, "<p>{}</p>", escaped(end))?;
        }
        if self.line.is_empty() {
            return Ok(());
        }
        writeln!(page, "<div class=\"line\">")?;
        let number = self.line.len().min(DIAGRAMS);
        let mut shown = (1..=number).map(|n| n * self.line.len() / number).peekable();
        let mut position = self.position.clone();
        let mut since = (position.clone(), 0);
        for (index, &mv) in self.line.iter().enumerate() {
            position = position.play_unchecked(mv);
            if shown.next_if_eq(&(index + 1)).is_some() {
                let moves = numbered(&since.0, &self.line[since.1..=index]).unwrap_or_default();
                let picture = diagram(&position, self.bottom(), Some(mv), None, Bitboard::EMPTY);
                writeln!(page, "<figure>{picture}<figcaption>{}</figcaption></figure>", escaped(&moves))?;
                since = (position.clone(), index + 1);
            }
        }
        writeln!(page, "</div>")
    }
}

/// A board with the last move, the best move as an arrow, and marked squares.
fn diagram(
    position: &Position,
    bottom: Color,
    last: Option<Move>,
    best: Option<Move>,
    squares: Bitboard,
) -> BoardPicture {
    let mut board = BoardPicture::new(position).seen_by(bottom).last_move(last);
    for square in squares {
        board = board.mark(SquareMark { square, color: MarkColor::Blue });
    }
    match best {
        Some(mv) => board.arrow(Arrow { from: mv.from(), to: mv.to(), color: MarkColor::Green }),
        None => board,
    }
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
