//! The file format, version 1: see `docs/tables.md`.
//!
//! Every byte of a file is covered by the magic number or by a checksum.

use crate::endgame::Endgame;
use crate::solved::sides;
use crate::value::ILLEGAL;
use crate::{Dtm, SideSummary};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The extension of the files.
pub(crate) const EXTENSION: &str = "dtm";

/// The number of values in a block. Larger blocks compress better, but unpacking one for a single value takes longer:
/// 20 to 30 µs at this size (example `probe_cost`). The blocks of all tables of 3 and 4 men take 29.9 MB with 4 KiB
/// each, 28.1 MB with 8 KiB, 27.2 MB with 16 KiB and 26.6 MB with 32 KiB.
pub(crate) const BLOCK: usize = 8_192;

pub(crate) const HEADER: usize = 128;

/// Index bytes per block.
pub(crate) const ENTRY: usize = 8;

const MAGIC: [u8; 8] = [0x89, b'B', b'D', b'T', b'M', b'\r', b'\n', 0x1a];

const VERSION: u32 = 1;

/// No longest win or loss.
const NO_PLIES: u16 = u16::MAX;

/// The header of a file.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) endgame: Endgame,
    /// The number of values per side to move.
    pub(crate) size: u64,
    pub(crate) sides: Vec<SideSummary>,
    pub(crate) blocks: u32,
    pub(crate) file_len: u64,
    pub(crate) checksum: u32,
}

/// The number of blocks per side to move.
pub(crate) const fn blocks_of_side(size: usize) -> usize {
    size.div_ceil(BLOCK)
}

impl Header {
    pub(crate) fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &(BLOCK as u32).to_le_bytes());
        put(16, self.endgame.to_string().as_bytes());
        put(32, &self.size.to_le_bytes());
        put(40, &(self.sides.len() as u32).to_le_bytes());
        put(44, &self.blocks.to_le_bytes());
        put(48, &self.file_len.to_le_bytes());
        for (side, at) in self.sides.iter().zip([56, 88]) {
            put(at, &side.wins.to_le_bytes());
            put(at + 8, &side.draws.to_le_bytes());
            put(at + 16, &side.losses.to_le_bytes());
            let plies = |value: Option<Dtm>| value.and_then(Dtm::plies).unwrap_or(NO_PLIES).to_le_bytes();
            put(at + 24, &plies(side.longest_win));
            put(at + 26, &plies(side.longest_loss));
        }
        put(124, &self.checksum.to_le_bytes());
        bytes
    }

    /// Decodes a header without checking the checksum. The error is the offset and the reason.
    pub(crate) fn decode(bytes: &[u8; HEADER]) -> Result<Self, (u64, String)> {
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
        if bytes[..8] != MAGIC {
            return Err((0, "it does not begin with the magic number".to_owned()));
        }
        if u32_at(8) != VERSION {
            return Err((8, format!("version {} of the format is not supported", u32_at(8))));
        }
        if u32_at(12) as usize != BLOCK {
            return Err((12, format!("blocks of {} values, not {BLOCK}", u32_at(12))));
        }
        let name = bytes[16..32].iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte));
        let name: String = name.collect();
        let endgame: Endgame =
            name.parse().map_err(|_| (16, format!("'{}' is not an ending", name.escape_default())))?;
        let side_count = u32_at(40) as usize;
        if side_count != sides(&endgame) {
            return Err((40, format!("{side_count} sides to move, not {}", sides(&endgame))));
        }
        let side = |at: usize| {
            let plies = |at: usize| Some(u16_at(at)).filter(|&plies| plies != NO_PLIES);
            SideSummary {
                wins: u64_at(at),
                draws: u64_at(at + 8),
                losses: u64_at(at + 16),
                longest_win: plies(at + 24).map(Dtm::Win),
                longest_loss: plies(at + 26).map(Dtm::Loss),
            }
        };
        Ok(Self {
            endgame,
            size: u64_at(32),
            sides: [56, 88].into_iter().take(side_count).map(side).collect(),
            blocks: u32_at(44),
            file_len: u64_at(48),
            checksum: u32_at(124),
        })
    }
}

/// The checksum of the header and the index.
pub(crate) fn checksum(header: &[u8; HEADER], index: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..HEADER - 4]);
    hasher.update(index);
    hasher.finalize()
}

/// Compresses a block. Codes without a position are replaced by the preceding code, which is cheapest.
pub(crate) fn pack(codes: &[u8]) -> Vec<u8> {
    let mut last = codes.iter().copied().find(|&code| code != ILLEGAL).unwrap_or(0);
    let filled: Vec<u8> = codes
        .iter()
        .map(|&code| {
            if code != ILLEGAL {
                last = code;
            }
            last
        })
        .collect();
    let mut packed = Vec::with_capacity(codes.len() + 64);
    let mut compress = Compress::new(Compression::best(), false);
    // One call suffices while there is room; deflate expands incompressible data by a few bytes per 16 KiB.
    while !matches!(
        compress.compress_vec(&filled[compress.total_in() as usize..], &mut packed, FlushCompress::Finish),
        Ok(Status::StreamEnd) | Err(_)
    ) {
        packed.reserve(1_024);
    }
    packed
}

/// Unpacks a block of `len` values.
pub(crate) fn unpack(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut codes = vec![0; len];
    let mut decompress = Decompress::new(false);
    let status = decompress.decompress(packed, &mut codes, FlushDecompress::Finish).ok()?;
    let whole = status == Status::StreamEnd
        && decompress.total_out() == len as u64
        && decompress.total_in() == packed.len() as u64;
    (whole && !codes.contains(&ILLEGAL)).then_some(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;

    #[test]
    fn blocks_survive() {
        let mut random = SplitMix64::new(1);
        for len in [1, 100, BLOCK] {
            for values in [1, 5, 255] {
                let codes: Vec<u8> = (0..len).map(|_| random.below(values) as u8).collect();
                let packed = pack(&codes);
                assert_eq!(unpack(&packed, len), Some(codes));
                assert_eq!(unpack(&packed[..packed.len() - 1], len), None);
                assert_eq!(unpack(&packed, len + 1), None);
                assert!(len == 1 || unpack(&packed, len - 1).is_none());
            }
        }
        assert_eq!(unpack(&pack(&[ILLEGAL, 3, ILLEGAL, 4]), 4), Some(vec![3, 3, 3, 4]));
        assert_eq!(unpack(&pack(&[ILLEGAL; 9]), 9), Some(vec![0; 9]));
        assert_eq!(unpack(&[], 4), None);
    }
}
