//! When to resign, and when to offer or accept a draw.
//!
//! The score for resigning is an option, and so in displayed centipawns. Draws are judged in internal centipawns, as
//! contempt is.

use bartizan_engine::{Material, shown};
use bartizan_frontend::Manners;
use bartizan_types::Value;

/// Largest distance of a level score from a draw, in internal centipawns. The engine offers a draw when the score is
/// level and all of the following hold.
const LEVEL: i32 = 12;
/// The score has been level for this number of moves in a row.
const LEVEL_MOVES: u32 = 8;
/// Nothing was captured and no pawn moved for this number of plies.
const QUIET_PLIES: u16 = 16;
/// The game is at least this number of plies old.
const OLD_GAME: u32 = 80;
/// Moves between two draw offers.
const PAUSE: u32 = 20;
/// Before this ply, the engine accepts a draw only in a bad position.
const OPENING: u32 = 30;
/// The score of a bad position, in internal centipawns below zero.
const BAD: i32 = 100;

/// What the engine remembers of a game for resigning and draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mood {
    /// Moves in a row with a lost score.
    lost: u32,
    /// Moves in a row with a level score.
    level: u32,
    /// Moves since the engine offered a draw.
    since_offer: Option<u32>,
    /// The value of the last search, and what was on the board then.
    last: Option<(Value, Material)>,
    /// Whether the opponent offers a draw.
    has_offer: bool,
}

/// What to do besides moving, or instead of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gesture {
    pub(crate) resign: bool,
    pub(crate) offer_draw: bool,
}

impl Mood {
    /// The value of the engine's last search, and what was on the board then.
    pub(crate) fn last(&self) -> Option<(Value, Material)> {
        self.last
    }

    /// The opponent offers a draw.
    pub(crate) fn receive_offer(&mut self) {
        self.has_offer = true;
    }

    /// The opponent's offer does not stand any more; returns whether there was one.
    pub(crate) fn withdraw_offer(&mut self) -> bool {
        std::mem::take(&mut self.has_offer)
    }

    /// Takes in the value of a search for the engine's move, at a ply of the game, `quiet` plies after the last capture
    /// or pawn move.
    pub(crate) fn note(
        &mut self,
        value: Value,
        material: Material,
        ply: u32,
        quiet: u16,
        manners: &Manners,
    ) -> Gesture {
        self.last = Some((value, material));
        let count = |holds: bool, times: u32| if holds { times + 1 } else { 0 };
        self.lost = count(shown(value, material) <= -manners.resign_score, self.lost);
        self.level = count(value.0.abs() <= LEVEL, self.level);
        self.since_offer = self.since_offer.map(|moves| moves + 1);
        let resign = manners.resign && self.lost >= manners.resign_moves;
        let may_ask = self.since_offer.is_none_or(|moves| moves >= PAUSE);
        let offer_draw =
            manners.draws && !resign && may_ask && self.level >= LEVEL_MOVES && quiet >= QUIET_PLIES && ply >= OLD_GAME;
        if offer_draw {
            self.since_offer = Some(0);
        }
        Gesture { resign, offer_draw }
    }

    /// Whether to accept a draw that costs `contempt` internal centipawns.
    pub(crate) fn accepts_draw(&self, ply: u32, contempt: i32, manners: &Manners) -> bool {
        let Some((value, _)) = self.last.filter(|_| manners.draws) else { return false };
        value.0 <= -contempt && (ply >= OPENING || value.0 <= -contempt - BAD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resigns_after_several_lost_scores_in_a_row() {
        let manners = Manners { resign: true, resign_score: 500, resign_moves: 3, draws: true };
        let mut mood = Mood::default();
        let material = Material::new(40);
        // In displayed centipawns.
        let value = |cp: i32| (-32_000..).map(Value).find(|&value| shown(value, material) >= cp).unwrap();
        let mut resigns = |cp| mood.note(value(cp), material, 60, 0, &manners).resign;
        let answers = [-600, -600, -400, -500, -31_990, -700].map(&mut resigns);
        assert_eq!(answers, [false, false, false, false, false, true]);
        let mut mood = Mood::default();
        let off = Manners { resign: false, ..manners };
        assert!((0..9).all(|_| !mood.note(Value(-5_000), material, 60, 0, &off).resign));
    }

    #[test]
    fn offers_a_draw_when_nothing_happens() {
        let manners = Manners::default();
        let mut mood = Mood::default();
        let offers: Vec<usize> = (0..60)
            .filter(|&mv| mood.note(Value(3), Material::MIN, 80 + 2 * mv as u32, 40, &manners).offer_draw)
            .collect();
        assert_eq!(offers, [7, 27, 47]);
        let mut mood = Mood::default();
        assert!((0..60).all(|_| !mood.note(Value(3), Material::MIN, 120, 2, &manners).offer_draw));
    }

    #[test]
    fn accepts_draws_that_lose_nothing() {
        let manners = Manners::default();
        let mut mood = Mood::default();
        assert!(!mood.accepts_draw(60, 0, &manners));
        mood.note(Value(0), Material::MIN, 60, 0, &manners);
        assert!(mood.accepts_draw(60, 0, &manners) && !mood.accepts_draw(4, 0, &manners));
        assert!(
            !mood.accepts_draw(60, 20, &manners) && !mood.accepts_draw(60, 0, &Manners { draws: false, ..manners })
        );
        mood.note(Value(-150), Material::MAX, 4, 0, &manners);
        assert!(mood.accepts_draw(4, 0, &manners));
        mood.note(Value(15), Material::MAX, 60, 0, &manners);
        assert!(!mood.accepts_draw(60, 0, &manners));
    }
}
