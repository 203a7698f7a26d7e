//! The second verifier: tries to refute a claim by the rules of chess and by searches of 2 million nodes.
//!
//! It is written from the documentation of the claims alone and shares no code with the detectors. Where the
//! documentation leaves room, it asks for what a reader of the sentence would expect.

use crate::mistakes::Mistake;
use crate::rules::{balance, capture_search, exchange, gain, play_all};
use crate::searches::{Found, Searches};
use crate::{draws, endings, material, mates, positional, remedies};
use bartizan_position::Position;
use bartizan_review::reasons::claim::{Chance, Claim, LEAST_LOSS, SLACK};
use bartizan_types::{Color, Move};
use std::cell::RefCell;

/// The nodes of each search.
const NODES: u64 = 2_000_000;

/// Where scores are cut, in centipawns; also that of a mate.
pub(crate) const CUT: i32 = 1_500;

/// Why a claim does not pass.
pub(crate) enum Failure {
    /// The claim is wrong, with the reason.
    Refuted(String),
    /// A search failed.
    Search(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Search(error)
    }
}

/// The result of a part of a check.
pub(crate) type Check<T = ()> = Result<T, Failure>;

/// Refutes the claim unless a condition holds.
pub(crate) fn require(holds: bool, why: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(Failure::Refuted(why())) }
}

/// What the verifier says about a claim.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ruling {
    /// Why the claim is wrong, if it is.
    pub(crate) refuted: Option<String>,
    /// What is odd about it.
    pub(crate) doubts: Vec<String>,
}

/// Checks the claims about one mistake.
pub(crate) struct Verifier<'a> {
    searches: &'a Searches,
    pub(crate) mistake: &'a Mistake,
    /// All claims about the mistake.
    pub(crate) claims: &'a [Claim],
    doubts: RefCell<Vec<String>>,
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(searches: &'a Searches, mistake: &'a Mistake, claims: &'a [Claim]) -> Self {
        Self { searches, mistake, claims, doubts: RefCell::default() }
    }

    /// Tries to refute a claim.
    pub(crate) fn rule(&self, claim: &Claim) -> anyhow::Result<Ruling> {
        self.doubts.take();
        let refuted = match self.check(claim) {
            Ok(()) => None,
            Err(Failure::Refuted(why)) => Some(why),
            Err(Failure::Search(error)) => return Err(error),
        };
        Ok(Ruling { refuted, doubts: self.doubts.take() })
    }

    fn check(&self, claim: &Claim) -> Check {
        let loss = self.loss()?;
        require(loss >= LEAST_LOSS, || format!("the move costs only {loss} centipawns"))?;
        if claim.chance() == Some(Chance::Missed) {
            require(claim.line().first() != Some(&self.mistake.played), || "the missed move was played".to_owned())?;
        }
        match claim {
            Claim::Mate { chance, line, moves, motif } => mates::check(self, *chance, line, *moves, motif.as_ref()),
            Claim::Material { .. } => material::check(self, claim),
            Claim::Draw { chance, line, draw } => draws::check(self, *chance, line, *draw),
            Claim::UnstoppablePawn { chance, line, pawn } => endings::check_pawn(self, *chance, line, *pawn),
            Claim::Ending { kind, from, to, source } => endings::check_result(self, *kind, (*from, *to), *source),
            Claim::Positional { better, refutation, feature, centipawns } => {
                positional::check(self, better, refutation, feature, *centipawns)
            }
            Claim::Remedy { mv, square, remedy } => remedies::check(self, *mv, *square, *remedy),
        }
    }

    /// Notes something odd that does not refute the claim.
    pub(crate) fn doubt(&self, is_odd: bool, what: impl FnOnce() -> String) {
        if is_odd {
            self.doubts.borrow_mut().push(what());
        }
    }

    /// The player who made the mistake.
    pub(crate) fn player(&self) -> Color {
        self.mistake.before.turn()
    }

    /// The side whose line a claim gives.
    pub(crate) fn winner(&self, chance: Chance) -> Color {
        match chance {
            Chance::Missed => self.player(),
            Chance::Allowed => !self.player(),
        }
    }

    /// Where the line of a claim starts.
    pub(crate) fn start(&self, chance: Chance) -> Position {
        match chance {
            Chance::Missed => self.mistake.before.clone(),
            Chance::Allowed => self.mistake.after(),
        }
    }

    /// The search of a position.
    pub(crate) fn search(&self, position: &Position) -> Check<Found> {
        Ok(self.searches.best(position, NODES)?)
    }

    /// The score of a position for a side, cut.
    pub(crate) fn score(&self, position: &Position, side: Color) -> Check<i32> {
        let score = self.search(position)?.centipawns().clamp(-CUT, CUT);
        Ok(if position.turn() == side { score } else { -score })
    }

    /// What the mistake costs the player, in centipawns.
    pub(crate) fn loss(&self) -> Check<i32> {
        let player = self.player();
        Ok(self.score(&self.mistake.before, player)? - self.score(&self.mistake.after(), player)?)
    }

    /// The positions of a line that is legal and on which the winner's score changes little from its start to its end.
    pub(crate) fn sound(&self, start: &Position, line: &[Move], winner: Color) -> Check<Vec<Position>> {
        let positions = legal(start, line)?;
        let first = self.score(start, winner)?;
        let last = self.score(&positions[line.len()], winner)?;
        require((first - last).abs() <= SLACK + first.abs() / 4, || {
            format!("the line is unsound: the winner has {first} at its start, {last} at its end")
        })?;
        Ok(positions)
    }

    /// What a side wins in material if a position is played on by the search's best line, up to `plies` moves, until
    /// the last quiet position there; with the moves up to it.
    pub(crate) fn later_balance(&self, position: &Position, side: Color, plies: usize) -> Check<(i32, usize)> {
        let line = self.search(position)?.line;
        let line = &line[..line.len().min(plies)];
        let positions = legal(position, line)?;
        let calm = positions.iter().enumerate().rev().find(|(_, position)| is_calm(position));
        Ok(calm.map_or((balance(position, side), 0), |(index, position)| (balance(position, side), index)))
    }
}

/// The positions of a line, if all moves are legal.
pub(crate) fn legal(start: &Position, line: &[Move]) -> Check<Vec<Position>> {
    play_all(start, line).ok_or_else(|| Failure::Refuted("the line has an illegal move".to_owned()))
}

/// Whether the side to move is not in check and has no capture or promotion that wins anything.
pub(crate) fn is_calm(position: &Position) -> bool {
    !position.in_check() && capture_search(position, 6) <= 0
}

/// Refutes the claim unless a position is quiet: the side to move is not in check and, unless it is the winner, no
/// exchange on one square gains it a pawn.
pub(crate) fn require_quiet(position: &Position, winner: Color) -> Check {
    require(!position.in_check(), || format!("the side to move is in check at the end: {}", position.to_fen()))?;
    if position.turn() == winner {
        return Ok(());
    }
    for mv in position.legal_moves() {
        if position.is_tactical(mv) {
            let next = position.play_unchecked(mv);
            let gained = gain(position, mv) - exchange(&next, mv.to());
            require(gained < 1, || format!("{mv} gains {gained} at the end: {}", position.to_fen()))?;
        }
    }
    Ok(())
}
