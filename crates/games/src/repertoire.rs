//! Repertoires of opening moves, and where games leave them.

use bartizan_book::{Book, BookError};
use bartizan_notation::pgn::GameTree;
use bartizan_position::Position;
use bartizan_types::{Color, Key, Move};
use std::collections::HashMap;

/// The opening moves that a player means to play, and the replies prepared for.
///
/// ```
/// use bartizan_games::{Departure, DepartureReason, Repertoire};
/// use bartizan_notation::pgn::GameTree;
/// use bartizan_types::Color;
///
/// let mut repertoire = Repertoire::default();
/// repertoire.add(&"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *".parse()?);
/// let game: GameTree = "1. e4 c5 2. Nc3 Nc6 *".parse()?;
/// let left = repertoire.departure(&game, Color::White)?;
/// assert_eq!((left.ply, left.reason), (2, DepartureReason::Player));
/// assert_eq!(left.expected[0].to_string(), "g1f3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Repertoire {
    book: Option<Book>,
    /// The moves of each position, in the order in which they were added.
    lines: HashMap<Key, Vec<Move>>,
}

/// Why a game is no longer within a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DepartureReason {
    /// The player has played another move.
    Player,
    /// The opponent has played a move that the repertoire lacks.
    Opponent,
    /// The repertoire has no move in the position.
    End,
    /// The game has ended before.
    GameEnd,
}

impl DepartureReason {
    /// The name: `player`, `opponent`, `end of the repertoire` or `end of the game`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Opponent => "opponent",
            Self::End => "end of the repertoire",
            Self::GameEnd => "end of the game",
        }
    }
}

/// Where a game left a repertoire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The number of plies within the repertoire: the index of the move that left it, if one did.
    pub ply: usize,
    /// Why.
    pub reason: DepartureReason,
    /// The moves that the repertoire has in the last position.
    pub expected: Vec<Move>,
}

impl Repertoire {
    /// The moves of a book with a weight above zero.
    pub fn of_book(book: Book) -> Self {
        Self { book: Some(book), lines: HashMap::new() }
    }

    /// Adds the moves of a game with its variations.
    pub fn add(&mut self, tree: &GameTree) {
        let root = (tree.root(), tree.start().clone());
        for (node, position) in std::iter::once(root).chain(tree.walk(tree.root())) {
            for mv in tree.children(node).filter_map(|child| tree.mv(child)) {
                let moves = self.lines.entry(position.key()).or_default();
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
    }

    /// Whether it has no lines. A book always has some.
    pub fn is_empty(&self) -> bool {
        self.book.is_none() && self.lines.is_empty()
    }

    /// The moves in a position, those of a book best first. `last` is the move that led to the position, if known; see
    /// [`PolyglotKey`](bartizan_book::PolyglotKey).
    ///
    /// # Errors
    /// [`BookError`] if the book cannot be read any more.
    pub fn moves(&self, position: &Position, last: Option<Move>) -> Result<Vec<Move>, BookError> {
        let mut moves = self.lines.get(&position.key()).cloned().unwrap_or_default();
        if let Some(book) = &self.book {
            let found = book.moves(position, last)?;
            moves.extend(found.iter().filter(|found| found.weight > 0).map(|found| found.mv));
        }
        Ok(moves)
    }

    /// Follows the main line of a game of a player with `color`. A move that the repertoire lacks does not leave it if
    /// it transposes to a position for which there are moves.
    ///
    /// # Errors
    /// [`BookError`] if the book cannot be read any more.
    pub fn departure(&self, tree: &GameTree, color: Color) -> Result<Departure, BookError> {
        let mut position = tree.start().clone();
        let mut expected = self.moves(&position, None)?;
        let mut ply = 0;
        let mut line = tree.main_line().map(|node| tree.mv(node));
        let reason = loop {
            if expected.is_empty() {
                break DepartureReason::End;
            }
            let Some(Some(mv)) = line.next() else {
                break DepartureReason::GameEnd;
            };
            let next = position.play_unchecked(mv);
            let moves = self.moves(&next, Some(mv))?;
            if !expected.contains(&mv) && moves.is_empty() {
                let is_player = position.turn() == color;
                break if is_player { DepartureReason::Player } else { DepartureReason::Opponent };
            }
            (position, expected) = (next, moves);
            ply += 1;
        };
        Ok(Departure { ply, reason, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::TreeReader;

    fn read(text: &str) -> GameTree {
        TreeReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn departure(repertoire: &Repertoire, game: &str, color: Color) -> (usize, DepartureReason, Vec<String>) {
        let Departure { ply, reason, expected } = repertoire.departure(&read(game), color).unwrap();
        (ply, reason, expected.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn lines_with_variations_are_followed() {
        let mut repertoire = Repertoire::default();
        assert!(repertoire.is_empty());
        repertoire.add(&read("1. d4 d5 (1... Nf6 2. c4 e6 3. Nf3) 2. c4 e6 (2... c6 3. Nf3) 3. Nf3 *"));
        let moves = |moves: &[&str]| moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        use DepartureReason::{End, GameEnd, Opponent, Player};
        for (game, color, expected) in [
            ("1. d4 d5 2. Nf3 *", Color::White, (2, Player, moves(&["c2c4"]))),
            ("1. d4 d5 2. Nf3 *", Color::Black, (2, Opponent, moves(&["c2c4"]))),
            ("1. d4 f5 *", Color::White, (1, Opponent, moves(&["d7d5", "g8f6"]))),
            ("1. d4 d5 2. c4 e6 3. Nf3 Nf6 *", Color::White, (5, End, moves(&[]))),
            ("1. d4 d5 *", Color::White, (2, GameEnd, moves(&["c2c4"]))),
            ("*", Color::White, (0, GameEnd, moves(&["d2d4"]))),
            // Another order of moves to the same position.
            ("1. d4 e6 2. c4 d5 3. Nc3 *", Color::White, (1, Opponent, moves(&["d7d5", "g8f6"]))),
            ("1. c4 d5 2. d4 e6 3. Nc3 *", Color::White, (0, Player, moves(&["d2d4"]))),
            ("1. d4 Nf6 2. c4 e6 3. Nc3 *", Color::White, (4, Player, moves(&["g1f3"]))),
        ] {
            assert_eq!(departure(&repertoire, game, color), expected, "{game}");
        }
        // 2... d5 is not in a line, but leads to a position that is.
        repertoire.add(&read("1. d4 e6 2. c4 Nf6 *"));
        assert_eq!(departure(&repertoire, "1. d4 e6 2. c4 d5 3. Nc3 *", Color::White), (4, Player, moves(&["g1f3"])));
    }

    #[test]
    fn a_book_is_followed_from_its_start() {
        let repertoire = Repertoire::of_book(Book::built_in().unwrap());
        let (ply, reason, expected) = departure(&repertoire, "1. e4 e5 2. Ke2 Nc6 *", Color::White);
        assert_eq!((ply, reason), (2, DepartureReason::Player));
        assert!(expected.contains(&"g1f3".to_owned()), "{expected:?}");
        // A position that the book does not know.
        let bare = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        assert_eq!(departure(&repertoire, bare, Color::White), (0, DepartureReason::End, Vec::new()));
    }
}
