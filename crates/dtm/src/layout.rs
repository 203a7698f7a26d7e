//! The index of a position in a table.
//!
//! A position and its mirror images share one index. Without pawns, the board is reflected so that the white king
//! stands in the triangle a1–d1–d4, and, if it stands on the diagonal, the black king on or below it: 462 pairs of
//! kings. With pawns, only files are mirrored: the pawns of one colour, the lead, are brought to files a to d. If these
//! rules leave two images, the lower index is used and the other stays unused. Equal pieces share one digit.

use crate::endgame::{Endgame, MAX_DTM_MEN, Men};
use arrayvec::ArrayVec;
use bartizan_types::{Color, Piece, PieceType};

/// The squares of the pieces of a table, 0 to 63, in the order of [`Endgame::pieces`]; the rest is 0.
pub(crate) type Squares = [u8; MAX_DTM_MEN];

/// No index: adjacent kings.
const NONE: u32 = u32::MAX;

/// The squares of pawns: ranks 2 to 7.
const PAWN_SQUARES: usize = 48;

/// Mirrors the files.
const FILES: u8 = 1;
/// Mirrors the ranks.
const RANKS: u8 = 2;
/// Mirrors at the diagonal a1–h8, after the other reflections.
const DIAGONAL: u8 = 4;

/// The eight symmetries of the board, by combinations of the reflections.
static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut image = 0;
    while image < 8 {
        let mut square = 0;
        while square < 64 {
            let mut to = square as u8;
            if image & FILES as usize != 0 {
                to ^= 7;
            }
            if image & RANKS as usize != 0 {
                to ^= 56;
            }
            if image & DIAGONAL as usize != 0 {
                to = to >> 3 | (to & 7) << 3;
            }
            images[image][square] = to;
            square += 1;
        }
        image += 1;
    }
    images
};

/// The reflections that bring a square into the triangle a1–d1–d4.
static TO_TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut image = 0;
        let (mut file, mut rank) = (square % 8, square / 8);
        if file > 3 {
            file = 7 - file;
            image |= FILES;
        }
        if rank > 3 {
            rank = 7 - rank;
            image |= RANKS;
        }
        if rank > file {
            image |= DIAGONAL;
        }
        table[square] = image;
        square += 1;
    }
    table
};

/// A set of equal pieces other than kings.
#[derive(Clone, Debug)]
struct Group {
    start: usize,
    len: usize,
    /// 8 for pawns, which cannot stand on the first rank.
    base: u8,
    digit: Digit,
    /// The squares of each value of the digit, less `base`.
    sets: Vec<[u8; 3]>,
}

/// A digit of the index.
#[derive(Clone, Copy, Debug, Default)]
struct Digit {
    radix: usize,
    stride: usize,
}

impl Digit {
    #[inline]
    fn of(self, index: usize) -> usize {
        index / self.stride % self.radix
    }
}

/// Properties of a set of squares of the lead.
#[derive(Clone, Copy, Debug, Default)]
struct LeadEntry {
    id: u32,
    /// Whether the set is mirrored before it is numbered.
    mirrored: bool,
    /// Whether the set is its own mirror image.
    symmetric: bool,
}

/// The pawns that are brought to files a to d.
#[derive(Clone, Debug)]
struct LeadingPawns {
    /// Contains only the sets that are not mirrored.
    group: Group,
    /// Indexed by the number of the set among all sets of the same size.
    entries: Vec<LeadEntry>,
}

/// The numbering of the positions of an ending.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) endgame: Endgame,
    pub(crate) pieces: Men<Piece>,
    /// The pieces' places in [`Layout::pieces`] by colour, the king first.
    pub(crate) slots: [Men<usize>; 2],
    /// The number of the kings' squares, by `64 * white + black`.
    king_ids: Vec<u32>,
    king_squares: Vec<[u8; 2]>,
    kings: Digit,
    lead: Option<LeadingPawns>,
    groups: ArrayVec<Group, 3>,
    size: usize,
}

/// A position's place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) index: usize,
    /// The squares of the image to which the index belongs.
    pub(crate) squares: Squares,
    /// Whether the position is its own mirror image by a diagonal.
    pub(crate) is_own_image: bool,
}

