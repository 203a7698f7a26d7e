//! A UCI engine, well-behaved and not.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

mod common;

use bartizan_client::{Client, ClientError, Clocks, EngineConfig, Event, GoLimits, Score, Timeouts};
use bartizan_position::{Game, Position};
use common::{LONG, Transcript, fake, play, search, start, timeouts};
use std::time::{Duration, Instant};

fn start_error(config: &EngineConfig, timeouts: &Timeouts) -> ClientError {
    Client::start(config, timeouts, None).unwrap_err()
}

#[test]
fn what_is_said() {
    let transcript = Transcript::default();
    let options = [("hash", "32"), ("Clear Hash", ""), ("Style", "very wild")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let config = EngineConfig { options, ..fake("") };
    let mut client = Client::start(&config, &timeouts(), transcript.log()).unwrap();
    assert_eq!(client.name(), "Fake engine");
    let expected = ["uci", "setoption name Hash value 32", "setoption name Clear Hash"];
    let expected = [&expected[..], &["setoption name Style value Very Wild", "isready"]].concat();
    assert_eq!(transcript.take_sent(), expected);

    client.new_game(false).unwrap();
    assert_eq!(transcript.take_sent(), ["ucinewgame", "isready"]);

    let mut game = Game::default();
    game.push(game.position().parse_uci("e2e4").unwrap()).unwrap();
    let clocks = Clocks { moves_to_go: Some(40), ..Clocks::both(Duration::from_secs(60), Duration::from_millis(500)) };
    let limits = GoLimits { depth: Some(3), nodes: Some(1000), ..GoLimits::clock(clocks) };
    let mut infos = 0;
    let answer = client.search(&game, &limits, Instant::now() + LONG, |_| infos += 1).unwrap();
    let go = "go wtime 60000 btime 60000 winc 500 binc 500 movestogo 40 depth 3 nodes 1000";
    assert_eq!(transcript.take_sent(), ["position startpos moves e2e4", go]);

    let mv = answer.mv.unwrap();
    assert!(game.position().is_legal(mv));
    assert_eq!(answer.text, mv.uci(false).to_string());
    let info = answer.last_info.unwrap();
    assert_eq!((info.score, info.nodes, info.seldepth), (Some(Score::Cp(7)), Some(21), Some(2)));
    assert_eq!((info.pv, info.pv_text), (vec![mv.uci(false)], answer.text));
    assert_eq!(infos, 2);
    assert!(answer.elapsed < LONG && answer.received_at < Instant::now());

    client.quit().unwrap();
    assert_eq!(transcript.take_sent(), ["quit"]);
}

#[test]
fn options_are_checked() {
    let cases = [
        ("Wings", "3", "option `Wings`: not declared by the engine"),
        ("Hash", "65", "option `Hash`: 65 is not in its range from 1 to 64"),
        ("Hash", "much", "option `Hash`: `much` is no whole number"),
        ("Style", "Drunk", "option `Style`: `Drunk` is none of `Solid`, `Very Wild`"),
        ("Clear Hash", "now", "option `Clear Hash`: a button has no value, not even `now`"),
    ];
    for (name, value, expected) in cases {
        let config = EngineConfig { options: vec![(name.to_owned(), value.to_owned())], ..fake("") };
        let error = start_error(&config, &timeouts());
        assert!(matches!(error, ClientError::Option { .. }));
        assert_eq!(error.to_string(), format!("Fake engine: {expected}"));
    }
}

#[test]
fn chess960() {
    let transcript = Transcript::default();
    let config = EngineConfig { chess960: true, name: Some("Fischer".to_owned()), ..fake("") };
    let mut client = Client::start(&config, &timeouts(), transcript.log()).unwrap();
    assert_eq!(client.name(), "Fischer");
    client.new_game(true).unwrap();
    let mut game = Game::new(Position::from_fen("1k6/8/8/8/8/8/8/5K1R w K - 0 1").unwrap());
    game.push(game.position().parse_uci("f1h1").unwrap()).unwrap();
    search(&mut client, &game).unwrap();
    client.new_game(false).unwrap();
    let sent = transcript.take_sent();
    let said = |line: &str| sent.iter().filter(|sent| *sent == line).count();
    assert_eq!(said("position fen 1k6/8/8/8/8/8/8/5K1R w H - 0 1 moves f1h1"), 1);
    assert_eq!(said("setoption name UCI_Chess960 value true"), 1);
    assert_eq!(said("setoption name UCI_Chess960 value false"), 1);
}

#[test]
fn whole_games() {
    let (mut white, mut black) = (start("--chatter"), start("--junk --seed 5"));
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        white.new_game(false).unwrap();
        black.new_game(false).unwrap();
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        play([&mut white, &mut black], &mut game, &GoLimits::depth(1), 60);
    }
}

