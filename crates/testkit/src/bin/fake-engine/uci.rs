//! The engine's UCI side.

use crate::faults::Faults;
use crate::player::{Deed, Player};
use crate::say;
use bartizan_position::{Game, Position};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{Command, Id, Info, Message, OptionDecl, ScoreInfo, StartPosition, same_option_name};
use std::io::{self, BufRead, Write};

pub(crate) fn run(faults: Faults, out: &mut impl Write) -> io::Result<()> {
    let mut player = Player::new(faults);
    let mut game = Game::default();
    let mut chess960 = false;
    let mut infinite = false;
    for line in io::stdin().lock().lines() {
        let Ok(Some(command)) = Command::parse(&line?) else { continue };
        match command {
            Command::Uci if player.greet() => {
                say(out, "A fake engine greets you.")?;
                say(out, Message::Id(Id::Name("Fake engine".to_owned())))?;
                for option in options() {
                    say(out, Message::Option(option))?;
                }
                say(out, Message::UciOk)?;
            }
            Command::IsReady => say(out, Message::ReadyOk)?,
            Command::SetOption { name, value } => {
                if same_option_name(&name, "UCI_Chess960") {
                    chess960 = value.as_deref() == Some("true");
                }
                say(out, Message::info_string(format!("{name} is {}", value.as_deref().unwrap_or("pressed"))))?;
            }
            Command::Position { start, moves } => match set_up(&start, &moves) {
                Some(new) => game = new,
                None => say(out, Message::info_string("illegal position"))?,
            },
            Command::Go(go) => {
                infinite = go.infinite;
                if !infinite {
                    answer(&mut player, &game, chess960, out)?;
                }
            }
            Command::Stop if infinite => {
                infinite = false;
                answer(&mut player, &game, chess960, out)?;
            }
            Command::Quit if !player.faults.ignore_quit => return Ok(()),
            _ => {}
        }
    }
    if player.faults.ignore_quit {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    Ok(())
}

fn options() -> [OptionDecl; 4] {
    let option = |name: &str, kind| OptionDecl { name: name.to_owned(), kind };
    let styles = ["Solid", "Very Wild"].map(str::to_owned);
    [
        option("Hash", OptionKind::Spin { default: 16, min: 1, max: 64 }),
        option("Clear Hash", OptionKind::Button),
        option("Style", OptionKind::Combo { default: "Solid".to_owned(), vars: styles.to_vec() }),
        option("UCI_Chess960", OptionKind::Check { default: false }),
    ]
}

fn set_up(start: &StartPosition, moves: &[bartizan_types::UciMove]) -> Option<Game> {
    let mut game = match start {
        StartPosition::Startpos => Game::default(),
        StartPosition::Fen(fen) => Game::new(Position::from_fen(fen).ok()?),
    };
    for &mv in moves {
        let mv = game.position().resolve_uci(mv).ok()?;
        game.push(mv).ok()?;
    }
    Some(game)
}

fn answer(player: &mut Player, game: &Game, chess960: bool, out: &mut impl Write) -> io::Result<()> {
    player.count();
    match player.play(game, out)? {
        Deed::Play(mv) => {
            let best = mv.uci(chess960);
            let info = Info {
                depth: Some(1),
                seldepth: Some(2),
                score: Some(ScoreInfo::cp(7)),
                nodes: Some(20),
                time: Some(3),
                pv: vec![best],
                ..Info::default()
            };
            say(out, Message::Info(info))?;
            say(out, Message::Info(Info { nodes: Some(21), ..Info::default() }))?;
            say(out, Message::BestMove { best: Some(best), ponder: None })?;
        }
        Deed::Nothing => say(out, Message::BestMove { best: None, ponder: None })?,
        Deed::Illegal(text) => say(out, format_args!("bestmove {text}"))?,
    }
    if player.faults.chatter {
        say(out, "bestmove a1a1")?;
        say(out, Message::info_string("that was a stray bestmove"))?;
    }
    Ok(())
}