impl Layout {
    pub(crate) fn new(endgame: &Endgame) -> Self {
        let pieces = endgame.pieces();
        let slots = Color::ALL.map(|color| (0..pieces.len()).filter(|&slot| pieces[slot].color() == color).collect());
        let (king_ids, king_squares) = if endgame.material().has_pawns() { all_kings() } else { kings_in_triangle() };
        let mut sets: ArrayVec<(usize, usize), 3> = ArrayVec::new();
        for slot in 2..pieces.len() {
            match sets.last_mut() {
                Some((start, len)) if pieces[*start] == pieces[slot] => *len += 1,
                _ => sets.push((slot, 1)),
            }
        }
        // A lead of few pawns leaves fewer unused indices.
        let is_pawn = |slot: usize| pieces[slot].piece_type() == PieceType::Pawn;
        let lead = sets.iter().filter(|&&(start, _)| is_pawn(start)).min_by_key(|&&(_, len)| len).copied();
        let lead = lead.map(|(start, len)| LeadingPawns::new(start, len));
        let groups: ArrayVec<Group, 3> = sets
            .into_iter()
            .filter(|&(start, _)| lead.as_ref().is_none_or(|lead| lead.group.start != start))
            .map(|(start, len)| Group::new(start, len, is_pawn(start)))
            .collect();
        let mut layout = Self {
            endgame: *endgame,
            pieces,
            slots,
            kings: Digit { radix: king_squares.len(), stride: 0 },
            king_ids,
            king_squares,
            lead,
            groups,
            size: 0,
        };
        layout.set_strides();
        layout
    }

    /// Orders the digits, slowest first: lead, kings, other pieces.
    fn set_strides(&mut self) {
        let mut stride = 1;
        let mut set = |digit: &mut Digit| {
            digit.stride = stride;
            stride *= digit.radix;
        };
        self.groups.iter_mut().rev().for_each(|group| set(&mut group.digit));
        set(&mut self.kings);
        if let Some(lead) = &mut self.lead {
            set(&mut lead.group.digit);
        }
        self.size = stride;
    }

    /// The number of indices of one side to move.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Whether both sides have pawns.
    pub(crate) fn has_passing(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.endgame.material().count(PieceType::Pawn.of(color)) > 0)
    }

    /// The place of a position. `None` if the kings are adjacent. Other squares must be different.
    #[inline]
    pub(crate) fn place(&self, squares: &Squares) -> Option<Place> {
        // The twin is another reflection that also satisfies the rules.
        let (reflections, id, twin) = match &self.lead {
            Some(lead) => {
                let group = &lead.group;
                let entry = lead.entries[set_number(squares, group.start, group.len, group.base)];
                let reflections = if entry.mirrored { FILES } else { 0 };
                (reflections, entry.id as usize * group.digit.stride, entry.symmetric.then_some(FILES))
            }
            None => {
                let mut reflections = TO_TRIANGLE[usize::from(squares[0])];
                let [king, other] = [0, 1].map(|slot| IMAGES[usize::from(reflections)][usize::from(squares[slot])]);
                if is_on_diagonal(king) && other >> 3 > other & 7 {
                    reflections ^= DIAGONAL;
                }
                (reflections, 0, (is_on_diagonal(king) && is_on_diagonal(other)).then_some(DIAGONAL))
            }
        };
        let image = image(squares, reflections);
        let index = self.index(&image)? + id;
        let Some(twin) = twin else { return Some(Place { index, squares: image, is_own_image: false }) };
        let other = self::image(&image, twin);
        let other_index = self.index(&other)? + id;
        Some(if other_index < index {
            Place { index: other_index, squares: other, is_own_image: false }
        } else {
            Place { index, squares: image, is_own_image: index == other_index }
        })
    }

    /// The index without the lead's digit.
    #[inline]
    fn index(&self, squares: &Squares) -> Option<usize> {
        let kings = self.king_ids[usize::from(squares[0]) << 6 | usize::from(squares[1])];
        if kings == NONE {
            return None;
        }
        let mut index = kings as usize * self.kings.stride;
        for group in &self.groups {
            index += set_number(squares, group.start, group.len, group.base) * group.digit.stride;
        }
        Some(index)
    }

    /// The squares of an index below [`Layout::size`]. Two of them may be equal.
    #[inline]
    pub(crate) fn squares(&self, index: usize) -> Squares {
        let mut squares = Squares::default();
        let [white, black] = self.king_squares[self.kings.of(index)];
        (squares[0], squares[1]) = (white, black);
        let mut put = |group: &Group| {
            let set = &group.sets[group.digit.of(index)];
            for (square, member) in squares[group.start..group.start + group.len].iter_mut().zip(set) {
                *square = member + group.base;
            }
        };
        if let Some(lead) = &self.lead {
            put(&lead.group);
        }
        self.groups.iter().for_each(put);
        squares
    }
}

