//! Blocks of the format: a game as bytes, with checksums.

use super::compact;
use super::{RecordFault, SelfplayGame, WriteError};
use std::io;

/// The maximum length of a game's code in bytes: more than the least likely game needs.
const MOST_CODE: u32 = (1 << 21) - 1;

/// Length of the checksum at the end of a block.
pub(crate) const CHECKSUM: usize = 4;

/// The block of a game.
pub(crate) fn encode(game: &SelfplayGame) -> Result<Vec<u8>, WriteError> {
    let (id, plies) = (game.id, game.moves.len());
    if plies > SelfplayGame::MAX_PLIES {
        return Err(WriteError::TooLong { id, plies });
    }
    let code = compact::encode(game).map_err(|ply| WriteError::Illegal { id, ply })?;
    let mut block = Vec::with_capacity(code.len() + 16);
    push_number(&mut block, code.len() as u32);
    push_number(&mut block, id);
    block.push(crc32fast::hash(&block) as u8);
    block.extend(code);
    block.extend(crc32fast::hash(&block).to_le_bytes());
    Ok(block)
}

/// A number in groups of seven bits, lowest first; all bytes but the last have the highest bit set.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The beginning of a block, up to the code.
#[derive(Debug)]
pub(crate) struct BlockHead {
    pub(crate) id: u32,
    /// Bytes of the code.
    length: usize,
    bytes: Vec<u8>,
}

impl BlockHead {
    /// Reads the beginning of a block, byte by byte. `Ok(None)` at the end of the input; an error if it is invalid,
    /// which is `None` if the input ends within it.
    pub(crate) fn read(
        mut next: impl FnMut() -> io::Result<Option<u8>>,
    ) -> io::Result<Result<Option<Self>, Option<RecordFault>>> {
        let mut bytes = Vec::new();
        let mut numbers = [0_u64; 2];
        for number in &mut numbers {
            for shift in (0..35).step_by(7) {
                let Some(byte) = next()? else {
                    return Ok(if bytes.is_empty() { Ok(None) } else { Err(None) });
                };
                bytes.push(byte);
                *number |= u64::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
            }
        }
        let Some(check) = next()? else { return Ok(Err(None)) };
        let expected = crc32fast::hash(&bytes) as u8;
        bytes.push(check);
        let [length, id] = numbers;
        Ok(match u32::try_from(id) {
            Ok(id) if check == expected && length <= MOST_CODE.into() => {
                Ok(Some(Self { id, length: length as usize, bytes }))
            }
            _ => Err(Some(RecordFault::Head)),
        })
    }

    /// Bytes read so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The number of bytes that follow: the code and the checksum.
    pub(crate) fn rest(&self) -> usize {
        self.length + CHECKSUM
    }

    /// The game with this code and checksum.
    pub(crate) fn game(&self, rest: &[u8]) -> Result<SelfplayGame, RecordFault> {
        let (code, checksum) = rest.split_at(self.length.min(rest.len()));
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.bytes);
        hasher.update(code);
        // A fuzzer would never find bytes with a correct checksum.
        if !cfg!(fuzzing) && checksum != hasher.finalize().to_le_bytes() {
            return Err(RecordFault::Checksum);
        }
        compact::decode(self.id, code)
    }
}
