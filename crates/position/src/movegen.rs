//! Legal move generation.
//!
//! The generator restricts the targets of each piece by pins and checks, so every generated move is legal without
//! further tests. It passes sets of targets to a [`MoveSink`], which collects moves, counts them, or processes them in
//! any other way.

use crate::Position;
use arrayvec::ArrayVec;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, CastlingSide, Color, Direction, Move, PieceType, Rank, Square};

/// The capacity of a [`MoveList`].
///
/// A [`Position`] has at most 16 pieces per side: 15 queens with 27 moves each and a king with 8 moves and 2 castling
/// moves make 415 moves. Positions that can arise in a game have at most 218.
pub const MAX_MOVES: usize = 416;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The part of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MoveGenStage {
    /// All legal moves. In check, these are the evasions.
    All,
    /// Captures, en passant included, and all promotions.
    Captures,
    /// All other moves, castling included.
    Quiets,
}

/// Receives the generated moves as sets of targets, some of which are empty.
pub trait MoveSink {
    /// Whether a queen that is not pinned may arrive in two calls of [`MoveSink::piece`], as a bishop and as a rook.
    /// This saves a loop where only the squares matter. A pinned queen always arrives as a queen in two calls, at least
    /// one of them with an empty set.
    const SPLITS_QUEENS: bool = false;

    /// A knight, bishop, rook, queen or king on `from` can move to each square of `to`.
    fn piece(&mut self, piece_type: PieceType, from: Square, to: Bitboard);
    /// A pawn can move to each square of `to`. Its origin is [`pawn_origin`]: the square with the index of the
    /// target minus `behind`, which is negative for black.
    fn pawns(&mut self, to: Bitboard, behind: i8);
    /// Like [`MoveSink::pawns`], with targets on the last rank: four promotions for each square.
    fn promotions(&mut self, to: Bitboard, behind: i8);
    /// A pawn can capture en passant.
    fn en_passant(&mut self, from: Square, to: Square);
    /// The king can castle with the rook on `rook`.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Up to this number of squares beside the king are tested one by one. For more, all squares that the opponent attacks
/// are computed at once.
const SQUARES_TESTED_ONE_BY_ONE: u32 = 2;

/// The origin of a pawn move of a [`MoveSink`].
#[inline]
pub fn pawn_origin(to: Square, behind: i8) -> Square {
    Square::from_index((to.index() as i32 - i32::from(behind)) as usize)
}

/// Counts moves without creating them.
#[derive(Default)]
struct Counter(u32);

impl MoveSink for Counter {
    const SPLITS_QUEENS: bool = true;

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

/// Passes each move to a function.
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
            (self.0)(Move::normal(pawn_origin(to, behind), to));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            for piece_type in PieceType::PROMOTIONS {
                (self.0)(Move::promotion(pawn_origin(to, behind), to, piece_type));
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
    /// Passes the legal moves of a stage to `sink` as sets of targets, in no particular order. For single moves, use
    /// [`Position::for_each_move`].
    #[inline]
    pub fn generate<S: MoveSink>(&self, stage: MoveGenStage, sink: &mut S) {
        match self.turn() {
            Color::White => self.generate_for::<true, S>(stage, sink),
            Color::Black => self.generate_for::<false, S>(stage, sink),
        }
    }

    /// Calls `f` with each legal move of a stage, in no particular order.
    #[inline]
    pub fn for_each_move(&self, stage: MoveGenStage, f: impl FnMut(Move)) {
        self.generate(stage, &mut ForEach(f));
    }

    /// The legal moves of a stage.
    #[inline]
    pub fn moves(&self, stage: MoveGenStage) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(stage, |mv| list.push(mv));
        list
    }

