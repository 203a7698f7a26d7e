//! The options `EvalFile` and `Evaluation`.

use crate::support::Engine;
use bartizan_network::{Architecture, Network, Origin, Quantisation, Weights};
use std::fs;

#[test]
fn eval_shows_the_network_in_use_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["good", "bad"].map(|name| folder.path().join(name));
    let architecture = Architecture::plain(32).unwrap();
    let weights = Weights {
        input: vec![0; architecture.inputs() * 32],
        hidden_bias: vec![0; 32],
        output: vec![0; 2 * 32],
        // An eighth of the scale of 400 centipawns.
        output_bias: vec![255 * 64 / 8],
    };
    let network = Network::new(architecture, Quantisation::USUAL, &weights, Origin::default()).unwrap();
    let mut bytes = network.to_bytes();
    fs::write(&good, &bytes).unwrap();
    bytes[1_000] ^= 1;
    fs::write(&bad, &bytes).unwrap();

    let mut engine = Engine::with_options(&[("Evaluation", "network"), ("EvalFile", good.to_str().unwrap())]);
    let shown = |engine: &mut Engine| -> Vec<String> {
        engine.send("eval");
        engine.until_ready().into_iter().filter(|line| line.starts_with("Network: ")).collect()
    };
    engine.send("position startpos moves e2e4");
    let values = shown(&mut engine);
    assert!(values.len() == 1 && values[0].contains("internally -50 centipawns"), "{values:?}");
    engine.send(&format!("setoption name EvalFile value {}", bad.display()));
    let answer = engine.until_ready();
    let expected = format!("info string error: option 'EvalFile': cannot use network '{}': ", bad.display());
    assert!(answer.len() == 1 && answer[0].starts_with(&expected) && answer[0].contains("damaged"), "{answer:?}");
    assert_eq!(shown(&mut engine), values);
    engine.send("setoption name EvalFile value <empty>");
    let built_in = shown(&mut engine);
    assert!(built_in.len() == 1 && built_in != values, "{built_in:?}");
    engine.send("setoption name Evaluation value Classical");
    assert_eq!(shown(&mut engine), [""; 0]);
    engine.send("setoption name Evaluation value nnue");
    let expected = "info string error: option 'Evaluation': 'nnue' is not one of network, classical";
    assert_eq!(engine.until_ready(), [expected]);
    assert_eq!(shown(&mut engine), [""; 0]);
    engine.finish();
}
