//! An engine that speaks UCI, whether it is Bartizan in this program or another program.

use super::{native, process};
use bartizan_protocol::uci::{Command, Id, Message, OptionDecl, same_option_name};
use bartizan_protocol::{OptionKind, uci};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Which engine is used.
pub(crate) enum EngineChoice {
    /// Bartizan, in this program.
    Native,
    /// Another program.
    Program { program: PathBuf, args: Vec<String> },
}

/// The options that the user has set for all engines.
pub(crate) struct EngineSettings {
    /// Names and values.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) threads: u32,
    /// In MiB.
    pub(crate) hash: u32,
}

/// The lines that may wait for an engine, or for the page.
pub(crate) const QUEUE: usize = 1_000;

/// How long an engine may take to introduce itself, and to be ready: it may read large files.
const ANSWER: Duration = Duration::from_secs(60);

/// How long an engine may take to end.
const QUIT: Duration = Duration::from_secs(1);

/// A running engine.
pub(crate) struct Engine {
    /// Takes lines without line ends.
    commands: mpsc::Sender<String>,
    /// Gives lines, then the reason of the end.
    lines: mpsc::Receiver<Result<String, String>>,
    /// Ends after the engine.
    running: JoinHandle<()>,
    /// The name that the engine has given itself.
    pub(crate) name: String,
    /// The options that it has declared.
    pub(crate) options: Vec<OptionDecl>,
}

impl Engine {
    /// Starts an engine and prepares it.
    ///
    /// # Errors
    /// Why it cannot be used, in words for the user.
    pub(crate) async fn start(choice: &EngineChoice, settings: &EngineSettings) -> Result<Self, String> {
        let (commands, to_engine) = mpsc::channel(QUEUE);
        let (from_engine, lines) = mpsc::channel(QUEUE);
        let running = match choice {
            EngineChoice::Native => native::start(to_engine, from_engine)?,
            EngineChoice::Program { program, args } => process::start(program, args, to_engine, from_engine)?,
        };
        let mut engine = Self { commands, lines, running, name: String::new(), options: Vec::new() };
        let prepared = timeout(ANSWER, engine.prepare(settings)).await;
        let prepared = prepared.unwrap_or_else(|_| Err(format!("no answer within {} s", ANSWER.as_secs())));
        match prepared {
            Ok(()) => Ok(engine),
            Err(error) => {
                engine.end().await;
                Err(error)
            }
        }
    }

    async fn prepare(&mut self, settings: &EngineSettings) -> Result<(), String> {
        self.send(Command::Uci.to_string())?;
        loop {
            match Message::parse(&self.line().await?) {
                Ok(Some(Message::UciOk)) => break,
                Ok(Some(Message::Id(Id::Name(name)))) => self.name = name,
                Ok(Some(Message::Option(option))) if self.options.len() < QUEUE => self.options.push(option),
                _ => {}
            }
        }
        let own =
            [("Threads", settings.threads), ("Hash", settings.hash)].map(|(name, value)| (name, value.to_string()));
        for (name, value) in own {
            // Some engines lack these.
            if self.option(name).is_some() {
                self.set_option(name, &value)?;
            }
        }
        for (name, value) in &settings.options {
            self.option(name).ok_or_else(|| format!("the engine has no option '{name}'"))?;
            self.set_option(name, value)?;
        }
        self.send(Command::IsReady.to_string())?;
        loop {
            let line = self.line().await?;
            if line.trim() == uci::Message::ReadyOk.to_string() {
                return Ok(());
            }
            if let Some(error) = line.strip_prefix("info string error: ") {
                return Err(error.to_owned());
            }
        }
    }

    fn set_option(&self, name: &str, value: &str) -> Result<(), String> {
        let is_button = self.option(name).is_some_and(|option| option.kind == OptionKind::Button);
        let value = (!is_button).then(|| value.to_owned());
        self.send(Command::SetOption { name: name.to_owned(), value }.to_string())
    }

    /// The declared option of a name.
    pub(crate) fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| same_option_name(&option.name, name))
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine does not read its lines.
    pub(crate) fn send(&self, line: String) -> Result<(), String> {
        match self.commands.try_send(line) {
            Err(mpsc::error::TrySendError::Full(_)) => Err("the engine does not read its commands".to_owned()),
            // The reason comes with the lines.
            _ => Ok(()),
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// Why the engine has ended.
    pub(crate) async fn line(&mut self) -> Result<String, String> {
        self.lines.recv().await.unwrap_or_else(|| Err("the engine has ended".to_owned()))
    }

    /// Ends the engine and its search.
    pub(crate) async fn end(self) {
        let Self { commands, lines, mut running, .. } = self;
        // Both ends are closed: the engine stops, and is not held up by what nobody reads.
        drop((commands, lines));
        if timeout(QUIT, &mut running).await.is_err() {
            running.abort();
        }
    }
}
