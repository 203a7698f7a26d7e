//! Chooses moves, legal or not.

use crate::faults::Faults;
use crate::write_line;
use bartizan_position::{Game, Position};
use bartizan_types::{Move, SplitMix64};
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

pub(crate) struct Player {
    pub(crate) faults: Faults,
    /// The value of the option `Hash`. Other values play other moves, so that variants of the engine differ.
    pub(crate) memory: u64,
    /// The number of the current move, counted from 1.
    number: u32,
}

/// The end of a search.
pub(crate) enum Choice {
    /// Legal moves, the best first; never empty.
    Moves(Vec<Move>),
    /// There is no legal move.
    Nothing,
    /// Text that is not a legal move.
    Illegal(&'static str),
}

impl Player {
    pub(crate) fn new(faults: Faults) -> Self {
        assert!(faults.crash_at != Some(0), "a planted crash at the start");
        Self { faults, memory: 0, number: 0 }
    }

    /// Whether a fault is due at the current move.
    pub(crate) fn is_at(&self, number: Option<u32>) -> bool {
        number == Some(self.number)
    }

    /// The number of the next move.
    pub(crate) fn next_number(&self) -> u32 {
        self.number + 1
    }

    /// Applies the faults of the handshake. Returns whether to answer at all.
    pub(crate) fn answers_handshake(&self) -> bool {
        thread::sleep(self.faults.slow_handshake);
        !self.faults.no_handshake
    }

    /// Begins the next move.
    pub(crate) fn begin_move(&mut self) {
        self.number += 1;
    }

    /// Chooses among the legal moves for which `is_allowed` holds.
    pub(crate) fn choose(
        &self,
        game: &Game,
        is_allowed: impl Fn(Move) -> bool,
        out: &mut impl Write,
    ) -> io::Result<Choice> {
        let faults = &self.faults;
        assert!(!self.is_at(faults.crash_at), "a planted crash at move {}", self.number);
        if self.is_at(faults.hang_at) {
            // Bounded, so that no process stays behind when a test is killed.
            thread::sleep(Duration::from_secs(60));
        }
        thread::sleep(faults.late);
        if faults.junk {
            out.write_all(
                b"\xff\xfe\x00 no text\r\n\r\n\ninfo\ninfo depth x score cp pv pv\nbestmov e2e4\nmovee2e4\n9 8 7\n",
            )?;
            write_line(out, "x".repeat(200_000))?;
        }
        if self.is_at(faults.illegal_at) {
            return Ok(Choice::Illegal("e1e8"));
        }
        if self.is_at(faults.nonsense_at) {
            return Ok(Choice::Illegal("resign!?"));
        }
        let mut moves = self.shuffled_moves(game.position());
        moves.retain(|&mv| is_allowed(mv));
        Ok(if moves.is_empty() { Choice::Nothing } else { Choice::Moves(moves) })
    }

    /// The legal moves in an order that depends only on the position, the seed and the memory.
    pub(crate) fn shuffled_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = position.legal_moves().to_vec();
        SplitMix64::stream(self.faults.seed ^ self.memory << 32, position.key().0).shuffle(&mut moves);
        moves
    }
}
