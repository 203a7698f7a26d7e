//! What a player thinks of a position.

use crate::chance::deviation;
use crate::skill::Skill;
use bartizan_attacks as attacks;
use bartizan_eval::ORDINARY_MAX;
use bartizan_position::Position;
use bartizan_types::{Color, PieceType, Square};

/// The evaluation of a player with a style of its own, which stays the same throughout a game.
#[derive(Clone, Debug)]
pub(crate) struct Opinion {
    skill: Skill,
    seed: u64,
    /// What a piece is thought to be worth more on a square, seen from its own side, in centipawns.
    taste: [[i16; Square::COUNT]; PieceType::COUNT],
    /// What each attack near the opponent's king is worth beyond the evaluation, in centipawns; the same is feared near
    /// the own king.
    attack: i32,
    /// What each piece on the board is worth, in centipawns: positive for a player who avoids exchanges.
    tension: i32,
}

/// What pieces are worth to a player who only counts material, in centipawns.
const MATERIAL: [i32; PieceType::COUNT] = [100, 300, 310, 500, 950, 0];

impl Opinion {
    /// The share of positional knowledge from which on a player trusts in an ending that is known to be won.
    const KNOWS_ENDINGS: f64 = 0.4;
    /// The standard deviations of the style, as multiples of [`Skill::taste`].
    const ATTACK: f64 = 0.5;
    const TENSION: f64 = 0.5;

    pub(crate) fn new(skill: &Skill, seed: u64) -> Self {
        let of = |subject: u64| skill.taste * deviation(seed, subject);
        let taste = std::array::from_fn(|piece| {
            std::array::from_fn(|square| of((piece * Square::COUNT + square) as u64) as i16)
        });
        let attack = (Self::ATTACK * of(1_000)) as i32;
        Self { skill: *skill, seed, taste, attack, tension: (Self::TENSION * of(1_001)) as i32 }
    }

    /// The value of a position for the side to move, as the player `us` sees it, in internal centipawns.
    pub(crate) fn value(&self, position: &Position, us: Color) -> i32 {
        let material = material(position);
        let mut value = material;
        if !position.in_check() {
            let evaluation = bartizan_eval::evaluate(position);
            if evaluation.0.abs() > ORDINARY_MAX.0 && self.skill.positional >= Self::KNOWS_ENDINGS {
                return evaluation.0;
            }
            value += (self.skill.positional * f64::from(evaluation.0 - material)) as i32;
        }
        let style = self.style(position, us);
        value += if position.turn() == us { style } else { -style };
        value += (self.skill.error * deviation(self.seed ^ 0x6572_726f, position.key().0)) as i32;
        value.clamp(-ORDINARY_MAX.0, ORDINARY_MAX.0)
    }

    /// What the player's style adds for itself.
    fn style(&self, position: &Position, us: Color) -> i32 {
        let mut sum = 0;
        for piece_type in PieceType::ALL {
            for square in position.pieces(us, piece_type) {
                sum += i32::from(self.taste[piece_type.index()][square.relative_to(us).index()]);
            }
        }
        let near = |king: Color, by: Color| {
            let zone = attacks::king(position.king(king));
            let mut count = 0;
            for piece_type in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
                for square in position.pieces(by, piece_type) {
                    count += i32::from(position.attacks_from(square).intersects(zone));
                }
            }
            count
        };
        if self.attack != 0 {
            sum += self.attack * (near(!us, us) - near(us, !us));
        }
        let pieces = position.occupied() & !position.by_type(PieceType::Pawn);
        sum + self.tension * pieces.count() as i32
    }
}

/// The material of the side to move less the opponent's.
fn material(position: &Position) -> i32 {
    let us = position.turn();
    PieceType::ALL
        .into_iter()
        .map(|piece_type| {
            let lead = position.pieces(us, piece_type).count() as i32 - position.pieces(!us, piece_type).count() as i32;
            lead * MATERIAL[piece_type.index()]
        })
        .sum()
}
