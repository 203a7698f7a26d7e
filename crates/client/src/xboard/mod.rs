//! The xboard side of the client.

mod board;
mod budget;
mod features;

use crate::client::Search;
use crate::link::Link;
use crate::move_text::{resolve, resolve_line};
use crate::process::Line;
use crate::{ClientError, Event, GoLimits, Info, ResultClaim};
use bartizan_position::{Game, Position};
use bartizan_protocol::xboard::{Command, Message, MoveText, Thinking, edit_lines};
use bartizan_types::{CastlingSide, Color, Move};
use board::Board;
use budget::Budget;
pub(crate) use features::Features;
use std::time::{Duration, Instant};

/// What is known of an xboard engine.
pub(crate) struct Xboard {
    pub(crate) features: Features,
    chess960: bool,
    /// What the engine has on its board; `None` if that is not known.
    board: Option<Board>,
    /// The side the engine plays; `None` in force mode.
    plays: Option<Color>,
    budget: Option<Budget>,
    pings: u32,
    games: u32,
}

impl Xboard {
    /// `xboard`, `protover`, and the features.
    pub(crate) fn handshake(link: &mut Link, timeout: Duration) -> Result<Self, ClientError> {
        let features = Features::negotiate(link, timeout)?;
        Ok(Self { features, chess960: false, board: None, plays: None, budget: None, pings: 0, games: 0 })
    }

    pub(crate) fn set_chess960(&mut self, link: &mut Link, chess960: bool) -> Result<(), ClientError> {
        if chess960 && !self.features.variants.iter().any(|variant| variant == "fischerandom") {
            return Err(link.unsupported("play fischerandom (Chess960)"));
        }
        self.chess960 = chess960;
        Ok(())
    }

    /// Whether the engine must be started anew for its next game.
    pub(crate) fn is_used_up(&self) -> bool {
        self.games > 0 && !self.features.reuse
    }

    pub(crate) fn new_game(&mut self, link: &mut Link) -> Result<(), ClientError> {
        self.games += 1;
        self.new_board(link)
    }

    /// Forgets everything the engine knows, and leaves it in force mode.
    fn new_board(&mut self, link: &mut Link) -> Result<(), ClientError> {
        link.send(Command::New)?;
        if self.chess960 {
            link.send(Command::Variant("fischerandom".to_owned()))?;
        }
        link.send(Command::Force)?;
        link.send(Command::Easy)?;
        link.send(Command::Post)?;
        // In fischerandom the engine may have shuffled the pieces.
        self.board = Some(Board::fresh((!self.chess960).then(Position::startpos)));
        self.plays = None;
        self.budget = None;
        Ok(())
    }

    /// The board is no longer known: it is set up from scratch before the next search.
    pub(crate) fn forget_board(&mut self) {
        self.board = None;
    }

    /// Sends `ping`; the number that the answer has. `None` if the engine knows no `ping`.
    pub(crate) fn send_ping(&mut self, link: &mut Link) -> Result<Option<u32>, ClientError> {
        if !self.features.ping {
            return Ok(None);
        }
        self.pings += 1;
        link.send(Command::Ping(self.pings))?;
        Ok(Some(self.pings))
    }

    /// Begins a search; just before which moment.
    pub(crate) fn go(&mut self, link: &mut Link, game: &Game, limits: &GoLimits) -> Result<Instant, ClientError> {
        let budget = Budget::of(limits);
        if budget.needs_nps() && !self.features.nps {
            return Err(link.unsupported("count nodes (no feature nps)"));
        }
        // `sd` and `nps` last until `new`.
        let outdated = self.budget.as_ref().is_some_and(|old| old.outlasts(&budget));
        let known = self.board.as_ref().is_some_and(|board| board.is_fresh() || board.missing(game).is_some());
        if outdated || !known {
            link.drain(|_| false)?;
            self.new_board(link)?;
        }
        let turn = game.position().turn();
        if self.budget.as_ref() != Some(&budget) {
            budget.send(link, limits, turn)?;
            self.budget = Some(budget);
        }
        let missing = self.set_up(link, game)?;
        let answers = missing.len() == 1 && self.plays == Some(turn);
        if !answers && self.plays.take().is_some() {
            link.send(Command::Force)?;
        }
        let (last, before) = match missing.split_last() {
            Some((last, _)) if answers => (Some(last), &[][..]),
            _ => (None, missing.as_slice()),
        };
        for mv in before {
            link.send(mv)?;
        }
        if self.features.time {
            budget::send_clocks(link, limits, turn)?;
        }
        self.plays = Some(turn);
        link.send_timed(last.unwrap_or(&Command::Go))
    }

