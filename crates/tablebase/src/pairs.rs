//! Decompression of the values of one part of a table.
//!
//! The compressor repeatedly replaces the most frequent pair of neighbouring values with a new symbol. It writes the
//! remaining symbols as a canonical Huffman code in blocks of equal size. A sparse index gives the block and the offset
//! of every `span`-th value. Another list gives the number of values of each block. The method is due to Larsson and
//! Moffat ("Offline dictionary-based compression", 1999), its use here with Huffman code and index to Ronald de Man.

use crate::error::Fault;
use crate::kind::Kind;
use crate::source::{Cursor, Reader, Source};
use crate::{Fallible, Wdl};

/// Flag: all values are the same.
const SINGLE_VALUE: u8 = 0x80;

/// The right part of a symbol that is not a pair.
const LEAF: u16 = 0xfff;

/// A symbol: a value or a pair of symbols.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol {
    /// The first symbol of the pair, or the value.
    left: u16,
    /// The second symbol of the pair, or [`LEAF`].
    right: u16,
    /// The number of values of the symbol, minus one.
    more: u16,
}

/// The values of one part of a table.
#[derive(Debug)]
pub(crate) struct Pairs {
    flags: u8,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Single(u16),
    Blocks(Blocks),
}

#[derive(Debug)]
struct Blocks {
    /// A block has `1 << block_bits` bytes.
    block_bits: u8,
    /// The sparse index has an entry for each `1 << span_bits` values.
    span_bits: u8,
    /// The number of blocks.
    count: u64,
    /// The number of entries in the list of block lengths. It may exceed the number of blocks: the middle of the last
    /// span may lie after the last value.
    lengths: u64,
    /// The length of the shortest code in bits.
    shortest: u8,
    /// The smallest code, left-aligned, and its symbol for each code length, shortest first.
    codes: Vec<(u64, u16)>,
    symbols: Vec<Symbol>,
    /// The total number of values.
    size: u64,
    /// Offsets in the file.
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
}

/// The bits of a block that are not yet decoded.
#[derive(Debug)]
struct Bits {
    /// The next bits, left-aligned; `have` of them are valid.
    bits: u64,
    have: u32,
    /// The offset of the next word.
    at: u64,
    /// The offset after the block.
    end: u64,
}

impl Bits {
    /// Provides more bits than the longest code has.
    #[inline]
    fn fill(&mut self, reader: &mut Reader<'_>) -> Fallible<()> {
        while self.have <= 32 {
            // The last word of a block may be incomplete; the bits after the end are never used.
            let word = if self.at < self.end { u32::from_be_bytes(reader.array(self.at)?) } else { 0 };
            self.bits |= u64::from(word) << (32 - self.have);
            self.at += 4;
            self.have += 32;
        }
        Ok(())
    }

    #[inline]
    fn skip(&mut self, len: u32) {
        self.bits <<= len;
        self.have -= len;
    }
}

impl Pairs {
    /// Reads the header of a part with `size` values. The offsets of the data follow later.
    pub(crate) fn read(cursor: &mut Cursor<'_>, kind: Kind, size: u64) -> Fallible<Self> {
        let flags = cursor.u8()?;
        if flags & SINGLE_VALUE != 0 {
            // The distances are then all 0, whatever the byte.
            let value = cursor.u8()?;
            return Ok(Self { flags, content: Content::Single(if kind == Kind::Wdl { value.into() } else { 0 }) });
        }
        let block_bits = cursor.u8()?;
        let span_bits = cursor.u8()?;
        let padding = cursor.u8()?;
        let count = u64::from(cursor.u32()?);
        let (longest, shortest) = (cursor.u8()?, cursor.u8()?);
        if !(2..=16).contains(&block_bits) || span_bits > 32 || count == 0 || size == 0 {
            return Err(Fault::Damaged("invalid block sizes"));
        }
        if !(1..=longest).contains(&shortest) || longest > 32 {
            return Err(Fault::Damaged("invalid code lengths"));
        }
        let firsts = (shortest..=longest).map(|_| cursor.u16()).collect::<Fallible<Vec<u16>>>()?;
        let codes = codes(&firsts, shortest).ok_or(Fault::Damaged("invalid codes"))?;
        let symbols = symbols(cursor)?;
        cursor.align(2);
        let lengths = count + u64::from(padding);
        let (index_at, lengths_at, blocks_at) = (0, 0, 0);
        let blocks = Blocks {
            block_bits,
            span_bits,
            count,
            lengths,
            shortest,
            codes,
            symbols,
            size,
            index_at,
            lengths_at,
            blocks_at,
        };
        Ok(Self { flags, content: Content::Blocks(blocks) })
    }

