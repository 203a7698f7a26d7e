//! The code of a game in a block: start position, result, moves and scores, range coded.

mod coder;
mod moves;
mod scores;

use super::{RecordFault, ScoredMove, SelfplayGame};
use bartizan_position::{PackedPosition, Position};
use bartizan_types::{Color, Move};
use coder::{Chance, Coder, Decoder, Encoder};
use scores::Scores;

/// The code of a game, without its number.
///
/// # Errors
/// The number of the first illegal move, from 1.
pub(super) fn encode(game: &SelfplayGame) -> Result<Vec<u8>, usize> {
    let mut encoder = Encoder::new();
    code_plies(&mut encoder, game.moves.len());
    code_start(&mut encoder, PackedPosition::pack(&game.start));
    code_winner(&mut encoder, game.winner);
    let mut line = Line::new(game.start.clone());
    for (index, scored) in game.moves.iter().enumerate() {
        line.code(&mut encoder, Some(*scored)).ok_or(index + 1)?;
    }
    Ok(encoder.finish())
}

/// The game of a code.
///
/// # Errors
/// [`RecordFault`] if no game has this code.
pub(super) fn decode(id: u32, code: &[u8]) -> Result<SelfplayGame, RecordFault> {
    let mut decoder = Decoder::new(code);
    let plies = code_plies(&mut decoder, 0);
    let start = code_start(&mut decoder, PackedPosition([0; 32])).unpack()?;
    let winner = code_winner(&mut decoder, None);
    let mut line = Line::new(start.clone());
    let moves = (1..=plies).map(|ply| line.code(&mut decoder, None).ok_or(RecordFault::Over { ply }));
    Ok(SelfplayGame { id, start, moves: moves.collect::<Result<_, _>>()?, winner })
}

/// The bit length of the number of plies, and its bits.
fn code_plies(coder: &mut impl Coder, plies: usize) -> usize {
    let bits = usize::BITS - plies.leading_zeros();
    let bits = coder.uniform(5, bits).min(16);
    coder.uniform(bits, plies as u32) as usize
}

/// 0 if Black won, 1 for a draw, 2 if White won.
fn code_winner(coder: &mut impl Coder, winner: Option<Color>) -> Option<Color> {
    const RESULTS: [Option<Color>; 3] = [Some(Color::Black), None, Some(Color::White)];
    RESULTS[coder.index(&[1; RESULTS.len()], RESULTS.iter().position(|&result| result == winner).unwrap_or(1))]
}

/// The bytes of a position. Squares that are as in the initial position are cheapest, then empty squares.
fn code_start(coder: &mut impl Coder, packed: PackedPosition) -> PackedPosition {
    /// The likelihood, out of 2¹⁶, that a square is as in the initial position.
    const SAME: u16 = 56_000;
    let initial = codes(PackedPosition::pack(Position::startpos_ref()));
    let codes = codes(packed);
    let mut same = Chance(SAME);
    let mut coded = [0; 64];
    for (square, code) in coded.iter_mut().enumerate() {
        *code = if coder.bit(&mut same, codes[square] == initial[square]) {
            initial[square]
        } else {
            // 0 for an empty square, otherwise one more than the code of its piece.
            let mut weights = [1; 17];
            weights[0] = 16;
            coder.index(&weights, codes[square].into()) as u8
        };
    }
    let mut bytes = [0; 32];
    for (byte, eight) in bytes.iter_mut().zip(coded.chunks_exact(8)) {
        *byte = eight.iter().rev().fold(0, |bits, &code| bits << 1 | u8::from(code > 0));
    }
    // Unpacking rejects more than 32 pieces.
    for (i, code) in coded.into_iter().filter(|&code| code > 0).take(32).enumerate() {
        bytes[8 + i / 2] |= (code - 1) << (4 * (i % 2));
    }
    // The halfmove clock with the side to move, and the move number: most are less than 128.
    for at in [24, 26] {
        let word = u16::from_le_bytes([packed.0[at], packed.0[at + 1]]);
        let is_high = coder.uniform(1, u32::from(word >> 15)) == 1;
        let low = word & 0x7fff;
        let is_long = coder.index(&[7, 1], (low >= 64).into()) == 1;
        let low = coder.uniform(if is_long { 15 } else { 6 }, low.into()) as u16;
        bytes[at..at + 2].copy_from_slice(&(low | u16::from(is_high) << 15).to_le_bytes());
    }
    PackedPosition(bytes)
}

/// For each square 0 if it is empty, otherwise one more than the code of its piece.
fn codes(packed: PackedPosition) -> [u8; 64] {
    let mut codes = [0; 64];
    let mut pieces = (0..32).map(|i| packed.0[8 + i / 2] >> (4 * (i % 2)) & 15);
    for (square, code) in codes.iter_mut().enumerate() {
        if packed.0[square / 8] >> (square % 8) & 1 == 1 {
            *code = pieces.next().map_or(0, |piece| piece + 1);
        }
    }
    codes
}

/// A game up to a move.
struct Line {
    position: Position,
    /// The last move and the one before it.
    before: [Option<Move>; 2],
    scores: Scores,
}

impl Line {
    fn new(position: Position) -> Self {
        Self { position, before: [None; 2], scores: Scores::new() }
    }

    /// Codes a move with its score, and plays it. `None` if the move is illegal, or if there is none to read.
    fn code(&mut self, coder: &mut impl Coder, given: Option<ScoredMove>) -> Option<ScoredMove> {
        let mut moves = self.position.legal_moves().to_vec();
        // A fixed order, independent of the move generator.
        moves.sort_unstable_by_key(|mv| mv.to_bits());
        let index = match given {
            Some(scored) => moves.iter().position(|&mv| mv == scored.mv)?,
            None if moves.is_empty() => return None,
            None => 0,
        };
        let weights = moves::weights(&self.position, &moves, self.before);
        let mv = moves[coder.index(&weights, index)];
        self.position.make_unchecked(mv);
        self.before = [Some(mv), self.before[0]];
        Some(ScoredMove { mv, score: self.scores.code(coder, given.map_or(0, |scored| scored.score)) })
    }
}