    /// Counts the legal moves without creating them.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter::default();
        self.generate(MoveGenStage::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate_for<const WHITE: bool, S: MoveSink>(&self, stage: MoveGenStage, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let ours = self.color(us);
        let theirs = self.color(!us);
        let wanted = match stage {
            MoveGenStage::All => !ours,
            MoveGenStage::Captures => theirs,
            MoveGenStage::Quiets => !(ours | theirs),
        };
        let king = self.king(us);
        let checkers = self.checkers();

        self.king_moves(us, king, wanted, stage != MoveGenStage::Captures, sink);
        if checkers.has_many() {
            return;
        }
        // In check, a piece must capture the checker or interpose.
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
        // Computing the attacked squares is the most expensive part, and the king seldom has a target.
        if (targets | castling).is_empty() {
            return;
        }
        // The king must not shield the squares behind it.
        let occupied = self.occupied() ^ king.bitboard();
        if castling.is_empty() && targets.count() <= SQUARES_TESTED_ONE_BY_ONE {
            let attacked = |&to: &Square| self.attackers_to(to, occupied, !us).any();
            let safe: Bitboard = targets.into_iter().filter(|to| !attacked(to)).collect();
            if safe.any() {
                sink.piece(PieceType::King, king, safe);
            }
            return;
        }
        let attacked = self.attacked_by(!us, occupied);
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

    /// The squares that the king passes and reaches when it castles.
    #[inline]
    fn castling_way(&self, us: Color, king: Square, rook: Square) -> Bitboard {
        let king_to = CastlingSide::of(king, rook).king_target(us);
        attacks::between(king, king_to) | king_to.bitboard()
    }

    /// Whether the squares that king and rook pass are empty and the rook is not pinned. In Chess960, castling with a
    /// pinned rook may expose the king.
    #[inline]
    pub(crate) fn castling_is_free(&self, us: Color, king: Square, rook: Square) -> bool {
        let rook_to = CastlingSide::of(king, rook).rook_target(us);
        let rook_way = attacks::between(rook, rook_to) | rook_to.bitboard();
        let others = self.occupied() - king.bitboard() - rook.bitboard();
        !(self.castling_way(us, king, rook) | rook_way).intersects(others) && !self.pinned().contains(rook)
    }

    /// Whether the king passes and reaches only squares that are not attacked.
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
        let queens = self.by_type(PieceType::Queen);
        let split = if S::SPLITS_QUEENS { queens } else { Bitboard::EMPTY };
        for from in (self.by_type(PieceType::Bishop) | split) & free {
            sink.piece(PieceType::Bishop, from, attacks::bishop(from, occupied) & wanted);
        }
        for from in (self.by_type(PieceType::Rook) | split) & free {
            sink.piece(PieceType::Rook, from, attacks::rook(from, occupied) & wanted);
        }
        for from in (queens - split) & free {
            sink.piece(PieceType::Queen, from, attacks::queen(from, occupied) & wanted);
        }
        // A pinned piece must stay on the line of its pin. A pinned knight never can.
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
        self.piece_type_at(square).unwrap_or(PieceType::Queen)
    }

    #[inline]
    fn pawn_moves<const WHITE: bool, S: MoveSink>(
        &self,
        king: Square,
        stage: MoveGenStage,
        evading: Bitboard,
        sink: &mut S,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, up_west, up_east) = if WHITE {
            (Direction::North, Direction::NorthWest, Direction::NorthEast)
        } else {
            (Direction::South, Direction::SouthWest, Direction::SouthEast)
        };
        // The differences of square indices.
        let (behind, behind_west, behind_east): (i8, i8, i8) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let last = us.relative_rank(Rank::Eighth).bitboard();
        let empty = !self.occupied();
        let theirs = self.color(!us);
        let pawns = self.pieces(us, PieceType::Pawn);
        let pinned = self.pinned();

        // A pinned pawn may move along its pin: push on the king's file, capture on a diagonal of the king.
        let (pushers, west_takers, east_takers) = if (pawns & pinned).is_empty() {
            (pawns, pawns, pawns)
        } else {
            let free = pawns - pinned;
            let (rising, falling) = attacks::diagonals(king);
            let (west, east) = if WHITE { (falling, rising) } else { (rising, falling) };
            (free | pawns & king.file().bitboard(), free | pawns & west, free | pawns & east)
        };

        let single = pushers.shift(up) & empty;
        if stage != MoveGenStage::Captures {
            let double = (single & us.relative_rank(Rank::Third).bitboard()).shift(up) & empty & evading;
            sink.pawns(single & (evading - last), behind);
            sink.pawns(double, 2 * behind);
        }
        let west = west_takers.shift(up_west) & theirs & evading;
        let east = east_takers.shift(up_east) & theirs & evading;
        if stage != MoveGenStage::Quiets {
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

    /// Whether the king is safe after an en passant capture. Pin detection is not enough here, because two pawns leave
    /// the rank at once.
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
