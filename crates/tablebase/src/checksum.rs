//! The checksum at the end of each file.
//!
//! It is the CRC variant of CityHash 1.0 (Geoff Pike and Jyrki Alakuijala): CityHashCrc256 of each chunk of 16 MiB, and
//! CityHashCrc128 of these hashes in a row.

use crc32c::crc32c_append;

/// The size in bytes of the checksum. The size of the rest of a file is a multiple of 64.
pub(crate) const CHECKSUM: u64 = 16;

/// The size of the chunks that are hashed separately.
pub(crate) const CHUNK: usize = 1 << 24;

// CityHash's primes.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// Hashes a file, chunk by chunk.
#[derive(Debug, Default)]
pub(crate) struct Checksum {
    hashes: Vec<u8>,
}

impl Checksum {
    /// Adds the next chunk: [`CHUNK`] bytes, except for the last one.
    pub(crate) fn add(&mut self, chunk: &[u8]) {
        self.hashes.extend(crc_256(chunk).iter().flat_map(|word| word.to_le_bytes()));
    }

    /// The bytes that should stand at the end of the file.
    pub(crate) fn finish(&self) -> [u8; CHECKSUM as usize] {
        let [low, high] = match self.hashes.len() {
            ..=900 => city_128(&self.hashes),
            _ => {
                let [_, _, low, high] = crc_256(&self.hashes);
                [low, high]
            }
        };
        let mut bytes = [0; CHECKSUM as usize];
        bytes[..8].copy_from_slice(&low.to_le_bytes());
        bytes[8..].copy_from_slice(&high.to_le_bytes());
        bytes
    }
}

/// Whether a file in memory has the checksum of its contents.
pub(crate) fn is_intact(file: &[u8]) -> bool {
    let Some((contents, checksum)) = file.split_last_chunk::<{ CHECKSUM as usize }>() else { return false };
    let mut computed = Checksum::default();
    contents.chunks(CHUNK).for_each(|chunk| computed.add(chunk));
    computed.finish() == *checksum
}

/// The eight bytes at an offset, zeros beyond the end.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u64::from_le_bytes)
}

fn rotate(value: u64, by: u32) -> u64 {
    value.rotate_right(by)
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

/// Murmur's mix of two words.
fn mix(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let step = |a: u64, b: u64| shift_mix((a ^ b).wrapping_mul(MULTIPLIER));
    step(step(low, high), high).wrapping_mul(MULTIPLIER)
}

/// CityHashCrc256.
fn crc_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= 240 {
        return crc_256_from(bytes, 0);
    }
    let mut padded = [0; 240];
    padded[..bytes.len()].copy_from_slice(bytes);
    crc_256_from(&padded, !(bytes.len() as u32))
}

/// The state of CityHashCrc256: words that are rotated, and checksums of their earlier values.
struct CrcState {
    words: [u64; 6],
    sums: [u32; 5],
}

impl CrcState {
    /// Hashes 40 bytes.
    #[inline]
    fn take(&mut self, bytes: &[u8], multiplier: u64, odd: u32) {
        let [a, b, c, d, e, t] = self.words;
        let turned =
            [rotate(b, 41 ^ odd), rotate(c, 27 ^ odd), rotate(d, 41 ^ odd), rotate(e, 33 ^ odd), rotate(t, 25 ^ odd)];
        for (index, turned) in turned.into_iter().enumerate() {
            let next = turned.wrapping_mul(multiplier).wrapping_add(word(bytes, 8 * index));
            self.words[index] = next;
            // The library inverts the sum before and after.
            self.sums[index] = !crc32c_append(!self.sums[index], &next.to_le_bytes());
        }
        self.words[5] = a;
    }
}

