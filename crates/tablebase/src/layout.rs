//! The index into a table, computed from the squares of the pieces.

use crate::error::Fault;
use crate::maps::{
    BELOW_DIAGONAL, BINOMIAL, KING_PAIRS, KINGS, LEAD_PAWN, LEAD_PAWNS, PAWN_ORDER, TRIANGLE, TRIPLES, above_diagonal,
};
use crate::material::Material;
use crate::{Fallible, MAX_MEN};
use arrayvec::ArrayVec;
use bartizan_types::{Color, Piece, PieceType};

/// The kind of the leading pieces, whose placement is normalised by the symmetries of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeadingPieces {
    /// All pawns of one side. The board can be mirrored left to right.
    Pawns,
    /// Three distinct pieces. All eight symmetries of the board apply.
    Triple,
    /// The kings, if fewer than three pieces are distinct.
    Kings,
}

/// Pieces that are indexed together: the leading pieces, or all pieces of one type and colour.
#[derive(Clone, Copy, Debug)]
struct Group {
    len: usize,
    /// The weight of the group's number in the index.
    factor: u64,
    /// The number of squares before the first possible one: pawns never stand on the first rank.
    skipped: u8,
}

/// The order and the weights of the pieces in one part of a table.
#[derive(Debug)]
pub(crate) struct Layout {
    men: ArrayVec<Piece, MAX_MEN>,
    groups: ArrayVec<Group, MAX_MEN>,
    lead: LeadingPieces,
    size: u64,
}

/// Converts the piece codes of the files: 1 to 6 for white's pawn, knight, bishop, rook, queen and king, 9 to 14 for
/// black's.
fn piece_of(code: u8) -> Option<Piece> {
    let color = if code & 8 == 0 { Color::White } else { Color::Black };
    let index = usize::from(code & 7).checked_sub(1)?;
    PieceType::try_from_index(index).map(|piece_type| piece_type.of(color))
}

impl Layout {
    /// Creates a layout from the piece codes of the file and the positions of the leading pieces and of the other
    /// side's pawns in the order of the weights. `file` is the file of the leading pawn, 0 to 3.
    pub(crate) fn new(codes: &[u8], order: [u8; 2], file: usize) -> Fallible<Self> {
        let pieces = codes.iter().map(|&code| piece_of(code)).collect::<Option<ArrayVec<Piece, MAX_MEN>>>();
        let men = pieces.ok_or(Fault::Damaged("invalid piece code"))?;
        let material = men.iter().copied().collect();
        let (lead, lead_len) = Self::lead(&men, material)?;
        let groups = Self::groups(&men, material, lead_len)?;
        let mut layout = Self { men, groups, lead, size: 0 };
        layout.weigh(order, file)?;
        Ok(layout)
    }

    fn lead(men: &[Piece], material: Material) -> Fallible<(LeadingPieces, usize)> {
        let single = |piece: &Piece| material.count(*piece) == 1;
        let (lead, len) = if material.has_pawns() {
            (LeadingPieces::Pawns, men.first().map_or(0, |&first| material.count(first)))
        } else if material.has_single() {
            (LeadingPieces::Triple, 3)
        } else {
            (LeadingPieces::Kings, 2)
        };
        let first = men.get(..len).ok_or(Fault::Damaged("too few pieces"))?;
        let fits = match lead {
            LeadingPieces::Pawns => {
                first.iter().all(|&piece| piece == first[0] && piece.piece_type() == PieceType::Pawn)
            }
            LeadingPieces::Triple => first.iter().all(single),
            LeadingPieces::Kings => first.iter().all(|piece| piece.piece_type() == PieceType::King && single(piece)),
        };
        if fits && (1..=5).contains(&len) { Ok((lead, len)) } else { Err(Fault::Damaged("invalid leading pieces")) }
    }

    fn groups(men: &[Piece], material: Material, lead_len: usize) -> Fallible<ArrayVec<Group, MAX_MEN>> {
        let mut groups = ArrayVec::new();
        groups.push(Group { len: lead_len, factor: 0, skipped: 0 });
        for run in men[lead_len..].chunk_by(|a, b| a == b) {
            let is_pawns = run[0].piece_type() == PieceType::Pawn;
            // The other side's pawns follow the leading ones directly.
            if run.len() != material.count(run[0]) || is_pawns && groups.len() != 1 {
                return Err(Fault::Damaged("invalid order of pieces"));
            }
            groups.push(Group { len: run.len(), factor: 0, skipped: if is_pawns { 8 } else { 0 } });
        }
        Ok(groups)
    }

    /// Whether the second group consists of the other side's pawns.
    fn has_second_pawns(&self) -> bool {
        self.groups.get(1).is_some_and(|group| group.skipped > 0)
    }

