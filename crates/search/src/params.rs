//! The numbers of the search.
//!
//! Each is a function, so that a build with the feature `tuning` can make an option of it; in every other build it is a
//! constant. The values are common starting points from the literature until the ledger says that they were tuned.

/// A number that a tuning build can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// Its name.
    pub name: &'static str,
    /// Its value in a normal build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The largest.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$meta:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// All numbers, with their ranges.
        pub const ALL: &[ParamSpec] = &[
            $(ParamSpec { name: stringify!($name), default: $default, min: $min, max: $max },)*
        ];

        $(
            $(#[$meta])*
            #[cfg(not(feature = "tuning"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)]
        mod live {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        $(
            $(#[$meta])*
            #[cfg(feature = "tuning")]
            #[inline]
            pub fn $name() -> i32 {
                // Relaxed: set before a search begins, read by it.
                live::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Changes a number for all searches of this process. Whether there is one of this name.
        #[cfg(feature = "tuning")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => live::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => return false,
            }
            true
        }
    };
}

params! {
    /// The half-width of the first aspiration window, in centipawns.
    aspiration_window = 12 in 5..=100;
    /// Aspiration begins at this depth; before it the values jump too much.
    aspiration_min_depth = 4 in 1..=10;

    /// Razoring: hopeless is this many centipawns below alpha …
    razoring_base = 300 in 0..=800;
    /// … and so many more for each squared ply of depth.
    razoring_slope = 250 in 50..=600;

    /// Reverse futility: the depth in plies up to which a static lead ends the search of a node.
    reverse_futility_max_depth = 8 in 3..=14;
    /// Reverse futility: the lead that is needed for each ply that is left, in centipawns.
    reverse_futility_margin = 80 in 30..=200;

    /// Null move: the least depth.
    null_move_min_depth = 3 in 1..=6;
    /// Null move: the reduction is this many plies …
    null_move_reduction = 4 in 1..=6;
    /// … and a ply more for each so many plies of depth …
    null_move_depth_divisor = 3 in 2..=8;
    /// … and for each so many centipawns of lead, up to three.
    null_move_eval_divisor = 256 in 80..=600;
    /// Null move: from this depth on a fail high is verified.
    null_move_verification_depth = 12 in 6..=24;

    /// ProbCut: the least depth.
    probcut_min_depth = 5 in 3..=10;
    /// ProbCut: a capture must beat beta by this many centipawns at reduced depth.
    probcut_margin = 200 in 80..=500;
    /// ProbCut: it is searched so many plies less.
    probcut_reduction = 4 in 2..=6;

    /// ProbCut from the table: a lower bound must beat beta by this many centipawns …
    table_probcut_margin = 350 in 100..=800;
    /// … and may be so many plies too shallow.
    table_probcut_slack = 4 in 1..=8;

    /// Internal iterative reduction: nodes without a table move are searched a ply less from this depth on
    /// (Ed Schröder, Rebel).
    internal_reduction_min_depth = 4 in 2..=10;

    /// Hindsight: a node that was reduced by at least so many plies and whose evaluation did not fall is searched a
    /// ply deeper again.
    hindsight_deeper = 3 in 1..=6;
    /// Both sides count the right to move for themselves: the sum of their evaluations is this much too high, in centipawns.
    tempo_twice = 28 in 0..=60;
    /// Hindsight: if the sum of both sides' evaluations exceeds this (centipawns), the last move lost that much: a ply less
    /// will do.
    hindsight_margin = 100 in 20..=300;

    /// Late move reductions begin at this depth.
    lmr_min_depth = 2 in 1..=5;
    /// Late move reductions of quiet moves: base + ln(depth) · ln(move number) / divisor plies, base in 1/100 ply (the
    /// form is Stockfish's).
    lmr_quiet_base = 80 in -50..=250;
    /// … the divisor in 1/100.
    lmr_quiet_divisor = 210 in 120..=400;
    /// The same for captures and promotions.
    lmr_noisy_base = 20 in -50..=200;
    /// … and the divisor.
    lmr_noisy_divisor = 380 in 200..=600;
    /// On the principal variation the reduction is so much less (1/1024 ply; so are all that follow).
    lmr_pv = 1024 in 0..=2048;
    /// Where the position was once on a principal variation.
    lmr_table_pv = 1200 in 0..=2048;
    /// Where the evaluation has not risen since our last move.
    lmr_not_improving = 1024 in 0..=2048;
    /// Where a fail high is expected.
    lmr_cut_node = 1024 in 0..=3072;
    /// Where many replies to moves before this one failed high.
    lmr_cutoff_count = 768 in 0..=2048;
    /// How many are many.
    lmr_cutoff_limit = 3 in 1..=6;
    /// Where the table move is a capture.
    lmr_table_capture = 768 in 0..=2048;
    /// For moves that give check, less.
    lmr_check = 768 in 0..=2048;
    /// For killers and the counter move, less.
    lmr_refutation = 1600 in 0..=2048;
    /// A history of this much takes a ply from the reduction, one of minus this much adds a ply.
    lmr_history_divisor = 10240 in 2048..=32768;
    /// The same for captures.
    lmr_capture_divisor = 8192 in 2048..=32768;
    /// A reduced search that beats the best value by this many centipawns is repeated a ply deeper than planned …
    lmr_deeper_base = 40 in 0..=200;
    /// … and this many for each ply of depth more.
    lmr_deeper_slope = 2 in 0..=16;

    /// Late move pruning: this many moves and the square of the depth are tried, half of them when not improving.
    lmp_base = 5 in 0..=10;
    /// Late move pruning: up to this depth.
    lmp_max_depth = 8 in 3..=14;

    /// Futility: a quiet move needs evaluation + base + slope · depth above alpha.
    futility_base = 100 in 0..=400;
    /// … in centipawns for each ply of reduced depth.
    futility_slope = 75 in 30..=250;
    /// … up to this reduced depth.
    futility_max_depth = 9 in 3..=14;

    /// History pruning: below minus so much for each ply of reduced depth.
    history_pruning_slope = 3000 in 1000..=10000;
    /// … up to this reduced depth.
    history_pruning_max_depth = 4 in 1..=8;

    /// SEE pruning of quiet moves: a loss of so many centipawns times the squared reduced depth.
    see_quiet = 30 in 5..=100;
    /// SEE pruning of captures: a loss of so many centipawns for each ply of depth.
    see_noisy = 95 in 30..=250;
    /// … up to this depth.
    see_max_depth = 9 in 3..=14;

    /// Singular extension: the least depth.
    singular_min_depth = 7 in 4..=12;
    /// … the table entry may be so many plies shallower …
    singular_depth_slack = 3 in 1..=5;
    /// … and the others must stay below the table value less so many centipawns (1/16) for each ply of depth.
    singular_margin = 16 in 4..=48;
    /// Double extension: they stay below that by this many centipawns.
    double_extension_margin = 32 in 0..=100;
    /// … and the line has been extended twice at most so often.
    double_extension_limit = 6 in 1..=16;

    /// No history counter leaves ±this.
    history_max = 16384 in 4096..=32000;
    /// The bonus for a move that failed high: this much for each ply of depth …
    history_bonus_slope = 180 in 50..=400;
    /// … less this …
    history_bonus_offset = 120 in 0..=400;
    /// … up to this.
    history_bonus_cap = 1600 in 500..=4000;
    /// A quiet move that loses so many centipawns by the evaluations before and after it gets this many times as much as a
    /// malus in the butterfly history, one that wins a bonus …
    evaluation_bonus_slope = 5 in 0..=20;
    /// … of at most this.
    evaluation_bonus_cap = 700 in 100..=2000;
    /// A capture is good if it loses at most its history divided by this many (centipawns).
    capture_history_see_divisor = 128 in 32..=512;
    /// The capture history counts 1/16 of this beside eight times the victim's value.
    capture_history_weight = 4 in 0..=32;

    /// What leaving an attack by less is worth to a minor piece in the order of quiets; a rook half more, a queen twice that.
    threat_escape = 12000 in 0..=32000;
    /// What entering one costs.
    threat_entry = 6000 in 0..=32000;
    /// What a check is worth …
    check_order = 20000 in 0..=32000;
    /// … that loses no more than this by static exchange, in centipawns.
    check_order_loss = 75 in 0..=300;

    /// Correction histories: the weight of each, in 1/16: pawns …
    correction_pawn = 10 in 0..=48;
    /// … the pieces of each side …
    correction_non_pawn = 8 in 0..=48;
    /// … the knights and bishops …
    correction_minor = 12 in 0..=48;
    /// … the rooks, queens and kings …
    correction_major = 10 in 0..=48;
    /// … the last two moves.
    correction_continuation = 12 in 0..=48;

    /// Quiescence futility: a capture must lift the evaluation this near to alpha, in centipawns.
    quiescence_futility = 150 in 0..=500;

    /// Time: the share of nodes on the best move lengthens or shortens the search: at a share of 0 the factor is this
    /// many hundredths …
    time_node_base = 200 in 100..=300;
    /// … less so many for all nodes.
    time_node_slope = 145 in 50..=250;
}

/// Nodes between two looks at the clock and the stop flag: below a millisecond at any speed to be expected.
pub const CHECK_INTERVAL: u64 = 1_024;
