//! `bartizan play`: a game against the engine in a terminal.
//!
//! The engine searches on its own threads, so commands are read at any time. Commands that come during a search wait
//! for its end, except `stop` and `quit`. `quit` stops the search, and waiting lines are handled before the end, so
//! that a `save` is not lost. Everything also works through a pipe, with a plain board.

mod advice;
mod commands;
mod record;

pub(crate) use commands::find_move;

use self::record::Saved;
use crate::review::{ReviewOutcome, draw};
use crate::score::resolve_move;
use crate::task::{Purpose, Searching};
use crate::terminal::board::{self, View};
use crate::{FileSettings, FrontEnd, Output, Session};
use bartizan_engine::{Level, Limits, MaterialCount, SearchEvent, SearchResult, shown};
use bartizan_notation::pgn::GameResult;
use bartizan_notation::san::{San, move_number};
use bartizan_position::{Draw, Game, Outcome, Position};
use bartizan_protocol::did_you_mean;
use bartizan_types::{Color, Move, Value};
use std::collections::VecDeque;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// How long the engine thinks about a move unless the player chooses otherwise.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The purpose of the current search or review.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pending {
    /// The engine's move.
    Answer,
    /// A hint for the player.
    Hint,
    /// The score for the player.
    Score,
    /// A warning if the player's last move was a blunder. Then the engine's move.
    Warning,
    /// The judgement of the player's last move, or the features of the position.
    Explanation,
    /// The review of the game, as text.
    Report,
    /// The review of the game, as a page.
    Page(PathBuf),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    result: GameResult,
    /// As shown to the player: "Checkmate: White wins".
    pub(crate) text: String,
}

/// A game between a person and the engine.
pub struct InteractiveGame {
    session: Session,
    person: Color,
    /// The side at the bottom of the board.
    bottom: Color,
    limits: Limits,
    pending: Option<Pending>,
    /// Whether the player is warned of blunders.
    warns: bool,
    /// Lines that came during a search.
    waiting: VecDeque<String>,
    ending: Option<Ending>,
    /// Where the game was last saved.
    saved: Option<Saved>,
    /// The value of the engine's last search, from its point of view, which decides about draw offers.
    last_value: Option<Value>,
    /// Consecutive moves of the engine with a score at which its level resigns.
    lost: u32,
}

impl InteractiveGame {
    /// Prepares a game; `arguments` are those of [`InteractiveGame::USAGE`].
    ///
    /// # Errors
    /// The problem with the arguments, as text.
    pub fn new(output: Output, settings: &FileSettings, arguments: &[String]) -> Result<Self, String> {
        let mut session = Session::new(output);
        // A person wants an opponent that thinks, unless the settings say otherwise.
        session.configure(|config| config.engine.human_time = true).map_err(|error| error.to_string())?;
        for fault in session.load_settings(settings) {
            session.output.complain(format_args!("bartizan: {fault}"));
        }
        let mut play = Self {
            session,
            person: Color::White,
            bottom: Color::White,
            limits: Limits::move_time(MOVE_TIME),
            pending: None,
            warns: false,
            waiting: VecDeque::new(),
            ending: None,
            saved: None,
            last_value: None,
            lost: 0,
        };
        play.configure(arguments).map_err(|error| error.to_string())?;
        Ok(play)
    }

    /// Prints a greeting, draws the board, and lets the engine move if it is its turn.
    pub fn start(&mut self) {
        self.warn();
        let (side, level) = (self.person.name(), self.level());
        self.print(format_args!("You play {side} against Bartizan at {level}. Enter a move (e4, Nf3, e2e4) or help."));
        self.print_board();
        self.continue_game();
    }

    /// The level at which the engine plays.
    fn level(&self) -> Level {
        self.session.config().engine.level()
    }

    /// Forgets the engine's scores of positions that are no longer on the board.
    fn forget_scores(&mut self) {
        (self.last_value, self.lost) = (None, 0);
    }

    fn print(&mut self, text: impl Display) {
        self.session.output.line(text);
    }

    /// Prints the messages for the user.
    fn warn(&mut self) {
        for message in self.session.take_messages() {
            self.print(message);
        }
    }

    fn fail(&mut self, error: impl Display) {
        self.print(format_args!("error: {error}"));
    }

    fn position(&self) -> &Position {
        self.session.engine.position()
    }

    fn print_board(&mut self) {
        let game = self.session.engine.game();
        let view = View { bottom: self.bottom, last_move: game.moves().last(), style: self.session.output.style() };
        let text = board::draw(game.position(), view);
        self.print(format_args!("\n{text}\n"));
    }

    /// Announces the end of the game if it is over; otherwise asks the side to move for its move.
    fn continue_game(&mut self) {
        self.ending = self.ending.take().or_else(|| ending(self.session.engine.game()));
        if let Some(ending) = &self.ending {
            self.session.records.end_game(ending.result, &ending.text);
            let text = format!("{} ({}). Enter report for a review, new for another game.", ending.text, ending.result);
            self.print(text);
        } else if self.position().turn() != self.person {
            self.search(Pending::Answer);
        } else if self.position().in_check() {
            self.print("You are in check.");
        }
    }

    fn search(&mut self, pending: Pending) {
        // Advice is always at full strength, however weakly the engine plays.
        let is_advice = pending != Pending::Answer;
        if let Err(error) = self.session.configure(|config| config.engine.analyse = is_advice) {
            return self.fail(error);
        }
        let (game, limits) = (self.session.engine.game().clone(), self.limits.clone());
        // The opening book knows moves, but no scores.
        let purpose = if pending == Pending::Score { Purpose::Analyse } else { Purpose::Think };
        let started = self.session.start_search(game, limits, 1, purpose);
        self.warn();
        match started {
            Ok(()) => self.pending = Some(pending),
            Err(error) => self.fail(error),
        }
    }

