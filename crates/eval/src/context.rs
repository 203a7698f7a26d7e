//! Attack information shared by several terms, computed once for each side.

use crate::side::{Black, Side, White, ranks};
use crate::spans::king_zone;
use bartizan_attacks as attacks;
use bartizan_position::Position;
use bartizan_types::{Bitboard, ByColor, ByPieceType, PieceType, Square};

/// One side's pieces and the squares they attack.
#[derive(Clone, Copy)]
pub(crate) struct SideInfo {
    /// Pieces by type.
    pub(crate) pieces: ByPieceType<Bitboard>,
    /// All pieces.
    pub(crate) all: Bitboard,
    pub(crate) king: Square,
    /// Attacked squares by piece type. [`Context::enter`] adds knights, bishops, rooks and queens during the mobility
    /// term.
    pub(crate) attacked_by: ByPieceType<Bitboard>,
    /// Squares attacked by any piece.
    pub(crate) attacked: Bitboard,
    /// Squares attacked by two or more pieces.
    pub(crate) attacked_twice: Bitboard,
    /// Pieces of this side pinned to its king.
    pub(crate) pinned: Bitboard,
    /// Squares that count as mobility.
    pub(crate) mobility_area: Bitboard,
    /// The zone of this side's king, without squares that two of its pawns defend.
    pub(crate) zone: Bitboard,
    /// Number of this side's pieces that attack the enemy king's zone, by piece type.
    pub(crate) zone_attackers: ByPieceType<u32>,
    /// Number of attacks by these pieces on squares beside the enemy king.
    pub(crate) zone_attacks: u32,
}

impl SideInfo {
    fn new<S: Side>(position: &Position) -> Self {
        let all = position.color(S::US);
        let king = position.king(S::US);
        let pieces = ByPieceType(PieceType::ALL.map(|piece_type| all & position.by_type(piece_type)));
        let pawns = pieces[PieceType::Pawn];
        let by_pawns = attacks::pawns(S::US, pawns);
        let by_two_pawns = attacks::pawns_double(S::US, pawns);
        let by_king = attacks::king(king);
        let mut attacked_by = ByPieceType::default();
        attacked_by[PieceType::Pawn] = by_pawns;
        attacked_by[PieceType::King] = by_king;
        Self {
            pieces,
            all,
            king,
            attacked_by,
            attacked: by_pawns | by_king,
            attacked_twice: by_two_pawns | by_pawns & by_king,
            pinned: pinned::<S>(position, king),
            mobility_area: Bitboard::EMPTY,
            zone: king_zone(king) - by_two_pawns,
            zone_attackers: ByPieceType::default(),
            zone_attacks: 0,
        }
    }

    /// The pieces of a type.
    #[inline(always)]
    pub(crate) fn of(&self, piece_type: PieceType) -> Bitboard {
        self.pieces[piece_type]
    }

    /// The squares attacked by the pieces of a type.
    #[inline(always)]
    pub(crate) fn by(&self, piece_type: PieceType) -> Bitboard {
        self.attacked_by[piece_type]
    }

    /// Whether the side has only its king and pawns.
    #[inline(always)]
    pub(crate) fn only_pawns(&self) -> bool {
        self.all == self.of(PieceType::Pawn) | self.of(PieceType::King)
    }
}

/// The pieces of `S` pinned to its king: each is the only piece between the king and an enemy slider.
#[inline(always)]
fn pinned<S: Side>(position: &Position, king: Square) -> Bitboard {
    if position.turn() == S::US {
        return position.pinned();
    }
    position.scan_sliders(king, position.color(S::THEM), position.occupied()).blockers & position.color(S::US)
}

/// A position with the attack information of both sides.
pub(crate) struct Context<'p> {
    pub(crate) position: &'p Position,
    pub(crate) occupied: Bitboard,
    sides: ByColor<SideInfo>,
}

impl<'p> Context<'p> {
    #[inline]
    pub(crate) fn new(position: &'p Position) -> Self {
        let sides = ByColor([SideInfo::new::<White>(position), SideInfo::new::<Black>(position)]);
        let mut context = Self { position, occupied: position.occupied(), sides };
        context.set_mobility_area::<White>();
        context.set_mobility_area::<Black>();
        context
    }

    #[inline(always)]
    pub(crate) fn us<S: Side>(&self) -> &SideInfo {
        &self.sides[S::US]
    }

    #[inline(always)]
    pub(crate) fn them<S: Side>(&self) -> &SideInfo {
        &self.sides[S::THEM]
    }

    /// Excludes squares attacked by enemy pawns, the own king, and own pawns that are blocked or on ranks 2 and 3.
    #[inline(always)]
    fn set_mobility_area<S: Side>(&mut self) {
        let pawns = self.us::<S>().of(PieceType::Pawn);
        let low = pawns & (self.occupied.shift(S::DOWN) | ranks::<S>(1, 2));
        let king = self.us::<S>().of(PieceType::King);
        self.sides[S::US].mobility_area = !(low | king | self.them::<S>().by(PieceType::Pawn));
    }

    /// Records the attacks of a knight, bishop, rook or queen of `S`.
    #[inline(always)]
    pub(crate) fn enter<S: Side>(&mut self, piece_type: PieceType, attacked: Bitboard) {
        let zone = self.them::<S>().zone;
        let beside_king = self.them::<S>().by(PieceType::King);
        let side = &mut self.sides[S::US];
        side.attacked_twice |= side.attacked & attacked;
        side.attacked |= attacked;
        side.attacked_by[piece_type] |= attacked;
        if attacked.intersects(zone) {
            side.zone_attackers[piece_type] += 1;
            side.zone_attacks += (attacked & beside_king).count();
        }
    }
}
