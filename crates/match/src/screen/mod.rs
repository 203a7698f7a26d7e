//! Measures many changes of an engine at once.
//!
//! Testing forty changes one by one takes forty matches. In a factorial experiment (Fisher 1926) every game is evidence
//! about all changes: each change is randomly given to one of the two engines of a pair, so the engines complement each
//! other, and a linear model of the points separates the changes (two-level screening: Plackett and Burman 1946). With
//! n pairs of games every effect is known as precisely as from n pairs for it alone, apart from the noise of the other
//! changes. Interactions are averaged over, so the chosen changes must be tested together in a match.
//!
//! ```no_run
//! use bartizan_match::screen::{Factor, Screening};
//! use bartizan_match::{Match, PairedSettings, journal};
//!
//! let screening = Screening {
//!     paired: PairedSettings::new("cmd=./engine nodes=20000", "openings.epd"),
//!     pairs: 5_000,
//!     factors: Factor::list("no-probcut | | ProbCut=false")?,
//! };
//! Match::from(screening.settings(4)?).journal("screen.jsonl").run(|_| {})?;
//! for effect in screening.effects(&journal::read("screen.jsonl".as_ref())?.games).effects {
//!     println!("{}: {:.1} Elo", effect.factor, effect.elo);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod factors;

pub use factors::Factor;

use crate::error::MatchError;
use crate::paired::{EngineOptions, PairedSettings};
use crate::record::GameRecord;
use crate::settings::MatchSettings;
use bartizan_stats::{Coefficient, Estimate, LeastSquares};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// What defines a screening. A program can keep it in the journal of the match, so that a later run can continue it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Screening {
    /// The settings that determine the games.
    #[serde(flatten)]
    pub paired: PairedSettings,
    /// Pairs of games.
    pub pairs: u32,
    /// The changes.
    pub factors: Vec<Factor>,
}

/// The effect of a change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The name of the change.
    pub factor: String,
    /// Elo difference near an even score.
    pub elo: f64,
    /// Half-width of the 95 % confidence interval, in Elo; `None` if the effects explain the results completely.
    pub margin: Option<f64>,
}

/// The results of a screening.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effects {
    /// Complete pairs of games.
    pub pairs: usize,
    /// Effects, best first; empty while there are too few games.
    pub effects: Vec<Effect>,
}

/// A table of the effects.
impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.effects.is_empty() {
            return f.write_str("Too few games to separate the factors.");
        }
        let width = self.effects.iter().map(|effect| effect.factor.chars().count()).max().unwrap_or(0).max(6);
        write!(f, "{:width$}  Elo (95 %)", "factor")?;
        for &Effect { ref factor, elo: value, margin } in &self.effects {
            write!(f, "\n{factor:width$}  {}", Estimate { value, margin })?;
        }
        if self.effects.iter().all(|effect| effect.margin.is_none()) {
            return Ok(());
        }
        let by_chance = self.effects.len() as f64 / 20.0;
        write!(
            f,
            "\n\nIf no factor had an effect, about {by_chance:.0} of these intervals would still exclude 0 by chance."
        )
    }
}

/// Elo per additional point in each game, near an even score: the slope of the logistic curve at ½.
const ELO_PER_POINT: f64 = 1_600.0 / std::f64::consts::LN_10;

impl Screening {
    /// The changes that a pair's first engine has. The second engine has the others.
    fn levels(&self, pair: usize) -> Vec<bool> {
        let mut random = self.paired.random(pair as u64);
        self.factors.iter().map(|_| random.below(2) == 1).collect()
    }

    /// The match, with this number of concurrent games.
    ///
    /// # Errors
    /// If the engine cannot be used.
    pub fn settings(&self, concurrency: usize) -> Result<MatchSettings, MatchError> {
        let options = |first: &[bool], flip: bool| -> EngineOptions {
            let levels = self.factors.iter().zip(first).map(|(factor, &has)| &factor.levels[usize::from(has != flip)]);
            levels.flat_map(Clone::clone).collect()
        };
        let pairs = (0..self.pairs as usize).map(|pair| {
            let first = self.levels(pair);
            [false, true].map(|flip| options(&first, flip))
        });
        self.paired.settings("Screening", 0, pairs, concurrency)
    }

