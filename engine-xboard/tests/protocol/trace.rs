//! `-t`.

use crate::support::Engine;

#[test]
fn every_kind_of_line() {
    let mut engine = Engine::ready_with(&["-t"]);
    engine.send("level 0 0:30 0.1\nhard\ngo");
    let mut lines = engine.wait_for("# ponder: awaiting");
    engine.send("draw\nforce\nsetboard 7k/8/8/8/8/8/8/K6r w - - 0 1\nlevel 0 1 0\ngo");
    lines.extend(engine.wait_for("# move:"));
    lines.extend(engine.wait_for("move "));
    for begin in [
        "# command: go",
        "# search entered: clock 30.000 s + 0.100 s; rnbqkbnr",
        "# time: target ",
        "# time: depth ",
        "# iteration 3/",
        "# search left: ",
        "# move: ",
        "# ponder: awaiting ",
        "# draw: offer declined at ",
        "# search aborted: ",
        "# move: a1",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(begin)), "`{begin}` is not among {lines:#?}");
    }
    engine.send("force\nsetboard k7/8/1K6/8/8/8/8/7R b - - 0 1\nlevel 0 1 0\ngo");
    let lines = engine.wait_for("move ");
    assert!(lines.contains(&"# move: a8b8, from: single reply".to_owned()), "{lines:#?}");
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn no_trace_without_the_switch() {
    let mut engine = Engine::ready();
    engine.send("hard\npost\ngo");
    let lines = engine.wait_for("move ");
    assert!(!lines.iter().any(|line| line.starts_with('#')));
    engine.send("force");
    let lines = engine.sync();
    assert!(!lines.iter().any(|line| line.starts_with('#')));
}

/// A rating lead raises the contempt, a deficit lowers it.
#[test]
fn ratings_set_the_contempt() {
    let mut engine = Engine::ready_with(&["-t"]);
    for (ratings, contempt) in [("2800 2400", 40), ("2400 2700", -30), ("3000 1000", 50), ("2800 0", 0)] {
        let said = engine.ask(&format!("rating {ratings}"));
        let end = format!("contempt {contempt}");
        assert!(said.iter().any(|line| line.starts_with("# rating: ") && line.ends_with(&end)), "{said:?}");
    }
    engine.ask("option Contempt=10");
    let said = engine.ask("rating 2800 2700");
    assert!(said.iter().any(|line| line.ends_with("contempt 20")), "{said:?}");
    engine.send("quit");
    engine.wait_exit();
}
