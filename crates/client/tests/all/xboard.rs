//! Xboard engines, with and without faults.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use crate::common::{Transcript, fake, play, search, start, timeouts};
use bartizan_client::{Action, Client, ClientError, Clocks, GameResult, Limits, Reply, Score, Variant};
use bartizan_position::{Game, Position};
use std::num::NonZeroU64;
use std::time::Duration;

const NEW: [&str; 4] = ["new", "force", "easy", "post"];

fn go(client: &mut Client, game: &Game, limits: &Limits) -> Reply {
    client.play(game, limits).unwrap()
}

fn push(game: &mut Game, text: &str) {
    game.push(game.position().parse_uci(text).unwrap()).unwrap();
}

#[test]
fn lines_of_a_game() {
    let transcript = Transcript::default();
    let config = fake("--xboard").option("own book", true).option("Style", "very wild").option("Hash", 64);
    let mut client = transcript.of(config).start().unwrap();
    assert_eq!((client.name(), client.author()), ("Fake engine", None));
    assert_eq!(client.options().len(), 2);
    let sent = transcript.take_sent();
    assert_eq!(sent[..2], ["xboard", "protover 2"]);
    assert!(sent.contains(&"accepted setboard".to_owned()) && sent.contains(&"rejected telepathy".to_owned()));
    let last = ["option Own Book=1", "option Style=Very Wild", "memory 64", "ping 1"];
    assert_eq!(sent[sent.len() - 4..], last);

    client.new_game().unwrap();
    assert_eq!(transcript.take_sent(), [&NEW[..], &["ping 2"]].concat());

    // Only new moves are sent: the first move of a game, then the reply to the second.
    let clocks = |seconds| Clocks {
        moves_to_go: Some(40),
        ..Clocks::both(Duration::from_secs(seconds), Duration::from_millis(500))
    };
    let mut game = Game::default();
    push(&mut game, "e2e4");
    let reply = go(&mut client, &game, &Limits::clock(clocks(90)));
    let expected = ["usermove e2e4", "level 40 1:30 0.5", "time 9000", "otim 9000", "go"];
    assert_eq!(transcript.take_sent(), expected);
    let info = reply.info().unwrap().clone();
    assert_eq!((info.score, info.depth, info.seldepth), (Some(Score::Cp(7)), Some(1), Some(2)));
    assert_eq!(info.pv, [reply.best_move().unwrap().to_uci(Variant::Standard)]);

    game.push(reply.best_move().unwrap()).unwrap();
    push(&mut game, "d2d3");
    let reply = go(&mut client, &game, &Limits::clock(clocks(80)));
    assert_eq!(transcript.take_sent(), ["time 8000", "otim 8000", "usermove d2d3"]);

    // A changed limit is sent. A limit that only `new` lifts needs a new board.
    game.push(reply.best_move().unwrap()).unwrap();
    push(&mut game, "c2c3");
    let reply = go(&mut client, &game, &Limits::move_time(Duration::from_millis(1500)).with_depth(2));
    assert_eq!(transcript.take_sent(), ["st 1.5", "sd 2", "time 150", "otim 150", "usermove c2c3"]);
    game.push(reply.best_move().unwrap()).unwrap();
    go(&mut client, &game, &Limits::nodes(500));
    let sent = transcript.take_sent();
    assert_eq!((sent.len(), &sent[..4], sent[4].as_str()), (13, &NEW.map(str::to_owned)[..], "usermove e2e4"));
    assert_eq!(sent[10..], ["st 1", "nps 500", "go"]);
    // Clocks that count nodes.
    client.new_game().unwrap();
    let limits = Limits::clock(clocks(90)).with_node_rate(NonZeroU64::new(2_000).unwrap());
    go(&mut client, &Game::default(), &limits);
    assert_eq!(transcript.take_sent()[5..], ["level 40 1:30 0.5", "nps 2000", "time 9000", "otim 9000", "go"]);

    client.end_game(GameResult::Draw, "adjudication").unwrap();
    client.quit().unwrap();
    assert_eq!(transcript.take_sent(), ["result 1/2-1/2 {adjudication}", "quit"]);
}

