//! Commands on the command line: the program executes them and exits, whether its input is open or not.

use crate::support::Engine;
use crate::support::engine::SEARCH;
use std::collections::HashSet;

/// Runs the program with arguments to its end; returns what it printed on standard output.
#[track_caller]
fn run(arguments: &[&str]) -> Vec<String> {
    let mut engine = Engine::start_with(arguments);
    let (lines, status) = engine.wait_exit(SEARCH);
    assert!(status.success(), "{arguments:?} ended with {status}");
    lines
}

#[test]
fn help_lists_the_commands() {
    let text = run(&["--help"]).join("\n");
    for word in ["bench", "perft", "uci"] {
        assert!(text.to_lowercase().contains(word), "`{word}` is not in:\n{text}");
    }
}

#[test]
fn version_is_that_of_the_package() {
    let lines = run(&["--version"]);
    assert!(lines[0].starts_with("bartizan "), "{lines:?}");
    assert!(lines[0].contains(env!("CARGO_PKG_VERSION")), "{lines:?}");
}

#[test]
fn bench_ends_with_its_signature_which_repeats() {
    let signature = |lines: &[String]| -> u64 {
        let last = lines.last().expect("bench prints something");
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("the last line is `{last}`") };
        nps.parse::<u64>().unwrap();
        nodes.parse().unwrap()
    };
    let first = signature(&run(&["bench", "16", "1", "4"]));
    assert!(first > 0);
    assert_eq!(first, signature(&run(&["bench", "16", "1", "4"])));
    // It uses the chosen evaluation, but no other option.
    let with = |option: &str| signature(&run(&[option, "bench 16 1 4"]));
    assert_ne!(first, with("setoption name Evaluation value classical"));
    assert_eq!(first, with("setoption name MultiPV value 4"));
}

#[test]
fn bench_reads_fens_with_operations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    std::fs::write(&path, format!("# x\n{start} 0 1 ;D1 20 ;D2 400\n{start} bm e4;\n{start} 0 1\n{start}\n")).unwrap();
    let lines = run(&["bench", "16", "1", "2", path.to_str().unwrap(), "perft"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("       400  ")).count(), 4, "{lines:?}");
}

#[test]
fn arguments_of_bench_have_a_range() {
    for (arguments, fault) in [
        ("bench 0", "bench: '0' is not a hash size in MiB from 1 to 33554432"),
        ("bench 16 1025", "bench: '1025' is not a number of threads from 1 to 1024"),
        ("speedtest 0", "speedtest: '0' is not a number of threads from 1 to 1024"),
        ("speedtest 1 much", "speedtest: 'much' is not a hash size in MiB from 1 to 33554432"),
    ] {
        let (lines, is_good) = run_any(&[arguments]);
        assert!(!is_good && lines == [format!("info string error: {fault}")], "{arguments}: {lines:?}");
    }
}

#[test]
fn go_prints_a_bestmove_and_exits() {
    let lines = run(&["go", "depth", "5"]);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_of_the_command_line() {
    for (arguments, signal) in [(&["go", "infinite"][..], "-INT"), (&["go movetime 600000", "go infinite"], "-TERM")] {
        let mut engine = Engine::start_with(arguments);
        engine.wait_for("info depth", SEARCH);
        engine.signal(signal);
        let (lines, status) = engine.wait_exit(SEARCH);
        assert!(status.success(), "{arguments:?} ended with {status}");
        // The commands after it are not run.
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }
    // A command without a partial result ends at once.
    let mut engine = Engine::start_with(&["bench 1 1 4", "bench 16 1 100"]);
    engine.wait_until("a bench", SEARCH, |line| line.ends_with(" nps"));
    engine.signal("-INT");
    assert_eq!(engine.wait_exit(SEARCH).1.code(), Some(130));
}

#[test]
fn perft_prints_its_count_and_exits() {
    let lines = run(&["go", "perft", "4"]);
    assert!(lines.iter().any(|line| line == "Nodes searched: 197281"), "{lines:?}");
}

#[test]
fn uci_is_a_command_like_the_others() {
    let lines = run(&["uci"]);
    assert_eq!(lines.last().map(String::as_str), Some("uciok"));
}

/// Runs the program with this input and standard output; returns its exit code and what it wrote on standard error.
#[cfg(unix)]
fn run_with_output(arguments: &[&str], input: &str, output: impl Into<std::process::Stdio>) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_bartizan");
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::piped()).stdout(output).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may have ended already.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let ended = child.wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for (arguments, input) in [
        (&["bench", "1", "1", "1"][..], ""),
        (&["--help"], ""),
        (&["--version"], ""),
        (&["go", "depth", "3"], ""),
        (&["play", "--help"], ""),
        (&["review", "--help"], ""),
        (&["review", "-", "--nodes", "10"], "1. e4 *"),
        (&["play", "depth", "2"], "e4\nquit\n"),
        (&[], "d\n"),
        (&[], "uci\nquit\n"),
    ] {
        if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
            let (code, errors) = run_with_output(arguments, input, full);
            assert_eq!(code, Some(1), "{arguments:?}: {errors}");
            assert!(errors.starts_with("error: cannot write the output: "), "{arguments:?}: {errors}");
        }
        // A reader that has ended: no message.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run_with_output(arguments, input, writer), (Some(1), String::new()), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n").unwrap();
    let (lines, is_good) = run_any(&["test", suite.to_str().unwrap(), "-d", "1", "-o", "/dev/full"]);
    assert!(!is_good && lines.iter().any(|line| line.starts_with("solved 1 of 1 ")), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("info string error: cannot write '/dev/full': "), "{lines:?}");
}

