//! Perft on a separate thread, because a deep count takes minutes and a program must be able to stop it.

use bartizan_parallel::StopFlag;
use bartizan_position::Position;
use bartizan_types::Move;
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// The reports of a running perft. `Total` comes last and exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftEvent {
    /// The number of leaves below a root move.
    Move(Move, u64),
    /// The number of all leaves; `None` if the count was stopped.
    Total(Option<u64>),
}

/// Why a perft was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PerftError {
    /// A count of this depth would never finish, and each ply takes stack.
    #[error("perft: the depth must be at most {max}, not {depth}", max = Perft::MAX_DEPTH)]
    Depth {
        /// The depth asked for.
        depth: u32,
    },
    /// The system cannot start a thread.
    #[error("perft: cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// A running perft, as an iterator over its events. Dropping it stops the count.
///
/// ```
/// use bartizan_engine::{Perft, PerftEvent};
/// use bartizan_position::Position;
///
/// let events: Vec<PerftEvent> = Perft::start(Position::startpos(), 3)?.collect();
/// assert_eq!(events.len(), 21);
/// assert_eq!(events.last(), Some(&PerftEvent::Total(Some(8_902))));
/// # Ok::<(), bartizan_engine::PerftError>(())
/// ```
#[derive(Debug)]
pub struct Perft {
    stop: StopFlag,
    events: Receiver<PerftEvent>,
}

impl Perft {
    /// The maximum depth, in plies: any count that takes less than years is less than a fifth as deep.
    pub const MAX_DEPTH: u32 = 100;

    /// Starts counting the leaves `depth` plies below a position.
    ///
    /// # Errors
    /// [`PerftError`] when the depth exceeds [`Perft::MAX_DEPTH`] or the system cannot start a thread.
    pub fn start(position: Position, depth: u32) -> Result<Self, PerftError> {
        let (sender, events) = channel();
        let stop = Self::start_with(position, depth, move |event| {
            // Sending fails only when the iterator has been dropped.
            let _ = sender.send(event);
        })?;
        Ok(Self { stop, events })
    }

    /// As [`Perft::start`], but calls `listener` with each event, from the counting thread. Returns a handle to stop
    /// it.
    ///
    /// # Errors
    /// As [`Perft::start`].
    pub fn start_with(
        position: Position,
        depth: u32,
        listener: impl FnMut(PerftEvent) + Send + 'static,
    ) -> Result<StopFlag, PerftError> {
        if depth > Self::MAX_DEPTH {
            return Err(PerftError::Depth { depth });
        }
        let stop = StopFlag::new();
        let asked = stop.clone();
        thread::Builder::new().name("perft".to_owned()).spawn(move || {
            let mut report = Report { listener, is_complete: false };
            let total = divide(&position, depth, &asked, |mv, leaves| (report.listener)(PerftEvent::Move(mv, leaves)));
            report.is_complete = true;
            (report.listener)(PerftEvent::Total(total));
        })?;
        Ok(stop)
    }

    /// Stops the count soon.
    pub fn stop(&self) {
        self.stop.stop();
    }
}

impl Iterator for Perft {
    type Item = PerftEvent;

    fn next(&mut self) -> Option<PerftEvent> {
        self.events.recv().ok()
    }
}

impl Drop for Perft {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// Sends `Total` even if the count panics, so that no listener waits forever.
struct Report<F: FnMut(PerftEvent)> {
    listener: F,
    is_complete: bool,
}

impl<F: FnMut(PerftEvent)> Drop for Report<F> {
    fn drop(&mut self) {
        if !self.is_complete {
            (self.listener)(PerftEvent::Total(None));
        }
    }
}

/// Counts move by move; `None` if stopped.
fn divide(position: &Position, depth: u32, stop: &StopFlag, mut on_move: impl FnMut(Move, u64)) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let leaves = count(&position.play_unchecked(mv), depth - 1, stop)?;
        on_move(mv, leaves);
        total += leaves;
    }
    Some(total)
}

/// As [`bartizan_position::perft`], but checks the flag occasionally; `None` if stopped.
fn count(position: &Position, depth: u32, stop: &StopFlag) -> Option<u64> {
    /// Subtrees of this depth take milliseconds, so they are counted without checking the flag.
    const UNINTERRUPTED_DEPTH: u32 = 3;
    if depth <= UNINTERRUPTED_DEPTH {
        return (!stop.is_stopped()).then(|| bartizan_position::perft(position, depth));
    }
    position.legal_moves().iter().map(|&mv| count(&position.play_unchecked(mv), depth - 1, stop)).sum()
}
