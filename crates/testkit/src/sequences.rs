//! Random sequences of commands to programs under test, and what the drivers of both protocols share.

use bartizan_types::SplitMix64;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of failures after which a run ends: one fault tends to cause many.
const MOST_FAILURES: usize = 5;

/// Plays random sequences on two threads until there are `count` of them, or as many as the variable
/// `BARTIZAN_SEQUENCES` says. `play` plays all sequences of one process and returns their number; its argument is the
/// seed, from 1 or the variable `BARTIZAN_SEED`. Returns the number of sequences and of processes.
///
/// # Panics
///
/// If `play` panics, at the end, with the seeds that failed: `BARTIZAN_SEED=SEED BARTIZAN_SEQUENCES=1` plays one again.
pub fn random_sequences(count: u64, play: impl Fn(u64) -> u64 + Sync) -> (u64, u64) {
    let variable = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = variable("BARTIZAN_SEQUENCES").unwrap_or(count);
    let first = variable("BARTIZAN_SEED").unwrap_or(1);
    let (seeds, played) = (AtomicU64::new(first), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    let failed = || failures.lock().map_or(0, |failures: std::sync::MutexGuard<'_, Vec<String>>| failures.len());
    std::thread::scope(|scope| {
        for _ in 0..count.min(2) {
            scope.spawn(|| {
                // Both are only counters.
                while played.load(Ordering::Relaxed) < count && failed() < MOST_FAILURES {
                    let seed = seeds.fetch_add(1, Ordering::Relaxed);
                    match catch_unwind(AssertUnwindSafe(|| play(seed))) {
                        Ok(sequences) => drop(played.fetch_add(sequences, Ordering::Relaxed)),
                        Err(panic) => {
                            let failure = format!("BARTIZAN_SEED={seed}: {}", message(&*panic));
                            let _ = failures.lock().map(|mut failures| failures.push(failure));
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_default();
    assert!(failures.is_empty(), "{} processes failed\n\n{}", failures.len(), failures.join("\n\n"));
    (played.into_inner(), seeds.into_inner() - first)
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

/// One of the items.
///
/// # Panics
///
/// If there is none.
pub fn pick<'a, T: ?Sized>(random: &mut SplitMix64, items: &[&'a T]) -> &'a T {
    items[random.below(items.len())]
}

/// A line that means nothing in either protocol, with its end: words, control characters, bytes that are not UTF-8, and
/// now and then thousands of bytes.
pub fn garbage(random: &mut SplitMix64) -> Vec<u8> {
    let mut line: Vec<u8> = match random.below(8) {
        0 => Vec::new(),
        1 => b" \t ".to_vec(),
        2 => (0..random.below(60)).map(|_| random.next_u64() as u8).collect(),
        3 => "x".repeat(random.below(10_000)).into_bytes(),
        4 => "9 ".repeat(random.below(3_000)).into_bytes(),
        5 => "Zug \u{265e}f3 \u{2014} \u{68cb}".as_bytes().to_vec(),
        6 => b"\xff\xfe\0\x1b[A".to_vec(),
        _ => b"frobnicate 3".to_vec(),
    };
    // What a random line begins with could be a command: none of them begins so.
    line.splice(0..0, *b"~");
    line.retain(|&byte| byte != b'\n' && byte != b'\r');
    line.extend(if random.below(4) == 0 { &b"\r\n"[..] } else { b"\n" });
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_counted() {
        let (sequences, processes) = random_sequences(10, |seed| {
            assert!(seed > 0);
            3
        });
        assert!(sequences >= 10 && processes >= 4, "{sequences} {processes}");
    }

    #[test]
    #[should_panic(expected = "BARTIZAN_SEED=2: no even seeds")]
    fn failures_name_their_seeds() {
        random_sequences(100, |seed| {
            assert!(seed % 2 == 1, "no even seeds");
            10
        });
    }

    #[test]
    fn garbage_is_one_line() {
        let mut random = SplitMix64::new(1);
        for _ in 0..1_000 {
            let line = garbage(&mut random);
            assert_eq!(line.iter().position(|&byte| byte == b'\n'), Some(line.len() - 1));
        }
    }
}