#[test]
fn a_wrong_command_line_ends_the_program() {
    for arguments in
        [&["--verison"][..], &["--foo", "bar"], &["-x"], &["--config"], &["--config", "/no/such/settings.toml"]]
    {
        let mut engine = Engine::start_with(arguments);
        let (lines, status) = engine.wait_exit(SEARCH);
        assert_eq!((lines.len(), status.code()), (0, Some(2)), "{arguments:?}: {lines:?}");
        let errors = engine.stderr_lines();
        assert!(errors.len() == 1 && errors[0].starts_with("error: "), "{arguments:?}: {errors:?}");
    }
}

/// Runs the program with arguments to its end; returns what it printed and whether it succeeded.
#[track_caller]
fn run_any(arguments: &[&str]) -> (Vec<String>, bool) {
    let mut engine = Engine::start_with(arguments);
    let (lines, status) = engine.wait_exit(SEARCH);
    assert!(status.code().is_some_and(|code| code <= 1), "{arguments:?} ended with {status}");
    (lines, status.success())
}

/// The FENs of `genfens`, which OpenBench recognises by the words before them.
#[track_caller]
fn openings(arguments: &[&str]) -> Vec<String> {
    let lines = run(arguments);
    lines.iter().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned()).collect()
}

#[test]
fn genfens_makes_openings_as_openbench_asks_for_them() {
    // OpenBench puts further arguments in place of the space before `quit`.
    let fens = openings(&["genfens 20 seed 1234567 book None ", "quit"]);
    assert_eq!(fens.len(), 20);
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 20);
    for fen in &fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let board: cozy_chess::Board = fen.parse().expect(fen);
        assert!(board.checkers().is_empty() && board.status() == cozy_chess::GameStatus::Ongoing, "{fen}");
    }
    assert_eq!(fens, openings(&["genfens 20 seed 1234567 book None ", "quit"]));
    assert_ne!(fens, openings(&["genfens 20 seed 1234568 book None ", "quit"]));
    // Also as separate words, and through the protocol.
    assert_eq!(fens[..3], openings(&["genfens", "3", "seed", "1234567"]));
    let mut engine = Engine::ready();
    engine.send("genfens 3 seed 1234567 book none");
    assert_eq!(
        engine.until_ready(),
        fens[..3].iter().map(|fen| format!("info string genfens {fen}")).collect::<Vec<_>>()
    );
}

#[test]
fn genfens_begins_from_the_positions_of_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    std::fs::write(&path, "8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - hmvc 0; fmvn 40;\n").unwrap();
    let book = format!("genfens 5 seed 3 book {}", path.display());
    let fens = openings(&[&format!("{book} plies 2 balance 300"), "quit"]);
    assert_eq!(fens.len(), 5);
    assert!(fens.iter().all(|fen| fen.ends_with("1 41") || fen.ends_with(" 41")), "{fens:?}");
    // Without random plies there is one opening.
    let (lines, is_good) = run_any(&[&format!("{book} plies 0 balance 300"), "quit"]);
    assert_eq!(lines[0], "info string genfens 8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - 0 40");
    assert!(!is_good && lines.len() == 2, "{lines:?}");
    assert!(
        lines[1].starts_with("info string error: genfens: no other opening found in 1000 attempts after 1;"),
        "{lines:?}"
    );
}

