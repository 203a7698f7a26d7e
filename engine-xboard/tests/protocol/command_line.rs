//! The command line and the settings file.

use crate::support::{Engine, text};

#[test]
fn help_and_version() {
    let mut engine = Engine::start_with(&["--help"]);
    let (lines, status) = engine.wait_exit();
    assert!(status.success() && lines.iter().any(|line| line.contains("--config")));
    let mut engine = Engine::start_with(&["--version"]);
    assert_eq!(engine.wait_exit().0, [format!("bartizan-xboard {}", env!("CARGO_PKG_VERSION"))]);
}

const NO_SETTINGS: &[&str] = &["--config", "/no/such/settings.toml"];

#[test]
fn an_invalid_command_line_ends_the_program() {
    for words in
        [&["-c"][..], &["-H", "much"], &["--nonsense"], &["-c", "0"], &["no such file"], &["a", "b"], NO_SETTINGS]
    {
        let mut engine = Engine::start_with(words);
        let (lines, status) = engine.wait_exit();
        assert_eq!(status.code(), Some(2), "{words:?}");
        // On standard output, clients would take the message for a protocol error.
        assert!(lines.is_empty() && !engine.stderr_lines().is_empty(), "{words:?}: {lines:?}");
    }
}

/// A named pipe without a writer does not keep the program waiting.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_no_position_file() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo");
        return;
    }
    for words in [&[&*text(&pipe)][..], &["--config", &text(&pipe)]] {
        let (_, status) = Engine::start_with(words).wait_exit();
        assert_eq!(status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn a_position_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.epd");
    // Windows editors begin a file with a byte order mark.
    std::fs::write(&path, "\u{feff}4k3/8/8/8/8/8/8/4K2R w K -\n").unwrap();
    let mut engine = Engine::start_with(&[&text(&path)]);
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    engine.finish();
    std::fs::write(&path, "# a comment\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";\n").unwrap();
    let mut engine = Engine::start_with(&["-c", "2", "-H", "8M", "-ics", &text(&path)]);
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    engine.send("st 0.1\ngo");
    engine.its_move();
}

#[test]
fn settings_are_applied_and_faults_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "contempt = 33\nmultipv = 900\nthreds = 2\n[resign]\non = true\nscore = 'x'\n").unwrap();
    let mut engine = Engine::start_with(&["-t", "--config", &text(&path)]);
    engine.send("xboard\nprotover 2");
    let mut lines = engine.wait_until("done=1", crate::support::PROMPT, |line| line.ends_with("done=1"));
    lines.extend(engine.ask("accepted debug"));
    let says = |word: &str| lines.iter().any(|line| line.contains(word));
    // The client sees the current values.
    assert!(says("Contempt -spin 33 "), "{lines:#?}");
    assert!(says("Resign -check 1"), "{lines:#?}");
    for fault in
        ["line 2: option 'MultiPV': 900 is not between", "line 3: unknown setting 'threds'", "line 6: resign.score"]
    {
        assert!(says(fault), "{fault}: {lines:#?}");
    }
    engine.send("quit");
    engine.wait_exit();
}