impl Group {
    fn new(start: usize, len: usize, pawns: bool) -> Self {
        let (base, squares) = if pawns { (8, PAWN_SQUARES) } else { (0, 64) };
        let sets = sets(squares, len);
        Self { start, len, base, digit: Digit { radix: sets.len(), stride: 0 }, sets }
    }
}

impl LeadingPawns {
    fn new(start: usize, len: usize) -> Self {
        let mut group = Group::new(start, len, true);
        let mut entries: Vec<LeadEntry> = Vec::with_capacity(group.sets.len());
        let mut numbered = Vec::new();
        for (number, &set) in group.sets.iter().enumerate() {
            let mut mirrored = Squares::default();
            mirrored[..3].copy_from_slice(&set.map(|square| square ^ 7));
            let other = set_number(&mirrored, 0, len, 0);
            if other < number {
                entries.push(LeadEntry { mirrored: true, ..entries[other] });
            } else {
                entries.push(LeadEntry { id: numbered.len() as u32, mirrored: false, symmetric: other == number });
                numbered.push(set);
            }
        }
        group.digit.radix = numbered.len();
        group.sets = numbered;
        Self { group, entries }
    }
}

/// The squares after reflections.
#[inline]
pub(crate) fn image(squares: &Squares, reflections: u8) -> Squares {
    let image = &IMAGES[usize::from(reflections)];
    squares.map(|square| image[usize::from(square & 63)])
}

pub(crate) fn is_on_diagonal(square: u8) -> bool {
    square >> 3 == square & 7
}

/// All sets of `len` of the numbers below `n`, by [`set_number`]: each set in ascending order.
fn sets(n: usize, len: usize) -> Vec<[u8; 3]> {
    let n = n as u8;
    match len {
        1 => (0..n).map(|a| [a, 0, 0]).collect(),
        2 => (0..n).flat_map(|b| (0..b).map(move |a| [a, b, 0])).collect(),
        _ => (0..n).flat_map(|c| (0..c).flat_map(move |b| (0..b).map(move |a| [a, b, c]))).collect(),
    }
}

/// The number of a set of squares among all sets of the same size, in the combinatorial number system.
#[inline]
fn set_number(squares: &Squares, start: usize, len: usize, base: u8) -> usize {
    let at = |n: usize| usize::from(squares[start + n] - base);
    match len {
        1 => at(0),
        2 => {
            let (a, b) = (at(0).min(at(1)), at(0).max(at(1)));
            b * b.saturating_sub(1) / 2 + a
        }
        _ => {
            let mut set = [at(0), at(1), at(2)];
            set.sort_unstable();
            let [a, b, c] = set;
            c * c.saturating_sub(1) * c.saturating_sub(2) / 6 + b * b.saturating_sub(1) / 2 + a
        }
    }
}

fn are_apart(a: u8, b: u8) -> bool {
    (a >> 3).abs_diff(b >> 3).max((a & 7).abs_diff(b & 7)) > 1
}

/// The pairs of kings of tables with pawns.
fn all_kings() -> (Vec<u32>, Vec<[u8; 2]>) {
    number_kings((0..64).flat_map(|white| (0..64).map(move |black| [white, black])))
}

