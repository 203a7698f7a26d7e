//! `analyze` and its commands.

use super::{Mode, Stage, Xboard};
use crate::moves;
use bartizan_engine::{BookMove, Limits};
use bartizan_frontend::{Purpose, SearchProgress, Searching, resolve_move, san_line};
use bartizan_protocol::xboard::{Message, MoveText, Status};
use bartizan_types::Move;
use std::time::Duration;

/// The time of the search for a `hint` when nothing is known yet.
const HINT_TIME: Duration = Duration::from_millis(200);

impl Xboard {
    /// `analyze`.
    pub(super) fn analyse(&mut self) {
        self.mode = Mode::Analysing;
        self.start_analysis();
    }

    /// Analyses the position, replacing the current task.
    pub(super) fn start_analysis(&mut self) {
        self.abandon();
        if self.stage == Stage::Over {
            self.stage = Stage::Open;
        }
        self.proceed(Purpose::Analyse);
    }

    /// `exit`.
    pub(super) fn exit_analysis(&mut self) {
        if self.mode == Mode::Analysing {
            self.force();
        }
    }

    /// `.`: reports the progress of the search.
    pub(super) fn show_status(&mut self) {
        let Some(search) = self.session.task().search() else { return };
        let moves = search.control.root().count_legal_moves().saturating_sub(self.excluded.len() as u32);
        let status = status(search, moves, |mv| moves::text(mv, self.variant()).to_string());
        self.send(Message::Status(status));
    }

    /// `exclude` and `include`, for one move or for all.
    pub(super) fn exclude(&mut self, text: Option<&MoveText>, is_excluded: bool) {
        match text {
            None if is_excluded => self.excluded = self.session.engine.position().legal_moves().to_vec(),
            None => self.excluded.clear(),
            Some(text) => {
                let Some(mv) = resolve_move(self.session.engine.position(), &text.to_string()) else {
                    let command = if is_excluded { "exclude" } else { "include" };
                    self.refuse("illegal move", &format!("{command} {text}"));
                    return;
                };
                self.excluded.retain(|&other| other != mv);
                if is_excluded {
                    self.excluded.push(mv);
                }
            }
        }
        if self.mode == Mode::Analysing {
            self.start_analysis();
        }
    }

    /// `hint`: the expected move, the hash move, or the result of a short search.
    pub(super) fn hint(&mut self) {
        if self.stage == Stage::NoPosition {
            return;
        }
        let search = self.session.task().search();
        let known = match search.map(|search| (search.purpose, &search.progress.best)) {
            Some((Purpose::Ponder(Some(guess)), _)) => Some(guess),
            Some((Purpose::Analyse, Some(info))) => info.pv.first().copied(),
            _ => self.session.engine.table_move(),
        };
        let mv = known.or_else(|| self.search_hint());
        if let Some(mv) = mv {
            self.send(Message::Hint(moves::text(mv, self.variant())));
        }
    }

    /// `bk`: the book moves, for a window of the client. Each line begins with a space, and an empty line ends the
    /// answer.
    pub(super) fn show_book(&mut self) {
        match self.session.engine.book_moves() {
            Ok(Some(moves)) if !moves.is_empty() => {
                let total: u32 = moves.iter().map(|mv| u32::from(mv.weight)).sum();
                for BookMove { mv, weight, .. } in moves {
                    let percent = 100.0 * f64::from(weight) / f64::from(total.max(1));
                    let mv = san_line(self.session.engine.position(), &[mv]);
                    self.print(format_args!(" {:<7} {percent:5.1} %  weight {weight}", mv.to_string()));
                }
            }
            Ok(Some(_)) => self.print(" no moves in the book"),
            Ok(None) => self.print(" cannot read the book; set the option BookFile again"),
            Err(error) => self.print(format_args!(" cannot read the book: {error}")),
        }
        self.print("");
    }

    /// The result of a short search, if the engine is idle.
    fn search_hint(&mut self) -> Option<Move> {
        if !self.session.task().is_idle() {
            return None;
        }
        let game = self.session.engine.game().clone();
        self.session.engine.search(game, Limits::move_time(HINT_TIME), 1).ok()?.wait().best
    }
}

/// The answer to `.`; `moves` is the number of root moves.
fn status(search: &Searching, moves: u32, name: impl Fn(Move) -> String) -> Status {
    let SearchProgress { best, current, depth, .. } = &search.progress;
    let searched = current.map_or(moves, |(_, number)| number);
    let mv = current.map(|(mv, _)| mv).or_else(|| best.as_ref()?.pv.first().copied());
    Status {
        time: (search.started.elapsed().as_millis() / 10) as u64,
        nodes: search.control.nodes(),
        ply: *depth,
        moves_left: moves.saturating_sub(searched),
        moves,
        current: mv.map(name).unwrap_or_default(),
    }
}