/// CityHashCrc256 of at least 240 bytes.
fn crc_256_from(bytes: &[u8], seed: u32) -> [u64; 4] {
    let len = bytes.len() as u64;
    let first = word(bytes, 96).wrapping_add(K0);
    let c = mix(first, len);
    let d = word(bytes, 120).wrapping_mul(K0).wrapping_add(len);
    let mut state = CrcState {
        words: [
            word(bytes, 56).wrapping_add(K0),
            first,
            c,
            d,
            word(bytes, 184).wrapping_add(seed.into()),
            c.wrapping_add(d),
        ],
        sums: [seed, 0, 0, 0, 0],
    };
    let (start, [result0, result1]) = (bytes.len() / 240 * 240, [c, d]);
    let (whole, rest) = bytes.split_at(start);
    for (index, part) in whole.chunks_exact(40).enumerate() {
        let (multiplier, odd) = if index % 2 == 0 { (1, 1) } else { (K0, 0) };
        state.take(part, multiplier, odd);
    }
    let parts = rest.chunks_exact(40);
    let is_ragged = !parts.remainder().is_empty();
    parts.for_each(|part| state.take(part, K0, 0));
    if is_ragged {
        // The last part overlaps the one before.
        state.take(&bytes[bytes.len() - 40..], K0, 0);
    }
    let [mut a, mut b, mut c, mut d, mut e, t] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.sums.map(u64::from);
    j = j.wrapping_add(i << 32);
    a = mix(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = mix(c, f).wrapping_add(i);
    d = mix(d, e.wrapping_add(result0));
    j = j.wrapping_add(e);
    i = i.wrapping_add(mix(h, t));
    e = mix(a, d).wrapping_add(j);
    f = mix(b, c).wrapping_add(a);
    g = mix(j, i).wrapping_add(c);
    let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let scramble = |a: u64| shift_mix(a.wrapping_mul(K0)).wrapping_mul(K0);
    a = scramble(a.wrapping_add(g)).wrapping_add(b);
    let second = result1.wrapping_add(a).wrapping_add(first);
    a = scramble(a).wrapping_add(c);
    let third = a.wrapping_add(second);
    a = scramble(a.wrapping_add(e));
    [first, second, third, a.wrapping_add(third)]
}

/// CityHash128 of a number of 32-byte hashes, at least one.
fn city_128(bytes: &[u8]) -> [u64; 2] {
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = bytes.get(16..).unwrap_or_default();
    if rest.len() < 128 { city_murmur(rest, seed) } else { city_128_from(rest, seed) }
}

/// CityHash128 of 16 to 127 bytes and a seed.
fn city_murmur(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let len = bytes.len();
    let (mut c, mut d);
    if len <= 16 {
        a = shift_mix(a.wrapping_mul(K1)).wrapping_mul(K1);
        let last = word(bytes, len.saturating_sub(8));
        let short = mix(word(bytes, 0), rotate(last.wrapping_add(len as u64), len as u32)) ^ last;
        c = b.wrapping_mul(K1).wrapping_add(short);
        d = shift_mix(a.wrapping_add(word(bytes, 0)));
    } else {
        c = mix(word(bytes, len - 8).wrapping_add(K1), a);
        d = mix(b.wrapping_add(len as u64), c.wrapping_add(word(bytes, len - 16)));
        a = a.wrapping_add(d);
        let step = |word: u64| shift_mix(word.wrapping_mul(K1)).wrapping_mul(K1);
        let mut at = 0;
        while at + 16 < len {
            a = (a ^ step(word(bytes, at))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ step(word(bytes, at + 8))).wrapping_mul(K1);
            d ^= c;
            at += 16;
        }
    }
    a = mix(a, c);
    b = mix(d, b);
    [a ^ b, mix(b, a)]
}

/// CityHash's weak hash of 32 bytes and two seeds.
fn weak(bytes: &[u8], at: usize, mut a: u64, mut b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|offset| word(bytes, at + offset));
    a = a.wrapping_add(w);
    b = rotate(b.wrapping_add(a).wrapping_add(z), 21);
    let c = a;
    a = a.wrapping_add(x).wrapping_add(y);
    b = b.wrapping_add(rotate(a, 44));
    [a.wrapping_add(z), b.wrapping_add(c)]
}

