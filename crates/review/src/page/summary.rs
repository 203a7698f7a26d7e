//! The table of accuracy and mistakes.

use super::data::{GameReport, MistakeCounts};
use super::text;
use crate::judgement::Phase;
use bartizan_types::Color;
use maud::{Markup, html};

/// A row of the counts: its title, and how to read it.
type CountRow = (&'static str, fn(&MistakeCounts) -> usize);

/// The counts in the order of tables.
pub(super) const COUNTS: [CountRow; 4] = [
    ("Inaccuracies", |counts| counts.inaccuracies),
    ("Mistakes", |counts| counts.mistakes),
    ("Blunders", |counts| counts.blunders),
    ("Of these, missed wins", |counts| counts.missed_wins),
];

/// Accuracy and mistakes of both players.
pub(super) fn summary(game: &GameReport) -> Markup {
    let accuracies = [game.accuracy[Color::White], game.accuracy[Color::Black]];
    let row = |title: &str, values: [String; 2]| {
        html! {
            tr {
                th scope="row" { (title) }
                @for value in values { td { (value) } }
            }
        }
    };
    html! {
        table.numbers {
            caption { "Accuracy and mistakes" }
            thead {
                tr {
                    th scope="col" { span.vh { "Measure" } }
                    @for color in Color::ALL { th scope="col" { (text::player(game, color)) } }
                }
            }
            tbody {
                (row("Accuracy", accuracies.map(|accuracy| text::percent(accuracy.game))))
                @for phase in Phase::ALL {
                    @let values = accuracies.map(|accuracy| accuracy.phase(phase));
                    @if values.iter().any(Option::is_some) {
                        (row(phase.name(), values.map(text::percent)))
                    }
                }
                @for (title, count) in COUNTS {
                    (row(title, Color::ALL.map(|color| count(&game.counts[color]).to_string())))
                }
            }
        }
    }
}
