//! Exchanges lines with an engine.

use crate::process::{Line, Process, ProcessEvent, Started};
use crate::{ClientError, EngineConfig, Log, LogDirection, OptionError, program_name};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::collections::VecDeque;
use std::fmt::Display;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often to check whether the wait is cancelled and whether the process is alive: another process started by it may
/// hold its output open.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How long an engine may take to reveal that it speaks the other protocol. It is part of the wait for the handshake.
pub(crate) const RECOGNITION: Duration = Duration::from_secs(1);
/// How long lines are accepted after the process has exited.
const LAST_LINES: Duration = Duration::from_millis(200);
/// The maximum wait. Adding more to an `Instant` could overflow.
const LONGEST_WAIT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// The maximum output before the answer to a command: a hundred times what any engine writes, yet little enough to keep
/// in memory.
const MOST_LINES: usize = 100_000;
const MOST_BYTES: usize = 16 << 20;

/// An engine's output before an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    lines: usize,
    bytes: usize,
}

/// The moment `wait` after `start`, or a moment far in the future.
pub(crate) fn after(start: Instant, wait: Duration) -> Instant {
    start.checked_add(wait.min(LONGEST_WAIT)).unwrap_or(start)
}

/// The lines to and from an engine.
pub(crate) struct Link {
    /// The engine's name, for errors.
    pub(crate) name: String,
    process: Process,
    incoming: Receiver<ProcessEvent>,
    outgoing: Option<Sender<String>>,
    /// Lines that were put back, to be received before any others.
    backlog: VecDeque<Line>,
    log: Option<Log>,
    cancel: Option<Arc<AtomicBool>>,
    /// The last command and when it was sent, for errors.
    last_command: (String, Instant),
    /// When the process was found to have exited while its output was still open.
    exited_at: Option<Instant>,
    /// Whether its output is closed.
    ended: bool,
}

impl Link {
    pub(crate) fn start(config: &EngineConfig) -> Result<Self, ClientError> {
        let name = config.name.clone().unwrap_or_else(|| program_name(&config.command));
        let Started { process, outgoing, incoming } = Process::start(config, &name)?;
        Ok(Self {
            name,
            process,
            incoming,
            outgoing: Some(outgoing),
            backlog: VecDeque::new(),
            log: config.log.clone(),
            cancel: config.cancel.clone(),
            last_command: (String::new(), Instant::now()),
            exited_at: None,
            ended: false,
        })
    }

    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn last_command(&self) -> (String, Instant) {
        self.last_command.clone()
    }

    /// Changes the command that errors name.
    pub(crate) fn set_last_command(&mut self, command: (String, Instant)) {
        self.last_command = command;
    }

    /// Passes a line to the writer thread. Never blocks.
    pub(crate) fn send(&mut self, line: impl Display) -> Result<(), ClientError> {
        self.send_timed(line).map(drop)
    }

    /// As [`Link::send`]; returns the time just before.
    pub(crate) fn send_timed(&mut self, line: impl Display) -> Result<Instant, ClientError> {
        let mut line = line.to_string();
        if let Some(log) = &self.log {
            log.write(LogDirection::ToEngine, &line);
        }
        let command = line.clone();
        line.push('\n');
        // The time taken by the log does not count.
        let before = Instant::now();
        self.last_command = (command, before);
        match self.outgoing.as_ref().map(|outgoing| outgoing.send(line)) {
            Some(Ok(())) => Ok(before),
            // The thread has ended because the engine closed its input.
            _ => Err(self.exited()),
        }
    }

