//! The console commands.

use crate::support::{Engine, text};
use bartizan_network::{Architecture, Network, NetworkOrigin, NetworkWeights, Quantisation};

#[test]
fn help_board_eval_and_perft() {
    let mut engine = Engine::ready();
    assert!(engine.ask("help").iter().any(|line| line.contains("loadgame")));
    assert!(engine.ask("board").iter().any(|line| line.starts_with("Fen: ")));
    let eval = engine.ask("eval");
    assert!(eval[0].starts_with("Network: +"), "{eval:?}");
    assert!(
        eval[1].starts_with("Static evaluation: +") && eval[1].contains("in the units of the search: +"),
        "{eval:?}"
    );
    for word in ["perft 3", "divide 3"] {
        engine.send(word);
        let lines = engine.wait_for("Nodes searched: 8902");
        assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    }
    assert!(engine.ask("perft x").iter().any(|line| line.starts_with("Error (perft: 'x' is not a depth in plies)")));
    // A deep count does not block other commands.
    engine.send("perft 12");
    engine.sync();
    engine.send("?");
    engine.sync();
    engine.send("perft 12\nst 0.1\ngo");
    engine.its_move();
    engine.tell("force");
}

#[test]
fn eval_explains_the_network_and_draws_it() {
    let folder = tempfile::tempdir().unwrap();
    let [file, picture] = ["network", "a b.svg"].map(|name| folder.path().join(name));
    let architecture = Architecture::plain(32).unwrap();
    let weights = NetworkWeights {
        input: vec![0; architecture.inputs() * 32],
        hidden_bias: vec![0; 32],
        output: vec![0; 2 * 32],
        output_bias: vec![255 * 64 / 8],
    };
    let network = Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default()).unwrap();
    std::fs::write(&file, network.to_bytes()).unwrap();
    let mut engine = Engine::ready();
    engine.tell(&format!("option Evaluation=network\noption EvalFile={}", text(&file)));
    let lines = engine.ask("eval");
    assert!(lines[0].starts_with("Network: +"), "{lines:?}");
    let heading = lines.iter().position(|line| line == "What each piece adds to its side by the network, in pawns:");
    assert!(lines[heading.unwrap()..].iter().any(|line| line == &format!("  |{}", "  0.00 |".repeat(8))), "{lines:?}");
    for arguments in [text(&picture), format!("--svg {}", text(&picture))] {
        assert_eq!(engine.ask(&format!("eval {arguments}")), [format!("{}: picture written", picture.display())]);
        let drawn = std::fs::read_to_string(&picture).unwrap();
        assert!(drawn.contains(">Hand-written terms: +") && drawn.contains(">Network: +"), "{drawn}");
        std::fs::remove_file(&picture).unwrap();
    }
}

#[test]
fn evaluation_of_a_file_is_the_same_for_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b.epd");
    std::fs::write(&path, "4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\nrubbish\n4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\n").unwrap();
    let mut engine = Engine::ready();
    let lines = engine.ask(&format!("eval {}", path.display()));
    let values = lines.iter().filter(|line| line.contains("4k3/8/")).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], words[1], "{line}");
        words[0]
    });
    assert_eq!(values.count(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("line 2: ")), "{lines:?}");
    // The table of the hand-written terms is below each value.
    assert_eq!(lines.iter().filter(|line| line.starts_with("king danger ")).count(), 2, "{lines:?}");
    let begin = lines[1..].iter().position(|line| line.starts_with("Term ")).unwrap();
    assert!(begin < 6 && lines[0].ends_with(" w - - 0 1"), "{lines:?}");
    assert!(engine.ask("eval /no/such/file")[0].starts_with("Error ("));
}

