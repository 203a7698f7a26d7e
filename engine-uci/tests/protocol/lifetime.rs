//! The program ends on `quit` and at the end of its input, even during a search.

use crate::support::engine::SEARCH;
use crate::support::{Engine, PROMPT};

#[test]
fn end_of_input_ends_it() {
    for before in
        ["", "go infinite", "go ponder wtime 1000 btime 1000", "go infinite depth 1", "go", "go infinite\nponderhit"]
    {
        let mut engine = Engine::ready();
        if !before.is_empty() {
            engine.send(before);
            engine.wait_until("info … pv", SEARCH, |line| line.contains(" pv "));
        }
        engine.close_input();
        let (lines, status) = engine.wait_exit(PROMPT);
        assert!(status.success(), "after `{before}`: {status}");
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, usize::from(!before.is_empty()), "after `{before}`: {lines:?}");
    }
}

#[test]
fn end_of_input_waits_for_what_ends_by_itself() {
    for (text, ends) in [
        ("go depth 6", &["bestmove"][..]),
        ("go nodes 20000", &["bestmove"]),
        ("go movetime 100", &["bestmove"]),
        ("go wtime 1000 btime 1000", &["bestmove"]),
        ("go depth 3\nposition startpos moves e2e4\ngo depth 3", &["bestmove", "bestmove"]),
        ("position startpos moves e2e4\ngo infinite\ngo ponder\ngo depth 2", &["bestmove", "bestmove", "bestmove"]),
        ("go infinite\nstop", &["bestmove"]),
        ("go ponder depth 2\nponderhit", &["bestmove"]),
        ("go perft 4", &["Nodes searched: 197281"]),
        // Deep enough that `eval` is answered before it ends, even in a build without optimisation.
        ("perft 5\neval", &["Static evaluation", "Nodes searched: 4865609"]),
        ("bench 1 1 2\neval", &[" nps", "Static evaluation"]),
    ] {
        let mut engine = Engine::start();
        engine.send(text);
        engine.close_input();
        let (lines, status) = engine.wait_exit(SEARCH);
        assert!(status.success(), "after `{text}`: {status}");
        let is_answer = |line: &&String| {
            line.ends_with(" nps")
                || ["bestmove ", "Nodes searched", "Static"].iter().any(|start| line.starts_with(start))
        };
        let found: Vec<&String> = lines.iter().filter(is_answer).collect();
        assert!(
            found.len() == ends.len() && found.iter().zip(ends).all(|(line, end)| line.contains(end)),
            "after `{text}`: {lines:?}"
        );
    }
}

#[test]
fn quit_ends_it() {
    for before in ["", "go infinite", "go ponder wtime 1000 btime 1000", "go wtime 600000 btime 600000"] {
        let mut engine = Engine::ready();
        if !before.is_empty() {
            engine.send(before);
            engine.wait_until("info … pv", SEARCH, |line| line.contains(" pv "));
        }
        // Even if the input stays open.
        engine.send("quit");
        let (lines, status) = engine.wait_exit(PROMPT);
        assert!(status.success(), "after `{before}`: {status}");
        // The move of a running search comes first, as from Stockfish.
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, usize::from(!before.is_empty()), "after `{before}`: {lines:?}");
    }
}

/// Nothing that follows `quit` is done, and nothing that waited.
#[test]
fn quit_answers_only_the_running_search() {
    let mut engine = Engine::ready();
    engine.send("go infinite\nposition startpos moves e2e4\ngo depth 2\nquit\ngo depth 3\nd\nisready");
    let (lines, status) = engine.wait_exit(PROMPT);
    assert!(status.success(), "{status}");
    let others = lines.iter().filter(|line| !line.starts_with("info ")).count();
    assert!(others == 1 && lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
}

#[test]
fn end_of_input_at_once_ends_it() {
    let mut engine = Engine::start();
    engine.close_input();
    let (lines, status) = engine.wait_exit(PROMPT);
    assert!(lines.is_empty(), "{lines:?}");
    assert!(status.success(), "{status}");
}

#[test]
fn a_last_line_without_an_end_is_read() {
    let mut engine = Engine::start();
    engine.send_bytes(b"isready");
    engine.close_input();
    let (lines, status) = engine.wait_exit(PROMPT);
    assert_eq!(lines, ["readyok"]);
    assert!(status.success(), "{status}");
}

#[test]
fn search_and_quit_in_one_burst_end_it() {
    for text in ["go infinite\nquit\n", "go depth 30\nstop\nquit\n", "go ponder\nponderhit\nquit\n", "go infinite\n"] {
        let mut engine = Engine::start();
        engine.send_bytes(text.as_bytes());
        engine.close_input();
        let (lines, status) = engine.wait_exit(PROMPT);
        assert!(lines.iter().filter(|line| line.starts_with("bestmove")).count() <= 1, "{lines:?}");
        assert!(status.success(), "after {text:?}: {status}");
    }
}
