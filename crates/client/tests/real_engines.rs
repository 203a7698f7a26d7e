//! Twenty plies between engines of other authors, from Debian packages. A test whose engines are not installed is
//! skipped with a message.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // In a test a panic is the report.

// A separate program: these engines keep the processors busy, and the other tests have deadlines.
#[allow(dead_code)] // This program uses a part of it.
#[path = "all/common.rs"]
mod common;

use bartizan_client::{Client, Clocks, EngineConfig, Limits, Protocol, Variant};
use bartizan_position::{Game, Position};
use common::{play, timeouts};
use std::path::Path;
use std::time::Duration;

/// Forty moves in four seconds.
fn forty_moves() -> Limits {
    let clocks = Clocks::both(Duration::from_secs(4), Duration::ZERO);
    Limits::clock(Clocks { moves_to_go: Some(40), ..clocks })
}

/// Starts an engine; `None` if it is not installed.
fn start(program: &str, args: &[&str], protocol: Protocol) -> Option<Client> {
    let path = Path::new("/usr/games").join(program);
    if !path.exists() {
        eprintln!("SKIPPED: {program} is not installed");
        return None;
    }
    let config = EngineConfig::new(path, protocol).args(args.iter().copied()).directory(std::env::temp_dir());
    Some(config.timeouts(timeouts()).start().unwrap())
}

/// Plays from the start with clocks, then from another position with other limits.
fn twenty_plies(white: Option<Client>, black: Option<Client>, other: &Limits) {
    let (Some(mut white), Some(mut black)) = (white, black) else { return };
    let clocks = Clocks::both(Duration::from_secs(5), Duration::from_millis(100));
    let italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let limits = [&Limits::clock(clocks), other];
    let starts = [Position::startpos(), Position::from_fen(italian).unwrap()];
    for (limits, position) in limits.into_iter().zip(starts) {
        white.new_game().unwrap();
        black.new_game().unwrap();
        let mut game = Game::new(position);
        play([&mut white, &mut black], &mut game, limits, 20);
        let moves: Vec<_> = game.moves().map(|mv| mv.to_uci(Variant::Standard).to_string()).collect();
        eprintln!("{} - {}: {}", white.name(), black.name(), moves.join(" "));
    }
    white.quit().unwrap();
    black.quit().unwrap();
}

#[test]
fn stockfish_and_glaurung() {
    twenty_plies(
        start("stockfish", &[], Protocol::Uci),
        start("glaurung", &[], Protocol::Uci),
        &Limits::move_time(Duration::from_millis(50)),
    );
}

#[test]
fn fairymax_and_phalanx() {
    twenty_plies(start("fairymax", &[], Protocol::Xboard), start("phalanx", &[], Protocol::Xboard), &forty_moves());
}

// Not `gnuchess -x`, which does not flush its output into a pipe.
#[test]
fn hoichess_and_gnuchess() {
    twenty_plies(
        start("hoichess", &[], Protocol::Xboard),
        start("gnuchess", &["-u"], Protocol::Uci),
        &Limits::depth(4),
    );
}

#[test]
fn sjeng_and_toga() {
    twenty_plies(start("sjeng", &[], Protocol::Xboard), start("toga2", &[], Protocol::Uci), &Limits::depth(4));
}

#[test]
fn ethereal_and_stockfish() {
    twenty_plies(
        start("ethereal-chess", &[], Protocol::Uci),
        start("stockfish", &[], Protocol::Uci),
        &Limits::nodes(3000),
    );
}

#[test]
fn stockfish_plays_chess960() {
    let (Some(mut white), Some(mut black)) =
        (start("stockfish", &[], Protocol::Uci), start("stockfish", &[], Protocol::Uci))
    else {
        return;
    };
    let position = Position::from_fen("rbbqnnkr/pppppppp/8/8/8/8/PPPPPPPP/RBBQNNKR w HAha - 0 1").unwrap();
    for engine in [&mut white, &mut black] {
        engine.set_variant(Variant::Chess960);
        engine.new_game().unwrap();
    }
    play([&mut white, &mut black], &mut Game::new(position), &Limits::nodes(2000), 60);
}

#[test]
fn stockfish_analyses_and_ponders() {
    let Some(mut engine) = start("stockfish", &[], Protocol::Uci) else { return };
    assert!(engine.author().is_some() && engine.option("multipv").is_some());
    engine.set_option("MultiPV", 3).unwrap();
    let mut game = Game::default();
    let mut analysis = engine.analyse(&game, &Limits::infinite()).unwrap();
    for info in &mut analysis {
        if info.unwrap().depth >= Some(8) {
            break;
        }
    }
    let reply = analysis.stop().unwrap();
    let first_moves: Vec<_> = reply.lines.iter().map(|info| info.legal_pv(game.position())[0]).collect();
    assert_eq!((first_moves.len(), first_moves.first().copied()), (3, reply.best_move()));

    game.push(reply.best_move().unwrap()).unwrap();
    game.push(reply.ponder.unwrap()).unwrap();
    let limits = Limits::clock(Clocks::both(Duration::from_secs(2), Duration::ZERO));
    engine.ponder(&game, &limits).unwrap();
    let reply = engine.ponder_hit().unwrap().wait().unwrap();
    assert!(game.position().is_legal(reply.best_move().unwrap()));
    let moves = game.position().legal_moves();
    let reply = engine.play(&game, &Limits::depth(5).with_search_moves(moves.last().copied())).unwrap();
    assert_eq!(reply.best_move(), moves.last().copied());
    engine.quit().unwrap();
}

#[test]
fn fairymax_analyses() {
    let Some(mut engine) = start("fairymax", &[], Protocol::Xboard) else { return };
    let game =
        Game::new(Position::from_fen("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4").unwrap());
    let mut analysis = engine.analyse(&game, &Limits::infinite()).unwrap();
    for info in &mut analysis {
        if info.unwrap().depth >= Some(5) {
            break;
        }
    }
    let reply = analysis.stop().unwrap();
    assert!(reply.best_move().is_some() && !reply.info().unwrap().legal_pv(game.position()).is_empty());
}
