//! Kills and signals. `cargo xtask faults` does the same and more for every file of every program.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::TOOLS;
use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(TOOLS);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal once the file has this many bytes, and waits for the end.
fn signal(child: Child, name: &str, file: &Path, bytes: u64) -> Output {
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(file).map_or(0, |file| file.len()) < bytes {
        assert!(Instant::now() < deadline, "'{}' does not grow", file.display());
        std::thread::yield_now();
    }
    // Twice, as `timeout` does.
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id, &id]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Long enough that no machine finishes it during the test.
const SELFPLAY: [&str; 8] = ["selfplay", "--games", "20000", "--nodes", "50", "--max-plies", "60", "--json"];

/// SIGTERM and SIGHUP end a tool like Ctrl-C: finished work is kept, the JSON is complete, the exit code reports it.
#[test]
fn signals_end_the_tools_as_ctrl_c_does() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    for name in ["-INT", "-TERM", "-HUP"] {
        let (games, journal) = (format!("games{name}"), format!("journal{name}"));
        let selfplay = [&SELFPLAY[..], &["--out", &games]].concat();
        let matched = ["match", "--engine", &engine, "--engine", &engine, "--rounds", "100000", "--max-moves", "9"];
        let matched = [&matched[..], &["--json", "--journal", &journal]].concat();
        for (args, file, bytes) in [(&selfplay, &games, 2_000), (&matched, &journal, 9_000)] {
            let ended = signal(start(folder, args), name, &folder.join(file), bytes);
            let errors = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(130), "{name} {args:?}: {errors}");
            let summary: Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert!(summary["games"].as_u64().unwrap() > 0, "{name} {args:?}: {summary}");
        }
    }
}

/// The first signal ends a command that waits for input.
#[test]
fn signals_end_the_wait_for_input() {
    let syzygy = bartizan_testkit::testdata("syzygy").display().to_string();
    let position = "8/8/8/4k3/8/8/8/KR6 w - - 0 1\n";
    for args in [&["tb", "probe", "--brief", "--path", &syzygy][..], &["tb", "advise", "--syzygy", &syzygy]] {
        let mut command = Command::new(TOOLS);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(position.as_bytes()).unwrap();
        // An answer before the end of the input; by then the handler is installed.
        let mut answer = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        // Reads the rest as well. The pipe stays open.
        let ended = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {errors}");
        assert!(errors.starts_with("error: interrupted "), "{args:?}: {errors}");
        drop(input);
    }
}

/// The same while a pipe has no more games, but stays open. The old files are kept too.
#[test]
fn signals_end_the_wait_for_games() {
    for args in [
        &["eco", "classify", "--out", "out"][..],
        &["pgn", "stats"],
        &["pgn", "split", "--shards", "2", "--out", "out{}"],
        &["pgn", "label", "--nodes", "1", "--out", "out"],
        &["pgn", "annotate", "--nodes", "1", "--out", "out"],
        &["puzzles", "--nodes", "1", "--out", "out.epd"],
        &["book", "build", "--out", "out", "-"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("out"), "old").unwrap();
        let mut command = Command::new(TOOLS);
        command
            .args(args)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // More than a pipe holds: once it is written, the program has begun to read, so its handler is installed.
        let written = input.write_all("[Event \"a\"]\n\n1. e4 *\n\n".repeat(10_000).as_bytes());
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let ended = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {errors}");
        assert!(written.is_ok() && errors.contains("error: interrupted "), "{args:?}: {errors}");
        assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), "old");
        drop(input);
    }
}

