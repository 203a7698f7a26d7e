//! The positions that a book can reach.

use bartizan_book::{Book, BookError, PolyglotKey};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::Move;
use std::collections::HashSet;

/// A position, and the move that has led to it first.
pub(super) struct Place {
    pub(super) position: Position,
    /// The place before and the move; `None` for the starting position.
    from: Option<(usize, Move)>,
}

/// The positions that moves of a book with a weight above zero reach from the starting position, the last ones of the
/// lines included. Moves after a position that is an end do not count.
pub(super) struct Walk {
    pub(super) places: Vec<Place>,
    /// The number of moves with a weight above zero.
    pub(super) moves: usize,
}

impl Walk {
    pub(super) fn new(book: &Book, is_end: impl Fn(&Position) -> bool) -> Result<Self, BookError> {
        let start = Place { position: Position::startpos(), from: None };
        let mut seen = HashSet::from([PolyglotKey::of(&start.position)]);
        let mut walk = Self { places: vec![start], moves: 0 };
        // Places of a line, each with the moves that are still to be followed, best last.
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
                walk.places.push(Place { position, from: Some((place, mv)) });
                let replies = if ends { Vec::new() } else { walk.replies(book, next)? };
                open.push((next, replies));
            }
        }
        Ok(walk)
    }

    fn replies(&mut self, book: &Book, place: usize) -> Result<Vec<Move>, BookError> {
        let Place { position, from } = &self.places[place];
        let moves = book.moves(position, from.map(|(_, mv)| mv))?;
        let played: Vec<Move> = moves.iter().filter(|found| found.weight > 0).rev().map(|found| found.mv).collect();
        self.moves += played.len();
        Ok(played)
    }

    /// The moves that lead to a place, with their numbers.
    pub(super) fn line(&self, place: usize) -> String {
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
