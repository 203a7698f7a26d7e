//! A separate program, because it kills all engines.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_client::{Client, EngineConfig, kill_all};

#[test]
fn engines_that_run_are_killed_and_others_forgotten() {
    let start = |script: &str| -> Client {
        let script = format!("read a; echo uciok; read a; echo readyok; {script}");
        EngineConfig::uci("sh").arg("-c").arg(script).start().unwrap()
    };
    let mut engines = [start("sleep 60"), start("trap '' INT TERM; while true; do sleep 60; done")];
    start("read quit").quit().unwrap();
    assert!(engines.iter_mut().all(Client::is_alive));
    kill_all();
    while engines.iter_mut().any(Client::is_alive) {
        std::thread::yield_now();
    }
    kill_all();
}