/// The same with a named pipe in place of a file, before and after its first bytes.
#[test]
fn signals_end_the_wait_for_a_named_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo, so named pipes are not tested");
        return;
    }
    for args in [
        &["eco", "classify", "--out", "out", "pipe"][..],
        &["pgn", "stats", "pipe"],
        &["pgn", "dedup", "--keep", "fullest", "--out", "out", "pipe"],
        &["pgn", "label", "--nodes", "1", "--out", "out", "pipe"],
        &["pgn", "annotate", "--nodes", "1", "--out", "out", "pipe"],
        &["puzzles", "--nodes", "1", "pipe"],
        &["book", "build", "--out", "out", "pipe"],
        &["book", "grow", "--out", "out", "pipe"],
        &["book", "played", "pipe"],
        &["epd", "perft", "pipe"],
        &["epd", "test", "--nodes", "1", "pipe"],
        &["epd", "mine", "--nodes", "1", "--out", "out", "pipe"],
        &["tune", "--epochs", "1", "--out", "fit", "--data", "pipe"],
        &["wdl", "--data", "pipe"],
        &["match", "ladder", "pipe"],
        &["data", "stats", "pipe"],
        &["data", "evaluate", "pipe"],
        &["data", "filter", "pipe", "--out", "out"],
        &["data", "shuffle", "pipe", "--out", "out"],
    ] {
        std::fs::write(folder.path().join("out"), "old").unwrap();
        let child = start(folder.path(), args);
        let id = child.id().to_string();
        // Opening it waits for the program, so its handler is installed.
        let (sender, opened) = std::sync::mpsc::channel();
        let path = pipe.clone();
        std::thread::spawn(move || sender.send(std::fs::File::options().write(true).open(path)));
        let writer = opened.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{args:?}: not opened"));
        let mut writer = writer.unwrap();
        writer.write_all(b"[Event").unwrap();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let (done, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || done.send(child.wait_with_output()));
        let Ok(ended) = ended.recv_timeout(Duration::from_secs(60)) else {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
            panic!("{args:?}: the signal does not end the wait");
        };
        let ended = ended.unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {errors}");
        assert!(errors.contains("interrupted"), "{args:?}: {errors}");
        assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), "old", "{args:?}");
        drop(writer);
    }
}

/// Commands that inspect their input before reading it, or read it twice, also work with inputs that can be read only
/// once.
#[test]
fn a_named_pipe_is_read_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo, so named pipes are not tested");
        return;
    }
    let copies = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Round \"1\"]\n\n1. e4 *\n\n".to_owned();
    // More than is inspected.
    let game = "[White \"x\"]\n[Black \"y\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n";
    let players = format!("{{Games of a club}}\n\n{}", game.repeat(100));
    for (command, games, expected) in [
        (&["pgn", "dedup", "--keep", "fullest", "--quiet"][..], copies, "[Event \"b\"]"),
        (&["match", "ladder"], players, " 100 "),
    ] {
        std::fs::write(folder.path().join("games"), &games).unwrap();
        let mut outputs = Vec::new();
        for input in ["games", "pipe"] {
            let child = start(folder.path(), &[command, &[input]].concat());
            let (path, games) = (pipe.clone(), games.clone());
            let writer = std::thread::spawn(move || if input == "pipe" { std::fs::write(path, games) } else { Ok(()) });
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap().unwrap();
            assert!(output.status.success(), "{input}: {}", String::from_utf8_lossy(&output.stderr));
            outputs.push(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        assert!(outputs[0].contains(expected) && outputs[0] == outputs[1], "{outputs:?}");
    }
}

/// An input that is read several times must be a file: a named pipe would block the program.
#[test]
fn a_named_pipe_that_is_read_several_times_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    if !Command::new("mkfifo").arg(folder.path().join("pipe")).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo, so named pipes are not tested");
        return;
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    for args in [
        &["selfplay", "--games", "1", "--out", "out", "--openings", "pipe"][..],
        &["selfplay", "--games", "1", "--out", "out", "--eval-file", "pipe"],
        &["train", "--out", "out", "--data", "pipe"],
        &["train", "--out", "out", "--data", "file", "--validation", "pipe"],
        &["train", "--out", "out", "--data", "file", "--start", "pipe"],
        &["tune", "--out", "out", "--data", "file", "--start", "pipe"],
        &["match", "--resume", "pipe"],
        &["screen", "--resume", "pipe"],
        &["spsa", "--resume", "pipe"],
        &["pgn", "annotate", "file", "--nodes", "1", "--journal", "pipe", "--resume"],
    ] {
        let ended = start(folder.path(), args).wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{args:?}: {errors}");
        assert!(errors.contains("'pipe'") && !folder.path().join("out").exists(), "{args:?}: {errors}");
    }
}

