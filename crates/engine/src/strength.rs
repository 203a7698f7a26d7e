//! Play below full strength.

use crate::options::Options;
use bartizan_levels::{Player, Rating};
use bartizan_types::Value;
use std::fmt;

/// The level at which the engine plays: a rating, or full strength. The options `UCI_LimitStrength` with `UCI_Elo`, and
/// `Skill Level` determine it: see [`Options::level`].
///
/// ```
/// use bartizan_engine::Level;
///
/// assert_eq!(Level::rated(1_200).to_string(), "Elo 1200");
/// assert_eq!(Level::of_skill(20), Level::FULL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// In [`Options::ELO`]; `None` for full strength.
    rating: Option<u32>,
}

/// When a player resigns: see [`Level::resigns_at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// The score at which a game counts as lost, in displayed centipawns below zero.
    pub score: i32,
    /// The number of consecutive moves of the player for which the score must be that low.
    pub moves: u32,
}

impl Level {
    /// Full strength.
    pub const FULL: Self = Self { rating: None };

    /// A rating in [`Options::ELO`].
    pub const fn rated(elo: u32) -> Self {
        Self { rating: Some(elo) }
    }

    /// A level as people name it: a rating in [`Options::ELO`], or `full`; `None` for any other text.
    ///
    /// ```
    /// use bartizan_engine::Level;
    ///
    /// assert_eq!(Level::named("1200"), Some(Level::rated(1_200)));
    /// assert_eq!((Level::named("Full"), Level::named("99999")), (Some(Level::FULL), None));
    /// ```
    pub fn named(text: &str) -> Option<Self> {
        let rated = || text.parse().ok().filter(|elo| Options::ELO.contains(elo)).map(Self::rated);
        if text.eq_ignore_ascii_case("full") { Some(Self::FULL) } else { rated() }
    }

    /// A `Skill Level` in [`Options::SKILL_LEVEL`]: the maximum is full strength, the others are spread evenly over the
    /// ratings.
    pub const fn of_skill(skill: u32) -> Self {
        Self::of_steps(skill, *Options::SKILL_LEVEL.end())
    }

    /// A strength in percent, from 1 to 100, spread like [`Level::of_skill`]: 100 is full strength.
    pub const fn of_percent(percent: u32) -> Self {
        Self::of_steps(percent.saturating_sub(1), 99)
    }

    /// The level that is `step` of `most` steps above the lowest.
    const fn of_steps(step: u32, most: u32) -> Self {
        let (lowest, highest) = (*Options::ELO.start(), *Options::ELO.end());
        if step >= most { Self::FULL } else { Self::rated(lowest + (highest - lowest) * step / most) }
    }

    /// The rating; `None` for full strength.
    pub const fn rating(self) -> Option<u32> {
        self.rating
    }

    /// A player of this level; `None` at full strength. `seed` determines its choices.
    pub(crate) fn player(self, seed: u64) -> Option<Player> {
        self.rating.map(|elo| Player::new(Rating::new(elo), seed))
    }

    /// The number of plies from the start of the game for which a player of this level knows openings: 4 at 600, 24 at
    /// 2,400. `None` for full strength, which follows the book to its end. Chosen, not measured.
    pub fn book_plies(self) -> Option<u32> {
        self.rating.map(|elo| 4 + elo.saturating_sub(*Options::ELO.start()) / 90)
    }

    /// When a player of this level resigns; `None` for never, and for full strength, where the owner of the engine
    /// decides. Weak players do not resign, because their opponents let them off; strong ones resign earlier: 7 pawns
    /// behind for 4 moves at 2,000, 5 pawns behind for 3 moves at 2,800. Chosen, not measured.
    pub fn resigns_at(self) -> Option<Resignation> {
        /// No weaker player resigns.
        const LEAST: u32 = 1_200;
        let above = self.rating?.checked_sub(LEAST)?;
        Some(Resignation { score: 900 - above as i32 / 4, moves: 5_u32.saturating_sub(above / 800).max(1) })
    }

