//! One queue for everything that happens to a front end: lines of input, and events of the task.

use crate::review::ReviewOutcome;
use crate::terminal::{Edited, LineEditor, Screen};
use bartizan_engine::{PerftEvent, SearchEvent};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Identifies a task. Events of an earlier task that are still in the queue are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskId(u64);

/// An event for a front end.
#[derive(Debug)]
pub(crate) enum Message {
    /// A line of input, without its line end.
    Line(String),
    /// The input was closed.
    EndOfInput,
    /// Ctrl-C in the line editor, or a call of [`Interrupter::interrupt`].
    Interrupt,
    /// The search of a task reports something.
    Search(TaskId, SearchEvent),
    /// The perft of a task reports something.
    Perft(TaskId, PerftEvent),
    /// The review of a task has ended.
    Review(TaskId, Box<ReviewOutcome>),
}

/// The queue.
#[derive(Debug)]
pub(crate) struct Inbox {
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Messages that [`Inbox::wait_for`] has skipped.
    postponed: VecDeque<Message>,
    task: TaskId,
    /// Lets the line editor ask for the next line, if there is an editor.
    prompt: Option<Sender<()>>,
    /// The state of the line editor, if there is one.
    screen: Option<Screen>,
    is_interruptible: Arc<AtomicBool>,
}

/// Stops a search or a test suite from any thread, such as that of a signal handler.
#[derive(Clone, Debug)]
pub struct Interrupter {
    sender: Sender<Message>,
    is_interruptible: Arc<AtomicBool>,
}

impl Interrupter {
    /// Stops the search or the suite of [`run_command`](crate::run_command), which reports its result so far. Stops any
    /// task of [`run`](crate::run) and [`run_to_end`](crate::run_to_end), which end if there is none. Returns `false`
    /// if it has no effect: a program that should end must then be ended otherwise.
    pub fn interrupt(&self) -> bool {
        // Relaxed: the flag publishes no other data.
        self.is_interruptible.load(Relaxed) && self.sender.send(Message::Interrupt).is_ok()
    }
}

impl Inbox {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = channel();
        let (postponed, is_interruptible) = (VecDeque::new(), Arc::default());
        let (task, prompt, screen) = (TaskId::default(), None, None);
        Self { sender, receiver, postponed, task, prompt, screen, is_interruptible }
    }

    pub(crate) fn interrupter(&self) -> Interrupter {
        Interrupter { sender: self.sender.clone(), is_interruptible: Arc::clone(&self.is_interruptible) }
    }

    /// Whether an [`Interrupter`] has an effect.
    pub(crate) fn set_interruptible(&self, is_interruptible: bool) {
        // Relaxed: see `Interrupter::interrupt`.
        self.is_interruptible.store(is_interruptible, Relaxed);
    }

    /// Begins a task: events of earlier ones are ignored from now on.
    pub(crate) fn begin_task(&mut self) -> (TaskId, Sender<Message>) {
        self.task.0 += 1;
        (self.task, self.sender.clone())
    }

    /// Waits for the next message that does not belong to an earlier task.
    pub(crate) fn next(&mut self) -> Message {
        loop {
            let message = self.postponed.pop_front().unwrap_or_else(|| self.receive());
            if self.is_current(&message) {
                return message;
            }
        }
    }

    /// Waits for a message of the current task that `pick` accepts. Drops its other messages but keeps lines.
    pub(crate) fn wait_for<T>(&mut self, pick: impl Fn(&Message) -> Option<T>) -> T {
        loop {
            let message = self.receive();
            if !self.is_current(&message) {
                continue;
            }
            match message {
                Message::Line(_) | Message::EndOfInput | Message::Interrupt => self.postponed.push_back(message),
                message => {
                    if let Some(found) = pick(&message) {
                        return found;
                    }
                }
            }
        }
    }

    fn receive(&self) -> Message {
        // This queue holds a sender itself, so the channel is never closed.
        self.receiver.recv().unwrap_or(Message::EndOfInput)
    }

    fn is_current(&self, message: &Message) -> bool {
        match message {
            Message::Line(_) | Message::EndOfInput | Message::Interrupt => true,
            Message::Search(task, _) | Message::Perft(task, _) | Message::Review(task, _) => *task == self.task,
        }
    }

    /// Reads input line by line on a separate thread, so that reading never waits for searching.
    ///
    /// # Errors
    /// If the system cannot provide a thread.
    pub(crate) fn read_lines(&self, input: impl Read + Send + 'static) -> io::Result<()> {
        let sender = self.sender.clone();
        let work = move || {
            let mut input = InputLines::new(BufReader::new(input));
            while let Some(line) = input.next_line() {
                if sender.send(Message::Line(line)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Message::EndOfInput);
        };
        thread::Builder::new().name("input".to_owned()).spawn(work).map(drop)
    }

    /// Reads lines with a line editor on a separate thread. Each prompt but the first waits for [`Inbox::prompt`], so
    /// that it comes after the output of the last line.
    ///
    /// # Errors
    /// If the system cannot provide a thread.
    pub(crate) fn read_editor(&mut self, mut editor: LineEditor) -> io::Result<()> {
        let sender = self.sender.clone();
        let (prompt, prompts) = channel();
        self.prompt = Some(prompt);
        self.screen = editor.begun_screen();
        if let Some(screen) = &self.screen {
            screen.begin_reading();
        }
        let work = move || {
            loop {
                let edited = editor.read();
                let is_end = edited == Edited::End;
                let message = match edited {
                    Edited::Line(line) => Message::Line(line),
                    Edited::Interrupt => Message::Interrupt,
                    Edited::End => Message::EndOfInput,
                };
                // Even after the end of the input: without the editor, the rest of the output could not be printed.
                if sender.send(message).is_err() || prompts.recv().is_err() || is_end {
                    return;
                }
            }
        };
        thread::Builder::new().name("input".to_owned()).spawn(work).map(drop)
    }

    /// Lets the line editor ask for the next line.
    pub(crate) fn prompt(&self) {
        if let Some(screen) = &self.screen {
            screen.begin_reading();
        }
        if let Some(prompt) = &self.prompt {
            // Without an editor there is nothing to prompt for.
            let _ = prompt.send(());
        }
    }
}

