//! Runs the program like a user.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking, and prints what it skips.

use super::common::{TOOLS, text, tools};
use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn spec(fake: &Path, name: &str, flags: &str) -> String {
    let args: String = flags.split_whitespace().map(|flag| format!(" arg={flag}")).collect();
    let protocol = if flags.contains("--xboard") { " proto=xboard" } else { "" };
    // Quotes protect spaces. A backslash, the separator of Windows paths, escapes the next character.
    format!("cmd='{}' name={name}{args}{protocol}", fake.display())
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}\n{}", text(&output.stdout), text(&output.stderr)))
}

fn engine<'a>(summary: &'a Value, name: &str) -> &'a Value {
    summary["engines"].as_array().unwrap().iter().find(|engine| engine["name"] == name).unwrap()
}

/// An engine that misbehaves loses that game with the reason, and the match continues.
#[test]
fn engine_faults_are_named_and_the_match_continues() {
    let fake = fake_engine();
    for (flags, reason, limit) in [
        ("--crash-at 3", "crash", "nodes=1"),
        ("--illegal-at 3", "illegal move", "nodes=1"),
        ("--nonsense-at 3", "illegal move", "nodes=1"),
        ("--late 400", "time forfeit", "st=0.2"),
        ("--hang-at 3", "hang", "st=0.2"),
        ("--xboard --claim-at 3", "false claim", "depth=1"),
    ] {
        let bad = format!("{} {limit}", spec(&fake, "bad", flags));
        let good = format!("{} nodes=1", spec(&fake, "good", "--seed 7"));
        let args = ["match", "--engine", &bad, "--engine", &good, "--rounds", "1", "--hang", "1", "--json"];
        let output = tools(&args);
        assert!(output.status.success(), "{flags}: {}", text(&output.stderr));
        let summary = json(&output);
        assert_eq!(summary["games"], 2, "{flags}");
        assert_eq!(engine(&summary, "bad")["lost_by_fault"][reason], 2, "{flags}: {summary:#}");
        assert_eq!(engine(&summary, "good")["wins"], 2, "{flags}");
    }
}

#[test]
fn unknown_output_of_an_engine_is_ignored() {
    let fake = fake_engine();
    let junk = format!("{} nodes=1", spec(&fake, "junk", "--junk --chatter"));
    let xboard = format!("{} depth=1", spec(&fake, "xboard", "--xboard --seed 3"));
    let output =
        tools(&["match", "--engine", &junk, "--engine", &xboard, "--rounds", "3", "--max-moves", "60", "--json"]);
    let summary = json(&output);
    assert_eq!(summary["games"], 6);
    assert_eq!(engine(&summary, "junk")["lost_by_fault"], serde_json::json!({}));
    assert_eq!(engine(&summary, "xboard")["lost_by_fault"], serde_json::json!({}));
}

fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !ready() {
        assert!(Instant::now() < deadline, "{what} does not come");
        std::thread::yield_now();
    }
}

