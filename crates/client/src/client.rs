//! An engine and what it is asked.

use crate::link::{Link, Log};
use crate::uci::{Uci, is_readyok};
use crate::xboard::{Xboard, pong};
use crate::{Answer, BestMove, ClientError, EngineConfig, Event, GoLimits, Info, Protocol, Timeouts};
use bartizan_position::{Game, Position};
use bartizan_protocol::{uci, xboard};
use bartizan_types::Move;
use std::fmt;
use std::time::{Duration, Instant};

/// A running engine. Dropping it kills the process; [`Client::quit`] ends it in peace.
pub struct Client {
    link: Link,
    dialect: Dialect,
    config: EngineConfig,
    timeouts: Timeouts,
    search: Option<Search>,
}

enum Dialect {
    Uci(Uci),
    Xboard(Box<Xboard>),
}

/// A search that is going on.
pub(crate) struct Search {
    pub(crate) position: Position,
    started: Instant,
}

impl Search {
    pub(crate) fn best_move(
        &self,
        text: String,
        mv: Option<Move>,
        ponder: Option<Move>,
        received_at: Instant,
    ) -> BestMove {
        let elapsed = received_at.saturating_duration_since(self.started);
        BestMove { text, mv, ponder, received_at, elapsed }
    }
}

impl Client {
    /// Starts an engine, lets it name itself, and sets its options. `log` sees all lines.
    ///
    /// An xboard engine that is silent for two seconds is taken for one of the first version of the protocol.
    ///
    /// # Errors
    /// [`ClientError::Spawn`] if there is no such program, [`Timeout`](ClientError::Timeout) or
    /// [`Died`](ClientError::Died) if it does not answer, [`Option`](ClientError::Option) for an option it does not
    /// declare or a value it does not allow, [`Unsupported`](ClientError::Unsupported) if it cannot play Chess960 but
    /// should, [`Handshake`](ClientError::Handshake) if it refuses to work.
    pub fn start(config: &EngineConfig, timeouts: &Timeouts, log: Option<Log>) -> Result<Self, ClientError> {
        let mut link = Link::start(config, log)?;
        let dialect = match config.protocol {
            Protocol::Uci => Dialect::Uci(Uci::handshake(&mut link, timeouts.handshake)?),
            Protocol::Xboard => Dialect::Xboard(Box::new(Xboard::handshake(&mut link, timeouts.handshake)?)),
        };
        let own_name = match &dialect {
            Dialect::Uci(uci) => uci.name.as_deref(),
            Dialect::Xboard(xboard) => xboard.features.name.as_deref(),
        };
        if let (None, Some(name)) = (&config.name, own_name.filter(|name| !name.is_empty())) {
            name.clone_into(&mut link.name);
        }
        let mut client = Self { link, dialect, config: config.clone(), timeouts: *timeouts, search: None };
        for (name, value) in &config.options {
            client.set_option(name, value)?;
        }
        if config.chess960 {
            client.set_chess960(true)?;
        }
        client.ping(timeouts.handshake)?;
        Ok(client)
    }

    /// What to call the engine: the configured name, or its own.
    pub fn name(&self) -> &str {
        &self.link.name
    }

    /// The number of its process.
    pub fn process_id(&self) -> u32 {
        self.link.process_id()
    }