    /// The other flags of the first byte.
    pub(crate) fn flags(&self) -> u8 {
        self.flags
    }

    /// Records the offset of the sparse index.
    pub(crate) fn place_index(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        if let Content::Blocks(blocks) = &mut self.content {
            blocks.index_at = cursor.skip(6 * blocks.size.div_ceil(1 << blocks.span_bits))?;
        }
        Ok(())
    }

    /// Records the offset of the list of block lengths.
    pub(crate) fn place_lengths(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        if let Content::Blocks(blocks) = &mut self.content {
            blocks.lengths_at = cursor.skip(2 * blocks.lengths)?;
        }
        Ok(())
    }

    /// Records the offset of the blocks, which begin at the next multiple of 64.
    pub(crate) fn place_blocks(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        if let Content::Blocks(blocks) = &mut self.content {
            cursor.align(64);
            blocks.blocks_at = cursor.skip(blocks.count << blocks.block_bits)?;
        }
        Ok(())
    }

    /// Decodes every block, and verifies the values, their number and the sparse index. `watch` gets the number of
    /// bytes done since its last call.
    pub(crate) fn verify(
        &self,
        source: &Source,
        kind: Kind,
        watch: &mut dyn FnMut(u64) -> Fallible<()>,
    ) -> Fallible<()> {
        let is_valid = |value: u16| kind == Kind::Dtz || Wdl::from_stored(value).is_some();
        match &self.content {
            Content::Single(value) if is_valid(*value) => Ok(()),
            Content::Blocks(blocks)
                if blocks.symbols.iter().all(|symbol| symbol.right != LEAF || is_valid(symbol.left)) =>
            {
                blocks.verify(&mut source.reader(), watch)
            }
            Content::Single(_) | Content::Blocks(_) => Err(Fault::Damaged("invalid value")),
        }
    }

    /// The bytes of all blocks.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.content {
            Content::Single(_) => 0,
            Content::Blocks(blocks) => blocks.count << blocks.block_bits,
        }
    }

    /// The value at an index, at most 12 bits long.
    pub(crate) fn value(&self, source: &Source, index: u64) -> Fallible<u16> {
        match &self.content {
            Content::Single(value) => Ok(*value),
            Content::Blocks(blocks) => {
                let mut reader = source.reader();
                let (block, place) = blocks.find(&mut reader, index)?;
                blocks.value(&mut reader, block, place)
            }
        }
    }
}

/// Computes the smallest code of each length. Longer codes are smaller than shorter ones.
fn codes(firsts: &[u16], shortest: u8) -> Option<Vec<(u64, u16)>> {
    let mut codes = vec![(0_u64, 0_u16); firsts.len()];
    let mut code = 0_u64;
    for (step, &first) in firsts.iter().enumerate().rev() {
        if let Some(&longer) = firsts.get(step + 1) {
            // Two codes of the next length correspond to one code of this length.
            code = (code + u64::from(first)).checked_sub(longer.into())? / 2;
        }
        let bits = u32::from(shortest) + step as u32;
        codes[step] = (code.checked_mul(1 << (64 - bits))?, first);
    }
    Some(codes)
}

fn symbols(cursor: &mut Cursor<'_>) -> Fallible<Vec<Symbol>> {
    let count = cursor.u16()?;
    let mut symbols = (0..count)
        .map(|_| {
            let [a, b, c] = cursor.bytes3()?.map(u16::from);
            Ok(Symbol { left: (b & 15) << 8 | a, right: c << 4 | b >> 4, more: 0 })
        })
        .collect::<Fallible<Vec<Symbol>>>()?;
    count_values(&mut symbols).ok_or(Fault::Damaged("invalid pairs"))?;
    Ok(symbols)
}

