//! The terms of the evaluation and their weights.
//!
//! This file lists the terms; the generated `values.txt` holds their weights. A term has one weight or a table of
//! weights. All tables are parts of one flat array, and a [`Trace`](crate::Trace) refers to weights by their index in
//! it.

#[cfg(feature = "tuning")]
mod live;
mod source;

#[cfg(feature = "tuning")]
pub use live::{WeightsError, disable, replace};
pub(crate) use source::WEIGHTS;
pub use source::write_source;

use bartizan_types::TaperedScore;

/// How the weights of a term enter the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WeightKind {
    /// Added for white and subtracted for black.
    Linear,
    /// Added up to the danger of a side's king; see [king danger](crate::value_of#king-danger).
    Safety,
    /// Added up to the complexity of the position, which favours the side that is ahead. Only the endgame half counts.
    Complexity,
}

/// A group of terms: a row of an [explanation](crate::explain()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermGroup {
    /// Piece values.
    Material,
    /// Piece-square tables.
    PieceSquares,
    /// Corrections for combinations of pieces.
    Imbalance,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Mobility.
    Mobility,
    /// Placement of single pieces.
    Pieces,
    /// Pawn shelter, pawn storm, king placement and castling rights.
    King,
    /// Attacks on the king.
    Danger,
    /// Attacks on other pieces.
    Threats,
    /// Space and control of the centre.
    Space,
    /// The right to move.
    Tempo,
    /// Winning chances of the side that is ahead in the endgame.
    Complexity,
}

impl TermGroup {
    /// All groups, in the order of an explanation.
    pub const ALL: [Self; 13] = [
        Self::Material,
        Self::PieceSquares,
        Self::Imbalance,
        Self::Pawns,
        Self::Passed,
        Self::Mobility,
        Self::Pieces,
        Self::King,
        Self::Danger,
        Self::Threats,
        Self::Space,
        Self::Tempo,
        Self::Complexity,
    ];

    /// The name of the group for tables and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::PieceSquares => "piece squares",
            Self::Imbalance => "imbalance",
            Self::Pawns => "pawns",
            Self::Passed => "passed pawns",
            Self::Mobility => "mobility",
            Self::Pieces => "pieces",
            Self::King => "king shelter",
            Self::Danger => "king danger",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Tempo => "tempo",
            Self::Complexity => "complexity",
        }
    }
}

/// A term of the evaluation, with one weight or a table of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Term {
    /// The name, as in the list of terms and in `values.txt`.
    pub name: &'static str,
    /// What the term counts, and how its table is indexed.
    pub about: &'static str,
    /// The index of its first weight in the flat array.
    pub offset: usize,
    /// The number of its weights.
    pub len: usize,
    /// How the weights enter the evaluation.
    pub kind: WeightKind,
    /// The group of an explanation to which the term belongs.
    pub group: TermGroup,
}

