//! Checks the error rates of [`Sprt`] by thousands of simulated matches at each hypothesis.

use bartizan_types::SplitMix64;

use crate::{NORMALISED_ELO_PER_T, Pentanomial, Sprt, SprtModel, SprtStatus, score_from_elo};

/// Matches for each hypothesis.
const MATCHES: u32 = 2000;
/// Pairs between two evaluations of the ratio, as with a few concurrent games.
const PAIRS_PER_LOOK: u32 = 4;
/// A longer match is counted as an error. With the parameters below that practically never happens.
const MOST_PAIRS: u32 = 50_000;

/// The score of a random pair, in half points, with the given probabilities of the five scores.
fn random_pair(random: &mut SplitMix64, probabilities: &[f64; 5]) -> usize {
    let mut rest = random.unit_f64();
    for (score, probability) in probabilities.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return score;
        }
    }
    4
}

/// Pair scores of engines that differ by `elo` of the model: even ones with the lower scores made rarer and the higher
/// ones more frequent, by bisection.
fn distribution(elo: f64, model: SprtModel) -> [f64; 5] {
    let tilted = |tilt: f64| {
        let weights =
            [(0.05, -2.0), (0.22, -1.0), (0.46, 0.0), (0.22, 1.0), (0.05, 2.0)].map(|(p, s)| p * f64::exp(tilt * s));
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let excess = |p: &[f64; 5]| {
        let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| p[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        match model {
            SprtModel::Logistic => mean - score_from_elo(elo),
            SprtModel::Normalised => (mean - 0.5) / (2.0 * variance).sqrt() - elo / NORMALISED_ELO_PER_T,
        }
    };
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..80 {
        let middle: f64 = f64::midpoint(low, high);
        if excess(&tilted(middle)) < 0.0 { low = middle } else { high = middle }
    }
    tilted(low)
}

/// The standard deviation of one game's points.
fn deviation(p: &[f64; 5]) -> f64 {
    let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
    (2.0 * (0..5).map(|i| p[i] * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>()).sqrt()
}

/// Of matches between engines that differ by `elo`: the share whose test does not end in `right`, and the mean number
/// of games.
fn simulate(sprt: &Sprt, elo: f64, right: SprtStatus, seed: u64) -> (f64, f64) {
    let probabilities = distribution(elo, sprt.model);
    let mut random = SplitMix64::new(seed);
    let (mut errors, mut games) = (0, 0);
    for _ in 0..MATCHES {
        let mut pairs = Pentanomial::default();
        let mut status = SprtStatus::Continue;
        for _ in 0..MOST_PAIRS / PAIRS_PER_LOOK {
            for _ in 0..PAIRS_PER_LOOK {
                pairs.0[random_pair(&mut random, &probabilities)] += 1;
            }
            status = sprt.status(sprt.llr_of_pairs(&pairs));
            if status != SprtStatus::Continue {
                break;
            }
        }
        errors += u32::from(status != right);
        games += 2 * pairs.pairs();
    }
    (f64::from(errors) / f64::from(MATCHES), games as f64 / f64::from(MATCHES))
}

/// Checks that both error rates are at most the nominal ones, within three standard errors of the simulation (Wald's
/// bounds are slightly conservative, because the ratio overshoots them), and that the tests are as long as expected.
fn check(sprt: &Sprt, seed: u64) {
    for (elo, right, nominal) in
        [(sprt.elo0, SprtStatus::AcceptH0, sprt.alpha), (sprt.elo1, SprtStatus::AcceptH1, sprt.beta)]
    {
        let (rate, games) = simulate(sprt, elo, right, seed);
        let tolerance = 3.0 * (nominal * (1.0 - nominal) / f64::from(MATCHES)).sqrt();
        assert!(rate <= nominal + tolerance, "{sprt:?} at {elo}: {rate}");
        assert!(rate >= nominal / 4.0, "{sprt:?} at {elo}: {rate} is so low that the test must be too long");
        let expected = sprt.expect(elo, deviation(&distribution(elo, sprt.model))).games;
        // The simulated tests look at the ratio after four pairs, and overshoot.
        assert!((0.95..1.2).contains(&(games / expected)), "{sprt:?} at {elo}: {games} games instead of {expected}");
    }
}

#[test]
fn logistic_test_keeps_its_error_rates() {
    check(&Sprt::new(0.0, 30.0, 0.05, 0.05, SprtModel::Logistic).unwrap(), 0x1234_5678_9abc_def1);
    check(&Sprt::new(-20.0, 15.0, 0.1, 0.05, SprtModel::Logistic).unwrap(), 0x0fed_cba9_8765_4321);
}

#[test]
fn normalised_test_keeps_its_error_rates() {
    check(&Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Normalised).unwrap(), 0x1234_5678_9abc_def1);
    check(&Sprt::new(-35.0, 25.0, 0.05, 0.1, SprtModel::Normalised).unwrap(), 0x0fed_cba9_8765_4321);
}
