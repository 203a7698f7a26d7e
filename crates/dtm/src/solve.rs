//! Retrograde analysis: computes the distances of an ending from those of the endings reached by captures and
//! promotions.
//!
//! Each position has a value and a counter of the moves that are not yet known to lose. First, every position is
//! visited once: captures and promotions are looked up in their tables, the other moves are counted. Then, for each
//! distance in ascending order, the positions with this distance are found and their moves taken back. A predecessor of
//! a loss is a win that is one ply longer. For a predecessor of a win, the counter decreases; once it is 0, the
//! position is a loss.
//!
//! A position with an en passant right has a separate cell, because its value differs from that of the same position
//! without the right. All moves except double steps lead to positions without the right.

use crate::endgame::Endgame;
use crate::layout::{Layout, Place, Squares, is_on_diagonal};
use crate::moves::{self, Known, NEVER};
use crate::solved::{Links, Solved, sides};
use crate::value::{DRAW, ILLEGAL, MATED, is_win};
use crate::work::Work;
use crate::{GenerateError, Step};
use bartizan_types::{Color, PieceType};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A value and a counter for each position. All accesses are relaxed: a pass never depends on its own writes, and
/// joining its threads orders the passes.
#[derive(Debug, Default)]
struct Cells {
    values: Vec<AtomicU8>,
    counters: Vec<AtomicU8>,
}

impl Cells {
    fn new(len: usize) -> Self {
        let zeros = || std::iter::repeat_with(AtomicU8::default).take(len).collect();
        Self { values: zeros(), counters: zeros() }
    }

    fn set(&self, cell: usize, (value, counter): (u8, u8)) {
        self.values[cell].store(value, Relaxed);
        self.counters[cell].store(counter, Relaxed);
    }

    /// Whether the value is `code` and final.
    #[inline]
    fn is(&self, cell: usize, code: u8) -> bool {
        self.values[cell].load(Relaxed) == code && (is_win(code) || self.counters[cell].load(Relaxed) == 0)
    }

    /// Records that a move leads to a final position, which would give the position before it the value `code`.
    #[inline]
    fn learn(&self, cell: usize, code: u8, weight: u8) {
        let value = &self.values[cell];
        if is_win(code) {
            let old = value.load(Relaxed);
            // Another thread may store the same code at the same time.
            if old != ILLEGAL && !(is_win(old) && old <= code) {
                value.store(code, Relaxed);
            }
        } else if self.counters[cell].fetch_sub(weight, Relaxed) == weight {
            // Only the thread that decreases the counter to 0 gets here. Captures may last longer.
            value.fetch_max(code, Relaxed);
        }
    }

    fn max(&self) -> u8 {
        let codes = self.values.iter().map(|value| value.load(Relaxed));
        codes.filter(|&code| code != ILLEGAL).max().unwrap_or(DRAW)
    }
}

/// The positions of one side to move in which a pawn can be captured en passant.
#[derive(Debug, Default)]
struct Passing {
    /// [`passing_key`], ascending.
    keys: Vec<u64>,
    cells: Cells,
}

/// A position and the file of the pawn that can be captured.
fn passing_key(index: usize, pawn: u8) -> u64 {
    (index as u64) << 3 | u64::from(pawn & 7)
}

impl Passing {
    fn new(mut found: Vec<(u64, (u8, u8))>) -> Self {
        found.sort_unstable();
        let cells = Cells::new(found.len());
        for (cell, &(_, values)) in found.iter().enumerate() {
            cells.set(cell, values);
        }
        Self { keys: found.into_iter().map(|(key, _)| key).collect(), cells }
    }

    #[inline]
    fn find(&self, index: usize, pawn: u8) -> Option<usize> {
        if self.keys.is_empty() {
            return None;
        }
        self.keys.binary_search(&passing_key(index, pawn)).ok()
    }
}

/// Solves an ending. `find` returns the tables of its successors.
pub(crate) fn solve(
    endgame: &Endgame,
    find: &impl Fn(&Endgame) -> Option<Arc<Solved>>,
    work: Work<'_>,
    report: &dyn Fn(Step),
) -> Result<Solved, GenerateError> {
    let layout = Arc::new(Layout::new(endgame));
    let links = Links::new(&layout, find).map_err(|missing| GenerateError::Missing { missing })?;
    let mut solver = Solver {
        cells: [Cells::new(layout.size()), Cells::new(layout.size())],
        passing: [Passing::default(), Passing::default()],
        layout: &layout,
        links: &links,
        work,
    };
    solver.look_at_moves(report)?;
    solver.take_back_moves(report)?;
    let Solver { cells, .. } = solver;
    let codes = cells.into_iter().take(sides(endgame)).map(finished).collect();
    Ok(Solved { layout, codes })
}

/// The final codes: what is neither won nor lost is drawn.
fn finished(cells: Cells) -> Vec<u8> {
    let Cells { values, counters } = cells;
    let code = |(value, counter): (AtomicU8, &AtomicU8)| {
        let value = value.into_inner();
        let is_open = value != ILLEGAL && !is_win(value) && counter.load(Relaxed) != 0;
        if is_open { DRAW } else { value }
    };
    values.into_iter().zip(&counters).map(code).collect()
}

struct Solver<'a> {
    cells: [Cells; 2],
    passing: [Passing; 2],
    layout: &'a Layout,
    links: &'a Links,
    work: Work<'a>,
}