    /// Sets the start position up if need be; the moves that the engine has not seen, as commands.
    fn set_up(&mut self, link: &mut Link, game: &Game) -> Result<Vec<Command>, ClientError> {
        let missing = match self.board.as_ref().and_then(|board| board.missing(game)) {
            Some(missing) => missing,
            None => {
                self.send_position(link, game.start())?;
                game.moves().collect()
            }
        };
        self.board = Some(Board::of(game));
        Ok(missing.into_iter().map(|mv| self.move_command(mv)).collect())
    }

    /// In force mode, after `new`.
    fn send_position(&self, link: &mut Link, position: &Position) -> Result<(), ClientError> {
        if self.features.setboard {
            return link.send(Command::SetBoard(position.to_fen()));
        }
        let lines = if self.chess960 { None } else { edit_lines(position) };
        let lines = lines.ok_or_else(|| link.unsupported("set up a position (no feature setboard)"))?;
        if position.turn() == Color::Black {
            // As xboard does it: a move on the board that is then cleared gives Black the turn.
            let a3 = MoveText::parse("a2a3");
            link.send(if self.features.usermove { Command::UserMove(a3) } else { Command::Move(a3) })?;
        }
        link.send(Command::Edit)?;
        lines.into_iter().try_for_each(|line| link.send(line))
    }

    fn move_command(&self, mv: Move) -> Command {
        let text = if mv.is_castling() && self.chess960 {
            MoveText::Castle(CastlingSide::of(mv.from(), mv.to()))
        } else {
            MoveText::Move(mv.uci(false))
        };
        if self.features.usermove { Command::UserMove(text) } else { Command::Move(text) }
    }

    /// Whether a line that comes after the move still matters at the next.
    pub(crate) fn outlives_the_move(line: &str) -> bool {
        matches!(Message::parse(line), Some(Message::OfferDraw | Message::Resign | Message::Result { .. }))
    }

    /// What a line says, if it comes while the engine searches.
    pub(crate) fn event(&mut self, line: Line, search: Option<&Search>) -> Event {
        match (Message::parse(&line.text), search) {
            (Some(Message::Move(text)), Some(search)) => {
                let mv = resolve(&search.position, &text);
                match (mv, &mut self.board) {
                    (Some(mv), Some(board)) => board.push(mv),
                    _ => self.board = None,
                }
                Event::BestMove(search.best_move(text.to_string(), mv, None, line.at))
            }
            (Some(Message::Thinking(thinking)), _) => {
                Event::Info(read_thinking(thinking, search.map(|search| &search.position), self.chess960))
            }
            (Some(Message::OfferDraw), _) => Event::DrawOffer,
            (Some(Message::Resign), _) => {
                self.board = None;
                Event::Resign
            }
            (Some(Message::Result { result, reason }), _) => {
                self.board = None;
                Event::ResultClaim(ResultClaim { result, reason })
            }
            // Some engines call a command that they do not know an illegal move too.
            (Some(Message::IllegalMove { mv, .. }), _) if !matches!(MoveText::parse(&mv), MoveText::San(_)) => {
                self.board = None;
                Event::Refused(line.text)
            }
            (Some(Message::TellUserError(text)), _) if text.contains("llegal") => {
                self.board = None;
                Event::Refused(line.text)
            }
            _ => Event::Other(line.text),
        }
    }
}

/// The number of a `pong`.
pub(crate) fn pong(line: &str) -> Option<u32> {
    match Message::parse(line) {
        Some(Message::Pong(number)) => Some(number),
        _ => None,
    }
}

fn read_thinking(thinking: Thinking, position: Option<&Position>, chess960: bool) -> Info {
    Info {
        depth: Some(thinking.ply),
        seldepth: thinking.seldepth,
        score: Some(thinking.score_kind()),
        bound: thinking.bound,
        nodes: Some(thinking.nodes),
        nps: thinking.speed.filter(|&speed| speed > 0),
        time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
        tbhits: thinking.tbhits,
        pv: position.map(|position| resolve_line(position, &thinking.pv, chess960)).unwrap_or_default(),
        pv_text: thinking.pv,
        ..Info::default()
    }
}
