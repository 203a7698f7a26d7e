//! The first page of several games: totals and the list of the games.

use super::data::{GameReport, MistakeCounts, MoveReport, ReportData};
use super::summary::COUNTS;
use super::text::{self, MoveNumber};
use crate::MoveClass;
use crate::judgement::{Phase, TimeControl};
use bartizan_types::Color;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// A mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, number: Option<f64>) {
        if let Some(number) = number {
            self.sum += number;
            self.count += 1;
        }
    }

    fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// The totals of a group of games or moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    /// 0 for a group of moves.
    games: usize,
    /// Points, 0 to 100 each.
    score: Mean,
    moves: usize,
    accuracy: Mean,
    counts: MistakeCounts,
}

impl Tally {
    fn add_game(&mut self, game: &GameReport, color: Color, score: Option<f64>) {
        self.games += 1;
        self.score.add(score);
        self.add_side(game, color);
    }

    /// The moves of a side, and its accuracy in the game.
    fn add_side(&mut self, game: &GameReport, color: Color) {
        self.moves += moves_of(game, color).count();
        self.accuracy.add(game.accuracy[color].game);
        let counts = &game.counts[color];
        self.counts.inaccuracies += counts.inaccuracies;
        self.counts.mistakes += counts.mistakes;
        self.counts.blunders += counts.blunders;
        self.counts.missed_wins += counts.missed_wins;
    }

    fn add_move(&mut self, mv: &MoveReport) {
        self.moves += 1;
        self.counts.add(mv);
        // Moves without a choice say nothing about a player.
        let is_chosen = !matches!(mv.class, MoveClass::Book | MoveClass::Forced);
        self.accuracy.add(mv.accuracy.filter(|_| is_chosen));
    }
}

/// The moves of a side with their plies.
fn moves_of(game: &GameReport, color: Color) -> impl Iterator<Item = (usize, &MoveReport)> {
    let first = MoveNumber::of(&game.start_fen).turn;
    let skipped = usize::from(first != color);
    game.moves.iter().enumerate().skip(skipped).step_by(2).map(|(index, mv)| (index + 1, mv))
}

/// The points of a side, from 0 to 100; `None` if the game has no result.
fn score(game: &GameReport, color: Color) -> Option<f64> {
    let white = match game.tags.result.as_str() {
        "1-0" => 100.0,
        "0-1" => 0.0,
        "1/2-1/2" => 50.0,
        _ => return None,
    };
    Some(if color.is_white() { white } else { 100.0 - white })
}

/// Seconds below which a player is in time trouble.
fn time_trouble(game: &GameReport) -> f64 {
    TimeControl::parse(&game.tags.time_control).trouble().as_secs_f64()
}

/// A table of totals.
struct Table {
    title: &'static str,
    /// The title of the first column.
    group: &'static str,
    note: Option<&'static str>,
    rows: Vec<(String, Tally)>,
}

/// The games with the sides that count.
struct Totals<'a> {
    games: &'a [GameReport],
    /// The player whose games these are, if there is one.
    subject: Option<&'a str>,
}

impl<'a> Totals<'a> {
    fn new(games: &'a [GameReport]) -> Self {
        let first = games.first().into_iter().flat_map(|game| Color::ALL.map(|color| text::player(game, color)));
        let plays = |game: &GameReport, name: &str| Color::ALL.iter().any(|&color| text::player(game, color) == name);
        let common: Vec<&str> = first.filter(|name| games.iter().all(|game| plays(game, name))).collect();
        // In a match between two players, neither is the subject.
        let subject = match common[..] {
            [name] if games.len() > 1 => Some(name),
            _ => None,
        };
        Self { games, subject }
    }

    /// The sides of a game that count.
    fn sides(&self, game: &GameReport) -> impl Iterator<Item = Color> {
        let counts = Color::ALL.map(|color| self.subject.is_none_or(|name| text::player(game, color) == name));
        Color::ALL.into_iter().zip(counts).filter_map(|(color, counts)| counts.then_some(color))
    }

    fn by_player(&self) -> Table {
        let mut rows: BTreeMap<&str, Tally> = BTreeMap::new();
        for game in self.games {
            for color in Color::ALL {
                rows.entry(text::player(game, color)).or_default().add_game(game, color, score(game, color));
            }
        }
        Table { title: "By player", group: "Player", note: None, rows: by_games(rows) }
    }

    fn by_opening(&self) -> Table {
        let mut rows: BTreeMap<&str, Tally> = BTreeMap::new();
        for game in self.games {
            let family = game
                .opening
                .as_ref()
                .map_or("Unknown", |opening| opening.name.split([':', ',']).next().unwrap_or_default().trim());
            let tally = rows.entry(family).or_default();
            let mut sides = self.sides(game);
            let Some(first) = sides.next() else { continue };
            tally.add_game(game, first, score(game, first));
            sides.for_each(|color| tally.add_side(game, color));
        }
        let note =
            if self.subject.is_none() { Some("The score is White's; the rest counts both players.") } else { None };
        Table { title: "By opening", group: "Opening", note, rows: by_games(rows) }
    }

