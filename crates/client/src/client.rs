//! A running engine: start, options, games and exit. Searches are in `search`.

use crate::link::Link;
use crate::running::Search;
use crate::uci::{Uci, is_readyok};
use crate::xboard::{Xboard, pong};
use crate::{ClientError, EngineConfig, GameResult, Limits, OptionDecl, Protocol, Variant};
use bartizan_position::Position;
use bartizan_protocol::uci::same_option_name;
use bartizan_protocol::{uci, xboard};
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A running engine.
///
/// Dropping it kills the process. [`Client::quit`] lets the engine exit on its own.
pub struct Client {
    pub(crate) link: Link,
    pub(crate) dialect: Dialect,
    pub(crate) config: EngineConfig,
    pub(crate) search: Option<Search>,
    /// Number of games that the process was prepared for.
    games: u32,
}

/// The state of the engine's protocol.
pub(crate) enum Dialect {
    Uci(Uci),
    Xboard(Box<Xboard>),
}

impl EngineConfig {
    /// Starts the engine, waits for its handshake, and sets its options.
    ///
    /// An xboard engine that declares no features within two seconds is treated as one of protocol version 1.
    ///
    /// # Errors
    /// * [`ClientError::Start`] if the program cannot be started.
    /// * [`ClientError::Timeout`] or [`ClientError::Exited`] if it does not answer.
    /// * [`ClientError::OtherProtocol`] if it answers to the other protocol.
    /// * [`ClientError::Refused`] if it refuses to work.
    /// * [`ClientError::Option`] if an option does not exist or rejects the value.
    /// * [`ClientError::Unsupported`] if it cannot play the variant.
    /// * [`ClientError::Cancelled`]
    pub fn start(&self) -> Result<Client, ClientError> {
        let mut link = Link::start(self)?;
        let timeout = self.timeouts.answer;
        let dialect = match self.protocol {
            Protocol::Uci => Dialect::Uci(Uci::handshake(&mut link, timeout)?),
            Protocol::Xboard => Dialect::Xboard(Box::new(Xboard::handshake(&mut link, timeout)?)),
        };
        let mut client = Client { link, dialect, config: self.clone(), search: None, games: 0 };
        if let (None, Some(name)) = (&self.name, client.own_name()) {
            client.link.name = name.to_owned();
        }
        for (name, value) in &self.options {
            client.set_option(name, value)?;
        }
        client.announce_variant(self.variant)?;
        client.ping()?;
        Ok(client)
    }
}

impl Client {
    /// Starts a UCI engine with default options: [`EngineConfig::uci`] and [`EngineConfig::start`].
    ///
    /// # Errors
    /// As [`EngineConfig::start`].
    pub fn uci(command: impl Into<PathBuf>) -> Result<Self, ClientError> {
        EngineConfig::uci(command).start()
    }

    /// Starts an xboard engine with default options: [`EngineConfig::xboard`] and [`EngineConfig::start`].
    ///
    /// # Errors
    /// As [`EngineConfig::start`].
    pub fn xboard(command: impl Into<PathBuf>) -> Result<Self, ClientError> {
        EngineConfig::xboard(command).start()
    }

    /// The configured name, or else the engine's own, or else the program's.
    pub fn name(&self) -> &str {
        &self.link.name
    }

    /// The name that the engine reported.
    pub fn own_name(&self) -> Option<&str> {
        let name = match &self.dialect {
            Dialect::Uci(uci) => uci.name.as_deref(),
            Dialect::Xboard(xboard) => xboard.features.name.as_deref(),
        };
        name.filter(|name| !name.is_empty())
    }

    /// The authors that the engine reported. The xboard protocol does not support this.
    pub fn author(&self) -> Option<&str> {
        match &self.dialect {
            Dialect::Uci(uci) => uci.author.as_deref(),
            Dialect::Xboard(_) => None,
        }
    }

    /// The options that the engine declared, in its order.
    pub fn options(&self) -> &[OptionDecl] {
        match &self.dialect {
            Dialect::Uci(uci) => &uci.options,
            Dialect::Xboard(xboard) => &xboard.features.options,
        }
    }

