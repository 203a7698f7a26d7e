//! UCI engines, with and without faults.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use crate::common::{LONG, Transcript, fake, play, search, start, timeouts};
use bartizan_client::{
    Action, Client, ClientError, Clocks, EngineConfig, EngineEvent, Limits, OptionKind, Protocol, Score, Variant,
};
use bartizan_position::{Game, Position};
use std::time::{Duration, Instant};

fn start_error(config: &EngineConfig) -> ClientError {
    config.start().unwrap_err()
}

#[test]
fn an_engine_of_the_other_protocol_is_recognised() {
    let short = timeouts().with_answer(Duration::from_secs(2));
    let start = |flags: &str, protocol| {
        let mut config = fake(flags).timeouts(short).name("engine");
        config.protocol = protocol;
        config.start().unwrap_err()
    };
    let error = start("--xboard", Protocol::Uci);
    assert!(matches!(error, ClientError::OtherProtocol { speaks: Protocol::Xboard, .. }), "{error:?}");
    assert_eq!(error.to_string(), "engine: does not answer as a UCI engine, but as an xboard engine");
    let error = start("", Protocol::Xboard);
    assert!(matches!(error, ClientError::OtherProtocol { speaks: Protocol::Uci, .. }), "{error:?}");
    // A program that speaks neither protocol is reported as before.
    assert!(matches!(start("--no-handshake", Protocol::Uci), ClientError::Timeout { expected: "uciok", .. }));
}

#[test]
fn lines_of_a_game() {
    let transcript = Transcript::default();
    let config = fake("").option("hash", 32).option("Clear Hash", "").option("Style", "very wild");
    let mut client = transcript.of(config).start().unwrap();
    assert_eq!((client.name(), client.author()), ("Fake engine", Some("Nemo")));
    assert_eq!(client.option("style").unwrap().name, "Style");
    assert_eq!(client.options()[0].kind, OptionKind::Spin { default: 16, min: 1, max: 64 });
    let expected = ["uci", "setoption name Hash value 32", "setoption name Clear Hash"];
    let expected = [&expected[..], &["setoption name Style value Very Wild", "isready"]].concat();
    assert_eq!(transcript.take_sent(), expected);

    client.new_game().unwrap();
    assert_eq!(transcript.take_sent(), ["ucinewgame", "isready"]);

    let mut game = Game::default();
    game.push(game.position().parse_uci("e2e4").unwrap()).unwrap();
    let clocks = Clocks { moves_to_go: Some(40), ..Clocks::both(Duration::from_secs(60), Duration::from_millis(500)) };
    let limits = Limits::clock(clocks).with_depth(3).with_nodes(1000);
    let mut analysis = client.analyse(&game, &limits).unwrap();
    let infos = analysis.by_ref().map(Result::unwrap).count();
    let reply = analysis.wait().unwrap();
    let go = "go wtime 60000 btime 60000 winc 500 binc 500 movestogo 40 depth 3 nodes 1000";
    assert_eq!(transcript.take_sent(), ["position startpos moves e2e4", go]);

    let mv = reply.best_move().unwrap();
    let next = game.position().play(mv).unwrap();
    assert!(next.is_legal(reply.ponder.unwrap()));
    let info = reply.info().unwrap();
    assert_eq!((info.score, info.nodes, info.seldepth), (Some(Score::Cp(7)), Some(21), Some(2)));
    assert_eq!((info.legal_pv(game.position()), &info.pv_text), (vec![mv], &mv.to_uci(Variant::Standard).to_string()));
    assert_eq!((infos, reply.lines.len()), (2, 1));
    assert!(reply.elapsed < LONG);

    client.quit().unwrap();
    assert_eq!(transcript.take_sent(), ["quit"]);
}

#[test]
fn options_are_checked() {
    let cases = [
        ("Wings", "3", "cannot set option 'Wings': the engine has no such option"),
        ("ClearHash", "", "cannot set option 'ClearHash': the engine has no such option; did you mean 'Clear Hash'?"),
        ("Hash", "65", "cannot set option 'Hash': '65' is not in the range 1 to 64"),
        ("Hash", "much", "cannot set option 'Hash': 'much' is not a whole number"),
        ("Style", "Drunk", "cannot set option 'Style': 'Drunk' is not one of 'Solid', 'Very Wild'"),
        ("Clear Hash", "now", "cannot set option 'Clear Hash': a button takes no value, found 'now'"),
    ];
    for (name, value, expected) in cases {
        let error = start_error(&fake("").option(name, value));
        assert!(matches!(error, ClientError::Option { .. }));
        assert_eq!(error.to_string(), format!("Fake engine: {expected}"));
    }
}

