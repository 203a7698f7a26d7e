//! Endings: the pieces of a table, and the endings to which captures and promotions lead.

use arrayvec::ArrayVec;
use bartizan_tablebase::Material;
use bartizan_types::{Color, Excerpt, Piece, PieceType};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The greatest number of pieces of a distance-to-mate table, kings and pawns included.
pub const MAX_DTM_MEN: usize = 5;

/// The pieces of a table in the order in which [`Endgame::pieces`] lists them, or their squares.
pub(crate) type Men<T> = ArrayVec<T, MAX_DTM_MEN>;

/// The pieces of an ending of 3 to 5 men, such as KQKR, the stronger side first. The first side is white in the table.
///
/// The stronger side is the one with more pieces; if both have equally many, the one whose first different piece comes
/// earlier in the order Q R B N P. Endings are ordered by the pieces of the first side, then by those of the second,
/// weaker ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Endgame(Material);

/// The name of an ending is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an ending such as KQKR: two sides that begin with K, 3 to {MAX_DTM_MEN} pieces of K Q R B N P in all"
)]
pub struct EndgameError;

impl Endgame {
    /// The ending with these pieces, and whether its colours are swapped because black is stronger.
    ///
    /// `None` if there are only kings or too many pieces.
    pub(crate) fn new(material: Material) -> Option<(Self, bool)> {
        if !(3..=MAX_DTM_MEN).contains(&material.men()) {
            return None;
        }
        let swapped = !material.is_canonical();
        Some((Self(if swapped { material.mirrored() } else { material }), swapped))
    }

    /// All endings with this number of men, weaker material first.
    pub fn with_men(men: usize) -> Vec<Self> {
        let mut all: Vec<Self> =
            Material::all(men).into_iter().filter_map(Self::new).map(|(endgame, _)| endgame).collect();
        all.sort_unstable();
        all
    }

    /// Whether a table can hold the distances. In KPPKP a mate may take 254 plies (statistics of Nalimov's tables by
    /// Harald Conrady), and the codes end at 253; all other endings of at most 5 men fit.
    pub fn has_table(&self) -> bool {
        self.to_string() != "KPPKP"
    }

    /// The number of pieces, kings and pawns included.
    pub fn men(&self) -> usize {
        self.0.men()
    }

    /// The pieces.
    pub fn material(&self) -> Material {
        self.0
    }

    /// The pieces: both kings, white's pieces, black's pieces; equal ones are adjacent.
    pub(crate) fn pieces(&self) -> Men<Piece> {
        let kings = Color::ALL.into_iter().map(|color| PieceType::King.of(color));
        let others = |color| self.0.side(color).skip(1).map(move |piece| piece.of(color));
        kings.chain(Color::ALL.into_iter().flat_map(others)).collect()
    }

    /// The endings reached by one capture, promotion or both. Two bare kings do not count.
    pub fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let mut moved = vec![self.0];
            if let Some(left) = self.0.without(PieceType::Pawn.of(color)) {
                moved.extend(PieceType::PROMOTIONS.map(|promoted| left.with(promoted.of(color))));
            }
            for after in moved {
                found.push(after);
                found.extend(self.0.side(!color).skip(1).filter_map(|captured| after.without(captured.of(!color))));
            }
        }
        let found = found.into_iter().filter_map(Self::new).map(|(endgame, _)| endgame);
        let mut found: Vec<Self> = found.filter(|endgame| endgame != self).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The endings, preceded by all that their captures and promotions can reach: the order in which tables are
    /// generated.
    pub fn with_successors(endgames: &[Self]) -> Vec<Self> {
        fn add(endgame: &Endgame, order: &mut Vec<Endgame>) {
            if !order.contains(endgame) {
                endgame.successors().iter().for_each(|next| add(next, order));
                order.push(*endgame);
            }
        }
        let mut order = Vec::new();
        endgames.iter().for_each(|endgame| add(endgame, &mut order));
        order
    }
}

impl Ord for Endgame {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |endgame: &Self| Color::ALL.map(|color| endgame.0.side(color).collect::<Men<PieceType>>());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Endgame {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.name().replace('v', ""))
    }
}

impl FromStr for Endgame {
    type Err = EndgameError;

    /// Parses `KQKR` or `KQvKR`, in upper or lower case and with either side first.
    fn from_str(name: &str) -> Result<Self, EndgameError> {
        let name = name.to_ascii_uppercase();
        let (first, second) = name.split_at(name.rfind('K').ok_or(EndgameError)?);
        let material = Material::parse(&format!("{}v{second}", first.strip_suffix('V').unwrap_or(first)));
        material.and_then(Self::new).map(|(endgame, _)| endgame).ok_or(EndgameError)
    }
}

/// One or more endings as given by a user: `KQKR`, or `all4` for all endings of 4 men that can have a table.
///
/// ```
/// use bartizan_dtm::Endings;
///
/// let endings = ["KQK", "all3"].map(|text| text.parse::<Endings>().unwrap());
/// assert_eq!(Endings::expand(&endings).len(), 5);
/// ```
#[derive(Clone, Debug)]
pub enum Endings {
    /// An ending.
    One(Endgame),
    /// All endings with this number of men.
    All(usize),
}

/// The error of parsing [`Endings`].
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndingsError {
    /// Not the name of an ending.
    #[error(transparent)]
    Name(#[from] EndgameError),
    /// Not a number of men. Holds the text.
    #[error("'{text}' is not a number of men from 3 to {MAX_DTM_MEN}", text = Excerpt::with_length(.0, Excerpt::LINE))]
    Men(String),
}

impl FromStr for Endings {
    type Err = EndingsError;

    fn from_str(text: &str) -> Result<Self, EndingsError> {
        let Some(men) = text.strip_prefix("all") else { return Ok(Self::One(text.parse()?)) };
        let men = men.parse().ok().filter(|men| (3..=MAX_DTM_MEN).contains(men));
        men.map(Self::All).ok_or_else(|| EndingsError::Men(text.to_owned()))
    }
}

impl Endings {
    /// The endings without duplicates, in the order in which they are first named.
    pub fn expand(endings: &[Self]) -> Vec<Endgame> {
        let mut all = Vec::new();
        for ending in endings {
            let named = match ending {
                Self::One(endgame) => vec![*endgame],
                Self::All(men) => Endgame::with_men(*men).into_iter().filter(Endgame::has_table).collect(),
            };
            for endgame in named {
                if !all.contains(&endgame) {
                    all.push(endgame);
                }
            }
        }
        all
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
