//! From games to counts, with a small evaluation.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_games::records::{GameRecord, Points, PositionRecord, Record, RecordFormat, Records};
use bartizan_position::Position;
use bartizan_training::tune::{
    Collector, Form, Layout, Model, Objective, SafetyForm, Scaling, Selection, Term, TermKind, Tracer, TuningSample,
    WeightCounts, WeightPair, check_gradient, check_trace, split,
};
use bartizan_types::{Color, PieceType, SplitMix64};
use std::collections::HashSet;
use std::path::Path;

/// An evaluation of material, and of danger from pieces on the enemy's half of the board.
struct TestModel(Layout);

const VALUES: [f64; 5] = [100.0, 300.0, 310.0, 500.0, 900.0];

impl TestModel {
    fn new() -> Self {
        let material = Term { name: "material".to_owned(), offset: 0, len: 5, kind: TermKind::Linear };
        let danger = Term { name: "danger".to_owned(), offset: 5, len: 5, kind: TermKind::Safety };
        Self(Layout { terms: vec![material, danger], safety: SafetyForm::default() })
    }
}

impl Model for TestModel {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn start(&self) -> Vec<WeightPair> {
        VALUES.map(|value| [value, value + 10.0]).into_iter().chain(VALUES.map(|value| [value / 10.0, 1.0])).collect()
    }

    fn trace(&self, position: &Position, counts: &mut WeightCounts) -> bool {
        counts.mg_share = 0.25;
        counts.scale = [1.0, 0.5];
        for (index, &piece_type) in PieceType::ALL[..5].iter().enumerate() {
            let of = |color| position.pieces(color, piece_type);
            counts.add(index as u16, of(Color::White).count() as i32 - of(Color::Black).count() as i32);
            for color in Color::ALL {
                let beyond = of(color).into_iter().filter(|sq| (sq.index() >= 32) == color.is_white());
                counts.add_safety(color, 5 + index as u16, beyond.count() as i32);
            }
        }
        // Two bare kings are a known ending, without a trace.
        position.occupied().count() > 2
    }

    fn reference(&self, position: &Position) -> Option<f64> {
        let mut counts = WeightCounts::default();
        counts.clear();
        self.trace(position, &mut counts).then(|| counts.value(&self.start(), self.0.safety))
    }
}

fn selection() -> Selection {
    let mut selection = Selection::default();
    (selection.skip_plies, selection.quiet) = (2, true);
    selection
}

/// The same without `quiet`.
fn with_captures() -> Selection {
    let mut selection = selection();
    selection.quiet = false;
    selection
}

/// Random games with results.
fn games(count: u64) -> Vec<Record> {
    let game = |number: u64| {
        let mut random = SplitMix64::stream(11, number);
        let start = Position::startpos();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for _ in 0..60 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.below(legal.len())];
            position = position.play(mv).unwrap();
            moves.push((mv, Some(random.below(5_000) as i32 - 2_500)));
        }
        let winner = [Some(Color::Black), None, Some(Color::White)][(number % 3) as usize];
        Record::Game(GameRecord { start, moves, winner, is_shown: false })
    };
    (0..count).map(game).collect()
}

fn collect(records: &[Record], selection: Selection) -> (Vec<TuningSample>, bartizan_training::tune::SelectionReport) {
    let mut collector = Collector::new(selection);
    records.iter().for_each(|record| collector.add(record));
    collector.finish()
}

#[test]
fn positions_are_selected_by_the_settings() {
    let games = games(60);
    let (samples, report) = collect(&games, selection());
    assert_eq!(samples.len(), report.taken);
    let sum = report.in_check + report.tactical + report.decided + report.repeated + report.surplus + report.taken;
    assert_eq!(sum, report.positions, "{report:?}");
    assert!([report.in_check, report.tactical, report.decided].iter().all(|&n| n > 50), "{report:?}");
    assert_eq!((report.games, report.results), (60, [20, 20, 20]));
    let mut keys = HashSet::new();
    for sample in &samples {
        let position = sample.position.unpack().unwrap();
        assert!(!position.in_check() && keys.insert(position.key()) && sample.score.unwrap().abs() < 2_000);
        assert_eq!(sample.result.result().map(u32::from), Some(sample.game % 3));
    }

    let few = |seed| {
        let mut selection = selection();
        (selection.per_game, selection.seed) = (3, seed);
        collect(&games, selection).0
    };
    let per_game = |samples: &[TuningSample], game| samples.iter().filter(|sample| sample.game == game).count();
    assert!((0..60).all(|game| per_game(&few(1), game) <= 3) && few(1).len() > 150);
    assert_eq!(few(1), few(1));
    assert_ne!(few(1), few(2));

    let all = collect(&games, with_captures());
    assert!(all.1.tactical == 0 && all.0.len() > samples.len());
}