/// A UCI engine that signals by a file that it was asked for a move, which it never plays. It ends after a minute, so
/// that no process remains when a test is killed.
const SILENT: &str = "\
while read -r command rest; do
    case $command in
        uci) for name in Hash Threads MultiPV; do echo option name $name type spin default 1 min 1 max 99; done
             echo uciok ;;
        isready) echo readyok ;;
        go) echo asked > asked; exec sleep 60 ;;
    esac
done
";

/// The first signal ends the wait for a searching engine, whatever it reports.
#[test]
fn signals_end_the_wait_for_an_engine() {
    let position = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
    for args in [
        &["epd", "test", "p.epd", "--nodes", "9", "--save", "out"][..],
        &["epd", "depth", "p.epd", "--nodes", "9", "--hash", "1"],
        &["epd", "ttd", "p.epd", "--depth", "3", "--hash", "1"],
        &["epd", "mine", "g.pgn", "--nodes", "9", "--no-built-in", "--out", "out"],
        &["pgn", "label", "p.epd", "--nodes", "9", "--out", "out"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("silent.sh"), SILENT).unwrap();
        std::fs::write(path("p.epd"), position).unwrap();
        std::fs::write(path("g.pgn"), "1. e4 e5 2. Nf3 Nc6 1-0\n").unwrap();
        std::fs::write(path("out"), "old").unwrap();
        let child = start(folder.path(), &[args, &["--engine", "cmd=sh arg=silent.sh"]].concat());
        let ended = signal(child, "-INT", &path("asked"), 1);
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {errors}");
        assert!(errors.contains("interrupted"), "{args:?}: {errors}");
        assert_eq!(std::fs::read_to_string(path("out")).unwrap(), "old", "{args:?}");
    }
}

/// The first signal ends a search of any length, in a run of any number of games. A second one would lose finished
/// work.
#[test]
fn signals_end_a_long_search() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["selfplay", "--games", "4000000000", "--nodes", "1000000000", "--hash", "1", "--out", "games.bin", "--json"];
    let ended = signal(start(folder.path(), &args), "-INT", &folder.path().join("games.bin"), 8);
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    let summary: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!((&summary["games"], &summary["complete"]), (&0.into(), &false.into()));
}

/// Errors that would occur later are detected before a file is begun, which would block the next attempt.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_cannot_be_recorded_begins_no_file() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(b"odd-\xff.epd");
    let positions = "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2 [0.5]\n".repeat(9);
    std::fs::write(folder.path().join(odd), positions).unwrap();
    let selfplay = format!("'{TOOLS}' selfplay --games 1 --nodes 1 --threads 1 --out out");
    let tune = format!("'{TOOLS}' tune --epochs 1 --held-out 0 --out out");
    for (command, expected) in [
        (format!("{selfplay} --openings \"$0\""), "the openings 'odd-\u{fffd}.epd': its name is not UTF-8"),
        (format!("{tune} --data \"$0\""), "--data 'odd-\u{fffd}.epd': its name is not UTF-8"),
        (format!("ulimit -v 4000000; {selfplay} --hash 4096"), "cannot allocate 4096 MB of memory for the hash table"),
    ] {
        let words = [OsString::from("-c"), command.clone().into(), odd.to_owned()];
        let ended = Command::new("sh").args(words).current_dir(folder.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(1) && errors.contains(expected), "{command}: {errors}");
        assert!(!folder.path().join("out").exists(), "{command}");
    }
}

/// An engine that hangs does not block a suite for longer than the user wants.
#[test]
fn a_hung_engine_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.epd"), "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n").unwrap();
    std::fs::write(folder.path().join("silent.sh"), SILENT).unwrap();
    let args = ["epd", "test", "p.epd", "--nodes", "9", "--engine", "cmd=sh arg=silent.sh", "--hang", "1"];
    let ended = start(folder.path(), &args).wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(errors.contains("bestmove") && String::from_utf8_lossy(&ended.stdout).contains("0 of 0"), "{errors}");
}

