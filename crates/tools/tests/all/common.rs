//! Runs the program.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) const TOOLS: &str = env!("CARGO_BIN_EXE_bartizan-tools");

/// Runs the program without input.
pub(crate) fn tools(args: &[&str]) -> Output {
    Command::new(TOOLS).args(args).stdin(Stdio::null()).output().unwrap()
}

/// Runs the program in a folder, without input.
pub(crate) fn tools_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(TOOLS).args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Runs the program in a folder, with this standard input.
pub(crate) fn tools_with(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(TOOLS);
    command.args(args).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // The program may end before it has read everything.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    })
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Standard output of a run that must have succeeded.
#[track_caller]
pub(crate) fn success(args: &[&str], output: &Output) -> String {
    assert!(output.status.success(), "{args:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The messages of a run that must have failed.
#[track_caller]
pub(crate) fn failure(args: &[&str], output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{args:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stderr)
}
