//! Play below full strength.

use crate::options::Options;
use bartizan_search::Blur;

/// What makes a search weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handicap {
    /// The budget of nodes of a move.
    pub(crate) nodes: u64,
    /// The standard deviation of the errors of the evaluation, in internal centipawns.
    pub(crate) spread: u32,
}

impl Handicap {
    /// The errors of the evaluation; `None` if there are none.
    pub(crate) fn blur(self, seed: u64) -> Option<Blur> {
        (self.spread > 0).then_some(Blur { spread: self.spread, seed })
    }
}

/// A measured level of play.
struct Level {
    /// The rating, in Elo.
    elo: u32,
    handicap: Handicap,
}

const fn level(elo: u32, nodes: u64, spread: u32) -> Level {
    Level { elo, handicap: Handicap { nodes, spread } }
}

/// Levels from the weakest to the strongest. A rating between two of them gets nodes and errors in between.
///
/// From 1,080 on they were measured against Stockfish 15.1 at several skill levels, on the scale that its authors
/// have for these (CCRL); below, and between those measured, by games of the levels against each other
/// (`testdata/ledger.md`, "Weaker play").
const LEVELS: [Level; 12] = [
    level(700, 50, 263),
    level(830, 100, 228),
    level(1_080, 200, 195),
    level(1_380, 400, 163),
    level(1_610, 800, 134),
    level(1_890, 1_600, 106),
    level(2_160, 3_200, 81),
    level(2_460, 6_400, 58),
    level(2_670, 12_800, 37),
    level(2_770, 25_600, 20),
    level(2_850, 51_200, 8),
    level(2_900, 102_400, 0),
];

/// What it takes to play at a rating in [`Options::ELO`].
pub(crate) fn of_rating(elo: u32) -> Handicap {
    let [first, .., last] = &LEVELS;
    let elo = elo.clamp(first.elo, last.elo);
    let upper = LEVELS.iter().position(|level| elo <= level.elo).unwrap_or(LEVELS.len() - 1).max(1);
    let [low, high] = [&LEVELS[upper - 1], &LEVELS[upper]];
    let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
    let between = |low: f64, high: f64| low + share * (high - low);
    let [few, many] = [low, high].map(|level| (level.handicap.nodes as f64).log2());
    let [more, less] = [low, high].map(|level| f64::from(level.handicap.spread));
    Handicap { nodes: between(few, many).exp2().round() as u64, spread: between(more, less).round() as u32 }
}

impl Options {
    /// The rating that the options ask for; `None` for full strength.
    pub fn rating(&self) -> Option<u32> {
        let of_level = || Self::ELO.start() + (Self::ELO.end() - Self::ELO.start()) * self.skill_level / 20;
        if self.limit_strength { Some(self.elo) } else { (self.skill_level < 20).then(of_level) }
    }

    /// What makes the search weaker; `None` at full strength.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        let budget = strength_nodes(self.strength).map(|nodes| Handicap { nodes, spread: 0 });
        let rating = self.rating().map(of_rating);
        match (budget, rating) {
            (Some(budget), Some(rating)) => Some(Handicap { nodes: budget.nodes.min(rating.nodes), ..rating }),
            (budget, rating) => budget.or(rating),
        }
    }
}

/// The budget of nodes per move at a strength in percent; `None` at full strength. It doubles every seven steps: 70
/// nodes at 1, 8,000 at 50, a million at 99.
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
        assert!(handicaps.windows(2).all(|two| two[0].nodes <= two[1].nodes && two[0].spread >= two[1].spread));
        for Level { elo, handicap } in LEVELS {
            assert_eq!(of_rating(elo), handicap);
        }
        assert_eq!([LEVELS[0].elo, LEVELS[LEVELS.len() - 1].elo], [*Options::ELO.start(), *Options::ELO.end()]);
    }

    #[test]
    fn the_options_agree_on_one_handicap() {
        let full = Options::default();
        assert_eq!((full.rating(), full.handicap()), (None, None));
        let rated = full.clone().with_limit_strength(true).unwrap().with_elo(1_500).unwrap();
        assert_eq!((rated.rating(), rated.handicap()), (Some(1_500), Some(of_rating(1_500))));
        // The rating counts rather than the level.
        assert_eq!(rated.clone().with_skill_level(0).unwrap().rating(), Some(1_500));
        let lowest = full.clone().with_skill_level(0).unwrap();
        assert_eq!(lowest.rating(), Some(*Options::ELO.start()));
        let ratings: Vec<_> = (0..20).map(|level| full.clone().with_skill_level(level).unwrap().rating()).collect();
        assert!(ratings.windows(2).all(|two| two[0] < two[1]), "{ratings:?}");
        // The smaller budget of nodes counts.
        let both = rated.clone().with_strength(1).unwrap().handicap().unwrap();
        assert_eq!((both.nodes, both.spread), (strength_nodes(1).unwrap(), of_rating(1_500).spread));
        let half = full.with_strength(50).unwrap().handicap().unwrap();
        assert!((8_000..9_000).contains(&half.nodes) && half.spread == 0, "{half:?}");
    }

    #[test]
    fn errors_change_with_the_game_and_end_with_the_handicap() {
        let mut engine = Engine::new();
        let value = |engine: &mut Engine| engine.go(Limits::depth(1)).unwrap().wait().value;
        let full = value(&mut engine);
        engine.configure(|options| (options.limit_strength, options.elo) = (true, *Options::ELO.start())).unwrap();
        // Five games without any difference from the others are next to impossible.
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
