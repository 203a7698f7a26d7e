//! Starts, follows and ends searches.

use crate::client::Dialect;
use crate::limits::is_infinite;
use crate::link::after;
use crate::running::{Search, Stage, Time};
use crate::xboard::Xboard;
use crate::{Client, ClientError, EngineEvent, Limits, Reply, RunningAnalysis};
use bartizan_position::{Game, Position};
use bartizan_protocol::uci;
use std::time::{Duration, Instant};

impl Client {
    /// Searches the last position of a game until the engine moves, resigns or claims a result.
    ///
    /// ```no_run
    /// # let game = bartizan_position::Game::default();
    /// use bartizan_client::{Client, Limits};
    ///
    /// let mut engine = Client::xboard("fairymax")?;
    /// let reply = engine.play(&game, &Limits::depth(6))?;
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Client::start_search`] and [`RunningAnalysis::wait`]; [`ClientError::Endless`] if `limits` sets no
    /// limit.
    pub fn play(&mut self, game: &Game, limits: &Limits) -> Result<Reply, ClientError> {
        if is_infinite(limits) || limits.ponder {
            return Err(ClientError::Endless { engine: self.name().to_owned() });
        }
        self.analyse(game, limits)?.wait()
    }

    /// Searches the last position of a game and yields every info that the engine reports.
    ///
    /// With limits, an xboard engine searches as in a game: it may answer from its book without any info. Without
    /// limits, the client uses analysis mode, and the best move is the first of the last line.
    ///
    /// ```no_run
    /// # let game = bartizan_position::Game::default();
    /// use bartizan_client::{Client, Limits};
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// for info in engine.analyse(&game, &Limits::infinite())? {
    ///     if info?.depth >= Some(20) {
    ///         break; // Dropping the analysis stops the search.
    ///     }
    /// }
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Client::start_search`].
    pub fn analyse(&mut self, game: &Game, limits: &Limits) -> Result<RunningAnalysis<'_>, ClientError> {
        self.start_search(game, limits)?;
        Ok(RunningAnalysis::new(self, game.position().clone()))
    }

    /// Lets the engine ponder. The last move of `game` is the expected one, such as [`Reply::ponder`]; `limits` are
    /// those of the engine's next move. UCI only.
    ///
    /// Sets the engine's option `Ponder`, if it exists. When the opponent plays the expected move, call
    /// [`Client::ponder_hit`]. When the opponent plays another, start the next search, which stops this one.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, Limits};
    /// use bartizan_position::Game;
    /// use std::time::Duration;
    ///
    /// let limits = Limits::move_time(Duration::from_secs(1));
    /// let mut game = Game::default();
    /// let mut engine = Client::uci("stockfish")?;
    /// let reply = engine.play(&game, &limits)?;
    /// if let (Some(mv), Some(expected)) = (reply.best_move(), reply.ponder) {
    ///     game.push(mv)?;
    ///     game.push(expected)?;
    ///     engine.ponder(&game, &limits)?;
    ///     // The opponent has played the expected move.
    ///     let reply = engine.ponder_hit()?.wait()?;
    ///     println!("{:?}", reply.action);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Client::start_search`]; [`ClientError::Unsupported`] for an xboard engine, which ponders on its own
    /// if its option `Ponder` is set.
    pub fn ponder(&mut self, game: &Game, limits: &Limits) -> Result<(), ClientError> {
        self.begin(game, limits, Time::Opponent)
    }

    /// Tells a pondering engine that the opponent has played the expected move. The engine's own time starts now.
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Unsupported`] if the engine is not pondering.
    pub fn ponder_hit(&mut self) -> Result<RunningAnalysis<'_>, ClientError> {
        let position = self.hit()?;
        Ok(RunningAnalysis::new(self, position))
    }

    /// As [`Client::ponder_hit`], but returns at once, like [`Client::start_search`]. Events that have already arrived
    /// belong to the ponder search.
    ///
    /// # Errors
    /// Those of [`Client::ponder_hit`].
    pub fn start_ponder_hit(&mut self) -> Result<(), ClientError> {
        self.hit().map(drop)
    }

    /// Sends the ponder hit. Returns the searched position.
    fn hit(&mut self) -> Result<Position, ClientError> {
        let Some(Search { stage: stage @ Stage::Pondering, thinks_since, position, .. }) = &mut self.search else {
            return Err(self.link.unsupported("accept a ponder hit, because it is not pondering"));
        };
        let position = position.clone();
        *thinks_since = self.link.send_timed(uci::Command::PonderHit)?;
        *stage = Stage::Thinking;
        Ok(position)
    }

    /// Starts a search of the last position of a game and returns at once. [`Client::next_event`] returns the engine's
    /// reports. A running search is stopped first, and its move discarded.
    ///
    /// [`Client::play`] and [`Client::analyse`] are easier to use. This is for callers that do other work meanwhile.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, EngineEvent, Limits};
    /// use bartizan_position::Game;
    ///
    /// let mut engines = [Client::uci("stockfish")?, Client::xboard("fairymax")?];
    /// for engine in &mut engines {
    ///     engine.start_search(&Game::default(), &Limits::depth(10))?;
    /// }
    /// // Both are searching now.
    /// for engine in &mut engines {
    ///     while engine.is_searching() {
    ///         if let EngineEvent::BestMove(best) = engine.next_event()? {
    ///             println!("{}: {}", engine.name(), best.text);
    ///         }
    ///     }
    /// }
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Timeout`] if a running search does not stop;
    /// [`ClientError::Unsupported`] if the engine does not support Chess960 and the position needs it, or if the xboard
    /// protocol cannot express the limits or set up the position.
    pub fn start_search(&mut self, game: &Game, limits: &Limits) -> Result<(), ClientError> {
        self.begin(game, limits, if limits.ponder { Time::Opponent } else { Time::Own })
    }

    fn begin(&mut self, game: &Game, limits: &Limits, time: Time) -> Result<(), ClientError> {
        self.end_search()?;
        // Earlier lines do not answer this search.
        let keeps = self.keeps();
        self.link.drain(keeps)?;
        self.announce_variant(self.config.variant.max(game.start().variant()))?;
        if let (Dialect::Uci(uci), Time::Opponent) = (&mut self.dialect, time) {
            uci.enable_ponder(&mut self.link)?;
        }
        let asked_at = match (&mut self.dialect, time) {
            (Dialect::Uci(uci), _) => uci.go(&mut self.link, game, limits, time)?,
            (Dialect::Xboard(xboard), Time::Own) => xboard.go(&mut self.link, game, limits)?,
            (Dialect::Xboard(_), Time::Opponent) => return Err(self.link.unsupported("ponder by command")),
        };
        let position = game.position().clone();
        let longest = limits.longest(position.turn());
        let stage = if time == Time::Own { Stage::Thinking } else { Stage::Pondering };
        self.search = Some(Search { position, asked_at, thinks_since: asked_at, longest, stage });
        Ok(())
    }

    /// Whether a search is running: the engine has not answered, or the answer has not been retrieved.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Tells the engine to end the search. Its move arrives as an event or in the reply. Does nothing if no search is
    /// running.
    ///
    /// # Errors
    /// [`ClientError::Exited`].
    pub fn stop(&mut self) -> Result<(), ClientError> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if let Stage::Stopped(_) = search.stage {
            return Ok(());
        }
        let sent_at = match &mut self.dialect {
            Dialect::Uci(_) => self.link.send_timed(uci::Command::Stop),
            Dialect::Xboard(xboard) => xboard.stop(&mut self.link),
        }?;
        search.stage = Stage::Stopped(sent_at);
        Ok(())
    }

    /// Waits for the next event, as long as the limits of the search and [`Timeouts`](crate::Timeouts) allow.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] after that time, [`ClientError::Exited`] as soon as the engine has exited.
    pub fn next_event(&mut self) -> Result<EngineEvent, ClientError> {
        self.default_event().map(|(event, _)| event)
    }

    /// Waits for the next event whose line arrives by `deadline`. If the deadline has passed, returns such an event
    /// that has already arrived.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, ClientError, EngineEvent, Limits};
    /// use bartizan_position::Game;
    /// use std::time::{Duration, Instant};
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// engine.start_search(&Game::default(), &Limits::infinite())?;
    /// let end = Instant::now() + Duration::from_secs(5);
    /// loop {
    ///     match engine.next_event_before(end) {
    ///         Ok(EngineEvent::Info(info)) => println!("{:?} {}", info.depth, info.pv_text),
    ///         Ok(_) => {}
    ///         Err(ClientError::Timeout { .. }) => break,
    ///         Err(error) => return Err(error),
    ///     }
    /// }
    /// engine.stop()?;
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Timeout`] after that time, [`ClientError::Exited`] as soon as the engine has exited.
    pub fn next_event_before(&mut self, deadline: Instant) -> Result<EngineEvent, ClientError> {
        self.event_before(deadline).map(|(event, _)| event)
    }

    /// The next event, and the time from the start of the search (or the ponder hit) until its line arrived.
    pub(crate) fn default_event(&mut self) -> Result<(EngineEvent, Duration), ClientError> {
        self.event_before(self.deadline())
    }

    /// The deadline for the next line.
    fn deadline(&self) -> Instant {
        let timeouts = &self.config.timeouts;
        match &self.search {
            None => after(Instant::now(), timeouts.answer),
            Some(Search { stage: Stage::Stopped(at), .. }) => after(*at, timeouts.answer),
            Some(Search { stage: Stage::Thinking, longest: Some(longest), thinks_since, .. }) => {
                after(*thinks_since, longest.saturating_add(timeouts.margin))
            }
            Some(_) => after(Instant::now(), timeouts.silence),
        }
    }

    fn event_before(&mut self, deadline: Instant) -> Result<(EngineEvent, Duration), ClientError> {
        let expected = match (&self.search, &self.dialect) {
            (None, _) => "line",
            (Some(_), Dialect::Uci(_)) => "bestmove",
            (Some(_), Dialect::Xboard(_)) => "move",
        };
        let line = self.link.receive(deadline, expected)?;
        let elapsed = self.search.as_ref().map_or(Duration::ZERO, |search| search.elapsed(line.at));
        let search = self.search.as_ref().filter(|search| line.at >= search.asked_at);
        let event = match &mut self.dialect {
            Dialect::Uci(uci) => uci.event(line, search),
            Dialect::Xboard(xboard) => xboard.event(line, search),
        };
        if matches!(
            event,
            EngineEvent::BestMove(_) | EngineEvent::Resign | EngineEvent::ResultClaim(_) | EngineEvent::Refused(_)
        ) {
            self.search = None;
        }
        Ok((event, elapsed))
    }

    /// Stops a search and discards its reply.
    pub(crate) fn end_search(&mut self) -> Result<(), ClientError> {
        self.stop()?;
        while self.is_searching() {
            self.next_event()?;
        }
        Ok(())
    }

    /// Which lines between two searches still matter in the second.
    pub(crate) fn keeps(&self) -> fn(&str) -> bool {
        match self.dialect {
            Dialect::Uci(_) => |_| false,
            Dialect::Xboard(_) => Xboard::outlives_the_move,
        }
    }

    pub(crate) fn not_searching(&self) -> ClientError {
        self.link.unsupported("move, because no search is running")
    }

    pub(crate) fn refused(&self, line: String) -> ClientError {
        let (command, _) = self.link.last_command();
        ClientError::Refused { engine: self.name().to_owned(), command, line }
    }
}
