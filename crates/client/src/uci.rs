//! The UCI side of the client.

use crate::limits::is_infinite;
use crate::link::{Link, RECOGNITION};
use crate::option::check_value;
use crate::process::Line;
use crate::running::{Search, Time};
use crate::xboard::{Xboard, declares_features};
use crate::{ClientError, EngineEvent, Info, Limits, OptionError, Protocol, Variant};
use bartizan_position::{FenStyle, Game, Position};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{
    CheckStatus, Command, GoParams, Id, Info as UciInfo, Message, MessageError, OptionDecl, StartPosition,
    same_option_name,
};
use std::time::{Duration, Instant};

const CHESS960: &str = "UCI_Chess960";

/// The state of a UCI engine.
#[derive(Default)]
pub(crate) struct Uci {
    pub(crate) name: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) options: Vec<OptionDecl>,
    variant: Variant,
    /// The check boxes that were set, with their values.
    checks: Vec<(String, bool)>,
}

/// The last line of a handshake.
enum Last {
    Ok,
    Refusal(String),
}

/// Whether a line ends the handshake of a UCI engine.
pub(crate) fn is_uciok(line: &str) -> bool {
    matches!(Message::parse(line), Ok(Some(Message::UciOk)))
}

impl Uci {
    /// Sends `uci` and reads everything up to `uciok`. Towards the end of the wait, a silent engine is also asked
    /// whether it speaks xboard.
    pub(crate) fn handshake(link: &mut Link, timeout: Duration) -> Result<Self, ClientError> {
        let mut uci = Self::default();
        let mut last = None;
        link.send(Command::Uci)?;
        let command = link.last_command();
        let rest = RECOGNITION.min(timeout / 2);
        let mut received = link.receive_until(timeout - rest, "uciok", |_| false, |line| uci.take(line, &mut last));
        if let Err(ClientError::Timeout { .. }) = received {
            if uci.name.is_none() && uci.options.is_empty() {
                Xboard::greet(link)?;
                // The error names the command of UCI.
                link.set_last_command(command.clone());
            }
            let is_end = |line: &str| declares_features(line) || uci.take(line, &mut last);
            received = link.receive_until(rest, "uciok", |_| false, is_end);
        }
        received?;
        match last {
            Some(Last::Ok) => Ok(uci),
            Some(Last::Refusal(line)) => {
                Err(ClientError::Refused { engine: link.name.clone(), command: command.0, line })
            }
            None => Err(ClientError::OtherProtocol { engine: link.name.clone(), speaks: Protocol::Xboard }),
        }
    }

    /// Stores what a line of the handshake says. Returns whether it is the last.
    fn take(&mut self, line: &str, last: &mut Option<Last>) -> bool {
        match Message::parse(line) {
            Ok(Some(Message::UciOk)) => *last = Some(Last::Ok),
            Ok(Some(Message::Id(Id::Name(name)))) => self.name = Some(name),
            Ok(Some(Message::Id(Id::Author(author)))) => self.author = Some(author),
            Ok(Some(Message::Option(option))) => self.options.push(option),
            Ok(Some(Message::CopyProtection(CheckStatus::Error))) => *last = Some(Last::Refusal(line.to_owned())),
            _ => {}
        }
        last.is_some()
    }

    pub(crate) fn set_option(&mut self, link: &mut Link, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(option) = self.options.iter().find(|option| same_option_name(&option.name, name)) else {
            return Err(link.option_error(name, OptionError::unknown(name, &self.options)));
        };
        let value = check_value(&option.kind, value).map_err(|reason| link.option_error(name, reason))?;
        if let OptionKind::Check { .. } = option.kind {
            self.checks.retain(|(other, _)| *other != option.name);
            self.checks.push((option.name.clone(), value.as_deref() == Some("true")));
        }
        link.send(Command::SetOption { name: option.name.clone(), value })
    }

    /// The value of a check box; `None` if the engine lacks it.
    fn check(&self, name: &str) -> Option<bool> {
        let option = self.options.iter().find(|option| same_option_name(&option.name, name))?;
        let OptionKind::Check { default } = option.kind else { return None };
        Some(self.checks.iter().find(|(other, _)| *other == option.name).map_or(default, |&(_, value)| value))
    }

    /// Sets the option `Ponder`, which some engines require for pondering.
    pub(crate) fn enable_ponder(&mut self, link: &mut Link) -> Result<(), ClientError> {
        if self.check("Ponder") == Some(false) { self.set_option(link, "Ponder", "true") } else { Ok(()) }
    }

