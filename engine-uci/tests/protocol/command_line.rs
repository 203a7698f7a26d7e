//! Commands on the command line: the program executes them and exits, whether its input is open or not.

use crate::support::Engine;
use crate::support::engine::SEARCH;

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
}

#[test]
fn go_prints_a_bestmove_and_exits() {
    let lines = run(&["go", "depth", "5"]);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
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

/// Runs the program with this standard output; returns its exit code and what it wrote on standard error.
#[cfg(unix)]
fn run_with_output(arguments: &[&str], output: impl Into<std::process::Stdio>) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_bartizan");
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::null()).stdout(output).stderr(std::process::Stdio::piped());
    let ended = command.spawn().unwrap().wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for arguments in
        [&["bench", "1", "1", "1"][..], &["--help"], &["--version"], &["go", "depth", "3"], &["play", "--help"]]
    {
        if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
            let (code, errors) = run_with_output(arguments, full);
            assert_eq!(code, Some(1), "{arguments:?}: {errors}");
            assert!(errors.starts_with("error: cannot write the output: "), "{arguments:?}: {errors}");
        }
        // A reader that has ended: quietly.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run_with_output(arguments, writer), (Some(1), String::new()), "{arguments:?}");
    }
}
