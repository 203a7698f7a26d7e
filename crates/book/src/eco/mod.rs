//! The Encyclopaedia of Chess Openings (ECO): codes and names of openings.
//!
//! The table has 3,775 lines with every code from A00 to E99. An opening is recognised by its position, not by the
//! order of the moves:
//!
//! - A position at the end of a line has this line.
//! - A position that lines only go through has the line that ends last before it: of several the longest, of equally
//!   long ones that with the greatest code.
//! - A game has the opening of its last position that is on a line.
//!
//! ```
//! use bartizan_book::eco;
//! use bartizan_position::Game;
//!
//! let mut game = Game::default();
//! for mv in ["g1f3", "d7d5", "d2d4", "g8f6", "c2c4", "e7e6", "b1c3", "f8e7", "a2a3"] {
//!     game.push(game.position().parse_uci(mv)?)?;
//! }
//! let opening = eco::classify(&game).unwrap();
//! assert_eq!(opening.to_string(), "D37 Queen's Gambit Declined: Three Knights Variation");
//! assert_eq!(opening.opening(), "Queen's Gambit Declined");
//! assert_eq!(opening.variation(), Some("Three Knights Variation"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "compact")]
mod columns;
mod compare;
#[cfg(any(test, feature = "compact"))]
mod compile;
#[cfg(not(feature = "compact"))]
#[path = "fast.rs"]
mod table;
#[cfg(feature = "compact")]
#[path = "small.rs"]
mod table;

use bartizan_notation::san::{parse_san, split_moves};
use bartizan_position::{Game, Position};
use bartizan_types::{Key, Move};
pub use compare::{CodeCheck, Relation};
use std::fmt;

/// An opening: its code, name and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opening {
    code: &'static str,
    name: &'static str,
    moves: &'static str,
}

impl Opening {
    /// The code, from `A00` to `E99`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The whole name, such as `Sicilian Defence: Najdorf Variation, English Attack`. It consists of printable ASCII
    /// characters other than quotes and backslashes. Several positions may have one name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The tags of a game with this opening; a tag without a value should be removed.
    pub fn tags(&self) -> [(&'static str, Option<&'static str>); 4] {
        [
            ("ECO", Some(self.code())),
            ("Opening", Some(self.opening())),
            ("Variation", self.variation()),
            ("SubVariation", None),
        ]
    }

    /// The name without the variation, such as `Sicilian Defence`: the tag `Opening` of a PGN file.
    pub fn opening(&self) -> &'static str {
        self.name.split_once(": ").map_or(self.name, |(opening, _)| opening)
    }

    /// The variation, such as `Najdorf Variation, English Attack`: the tag `Variation` of a PGN file.
    pub fn variation(&self) -> Option<&'static str> {
        self.name.split_once(": ").map(|(_, variation)| variation)
    }

    /// A usual order of the moves from the start position, in SAN with move numbers: `1. e4 c5 2. Nf3`.
    pub fn moves(&self) -> &'static str {
        self.moves
    }

    /// The same moves from the start position.
    pub fn line(&self) -> Vec<Move> {
        let mut position = Position::startpos();
        let play = |san| {
            // The build script has checked the moves.
            let mv = parse_san(&position, san).ok()?;
            position.make_unchecked(mv);
            Some(mv)
        };
        split_moves(self.moves).map_while(play).collect()
    }
}

/// The code and the name.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// All openings of the table, by code and then by moves.
pub fn openings() -> &'static [Opening] {
    table::openings()
}

/// The opening of a position on a line of the table, wherever on the line it is. Clocks are ignored, as is an en
/// passant square that no pawn can use.
///
/// ```
/// use bartizan_book::eco;
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2")?;
/// assert_eq!(eco::lookup(&position).unwrap().name(), "Sicilian Defence");
/// assert_eq!(eco::lookup(&Position::startpos()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lookup(position: &Position) -> Option<&'static Opening> {
    // The number of pieces never grows, so positions after the opening are recognised at once.
    if position.occupied().count() < table::FEWEST_PIECES { None } else { find(position.key()) }
}

