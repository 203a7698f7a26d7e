//! The weights of the evaluation: which terms there are, and what each is worth.
//!
//! The list of terms stands here, one line each; the numbers stand in `values.rs`, which the tuner writes by
//! [`write_source`]. A term has one weight or a table of them; all tables lie one behind the other in one flat array, and
//! an index into that array is what a [`Trace`](crate::Trace) counts.

#[rustfmt::skip]
mod values;
#[cfg(feature = "tuning")]
mod live;
mod source;

#[cfg(feature = "tuning")]
pub use live::{Frozen, replace, without};
pub use source::write_source;
pub(crate) use values::WEIGHTS;

use bartizan_types::Score;

/// How a term enters the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Its weights are added for white and subtracted for black.
    Linear,
    /// Its weights add up to the danger that a side brings to the other's king; see
    /// [`Danger`](crate::value_of#king-danger).
    Safety,
    /// Its endgame weights add up to how much there is to play for, whoever is ahead; middlegame halves are not used.
    Complexity,
}

/// The rows of an [explanation](crate::explain()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names say all.
pub enum Group {
    Material,
    PieceSquares,
    Imbalance,
    Pawns,
    Passed,
    Mobility,
    Pieces,
    King,
    Danger,
    Threats,
    Space,
    Tempo,
    Complexity,
}

impl Group {
    /// All groups, in the order of the rows.
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

    /// What to call it in a table.
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

/// One term: a weight or a table of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name, as in the list of terms and in `values.rs`.
    pub name: &'static str,
    /// What it counts, and how its table is indexed.
    pub about: &'static str,
    /// Where its table begins in the flat array.
    pub offset: usize,
    /// How many weights it has.
    pub len: usize,
    /// How it enters the evaluation.
    pub kind: Kind,
    /// Under what it is explained.
    pub group: Group,
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
                kind: Kind::$kind,
                group: Group::$group,
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

/// How many weights there are in all.
pub const COUNT: usize = OFFSETS[TERM_COUNT];

/// A trace keeps indices in 16 bits.
const _: () = assert!(COUNT <= u16::MAX as usize);

/// All terms, in the order of their tables.
pub fn terms() -> &'static [Term] {
    &TERMS
}

/// The weights that the evaluation plays with, each a middlegame and an endgame half in centipawns.
pub fn default_values() -> Vec<(i16, i16)> {
    WEIGHTS.iter().copied().map(<(i16, i16)>::from).collect()
}

/// The term that a place in the flat array belongs to.
///
/// # Panics
/// When `index` is not below [`COUNT`].
pub fn term_of(index: usize) -> &'static Term {
    assert!(index < COUNT, "weight {index} of {COUNT}");
    &TERMS[OFFSETS.partition_point(|&offset| offset <= index) - 1]
}

/// The weights that count: those of the source.
#[cfg(not(feature = "tuning"))]
#[inline(always)]
pub(crate) fn current() -> &'static [Score; COUNT] {
    &WEIGHTS
}

/// The weights that count: those of the source, or what took their place.
#[cfg(feature = "tuning")]
pub(crate) use live::current;

/// The weight at a place of a term's table.
#[inline(always)]
pub(crate) fn weight(term: Term, index: usize) -> Score {
    debug_assert!(index < term.len, "{}[{index}] of {}", term.name, term.len);
    current()[term.offset + index]
}

