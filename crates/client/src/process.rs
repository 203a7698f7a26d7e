//! The engine's process, and the threads that read and write its pipes.

use crate::lines::read_line;
use crate::{ClientError, EngineConfig};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A line and the time at which it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) at: Instant,
    pub(crate) text: String,
}

/// What the threads report.
pub(crate) enum ProcessEvent {
    /// The engine has written a line, which occupies queue space until it is taken.
    Line { line: Line, _place: QueuedBytes },
    /// The engine has closed its input.
    InputClosed,
    /// The engine has closed its output. No line follows.
    OutputClosed,
}

/// Limits of the queue of received lines, and of its bytes. When either is reached, the engine blocks until the client
/// takes a line.
const QUEUE: usize = 4096;
const QUEUE_BYTES: usize = 4 << 20;
/// Bytes of standard error that are kept.
const TAIL: usize = 4096;

/// The ids of running engines, which are also those of their process groups.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all running engines that this program has started, with their child processes. For a program that exits at
/// once, without dropping its clients. Only on Unix; elsewhere, engines notice that their input is closed.
pub fn kill_all() {
    for &id in running().iter() {
        kill_group(id);
    }
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: u32) {}

pub(crate) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    tail: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when standard error is closed.
    tail_end: Receiver<()>,
}

/// A process with its queues.
pub(crate) struct Started {
    pub(crate) process: Process,
    pub(crate) outgoing: Sender<String>,
    pub(crate) incoming: Receiver<ProcessEvent>,
}

fn command_path(config: &EngineConfig) -> PathBuf {
    let command = &config.command;
    // Whether a relative path is relative to the parent's or the child's working directory depends on the system.
    if command.components().count() > 1 {
        std::path::absolute(command).unwrap_or_else(|_| command.clone())
    } else {
        command.clone()
    }
}

impl Process {
    /// Starts the program of the engine, which errors call `name`.
    pub(crate) fn start(config: &EngineConfig, name: &str) -> Result<Started, ClientError> {
        let mut command = Command::new(command_path(config));
        command.args(&config.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &config.directory {
            command.current_dir(directory);
        }
        // A separate process group can be killed as a whole, and does not receive a Ctrl-C meant for the client.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|reason| ClientError::Start {
            engine: name.to_owned(),
            command: command_path(config),
            reason,
        })?;
        running().insert(child.id());
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let (tail_open, tail_end) = bounded(0);
        // From here on, an early return kills the child.
        let process = Self { child, status: None, tail: Arc::clone(&tail), tail_end };
        let (outgoing, to_write) = unbounded();
        let (reports, incoming) = bounded(QUEUE);
        let threads = || -> io::Result<()> {
            if let Some(stdin) = stdin {
                let reports = reports.clone();
                spawn("engine input", move || write_lines(stdin, &to_write, &reports))?;
            }
            if let Some(stdout) = stdout {
                spawn("engine output", move || read_lines(BufReader::new(stdout), &reports))?;
            }
            if let Some(stderr) = stderr {
                spawn("engine errors", move || {
                    keep_tail(stderr, &tail);
                    drop(tail_open);
                })?;
            }
            Ok(())
        };
        threads().map_err(|reason| ClientError::Thread { engine: name.to_owned(), reason })?;
        Ok(Started { process, outgoing, incoming })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status of the process; `None` while it is running.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut running = running();
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                running.remove(&self.id());
                // Child processes must not outlive it. The system may reuse the id of an empty group, but not within
                // such a short time.
                kill_group(self.id());
            }
        }
        self.status
    }

    /// Waits until the process has exited.
    pub(crate) fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Some(status) = self.status() {
                return Some(status);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            // The standard library cannot wait with a timeout.
            thread::sleep(left.min(Duration::from_millis(2)));
        }
    }

    /// The end of standard error. Waits up to `patience` for data still in the pipe.
    pub(crate) fn stderr_tail(&self, patience: Duration) -> String {
        let _ = self.tail_end.recv_timeout(patience);
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Kills the process and its child processes.
    pub(crate) fn kill(&mut self) {
        if self.status().is_none() {
            kill_group(self.id());
            let _ = self.child.kill();
            running().remove(&self.id());
            self.status = self.child.wait().ok();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The total bytes of the waiting lines.
#[derive(Default)]
struct QueueSpace {
    used: Mutex<usize>,
    freed: Condvar,
}

/// The bytes of a waiting line; dropping it makes room for others.
pub(crate) struct QueuedBytes {
    room: Arc<QueueSpace>,
    bytes: usize,
}

impl QueueSpace {
    fn wait_for_place(self: &Arc<Self>, bytes: usize) -> QueuedBytes {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // One line is shorter than the limit.
        let waited = self.freed.wait_while(used, |used| *used + bytes > QUEUE_BYTES);
        *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        QueuedBytes { room: Arc::clone(self), bytes }
    }
}

impl Drop for QueuedBytes {
    fn drop(&mut self) {
        *self.room.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.room.freed.notify_one();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Writes lines until the sender of `lines` is dropped, then closes the engine's input.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>, reports: &Sender<ProcessEvent>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            let _ = reports.send(ProcessEvent::InputClosed);
            return;
        }
    }
}

/// Reads lines until the output is closed or the receiver of `reports` is dropped.
fn read_lines(mut stdout: impl BufRead, reports: &Sender<ProcessEvent>) {
    let room = Arc::new(QueueSpace::default());
    while let Ok(Some(text)) = read_line(&mut stdout) {
        let line = Line { at: Instant::now(), text };
        // If the receiver is dropped meanwhile, so are the queued lines, which makes room.
        let _place = room.wait_for_place(line.text.len());
        if reports.send(ProcessEvent::Line { line, _place }).is_err() {
            return;
        }
    }
    let _ = reports.send(ProcessEvent::OutputClosed);
}

/// Keeps the last bytes of standard error.
fn keep_tail(mut stderr: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(buffer.iter().take(count));
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_reads_takes_the_time() {
        let (reports, received) = unbounded();
        let before = Instant::now();
        read_lines("bestmove e2e4\n".as_bytes(), &reports);
        let after = Instant::now();
        while Instant::now() == after {
            std::hint::spin_loop();
        }
        let Ok(ProcessEvent::Line { line, .. }) = received.recv() else { panic!("no line") };
        assert!(before <= line.at && line.at <= after);
    }
}
