//! The moves, right and wrong.

use crate::faults::Faults;
use crate::say;
use bartizan_position::Game;
use bartizan_types::Move;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

pub(crate) struct Player {
    pub(crate) faults: Faults,
    /// How many moves were asked for.
    count: u32,
}

/// What to do when a move is asked for.
pub(crate) enum Deed {
    Play(Move),
    /// There is no legal move.
    Nothing,
    Illegal(&'static str),
}

impl Player {
    pub(crate) fn new(faults: Faults) -> Self {
        assert!(faults.crash_at != Some(0), "a planted crash at the start");
        Self { faults, count: 0 }
    }

    pub(crate) fn is_at(&self, number: Option<u32>) -> bool {
        number == Some(self.count)
    }

    /// The number of the next move.
    pub(crate) fn next(&self) -> u32 {
        self.count + 1
    }

    /// The handshake's faults; whether to answer at all.
    pub(crate) fn greet(&self) -> bool {
        thread::sleep(self.faults.slow_handshake);
        !self.faults.no_handshake
    }

    /// The next move is asked for.
    pub(crate) fn count(&mut self) {
        self.count += 1;
    }

    pub(crate) fn play(&self, game: &Game, out: &mut impl Write) -> io::Result<Deed> {
        let faults = &self.faults;
        assert!(!self.is_at(faults.crash_at), "a planted crash at move {}", self.count);
        if self.is_at(faults.hang_at) {
            // For a minute, so that nothing is left behind when a test is killed.
            thread::sleep(Duration::from_secs(60));
        }
        thread::sleep(faults.late);
        if faults.junk {
            out.write_all(
                b"\xff\xfe\x00 no text\r\n\r\n\ninfo\ninfo depth x score cp pv pv\nbestmov e2e4\nmovee2e4\n9 8 7\n",
            )?;
            say(out, "x".repeat(200_000))?;
        }
        if self.is_at(faults.illegal_at) {
            return Ok(Deed::Illegal("e1e8"));
        }
        if self.is_at(faults.nonsense_at) {
            return Ok(Deed::Illegal("resign!?"));
        }
        let moves = game.position().legal_moves();
        let number = mix(game.position().key().0 ^ mix(faults.seed));
        let index = usize::try_from(number % moves.len().max(1) as u64).unwrap_or(0);
        Ok(moves.get(index).map_or(Deed::Nothing, |&mv| Deed::Play(mv)))
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