    /// Computes the weight of each group.
    fn weigh(&mut self, order: [u8; 2], file: usize) -> Fallible<()> {
        let second_pawns = self.has_second_pawns();
        let lead_len = self.groups[0].len;
        let second_len = if second_pawns { self.groups[1].len } else { 0 };
        let mut free = 64 - lead_len - second_len;
        let mut next = 1 + usize::from(second_pawns);
        let mut size = 1_u64;
        let count = self.groups.len();
        for place in 0..count {
            let (group, placings) = if place == usize::from(order[0]) {
                let placings = match self.lead {
                    LeadingPieces::Pawns => LEAD_PAWNS[lead_len][file & 3],
                    LeadingPieces::Triple => TRIPLES,
                    LeadingPieces::Kings => KING_PAIRS,
                };
                (0, placings)
            } else if second_pawns && place == usize::from(order[1]) {
                (1, BINOMIAL[second_len][48 - lead_len])
            } else {
                let len = self.groups.get(next).ok_or(Fault::Damaged("invalid order of groups"))?.len;
                next += 1;
                free -= len;
                (next - 1, BINOMIAL[len][free + len])
            };
            self.groups[group].factor = size;
            size = size.checked_mul(placings).ok_or(Fault::Damaged("too many positions"))?;
        }
        // The order may name positions that do not exist.
        if self.groups.iter().any(|group| group.factor == 0) {
            return Err(Fault::Damaged("invalid order of groups"));
        }
        self.size = size;
        Ok(())
    }

    /// The pieces, in the order in which [`Layout::index`] takes their squares.
    pub(crate) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The material of the layout.
    pub(crate) fn material(&self) -> Material {
        self.men.iter().copied().collect()
    }

    /// The number of indices.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The index of a placement. Takes the squares in the order of [`Layout::men`] and reorders them. `None` if the
    /// placement is illegal.
    pub(crate) fn index(&self, squares: &mut [u8]) -> Option<u64> {
        let lead = match self.lead {
            LeadingPieces::Pawns => self.index_of_pawns(squares)?,
            LeadingPieces::Triple => {
                to_triangle(squares, 3);
                index_of_triple(squares)?
            }
            LeadingPieces::Kings => {
                to_triangle(squares, 2);
                let &[first, second, ..] = &*squares else { return None };
                let number = KINGS[usize::from(TRIANGLE[usize::from(first & 63)])][usize::from(second & 63)];
                (number != u16::MAX).then_some(u64::from(number))?
            }
        };
        let mut index = lead * self.groups[0].factor;
        let mut done = self.groups[0].len;
        for group in &self.groups[1..] {
            let (before, rest) = squares.split_at_mut(done);
            let squares = rest.get_mut(..group.len)?;
            squares.sort_unstable();
            let mut number = 0;
            for (place, &square) in squares.iter().enumerate() {
                // Occupied squares are not counted.
                let taken = before.iter().filter(|&&other| other < square).count();
                let free = usize::from(square).checked_sub(taken + usize::from(group.skipped))?;
                number += BINOMIAL.get(place + 1)?.get(free)?;
            }
            index += number * group.factor;
            done += group.len;
        }
        (index < self.size).then_some(index)
    }

    /// Moves the leading pawn to the front and mirrors the board so that it is on the left half. Returns its number.
    fn index_of_pawns(&self, squares: &mut [u8]) -> Option<u64> {
        let order = |square: u8| PAWN_ORDER[usize::from(square & 63)];
        let len = self.groups[0].len;
        let leader = (0..len).max_by_key(|&place| order(squares[place]))?;
        squares.swap(0, leader);
        if squares[0] & 7 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        let others = squares.get_mut(1..len)?;
        others.sort_unstable_by_key(|&square| order(square));
        let mut number = 0;
        for (place, &square) in others.iter().enumerate() {
            number += BINOMIAL[place + 1].get(usize::from(order(square)))?;
        }
        Some(LEAD_PAWN[len][usize::from(squares[0] & 63)] + number)
    }
}

/// The file of the leading pawn, 0 to 3, which selects the part of a table with pawns.
pub(crate) fn lead_file(pawns: impl Iterator<Item = u8>) -> usize {
    let leader = pawns.max_by_key(|&square| PAWN_ORDER[usize::from(square & 63)]).unwrap_or(0);
    let file = usize::from(leader & 7);
    file.min(7 - file)
}

/// Transforms the board so that the first piece is in the triangle a1–d1–d4 and the first of the `lead` pieces that is
/// off the diagonal is below it.
fn to_triangle(squares: &mut [u8], lead: usize) {
    if squares[0] & 7 > 3 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    if squares[0] >> 3 > 3 {
        squares.iter_mut().for_each(|square| *square ^= 56);
    }
    let first_off = squares[..lead].iter().map(|&square| above_diagonal(square.into())).find(|&above| above != 0);
    if first_off.is_some_and(|above| above > 0) {
        squares.iter_mut().for_each(|square| *square = (*square >> 3 | *square << 3) & 63);
    }
}

