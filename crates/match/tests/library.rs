//! Matches played by another program: between fake engines, through the public interface.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_match::stats::{Sprt, SprtModel};
use bartizan_match::{
    EngineLimits, EngineSpec, Match, MatchEnd, MatchError, MatchEvent, MatchSettings, OpeningSettings, StopFlag,
    Termination, journal,
};
use bartizan_testkit::fake_engine;

fn engine(name: &str) -> EngineSpec {
    EngineSpec::new(fake_engine()).name(name).arg("--seed").arg(name.len().to_string())
}

/// Short games: the fake engine plays random moves, so only the length limit ends them.
fn short_match(engines: impl IntoIterator<Item = EngineSpec>) -> Match {
    let limits = EngineLimits { nodes: Some(1), ..EngineLimits::default() };
    Match::new(engines).limits(limits).max_moves(5)
}

#[test]
fn events_come_in_order_and_the_files_have_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, pgn) = (folder.path().join("j.jsonl"), folder.path().join("g.pgn"));
    let mut games = Vec::new();
    let outcome = short_match([engine("a"), engine("bb"), engine("ccc")])
        .rounds(2)
        .concurrency(2)
        .journal(&journal)
        .pgn(&pgn)
        .run(|event| match event {
            MatchEvent::Started { standing, games: count, openings } => {
                assert_eq!((standing.games, count, openings, games.len()), (0, 12, 1, 0));
            }
            MatchEvent::Game { record, standing } => {
                games.push(record.id);
                assert_eq!(standing.games, games.len());
            }
            event => panic!("{event:?}"),
        })
        .unwrap();
    assert_eq!((outcome.end, outcome.standing.games), (MatchEnd::Complete, 12));
    assert_eq!(outcome.standing.games_between(0, 2).total(), 4);
    assert_eq!(outcome.settings.label(1), "bb");
    let history = journal::read(&journal).unwrap();
    assert_eq!(history.games.iter().map(|game| game.id).collect::<Vec<_>>(), games);
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Event ").count(), 12);
    assert_eq!((text.matches("\n[ECO \"").count(), text.matches("\n[Opening \"").count()), (12, 12));
    let date = text.split_once("[Date \"").unwrap().1;
    let is_date = |date: &str| date.split('.').map(str::len).eq([4, 2, 2]) && date.starts_with("20");
    assert!(is_date(&date[..10]), "{}", &date[..10]);
}

#[test]
fn a_stopped_match_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    // Many games: on a busy machine, many are played before the first is reported.
    let new = || short_match([engine("a"), engine("bb")]).rounds(100);
    let stop = StopFlag::new();
    let mut games = 0;
    let outcome = new()
        .journal(&path)
        .stop_by(stop.clone())
        .run(|event| {
            games += usize::from(matches!(event, MatchEvent::Game { .. }));
            if games == 3 {
                stop.stop();
            }
        })
        .unwrap();
    assert!(outcome.end == MatchEnd::Interrupted && (3..200).contains(&games), "{games}");

    assert!(matches!(new().journal(&path).run(|_| {}), Err(MatchError::Journal(_))));
    let other = short_match([engine("a"), engine("ccc")]).resume(&path).run(|_| {});
    assert!(matches!(other, Err(MatchError::OtherMatch { .. })));

    let mut more = 0;
    let outcome =
        new().resume(&path).run(|event| more += usize::from(matches!(event, MatchEvent::Game { .. }))).unwrap();
    assert_eq!((outcome.end, outcome.standing.games, games + more), (MatchEnd::Complete, 200, 200));
}