/// Computes the number of values of each symbol. `None` if a pair contains itself or an undefined symbol.
fn count_values(symbols: &mut [Symbol]) -> Option<()> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; symbols.len()];
    let mut stack = Vec::new();
    for root in 0..symbols.len() {
        stack.push(root);
        while let Some(&top) = stack.last() {
            let Symbol { left, right, .. } = *symbols.get(top)?;
            if states[top] == State::Done || right == LEAF {
                states[top] = State::Done;
                stack.pop();
                continue;
            }
            let parts = [left, right].map(usize::from);
            if states[top] == State::Open {
                // Both parts are known, or one of them is on the stack and contains this symbol.
                if parts.iter().any(|&part| states.get(part) != Some(&State::Done)) {
                    return None;
                }
                let [a, b] = parts.map(|part| symbols[part].more);
                symbols[top].more = a.checked_add(b)?.checked_add(1)?;
                states[top] = State::Done;
                stack.pop();
            } else {
                states[top] = State::Open;
                for part in parts {
                    if *states.get(part)? == State::New {
                        stack.push(part);
                    }
                }
            }
        }
    }
    Some(())
}

impl Blocks {
    /// Finds the block of a value and its position in the block.
    fn find(&self, reader: &mut Reader<'_>, index: u64) -> Fallible<(u64, u16)> {
        if index >= self.size {
            return Err(Fault::Damaged("index after the end of the table"));
        }
        let span = 1_u64 << self.span_bits;
        let (mut block, middle) = self.entry(reader, index >> self.span_bits)?;
        // The entry is that of the middle of the span.
        let mut place = i64::from(middle) + (index & (span - 1)) as i64 - (span / 2) as i64;
        while place < 0 {
            block = block.checked_sub(1).ok_or(Fault::Damaged("index before the first block"))?;
            place += self.len(reader, block)?;
        }
        loop {
            let len = self.len(reader, block)?;
            if place < len {
                if block >= self.count {
                    return Err(Fault::Damaged("index after the last block"));
                }
                // A block has at most 65,536 values.
                return Ok((block, place as u16));
            }
            place -= len;
            block += 1;
        }
    }

    /// An entry of the sparse index: a block and a position in it.
    #[inline]
    fn entry(&self, reader: &mut Reader<'_>, number: u64) -> Fallible<(u64, u16)> {
        let [a, b, c, d, e, f] = reader.array(self.index_at + 6 * number)?;
        Ok((u64::from(u32::from_le_bytes([a, b, c, d])), u16::from_le_bytes([e, f])))
    }

    /// Decodes every block.
    fn verify(&self, reader: &mut Reader<'_>, watch: &mut dyn FnMut(u64) -> Fallible<()>) -> Fallible<()> {
        /// The number of bytes after which `watch` is called.
        const STRIDE: u64 = 1 << 20;
        let span = 1_u64 << self.span_bits;
        let middle = |entry: u64| (entry << self.span_bits) + span / 2;
        let (mut before, mut entry, mut unreported) = (0, 0, 0);
        for block in 0..self.count {
            let after = before + self.len(reader, block)? as u64;
            while middle(entry) < after.min(self.size) {
                let (listed, place) = self.entry(reader, entry)?;
                if listed != block || before + u64::from(place) != middle(entry) {
                    return Err(Fault::Damaged("wrong entry of the index"));
                }
                entry += 1;
            }
            self.verify_block(reader, block, after - before)?;
            before = after;
            unreported += 1 << self.block_bits;
            if unreported >= STRIDE {
                watch(unreported)?;
                unreported = 0;
            }
        }
        watch(unreported)?;
        if before == self.size { Ok(()) } else { Err(Fault::Damaged("wrong number of values")) }
    }

