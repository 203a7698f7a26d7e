//! Games of engines that are shell scripts.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_client::EngineConfig;
use bartizan_match::{EngineSpec, MatchSettings, ProtocolFaultKind, Termination, play_game};
use bartizan_position::Game;

/// How a game ends in which White is a script that has received `go`; `None` if it was stopped.
fn first_move_of(script: &str, limits: &str, is_stopped: bool) -> Option<Termination> {
    let new = "read uci; echo uciok; read ready; echo readyok; read new; read ready; echo readyok";
    let script = format!("{new}; read position; read go; {script}");
    let start = || EngineConfig::uci("sh").arg("-c").arg(&script).start().unwrap();
    let (mut white, mut black) = (start(), start());
    let mut settings = MatchSettings::default();
    settings.engines = vec![format!("cmd=sh {limits}").parse::<EngineSpec>().unwrap(); 2];
    settings.hang = 1;
    let game = play_game(&settings, None, &Game::default(), [&mut white, &mut black], &|| is_stopped).unwrap()?;
    assert_eq!(game.record.plies, 0);
    Some(game.record.termination)
}

#[test]
fn lines_without_end_do_not_postpone_the_stop() {
    let script = "yes info nodes 1 & read stop; kill $!; echo; echo bestmove e2e4; read quit";
    assert_eq!(first_move_of(script, "st=0.01", false), Some(Termination::TimeForfeit));
    assert_eq!(first_move_of("exec yes info nodes 1", "st=0.01", true), None);
}

#[test]
fn an_engine_without_a_time_to_keep_hangs_and_is_not_late() {
    let script = "read stop; echo bestmove e2e4; read quit";
    assert_eq!(first_move_of(script, "depth=1", false), Some(Termination::Hang));
}

/// A move sent out of turn is a violation and not an answer: the engine is asked again.
#[test]
fn a_move_in_the_opponents_time_is_no_answer() {
    let start = |delay: &str| {
        let script = format!(
            "while read -r line; do case $line in
            uci) echo option name Ponder type check default false; echo uciok;;
            isready) echo readyok;;
            *startpos) best='g1f3 ponder g8f6';;
            position*g1f3) best='g8f6 ponder f3g1';;
            position*g8f6) best='f3g1 ponder f6g8';;
            position*f3g1) best=f6g8;;
            go*) sleep {delay}; echo bestmove $best;;
            quit) exit;;
            esac; done"
        );
        EngineConfig::uci("sh").arg("-c").arg(script).start().unwrap()
    };
    let (mut white, mut black) = (start("0"), start("0.5"));
    let mut settings = MatchSettings::default();
    settings.engines =
        ["ponder=true", "ponder=false"].map(|key| format!("cmd=sh st=60 {key}").parse().unwrap()).to_vec();
    settings.max_moves = Some(2);
    let game = play_game(&settings, None, &Game::default(), [&mut white, &mut black], &|| false).unwrap().unwrap();
    let faults: Vec<_> = game.record.faults.iter().filter(|fault| fault.kind != ProtocolFaultKind::Silent).collect();
    assert_eq!((game.record.termination, game.record.plies), (Termination::TooLong, 4));
    let [fault] = faults[..] else { panic!("{faults:?}") };
    let told = (fault.engine, fault.ply, fault.kind, fault.detail.as_str());
    assert_eq!(told, (0, 2, ProtocolFaultKind::BestMoveTooEarly, "bestmove f3g1"));
}
