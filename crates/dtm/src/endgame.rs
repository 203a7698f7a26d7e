//! Endings: the pieces of a table, and the endings to which captures and promotions lead.

use arrayvec::ArrayVec;
use bartizan_tablebase::Material;
use bartizan_types::{Color, Piece, PieceType};
use std::fmt;
use std::str::FromStr;

/// The greatest number of pieces of a distance-to-mate table, kings and pawns included.
pub const MAX_DTM_MEN: usize = 5;

/// The pieces of a table in the order in which [`Endgame::pieces`] lists them, or their squares.
pub(crate) type Men<T> = ArrayVec<T, MAX_DTM_MEN>;

/// The types of one side's pieces without the king, in the order of [`ORDER`].
type Side = ArrayVec<PieceType, { MAX_DTM_MEN - 2 }>;

/// The order of the letters in a name.
const ORDER: [PieceType; 5] =
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn];

/// The pieces of an ending of 3 to 5 men, such as KQKR, the stronger side first. The first side is white in the table.
///
/// The stronger side is the one with more pieces; if both have as many, the one whose first different piece comes
/// earlier in the order Q R B N P.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endgame {
    sides: [Side; 2],
}

/// The error of parsing the name of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an ending is written like KQKR: two sides that begin with K, with 3 to {MAX_DTM_MEN} pieces of K Q R B N P")]
pub struct EndgameError;

impl Endgame {
    /// The ending with these pieces besides the kings, and whether its colours are swapped because black is stronger.
    ///
    /// `None` if there are no pieces or too many.
    pub(crate) fn new(white: &[PieceType], black: &[PieceType]) -> Option<(Self, bool)> {
        if !(1..=MAX_DTM_MEN - 2).contains(&(white.len() + black.len())) {
            return None;
        }
        let side = |pieces: &[PieceType]| -> Side {
            ORDER.iter().flat_map(|piece| pieces.iter().filter(move |other| *other == piece)).copied().collect()
        };
        let (white, black) = (side(white), side(black));
        // `PieceType` is ordered from pawn to king.
        let swapped = (black.len(), &black) > (white.len(), &white);
        Some((Self { sides: if swapped { [black, white] } else { [white, black] } }, swapped))
    }