fn lines(path: &Path) -> usize {
    std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A match that is killed twice and resumed plays each game once. Journal and PGN agree, and the ladder reads both.
#[test]
fn a_killed_match_can_be_resumed() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let (journal, pgn) = (folder.path().join("j.jsonl"), folder.path().join("g.pgn"));
    let [journal_arg, pgn_arg] = [&journal, &pgn].map(|path| path.to_str().unwrap().to_owned());
    let engines: Vec<String> = ["a", "b", "c"]
        .iter()
        .map(|name| format!("{} nodes=1", spec(&fake, name, &format!("--seed {}", name.len()))))
        .collect();
    let mut args = vec!["match", "--rounds", "20", "--max-moves", "20", "--concurrency", "2", "--json"];
    for engine in &engines {
        args.extend(["--engine", engine]);
    }
    args.extend(["--journal", &journal_arg, "--pgn", &pgn_arg]);
    let spawn =
        |args: &[&str]| Command::new(TOOLS).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();

    let child = spawn(&args);
    wait_until("the tenth game", || lines(&journal) > 10);
    kill(child);
    // Without --resume the journal is left unchanged.
    let before = std::fs::read(&journal).unwrap();
    assert!(!tools(&args).status.success());
    assert_eq!(std::fs::read(&journal).unwrap(), before);
    args.push("--resume");
    let known = lines(&journal);
    let child = spawn(&args);
    wait_until("more games", || lines(&journal) > known + 12);
    kill(child);
    let summary = json(&tools(&args));
    assert_eq!(summary["games"], 120);
    for name in ["a", "b", "c"] {
        assert_eq!(engine(&summary, name)["games"], 80);
    }

    let events: Vec<Value> =
        std::fs::read_to_string(&journal).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut ids: Vec<u64> =
        events.iter().filter(|event| event["event"] == "game").map(|event| event["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..120).collect::<Vec<u64>>());
    assert_eq!(std::fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 120);

    let from_journal = json(&tools(&["match", "ladder", &journal_arg, "--json", "--anchor", "a=1000"]));
    let from_pgn = json(&tools(&["match", "ladder", &pgn_arg, "--json", "--anchor", "a=1000"]));
    assert_eq!(from_journal, from_pgn);
    assert_eq!(from_journal.as_array().unwrap().len(), 3);
    let report = tools(&["match", "ladder", &pgn_arg, "--json", "--anchor", "a=1000", "--crosstable"]);
    assert_eq!(json(&report), serde_json::json!({ "ratings": from_pgn, "crosstable": summary["crosstable"] }));
    let crosstable = text(&tools(&["match", "ladder", &journal_arg, "--crosstable"]).stdout);
    assert!(crosstable.contains("games   points         SB"), "{crosstable}");
    assert_eq!(crosstable.lines().filter(|line| line.contains("/40")).count(), 3, "{crosstable}");
    // A compressed journal is read as well.
    let packed = folder.path().join("packed.gz");
    let mut gzip = flate2::write::GzEncoder::new(File::create(&packed).unwrap(), flate2::Compression::fast());
    gzip.write_all(&std::fs::read(&journal).unwrap()).unwrap();
    gzip.finish().unwrap();
    let packed = tools(&["match", "ladder", packed.to_str().unwrap(), "--json", "--anchor", "a=1000"]);
    assert_eq!(json(&packed), from_journal);
    // A game with an illegal move does not count.
    let broken = folder.path().join("broken.pgn");
    let game = "[White \"a\"]\n[Black \"c\"]\n[Result \"1-0\"]\n\n1. e4 Ke3 1-0\n\n";
    std::fs::write(&broken, format!("{game}{}", std::fs::read_to_string(&pgn).unwrap())).unwrap();
    let rated = tools(&["match", "ladder", broken.to_str().unwrap(), "--json", "--anchor", "a=1000"]);
    assert_eq!(json(&rated), from_journal);
    let told = text(&rated.stderr);
    assert!(told.contains("broken.pgn': game 1, line 5, column 7: "), "{told}");
    // Games after an unterminated comment are not read, so nothing is rated.
    std::fs::write(&broken, game.replace("Ke3", "{")).unwrap();
    let refused = tools(&["match", "ladder", broken.to_str().unwrap(), &journal_arg]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("unterminated comment"));
    // Each game counts once, however many files contain it.
    let both = tools(&["match", "ladder", &pgn_arg, &journal_arg, "--json", "--anchor", "a=1000"]);
    assert_eq!(json(&both), from_journal);
    assert_eq!(text(&both.stderr), "note: 120 games found in several files are counted once\n");

    // A journal cannot continue another match.
    args.extend(["--chess960"]);
    let output = tools(&args);
    assert!(text(&output.stderr).contains("chess960"), "{}", text(&output.stderr));
}

/// Invalid input is an error that names it, before any game.
#[test]
fn bad_input_is_reported_before_a_game_starts() {
    let fake = fake_engine();
    let good = format!("{} nodes=1", spec(&fake, "good", ""));
    let with = |more: &[&str]| {
        let mut args = vec!["match", "--engine", &good];
        args.extend(more);
        let output = tools(&args);
        assert!(!output.status.success(), "{more:?}");
        assert!(output.stdout.is_empty(), "{more:?}: {}", text(&output.stdout));
        text(&output.stderr)
    };
    let other = ["--engine", &good];
    for (more, named) in [
        (vec![], "two engines, 1 given"),
        (vec!["--engine", "cmd=no-such-engine nodes=1"], "no-such-engine"),
        (vec!["--engine", "cmd=x nodes=many"], "nodes=many"),
        (vec!["--engine", "name=x nodes=1"], "no program given"),
        ([&other[..], &["--openings", "no-such-file.epd"]].concat(), "no-such-file.epd"),
        ([&other[..], &["--tc", "fast"]].concat(), "'fast'"),
        ([&other[..], &["--rounds", "0"]].concat(), "rounds"),
        ([&other[..], &["--concurrency", "0"]].concat(), "'0' for '--concurrency <GAMES>': must be from 1 to 1024"),
        ([&other[..], &["--sprt", "ten"]].concat(), "'ten'"),
        ([&other[..], &["--sprt", "10,0"]].concat(), ""),
        ([&other[..], &["--config", "no-such.toml"]].concat(), "no-such.toml"),
        ([&other[..], &["--tb", "no-such-folder"]].concat(), "no-such-folder"),
        ([&other[..], &["--tb", &syzygy(), "--tb-pieces", "2"]].concat(), "pieces 2"),
        ([&other[..], &["--tb-pieces", "5"]].concat(), "need --tb"),
    ] {
        let message = with(&more);
        assert!(message.contains(named), "{more:?}: {message}");
    }
    let option = format!("{good} option.NoSuchOption=1");
    assert!(with(&["--engine", &option]).contains("NoSuchOption"));
}

/// Each finished game is a line; repeated games are announced; `--quiet` and `--json` print no lines.
#[test]
fn finished_games_are_printed() {
    let fake = fake_engine();
    let [a, b] = ["a", "b"].map(|name| format!("{} nodes=1", spec(&fake, name, "")));
    let run = |more: &[&str]| tools(&[&["match", "--engine", &a, "--engine", &b, "--max-moves", "3"], more].concat());
    let output = run(&[]);
    let lines = text(&output.stdout);
    let first = lines.lines().next().unwrap();
    assert_eq!(first, "game 1: a - b 1/2-1/2, draw by length, 6 plies; a against b: +0 =1 -0 (50.0 %)");
    assert_eq!(lines.matches("\ngame 2: b - a ").count(), 1, "{lines}");
    let warning = text(&output.stderr);
    assert!(
        warning.starts_with("warning: without --openings every game starts from the initial position"),
        "{warning}"
    );
    assert!(!text(&run(&["--quiet"]).stdout).contains("game 1"));
    assert_eq!(json(&run(&["--json"]))["games"], 2);

    let folder = tempfile::tempdir().unwrap();
    let epd = folder.path().join("openings.epd");
    std::fs::write(&epd, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n").unwrap();
    let warning = text(&run(&["--openings", epd.to_str().unwrap(), "--rounds", "3"]).stderr);
    assert!(
        warning.starts_with("warning: the match needs 3 openings and the file has 1, so openings will repeat"),
        "{warning}"
    );
}

/// The exit code tells how a match ended.
#[test]
fn a_match_has_an_exit_code() {
    let fake = fake_engine();
    let good = format!("{} nodes=1", spec(&fake, "good", ""));
    let run = |other: &str, more: &[&str]| {
        let args = ["match", "--engine", &good, "--engine", other, "--max-moves", "4", "--quiet"];
        let output = tools(&[&args[..], more].concat());
        (output.status.code(), text(&output.stderr))
    };
    for flags in ["", "--illegal-at 2", "--crash-at 2"] {
        let engine = format!("{} nodes=1", spec(&fake, "other", flags));
        assert_eq!(run(&engine, &[]).0, Some(0), "{flags}");
        let (code, message) = run(&engine, &["--strict"]);
        assert_eq!(code, Some(i32::from(!flags.is_empty())), "{flags}: {message}");
        assert_eq!(
            message.contains("error: --strict: 2 games lost by a fault, 0 protocol faults"),
            code == Some(1),
            "{message}"
        );
    }
    let (code, message) = run("cmd=no-such-engine nodes=1", &[]);
    assert_eq!(code, Some(1), "{message}");
}

/// Ctrl-C also ends a match that is waiting for an engine to start. The journal can be resumed.
#[cfg(unix)]
#[test]
fn an_engine_that_does_not_start_does_not_hinder_ctrl_c() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [good, mute] = ["", "--no-handshake"].map(|flags| format!("{} nodes=1", spec(&fake, "fake", flags)));
    let args = ["match", "--engine", &mute, "--engine", &good, "--log", &path("log"), "--journal", &path("j")];
    let child = Command::new(TOOLS).args(args).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    wait_until("the start of the engine", || lines(&folder.path().join("log")) > 0);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(sent.success() && output.status.code() == Some(130), "{output:?}");
    assert_eq!(lines(&folder.path().join("j")), 2);
}

/// The directory of the repository's tables.
pub(crate) fn syzygy() -> String {
    bartizan_testkit::testdata("syzygy").to_str().unwrap().to_owned()
}

/// Won and drawn endings are over after the first move, by tablebase.
#[test]
fn tablebases_end_games() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (epd, pgn, journal) = (path("openings.epd"), path("games.pgn"), path("games.jsonl"));
    // White's first move cannot mate or lose material.
    std::fs::write(&epd, "7k/8/8/8/8/8/8/KR6 w - -\n7k/8/8/8/8/8/8/KB5n w - -\n").unwrap();
    let [a, b] = ["a", "b"].map(|name| format!("{} nodes=1", spec(&fake, name, "")));
    let tables = syzygy();
    let play = |more: &[&str]| {
        let args = ["match", "--engine", &a, "--engine", &b, "--openings", &epd, "--json", "--max-moves", "20"];
        tools(&[&args[..], &["--journal", &journal, "--pgn", &pgn], more].concat())
    };
    let by_tables = ["--tb", tables.as_str(), "--tb-pieces", "4"];
    let summary = json(&play(&[&by_tables[..], &["--rounds", "1"]].concat()));
    assert_eq!(summary["terminations"], serde_json::json!({"win by adjudication": 2}));
    // The journal has the rule, so another run of this match need not repeat it.
    let refused = play(&["--tb", tables.as_str(), "--tb-pieces", "3", "--rounds", "2", "--resume"]);
    assert!(text(&refused.stderr).contains("--tb-pieces 3 (the journal has 4)"), "{}", text(&refused.stderr));
    let summary = json(&play(&["--rounds", "2", "--resume"]));
    assert_eq!(summary["terminations"], serde_json::json!({"win by adjudication": 2, "draw by adjudication": 2}));
    let games = std::fs::read_to_string(&pgn).unwrap().replace('\n', " ");
    assert_eq!(games.matches("[Termination \"adjudication\"]").count(), 4, "{games}");
    assert_eq!(games.matches(", win by adjudication: tablebase}").count(), 2, "{games}");
    assert_eq!(games.matches(", draw by adjudication: tablebase}").count(), 2, "{games}");
    assert_eq!(games.matches("[PlyCount \"1\"]").count(), 4, "{games}");
}

/// If the 50-move counter is too high, a game continues until the rule ends it, unless the rule is ignored.
#[test]
fn tablebases_respect_the_50_move_rule() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let epd = folder.path().join("openings.epd");
    // Mate takes 29 plies, but only 3 are left. Three random moves cannot mate or lose the rook.
    std::fs::write(&epd, "8/8/8/4k3/8/8/8/KR6 w - - hmvc 97;\n").unwrap();
    let [a, b] = ["a", "b"].map(|name| format!("{} nodes=1", spec(&fake, name, "")));
    let tables = syzygy();
    let args =
        ["match", "--engine", &a, "--engine", &b, "--openings", epd.to_str().unwrap(), "--json", "--tb", &tables];
    let summary = json(&tools(&args));
    assert_eq!(summary["terminations"], serde_json::json!({"50-move rule": 2}));
    let summary = json(&tools(&[&args[..], &["--tb-ignore-50"]].concat()));
    assert_eq!(summary["terminations"], serde_json::json!({"win by adjudication": 2}));
}

