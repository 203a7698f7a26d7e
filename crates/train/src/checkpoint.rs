//! Trainings in files, to continue them.
//!
//! All numbers are little-endian: `BZTRAIN1`, or `BZTRAIN2` for a network that is trained for the mean with the
//! hand-written terms, hidden neurons and output buckets (2 bytes each), 32 king buckets, the weights of score and
//! decay and the scale (4 bytes each, floating point), threads (4), steps (8), the length of the note (4) and the note,
//! the parameters and both averages of each (4 bytes each), and the CRC-32 of all that (4).

use crate::model::{Layout, Model};
use crate::trainer::{Settings, Trainer};
use bartizan_network::{Architecture, KING_SQUARES, NetworkError};
use std::num::NonZeroUsize;

/// The first bytes, without and with [`Settings::with_terms`].
const MAGICS: [[u8; 8]; 2] = [*b"BZTRAIN1", *b"BZTRAIN2"];

/// Bytes before the note.
const HEAD: usize = 8 + 4 + KING_SQUARES + 3 * 4 + 4 + 8 + 4;

/// A checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes do not begin like a checkpoint.
    #[error("not a checkpoint of a training: it does not begin with 'BZTRAIN1' or 'BZTRAIN2'")]
    Magic,
    /// The file is cut off or too long.
    #[error("checkpoint of {found} bytes, {expected} expected")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length that the header asks for.
        expected: usize,
    },
    /// The file was changed or damaged.
    #[error("checkpoint is damaged: wrong checksum")]
    Checksum,
    /// The note is not UTF-8, or a setting is out of range.
    #[error("checkpoint with an invalid {0}")]
    Invalid(&'static str),
    /// The architecture is not supported.
    #[error(transparent)]
    Architecture(#[from] NetworkError),
}

impl Trainer {
    /// The training as a file, with a note of the caller: what it needs to go on, such as the place in the data.
    pub fn to_checkpoint(&self, note: &str) -> Vec<u8> {
        let architecture = &self.model.architecture;
        let mut bytes = Vec::with_capacity(HEAD + note.len() + 12 * self.model.parameters.len() + 4);
        bytes.extend(MAGICS[usize::from(self.settings.with_terms)]);
        bytes.extend((architecture.hidden() as u16).to_le_bytes());
        bytes.extend((architecture.outputs() as u16).to_le_bytes());
        bytes.extend(architecture.king_buckets());
        let Settings { lambda, scale, weight_decay, threads, .. } = self.settings;
        bytes.extend([lambda, scale, weight_decay].into_iter().flat_map(f32::to_le_bytes));
        bytes.extend((threads.get() as u32).to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend((note.len() as u32).to_le_bytes());
        bytes.extend(note.as_bytes());
        for numbers in [&self.model.parameters, &self.first, &self.second] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Continues a training, and returns its note. It goes on as if it had never stopped.
    ///
    /// # Errors
    /// [`CheckpointError`] if the bytes are not a whole and undamaged checkpoint.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<(Self, String), CheckpointError> {
        let with_terms = match MAGICS.map(|magic| bytes.starts_with(&magic)) {
            [true, _] => false,
            [_, true] => true,
            _ => return Err(CheckpointError::Magic),
        };
        let Some((head, rest)) = bytes.split_at_checked(HEAD) else {
            return Err(CheckpointError::Length { found: bytes.len(), expected: HEAD });
        };
        let mut head = Fields(&head[MAGICS[0].len()..]);
        let hidden = usize::from(u16::from_le_bytes(head.next()));
        let outputs = usize::from(u16::from_le_bytes(head.next()));
        let architecture = Architecture::new(hidden, head.next(), outputs)?;
        let [lambda, scale, weight_decay] = [(); 3].map(|()| f32::from_le_bytes(head.next()));
        let threads = u32::from_le_bytes(head.next()) as usize;
        let steps = u64::from_le_bytes(head.next());
        let note_length = u32::from_le_bytes(head.next()) as usize;
        let layout = Layout::of(&architecture);
        let expected = HEAD + note_length + 12 * layout.end + 4;
        if bytes.len() != expected {
            return Err(CheckpointError::Length { found: bytes.len(), expected });
        }
        let (content, checksum) = bytes.split_at(expected - 4);
        if crc32fast::hash(content).to_le_bytes() != checksum {
            return Err(CheckpointError::Checksum);
        }
        let (note, numbers) = rest.split_at(note_length);
        let note = std::str::from_utf8(note).map_err(|_| CheckpointError::Invalid("note"))?.to_owned();
        let threads = NonZeroUsize::new(threads).filter(|threads| threads.get() <= MOST_THREADS);
        let threads = threads.ok_or(CheckpointError::Invalid("number of threads"))?;
        let (numbers, _) = numbers.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let [parameters, first, second] = [(); 3].map(|()| numbers.by_ref().take(layout.end).collect::<Vec<_>>());
        let settings = Settings { lambda, scale, weight_decay, with_terms, threads };
        let mut trainer = Self::new(Model { architecture, layout, parameters }, settings);
        (trainer.first, trainer.second, trainer.steps) = (first, second, steps);
        Ok((trainer, note))
    }
}

/// The most threads of a checkpoint: each takes memory for a gradient.
const MOST_THREADS: usize = 1_024;

/// The fields of the head, whose length was checked.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let mut field = [0; N];
        if let Some((start, rest)) = self.0.split_at_checked(N) {
            field.copy_from_slice(start);
            self.0 = rest;
        }
        field
    }
}
