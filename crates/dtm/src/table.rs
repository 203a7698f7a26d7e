//! The file of a table.

use crate::format::{self, BLOCK, ENTRY, EXTENSION, HEADER, Header, blocks_of_side};
use crate::layout::{Layout, Squares};
use crate::shared::Shared;
use crate::solved::{Solved, swap_sides};
use crate::{DtmConfig, DtmError};
use bartizan_files::MappedFile;
use bartizan_types::Color;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A block in the file.
#[derive(Clone, Copy, Debug)]
struct Block {
    at: u64,
    len: u32,
    checksum: u32,
}

/// A table whose header and index have been read and verified.
#[derive(Debug)]
pub(crate) struct Table {
    path: PathBuf,
    number: u32,
    header: Header,
    pub(crate) layout: Arc<Layout>,
    blocks: Vec<Block>,
    file: MappedFile,
    shared: Arc<Shared>,
}

impl Table {
    /// Opens a file by itself.
    pub(crate) fn open_alone(path: &Path, config: DtmConfig) -> Result<Self, DtmError> {
        Self::open(path, &Arc::new(Shared::new(config)))
    }

    /// Opens a file: reads the header and the index and verifies their checksum.
    pub(crate) fn open(path: &Path, shared: &Arc<Shared>) -> Result<Self, DtmError> {
        let io_error = |source: io::Error| DtmError::File { path: path.to_owned(), source: Arc::new(source) };
        let damaged = |at: u64, what: String| DtmError::Damaged { path: path.to_owned(), at, what };
        let early = |len: u64, wanted: u64| damaged(len, format!("it ends early: {wanted} bytes are needed"));
        let file = MappedFile::open(path, shared.config.whole_file).map_err(io_error)?;
        let len = file.bytes();
        if len < HEADER as u64 {
            return Err(early(len, HEADER as u64));
        }
        let mut head = [0; HEADER];
        file.read(0, &mut head).map_err(io_error)?;
        let header = Header::decode(&head).map_err(|(at, what)| damaged(at, what))?;
        let layout = Layout::new(&header.endgame);
        let blocks = header.sides.len() * blocks_of_side(layout.size());
        if header.size != layout.size() as u64 || header.blocks as usize != blocks {
            return Err(damaged(
                32,
                format!(
                    "{} has {} positions in {blocks} blocks, the header says {} in {}",
                    header.endgame,
                    layout.size(),
                    header.size,
                    header.blocks
                ),
            ));
        }
        let start = (HEADER + blocks * ENTRY) as u64;
        if len < start {
            return Err(early(len, start));
        }
        let mut index = vec![0; blocks * ENTRY];
        file.read(HEADER as u64, &mut index).map_err(io_error)?;
        if format::checksum(&head, &index) != header.checksum {
            return Err(damaged(0, "the checksum of the header and the index is wrong".to_owned()));
        }
        let mut at = start;
        let blocks = index.chunks_exact(ENTRY).map(|entry| {
            let number = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
            let block = Block { at, len: number(0), checksum: number(4) };
            at += u64::from(block.len);
            block
        });
        let blocks: Vec<Block> = blocks.collect();
        if at != header.file_len || header.file_len != len {
            return Err(if len < at { early(len, at) } else { damaged(at, "data follows the last block".to_owned()) });
        }
        let expected = format!("{}.{EXTENSION}", header.endgame);
        if path.file_name().is_none_or(|name| name != expected.as_str()) {
            return Err(damaged(16, format!("it is the table of {}, whose name is '{expected}'", header.endgame)));
        }
        let number = shared.next_number();
        Ok(Self {
            path: path.to_owned(),
            number,
            header,
            layout: Arc::new(layout),
            blocks,
            file,
            shared: Arc::clone(shared),
        })
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    #[cold]
    fn damaged(&self, at: u64, what: String) -> DtmError {
        self.shared.note(DtmError::Damaged { path: self.path.clone(), at, what })
    }

    /// The code of a legal position. `None` if the kings are adjacent.
    #[inline]
    pub(crate) fn code(&self, squares: &Squares, turn: Color) -> Result<Option<u8>, DtmError> {
        let (place, side) = if turn.is_white() || self.header.sides.len() == 2 {
            (self.layout.place(squares), turn.index())
        } else {
            (self.layout.place(&swap_sides(squares, self.layout.pieces.len())), 0)
        };
        let Some(place) = place else { return Ok(None) };
        let block = side * blocks_of_side(self.layout.size()) + place.index / BLOCK;
        let codes =
            self.shared.cache.get(self.number, block as u64, || self.block(block).map(Vec::into_boxed_slice))?;
        match codes.bytes().get(place.index % BLOCK) {
            Some(&code) => Ok(Some(code)),
            None => Err(self.damaged(self.blocks[block].at, format!("block {block} is too short"))),
        }
    }

    /// The number of values in a block.
    fn block_len(&self, block: usize) -> usize {
        let first = block % blocks_of_side(self.layout.size()) * BLOCK;
        (self.layout.size() - first).min(BLOCK)
    }

    /// The number of blocks of both sides to move.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Reads a block and verifies its checksum.
    pub(crate) fn check(&self, number: usize) -> Result<(), DtmError> {
        self.packed(number).map(drop)
    }

    /// Reads and checks a block.
    fn packed(&self, number: usize) -> Result<Vec<u8>, DtmError> {
        let block = self.blocks[number];
        // Copies the data, so that what is unpacked is what was verified, even if another program writes to the file
        // meanwhile.
        let mut packed = vec![0; block.len as usize];
        let unread = |source| DtmError::File { path: self.path.clone(), source: Arc::new(source) };
        self.file.read(block.at, &mut packed).map_err(|error| self.shared.note(unread(error)))?;
        if crc32fast::hash(&packed) != block.checksum {
            return Err(self.damaged(block.at, format!("the checksum of block {number} is wrong")));
        }
        Ok(packed)
    }

    /// Reads, checks and unpacks a block.
    fn block(&self, number: usize) -> Result<Vec<u8>, DtmError> {
        format::unpack(&self.packed(number)?, self.block_len(number))
            .ok_or_else(|| self.damaged(self.blocks[number].at, format!("block {number} cannot be unpacked")))
    }

    /// The number of the block that contains an index.
    pub(crate) fn block_of(&self, index: usize, turn: Color) -> usize {
        turn.index().min(self.header.sides.len() - 1) * blocks_of_side(self.layout.size()) + index / BLOCK
    }

    /// Reads a block of a side to move.
    pub(crate) fn codes(&self, side: usize, block: usize) -> Result<Vec<u8>, DtmError> {
        self.block(side * blocks_of_side(self.layout.size()) + block)
    }

    /// Reads the whole table.
    pub(crate) fn load(&self) -> Result<Solved, DtmError> {
        let size = self.layout.size();
        let mut codes = Vec::with_capacity(self.header.sides.len());
        for side in 0..self.header.sides.len() {
            let mut all = Vec::with_capacity(size);
            for block in 0..blocks_of_side(size) {
                all.extend(self.codes(side, block)?);
            }
            codes.push(all);
        }
        Ok(Solved { layout: Arc::clone(&self.layout), codes })
    }
}
