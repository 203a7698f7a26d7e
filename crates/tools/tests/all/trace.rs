//! `trace`: the tree of a search.

use crate::common::{TOOLS, text};
use std::path::Path;
use std::process::{Command, Output};

const TREE: &str = "bartizan-trace 1\n\
    position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
    n 1 d2d4 move 0 -32000 32000 -20 exact 1\n\
    n 0 - root 1 -32000 32000 20 exact 2\n\
    n 2 e7e5 reduced 1 -31 -30 -30 fail-low 1\n\
    p 2 a7a6 late-move\n\
    n 1 e2e4 move 1 30 31 30 null-move 2\n\
    n 0 - root 2 -32000 32000 -30 exact 3\n\
    end 6 0\n";

fn trace(folder: &Path, args: &[&str]) -> Output {
    Command::new(TOOLS).arg("trace").args(args).current_dir(folder).output().expect("the program starts")
}

#[test]
fn a_part_is_printed_by_path_and_levels() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tree.txt"), TREE).unwrap();
    let shown = |args: &[&str]| {
        let output = trace(folder.path(), &[&["tree.txt"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let last = shown(&[]);
    assert!(last.contains("depth 2") && last.contains("e2e4") && !last.contains("e7e5"), "{last}");
    assert!(shown(&["--levels", "2"]).contains("pruned: late-move"));
    let below = shown(&["--path", "e2e4,e7e5", "--levels", "0"]);
    assert!(below.contains("e7e5  reduced, depth 1, -31..-30: -30, fail-low, 1 nodes"), "{below}");
    assert!(shown(&["--iteration", "1"]).contains("d2d4"));
}

#[test]
fn a_page_is_written_and_faults_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("tree.txt"), TREE).unwrap();
    let output = trace(folder.path(), &["tree.txt", "--html", "tree.html"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(path("tree.html")).unwrap();
    assert!(page.contains("e7e5") && page.contains("<details open>"), "{page}");

    let fault = |args: &[&str], expected: &str| {
        let output = trace(folder.path(), args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(expected), "{message}");
    };
    fault(&["tree.txt", "--path", "e2e4,c7c5"], "no move 'c7c5' after 1 moves of the path");
    fault(&["tree.txt", "--iteration", "9"], "no root search of depth 9");
    fault(&["tree.txt", "--html", "tree.txt"], "tree.txt");
    assert_eq!(std::fs::read_to_string(path("tree.txt")).unwrap(), TREE);
    std::fs::write(path("cut.txt"), &TREE[..TREE.len() - 8]).unwrap();
    fault(&["cut.txt"], "invalid trace 'cut.txt': line 9: ");
    fault(&["none.txt"], "cannot read 'none.txt'");
}
