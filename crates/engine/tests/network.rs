//! The options `evaluation` and `eval_file`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_engine::{Engine, EngineError, EvaluationKind, Limits, NetworkFileError, Options};
use bartizan_network::{Architecture, Network, NetworkOrigin, NetworkWeights, Quantisation};
use bartizan_types::Value;
use std::path::{Path, PathBuf};

/// A file with a network whose value is the same in every position.
fn constant(folder: &Path, name: &str, centipawns: i32) -> PathBuf {
    let architecture = Architecture::plain(32).unwrap();
    let Quantisation { hidden, output, scale } = Quantisation::USUAL;
    let weights = NetworkWeights {
        input: vec![0; architecture.inputs() * 32],
        hidden_bias: vec![0; 32],
        output: vec![0; 2 * 32],
        output_bias: vec![centipawns * i32::from(hidden) * i32::from(output) / i32::from(scale)],
    };
    let network = Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default()).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, network.to_bytes()).unwrap();
    path
}

/// An engine that evaluates by a network: the built-in one, or that of a file.
fn with_network(file: Option<PathBuf>) -> Engine {
    let options = Options::default().with_evaluation(EvaluationKind::Network).unwrap();
    Engine::with_options(options.with_eval_file(file).unwrap()).unwrap()
}

/// The value of the initial position by a one-ply search: its evaluation after a move, negated.
fn value(engine: &mut Engine) -> Value {
    engine.go(Limits::depth(1)).unwrap().wait().value
}

#[test]
fn searches_use_the_network_until_it_is_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (constant(folder.path(), "small", -100), constant(folder.path(), "large", -200));
    let mut engine = with_network(None);
    let built_in = value(&mut engine);
    let own_value = engine.network_value();
    assert!(own_value.is_some());
    for (path, expected) in [(small, 100), (large, 200)] {
        engine.configure(|options| options.eval_file = Some(path)).unwrap();
        assert_eq!(engine.network_value(), Some(Value(-expected)));
        assert_eq!(value(&mut engine), Value(expected));
    }
    engine.configure(|options| options.eval_file = None).unwrap();
    assert_eq!((value(&mut engine), engine.network_value()), (built_in, own_value));
}

#[test]
fn a_network_is_combined_with_the_hand_written_terms() {
    let folder = tempfile::tempdir().unwrap();
    let path = constant(folder.path(), "network", -100);
    let mut engine = Engine::new();
    assert_eq!(engine.options().evaluation, EvaluationKind::Combined);
    engine.configure(|options| options.eval_file = Some(path)).unwrap();
    engine.set_position("r2qkbnr/ppp2ppp/2np4/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5", &[]).unwrap();
    let by_hand = engine.evaluate().unwrap();
    assert_eq!(engine.network_value(), Some(Value(-100)));
    assert_eq!(engine.searched_value(), Some(Value((by_hand.0 - 100) / 2)));
    engine.configure(|options| options.evaluation = EvaluationKind::Network).unwrap();
    assert_eq!(engine.searched_value(), Some(Value(-100)));
}

#[test]
fn the_hand_written_evaluation_needs_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = constant(folder.path(), "network", -100);
    let mut engine = Engine::new();
    engine.configure(|options| options.evaluation = EvaluationKind::Classical).unwrap();
    let by_hand = value(&mut engine);
    assert!(engine.network().is_none() && engine.network_value().is_none());
    engine.configure(|options| options.eval_file = Some(path.clone())).unwrap();
    assert!(engine.network().is_none());
    assert_eq!(value(&mut engine), by_hand);
    // The file is read again when it is needed.
    std::fs::remove_file(&path).unwrap();
    let missing = engine.configure(|options| options.evaluation = EvaluationKind::Network);
    assert!(matches!(missing, Err(EngineError::Network { .. })), "{missing:?}");
    assert_eq!(engine.options().evaluation, EvaluationKind::Classical);
    assert_eq!(value(&mut engine), by_hand);
}

#[test]
fn known_endings_need_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = constant(folder.path(), "network", -100);
    let mut engine = with_network(Some(path));
    engine.set_position("8/8/8/4k3/8/8/4N3/4K3 w - - 0 1", &[]).unwrap();
    assert_eq!(engine.network_value(), Some(Value::ZERO));
}

#[test]
fn a_faulty_network_is_refused_and_the_old_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let good = constant(folder.path(), "good", -100);
    let mut engine = with_network(Some(good.clone()));
    let bytes = std::fs::read(&good).unwrap();
    let mut changed = bytes.clone();
    changed[5_000] ^= 1;
    let bad = folder.path().join("bad");
    for (content, reason) in [
        (&bytes[..0], "not a network file"),
        (&bytes[..bytes.len() - 1], "network file of"),
        (&changed[..], "network file is damaged"),
    ] {
        std::fs::write(&bad, content).unwrap();
        let error = engine.configure(|options| options.eval_file = Some(bad.clone())).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot use network") && text.contains(reason), "{text}");
        assert!(matches!(error, EngineError::Network { source: NetworkFileError::Network(_), .. }), "{error:?}");
        assert_eq!(engine.options().eval_file.as_ref(), Some(&good));
        assert_eq!(value(&mut engine), Value(100));
    }
    let missing = engine.configure(|options| options.eval_file = Some(folder.path().join("missing")));
    assert!(matches!(missing, Err(EngineError::Network { source: NetworkFileError::Io(_), .. })), "{missing:?}");
}
