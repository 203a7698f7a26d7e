//! `go depth 6 trace FILE`.

use crate::support::Engine;
use crate::support::engine::SEARCH;

fn run(file: &std::path::Path) -> String {
    let mut engine = Engine::start_with(&["--no-config", "go", "depth", "6", "trace", file.to_str().unwrap()]);
    engine.wait_exit(SEARCH).0.join("\n")
}

#[cfg(feature = "trace")]
#[test]
fn a_search_writes_its_tree() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree one.txt");
    let said = run(&file);
    let text = std::fs::read_to_string(&file).unwrap();
    let records = text.lines().count() - 3;
    assert!(text.starts_with("bartizan-trace 1\nposition rnbqkbnr/"), "{text:.200}");
    assert!(text.ends_with(&format!("\nend {records} 0\n")));
    assert!(said.contains(&format!("trace: {records} records in '")) && said.contains("bestmove "), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    // Another kind of file is not overwritten.
    std::fs::write(&file, "my notes").unwrap();
    assert!(run(&file).contains("is not a trace"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes");
}

#[cfg(not(feature = "trace"))]
#[test]
fn an_ordinary_build_says_that_it_cannot_trace() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.txt");
    let said = run(&file);
    assert!(said.contains("error: go: this build cannot trace a search") && !said.contains("bestmove"), "{said}");
    assert!(!file.exists());
}
