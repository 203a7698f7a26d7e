//! Files: settings, the log, learning, games, and console commands that read and write files.

use crate::support::engine::SEARCH;
use crate::support::{Engine, Game, PROMPT};
use std::path::Path;

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

#[test]
fn settings_are_applied_and_faults_are_reported_after_uciok() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "multipv = 3\nhash = 'lots'\nthreds = 2\nthreads = 100000\ndebug_log = 'uci.log'\n").unwrap();
    let mut engine = Engine::start_with(&["--config", &text(&path)]);
    engine.send("uci");
    let lines = engine.wait_for("uciok", PROMPT);
    assert!(lines.iter().all(|line| !line.starts_with("info")), "{lines:?}");
    let notes = engine.until_ready();
    let read = format!("read {}", text(&path));
    let expected = [&*read, "line 2: hash: 'lots'", "line 3: unknown setting 'threds'", "line 4: "];
    assert_eq!(notes.len(), expected.len(), "{notes:?}");
    for (note, word) in notes.iter().zip(expected) {
        assert!(note.starts_with("info string settings: ") && note.contains(word), "{note}");
    }
    let search = engine.go("go depth 3");
    assert!(search.infos.iter().any(|info| info.line() == 3));
    engine.finish();
    // A relative path is relative to the folder of the settings file.
    assert!(folder.path().join("uci.log").exists());
}

/// Clients do not send an option that has the declared default.
#[test]
fn settings_are_declared_as_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "skill_level = 3\ngame_log = 'games.pgn'\n[book]\non = true\n").unwrap();
    let mut engine = Engine::start_with(&["--config", &text(&path)]);
    // Only the settings files count, not the client's settings.
    engine.send("setoption name MultiPV value 4");
    engine.send("uci");
    let lines = engine.wait_for("uciok", PROMPT);
    let log = format!("Game Log type string default {}", text(&folder.path().join("games.pgn")));
    for option in [
        "Skill Level type spin default 3 min 0",
        "OwnBook type check default true",
        "MultiPV type spin default 1 ",
        &log,
    ] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))), "{option}: {lines:#?}");
    }
    engine.until_ready();
}

#[test]
fn settings_apply_to_a_command_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "hash = 8\n").unwrap();
    let mut engine = Engine::start_with(&["--config", &text(&path), "go", "depth", "2"]);
    engine.wait_for("bestmove", SEARCH);
    assert!(engine.wait_exit(PROMPT).1.success());
    let mut engine = Engine::start_with(&["--config"]);
    assert_eq!(engine.wait_exit(PROMPT).1.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn the_users_settings_can_be_left_out() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("bartizan")).unwrap();
    std::fs::write(home.path().join("bartizan/bartizan.toml"), "evaluation = 'classical'\nmultipv = 2\n").unwrap();
    let mine = text(&home.path().join("mine.toml"));
    std::fs::write(&mine, "evaluation = 'classical'\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bartizan"));
        let ended = command.args(arguments).env("XDG_CONFIG_HOME", home.path()).output().unwrap();
        assert!(ended.status.success(), "{arguments:?} ended with {}", ended.status);
        String::from_utf8(ended.stdout).unwrap()
    };
    let shows_two_lines = |arguments: &[&str]| run(arguments).contains(" multipv 2 ");
    assert!(shows_two_lines(&["go", "depth", "2"]));
    assert!(!shows_two_lines(&["--no-config", "go", "depth", "2"]));
    assert!(!shows_two_lines(&["--config", &mine, "--no-config", "go", "depth", "2"]));
    // Output that is compared between machines does not depend on them.
    let nodes = |arguments: &[&str]| run(arguments).lines().last().unwrap().split(' ').next().unwrap().to_owned();
    let usual = nodes(&["--no-config", "bench", "16", "1", "3"]);
    assert_eq!(nodes(&["bench", "16", "1", "3"]), usual);
    assert_eq!(nodes(&["setoption name MultiPV value 2", "Bench 16 1 3"]), usual);
    assert_ne!(nodes(&["--config", &mine, "bench", "16", "1", "3"]), usual);
}

