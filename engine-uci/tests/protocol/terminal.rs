//! The program in a pseudo-terminal, provided by util-linux's `script`.

use bartizan_testkit::{EDITOR_READS, PROMPT, Program, SEARCH};
use std::process::Command;
use tempfile::TempDir;

const UP: &str = "\x1b[A";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// Starts the program in a terminal; the folder is the user's.
#[track_caller]
fn start(arguments: &str, variables: &[(&str, &str)]) -> (Program, TempDir) {
    start_in_shell(&format!("{} {arguments}", env!("CARGO_BIN_EXE_bartizan")), variables)
}

/// As [`start`], for a shell command line.
#[track_caller]
fn start_in_shell(line: &str, variables: &[(&str, &str)]) -> (Program, TempDir) {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", line, "/dev/null"]);
    command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path());
    command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR").envs(variables.iter().copied());
    (Program::start(&mut command), home)
}

/// Types keys once the prompt has appeared.
#[track_caller]
fn enter(program: &mut Program, keys: &str, answer: &str) -> Vec<String> {
    program.send_bytes(format!("{keys}\r").as_bytes());
    program.wait_until(answer, SEARCH, |line| line.contains(answer))
}

/// Starts a search and waits for the next prompt. Before that, Ctrl-C would be a signal.
#[track_caller]
fn search_behind_the_prompt(program: &mut Program) {
    enter(program, "go infinite", "nodes/s");
    wait_for_prompt(program);
}

#[track_caller]
fn wait_for_prompt(program: &mut Program) {
    program.wait_until("the prompt", SEARCH, |line| line.ends_with(EDITOR_READS));
}

/// Waits for the output of `stty -a` after the program: the terminal must be in its usual mode.
#[track_caller]
fn expect_usual_mode(program: &mut Program) {
    let lines = program.wait_until("the mode", SEARCH, |line| line.contains("icanon"));
    assert!(lines.last().unwrap().split_whitespace().any(|word| word == "icanon"), "{lines:?}");
}

#[test]
fn moves_are_played_and_thinking_is_a_table() {
    let (mut program, _home) = start("", &[]);
    program.wait_until("the banner", PROMPT, |line| line.contains("type help"));
    let board = enter(&mut program, "e4", "1. e4").join("\n");
    assert!(board.contains('♟') && board.contains("\x1b[48;5;"), "{board}");
    enter(&mut program, "Nf6", "1... Nf6");
    enter(&mut program, "nf6", "error: illegal move 'nf6': no knight can go to f6");
    enter(&mut program, "pertf 3", "did you mean 'perft'?");
    let lines = enter(&mut program, "Go depth 6", "Best move: ").join("\n");
    assert!(lines.contains("nodes/s") && !lines.contains("info depth") && !lines.contains("bestmove"), "{lines}");
    let lines = enter(&mut program, "eval", "What each piece adds").join("\n");
    assert!(lines.contains("\x1b[32m+"), "{lines}");
    // Whoever says `uci` gets UCI.
    enter(&mut program, "uci", "uciok");
    enter(&mut program, "go depth 3", "bestmove ");
    program.send_bytes(b"quit\r");
    assert!(program.wait_exit(PROMPT).1.success());
}

#[test]
fn the_worths_by_a_network_are_coloured() {
    let folder = tempfile::tempdir().unwrap();
    let [file, settings] = ["queens", "settings.toml"].map(|name| folder.path().join(name));
    std::fs::write(file, crate::network::queens().to_bytes()).unwrap();
    std::fs::write(&settings, "evaluation = 'network'\neval_file = 'queens'\n").unwrap();
    let (mut program, _home) = start(&format!("--config {}", settings.display()), &[]);
    program.wait_until("the banner", PROMPT, |line| line.contains("type help"));
    enter(&mut program, "eval", "by the network");
    program.wait_until("a queen", PROMPT, |line| line.contains("|   \x1b[1mq\x1b[0m   |"));
    program.wait_until("its worth", PROMPT, |line| line.contains("|\x1b[2m  0.00 \x1b[0m|\x1b[32m  0."));
    program.send_bytes(b"quit\r");
    assert!(program.wait_exit(PROMPT).1.success());
}

