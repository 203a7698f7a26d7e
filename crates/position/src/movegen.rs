//! Generating legal moves.
//!
//! The generator is legal from the start: pins and checks limit the targets of each piece before a move is made of them,
//! so that nothing has to be tried and taken back. It hands out sets of targets to a [`MoveSink`], which makes a list of
//! them, counts them, or does what it likes.

use crate::Position;
use arrayvec::ArrayVec;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, CastlingSide, Color, Direction, Move, PieceType, Rank, Square};

/// The most moves that a list holds: 15 queens with 27 moves each, and a king with 8 and 2 castlings, are 415, and a
/// [`Position`] never has more than 16 pieces a side. (A position that can arise in a game has 218 at most.)
pub const MAX_MOVES: usize = 416;

/// A list of moves, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Which of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Stage {
    /// Every legal move. In check, these are the evasions.
    All,
    /// Captures, en passant, and all promotions.
    Captures,
    /// Everything that is not in `Captures`; castling included.
    Quiets,
}

/// Takes what the generator finds, as sets of targets.
pub trait MoveSink {
    /// A knight, bishop, rook, queen or king on `from` may go to any square of `to`.
    fn piece(&mut self, piece_type: PieceType, from: Square, to: Bitboard);
    /// A pawn may go to each square of `to`, having come from `behind` squares lower (negative for black).
    fn pawns(&mut self, to: Bitboard, behind: i8);
    /// As [`MoveSink::pawns`], onto the last rank: four promotions for each square.
    fn promotions(&mut self, to: Bitboard, behind: i8);
    /// A pawn may take in passing.
    fn en_passant(&mut self, from: Square, to: Square);
    /// The king may castle with the rook on `rook`.
    fn castling(&mut self, king: Square, rook: Square);
}

/// The square from which a pawn came to `to`.
#[inline]
pub(crate) fn origin(to: Square, behind: i8) -> Square {
    Square::from_index((to.index() as i32 - i32::from(behind)) as usize)
}

/// Counts moves without making them.
#[derive(Default)]
struct Counter(u32);

impl MoveSink for Counter {
    #[inline]
    fn piece(&mut self, _: PieceType, _: Square, to: Bitboard) {
        self.0 += to.count();
    }
    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count();
    }
    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += 4 * to.count();
    }
    #[inline]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    #[inline]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Hands each single move to a function.
struct ForEach<F>(F);

