//! Network files.

use crate::architecture::{Architecture, KING_SQUARES};
use crate::network::{Network, NetworkOrigin, NetworkWeights, Quantisation};
use crate::{NetworkError, NetworkFileError};
use std::path::Path;

/// The first bytes of a network file, before the two digits of its version.
const MAGIC: [u8; 6] = *b"BZNETW";

/// The version of the format.
const VERSION: [u8; 2] = *b"01";

/// Bytes before the command.
const HEAD: usize = 88;

/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// The longest command, in bytes.
const MOST_COMMAND: usize = 1 << 16;

/// The largest file that is read, larger than any architecture needs.
const MOST_BYTES: u64 = 1 << 28;

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetworkFileError`] if the file cannot be read, or as [`Network::from_bytes`].
    pub fn open(path: &Path) -> Result<Self, NetworkFileError> {
        Ok(Self::from_bytes(&bartizan_files::read_regular(path, MOST_BYTES)?)?)
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// [`NetworkError`] if the bytes are not a complete, undamaged network file of this version, or if [`Network::new`]
    /// rejects the network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let least = HEAD + CHECKSUM;
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        if bytes.len() < least {
            return Err(NetworkError::Length { found: bytes.len(), expected: least });
        }
        let mut input = Input(&bytes[MAGIC.len()..]);
        let version = input.array();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let hidden = usize::from(u16::from_le_bytes(input.array()));
        let outputs = usize::from(u16::from_le_bytes(input.array()));
        let king_buckets = input.array::<KING_SQUARES>();
        let quantisation = Quantisation { hidden: input.i16(), output: input.i16(), scale: input.i16() };
        let _reserved: [u8; 2] = input.array();
        let data = input.array::<32>();
        let command_length = u32::from_le_bytes(input.array()) as usize;
        let architecture = Architecture::new(hidden, king_buckets, outputs)?;
        if command_length > MOST_COMMAND {
            return Err(NetworkError::Command);
        }
        let numbers = [architecture.inputs() * hidden, hidden, 2 * hidden * outputs];
        let expected = least + command_length + 2 * numbers.iter().sum::<usize>() + 4 * outputs;
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let (content, checksum) = bytes.split_at(expected - CHECKSUM);
        let (found, expected) = (crc32fast::hash(content), Input(checksum).u32());
        if found != expected {
            return Err(NetworkError::Checksum { found, expected });
        }
        let command = input.take(command_length).to_vec();
        let command = String::from_utf8(command).map_err(|_| NetworkError::Command)?;
        let [input_weights, hidden_bias, output] = numbers.map(|count| (0..count).map(|_| input.i16()).collect());
        let output_bias = (0..outputs).map(|_| input.u32().cast_signed()).collect();
        let weights = NetworkWeights { input: input_weights, hidden_bias, output, output_bias };
        Self::new(architecture, quantisation, &weights, NetworkOrigin { data, command })
    }

    /// The checksum of the network file, which identifies the network. Costs as much as [`to_bytes`](Self::to_bytes).
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        bytes.last_chunk().map_or(0, |last| u32::from_le_bytes(*last))
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let architecture = self.architecture();
        let Quantisation { hidden, output, scale } = self.quantisation();
        let command = &self.origin().command;
        let mut length = command.len().min(MOST_COMMAND);
        while !command.is_char_boundary(length) {
            length -= 1;
        }
        let command = &command[..length];
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION);
        bytes.extend((architecture.hidden() as u16).to_le_bytes());
        bytes.extend((architecture.outputs() as u16).to_le_bytes());
        bytes.extend(architecture.king_buckets());
        bytes.extend([hidden, output, scale, 0].into_iter().flat_map(i16::to_le_bytes));
        bytes.extend(self.origin().data);
        bytes.extend((command.len() as u32).to_le_bytes());
        bytes.extend(command.as_bytes());
        let weights = self.weights();
        let numbers = weights.input.iter().chain(&weights.hidden_bias).chain(&weights.output);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(weights.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// The rest of a file. Reads never go beyond its end, because the length was checked before.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let taken = self.take(N);
        array[..taken.len()].copy_from_slice(taken);
        array
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.array())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }
}