#[test]
fn the_history_survives_the_program() {
    let (mut program, home) = start("", &[]);
    program.wait_until("the banner", PROMPT, |line| line.contains("type help"));
    enter(&mut program, "perft 2", "Nodes searched: 400");
    enter(&mut program, UP, "Nodes searched: 400");
    search_behind_the_prompt(&mut program);
    program.send_bytes(CTRL_D.as_bytes());
    let (lines, status) = program.wait_exit(PROMPT);
    assert!(status.success() && lines.iter().any(|line| line.contains("Best move: ")), "{status}: {lines:#?}");
    let history = std::fs::read_to_string(home.path().join("bartizan/history")).unwrap();
    assert!(history.lines().any(|line| line == "perft 2"), "{history}");
}

#[test]
fn ctrl_c_stops_a_search_and_then_ends_the_program() {
    let (mut program, _home) = start("", &[]);
    program.wait_until("the banner", PROMPT, |line| line.contains("type help"));
    search_behind_the_prompt(&mut program);
    program.send_bytes(CTRL_C.as_bytes());
    // The result and the next prompt come in any order.
    let (mut is_shown, mut is_prompted) = (false, false);
    program.wait_until("the result and a prompt", SEARCH, |line| {
        is_shown |= line.contains("Best move: ");
        is_prompted |= line.ends_with(EDITOR_READS);
        is_shown && is_prompted
    });
    program.send_bytes(CTRL_C.as_bytes());
    program.wait_until("a note", PROMPT, |line| line.contains("interrupted"));
    assert!(program.wait_exit(PROMPT).1.success());
}

#[test]
fn ctrl_c_stops_a_search_without_a_line_editor() {
    let (mut program, _home) = start("", &[("TERM", "dumb")]);
    program.wait_until("the banner", PROMPT, |line| line.contains("type help"));
    enter(&mut program, "go infinite", "nodes/s");
    program.wait_until("a line of thinking", SEARCH, |line| line.contains("1/1"));
    program.send_bytes(CTRL_C.as_bytes());
    program.wait_until("the result", SEARCH, |line| line.contains("Best move: "));
    enter(&mut program, "perft 1", "Nodes searched: 20");
    program.send_bytes(CTRL_C.as_bytes());
    program.wait_until("a note", PROMPT, |line| line.contains("interrupted"));
}

#[test]
fn a_signal_leaves_the_terminal_in_its_mode() {
    let line = format!("sh -c 'echo process $$; exec {}'; stty -a", env!("CARGO_BIN_EXE_bartizan"));
    let (mut program, _home) = start_in_shell(&line, &[]);
    let lines = program.wait_until("the process", PROMPT, |line| line.starts_with("process "));
    let process = lines.last().unwrap()["process ".len()..].trim().to_owned();
    wait_for_prompt(&mut program);
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    expect_usual_mode(&mut program);
}

#[test]
fn colours_and_symbols_can_be_refused() {
    let (mut program, _home) = start("play depth 1", &[("NO_COLOR", "1"), ("LC_ALL", "C")]);
    let lines = enter(&mut program, "e4", "Bartizan plays 1... ").join("\n");
    assert!(lines.contains("[.]") && !lines.contains("\x1b[48") && !lines.contains('♟'), "{lines}");
    program.send_bytes(b"quit\r");
    assert!(program.wait_exit(PROMPT).1.success());
}

/// A `quit` that waits for earlier lines does not request another line.
#[test]
fn leaving_a_game_leaves_the_terminal_in_its_mode() {
    let (mut program, _home) = start("play time 3600; stty -a", &[]);
    for keys in ["e4\r", "d4\r", "quit\r"] {
        wait_for_prompt(&mut program);
        program.send_bytes(keys.as_bytes());
    }
    expect_usual_mode(&mut program);
}

/// Errors in the settings are also reported in a terminal.
#[test]
fn faults_of_the_settings_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bartizan")).unwrap();
    std::fs::write(folder.path().join("bartizan/bartizan.toml"), "hash = \"many\"\n").unwrap();
    let (mut program, _home) = start("", &[("XDG_CONFIG_HOME", folder.path().to_str().unwrap())]);
    program.wait_until("the fault", PROMPT, |line| line.contains("bartizan.toml: line 1"));
    program.send_bytes(b"quit\r");
    assert!(program.wait_exit(PROMPT).1.success());
}
