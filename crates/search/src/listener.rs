//! Delivery of a search's events.

use crate::event::SearchEvent;

/// Passes the events of one search to a callback and guarantees exactly one terminal event: a listener dropped before
/// `Finished`, because its thread has died or could not be reached, delivers `Failed`.
pub(crate) struct Listener(Option<Box<dyn FnMut(SearchEvent) + Send>>);

impl Listener {
    pub(crate) fn new(callback: impl FnMut(SearchEvent) + Send + 'static) -> Self {
        Self(Some(Box::new(callback)))
    }

    pub(crate) fn send(&mut self, event: SearchEvent) {
        // The callback is taken out during the call: one that panics is not called again.
        let Some(mut callback) = self.0.take() else { return };
        let is_terminal = event.is_terminal();
        callback(event);
        if !is_terminal {
            self.0 = Some(callback);
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.send(SearchEvent::Failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::SearchResult;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::{Receiver, channel};

    const PLANNED: SearchEvent = SearchEvent::Planned { soft: None, hard: None };

    fn listener() -> (Listener, Receiver<SearchEvent>) {
        let (sender, events) = channel();
        (Listener::new(move |event| sender.send(event).unwrap()), events)
    }

    #[test]
    fn nothing_follows_the_result() {
        let (mut listener, events) = listener();
        let finished = SearchEvent::Finished(SearchResult::default());
        for event in [PLANNED, finished.clone(), PLANNED] {
            listener.send(event);
        }
        drop(listener);
        assert_eq!(events.iter().collect::<Vec<_>>(), [PLANNED, finished]);
    }

    #[test]
    fn a_listener_dropped_early_reports_failure() {
        let (mut listener, events) = listener();
        listener.send(PLANNED);
        drop(listener);
        assert_eq!(events.iter().collect::<Vec<_>>(), [PLANNED, SearchEvent::Failed]);
    }

    #[test]
    fn a_callback_that_panics_is_not_called_again() {
        let (sender, calls) = channel();
        let mut listener = Listener::new(move |_| {
            sender.send(()).unwrap();
            panic!("expected by the test");
        });
        assert!(catch_unwind(AssertUnwindSafe(|| listener.send(PLANNED))).is_err());
        drop(listener);
        assert_eq!(calls.iter().count(), 1);
    }
}
