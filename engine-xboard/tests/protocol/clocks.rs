//! Time controls in every form.

use crate::support::{Engine, SEARCH, thinking};

/// The limits of a search, from the line `# search entered`.
#[track_caller]
fn limits(commands: &str) -> String {
    let mut engine = Engine::ready_with(&["-t"]);
    engine.send(commands);
    let line = engine.wait_for("# search entered: ").pop().unwrap();
    let text = line["# search entered: ".len()..].split(';').next().unwrap().to_owned();
    engine.send("force\nquit");
    engine.wait_exit();
    text
}

#[test]
fn every_form_of_level_st_sd_nps_and_time() {
    for (commands, expected) in [
        ("level 40 5 0\ngo", "clock 300.000 s for 40 moves + 0.000 s"),
        ("level 0 2 12\ngo", "clock 120.000 s + 12.000 s"),
        ("level 0 0:10 0.1\ngo", "clock 10.000 s + 0.100 s"),
        ("level 40 0:30 0 extra words\ngo", "clock 30.000 s for 40 moves + 0.000 s"),
        ("level 0 5 0\ntime 1234\notim 5678\ngo", "clock 12.340 s + 0.000 s"),
        ("level 0 5 0\ntime -50\ngo", "clock 0.000 s + 0.000 s"),
        ("level 0 5 0\ntime 0\ngo", "clock 0.000 s + 0.000 s"),
        // The engine changes sides and so gets the other clock, unless the client has already sent the new one.
        ("level 0 5 0\ntime 500\notim 30000\nplayother\ngo", "clock 300.000 s + 0.000 s"),
        ("level 0 5 0\nplayother\ntime 500\notim 30000\ngo", "clock 5.000 s + 0.000 s"),
        ("st 7\ngo", "7.000 s for the move"),
        ("level 40 5 0\nst 7\ngo", "7.000 s for the move"),
        ("st 7\nlevel 40 5 0\ngo", "clock 300.000 s for 40 moves + 0.000 s"),
        ("st 7\nsd 30\ngo", "7.000 s for the move, depth 30"),
        ("sd 30\nlevel 0 1 1\ngo", "clock 60.000 s + 1.000 s, depth 30"),
        ("sd 30\nnew\nforce\nlevel 0 1 1\ngo", "clock 60.000 s + 1.000 s"),
        ("level 0 1 1\ntime 100\nnew\nforce\ngo", "clock 60.000 s + 1.000 s"),
        ("st 2\nnps 1000\ngo", "2.000 s for the move, a second is 1000 nodes"),
        ("level 0 2 12\nnps 500\ngo", "clock 120.000 s + 12.000 s, a second is 500 nodes"),
        ("st 2\nnps 1000\nnps 0\ngo", "2.000 s for the move"),
        ("nps 1000\nnew\nforce\nst 2\ngo", "2.000 s for the move"),
        ("level 1 1 0\ngo", "clock 60.000 s for 1 moves + 0.000 s"),
        ("level 40 5 0\ne2e4\ne7e5\ng1f3\ngo", "clock 300.000 s for 39 moves + 0.000 s"),
        // The moves still to play when `level` comes.
        ("e2e4\ne7e5\ng1f3\nlevel 5 1 0\ngo", "clock 60.000 s for 5 moves + 0.000 s"),
        ("e2e4\ne7e5\nlevel 5 1 0\ng1f3\nb8c6\ngo", "clock 60.000 s for 4 moves + 0.000 s"),
        ("e2e4\ne7e5\nlevel 5 1 0\nremove\ngo", "clock 60.000 s for 5 moves + 0.000 s"),
        ("e2e4\ne7e5\nlevel 5 1 0\nnew\nforce\ne2e4\ne7e5\ngo", "clock 60.000 s for 4 moves + 0.000 s"),
    ] {
        let name = commands.replace('\n', "; ");
        assert_eq!(limits(commands), expected, "{name}");
    }
}

#[test]
fn an_invalid_command_leaves_the_time_control() {
    assert!(limits("level 40 5 0\nlevel x\nst\nsd deep\ngo").starts_with("clock 300.000 s"));
}

#[test]
fn depth_is_not_exceeded() {
    let mut engine = Engine::ready();
    engine.send("st 100\nsd 4\npost\ngo");
    let lines = engine.wait_for("move ");
    let deepest = lines.iter().filter_map(|line| thinking(line)).map(|line| line.ply).max();
    assert_eq!(deepest, Some(4));
}

#[test]
fn an_empty_clock_still_moves() {
    let mut engine = Engine::ready();
    for time in ["0", "-100", "1"] {
        engine.send(&format!("force\nlevel 0 1 0\ntime {time}\ngo"));
        engine.its_move();
    }
}

#[test]
fn the_engine_keeps_its_own_clock() {
    let mut engine = Engine::ready_with(&["-t"]);
    engine.send("level 2 0:02 0\ngo");
    engine.its_move();
    engine.send("usermove a7a6");
    let line = engine.wait_for("# search entered").pop().unwrap();
    assert!(line.contains("for 1 moves"), "{line}");
    engine.its_move();
    engine.send("usermove b7b6");
    // After two moves, two seconds are added for the next two.
    let line = engine.wait_for("# search entered").pop().unwrap();
    assert!(line.contains("clock 2.") || line.contains("clock 3."), "{line}");
    assert!(line.contains("for 2 moves"), "{line}");
    engine.wait_until("move", SEARCH, |line| line.starts_with("move "));
    engine.send("quit");
    engine.wait_exit();
}
