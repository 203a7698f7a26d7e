//! Work on files that another process may have locked. A separate thread does it, so that no move waits for it.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// Executes jobs in order. The thread starts with the first job. Dropping this waits for the last one.
pub(crate) struct Background<T> {
    worker: Option<(Sender<Job<T>>, JoinHandle<()>)>,
    sender: Sender<T>,
    results: Receiver<T>,
}

impl<T: Send + 'static> Background<T> {
    /// Adds a job. If the system cannot provide a thread, the job runs at once.
    pub(crate) fn run(&mut self, job: impl FnOnce() -> T + Send + 'static) {
        let job: Job<T> = Box::new(job);
        self.worker = self.worker.take().or_else(|| start(self.sender.clone()));
        let refused = match &self.worker {
            Some((jobs, _)) => jobs.send(job).err().map(|error| error.0),
            None => Some(job),
        };
        if let Some(job) = refused {
            // The receiver is a field.
            let _ = self.sender.send(job());
        }
    }

    /// The results of the jobs that have finished since the last call.
    pub(crate) fn take_results(&mut self) -> Vec<T> {
        self.results.try_iter().collect()
    }
}

fn start<T: Send + 'static>(results: Sender<T>) -> Option<(Sender<Job<T>>, JoinHandle<()>)> {
    let (jobs, to_do) = channel::<Job<T>>();
    let work = move || {
        for job in to_do {
            // The receiver may be gone.
            let _ = results.send(job());
        }
    };
    Builder::new().name("files".to_owned()).spawn(work).ok().map(|thread| (jobs, thread))
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        let (sender, results) = channel();
        Self { worker: None, sender, results }
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        if let Some((jobs, thread)) = self.worker.take() {
            drop(jobs);
            // A job that panics only loses its own result.
            let _ = thread.join();
        }
    }
}

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").field("is_running", &self.worker.is_some()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_done_in_order_and_waited_for() {
        let (sender, done) = channel();
        let mut background = Background::default();
        for number in 0..100 {
            let sender = sender.clone();
            background.run(move || sender.send(number).is_ok());
        }
        drop((background, sender));
        assert!(done.iter().eq(0..100));
    }

    #[test]
    fn a_job_that_waits_holds_nothing_up() {
        let (open, gate) = channel::<()>();
        let mut background = Background::default();
        background.run(move || gate.recv().is_ok());
        background.run(|| true);
        assert!(background.take_results().is_empty());
        open.send(()).unwrap();
        let mut results = Vec::new();
        while results.len() < 2 {
            results.extend(background.take_results());
        }
        assert_eq!(results, [true, true]);
    }
}
