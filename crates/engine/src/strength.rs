//! Play below full strength.

use crate::options::Options;
use bartizan_search::EvalNoise;

/// How a search is weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handicap {
    /// The node budget of a move.
    pub(crate) nodes: u64,
    /// The standard deviation of the errors of the evaluation, in internal centipawns.
    pub(crate) noise_std_dev: u32,
}

impl Handicap {
    /// The errors of the evaluation; `None` if there are none.
    pub(crate) fn eval_noise(self, seed: u64) -> Option<EvalNoise> {
        (self.noise_std_dev > 0).then_some(EvalNoise { std_dev: self.noise_std_dev, seed })
    }
}

/// A measured rating.
struct Measured {
    /// The rating, in Elo.
    elo: u32,
    handicap: Handicap,
}

const fn measured(elo: u32, nodes: u64, noise_std_dev: u32) -> Measured {
    Measured { elo, handicap: Handicap { nodes, noise_std_dev } }
}

/// Ratings from weakest to strongest. Ratings between two of them get nodes and errors in between.
///
/// Those from 1,080 on were measured against Stockfish 15.1 at several skill levels, on the scale that its authors use
/// for them (CCRL); those below, and between the measured ones, by games of the engine against itself
/// (`docs/lab/levels.md`, "2026-11-26 Weaker play").
const MEASURED: [Measured; 12] = [
    measured(700, 50, 263),
    measured(830, 100, 228),
    measured(1_080, 200, 195),
    measured(1_380, 400, 163),
    measured(1_610, 800, 134),
    measured(1_890, 1_600, 106),
    measured(2_160, 3_200, 81),
    measured(2_460, 6_400, 58),
    measured(2_670, 12_800, 37),
    measured(2_770, 25_600, 20),
    measured(2_850, 51_200, 8),
    measured(2_900, 102_400, 0),
];

/// The weakening for a rating in [`Options::ELO`].
pub(crate) fn of_rating(elo: u32) -> Handicap {
    let [first, .., last] = &MEASURED;
    let elo = elo.clamp(first.elo, last.elo);
    let upper = MEASURED.iter().position(|known| elo <= known.elo).unwrap_or(MEASURED.len() - 1).max(1);
    let [low, high] = [&MEASURED[upper - 1], &MEASURED[upper]];
    let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
    let between = |low: f64, high: f64| low + share * (high - low);
    let [few, many] = [low, high].map(|known| (known.handicap.nodes as f64).log2());
    let [more, less] = [low, high].map(|known| f64::from(known.handicap.noise_std_dev));
    Handicap { nodes: between(few, many).exp2().round() as u64, noise_std_dev: between(more, less).round() as u32 }
}

/// The level at which the engine plays. The options `Strength`, `UCI_LimitStrength` with `UCI_Elo`, and `Skill Level`
/// together determine it: see [`Options::level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    rating: Option<u32>,
    strength: u32,
}

impl Level {
    /// Full strength.
    pub const FULL: Self = Self { rating: None, strength: *Options::STRENGTH.end() };

    /// A rating in [`Options::ELO`].
    pub const fn rated(elo: u32) -> Self {
        Self { rating: Some(elo), ..Self::FULL }
    }

    /// A strength in percent, in [`Options::STRENGTH`], without evaluation errors.
    pub const fn of_strength(percent: u32) -> Self {
        Self { strength: percent, ..Self::FULL }
    }

    /// A `Skill Level` in [`Options::SKILL_LEVEL`]: the maximum is full strength, the others are spread evenly over the
    /// ratings.
    pub const fn of_skill(skill: u32) -> Self {
        let (lowest, highest, most) = (*Options::ELO.start(), *Options::ELO.end(), *Options::SKILL_LEVEL.end());
        if skill >= most { Self::FULL } else { Self::rated(lowest + (highest - lowest) * skill / most) }
    }

    /// The rating; `None` if the level is not a rating.
    pub fn rating(self) -> Option<u32> {
        self.rating
    }

    /// The strength in percent, which limits the nodes per move.
    pub fn strength(self) -> u32 {
        self.strength
    }

    /// What makes the search weaker; `None` at full strength.
    pub(crate) fn handicap(self) -> Option<Handicap> {
        let budget = strength_nodes(self.strength).map(|nodes| Handicap { nodes, noise_std_dev: 0 });
        match (budget, self.rating.map(of_rating)) {
            (Some(budget), Some(rating)) => Some(Handicap { nodes: budget.nodes.min(rating.nodes), ..rating }),
            (budget, rating) => budget.or(rating),
        }
    }
}

impl Options {
    /// The level that the options determine: the rating `elo` if `limit_strength` is set, otherwise that of
    /// `skill_level`, and always at most the nodes of `strength`.
    pub fn level(&self) -> Level {
        let level = if self.limit_strength { Level::rated(self.elo) } else { Level::of_skill(self.skill_level) };
        Level { strength: self.strength, ..level }
    }

