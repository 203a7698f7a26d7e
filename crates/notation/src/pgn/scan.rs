//! Searching bytes. In PGN, the byte searched for is usually a few bytes away, sometimes a megabyte: the first bytes
//! are searched eight at a time, without a call, the rest with vector instructions.

/// The number of bytes searched before vector instructions are used.
const NEAR: usize = 64;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Sets the highest bit of each byte of a word that equals `byte`. Marks above the lowest one may be wrong.
#[inline]
const fn marks(word: u64, byte: u8) -> u64 {
    let differences = word ^ (ONES * byte as u64);
    differences.wrapping_sub(ONES) & !differences & HIGHS
}

/// The first position of one of the bytes. `far` searches the rest.
#[inline]
fn find<const N: usize>(text: &[u8], bytes: [u8; N], far: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
    let near = &text[..text.len().min(NEAR)];
    let (words, rest) = near.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = bytes.iter().fold(0, |found, &byte| found | marks(word, byte));
        if found != 0 {
            return Some(8 * index + (found.trailing_zeros() / 8) as usize);
        }
    }
    if text.len() > NEAR {
        return far(&text[NEAR..]).map(|place| NEAR + place);
    }
    let place = rest.iter().position(|byte| bytes.contains(byte))?;
    Some(near.len() - rest.len() + place)
}

/// The first position of one of two bytes.
#[inline]
pub(super) fn find2(text: &[u8], bytes: [u8; 2]) -> Option<usize> {
    find(text, bytes, |text| memchr::memchr2(bytes[0], bytes[1], text))
}

/// The first position of one of three bytes.
#[inline]
pub(super) fn find3(text: &[u8], bytes: [u8; 3]) -> Option<usize> {
    find(text, bytes, |text| memchr::memchr3(bytes[0], bytes[1], bytes[2], text))
}

/// The number of line ends.
pub(super) fn line_ends(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Whether a text consists of printable ASCII characters without two adjacent spaces.
#[inline]
pub(super) fn is_plain(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let mut was_space = 0;
    let mut faults = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let differences = word ^ (ONES * 0x20);
        let spaces = !(((differences & !HIGHS) + !HIGHS) | differences) & HIGHS;
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let above = word | (word & !HIGHS).wrapping_add(ONES);
        faults |= (controls | above) & HIGHS;
        faults |= spaces & (spaces << 8 | was_space);
        was_space = spaces >> 56;
    }
    let mut was_space = was_space != 0;
    for &byte in rest {
        let is_space = byte == b' ';
        faults |= u64::from(!(b' '..0x7f).contains(&byte) | (is_space & was_space));
        was_space = is_space;
    }
    faults == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_are_found(
            text in proptest::collection::vec(0x1eu8..0x24, 0..200),
            from in 0x40u8..0x50,
            at in 0usize..200,
        ) {
            let mut text = text;
            if let Some(byte) = text.get_mut(at) {
                *byte = from;
            }
            let first = |bytes: &[u8]| text.iter().position(|byte| bytes.contains(byte));
            prop_assert_eq!(find2(&text, [from, 0x7f]), first(&[from, 0x7f]));
            prop_assert_eq!(find2(&text, [0x1e, from]), first(&[from, 0x1e]));
            prop_assert_eq!(find3(&text, [from, from + 1, 0x21]), first(&[from, 0x21]));
        }

        #[test]
        fn plain_texts_are_recognised(text in "[ a~\u{1f}\u{7f}\u{80}]{0,3}[ a-z~]{0,40}[ a~\u{1f}\u{7f}\u{80}]{0,3}") {
            let expected = text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) && !text.contains("  ");
            prop_assert_eq!(is_plain(text.as_bytes()), expected, "{:?}", text);
        }

        #[test]
        fn any_bytes_are_judged(text in proptest::collection::vec(any::<u8>(), 0..20)) {
            let has_spaces = text.windows(2).any(|two| two == b"  ");
            let expected = text.iter().all(|byte| (b' '..0x7f).contains(byte)) && !has_spaces;
            prop_assert_eq!(is_plain(&text), expected);
        }
    }
}
