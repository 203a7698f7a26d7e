//! Fits to synthetic data with known weights.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_games::records::Points;
use bartizan_training::tune::{
    Dataset, Fit, FitSettings, Form, Layout, Method, Objective, SafetyForm, Scaling, Shard, Term, TermKind,
    TrainingData, WeightCounts, WeightPair, check_gradient, fit_scaling,
};
use bartizan_types::{Color, SplitMix64};

/// Terms of each kind.
fn layout() -> Layout {
    let mut offset = 0;
    let terms = [("linear", 40, TermKind::Linear), ("danger", 12, TermKind::Safety), ("won", 4, TermKind::Complexity)];
    let terms = terms.map(|(name, len, kind)| {
        offset += len;
        Term { name: name.to_owned(), offset: offset - len, len, kind }
    });
    Layout { terms: terms.into(), safety: SafetyForm::default() }
}

fn uniform(random: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * random.unit_f64()
}

fn truth(seed: u64) -> Vec<WeightPair> {
    let mut random = SplitMix64::stream(seed, 77);
    let mut pair = |low, high| [uniform(&mut random, low, high), uniform(&mut random, low, high)];
    (0..56)
        .map(|weight| match weight {
            0..40 => pair(-60.0, 60.0),
            40..52 => pair(0.0, 90.0),
            _ => pair(-15.0, 15.0),
        })
        .collect()
}

fn random_counts(random: &mut SplitMix64, counts: &mut WeightCounts) {
    counts.clear();
    for _ in 0..8 {
        counts.add(random.below(40) as u16, random.below(5) as i32 - 2);
    }
    for attacker in Color::ALL {
        for _ in 0..4 {
            counts.add_safety(attacker, 40 + random.below(12) as u16, random.below(4) as i32);
        }
    }
    counts.add_complexity(52 + random.below(4) as u16, random.below(4) as i32);
    counts.mg_share = random.below(25) as f32 / 24.0;
    counts.scale = [random.below(65) as f32 / 64.0, 1.0];
    counts.base = random.below(201) as f32 - 100.0;
}

/// Random results with the chances that the true weights give.
fn shard(seed: u64, positions: usize, truth: &[WeightPair], scaling: Scaling) -> Shard {
    let mut random = SplitMix64::stream(seed, 5);
    let (mut shard, mut counts) = (Shard::default(), WeightCounts::default());
    for _ in 0..positions {
        random_counts(&mut random, &mut counts);
        let value = counts.value(truth, SafetyForm::default());
        let odds = Objective::OrdinalLogistic.expected(scaling, value);
        let luck = random.unit_f64() as f32;
        let result = match luck {
            _ if luck < odds.win => Points::WIN,
            _ if luck < 1.0 - odds.loss => Points::DRAW,
            _ => Points::LOSS,
        };
        assert!(shard.push(&counts, result, Some(value as i16)));
    }
    shard
}

const SCALING: Scaling = Scaling { per_cp: 0.01, draw_margin: 60.0 };

fn data(positions: usize, truth: &[WeightPair]) -> TrainingData {
    TrainingData {
        train: Dataset::new((0..4).map(|part| shard(part, positions / 4, truth, SCALING)).collect()),
        held_out: Dataset::new(vec![shard(99, positions / 10, truth, SCALING)]),
    }
}

fn settings(objective: Objective, method: Method) -> FitSettings {
    let mut settings = FitSettings::default();
    (settings.objective, settings.method) = (objective, method);
    settings.rate = if method == Method::Adam { 3.0 } else { 12.0 };
    (settings.rate_factor, settings.rate_epochs) = (0.4, 4);
    (settings.batch, settings.seed) = (4_000, 3);
    settings
}