#[test]
fn a_suite_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let (path, output) = (folder.path().join("suite.epd"), folder.path().join("out.txt"));
    let suite = "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; id \"one\";\nk7/8/1K6/8/8/8/8/7R w - - am Rh8#; id \"two\";\n\
        k7/8/1K6/8/8/8/8/7R w - - dm 1; id \"three\";\n";
    std::fs::write(&path, suite).unwrap();
    let mut engine = Engine::ready();
    engine.send(&format!("test {} -d 3 -x 2 -v -o {}", text(&path), text(&output)));
    let lines = engine.wait_for("solved 2 of 3");
    assert!(lines.iter().any(|line| line.starts_with("1 one: Rh8# solved in ")), "{lines:#?}");
    assert!(lines.contains(&"2 two: Rh8# NOT solved, expected am Rh8#".to_owned()), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("3 three: Rh8# solved in ")), "{lines:#?}");
    let written = std::fs::read_to_string(&output).unwrap();
    assert!(written.contains("solved 2 of 3"), "{written}");
    // Pings are answered meanwhile, and `?` ends it, in a position whose search does not end by itself.
    let long = folder.path().join("long.epd");
    std::fs::write(&long, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3;\n").unwrap();
    engine.send(&format!("test {} -t 100", text(&long)));
    engine.sync();
    engine.send("?");
    engine.wait_for("solved 0 of 1");
    for line in ["test", "test /no/such/file", "test -z x", "test x y", "test -t"] {
        assert!(engine.ask(line)[0].starts_with("Error (test: "), "{line}");
    }
}

#[test]
fn a_game_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "1. e4 e5 *\n\n[White \"x\"]\n\n1. d4 d5 2. c4 1-0\n").unwrap();
    let mut engine = Engine::ready();
    engine.ask(&format!("loadgame {} 2", text(&path)));
    assert_eq!(engine.fen(), "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2");
    engine.tell("undo");
    engine.ask(&format!("loadgame {}", text(&path)));
    assert_eq!(engine.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert!(engine.ask(&format!("loadgame {} 3", text(&path)))[0].contains("no game 3"));
    assert!(engine.ask("loadgame /no/such/file")[0].starts_with("Error ("));
    assert!(engine.ask("loadgame")[0].starts_with("Error ("));
}

#[test]
fn the_hash_table_is_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = text(&folder.path().join("table"));
    let fen = "setboard r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1P2PN2/PB2BPPP/RN1Q1RK1 w - - 0 8";
    let mut engine = Engine::ready();
    engine.tell(&format!("memory 20\n{fen}"));
    engine.send("st 100\nsd 12\npost\ngo");
    let best = engine.its_move();
    engine.tell("force\nundo");
    let said = engine.ask(&format!("savehash {path}"));
    assert!(said[0].ends_with(" positions saved"), "{said:?}");
    engine.finish();
    // In another process with a table of the same size, a search four plies shallower is shorter. One of nearly the
    // same depth need not be: it has other histories and takes another path.
    let nodes = |load: bool| {
        let mut engine = Engine::ready();
        engine.tell(&format!("memory 20\n{fen}"));
        if load {
            let said = engine.ask(&format!("loadhash {path}"));
            assert!(said[0].ends_with(" positions loaded"), "{said:?}");
            assert_eq!(engine.ask("hint"), [format!("Hint: {best}")]);
        }
        engine.send("st 100\nsd 8\npost\ngo");
        let lines = engine.wait_for("move ");
        let line = lines.iter().rev().find(|line| line.contains('\t')).unwrap();
        line.split(' ').nth(3).unwrap().parse::<u64>().unwrap()
    };
    let (with, without) = (nodes(true), nodes(false));
    assert!(with < without, "{with} nodes with the table, {without} without");
    let mut engine = Engine::ready();
    engine.tell("memory 40");
    assert!(engine.ask(&format!("loadhash {path}"))[0].contains("the saved table has"));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(engine.ask(&format!("loadhash {path}"))[0].contains("damaged"));
    assert!(engine.ask("loadhash /no/such/file")[0].starts_with("Error ("));
    assert!(engine.ask("savehash /no/such/folder/x")[0].starts_with("Error ("));
}
