//! Material to search for.

use bartizan_position::Position;
use bartizan_types::{Color, PieceType};
use std::str::FromStr;

/// The material of both sides, such as `KRPvKR`. Either side may have the first part.
///
/// `PP` stands for exactly two pawns, `PP+` for two or more, `P*` for any number. The `v` may be left out before the
/// second king (`KRPKR`). Without kings, `+` joins the pieces as in books: `Q+P v R+P` is `KQPvKRP`.
///
/// ```
/// use bartizan_games::filter::MaterialPattern;
/// use bartizan_position::Position;
///
/// let ending: MaterialPattern = "KRP+vKR".parse()?;
/// assert!(ending.matches(&Position::from_fen("8/8/4k3/8/r7/5p2/7p/R5K1 w - - 0 1")?));
/// assert!(!ending.matches(&Position::from_fen("8/8/4k3/8/r7/5p2/4P2p/R5K1 w - - 0 1")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialPattern([Side; 2]);

/// The minimum and maximum number of each type of piece except the king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Side([(u32, u32); 5]);

/// A text does not describe material.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the material of both sides, such as KRPvKR, KQvKR+P* or KBNvK")]
pub struct MaterialPatternError;

const TYPES: [PieceType; 5] =
    [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

impl MaterialPattern {
    /// Whether a position has this material.
    pub fn matches(&self, position: &Position) -> bool {
        let [first, second] = &self.0;
        [Color::White, Color::Black].into_iter().any(|color| first.has(position, color) && second.has(position, !color))
    }

    /// Whether these are its numbers of pawns, knights, bishops, rooks and queens: White's, then Black's.
    #[cfg(feature = "parquet")]
    pub(crate) fn matches_counts(&self, [white, black]: &[[u32; 5]; 2]) -> bool {
        let [first, second] = &self.0;
        first.fits(white) && second.fits(black) || first.fits(black) && second.fits(white)
    }
}

/// The numbers of pawns, knights, bishops, rooks and queens of a side.
pub(crate) fn counts(position: &Position, color: Color) -> [u32; 5] {
    TYPES.map(|piece_type| position.pieces(color, piece_type).count())
}

impl Side {
    fn has(&self, position: &Position, color: Color) -> bool {
        self.fits(&counts(position, color))
    }

    fn fits(&self, counts: &[u32; 5]) -> bool {
        self.0.iter().zip(counts).all(|(&(fewest, most), count)| (fewest..=most).contains(count))
    }
}

impl FromStr for MaterialPattern {
    type Err = MaterialPatternError;

    fn from_str(text: &str) -> Result<Self, MaterialPatternError> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let second_king = || text.to_ascii_uppercase().rfind('K').filter(|&at| at > 0);
        let (first, second) = match text.split_once(['v', 'V']) {
            Some(sides) => sides,
            None => text.split_at(second_king().ok_or(MaterialPatternError)?),
        };
        if text.contains(['k', 'K']) {
            return Ok(Self([side(first)?, side(second)?]));
        }
        let with_king = |pieces: &str| side(&format!("K{}", pieces.replace('+', "")));
        Ok(Self([with_king(first)?, with_king(second)?]))
    }
}

fn side(text: &str) -> Result<Side, MaterialPatternError> {
    let mut letters = text.chars().peekable();
    if letters.next().map(|c| c.to_ascii_uppercase()) != Some('K') {
        return Err(MaterialPatternError);
    }
    let mut side = Side::default();
    while let Some(letter) = letters.next() {
        let found = TYPES.into_iter().position(|piece| piece.to_char().eq_ignore_ascii_case(&letter));
        let (fewest, most) = found.and_then(|index| side.0.get_mut(index)).ok_or(MaterialPatternError)?;
        if *most == u32::MAX {
            return Err(MaterialPatternError);
        }
        if letters.next_if_eq(&'*').is_some() {
            *most = u32::MAX;
        } else {
            *fewest += 1;
            *most += 1;
            if letters.next_if_eq(&'+').is_some() {
                *most = u32::MAX;
            }
        }
    }
    Ok(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_side_may_be_first() {
        let position = Position::from_fen("4k3/pp6/8/8/8/8/8/4KR2 w - - 0 1").unwrap();
        let matches = |text: &str| text.parse::<MaterialPattern>().unwrap().matches(&position);
        for text in ["KRvKPP", "kppvkr", "KRP*vKP*", "KP+vKR", "KPP+VKRQ*", "KRKPP", "R v P+P"] {
            assert!(matches(text), "{text}");
        }
        for text in ["KvK", "KK", "R v P", "KRvKP", "KRPvKPP", "KPPP+vKR", "KRRvKPP"] {
            assert!(!matches(text), "{text}");
        }
        for wrong in ["", "KR", "RvK", "KvRK", "KP+PvK", "KXvK", "KvKvK", "K+vK"] {
            assert_eq!(wrong.parse::<MaterialPattern>(), Err(MaterialPatternError), "{wrong}");
        }
    }
}
