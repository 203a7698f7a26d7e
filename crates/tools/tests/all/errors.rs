//! Error messages: each cause once, and only the beginning of a quoted text.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::commands::{spec, syzygy};
use super::common::{TOOLS, text, tools};
use bartizan_testkit::fake_engine;
use std::process::{Command, Stdio};

/// A cause is printed once, however many layers report it.
#[test]
fn a_cause_is_printed_once() {
    let fake = fake_engine();
    let engine = format!("{} nodes=1", spec(&fake, "a", ""));
    let with = |more: &[&str]| text(&tools(&[&["match", "--engine", &engine], more].concat()).stderr);
    for (more, cause) in [
        (&["--engine", "cmd=no-such-engine nodes=1"][..], "os error 2"),
        (&["--engine", &engine, "--openings", "none.epd"], "os error 2"),
        (&["--engine", &engine, "--journal", "none/none.jsonl"], "os error 2"),
        (&["--engine", &engine, "--config", "none.toml"], "os error 2"),
        (&["--engine", &engine, "--tb", "no-such-folder"], "os error 2"),
        (&["--engine", &engine, "--tc", "fast"], "expected [MOVES/]BASE"),
        (&["--engine", "cmd=x tc=fast"], "expected [MOVES/]BASE"),
        (&["--engine", "cmd=x nodes=1 proto=smtp"], "neither uci nor xboard"),
        (&["--resume", "none.jsonl"], "none.jsonl"),
    ] {
        let message = with(more);
        assert_eq!(message.matches(cause).count(), 1, "{more:?}: {message}");
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for (arguments, cause) in [
        (&["match", "plan", "--sprt", "0,5", "--journal", "none.jsonl"][..], "none.jsonl"),
        (
            &["match", "plan", "--sprt", "0,5", "--games-per-hour", "0"],
            "error: invalid --games-per-hour '0': must be positive\n",
        ),
        (&["match", "scaling", "--report", "none.jsonl"], "none.jsonl"),
        (&["match", "ladder", "none.jsonl"], "none.jsonl"),
        (&["screen", "--report", "none.jsonl"], "none.jsonl"),
        (&["spsa", "--report", "none.jsonl"], "none.jsonl"),
        (&["learn", "show", folder], "is a directory"),
        (&["board", "8/8"], "invalid FEN"),
        (&["tb", "stats", "--tables", "x", "KQ"], "'KQ'"),
    ] {
        let message = text(&tools(arguments).stderr);
        assert_eq!(message.matches(cause).count(), 1, "{arguments:?}: {message}");
    }
}

/// A file of another kind is reported as such, not by what a parser misses in it.
#[test]
fn files_of_another_kind_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let course = path("course.jsonl", "{\"version\":1,\"setup\":{}}\n");
    let games = path("games.jsonl", "{\"event\":\"start\",\"version\":1,\"settings\":{}}\n");
    let plain = include_str!("../../../match/tests/data/journal-v1.jsonl");
    let plain = path("plain.jsonl", plain);
    let notes = path("notes.txt", "notes\n");
    let empty = path("empty.pgn", "");
    let fit = folder.path().join("fit").display().to_string();
    for (arguments, expected) in [
        (&["match", "ladder", &course][..], "course.jsonl' is not a journal of a match\n"),
        (&["match", "ladder", &notes], "notes.txt' is neither a journal of 'match' nor a PGN file\n"),
        (&["match", "--resume", &course], "course.jsonl': it is not a journal of a match\n"),
        (&["screen", "--resume", &notes], "notes.txt': it is not a journal of a match\n"),
        (
            &["match", "scaling", "--report", &plain],
            "plain.jsonl': it is not the journal of a match of two engines with",
        ),
        (&["spsa", "--report", &games], "games.jsonl': it is not a journal of spsa\n"),
        (&["tune", "--data", &empty, "--out", &fit], "empty.pgn': no game or position with a result, 0 games"),
        (&["wdl", "--data", &empty], "empty.pgn': no game with a result, 0 games"),
    ] {
        let output = tools(arguments);
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(expected), "{arguments:?}: {message}");
    }
}

