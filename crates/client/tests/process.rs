//! Odd processes, made with a shell.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::print_stderr)] // In a test a panic is the report.

mod common;

use bartizan_client::{Client, ClientError, EngineConfig, GoLimits, Protocol, Timeouts};
use bartizan_position::Game;
use common::{LONG, search, timeouts};
use std::time::{Duration, Instant};

const GREET: &str = "read a; echo uciok; read a; echo readyok;";

fn script(rest: &str) -> EngineConfig {
    let args = vec!["-c".to_owned(), format!("{GREET} {rest}")];
    EngineConfig { args, name: Some("script".to_owned()), ..EngineConfig::new("sh", Protocol::Uci) }
}

fn start(rest: &str) -> Client {
    Client::start(&script(rest), &timeouts(), None).unwrap()
}

#[test]
fn closed_output_is_an_end() {
    let since = Instant::now();
    let error = search(&mut start("exec >&-; sleep 60"), &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Died { status: None, .. }), "{error:?}");
    assert_eq!(error.to_string(), "script has ended its output");
    assert!(since.elapsed() < LONG);
}

#[test]
fn an_output_held_open_by_a_child_does_not_hide_the_end() {
    let since = Instant::now();
    let error = search(&mut start("sleep 60 & exit 3"), &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Died { status: Some(status), .. } if status.code() == Some(3)));
    assert!(since.elapsed() < LONG);
}

#[test]
fn the_last_move_before_the_end_counts() {
    let mut client = start("read a; read a; echo bestmove e2e4; exit 0");
    assert!(search(&mut client, &Game::default()).unwrap().mv.is_some());
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Died { status: Some(status), .. } if status.success()));
}

#[test]
fn children_are_killed_too() {
    if std::process::Command::new("ps").output().is_err() {
        eprintln!("SKIPPED: there is no ps to ask");
        return;
    }
    let mut client = start("sleep 60 & echo info string $! >&2; wait");
    let pid = loop {
        let tail = client.stderr_tail();
        match tail.split_whitespace().last() {
            Some(pid) if tail.ends_with('\n') => break pid.to_owned(),
            _ => std::thread::yield_now(),
        }
    };
    let runs = || {
        let ps = std::process::Command::new("ps").args(["-o", "stat=", "-p", &pid]).output().unwrap();
        let state = String::from_utf8_lossy(&ps.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    };
    assert!(runs());
    drop(client);
    let deadline = Instant::now() + LONG;
    while runs() {
        assert!(Instant::now() < deadline, "process {pid} still runs");
    }
}

#[test]
fn an_engine_that_does_not_read_holds_nobody_up() {
    let mut client = start("sleep 60");
    let deadline = Instant::now() + Duration::from_millis(300);
    // More than a pipe holds.
    for _ in 0..20_000 {
        client.stop().unwrap();
    }
    let error = client.search(&Game::default(), &GoLimits::depth(1), deadline, |_| {}).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { what: "bestmove", .. }), "{error:?}");
}

#[test]
fn a_flood_of_lines_is_no_harm() {
    let timeouts = Timeouts { quit: Duration::from_millis(200), ..timeouts() };
    let mut client = Client::start(&script("yes info string flood"), &timeouts, None).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let since = Instant::now();
    let deadline = since + Duration::from_millis(300);
    let error = client.search(&Game::default(), &GoLimits::depth(1), deadline, |_| {}).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error:?}");
    assert!(matches!(client.ping(Duration::from_millis(200)), Err(ClientError::Timeout { .. })));
    assert!(matches!(client.quit(), Err(ClientError::Timeout { .. })));
    assert!(since.elapsed() < LONG);
}

#[test]
fn a_long_error_output_is_cut() {
    let mut client = start("seq 1 5000 >&2; echo the end >&2; exit 1");
    let Err(ClientError::Died { stderr_tail, .. }) = search(&mut client, &Game::default()) else { panic!() };
    assert!(stderr_tail.ends_with("5000\nthe end\n") && stderr_tail.len() <= 4096, "{stderr_tail}");
}
