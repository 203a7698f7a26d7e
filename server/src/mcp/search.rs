//! Searches: one after another, bounded, with progress, and stopped when the client cancels them.

use bartizan_analysis::{Analyser, AnalysisError};
use bartizan_parallel::StopFlag;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

/// What a search has and says.
pub(crate) struct Job {
    stop: StopFlag,
    steps: mpsc::Sender<(f64, f64)>,
    hash_mib: usize,
}

impl Job {
    /// An analyser of one thread that the client can stop.
    pub(crate) fn analyser(&self) -> Result<Analyser, String> {
        Ok(Analyser::new(1, self.hash_mib).map_err(|error| error.to_string())?.stop_by(&self.stop))
    }

    /// Tells how much is done. Steps that nobody reads are left out.
    pub(crate) fn progress(&self, done: usize, total: usize) {
        let _ = self.steps.try_send((done as f64, total as f64));
    }
}

/// An error of an analysis in words.
pub(crate) fn failure(error: &AnalysisError) -> String {
    match error {
        AnalysisError::Stopped => "the search was stopped before it had a result; try fewer nodes".to_owned(),
        error => error.to_string(),
    }
}

/// Stops a search whose answer is not waited for any more.
struct StopAtEnd(StopFlag);

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The place for searches.
pub(crate) struct Searches {
    place: Arc<Semaphore>,
    hash_mib: usize,
    longest: Duration,
}

impl Searches {
    pub(crate) fn new(hash_mib: usize, longest: Duration) -> Self {
        Self { place: Arc::new(Semaphore::new(1)), hash_mib, longest }
    }

    /// Runs work that searches, on a thread of its own.
    ///
    /// # Errors
    /// Those of the work, and if it was cancelled or takes too long.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Job) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let place = tokio::select! {
            place = Arc::clone(&self.place).acquire_owned() => place.map_err(|error| error.to_string())?,
            () = context.ct.cancelled() => return Err("cancelled".to_owned()),
        };
        let (steps, mut taken) = mpsc::channel(16);
        let stop = StopFlag::new();
        let at_end = StopAtEnd(stop.clone());
        let job = Job { stop, steps, hash_mib: self.hash_mib };
        let mut task = tokio::task::spawn_blocking(move || {
            let result = work(&job);
            drop(place);
            result
        });
        let token = context.meta.get_progress_token();
        let mut deadline = std::pin::pin!(tokio::time::sleep(self.longest));
        let (mut last, mut why) = (0.0, None);
        loop {
            tokio::select! {
                result = &mut task => {
                    let result = result.map_err(|_| "the search has failed".to_owned())?;
                    return match (result, why) {
                        (Err(_), Some(why)) => Err(why),
                        (result, _) => result,
                    };
                }
                () = context.ct.cancelled(), if why.is_none() => {
                    at_end.0.stop();
                    why = Some("cancelled".to_owned());
                }
                () = &mut deadline, if why.is_none() => {
                    at_end.0.stop();
                    let seconds = self.longest.as_secs();
                    why = Some(format!("the search has taken {seconds} s, which is the limit; try fewer nodes"));
                }
                Some((done, total)) = taken.recv() => {
                    // Progress only grows.
                    if let Some(token) = token.clone().filter(|_| done > last) {
                        last = done;
                        let step = ProgressNotificationParam::new(token, done).with_total(total);
                        drop(context.peer.notify_progress(step).await);
                    }
                }
            }
        }
    }
}