    /// Decodes a block, which should have this number of values.
    fn verify_block(&self, reader: &mut Reader<'_>, block: u64, len: u64) -> Fallible<()> {
        let mut bits = self.bits(block);
        let mut values = 0;
        while values < len {
            values += u64::from(self.next_symbol(&mut bits, reader)?.more) + 1;
        }
        // The last symbol may have more values: the next block begins with them.
        let is_long = 8 * bits.at - u64::from(bits.have) > 8 * bits.end;
        if is_long { Err(Fault::Damaged("a block is too long")) } else { Ok(()) }
    }

    /// The number of values of a block.
    fn len(&self, reader: &mut Reader<'_>, block: u64) -> Fallible<i64> {
        if block >= self.lengths {
            return Err(Fault::Damaged("index after the last block"));
        }
        Ok(i64::from(reader.u16(self.lengths_at + 2 * block)?) + 1)
    }

    /// The beginning of a block.
    #[inline]
    fn bits(&self, block: u64) -> Bits {
        let at = self.blocks_at + (block << self.block_bits);
        Bits { bits: 0, have: 0, at, end: at + (1 << self.block_bits) }
    }

    /// Decodes a symbol.
    #[inline]
    fn next_symbol(&self, bits: &mut Bits, reader: &mut Reader<'_>) -> Fallible<&Symbol> {
        bits.fill(reader)?;
        let step = self.codes.iter().position(|&(code, _)| bits.bits >= code).unwrap_or(self.codes.len() - 1);
        let (code, first) = self.codes[step];
        let len = u32::from(self.shortest) + step as u32;
        let symbol = u64::from(first) + ((bits.bits - code) >> (64 - len));
        bits.skip(len);
        self.symbols.get(symbol as usize).ok_or(Fault::Damaged("code without a symbol"))
    }

    /// The value at a position in a block.
    fn value(&self, reader: &mut Reader<'_>, block: u64, mut place: u16) -> Fallible<u16> {
        let mut bits = self.bits(block);
        loop {
            let symbol = self.next_symbol(&mut bits, reader)?;
            if place <= symbol.more {
                return Ok(self.unpack(symbol, place));
            }
            place -= symbol.more + 1;
        }
    }

    /// The value at a position among the values of a symbol.
    fn unpack<'a>(&'a self, mut symbol: &'a Symbol, mut place: u16) -> u16 {
        // The parts were checked when the table was read: they exist, and no symbol contains itself.
        while symbol.right != LEAF {
            let left = &self.symbols[usize::from(symbol.left)];
            if place <= left.more {
                symbol = left;
            } else {
                place -= left.more + 1;
                symbol = &self.symbols[usize::from(symbol.right)];
            }
        }
        symbol.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(left: u16, right: u16) -> Symbol {
        Symbol { left, right, more: 0 }
    }

    #[test]
    fn pairs_are_counted_in_any_order_and_cycles_rejected() {
        let mut symbols = [symbol(2, 2), symbol(7, LEAF), symbol(1, 3), symbol(8, LEAF), symbol(0, 2)];
        count_values(&mut symbols).unwrap();
        assert_eq!(symbols.map(|symbol| symbol.more), [3, 0, 1, 0, 5]);
        assert!(count_values(&mut [symbol(0, 0)]).is_none());
        assert!(count_values(&mut [symbol(1, 2), symbol(2, 0), symbol(0, LEAF)]).is_none());
        assert!(count_values(&mut [symbol(1, 9), symbol(0, LEAF)]).is_none());
        // Each symbol is twice the previous one: too many values.
        let mut doubling: Vec<Symbol> = (0..40_u16).map(|n| symbol(n.max(1) - 1, n.max(1) - 1)).collect();
        doubling[0].right = LEAF;
        assert!(count_values(&mut doubling).is_none());
        assert!(count_values(&mut doubling[..17]).is_some());
    }

    #[test]
    fn codes_are_canonical() {
        // One code of 1 bit and two of 2 bits: 1, 00, 01.
        let codes = codes(&[2, 0], 1).unwrap();
        assert_eq!(codes, [(1 << 63, 2), (0, 0)]);
        assert!(super::codes(&[0, 5], 1).is_none());
    }
}