#[test]
fn a_decided_test_ends_the_match_and_restarts_are_reported() {
    let strong = engine("strong");
    let weak = engine("weak").arg("--crash-at").arg("2");
    let mut restarts = 0;
    let outcome = short_match([strong, weak])
        .rounds(1_000)
        .sprt(Sprt::new(0.0, 400.0, 0.05, 0.05, SprtModel::Logistic).unwrap())
        .run(|event| {
            if let MatchEvent::Restart { engine, reason } = event {
                assert!(engine == 1 && reason.starts_with("crash: "), "{reason}");
                restarts += 1;
            }
        })
        .unwrap();
    assert_eq!(outcome.end, MatchEnd::Sprt);
    assert!(outcome.standing.games < 100 && restarts == outcome.standing.games);
    let crash = Termination::Crash.to_string();
    assert_eq!(outcome.standing.terminations[&crash], outcome.standing.games as u64);
}

/// An opening that an engine cannot set up is an error before the first game, not a lost game.
#[test]
fn an_opening_that_an_engine_cannot_set_up_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (openings, journal) = (folder.path().join("o.epd"), folder.path().join("j.jsonl"));
    // Edit mode cannot express which castling right is left.
    std::fs::write(&openings, "4k3/8/8/8/8/8/8/R3K2R w K - 0 1\n").unwrap();
    let xboard = engine("x").protocol(bartizan_client::Protocol::Xboard).arg("--xboard");
    for (engine_b, can) in [(xboard.clone(), true), (xboard.arg("--no-setboard"), false)] {
        let game_match = short_match([engine("a"), engine_b]).openings(OpeningSettings::new(&openings));
        let game_match = if can { game_match } else { game_match.journal(&journal) };
        match game_match.run(|_| {}) {
            Ok(outcome) => assert!(can && outcome.standing.lost_by_fault_count() == 0),
            Err(MatchError::Opening { position, source }) => {
                assert!(!can && source.to_string().ends_with("(it lacks the feature setboard)"), "{source}");
                assert_eq!(position, "4k3/8/8/8/8/8/8/R3K2R w K - 0 1");
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(!journal.exists());
    // Unplayed openings need not be set up.
    let others = format!("{}\n4k3/8/8/8/8/8/8/R3K2R w K - 0 1\n", bartizan_position::Position::startpos().to_fen());
    std::fs::write(&openings, others).unwrap();
    let plain = engine("x").protocol(bartizan_client::Protocol::Xboard).arg("--xboard").arg("--no-setboard");
    for (rounds, can) in [(1, true), (2, false)] {
        let game_match = short_match([engine("a"), plain.clone()]).openings(OpeningSettings::new(&openings));
        assert_eq!(game_match.rounds(rounds).run(|_| {}).is_ok(), can);
    }
}

#[test]
fn an_engine_is_started_anew_for_each_game_if_it_is_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut fresh = engine("fresh");
    fresh.restart = Some(true);
    let outcome = short_match([engine("kept"), fresh]).rounds(2).log(&log).run(|event| {
        assert!(!matches!(event, MatchEvent::Restart { .. }));
    });
    assert_eq!(outcome.unwrap().standing.games, 4);
    let text = std::fs::read_to_string(&log).unwrap();
    // Each is started once before the first game.
    let starts = |name: &str| text.lines().filter(|line| line.ends_with(&format!(" {name} > uci"))).count();
    assert_eq!((starts("kept"), starts("fresh")), (2, 5));
}

/// Engines with the same seed predict each other's moves. Nodes of pondered moves do not count.
#[test]
fn engines_think_in_the_opponents_time() {
    let folder = tempfile::tempdir().unwrap();
    for (other, hits, nodes) in [("b", 8, 20), ("bb", 0, 100)] {
        let log = folder.path().join(other);
        let engines = ["a", other].map(|name| {
            let mut engine = engine(name);
            engine.ponder = Some(true);
            engine
        });
        let outcome = short_match(engines).log(&log).run(|event| {
            if let MatchEvent::Game { record, .. } = event {
                assert_eq!((record.termination, record.plies, record.faults.len()), (Termination::TooLong, 10, 0));
                assert_eq!(record.sides.map(|side| (side.moves, side.nodes)), [(5, nodes); 2]);
            }
        });
        assert_eq!(outcome.unwrap().standing.games, 2);
        let text = std::fs::read_to_string(&log).unwrap();
        let count = |command: &str| text.matches(command).count();
        // The last ponder search ends with the game.
        assert_eq!((count("go ponder nodes 1"), count("ponderhit")), (2 * 9, 2 * hits), "{text}");
        assert_eq!(count("option name Ponder value true"), 4, "{text}");
    }
}

/// An engine that exits between two games is restarted without losing a game.
#[test]
fn an_engine_that_ends_between_games_loses_nothing() {
    let xboard = engine("xboard").protocol(bartizan_client::Protocol::Xboard).arg("--xboard").arg("--one-game");
    for other in [engine("uci").arg("--one-game"), xboard] {
        let mut restarts = 0;
        let game_match = short_match([engine("a"), other]).rounds(2).run(|event| {
            if let MatchEvent::Restart { engine, reason } = event {
                assert!(engine == 1 && reason.contains(" after '"), "{reason}");
                restarts += 1;
            }
        });
        let standing = game_match.unwrap().standing;
        assert_eq!((standing.games, standing.lost_by_fault_count(), restarts), (4, 0, 3));
    }
}

/// The tag has a standard value, and the last comment the reason.
#[test]
fn a_game_tells_how_it_ended() {
    let mut games = Vec::new();
    let crash = engine("crash").arg("--crash-at").arg("2");
    short_match([crash, engine("a")])
        .run(|event| {
            if let MatchEvent::Game { record, .. } = event {
                games.push(record.clone());
            }
        })
        .unwrap();
    for game in games {
        let text = game.pgn.replace('\n', " ");
        assert!(text.contains("[Termination \"abandoned\"]"), "{text}");
        let comment = text.rsplit_once('{').unwrap().1;
        assert!(comment.contains(", crash: crash: ") && comment.chars().count() < 300, "{text}");
        assert!(game.detail.contains("planted crash"), "{}", game.detail);
    }
}

/// The move number of a FEN does not make a game longer.
#[test]
fn the_length_of_a_game_is_counted_from_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.epd");
    std::fs::write(&file, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 80\n").unwrap();
    let mut plies = Vec::new();
    let openings = bartizan_match::OpeningSettings::new(&file);
    let game_match = short_match([engine("a"), engine("bb")]).openings(openings).run(|event| {
        if let MatchEvent::Game { record, .. } = event {
            plies.push((record.termination, record.plies));
        }
    });
    game_match.unwrap();
    assert_eq!(plies, [(Termination::TooLong, 10); 2]);
}

/// A resignation after the move counts at the next turn, even with protocol checks enabled.
#[test]
fn strictness_changes_no_result() {
    for strict in [false, true] {
        let xboard = engine("b").protocol(bartizan_client::Protocol::Xboard).arg("--xboard");
        let mut settings = MatchSettings::default();
        settings.engines = vec![engine("a").nodes(1), xboard.arg("--late-resign-at").arg("2").nodes(1)];
        (settings.strict, settings.max_moves) = (strict, Some(5));
        let mut first = None;
        let game_match = Match::from(settings).run(|event| {
            if let MatchEvent::Game { record, .. } = event {
                first.get_or_insert((record.termination, record.plies));
            }
        });
        game_match.unwrap();
        assert_eq!(first, Some((Termination::Resignation, 5)));
    }
}

/// The fake engine reports 21 nodes for each move.
#[test]
fn nodes_count_as_time() {
    let limits = EngineLimits { tc: Some("0.1+0.01".parse().unwrap()), nodestime: Some(1), ..EngineLimits::default() };
    let mut games = 0;
    let outcome = Match::new([engine("a"), engine("bb")]).limits(limits).rounds(1).run(|event| {
        let MatchEvent::Game { record, .. } = event else { return };
        games += 1;
        // 100, 89, 78, 67, 56, 45, 34, 23 and 12 ms are left before White's moves.
        assert_eq!((record.termination, record.plies, &*record.detail), (Termination::TimeForfeit, 16, "late by 9 ms"));
        assert_eq!(record.pgn.matches("0.021s").count(), 16);
    });
    assert_eq!((outcome.unwrap().standing.games, games), (2, 2));
}

/// The errors state each cause once, however deeply nested.
#[test]
fn errors_are_typed_and_name_the_cause_once() {
    let chain = |error: &MatchError| {
        let mut text = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(error) = source {
            text += &format!(": {error}");
            source = error.source();
        }
        text
    };
    let error = short_match([engine("a"), EngineSpec::new("no-such-engine")]).run(|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Engine(_)));
    assert_eq!(chain(&error).matches("no-such-engine'").count(), 1, "{}", chain(&error));
    assert_eq!(chain(&error).matches("(os error 2)").count(), 1, "{}", chain(&error));

    let old = engine("old").protocol(bartizan_client::Protocol::Xboard).arg("--xboard").arg("--old");
    let error = short_match([engine("a"), old]).run(|_| {}).unwrap_err();
    assert_eq!(chain(&error), "old: cannot limit nodes (it lacks the feature nps)");

    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none").join("file");
    for game_match in [
        short_match([engine("a"), engine("bb")]).journal(&missing),
        short_match([engine("a"), engine("bb")]).resume(&missing),
        short_match([engine("a"), engine("bb")]).pgn(&missing),
        short_match([engine("a"), engine("bb")]).log(&missing),
        short_match([engine("a"), engine("bb")]).openings(bartizan_match::OpeningSettings::new(&missing)),
    ] {
        let error = chain(&game_match.run(|_| {}).unwrap_err());
        assert_eq!(error.matches(&format!("'{}'", missing.display())).count(), 1, "{error}");
        assert_eq!(error.matches("(os error 2)").count(), 1, "{error}");
    }
    assert!(matches!(short_match([engine("a")]).run(|_| {}), Err(MatchError::Settings(_))));
}

