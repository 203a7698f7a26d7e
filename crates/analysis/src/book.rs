//! Opening books checked and grown, by searches that begin with empty tables: the same positions get the same scores.

use crate::pawns;
use bartizan_book::{Book, BookError};
use bartizan_engine::{Material, SearchResult, Solo, shown};
use bartizan_match::Termination;
use bartizan_notation::pgn::PgnGame;
use bartizan_notation::san::SanExt as _;
use bartizan_parallel::{Flow, Stop, run};
use bartizan_position::{Game, IllegalMove, Position, Tolerance};
use bartizan_types::{Color, Key, Limits, Move};
use std::collections::HashMap;

/// The FEN of a position without the clocks, as EPD has it.
pub fn four_fields(position: &Position) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The score of a position in centipawns as they are shown, for White; `None` if stopped. It depends on the board, the
/// side to move, castling and en passant only: a book plays the same moves whatever the clocks and the line that led
/// there.
pub fn score(engine: &mut Solo, position: &Position, depth: u32, stop: &Stop) -> Option<i32> {
    let fen = format!("{} 0 1", four_fields(position));
    let alone = Position::from_fen_with(&fen, Tolerance::ALL).unwrap_or_else(|_| position.clone());
    engine.forget();
    let result = engine.search(&Game::new(alone), Limits::depth(depth), stop)?;
    Some(score_for_white(position, &result))
}

fn score_for_white(position: &Position, result: &SearchResult) -> i32 {
    let score = shown(result.value, Material::of(position));
    if position.turn() == Color::White { score } else { -score }
}

/// Passes the [`score`] of each position on, as it is ready, until stopped. Each engine gets a thread.
///
/// # Errors
/// The first one of `found`.
pub fn scores<'a, E>(
    engines: Vec<Solo>,
    positions: impl Iterator<Item = &'a Position> + Send,
    depth: u32,
    stop: &Stop,
    mut found: impl FnMut(&'a Position, i32) -> Result<(), E>,
) -> Result<(), E> {
    let flow = Flow::any(4 * engines.len());
    let workers = engines
        .into_iter()
        .map(|mut engine| move |position: &'a Position| Some((position, score(&mut engine, position, depth, stop)?)));
    run(positions, workers, flow, |(position, score)| found(position, score))
}

/// Plays lines on, so that they become games for a book.
#[derive(Debug)]
pub struct Grower {
    engine: Solo,
    max_ply: usize,
    nodes: u64,
    worst: i32,
    /// The move and the score of each position. Many lines have their first positions in common.
    known: HashMap<Key, (Option<Move>, i32)>,
}

impl Grower {
    /// Searches with a number of nodes per move. A game ends after `max_ply` plies, or before the first position in
    /// which one side is ahead by more than `worst` centipawns.
    pub fn new(engine: Solo, max_ply: usize, nodes: u64, worst: i32) -> Self {
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
    pub fn play_on(&mut self, line: &[Move], stop: &Stop) -> Result<Option<Vec<Move>>, IllegalMove> {
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

/// Sorts games, and drops those that are equal to another one or begin another one: they tell nothing new.
pub fn without_beginnings(mut games: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    // Sorted, each stands before the games that it begins.
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
pub enum Problem {
    /// It was lost by a fault of a program, by the tag `Termination`.
    #[error("it ended with a fault: {0}")]
    Fault(String),
    /// An earlier game has the same moves.
    #[error("it has the moves of game {0}")]
    Repeated(usize),
    /// It has another start.
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
    /// The book was not used.
    #[error("it has no book move")]
    NoBookMove,
    /// The score where the book ends is beyond the limit.
    #[error("the book ends at {} in {fen}", pawns(*score))]
    Score {
        /// In centipawns, for White.
        score: i32,
        /// The position.
        fen: String,
    },
}

/// What games have in common whose players used a book.
#[derive(Debug, Default)]
pub struct PlayedGames {
    /// The number of games.
    pub games: usize,
    /// The first game of each sequence of moves.
    pub by_moves: HashMap<Vec<Move>, usize>,
    /// The first game of each line of the book.
    pub lines: HashMap<Vec<Move>, usize>,
    /// Plies from the book in each game.
    pub plies: Vec<usize>,
    /// Scores where the book ends, for White, with the number of the game.
    pub scores: Vec<(i32, usize)>,
    /// Problems, with the number of the game, from 1.
    pub problems: Vec<(usize, Problem)>,
}

impl PlayedGames {
    /// Whether the games have no other moves where the book has some.
    pub fn is_by_book(&self) -> bool {
        !self.problems.iter().any(|(_, problem)| matches!(problem, Problem::Stray { .. }))
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
        // By the words of the standard, an abandoned game may also be one without a result.
        let is_decided = game.result.winner().is_some();
        if faults.any(|fault| ending.starts_with(&fault.to_string()) || is_decided && ending == fault.pgn()) {
            problem(Problem::Fault(ending.to_owned()));
        }
        let moves: Vec<Move> = game.moves.iter().map(|played| played.mv).collect();
        if let Some(&first) = self.by_moves.get(&moves) {
            problem(Problem::Repeated(first));
        }
        if game.start != Position::startpos() {
            problem(Problem::Start);
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
                problem(Problem::Stray { ply, san });
                break;
            }
        }
        let from_book: Vec<Move> = line.moves().collect();
        if from_book.is_empty() {
            problem(Problem::NoBookMove);
        }
        self.plies.push(from_book.len());
        self.lines.entry(from_book).or_insert(number);
        self.by_moves.entry(moves).or_insert(number);
        Ok(Some(line.position().clone()))
    }

    /// Adds the [`score`] of the position in which the book ended in the last game, which may be `worst` at most.
    pub fn add_score(&mut self, end: &Position, score: i32, worst: i32) {
        self.scores.push((score, self.games));
        if score.abs() > worst {
            self.problems.push((self.games, Problem::Score { score, fen: end.to_fen() }));
        }
    }
}