/// Finds the opening of a game move by move, without a [`Game`].
///
/// ```
/// use bartizan_book::eco::Classifier;
/// use bartizan_position::Position;
///
/// let mut classifier = Classifier::new();
/// let mut position = Position::startpos();
/// for mv in ["e2e4", "c7c5", "h2h4", "h7h5"] {
///     position = position.play(position.parse_uci(mv)?)?;
///     classifier.see(&position);
/// }
/// assert_eq!(classifier.opening().unwrap().code(), "B20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Classifier(Option<&'static Opening>);

impl Classifier {
    /// Creates a classifier that has seen no position.
    pub const fn new() -> Self {
        Self(None)
    }

    /// Adds the next position of the game. Returns whether later positions can still be in the table; once `false`, it
    /// stays `false`.
    pub fn see(&mut self, position: &Position) -> bool {
        self.0 = lookup(position).or(self.0);
        position.occupied().count() >= table::FEWEST_PIECES
    }

    /// The opening of the game so far.
    pub fn opening(&self) -> Option<&'static Opening> {
        self.0
    }
}

/// The opening of a game: that of its last position on a line of the table.
pub fn classify(game: &Game) -> Option<&'static Opening> {
    game.keys().iter().rev().find_map(find)
}

fn find(key: Key) -> Option<&'static Opening> {
    table::find(key.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;
    use std::collections::BTreeSet;

    fn play(moves: &str) -> Game {
        let mut game = Game::default();
        for san in split_moves(moves) {
            game.push(parse_san(game.position(), san).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn every_line_of_the_table_has_its_own_code_and_name() {
        for opening in openings() {
            let game = play(opening.moves());
            assert_eq!(classify(&game), Some(opening));
            assert_eq!(lookup(game.position()), Some(opening));
            assert!(game.moves().eq(opening.line()));
        }
    }

    #[test]
    fn every_code_is_in_the_table() {
        let codes: BTreeSet<&str> = openings().iter().map(Opening::code).collect();
        assert_eq!((codes.len(), codes.first(), codes.last()), (500, Some(&"A00"), Some(&"E99")));
        assert!(openings().is_sorted_by_key(|opening| (opening.code, opening.moves)));
    }

    /// The order of the moves is irrelevant, as are moves after the last position of the table.
    #[test]
    fn transpositions_are_found() {
        let name = |moves| classify(&play(moves)).map(ToString::to_string);
        let najdorf = Some("B90 Sicilian Defence: Najdorf Variation".to_owned());
        assert_eq!(name("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"), najdorf);
        assert_eq!(name("1. Nf3 c5 2. e4 a6 3. Nc3 d6 4. d4 cxd4 5. Nxd4 Nf6 6. a3 h6 7. h3"), najdorf);
        // Out of the table and back.
        let janowski = Some("D31 Queen's Gambit Declined: Janowski Variation".to_owned());
        assert_eq!(name("1. d4 d5 2. c4 e6 3. Nc3 a6"), janowski);
        assert_eq!(name("1. c4 a6 2. Nc3 e6 3. d4 d5"), janowski);
        assert_eq!(classify(&Game::default()), None);
    }

    /// Equal depth: the greater code. Unequal depth: the deeper line. The order of the moves decides nothing.
    #[test]
    fn positions_between_the_lines_have_one_code() {
        let code = |moves| {
            let game = play(moves);
            assert_eq!(lookup(game.position()), classify(&game), "{moves}");
            classify(&game).map_or("none", Opening::code)
        };
        for moves in ["1. e4 g6 2. d4 Bg7 3. Nc3 c5 4. Nf3", "1. e4 c5 2. Nf3 g6 3. d4 Bg7 4. Nc3"] {
            assert_eq!(code(moves), "B27", "{moves}");
        }
        for moves in ["1. e4 g6 2. d4 Bg7 3. c4 c5 4. Nc3 d6", "1. c4 g6 2. e4 Bg7 3. d4 d6 4. Nc3 c5"] {
            assert_eq!(code(moves), "A42", "{moves}");
        }
    }

    /// The same moves of each side in another order, if it is legal and leads to the same position.
    fn transposition(line: &[Move], random: &mut SplitMix64) -> Option<Game> {
        let side = |first| line.iter().copied().skip(first).step_by(2).collect::<Vec<_>>();
        let mut sides = [side(0), side(1)];
        sides.iter_mut().for_each(|moves| random.shuffle(moves));
        let mut game = Game::default();
        for ply in 0..line.len() {
            game.push(sides[ply % 2][ply / 2]).ok()?;
        }
        Some(game)
    }

    #[test]
    fn transpositions_of_lines_agree() {
        let mut random = SplitMix64::new(1);
        let mut transposed = 0;
        for opening in openings() {
            let line = opening.line();
            let mut game = Game::default();
            for (plies, &mv) in (1..).zip(&line) {
                game.push(mv).unwrap();
                let opening = classify(&game);
                assert!(opening.is_some());
                assert_eq!(lookup(game.position()), opening);
                for other in (0..10).filter_map(|_| transposition(&line[..plies], &mut random)) {
                    if other.position().key() == game.position().key() && other != game {
                        transposed += 1;
                        assert_eq!(classify(&other), opening, "{}", other.position().to_fen());
                    }
                }
            }
        }
        assert!(transposed > 10_000, "{transposed}");
    }

    #[test]
    fn clocks_and_idle_en_passant_squares_do_not_matter() {
        let position = |fen| Position::from_fen(fen).unwrap();
        let usual = lookup(&position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        assert_eq!(usual.unwrap().code(), "C20");
        assert_eq!(lookup(&position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 9 40")), usual);
        // With the other side to move, or without a castling right, the position is different.
        assert_eq!(lookup(&position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")), None);
        assert_eq!(lookup(&position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQk - 0 2")), None);
        assert_eq!(lookup(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), None);
    }

    #[test]
    fn names_have_two_parts_at_most() {
        for opening in openings() {
            let joined = opening.variation().map_or_else(
                || opening.opening().to_owned(),
                |variation| format!("{}: {variation}", opening.opening()),
            );
            assert_eq!(joined, opening.name());
            assert!(!opening.opening().contains(':') && !opening.variation().is_some_and(|text| text.contains(':')));
        }
    }

    #[test]
    fn a_position_on_the_way_has_the_last_line_before_it() {
        let table = "A40\tx\t1. d4\nB00\tx\t1. e4\nB06\tx\t1. e4 g6 2. d4 c6 3. Nc3\nB07\tx\t1. d4 g6 2. e4 d6\n";
        let lines = compile::compile(table).unwrap();
        let names = compile::names(&lines);
        let name = |moves| names.get(&play(moves).position().key().0).map(|&index| lines[index].code);
        assert_eq!(name("1. c4"), None);
        assert_eq!(name("1. d4 g6"), Some("A40"));
        assert_eq!(name("1. d4 g6 2. e4"), Some("B00"));
        assert_eq!(name("1. d4 g6 2. e4 c6"), Some("B00"));
        assert_eq!(name("1. d4 g6 2. e4 d6"), Some("B07"));
        assert_eq!(name("1. d4 c6 2. e4 g6 3. Nc3"), Some("B06"));
    }

    #[test]
    fn faults_of_a_table_name_the_line() {
        let fault = |text: &str| compile::compile(text).unwrap_err().to_string();
        let good = "C20\tKing's Pawn Game\t1. e4 e5\n";
        assert_eq!(compile::compile(good).unwrap().len(), 1);
        let cases = [
            ("C21\tCentre Game\t1. e4 e5 2. d5\n", "line 2: no legal move matches 'd5'"),
            ("C20\tOpen Game\t1. e4 e5\n", "line 2: line 1 has the same position"),
            ("F00\tx\t1. e4\n", "line 2: 'F00' is not a code from A00 to E99"),
            ("A00\tRéti\t1. Nf3\n", "line 2: 'Réti' is not a name of printable ASCII characters without quotes"),
            ("A00\tx\t\n", "line 2: there are no moves"),
            ("A00 x\n", "line 2: expected a code, a name and moves, separated by tabs"),
        ];
        for (line, expected) in cases {
            assert_eq!(fault(&format!("{good}{line}")), expected);
        }
    }
}