/// The log must not be another file of the match, or a file of another kind.
#[test]
fn a_log_spoils_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let new = || short_match([engine("a"), engine("bb")]);
    new().journal(path("j")).pgn(path("p")).log(path("log")).run(|_| {}).unwrap();
    std::fs::write(path("o.epd"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n").unwrap();
    let names = ["j", "p", "log", "o.epd"];
    let texts = || names.map(|name| std::fs::read_to_string(path(name)).unwrap());
    let before = texts();
    for (refused, reason) in [
        (new().resume(path("j")).log(path("./j")), "it is also the journal"),
        (new().journal(path("none")).log(path("none")), "it is also the journal"),
        (new().pgn(path("p")).log(path("p")), "it is also the PGN file"),
        (
            new().openings(bartizan_match::OpeningSettings::new(path("o.epd"))).log(path("o.epd")),
            "it is also the file of openings",
        ),
        (new().log(path("p")), "the file exists and is not a log of a match"),
    ] {
        let Err(MatchError::Write { source, .. }) = refused.rounds(2).run(|_| {}) else { panic!("{reason}") };
        assert_eq!(source.to_string(), reason);
    }
    assert!(texts() == before && !path("none").exists());
    new().log(path("log")).run(|_| {}).unwrap();
    assert!(texts()[2].len() > before[2].len());
}

/// An unwritable log does not end a match, and is reported once. Otherwise it has whole lines.
#[test]
fn a_log_that_lacks_lines_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let run = |log: &std::path::Path| {
        let mut failures = Vec::new();
        let outcome = short_match([engine("a"), engine("bb")])
            .log(log)
            .run(|event| {
                if let MatchEvent::LogFailed { path, error } = event {
                    failures.push(format!("{}: {error}", path.display()));
                }
            })
            .unwrap();
        assert_eq!((outcome.end, outcome.standing.games), (MatchEnd::Complete, 2));
        failures
    };
    assert!(run(&log).is_empty());
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.ends_with('\n') && text.lines().all(|line| line.len() > 13), "{text}");
    if cfg!(target_os = "linux") {
        let failures = run("/dev/full".as_ref());
        assert!(failures.len() == 1 && failures[0].starts_with("/dev/full: No space left"), "{failures:?}");
    }
}