/// CityHash128 of at least 128 bytes and a seed.
fn city_128_from(bytes: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let mut left = bytes.len();
    let mut z = (left as u64).wrapping_mul(K1);
    let v0 = rotate(y ^ K1, 49).wrapping_mul(K1).wrapping_add(word(bytes, 0));
    let mut v = [v0, rotate(v0, 42).wrapping_mul(K1).wrapping_add(word(bytes, 8))];
    let mut w = [
        rotate(y.wrapping_add(z), 35).wrapping_mul(K1).wrapping_add(x),
        rotate(x.wrapping_add(word(bytes, 88)), 53).wrapping_mul(K1),
    ];
    let mut at = 0;
    while left >= 128 {
        for _ in 0..2 {
            let sum = x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(bytes, at + 8));
            x = rotate(sum, 37).wrapping_mul(K1) ^ w[1];
            y = rotate(y.wrapping_add(v[1]).wrapping_add(word(bytes, at + 48)), 42).wrapping_mul(K1);
            y = y.wrapping_add(v[0]).wrapping_add(word(bytes, at + 40));
            z = rotate(z.wrapping_add(w[0]), 33).wrapping_mul(K1);
            v = weak(bytes, at, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
            w = weak(bytes, at + 32, z.wrapping_add(w[1]), y.wrapping_add(word(bytes, at + 16)));
            (x, z) = (z, x);
            at += 64;
        }
        left -= 128;
    }
    x = x.wrapping_add(rotate(v[0].wrapping_add(z), 49).wrapping_mul(K0));
    z = z.wrapping_add(rotate(w[0], 37).wrapping_mul(K0));
    // The rest, backwards from the end.
    let mut done = 0;
    while done < left {
        done += 32;
        let at = bytes.len() - done;
        y = rotate(x.wrapping_add(y), 42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(bytes, at + 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(bytes, at));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak(bytes, at, v[0].wrapping_add(z), v[1]);
    }
    x = mix(x, v[0]);
    y = mix(y.wrapping_add(z), w[0]);
    [mix(x.wrapping_add(v[1]), w[1]).wrapping_add(y), mix(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_testkit::testdata;
    use std::fs;

    #[test]
    fn the_files_have_their_checksums_and_every_bit_counts() {
        let mut files = 0;
        for file in fs::read_dir(testdata("syzygy")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz") {
                let mut bytes = fs::read(&path).unwrap();
                assert!(is_intact(&bytes), "{}", path.display());
                for bit in [0, 37, 4 * bytes.len(), 8 * bytes.len() - 1] {
                    bytes[bit / 8] ^= 1 << (bit % 8);
                    assert!(!is_intact(&bytes), "{} {bit}", path.display());
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                files += 1;
            }
        }
        assert_eq!(files, 21);
        assert!(!is_intact(&[]) && !is_intact(&[0; 15]) && !is_intact(&[0; 80]));
    }

    /// The hashes of several chunks, compared with the original program in C: files this large are not in `testdata`.
    #[test]
    fn several_chunks_match_another_program() {
        for (chunks, low, high) in [
            (1, 0xa7c9_44e1_7fcb_3722, 0x7862_c5f4_5c8e_d296),
            (2, 0x8cec_42f2_df5e_e6fa, 0x4e6e_e2de_6cfd_d0bd),
            (4, 0x2070_234b_f334_ec0a, 0xebda_1efd_0dee_d1cc),
            (5, 0x63ca_c4fd_a90c_efa6, 0x864a_8232_8bf8_ac71),
            (6, 0xdded_3c6c_855c_c377, 0xa8bf_3359_b327_5d14),
            (9, 0xd8ca_9c71_ac3a_d350, 0x2ae6_98e4_bb19_6eb4),
            (28, 0xd187_0cac_5720_e5af, 0x6687_51d8_2caa_9a77),
            (29, 0xfa88_046f_87d5_c01b, 0x4a16_0bb1_33be_ff67),
            (40, 0xee77_51d5_0e39_b1e6, 0x268f_d712_e148_44b8),
        ] {
            let mut state = chunks as u64;
            let bytes = (0..32 * chunks).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            });
            let sum = u128::from_le_bytes(Checksum { hashes: bytes.collect() }.finish());
            assert_eq!((sum as u64, (sum >> 64) as u64), (low, high), "{chunks}");
        }
    }
}