/// Thread and game counts have the same range in all commands, and a number beyond it is an invalid command line.
#[test]
fn no_command_takes_0_threads() {
    for arguments in [
        &["tb", "generate", "KQK", "--tables", "x"][..],
        &["tb", "verify", "--tables", "x"],
        &["tune", "--data", "x", "--out", "x"],
        &["selfplay", "--games", "1", "--out", "x"],
        &["epd", "perft", "x"],
        &["epd", "ttd", "x", "--depth", "1"],
        &["pgn", "stats", "x"],
        &["book", "build", "x", "--out", "x"],
        &["book", "check", "x"],
        &["data", "vary", "x", "--out", "x"],
        &["train", "--data", "x", "--out", "x"],
    ] {
        for number in ["0", "1025", "many"] {
            let output = tools(&[arguments, &["--threads", number]].concat());
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
            assert!(message.contains("': must be from 1 to 1024, or 'auto'"), "{arguments:?}: {message}");
        }
    }
}

/// In cutechess-cli, each key of an engine is an argument.
#[test]
fn keys_of_an_engine_without_quotes_get_a_tip() {
    for (command, has_tip) in [
        ("match --engine cmd=x name=a --engine cmd=y", true),
        ("match --engine cmd=x --each tc=1 proto=uci", true),
        ("screen f --engine cmd=x option.Hash=3", true),
        ("epd test f --nodes 1 --engine cmd=x arg=-x", true),
        ("match --engine cmd=x initstr=on", false),
        ("match --engine cmd=x --name=a", false),
    ] {
        let output = tools(&command.split(' ').collect::<Vec<_>>());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(
            message.contains("an engine is one argument with quotes: --engine"),
            has_tip,
            "{command}: {message}"
        );
    }
}

/// A program is written with its key, and a command with its group.
#[test]
fn what_is_left_out_is_named() {
    for (command, tip) in [
        ("match --engine bartizan", "write cmd=bartizan"),
        ("annotate game.pgn", "'pgn annotate'"),
        ("lookup 1. e4", "'eco lookup'"),
    ] {
        let output = tools(&command.split(' ').collect::<Vec<_>>());
        let message = text(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(tip), "{command}: {message}");
    }
    assert!(text(&tools(&["nonsense"]).stderr).contains("unrecognized subcommand 'nonsense'"));
}

/// An engine of the other protocol cannot be started, and the message says how it can be.
#[test]
fn an_engine_of_the_other_protocol_is_named() {
    let fake = fake_engine();
    let good = format!("{} nodes=1", spec(&fake, "good", ""));
    let uci = format!("{} proto=xboard st=1", spec(&fake, "other", ""));
    let output = tools(&["match", "--engine", &good, "--engine", &uci]);
    let message = text(&output.stderr);
    let expected =
        "error: other: does not answer as an xboard engine, but as a UCI engine; add proto=uci to its --engine";
    assert!(output.status.code() == Some(1) && message.trim_end().ends_with(expected), "{message}");
}

/// Memory does not grow with an endless line.
#[test]
fn endless_lines_of_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input");
    let position = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    std::fs::write(&input, format!("{position}\n{}", "x".repeat(1 << 20))).unwrap();
    let reason = "it is longer than 65536 bytes";
    for (args, line) in [(["probe", "--brief", "--path"], 2), (["advise", "--json", "--syzygy"], 2)] {
        let stdin = std::fs::File::open(&input).unwrap();
        let output = Command::new(TOOLS).arg("tb").args(args).arg(syzygy()).stdin(stdin).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error.trim_end(), format!("error: cannot read standard input, line {line}: {reason}"));
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
    let name = input.display().to_string();
    for args in [&["epd", "perft"][..], &["epd", "test", "--nodes", "1"], &["pgn", "label", "--nodes", "1"]] {
        let output = Command::new(TOOLS).args(args).arg(&input).stdin(Stdio::null()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error.trim_end(), format!("error: cannot read '{name}': line 2: {reason}"), "{args:?}");
    }
}

/// The line of standard input and the reason, each once.
#[test]
fn positions_of_standard_input_that_are_wrong_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input");
    let good = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    for (command, bad, reason) in [
        (&["tb", "probe", "--brief", "--path"][..], "xx", "'xx': invalid FEN: unexpected 'x' in the board at column 1"),
        (&["tb", "advise", "--syzygy"], "xx", "'xx': invalid FEN: unexpected 'x' in the board at column 1"),
        (&["tb", "advise", "--syzygy"], "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1", "no advice on '4k3/8/8/8/8/8/4PP2/4K3 w "),
    ] {
        std::fs::write(&input, format!("\n{good}\n  \n{bad}\n{good}\n")).unwrap();
        let stdin = std::fs::File::open(&input).unwrap();
        let output = Command::new(TOOLS).args(command).arg(syzygy()).stdin(stdin).output().unwrap();
        let error = text(&output.stderr);
        assert!(error.starts_with(&format!("error: standard input, line 4: {reason}")), "{error}");
        assert_eq!(
            (output.status.code(), error.matches("invalid FEN").count()),
            (Some(1), reason.matches("invalid").count())
        );
        assert!(text(&output.stdout).to_lowercase().contains("win"), "{}", text(&output.stdout));
    }
    let output = tools(&["tb", "probe", "--path", &syzygy(), "xx"]);
    assert_eq!(text(&output.stderr), "error: 'xx': invalid FEN: unexpected 'x' in the board at column 1\n");
}

