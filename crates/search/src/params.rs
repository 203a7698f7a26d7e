//! The numbers of the search. None is tuned yet: each says where it comes from.

/// The half-width of the first aspiration window, in centipawns: the customary quarter of a pawn.
pub const ASPIRATION_WINDOW: i32 = 24;

/// Aspiration begins at this depth; before it the values jump too much.
pub const ASPIRATION_MIN_DEPTH: i32 = 4;

/// Reverse futility: the depth in plies up to which a static lead ends the search of a node.
pub const REVERSE_FUTILITY_MAX_DEPTH: i32 = 8;

/// Reverse futility: the lead that is needed for each ply that is left, in centipawns.
pub const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Null move: the least depth.
pub const NULL_MOVE_MIN_DEPTH: i32 = 3;

/// Null move: the reduction is this many plies …
pub const NULL_MOVE_REDUCTION: i32 = 3;

/// … and a ply more for each so many plies of depth …
pub const NULL_MOVE_DEPTH_DIVISOR: i32 = 3;

/// … and for each so many centipawns of lead, up to three.
pub const NULL_MOVE_EVAL_DIVISOR: i32 = 256;

/// Internal iterative reduction: nodes without a table move are searched a ply less from this depth on
/// (Ed Schröder, Rebel).
pub const INTERNAL_REDUCTION_MIN_DEPTH: i32 = 4;

/// Late move reductions begin at this depth.
pub const LMR_MIN_DEPTH: i32 = 3;

/// Late move reductions of quiet moves: base + ln(depth) · ln(move number) / divisor plies (the form is Stockfish's).
pub const LMR_QUIET: (f64, f64) = (0.8, 2.3);

/// The same for captures and promotions.
pub const LMR_NOISY: (f64, f64) = (0.2, 3.8);

/// A history of this much takes a ply from the reduction, one of minus this much adds a ply.
pub const LMR_HISTORY_DIVISOR: i32 = 8_192;

/// No history counter leaves ±this.
pub const HISTORY_MAX: i32 = 16_384;

/// The bonus for a quiet move that failed high: this much for each ply of depth, less the offset, up to the cap.
pub const HISTORY_BONUS: (i32, i32, i32) = (180, 120, 1_600);

/// Nodes between two looks at the clock and the stop flag: below a millisecond at any speed to be expected.
pub const CHECK_INTERVAL: u64 = 1_024;
