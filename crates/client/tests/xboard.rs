//! An xboard engine, well-behaved and not.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

mod common;

use bartizan_client::{Client, ClientError, Clocks, EngineConfig, GameResult, GoLimits, Score};
use bartizan_position::{Game, Position};
use common::{LONG, Transcript, fake, play, search, start, timeouts};
use std::time::{Duration, Instant};

const NEW: [&str; 4] = ["new", "force", "easy", "post"];

fn go(client: &mut Client, game: &Game, limits: &GoLimits) -> bartizan_client::Answer {
    client.search(game, limits, Instant::now() + LONG, |_| {}).unwrap()
}

fn push(game: &mut Game, text: &str) {
    game.push(game.position().parse_uci(text).unwrap()).unwrap();
}

#[test]
fn what_is_said() {
    let transcript = Transcript::default();
    let options = [("own book", "true"), ("Style", "very wild"), ("Hash", "64")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let config = EngineConfig { options, ..fake("--xboard") };
    let mut client = Client::start(&config, &timeouts(), transcript.log()).unwrap();
    assert_eq!(client.name(), "Fake engine");
    let sent = transcript.take_sent();
    assert_eq!(sent[..2], ["xboard", "protover 2"]);
    assert!(sent.contains(&"accepted setboard".to_owned()) && sent.contains(&"rejected telepathy".to_owned()));
    let last = ["option Own Book=1", "option Style=Very Wild", "memory 64", "ping 1"];
    assert_eq!(sent[sent.len() - 4..], last);

    client.new_game(false).unwrap();
    assert_eq!(transcript.take_sent(), [&NEW[..], &["ping 2"]].concat());

    // The first move of a game, and the reply to the second: only what is new is sent.
    let clocks = |seconds| Clocks {
        moves_to_go: Some(40),
        ..Clocks::both(Duration::from_secs(seconds), Duration::from_millis(500))
    };
    let mut game = Game::default();
    push(&mut game, "e2e4");
    let answer = go(&mut client, &game, &GoLimits::clock(clocks(90)));
    let expected = ["level 40 1:30 0.5", "usermove e2e4", "time 9000", "otim 9000", "go"];
    assert_eq!(transcript.take_sent(), expected);
    let info = answer.last_info.unwrap();
    assert_eq!((info.score, info.depth, info.seldepth), (Some(Score::Cp(7)), Some(1), Some(2)));
    assert_eq!(info.pv, [answer.mv.unwrap().uci(false)]);

    game.push(answer.mv.unwrap()).unwrap();
    push(&mut game, "d2d3");
    let answer = go(&mut client, &game, &GoLimits::clock(clocks(80)));
    assert_eq!(transcript.take_sent(), ["time 8000", "otim 8000", "usermove d2d3"]);

    // Another limit is announced, and one that ends only with `new` begins anew.
    game.push(answer.mv.unwrap()).unwrap();
    push(&mut game, "c2c3");
    let answer =
        go(&mut client, &game, &GoLimits { depth: Some(2), ..GoLimits::move_time(Duration::from_millis(1500)) });
    assert_eq!(transcript.take_sent(), ["st 1.5", "sd 2", "time 150", "otim 150", "usermove c2c3"]);
    game.push(answer.mv.unwrap()).unwrap();
    go(&mut client, &game, &GoLimits::nodes(500));
    let sent = transcript.take_sent();
    assert_eq!(sent[..6], [&NEW[..], &["st 1", "nps 500"]].concat());
    assert_eq!((sent.len(), sent[6].as_str(), sent[12].as_str()), (13, "usermove e2e4", "go"));

    client.end_game(GameResult::Draw, "adjudication").unwrap();
    client.quit().unwrap();
    assert_eq!(transcript.take_sent(), ["result 1/2-1/2 {adjudication}", "quit"]);
}

#[test]
fn positions_and_takebacks() {
    let transcript = Transcript::default();
    let mut client = Client::start(&fake("--xboard"), &timeouts(), transcript.log()).unwrap();
    client.new_game(false).unwrap();
    transcript.take_sent();
    // From a position, without another `new`.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    let setboard = format!("setboard {fen}");
    let answer = search(&mut client, &game).unwrap();
    assert_eq!(transcript.take_sent(), ["st 1000000", "sd 1", &setboard, "go"]);
    // Its move is not played on the board: begin anew.
    let other = if answer.text == "e2e3" { "e2e4" } else { "e2e3" };
    push(&mut game, other);
    push(&mut game, "e8d8");
    search(&mut client, &game).unwrap();
    let other = format!("usermove {other}");
    let rest = ["st 1000000", "sd 1", &setboard, &other, "usermove e8d8", "go"];
    assert_eq!(transcript.take_sent(), [&NEW[..], &rest].concat());
    // The other side.
    game.push(search(&mut client, &game).unwrap().mv.unwrap()).unwrap();
    transcript.take_sent();
    search(&mut client, &game).unwrap();
    assert_eq!(transcript.take_sent(), ["force", "go"]);
}

#[test]
fn chess960() {
    let transcript = Transcript::default();
    let config = EngineConfig { chess960: true, ..fake("--xboard") };
    let mut client = Client::start(&config, &timeouts(), transcript.log()).unwrap();
    client.new_game(true).unwrap();
    let mut game = Game::new(Position::from_fen("1k6/8/8/8/8/8/8/5K1R w K - 0 1").unwrap());
    push(&mut game, "f1h1");
    search(&mut client, &game).unwrap();
    let sent = transcript.take_sent();
    assert!(sent.contains(&"variant fischerandom".to_owned()) && sent.contains(&"usermove O-O".to_owned()), "{sent:?}");
    assert!(sent.contains(&"setboard 1k6/8/8/8/8/8/8/5K1R w K - 0 1".to_owned()), "{sent:?}");
    // An engine that does not know it is refused, at its start or at the game.
    let config = EngineConfig { chess960: true, ..fake("--xboard --old") };
    let error = Client::start(&config, &timeouts(), None).unwrap_err();
    assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
}

#[test]
fn whole_games() {
    let (mut white, mut black) = (start("--xboard --seed 3"), start("--xboard --junk --seed 5 --no-reuse"));
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        white.new_game(false).unwrap();
        black.new_game(false).unwrap();
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        play([&mut white, &mut black], &mut game, &GoLimits::depth(1), 60);
    }
}