fn index_of_triple(squares: &[u8]) -> Option<u64> {
    let &[a, b, c, ..] = squares else { return None };
    let [first, second, third] = [a & 63, b & 63, c & 63].map(u64::from);
    let rank = |square: u64| square >> 3;
    let below = |square: u64| u64::from(BELOW_DIAGONAL[square as usize]);
    // Occupied squares are not counted; on the diagonal, count ranks.
    let before_second = u64::from(second > first);
    let before_third = u64::from(third > first) + u64::from(third > second);
    let off = |square: u64| above_diagonal(square as usize) != 0;
    Some(if off(first) {
        let first = u64::from(TRIANGLE[first as usize]);
        (first * 63 + second - before_second) * 62 + third - before_third
    } else if off(second) {
        (6 * 63 + rank(first) * 28 + below(second)) * 62 + third - before_third
    } else if off(third) {
        6 * 63 * 62 + 4 * 28 * 62 + (rank(first) * 7 + rank(second) - before_second) * 28 + below(third)
    } else {
        6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + (rank(first) * 7 + rank(second) - before_second) * 6 + rank(third)
            - before_third
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every placement has an index below the size, and symmetric placements have the same index.
    #[test]
    fn triples_are_numbered_without_gaps() {
        let layout = Layout::new(&[6, 5, 14], [0, 0], 0).unwrap();
        assert_eq!(layout.size(), TRIPLES);
        let mut seen = vec![false; TRIPLES as usize];
        for a in 0..64 {
            for b in (0..64).filter(|&b| b != a) {
                for c in (0..64).filter(|&c| c != a && c != b) {
                    let index = layout.index(&mut [a, b, c]).unwrap();
                    assert_eq!(layout.index(&mut [a ^ 63, b ^ 63, c ^ 63]), Some(index));
                    seen[index as usize] = true;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn pawns_are_numbered_without_gaps() {
        // Two leading white pawns, a black pawn, and the kings.
        let all = [1, 1, 9, 6, 14];
        let layouts: Vec<Layout> = (0..4).map(|file| Layout::new(&all, [0, 1], file).unwrap()).collect();
        let mut seen: Vec<Vec<bool>> =
            (0..4).map(|file| vec![false; (LEAD_PAWNS[2][file] * BINOMIAL[1][46]) as usize]).collect();
        for a in 8..56_u8 {
            for b in (8..56).filter(|&b| b != a) {
                for c in (8..56).filter(|&c| c != a && c != b) {
                    let file = lead_file([a, b].into_iter());
                    // The kings on the last rank.
                    let index = layouts[file].index(&mut [a, b, c, 56, 58]).unwrap();
                    let weight = layouts[file].groups[2].factor;
                    seen[file][(index % weight) as usize] = true;
                }
            }
        }
        assert!(seen.iter().flatten().all(|&seen| seen));
    }

    /// Tables of 5 to 7 pieces, checked against another program, because `testdata` has none.
    #[test]
    fn large_tables_match_another_program() {
        let text = bartizan_testkit::read("syzygy/layout.txt");
        for line in text.lines() {
            let parts: Vec<Vec<u64>> =
                line.split(';').map(|part| part.split(',').map(|number| number.parse().unwrap()).collect()).collect();
            let bytes = |part: usize| parts[part].iter().map(|&number| number as u8).collect::<Vec<u8>>();
            let (codes, order, mut squares) = (bytes(0), bytes(1), bytes(4));
            let file = parts[2][0] as usize;
            let layout = Layout::new(&codes, [order[0], order[1]], file).unwrap();
            assert_eq!(layout.size(), parts[3][0], "{line}");
            if codes[0] & 7 == 1 {
                let leading = codes.iter().filter(|&&code| code == codes[0]).count();
                assert_eq!(lead_file(squares[..leading].iter().copied()), file, "{line}");
            }
            assert_eq!(layout.index(&mut squares), Some(parts[5][0]), "{line}");
        }
        assert_eq!(text.lines().count(), 600);
    }

    #[test]
    fn invalid_layouts_are_rejected() {
        for (codes, order) in [
            (&[][..], [0, 0]),
            (&[6], [0, 0]),
            (&[6, 14, 7], [0, 0]),
            (&[6, 14, 0], [0, 0]),
            (&[6, 14, 15], [0, 0]),
            (&[6, 1, 14], [0, 15]),
            (&[6, 5, 5, 14], [0, 0]),
            (&[5, 5, 6, 14], [0, 0]),
            (&[1, 6, 14, 9], [0, 1]),
            (&[1, 9, 6, 14], [3, 3]),
            (&[1, 9, 6, 14], [9, 1]),
            (&[6, 5, 14], [1, 0]),
            (&[5, 6, 14, 5], [0, 0]),
        ] {
            assert!(Layout::new(codes, order, 0).is_err(), "{codes:?} {order:?}");
        }
    }
}
