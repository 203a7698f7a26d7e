//! Independent work on several threads.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::ScopedJoinHandle;

/// The number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the work for each item, as many at a time as there are threads, and returns the results in the order of the
/// items.
///
/// The work also gets the number of its thread, from 0.
pub(crate) fn map<T, R>(items: &[T], threads: usize, work: impl Fn(usize, &T) -> Result<R> + Sync) -> Result<Vec<R>>
where
    T: Sync,
    R: Send,
{
    let next = AtomicUsize::new(0);
    let some = |thread: usize| -> Result<Vec<(usize, R)>> {
        let mut done = Vec::new();
        loop {
            // Relaxed: only hands out numbers.
            let index = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(index) else { return Ok(done) };
            done.push((index, work(thread, item)?));
        }
    };
    let done: Result<Vec<Vec<(usize, R)>>> = std::thread::scope(|scope| {
        let some = &some;
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || some(thread))).collect();
        let join = |thread: ScopedJoinHandle<'_, Result<Vec<(usize, R)>>>| {
            thread.join().unwrap_or_else(|_| Err(Error::Check("a thread panicked".to_owned())))
        };
        threads.into_iter().map(join).collect()
    });
    let mut done: Vec<(usize, R)> = done?.into_iter().flatten().collect();
    done.sort_unstable_by_key(|&(index, _)| index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_an_error_is_returned() {
        let numbers: Vec<u32> = (0..100).collect();
        let doubled = map(&numbers, 4, |_, number| Ok(number * 2)).unwrap();
        assert_eq!(doubled, numbers.iter().map(|number| number * 2).collect::<Vec<_>>());
        let fails = |_, number: &u32| if *number == 50 { Err(Error::Check("no".to_owned())) } else { Ok(()) };
        assert!(map(&numbers, 4, fails).is_err());
    }
}
