//! Training checkpoints.
//!
//! All numbers are little-endian: `BZTRAIN3`, hidden neurons and output buckets (2 bytes each), 32 king buckets, the
//! weights of score and decay and the scale (4 bytes each, floating point), threads (4), steps (8), the length of the
//! note (4), dropout (4, floating point), flags (4: 1 for the mean with the hand-written terms, 2 for factorised
//! weights) and the note, the parameters, the averages of their gradients and of the squared gradients (4 bytes each,
//! shared parts last in each group), and the CRC-32 of everything before it (4).
//!
//! Files that begin with `BZTRAIN1`, or `BZTRAIN2` for the mean with the terms, are also read. They have no dropout and
//! no flags.

use crate::train::factors::Factors;
use crate::train::model::{FloatNetwork, Layout};
use crate::train::trainer::{Trainer, TrainerSettings};
use bartizan_network::{Architecture, KING_SQUARES, NetworkError};
use std::num::NonZeroUsize;

/// The first bytes.
const MAGIC: [u8; 8] = *b"BZTRAIN3";

/// The first bytes of older files, without and with [`TrainerSettings::with_terms`].
const OLD_MAGICS: [[u8; 8]; 2] = [*b"BZTRAIN1", *b"BZTRAIN2"];

/// Bytes before the note, not counting those that older files lack.
const OLD_HEAD: usize = 8 + 4 + KING_SQUARES + 3 * 4 + 4 + 8 + 4;

/// Dropout and flags.
const MORE_HEAD: usize = 4 + 4;

/// The flags.
const WITH_TERMS: u32 = 1;
const FACTORISED: u32 = 2;

/// A checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes do not begin like a checkpoint.
    #[error("not a checkpoint of a training: it does not begin with 'BZTRAIN' and a known version")]
    Magic,
    /// The file is cut off or too long.
    #[error("checkpoint of {found} bytes, {expected} expected")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length that the header specifies.
        expected: usize,
    },
    /// The file was changed or damaged.
    #[error("checkpoint is damaged: wrong checksum")]
    Checksum,
    /// The note is not valid UTF-8, or a setting is out of range.
    #[error("checkpoint with an invalid {0}")]
    Invalid(&'static str),
    /// The architecture is not supported.
    #[error(transparent)]
    Architecture(#[from] NetworkError),
}

impl Trainer {
    /// Serialises the training, with a note of the caller: what the caller needs to continue, such as the place in the
    /// data.
    pub fn to_checkpoint(&self, note: &str) -> Vec<u8> {
        let architecture = &self.model.architecture;
        let factors = self.factors.as_ref();
        let count = self.model.parameters.len() + factors.map_or(0, |factors| factors.parameters.len());
        let mut bytes = Vec::with_capacity(OLD_HEAD + MORE_HEAD + note.len() + 12 * count + 4);
        bytes.extend(MAGIC);
        bytes.extend((architecture.hidden() as u16).to_le_bytes());
        bytes.extend((architecture.outputs() as u16).to_le_bytes());
        bytes.extend(architecture.king_buckets());
        let TrainerSettings { lambda, scale, weight_decay, with_terms, dropout, factorised, threads } = self.settings;
        bytes.extend([lambda, scale, weight_decay].into_iter().flat_map(f32::to_le_bytes));
        bytes.extend((threads.get() as u32).to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend((note.len() as u32).to_le_bytes());
        bytes.extend(dropout.to_le_bytes());
        bytes.extend((u32::from(with_terms) * WITH_TERMS + u32::from(factorised) * FACTORISED).to_le_bytes());
        bytes.extend(note.as_bytes());
        let of_model = [&self.model.parameters, &self.first, &self.second];
        let shared = factors.map_or([&[][..]; 3], |Factors { parameters, first, second, .. }| {
            [&parameters[..], &first[..], &second[..]]
        });
        for (numbers, shared) in of_model.into_iter().zip(shared) {
            bytes.extend(numbers.iter().chain(shared).flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Restores a training and its note. Training continues as if it had never been interrupted.
    ///
    /// # Errors
    /// [`CheckpointError`] if the bytes are not a complete and undamaged checkpoint.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<(Self, String), CheckpointError> {
        let old = OLD_MAGICS.iter().position(|magic| bytes.starts_with(magic));
        if old.is_none() && !bytes.starts_with(&MAGIC) {
            return Err(CheckpointError::Magic);
        }
        let length = OLD_HEAD + if old.is_none() { MORE_HEAD } else { 0 };
        let Some((head, rest)) = bytes.split_at_checked(length) else {
            return Err(CheckpointError::Length { found: bytes.len(), expected: length });
        };
        let mut head = Fields(&head[MAGIC.len()..]);
        let hidden = usize::from(u16::from_le_bytes(head.next()));
        let outputs = usize::from(u16::from_le_bytes(head.next()));
        let architecture = Architecture::new(hidden, head.next(), outputs)?;
        let [lambda, scale, weight_decay] = [(); 3].map(|()| f32::from_le_bytes(head.next()));
        let threads = u32::from_le_bytes(head.next()) as usize;
        let steps = u64::from_le_bytes(head.next());
        let note_length = u32::from_le_bytes(head.next()) as usize;
        let layout = Layout::of(&architecture);
        let (dropout, flags) = match old {
            Some(version) => (0.0, version as u32 * WITH_TERMS),
            None => (f32::from_le_bytes(head.next()), u32::from_le_bytes(head.next())),
        };
        let (with_terms, factorised) = (flags & WITH_TERMS != 0, flags & FACTORISED != 0);
        let shared = if factorised { Factors::len(layout) } else { 0 };
        let expected = length + note_length + 12 * (layout.end + shared) + 4;
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
        if !(0.0..=MOST_DROPOUT).contains(&dropout) {
            return Err(CheckpointError::Invalid("dropout"));
        }
        if flags > WITH_TERMS + FACTORISED {
            return Err(CheckpointError::Invalid("flag"));
        }
        let (numbers, _) = numbers.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let mut groups = [(); 3].map(|()| {
            let of_model: Vec<_> = numbers.by_ref().take(layout.end).collect();
            (of_model, numbers.by_ref().take(shared).collect::<Vec<_>>())
        });
        let [parameters, first, second] = groups.each_mut().map(|(of_model, _)| std::mem::take(of_model));
        let settings = TrainerSettings { lambda, scale, weight_decay, with_terms, dropout, factorised, threads };
        let mut trainer = Self::new(FloatNetwork { architecture, layout, parameters }, settings);
        (trainer.first, trainer.second, trainer.steps) = (first, second, steps);
        if let Some(factors) = &mut trainer.factors {
            [factors.parameters, factors.first, factors.second] = groups.map(|(_, shared)| shared);
        }
        Ok((trainer, note))
    }
}

/// The maximum dropout: some values remain.
const MOST_DROPOUT: f32 = 0.9;

/// The maximum number of threads of a checkpoint: each takes memory for a gradient.
const MOST_THREADS: usize = 1_024;

/// The fields of the header, whose length has been checked.
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
