//! Misbehaving processes, made with a shell.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // In a test a panic is the report.

use crate::common::{LONG, search, timeouts};
use bartizan_client::{Client, ClientError, EngineConfig, Limits};
use bartizan_position::Game;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

const GREET: &str = "read a; echo uciok; read a; echo readyok;";

fn script(rest: &str) -> EngineConfig {
    EngineConfig::uci("sh").arg("-c").arg(format!("{GREET} {rest}")).name("script").timeouts(timeouts())
}

fn start(rest: &str) -> Client {
    script(rest).start().unwrap()
}

#[test]
fn closed_output_counts_as_an_exit() {
    let since = Instant::now();
    let error = search(&mut start("exec >&-; sleep 60"), &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Exited { status: None, .. }), "{error:?}");
    assert!(error.to_string().starts_with("script: closed a pipe after '"), "{error}");
    assert!(since.elapsed() < LONG);
}

#[test]
fn an_output_held_open_by_a_child_does_not_hide_the_exit() {
    let since = Instant::now();
    let error = search(&mut start("sleep 60 & exit 3"), &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Exited { status: Some(status), .. } if status.code() == Some(3)));
    assert!(since.elapsed() < LONG);
}

#[test]
fn a_move_just_before_the_exit_counts() {
    let mut client = start("read a; read a; echo bestmove e2e4; exit 0");
    assert!(search(&mut client, &Game::default()).unwrap().best_move().is_some());
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Exited { status: Some(status), .. } if status.success()));
}

#[test]
fn a_wait_can_be_cancelled() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut client = script("read a; read a; sleep 60").cancel(Arc::clone(&flag)).start().unwrap();
    client.start_search(&Game::default(), &Limits::depth(1)).unwrap();
    flag.store(true, Relaxed);
    assert!(matches!(client.next_event(), Err(ClientError::Cancelled { .. })));
    let error = EngineConfig::uci("sh").args(["-c", "sleep 60"]).cancel(flag).start().unwrap_err();
    assert_eq!(error.to_string(), "sh: cancelled");
}

/// A slow engine is asked whether it speaks the other protocol, and may still answer in its own.
#[test]
fn an_answer_after_the_other_greeting_counts() {
    let answer = |script: &str| {
        let timeouts = timeouts().with_answer(Duration::from_secs(4));
        EngineConfig::uci("sh").arg("-c").arg(script).timeouts(timeouts)
    };
    answer("read uci; read xboard; read protover; echo uciok; read isready; echo readyok; read quit").start().unwrap();
    let error = answer("read uci; echo id name x; read isready").start().unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "uciok", .. }), "{error:?}");
    let mut xboard = answer("read xboard; read protover; read uci; echo feature ping=0 done=1; read quit");
    xboard.protocol = bartizan_client::Protocol::Xboard;
    xboard.start().unwrap();
}

/// An endless stream of lines of a kilobyte; `$1` is written once before it.
const FLOOD: &str = "flood() { echo \"$1\"; exec tr '\\0' x < /dev/zero | fold -w 1000; }; flood";

#[test]
fn a_flood_of_lines_before_an_answer_is_an_error() {
    let timeouts = timeouts().with_answer(10 * LONG);
    let uci = |script: String| EngineConfig::uci("sh").arg("-c").arg(script).name("script").timeouts(timeouts);
    let mut xboard = uci(format!("read a; {FLOOD} 'feature done=0'"));
    xboard.protocol = bartizan_client::Protocol::Xboard;
    for (config, expected) in [
        (uci(format!("read a; {FLOOD} id")), "no uciok after 'uci'"),
        (uci(format!("read a; {FLOOD} uciok")), "no readyok after 'isready'"),
        (xboard, "no feature done=1 after 'accepted done'"),
    ] {
        let error = config.start().unwrap_err();
        assert!(matches!(error, ClientError::Flood { lines: 1_000.., bytes: 10_000_000.., .. }), "{error:?}");
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(error.to_string().len() < 300, "{error}");
    }
    // During a search, the lines are kept for it, but not without limit.
    let mut client = start(&format!("read a; read a; {FLOOD} info"));
    client.start_search(&Game::default(), &Limits::infinite()).unwrap();
    let error = client.ping().unwrap_err();
    assert!(matches!(error, ClientError::Flood { .. }), "{error:?}");
}

#[test]
fn a_line_without_end_and_a_flood_of_errors_are_bounded() {
    let mut config = EngineConfig::uci("sh").arg("-c").arg("read a; tr '\\0' x < /dev/zero; exit");
    config = config.name("script").timeouts(timeouts().with_answer(Duration::from_millis(200)));
    assert!(matches!(config.start().unwrap_err(), ClientError::Timeout { .. }));
    let mut client = start("tr '\\0' x < /dev/zero >&2");
    while client.stderr_tail().len() < 4096 {
        std::thread::yield_now();
    }
    assert!(client.stderr_tail().len() <= 4096 && client.is_alive());
}

#[test]
fn children_are_killed_too() {
    if std::process::Command::new("ps").output().is_err() {
        eprintln!("SKIPPED: the program ps is not installed");
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
fn an_engine_that_does_not_read_does_not_block_the_client() {
    let mut client = start("sleep 3600");
    // More than a pipe holds.
    let game = Game::default();
    for _ in 0..20_000 {
        let _ = client.ping_within(Duration::ZERO);
    }
    client.start_search(&game, &Limits::depth(1)).unwrap();
    let error = client.next_event_before(Instant::now() + Duration::from_millis(100)).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "bestmove", .. }), "{error:?}");
}

#[test]
fn a_flood_of_lines_does_not_postpone_deadlines() {
    let short = Duration::from_millis(200);
    let config = script("yes info string flood").timeouts(timeouts().with_margin(short).with_quit(short));
    let mut client = config.start().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let since = Instant::now();
    let error = client.play(&Game::default(), &Limits::move_time(short)).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error:?}");
    assert!(matches!(client.ping_within(short), Err(ClientError::Timeout { .. } | ClientError::Flood { .. })));
    assert!(matches!(client.quit(), Err(ClientError::Timeout { .. })));
    assert!(since.elapsed() < LONG);
}

#[test]
fn only_the_end_of_standard_error_is_kept() {
    let mut client = start("seq 1 5000 >&2; echo the end >&2; exit 1");
    let Err(ClientError::Exited { stderr_tail, .. }) = search(&mut client, &Game::default()) else { panic!() };
    assert!(stderr_tail.ends_with("5000\nthe end\n") && stderr_tail.len() <= 4096, "{stderr_tail}");
}