#[test]
fn chess960() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("").variant(Variant::Chess960).name("Fischer")).start().unwrap();
    assert_eq!((client.name(), client.own_name()), ("Fischer", Some("Fake engine")));
    client.new_game().unwrap();
    let mut game = Game::new(Position::from_fen("1k6/8/8/8/8/8/8/5K1R w K - 0 1").unwrap());
    game.push(game.position().parse_uci("f1h1").unwrap()).unwrap();
    search(&mut client, &game).unwrap();
    client.set_variant(Variant::Standard);
    client.new_game().unwrap();
    let sent = transcript.take_sent();
    let count = |line: &str| sent.iter().filter(|sent| *sent == line).count();
    assert_eq!(count("position fen 1k6/8/8/8/8/8/8/5K1R w H - 0 1 moves f1h1"), 1);
    assert_eq!(count("setoption name UCI_Chess960 value true"), 1);
    assert_eq!(count("setoption name UCI_Chess960 value false"), 1);
}

#[test]
fn whole_games() {
    let (mut white, mut black) = (start("--chatter"), start("--junk --seed 5"));
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        white.new_game().unwrap();
        black.new_game().unwrap();
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        play([&mut white, &mut black], &mut game, &Limits::depth(1), 60);
    }
}

#[test]
fn a_late_move_is_timed() {
    let mut client = start("--late 150");
    let reply = search(&mut client, &Game::default()).unwrap();
    assert!(reply.elapsed >= Duration::from_millis(150), "{:?}", reply.elapsed);

    let before = Instant::now();
    client.start_search(&Game::default(), &Limits::depth(1)).unwrap();
    let starting = before.elapsed();
    // The engine is ready after its move.
    client.ping().unwrap();
    let (arrived, at_most) = (Instant::now(), before.elapsed());
    // The move's time does not depend on when the caller asks for it: well after the start, to exclude any doubt.
    while arrived.elapsed() <= starting {
        std::thread::yield_now();
    }
    let best = loop {
        if let EngineEvent::BestMove(best) = client.next_event().unwrap() {
            break best;
        }
    };
    assert!(best.elapsed >= Duration::from_millis(150) && best.elapsed <= at_most, "{best:?} {at_most:?}");
}

#[test]
fn a_crash_is_noticed_at_once() {
    let mut client = start("--crash-at 2");
    search(&mut client, &Game::default()).unwrap();
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(&error, ClientError::Exited { status: Some(status), .. } if !status.success()), "{error:?}");
    let text = error.to_string();
    assert!(
        text.starts_with("Fake engine: exited (")
            && text.contains("after 'go depth 1'")
            && text.contains("a planted crash at move 2"),
        "{text}"
    );
    assert!(!client.is_alive());
    assert!(matches!(search(&mut client, &Game::default()), Err(ClientError::Exited { .. })));
    assert!(matches!(client.ping(), Err(ClientError::Exited { .. })));
    client.quit().unwrap();

    let error = start_error(&fake("--crash-at 0"));
    assert!(error.to_string().contains("a planted crash at the start"), "{error}");
}

#[test]
fn a_hanging_engine_meets_its_deadline() {
    let short = Duration::from_millis(100);
    let mut client = fake("--hang-at 1").timeouts(timeouts().with_margin(short)).start().unwrap();
    let error = client.play(&Game::default(), &Limits::move_time(short)).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "bestmove", .. }), "{error:?}");
    let text = error.to_string();
    assert!(
        text.starts_with("Fake engine: no bestmove within 0.") && text.ends_with("s of 'go movetime 100'"),
        "{text}"
    );
    assert!(client.is_alive());
    assert!(matches!(client.ping_within(short), Err(ClientError::Timeout { expected: "readyok", .. })));
    // Dropping it kills it; a hang lasts a minute.
    let since = Instant::now();
    drop(client);
    assert!(since.elapsed() < LONG);
}

#[test]
fn illegal_moves_are_errors() {
    let mut client = start("--illegal-at 1 --nonsense-at 2");
    for text in ["e1e8", "resign!?"] {
        let error = search(&mut client, &Game::default()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("Fake engine: illegal move '{text}' in 'rnbq")), "{error}");
    }
    assert!(search(&mut client, &Game::default()).unwrap().best_move().is_some());
    let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(search(&mut client, &Game::new(mated)).unwrap().action, Action::NoLegalMove);
}

#[test]
fn handshakes() {
    start("--slow-handshake 300");
    let short = timeouts().with_answer(Duration::from_millis(300));
    let begin = Instant::now();
    let error = start_error(&fake("--no-handshake").timeouts(short));
    // The question for the other protocol is part of the wait.
    assert!(begin.elapsed() < Duration::from_millis(1200), "{:?}", begin.elapsed());
    assert!(matches!(error, ClientError::Timeout { expected: "uciok", .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with("fake-engine: no uciok within 0.3") && text.ends_with(" s of 'uci'"), "{text}");
    let error = Client::uci("no-such-engine").unwrap_err();
    assert!(matches!(error, ClientError::Start { .. }));
    assert!(error.to_string().starts_with("no-such-engine: cannot start 'no-such-engine': "), "{error}");
}

#[test]
fn an_infinite_search_ends_with_stop() {
    let mut client = start("");
    client.start_search(&Game::default(), &Limits::infinite()).unwrap();
    client.ping().unwrap();
    client.stop().unwrap();
    assert!(matches!(client.next_event(), Ok(EngineEvent::Info(_))));
    assert!(matches!(client.next_event(), Ok(EngineEvent::Info(_))));
    assert!(matches!(client.next_event(), Ok(EngineEvent::BestMove(best)) if best.mv.is_some()));
    // A running search is stopped before the next.
    client.start_search(&Game::default(), &Limits::infinite()).unwrap();
    assert!(search(&mut client, &Game::default()).unwrap().best_move().is_some());
    client.start_search(&Game::default(), &Limits::infinite()).unwrap();
    client.new_game().unwrap();
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    let config = fake("--ignore-quit").timeouts(timeouts().with_quit(Duration::from_millis(200)));
    let error = config.start().unwrap().quit().unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "exit", .. }), "{error:?}");
}