#[test]
fn engines_of_the_first_version() {
    let mut client = start("--xboard --old");
    assert_eq!(client.name(), "fake-engine");
    client.new_game(false).unwrap();
    let mut game = Game::default();
    push(&mut game, "e2e4");
    assert!(search(&mut client, &game).unwrap().mv.is_some());
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"] {
        let position = Game::new(Position::from_fen(fen).unwrap());
        assert!(search(&mut client, &position).unwrap().mv.is_some());
    }
    let position = Game::new(Position::from_fen("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").unwrap());
    let error = search(&mut client, &position).unwrap_err();
    assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
    let error = client.begin_search(&game, &GoLimits::nodes(5)).unwrap_err();
    assert_eq!(error.to_string(), "fake-engine cannot count nodes (no feature nps)");
    assert!(search(&mut client, &game).unwrap().mv.is_some());
}

#[test]
fn endings() {
    let mut client = start("--xboard --resign-at 1 --claim-at 2 --offer-draw-at 3 --illegal-at 4 --nonsense-at 5");
    let game = Game::default();
    let answer = search(&mut client, &game).unwrap();
    assert!(answer.resigned && answer.mv.is_none());
    let claim = search(&mut client, &game).unwrap().claim.unwrap();
    assert_eq!((claim.result, claim.reason.as_str()), (GameResult::Draw, "Draw by boredom"));
    let answer = search(&mut client, &game).unwrap();
    assert!(answer.draw_offered && answer.mv.is_some());
    for text in ["e1e8", "resign!?"] {
        let answer = search(&mut client, &game).unwrap();
        assert_eq!((answer.mv, answer.text.as_str(), answer.draw_offered), (None, text, false));
    }
    assert!(search(&mut client, &game).unwrap().mv.is_some());
}

#[test]
fn an_offer_after_the_move_counts_at_the_next() {
    let mut client = start("--xboard --chatter");
    client.new_game(false).unwrap();
    let mut game = Game::default();
    let answer = search(&mut client, &game).unwrap();
    assert!(!answer.draw_offered);
    client.ping(LONG).unwrap();
    game.push(answer.mv.unwrap()).unwrap();
    push(&mut game, "b8c6");
    assert!(search(&mut client, &game).unwrap().draw_offered);
    client.ping(LONG).unwrap();
    client.new_game(false).unwrap();
    assert!(!search(&mut client, &Game::default()).unwrap().draw_offered);
}

#[test]
fn a_refused_move_is_an_error() {
    let mut client = start("--xboard --refuse-at 2");
    client.new_game(false).unwrap();
    let mut game = Game::default();
    game.push(search(&mut client, &game).unwrap().mv.unwrap()).unwrap();
    let reply = game.position().legal_moves()[0];
    game.push(reply).unwrap();
    let error = search(&mut client, &game).unwrap_err();
    assert!(
        matches!(&error, ClientError::Refused { line, .. } if line.starts_with("Illegal move (so there)")),
        "{error:?}"
    );
}

#[test]
fn crashes_and_hangs() {
    let mut client = start("--xboard --crash-at 1");
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(&error, ClientError::Died { stderr_tail, .. } if stderr_tail.contains("planted")), "{error:?}");
    let mut client = start("--xboard --hang-at 1");
    let deadline = Instant::now() + Duration::from_millis(200);
    let error = client.search(&Game::default(), &GoLimits::depth(1), deadline, |_| {}).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { what: "bestmove", .. }), "{error:?}");
    // `done=0` has promised features that never come.
    let short = bartizan_client::Timeouts { handshake: Duration::from_millis(300), ..timeouts() };
    let error = Client::start(&fake("--xboard --no-handshake"), &short, None).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { what: "feature done=1", .. }), "{error:?}");
    start("--xboard --slow-handshake 2500");
}
