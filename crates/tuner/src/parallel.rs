//! Work shared by threads.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Does `work` for each part on `threads` threads and returns the results in the order of the parts.
pub(crate) fn in_order<P: Sync, T: Send>(parts: &[P], threads: usize, work: impl Fn(&P) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        // Relaxed: each index is handed out once; joining the threads orders the rest.
        loop {
            let index = next.fetch_add(1, Relaxed);
            let Some(part) = parts.get(index) else { return done };
            done.push((index, work(part)));
        }
    };
    let mut done = thread::scope(|scope| {
        // Without a thread to be had, the others do its part.
        let helper = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let helpers: Vec<_> = (1..threads.min(parts.len())).filter_map(helper).collect();
        let mut done = worker();
        for helper in helpers {
            // Propagate a helper's panic as if it had happened on this thread.
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}
