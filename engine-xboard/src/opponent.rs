//! Who plays against the engine, as far as the client tells.

/// The opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opponent {
    /// The name, for the game log.
    pub(crate) name: Option<String>,
    /// Our rating and the opponent's; 0 for one that is not known.
    ratings: (i64, i64),
    is_computer: bool,
}

impl Opponent {
    /// A new game: what was said of the strength of the old opponent does not count.
    pub(crate) fn new_game(&mut self) {
        *self = Self { name: self.name.take(), ..Self::default() };
    }

    pub(crate) fn set_ratings(&mut self, own: i64, opponent: i64) {
        self.ratings = (own, opponent);
    }

    pub(crate) fn set_computer(&mut self) {
        self.is_computer = true;
    }

    /// By how much our rating exceeds the opponent's, in Elo, as far as that says who is to press for a win: 0 when a rating is
    /// not known. Nor does it say much of another program: servers rate programs mostly by their games with people.
    pub(crate) fn rating_lead(&self) -> i32 {
        match self.ratings {
            (own, opponent) if own > 0 && opponent > 0 && !self.is_computer => {
                (own - opponent).clamp(-5_000, 5_000) as i32
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_count_against_people() {
        let mut opponent = Opponent { name: Some("x".to_owned()), ..Opponent::default() };
        assert_eq!(opponent.rating_lead(), 0);
        opponent.set_ratings(2_500, 0);
        assert_eq!(opponent.rating_lead(), 0);
        opponent.set_ratings(2_500, 2_600);
        assert_eq!(opponent.rating_lead(), -100);
        opponent.set_computer();
        assert_eq!(opponent.rating_lead(), 0);
        opponent.new_game();
        opponent.set_ratings(i64::MAX, 1);
        assert_eq!((opponent.rating_lead(), opponent.name.as_deref()), (5_000, Some("x")));
    }
}