#[test]
fn positions_and_takebacks() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("--xboard")).start().unwrap();
    client.new_game().unwrap();
    transcript.take_sent();
    // From a position, without another `new`.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    let setboard = format!("setboard {fen}");
    let reply = search(&mut client, &game).unwrap();
    assert_eq!(transcript.take_sent(), [&setboard, "st 1000000", "sd 1", "go"]);
    // The engine's move is not part of the game, which needs a new board.
    let other =
        if reply.best_move().unwrap().to_uci(Variant::Standard).to_string() == "e2e3" { "e2e4" } else { "e2e3" };
    push(&mut game, other);
    push(&mut game, "e8d8");
    search(&mut client, &game).unwrap();
    let other = format!("usermove {other}");
    let rest = [&setboard, &other, "usermove e8d8", "st 1000000", "sd 1", "go"];
    assert_eq!(transcript.take_sent(), [&NEW[..], &rest].concat());
    // The other side.
    game.push(search(&mut client, &game).unwrap().best_move().unwrap()).unwrap();
    transcript.take_sent();
    search(&mut client, &game).unwrap();
    assert_eq!(transcript.take_sent(), ["force", "go"]);
}

#[test]
fn chess960() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("--xboard").variant(Variant::Chess960)).start().unwrap();
    client.new_game().unwrap();
    let mut game = Game::new(Position::from_fen("1k6/8/8/8/8/8/8/5K1R w K - 0 1").unwrap());
    push(&mut game, "f1h1");
    search(&mut client, &game).unwrap();
    let sent = transcript.take_sent();
    assert!(sent.contains(&"variant fischerandom".to_owned()) && sent.contains(&"usermove O-O".to_owned()), "{sent:?}");
    assert!(sent.contains(&"setboard 1k6/8/8/8/8/8/8/5K1R w K - 0 1".to_owned()), "{sent:?}");
    // An engine that does not support it is rejected, at its start or when a position needs it.
    let error = fake("--xboard --old").variant(Variant::Chess960).start().unwrap_err();
    assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
    let error = search(&mut start("--xboard --old"), &game).unwrap_err();
    assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
}

#[test]
fn whole_games() {
    let (mut white, mut black) = (start("--xboard --seed 3"), start("--xboard --junk --seed 5 --no-reuse"));
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        white.new_game().unwrap();
        black.new_game().unwrap();
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        play([&mut white, &mut black], &mut game, &Limits::depth(1), 60);
    }
}

#[test]
fn protocol_version_1() {
    let mut client = start("--xboard --old");
    assert_eq!(client.name(), "fake-engine");
    client.new_game().unwrap();
    let mut game = Game::default();
    push(&mut game, "e2e4");
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"] {
        let position = Game::new(Position::from_fen(fen).unwrap());
        assert!(search(&mut client, &position).unwrap().best_move().is_some());
    }
    let position = Game::new(Position::from_fen("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").unwrap());
    let error = search(&mut client, &position).unwrap_err();
    assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
    let refused = client.check_limits(&Limits::nodes(5)).unwrap_err();
    let error = client.start_search(&game, &Limits::nodes(5)).unwrap_err();
    assert_eq!(error.to_string(), refused.to_string());
    assert!(client.check_limits(&Limits::depth(5)).is_ok());
    assert_eq!(error.to_string(), "fake-engine: cannot limit nodes (it lacks the feature nps)");
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
}

#[test]
fn resignations_claims_and_offers() {
    let mut client = start("--xboard --resign-at 1 --claim-at 2 --offer-draw-at 3 --illegal-at 4 --nonsense-at 5");
    let game = Game::default();
    let reply = search(&mut client, &game).unwrap();
    assert_eq!((&reply.action, reply.best_move()), (&Action::Resign, None));
    let Action::ClaimResult(claim) = search(&mut client, &game).unwrap().action else { panic!("no claim") };
    assert_eq!((claim.result, claim.reason.as_str()), (GameResult::Draw, "Draw by boredom"));
    let reply = search(&mut client, &game).unwrap();
    assert!(reply.draw_offered && reply.best_move().is_some());
    for text in ["e1e8", "resign!?"] {
        let error = search(&mut client, &game).unwrap_err();
        assert!(error.to_string().contains(&format!("illegal move '{text}'")), "{error}");
    }
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
}

