//! Games on a chess server, and against other programs: `-ics`, `ics`, `computer`.

use crate::support::{Engine, SEARCH};

/// The target of the time management in seconds, from `# time: target T s, at most M s`.
#[track_caller]
fn target(engine: &mut Engine) -> f64 {
    engine.send("level 0 1 0\ngo");
    let line = engine.wait_for("# time: target ").pop().unwrap();
    engine.send("force");
    engine.sync();
    line["# time: target ".len()..].split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_server_needs_more_overhead() {
    let mut engine = Engine::ready_with(&["-t"]);
    let near = target(&mut engine);
    for (command, told) in [
        ("ics freechess.org", "# ics: freechess.org, move overhead 500 ms"),
        ("ics -", "# ics: no chess server, move overhead 20 ms"),
        ("option Move Overhead=900\nics -", "# ics: no chess server, move overhead 900 ms"),
        ("ics freechess.org", "# ics: freechess.org, move overhead 900 ms"),
        ("option Move Overhead=20\nics freechess.org", "# ics: freechess.org, move overhead 500 ms"),
    ] {
        let said = engine.ask(command);
        assert!(said.iter().any(|line| line == told), "{command}: {said:?}");
    }
    let far = target(&mut engine);
    assert!(far < near, "{near} s here, {far} s on a server");
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn the_switch_is_for_clients_that_do_not_send_ics() {
    let mut engine = Engine::start_with(&["-t", "-ics"]);
    let said = engine.sync();
    assert!(said.contains(&"# ics: a chess server, move overhead 500 ms".to_owned()), "{said:?}");
    // The command overrides the switch.
    let said = engine.ask("ics -");
    assert!(said.contains(&"# ics: no chess server, move overhead 20 ms".to_owned()), "{said:?}");
    engine.send("quit");
    engine.wait_exit();
}

/// xboard passes lines that begin with these words to the server, where people read them.
const CHATTER: [&str; 5] = ["tell", "kibitz", "whisper", "say", "draw"];

#[test]
fn the_engine_never_chats() {
    let mut engine = Engine::ready();
    let mut lines = engine.ask("ics freechess.org\nname Opponent\nrating 2400 1800\npost\nnew\nforce\nst 0.1");
    lines.extend(engine.ask("setboard 6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1"));
    for _ in 0..20 {
        engine.send("go");
        lines.extend(
            engine.wait_until("a move or the end", SEARCH, |line| line.starts_with("move") || line.starts_with("1-0")),
        );
        if lines.last().unwrap().starts_with("1-0") {
            break;
        }
    }
    lines.extend(engine.ask("draw\nresult 1-0 {White mates}\nnew\nforce"));
    assert!(lines.iter().any(|line| line.starts_with("move ")), "{lines:#?}");
    for line in &lines {
        assert!(!CHATTER.iter().any(|word| line.starts_with(word)), "{line}");
    }
}

#[test]
fn a_draw_is_claimed_by_an_offer_followed_by_the_move() {
    let mut engine = Engine::ready();
    engine.tell("ics freechess.org\nsetboard r5k1/5ppp/8/8/8/8/5PPP/N5K1 b - - 0 1");
    for mv in ["g8f8", "g1f1", "f8g8", "f1g1"].repeat(2) {
        engine.tell(&format!("usermove {mv}"));
    }
    engine.tell("usermove g8f8");
    engine.send("st 0.2\ngo");
    let lines = engine.wait_for("move ");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "offer draw");
    // A result is also announced on a server.
    engine.send("force\nsetboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\ngo");
    engine.wait_for("1-0 {White mates}");
}

#[test]
fn ratings_do_not_count_against_a_computer() {
    let mut engine = Engine::ready_with(&["-t"]);
    for (commands, told) in [
        ("rating 2800 2400", "# rating: 2800 against 2400, contempt 40"),
        ("computer", "# opponent: a computer, contempt 0"),
        ("rating 2800 2500", "# rating: 2800 against 2500, contempt 0"),
        ("option Contempt=10\ncomputer", "# opponent: a computer, contempt 10"),
        ("new\nforce\nrating 2800 2400", "# rating: 2800 against 2400, contempt 50"),
    ] {
        let said = engine.ask(commands);
        assert!(said.iter().any(|line| line == told), "{commands}: {said:?}");
    }
    engine.send("quit");
    engine.wait_exit();
}
