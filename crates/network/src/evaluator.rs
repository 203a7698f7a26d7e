//! The incremental evaluator of a search.

use crate::architecture::Perspective;
use crate::block::{self, Block};
use crate::level::Level;
use crate::network::Network;
use arrayvec::ArrayVec;
use bartizan_eval::Evaluator;
use bartizan_position::{NoObserver, Observer, Position};
use bartizan_types::{Bitboard, ByColor, Color, Move, Piece, Square, Value};
use std::sync::Arc;

/// The initial capacity in plies.
const PLIES: usize = 256;

/// Pieces that a move puts on or takes from squares; castling puts and takes two.
type Changes = ArrayVec<(Piece, Square), 2>;

/// A position of the line.
#[derive(Clone, Debug)]
struct Ply {
    /// How each side sees the board.
    views: ByColor<Perspective>,
    /// Whether the accumulator of each side is up to date.
    is_done: ByColor<bool>,
    put: Changes,
    taken: Changes,
}

impl Ply {
    fn new(views: ByColor<Perspective>) -> Self {
        Self { views, is_done: ByColor([false; 2]), put: Changes::new(), taken: Changes::new() }
    }
}

impl Observer for Ply {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        let _ = self.put.try_push((piece, square));
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        let _ = self.taken.try_push((piece, square));
    }
}

/// Two observers of the same move.
struct Both<'a, A, B>(&'a mut A, &'a mut B);

impl<A: Observer, B: Observer> Observer for Both<'_, A, B> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.0.put(piece, square);
        self.1.put(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.0.take(piece, square);
        self.1.take(piece, square);
    }

    #[inline]
    fn step(&mut self, piece: Piece, from: Square, to: Square) {
        self.0.step(piece, from, to);
        self.1.step(piece, from, to);
    }
}

/// The board of a cached accumulator.
type Board = [Bitboard; Piece::COUNT];

/// A network with its accumulators.
///
/// A move is only recorded; the accumulators are updated when a position is evaluated, and half of the positions of a
/// search never are. When a king moves into a different view, the accumulator is computed from the last one in that
/// view and the pieces that differ.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    /// One entry for each ply; the last belongs to the current position.
    line: Vec<Ply>,
    /// Accumulators: for each ply, those of White and of Black.
    accumulators: Vec<Block>,
    /// For each side and view, the last accumulator computed and its board.
    seen: Vec<Block>,
    seen_boards: Vec<Board>,
}