#[test]
fn the_log_traces_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let mut engine = Engine::with_options(&[("Debug Log File", &text(&path))]);
    engine.go("go wtime 1000 btime 1000");
    engine.finish();
    let log = std::fs::read_to_string(&path).unwrap();
    for word in [
        " > go wtime 1000",
        " # search entered: clock 1.000 s",
        " # time: target ",
        " # iteration 3/",
        " # search left: ",
    ] {
        assert!(log.contains(word), "`{word}` is not in the log:\n{log}");
    }
}

/// A mistyped name must not destroy a file of another kind.
#[test]
fn files_of_another_kind_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let content = "[Event \"x\"]\n\n1. e4 *\n";
    std::fs::write(&path, content).unwrap();
    let path = text(&path);
    let mut engine = Engine::ready();
    for (command, kind) in [
        (format!("savehash {path}"), "a saved hash table"),
        (format!("eval --svg {path}"), "an SVG picture"),
        (format!("setoption name Debug Log File value {path}"), "a debug log"),
    ] {
        engine.send(&command);
        let said = engine.until_ready();
        let expected = format!("the file exists and is not {kind}");
        assert!(said.len() == 1 && said[0].ends_with(&expected), "{command}: {said:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content, "{command}");
    }
}

/// Neither a device without an end, nor a folder, nor a file of a terabyte without content keeps the engine from
/// answering.
#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sparse = folder.path().join("sparse");
    std::fs::File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
    let mut engine = Engine::ready();
    for path in ["/dev/zero", "/dev/urandom", "/dev/stdin", text(folder.path()).as_str(), text(&sparse).as_str()] {
        for option in ["Learning File", "EvalFile", "BookFile"] {
            engine.send(&format!("setoption name {option} value {path}"));
            let said = engine.until_ready();
            assert!(said.len() == 1 && said[0].contains("error: option"), "{option} {path}: {said:?}");
        }
        for command in ["test", "eval", "bench 1 1 1", "loadgame", "loadhash", "genfens 1 seed 1 book"] {
            engine.send(&format!("{command} {path}"));
            let said = engine.until_ready();
            assert!(said.len() == 1 && said[0].contains("error"), "{command} {path}: {said:?}");
        }
    }
    assert!(!engine.go("go depth 2").best.is_empty());
    engine.finish();
    for path in ["/dev/zero", text(folder.path()).as_str(), text(&sparse).as_str()] {
        let mut engine = Engine::start_with(&["--config", path, "version"]);
        assert_eq!(engine.wait_exit(PROMPT).1.code(), Some(2), "{path}");
    }
}

/// A named pipe without a writer or a reader does not stop the engine.
#[cfg(unix)]
#[test]
fn named_pipes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo");
        return;
    }
    let mut engine = Engine::ready();
    for option in ["Game Log", "Learning File", "EvalFile", "Debug Log File"] {
        engine.send(&format!("setoption name {option} value {}", text(&pipe)));
        let said = engine.until_ready();
        assert!(said.len() == 1 && said[0].contains("error: option"), "{option}: {said:?}");
    }
    engine.send(&format!("setoption name SyzygyPath value {}", bartizan_testkit::testdata("syzygy").display()));
    engine.send("position fen k7/8/1K6/8/8/8/8/7R w - - 0 1");
    engine.until_ready();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n").unwrap();
    let (pipe, suite) = (text(&pipe), text(&suite));
    for command in [
        format!("test {pipe}"),
        format!("test {suite} -d 1 -o {pipe}"),
        format!("eval {pipe}"),
        format!("eval --svg {pipe}"),
        format!("advise {pipe}"),
        format!("bench 1 1 1 {pipe}"),
        format!("loadgame {pipe}"),
        format!("loadhash {pipe}"),
        format!("savehash {pipe}"),
        format!("genfens 1 seed 1 book {pipe}"),
    ] {
        engine.send(&command);
        let said = engine.until_ready();
        let is_refused = said.len() == 1 && (said[0].contains("not a") || said[0].contains("a named pipe"));
        assert!(is_refused, "{command}: {said:?}");
    }
    assert!(!engine.go("go depth 2").best.is_empty());
    engine.finish();
    let mut engine = Engine::start_with(&["--config", &pipe, "version"]);
    let (_, status) = engine.wait_exit(PROMPT);
    assert_eq!(status.code(), Some(2));
}

