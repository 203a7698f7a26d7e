//! What a player may ask about the game: scores, explanations, warnings, and the review.

use super::commands::PlayError;
use super::{InteractiveGame, Pending, record};
use crate::review::{Details, NODES, ReviewRequest, page};
use crate::words::unquoted;
use bartizan_analysis::GameReview;
use bartizan_engine::{MaterialCount, SearchResult, shown};
use bartizan_eval::explain;
use bartizan_notation::pgn::{GameResult, GameTree};
use bartizan_notation::san::{San, move_number, numbered};
use bartizan_protocol::Score;
use bartizan_review::judgement::{of_side, win_percent};
use bartizan_review::{Judgement, MoveClass, WhiteEval, wrap};
use bartizan_types::{Escaped, Value};
use std::io;
use std::path::{Path, PathBuf};

/// The number of features of a position that are explained.
const FEATURES: usize = 5;

/// The maximum length of a better line, in plies.
const LINE: usize = 8;

impl InteractiveGame {
    pub(super) fn result(&self) -> GameResult {
        self.ending.as_ref().map_or(GameResult::Unknown, |ending| ending.result)
    }

    /// The score of a search for the player: in pawns or as a mate, and as a chance.
    pub(super) fn print_score(&mut self, result: &SearchResult) {
        let Some(value) = result.exact_value() else { return self.print("No score.") };
        let turn = self.position().turn();
        let for_player = if turn == self.person { value } else { -value };
        let score = value
            .mate_in_moves()
            .map_or_else(|| Score::Cp(shown(value, MaterialCount::of(self.position()))), Score::Mate);
        let mate = |moves: i32| {
            let mates = (moves > 0) == (turn == self.person);
            format!("{} in {}", if mates { "You mate" } else { "Bartizan mates" }, moves.abs())
        };
        let text = match score {
            Score::Mate(moves) => mate(moves),
            Score::Cp(_) if value.is_decisive() && for_player > Value::ZERO => "Won, by the endgame tables".to_owned(),
            Score::Cp(_) if value.is_decisive() => "Lost, by the endgame tables".to_owned(),
            Score::Cp(centipawns) => {
                let pawns = f64::from(centipawns) / if turn == self.person { 100.0 } else { -100.0 };
                let chance = of_side(win_percent(WhiteEval::new(score, turn)), self.person);
                // The sum turns -0.0 into 0.0.
                format!("{:+.2} for you: a chance of {chance:.0} %, with a draw as half a win", pawns + 0.0)
            }
        };
        self.print(text);
    }

    /// Explains the player's last move, or the position if there is none.
    pub(super) fn explain(&mut self) -> Result<(), PlayError> {
        match self.last_own_ply() {
            Some(ply) => self.review_move(ply, Pending::Explanation).map_err(PlayError::Thread),
            None => {
                self.explain_position();
                Ok(())
            }
        }
    }

    /// The index of the player's last move.
    fn last_own_ply(&self) -> Option<usize> {
        let game = self.session.engine.game();
        let since = if game.position().turn() == self.person { 2 } else { 1 };
        game.moves().len().checked_sub(since)
    }

    /// Judges the player's move that was just played, before the engine answers.
    pub(super) fn check_last_move(&mut self) {
        let ply = self.session.engine.game().moves().len().saturating_sub(1);
        if let Err(error) = self.review_move(ply, Pending::Warning) {
            self.fail(PlayError::Thread(error));
            self.continue_game();
        }
    }

    /// Reviews the game so far, as text or as a page in a file.
    pub(super) fn report(&mut self, file: &str) -> Result<(), PlayError> {
        let plies = self.session.engine.game().moves().len();
        if plies == 0 {
            return Err(PlayError::NothingToReview);
        }
        let pending = match unquoted(file) {
            "" => Pending::Report,
            file => {
                // Before the work.
                check_page(Path::new(file)).map_err(|source| PlayError::Write { path: file.into(), source })?;
                Pending::Page(file.into())
            }
        };
        if plies > 10 {
            self.print(format_args!("Reviewing {} moves; enter stop to end this.", plies.div_ceil(2)));
        }
        self.review(plies, 0, pending).map_err(PlayError::Thread)
    }

    /// Writes the review as a page.
    pub(super) fn write_page(&mut self, path: PathBuf, tree: &GameTree, review: &GameReview) {
        let written = check_page(&path).and_then(|()| bartizan_files::replace(&path, page(tree, review).as_bytes()));
        match written {
            Ok(()) => self.print(format_args!("Written to '{}'.", Escaped(path.display()))),
            Err(source) => self.fail(PlayError::Write { path, source }),
        }
    }

