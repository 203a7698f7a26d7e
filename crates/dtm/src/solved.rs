//! Solved tables in memory, and the mapping from a position to the table after a capture or promotion.

use crate::endgame::{Endgame, Men};
use crate::layout::{Layout, Squares};
use crate::value::DRAW;
use bartizan_types::{Color, Piece, PieceType};
use std::sync::Arc;

/// A table with one byte per index.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) layout: Arc<Layout>,
    /// The codes by side to move. Symmetric endings only have those of white.
    pub(crate) codes: Vec<Vec<u8>>,
}

/// The number of sides to move that a table stores: one if both sides have the same pieces.
pub(crate) fn sides(endgame: &Endgame) -> usize {
    if endgame.material().is_symmetric() { 1 } else { 2 }
}

/// Exchanges the sides of a symmetric ending.
pub(crate) fn swap_sides(squares: &Squares, men: usize) -> Squares {
    let mut swapped = Squares::default();
    // Kings first, then equally many pieces of each side.
    let extra = (men - 2) / 2;
    for (slot, square) in swapped.iter_mut().enumerate().take(men) {
        let from = match slot {
            0 | 1 => 1 - slot,
            slot if slot < 2 + extra => slot + extra,
            slot => slot - extra,
        };
        *square = squares[from] ^ 56;
    }
    swapped
}

impl Solved {
    /// The code of a legal position. `None` if the kings are adjacent.
    #[inline]
    pub(crate) fn code(&self, squares: &Squares, turn: Color) -> Option<u8> {
        if turn.is_white() || self.codes.len() == 2 {
            return self.layout.place(squares).map(|place| self.codes[turn.index()][place.index]);
        }
        let swapped = swap_sides(squares, self.layout.pieces.len());
        self.layout.place(&swapped).map(|place| self.codes[0][place.index])
    }
}

/// The mapping to the table of the remaining pieces.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// `None` for two bare kings.
    table: Option<Arc<Solved>>,
    /// Whether white plays black's part in the table.
    swapped: bool,
    /// The slot of each piece of the table.
    slots: Men<usize>,
}

impl Link {
    /// The link for the pieces `after` a move, by slot; `None` marks a captured piece.
    ///
    /// Returns `None` if the table is missing.
    fn new(after: &Men<Option<Piece>>, find: &impl Fn(&Endgame) -> Option<Arc<Solved>>) -> Option<Self> {
        let Some((endgame, swapped)) = Endgame::new(after.iter().flatten().copied().collect()) else {
            return Some(Self { table: None, swapped: false, slots: Men::new() });
        };
        let mut left = after.clone();
        let mut slots = Men::new();
        for piece in endgame.pieces() {
            let wanted = if swapped { piece.flip_color() } else { piece };
            let slot = left.iter().position(|&piece| piece == Some(wanted))?;
            left[slot] = None;
            slots.push(slot);
        }
        Some(Self { table: Some(find(&endgame)?), swapped, slots })
    }

    /// The code for the side to move.
    #[inline]
    pub(crate) fn code(&self, squares: &Squares, turn: Color) -> u8 {
        let Some(table) = &self.table else { return DRAW };
        let mirror = if self.swapped { 56 } else { 0 };
        let mut inner = Squares::default();
        for (square, &slot) in inner.iter_mut().zip(&self.slots) {
            *square = squares[slot] ^ mirror;
        }
        table.code(&inner, if self.swapped { !turn } else { turn }).unwrap_or(DRAW)
    }
}

/// The links of an ending.
#[derive(Debug)]
pub(crate) struct Links {
    /// Indexed by the slot of the captured piece; kings have none.
    captures: Men<Option<Link>>,
    /// Indexed by the slot of the pawn, then of the captured piece (the last one for none), then by
    /// [`PieceType::PROMOTIONS`].
    promotions: Men<Vec<Vec<Link>>>,
}

impl Links {
    /// Finds the tables of all captures and promotions. The error is the first missing ending.
    pub(crate) fn new(layout: &Layout, find: &impl Fn(&Endgame) -> Option<Arc<Solved>>) -> Result<Self, Endgame> {
        if let Some(missing) = layout.endgame.successors().into_iter().find(|endgame| find(endgame).is_none()) {
            return Err(missing);
        }
        let pieces: Men<Option<Piece>> = layout.pieces.iter().copied().map(Some).collect();
        let men = pieces.len();
        let without = |captured: usize| {
            let mut after = pieces.clone();
            if let Some(piece) = after.get_mut(captured) {
                *piece = None;
            }
            after
        };
        let captures = (0..men).map(|slot| if slot < 2 { None } else { Link::new(&without(slot), find) }).collect();
        let promotions = (0..men).map(|pawn| {
            if layout.pieces[pawn].piece_type() != PieceType::Pawn {
                return Vec::new();
            }
            let links = (0..=men).map(|captured| {
                if captured < 2 || captured == pawn {
                    return Vec::new();
                }
                let promoted = PieceType::PROMOTIONS.into_iter().filter_map(|piece_type| {
                    let mut after = without(captured);
                    after[pawn] = Some(piece_type.of(layout.pieces[pawn].color()));
                    Link::new(&after, find)
                });
                promoted.collect()
            });
            links.collect()
        });
        Ok(Self { captures, promotions: promotions.collect() })
    }

    #[inline]
    pub(crate) fn capture(&self, captured: usize) -> Option<&Link> {
        self.captures[captured].as_ref()
    }

    /// The links of the four promotions.
    #[inline]
    pub(crate) fn promotions(&self, pawn: usize, captured: Option<usize>) -> &[Link] {
        let men = self.promotions.len();
        &self.promotions[pawn][captured.unwrap_or(men)]
    }
}