#[test]
fn games_with_clocks_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let opponent = ("UCI_Opponent", "none 2500 human Mr Fish");
    let mut engine = Engine::with_options(&[("Game Log", &text(&path)), opponent]);
    engine.go("go depth 2");
    engine.send("position startpos moves e2e4");
    let first = engine.go("go wtime 300 btime 300");
    engine.send(&format!("position startpos moves e2e4 {} d2d3", first.best));
    engine.go("go wtime 300 btime 300");
    engine.send("ucinewgame");
    // The end of the program waits until the game is in the file.
    engine.finish();
    let games = std::fs::read_to_string(&path).unwrap();
    assert!(games.contains("1. e4 ") && games.contains("2. d3 "), "{games}");
    assert!(games.contains("[White \"Mr Fish\"]"), "{games}");
    assert_eq!(games.matches("[Event ").count(), 1, "{games}");
}

#[test]
fn games_without_clocks_are_logged_and_analyses_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut engine = Engine::with_options(&[("Game Log", &text(&path))]);
    let mut moves = "e2e4".to_owned();
    let mut game = Game::startpos(&moves);
    for go in ["go depth 2", "go nodes 100", "go movetime 1"] {
        engine.send(&format!("position startpos moves {moves}"));
        let best = engine.go(go).best;
        game.play(&best).unwrap();
        let next = game.legal_moves().swap_remove(0);
        game.play(&next).unwrap();
        moves += &format!(" {best} {next}");
    }
    engine.send("ucinewgame");
    // Positions of a suite, analyses and commands typed by a person are not logged.
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    engine.go("go depth 2");
    engine.send("position startpos moves d2d4");
    engine.go("go mate 1");
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.go("go wtime 300 btime 300");
    engine.finish();
    let option = format!("setoption name Game Log value {}", text(&path));
    let mut engine = Engine::start_with(&[&option, "position startpos moves d2d4", "go depth 2"]);
    engine.wait_exit(SEARCH);
    let games = std::fs::read_to_string(&path).unwrap();
    assert!(games.contains("1. e4 ") && games.contains(" 3. ") && !games.contains("1. d4"), "{games}");
    assert_eq!(games.matches("[Event ").count(), 1, "{games}");
}

#[test]
fn a_move_in_the_opponents_time_that_nobody_played_is_not_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut engine = Engine::with_options(&[("Game Log", &text(&path))]);
    engine.send("position startpos moves f2f3");
    engine.go("go wtime 300 btime 300");
    // Black mates with any answer to this; the game ends before White plays.
    engine.send("position startpos moves f2f3 e7e5 g2g4");
    engine.send("go ponder wtime 300 btime 300");
    engine.stop();
    engine.finish();
    let games = std::fs::read_to_string(&path).unwrap();
    assert!(games.contains("1. f3 ") && !games.contains("g4") && games.contains("[Result \"*\"]"), "{games}");
    // A move played after a `ponderhit` is logged.
    let mut engine = Engine::with_options(&[("Game Log", &text(&path))]);
    engine.send("position startpos moves f2f3 e7e5 g2g4");
    engine.send("go ponder wtime 300 btime 300");
    engine.send("ponderhit");
    engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove d8h4"));
    engine.finish();
    let games = std::fs::read_to_string(&path).unwrap();
    assert!(games.contains("2. g4 Qh4# 0-1"), "{games}");
}

