//! The xboard side of the client.

mod board;
mod budget;
mod features;

use crate::limits::is_infinite;
use crate::link::Link;
use crate::move_text::{resolve, resolve_line};
use crate::option::check_value;
use crate::process::Line;
use crate::running::Search;
use crate::{ClientError, EngineEvent, Info, Limits, ResultClaim, Variant};
use bartizan_position::{Game, Position};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::same_option_name;
use bartizan_protocol::xboard::{Command, EditLine, Message, MoveText, Thinking, edit_lines};
use bartizan_types::{CastlingSide, Color, Move};
use board::Board;
use budget::Budget;
pub(crate) use features::Features;
use std::time::{Duration, Instant};

/// The state of an xboard engine.
pub(crate) struct Xboard {
    pub(crate) features: Features,
    variant: Variant,
    /// Whether the engine should ponder.
    ponder: bool,
    /// The game on the engine's board; `None` if unknown.
    board: Option<Board>,
    /// The side that the engine plays; `None` in force mode.
    plays: Option<Color>,
    budget: Option<Budget>,
    analysis: Option<Analysis>,
    /// Whether moves of the current position are excluded.
    excludes: bool,
    pings: u32,
}

/// Analysis mode, which does not end with a move.
#[derive(Default)]
struct Analysis {
    /// The first move of the last line.
    best: Option<Move>,
    /// The ping that follows `exit`; its answer ends the analysis.
    last_ping: Option<u32>,
}

/// Whether a line declares features, as only xboard engines do.
pub(crate) fn declares_features(line: &str) -> bool {
    matches!(Message::parse(line), Some(Message::Features(_)))
}

impl Xboard {
    /// Sends `xboard` and `protover`, and reads the features.
    pub(crate) fn handshake(link: &mut Link, timeout: Duration) -> Result<Self, ClientError> {
        Ok(Self {
            features: Features::negotiate(link, timeout)?,
            variant: Variant::Standard,
            ponder: false,
            board: None,
            plays: None,
            budget: None,
            analysis: None,
            excludes: false,
            pings: 0,
        })
    }

    /// Sends `xboard` and `protover`.
    pub(crate) fn greet(link: &mut Link) -> Result<(), ClientError> {
        link.send(Command::Xboard)?;
        link.send(Command::ProtoVer(2))
    }

    pub(crate) fn set_option(&mut self, link: &mut Link, name: &str, value: &str) -> Result<(), ClientError> {
        let is_declared = self.features.options.iter().any(|option| same_option_name(&option.name, name));
        if is_declared || !same_option_name(name, "Ponder") {
            return self.features.set_option(link, name, value);
        }
        let kind = OptionKind::Check { default: false };
        let value = check_value(&kind, value).map_err(|reason| link.option_error(name, reason))?;
        self.ponder = value.as_deref() == Some("true");
        link.send(self.ponder_command())
    }

    fn ponder_command(&self) -> Command {
        if self.ponder { Command::Hard } else { Command::Easy }
    }

    fn check_variant(&self, link: &Link, variant: Variant) -> Result<(), ClientError> {
        let chess960 = variant == Variant::Chess960;
        if chess960 && !self.features.variants.iter().any(|variant| variant == "fischerandom") {
            return Err(link.unsupported("play fischerandom (Chess960)"));
        }
        Ok(())
    }

    /// Whether the engine can set up a position in a variant.
    pub(crate) fn check_position(&self, link: &Link, start: &Position, variant: Variant) -> Result<(), ClientError> {
        self.check_variant(link, variant)?;
        if self.features.setboard || variant == Variant::Standard && *start == Position::startpos() {
            return Ok(());
        }
        self.edit_lines(link, start, variant).map(drop)
    }

    /// The commands that set up a position in edit mode.
    fn edit_lines(&self, link: &Link, position: &Position, variant: Variant) -> Result<Vec<EditLine>, ClientError> {
        let lines = if variant == Variant::Chess960 { None } else { edit_lines(position) };
        lines.ok_or_else(|| link.unsupported("set up a position (it lacks the feature setboard)"))
    }

    /// Sets the variant of future games. A board of another variant is discarded.
    pub(crate) fn set_variant(&mut self, link: &mut Link, variant: Variant) -> Result<(), ClientError> {
        self.check_variant(link, variant)?;
        if self.variant != variant {
            self.variant = variant;
            self.board = None;
        }
        Ok(())
    }