    /// Closes the engine's input once everything is written, and waits for the process to exit. Keeps reading
    /// meanwhile, because an engine that is blocked writing cannot exit.
    pub(crate) fn finish(&mut self, deadline: Instant) -> Option<ExitStatus> {
        self.outgoing = None;
        while !self.ended {
            let until = deadline.min(Instant::now() + HEARTBEAT);
            match self.incoming.recv_deadline(until) {
                Ok(ProcessEvent::Line { line, .. }) if line.at > deadline => return self.process.status(),
                Ok(ProcessEvent::Line { line, .. }) => self.log_received(&line),
                Ok(ProcessEvent::InputClosed) => {}
                Ok(ProcessEvent::OutputClosed) | Err(RecvTimeoutError::Disconnected) => self.ended = true,
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

    /// The next line that arrives by `deadline`. The error says that `expected` did not arrive.
    pub(crate) fn receive(&mut self, deadline: Instant, expected: &'static str) -> Result<Line, ClientError> {
        if let Some(line) = self.backlog.pop_front() {
            if line.at <= deadline {
                return Ok(line);
            }
            self.backlog.push_front(line);
            return Err(self.timeout(expected));
        }
        loop {
            // Relaxed: the flag publishes no other data.
            if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed)) {
                return Err(ClientError::Cancelled { engine: self.name.clone() });
            }
            if self.ended {
                return Err(self.exited());
            }
            let now = Instant::now();
            let until = match self.exited_at {
                Some(at) => at + LAST_LINES,
                None => deadline.min(now + HEARTBEAT),
            };
            match self.incoming.recv_deadline(until) {
                Ok(ProcessEvent::Line { line, .. }) => {
                    self.log_received(&line);
                    // An endless stream of lines must not postpone the deadline.
                    if line.at > deadline {
                        self.backlog.push_back(line);
                        return Err(self.timeout(expected));
                    }
                    return Ok(line);
                }
                Ok(ProcessEvent::InputClosed) => {
                    self.exited_at.get_or_insert(now);
                }
                Ok(ProcessEvent::OutputClosed) | Err(RecvTimeoutError::Disconnected) => self.ended = true,
                Err(RecvTimeoutError::Timeout) if self.exited_at.is_some() => return Err(self.exited()),
                Err(RecvTimeoutError::Timeout) if self.process.status().is_some() => {
                    self.exited_at = Some(Instant::now());
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(self.timeout(expected));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Discards the lines that have arrived, except those for which `keep` returns true.
    pub(crate) fn drain(&mut self, keep: impl Fn(&str) -> bool) -> Result<(), ClientError> {
        self.backlog.retain(|line| keep(&line.text));
        let now = Instant::now();
        while !self.ended {
            match self.incoming.try_recv() {
                Ok(ProcessEvent::Line { line, .. }) => {
                    self.log_received(&line);
                    // Lines that arrive meanwhile are handled later; otherwise a flood of lines would never end the
                    // loop.
                    let is_new = line.at > now;
                    if is_new || keep(&line.text) {
                        self.backlog.push_back(line);
                    }
                    if is_new {
                        return Ok(());
                    }
                }
                Ok(ProcessEvent::InputClosed) => {
                    self.exited_at.get_or_insert_with(Instant::now);
                }
                Ok(ProcessEvent::OutputClosed) | Err(TryRecvError::Disconnected) => self.ended = true,
                Err(TryRecvError::Empty) => return Ok(()),
            }
        }
        Err(self.exited())
    }

    /// Puts lines back, to be received before all others.
    pub(crate) fn put_back(&mut self, lines: Vec<Line>) {
        for line in lines.into_iter().rev() {
            self.backlog.push_front(line);
        }
    }

    /// Receives until `is_answer` returns true for a line. Returns the preceding lines for which `keep` returns true.
    pub(crate) fn receive_until(
        &mut self,
        timeout: Duration,
        expected: &'static str,
        keep: impl Fn(&str) -> bool,
        mut is_answer: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Line>, ClientError> {
        let deadline = after(Instant::now(), timeout);
        let mut before = Vec::new();
        let mut written = Written::default();
        loop {
            let line = self.receive(deadline, expected)?;
            if is_answer(&line.text) {
                return Ok(before);
            }
            self.count(&mut written, &line, expected)?;
            if keep(&line.text) {
                before.push(line);
            }
        }
    }

    /// Counts a line that came before the answer.
    pub(crate) fn count(&self, written: &mut Written, line: &Line, expected: &'static str) -> Result<(), ClientError> {
        written.lines += 1;
        written.bytes += line.text.len();
        if written.lines <= MOST_LINES && written.bytes <= MOST_BYTES {
            return Ok(());
        }
        let Written { lines, bytes } = *written;
        let (command, _) = self.last_command();
        Err(ClientError::Flood { engine: self.name.clone(), command, expected, lines, bytes })
    }

    pub(crate) fn timeout(&self, expected: &'static str) -> ClientError {
        let (command, sent_at) = self.last_command();
        ClientError::Timeout { engine: self.name.clone(), command, expected, waited: sent_at.elapsed() }
    }

    /// The error for an engine that has exited. An engine that only closed a pipe is killed.
    pub(crate) fn exited(&mut self) -> ClientError {
        let status = self.process.wait_until(Instant::now() + LAST_LINES);
        self.process.kill();
        let stderr_tail = self.process.stderr_tail(LAST_LINES);
        let (command, _) = self.last_command();
        ClientError::Exited { engine: self.name.clone(), command, status, stderr_tail }
    }

    pub(crate) fn option_error(&self, option: &str, reason: OptionError) -> ClientError {
        ClientError::Option { engine: self.name.clone(), option: option.to_owned(), reason }
    }

    pub(crate) fn unsupported(&self, what: &'static str) -> ClientError {
        ClientError::Unsupported { engine: self.name.clone(), what }
    }

    fn log_received(&mut self, line: &Line) {
        if let Some(log) = &self.log {
            log.write(LogDirection::FromEngine, &line.text);
        }
    }
}