    /// All endings with this number of men, weaker material first.
    pub fn with_men(men: usize) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        if (3..=MAX_DTM_MEN).contains(&men) {
            let extra = (men - 2) as u32;
            for code in 0..5_usize.pow(extra) {
                let piece = |n: u32| PieceType::ALL[code / 5_usize.pow(n) % 5];
                let pieces: Side = (0..extra).map(piece).collect();
                for white in 0..=pieces.len() {
                    all.extend(Self::new(&pieces[..white], &pieces[white..]).map(|(endgame, _)| endgame));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a table can hold the distances. In KPPKP a mate may take 254 plies (statistics of Nalimov's tables by
    /// Harald Conrady), and the codes end at 253; all other endings of at most 5 men fit.
    pub fn has_table(&self) -> bool {
        let pawns = |color: Color, number: usize| self.side(color) == &[PieceType::Pawn; 2][..number];
        !(pawns(Color::White, 2) && pawns(Color::Black, 1))
    }

    /// The number of pieces, kings and pawns included.
    pub fn men(&self) -> usize {
        2 + self.sides[0].len() + self.sides[1].len()
    }

    /// The pieces of a side besides the king.
    pub fn side(&self, color: Color) -> &[PieceType] {
        &self.sides[color.index()]
    }

    /// Whether both sides have the same pieces.
    pub fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// Whether a pawn is on the board.
    pub fn has_pawns(&self) -> bool {
        self.sides.iter().flatten().any(|&piece| piece == PieceType::Pawn)
    }

    /// The pieces: both kings, white's pieces, black's pieces; equal ones stand side by side.
    pub(crate) fn pieces(&self) -> Men<Piece> {
        let mut pieces: Men<Piece> = Color::ALL.into_iter().map(|color| PieceType::King.of(color)).collect();
        for color in Color::ALL {
            pieces.extend(self.side(color).iter().map(|piece| piece.of(color)));
        }
        pieces
    }

    pub(crate) fn material(&self) -> Material {
        self.pieces().into_iter().collect()
    }

    /// The endings to which one capture, promotion or both lead. Two bare kings are none.
    pub fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let (own, other) = (self.side(color), self.side(!color));
            let without = |pieces: &[PieceType], index: usize| -> Side {
                pieces.iter().enumerate().filter(|&(n, _)| n != index).map(|(_, &piece)| piece).collect()
            };
            let mut after: Vec<(Side, Side)> = Vec::new();
            let own: Side = own.iter().copied().collect();
            let other: Side = other.iter().copied().collect();
            let captures: Vec<Side> = (0..other.len()).map(|index| without(&other, index)).collect();
            after.extend(captures.iter().map(|other| (own.clone(), other.clone())));
            for index in (0..own.len()).filter(|&index| own[index] == PieceType::Pawn) {
                for promoted in PieceType::PROMOTIONS {
                    let mut own = own.clone();
                    own[index] = promoted;
                    after.push((own.clone(), other.clone()));
                    after.extend(captures.iter().map(|other| (own.clone(), other.clone())));
                }
            }
            found.extend(after.into_iter().filter_map(|(own, other)| Self::new(&own, &other)).map(|(next, _)| next));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The endings, preceded by all that their captures and promotions can reach: the order in which tables are made.
    pub fn with_successors(endgames: &[Self]) -> Vec<Self> {
        fn add(endgame: &Endgame, order: &mut Vec<Endgame>) {
            if !order.contains(endgame) {
                endgame.successors().iter().for_each(|next| add(next, order));
                order.push(endgame.clone());
            }
        }
        let mut order = Vec::new();
        endgames.iter().for_each(|endgame| add(endgame, &mut order));
        order
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for side in &self.sides {
            name.push('K');
            name.extend(side.iter().map(|piece| piece.to_char().to_ascii_uppercase()));
        }
        f.pad(&name)
    }
}

impl FromStr for Endgame {
    type Err = EndgameError;

    /// Parses `KQKR` or `KQvKR`, in either case of letters and with either side first.
    fn from_str(name: &str) -> Result<Self, EndgameError> {
        let mut sides: ArrayVec<Side, 2> = ArrayVec::new();
        for letter in name.chars() {
            match PieceType::from_char(letter) {
                Some(PieceType::King) => sides.try_push(Side::new()).map_err(|_| EndgameError)?,
                Some(piece) => {
                    let side = sides.last_mut().ok_or(EndgameError)?;
                    side.try_push(piece).map_err(|_| EndgameError)?;
                }
                None if letter.eq_ignore_ascii_case(&'v') && sides.len() == 1 => {}
                None => return Err(EndgameError),
            }
        }
        let [white, black] = sides.as_slice() else { return Err(EndgameError) };
        Self::new(white, black).map(|(endgame, _)| endgame).ok_or(EndgameError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (text, name) in [
            ("KQKR", "KQKR"),
            ("krkq", "KQKR"),
            ("KvKP", "KPK"),
            ("KNKBB", "KBBKN"),
            ("KPRvKR", "KRPKR"),
            ("KPKP", "KPKP"),
        ] {
            assert_eq!(text.parse::<Endgame>().unwrap().to_string(), name);
        }
        for wrong in ["", "K", "KK", "KKK", "QKK", "KXK", "KQ", "KQKRRR", "KQKK", "KQQQQK", "KvvQK0", "é"] {
            assert_eq!(wrong.parse::<Endgame>(), Err(EndgameError), "{wrong}");
        }
    }

    #[test]
    fn all_endings_are_listed_once() {
        assert_eq!([3, 4, 5].map(|men| Endgame::with_men(men).len()), [5, 30, 110]);
        assert!(Endgame::with_men(2).is_empty() && Endgame::with_men(6).is_empty());
        let without: Vec<String> = (3..=5)
            .flat_map(Endgame::with_men)
            .filter(|endgame| !endgame.has_table())
            .map(|endgame| endgame.to_string())
            .collect();
        assert_eq!(without, ["KPPKP"]);
    }

    #[test]
    fn captures_and_promotions_come_first() {
        let names = |endgame: &str| -> Vec<String> {
            let order = Endgame::with_successors(&[endgame.parse().unwrap()]);
            order.iter().map(ToString::to_string).collect()
        };
        assert_eq!(names("KPK"), ["KNK", "KBK", "KRK", "KQK", "KPK"]);
        let order = names("KPKP");
        assert_eq!(order.len(), 5 + 4 + 10 + 1);
        assert_eq!(order.last().unwrap(), "KPKP");
    }
}
