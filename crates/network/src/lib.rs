#![doc = include_str!("../README.md")]
//!
//! # Format of network files
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 6 | `BZNETW` |
//! | 2 | the version of the format: `01` |
//! | 2 | hidden neurons of a perspective |
//! | 2 | output buckets |
//! | 32 | the king bucket of a1, b1, c1, d1, a2 … d8 |
//! | 2 | the integer for 1.0 in hidden weights and values |
//! | 2 | the integer for 1.0 in output weights |
//! | 2 | internal centipawns of an output of 1.0 |
//! | 2 | reserved: written as 0, ignored by readers |
//! | 32 | SHA-256 of the training data, or zeros |
//! | 4 | length of the command |
//! | length | the command that trained the network, UTF-8 |
//! | 2 each | weights of the inputs: the hidden neurons of the first input, then of the second … |
//! | 2 each | biases of the hidden neurons |
//! | 2 each | weights of each output bucket: the side to move, then the other |
//! | 4 each | biases of the output buckets, in units of the product of both integers for 1.0 |
//! | 4 | CRC-32 of all bytes before |
//!
//! Input `768 · king bucket + 64 · kind + square` stands for a piece on a square, as [`Architecture`] says. The kinds
//! are pawn, knight, bishop, rook, queen and king of the perspective, then those of the other side.

mod architecture;
mod block;
mod combined;
mod error;
mod evaluation;
mod evaluator;
mod explain;
mod format;
mod level;
mod network;

pub use architecture::{Architecture, BLOCK, KING_SQUARES, MOST_HIDDEN, MOST_OUTPUTS, PIECE_SQUARES, Perspective};
pub use combined::CombinedEvaluator;
pub use error::{NetworkError, NetworkFileError};
pub use evaluation::{AnyEvaluator, EvaluationModel};
pub use evaluator::NetworkEvaluator;
pub use network::{Network, NetworkOrigin, NetworkWeights, Quantisation};
