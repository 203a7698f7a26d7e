//! Judges games with several analysers at once.

use crate::{Analyser, AnalysisError, Limits};
use bartizan_notation::pgn::GameTree;
use bartizan_parallel::{FeedOptions, JobSender, JobsClosed, StopFlag, feed};
use bartizan_position::Game;
use bartizan_review::{
    AnnotationStyle, JudgedGame, JudgementCounts, PositionEval, WhiteEval, annotate_judged, moves_of,
};
use bartizan_types::{Color, Move};
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
    pub source: Box<AnalysisError>,
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
        let count = moves_of(&tree).count().checked_sub(skipped).filter(|&count| count > 0)? + 1;
        let known = known.filter(|opinions| opinions.len() == count);
        let is_known = known.is_some();
        let opinions = known.unwrap_or_else(|| vec![None; count]);
        Some(Self { number, tree, opinions, is_known, missing: 0 })
    }

    /// The judgement of the game by its opinions.
    pub fn judge(&self) -> JudgedGame {
        let skipped = (moves_of(&self.tree).count() + 1).saturating_sub(self.opinions.len());
        JudgedGame::new(&self.tree, &self.opinions, skipped)
    }

    /// The positions to search: the index of the opinion, and the position. Finished positions are left out.
    pub(crate) fn positions(&self) -> Vec<(usize, ReviewedPosition)> {
        let mut positions = Vec::new();
        if self.is_known {
            return positions;
        }
        let moves: Vec<_> = moves_of(&self.tree).collect();
        let skipped = moves.len() + 1 - self.opinions.len();
        let mut game = Game::new(self.tree.start().clone());
        for index in 0..=moves.len() {
            if let Some(at) = index.checked_sub(skipped)
                && game.outcome().is_none()
            {
                let position = ReviewedPosition { game: game.clone(), played: moves.get(index).copied() };
                positions.push((at, position));
            }
            // The moves come from a parsed game, so they are legal.
            if moves.get(index).is_some_and(|&mv| game.push(mv).is_err()) {
                break;
            }
        }
        positions
    }
}

/// A position of a game that is reviewed.
#[derive(Clone, Debug)]
pub(crate) struct ReviewedPosition {
    /// The game up to the position.
    game: Game,
    /// The move that was played.
    played: Option<Move>,
}

impl ReviewedPosition {
    /// The error of an analyser at this position.
    pub(crate) fn error(&self, number: u64, source: AnalysisError) -> GameError {
        GameError { game: number, fen: self.game.position().to_fen(), source: Box::new(source) }
    }
}

/// How a game is reviewed.
#[derive(Clone, Debug, Default)]
pub struct ReviewOptions {
    /// The limits of the search of each position. Nodes and depth give the same opinions with any number of analysers.
    pub limits: Limits,
    /// The limits of a second search, without the engine's choice, of positions where the choice was played: it finds
    /// the moves that were the only good ones. `None` to leave it out.
    pub only_moves: Option<Limits>,
}

impl From<Limits> for ReviewOptions {
    fn from(limits: Limits) -> Self {
        Self { limits, only_moves: None }
    }
}

/// Searches a position with empty tables; `None` if the engine has no line.
pub(crate) fn opinion(
    analyser: &mut Analyser,
    position: &ReviewedPosition,
    options: &ReviewOptions,
) -> Result<Option<PositionEval>, AnalysisError> {
    let ReviewedPosition { game, played } = position;
    let here = game.position();
    let lines = analyser.best_lines(game, &options.limits, 1)?;
    let Some(best) = lines.first() else { return Ok(None) };
    let mut opinion = PositionEval::new(here, best.score, &best.pv);
    if let Some(limits) = &options.only_moves
        && *played == Some(best.best())
    {
        let others: Vec<Move> = here.legal_moves().iter().copied().filter(|&mv| mv != best.best()).collect();
        if !others.is_empty() {
            let mut limits = limits.clone();
            limits.search_moves = others;
            let second = analyser.best_lines(game, &limits, 1)?;
            opinion.second = second.first().map(|line| WhiteEval::new(line.score, here.turn()));
        }
    }
    Ok(Some(opinion))
}

/// A job for the analysers, and its result.
enum Job<T, P> {
    /// A text, which is passed on.
    Text(ReviewedText<T>),
    /// A position of the preceding text: the index of its opinion.
    Position(usize, P),
}

/// Accepts the texts of [`review`] in order.
pub struct Texts<'a, T>(&'a JobSender<Job<T, (u64, ReviewedPosition)>>);

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
        positions.into_iter().try_for_each(|(at, position)| self.0.push(Job::Position(at, (number, position))))
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
    options: &ReviewOptions,
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
                Job::Position(at, (number, position)) => match opinion(&mut analyser, &position, options) {
                    Ok(opinion) => Ok(Job::Position(at, opinion)),
                    Err(AnalysisError::Stopped) => return None,
                    Err(source) => Err(position.error(number, source)),
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
    /// Writes the judgement and the reasons of a game into it, adds the engine to its annotators, and counts the game.
    pub fn annotate(
        &mut self,
        game: ReviewedGame,
        reasons: &[Option<String>],
        engine: &str,
        style: AnnotationStyle,
    ) -> GameTree {
        let judged = game.judge();
        let ReviewedGame { mut tree, opinions, .. } = game;
        let counts = annotate_judged(&mut tree, &judged, reasons, style);
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
            let (games, total) = self.players.entry(tree.tag(tag).unwrap_or("?").to_owned()).or_default();
            *games += 1;
            *total += counts[color];
        }
        tree
    }
}