#[test]
fn games_are_held_out_as_a_whole() {
    let (samples, _) = collect(&games(200), selection());
    let (train, held_out) = split(samples.clone(), 0.25, 9);
    let of = |samples: &[TuningSample]| samples.iter().map(|sample| sample.game).collect::<HashSet<_>>();
    assert!(of(&train).is_disjoint(&of(&held_out)));
    assert!((20..80).contains(&of(&held_out).len()), "{}", of(&held_out).len());
    assert_eq!(train.len() + held_out.len(), samples.len());
    assert_eq!(split(samples.clone(), 0.25, 9), (train, held_out.clone()));
    assert_ne!(split(samples, 0.25, 8).1, held_out);
}

#[test]
fn positions_with_an_id_belong_to_one_game() {
    let line = |id: &str| {
        let (position, id) = (Position::startpos(), Some(id.to_owned()));
        Record::Position(PositionRecord { position, result: Points::WIN, score: None, id })
    };
    let mut collector = Collector::new(selection());
    collector.add(&line("a"));
    collector.add(&line("a"));
    collector.add(&Record::NoResult);
    let (samples, report) = collector.finish();
    assert_eq!((samples.len(), report.repeated, report.without_result), (1, 1, 1));
    // Recorded: every build holds out the same games.
    assert_eq!(samples[0].game, 2_767_251_955);
}

#[test]
fn traces_do_not_depend_on_threads_and_equal_the_evaluation() {
    let model = TestModel::new();
    let (samples, _) = collect(&games(1_200), with_captures());
    assert!(samples.len() > 1 << 14, "more than one shard: {}", samples.len());
    let weights = model.start();
    let trace = |threads, resolve: bool| {
        let tracer = Tracer { model: &model, resolve: resolve.then_some(weights.as_slice()), threads };
        tracer.trace(&samples, |_| true).unwrap()
    };
    let (one, report) = trace(1, false);
    let (three, _) = trace(3, false);
    assert_eq!((report.traced, one.len(), report.resolved), (samples.len(), samples.len(), 0));
    let form = Form {
        safety: model.0.safety,
        objective: Objective::SquaredError,
        scaling: Scaling { per_cp: 0.005, draw_margin: 0.0 },
    };
    assert_eq!(one.loss_and_gradient(&weights, form, 1), three.loss_and_gradient(&weights, form, 3));

    let check = check_trace(&model, &samples, 500);
    assert!(check.positions == 500 && check.worst < 1e-9, "{check:?}");
    let check = check_gradient(&one, &weights, form, 500);
    assert!(check.derivatives > 2_000 && check.worst < 1e-4, "{check:?}");

    let (quiet, resolved) = trace(2, true);
    assert!(resolved.resolved > samples.len() / 20, "{resolved:?}");
    assert_eq!(resolved.traced + resolved.wild + resolved.untraced, samples.len());
    assert_eq!(quiet.len(), resolved.traced);

    let stopped = Tracer { model: &model, resolve: None, threads: 2 }.trace(&samples, |_| false);
    assert!(stopped.is_none());
}

#[test]
fn all_formats_give_the_same_positions() {
    let pgn = "[Event \"x\"]\n\n1. e4 {+0.30/8} e5 {-0.20/8} 2. Nf3 {+0.10/8} Nc6 {0.00/8} \
               3. Bb5 {+0.25/8} a6 {-0.30/8} 1-0\n";
    let records = Records::of(Path::new("x.pgn"), pgn.as_bytes(), RecordFormat::Pgn).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    let (from_pgn, _) = collect(&records, selection());
    let epd: String = from_pgn
        .iter()
        .map(|sample| {
            let position = sample.position.unpack().unwrap();
            let for_mover = i32::from(sample.score.unwrap()) * if position.turn().is_white() { 1 } else { -1 };
            format!("{} c9 \"1-0\"; ce {for_mover}; id \"g\";\n", position.to_fen())
        })
        .collect();
    let records = Records::of(Path::new("x.epd"), std::io::Cursor::new(epd), RecordFormat::Epd).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    let (from_epd, _) = collect(&records, selection());
    let content =
        |samples: &[TuningSample]| samples.iter().map(|s| (s.position, s.result, s.score)).collect::<Vec<_>>();
    assert_eq!(content(&from_epd), content(&from_pgn));
    assert_eq!(from_pgn.len(), 4);
    assert_eq!(from_pgn.iter().map(|sample| sample.score.unwrap()).collect::<Vec<_>>(), [10, 0, 25, 30]);
}
