//! Work in parts, on several threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `work` for each part, on as many threads as there are parts, and returns the results in the order of the parts.
/// Where the system provides fewer threads, the others do their parts.
pub(crate) fn in_parts<T: Send, R: Send>(parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let helpers = parts.len().saturating_sub(1);
    let queue = Mutex::new(parts.into_iter().enumerate());
    let worker = || {
        let mut done = Vec::new();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, part)) = next else { return done };
            done.push((index, work(part)));
        }
    };
    let mut done = thread::scope(|scope| {
        let helper = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let helpers: Vec<_> = (0..helpers).map_while(helper).collect();
        let mut done = worker();
        for helper in helpers {
            // A thread that panicked ends the training with its message.
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}