    /// Records the game in the game log, if there is one.
    fn log_game(&mut self) {
        self.session.records.log_game(self.session.engine.game(), &record::players(self.person));
    }

    /// Plays the player's move.
    fn play(&mut self, mv: Move) {
        // The move was resolved on this board.
        if self.session.engine.play(mv).is_ok() {
            self.log_game();
            if self.warns && ending(self.session.engine.game()).is_none() {
                self.check_last_move();
            } else {
                self.continue_game();
            }
        }
    }

    /// Whether the game waits for the player's decision to go on: it is the engine's turn, and it is not searching.
    fn awaits_decision(&self) -> bool {
        self.ending.is_none() && self.session.task().is_idle() && self.position().turn() != self.person
    }

    fn answer(&mut self, result: &SearchResult) {
        let Some(mv) = result.best else { return };
        self.last_value = result.exact_value();
        if self.resigns() {
            let text = format!("{} resigns: {} wins", (!self.person).name(), self.person.name());
            return self.end(GameResult::won_by(self.person), text);
        }
        let (number, san) = (move_number(self.position()), San::new(self.position(), mv));
        let text = format!("Bartizan plays {number}{san}");
        // The search found it among the legal moves.
        let _ = self.session.engine.play(mv);
        self.log_game();
        self.print_board();
        self.print(text);
        self.continue_game();
    }

    /// Whether the engine resigns after its last search.
    fn resigns(&mut self) -> bool {
        let Some(at) = self.session.config().resign_draw.resignation(self.level()) else { return false };
        let material = MaterialCount::of(self.position());
        let is_lost = self.last_value.is_some_and(|value| shown(value, material) <= -at.score);
        self.lost = if is_lost { self.lost + 1 } else { 0 };
        self.lost >= at.moves
    }
}

/// How the rules ended a game. Claimable draws count as claimed.
pub(crate) fn ending(game: &Game) -> Option<Ending> {
    let draw = |text: String| Ending { result: GameResult::Draw, text };
    match game.outcome() {
        Some(Outcome::Checkmate(winner)) => {
            Some(Ending { result: GameResult::won_by(winner), text: format!("Checkmate: {} wins", winner.name()) })
        }
        Some(Outcome::Draw(Draw::Stalemate)) => Some(draw("Stalemate: the game is drawn".to_owned())),
        Some(Outcome::Draw(reason)) => Some(draw(format!("Draw by {reason}"))),
        Some(other) => Some(Ending { result: other.into(), text: other.to_string() }),
        None => game.claimable_draw().map(|reason| draw(format!("Draw by {reason}"))),
    }
}

impl FrontEnd for InteractiveGame {
    const HELP: &'static str = commands::HELP;
    const PROTOCOL_COMMANDS: &'static [&'static str] = &commands::NAMES;

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn handle_line(&mut self, line: &str) {
        let word = line.trim().to_lowercase();
        match word.as_str() {
            _ if self.session.is_leaving() => {}
            "quit" | "exit" if self.waiting.is_empty() => self.session.quit(),
            "quit" | "exit" => {
                self.session.leave();
                self.session.task_mut().stop();
            }
            "stop" | "move" => self.session.task_mut().stop(),
            "" => {}
            _ if self.session.task().is_idle() => self.execute(line.trim()),
            _ => self.waiting.push_back(line.to_owned()),
        }
    }

    fn handle_search_event(&mut self, _: &SearchEvent) {
        self.warn();
    }

    fn handle_search_end(&mut self, _: Searching, result: Option<SearchResult>) {
        let Some(result) = result else { return self.fail("the search has failed; enter go, takeback or new") };
        match self.pending.take() {
            Some(Pending::Answer) => {
                self.answer(&result);
                self.session.records.learn_from(&SearchEvent::Finished(result));
            }
            Some(Pending::Hint) => {
                if let Some(mv) = result.best {
                    let san = San::new(self.position(), mv).to_string();
                    self.print(format_args!("Hint: {san}"));
                }
            }
            Some(Pending::Score) => self.print_score(&result),
            Some(Pending::Warning | Pending::Explanation | Pending::Report | Pending::Page(_)) | None => {}
        }
    }

    fn handle_review_end(&mut self, outcome: ReviewOutcome) {
        let pending = self.pending.take();
        match outcome {
            ReviewOutcome::Reviewed(tree, review) => match pending {
                Some(Pending::Warning) => self.warn_of_blunder(&review),
                Some(Pending::Explanation) => self.explain_last_move(&review),
                Some(Pending::Page(path)) => self.write_page(path, &tree, &review),
                _ => self.print(draw(&tree, &review, self.session.output.style(), false)),
            },
            ReviewOutcome::Stopped if pending == Some(Pending::Warning) => self.continue_game(),
            ReviewOutcome::Stopped => self.print("Stopped."),
            ReviewOutcome::Failed(reason) => {
                self.fail(reason);
                if pending == Some(Pending::Warning) {
                    self.continue_game();
                }
            }
        }
    }

    fn handle_idle(&mut self) {
        while self.session.task().is_idle()
            && let Some(line) = self.waiting.pop_front()
        {
            self.execute(line.trim());
        }
        if self.session.is_leaving() {
            // A move among the last lines is answered at once.
            self.session.task_mut().stop();
            if self.waiting.is_empty() {
                self.session.quit();
            }
        }
    }

    fn report_error(&mut self, error: &dyn Display, _: &str) {
        self.fail(error);
    }

    fn interrupt(&mut self) -> Result<Option<Purpose>, &'static str> {
        if self.session.task().is_idle() { Ok(None) } else { Err("the engine is thinking; enter 'stop' first") }
    }
}

#[cfg(test)]
mod tests;
