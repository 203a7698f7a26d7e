//! Endgame tables.

use crate::support::{Engine, thinking};
use bartizan_testkit::testdata;
use std::fs;

#[test]
fn a_path_says_what_was_found() {
    let mut engine = Engine::ready_with(&["-t"]);
    // The trace repeats each command.
    let mut ask = |line: &str| {
        let mut said = engine.ask(line);
        said.retain(|line| !line.starts_with("# command: "));
        said
    };
    let path = testdata("syzygy");
    let said = ask(&format!("egtpath syzygy {}", path.display()));
    assert_eq!(said[0], "# egtpath: found 11 WDL and 10 DTZ tablebase files with up to 4 pieces");
    assert!(said[1].starts_with("# egtpath: of 60 tablebase files with 4 pieces, these are missing: "), "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(ask("egtpath gaviota /some where"), ["# egtpath: gaviota: only syzygy tables are used"]);
    let said = ask("egtpath syzygy /no where");
    assert_eq!(said, ["# egtpath: no folder '/no where'"]);
    // One of several folders is reported.
    let said = ask(&format!("egtpath syzygy /no where;{}", path.display()));
    assert!(
        said.iter().any(|line| line.starts_with("tellusererror warning: cannot read tablebase folder")),
        "{said:?}"
    );
    // Without a path the tables are turned off.
    for blank in ["egtpath syzygy", "egtpath syzygy  "] {
        assert_eq!(ask(blank), [""; 0]);
        let said = ask(&format!("egtpath syzygy {}", path.display()));
        assert_eq!(said[0], "# egtpath: found 11 WDL and 10 DTZ tablebase files with up to 4 pieces");
    }
    engine.send("quit");
    engine.wait_exit();
}

/// xboard shows comments among the lines of thinking, and always sends a folder.
#[test]
fn without_a_trace_only_faults_are_told() {
    let mut engine = Engine::ready();
    engine.tell("accepted debug");
    engine.tell(&format!("egtpath syzygy {}", testdata("syzygy").display()));
    engine.tell("egtpath syzygy /no/such/folder\negtpath gaviota /some where");
}

#[test]
fn a_win_by_the_tables_is_played_and_shown() {
    let mut engine = Engine::ready();
    engine.tell(&format!("egtpath syzygy {}", testdata("syzygy").display()));
    engine.tell("option SyzygyProbeLimit=4\noption Syzygy50MoveRule=1\nsd 1\npost");
    engine.tell("setboard 8/8/8/8/8/3K4/7k/R7 w - - 0 1");
    engine.send("go");
    let lines = engine.wait_for("move ");
    let line = lines.iter().rev().find_map(|line| thinking(line)).unwrap();
    assert_eq!((line.ply, line.score), (1, 20_000), "{lines:?}");
}

/// A table that turns out to be damaged is reported once, and play continues.
#[test]
fn a_damaged_table_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KRvK.rtbw", "KRvK.rtbz"] {
        let mut bytes = fs::read(testdata("syzygy").join(file)).unwrap();
        bytes[0] ^= 1;
        fs::write(folder.path().join(file), &bytes).unwrap();
    }
    let mut engine = Engine::ready();
    engine.tell(&format!("egtpath syzygy {}", folder.path().display()));
    engine.tell("sd 3");
    let mut complaints = 0;
    for _ in 0..3 {
        engine.tell("force\nsetboard 8/8/8/8/8/3K4/7k/R7 w - - 0 1");
        engine.send("go");
        complaints += engine.wait_for("move ").iter().filter(|line| line.contains("KRvK.rtbw")).count();
    }
    assert_eq!(complaints, 1);
}
