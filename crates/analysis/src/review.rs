//! Judges games with several analysers at once.

use crate::judge::{AnnotationStyle, JudgementCounts, PositionEval, moves, write_opinions};
use crate::{Analyser, AnalysisError, Limits};
use bartizan_notation::pgn::GameTree;
use bartizan_parallel::{FeedOptions, JobSender, JobsClosed, StopFlag, feed};
use bartizan_position::Game;
use bartizan_types::Color;
use std::collections::BTreeMap;
use std::io;

/// An analyser failed at a position of a game.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, position '{fen}'")]
pub struct GameError {
    /// The number that the caller gave to the game.
    pub game: u64,
    /// The position.
    pub fen: String,
    /// What went wrong.
    pub source: AnalysisError,
}

/// An item of a collection on its way through [`review`].
#[derive(Debug)]
pub struct ReviewedText<T> {
    /// The caller's data for the item.
    pub text: T,
    /// The game to judge; without one, the item is only passed on.
    pub game: Option<Box<ReviewedGame>>,
}

/// A game with the opinions of its positions.
#[derive(Debug)]
pub struct ReviewedGame {
    /// A number for messages.
    pub number: u64,
    /// The game.
    pub tree: GameTree,
    /// The opinions of the positions from the first judged move to after the last move; `None` for a position that was
    /// not searched.
    pub opinions: Vec<Option<PositionEval>>,
    /// Whether the opinions were already known.
    pub is_known: bool,
    /// The number of missing opinions; more than 0 only after an interruption.
    pub missing: usize,
}

impl ReviewedGame {
    /// A game that is judged after `skipped` plies, with the opinions of an earlier review if they fit. `None` if there
    /// is no move to judge.
    pub fn new(number: u64, tree: GameTree, skipped: usize, known: Option<Vec<Option<PositionEval>>>) -> Option<Self> {
        let count = moves(&tree).count().checked_sub(skipped).filter(|&count| count > 0)? + 1;
        let known = known.filter(|opinions| opinions.len() == count);
        let is_known = known.is_some();
        let opinions = known.unwrap_or_else(|| vec![None; count]);
        Some(Self { number, tree, opinions, is_known, missing: 0 })
    }

    /// The positions to search: the index of the opinion, and the game up to there. Finished positions are left out.
    pub(crate) fn positions(&self) -> Vec<(usize, Game)> {
        let mut positions = Vec::new();
        if self.is_known {
            return positions;
        }
        let moves: Vec<_> = moves(&self.tree).map(|(_, mv)| mv).collect();
        let skipped = moves.len() + 1 - self.opinions.len();
        let mut game = Game::new(self.tree.start().clone());
        for index in 0..=moves.len() {
            if let Some(at) = index.checked_sub(skipped)
                && game.outcome().is_none()
            {
                positions.push((at, game.clone()));
            }
            // The moves come from a parsed game, so they are legal.
            if moves.get(index).is_some_and(|&mv| game.push(mv).is_err()) {
                break;
            }
        }
        positions
    }
}

/// A job for the analysers, and its result.
enum Job<T, P> {
    /// A text, which is passed on.
    Text(ReviewedText<T>),
    /// A position of the preceding text: the index of its opinion.
    Position(usize, P),
}

/// Accepts the texts of [`review`] in order.
pub struct Texts<'a, T>(&'a JobSender<Job<T, (u64, Game)>>);

impl<T> Texts<'_, T> {
    /// Submits the next text, and waits while the analysers have enough to do.
    ///
    /// # Errors
    /// [`JobsClosed`] if no more texts are accepted.
    pub fn push(&self, mut review: ReviewedText<T>) -> Result<(), JobsClosed> {
        let mut positions = Vec::new();
        let mut number = 0;
        if let Some(game) = &mut review.game {
            positions = game.positions();
            (game.missing, number) = (positions.len(), game.number);
        }
        self.0.push(Job::Text(review))?;
        positions.into_iter().try_for_each(|(at, game)| self.0.push(Job::Position(at, (number, game))))
    }
}

