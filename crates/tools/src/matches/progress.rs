//! The progress display during a match.

use crate::output::{note, say};
use bartizan_match::{GameRecord, MatchEvent, MatchSettings, Standing, TournamentFormat, report};
use bartizan_types::Escaped;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Interval of the lines that replace the progress bar if there is no terminal.
const INTERVAL: Duration = Duration::from_secs(30);

/// How much of a match is shown while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Only warnings.
    Nothing,
    /// A line now and then too, on standard error.
    Lines,
    /// A progress bar, or a line now and then where there is no terminal.
    Bar,
    /// The same, and a line for each finished game on standard output.
    Games,
}

/// Shows the events of a match: finished games on standard output, everything else on standard error.
pub(crate) struct Progress<'a> {
    settings: &'a MatchSettings,
    detail: Detail,
    bar: ProgressBar,
    last: Instant,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(settings: &'a MatchSettings, detail: Detail) -> Self {
        let has_bar = matches!(detail, Detail::Bar | Detail::Games);
        let bar = if has_bar { ProgressBar::no_length() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len}  {msg}  {elapsed} elapsed, {eta} left") {
            bar.set_style(style);
        }
        Self { settings, detail, bar, last: Instant::now() }
    }

    /// Shows an event.
    pub(crate) fn show(&mut self, event: MatchEvent<'_>) {
        match event {
            MatchEvent::Started { standing, games, openings } => {
                self.warn_of_repeats(games, openings);
                self.bar.set_length(games as u64);
                self.bar.set_position(standing.games as u64);
                self.bar.reset_eta();
            }
            MatchEvent::Restart { engine, reason } => {
                let (engine, reason) = (Escaped(self.settings.label(engine)), Escaped(reason));
                self.bar.suspend(|| note!("warning: restarting engine '{engine}': {reason}"));
            }
            MatchEvent::LogFailed { path, error } => {
                let path = Escaped(path.display());
                self.bar.suspend(|| note!("warning: cannot write the log '{path}', which lacks lines: {error}"));
            }
            MatchEvent::Game { record, standing } => self.show_game(record, standing),
            _ => {}
        }
    }

    /// Removes the progress bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// Warns if openings repeat: deterministic engines then play the same game again, which counts twice.
    fn warn_of_repeats(&self, games: usize, openings: usize) {
        let rounds = self.settings.rounds as usize;
        let needed = if self.settings.format == TournamentFormat::Pairs { games / 2 } else { rounds };
        if self.settings.openings.is_none() {
            note!("warning: without --openings every game starts from the initial position, so games will repeat");
        } else if needed > openings {
            note!("warning: the match needs {needed} openings and the file has {openings}, so openings will repeat");
        }
    }

    fn show_game(&mut self, record: &GameRecord, standing: &Standing) {
        self.bar.suspend(|| {
            if self.settings.strict {
                for fault in &record.faults {
                    let (game, ply, detail) = (record.id + 1, fault.ply + 1, Escaped(&fault.detail));
                    let engine = Escaped(self.settings.label(fault.engine));
                    note!("warning: game {game}, ply {ply}: engine '{engine}': {}: {detail}", fault.kind);
                }
            }
            if self.detail == Detail::Games {
                // A reader that has closed the pipe does not end the match.
                let _ = say!("{}", report::game(self.settings, record, standing));
            }
        });
        self.bar.inc(1);
        self.bar.set_message(report::live(self.settings, standing));
        if wants_line(self.detail, self.bar.is_hidden(), self.last.elapsed()) {
            self.last = Instant::now();
            note!("{} games  {}", standing.games, report::live(self.settings, standing));
        }
    }
}

/// Whether a line about the standing is due, after this time without one.
fn wants_line(detail: Detail, is_hidden: bool, since: Duration) -> bool {
    detail != Detail::Nothing && is_hidden && since >= INTERVAL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_replace_a_bar_that_is_hidden() {
        let due = |detail, is_hidden| wants_line(detail, is_hidden, INTERVAL);
        assert!([Detail::Lines, Detail::Bar, Detail::Games].into_iter().all(|detail| due(detail, true)));
        assert!(!due(Detail::Nothing, true) && !due(Detail::Games, false));
        assert!(!wants_line(Detail::Games, true, INTERVAL / 2));
    }
}
