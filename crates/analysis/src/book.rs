//! Checks and extends opening books. Each search starts with empty tables, so the same positions get the same scores.

mod tree;

use crate::pawns;
use bartizan_book::{Book, BookError};
use bartizan_engine::{MaterialCount, SearchResult, SingleThreadedEngine, shown};
use bartizan_match::Termination;
use bartizan_notation::pgn::PgnGame;
use bartizan_notation::san::SanExt as _;
use bartizan_parallel::{FeedOptions, StopFlag, run};
use bartizan_position::{Game, IllegalMove, Position, Tolerance};
use bartizan_types::{Color, Key, Limits, Move};
use std::collections::HashMap;
pub use tree::{BookTree, Candidates, candidates};

/// The FEN of a position without the counters, as in EPD.
pub fn four_fields(position: &Position) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The score of a position in displayed centipawns, for White; `None` if stopped. It depends only on the board, the
/// side to move, castling and en passant: a book plays the same moves whatever the counters and the line that led
/// there.
pub fn score(engine: &mut SingleThreadedEngine, position: &Position, limits: Limits, stop: &StopFlag) -> Option<i32> {
    Some(score_for_white(position, &search(engine, position, limits, stop)?))
}

/// Searches a position with empty tables and without the counters.
fn search(
    engine: &mut SingleThreadedEngine,
    position: &Position,
    limits: Limits,
    stop: &StopFlag,
) -> Option<SearchResult> {
    let fen = format!("{} 0 1", four_fields(position));
    let alone = Position::from_fen_with(&fen, Tolerance::ALL).unwrap_or_else(|_| position.clone());
    engine.forget();
    engine.search(&Game::new(alone), limits, stop)
}

fn score_for_white(position: &Position, result: &SearchResult) -> i32 {
    let score = shown(result.value, MaterialCount::of(position));
    if position.turn() == Color::White { score } else { -score }
}

/// Passes on what `search` finds in each position, such as its [`score`], as soon as it is ready, until stopped, when
/// `search` returns `None`. Each engine gets a thread.
///
/// # Errors
/// The first error of `found`.
pub fn search_all<'a, T: Send, E>(
    engines: Vec<SingleThreadedEngine>,
    positions: impl Iterator<Item = &'a Position> + Send,
    search: impl Fn(&mut SingleThreadedEngine, &Position) -> Option<T> + Sync,
    mut found: impl FnMut(&'a Position, T) -> Result<(), E>,
) -> Result<(), E> {
    let (flow, search) = (FeedOptions::any(4 * engines.len()), &search);
    let workers = engines
        .into_iter()
        .map(|mut engine| move |position: &'a Position| Some((position, search(&mut engine, position)?)));
    run(positions, workers, flow, |(position, result)| found(position, result))
}

/// Extends lines into games for a book.
#[derive(Debug)]
pub struct BookGrower {
    engine: SingleThreadedEngine,
    max_ply: usize,
    nodes: u64,
    worst: i32,
    /// The move and the score of each position. Many lines have their first positions in common.
    known: HashMap<Key, (Option<Move>, i32)>,
}

impl BookGrower {
    /// Searches with a number of nodes per move. A game ends after `max_ply` plies, or before the first position in
    /// which one side is ahead by more than `worst` centipawns.
    pub fn new(engine: SingleThreadedEngine, max_ply: usize, nodes: u64, worst: i32) -> Self {
        Self { engine, max_ply, nodes, worst, known: HashMap::new() }
    }

    /// The number of positions searched.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// The game of a line from the starting position; `None` if stopped.
    ///
    /// # Errors
    /// If a move of the line is not legal.
    pub fn play_on(&mut self, line: &[Move], stop: &StopFlag) -> Result<Option<Vec<Move>>, IllegalMove> {
        let mut game = Game::default();
        let mut played = Vec::new();
        loop {
            let position = game.position();
            let (best, score) = match self.known.get(&position.key()) {
                Some(&found) => found,
                None => {
                    self.engine.forget();
                    let Some(result) = self.engine.search(&game, Limits::nodes(self.nodes), stop) else {
                        return Ok(None);
                    };
                    *self.known.entry(position.key()).or_insert((result.best, score_for_white(position, &result)))
                }
            };
            if score.abs() > self.worst {
                played.pop();
                return Ok(Some(played));
            }
            let is_over = played.len() >= self.max_ply || game.claimable_draw().is_some();
            let next = line.get(played.len()).copied().or(best).filter(|_| !is_over);
            let Some(mv) = next else { return Ok(Some(played)) };
            game.push(mv)?;
            played.push(mv);
        }
    }
}

/// Sorts games and drops those that equal or begin another one, because they add nothing.
pub fn without_beginnings(mut games: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    // After sorting, each game precedes the games that it begins.
    games.sort_unstable_by_key(|game| game.iter().map(|mv| mv.to_bits()).collect::<Vec<_>>());
    let mut kept: Vec<Vec<Move>> = Vec::new();
    for game in games {
        if kept.last().is_some_and(|last| game.starts_with(last)) {
            kept.pop();
        }
        kept.push(game);
    }
    kept.retain(|game| !game.is_empty());
    kept
}

/// What is wrong with a game that was played from a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookGameProblem {
    /// The game was lost by a fault of a program, according to the tag `Termination`.
    #[error("it ended with a fault: {0}")]
    Fault(String),
    /// An earlier game has the same moves.
    #[error("it has the moves of game {0}")]
    Repeated(usize),
    /// The game starts from another position.
    #[error("it does not begin in the starting position")]
    Start,
    /// The book has moves with a weight above zero, but not the one that was played.
    #[error("ply {ply}: {san} is not a book move")]
    Stray {
        /// The ply, from 1.
        ply: usize,
        /// The move.
        san: String,
    },
    /// The game did not use the book.
    #[error("it has no book move")]
    NoBookMove,
    /// The score at the end of the book exceeds the limit.
    #[error("the book ends at {} in {fen}", pawns(*score))]
    Score {
        /// In centipawns, for White.
        score: i32,
        /// The position.
        fen: String,
    },
}