#[test]
fn learnt_positions_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learning.epd");
    let file = text(&path);
    let options =
        [("Learning", "true"), ("Learning File", &file), ("Learning Depth", "4"), ("Learning Threshold", "1")];
    let mut engine = Engine::with_options(&options);
    engine.send("position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1P2PN2/PB2BPPP/RN1Q1RK1 w - - 0 8");
    engine.go("go depth 9");
    engine.finish();
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept.starts_with("# bartizan-learning 1\nr1bq1rk1/"), "{kept}");
}

#[test]
fn names_of_files_may_contain_blanks() {
    let folder = tempfile::tempdir().unwrap();
    let [suite, results] = ["my suite.epd", "my results"].map(|name| text(&folder.path().join(name)));
    std::fs::write(&suite, "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n").unwrap();
    let mut engine = Engine::ready();
    for (command, answer) in [
        (format!("test \"{suite}\" -d 1 -o \"{results}\""), " of 1 (time"),
        (format!("bench 1 1 1 \"{suite}\""), " nodes "),
        (format!("genfens 1 seed 1 book \"{suite}\" plies 0 balance 10000"), "info string genfens 4k3/"),
        (format!("eval \"{suite}\""), "4k3/8/8"),
        (format!("eval {suite}"), "4k3/8/8"),
        (format!("savehash \"{results}.hash\""), " positions saved"),
    ] {
        engine.send(&command);
        engine.wait_until(answer, SEARCH, |line| line.contains(answer));
    }
    engine.until_ready();
    engine.finish();
    assert!(Path::new(&results).exists());
    // A shell removes the quotation marks.
    for arguments in [&["test", &suite, "-d", "1"][..], &["eval", &suite], &["bench", "1", "1", "1", &suite]] {
        assert!(Engine::start_with(arguments).wait_exit(SEARCH).1.success(), "{arguments:?}");
    }
}

#[test]
fn the_console_reads_files() {
    let folder = tempfile::tempdir().unwrap();
    let (epd, pgn) = (folder.path().join("suite.epd"), folder.path().join("games.pgn"));
    std::fs::write(&epd, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; id \"one\";\n").unwrap();
    std::fs::write(&pgn, "1. e4 e5 *\n").unwrap();
    let mut engine = Engine::ready();
    engine.send(&format!("test {} -d 3", text(&epd)));
    let lines = engine.wait_for("solved 1 of 1", SEARCH);
    assert!(lines.iter().any(|line| line.starts_with("1 one: Rh8# solved in ")), "{lines:?}");
    // `stop` ends it, in a position whose search does not end by itself.
    let long = folder.path().join("long.epd");
    std::fs::write(&long, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3;\n").unwrap();
    engine.send(&format!("test {} -t 1000", text(&long)));
    engine.until_ready();
    engine.send("stop");
    engine.wait_for("solved ", SEARCH);
    engine.send(&format!("eval {}", text(&epd)));
    assert!(engine.until_ready().iter().any(|line| line.starts_with("king danger ")));
    engine.send(&format!("loadgame {}", text(&pgn)));
    engine.until_ready();
    assert_eq!(engine.shown().0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let table = text(&folder.path().join("table"));
    engine.go("go depth 6");
    for command in ["savehash", "loadhash"] {
        engine.send(&format!("{command} {table}"));
        let said = engine.until_ready();
        assert!(said.len() == 1 && said[0].contains(" positions "), "{said:?}");
    }
    for command in
        ["test /no/such/file", "eval /no/such/file", "loadgame /no/such/file", "loadgame", "loadhash /no/such/file"]
    {
        engine.send(command);
        let said = engine.until_ready();
        assert!(said.len() == 1 && said[0].starts_with("info string error: "), "{command}: {said:?}");
    }
}
