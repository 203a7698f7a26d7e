//! Prints above the line being edited.
//!
//! The line editor's printer hands texts to the editor, and waits until the editor has taken the previous one. If the
//! editor returns a line in between, it takes texts again only at the next prompt, which comes only after the line is
//! handled. So the thread that handles lines must never print directly: another thread prints from a queue.

use parking_lot::{Condvar, Mutex, MutexGuard};
use rustyline::ExternalPrinter;
use std::collections::VecDeque;
use std::io::{self, Write, stdout};
use std::sync::Arc;
use std::thread;

/// Maximum number of waiting texts: more than any writer produces before a prompt, yet harmless for memory.
const LONGEST_QUEUE: usize = 10_000;

/// The queue of texts. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Screen(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<String>,
    /// The text that the thread is printing, and whether the editor was reading when it began.
    current: Option<(String, bool)>,
    /// Whether the editor is reading, or was asked to.
    reading: bool,
    /// The terminal is gone.
    failed: bool,
    writers: usize,
    /// The last writer is gone.
    closed: bool,
}

impl State {
    /// Whether the text that is being printed waits for the next prompt.
    fn is_stuck(&self) -> bool {
        !self.reading && self.current.as_ref().is_some_and(|&(_, for_editor)| for_editor)
    }

    fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.current.is_none()
    }
}

impl Screen {
    /// Starts the thread that prints.
    ///
    /// # Errors
    /// If the system cannot provide a thread.
    pub(super) fn start(mut printer: impl ExternalPrinter + Send + 'static) -> io::Result<Self> {
        let screen = Self(Arc::default());
        let shared = Arc::clone(&screen.0);
        let work = move || {
            let mut state = shared.state.lock();
            loop {
                while state.queue.is_empty() {
                    if state.closed {
                        return;
                    }
                    shared.changed.wait(&mut state);
                }
                let text = state.queue.pop_front().unwrap_or_default();
                state.current = Some((text.clone(), state.reading));
                let printed = MutexGuard::unlocked(&mut state, || printer.print(text));
                state.current = None;
                state.failed |= printed.is_err();
                shared.changed.notify_all();
            }
        };
        thread::Builder::new().name("screen".to_owned()).spawn(work)?;
        Ok(screen)
    }

    /// A writer whose texts are printed when they are flushed.
    pub(super) fn writer(&self) -> impl Write + Send + use<> {
        self.0.state.lock().writers += 1;
        Writer { screen: self.clone(), text: Vec::new() }
    }

    /// Records that the editor is asked to read. Everything printed before is then on the screen, unless it waits for
    /// the editor.
    pub(crate) fn begin_reading(&self) {
        let mut state = self.settle();
        state.reading = true;
        self.0.changed.notify_all();
    }

    /// Records that the editor has returned.
    pub(super) fn end_reading(&self) {
        self.0.state.lock().reading = false;
        self.0.changed.notify_all();
    }

    /// Waits until everything is printed, or waits for the editor.
    fn settle(&self) -> MutexGuard<'_, State> {
        let mut state = self.0.state.lock();
        while !state.is_idle() && !state.is_stuck() && !state.failed {
            self.0.changed.wait(&mut state);
        }
        state
    }

    fn print(&self, text: String) -> io::Result<()> {
        let mut state = self.0.state.lock();
        while state.queue.len() >= LONGEST_QUEUE && !state.is_stuck() && !state.failed {
            self.0.changed.wait(&mut state);
        }
        if state.failed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.queue.push_back(text);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Ends a writer. The last one prints the rest, because the editor takes nothing any more.
    fn close(&self, mut direct: impl Write) {
        let mut state = self.settle();
        state.writers -= 1;
        if state.writers > 0 {
            return;
        }
        state.closed = true;
        self.0.changed.notify_all();
        let current = state.current.take().filter(|_| !state.failed);
        for text in current.map(|(text, _)| text).into_iter().chain(std::mem::take(&mut state.queue)) {
            // There is no other way to show it.
            let _ = direct.write_all(text.as_bytes()).and_then(|()| direct.flush());
        }
    }
}

/// Hands whole texts to the queue.
struct Writer {
    screen: Screen,
    text: Vec<u8>,
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.text)).into_owned();
        self.screen.print(text)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.screen.close(stdout());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

    /// Waits as the editor's printer does: one text may be pending, the next one waits until it is taken.
    struct Waiting(SyncSender<String>);

    impl ExternalPrinter for Waiting {
        fn print(&mut self, text: String) -> rustyline::Result<()> {
            self.0.send(text).map_err(|_| io::Error::from(io::ErrorKind::Other).into())
        }
    }

    fn screen() -> (Screen, Receiver<String>) {
        let (sender, taken) = sync_channel(1);
        (Screen::start(Waiting(sender)).unwrap(), taken)
    }

    /// Waits until the thread has handed over all but these texts.
    fn wait_for_queue(screen: &Screen, length: usize) {
        let mut state = screen.0.state.lock();
        while state.queue.len() != length || state.current.is_some() != (length > 0) {
            screen.0.changed.wait_for(&mut state, std::time::Duration::from_millis(1));
        }
    }

    /// The editor returns a line while texts wait for it. The thread that handles the line can print and ask for the
    /// next one.
    #[test]
    fn printing_never_waits_for_an_editor_that_has_returned() {
        let (screen, taken) = screen();
        let mut writer = screen.writer();
        screen.begin_reading();
        for text in ["a", "b", "c"] {
            writer.write_all(text.as_bytes()).unwrap();
            writer.flush().unwrap();
        }
        wait_for_queue(&screen, 1);
        screen.end_reading();
        writer.write_all(b"d").unwrap();
        writer.flush().unwrap();
        // Here the program would hang.
        screen.begin_reading();
        assert_eq!(taken.iter().take(4).collect::<String>(), "abcd");
    }

    #[test]
    fn what_waits_at_the_end_is_printed() {
        let (screen, taken) = screen();
        screen.0.state.lock().writers = 1;
        screen.begin_reading();
        for text in ["a", "b", "c"] {
            screen.print(text.to_owned()).unwrap();
        }
        wait_for_queue(&screen, 1);
        screen.end_reading();
        let mut direct = Vec::new();
        screen.close(&mut direct);
        assert_eq!((taken.recv().unwrap().as_str(), direct.as_slice()), ("a", &b"bc"[..]));
    }

    #[test]
    fn a_terminal_that_is_gone_is_an_error() {
        let (screen, taken) = screen();
        drop(taken);
        let mut writer = screen.writer();
        while writer.flush().is_ok() {
            std::thread::yield_now();
        }
        screen.begin_reading();
    }
}