    /// Sends `new` and the commands that must follow it. Leaves the engine in force mode.
    pub(crate) fn new_board(&mut self, link: &mut Link) -> Result<(), ClientError> {
        link.send(Command::New)?;
        let chess960 = self.variant == Variant::Chess960;
        if chess960 {
            link.send(Command::Variant("fischerandom".to_owned()))?;
        }
        link.send(Command::Force)?;
        link.send(self.ponder_command())?;
        link.send(Command::Post)?;
        // In fischerandom the engine may have shuffled the pieces.
        self.board = Some(Board::fresh((!chess960).then(Position::startpos)));
        self.plays = None;
        self.budget = None;
        self.excludes = false;
        Ok(())
    }

    /// Marks the board as unknown. The next search sets it up from scratch.
    pub(crate) fn forget_board(&mut self) {
        self.board = None;
    }

    /// Sends `ping` and returns the number that the answer will have; `None` for an engine without the feature.
    pub(crate) fn send_ping(&mut self, link: &mut Link) -> Result<Option<u32>, ClientError> {
        if !self.features.ping {
            return Ok(None);
        }
        self.pings += 1;
        link.send(Command::Ping(self.pings))?;
        Ok(Some(self.pings))
    }

    /// The first limit that the engine or the protocol does not support.
    pub(crate) fn check(&self, link: &Link, limits: &Limits) -> Result<(), ClientError> {
        if limits.mate.is_some() {
            return Err(link.unsupported("search for a mate (the xboard protocol has no command for it)"));
        }
        if !limits.search_moves.is_empty() && !self.features.exclude {
            return Err(link.unsupported("search only some moves (it lacks the feature exclude)"));
        }
        if Budget::of(limits).needs_nps() && !self.features.nps {
            return Err(link.unsupported("limit nodes (it lacks the feature nps)"));
        }
        Ok(())
    }

    /// Starts a search. Returns the time just before.
    pub(crate) fn go(&mut self, link: &mut Link, game: &Game, limits: &Limits) -> Result<Instant, ClientError> {
        self.check(link, limits)?;
        self.analysis = None;
        let budget = Budget::of(limits);
        let outdated = self.budget.as_ref().is_some_and(|old| old.outlasts(&budget));
        let known = self.board.as_ref().is_some_and(|board| board.is_fresh() || board.missing(game).is_some());
        if outdated || !known {
            link.drain(|_| false)?;
            self.new_board(link)?;
        }
        let turn = game.position().turn();
        if is_infinite(limits) && self.features.analyze && self.features.ping {
            return self.analyse(link, game, limits);
        }
        let missing = self.set_up(link, game)?;
        // An engine that plays this side searches as soon as it receives the opponent's move.
        let answers = missing.len() == 1 && self.plays == Some(turn) && limits.search_moves.is_empty();
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
        // After the earlier moves, because `level` counts the remaining ones.
        if self.budget.as_ref() != Some(&budget) {
            budget.send(link, limits, turn)?;
            self.budget = Some(budget);
        }
        self.send_search_moves(link, limits)?;
        if self.features.time {
            budget::send_clocks(link, limits, turn)?;
        }
        self.plays = Some(turn);
        link.send_timed(last.unwrap_or(&Command::Go))
    }

    /// Starts analysis mode, in which engines read their input. Some do not while they think about their own move.
    fn analyse(&mut self, link: &mut Link, game: &Game, limits: &Limits) -> Result<Instant, ClientError> {
        let missing = self.set_up(link, game)?;
        if self.plays.take().is_some() {
            link.send(Command::Force)?;
        }
        for mv in missing {
            link.send(mv)?;
        }
        self.send_search_moves(link, limits)?;
        self.analysis = Some(Analysis::default());
        link.send_timed(Command::Analyze)
    }

    fn send_search_moves(&mut self, link: &mut Link, limits: &Limits) -> Result<(), ClientError> {
        if limits.search_moves.is_empty() {
            // Exclusions last until the position changes.
            return if std::mem::take(&mut self.excludes) { link.send(Command::Include(None)) } else { Ok(()) };
        }
        self.excludes = true;
        link.send(Command::Exclude(None))?;
        limits.search_moves.iter().try_for_each(|&mv| link.send(Command::Include(Some(self.move_text(mv)))))
    }

    /// Ends a search. Returns the time just before.
    pub(crate) fn stop(&mut self, link: &mut Link) -> Result<Instant, ClientError> {
        if self.analysis.is_none() {
            return link.send_timed(Command::MoveNow);
        }
        let sent_at = link.send_timed(Command::Exit)?;
        let ping = self.send_ping(link)?;
        if let Some(analysis) = &mut self.analysis {
            analysis.last_ping = ping;
        }
        Ok(sent_at)
    }

