//! The options `EvalFile` and `Evaluation`.

use crate::support::Engine;
use bartizan_network::{Architecture, Network, NetworkOrigin, NetworkWeights, Quantisation};
use std::fs;

const HIDDEN: usize = 32;

/// A network with some weights set; the others are 0.
fn network(set: impl FnOnce(&mut NetworkWeights)) -> Network {
    let architecture = Architecture::plain(HIDDEN).unwrap();
    let mut weights = NetworkWeights {
        input: vec![0; architecture.inputs() * HIDDEN],
        hidden_bias: vec![0; HIDDEN],
        output: vec![0; 2 * HIDDEN],
        output_bias: vec![0],
    };
    set(&mut weights);
    Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default()).unwrap()
}

/// A network for which a side is ahead by 61 centipawns if only it has a queen; nothing else counts.
pub(crate) fn queens() -> Network {
    network(|weights| {
        // Each kind of piece has 64 inputs; the fifth kind is the own queen.
        weights.input[4 * 64 * HIDDEN..5 * 64 * HIDDEN].chunks_mut(HIDDEN).for_each(|neurons| neurons[0] = 100);
        (weights.output[0], weights.output[HIDDEN]) = (64, -64);
    })
}

#[test]
fn eval_shows_the_network_in_use_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["good", "bad"].map(|name| folder.path().join(name));
    // An eighth of the scale of 400 centipawns.
    let mut bytes = network(|weights| weights.output_bias = vec![255 * 64 / 8]).to_bytes();
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
    assert!(values.len() == 1 && values[0].contains("in the units of the search: -50)"), "{values:?}");
    engine.send("setoption name Evaluation value combined");
    let combined = shown(&mut engine);
    let both = "in the units of the search: -50). Searches use the mean of this and the static evaluation: -0.";
    assert!(combined.len() == 1 && combined[0].contains(both), "{combined:?}");
    engine.send("setoption name Evaluation value network");
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
    let expected = "info string error: option 'Evaluation': 'nnue' is not one of combined, network, classical";
    assert_eq!(engine.until_ready(), [expected]);
    assert_eq!(shown(&mut engine), [""; 0]);
}

#[test]
fn eval_shows_what_each_piece_is_worth_to_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queens");
    fs::write(&path, queens().to_bytes()).unwrap();
    let mut engine = Engine::with_options(&[("Evaluation", "network"), ("EvalFile", path.to_str().unwrap())]);
    engine.send("position fen 3qk3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1");
    engine.send("eval");
    let lines = engine.until_ready();
    let (value, rest) = lines[0].strip_prefix("Network: -").unwrap().split_once(' ').unwrap();
    assert_eq!(rest, "(in pawns for White; in the units of the search: -61). Searches use this value.");
    let heading = "What each piece adds to its side by the network, in pawns:";
    let board = &lines[lines.iter().position(|line| line == heading).unwrap()..];
    // Without its queen Black would not be ahead; everything else is worth nothing to this network.
    let board = board.join("\n");
    for rank in [
        format!("8 |       |       |       |   q   |   k   |*\n  |       |       |       | {value:>5} |       |*\n"),
        "7 |   p   |   p   |   p   |       |       |*\n  |  0.00 |  0.00 |  0.00 |       |       |*\n".to_owned(),
        "2 |   P   |   P   |   P   |       |       |*\n  |  0.00 |  0.00 |  0.00 |       |       |*\n".to_owned(),
    ] {
        assert!(board.contains(&rank.replace('*', "       |       |       |")), "{rank}{board}");
    }
    let (board, last) = board.trim_end().rsplit_once("\n\n").unwrap();
    assert!(board.ends_with("      a       b       c       d       e       f       g       h"), "{board}");
    assert_eq!(last, format!("Final evaluation -{value} (white side)"));

    engine.send("position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    engine.send("eval");
    let lines = engine.until_ready();
    assert!(lines[0].ends_with(": +0, from endgame knowledge). Searches use this value."), "{lines:?}");
    engine.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    engine.send("eval");
    let lines = engine.until_ready();
    let expected =
        ["Network: no value", "Static evaluation: none"].map(|text| format!("{text} (the side to move is in check)"));
    assert_eq!(lines[..2], expected);
    assert_eq!(lines[2..], ["", "Final evaluation: none (in check)"]);
}

#[test]
fn eval_draws_what_each_piece_is_worth() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("queens"), queens().to_bytes()).unwrap();
    let file = at("queens").display().to_string();
    let mut engine = Engine::with_options(&[("Evaluation", "classical"), ("EvalFile", &file)]);
    // Both spellings of the command.
    let draw = |engine: &mut Engine| {
        let [first, second] = [("", "a b.svg"), ("--svg ", "a b")].map(|(switch, name)| {
            engine.send(&format!("eval {switch}{}", at(name).display()));
            assert_eq!(engine.until_ready(), [format!("{}: picture written", at(name).display())]);
            fs::read_to_string(at(name)).unwrap()
        });
        assert_eq!(first, second);
        first
    };
    engine.send("position fen 3qk3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1");
    let picture = draw(&mut engine);
    // A label for each piece except the kings, in addition to those of files and ranks and the caption.
    let texts = |picture: &str| picture.matches("</text>").count();
    assert_eq!((texts(&picture), picture.matches("Hand-written terms: -").count()), (7 + 32 + 1, 1), "{picture}");
    assert!(picture.starts_with("<svg ") && !picture.contains("Network"), "{picture}");

    engine.send("setoption name Evaluation value network");
    engine.send("eval");
    let value = engine.until_ready()[0].split(' ').nth(1).unwrap().to_owned();
    let picture = draw(&mut engine);
    assert_eq!(texts(&picture), 2 * (7 + 32 + 1), "{picture}");
    let (_, network) = picture.split_once(&format!(">Network: {value}</text>")).unwrap();
    assert_eq!(network.matches(">0.00</text>").count(), 6, "{network}");
    assert_eq!(network.matches(&format!(">{}</text>", &value[1..])).count(), 1, "{network}");

    let unwritable = at("no folder").join("x.svg");
    engine.send(&format!("eval {}\neval --svg", unwritable.display()));
    let errors = engine.until_ready();
    let expected = format!("info string error: cannot write '{}': ", unwritable.display());
    assert!(errors.len() == 2 && errors[0].starts_with(&expected), "{errors:?}");
    assert_eq!(errors[1], "info string error: eval: the file of the picture is missing");
    engine.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    engine.send(&format!("eval {}", at("check.svg").display()));
    assert_eq!(engine.until_ready(), ["info string error: eval: a position in check has no static evaluation"]);
    assert!(!at("check.svg").exists());
}