/// Statistics of games whose players used a book.
#[derive(Debug, Default)]
pub struct BookGames {
    /// The number of games.
    pub games: usize,
    /// The first game of each sequence of moves.
    pub by_moves: HashMap<Vec<Move>, usize>,
    /// The first game of each line of the book.
    pub lines: HashMap<Vec<Move>, usize>,
    /// Plies from the book in each game.
    pub plies: Vec<usize>,
    /// Scores at the end of the book, for White, with the number of the game.
    pub scores: Vec<(i32, usize)>,
    /// Problems, with the number of the game, from 1.
    pub problems: Vec<(usize, BookGameProblem)>,
}

impl BookGames {
    /// Whether every move is from the book as long as the book has one.
    pub fn is_by_book(&self) -> bool {
        !self.problems.iter().any(|(_, problem)| matches!(problem, BookGameProblem::Stray { .. }))
    }

    /// Adds a game that used the book for `book_depth` plies. Returns the position in which the book ends; `None` if
    /// the game did not begin in the starting position.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn add(&mut self, book: &Book, book_depth: usize, game: &PgnGame) -> Result<Option<Position>, BookError> {
        self.games += 1;
        let number = self.games;
        let mut problem = |problem| self.problems.push((number, problem));
        let ending = game.tag("Termination").unwrap_or_default();
        let mut faults = Termination::ALL.into_iter().filter(|end| end.is_fault());
        // According to the standard, an abandoned game may have no result.
        let is_decided = game.result.winner().is_some();
        if faults.any(|fault| ending.starts_with(&fault.to_string()) || is_decided && ending == fault.pgn()) {
            problem(BookGameProblem::Fault(ending.to_owned()));
        }
        let moves: Vec<Move> = game.moves.iter().map(|played| played.mv).collect();
        if let Some(&first) = self.by_moves.get(&moves) {
            problem(BookGameProblem::Repeated(first));
        }
        if game.start != Position::startpos() {
            problem(BookGameProblem::Start);
            return Ok(None);
        }
        let mut line = Game::new(game.start.clone());
        for &mv in moves.iter().take(book_depth) {
            let known = book.moves(line.position(), line.moves().last())?;
            let mut known = known.iter().filter(|known| known.weight > 0).peekable();
            if known.peek().is_none() {
                break;
            }
            if !known.any(|known| known.mv == mv) || line.push(mv).is_err() {
                let (san, ply) = (line.position().san(mv).to_string(), line.moves().len() + 1);
                problem(BookGameProblem::Stray { ply, san });
                break;
            }
        }
        let from_book: Vec<Move> = line.moves().collect();
        if from_book.is_empty() {
            problem(BookGameProblem::NoBookMove);
        }
        self.plies.push(from_book.len());
        self.lines.entry(from_book).or_insert(number);
        self.by_moves.entry(moves).or_insert(number);
        Ok(Some(line.position().clone()))
    }

    /// Adds the [`score`] of the position in which the book ended in the last game; more than `worst` is a problem.
    pub fn add_score(&mut self, end: &Position, score: i32, worst: i32) {
        self.scores.push((score, self.games));
        if score.abs() > worst {
            self.problems.push((self.games, BookGameProblem::Score { score, fen: end.to_fen() }));
        }
    }
}