/// Killed again and again, a self-play run loses no finished game and plays none twice.
#[test]
fn kills_lose_no_finished_game() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    for name in ["games.bin", "games.pgn"] {
        let path = folder.join(name);
        let mut length = 0;
        for _ in 0..4 {
            let args = [&SELFPLAY[..], &["--out", name, "--resume"]].concat();
            signal(start(folder, &args), "-KILL", &path, length + 3_000);
            let now = std::fs::metadata(&path).unwrap().len();
            assert!(now >= length + 3_000);
            length = now;
        }
        let ended =
            start(folder, &["selfplay", "--resume", name, "--games", "1", "--json"]).wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
        if name.ends_with("pgn") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
            let games = rounds.len();
            rounds.sort_unstable();
            rounds.dedup();
            assert!(games > 4 && rounds.len() == games && text.ends_with("\n\n"), "{games} games, {}", rounds.len());
        }
    }
}

/// Endings that random moves win, or spoil by stalemate.
const OPENINGS: &str =
    "qqqqkqqq/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/RRQQKQRR w - -\nqqqqkqqq/8/8/8/8/8/8/4K3 b - -\n";

/// Ended within a step, a tuning run continues with the games that it has, and leaves nothing beside its journal.
#[test]
fn an_ended_tuning_keeps_its_games_and_leaves_no_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    std::fs::write(folder.join("numbers.txt"), "Hash | 16 | 1 | 64 | 4\n").unwrap();
    std::fs::write(folder.join("o.epd"), OPENINGS).unwrap();
    let engine = format!("cmd='{}' nodes=1 arg=--seed arg=3 arg=--late arg=4", fake_engine().display());
    let settings =
        ["--engine", &engine, "--openings", "o.epd", "--pairs", "12", "--batch", "6", "--rate", "0.5", "--json"];
    let spsa = |more: &[&str]| start(folder, &[&["spsa"], more].concat());
    let whole = spsa(&[&["numbers.txt", "--journal", "whole"], &settings[..]].concat()).wait_with_output().unwrap();
    assert_eq!(whole.status.code(), Some(0), "{}", String::from_utf8_lossy(&whole.stderr));
    for (name, code) in [("-KILL", None), ("-INT", Some(130))] {
        let journal = format!("j{name}");
        let games = folder.join(format!("{journal}.0.games"));
        let child = spsa(&[&["numbers.txt", "--journal", &journal], &settings[..]].concat());
        assert_eq!(signal(child, name, &games, 5_000).status.code(), code);
        let left = std::fs::read_to_string(&games).unwrap();
        assert!(left.contains("\"event\":\"game\""), "{left}");
        let resumed = spsa(&["--resume", &journal, "--json"]).wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&resumed.stdout), String::from_utf8_lossy(&whole.stdout));
        let step = std::fs::read_to_string(folder.join(&journal)).unwrap();
        assert_eq!(step, std::fs::read_to_string(folder.join("whole")).unwrap());
        assert!(!games.exists() && !folder.join(format!("{journal}.6.games")).exists());
    }
}