#[test]
fn gradients_are_the_derivatives_of_the_loss() {
    let weights = truth(1);
    let data = data(2_000, &truth(2));
    for objective in [Objective::SquaredError, Objective::OrdinalLogistic] {
        let form = Form { safety: SafetyForm::default(), objective, scaling: SCALING };
        let check = check_gradient(&data.train, &weights, form, 1_000);
        assert_eq!(check.positions, 1_000);
        assert!(check.derivatives > 20_000 && check.kinks < check.derivatives / 100, "{check:?}");
        assert!(check.worst < 1e-4, "{check:?}");
    }
}

/// The check fails for a wrong gradient.
#[test]
fn the_check_fails_for_the_gradient_of_another_loss() {
    let data = data(400, &truth(2));
    let form = |mg_divisor| Form {
        safety: SafetyForm { mg_divisor, ..SafetyForm::default() },
        objective: Objective::SquaredError,
        scaling: SCALING,
    };
    let (weights, h) = (truth(1), 0.01);
    let total = |weights: &[WeightPair]| data.train.mean_loss(weights, form(1024.0), 1) * data.train.len() as f64;
    let numeric: Vec<f64> = (40..52)
        .map(|weight| {
            let (mut low, mut high) = (weights.clone(), weights.clone());
            low[weight][0] -= h;
            high[weight][0] += h;
            (total(&high) - total(&low)) / (2.0 * h)
        })
        .collect();
    let error = |mg_divisor| {
        let exact = data.train.loss_and_gradient(&weights, form(mg_divisor), 1).gradient;
        let pairs = numeric.iter().zip(&exact[40..52]);
        pairs.map(|(n, e)| (n - e[0]).abs() / n.abs().max(1e-4)).fold(0.0, f64::max)
    };
    assert!(error(1024.0) < 1e-4, "{}", error(1024.0));
    assert!(error(900.0) > 1e-2, "{}", error(900.0));
}

#[test]
fn every_method_finds_the_true_weights() {
    let (layout, truth) = (layout(), truth(7));
    let data = data(60_000, &truth);
    let start: Vec<WeightPair> =
        truth.iter().enumerate().map(|(w, _)| if w < 40 { [0.0; 2] } else { [30.0, 5.0] }).collect();
    for objective in [Objective::SquaredError, Objective::OrdinalLogistic] {
        for method in [Method::Adam, Method::AdaGrad, Method::Momentum] {
            let form = Form { safety: layout.safety, objective, scaling: SCALING };
            let ideal = data.held_out.mean_loss(&truth, form, 1);
            let scaling = Scaling { draw_margin: 20.0, ..SCALING };
            let frozen = vec![false; layout.len()];
            let mut fit = Fit::new(&layout, start.clone(), frozen, scaling, settings(objective, method));
            for _ in 0..16 {
                fit.epoch(&layout, &data, 2, |_| true).unwrap();
            }
            let (best, _) = fit.best();
            let begin = fit.history()[0].held_out;
            let end = fit.history().last().unwrap().held_out;
            assert!(end < begin && end < 1.01 * ideal, "{objective:?} {method:?}: {begin} to {end}, ideal {ideal}");
            let off = |weights: std::ops::Range<usize>, half: usize| {
                let sum: f64 = weights.clone().map(|w| (best[w][half] - truth[w][half]).powi(2)).sum();
                (sum / weights.len() as f64).sqrt()
            };
            let errors = [off(0..40, 0), off(0..40, 1), off(40..52, 0)];
            // The data are 60,000 results, and the start is off by 35.
            assert!(errors.iter().all(|&error| error < 9.0), "{objective:?} {method:?}: {errors:?}");
            if objective == Objective::OrdinalLogistic {
                let margin = fit.scaling().draw_margin;
                assert!((margin - SCALING.draw_margin).abs() < 6.0, "{method:?}: {margin}");
            }
        }
    }
}

#[test]
fn the_true_scaling_is_found() {
    let truth = truth(7);
    let data = data(40_000, &truth);
    let values = data.train.values(&truth, SafetyForm::default(), 2);
    let found = fit_scaling(values, Objective::OrdinalLogistic);
    assert!((found.per_cp / SCALING.per_cp - 1.0).abs() < 0.04, "{found:?}");
    assert!((found.draw_margin / SCALING.draw_margin - 1.0).abs() < 0.06, "{found:?}");
}