#[test]
fn a_settings_file_can_define_a_match() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let engine = |seed: u32| {
        let seed = seed.to_string();
        serde_json::json!({"command": fake, "args": ["--seed", seed], "name": format!("e{seed}")})
    };
    let settings = serde_json::json!({
        "rounds": 2, "max_moves": 10, "each": {"nodes": 1}, "format": "gauntlet",
        "engine": [engine(1), engine(2), engine(3)]
    });
    std::fs::write(&path, settings.to_string()).unwrap();
    let summary = json(&tools(&["match", "--config", path.to_str().unwrap(), "--json"]));
    assert_eq!((&summary["games"], &engine_games(&summary, "e1")), (&Value::from(8), &Value::from(8)));
    assert_eq!(summary["terminations"]["draw by length"], 8);
}

fn engine_games(summary: &Value, name: &str) -> Value {
    engine(summary, name)["games"].clone()
}

#[test]
fn selfplay_is_reproducible_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |out: &str, threads: &str, more: &[&str]| {
        let usual = ["selfplay", "--nodes", "300", "--threads", threads, "--max-plies", "60", "--json", "--out", out];
        let output = tools(&[&usual[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        json(&output)
    };
    for name in ["games.bin", "games.pgn"] {
        let (first, second) = (path(&format!("1{name}")), path(&format!("2{name}")));
        assert_eq!(run(&first, "1", &["--games", "9"])["games"], 9);
        // Threads, and a run in two parts, do not change the file.
        run(&second, "3", &["--games", "4"]);
        let summary = run(&second, "3", &["--games", "9", "--resume"]);
        assert_eq!((&summary["resumed"], &summary["games"]), (&Value::from(4), &Value::from(5)));
        assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap(), "{name}");
        // An existing file is not overwritten.
        assert!(!tools(&["selfplay", "--games", "1", "--out", &first]).status.success());
    }
}

#[test]
fn screening_plays_pairs_and_separates_the_changes() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (factors, openings, journal) = (path("factors.txt"), path("openings.epd"), path("journal.jsonl"));
    std::fs::write(&factors, "# name | without | with\nhash | Hash=16 | Hash=32\nstyle | | Style=Solid\n").unwrap();
    std::fs::write(&openings, "4k3/8/8/8/8/8/3Q4/4K3 w - -\n4k3/3q4/8/8/8/8/8/4K3 w - -\n").unwrap();
    let engine = format!("{} nodes=1", spec(&fake, "fake", "--seed 3"));
    let run = |more: &[&str]| {
        let mut args = vec!["screen", &factors, "--engine", &engine, "--openings", &openings, "--journal", &journal];
        args.extend(["--pairs", "8", "--json"]);
        args.extend(more);
        tools(&args)
    };
    let first = run(&[]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let report = json(&first);
    assert_eq!(report["pairs"], 8);
    assert_eq!(report["effects"].as_array().unwrap().len(), 2);
    // A report, and a run with nothing left to play, give the same result.
    assert_eq!(json(&run(&["--report"])), report);
    assert_eq!(json(&run(&["--resume"])), report);
    // Nothing is overwritten, and the journal is bound to its factors.
    assert!(!run(&[]).status.success());
    std::fs::write(&factors, "hash | Hash=16 | Hash=33\n").unwrap();
    let other = run(&["--report"]);
    assert!(!other.status.success());
    assert!(text(&other.stderr).contains("other factors"), "{}", text(&other.stderr));
    std::fs::write(&factors, "hash | Hash=16\n").unwrap();
    assert!(text(&run(&["--report"]).stderr).contains("line 1"));
}

#[test]
fn tuning_by_games_can_be_resumed() {
    let fake = fake_engine();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (parameters, openings, journal) = (path("parameters.txt"), path("openings.epd"), path("course.jsonl"));
    std::fs::write(&parameters, "# name | start | min | max | step\nHash | 16 | 1 | 64 | 4\n").unwrap();
    std::fs::write(&openings, "4k3/8/8/8/8/8/3Q4/4K3 w - -\n4k3/3q4/8/8/8/8/8/4K3 w - -\n").unwrap();
    let engine = format!("{} nodes=1", spec(&fake, "fake", "--seed 3"));
    let run = |more: &[&str]| {
        let mut args = vec!["spsa", &parameters, "--engine", &engine, "--openings", &openings, "--journal", &journal];
        args.extend(["--pairs", "10", "--batch", "4", "--rate", "0.5", "--json"]);
        args.extend(more);
        tools(&args)
    };
    let first = run(&[]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let values = json(&first);
    assert_eq!((&values["pairs"], &values["values"][0]["name"]), (&Value::from(10), &Value::from("Hash")));
    // The journal is left, with a line for the start and one for each step.
    let lines = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 1 + 3);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    assert_eq!(json(&run(&["--report"])), values);
    assert_eq!(json(&run(&["--resume"])), values);
    // An incomplete last line is ignored, and its step is played again.
    std::fs::write(&journal, &lines[..lines.len() - 5]).unwrap();
    assert_eq!(json(&run(&["--report"]))["pairs"], 8);
    assert_eq!(json(&run(&["--resume"]))["pairs"], 10);
    // Nothing is overwritten, and the journal is bound to its parameters.
    assert!(!run(&[]).status.success());
    std::fs::write(&parameters, "Hash | 17 | 1 | 64 | 4\n").unwrap();
    assert!(text(&run(&["--resume"]).stderr).contains("other parameters"));
}