#[test]
fn a_late_move_is_timed() {
    let mut client = start("--late 150");
    let answer = search(&mut client, &Game::default()).unwrap();
    assert!(answer.elapsed >= Duration::from_millis(150), "{:?}", answer.elapsed);

    client.begin_search(&Game::default(), &GoLimits::depth(1)).unwrap();
    // The caller sleeps; the time of the answer does not depend on it.
    std::thread::sleep(Duration::from_millis(1500));
    let best = loop {
        if let Event::BestMove(best) = client.wait(Instant::now() + LONG).unwrap() {
            break best;
        }
    };
    assert!(best.elapsed >= Duration::from_millis(150) && best.elapsed < Duration::from_millis(1400));
}

#[test]
fn a_crash_is_noticed_at_once() {
    let mut client = start("--crash-at 2");
    search(&mut client, &Game::default()).unwrap();
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(&error, ClientError::Died { status: Some(status), .. } if !status.success()), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with("Fake engine has ended") && text.contains("a planted crash at move 2"), "{text}");
    assert!(!client.is_alive());
    assert!(matches!(search(&mut client, &Game::default()), Err(ClientError::Died { .. })));
    assert!(matches!(client.ping(LONG), Err(ClientError::Died { .. })));
    client.quit().unwrap();

    let error = start_error(&fake("--crash-at 0"), &timeouts());
    assert!(error.to_string().contains("a planted crash at the start"), "{error}");
}

#[test]
fn a_hanging_engine_meets_its_deadline() {
    let mut client = start("--hang-at 1");
    let deadline = Instant::now() + Duration::from_millis(200);
    let error = client.search(&Game::default(), &GoLimits::depth(1), deadline, |_| {}).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { what: "bestmove", .. }), "{error:?}");
    assert!(Instant::now() < deadline + Duration::from_secs(10));
    assert!(client.is_alive());
    assert!(matches!(client.ping(Duration::from_millis(50)), Err(ClientError::Timeout { what: "readyok", .. })));
    // Dropping it kills it; a hang lasts a minute.
    let since = Instant::now();
    drop(client);
    assert!(since.elapsed() < LONG);
}

#[test]
fn illegal_moves_are_not_moves() {
    let mut client = start("--illegal-at 1 --nonsense-at 2");
    for text in ["e1e8", "resign!?"] {
        let answer = search(&mut client, &Game::default()).unwrap();
        assert_eq!((answer.mv, answer.text.as_str()), (None, text));
    }
    assert!(search(&mut client, &Game::default()).unwrap().mv.is_some());
    let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let answer = search(&mut client, &Game::new(mated)).unwrap();
    assert_eq!((answer.mv, answer.text.as_str()), (None, "(none)"));
}

#[test]
fn handshakes() {
    start("--slow-handshake 300");
    let short = Timeouts { handshake: Duration::from_millis(300), ..timeouts() };
    let error = start_error(&fake("--no-handshake"), &short);
    assert!(matches!(error, ClientError::Timeout { what: "uciok", .. }), "{error:?}");
    assert!(error.to_string().starts_with("fake-engine: no uciok after 0.3"), "{error}");
    let error = start_error(&EngineConfig::new("no-such-engine", Default::default()), &short);
    assert!(matches!(error, ClientError::Spawn { .. }));
    assert!(error.to_string().starts_with("no-such-engine: cannot start `no-such-engine`: "), "{error}");
}

#[test]
fn infinite_search_until_stop() {
    let mut client = start("");
    client.begin_search(&Game::default(), &GoLimits::default()).unwrap();
    client.ping(LONG).unwrap();
    client.stop().unwrap();
    assert!(matches!(client.wait(Instant::now() + LONG), Ok(Event::Info(_))));
    assert!(matches!(client.wait(Instant::now() + LONG), Ok(Event::Info(_))));
    assert!(matches!(client.wait(Instant::now() + LONG), Ok(Event::BestMove(best)) if best.mv.is_some()));
    // A search that nobody waits for is stopped before the next.
    client.begin_search(&Game::default(), &GoLimits::default()).unwrap();
    assert!(search(&mut client, &Game::default()).unwrap().mv.is_some());
    client.begin_search(&Game::default(), &GoLimits::default()).unwrap();
    client.new_game(false).unwrap();
}

#[test]
fn who_does_not_quit_is_killed() {
    let config = fake("--ignore-quit");
    let client = Client::start(&config, &Timeouts { quit: Duration::from_millis(200), ..timeouts() }, None).unwrap();
    let error = client.quit().unwrap_err();
    assert!(matches!(error, ClientError::Timeout { what: "end of the program", .. }), "{error:?}");
}

#[test]
fn clients_can_change_threads() {
    fn send<T: Send>(_: &T) {}
    send(&start(""));
}