    /// Sets up the start position if the board shows another game. Returns the missing moves as commands.
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

    /// Sets up a position. The engine must be in force mode after `new`.
    fn send_position(&self, link: &mut Link, position: &Position) -> Result<(), ClientError> {
        if self.features.setboard {
            return link.send(Command::SetBoard(position.to_fen()));
        }
        let lines = self.edit_lines(link, position, self.variant)?;
        if position.turn() == Color::Black {
            // As xboard does: a white move on a board that is then cleared gives Black the turn.
            let a3 = MoveText::parse("a2a3");
            link.send(if self.features.usermove { Command::UserMove(a3) } else { Command::Move(a3) })?;
        }
        link.send(Command::Edit)?;
        lines.into_iter().try_for_each(|line| link.send(line))
    }

    fn ends_analysis(&self, pong: u32) -> bool {
        self.analysis.as_ref().is_some_and(|analysis| analysis.last_ping == Some(pong))
    }

    fn move_command(&self, mv: Move) -> Command {
        let text = self.move_text(mv);
        if self.features.usermove { Command::UserMove(text) } else { Command::Move(text) }
    }

    fn move_text(&self, mv: Move) -> MoveText {
        if mv.is_castling() && self.variant == Variant::Chess960 {
            MoveText::Castle(CastlingSide::of(mv.from(), mv.to()))
        } else {
            MoveText::Move(mv.to_uci(Variant::Standard))
        }
    }

    /// Whether a line that arrives after the move still matters in the next search.
    pub(crate) fn outlives_the_move(line: &str) -> bool {
        matches!(Message::parse(line), Some(Message::OfferDraw | Message::Resign | Message::Result { .. }))
    }

    /// The event that a line denotes. A move only counts during a search.
    pub(crate) fn event(&mut self, line: Line, search: Option<&Search>) -> EngineEvent {
        match (Message::parse(&line.text), search) {
            (Some(Message::Move(text)), Some(search)) => {
                let mv = resolve(&search.position, &text);
                match (mv, &mut self.board) {
                    (Some(mv), Some(board)) => board.push(mv),
                    _ => self.board = None,
                }
                EngineEvent::BestMove(search.best_move(text.to_string(), mv, None, line.at))
            }
            (Some(Message::Thinking(thinking)), _) => {
                let position = search.map(|search| &search.position);
                let info = read_thinking(thinking, position, self.variant);
                if let (Some(analysis), Some(position)) = (&mut self.analysis, position) {
                    analysis.best = info.legal_pv(position).first().copied().or(analysis.best);
                }
                EngineEvent::Info(info)
            }
            (Some(Message::Pong(number)), Some(search)) if self.ends_analysis(number) => {
                let best = self.analysis.take().and_then(|analysis| analysis.best);
                let text = best.map_or_else(|| "(none)".to_owned(), |mv| self.move_text(mv).to_string());
                EngineEvent::BestMove(search.best_move(text, best, None, line.at))
            }
            (Some(Message::OfferDraw), _) => EngineEvent::DrawOffer,
            (Some(Message::Resign), _) => {
                self.board = None;
                EngineEvent::Resign
            }
            (Some(Message::Result { result, reason }), _) => {
                self.board = None;
                EngineEvent::ResultClaim(ResultClaim { result, reason })
            }
            // Some engines report an unknown command as an illegal move.
            (Some(Message::IllegalMove { mv, .. }), _) if !matches!(MoveText::parse(&mv), MoveText::San(_)) => {
                self.board = None;
                EngineEvent::Refused(line.text)
            }
            (Some(Message::TellUserError(text)), _) if text.contains("llegal") => {
                self.board = None;
                EngineEvent::Refused(line.text)
            }
            _ => EngineEvent::Other(line.text),
        }
    }
}

/// The number of a `pong`; `None` for any other line.
pub(crate) fn pong(line: &str) -> Option<u32> {
    match Message::parse(line) {
        Some(Message::Pong(number)) => Some(number),
        _ => None,
    }
}

fn read_thinking(thinking: Thinking, position: Option<&Position>, variant: Variant) -> Info {
    Info {
        depth: Some(thinking.ply),
        seldepth: thinking.seldepth,
        score: Some(thinking.exact_score()),
        bound: thinking.bound,
        nodes: Some(thinking.nodes),
        nps: thinking.speed.filter(|&speed| speed > 0),
        time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
        tbhits: thinking.tbhits,
        pv: position.map(|position| resolve_line(position, &thinking.pv, variant)).unwrap_or_default(),
        pv_text: thinking.pv,
        ..Info::default()
    }
}
