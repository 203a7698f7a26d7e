//! Test problems: what an EPD asks for, and whether a move solves it.

use super::{Epd, EpdError};
use crate::san::San;
use bartizan_types::Move;
use std::fmt;

/// A problem of a test suite. It asks for a best move (`bm`), any move except those to avoid (`am`), a mate (`dm`), or
/// the move with most points, as in the Strategic Test Suite (`c0 "f5=10, Be5=2"`).
///
/// Its [`Display`](fmt::Display) shows what the EPD asks for: `bm Nf3 d4`.
///
/// ```
/// use bartizan_notation::epd::{Epd, Problem};
///
/// let epd = Epd::parse(r#"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";"#)?;
/// let rook_to_d8 = epd.position.parse_uci("d1d8")?;
/// let problem = Problem::new(epd)?.expect("the EPD has a bm");
/// assert!(problem.is_solved(rook_to_d8, Some(1)));
/// assert_eq!(problem.to_string(), "bm Rd8#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    epd: Epd,
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u32>,
    points: Vec<(Move, i32)>,
}

impl Problem {
    /// The problem of an EPD; `None` if the EPD has neither `bm`, `am`, `dm` nor points.
    ///
    /// # Errors
    /// [`EpdError`] if an operand is neither a legal move nor, after `dm`, a number.
    pub fn new(epd: Epd) -> Result<Option<Self>, EpdError> {
        // Points are in one of the comments c0 to c9. A comment in prose has none.
        let points = (0..=9).find_map(|n| epd.points(&format!("c{n}")).ok().filter(|points| !points.is_empty()));
        let problem = Self {
            best: epd.best_moves()?,
            avoid: epd.avoid_moves()?,
            mate: epd.direct_mate()?,
            points: points.unwrap_or_default(),
            epd,
        };
        let is_task = !problem.best.is_empty()
            || !problem.avoid.is_empty()
            || problem.mate.is_some()
            || !problem.points.is_empty();
        Ok(is_task.then_some(problem))
    }

    /// The position and all operations.
    pub fn epd(&self) -> &Epd {
        &self.epd
    }

    /// Whether a move solves the problem. `mate` is the number of moves to mate that the solver announces: positive if
    /// the side to move mates.
    pub fn is_solved(&self, mv: Move, mate: Option<i32>) -> bool {
        let best = if self.best.is_empty() && self.mate.is_none() && self.avoid.is_empty() {
            // The move with most points is the solution if the EPD asks for nothing else.
            self.points_of(mv) == self.most_points()
        } else {
            self.best.is_empty() || self.best.contains(&mv)
        };
        let mates = self.mate.is_none_or(|wanted| mate.is_some_and(|mate| mate > 0 && mate as u32 <= wanted));
        best && !self.avoid.contains(&mv) && mates
    }

    /// The points of a move. Without points in the EPD, a best move has one.
    pub fn points_of(&self, mv: Move) -> i32 {
        if self.points.is_empty() {
            return i32::from(self.best.contains(&mv));
        }
        self.points.iter().find(|(other, _)| *other == mv).map_or(0, |&(_, points)| points)
    }

    /// The points of the best move. An unlisted move has none, which is better than a negative number.
    pub fn most_points(&self) -> i32 {
        let unlisted =
            self.epd.position.legal_moves().iter().any(|mv| self.points.iter().all(|(other, _)| other != mv));
        let listed = self.points.iter().map(|&(_, points)| points).max();
        listed.map_or(1, |points| if unlisted { points.max(0) } else { points })
    }

    /// Whether the EPD gives points.
    pub fn has_points(&self) -> bool {
        !self.points.is_empty()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut best, mut avoid) = (self.best.clone(), self.avoid.clone());
        if best.is_empty() && avoid.is_empty() && self.mate.is_none() {
            let most = self.most_points();
            let moves = |is_best: bool| self.points.iter().filter(move |(_, points)| (*points == most) == is_best);
            best.extend(moves(true).map(|&(mv, _)| mv));
            if best.is_empty() {
                // The best moves are not listed.
                avoid.extend(moves(false).map(|&(mv, _)| mv));
            }
        }
        let mut separator = "";
        for (opcode, moves) in [("bm", best), ("am", avoid)] {
            if !moves.is_empty() {
                write!(f, "{separator}{opcode}")?;
                moves.iter().try_for_each(|&mv| write!(f, " {}", San::new(&self.epd.position, mv)))?;
                separator = ", ";
            }
        }
        self.mate.map_or(Ok(()), |moves| write!(f, "{separator}dm {moves}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(operations: &str) -> Option<Problem> {
        let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}");
        Problem::new(Epd::parse(&line).unwrap()).unwrap()
    }

    /// Whether a move solves a problem.
    fn solves(operations: &str, mv: &str, mate: Option<i32>) -> bool {
        let problem = problem(operations).unwrap();
        problem.is_solved(problem.epd().position.parse_uci(mv).unwrap(), mate)
    }

    #[test]
    fn each_opcode_asks_for_something() {
        assert!(solves("bm e4 d4;", "d2d4", None) && !solves("bm e4 d4;", "c2c4", None));
        assert!(solves("am f3;", "e2e4", None) && !solves("am f3;", "f2f3", None));
        assert!(solves("dm 2;", "e2e4", Some(2)));
        assert!(solves("bm #2;", "e2e4", Some(2)) && !solves("bm #2;", "e2e4", None));
        assert!(!solves("dm 2;", "e2e4", Some(3)) && !solves("dm 2;", "e2e4", Some(-1)));
        assert!(solves("c0 \"e4=10, d4=7\";", "e2e4", None) && !solves("c0 \"e4=10, d4=7\";", "d2d4", None));
        assert!(problem("id \"nothing\"; c0 \"a comment\";").is_none());
    }

    #[test]
    fn points_are_those_of_the_suite() {
        let with_points = problem("bm e4; c0 \"e4=10, d4=7\";").unwrap();
        let d4 = with_points.epd().position.parse_uci("d2d4").unwrap();
        assert_eq!((with_points.points_of(d4), with_points.most_points()), (7, 10));
        let without = problem("bm d4;").unwrap();
        assert_eq!((without.points_of(d4), without.most_points(), without.has_points()), (1, 1, false));
        // Any other move is better than those that lose points.
        let minus = "c0 \"e4=-5, d4=-2\";";
        assert_eq!(problem(minus).unwrap().most_points(), 0);
        assert!(solves(minus, "c2c4", None) && !solves(minus, "d2d4", None));
    }

    #[test]
    fn the_text_is_the_task() {
        for (operations, expected) in [
            ("bm e4 Nf3;", "bm e4 Nf3"),
            ("am f3; bm e4;", "bm e4, am f3"),
            ("dm 3;", "dm 3"),
            ("am f3; dm 3;", "am f3, dm 3"),
            ("c0 \"e4=10, d4=10, c4=2\";", "bm e4 d4"),
            ("c0 \"e4=-5, d4=-2\";", "am e4 d4"),
        ] {
            assert_eq!(problem(operations).unwrap().to_string(), expected);
        }
    }
}
