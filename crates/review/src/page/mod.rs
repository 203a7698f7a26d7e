//! Pages to read reviews and puzzles: HTML that is complete without its script, in files that need nothing else.
//!
//! ```
//! use bartizan_review::page::{self, GameReport, MoveReport, ReportData};
//!
//! let mut game = GameReport::default();
//! game.tags.white = "Anna <b>".to_owned();
//! game.start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
//! game.moves.push(MoveReport {
//!     san: "e4".to_owned(),
//!     uci: "e2e4".to_owned(),
//!     fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
//!     ..MoveReport::default()
//! });
//! let html = page::html(&ReportData { games: vec![game], ..ReportData::default() });
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("Anna &lt;b&gt;"));
//! ```
//!
//! All text is escaped where it is put into HTML, and a content security policy allows no script but the page's own,
//! which it names by its hash, and no access to a network.
//!
//! The script is the modules in `web/report`, which other pages can use with the markup of [`game_markup`].

mod board;
mod data;
mod document;
mod fill;
mod game;
mod graph;
mod moments;
mod moves;
mod puzzles;
mod script;
mod summary;
mod text;
mod totals;

pub use data::{
    CriticalMoment, GameReport, GameTags, LineMove, MistakeCounts, MoveReport, OpeningName, PhaseAccuracy, PuzzleData,
    PuzzleReport, ReportData,
};

use document::Document;
use maud::{Markup, html};
use std::borrow::Cow;

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its content.
    pub html: String,
}

/// The markup of a game, for a page whose script enhances it: `createViewer` and others in `web/report`. `index` is
/// that of the game in the data of the page.
pub fn game_markup(game: &GameReport, index: usize) -> String {
    game::game(game, index, false).into_string()
}

/// The title of a report.
fn title(report: &ReportData) -> Cow<'_, str> {
    match (report.title.as_str(), &report.games[..]) {
        ("", [game]) => Cow::Owned(text::players(game)),
        ("", games) => Cow::Owned(format!("{} games reviewed", games.len())),
        (title, _) => Cow::Borrowed(title),
    }
}

/// What evaluated the positions, for the foot of a page.
fn origin(report: &ReportData) -> Markup {
    html! {
        @if !report.engine.is_empty() {
            p {
                "Positions evaluated by " (report.engine)
                @if !report.budget.is_empty() { ", " (report.budget) }
                "."
            }
        }
        p {
            "The expected score is the share of the points that a player can expect: 100% for a certain win, 50% for a \
             draw."
        }
    }
}

/// One page with all games. With several games, totals and a list of the games are first.
pub fn html(report: &ReportData) -> String {
    let title = title(report);
    let has_index = report.games.len() != 1;
    let body = html! {
        @if has_index {
            section #index data-index { (totals::index(report, &|index| format!("#g{}", index + 1))) }
        }
        @for (index, game) in report.games.iter().enumerate() {
            (game::game(game, index, has_index))
        }
    };
    Document { title: &title, heading: has_index, nav: html!(), foot: origin(report) }.write(report, &body)
}

/// A first page with totals and a list of the games, `index.html`, and a page for each game.
pub fn pages(report: &ReportData) -> Vec<PageFile> {
    let width = report.games.len().to_string().len();
    let name = |index: usize| format!("game-{:0width$}.html", index + 1);
    let part = |title: String, games: Vec<GameReport>| ReportData {
        title,
        engine: report.engine.clone(),
        budget: report.budget.clone(),
        games,
    };
    let first = part(title(report).into_owned(), Vec::new());
    let body = html! { section #index { (totals::index(report, &name)) } };
    let document = Document { title: &first.title, heading: true, nav: html!(), foot: origin(report) };
    let mut files = vec![PageFile { name: "index.html".to_owned(), html: document.write(&first, &body) }];
    for (index, game) in report.games.iter().enumerate() {
        let one = part(text::players(game), vec![game.clone()]);
        let nav = html! {
            nav.page-nav aria-label="Games" {
                a href="index.html" { "All games" }
                @if index > 0 { a href=(name(index - 1)) rel="prev" { "Previous game" } }
                @if index + 1 < report.games.len() { a href=(name(index + 1)) rel="next" { "Next game" } }
            }
        };
        let document = Document { title: &one.title, heading: false, nav, foot: origin(report) };
        files.push(PageFile { name: name(index), html: document.write(&one, &game::game(game, 0, false)) });
    }
    files
}

/// The markup of puzzles, for a page whose script trains them: `createTrainer` in `web/report`.
pub fn puzzles_markup(data: &PuzzleData) -> String {
    puzzles::puzzles(data).into_string()
}

/// A page that trains puzzles. Without its script, it shows them with solutions to unfold.
pub fn puzzles(data: &PuzzleData) -> String {
    let title = if data.title.is_empty() { "Puzzles" } else { &data.title };
    Document { title, heading: true, nav: html!(), foot: html!() }.write(data, &puzzles::puzzles(data))
}

#[cfg(test)]
mod tests;