impl NetworkEvaluator {
    /// Creates an evaluator without a position; call [`Evaluator::reset`] before any other method. Evaluators share the
    /// weights; the accumulators of each take 1 KiB for each hidden neuron: 2 bytes for 2 sides at 256 plies.
    pub fn new(network: Arc<Network>) -> Self {
        let blocks = network.blocks();
        let views = 2 * network.architecture().king_bucket_count();
        let seen = network.empty().iter().copied().cycle().take(2 * views * blocks).collect();
        Self {
            line: Vec::with_capacity(PLIES),
            accumulators: vec![Block::ZERO; PLIES * 2 * blocks],
            seen,
            seen_boards: vec![[Bitboard::EMPTY; Piece::COUNT]; 2 * views],
            network,
        }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Makes a move on `position` like [`Evaluator::play`], and reports each change of the board to `other`.
    #[inline]
    pub(crate) fn play_observed(&mut self, position: &mut Position, mv: Move, other: &mut impl Observer) {
        let mut ply = Ply::new(self.last_views(position));
        position.make_observed(mv, &mut Both(&mut ply, other));
        // Only the view of the side that has moved can change.
        let mover = !position.turn();
        ply.views[mover] = self.network.architecture().view(mover, position.king(mover));
        self.push(ply);
    }

    fn views(&self, position: &Position) -> ByColor<Perspective> {
        ByColor::from_fn(|color| self.network.architecture().view(color, position.king(color)))
    }

    /// The views of the last ply; those of `position` if there is none.
    #[inline]
    fn last_views(&self, position: &Position) -> ByColor<Perspective> {
        self.line.last().map_or_else(|| self.views(position), |ply| ply.views)
    }

    #[inline]
    fn push(&mut self, ply: Ply) {
        self.line.push(ply);
        let needed = self.line.len() * 2 * self.network.blocks();
        if needed > self.accumulators.len() {
            self.accumulators.resize(2 * needed, Block::ZERO);
        }
    }

    /// The start of the accumulator of a side at a ply.
    #[inline]
    fn start(&self, ply: usize, color: Color) -> usize {
        (2 * ply + color.index()) * self.network.blocks()
    }

    /// Brings the accumulator of a side up to date at the last ply.
    #[inline(always)]
    fn bring_up_to_date(&mut self, position: &Position, color: Color) {
        let Some(last) = self.line.len().checked_sub(1) else { return };
        let view = self.line[last].views[color];
        let mut from = last;
        while !self.line[from].is_done[color] {
            if from == 0 || self.line[from - 1].views[color] != view {
                self.refresh(position, color, view, last);
                return;
            }
            from -= 1;
        }
        for ply in from + 1..=last {
            self.follow(ply, color, view);
        }
    }

    /// Computes an accumulator from that of the previous ply.
    #[inline(always)]
    fn follow(&mut self, ply: usize, color: Color, view: Perspective) {
        let blocks = self.network.blocks();
        let (before, after) = (self.start(ply - 1, color), self.start(ply, color));
        let (done, open) = self.accumulators.split_at_mut(after);
        let (from, to) = (&done[before..][..blocks], &mut open[..blocks]);
        let Ply { put, taken, is_done, .. } = &mut self.line[ply];
        let row = |&(piece, square): &(Piece, Square)| self.network.row(view.input(piece, square));
        match (put.as_slice(), taken.as_slice()) {
            ([put], [taken]) => block::update(from, to, [row(put)], [row(taken)]),
            ([put], [first, second]) => block::update(from, to, [row(put)], [row(first), row(second)]),
            ([one, two], [first, second]) => {
                block::update(from, to, [row(one), row(two)], [row(first), row(second)]);
            }
            (put, taken) => {
                to.copy_from_slice(from);
                put.iter().for_each(|change| block::add(to, row(change)));
                taken.iter().for_each(|change| block::subtract(to, row(change)));
            }
        }
        is_done[color] = true;
    }

    /// Computes the accumulator of a ply from the last one in its view.
    #[inline(always)]
    fn refresh(&mut self, position: &Position, color: Color, view: Perspective, ply: usize) {
        let (blocks, start) = (self.network.blocks(), self.start(ply, color));
        let index = color.index() * self.seen_boards.len() / 2 + view.index();
        let sums = &mut self.seen[index * blocks..][..blocks];
        for (piece, seen) in Piece::ALL.into_iter().zip(&mut self.seen_boards[index]) {
            let now = position.pieces(piece.color(), piece.piece_type());
            for square in now - *seen {
                block::add(sums, self.network.row(view.input(piece, square)));
            }
            for square in *seen - now {
                block::subtract(sums, self.network.row(view.input(piece, square)));
            }
            *seen = now;
        }
        self.accumulators[start..][..blocks].copy_from_slice(sums);
        self.line[ply].is_done[color] = true;
    }

    // Not inlined, so that its loops are optimised in this crate even if the calling crates are built without
    // optimisation.
    fn evaluate_at(&mut self, level: Level, position: &Position) -> Value {
        if self.line.is_empty() {
            return self.network.evaluate_at(level, position);
        }
        level.run(
            #[inline(always)]
            || {
                for color in Color::ALL {
                    self.bring_up_to_date(position, color);
                }
                let (last, blocks) = (self.line.len() - 1, self.network.blocks());
                let accumulator = |color| &self.accumulators[self.start(last, color)..][..blocks];
                let bucket = self.network.architecture().output(position);
                self.network.output(level, bucket, accumulator(position.turn()), accumulator(!position.turn()))
            },
        )
    }
}

impl Evaluator for NetworkEvaluator {
    fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.push(Ply::new(self.views(position)));
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        self.play_observed(position, mv, &mut NoObserver);
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        position.make_null_unchecked();
        self.push(Ply::new(self.last_views(position)));
    }

    #[inline]
    fn undo(&mut self) {
        self.line.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        self.evaluate_at(Level::best(), position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Architecture, KING_SQUARES, NetworkOrigin, NetworkWeights, Quantisation};
    use bartizan_testkit::random_positions;
    use bartizan_types::SplitMix64;

    /// All levels that this processor supports give the same values, from scratch and incrementally.
    #[test]
    fn levels_agree() {
        let king_buckets: [u8; KING_SQUARES] = std::array::from_fn(|square| square as u8 / 8);
        for (hidden, outputs) in [(32, 1), (96, 8), (512, 3)] {
            let architecture = Architecture::new(hidden, king_buckets, outputs).unwrap();
            let mut random = SplitMix64::new(hidden as u64);
            let mut shorts =
                |count, most| (0..count).map(|_| random.below(2 * most + 1) as i16 - most as i16).collect::<Vec<_>>();
            let weights = NetworkWeights {
                input: shorts(architecture.inputs() * hidden, 1_000),
                hidden_bias: shorts(hidden, 700),
                output: shorts(2 * hidden * outputs, (30_000 / hidden).min(128)),
                output_bias: vec![0; outputs],
            };
            let network = Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default()).unwrap();
            let network = Arc::new(network);
            let mut evaluators = Level::all().map(|level| (level, NetworkEvaluator::new(Arc::clone(&network))));
            let mut values = std::collections::HashSet::new();
            for position in random_positions(2).step_by(5).take(10) {
                evaluators.iter_mut().for_each(|(_, evaluator)| evaluator.reset(&position));
                for mv in position.legal_moves() {
                    let mut child = position.clone();
                    child.make_unchecked(mv);
                    let expected = network.evaluate_at(Level::Portable, &child);
                    for (level, evaluator) in &mut evaluators {
                        evaluator.play(&mut position.clone(), mv);
                        let from_scratch = network.evaluate_at(*level, &child);
                        let updated = evaluator.evaluate_at(*level, &child);
                        evaluator.undo();
                        assert_eq!([from_scratch, updated], [expected; 2], "{level:?}: {}", child.to_fen());
                    }
                    values.insert(expected);
                }
            }
            assert!(values.len() > 100, "only {} values", values.len());
        }
    }
}