    fn review_move(&mut self, ply: usize, pending: Pending) -> io::Result<()> {
        self.review(ply + 1, ply, pending)
    }

    /// Starts a review of the first `plies` plies after those that are `skipped`.
    fn review(&mut self, plies: usize, skipped: usize, pending: Pending) -> io::Result<()> {
        let mut pgn = record::pgn(self.session.engine.game(), self.person, self.result());
        pgn.moves.truncate(plies);
        let details = match pending {
            Pending::Warning => Details::Nothing,
            Pending::Page(_) => Details::Page,
            _ => Details::Reasons,
        };
        let request = ReviewRequest { skipped, nodes: NODES, details };
        self.session.start_review(GameTree::from(&pgn), request)?;
        self.pending = Some(pending);
        Ok(())
    }

    /// Warns of a blunder and waits for the player's decision; otherwise the game goes on.
    pub(super) fn warn_of_blunder(&mut self, review: &GameReview) {
        match judged_move(review) {
            Some(text) if last_judgement(review) == Some(Judgement::Blunder) => self.print(format_args!(
                "Warning: {text}\nEnter takeback to try another move, explain for the reason, or go to play on."
            )),
            _ => self.continue_game(),
        }
    }

    /// Says how good the last move of a review was; if it was bad, what was better and why.
    pub(super) fn explain_last_move(&mut self, review: &GameReview) {
        let Some(text) = judged_move(review) else { return self.explain_position() };
        self.print(text);
        let Some(ply) = review.judged.moves.len().checked_sub(1) else { return };
        if last_judgement(review).is_none() {
            return self.explain_position();
        }
        let mv = &review.judged.moves[ply];
        let better = &mv.better[..mv.better.len().min(LINE)];
        if let Ok(line) = numbered(&review.judged.positions[ply], better)
            && !line.is_empty()
        {
            self.print(wrap(&format!("Better: {line}"), 8));
        }
        if let Some(Some(reason)) = review.details.reasons.get(ply) {
            self.print(wrap(reason, 0));
        }
    }

    /// The features that decide the static evaluation, for the player.
    fn explain_position(&mut self) {
        if self.ending.is_some() {
            return;
        }
        if self.position().in_check() {
            return self.print("A position in check has no static evaluation.");
        }
        let explanation = explain(self.position());
        if explanation.reasons.is_empty() {
            return self.print("The position is balanced.");
        }
        let sign = if self.person.is_white() { 1.0 } else { -1.0 };
        let mut text = "What counts most in the position, in pawns for you:".to_owned();
        for reason in explanation.reasons.iter().take(FEATURES) {
            text += &format!("\n  {:+.2}  {}", sign * reason.score / explanation.pawn, reason.text);
        }
        self.print(text);
    }
}

/// Refuses a file that is not a page.
fn check_page(path: &Path) -> io::Result<()> {
    let is_page = |start: &[u8]| start.is_empty() || start.to_ascii_lowercase().starts_with(b"<!doctype html");
    bartizan_files::check_kind(path, "an HTML page", is_page)
}

/// The judgement of the last move of a review.
fn last_judgement(review: &GameReview) -> Option<Judgement> {
    review.judged.moves.last()?.judgement()
}

/// A sentence about the last move of a review: "12. Nxe5?? is a blunder: your chance falls from 62 % to 21 %."
fn judged_move(review: &GameReview) -> Option<String> {
    let ply = review.judged.moves.len().checked_sub(1)?;
    let (position, mv) = (&review.judged.positions[ply], &review.judged.moves[ply]);
    let name = format!("{}{}", move_number(position), San::new(position, mv.mv));
    let Some(judgement) = mv.judgement() else {
        let is_of_lost_game =
            |class: MoveClass| review.judged.chances(ply).is_some_and(|[_, after]| class.is_of_lost_game(after));
        let what = match mv.class? {
            MoveClass::Forced => "was your only legal move",
            MoveClass::Book => "is a move of the openings table",
            MoveClass::Best | MoveClass::Only => "was the best move",
            class if is_of_lost_game(class) => "could not save the game",
            _ => "was a good move",
        };
        return Some(format!("{name} {what}."));
    };
    let [before, after] = review.judged.chances(ply)?;
    let glyph = judgement.glyph();
    let article = if judgement == Judgement::Inaccuracy { "an" } else { "a" };
    Some(format!("{name}{glyph} is {article} {judgement}: your chance falls from {before:.0} % to {after:.0} %."))
}