#[test]
fn clients_can_be_sent_to_other_threads() {
    fn send<T: Send>(_: &T) {}
    send(&start(""));
}

#[test]
fn multipv_gives_all_lines() {
    let mut client = fake("").option("MultiPV", 3).start().unwrap();
    let game = Game::default();
    let mut analysis = client.analyse(&game, &Limits::depth(1)).unwrap();
    let ranks: Vec<_> = analysis.by_ref().filter_map(|info| info.unwrap().multipv).collect();
    assert_eq!(ranks, [1, 2, 3]);
    assert!(analysis.next().is_none());
    let reply = analysis.stop().unwrap();
    let scores: Vec<_> = reply.lines.iter().map(|info| info.score.unwrap()).collect();
    assert_eq!(scores, [7, 6, 5].map(Score::Cp));
    assert_eq!(reply.best_move(), reply.lines[0].legal_pv(game.position()).first().copied());
    assert_ne!(reply.lines[0].pv, reply.lines[1].pv);
}

#[test]
fn search_moves_restrict_the_search() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("")).start().unwrap();
    let game = Game::default();
    let moves = ["a2a3", "h2h4"].map(|mv| game.position().parse_uci(mv).unwrap());
    let reply = client.play(&game, &Limits::mate(2).with_search_moves(moves)).unwrap();
    assert!(moves.contains(&reply.best_move().unwrap()));
    assert_eq!(transcript.take_sent().pop().unwrap(), "go mate 2 searchmoves a2a3 h2h4");
}

#[test]
fn dropping_an_analysis_stops_the_search() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("")).start().unwrap();
    let game = Game::default();
    drop(client.analyse(&game, &Limits::infinite()).unwrap());
    assert!(client.is_searching());
    search(&mut client, &game).unwrap();
    assert!(!client.is_searching());
    let sent = transcript.take_sent();
    assert_eq!(sent[sent.len() - 4..], ["go infinite", "stop", "position startpos", "go depth 1"]);
}

#[test]
fn playing_without_limits_is_refused() {
    let error = start("").play(&Game::default(), &Limits::infinite()).unwrap_err();
    assert!(matches!(error, ClientError::Endless { .. }), "{error:?}");
}

#[test]
fn a_ponder_hit_continues_the_search() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("")).start().unwrap();
    let mut game = Game::default();
    let reply = search(&mut client, &game).unwrap();
    game.push(reply.best_move().unwrap()).unwrap();
    game.push(reply.ponder.unwrap()).unwrap();
    transcript.take_sent();
    let limits = Limits::clock(Clocks::both(Duration::from_secs(60), Duration::ZERO));
    let (since, pause) = (Instant::now(), Duration::from_millis(200));
    client.ponder(&game, &limits).unwrap();
    std::thread::sleep(pause);
    let reply = client.ponder_hit().unwrap().wait().unwrap();
    assert!(game.position().is_legal(reply.best_move().unwrap()));
    // The time before the ponder hit belongs to the opponent.
    assert!(reply.elapsed + pause <= since.elapsed(), "{:?}", reply.elapsed);
    let sent = transcript.take_sent();
    assert_eq!(sent[0], "setoption name Ponder value true");
    assert_eq!(sent[2..], ["go ponder wtime 60000 btime 60000 winc 0 binc 0", "ponderhit"]);

    // After another move, the search is stopped and its move discarded.
    client.ponder(&game, &limits).unwrap();
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
    let error = client.ponder_hit().unwrap_err();
    assert_eq!(error.to_string(), "Fake engine: cannot accept a ponder hit, because it is not pondering");
}

#[test]
fn positions_of_chess960_are_recognized() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("")).start().unwrap();
    let game = Game::new(Position::from_fen("1k6/8/8/8/8/8/8/5K1R w K - 0 1").unwrap());
    search(&mut client, &game).unwrap();
    search(&mut client, &Game::default()).unwrap();
    let sent = transcript.take_sent();
    let values: Vec<_> = sent.iter().filter(|line| line.contains("UCI_Chess960")).collect();
    assert_eq!(values, ["setoption name UCI_Chess960 value true", "setoption name UCI_Chess960 value false"]);
}

#[test]
fn extreme_times_do_not_overflow() {
    let longest = timeouts().with_answer(Duration::MAX).with_margin(Duration::MAX).with_quit(Duration::MAX);
    let mut client = fake("").timeouts(longest).start().unwrap();
    assert!(client.play(&Game::default(), &Limits::move_time(Duration::MAX)).is_ok());
    client.quit().unwrap();
}
