//! `xboard`, `protover`, features and options.

use crate::support::{Engine, PROMPT};

#[test]
fn prints_nothing_unasked() {
    let mut engine = Engine::start_with(&[]);
    engine.expect_silence(|_| true);
    engine.tell("xboard");
}

#[test]
fn features_begin_with_done_0_and_end_with_done_1() {
    let mut engine = Engine::start_with(&[]);
    engine.send("xboard\nprotover 2");
    let lines = engine.wait_until("done=1", PROMPT, |line| line.ends_with("done=1"));
    assert_eq!(lines.first().map(String::as_str), Some("feature done=0"));
    assert!(lines.iter().all(|line| line.starts_with("feature ")), "{lines:?}");
    let text = lines.join(" ");
    for feature in [
        "ping=1",
        "setboard=1",
        "playother=1",
        "usermove=1",
        "san=0",
        "colors=0",
        "time=1",
        "draw=1",
        "sigint=0",
        "sigterm=0",
        "reuse=1",
        "analyze=1",
        "debug=1",
        "nps=1",
        "memory=1",
        "smp=1",
        "exclude=1",
        "pause=1",
        "name=1",
        "ics=1",
        "variants=\"normal,fischerandom\"",
        "myname=\"Bartizan",
        "egt=\"syzygy\"",
    ] {
        assert!(text.contains(feature), "{feature}");
    }
}

#[test]
fn version_1_has_no_features() {
    let mut engine = Engine::start_with(&[]);
    engine.tell("xboard\nprotover 1");
}

#[test]
fn only_clients_that_accept_comments_get_them() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("c.toml");
    std::fs::write(&config, "hsah = 3\n").unwrap();
    let mut engine = Engine::start_with(&["--config", config.to_str().unwrap()]);
    engine.send("xboard\nprotover 2");
    engine.wait_until("done=1", PROMPT, |line| {
        assert!(!line.starts_with('#'));
        line.ends_with("done=1")
    });
    engine.tell("rejected foo\naccepted ping");
    let said = engine.ask("accepted debug");
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("# settings: ") && said[0].contains("line 1"), "{said:?}");
}

/// xboard abandons an engine that prints `No such file` on either stream before it has announced comments.
#[test]
fn a_path_that_is_gone_is_told_once_the_client_understands() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("c.toml");
    std::fs::write(&config, "[book]\nfile = '/no/such/book.bin'\n").unwrap();
    for switches in [&[][..], &["-t"]] {
        for (answer, start) in [
            ("accepted debug", "# settings: "),
            ("rejected debug", "tellusererror settings: "),
            ("new", "tellusererror settings: "),
        ] {
            let mut engine = Engine::start_with(&[switches, &["--config", config.to_str().unwrap()]].concat());
            engine.send("xboard\nprotover 2");
            let lines = engine.wait_until("done=1", PROMPT, |line| line.ends_with("done=1"));
            assert!(!lines.iter().any(|line| line.contains("No such file")), "{lines:?}");
            let said = engine.ask(answer);
            let told: Vec<_> = said.iter().filter(|line| line.contains("/no/such/book.bin")).collect();
            assert!(told.len() == 1 && told[0].starts_with(start), "{answer}: {said:?}");
            // The order between the two streams is undefined, so read both after they are closed.
            engine.send("quit");
            engine.wait_exit();
            assert_eq!(engine.stderr_lines(), [""; 0]);
        }
    }
}

#[test]
fn options_are_set_and_refused() {
    let mut engine = Engine::ready();
    engine.tell("option Contempt=-20\noption Learning=0\noption Clear Hash\noption resign score=500\noption Resign=1");
    engine.tell("option Move Overhead = 20\nmemory 64\ncores 2\nhard\neasy\negtpath nalimov /nowhere\nrandom");
    // xboard shows its user a refusal, but not an error.
    for (line, start, word) in [
        ("option Contempt=900", "tellusererror option 'Contempt'", "between"),
        ("option Contempt=x", "tellusererror option 'Contempt'", "whole number"),
        ("option Contempt", "tellusererror option 'Contempt'", "needs a value"),
        ("option BookFile=/analyze/draw.bin", "tellusererror option 'BookFile'", "/analyze/draw.bin"),
        ("option Nonsense=1", "Error (", "unknown option"),
        ("option", "Error (", "missing"),
        ("cores 0", "tellusererror cores 0: ", "between"),
        ("cores many", "Error (", "number"),
    ] {
        let said = engine.ask(line);
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with(start) && said[0].contains(word), "{said:?}");
    }
}