#[test]
fn genfens_says_what_is_wrong() {
    for (arguments, expected) in [
        ("", "the number of openings is missing"),
        ("x", "'x' is not a number of openings from 1 to 1000000"),
        ("0 seed 1", "'0' is not a number of openings from 1 to 1000000"),
        ("-3 seed 1", "'-3' is not a number of openings from 1 to 1000000"),
        ("99999999999999999999 seed 1", "'99999999999999999999' is not a number of openings from 1 to 1000000"),
        ("3", "'seed' and a number is missing"),
        ("3 seed", "the seed is missing"),
        ("3 seed -1", "'-1' is not a seed"),
        ("3 seed 1 book", "the file after 'book' is missing"),
        ("3 seed 1 book /nowhere/book.epd", "cannot read '/nowhere/book.epd': "),
        ("3 seed 1 book None plies 101", "'101' is not a number of plies from 0 to 100"),
        ("3 seed 1 book None balance -1", "'-1' is not a number of centipawns from 0 to 100000"),
        ("3 seed 1 book None frc", "'frc' is not one of seed, book, plies, balance"),
    ] {
        let (lines, is_good) = run_any(&[&format!("genfens {arguments} "), "quit"]);
        let expected = format!("info string error: genfens: {expected}");
        assert!(!is_good && lines.len() == 1 && lines[0].starts_with(&expected), "{arguments}: {lines:?}");
    }
}

#[test]
fn the_case_of_commands_and_keywords_does_not_matter() {
    let lines = run(&[
        "SetOption NAME MultiPV VALUE 2",
        "Position FEN 8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - 0 40 MOVES D5D6",
        "GO Depth 3 SearchMoves B4D4",
        "d",
    ]);
    assert!(lines.iter().any(|line| line == "bestmove b4d4" || line.starts_with("bestmove b4d4 ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Fen: 8/5pk1/3P2p1/7p/1r5P/5PK1/6P1/3R4 b")), "{lines:?}");
}

/// It is not searched, nor is the position before it.
#[test]
fn a_refused_position_ends_the_program() {
    for position in ["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5"] {
        let (lines, is_good) = run_any(&[position, "go depth 2", "eval"]);
        assert!(!is_good && lines.len() == 1 && lines[0].starts_with("info string error: "), "{lines:?}");
    }
}

#[test]
fn arguments_with_blanks_are_commands() {
    let lines = run(&["position startpos moves e2e4", "go depth 2", "d", "quit", "uci"]);
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line == "Opening: B00 King's Pawn Game"), "{lines:?}");
    assert!(!lines.iter().any(|line| line == "uciok"), "a command after quit: {lines:?}");
}

#[cfg(not(feature = "tuning"))]
#[test]
fn spsa_needs_a_tuning_build() {
    let (lines, is_good) = run_any(&["spsa"]);
    assert!(!is_good);
    let expected = "spsa: this build has no tunable parameters; build with `--features tuning`";
    assert_eq!(lines, [format!("info string error: {expected}")]);
}

#[cfg(feature = "tuning")]
#[test]
fn spsa_prints_every_numeric_option_of_the_search() {
    let mut engine = Engine::ready();
    engine.send("setoption name lmp_base value 7");
    engine.send("spsa");
    let lines = engine.until_ready();
    engine.send("uci");
    let options = engine.wait_for("uciok", SEARCH);
    for line in &lines {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", value, min, max, step, "0.002"] = fields[..] else { panic!("{line}") };
        let start = if name == "lmp_base" { "default 5" } else { &format!("default {value}") };
        assert!(name != "lmp_base" || value == "7", "{line}");
        let option = format!("option name {name} type spin {start} min {min} max {max}");
        assert!(options.contains(&option), "{line}: no {option}");
        assert!(step.parse::<f64>().unwrap() >= 0.5, "{line}");
    }
    assert!(lines.len() > 70, "{lines:?}");
    engine.send("spsa lmr_quiet razoring");
    let names: Vec<String> =
        engine.until_ready().iter().map(|line| line.split(',').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["razoring_base", "razoring_slope", "lmr_quiet_base", "lmr_quiet_divisor"]);
    engine.send("spsa razor nonsense");
    let lines = engine.until_ready();
    assert_eq!(lines, ["info string error: spsa: 'nonsense' is not the beginning of a parameter's name"]);
}