impl<F: FnMut(Move)> MoveSink for ForEach<F> {
    #[inline]
    fn piece(&mut self, _: PieceType, from: Square, to: Bitboard) {
        for to in to {
            (self.0)(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            (self.0)(Move::normal(origin(to, behind), to));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            for piece_type in PieceType::PROMOTIONS {
                (self.0)(Move::promotion(origin(to, behind), to, piece_type));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        (self.0)(Move::en_passant(from, to));
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        (self.0)(Move::castling(king, rook));
    }
}

impl Position {
    /// Hands the legal moves of a stage to a sink, as sets of targets, in no particular order. [`Position::for_each_move`]
    /// hands out single moves.
    #[inline]
    pub fn generate<S: MoveSink>(&self, stage: Stage, sink: &mut S) {
        match self.turn() {
            Color::White => self.generate_for::<true, S>(stage, sink),
            Color::Black => self.generate_for::<false, S>(stage, sink),
        }
    }

    /// Calls a function with each legal move of a stage, in no particular order.
    #[inline]
    pub fn for_each_move(&self, stage: Stage, f: impl FnMut(Move)) {
        self.generate(stage, &mut ForEach(f));
    }

    /// The legal moves of a stage.
    #[inline]
    pub fn moves(&self, stage: Stage) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(stage, |mv| list.push(mv));
        list
    }

    /// How many legal moves there are, without making a list of them.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter::default();
        self.generate(Stage::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move at all.
    pub fn has_legal_move(&self) -> bool {
        // The king first: it mostly has a move, and in a double check nothing else has.
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate_for<const WHITE: bool, S: MoveSink>(&self, stage: Stage, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let ours = self.color(us);
        let theirs = self.color(!us);
        let wanted = match stage {
            Stage::All => !ours,
            Stage::Captures => theirs,
            Stage::Quiets => !(ours | theirs),
        };
        let king = self.king(us);
        let checkers = self.checkers();

        self.king_moves(us, king, wanted, stage != Stage::Captures, sink);
        if checkers.has_many() {
            return;
        }
        // In check, a piece must take the checker or step between.
        let evading = match checkers.first() {
            Some(checker) => attacks::between(king, checker) | checkers,
            None => Bitboard::ALL,
        };
        self.piece_moves(us, king, wanted & evading, sink);
        self.pawn_moves::<WHITE, S>(king, stage, evading, sink);
    }

    #[inline]
    fn king_moves<S: MoveSink>(&self, us: Color, king: Square, wanted: Bitboard, quiets: bool, sink: &mut S) {
        let targets = attacks::king(king) & wanted;
        let mut castling = Bitboard::EMPTY;
        if quiets && !self.in_check() {
            for rook in self.castling().rooks_of(us) {
                if self.castling_is_free(us, king, rook) {
                    castling |= rook.bitboard();
                }
            }
        }
        // What the enemy attacks costs more than all the rest: mostly nothing asks for it.
        if (targets | castling).is_empty() {
            return;
        }
        // The king itself must not hide the squares behind it.
        let attacked = self.attacked_by(!us, self.occupied() ^ king.bitboard());
        let safe = targets - attacked;
        if safe.any() {
            sink.piece(PieceType::King, king, safe);
        }
        for rook in castling {
            if !self.castling_way(us, king, rook).intersects(attacked) {
                sink.castling(king, rook);
            }
        }
    }

    /// The squares that the king crosses and reaches.
    #[inline]
    fn castling_way(&self, us: Color, king: Square, rook: Square) -> Bitboard {
        let king_to = CastlingSide::of(king, rook).king_target(us);
        attacks::between(king, king_to) | king_to.bitboard()
    }

    /// Whether nothing stands in the way of king and rook, and the rook is not pinned: in Chess960 it may be all that
    /// stands between the king and an enemy rook.
    #[inline]
    pub(crate) fn castling_is_free(&self, us: Color, king: Square, rook: Square) -> bool {
        let rook_to = CastlingSide::of(king, rook).rook_target(us);
        let rook_way = attacks::between(rook, rook_to) | rook_to.bitboard();
        let others = self.occupied() - king.bitboard() - rook.bitboard();
        !(self.castling_way(us, king, rook) | rook_way).intersects(others) && !self.pinned().contains(rook)
    }

    /// Whether the king crosses and reaches no attacked square.
    pub(crate) fn castling_is_safe(&self, us: Color, king: Square, rook: Square) -> bool {
        let attacked = self.attacked_by(!us, self.occupied() ^ king.bitboard());
        !self.castling_way(us, king, rook).intersects(attacked)
    }

    #[inline]
    fn piece_moves<S: MoveSink>(&self, us: Color, king: Square, wanted: Bitboard, sink: &mut S) {
        let ours = self.color(us);
        let occupied = self.occupied();
        let pinned = self.pinned();
        let free = ours - pinned;
        for from in self.by_type(PieceType::Knight) & free {
            sink.piece(PieceType::Knight, from, attacks::knight(from) & wanted);
        }
        for from in self.by_type(PieceType::Bishop) & free {
            sink.piece(PieceType::Bishop, from, attacks::bishop(from, occupied) & wanted);
        }
        for from in self.by_type(PieceType::Rook) & free {
            sink.piece(PieceType::Rook, from, attacks::rook(from, occupied) & wanted);
        }
        for from in self.by_type(PieceType::Queen) & free {
            sink.piece(PieceType::Queen, from, attacks::queen(from, occupied) & wanted);
        }
        // A pinned piece stays on the line of its pin; a pinned knight cannot.
        if pinned.any() {
            for from in self.diagonal_sliders() & pinned {
                let to = attacks::bishop(from, occupied) & wanted & attacks::line(king, from);
                sink.piece(self.slider_type(from), from, to);
            }
            for from in self.orthogonal_sliders() & pinned {
                let to = attacks::rook(from, occupied) & wanted & attacks::line(king, from);
                sink.piece(self.slider_type(from), from, to);
            }
        }
    }

    #[inline]
    fn slider_type(&self, square: Square) -> PieceType {
        self.piece_at(square).map_or(PieceType::Queen, |piece| piece.piece_type())
    }

    #[inline]
    fn pawn_moves<const WHITE: bool, S: MoveSink>(&self, king: Square, stage: Stage, evading: Bitboard, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, up_west, up_east) = if WHITE {
            (Direction::North, Direction::NorthWest, Direction::NorthEast)
        } else {
            (Direction::South, Direction::SouthWest, Direction::SouthEast)
        };
        // How far a step goes in square numbers.
        let (behind, behind_west, behind_east): (i8, i8, i8) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let last = us.relative_rank(Rank::Eighth).bitboard();
        let empty = !self.occupied();
        let theirs = self.color(!us);
        let pawns = self.pieces(us, PieceType::Pawn);
        let pinned = self.pinned();

        // A pinned pawn may still move along its pin: push on the king's file, take on the king's diagonal.
        let (pushers, west_takers, east_takers) = if (pawns & pinned).is_empty() {
            (pawns, pawns, pawns)
        } else {
            let free = pawns - pinned;
            let (rising, falling) = attacks::diagonals(king);
            let (west, east) = if WHITE { (falling, rising) } else { (rising, falling) };
            (free | pawns & king.file().bitboard(), free | pawns & west, free | pawns & east)
        };

        let single = pushers.shift(up) & empty;
        if stage != Stage::Captures {
            let double = (single & us.relative_rank(Rank::Third).bitboard()).shift(up) & empty & evading;
            sink.pawns(single & (evading - last), behind);
            sink.pawns(double, 2 * behind);
        }
        let west = west_takers.shift(up_west) & theirs & evading;
        let east = east_takers.shift(up_east) & theirs & evading;
        if stage != Stage::Quiets {
            sink.pawns(west - last, behind_west);
            sink.pawns(east - last, behind_east);
            let push = single & evading;
            if ((push | west | east) & last).any() {
                sink.promotions(push & last, behind);
                sink.promotions(west & last, behind_west);
                sink.promotions(east & last, behind_east);
            }
            if let Some(to) = self.en_passant() {
                for from in attacks::pawn(!us, to) & pawns {
                    if self.en_passant_is_legal(from, to) {
                        sink.en_passant(from, to);
                    }
                }
            }
        }
    }

    /// Whether the king is safe after an en passant capture. Two pawns leave a rank at once, so pins do not tell.
    pub(crate) fn en_passant_is_legal(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        let king = self.king(us);
        let victim = Square::new(to.file(), from.rank());
        let occupied = (self.occupied() ^ from.bitboard() ^ victim.bitboard()) | to.bitboard();
        let theirs = self.color(!us) - victim.bitboard();
        let sliders = self.sliders_attacking(king, occupied);
        let leapers =
            (self.checkers() - victim.bitboard()) & (self.by_type(PieceType::Knight) | self.by_type(PieceType::Pawn));
        (sliders & theirs | leapers).is_empty()
    }
}
