//! A range coder: arithmetic coding with integers (G. Martin, "Range encoding", 1979), with the carry handling of LZMA.

/// When a range is narrower than this, a byte is shifted out.
const LEAST_RANGE: u32 = 1 << 24;

/// Bits of a probability.
const CHANCE_BITS: u32 = 16;

/// How fast a probability adapts: each bit moves it 1/64 of the way.
const ADAPTATION: u32 = 6;

/// The probability of a set bit in units of 2⁻¹⁶, which adapts to the coded bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance(pub(super) u16);

impl Chance {
    /// Limited, so that both bits can be coded.
    fn weight(self) -> u32 {
        u32::from(self.0).clamp(64, (1 << CHANCE_BITS) - 64)
    }

    fn adapt(&mut self, bit: bool) {
        let target = if bit { i32::from(u16::MAX) } else { 0 };
        self.0 = (i32::from(self.0) + ((target - i32::from(self.0)) >> ADAPTATION)) as u16;
    }
}

/// Both directions of the code, so that one function describes writing and reading: an encoder codes the given value
/// and returns it; a decoder ignores that value and returns the one that it has read.
pub(super) trait Coder {
    /// Codes the symbol to which `start..start + size` of `total` belongs. A decoder calls `find` with a number below
    /// `total`, and it returns the `start` and `size` around it; an encoder uses `given`.
    fn code(&mut self, total: u32, given: (u32, u32), find: impl FnOnce(u32) -> (u32, u32)) -> (u32, u32);

    /// Codes a bit and adapts `chance` to it.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let weight = chance.weight();
        let clear = (1 << CHANCE_BITS) - weight;
        let part = |is_set| if is_set { (clear, weight) } else { (0, clear) };
        let bit = self.code(1 << CHANCE_BITS, part(bit), |at| part(at >= clear)).0 != 0;
        chance.adapt(bit);
        bit
    }

    /// Codes `bits` equally likely bits, highest first.
    fn uniform(&mut self, bits: u32, value: u32) -> u32 {
        let mut coded = 0;
        for shift in (0..bits.div_ceil(8)).rev().map(|byte| 8 * byte) {
            let width = (bits - shift).min(8);
            coded |= self.code(1 << width, (value >> shift & ((1 << width) - 1), 1), |at| (at, 1)).0 << shift;
        }
        coded
    }

    /// Codes an index, given the weights of all: positive numbers with a sum of at most 2¹⁶.
    fn index(&mut self, weights: &[u32], index: usize) -> usize {
        let total = weights.iter().sum();
        let given = (weights[..index].iter().sum(), weights[index]);
        let mut found = index;
        let _ = self.code(total, given, |at| {
            let mut start = 0;
            found = weights
                .iter()
                .position(|&weight| {
                    start += weight;
                    at < start
                })
                .unwrap_or(0);
            (start - weights[found], weights[found])
        });
        found
    }
}

/// Writes.
#[derive(Debug)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
    /// The lower end of the range, below 2³³: the highest bit is a carry.
    low: u64,
    range: u32,
    /// The last byte shifted out, which a carry may still change.
    last: u8,
    /// The number of 255 bytes after it, which a carry would change too.
    full: usize,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), low: 0, range: u32::MAX, last: 0, full: 0 }
    }

    fn shift(&mut self) {
        let (carry, byte) = ((self.low >> 32) as u8, (self.low >> 24) as u8);
        if carry == 0 && byte == 0xff {
            self.full += 1;
        } else {
            self.bytes.push(self.last.wrapping_add(carry));
            self.bytes.extend(std::iter::repeat_n(carry.wrapping_sub(1), self.full));
            (self.last, self.full) = (byte, 0);
        }
        self.low = self.low << 8 & 0xffff_ffff;
    }

    /// The code, as short as possible: a decoder reads zeros past its end.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // Of the numbers in the range, the one with the most trailing zeros.
        let last = self.low + u64::from(self.range) - 1;
        let zeros = (0..32).rev().find(|&zeros| last >> zeros << zeros >= self.low).unwrap_or(0);
        self.low = last >> zeros << zeros;
        for _ in 0..5 {
            self.shift();
        }
        // The first byte precedes all bits.
        self.bytes.remove(0);
        self.bytes.truncate(self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
        self.bytes
    }
}