impl Solver<'_> {
    fn too_long(&self) -> GenerateError {
        GenerateError::TooLong { endgame: self.layout.endgame }
    }

    fn look_at_moves(&mut self, report: &dyn Fn(Step)) -> Result<(), GenerateError> {
        let (layout, links) = (self.layout, self.links);
        let size = layout.size();
        for turn in Color::ALL {
            let mut found = Vec::new();
            let cells = &self.cells[turn.index()];
            self.work.parallel(
                size,
                |done| report(Step::Moves { done: (turn.index() * size + done) as u64, of: 2 * size as u64 }),
                |range| {
                    let (mut passing, mut too_long) = (Vec::new(), false);
                    for index in range {
                        let squares = layout.squares(index);
                        if !moves::is_legal(layout, &squares, turn)
                            || layout.place(&squares).is_none_or(|place| place.index != index)
                        {
                            cells.set(index, (ILLEGAL, NEVER));
                            continue;
                        }
                        let known = moves::known_moves(layout, links, &squares, turn);
                        too_long |= known.too_long;
                        cells.set(index, known.cell());
                        if layout.has_passing() {
                            self.look_at_passing(index, &squares, turn, known, &mut passing);
                        }
                    }
                    (passing, too_long)
                },
                |(passing, too_long)| {
                    found.extend(passing);
                    if too_long { Err(self.too_long()) } else { Ok(()) }
                },
            )?;
            self.passing[turn.index()] = Passing::new(found);
        }
        Ok(())
    }

    /// Adds the cells of a position with an en passant right.
    fn look_at_passing(
        &self,
        index: usize,
        squares: &Squares,
        turn: Color,
        known: Known,
        passing: &mut Vec<(u64, (u8, u8))>,
    ) {
        for pawn in moves::doubly_stepped(self.layout, squares, turn) {
            let (mut known, mut possible) = (known, false);
            moves::en_passant_captures(self.layout, self.links, squares, turn, pawn, |code| {
                known.add(code);
                possible = true;
            });
            if possible {
                passing.push((passing_key(index, squares[pawn]), known.cell()));
            }
        }
    }

    fn take_back_moves(&self, report: &dyn Fn(Step)) -> Result<(), GenerateError> {
        let cells = || self.cells.iter().chain(self.passing.iter().map(|passing| &passing.cells));
        let mut last = cells().map(Cells::max).max().unwrap_or(DRAW);
        let mut code = MATED;
        while code <= last {
            if code + 1 == ILLEGAL {
                return Err(self.too_long());
            }
            for turn in Color::ALL {
                if self.take_back(code, turn, report)? {
                    last = last.max(code + 1);
                }
            }
            code += 1;
        }
        Ok(())
    }

    /// Takes back the moves that lead to positions with a final value. Returns whether there are any.
    fn take_back(&self, code: u8, turn: Color, report: &dyn Fn(Step)) -> Result<bool, GenerateError> {
        let layout = self.layout;
        let (cells, passing) = (&self.cells[turn.index()], &self.passing[turn.index()]);
        let progress = |_| report(Step::Distance { plies: u16::from(code - 1) });
        let mut written = false;
        let take_back = |range: Range<usize>| {
            let mut any = false;
            for index in range {
                if !cells.is(index, code) {
                    continue;
                }
                any = true;
                let squares = layout.squares(index);
                let after = Place { index, squares, is_own_image: is_own_image(layout, &squares) };
                let is_passing = |pawn: usize| passing.find(index, squares[pawn]).is_some();
                moves::unmoves(layout, &squares, turn, is_passing, |before| {
                    self.learn(before, !turn, code + 1, Some(&after));
                });
            }
            any
        };
        self.work.parallel(layout.size(), progress, take_back, |any| -> Result<(), GenerateError> {
            written |= any;
            Ok(())
        })?;
        for cell in 0..passing.keys.len() {
            if passing.cells.is(cell, code) {
                let key = passing.keys[cell];
                let squares = layout.squares((key >> 3) as usize);
                let pawn = moves::doubly_stepped(layout, &squares, turn)
                    .find(|&pawn| passing_key(0, squares[pawn]) == key & 7);
                if let Some(before) = pawn.and_then(|pawn| moves::before_double_step(layout, &squares, pawn)) {
                    self.learn(&before, !turn, code + 1, None);
                    written = true;
                }
            }
        }
        Ok(written)
    }

    /// Applies the value of a move to the position before it, with every en passant right it may have.
    #[inline]
    fn learn(&self, before: &Squares, turn: Color, code: u8, after: Option<&Place>) {
        let Some(place) = self.layout.place(before) else { return };
        let weight = moves::weight(place.is_own_image, after.is_some_and(|after| after.is_own_image));
        self.cells[turn.index()].learn(place.index, code, weight);
        let passing = &self.passing[turn.index()];
        if !passing.keys.is_empty() {
            for &pawn in &self.layout.slots[(!turn).index()] {
                // There can only be a right if the pawn stands where a double step ends.
                if self.layout.pieces[pawn].piece_type() == PieceType::Pawn
                    && place.squares[pawn] >> 3 == if turn.is_white() { 4 } else { 3 }
                    && let Some(cell) = passing.find(place.index, place.squares[pawn])
                {
                    passing.cells.learn(cell, code, weight);
                }
            }
        }
    }
}

/// Whether the position is its own mirror image, which requires both kings to stand on the diagonal.
#[inline]
fn is_own_image(layout: &Layout, squares: &Squares) -> bool {
    is_on_diagonal(squares[0])
        && is_on_diagonal(squares[1])
        && layout.place(squares).is_some_and(|place| place.is_own_image)
}