/// Whatever is given, an error quotes only its beginning.
#[test]
fn errors_quote_the_beginning_of_a_long_text() {
    let folder = tempfile::tempdir().unwrap();
    // Systems limit the length of a command line, Windows to 32 KiB.
    let long = "x".repeat(9_000);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (toml, json, list, command) = (path("a.toml"), path("a.json"), path("list.txt"), path("b.toml"));
    let huge = "x".repeat(4 << 20);
    std::fs::write(&toml, format!("rounds = \"{huge}\"\n{huge}\n")).unwrap();
    std::fs::write(&json, format!("{{\"tc\":\"{huge}\",\"engine\":[{{\"cmd\":[\"{huge}\"]}}]}}")).unwrap();
    std::fs::write(&list, format!("{huge}\n")).unwrap();
    std::fs::write(&command, format!("engine = [\"cmd={huge} nodes=1\", \"cmd=x nodes=1\"]\n")).unwrap();
    let engine = format!("cmd={long} nodes={long}");
    let equal = format!("--rounds={long}");
    for args in [
        &["match", "--engine", &engine, "--engine", &long][..],
        &["match", "--each", &long],
        &["match", &equal],
        &["match", "--tc", &long],
        &[&long],
        &["match", "--config", &toml],
        &["match", "--config", &json],
        &["match", "--config", &command],
        &["match", "ladder", "x.pgn", "--anchor", &long],
        &["spsa", &list, "--engine", "cmd=x", "--openings", "x", "--journal", &path("j")],
        &["screen", &list, "--engine", "cmd=x", "--openings", "x", "--journal", &path("j")],
        &["epd", "perft", "--threads", &long, &list],
        &["epd", "test", &list, "--nodes", "1"],
        &["selfplay", "--games", &long],
    ] {
        let output = tools(args);
        let message = text(&output.stderr);
        assert!(!output.status.success(), "{}", args[0]);
        assert!(
            (1..4_500).contains(&message.len()),
            "{}: {} bytes",
            args[..2.min(args.len() - 1)].join(" "),
            message.len()
        );
    }
}

/// A command that would write over its own inputs or over its other outputs writes nothing.
#[test]
fn outputs_over_each_other_and_over_inputs_are_refused() {
    let games = include_str!("../../../../testdata/examples/openings.pgn");
    for (command, file, words) in [
        ("wdl --data in --source in", "in", "is an input"),
        ("wdl --data in --out fit --source fit/fit.json", "fit/fit.json", "is given for two outputs"),
        ("tune --data in --out fit --source fit/checkpoint.json", "fit/checkpoint.json", "is given for two outputs"),
        ("epd test in --nodes 1 --save x --plot x", "x", "is given for two outputs"),
        ("epd test in --nodes 1 --compare old --plot old", "old", "is an input"),
        ("epd mine in --nodes 1 --journal x --out ./x", "x", "is given for two outputs"),
        ("pgn label in --nodes 1 --journal x --out ./x", "x", "is given for two outputs"),
        ("match scaling --engine cmd=x --engine cmd=y --journal x --svg ./x", "./x", "is given for two outputs"),
        ("match scaling --engine cmd=x --engine cmd=y --pgn x --svg x", "x", "is given for two outputs"),
        ("match scaling --engine cmd=x --engine cmd=y --openings in --svg in", "in", "is an input"),
        ("match scaling --report old --svg old", "old", "is an input"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for name in ["in", "old"] {
            std::fs::write(folder.path().join(name), games).unwrap();
        }
        let mut run = Command::new(TOOLS);
        let output = run.args(command.split(' ')).current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
        let message = text(&output.stderr);
        assert!(message.contains(&format!("'{file}' {words}")), "{command}: {message}");
        assert_eq!(output.status.code(), Some(1), "{command}");
        for name in ["in", "old"] {
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), games, "{command}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "{command}");
    }
}