    /// The greatest advantage with which a player of this level agrees to a draw, in internal centipawns: the weaker,
    /// the wider. It falls from 100 at 600 to 0 at 3,000; `None` for full strength. Chosen, not measured.
    pub fn draw_margin(self) -> Option<Value> {
        self.rating.map(|elo| Value(Options::ELO.end().saturating_sub(elo) as i32 / 24))
    }

    /// Whether a player of this level agrees to a draw at a move of the game, when its last search found `value`, in
    /// internal centipawns: after move 10, up to [`Level::draw_margin`]. `None` for full strength.
    pub fn agrees_to_draw(self, value: Value, fullmove: u32) -> Option<bool> {
        self.draw_margin().map(|margin| fullmove > 10 && value <= margin)
    }
}

/// `Elo 1200` or `full strength`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rating {
            Some(elo) => write!(f, "Elo {elo}"),
            None => f.write_str("full strength"),
        }
    }
}

impl Options {
    /// The level that the options determine: the rating `elo` if `limit_strength` is set, otherwise that of
    /// `skill_level`.
    pub fn level(&self) -> Level {
        if self.limit_strength { Level::rated(self.elo) } else { Level::of_skill(self.skill_level) }
    }

    /// Sets a level, overriding what the options said before.
    pub fn set_level(&mut self, level: Level) {
        self.skill_level = *Self::SKILL_LEVEL.end();
        self.limit_strength = level.rating.is_some();
        self.elo = level.rating.unwrap_or(self.elo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use bartizan_levels::Plan;
    use bartizan_search::{Limits, SearchEvent};
    use std::time::{Duration, Instant};

    #[test]
    fn the_options_agree_on_one_level() {
        let full = Options::default();
        assert!(full.level() == Level::FULL && full.level().player(1).is_none());
        let rated = full.clone().with_limit_strength(true).unwrap().with_elo(1_500).unwrap();
        assert_eq!(rated.level().player(1).map(|player| player.rating()), Some(Rating::new(1_500)));
        // The rating takes precedence over the level.
        assert_eq!(rated.clone().with_skill_level(0).unwrap().level(), Level::rated(1_500));
        let lowest = full.clone().with_skill_level(0).unwrap();
        assert_eq!(lowest.level(), Level::rated(*Options::ELO.start()));
        // Only the last level set counts.
        let mut options = rated;
        for level in [Level::of_percent(50), Level::rated(800), Level::of_skill(3), Level::FULL] {
            options.set_level(level);
            assert_eq!(options.level(), level);
        }
    }

    #[test]
    fn skill_levels_and_percents_are_spread_over_the_ratings() {
        let skills: Vec<_> = Options::SKILL_LEVEL.map(|skill| Level::of_skill(skill).rating()).collect();
        assert_eq!((skills[0], skills[10], skills[19], skills[20]), (Some(600), Some(1_800), Some(2_880), None));
        let percents: Vec<_> = (1..=100).map(|percent| Level::of_percent(percent).rating()).collect();
        assert_eq!((percents[0], percents[99]), (Some(600), None));
        for ratings in [&skills, &percents] {
            assert!(ratings[..ratings.len() - 1].windows(2).all(|two| two[0] < two[1]), "{ratings:?}");
        }
    }

    #[test]
    fn levels_know_openings_resign_and_agree_to_draws_as_people_do() {
        let levels: Vec<Level> = Options::ELO.map(Level::rated).collect();
        let of = |elo| Level::rated(elo);
        assert_eq!([600, 1_500, 2_400].map(|elo| of(elo).book_plies()), [Some(4), Some(14), Some(24)]);
        assert_eq!([600, 1_199].map(|elo| of(elo).resigns_at()), [None; 2]);
        let resigns = |score, moves| Some(Resignation { score, moves });
        assert_eq!([2_000, 2_800].map(|elo| of(elo).resigns_at()), [resigns(700, 4), resigns(500, 3)]);
        assert_eq!(
            [600, 1_800, 3_000].map(|elo| of(elo).draw_margin()),
            [100, 50, 0].map(|margin| Some(Value(margin)))
        );
        for two in levels.windows(2) {
            assert!(two[0].book_plies() <= two[1].book_plies() && two[0].draw_margin() >= two[1].draw_margin());
            if let (Some(weaker), Some(stronger)) = (two[0].resigns_at(), two[1].resigns_at()) {
                assert!(weaker.score >= stronger.score && weaker.moves >= stronger.moves);
            }
        }
        let agrees = |value, fullmove| of(1_800).agrees_to_draw(Value(value), fullmove);
        assert_eq!([agrees(50, 11), agrees(51, 11), agrees(-900, 10)], [Some(true), Some(false), Some(false)]);
        let full = Level::FULL;
        assert_eq!((full.agrees_to_draw(Value(-900), 80), full.draw_margin()), (None, None));
        assert_eq!((full.book_plies(), full.resigns_at()), (None, None));
    }

    #[test]
    fn errors_change_with_the_game_and_end_with_the_handicap() {
        let mut engine = Engine::new();
        engine.configure(|options| options.book.enabled = Some(false)).unwrap();
        let value = |engine: &mut Engine| engine.go(Limits::depth(1)).unwrap().wait().pv;
        let full = value(&mut engine);
        engine.configure(|options| (options.limit_strength, options.elo) = (true, *Options::ELO.start())).unwrap();
        // Five games without any difference are practically impossible.
        let games: Vec<_> = (0..5)
            .map(|_| {
                engine.new_game();
                value(&mut engine)
            })
            .collect();
        assert!(games.iter().any(|game| *game != games[0]), "{games:?}");
        // An analysis has none.
        engine.configure(|options| options.analyse = true).unwrap();
        assert_eq!(value(&mut engine), full);
        engine.configure(|options| (options.analyse, options.limit_strength) = (false, false)).unwrap();
        assert_eq!(value(&mut engine), full);
    }

    #[test]
    fn the_handicap_leaves_the_table_alone() {
        let mut engine = Engine::new();
        engine.configure(|options| options.book.enabled = Some(false)).unwrap();
        engine.go(Limits::depth(6)).unwrap().wait();
        let best = engine.table_move();
        assert!(best.is_some());
        for elo in [1_000, 1_500] {
            engine.configure(|options| options.set_level(Level::rated(elo))).unwrap();
            engine.go(Limits::depth(2)).unwrap().wait();
            assert_eq!(engine.table_move(), best);
        }
    }

    #[test]
    fn the_budget_counts_in_the_opponents_time_but_not_in_an_analysis() {
        let mut engine = Engine::new();
        engine.configure(|options| options.set_level(Level::rated(2_200))).unwrap();
        engine.configure(|options| options.book.enabled = Some(false)).unwrap();
        let Some(Plan::Search { nodes: budget, .. }) =
            Level::rated(2_200).player(1).unwrap().plan(engine.game(), &|| false)
        else {
            panic!("2,200 searches")
        };
        let pondering = engine.go(Limits::default().pondering()).unwrap();
        let control = pondering.control();
        let deadline = Instant::now() + Duration::from_secs(60);
        while control.nodes() < budget && Instant::now() < deadline {
            std::thread::yield_now();
        }
        pondering.stop();
        assert_eq!(pondering.wait().nodes, budget);
        let analysis = engine.go(Limits::infinite()).unwrap();
        let control = analysis.control();
        let result = analysis.wait_with(|event| {
            if let SearchEvent::Info(info) = event
                && info.nodes > 10 * budget
            {
                control.stop();
            }
        });
        assert!(result.nodes > 10 * budget);
    }
}