/// The pairs of kings of tables without pawns.
fn kings_in_triangle() -> (Vec<u32>, Vec<[u8; 2]>) {
    let triangle = (0..64).filter(|&white| TO_TRIANGLE[usize::from(white)] == 0);
    let pairs = triangle.flat_map(|white| (0..64).map(move |black| [white, black]));
    number_kings(pairs.filter(|&[white, black]| !(is_on_diagonal(white) && black >> 3 > black & 7)))
}

fn number_kings(pairs: impl Iterator<Item = [u8; 2]>) -> (Vec<u32>, Vec<[u8; 2]>) {
    let mut ids = vec![NONE; 64 * 64];
    let mut squares = Vec::new();
    for [white, black] in pairs.filter(|&[white, black]| are_apart(white, black)) {
        ids[usize::from(white) << 6 | usize::from(black)] = squares.len() as u32;
        squares.push([white, black]);
    }
    (ids, squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;

    fn layout(name: &str) -> Layout {
        Layout::new(&name.parse().unwrap())
    }

    #[test]
    fn sizes() {
        for (name, size) in [
            ("KQK", 462 * 64),
            ("KPK", 24 * 3_612),
            ("KBBK", 462 * 2_016),
            ("KQKR", 462 * 64 * 64),
            ("KPPK", 576 * 3_612),
            ("KPKP", 24 * 48 * 3_612),
            ("KPPKP", 24 * 1_128 * 3_612),
            ("KNNNK", 462 * 41_664),
        ] {
            assert_eq!(layout(name).size(), size, "{name}");
        }
    }

    #[test]
    fn indices_and_squares_are_inverse() {
        for name in ["KQK", "KPK", "KBBK", "KQKR", "KPPK", "KPKP", "KRPKP", "KPPKP", "KPPPK", "KNNNK"] {
            let layout = layout(name);
            let step = (layout.size() / 20_011).max(1);
            let (mut used, mut unused) = (0, 0);
            for index in (0..layout.size()).step_by(step) {
                let squares = layout.squares(index);
                let men = layout.pieces.len();
                if (0..men).any(|a| (0..a).any(|b| squares[a] == squares[b])) {
                    continue;
                }
                let place = layout.place(&squares).unwrap();
                if place.index == index {
                    used += 1;
                    assert_eq!(place.squares[..2], squares[..2], "{name} {index}");
                } else {
                    assert!(place.index < index, "{name} {index}");
                    unused += 1;
                }
            }
            assert!(used > unused * 10, "{name} {used} {unused}");
        }
    }

    #[test]
    fn images_have_one_index() {
        let mut random = SplitMix64::new(1);
        for name in ["KQK", "KBBK", "KQKR", "KPPK", "KPKP", "KPPKP", "KNNNK"] {
            let layout = layout(name);
            let images = if layout.endgame.material().has_pawns() { 2 } else { 8 };
            for round in 0..20_000 {
                let mut squares = Squares::default();
                for (square, piece) in squares.iter_mut().zip(&layout.pieces) {
                    let pawn = piece.piece_type() == PieceType::Pawn;
                    *square = if pawn { 8 + random.below(48) } else { random.below(64) } as u8;
                    // Half of the positions have all pieces near the diagonal, where images coincide.
                    if round % 2 == 0 && !pawn {
                        *square = (9 * random.below(8)) as u8;
                    }
                }
                let men = layout.pieces.len();
                if (0..men).any(|a| (0..a).any(|b| squares[a] == squares[b])) {
                    continue;
                }
                let place = layout.place(&squares);
                let mut swapped = squares;
                for slot in 3..men {
                    if layout.pieces[slot] == layout.pieces[slot - 1] {
                        swapped.swap(slot, slot - 1);
                    }
                }
                for reflections in 0..images {
                    for squares in [&squares, &swapped] {
                        let other = layout.place(&image(squares, reflections));
                        assert_eq!(other.map(|p| (p.index, p.is_own_image)), place.map(|p| (p.index, p.is_own_image)));
                    }
                }
                if let Some(place) = place {
                    assert_eq!(layout.place(&place.squares).map(|again| again.index), Some(place.index));
                }
            }
        }
    }
}
