//! A suite and what counts as solved.

use anyhow::{Context, ensure};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_types::Move;
use std::path::Path;

/// A problem: a position and what is asked of it.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) epd: Epd,
    /// Its `id`, or its line.
    pub(super) name: String,
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u32>,
    points: Vec<(Move, i32)>,
}

impl Problem {
    fn new(epd: Epd, line: usize) -> anyhow::Result<Self> {
        let name = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        // Points stand in one of the comments, as in the Strategic Test Suite; a comment in words has none.
        let points = (0..=9).find_map(|n| epd.points(&format!("c{n}")).ok().filter(|points| !points.is_empty()));
        Ok(Self {
            best: epd.best_moves()?,
            avoid: epd.avoid_moves()?,
            mate: epd.direct_mate()?,
            points: points.unwrap_or_default(),
            name,
            epd,
        })
    }

    fn asks(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some() || !self.points.is_empty()
    }

    /// Whether a move (with a mate in so many moves, if the engine says one) is what is asked for.
    pub(super) fn is_solved(&self, mv: Move, mate: Option<i32>) -> bool {
        let best = if self.best.is_empty() && self.mate.is_none() && self.avoid.is_empty() {
            // Points alone: full points are the solution.
            self.points_of(mv) == self.most_points()
        } else {
            self.best.is_empty() || self.best.contains(&mv)
        };
        let mates = self.mate.is_none_or(|wanted| mate.is_some_and(|mate| mate > 0 && mate as u32 <= wanted));
        best && !self.avoid.contains(&mv) && mates
    }

    /// The points of a move; 1 for a solution where the file gives none.
    pub(super) fn points_of(&self, mv: Move) -> i32 {
        if self.points.is_empty() {
            return i32::from(self.best.contains(&mv));
        }
        self.points.iter().find(|(other, _)| *other == mv).map_or(0, |&(_, points)| points)
    }

    /// The most points that there are.
    pub(super) fn most_points(&self) -> i32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(1)
    }

    /// Whether the file weighs several moves.
    pub(super) fn has_points(&self) -> bool {
        !self.points.is_empty()
    }
}

/// Reads the positions of a file.
///
/// # Errors
/// Names file and line.
pub(super) fn read_positions(path: &Path) -> anyhow::Result<Vec<(usize, Epd)>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut positions = Vec::new();
    for (line, record) in list::records(&list::decode(&bytes)) {
        let epd = Epd::parse(record).with_context(|| format!("{}: line {line}", path.display()))?;
        positions.push((line, epd));
    }
    ensure!(!positions.is_empty(), "{}: there are no positions", path.display());
    Ok(positions)
}

/// Reads a suite of problems.
///
/// # Errors
/// Names file and line; also for a position that asks nothing.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Problem>> {
    let problem = |(line, epd)| {
        let problem = Problem::new(epd, line).with_context(|| format!("{}: line {line}", path.display()))?;
        ensure!(problem.asks(), "{}: line {line}: neither bm, am, dm nor points", path.display());
        Ok(problem)
    };
    read_positions(path)?.into_iter().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(operations: &str) -> Problem {
        let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}");
        Problem::new(Epd::parse(&line).unwrap(), 1).unwrap()
    }

    #[test]
    fn what_is_asked() {
        let mv = |problem: &Problem, text| problem.epd.position.parse_uci(text).unwrap();
        let best = problem("bm e4 d4; id \"one\";");
        assert!(best.is_solved(mv(&best, "d2d4"), None) && !best.is_solved(mv(&best, "c2c4"), None));
        assert_eq!(best.name, "one");
        let avoid = problem("am f3;");
        assert!(avoid.is_solved(mv(&avoid, "e2e4"), None) && !avoid.is_solved(mv(&avoid, "f2f3"), None));
        let mate = problem("dm 2;");
        let e4 = mv(&mate, "e2e4");
        assert!(mate.is_solved(e4, Some(2)) && !mate.is_solved(e4, Some(3)) && !mate.is_solved(e4, Some(-1)));
        let points = problem("c0 \"e4=10, d4=7\";");
        assert!(points.is_solved(mv(&points, "e2e4"), None) && !points.is_solved(mv(&points, "d2d4"), None));
        assert_eq!((points.points_of(mv(&points, "d2d4")), points.most_points()), (7, 10));
        assert!(!problem("id \"nothing\";").asks());
    }
}