    fn by_color(&self) -> Table {
        let rows = Color::ALL.map(|color| {
            let mut tally = Tally::default();
            for game in self.games.iter().filter(|game| self.sides(game).any(|side| side == color)) {
                tally.add_game(game, color, score(game, color));
            }
            (text::side(color).to_owned(), tally)
        });
        let rows = rows.into_iter().filter(|(_, tally)| tally.games > 0).collect();
        Table { title: "By colour", group: "Colour", note: None, rows }
    }

    /// Moves in groups.
    fn by_move(
        &self,
        group: impl Fn(&GameReport, usize, &MoveReport) -> Option<usize>,
        names: &[&str],
    ) -> Vec<(String, Tally)> {
        let mut tallies = vec![Tally::default(); names.len()];
        for game in self.games {
            for color in self.sides(game) {
                for (ply, mv) in moves_of(game, color) {
                    if let Some(tally) = group(game, ply, mv).and_then(|index| tallies.get_mut(index)) {
                        tally.add_move(mv);
                    }
                }
            }
        }
        names.iter().map(ToString::to_string).zip(tallies).filter(|(_, tally)| tally.moves > 0).collect()
    }

    fn by_phase(&self) -> Table {
        let mut rows = self.by_move(|_, _, mv| Some(mv.phase as usize), &Phase::ALL.map(Phase::name));
        // That of each game, as in the other tables.
        for (name, tally) in &mut rows {
            tally.accuracy = Mean::default();
            for phase in Phase::ALL.into_iter().filter(|phase| phase.name() == name.as_str()) {
                for game in self.games {
                    self.sides(game).for_each(|color| tally.accuracy.add(game.accuracy[color].phase(phase)));
                }
            }
        }
        Table { title: "By phase", group: "Phase", note: None, rows }
    }

    fn by_time_trouble(&self) -> Table {
        let group = |game: &GameReport, ply: usize, _: &MoveReport| {
            let limit = time_trouble(game);
            // What was left when the player began to think.
            let before = game.moves.get(ply.checked_sub(3)?)?.clock?;
            Some(usize::from(before >= limit))
        };
        let rows = self.by_move(group, &["In time trouble", "With time left"]);
        let note = Some(
            "Time trouble: less than a tenth of the first period, or less than 30 seconds if it is unknown. The \
             accuracy is the mean over the moves.",
        );
        Table { title: "By time left", group: "Time", note, rows }
    }
}

/// Rows with the most games first.
fn by_games(rows: BTreeMap<&str, Tally>) -> Vec<(String, Tally)> {
    let mut rows: Vec<_> = rows.into_iter().map(|(name, tally)| (name.to_owned(), tally)).collect();
    rows.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
    rows
}

fn table(table: &Table) -> Markup {
    let has_games = table.rows.iter().any(|(_, tally)| tally.games > 0);
    html! {
        @if !table.rows.is_empty() {
            section.panel aria-label=(table.title) {
                div.table-scroll role="region" aria-label=(table.title) tabindex="0" {
                    table.numbers {
                        caption { (table.title) }
                        thead {
                            tr {
                                th scope="col" { (table.group) }
                                @if has_games { th scope="col" { "Games" } th scope="col" { "Score" } }
                                th scope="col" { "Moves" }
                                th scope="col" { "Accuracy" }
                                @for (title, _) in COUNTS { th scope="col" { (title) } }
                            }
                        }
                        tbody {
                            @for (name, tally) in &table.rows {
                                tr {
                                    th scope="row" { (name) }
                                    @if has_games { td { (tally.games) } td { (text::percent(tally.score.get())) } }
                                    td { (tally.moves) }
                                    td { (text::percent(tally.accuracy.get())) }
                                    @for (_, count) in COUNTS { td { (count(&tally.counts)) } }
                                }
                            }
                        }
                    }
                }
                @if let Some(note) = table.note { p.muted { (note) } }
            }
        }
    }
}

