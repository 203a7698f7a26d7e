//! The class of a move.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A move that loses part of the chance to win. The limits are those of the largest open server, so that players know
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// A loss of 5 points of win per cent or more; `?!` in PGN.
    Inaccuracy,
    /// A loss of 10 points or more; `?`.
    Mistake,
    /// A loss of 15 points or more; `??`.
    Blunder,
}

impl Judgement {
    /// The number of judgements.
    pub const COUNT: usize = 3;

    /// The least loss in points of win per cent, the greatest first.
    const LIMITS: [(Self, f64); Self::COUNT] = [(Self::Blunder, 15.0), (Self::Mistake, 10.0), (Self::Inaccuracy, 5.0)];

    /// The judgement of a loss in points of win per cent; `None` for a good move.
    ///
    /// ```
    /// use bartizan_review::Judgement;
    ///
    /// assert_eq!(Judgement::of(4.9), None);
    /// assert_eq!(Judgement::of(10.0), Some(Judgement::Mistake));
    /// ```
    pub fn of(loss: f64) -> Option<Self> {
        Self::LIMITS.iter().find(|&&(_, limit)| loss >= limit).map(|&(judgement, _)| judgement)
    }

    /// The glyph in print: `?!`, `?` or `??`.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// In lower case: `blunder`.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

/// What a move was. The first class that fits counts, in this order; a blunder, mistake or inaccuracy is
/// none of the classes after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MoveClass {
    /// The only legal move.
    Forced,
    /// A blunder after which a won game is not won any more: the chance was 80 % or more, and is less than 60 %.
    MissedWin,
    /// A loss of 15 points of win per cent or more.
    Blunder,
    /// A loss of 10 points or more.
    Mistake,
    /// A loss of 5 points or more.
    Inaccuracy,
    /// A move to a position of the openings table, like all before it.
    Book,
    /// The engine's first choice; every other move loses 10 points or more.
    Only,
    /// The engine's first choice.
    Best,
    /// Another move that loses less than 5 points.
    #[default]
    Good,
}

/// A game is won with this chance, in per cent.
const WON: f64 = 80.0;

/// With less than this chance, a game that was won is not won any more.
const NOT_WON: f64 = 60.0;

/// With less than this chance, a game is lost whatever is played. Chosen, as the limits above are.
const LOST: f64 = 10.0;

/// What decides the class of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveFacts {
    /// Whether there was no other legal move.
    pub is_forced: bool,
    /// Whether this position and all before it are in the openings table.
    pub is_book: bool,
    /// Whether the engine chose the move, too.
    pub is_best: bool,
    /// By how much the second best move is worse than the best one, in points of win per cent, if known.
    pub margin: Option<f64>,
    /// The mover's chance before the move.
    pub before: f64,
    /// The mover's chance after the move.
    pub after: f64,
}

impl MoveFacts {
    /// The loss in points of win per cent. The engine has nothing better than its choice, which loses nothing.
    pub(crate) fn loss(&self) -> f64 {
        if self.is_best || self.is_forced { 0.0 } else { (self.before - self.after).max(0.0) }
    }
}

impl MoveClass {
    /// The class of a move.
    pub(crate) fn of(facts: &MoveFacts) -> Self {
        let judgement = Judgement::of(facts.loss());
        if facts.is_forced {
            Self::Forced
        } else if judgement == Some(Judgement::Blunder) && facts.before >= WON && facts.after < NOT_WON {
            Self::MissedWin
        } else if let Some(judgement) = judgement {
            match judgement {
                Judgement::Blunder => Self::Blunder,
                Judgement::Mistake => Self::Mistake,
                Judgement::Inaccuracy => Self::Inaccuracy,
            }
        } else if facts.is_book {
            Self::Book
        } else if facts.is_best {
            if facts.margin >= Some(10.0) { Self::Only } else { Self::Best }
        } else {
            Self::Good
        }
    }

    /// Whether the move is an inaccuracy, a mistake, a blunder or a missed win.
    pub const fn is_mistake(self) -> bool {
        matches!(self, Self::Inaccuracy | Self::Mistake | Self::Blunder | Self::MissedWin)
    }

    /// Whether the move only is [`Good`](Self::Good) because there was little left to lose: `chance` is the mover's
    /// after it, in per cent.
    pub fn is_of_lost_game(self, chance: f64) -> bool {
        self == Self::Good && chance < LOST
    }

    /// The name in words: `missed win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forced => "only legal move",
            Self::MissedWin => "missed win",
            Self::Blunder => "blunder",
            Self::Mistake => "mistake",
            Self::Inaccuracy => "inaccuracy",
            Self::Book => "book move",
            Self::Only => "only good move",
            Self::Best => "best move",
            Self::Good => "good move",
        }
    }

    /// The name in JSON and in style sheets: `missedWin`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::MissedWin => "missedWin",
            Self::Blunder => "blunder",
            Self::Mistake => "mistake",
            Self::Inaccuracy => "inaccuracy",
            Self::Book => "book",
            Self::Only => "only",
            Self::Best => "best",
            Self::Good => "good",
        }
    }

    /// The glyph of chess notation; empty for a move without one.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Only => "□",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder | Self::MissedWin => "??",
            Self::Forced | Self::Book | Self::Best | Self::Good => "",
        }
    }
}

impl fmt::Display for MoveClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: MoveFacts =
        MoveFacts { is_forced: false, is_book: false, is_best: false, margin: None, before: 50.0, after: 50.0 };

    #[test]
    fn losses_become_judgements() {
        use Judgement::{Blunder, Inaccuracy, Mistake};
        let found = [0.0, 4.99, 5.0, 9.99, 10.0, 14.99, 15.0, 100.0].map(Judgement::of);
        let expected = [None, None, Some(Inaccuracy), Some(Inaccuracy), Some(Mistake), Some(Mistake)];
        assert_eq!(found[..6], expected);
        assert_eq!(found[6..], [Some(Blunder); 2]);
    }

    #[test]
    fn the_first_class_that_fits_counts() {
        let class = |change: fn(&mut MoveFacts)| {
            let mut facts = FACTS;
            change(&mut facts);
            MoveClass::of(&facts)
        };
        assert_eq!(class(|_| {}), MoveClass::Good);
        assert_eq!(class(|facts| facts.after = 41.0), MoveClass::Inaccuracy);
        assert_eq!(class(|facts| (facts.after, facts.is_book) = (41.0, true)), MoveClass::Inaccuracy);
        assert_eq!(class(|facts| (facts.after, facts.is_book) = (48.0, true)), MoveClass::Book);
        assert_eq!(class(|facts| (facts.after, facts.is_forced) = (10.0, true)), MoveClass::Forced);
        assert_eq!(class(|facts| (facts.after, facts.is_best) = (30.0, true)), MoveClass::Best);
        assert_eq!(class(|facts| (facts.margin, facts.is_best) = (Some(9.9), true)), MoveClass::Best);
        assert_eq!(class(|facts| (facts.margin, facts.is_best) = (Some(10.0), true)), MoveClass::Only);
        assert_eq!(class(|facts| (facts.before, facts.after) = (90.0, 59.0)), MoveClass::MissedWin);
        assert_eq!(class(|facts| (facts.before, facts.after) = (97.0, 60.0)), MoveClass::Blunder);
        assert_eq!(class(|facts| (facts.before, facts.after) = (75.0, 64.0)), MoveClass::Mistake);
    }
}
