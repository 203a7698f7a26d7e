//! The UCI side of the engine.

use crate::faults::Faults;
use crate::player::{Choice, Player};
use crate::write_line;
use bartizan_position::{Game, Position};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{
    Command, GoParams, Id, Info, Message, OptionDecl, ScoreInfo, StartPosition, same_option_name,
};
use bartizan_types::{UciMove, Variant};
use std::io::{self, BufRead, Write};

struct Engine {
    player: Player,
    game: Game,
    chess960: bool,
    multipv: usize,
    /// A search that waits for `stop` or `ponderhit`.
    pending: Option<GoParams>,
}

pub(crate) fn run(faults: Faults, out: &mut impl Write) -> io::Result<()> {
    let (player, game) = (Player::new(faults), Game::default());
    let mut engine = Engine { player, game, chess960: false, multipv: 1, pending: None };
    let mut has_game = false;
    for line in io::stdin().lock().lines() {
        let Ok(Some(command)) = Command::parse(&line?) else { continue };
        match command {
            Command::Quit if !engine.player.faults.ignore_quit => return Ok(()),
            Command::UciNewGame if engine.player.faults.one_game => {
                if std::mem::replace(&mut has_game, true) {
                    return Ok(());
                }
            }
            command => engine.handle(command, out)?,
        }
    }
    if engine.player.faults.ignore_quit {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    Ok(())
}

impl Engine {
    fn handle(&mut self, command: Command, out: &mut impl Write) -> io::Result<()> {
        match command {
            Command::Uci if self.player.answers_handshake() => {
                write_line(out, "A fake engine greets you.")?;
                write_line(out, Message::Id(Id::Name("Fake engine".to_owned())))?;
                write_line(out, Message::Id(Id::Author("Nemo".to_owned())))?;
                for option in options() {
                    write_line(out, Message::Option(option))?;
                }
                write_line(out, Message::UciOk)
            }
            Command::IsReady => write_line(out, Message::ReadyOk),
            Command::SetOption { name, value } => {
                let value = value.as_deref();
                if same_option_name(&name, "UCI_Chess960") {
                    self.chess960 = value == Some("true");
                } else if same_option_name(&name, "MultiPV") {
                    self.multipv = value.and_then(|value| value.parse().ok()).unwrap_or(1);
                } else if same_option_name(&name, "Hash") {
                    self.player.memory = value.and_then(|value| value.parse().ok()).unwrap_or(0);
                }
                write_line(out, Message::info_string(format!("{name} is {}", value.unwrap_or("pressed"))))
            }
            Command::Position { start, moves } => match set_up(&start, &moves) {
                Some(game) => {
                    self.game = game;
                    Ok(())
                }
                None => write_line(out, Message::info_string("illegal position")),
            },
            Command::Go(go) if go.infinite || go.ponder => {
                self.pending = Some(go);
                Ok(())
            }
            Command::Go(go) => self.search(&go, out),
            Command::Stop | Command::PonderHit => match self.pending.take() {
                Some(go) => self.search(&go, out),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn search(&mut self, go: &GoParams, out: &mut impl Write) -> io::Result<()> {
        let chess960 = self.chess960;
        self.player.begin_move();
        let is_allowed = |mv: bartizan_types::Move| {
            go.searchmoves.is_empty() || go.searchmoves.contains(&mv.to_uci(Variant::from_chess960(chess960)))
        };
        match self.player.choose(&self.game, is_allowed, out)? {
            Choice::Moves(moves) => {
                for (index, mv) in moves.iter().take(self.multipv).enumerate() {
                    let rank = index as u32 + 1;
                    let mut info = Info::default();
                    info.depth = Some(1);
                    info.seldepth = Some(2);
                    info.multipv = (self.multipv > 1).then_some(rank);
                    info.score = Some(ScoreInfo::cp(8 - rank as i32));
                    info.nodes = Some(20);
                    info.time = Some(3);
                    info.pv = vec![mv.to_uci(Variant::from_chess960(chess960))];
                    write_line(out, Message::Info(info))?;
                }
                let mut counts = Info::default();
                counts.nodes = Some(21);
                write_line(out, Message::Info(counts))?;
                let next = self.game.position().play_unchecked(moves[0]);
                let ponder =
                    self.player.shuffled_moves(&next).first().map(|mv| mv.to_uci(Variant::from_chess960(chess960)));
                let best = moves[0].to_uci(Variant::from_chess960(chess960));
                let best = Message::BestMove { best: Some(best), ponder };
                if self.player.faults.chatter {
                    // In one write: a client cannot tell a stray move that comes after its next command from an answer.
                    let stray = Message::info_string("that was a stray bestmove");
                    write_line(out, format_args!("{best}\nbestmove a1a1\n{stray}"))?;
                } else {
                    write_line(out, best)?;
                }
            }
            Choice::Nothing => write_line(out, Message::BestMove { best: None, ponder: None })?,
            Choice::Illegal(text) => write_line(out, format_args!("bestmove {text}"))?,
        }
        Ok(())
    }
}

fn options() -> [OptionDecl; 7] {
    let option = |name: &str, kind| OptionDecl { name: name.to_owned(), kind };
    let styles = ["Solid", "Very Wild"].map(str::to_owned);
    [
        option("Hash", OptionKind::Spin { default: 16, min: 1, max: 64 }),
        option("Clear Hash", OptionKind::Button),
        option("Style", OptionKind::Combo { default: "Solid".to_owned(), vars: styles.to_vec() }),
        option("MultiPV", OptionKind::Spin { default: 1, min: 1, max: 5 }),
        option("Ponder", OptionKind::Check { default: false }),
        option("nodestime", OptionKind::Spin { default: 0, min: 0, max: 10_000 }),
        option("UCI_Chess960", OptionKind::Check { default: false }),
    ]
}

fn set_up(start: &StartPosition, moves: &[UciMove]) -> Option<Game> {
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