/// The table of the games.
fn games(report: &ReportData, link: &dyn Fn(usize) -> String) -> Markup {
    html! {
        section.panel aria-label="Games" {
            div.table-scroll role="region" aria-label="Games" tabindex="0" {
                table.numbers.games {
                    caption { "Games" }
                    thead {
                        tr {
                            @for title in ["Game", "Result", "Opening", "Accuracy", "Blunders", "Date"] {
                                th scope="col" { (title) }
                            }
                        }
                    }
                    tbody {
                        @for (index, game) in report.games.iter().enumerate() {
                            @let accuracy = Color::ALL.map(|color| text::percent(game.accuracy[color].game));
                            @let blunders = Color::ALL.map(|color| game.counts[color].blunders);
                            tr {
                                th scope="row" { a href=(link(index)) { (index + 1) ". " (text::players(game)) } }
                                td { (game.tags.result) }
                                td { @if let Some(opening) = &game.opening { (opening.eco) " " (opening.name) } }
                                td { (accuracy[0]) " – " (accuracy[1]) }
                                td { (blunders[0]) " – " (blunders[1]) }
                                td { (text::date(&game.tags.date)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Totals and games. `link` is the address of a game.
pub(super) fn index(report: &ReportData, link: &dyn Fn(usize) -> String) -> Markup {
    let totals = Totals::new(&report.games);
    let tables =
        [totals.by_color(), totals.by_phase(), totals.by_time_trouble(), totals.by_opening(), totals.by_player()];
    html! {
        @if let Some(name) = totals.subject { p.muted { "Totals of " (name) ", except by player." } }
        (games(report, link))
        div.totals { @for each in &tables { (table(each)) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::OpeningName;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn game(white: &str, black: &str, result: &str, classes: &[MoveClass]) -> GameReport {
        let mut game = GameReport { start_fen: START.to_owned(), ..GameReport::default() };
        (game.tags.white, game.tags.black) = (white.to_owned(), black.to_owned());
        game.tags.result = result.to_owned();
        game.tags.time_control = "180+2".to_owned();
        game.opening = Some(OpeningName { eco: "B90".to_owned(), name: "Sicilian Defense: Najdorf".to_owned() });
        for (index, &class) in classes.iter().enumerate() {
            let phase = if index < 2 { Phase::Opening } else { Phase::Middlegame };
            let accuracy = Some(if class.is_mistake() { 40.0 } else { 100.0 });
            let clock = Some(60.0 - 16.0 * index as f64);
            let loss = match class {
                MoveClass::Inaccuracy => 6.0,
                MoveClass::Blunder => 30.0,
                _ => 0.0,
            };
            let mv = MoveReport { class, loss, phase, accuracy, clock, ..MoveReport::default() };
            game.counts[if index % 2 == 0 { Color::White } else { Color::Black }].add(&mv);
            game.moves.push(mv);
        }
        (game.accuracy[Color::White].game, game.accuracy[Color::Black].game) = (Some(90.0), Some(70.0));
        (game.accuracy[Color::White].middlegame, game.accuracy[Color::Black].middlegame) = (Some(95.0), Some(75.0));
        game
    }

    fn games() -> Vec<GameReport> {
        use MoveClass::{Best, Blunder, Book, Inaccuracy};
        let mut second = game("Ben", "Anna", "1/2-1/2", &[Book, Book, Best, Best, Best, Inaccuracy]);
        second.opening = None;
        vec![game("Anna", "Ben", "1-0", &[Book, Book, Best, Blunder, Best, Best]), second]
    }

    #[test]
    fn a_match_counts_both_sides() {
        let games = games();
        let totals = Totals::new(&games);
        assert_eq!(totals.subject, None);
        let rows = totals.by_player().rows;
        assert_eq!(rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Anna", "Ben"]);
        let anna = rows[0].1;
        assert_eq!((anna.games, anna.moves, anna.score.get(), anna.accuracy.get()), (2, 6, Some(75.0), Some(80.0)));
        assert_eq!((anna.counts.inaccuracies, rows[1].1.counts.blunders), (1, 1));
        let openings = totals.by_opening().rows;
        assert_eq!(openings[0].0, "Sicilian Defense");
        assert_eq!((openings[0].1.games, openings[0].1.moves, openings[0].1.score.get()), (1, 6, Some(100.0)));
        assert_eq!(openings[1].0, "Unknown");
    }

    #[test]
    fn the_games_of_one_player_count_that_player() {
        let mut games = games();
        games[1].tags.white = "Carl".to_owned();
        let totals = Totals::new(&games);
        assert_eq!(totals.subject, Some("Anna"));
        let colors = totals.by_color().rows;
        assert_eq!(colors.iter().map(|(_, tally)| (tally.games, tally.moves)).collect::<Vec<_>>(), [(1, 3), (1, 3)]);
        let phases = totals.by_phase().rows;
        assert_eq!(phases.iter().map(|(_, tally)| tally.moves).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(phases[0].1.accuracy.get(), None);
        assert_eq!(phases[1].1.accuracy.get(), Some(85.0));
        assert_eq!(phases[1].1.counts.inaccuracies, 1);
    }

    #[test]
    fn time_trouble_is_a_tenth_of_the_first_period() {
        let games = games();
        let rows = Totals::new(&games).by_time_trouble().rows;
        // Clocks before plies 3 to 6: 60, 44, 28, 12; the limit is 18 seconds.
        assert_eq!(rows.iter().map(|(_, tally)| tally.moves).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(rows[0].1.counts.inaccuracies, 1);
        let mut game = games[0].clone();
        let limits = ["40/7200:3600", "60", "-", ""].map(|tag| {
            game.tags.time_control = tag.to_owned();
            time_trouble(&game)
        });
        assert_eq!(limits, [720.0, 6.0, 30.0, 30.0]);
    }
}