/// The weights are bit-identical for any number of threads, and when the fit is saved and loaded after each epoch.
#[test]
fn the_result_does_not_depend_on_threads_or_interruptions() {
    let (layout, truth) = (layout(), truth(7));
    let data = data(20_000, &truth);
    let begin = || {
        let settings = settings(Objective::OrdinalLogistic, Method::Adam);
        Fit::new(&layout, vec![[5.0; 2]; 56], vec![false; 56], SCALING, settings)
    };
    let run = |threads: usize| {
        let mut fit = begin();
        for _ in 0..4 {
            fit.epoch(&layout, &data, threads, |_| true).unwrap();
        }
        fit
    };
    let one = run(1);
    assert_eq!(one, run(3));
    let mut fit = begin();
    for epoch in 1..=4 {
        // An abandoned epoch does not change the fit.
        let before = fit.clone();
        let mut batches = 0;
        let given_up = fit.epoch(&layout, &data, 1, |_| {
            batches += 1;
            batches < 3
        });
        assert!(given_up.is_none() && fit == before);
        let text = serde_json::to_string(&fit).unwrap();
        fit = serde_json::from_str(&text).unwrap();
        assert!(fit.fits(&layout));
        assert_eq!(fit.epoch(&layout, &data, 2, |_| true).unwrap().epoch, epoch);
    }
    assert_eq!(fit, one);
}

#[test]
fn a_fit_that_diverges_says_so() {
    let (layout, data) = (layout(), data(2_000, &truth(7)));
    for method in [Method::Adam, Method::AdaGrad, Method::Momentum] {
        let mut settings = settings(Objective::SquaredError, method);
        settings.rate = f64::MAX;
        let mut fit = Fit::new(&layout, vec![[5.0; 2]; 56], vec![false; 56], SCALING, settings);
        fit.measure_start(&layout, &data, 1);
        assert!(fit.is_finite());
        let has_diverged = (0..10).any(|_| fit.epoch(&layout, &data, 1, |_| true).is_some() && !fit.is_finite());
        assert!(has_diverged, "{method:?}");
    }
}

#[test]
fn frozen_and_unused_weights_stay_and_a_pull_limits_changes() {
    let (layout, truth) = (layout(), truth(7));
    let mut data = data(8_000, &truth);
    // No position uses this weight.
    let mut wide = layout.clone();
    wide.terms.push(Term { name: "unseen".to_owned(), offset: 56, len: 1, kind: TermKind::Linear });
    let frozen = (0..57).map(|weight| weight < 3).collect();
    let fitted = |frozen: Vec<bool>, pull: f64, data: &TrainingData| {
        let mut settings = settings(Objective::SquaredError, Method::Adam);
        settings.pull = pull;
        let mut fit = Fit::new(&wide, vec![[5.0; 2]; 57], frozen, SCALING, settings);
        for _ in 0..3 {
            fit.epoch(&wide, data, 1, |_| true).unwrap();
        }
        fit.weights().to_vec()
    };
    let free = fitted(frozen, 0.0, &data);
    assert_eq!((free[0], free[2], free[56]), ([5.0; 2], [5.0; 2], [5.0; 2]));
    assert_ne!(free[3], [5.0; 2]);
    let distance =
        |weights: &[WeightPair]| weights.iter().map(|w| (w[0] - 5.0).abs() + (w[1] - 5.0).abs()).sum::<f64>();
    let held = fitted(vec![false; 57], 10.0, &data);
    assert!(distance(&held) < distance(&free) / 5.0, "{} {}", distance(&held), distance(&free));
    // Without held-out positions the training loss is used.
    data.held_out = Dataset::default();
    assert_ne!(fitted(vec![false; 57], 0.0, &data)[0], [5.0; 2]);
}