/// Lets analysers search the positions of games, each with empty tables, so that an opinion does not depend on the
/// number of analysers. `read` submits texts; `sink` gets them back in the same order with all opinions. After a stop
/// ([`Analyser::stop_by`]), it also gets the games that lack opinions: see [`ReviewedGame::missing`].
///
/// # Errors
/// The outer error if the system cannot provide a thread; the inner error is the first of `sink` or of an analyser.
pub fn review<T: Send, R: Send, E: From<GameError>>(
    analysers: Vec<Analyser>,
    limits: &Limits,
    read: impl FnOnce(&Texts<'_, T>) -> R + Send,
    mut sink: impl FnMut(ReviewedText<T>) -> Result<(), E>,
) -> io::Result<(R, Result<(), E>)> {
    let failed = StopFlag::new();
    let flow = FeedOptions::kept(64);
    let worker = |analyser: Analyser| {
        let mut analyser = analyser.stop_by(&failed);
        move |job| {
            Some(match job {
                Job::Text(review) => Ok(Job::Text(review)),
                Job::Position(at, (number, game)) => match analyser.best_lines(&game, limits, 1) {
                    Ok(lines) => {
                        Ok(Job::Position(at, lines.first().map(|best| PositionEval::new(game.position(), best))))
                    }
                    Err(AnalysisError::Stopped) => return None,
                    Err(source) => Err(GameError { game: number, fen: game.position().to_fen(), source }),
                },
            })
        }
    };
    let mut current: Option<ReviewedText<T>> = None;
    let (read, passed) = feed(
        |feeder| read(&Texts(feeder)),
        analysers.into_iter().map(worker),
        flow,
        |done| {
            let take = || -> Result<(), E> {
                match done? {
                    Job::Text(review) => current.replace(review).map_or(Ok(()), &mut sink)?,
                    Job::Position(at, opinion) => {
                        if let Some(game) = current.as_mut().and_then(|review| review.game.as_mut()) {
                            game.opinions[at] = opinion;
                            game.missing -= 1;
                        }
                    }
                }
                let is_whole = |review: &ReviewedText<T>| review.game.as_ref().is_none_or(|game| game.missing == 0);
                if current.as_ref().is_some_and(is_whole) {
                    current.take().map_or(Ok(()), &mut sink)?;
                }
                Ok(())
            };
            // Searches in progress need not finish.
            take().inspect_err(|_| failed.stop())
        },
    )?;
    let passed = passed.and_then(|()| current.take().map_or(Ok(()), sink));
    Ok((read, passed))
}

/// Totals of a review of many games.
#[derive(Clone, Debug, Default)]
pub struct ReviewStatistics {
    /// The number of games, including those that were not annotated.
    pub games: u64,
    /// The number of annotated games.
    pub annotated: u64,
    /// The number of unreadable games.
    pub broken: u64,
    /// The number of positions with an opinion.
    pub positions: u64,
    /// The number of games of each player, by name, and the losses of the player's moves.
    pub players: BTreeMap<String, (u64, JudgementCounts)>,
}

impl ReviewStatistics {
    /// Writes the opinions into a game, adds the engine to its annotators, and counts the game.
    pub fn annotate(&mut self, game: ReviewedGame, engine: &str, style: AnnotationStyle) -> GameTree {
        let ReviewedGame { mut tree, opinions, .. } = game;
        let tallies = write_opinions(&mut tree, &opinions, style);
        let annotator = match tree.tag("Annotator") {
            None | Some("" | "?" | "-") => engine.to_owned(),
            Some(old) if old.contains(engine) => old.to_owned(),
            Some(old) => format!("{old}; {engine}"),
        };
        // The name is valid.
        let _ = tree.set_tag("Annotator", annotator);
        self.games += 1;
        self.annotated += 1;
        self.positions += opinions.iter().flatten().count() as u64;
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let (games, tally) = self.players.entry(tree.tag(tag).unwrap_or("?").to_owned()).or_default();
            *games += 1;
            *tally += tallies[color];
        }
        tree
    }
}
