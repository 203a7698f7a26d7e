//! What happened in a match: games, and pairs of games.
//!
//! Everything is seen from the first of the two engines; `reversed` gives the other engine's view.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// The result of one game for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    /// 0 points.
    Loss,
    /// ½ point.
    Draw,
    /// 1 point.
    Win,
}

impl GameScore {
    /// Points in halves: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// The same game as the other engine sees it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Numbers of games won, drawn and lost by the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WdlCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WdlCounts {
    /// Wins, draws and losses, in this order.
    #[must_use]
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self { wins, draws, losses }
    }

    /// Counts one more game.
    pub fn add_game(&mut self, game: GameScore) {
        match game {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    /// Number of games.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points won: a draw is half a point.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, 0 to 1; `None` without a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        share(self.points(), self.total())
    }

    /// Draws per game, 0 to 1; `None` without a game.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.draws as f64, self.total())
    }

    /// The other engine's view.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts by points: losses, draws, wins.
    pub(crate) const fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// `part / whole`; `None` when the whole is empty.
fn share(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

impl AddAssign for WdlCounts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl Add for WdlCounts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sum for WdlCounts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

/// `+60 =90 -30`: the notation of match tables.
impl fmt::Display for WdlCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// Numbers of pairs in which the first engine made 0, ½, 1, 1½ and 2 points of the two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair; the order of its games does not matter.
    pub fn add_pair(&mut self, one: GameScore, other: GameScore) {
        self.0[usize::from(one.half_points() + other.half_points())] += 1;
    }

    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points won in all pairs.
    #[must_use]
    pub fn points(&self) -> f64 {
        let halves: u64 = (0..).zip(self.0).map(|(halves, pairs)| halves * pairs).sum();
        halves as f64 / 2.0
    }

    /// Points per game, 0 to 1; `None` without a pair.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        share(self.points(), 2 * self.pairs())
    }

    /// Share of pairs that ended 1–1; `None` without a pair. The closer to 1, the less information a further pair
    /// adds.
    #[must_use]
    pub fn level_ratio(&self) -> Option<f64> {
        share(self.0[2] as f64, self.pairs())
    }

    /// Pairs won (1½ or 2 points) for each pair lost; `None` when none was lost.
    #[must_use]
    pub fn pair_ratio(&self) -> Option<f64> {
        let [lost, narrowly_lost, _, narrowly_won, won] = self.0;
        share((narrowly_won + won) as f64, lost + narrowly_lost)
    }

    /// The other engine's view.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([e, d, c, b, a])
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sum for Pentanomial {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

/// `[0, 0, 60, 30, 0]`: lost by two first.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Everything counted in a match between two engines: complete pairs, and games whose partner was never played.
///
/// Of a pair under way, add nothing until both games are over: short games finish first, and a result that depends on
/// which games were short is biased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MatchTally {
    /// The complete pairs.
    pub pairs: Pentanomial,
    /// How many of the pairs with one point each were two draws; the others were a win and a loss.
    pub double_draws: u64,
    /// Games that belong to no complete pair.
    pub unpaired: WdlCounts,
}

impl MatchTally {
    /// Counts a complete pair; the order of its games does not matter.
    pub fn add_pair(&mut self, one: GameScore, other: GameScore) {
        self.pairs.add_pair(one, other);
        self.double_draws += u64::from(one == GameScore::Draw && other == GameScore::Draw);
    }

    /// Counts a game that has no partner and will not get one.
    pub fn add_unpaired(&mut self, game: GameScore) {
        self.unpaired.add_game(game);
    }

    /// All games, paired or not.
    #[must_use]
    pub fn games(&self) -> WdlCounts {
        let [two_losses, loss_draw, level, win_draw, two_wins] = self.pairs.0;
        let win_loss = level.saturating_sub(self.double_draws);
        let paired = WdlCounts {
            wins: 2 * two_wins + win_draw + win_loss,
            draws: loss_draw + win_draw + 2 * (level - win_loss),
            losses: 2 * two_losses + loss_draw + win_loss,
        };
        paired + self.unpaired
    }

    /// How many of the pairs with one point each were a win and a loss: two wins for the same colour.
    #[must_use]
    pub const fn split_pairs(&self) -> u64 {
        self.pairs.0[2].saturating_sub(self.double_draws)
    }

    /// The other engine's view.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { pairs: self.pairs.reversed(), double_draws: self.double_draws, unpaired: self.unpaired.reversed() }
    }
}

impl AddAssign for MatchTally {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.double_draws += other.double_draws;
        self.unpaired += other.unpaired;
    }
}

impl Add for MatchTally {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sum for MatchTally {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameScore::{Draw, Loss, Win};

    #[test]
    fn every_kind_of_pair_is_counted() {
        let mut tally = MatchTally::default();
        let kinds = [Loss, Draw, Win];
        for one in kinds {
            for other in kinds {
                tally.add_pair(one, other);
            }
        }
        tally.add_unpaired(Win);
        assert_eq!(tally.pairs, Pentanomial([1, 2, 3, 2, 1]));
        assert_eq!((tally.double_draws, tally.split_pairs()), (1, 2));
        assert_eq!(tally.games(), WdlCounts::new(7, 6, 6));
        assert_eq!(tally.games().points(), tally.pairs.points() + tally.unpaired.points());
        assert_eq!(tally.reversed().games(), tally.games().reversed());
        assert_eq!((tally + tally).games().total(), 38);
    }

    #[test]
    fn ratios() {
        let games = WdlCounts::new(3, 4, 1);
        assert_eq!((games.points(), games.score(), games.draw_ratio()), (5.0, Some(0.625), Some(0.5)));
        assert_eq!((WdlCounts::default().score(), WdlCounts::default().draw_ratio()), (None, None));
        let pairs = Pentanomial([1, 2, 10, 4, 5]);
        assert_eq!((pairs.pairs(), pairs.points()), (22, 27.0));
        assert_eq!(pairs.score(), Some(27.0 / 44.0));
        assert_eq!(pairs.pair_ratio(), Some(3.0));
        assert_eq!(pairs.level_ratio(), Some(10.0 / 22.0));
        assert_eq!(Pentanomial([0, 0, 3, 4, 5]).pair_ratio(), None);
    }

    #[test]
    fn views_and_text() {
        assert_eq!(WdlCounts::new(60, 90, 30).to_string(), "+60 =90 -30");
        assert_eq!(Pentanomial([0, 1, 60, 30, 2]).to_string(), "[0, 1, 60, 30, 2]");
        assert_eq!(Pentanomial([0, 1, 60, 30, 2]).reversed(), Pentanomial([2, 30, 60, 1, 0]));
        for game in [Loss, Draw, Win] {
            assert_eq!(game.half_points() + game.reversed().half_points(), 2);
        }
    }
}