/// If the system has too few threads, the tools use fewer or end with an error.
#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_threads_is_no_panic() {
    use std::os::unix::fs::PermissionsExt;
    let works = |command: &[&str]| {
        let run = Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output();
        run.is_ok_and(|output| output.status.success())
    };
    // The limit does not apply to the superuser, so the test switches to another user.
    let id = Command::new("id").arg("-u").output().map(|output| output.stdout).unwrap_or_default();
    let become_user: &[&str] = if id == b"0\n" { &["setpriv", "--reuid=54321", "--clear-groups"] } else { &[] };
    let limited = |threads: &'static str| [become_user, &["prlimit", threads]].concat();
    if !works(&[&limited("--nproc=9")[..], &[TOOLS, "--version"]].concat()) {
        eprintln!("SKIPPED: needs prlimit, for the superuser also setpriv, and a target folder that all can read");
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    std::fs::write(folder.join("s.epd"), "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; D1 20; D3 495;\n").unwrap();
    let selfplay = ["selfplay", "--games", "8", "--nodes", "50", "--max-plies", "60", "--hash", "1", "--json", "--out"];
    assert!(works(&[&[TOOLS], &selfplay[..], &[folder.join("d.bin").to_str().unwrap()]].concat()));
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    let mut successes = 0;
    // One is the main thread, the next one waits for signals.
    for limit in ["--nproc=1", "--nproc=2", "--nproc=3", "--nproc=5"] {
        let perft = ["epd", "perft", "s.epd", "--threads", "8"];
        let suite = ["epd", "test", "s.epd", "--nodes", "100", "--concurrency", "4"];
        let ttd = ["epd", "ttd", "s.epd", "--depth", "3"];
        let selfplay = [&selfplay[..], &["e.bin", "--threads", "4"]].concat();
        let tune = ["tune", "--data", "d.bin", "--out", "fit", "--epochs", "1", "--threads", "4", "--json"];
        let matched = ["match", "--engine", &engine, "--engine", &engine, "--concurrency", "4", "--max-moves", "5"];
        for args in [&perft[..], &suite, &ttd, &selfplay, &tune, &matched] {
            for left in ["e.bin", "fit/checkpoint.json"] {
                let _ = std::fs::remove_file(folder.join(left));
            }
            let words = [&limited(limit)[..], &[TOOLS], args].concat();
            let run =
                Command::new(words[0]).args(&words[1..]).current_dir(folder).stdin(Stdio::null()).output().unwrap();
            let message = String::from_utf8_lossy(&run.stderr);
            let is_told = run.status.code() == Some(1) && message.contains("error: ");
            assert!(!message.contains("panicked") && (run.status.success() || is_told), "{limit} {args:?}: {message}");
            successes += u32::from(run.status.success());
            if limit == "--nproc=2" && args[1] == "perft" {
                assert!(run.status.success(), "the only thread counts: {message}");
            }
        }
    }
    assert!(successes > 0);
}

/// Label runs that were interrupted or killed continue with their journal, and give the result of a single run.
#[test]
fn a_journal_continues_labels() {
    let folder = tempfile::tempdir().unwrap();
    let tactics = bartizan_testkit::read("epd/tactical.epd");
    std::fs::write(folder.path().join("p.epd"), tactics.lines().take(6).collect::<Vec<_>>().join("\n")).unwrap();
    let label = ["pgn", "label", "p.epd", "--nodes", "60", "--games", "60", "--max-moves", "40"];
    continue_journal(folder.path(), &label);
}

/// As for labels, for the positions of a suite.
#[test]
fn a_journal_continues_mining() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["selfplay", "--games", "60", "--nodes", "60", "--out", "games.pgn", "--json"]);
    let mine = ["epd", "mine", "games.pgn", "--nodes", "4000", "--easy", "60", "--sift", "800", "--jump", "150"];
    continue_journal(folder.path(), &mine);
}

/// As for labels, for the opinions on games.
#[test]
fn a_journal_continues_annotations() {
    let folder = tempfile::tempdir().unwrap();
    let selfplay = ["selfplay", "--games", "16", "--nodes", "60", "--max-plies", "60", "--out", "games.pgn", "--json"];
    succeed(folder.path(), &selfplay);
    continue_journal(
        folder.path(),
        &["pgn", "annotate", "games.pgn", "--no-reasons", "--nodes", "400", "--option", "Hash=1"],
    );
}

/// As for labels, for the puzzles in games.
#[test]
fn a_journal_continues_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let selfplay = ["selfplay", "--games", "80", "--nodes", "60", "--max-plies", "60", "--out", "games.pgn", "--json"];
    succeed(folder.path(), &selfplay);
    continue_journal(folder.path(), &["puzzles", "games.pgn", "--nodes", "1000", "--option", "Hash=1"]);
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = start(folder, args).wait_with_output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn continue_journal(folder: &Path, args: &[&str]) {
    let whole = succeed(folder, args);
    assert!(!whole.is_empty());
    for signal_name in ["-INT", "-KILL"] {
        let journal = format!("journal{signal_name}");
        let args = [args, &["--journal", &journal]].concat();
        let ended = signal(start(folder, &args), signal_name, &folder.join(&journal), 1_500);
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), (signal_name == "-INT").then_some(130), "{journal}: {errors}");
        assert_ne!(String::from_utf8(ended.stdout).unwrap(), whole, "{journal}: nothing was left to do");
        assert_eq!(succeed(folder, &[&args[..], &["--resume"]].concat()), whole, "{journal}");
    }
}