    pub(crate) fn check_variant(&self, link: &Link, variant: Variant) -> Result<(), ClientError> {
        let can_play = variant == Variant::Standard || self.check(CHESS960).is_some();
        if can_play { Ok(()) } else { Err(link.unsupported("play Chess960")) }
    }

    pub(crate) fn set_variant(&mut self, link: &mut Link, variant: Variant) -> Result<(), ClientError> {
        self.check_variant(link, variant)?;
        let chess960 = variant == Variant::Chess960;
        if self.check(CHESS960).unwrap_or(false) != chess960 {
            self.set_option(link, CHESS960, if chess960 { "true" } else { "false" })?;
        }
        self.variant = variant;
        Ok(())
    }

    /// Starts a search. Returns the time just before.
    pub(crate) fn go(&self, link: &mut Link, game: &Game, limits: &Limits, time: Time) -> Result<Instant, ClientError> {
        let chess960 = self.variant == Variant::Chess960;
        let start = if *game.start() == Position::startpos() {
            StartPosition::Startpos
        } else {
            // Some engines only accept Chess960 castling rights as the files of the rooks.
            let style = if chess960 { FenStyle::Shredder } else { FenStyle::XFen };
            StartPosition::Fen(game.start().to_fen_style(style))
        };
        let moves = game.moves().map(|mv| mv.to_uci(self.variant)).collect();
        link.send(Command::Position { start, moves })?;
        link.send_timed(Command::Go(go_params(limits, time, self.variant)))
    }

    /// The event that a line denotes. A move only counts during a search.
    pub(crate) fn event(&self, line: Line, search: Option<&Search>) -> EngineEvent {
        match (Message::parse(&line.text), search) {
            (Ok(Some(Message::BestMove { best, ponder })), Some(search)) => {
                let mv = best.and_then(|best| search.position.resolve_uci(best).ok());
                let ponder = ponder.zip(mv).and_then(|(ponder, mv)| {
                    let next = search.position.play_unchecked(mv);
                    next.resolve_uci(ponder).ok()
                });
                EngineEvent::BestMove(search.best_move(second_word(&line.text), mv, ponder, line.at))
            }
            (Err(MessageError::Move { .. } | MessageError::Missing { message: "bestmove", .. }), Some(search)) => {
                EngineEvent::BestMove(search.best_move(second_word(&line.text), None, None, line.at))
            }
            (Ok(Some(Message::Info(info))), _) if !is_mere_text(&info) => {
                EngineEvent::Info(read_info(info, &line.text))
            }
            _ => EngineEvent::Other(line.text),
        }
    }
}

/// Whether an `info` line has only a text. A text may also follow other information.
fn is_mere_text(info: &UciInfo) -> bool {
    let mut text = UciInfo::default();
    text.string.clone_from(&info.string);
    info.string.is_some() && *info == text
}

fn second_word(line: &str) -> String {
    line.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

/// Whether a line is `readyok`.
pub(crate) fn is_readyok(line: &str) -> bool {
    matches!(Message::parse(line), Ok(Some(Message::ReadyOk)))
}

fn go_params(limits: &Limits, time: Time, variant: Variant) -> GoParams {
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let mut go = GoParams::default();
    go.searchmoves = limits.search_moves.iter().map(|mv| mv.to_uci(variant)).collect();
    go.ponder = time == Time::Opponent;
    go.movetime = limits.move_time.map(millis);
    (go.nodes, go.depth, go.mate) = (limits.nodes, limits.depth, limits.mate);
    if let Some(clock) = &limits.clock {
        // Some engines read 0 as "no clock".
        (go.wtime, go.btime) = (Some(millis(clock.white).max(1)), Some(millis(clock.black).max(1)));
        (go.winc, go.binc) = (Some(millis(clock.winc)), Some(millis(clock.binc)));
        go.movestogo = clock.moves_to_go;
    }
    go.infinite = is_infinite(limits);
    go
}

fn read_info(info: bartizan_protocol::uci::Info, line: &str) -> Info {
    let pv_text = if info.pv.is_empty() { "" } else { line.split_once(" pv ").map_or("", |(_, pv)| pv.trim()) };
    Info {
        depth: info.depth,
        seldepth: info.seldepth,
        score: info.score.map(|score| score.score),
        bound: info.score.map(|score| score.bound).unwrap_or_default(),
        wdl: info.wdl,
        nodes: info.nodes,
        nps: info.nps,
        time: info.time.map(Duration::from_millis),
        multipv: info.multipv,
        hashfull: info.hashfull,
        tbhits: info.tbhits,
        currmove: info.currmove,
        pv: info.pv,
        pv_text: pv_text.to_owned(),
    }
}
