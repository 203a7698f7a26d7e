//! What a game reaches: positions and material.

use crate::filter::material_counts;
use bartizan_book::PolyglotKey;
use bartizan_notation::pgn::{PgnErrorKind, PgnGame};
use bartizan_position::Position;
use bartizan_types::{Color, Move, Variant};

/// Where the text of a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The index of the input.
    pub input: usize,
    /// The number of the game in the input, from 1.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: usize,
}

/// A game that is ready to be written.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The game, or why it cannot be read.
    pub(super) game: Result<PgnGame, String>,
    pub(super) folder: Option<String>,
    pub(super) positions: Vec<Step>,
    /// The material as [`Material`] packs it, sorted, each once.
    pub(super) material: Vec<u64>,
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) key: u64,
    /// The move that is played, packed; `None` after the last one.
    pub(super) mv: Option<u16>,
}

impl GameRecord {
    /// Prepares a game: the part of the work that needs no order.
    pub fn new(game: Result<PgnGame, PgnErrorKind>, options: &super::DatasetOptions) -> Self {
        let game = game.map_err(|error| error.to_string());
        let (mut positions, mut material) = (Vec::new(), Vec::new());
        let mut folder = None;
        if let Ok(game) = &game {
            folder = options.partition.as_ref().map(|partition| partition.folder(game));
            if options.positions {
                walk(game, |position, last, next| {
                    let variant = Variant::from_chess960(game.chess960);
                    let mv = next.map(|mv: Move| crate::table::packed(mv.to_uci(variant)));
                    positions.push(Step { key: PolyglotKey::after(position, last).0, mv });
                    let own = pack(position);
                    if material.last() != Some(&own) {
                        material.push(own);
                    }
                });
                material.sort_unstable();
                material.dedup();
            }
        }
        Self { game, folder, positions, material }
    }
}

/// Passes each position of a game to `see`, with the moves before and after it.
fn walk(game: &PgnGame, mut see: impl FnMut(&Position, Option<Move>, Option<Move>)) {
    let mut position = game.start.clone();
    let mut last = None;
    for played in &game.moves {
        see(&position, last, Some(played.mv));
        position.make_unchecked(played.mv);
        last = Some(played.mv);
    }
    see(&position, last, None);
}

const LETTERS: [char; 5] = ['P', 'N', 'B', 'R', 'Q'];

/// The numbers of pieces, four bits for each: at most ten of a kind. White's are the higher half.
fn pack(position: &Position) -> u64 {
    let all = [Color::White, Color::Black].map(|color| material_counts(position, color));
    all.iter().flatten().fold(0, |packed, &count| packed << 4 | u64::from(count & 15))
}

/// The text of packed material, such as `KRPvKR`: White's, then Black's.
pub(super) fn material_text(packed: u64) -> String {
    let side = |packed: u64| {
        let pieces = LETTERS.iter().enumerate().rev().flat_map(|(index, letter)| {
            let count = packed >> (4 * (4 - index)) & 15;
            std::iter::repeat_n(letter, count as usize)
        });
        format!("K{}", pieces.collect::<String>())
    };
    format!("{}v{}", side(packed >> 20), side(packed))
}

/// The numbers of pieces that a text of [`material_text`] says.
pub(super) fn material_of_text(text: &str) -> Option<[[u32; 5]; 2]> {
    let (white, black) = text.split_once('v')?;
    let side = |text: &str| LETTERS.map(|letter| text.matches(letter).count() as u32);
    Some([side(white), side(black)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_has_a_text() {
        let position = Position::from_fen("4k3/pp6/8/8/8/8/8/QQB1KR2 w - - 0 1").unwrap();
        let text = material_text(pack(&position));
        assert_eq!(text, "KQQRBvKPP");
        assert_eq!(material_of_text(&text), Some([[0, 0, 1, 1, 2], [2, 0, 0, 0, 0]]));
    }
}
