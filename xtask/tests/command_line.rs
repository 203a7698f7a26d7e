//! The program as a whole. Because it has a test, cargo builds it with the tests, and `.ci/run` uses it.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(args).output().expect("the program starts")
}

#[test]
fn tasks_are_listed_and_others_refused() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    let help = String::from_utf8(help.stdout).unwrap();
    for task in ["bench", "ci", "faults", "instructions", "magics"] {
        assert!(help.contains(&format!("  {task} ")), "{task}: {help}");
    }
    let unknown = run(&["bnech"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("bnech"));
}

/// A missing program has no node count.
#[test]
fn a_program_without_a_bench_is_named() {
    let missing = run(&["bench", "--check", "--program", "no/such/program"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no/such/program"), "{missing:?}");
}