    /// The declared option of this name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options().iter().find(|option| same_option_name(&option.name, name))
    }

    /// The protocol that the engine speaks.
    pub fn protocol(&self) -> Protocol {
        self.config.protocol
    }

    /// The number of games for which the process was prepared by [`Client::new_game`], whether or not it was ready.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The process id.
    pub fn process_id(&self) -> u32 {
        self.link.process_id()
    }

    /// Sets an option that the engine declared. An empty value presses a button.
    ///
    /// Xboard engines have common settings that are not options: `Hash` is sent as `memory`, `Threads` as `cores`,
    /// `SyzygyPath` as `egtpath` and `Ponder` as `hard` or `easy`.
    ///
    /// ```no_run
    /// use bartizan_client::Client;
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// engine.set_option("Threads", 4)?;
    /// if engine.option("Clear Hash").is_some() {
    ///     engine.set_option("Clear Hash", "")?;
    /// }
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Option`] if the engine lacks the option or rejects the value.
    pub fn set_option(&mut self, name: &str, value: impl ToString) -> Result<(), ClientError> {
        let value = value.to_string();
        match &mut self.dialect {
            Dialect::Uci(uci) => uci.set_option(&mut self.link, name, &value),
            Dialect::Xboard(xboard) => xboard.set_option(&mut self.link, name, &value),
        }
    }

    /// Sets the variant of the next game. Positions whose castling rights only exist in Chess960 are always searched as
    /// Chess960.
    pub fn set_variant(&mut self, variant: Variant) {
        self.config.variant = variant;
    }

    /// Ends the process and restarts the engine with the same configuration.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, ClientError, Limits};
    /// use bartizan_position::Game;
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// let reply = engine.play(&Game::default(), &Limits::depth(20));
    /// if let Err(ClientError::Timeout { .. } | ClientError::Exited { .. }) = reply {
    ///     engine.restart()?;
    /// }
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// As [`EngineConfig::start`]. The engine is then unusable.
    pub fn restart(&mut self) -> Result<(), ClientError> {
        self.link.process().kill();
        *self = self.config.start()?;
        Ok(())
    }

    /// Prepares for another game, and waits until the engine is ready. Stops a running search. Restarts an xboard
    /// engine that plays only one game (`reuse=0`).
    ///
    /// ```no_run
    /// use bartizan_client::{Client, Variant};
    /// use bartizan_position::Position;
    ///
    /// let mut engine = Client::uci("stockfish")?;
    /// engine.set_variant(Variant::Chess960);
    /// engine.new_game()?;
    /// assert!(Position::chess960(0).is_some_and(|start| engine.check_position(&start).is_ok()));
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Exited`], and [`ClientError::Unsupported`] if the engine cannot play
    /// the variant.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.end_search()?;
        if self.games > 0 && matches!(&self.dialect, Dialect::Xboard(xboard) if !xboard.features.reuse) {
            *self = self.config.start()?;
        }
        self.games = self.games.saturating_add(1);
        self.link.drain(|_| false)?;
        self.announce_variant(self.config.variant)?;
        match &mut self.dialect {
            Dialect::Uci(_) => self.link.send(uci::Command::UciNewGame)?,
            Dialect::Xboard(xboard) => xboard.new_board(&mut self.link)?,
        }
        self.ping()?;
        // Offers and claims that belong to the last game.
        self.link.drain(|_| false)
    }

    pub(crate) fn announce_variant(&mut self, variant: Variant) -> Result<(), ClientError> {
        match &mut self.dialect {
            Dialect::Uci(uci) => uci.set_variant(&mut self.link, variant),
            Dialect::Xboard(xboard) => xboard.set_variant(&mut self.link, variant),
        }
    }

    /// Checks in advance whether the engine can search with these limits. A UCI engine always can.
    ///
    /// # Errors
    /// [`ClientError::Unsupported`] if the protocol cannot express them, or the engine lacks a feature for them.
    pub fn check_limits(&self, limits: &Limits) -> Result<(), ClientError> {
        match &self.dialect {
            Dialect::Uci(_) => Ok(()),
            Dialect::Xboard(xboard) => xboard.check(&self.link, limits),
        }
    }

    /// Checks in advance whether the engine can set up a position.
    ///
    /// # Errors
    /// [`ClientError::Unsupported`] if it does not support Chess960 and the position or the variant needs it, or if the
    /// xboard protocol cannot express the position to this engine.
    pub fn check_position(&self, position: &Position) -> Result<(), ClientError> {
        let variant = self.config.variant.max(position.variant());
        match &self.dialect {
            Dialect::Uci(uci) => uci.check_variant(&self.link, variant),
            Dialect::Xboard(xboard) => xboard.check_position(&self.link, position, variant),
        }
    }

    /// Waits until the engine confirms that it has handled all commands.
    ///
    /// Xboard engines without the feature `ping` are not asked. Other xboard engines only answer after their move if
    /// they are searching.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Exited`].
    pub fn ping(&mut self) -> Result<(), ClientError> {
        self.ping_within(self.config.timeouts.answer)
    }

    /// As [`Client::ping`], with a bounded wait.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], [`ClientError::Exited`].
    pub fn ping_within(&mut self, timeout: Duration) -> Result<(), ClientError> {
        let command_before = self.link.last_command();
        let is_searching = self.search.is_some();
        let keeps = self.keeps();
        let keep = |line: &str| is_searching || keeps(line);
        let before = match &mut self.dialect {
            Dialect::Uci(_) => {
                self.link.send(uci::Command::IsReady)?;
                self.link.receive_until(timeout, "readyok", keep, is_readyok)?
            }
            Dialect::Xboard(xboard) => match xboard.send_ping(&mut self.link)? {
                Some(number) => self.link.receive_until(timeout, "pong", keep, |line| pong(line) == Some(number))?,
                None => Vec::new(),
            },
        };
        if is_searching {
            // The search still waits for the answer to its own command.
            self.link.set_last_command(command_before);
        }
        self.link.put_back(before);
        Ok(())
    }

    /// Tells an xboard engine the result of the game, for engines that learn from it. Does nothing for UCI.
    ///
    /// ```no_run
    /// use bartizan_client::{Client, GameResult};
    ///
    /// let mut engine = Client::xboard("gnuchess")?;
    /// engine.end_game(GameResult::Draw, "stalemate")?;
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if a running search does not stop, [`ClientError::Exited`].
    pub fn end_game(&mut self, result: GameResult, reason: &str) -> Result<(), ClientError> {
        self.end_search()?;
        match &mut self.dialect {
            Dialect::Uci(_) => Ok(()),
            Dialect::Xboard(xboard) => {
                xboard.forget_board();
                self.link.send(xboard::Command::Result { result, reason: reason.to_owned() })
            }
        }
    }

    /// Whether the process is running.
    pub fn is_alive(&mut self) -> bool {
        self.link.process().status().is_none()
    }

    /// The end of the engine's standard error output.
    pub fn stderr_tail(&mut self) -> String {
        self.link.process().stderr_tail(Duration::ZERO)
    }

    /// Tells the engine to exit, and kills it if it does not exit in time.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if it had to be killed.
    pub fn quit(mut self) -> Result<(), ClientError> {
        let sent = match &self.dialect {
            Dialect::Uci(_) => self.link.send(uci::Command::Quit),
            Dialect::Xboard(_) => self.link.send(xboard::Command::Quit),
        };
        if sent.is_err() {
            return Ok(());
        }
        match self.link.finish(crate::link::after(Instant::now(), self.config.timeouts.quit)) {
            Some(_) => Ok(()),
            None => Err(self.link.timeout("exit")),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searching = self.is_searching();
        f.debug_struct("Client").field("config", &self.config).field("searching", &searching).finish_non_exhaustive()
    }
}