    /// Sets a level, overriding what the options said before.
    pub fn set_level(&mut self, level: Level) {
        (self.strength, self.skill_level) = (level.strength, *Self::SKILL_LEVEL.end());
        self.limit_strength = level.rating.is_some();
        self.elo = level.rating.unwrap_or(self.elo);
    }
}

/// The node budget per move at a strength in percent; `None` at full strength. It doubles every seven steps: 70 nodes
/// at 1, 8,000 at 50, a million at 99.
fn strength_nodes(strength: u32) -> Option<u64> {
    (strength < 100).then(|| 2_f64.powf(6.0 + f64::from(strength) / 7.1) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use bartizan_search::{Limits, SearchEvent};
    use std::time::{Duration, Instant};

    #[test]
    fn a_higher_rating_means_more_nodes_and_smaller_errors() {
        let handicaps: Vec<Handicap> = Options::ELO.map(of_rating).collect();
        assert!(
            handicaps
                .windows(2)
                .all(|two| two[0].nodes <= two[1].nodes && two[0].noise_std_dev >= two[1].noise_std_dev)
        );
        for Measured { elo, handicap } in MEASURED {
            assert_eq!(of_rating(elo), handicap);
        }
        assert_eq!([MEASURED[0].elo, MEASURED[MEASURED.len() - 1].elo], [*Options::ELO.start(), *Options::ELO.end()]);
    }

    #[test]
    fn the_options_agree_on_one_level() {
        let full = Options::default();
        assert_eq!((full.level(), full.level().handicap()), (Level::FULL, None));
        let rated = full.clone().with_limit_strength(true).unwrap().with_elo(1_500).unwrap();
        assert_eq!((rated.level().rating(), rated.level().handicap()), (Some(1_500), Some(of_rating(1_500))));
        // The rating takes precedence over the level.
        assert_eq!(rated.clone().with_skill_level(0).unwrap().level(), Level::rated(1_500));
        let lowest = full.clone().with_skill_level(0).unwrap();
        assert_eq!(lowest.level(), Level::rated(*Options::ELO.start()));
        let ratings: Vec<_> =
            (0..20).map(|level| full.clone().with_skill_level(level).unwrap().level().rating()).collect();
        assert!(ratings.windows(2).all(|two| two[0] < two[1]), "{ratings:?}");
        // The smaller node budget counts.
        let both = rated.clone().with_strength(1).unwrap().level().handicap().unwrap();
        assert_eq!((both.nodes, both.noise_std_dev), (strength_nodes(1).unwrap(), of_rating(1_500).noise_std_dev));
        let half = full.with_strength(50).unwrap().level().handicap().unwrap();
        assert!((8_000..9_000).contains(&half.nodes) && half.noise_std_dev == 0, "{half:?}");
        // Only the last level set counts.
        let mut options = rated;
        for level in [Level::of_strength(50), Level::rated(800), Level::of_skill(3), Level::FULL] {
            options.set_level(level);
            assert_eq!(options.level(), level);
        }
    }

    #[test]
    fn errors_change_with_the_game_and_end_with_the_handicap() {
        let mut engine = Engine::new();
        let value = |engine: &mut Engine| engine.go(Limits::depth(1)).unwrap().wait().value;
        let full = value(&mut engine);
        engine.configure(|options| (options.limit_strength, options.elo) = (true, *Options::ELO.start())).unwrap();
        // Five games without any difference are practically impossible.
        let games: Vec<_> = (0..5)
            .map(|_| {
                engine.new_game();
                value(&mut engine)
            })
            .collect();
        assert!(games.iter().any(|&game| game != games[0]), "{games:?}");
        // An analysis has none.
        engine.configure(|options| options.analyse = true).unwrap();
        assert_eq!(value(&mut engine), full);
        engine.configure(|options| (options.analyse, options.limit_strength) = (false, false)).unwrap();
        assert_eq!(value(&mut engine), full);
    }

    #[test]
    fn the_handicap_leaves_the_table_alone() {
        let mut engine = Engine::new();
        engine.go(Limits::depth(6)).unwrap().wait();
        let best = engine.table_move();
        assert!(best.is_some());
        for elo in [1_000, 1_500] {
            engine.configure(|options| (options.limit_strength, options.elo) = (true, elo)).unwrap();
            engine.go(Limits::depth(2)).unwrap().wait();
            assert_eq!(engine.table_move(), best);
        }
    }

    #[test]
    fn the_budget_counts_in_the_opponents_time_but_not_in_an_analysis() {
        let mut engine = Engine::new();
        engine.configure(|options| (options.limit_strength, options.elo) = (true, 1_500)).unwrap();
        let budget = of_rating(1_500).nodes;
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
