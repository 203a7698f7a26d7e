//! Twenty plies between engines of other authors, as Debian packages them. Those that are not installed are skipped, with
//! a line that says so.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // In a test a panic is the report.

mod common;

use bartizan_client::{Client, Clocks, EngineConfig, GoLimits, Protocol};
use bartizan_position::{Game, Position};
use common::{play, timeouts};
use std::path::Path;
use std::time::Duration;

/// Forty moves in so many seconds.
const SESSIONS: GoLimits = GoLimits {
    clock: Some(Clocks {
        white: Duration::from_secs(4),
        black: Duration::from_secs(4),
        winc: Duration::ZERO,
        binc: Duration::ZERO,
        moves_to_go: Some(40),
    }),
    move_time: None,
    nodes: None,
    depth: None,
};

/// `None` if it is not installed.
fn start(program: &str, args: &[&str], protocol: Protocol) -> Option<Client> {
    let path = Path::new("/usr/games").join(program);
    if !path.exists() {
        eprintln!("SKIPPED: {program} is not installed");
        return None;
    }
    let directory = Some(std::env::temp_dir());
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    let config = EngineConfig { args, directory, ..EngineConfig::new(path, protocol) };
    Some(Client::start(&config, &timeouts(), None).unwrap())
}

/// From the start with clocks, then from a position with other limits.
fn twenty_plies(white: Option<Client>, black: Option<Client>, other: &GoLimits) {
    let (Some(mut white), Some(mut black)) = (white, black) else { return };
    let clocks = Clocks::both(Duration::from_secs(5), Duration::from_millis(100));
    let italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let limits = [&GoLimits::clock(clocks), other];
    let starts = [Position::startpos(), Position::from_fen(italian).unwrap()];
    for (limits, position) in limits.into_iter().zip(starts) {
        white.new_game(false).unwrap();
        black.new_game(false).unwrap();
        let mut game = Game::new(position);
        play([&mut white, &mut black], &mut game, limits, 20);
        let moves: Vec<_> = game.moves().map(|mv| mv.uci(false).to_string()).collect();
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
        &GoLimits::move_time(Duration::from_millis(50)),
    );
}

#[test]
fn fairymax_and_phalanx() {
    twenty_plies(start("fairymax", &[], Protocol::Xboard), start("phalanx", &[], Protocol::Xboard), &SESSIONS);
}

// Not `gnuchess -x`: down a pipe it says nothing before its buffer is full.
#[test]
fn hoichess_and_gnuchess() {
    twenty_plies(
        start("hoichess", &[], Protocol::Xboard),
        start("gnuchess", &["-u"], Protocol::Uci),
        &GoLimits::depth(4),
    );
}

#[test]
fn sjeng_and_toga() {
    twenty_plies(start("sjeng", &[], Protocol::Xboard), start("toga2", &[], Protocol::Uci), &GoLimits::depth(4));
}

#[test]
fn ethereal_and_stockfish() {
    twenty_plies(
        start("ethereal-chess", &[], Protocol::Uci),
        start("stockfish", &[], Protocol::Uci),
        &GoLimits::nodes(3000),
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
    white.new_game(true).unwrap();
    black.new_game(true).unwrap();
    play([&mut white, &mut black], &mut Game::new(position), &GoLimits::nodes(2000), 60);
}
