//! A random sample of a stream.

use bartizan_types::SplitMix64;

/// A sample of a fixed size from a stream of unknown length; every subset of that size is equally likely (Alan
/// Waterman's algorithm R). The same seed selects the same places.
///
/// ```
/// use bartizan_games::Reservoir;
///
/// let mut sample = Reservoir::new(3, 1);
/// (0..100).for_each(|number| drop(sample.push(number)));
/// let numbers = sample.into_items();
/// assert!(numbers.len() == 3 && numbers.is_sorted());
/// ```
#[derive(Clone, Debug)]
pub struct Reservoir<T> {
    size: usize,
    random: SplitMix64,
    seen: usize,
    /// Each with its number in the stream.
    items: Vec<(usize, T)>,
}

impl<T> Reservoir<T> {
    /// Creates a sample of this size.
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, random: SplitMix64::new(seed), seen: 0, items: Vec::new() }
    }

    /// Adds the next item of the stream. Returns the item that is rejected or replaced.
    pub fn push(&mut self, item: T) -> Option<T> {
        self.seen += 1;
        if self.items.len() < self.size {
            self.items.push((self.seen, item));
            return None;
        }
        let place = self.random.below(self.seen);
        match self.items.get_mut(place) {
            Some(old) => Some(std::mem::replace(old, (self.seen, item)).1),
            None => Some(item),
        }
    }

    /// The sample, in stream order.
    pub fn into_items(mut self) -> Vec<T> {
        self.items.sort_by_key(|&(number, _)| number);
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_the_same_chance() {
        let mut counts = [0; 10];
        for seed in 0..3_000 {
            let mut sample = Reservoir::new(3, seed);
            let dropped = (0..10).filter_map(|number| sample.push(number)).count();
            assert_eq!(dropped, 7);
            sample.into_items().into_iter().for_each(|number: usize| counts[number] += 1);
        }
        // 900 each, with a standard deviation of 25.
        assert!(counts.iter().all(|count| (800..1_000).contains(count)), "{counts:?}");
        let mut all = Reservoir::new(5, 0);
        assert!((0..3).all(|number| all.push(number).is_none()));
        assert_eq!(all.into_items(), [0, 1, 2]);
        let mut none = Reservoir::new(0, 0);
        assert_eq!(none.push(1), Some(1));
    }
}