    /// Sets an option; the empty value presses a button.
    ///
    /// # Errors
    /// [`ClientError::Option`] if the engine does not declare it or does not allow the value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        match &mut self.dialect {
            Dialect::Uci(uci) => uci.set_option(&mut self.link, name, value),
            Dialect::Xboard(xboard) => xboard.features.set_option(&mut self.link, name, value),
        }
    }

    /// Prepares for another game, and waits until the engine is ready. A search that goes on is stopped. An xboard engine
    /// that plays only one game (`reuse=0`) is started again.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Died`], and [`ClientError::Unsupported`] if the engine cannot play
    /// Chess960 but should.
    pub fn new_game(&mut self, chess960: bool) -> Result<(), ClientError> {
        self.end_search()?;
        if matches!(&self.dialect, Dialect::Xboard(xboard) if xboard.is_used_up()) {
            let log = self.link.take_log();
            *self = Self::start(&self.config, &self.timeouts, log)?;
        }
        self.link.drain(|_| false)?;
        self.set_chess960(chess960)?;
        match &mut self.dialect {
            Dialect::Uci(_) => self.link.send(uci::Command::UciNewGame)?,
            Dialect::Xboard(xboard) => xboard.new_game(&mut self.link)?,
        }
        self.ping(self.timeouts.new_game)?;
        // Offers and claims of the last game.
        self.link.drain(|_| false)
    }

    fn set_chess960(&mut self, chess960: bool) -> Result<(), ClientError> {
        match &mut self.dialect {
            Dialect::Uci(uci) => uci.set_chess960(&mut self.link, chess960),
            Dialect::Xboard(xboard) => xboard.set_chess960(&mut self.link, chess960),
        }
    }

    /// Lets the engine search the last position of a game; [`Client::wait`] tells what it finds. A search that goes on is
    /// stopped before, and its answer dropped.
    ///
    /// # Errors
    /// [`ClientError::Died`]; [`ClientError::Unsupported`] for an xboard engine that cannot set up the position or count
    /// nodes; [`ClientError::Timeout`] if an earlier search does not stop.
    pub fn begin_search(&mut self, game: &Game, limits: &GoLimits) -> Result<(), ClientError> {
        self.end_search()?;
        // What is left from before is no answer to this.
        let keeps = self.keeps();
        self.link.drain(keeps)?;
        let started = match &mut self.dialect {
            Dialect::Uci(uci) => uci.go(&mut self.link, game, limits)?,
            Dialect::Xboard(xboard) => xboard.go(&mut self.link, game, limits)?,
        };
        self.search = Some(Search { position: game.position().clone(), started });
        Ok(())
    }

    /// Which lines between two searches still matter at the second.
    fn keeps(&self) -> fn(&str) -> bool {
        match self.dialect {
            Dialect::Uci(_) => |_| false,
            Dialect::Xboard(_) => Xboard::outlives_the_move,
        }
    }

    /// The next thing that the engine says.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] at the deadline, [`ClientError::Died`] as soon as the engine has ended.
    pub fn wait(&mut self, deadline: Instant) -> Result<Event, ClientError> {
        self.next_event(deadline).map(|(event, _)| event)
    }

    /// The next event, and when its line came.
    fn next_event(&mut self, deadline: Instant) -> Result<(Event, Instant), ClientError> {
        let (what, since) = match &self.search {
            Some(search) => ("bestmove", search.started),
            None => ("line", Instant::now()),
        };
        let line = self.link.receive(deadline, what, since)?;
        let at = line.at;
        // What was said before the search is no answer to it.
        let search = self.search.as_ref().filter(|search| at >= search.started);
        let event = match &mut self.dialect {
            Dialect::Uci(uci) => uci.event(line, search),
            Dialect::Xboard(xboard) => xboard.event(line, search),
        };
        if matches!(event, Event::BestMove(_) | Event::Resign | Event::ResultClaim(_) | Event::Refused(_)) {
            self.search = None;
        }
        Ok((event, at))
    }

    /// Searches the last position of a game until the engine moves, resigns or claims a result.
    ///
    /// # Errors
    /// Those of [`Client::begin_search`] and [`Client::wait`], and [`ClientError::Refused`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &GoLimits,
        deadline: Instant,
        mut on_info: impl FnMut(&Info),
    ) -> Result<Answer, ClientError> {
        self.begin_search(game, limits)?;
        let started = self.search.as_ref().map_or_else(Instant::now, |search| search.started);
        let mut answer = Answer::none(started);
        loop {
            let (event, received_at) = self.next_event(deadline)?;
            answer.received_at = received_at;
            answer.elapsed = received_at.saturating_duration_since(started);
            match event {
                Event::Info(info) => {
                    on_info(&info);
                    answer.note(info);
                }
                Event::BestMove(BestMove { text, mv, ponder, .. }) => {
                    return Ok(Answer { text, mv, ponder, ..answer });
                }
                Event::DrawOffer => answer.draw_offered = true,
                Event::Resign => return Ok(Answer { resigned: true, ..answer }),
                Event::ResultClaim(claim) => return Ok(Answer { claim: Some(claim), ..answer }),
                Event::Refused(line) => return Err(ClientError::Refused { engine: self.link.name.clone(), line }),
                Event::Other(_) => {}
            }
        }
    }

    /// Asks the engine to move now. The answer comes by [`Client::wait`].
    ///
    /// # Errors
    /// [`ClientError::Died`].
    pub fn stop(&mut self) -> Result<(), ClientError> {
        match &self.dialect {
            Dialect::Uci(_) => self.link.send(uci::Command::Stop),
            Dialect::Xboard(_) => self.link.send(xboard::Command::MoveNow),
        }
    }

    /// Stops a search whose answer nobody waits for any more.
    fn end_search(&mut self) -> Result<(), ClientError> {
        if self.search.is_none() {
            return Ok(());
        }
        self.stop()?;
        let deadline = Instant::now() + self.timeouts.ping;
        while self.search.is_some() {
            self.wait(deadline)?;
        }
        Ok(())
    }

    /// Asks for a sign of life. An xboard engine that knows no `ping` passes at once, and one that searches answers only
    /// after its move.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Died`].
    pub fn ping(&mut self, timeout: Duration) -> Result<(), ClientError> {
        let mut before = match &mut self.dialect {
            Dialect::Uci(_) => {
                self.link.send(uci::Command::IsReady)?;
                self.link.receive_until(timeout, "readyok", is_readyok)?
            }
            Dialect::Xboard(xboard) => match xboard.send_ping(&mut self.link)? {
                Some(number) => self.link.receive_until(timeout, "pong", |line| pong(line) == Some(number))?,
                None => Vec::new(),
            },
        };
        if self.search.is_none() {
            let keeps = self.keeps();
            before.retain(|line| keeps(&line.text));
        }
        self.link.put_back(before);
        Ok(())
    }

    /// Tells an xboard engine how the game has ended, for those that learn from it. Does nothing for UCI.
    ///
    /// # Errors
    /// [`ClientError::Died`].
    pub fn end_game(&mut self, result: xboard::GameResult, reason: &str) -> Result<(), ClientError> {
        self.end_search()?;
        match &mut self.dialect {
            Dialect::Uci(_) => Ok(()),
            Dialect::Xboard(xboard) => {
                xboard.forget_board();
                self.link.send(xboard::Command::Result { result, reason: reason.to_owned() })
            }
        }
    }

    /// Whether the process runs.
    pub fn is_alive(&mut self) -> bool {
        self.link.process().status().is_none()
    }

    /// The end of what the engine has printed on its error output.
    pub fn stderr_tail(&mut self) -> String {
        self.link.process().stderr_tail(Duration::ZERO)
    }

    /// Ends the engine, and kills it when it does not end in time.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if it had to be killed.
    pub fn quit(mut self) -> Result<(), ClientError> {
        let since = Instant::now();
        let sent = match &self.dialect {
            Dialect::Uci(_) => self.link.send(uci::Command::Quit),
            Dialect::Xboard(_) => self.link.send(xboard::Command::Quit),
        };
        if sent.is_err() {
            return Ok(());
        }
        match self.link.finish(since + self.timeouts.quit) {
            Some(_) => Ok(()),
            None => {
                let (engine, what) = (self.link.name.clone(), "end of the program");
                Err(ClientError::Timeout { engine, what, after: since.elapsed() })
            }
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searching = self.search.is_some();
        f.debug_struct("Client").field("config", &self.config).field("searching", &searching).finish_non_exhaustive()
    }
}