    /// The effects, computed from the complete pairs among some games of the match.
    pub fn effects(&self, games: &[GameRecord]) -> Effects {
        let mut points: HashMap<usize, (u64, u32)> = HashMap::new();
        for game in games {
            let (sum, count) = points.entry(game.pair).or_default();
            *sum += game.half_points(2 * game.pair);
            *count += 1;
        }
        let mut fit = LeastSquares::new(self.factors.len());
        let mut pairs = 0;
        for (&pair, &(sum, _)) in points.iter().filter(|(_, (_, count))| *count == 2) {
            let x: Vec<f64> = self.levels(pair).into_iter().map(|has| if has { 1.0 } else { -1.0 }).collect();
            // The sum is in half points over two games: 2 is an even score.
            fit.add(&x, (sum as f64 - 2.0) / 4.0);
            pairs += 1;
        }
        let effect = |(factor, Coefficient { value, margin, .. }): (&Factor, Coefficient)| Effect {
            factor: factor.name.clone(),
            elo: value * ELO_PER_POINT,
            margin: margin.map(|margin| margin * ELO_PER_POINT),
        };
        let coefficients = fit.solve().into_iter();
        let mut effects: Vec<Effect> =
            coefficients.flat_map(|coefficients| self.factors.iter().zip(coefficients)).map(effect).collect();
        effects.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        Effects { pairs, effects }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{SideStats, Termination};
    use bartizan_types::Color;

    fn factor(name: &str) -> Factor {
        let level = |value: &str| [(name.to_owned(), value.to_owned())].into();
        Factor { name: name.to_owned(), levels: [level("0"), level("1")] }
    }

    fn screening(seed: u64, pairs: u32, factors: &[&str]) -> Screening {
        let resign = Some("3,900,both".parse().unwrap());
        let paired = PairedSettings { seed, resign, ..PairedSettings::new("cmd=engine option.Hash=8 nodes=100", "") };
        Screening { paired, pairs, factors: factors.iter().map(|name| factor(name)).collect() }
    }

    /// The engine with the first change wins a quarter more of the games than the other.
    #[test]
    fn the_effective_change_is_found() {
        let screening = screening(5, 2_000, &["strong", "nothing", "noise"]);
        let mut random = PairedSettings { seed: 9, ..screening.paired.clone() }.random(9);
        let mut games = Vec::new();
        for pair in 0..2_000 {
            let first_has = screening.levels(pair)[0];
            for half in 0..2 {
                let (white, black) = if half == 0 { (2 * pair, 2 * pair + 1) } else { (2 * pair + 1, 2 * pair) };
                let white_has = (half == 0) == first_has;
                let white_wins = random.unit_f64() < if white_has { 0.625 } else { 0.375 };
                games.push(GameRecord {
                    id: 2 * pair + half,
                    round: 0,
                    pair,
                    white,
                    black,
                    winner: Some(if white_wins { Color::White } else { Color::Black }),
                    termination: Termination::Checkmate,
                    detail: String::new(),
                    plies: 80,
                    sides: [SideStats::default(); 2],
                    faults: Vec::new(),
                    pgn: String::new(),
                });
            }
        }
        let report = screening.effects(&games);
        assert_eq!(report.pairs, 2_000);
        assert_eq!(report.effects[0].factor, "strong");
        // An eighth of a point per game is 0.125 · 695 = 87 Elo.
        let [strong, others @ ..] = &report.effects[..] else { panic!("no effects") };
        assert!((strong.elo - 87.0).abs() < strong.margin.unwrap() * 1.5);
        assert!(others.iter().all(|effect| effect.elo.abs() < 2.0 * effect.margin.unwrap()));
        // Identical results say nothing about their spread.
        games.iter_mut().for_each(|game| game.winner = None);
        let level = screening.effects(&games);
        assert!(level.effects.iter().all(|effect| (effect.elo, effect.margin) == (0.0, None)));
    }

    #[test]
    fn the_engines_of_a_pair_complement_each_other() {
        let screening = screening(3, 20, &["a", "b", "c", "d"]);
        let settings = screening.settings(1).unwrap();
        assert_eq!(settings.engines.len(), 40);
        assert_eq!((settings.resign, settings.draw), (screening.paired.resign, None));
        for pair in settings.engines.chunks(2) {
            assert_eq!(pair[0].options["Hash"], "8");
            for name in ["a", "b", "c", "d"] {
                assert_ne!(pair[0].options[name], pair[1].options[name]);
            }
        }
        let with_a = settings.engines.iter().step_by(2).filter(|engine| engine.options["a"] == "1").count();
        assert!((3..=17).contains(&with_a));
    }
}