/// The rest of a longer line is skipped: no command is that long, and memory is limited.
const LONGEST_LINE: usize = 16 << 20;

/// The lines of an input, which end with LF, CR LF or CR.
struct InputLines<R> {
    input: R,
    /// Whether the last line ended with CR. An LF that follows belongs to it, but is not waited for.
    is_after_cr: bool,
}

impl<R: BufRead> InputLines<R> {
    fn new(input: R) -> Self {
        Self { input, is_after_cr: false }
    }

    /// The next line without its end; `None` at the end of the input, or when it cannot be read.
    fn next_line(&mut self) -> Option<String> {
        let (mut line, mut is_empty) = (Vec::new(), true);
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            if bytes.is_empty() && is_empty {
                return None;
            }
            if std::mem::take(&mut self.is_after_cr) && bytes.starts_with(b"\n") {
                self.input.consume(1);
                continue;
            }
            is_empty = false;
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
            self.is_after_cr = end.is_some_and(|end| bytes[end] == b'\r');
            let (length, is_end) = (end.map_or(bytes.len(), |end| end + 1), end.is_some() || bytes.is_empty());
            self.input.consume(length);
            if is_end {
                // Invalid UTF-8 becomes replacement characters, which no command contains.
                return Some(String::from_utf8_lossy(&line).into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        for (text, expected) in [
            (&b"a\r\n\n \xff\nlast"[..], &["a", "", " \u{fffd}", "last"][..]),
            (b"a\rb\r\rc\r\nd", &["a", "b", "", "c", "d"]),
            (b"a\n\rb\r", &["a", "", "b"]),
            (b"\r\n\r\n", &["", ""]),
            (b"", &[]),
        ] {
            // However the bytes arrive.
            for size in 1..=text.len().max(1) {
                let mut input = InputLines::new(BufReader::with_capacity(size, text));
                let lines: Vec<String> = std::iter::from_fn(|| input.next_line()).collect();
                assert_eq!(lines, expected, "{text:?} by {size}");
            }
        }
        let mut long = vec![b'x'; (16 << 20) + 5];
        long.extend(b"\nnext\n");
        let mut input = InputLines::new(&long[..]);
        assert_eq!(input.next_line().map(|line| line.len()), Some(16 << 20));
        assert_eq!(input.next_line().as_deref(), Some("next"));
    }

    /// A client that ends its lines with CR waits for the answer before it sends more.
    #[test]
    fn a_line_that_ends_with_cr_waits_for_nothing() {
        struct Never;
        impl Read for Never {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("waits for the next byte")
            }
        }
        let mut input = InputLines::new(BufReader::new((&b"isready\r"[..]).chain(Never)));
        assert_eq!(input.next_line().as_deref(), Some("isready"));
    }

    #[test]
    fn events_of_earlier_tasks_are_dropped_and_lines_are_kept() {
        let mut inbox = Inbox::new();
        let (old, sender) = inbox.begin_task();
        let (new, _) = inbox.begin_task();
        sender.send(Message::Perft(old, PerftEvent::Total(Some(1)))).unwrap();
        sender.send(Message::Line("x".to_owned())).unwrap();
        sender.send(Message::Perft(new, PerftEvent::Total(Some(2)))).unwrap();
        let total = inbox.wait_for(|message| match message {
            Message::Perft(_, PerftEvent::Total(total)) => *total,
            _ => None,
        });
        assert_eq!(total, 2);
        assert!(matches!(inbox.next(), Message::Line(line) if line == "x"));
    }
}
