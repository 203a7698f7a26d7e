//! Counting the leaves of a tree (perft) in a thread of its own: deep counts take minutes, and no command waits for them.

use bartizan_position::Position;
use bartizan_types::UciMove;
use crossbeam::channel::{Receiver, unbounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// What a running count says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftEvent {
    /// The leaves below a first move.
    Move(UciMove, u64),
    /// All leaves; `None` if the count was stopped.
    Total(Option<u64>),
}

/// A running count.
#[derive(Debug)]
pub struct Perft {
    /// What it says; closed after the total.
    pub events: Receiver<PerftEvent>,
    stop: Arc<AtomicBool>,
}

impl Perft {
    /// Begins to count.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(position: Position, depth: u32, chess960: bool) -> std::io::Result<Self> {
        let (sender, events) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        // A ply of depth is a call: the deepest count that could ever end needs far less than this.
        thread::Builder::new().stack_size(32 << 20).spawn(move || {
            let mut total = Some(u64::from(depth == 0));
            for mv in position.legal_moves() {
                if depth == 0 {
                    break;
                }
                let Some(leaves) = count(&position.play_unchecked(mv), depth - 1, &stopped) else {
                    total = None;
                    break;
                };
                let _ = sender.send(PerftEvent::Move(mv.uci(chess960), leaves));
                total = total.map(|total| total + leaves);
            }
            let _ = sender.send(PerftEvent::Total(total));
        })?;
        Ok(Self { events, stop })
    }

    /// Whether the count was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the count soon.
    pub fn stop(&self) {
        // Relaxed: the flag says "soon" and publishes nothing else.
        self.stop.store(true, Relaxed);
    }
}

/// As `perft`, but looks at the flag now and then; `None` if stopped.
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    /// Subtrees of this depth are counted at once: milliseconds.
    const AT_ONCE: u32 = 3;
    if depth <= AT_ONCE {
        return (!stop.load(Relaxed)).then(|| bartizan_position::perft(position, depth));
    }
    position.legal_moves().iter().map(|&mv| count(&position.play_unchecked(mv), depth - 1, stop)).sum()
}