impl Coder for Encoder {
    fn code(&mut self, total: u32, given: (u32, u32), _: impl FnOnce(u32) -> (u32, u32)) -> (u32, u32) {
        let unit = self.range / total;
        self.low += u64::from(unit * given.0);
        self.range = unit * given.1;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        given
    }
}

/// Reads.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// The code minus the lower end of the range.
    offset: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { bytes: bytes.iter(), offset: 0, range: u32::MAX };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.offset = self.offset << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    fn code(&mut self, total: u32, _: (u32, u32), find: impl FnOnce(u32) -> (u32, u32)) -> (u32, u32) {
        let unit = self.range / total;
        let (start, size) = find((self.offset / unit).min(total - 1));
        // It only wraps for bytes that no encoder has written.
        self.offset = self.offset.wrapping_sub(unit * start);
        self.range = unit * size;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        (start, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A symbol to code in one call.
    #[derive(Clone, Debug)]
    enum Symbol {
        Bit(bool),
        Uniform(u32, u32),
        Index(Vec<u32>, usize),
    }

    fn symbols() -> impl Strategy<Value = Vec<Symbol>> {
        let weights = prop::collection::vec(1_u32..300, 1..200);
        let symbol = prop_oneof![
            any::<bool>().prop_map(Symbol::Bit),
            prop::bool::weighted(0.001).prop_map(Symbol::Bit),
            (0_u32..=32, any::<u32>())
                .prop_map(|(bits, value)| { Symbol::Uniform(bits, value & (1_u64 << bits).wrapping_sub(1) as u32) }),
            (weights, any::<prop::sample::Index>()).prop_map(|(weights, index)| {
                let index = index.index(weights.len());
                Symbol::Index(weights, index)
            }),
        ];
        prop::collection::vec(symbol, 0..600)
    }

    fn code(coder: &mut impl Coder, symbols: &[Symbol], is_read: bool) -> Vec<u32> {
        let mut chance = Chance(1 << (CHANCE_BITS - 1));
        let of = |symbol: &Symbol| match symbol {
            Symbol::Bit(bit) => coder.bit(&mut chance, *bit && !is_read).into(),
            Symbol::Uniform(bits, value) => coder.uniform(*bits, if is_read { 0 } else { *value }),
            Symbol::Index(weights, index) => coder.index(weights, if is_read { 0 } else { *index }) as u32,
        };
        symbols.iter().map(of).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(symbols in symbols()) {
            let mut encoder = Encoder::new();
            let written = code(&mut encoder, &symbols, false);
            let bytes = encoder.finish();
            prop_assert_eq!(code(&mut Decoder::new(&bytes), &symbols, true), written);
        }

        #[test]
        fn any_bytes_can_be_read(symbols in symbols(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(code(&mut Decoder::new(&bytes), &symbols, true).len(), symbols.len());
        }
    }

    /// The carry passes through any number of full bytes.
    #[test]
    fn a_long_carry() {
        for bits in [true, false] {
            let symbols: Vec<_> = (0..4_000).map(|i| Symbol::Uniform(8, if i < 3_999 { 255 } else { 1 })).collect();
            let mut encoder = Encoder::new();
            encoder.bit(&mut Chance(u16::MAX), bits);
            let written = code(&mut encoder, &symbols, false);
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            assert_eq!(decoder.bit(&mut Chance(u16::MAX), false), bits);
            assert_eq!(code(&mut decoder, &symbols, true), written);
        }
    }
}