terms! {
    Linear Material {
        /// By piece type, pawn to queen.
        MATERIAL: 5;
    }
    Linear PieceSquares {
        /// By whether the kings stand on the same wing (0) or not (1), piece type, and square (rank, then file) as seen by
        /// its owner on a board mirrored so that the own king stands on the files e to h.
        PIECE_SQUARE: 2 * 6 * 64;
    }
    Linear Imbalance {
        /// Two bishops or more.
        BISHOP_PAIR: 1;
        /// The pair for each own pawn.
        BISHOP_PAIR_PAWNS: 1;
        /// For each pair of an own piece (knight, bishop, rook, queen) and an own pawn.
        PIECE_WITH_PAWN: 4;
        /// For each pair of own pieces: NN, BN, RN, RB, RR, QN, QB, QR, QQ.
        PIECE_WITH_PIECE: 9;
        /// For each own piece (knight, bishop, rook, queen) and enemy pawn.
        PIECE_AGAINST_PAWN: 4;
        /// For each own and enemy piece: BvN, RvN, RvB, QvN, QvB, QvR.
        PIECE_AGAINST_PIECE: 6;
        /// The bishop pair against each enemy knight, bishop, rook, queen.
        PAIR_AGAINST_PIECE: 4;
    }
    Linear Pawns {
        /// No own pawn on the files beside; by file from the rim, then the same again where no enemy pawn stands ahead.
        PAWN_ISOLATED: 8;
        /// An own pawn ahead on the file; by file from the rim.
        PAWN_DOUBLED: 4;
        /// Doubled, and no own pawn defends it or could.
        PAWN_DOUBLED_ISOLATED: 1;
        /// All own pawns beside are ahead and the way to them is barred; by rank, then the same where no enemy pawn
        /// stands ahead.
        PAWN_BACKWARD: 16;
        /// Defended by an own pawn; by rank.
        PAWN_SUPPORTED: 8;
        /// Defended by two.
        PAWN_SUPPORTED_TWICE: 1;
        /// An own pawn beside it; by rank.
        PAWN_PHALANX: 8;
        /// Supported or in a phalanx with no enemy pawn ahead on its file; by rank.
        PAWN_CONNECTED_OPEN: 8;
        /// Stopped by an enemy pawn right ahead; by rank.
        PAWN_RAMMED: 8;
        /// Attacked by two enemy pawns and not defended by an own one.
        PAWN_WEAK_LEVER: 1;
        /// Attacks an enemy pawn.
        PAWN_LEVER: 1;
        /// Not passed yet, but no enemy pawn ahead on its file and enough helpers; by rank, then the same where the
        /// helpers are already beside it.
        PAWN_CANDIDATE: 16;
        /// Groups of pawns on neighbouring files.
        PAWN_ISLAND: 1;
    }
    Linear Passed {
        /// By rank, four times: stop square occupied and attacked, occupied, attacked, neither.
        PASSED_RANK: 32;
        /// No piece stands on the way to promotion and the enemy attacks none of it; by rank.
        PASSED_PATH_SAFE: 8;
        /// The stop square is defended; by rank.
        PASSED_STOP_DEFENDED: 8;
        /// By rank, then king moves from the own king to the stop square.
        PASSED_OWN_KING: 64;
        /// By rank, then king moves from the enemy king to the stop square.
        PASSED_ENEMY_KING: 64;
        /// By file from the rim.
        PASSED_FILE: 4;
        /// Another passed pawn beside it or defending it, or the other way round; by rank.
        PASSED_CONNECTED: 8;
        /// An enemy knight, bishop, rook, queen or king right ahead.
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
        /// By squares reached in the mobility area.
        KNIGHT_MOBILITY: 9;
        /// By squares reached in the mobility area, seeing through queens.
        BISHOP_MOBILITY: 14;
        /// By squares reached in the mobility area, seeing through queens and own rooks.
        ROOK_MOBILITY: 15;
        /// By squares reached in the mobility area.
        QUEEN_MOBILITY: 28;
        /// Squares beside the king that the enemy does not attack and no own piece blocks.
        KING_MOBILITY: 9;
    }
    Linear Pieces {
        /// On a square that no enemy pawn can ever attack, ranks 4 to 6; undefended, defended by a pawn.
        KNIGHT_OUTPOST: 2;
        /// The same for a bishop.
        BISHOP_OUTPOST: 2;
        /// One leap from an outpost that a pawn defends.
        KNIGHT_OUTPOST_REACHABLE: 1;
        /// A knight, a bishop with a pawn of either side right ahead.
        MINOR_BEHIND_PAWN: 2;
        /// King moves from a knight (8), a bishop (8) to its own king.
        MINOR_KING_DISTANCE: 16;
        /// Own pawns on squares of the bishop's colour.
        BISHOP_SAME_COLOR_PAWNS: 1;
        /// The same for each of its blocked pawns in the centre.
        BISHOP_BLOCKED_CENTRE: 1;
        /// Enemy pawns on the bishop's diagonals, seen through everything.
        BISHOP_XRAY_PAWNS: 1;
        /// Sees both of the centre squares of a long diagonal through all but pawns.
        BISHOP_LONG_DIAGONAL: 1;
        /// On the rim of the seventh or sixth rank and shut in by a pawn.
        BISHOP_TRAPPED: 1;
        /// No own pawn on the file, no pawn at all.
        ROOK_ON_FILE: 2;
        /// On a file with an own pawn that is blocked.
        ROOK_CLOSED_FILE: 1;
        /// On the seventh rank with the enemy king behind or pawns beside it.
        ROOK_ON_SEVENTH: 1;
        /// Few moves and shut in by its own king; the king may still castle, may not.
        ROOK_TRAPPED: 2;
        /// On the file of a queen.
        ROOK_ON_QUEEN_FILE: 1;
        /// A slider behind one other piece looks at the queen.
        QUEEN_XRAYED: 1;
        /// Beyond the middle, where no enemy pawn can ever attack it.
        QUEEN_INFILTRATION: 1;
        /// Pinned to the king: pawn, knight, bishop, rook, queen.
        PINNED: 5;
    }
    Linear King {
        /// The nearest own pawn on the king's file and the files beside: file from the rim, then rank (0 for none); then
        /// the same for the king's own file.
        KING_SHELTER: 64;
        /// The nearest enemy pawn: file from the rim, then rank (0 for none); then the same where an own pawn blocks it.
        KING_STORM: 64;
        /// King moves to the nearest pawn of either side; 0 without pawns.
        KING_PAWN_DISTANCE: 8;
        /// No pawn on the king's flank.
        KING_PAWNLESS_FLANK: 1;
        /// Squares of the king's flank in its own camp that the enemy attacks; again for those attacked twice.
        KING_FLANK_ATTACKED: 1;
        /// By the number of own pawns, knights and bishops in the king's zone.
        KING_DEFENDERS: 10;
        /// The right to castle on the king's, the queen's side.
        CASTLING_RIGHT: 2;
    }
    Safety Danger {
        /// Whenever the danger is counted at all.
        DANGER_BASE: 1;
        /// By the number of pieces that attack the king's zone.
        DANGER_ATTACKERS: 6;
        /// Each knight, bishop, rook, queen among them.
        DANGER_ATTACKER: 4;
        /// Each attack on a square beside the king.
        DANGER_ATTACKS: 1;
        /// Squares near the king that pawns attack.
        DANGER_PAWN_ATTACKS: 1;
        /// Each square of the zone that is attacked and only the king or queen defends.
        DANGER_WEAK_SQUARES: 1;
        /// Each square from which a knight, bishop, rook, queen can give check without being taken.
        DANGER_SAFE_CHECK: 4;
        /// The same where it can be taken.
        DANGER_UNSAFE_CHECK: 4;
        /// The attacker has no queen.
        DANGER_NO_QUEEN: 1;
        /// A knight, a bishop of the defender covers a square beside the king.
        DANGER_DEFENDER: 2;
        /// Squares beside the king that it can safely go to.
        DANGER_FLIGHTS: 9;
        /// Attacked squares of the king's flank; again for those attacked twice.
        DANGER_FLANK_ATTACK: 1;
        /// Defended squares of the king's flank.
        DANGER_FLANK_DEFENCE: 1;
        /// Pieces of the king's side that are pinned to it.
        DANGER_BLOCKERS: 1;
        /// The nearest own pawn by rank (0 for none) on a file beside the king; then the same for the king's own file.
        DANGER_SHELTER: 16;
        /// The nearest enemy pawn by rank (0 for none); then the same where an own pawn blocks it.
        DANGER_STORM: 16;
    }
    Linear Threats {
        /// A pawn that cannot be taken for nothing attacks: pawn (not counted), knight, bishop, rook, queen.
        THREAT_BY_PAWN: 5;
        /// A pawn can safely advance and then attack a piece.
        THREAT_BY_PAWN_PUSH: 1;
        /// A knight or bishop attacks: pawn, knight, bishop, rook, queen.
        THREAT_BY_MINOR: 5;
        /// A rook attacks: pawn, knight, bishop, rook, queen.
        THREAT_BY_ROOK: 5;
        /// The king attacks something weak.
        THREAT_BY_KING: 1;
        /// Attacked and undefended, or attacked twice and no pawn: pawn, knight, bishop, rook, queen.
        THREAT_HANGING: 5;
        /// Attacked and defended by the queen alone.
        THREAT_QUEEN_DEFENDS: 1;
        /// Pieces that are attacked once and defended once: their defender has a task.
        THREAT_OVERLOADED: 1;
        /// Squares where both sides look and the enemy is not well defended.
        THREAT_RESTRICTED: 1;
        /// A knight, a slider can safely go where it attacks the queen.
        THREAT_ON_QUEEN: 2;
    }
    Linear Space {
        /// Squares of the own camp on the files c to f without a pawn and not attacked by one, once more those behind an
        /// own pawn that nothing attacks; times the squared number of own men, divided by 256.
        SPACE: 1;
        /// Squares of the centre (d4, e4, d5, e5) that are attacked and no enemy pawn attacks.
        CENTRE_CONTROL: 1;
    }
    Linear Tempo {
        /// To be on move.
        TEMPO: 1;
    }
    Complexity Complexity {
        /// Always.
        COMPLEXITY_BASE: 1;
        /// Each pawn.
        COMPLEXITY_PAWNS: 1;
        /// Each passed pawn.
        COMPLEXITY_PASSED: 1;
        /// Pawns on both wings.
        COMPLEXITY_BOTH_FLANKS: 1;
        /// Kings and pawns alone.
        COMPLEXITY_PAWN_ENDGAME: 1;
        /// How much further the kings are apart by files than by ranks.
        COMPLEXITY_OUTFLANKING: 1;
        /// A king beyond the middle.
        COMPLEXITY_INFILTRATION: 1;
        /// No pawns on both wings and no king that outflanks the other: hard to make progress.
        COMPLEXITY_STUCK: 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_follow_each_other() {
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
    fn the_committed_values_are_what_would_be_written() {
        assert_eq!(write_source(&default_values()), include_str!("values.rs"));
    }
}