/// `memory` limits table, threads and program together. Clients send it before `cores`.
#[test]
fn memory_is_shared_with_the_threads() {
    let mut engine = Engine::ready_with(&["-t"]);
    for (command, told) in [
        ("memory 64", "# memory: 53 of 64 MB"),
        ("cores 2", "# memory: 46 of 64 MB"),
        ("memory 3", "# memory: 1 of 3 MB"),
    ] {
        let said = engine.ask(command);
        assert!(said.iter().any(|line| line.starts_with(told)), "{command}: {said:?}");
    }
    let said = engine.ask("option Hash=8\ncores 1");
    assert!(!said.iter().any(|line| line.starts_with("# memory")), "{said:?}");
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn informative_commands_have_no_answer() {
    let mut engine = Engine::ready();
    engine.tell("ics -\nname Someone Else\nrating 2400 2500\ncomputer\nwhite\nblack\npost\nnopost\n.\n?\ndraw\nresume");
    engine.tell("\n \t\nresult * {Game aborted}\nforce");
}

#[test]
fn unknown_commands_are_reported() {
    let mut engine = Engine::ready();
    assert_eq!(engine.ask("frobnicate 3"), ["Error (unknown command): frobnicate 3"]);
    assert_eq!(engine.ask("sd deep"), ["Error (sd: 'deep' is not a number): sd deep"]);
    assert_eq!(engine.ask("level 40"), ["Error (level: a time in minutes is missing): level 40"]);
}

#[test]
fn negative_values_are_bad() {
    let mut engine = Engine::ready();
    for line in [
        "sd -1",
        "st -5",
        "st -0.5",
        "nps -3",
        "cores -2",
        "memory -64",
        "level -1 5 0",
        "level 40 -5 0",
        "level 40 -1:55 0",
        "level 40 5 -1",
    ] {
        assert_eq!(engine.ask(line), [format!("Error (bad value): {line}")]);
    }
    // Nothing changed; a clock may be overdrawn.
    engine.tell("sd 0\ntime -50\notim -1\nst 0.1\nst -0");
}

#[test]
fn errors_quote_only_the_beginning_of_a_long_line() {
    let console = ["eval", "test", "test a -t", "test a", "loadgame", "savehash", "loadhash", "perft", "bench 1 1 1"];
    let xboard = [
        "",
        "usermove",
        "setboard",
        "option",
        "option ResignScore =",
        "option GameLog =",
        "option LearningFile =",
        "egtpath",
        "egtpath syzygy",
        "ping x",
        "level",
        "st",
        "sd x",
        "result",
        "variant",
        "exclude",
        "include",
        "rating",
        "memory x",
    ];
    for arguments in [&[][..], &["-t"]] {
        let mut engine = Engine::ready_with(arguments);
        engine.ask("accepted debug");
        for start in console.into_iter().chain(xboard) {
            for part in ["x", "9", "x/", "8/"] {
                let said = engine.ask(&format!("{start} {}", part.repeat((1 << 20) / part.len())));
                assert!(said.iter().all(|line| line.len() < 400), "`{start}` draws a long line");
            }
        }
        let said = engine.ask(&format!("edit\n{}\n.", "x".repeat(1 << 20)));
        assert!(said.iter().all(|line| line.len() < 400), "a line of edit mode draws a long line");
        engine.send("quit");
        engine.wait_exit();
    }
}

#[test]
fn a_closed_input_ends_the_program() {
    for last in ["", "st 100\ngo", "analyze", "hard\nst 0.1\ngo"] {
        let mut engine = Engine::ready();
        engine.send(last);
        engine.close_input();
        let (_, status) = engine.wait_exit();
        assert!(status.success(), "{last}: {status}");
    }
}

#[test]
fn quit_ends_the_program_in_every_state() {
    for last in
        ["", "st 100\ngo", "analyze", "edit", "st 100\ngo\npause", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "perft 9"]
    {
        let mut engine = Engine::ready();
        engine.send(last);
        engine.send("quit");
        let (_, status) = engine.wait_exit();
        assert!(status.success(), "{last}: {status}");
    }
}
