//! Lines to and from an engine, with deadlines.

use crate::process::{Line, Process, Report, Started, command_path};
use crate::{ClientError, EngineConfig};
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::collections::VecDeque;
use std::fmt::Display;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the engine.
    ToEngine,
    /// From the engine to the client.
    FromEngine,
}

/// Sees every line, when it is written and when the client takes it.
pub type Log = Box<dyn FnMut(Direction, &str) + Send>;

/// How often to look whether the process still lives: its output may be held open by another that it has started.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How long lines may still come after the end of the process has been noticed.
const LAST_WORDS: Duration = Duration::from_millis(200);

pub(crate) struct Link {
    /// What to call the engine.
    pub(crate) name: String,
    process: Process,
    incoming: Receiver<Report>,
    outgoing: Option<Sender<String>>,
    /// Lines put back, to be received before others.
    backlog: VecDeque<Line>,
    log: Option<Log>,
    /// When the end of the process was noticed, though its output is still open.
    doomed_at: Option<Instant>,
    /// Whether its output has ended.
    ended: bool,
}

impl Link {
    pub(crate) fn start(config: &EngineConfig, log: Option<Log>) -> Result<Self, ClientError> {
        let stem = || config.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = config.name.clone().unwrap_or_else(stem);
        let Started { process, outgoing, incoming } = match Process::start(config) {
            Ok(Ok(started)) => started,
            Ok(Err(source)) => return Err(ClientError::Io { engine: name, source }),
            Err(source) => return Err(ClientError::Spawn { engine: name, command: command_path(config), source }),
        };
        Ok(Self {
            name,
            process,
            incoming,
            outgoing: Some(outgoing),
            backlog: VecDeque::new(),
            log,
            doomed_at: None,
            ended: false,
        })
    }

    pub(crate) fn take_log(&mut self) -> Option<Log> {
        self.log.take()
    }

    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Hands a line to the thread that writes. Never waits.
    pub(crate) fn send(&mut self, line: impl Display) -> Result<(), ClientError> {
        self.send_timed(line).map(drop)
    }

    /// Does so, and tells the time just before.
    pub(crate) fn send_timed(&mut self, line: impl Display) -> Result<Instant, ClientError> {
        let mut line = line.to_string();
        if let Some(log) = &mut self.log {
            log(Direction::ToEngine, &line);
        }
        line.push('\n');
        // After the log, whose time is not the engine's.
        let before = Instant::now();
        match self.outgoing.as_ref().map(|outgoing| outgoing.send(line)) {
            Some(Ok(())) => Ok(before),
            // The thread has ended, because the engine does not read any more.
            _ => Err(self.died()),
        }
    }

    /// Lets the engine see the end of its input once everything is written, and waits for its end. Reads on meanwhile: an
    /// engine that cannot get rid of its last words cannot end.
    pub(crate) fn finish(&mut self, deadline: Instant) -> Option<ExitStatus> {
        self.outgoing = None;
        while !self.ended {
            let until = deadline.min(Instant::now() + HEARTBEAT);
            match self.incoming.recv_deadline(until) {
                Ok(Report::Line(line)) if line.at > deadline => return self.process.status(),
                Ok(Report::Line(line)) => self.log_received(&line),
                Ok(Report::InputClosed) => {}
                Ok(Report::OutputClosed) | Err(RecvTimeoutError::Disconnected) => self.ended = true,
                Err(RecvTimeoutError::Timeout) => {
                    let status = self.process.status();
                    if status.is_some() || Instant::now() >= deadline {
                        return status;
                    }
                }
            }
        }
        self.process.wait_until(deadline)
    }

    /// The next line that comes no later than `deadline`; `what` and `since` are for the error.
    pub(crate) fn receive(
        &mut self,
        deadline: Instant,
        what: &'static str,
        since: Instant,
    ) -> Result<Line, ClientError> {
        let timeout = |link: &Self| ClientError::Timeout { engine: link.name.clone(), what, after: since.elapsed() };
        if let Some(line) = self.backlog.pop_front() {
            if line.at <= deadline {
                return Ok(line);
            }
            self.backlog.push_front(line);
            return Err(timeout(self));
        }
        loop {
            if self.ended {
                return Err(self.died());
            }
            let now = Instant::now();
            let until = match self.doomed_at {
                Some(at) => at + LAST_WORDS,
                None => deadline.min(now + HEARTBEAT),
            };
            match self.incoming.recv_deadline(until) {
                Ok(Report::Line(line)) => {
                    self.log_received(&line);
                    // An engine that never stops talking must not move the deadline.
                    if line.at > deadline {
                        self.backlog.push_back(line);
                        return Err(timeout(self));
                    }
                    return Ok(line);
                }
                Ok(Report::InputClosed) => {
                    self.doomed_at.get_or_insert(now);
                }
                Ok(Report::OutputClosed) | Err(RecvTimeoutError::Disconnected) => self.ended = true,
                Err(RecvTimeoutError::Timeout) if self.doomed_at.is_some() => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) if self.process.status().is_some() => {
                    self.doomed_at = Some(Instant::now());
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(timeout(self));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops the lines that have come so far, but those for which `keep` holds.
    pub(crate) fn drain(&mut self, keep: impl Fn(&str) -> bool) -> Result<(), ClientError> {
        self.backlog.retain(|line| keep(&line.text));
        let now = Instant::now();
        while !self.ended {
            match self.incoming.try_recv() {
                Ok(Report::Line(line)) => {
                    self.log_received(&line);
                    // What comes meanwhile is for later; without this there would be no end with a talkative engine.
                    let is_new = line.at > now;
                    if is_new || keep(&line.text) {
                        self.backlog.push_back(line);
                    }
                    if is_new {
                        return Ok(());
                    }
                }
                Ok(Report::InputClosed) => {
                    self.doomed_at.get_or_insert_with(Instant::now);
                }
                Ok(Report::OutputClosed) | Err(TryRecvError::Disconnected) => self.ended = true,
                Err(TryRecvError::Empty) => return Ok(()),
            }
        }
        Err(self.died())
    }

    /// Puts lines back, to be received before any other.
    pub(crate) fn put_back(&mut self, lines: Vec<Line>) {
        for line in lines.into_iter().rev() {
            self.backlog.push_front(line);
        }
    }

    /// Receives until `is_answer` holds for a line; the lines before it are given back.
    pub(crate) fn receive_until(
        &mut self,
        timeout: Duration,
        what: &'static str,
        mut is_answer: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Line>, ClientError> {
        let since = Instant::now();
        let mut before = Vec::new();
        loop {
            let line = self.receive(since + timeout, what, since)?;
            if is_answer(&line.text) {
                return Ok(before);
            }
            before.push(line);
        }
    }

    /// The error for an engine that has ended; an engine that has only closed its pipes is killed.
    pub(crate) fn died(&mut self) -> ClientError {
        let status = self.process.wait_until(Instant::now() + LAST_WORDS);
        self.process.kill();
        let stderr_tail = self.process.stderr_tail(LAST_WORDS);
        ClientError::Died { engine: self.name.clone(), status, stderr_tail }
    }

    pub(crate) fn option_error(&self, option: &str, reason: impl Into<String>) -> ClientError {
        ClientError::Option { engine: self.name.clone(), option: option.to_owned(), reason: reason.into() }
    }

    pub(crate) fn unsupported(&self, what: &'static str) -> ClientError {
        ClientError::Unsupported { engine: self.name.clone(), what }
    }

    fn log_received(&mut self, line: &Line) {
        if let Some(log) = &mut self.log {
            log(Direction::FromEngine, &line.text);
        }
    }
}
