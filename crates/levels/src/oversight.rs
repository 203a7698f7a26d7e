//! What a player does not see.

use crate::chance::chance;
use crate::difficulty::Scene;
use crate::skill::Skill;
use bartizan_types::{Key, Move, PieceType};

/// Decides which moves and mates a player overlooks. For a few moves of a game it decides the same move in the same
/// way, so that what was seen in one search is still seen in the next, and what was overlooked may be seen later.
#[derive(Debug)]
pub(crate) struct Oversight<'a> {
    skill: &'a Skill,
    seed: u64,
    game_ply: u64,
}

impl<'a> Oversight<'a> {
    /// How long a move stays seen or overlooked, in plies. Each move has its own moment at which that ends.
    const PHASE: u64 = 6;
    /// How much less of the opponent's later replies is overlooked. Among many moves of its own, a player would find
    /// one whose refutation it overlooks, and would trust in it.
    const LATER_REPLIES: f64 = 0.25;
    /// The difficulty that no move reaches.
    const HIGHEST_DIFFICULTY: f64 = 1.5;

    pub(crate) fn new(skill: &'a Skill, seed: u64, game_ply: u32) -> Self {
        Self { skill, seed, game_ply: game_ply.into() }
    }

    /// Whether the player overlooks a move at this many plies from the position on the board.
    pub(crate) fn overlooks(&self, scene: &Scene<'_>, piece_type: PieceType, mv: Move, ply: usize) -> bool {
        let is_later_reply = ply > 2 && ply % 2 == 1;
        let rate = self.skill.oversight * if is_later_reply { Self::LATER_REPLIES } else { 1.0 };
        let subject = (piece_type as u64) << 16 | (mv.from().index() as u64) << 8 | mv.to().index() as u64;
        let phase = (self.game_ply + subject % Self::PHASE) / Self::PHASE;
        let chance = chance(self.seed, phase << 24 | subject);
        let overlooked = |difficulty: f64| chance < 1.0 - (-rate * difficulty).exp();
        overlooked(Self::HIGHEST_DIFFICULTY) && overlooked(scene.difficulty(mv))
    }

    /// Whether the player overlooks that a position is checkmate or stalemate.
    pub(crate) fn overlooks_end(&self, key: Key) -> bool {
        chance(self.seed ^ 0x6d61_7465, key.0 ^ (self.game_ply / Self::PHASE)) < self.skill.mate_oversight
    }
}
