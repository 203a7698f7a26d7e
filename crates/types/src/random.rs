//! Reproducible pseudo-random numbers.

/// The generator SplitMix64 (Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014): a counter that advances by the golden ratio, and a mixing function of three steps.
///
/// The same seed yields the same numbers on every platform and in every version of this crate: generated tables,
/// Zobrist keys and test positions rely on it. The generator is not suitable for cryptography.
///
/// ```
/// use bartizan_types::SplitMix64;
///
/// let mut random = SplitMix64::new(1_234_567);
/// assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
/// assert!(random.below(6) < 6);
///
/// let mut cards = ["ace", "king", "queen"];
/// random.shuffle(&mut cards);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates the generator for `seed`. Every seed is equally good, 0 included.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Creates one of many generators that share a seed. Use it to give each game, square or thread its own sequence,
    /// so that the results do not depend on the order in which they are computed.
    #[inline]
    pub const fn stream(seed: u64, number: u64) -> Self {
        let start = Self::new(seed).next_u64();
        Self::new(Self::new(start ^ number).next_u64())
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number from 0 to `n - 1`, each with the same probability (Daniel Lemire, "Fast Random Integer
    /// Generation in an Interval", 2019).
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub const fn below(&mut self, n: usize) -> usize {
        assert!(n != 0, "no number is below 0");
        let n = n as u64;
        // The product's upper half is the result. Lower halves below 2^64 mod n occur once too often: reject them.
        let reject_below = n.wrapping_neg() % n;
        loop {
            let product = self.next_u64() as u128 * n as u128;
            if product as u64 >= reject_below {
                return (product >> 64) as usize;
            }
        }
    }

    /// Returns a number from 0 to below 1 with all 53 bits of the mantissa random.
    #[inline]
    pub const fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles a slice; each order is equally likely (Fisher and Yates).
    pub const fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut last = items.len();
        while last > 1 {
            last -= 1;
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// The first outputs for seed 1234567, as published with the reference implementation's test vectors.
    #[test]
    fn matches_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!([random.next_u64(), random.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn streams_differ() {
        let first = |seed, number| SplitMix64::stream(seed, number).next_u64();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        assert_eq!(first(3, 7), first(3, 7));
    }

    #[test]
    fn numbers_stay_in_range_and_reach_every_value() {
        let mut random = SplitMix64::new(0);
        let mut seen = [0_u32; 7];
        for _ in 0..7_000 {
            seen[random.below(7)] += 1;
            assert!((0.0..1.0).contains(&random.unit_f64()));
        }
        assert!(seen.iter().all(|count| (900..1_100).contains(count)), "{seen:?}");
        assert_eq!(random.below(1), 0);
        assert!(random.below(usize::MAX) < usize::MAX);
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix64::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
