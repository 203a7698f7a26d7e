//! `board`: pictures of positions.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::tools;
use bartizan_testkit::testdata;
use std::fs;
use std::process::Output;

fn board(args: &[&str]) -> Output {
    tools(&[&["board"], args].concat())
}

/// The file of the test data, generated as its SOURCE.md says, on standard output and in a file.
#[test]
fn the_same_command_gives_the_same_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let args = "--arrow Rc3d3 --mark c2 --theme blue --size 400".split(' ');
    let args: Vec<&str> = ["8/8/8/8/8/2k5/2P5/2K5 b - - 0 1"].into_iter().chain(args).collect();
    let expected = fs::read_to_string(testdata("svg/pawn.svg")).unwrap().replace("\r\n", "\n");
    assert_eq!(String::from_utf8(board(&args).stdout).unwrap(), expected);
    let out = ["--out", path.to_str().unwrap()];
    assert!(board(&[&args[..], &out].concat()).status.success());
    assert_eq!(fs::read_to_string(path).unwrap(), expected);
}

#[test]
fn wrong_arguments_are_named() {
    for (args, code, expected) in [
        (&["x"][..], 1, "error: 'x': invalid FEN: "),
        (&["--moves", "1. e4 e4"], 1, "error: --moves: move 'e4': "),
        (&["--arrow", "e2"], 2, "error: invalid value 'e2' for '--arrow <SQUARES>': invalid arrow"),
        (&["--mark", "e9"], 2, "error: invalid value 'e9' for '--mark <SQUARE>': invalid mark"),
        (&["--theme", "pink"], 2, "error: invalid value 'pink' for '--theme <THEME>': unknown theme"),
        (&["--out", "b.PNG"], 1, "error: 'b.PNG': pictures are written as SVG; choose a name that ends in .svg"),
        (&["--out", "/none/board.svg"], 1, "error: cannot write '/none/board.svg': "),
    ] {
        let output = board(args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && errors.starts_with(expected), "{args:?}: {errors}");
    }
}
