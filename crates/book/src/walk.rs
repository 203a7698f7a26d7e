//! The positions that a book reaches from the starting position.

use crate::{Book, BookError, PolyglotKey};
use bartizan_notation::pgn::PgnMove;
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::Move;
use std::collections::HashSet;

/// A position, and the move that first led to it.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position.
    pub position: Position,
    /// The previous place and the move; `None` for the starting position.
    from: Option<(usize, Move)>,
}

/// The positions that book moves with a weight above zero reach from the starting position, the last ones of the lines
/// included. Moves after an end position do not count.
#[derive(Clone, Debug)]
pub struct BookWalk {
    /// The positions, the starting position first.
    pub places: Vec<BookPosition>,
    /// The number of moves with a weight above zero.
    pub moves: usize,
}

impl BookWalk {
    /// Walks through a book. Lines end with a position for which `is_end` holds.
    ///
    /// # Errors
    /// If the book cannot be read any more.
    pub fn new(book: &Book, is_end: impl Fn(&Position) -> bool) -> Result<Self, BookError> {
        let start = BookPosition { position: Position::startpos(), from: None };
        let mut seen = HashSet::from([PolyglotKey::of(&start.position)]);
        let mut walk = Self { places: vec![start], moves: 0 };
        // Places of a line, each with the moves still to be followed, best last.
        let mut open = vec![(0, walk.replies(book, 0)?)];
        while let Some((place, rest)) = open.last_mut() {
            let place = *place;
            let Some(mv) = rest.pop() else {
                open.pop();
                continue;
            };
            let position = walk.places[place].position.play_unchecked(mv);
            if seen.insert(PolyglotKey::after(&position, Some(mv))) {
                let next = walk.places.len();
                let ends = is_end(&position);
                walk.places.push(BookPosition { position, from: Some((place, mv)) });
                let replies = if ends { Vec::new() } else { walk.replies(book, next)? };
                open.push((next, replies));
            }
        }
        Ok(walk)
    }

    fn replies(&mut self, book: &Book, place: usize) -> Result<Vec<Move>, BookError> {
        let BookPosition { position, from } = &self.places[place];
        let moves = book.moves(position, from.map(|(_, mv)| mv))?;
        let played: Vec<Move> = moves.iter().filter(|found| found.weight > 0).rev().map(|found| found.mv).collect();
        self.moves += played.len();
        Ok(played)
    }

    /// The moves that lead to a place, with their numbers.
    pub fn line(&self, place: usize) -> String {
        if self.places[place].from.is_none() {
            return "starting position".to_owned();
        }
        let mut words = Vec::new();
        let mut next = self.places[place].from;
        while let Some((before, mv)) = next {
            let position = &self.places[before].position;
            let san = San::new(position, mv);
            let is_white = position.turn().is_white();
            words.push(if is_white { format!("{}. {san}", position.fullmove_number()) } else { san.to_string() });
            next = self.places[before].from;
        }
        words.reverse();
        words.join(" ")
    }
}

/// The lines of a book, best first: see [`Book::lines`].
#[derive(Debug)]
pub struct BookLines<'a> {
    book: &'a Book,
    max_ply: usize,
    seen: HashSet<PolyglotKey>,
    line: Vec<PgnMove>,
    /// The positions of the line, each with the moves still to be followed, best last.
    open: Vec<(Position, Vec<PgnMove>)>,
}

impl Book {
    /// The lines from the starting position, of `max_ply` plies at most. The comment after a move gives its weight in
    /// per cent of the greatest weight of the position. A position that several lines reach is continued only in the
    /// first of them.
    ///
    /// # Errors
    /// If the book can no longer be read; the lines also end with such an error.
    pub fn lines(&self, max_ply: usize) -> Result<BookLines<'_>, BookError> {
        let start = Position::startpos();
        let seen = HashSet::from([PolyglotKey::of(&start)]);
        let moves = self.weighted(&start, None)?;
        Ok(BookLines { book: self, max_ply, seen, line: Vec::new(), open: vec![(start, moves)] })
    }

    /// The moves of a position with their weights as comments, best last.
    fn weighted(&self, position: &Position, last: Option<Move>) -> Result<Vec<PgnMove>, BookError> {
        let found = self.moves(position, last)?;
        let greatest = found.first().map_or(1, |best| u32::from(best.weight).max(1));
        let percent = |weight: u16| (100 * u32::from(weight)).div_ceil(greatest);
        let commented = |weight| Some(format!("weight: {}", percent(weight)));
        Ok(found.iter().rev().map(|found| PgnMove { comment: commented(found.weight), ..found.mv.into() }).collect())
    }
}

impl Iterator for BookLines<'_> {
    type Item = Result<Vec<PgnMove>, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (position, rest) = self.open.last_mut()?;
            let Some(next) = rest.pop() else {
                self.open.pop();
                self.line.pop();
                continue;
            };
            let (mv, after) = (next.mv, position.play_unchecked(next.mv));
            self.line.push(next);
            let is_new = self.line.len() < self.max_ply && self.seen.insert(PolyglotKey::after(&after, Some(mv)));
            let replies = if is_new { self.book.weighted(&after, Some(mv)) } else { Ok(Vec::new()) };
            match replies {
                Ok(replies) if replies.is_empty() => {
                    let line = self.line.clone();
                    self.line.pop();
                    return Some(Ok(line));
                }
                Ok(replies) => self.open.push((after, replies)),
                Err(error) => {
                    self.open.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
