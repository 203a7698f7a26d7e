//! The numeric parameters of the search.
//!
//! Each parameter is a function: in a build with the feature `tuning` it reads an option, in every other build it
//! returns a constant.
//!
//! The comment after a value names its source:
//!
//! - `SPSA run N`: that run found it, or varied it and the old value was kept (`unchanged`). `docs/lab/spsa.md`
//!   describes the runs, with their dates, games and verifying matches.
//! - `screening N`: that screening favoured it (`docs/lab/screening.md`).
//! - `kept by …`: other values were tried there without gain.
//! - No comment: an untuned starting value from the literature.

/// A parameter that a tuning build can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamSpec {
    /// The name, also used for its option.
    pub name: &'static str,
    /// The value in a normal build.
    pub default: i32,
    /// The minimum sensible value.
    pub min: i32,
    /// The maximum sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$meta:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// All parameters with their ranges.
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
                // Relaxed: parameters are set before a search starts.
                live::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Sets a parameter for all searches of this process and returns whether it exists.
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
    /// Aspiration: half the width of the first window, in centipawns.
    aspiration_window = 13 in 3..=100; // SPSA run 1
    /// Aspiration: the first iteration with a narrow window, in plies. The values of earlier ones vary too much.
    aspiration_min_depth = 4 in 1..=10;

    /// Evaluation: the maximum depth at which it is rough, in plies (`Evaluator::evaluate_roughly`). Matches also
    /// tried 0 (`docs/lab/combined.md`, "2026-11-23 The network and the hand-written terms together") and 20
    /// (`docs/lab/search.md`, "2026-11-27 Faults mended: bench 1415687, and four changes that were not taken").
    rough_evaluation_max_depth = 3 in 0..=20;

    /// Razoring: the least distance of the evaluation below alpha, in centipawns.
    razoring_base = 300 in 0..=800; // kept by screenings 1, 2
    /// Razoring: added to that distance for each squared ply of depth, in centipawns.
    razoring_slope = 298 in 50..=600; // SPSA run 1

    /// Reverse futility: the greatest depth, in plies.
    reverse_futility_max_depth = 8 in 3..=14; // kept by screenings 4, 5, 7
    /// Reverse futility: the lead required for each ply of depth, in centipawns.
    reverse_futility_margin = 67 in 30..=200; // SPSA run 1

    /// Null move: the least depth, in plies.
    null_move_min_depth = 3 in 1..=6;
    /// Null move: the static evaluation may be below beta by this many centipawns for each ply of depth.
    null_move_margin = 21 in 0..=60; // SPSA run 1
    /// Null move: the constant part of the reduction, in plies.
    null_move_reduction = 5 in 1..=8; // screening 5
    /// Null move: the reduction grows by one ply for this many plies of depth.
    null_move_depth_divisor = 3 in 2..=8; // kept by screening 4
    /// Null move: the reduction grows by one ply for this many centipawns of lead.
    null_move_eval_divisor = 285 in 80..=600; // SPSA run 1
    /// Null move: the greatest reduction for a lead, in plies.
    null_move_eval_cap = 3 in 0..=6; // kept by screenings 4, 5, 11
    /// Null move: the least depth at which a fail high is verified, in plies.
    null_move_verification_depth = 12 in 6..=24; // kept by screening 5

    /// ProbCut: the least depth, in plies.
    probcut_min_depth = 5 in 3..=10;
    /// ProbCut: the margin above beta that a capture must reach at reduced depth, in centipawns.
    probcut_margin = 210 in 80..=500; // SPSA run 1
    /// ProbCut: the reduction, in plies.
    probcut_reduction = 4 in 2..=6; // kept by screening 11

    /// ProbCut by the table: the margin above beta that a lower bound must reach, in centipawns.
    table_probcut_margin = 373 in 100..=800; // SPSA run 1
    /// ProbCut by the table: the number of plies by which the entry may be too shallow.
    table_probcut_slack = 4 in 1..=8;

    /// Internal iterative reduction (Ed Schröder, Rebel): the least depth, in plies.
    internal_reduction_min_depth = 6 in 2..=10; // screenings 4, 5

    /// Hindsight: the least reduction, in plies, that is shortened by a ply if the move lost nothing.
    hindsight_deeper = 3 in 1..=6; // kept by screening 11
    /// Twice the value of the right to move, in centipawns: the sum of the static evaluations before and after a move
    /// that changes nothing else, each for the side to move.
    tempo_twice = 28 in 0..=60; // kept by screening 18
    /// Hindsight: a move that loses more than this many centipawns is searched a ply less.
    hindsight_margin = 99 in 20..=300; // SPSA run 1

    /// Late move reductions: the least depth, in plies.
    lmr_min_depth = 2 in 1..=5;
    /// Late move reductions of quiets: `base` in the formula base + ln(depth) · ln(move number) / divisor plies, in
    /// 1/100 of a ply. The formula is that of Stockfish.
    lmr_quiet_base = 64 in -50..=250; // SPSA run 1
    /// Late move reductions of quiets: `divisor` in the formula of [`lmr_quiet_base`], in 1/100.
    lmr_quiet_divisor = 210 in 120..=400; // SPSA run 1, unchanged
    /// Late move reductions of captures and promotions: `base` in the formula of [`lmr_quiet_base`], in 1/100 of a ply.
    lmr_noisy_base = 17 in -50..=200; // SPSA run 1
    /// Late move reductions of captures and promotions: `divisor` in the formula of [`lmr_quiet_base`], in 1/100.
    lmr_noisy_divisor = 358 in 200..=600; // SPSA run 1
    /// Late move reductions: subtracted on the principal variation, in 1/1024 of a ply.
    lmr_pv = 1025 in 0..=2048; // SPSA run 1
    /// Late move reductions: subtracted in a node that was once on the principal variation, in 1/1024 of a ply.
    lmr_table_pv = 1090 in 0..=2048; // SPSA run 1
    /// Late move reductions: added if the evaluation has not risen since our previous move, in 1/1024 of a ply.
    lmr_not_improving = 873 in 0..=2048; // SPSA run 1
    /// Late move reductions: added in an expected cut node, in 1/1024 of a ply.
    lmr_cut_node = 1108 in 0..=3072; // SPSA run 1
    /// Late move reductions: added if more than [`lmr_cutoff_limit`] replies failed high, in 1/1024 of a ply.
    lmr_cutoff_count = 809 in 0..=2048; // SPSA run 1
    /// Late move reductions: the number of replies that may fail high without effect.
    lmr_cutoff_limit = 3 in 1..=6; // kept by screenings 7, 11
    /// Late move reductions: added for quiets if the table move is a capture, in 1/1024 of a ply.
    lmr_table_capture = 1010 in 0..=2048; // SPSA run 1
    /// Late move reductions: subtracted for moves that give check, in 1/1024 of a ply.
    lmr_check = 519 in 0..=2048; // SPSA run 1
    /// Late move reductions: subtracted for each centipawn by which the evaluation was corrected, in 1/1024 of a ply.
    lmr_correction = 6 in 0..=30; // SPSA run 1
    /// Late move reductions: subtracted in a node that was once on the principal variation if the table expects a fail
    /// high, in 1/1024 of a ply.
    lmr_table_high = 742 in 0..=2048; // SPSA run 1
    /// Late move reductions: added in a node that was once on the principal variation if the table expects a fail low,
    /// in 1/1024 of a ply.
    lmr_table_low = 797 in 0..=2048; // SPSA run 1
    /// Late move reductions: subtracted for killers and the counter move, in 1/1024 of a ply.
    lmr_refutation = 1680 in 0..=2048; // SPSA run 1
    /// Late move reductions: the history of a quiet move that changes its reduction by one ply.
    lmr_history_divisor = 16828 in 2048..=32768; // SPSA run 1
    /// Late move reductions: the history of a capture that changes its reduction by one ply.
    lmr_capture_divisor = 8192 in 2048..=32768;
    /// Re-search after a reduction: a value above the best value by this many centipawns makes it a ply deeper.
    lmr_deeper_base = 30 in 0..=200; // SPSA run 1
    /// Re-search after a reduction: added to [`lmr_deeper_base`] for each ply of depth, in centipawns.
    lmr_deeper_slope = 2 in 0..=16;

    /// After a move that raises alpha, the other moves are searched this many plies shallower.
    raised_alpha_reduction = 1 in 0..=3; // screening 6
    /// The least depth for that, in plies.
    raised_alpha_min_depth = 4 in 2..=8; // screening 6
    /// The greatest depth for that, in plies.
    raised_alpha_max_depth = 12 in 6..=30; // screening 6

    /// Late move pruning: the number of moves searched is this plus the squared depth, or half of it if not improving.
    lmp_base = 4 in 0..=10; // SPSA run 1
    /// Late move pruning: the greatest depth, in plies.
    lmp_max_depth = 8 in 3..=14; // kept by screenings 4, 11

    /// Futility: the least distance of the evaluation below alpha, in centipawns.
    futility_base = 78 in 0..=400; // SPSA run 1
    /// Futility: added to that distance for each ply of reduced depth, in centipawns.
    futility_slope = 64 in 30..=250; // SPSA run 1
    /// Futility: the greatest reduced depth, in plies.
    futility_max_depth = 9 in 3..=14; // kept by screenings 4, 11, 19

    /// History pruning: the negative history required for each ply of reduced depth.
    history_pruning_slope = 1661 in 250..=10000; // SPSA run 1
    /// History pruning: the greatest reduced depth, in plies.
    history_pruning_max_depth = 6 in 1..=12; // screenings 4, 5

    /// SEE pruning: the greatest loss of a quiet move for each squared ply of reduced depth, in centipawns.
    see_quiet = 16 in 5..=100; // SPSA run 1
    /// SEE pruning: the greatest loss of a capture or promotion for each ply of depth, in centipawns.
    see_noisy = 69 in 30..=250; // SPSA run 1
    /// SEE pruning: the history of a capture that raises its greatest loss by a centipawn.
    see_noisy_history_divisor = 64 in 16..=256;
    /// SEE pruning: the greatest depth, in plies.
    see_max_depth = 14 in 3..=30; // screenings 4, 5

    /// Singular extension: the least depth, in plies.
    singular_min_depth = 6 in 4..=12; // screenings 7, 8
    /// Singular extension: the number of plies by which the table entry may be too shallow.
    singular_depth_slack = 3 in 1..=5; // kept by screenings 11, 17
    /// Singular extension: the alternatives must stay below the table value by this for each ply of depth, in 1/16 of a
    /// centipawn.
    singular_margin = 18 in 4..=48; // SPSA run 1
    /// Double extension: the alternatives must stay below the singular beta by this many centipawns.
    double_extension_margin = 18 in 0..=100; // SPSA run 1
    /// Double extension: the greatest number on one line.
    double_extension_limit = 6 in 1..=16; // kept by screening 11
    /// Triple extension: the alternatives must stay below the singular beta by this many centipawns.
    triple_extension_margin = 100 in 0..=400; // screening 6

    /// Histories: the greatest absolute value of a counter.
    history_max = 16384 in 4096..=32000; // kept by screenings 10, 11
    /// Histories: the bonus for a move that failed high, for each ply of depth.
    history_bonus_slope = 229 in 50..=400; // SPSA run 1
    /// Histories: subtracted from the bonus.
    history_bonus_offset = 120 in 0..=400;
    /// Histories: the greatest bonus.
    history_bonus_cap = 1299 in 500..=4000; // SPSA run 1
    /// Histories: the malus for a quiet move searched before the best one, in percent of the bonus.
    history_malus = 146 in 25..=300; // SPSA run 1
    /// Evaluation bonus: the butterfly bonus of a quiet move for each centipawn that it won by the evaluations before
    /// and after it.
    evaluation_bonus_slope = 6 in 0..=20; // SPSA run 1
    /// Evaluation bonus: the greatest bonus or malus.
    evaluation_bonus_cap = 700 in 100..=2000;
    /// Move ordering: a capture is good if it loses at most its history divided by this, in centipawns.
    capture_history_see_divisor = 128 in 32..=512;
    /// Move ordering: the weight of the capture history, in 1/16, beside eight times the victim's value.
    capture_history_weight = 4 in 0..=32; // kept by screening 2

    /// Move ordering: the score of a quiet minor piece that escapes from a less valuable attacker. A rook gets 3/2, a
    /// queen twice as much.
    threat_escape = 13930 in 0..=32000; // SPSA run 1
    /// Move ordering: the score lost by a quiet minor piece that moves into the attack of a less valuable piece. A rook
    /// loses 3/2, a queen twice as much.
    threat_entry = 4905 in 0..=32000; // SPSA run 1
    /// Move ordering: the score of a quiet check.
    check_order = 22123 in 0..=32000; // SPSA run 1
    /// Move ordering: the greatest loss of a quiet check by static exchange that gets the score, in centipawns.
    check_order_loss = 75 in 0..=300; // screening 3

    /// Correction history by pawn structure: its weight, in 1/16.
    correction_pawn = 15 in 0..=48; // SPSA run 1
    /// Correction history by the pieces of each side: its weight, in 1/16.
    correction_non_pawn = 17 in 0..=48; // SPSA run 1
    /// Correction history by knights and bishops: its weight, in 1/16.
    correction_minor = 10 in 0..=48; // SPSA run 1
    /// Correction history by rooks, queens and kings: its weight, in 1/16.
    correction_major = 10 in 0..=48; // SPSA run 1, unchanged
    /// Correction history by the last two moves: its weight, in 1/16.
    correction_continuation = 20 in 0..=48; // SPSA run 1

    /// Quiescence futility: a capture must raise the evaluation to within this many centipawns of alpha.
    quiescence_futility = 267 in 0..=500; // SPSA run 1
    /// Quiescence: the number of moves after which captures are skipped.
    quiescence_limit = 3 in 1..=10; // screening 6

    /// Time: the number of moves to plan for if it is unknown and there is an increment, in 1/10.
    time_moves = 200 in 80..=500; // SPSA run 2, unchanged
    /// Time: the share of the increment to spend at once, in 1/100.
    time_increment = 80 in 20..=150; // SPSA run 2, unchanged
    /// Time: the hard limit as a multiple of the soft limit, in 1/10.
    time_hard = 45 in 10..=120; // SPSA run 2, unchanged
    /// Time: the greatest share of the usable time for one move, in 1/100.
    time_hard_share = 40 in 10..=80; // SPSA run 2, unchanged
    /// Time: the exponent of the factor by the age of the best move, in 1/100.
    time_stability = 100 in 0..=300; // SPSA run 2, unchanged
    /// Time: the fall of the value that would double the time, in centipawns.
    time_fall = 120 in 30..=500; // SPSA run 2, unchanged
    /// Time: the least factor for a fall of the value, in 1/100.
    time_fall_least = 85 in 30..=100; // SPSA run 2, unchanged
    /// Time: the greatest factor for a fall of the value, in 1/100.
    time_fall_most = 150 in 100..=300; // SPSA run 2, unchanged
    /// Time: the factor for the soft limit if no node was spent on the best move, in 1/100.
    time_node_base = 200 in 100..=300; // SPSA run 2, unchanged
    /// Time: subtracted from [`time_node_base`] if all nodes were spent on the best move, in 1/100.
    time_node_slope = 145 in 50..=250; // SPSA run 2, unchanged
}

/// Nodes between two checks of the clock and the stop flag: less than a millisecond at any expected speed.
pub const CHECK_INTERVAL: u64 = 1_024;

/// When a limit has been reached in the first iteration, quiescence tries no more moves after this number of nodes: 15
/// ms. With 2,257 positions of random games the first iteration took at most 3,339 nodes, and 25,728 with a line for
/// every move. With sixteen queens on each side it may take billions.
pub const FIRST_ITERATION_NODES: u64 = 32_768;