#[test]
fn an_offer_after_the_move_counts_at_the_next() {
    let mut client = start("--xboard --chatter");
    client.new_game().unwrap();
    let mut game = Game::default();
    let reply = search(&mut client, &game).unwrap();
    assert!(!reply.draw_offered);
    client.ping().unwrap();
    game.push(reply.best_move().unwrap()).unwrap();
    push(&mut game, "b8c6");
    assert!(search(&mut client, &game).unwrap().draw_offered);
    client.ping().unwrap();
    client.new_game().unwrap();
    assert!(!search(&mut client, &Game::default()).unwrap().draw_offered);
}

#[test]
fn a_refused_move_is_an_error() {
    let mut client = start("--xboard --refuse-at 2");
    client.new_game().unwrap();
    let mut game = Game::default();
    game.push(search(&mut client, &game).unwrap().best_move().unwrap()).unwrap();
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
    assert!(matches!(&error, ClientError::Exited { stderr_tail, .. } if stderr_tail.contains("planted")), "{error:?}");
    let short = Duration::from_millis(200);
    let mut client = fake("--xboard --hang-at 1").timeouts(timeouts().with_silence(short)).start().unwrap();
    let error = search(&mut client, &Game::default()).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "move", .. }), "{error:?}");
    // The engine announces features with `done=0` and never sends them.
    let config = fake("--xboard --no-handshake").timeouts(timeouts().with_answer(short));
    let error = config.start().unwrap_err();
    assert!(matches!(error, ClientError::Timeout { expected: "feature done=1", .. }), "{error:?}");
    start("--xboard --slow-handshake 2500");
}

#[test]
fn search_moves_restrict_the_search() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("--xboard")).start().unwrap();
    client.new_game().unwrap();
    transcript.take_sent();
    let game = Game::default();
    let moves = ["a2a3", "h2h4"].map(|mv| game.position().parse_uci(mv).unwrap());
    let reply = client.play(&game, &Limits::depth(1).with_search_moves(moves)).unwrap();
    assert!(moves.contains(&reply.best_move().unwrap()));
    let expected = ["st 1000000", "sd 1", "exclude all", "include a2a3", "include h2h4", "go"];
    assert_eq!(transcript.take_sent(), expected);
    // The next search of the position is unrestricted.
    let mut client = transcript.of(fake("--xboard")).start().unwrap();
    let some = Limits::infinite().with_search_moves(moves);
    client.analyse(&game, &some).unwrap().stop().unwrap();
    transcript.take_sent();
    client.analyse(&game, &Limits::infinite()).unwrap().stop().unwrap();
    assert!(transcript.take_sent().contains(&"include all".to_owned()));
}

#[test]
fn what_the_protocol_cannot_express_is_an_error() {
    let mut client = start("--xboard");
    let game = Game::default();
    let some = Limits::depth(1).with_search_moves(game.position().legal_moves().into_iter().take(2));
    for error in [
        client.ponder(&game, &Limits::depth(1)).unwrap_err(),
        client.play(&game, &Limits::mate(2)).unwrap_err(),
        start("--xboard --old").play(&game, &some).unwrap_err(),
    ] {
        assert!(matches!(error, ClientError::Unsupported { .. }), "{error:?}");
    }
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
}

#[test]
fn the_option_ponder_is_a_command() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("--xboard").option("ponder", true)).start().unwrap();
    client.new_game().unwrap();
    let sent = transcript.take_sent();
    assert_eq!(sent.iter().filter(|line| *line == "hard").count(), 2);
    assert!(!sent.contains(&"easy".to_owned()));
}

#[test]
fn infinite_searches_use_analysis_mode() {
    let transcript = Transcript::default();
    let mut client = transcript.of(fake("--xboard")).start().unwrap();
    client.new_game().unwrap();
    transcript.take_sent();
    let mut game = Game::default();
    push(&mut game, "e2e4");
    let mut analysis = client.analyse(&game, &Limits::infinite()).unwrap();
    let first = analysis.next().unwrap().unwrap();
    let reply = analysis.stop().unwrap();
    assert_eq!(transcript.take_sent(), ["usermove e2e4", "analyze", "exit", "ping 3"]);
    // The first move of the last line.
    let last = reply.info().unwrap().legal_pv(game.position());
    assert_eq!(reply.best_move(), last.first().copied());
    assert_ne!(first.legal_pv(game.position()), last);
    // The board is as before.
    assert!(search(&mut client, &game).unwrap().best_move().is_some());
    assert_eq!(transcript.take_sent(), ["st 1000000", "sd 1", "go"]);
}