macro_rules! terms {
    ($($kind:ident $group:ident { $($(#[doc = $about:literal])+ $name:ident: $len:expr;)+ })+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($($name,)+)+ Last }

        const TERM_COUNT: usize = Order::Last as usize;
        const LENGTHS: [usize; TERM_COUNT] = [$($($len,)+)+];
        const OFFSETS: [usize; TERM_COUNT + 1] = offsets();

        $($(
            $(#[doc = $about])+
            pub(crate) const $name: Term = Term {
                name: stringify!($name),
                about: concat!($($about),+),
                offset: OFFSETS[Order::$name as usize],
                len: $len,
                kind: WeightKind::$kind,
                group: TermGroup::$group,
            };
        )+)+

        static TERMS: [Term; TERM_COUNT] = [$($($name,)+)+];
    };
}

const fn offsets() -> [usize; TERM_COUNT + 1] {
    let mut offsets = [0; TERM_COUNT + 1];
    let mut i = 0;
    while i < TERM_COUNT {
        offsets[i + 1] = offsets[i] + LENGTHS[i];
        i += 1;
    }
    offsets
}

/// The number of weights of all terms.
pub const COUNT: usize = OFFSETS[TERM_COUNT];

// A trace stores indices in 16 bits.
const _: () = assert!(COUNT <= u16::MAX as usize);

/// All terms, in the order of their offsets.
pub fn terms() -> &'static [Term] {
    &TERMS
}

/// The compiled-in weights, each a middlegame and an endgame half in centipawns.
pub fn default_values() -> Vec<(i16, i16)> {
    WEIGHTS.iter().copied().map(<(i16, i16)>::from).collect()
}

/// The term to which the weight at `index` of the flat array belongs.
///
/// # Panics
/// Panics unless `index` is below [`COUNT`].
pub fn term_of(index: usize) -> &'static Term {
    assert!(index < COUNT, "weight index {index} is not below {COUNT}");
    &TERMS[OFFSETS.partition_point(|&offset| offset <= index) - 1]
}

/// The weights in use: the compiled-in ones.
#[cfg(not(feature = "tuning"))]
#[inline(always)]
pub(crate) fn current() -> &'static [TaperedScore; COUNT] {
    &WEIGHTS
}

/// The weights in use: the compiled-in ones with all replacements.
#[cfg(feature = "tuning")]
pub(crate) use live::current;

/// The weight at `index` of a term's table.
#[inline(always)]
pub(crate) fn weight(term: Term, index: usize) -> TaperedScore {
    debug_assert!(index < term.len, "{}[{index}] of {}", term.name, term.len);
    current()[term.offset + index]
}

terms! {
    Linear Material {
        /// The value of a piece; by piece type, pawn to queen.
        MATERIAL: 5;
    }
    Linear PieceSquares {
        /// A piece on its square; by kings on the same wing (0) or opposite wings (1), piece type, and square (rank,
        /// then file). The square is relative to the owner, on a board mirrored so that the own king stands on files e
        /// to h.
        PIECE_SQUARE: 2 * 6 * 64;
    }
    Linear Imbalance {
        /// Two bishops or more.
        BISHOP_PAIR: 1;
        /// The bishop pair, for each own pawn.
        BISHOP_PAIR_PAWNS: 1;
        /// Pairs of an own piece and an own pawn; by knight, bishop, rook, queen.
        PIECE_WITH_PAWN: 4;
        /// Pairs of own pieces: NN, BN, RN, RB, RR, QN, QB, QR, QQ.
        PIECE_WITH_PIECE: 9;
        /// Pairs of an own piece and an enemy pawn; by knight, bishop, rook, queen.
        PIECE_AGAINST_PAWN: 4;
        /// Pairs of an own and an enemy piece: BvN, RvN, RvB, QvN, QvB, QvR.
        PIECE_AGAINST_PIECE: 6;
        /// The bishop pair, for each enemy piece; by knight, bishop, rook, queen.
        PAIR_AGAINST_PIECE: 4;
    }
    Linear Pawns {
        /// No own pawn on the adjacent files; by distance from the edge file, first with an enemy pawn ahead on its
        /// file, then without.
        PAWN_ISOLATED: 8;
        /// An own pawn ahead on its file; by distance from the edge file.
        PAWN_DOUBLED: 4;
        /// Doubled and isolated.
        PAWN_DOUBLED_ISOLATED: 1;
        /// All own pawns on the adjacent files are ahead, and an enemy pawn occupies or attacks its stop square; by
        /// rank, first with an enemy pawn ahead on its file, then without.
        PAWN_BACKWARD: 16;
        /// Defended by an own pawn; by rank.
        PAWN_SUPPORTED: 8;
        /// Defended by two own pawns.
        PAWN_SUPPORTED_TWICE: 1;
        /// An own pawn directly beside it; by rank.
        PAWN_PHALANX: 8;
        /// Supported or in a phalanx, without an enemy pawn ahead on its file; by rank.
        PAWN_CONNECTED_OPEN: 8;
        /// Blocked by an enemy pawn on its stop square; by rank.
        PAWN_RAMMED: 8;
        /// Attacked by two enemy pawns and not defended by an own pawn.
        PAWN_WEAK_LEVER: 1;
        /// Attacks an enemy pawn.
        PAWN_LEVER: 1;
        /// A pawn that can become passed with the support of own pawns; by rank, first with supporters behind it, then
        /// with enough of them directly beside it.
        PAWN_CANDIDATE: 16;
        /// Groups of own pawns on adjacent files.
        PAWN_ISLAND: 1;
    }
    Linear Passed {
        /// A passed pawn; by rank, in four tables: stop square occupied and attacked, occupied, attacked, neither.
        PASSED_RANK: 32;
        /// The path to promotion is empty and not attacked by the enemy; by rank.
        PASSED_PATH_SAFE: 8;
        /// An own piece defends the stop square; by rank.
        PASSED_STOP_DEFENDED: 8;
        /// King moves from the own king to the stop square; by rank, then distance.
        PASSED_OWN_KING: 64;
        /// King moves from the enemy king to the stop square; by rank, then distance.
        PASSED_ENEMY_KING: 64;
        /// A passed pawn; by distance from the edge file.
        PASSED_FILE: 4;
        /// An own passed pawn directly beside it, defending it or defended by it; by rank.
        PASSED_CONNECTED: 8;
        /// An enemy piece on the stop square: knight, bishop, rook, queen, king.
        PASSED_BLOCKED_BY: 5;
        /// An own rook or queen behind it.
        PASSED_ROOK_BEHIND: 1;
        /// An enemy rook or queen behind it.
        PASSED_ENEMY_BEHIND: 1;
        /// No other pawn within two files.
        PASSED_OUTSIDE: 1;
        /// The enemy has only king and pawns and cannot stop it.
        PASSED_UNSTOPPABLE: 1;
    }
    Linear Mobility {
        /// A knight; by number of squares it reaches in the mobility area.
        KNIGHT_MOBILITY: 9;
        /// A bishop; by number of squares it reaches in the mobility area, through queens.
        BISHOP_MOBILITY: 14;
        /// A rook; by number of squares it reaches in the mobility area, through queens and own rooks.
        ROOK_MOBILITY: 15;
        /// A queen; by number of squares it reaches in the mobility area.
        QUEEN_MOBILITY: 28;
        /// The king; by number of adjacent squares without an own piece that the enemy does not attack.
        KING_MOBILITY: 9;
    }
    Linear Pieces {
        /// A knight on ranks 4 to 6 on a square that no enemy pawn can ever attack; not defended, defended by a pawn.
        KNIGHT_OUTPOST: 2;
        /// A bishop on ranks 4 to 6 on a square that no enemy pawn can ever attack; not defended, defended by a pawn.
        BISHOP_OUTPOST: 2;
        /// A knight one move from an outpost that an own pawn defends.
        KNIGHT_OUTPOST_REACHABLE: 1;
        /// A minor piece on ranks 1 to 5 with a pawn of either side directly ahead; knight, bishop.
        MINOR_BEHIND_PAWN: 2;
        /// King moves from a minor piece to its own king; knight (8), bishop (8).
        MINOR_KING_DISTANCE: 16;
        /// Own pawns on squares of the bishop's colour.
        BISHOP_SAME_COLOR_PAWNS: 1;
        /// Own pawns on squares of the bishop's colour, for each blocked own pawn on files c to f.
        BISHOP_BLOCKED_CENTRE: 1;
        /// Enemy pawns on the bishop's diagonals, through all pieces.
        BISHOP_XRAY_PAWNS: 1;
        /// A bishop that sees two or more centre squares, through all pieces but pawns.
        BISHOP_LONG_DIAGONAL: 1;
        /// A bishop on the a- or h-file of rank 6 or 7, trapped by an enemy pawn.
        BISHOP_TRAPPED: 1;
        /// A rook on a half-open file, on an open file.
        ROOK_ON_FILE: 2;
        /// A rook on the file of a blocked own pawn.
        ROOK_CLOSED_FILE: 1;
        /// A rook on the seventh rank, with the enemy king on the eighth or enemy pawns on the seventh.
        ROOK_ON_SEVENTH: 1;
        /// A rook with few moves between its king and the edge; the king may still castle, may not.
        ROOK_TRAPPED: 2;
        /// A rook on the file of a queen of either side.
        ROOK_ON_QUEEN_FILE: 1;
        /// An enemy rook or bishop attacks the queen through exactly one piece.
        QUEEN_XRAYED: 1;
        /// A queen on ranks 5 to 8 on a square that no enemy pawn can ever attack.
        QUEEN_INFILTRATION: 1;
        /// Own pieces pinned to the king: pawn, knight, bishop, rook, queen.
        PINNED: 5;
    }
    Linear King {
        /// The nearest own pawn on each of the three files at the king; by distance from the edge file, then rank (0
        /// for none), first on the files beside the king, then on the king's file.
        KING_SHELTER: 64;
        /// The nearest enemy pawn on each of the three files at the king; by distance from the edge file, then rank (0
        /// for none), first not blocked, then blocked by an own pawn.
        KING_STORM: 64;
        /// King moves to the nearest pawn of either side; 0 without pawns.
        KING_PAWN_DISTANCE: 8;
        /// No pawn on the king's flank.
        KING_PAWNLESS_FLANK: 1;
        /// Squares on ranks 1 to 5 of the king's flank that the enemy attacks; those attacked twice count twice.
        KING_FLANK_ATTACKED: 1;
        /// The king's zone; by number of own pawns, knights and bishops in it.
        KING_DEFENDERS: 10;
        /// The right to castle kingside, queenside.
        CASTLING_RIGHT: 2;
    }
    Safety Danger {
        /// Constant, once two pieces (or one, if the attacker has a queen) attack the king's zone.
        DANGER_BASE: 1;
        /// An attack on the king; by number of pieces that attack the king's zone, at most 5.
        DANGER_ATTACKERS: 6;
        /// Pieces that attack the king's zone: knight, bishop, rook, queen.
        DANGER_ATTACKER: 4;
        /// Attacks by these pieces on squares beside the king.
        DANGER_ATTACKS: 1;
        /// Squares of the king's zone that pawns attack.
        DANGER_PAWN_ATTACKS: 1;
        /// Attacked squares in the king's zone that at most one piece defends, and that piece is the king or queen.
        DANGER_WEAK_SQUARES: 1;
        /// Squares from which a piece can safely give check: knight, bishop, rook, queen.
        DANGER_SAFE_CHECK: 4;
        /// Squares from which a piece can give check, but not safely: knight, bishop, rook, queen.
        DANGER_UNSAFE_CHECK: 4;
        /// The attacker has no queen.
        DANGER_NO_QUEEN: 1;
        /// A minor piece of the defender covers a square beside the king: knight, bishop.
        DANGER_DEFENDER: 2;
        /// The king; by number of adjacent squares to which it can safely move.
        DANGER_FLIGHTS: 9;
        /// Attacked squares on the defender's ranks 1 to 5 of the king's flank; those attacked twice count twice.
        DANGER_FLANK_ATTACK: 1;
        /// Defended squares on the defender's ranks 1 to 5 of the king's flank.
        DANGER_FLANK_DEFENCE: 1;
        /// Pieces of the defender pinned to its king.
        DANGER_BLOCKERS: 1;
        /// The defender's nearest pawn on each of the three files at the king; by rank (0 for none), first on the files
        /// beside the king, then on the king's file.
        DANGER_SHELTER: 16;
        /// The attacker's nearest pawn on each of the three files at the king; by rank (0 for none), first not blocked,
        /// then blocked by a pawn of the defender.
        DANGER_STORM: 16;
    }
    Linear Threats {
        /// Pieces attacked by a safe pawn: pawn (unused), knight, bishop, rook, queen.
        THREAT_BY_PAWN: 5;
        /// Pieces that a pawn can attack by a safe advance.
        THREAT_BY_PAWN_PUSH: 1;
        /// Pieces and weak pawns attacked by a knight or bishop: pawn, knight, bishop, rook, queen.
        THREAT_BY_MINOR: 5;
        /// Weak pieces and pawns attacked by a rook: pawn, knight, bishop, rook, queen.
        THREAT_BY_ROOK: 5;
        /// The king attacks a weak piece or pawn.
        THREAT_BY_KING: 1;
        /// Undefended pieces and pawns, and weak pieces attacked twice: pawn, knight, bishop, rook, queen.
        THREAT_HANGING: 5;
        /// Weak pieces and pawns that the queen defends.
        THREAT_QUEEN_DEFENDS: 1;
        /// Weak pieces attacked once and defended once, so that their defender is tied to them.
        THREAT_OVERLOADED: 1;
        /// Squares attacked by both sides that the enemy does not defend with a pawn or by superior numbers.
        THREAT_RESTRICTED: 1;
        /// Safe squares from which a piece would attack the only enemy queen: knight, bishop or rook.
        THREAT_ON_QUEEN: 2;
    }
    Linear Space {
        /// Squares on ranks 2 to 4 of files c to f without an own pawn and not attacked by an enemy pawn, times the
        /// square of the number of own men, divided by 256. Unattacked squares behind an own pawn count twice.
        SPACE: 1;
        /// Centre squares (d4, e4, d5, e5) attacked by own pieces and not by an enemy pawn.
        CENTRE_CONTROL: 1;
    }
    Linear Tempo {
        /// The side to move.
        TEMPO: 1;
    }
    Complexity Complexity {
        /// Constant.
        COMPLEXITY_BASE: 1;
        /// Pawns of both sides.
        COMPLEXITY_PAWNS: 1;
        /// Passed pawns of both sides.
        COMPLEXITY_PASSED: 1;
        /// Pawns on both wings.
        COMPLEXITY_BOTH_FLANKS: 1;
        /// Only kings and pawns on the board.
        COMPLEXITY_PAWN_ENDGAME: 1;
        /// Distance of the kings in files minus their distance in ranks, if positive.
        COMPLEXITY_OUTFLANKING: 1;
        /// A king in the enemy half of the board.
        COMPLEXITY_INFILTRATION: 1;
        /// Pawns on one wing only, and the kings at least as far apart in ranks as in files: hard to make progress.
        COMPLEXITY_STUCK: 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_contiguous() {
        let mut offset = 0;
        for term in terms() {
            assert_eq!(term.offset, offset, "{}", term.name);
            assert!(term.len > 0 && !term.about.trim().is_empty(), "{}", term.name);
            for index in offset..offset + term.len {
                assert_eq!(term_of(index).name, term.name);
            }
            offset += term.len;
        }
        assert_eq!(offset, COUNT);
    }

    #[test]
    fn the_committed_source_is_up_to_date() {
        assert_eq!(write_source(&default_values()), include_str!("values.txt"));
    }
}
