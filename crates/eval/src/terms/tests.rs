//! Counts each term in small positions, one idea for each position.

use crate::evaluate;
use crate::trace::{EvalTracer, Trace, WeightCount, trace};
use crate::weights::*;
use bartizan_position::Position;

fn position(fen: &str) -> Position {
    Position::from_fen(&format!("{fen} 0 1")).unwrap()
}

/// The trace of a position, also where endgame knowledge replaces the evaluation.
fn traced(fen: &str) -> Trace {
    let mut trace = Trace::default();
    EvalTracer::new().fill(&position(fen), &mut trace);
    trace
}

/// The count of one weight of a term, white minus black.
fn at(trace: &Trace, term: Term, index: usize) -> i16 {
    assert!(index < term.len);
    count(&trace.linear, term.offset + index)
}

/// The count of all weights of a term, white minus black.
fn all(trace: &Trace, term: Term) -> i16 {
    (0..term.len).map(|index| at(trace, term, index)).sum()
}

fn count(counts: &[WeightCount], index: usize) -> i16 {
    counts.iter().find(|count| usize::from(count.0) == index).map_or(0, |count| count.1)
}

/// Asserts that `better` has a higher value for white than `worse`, with white to move in both.
fn assert_better(better: &str, worse: &str) {
    let value = |fen: &str| evaluate(&position(&format!("{fen} w - -"))).0;
    assert!(value(better) > value(worse), "{better}: {} {worse}: {}", value(better), value(worse));
}

#[test]
fn the_starting_position_counts_only_tempo() {
    let trace = trace(&Position::startpos()).unwrap();
    assert_eq!(trace.linear, [(TEMPO.offset as u16, 1)]);
    assert_eq!(trace.phase, 24);
}

#[test]
fn material_and_imbalance() {
    let trace = traced("4k3/8/8/8/8/8/PPP5/2B1KB1R w - -");
    assert_eq!([0, 1, 2, 3, 4].map(|piece| at(&trace, MATERIAL, piece)), [3, 0, 2, 1, 0]);
    assert_eq!(all(&trace, BISHOP_PAIR), 1);
    assert_eq!(all(&trace, BISHOP_PAIR_PAWNS), 3);
    assert_eq!(at(&trace, PIECE_WITH_PAWN, 1), 6);
    assert_eq!(at(&trace, PIECE_WITH_PIECE, 3), 2, "rook with bishop");
    let trace = traced("rn2k3/p7/8/8/8/8/PP6/2B1KB2 w - -");
    assert_eq!(at(&trace, PIECE_AGAINST_PAWN, 1), 2, "two bishops against a pawn");
    assert_eq!(at(&trace, PIECE_AGAINST_PIECE, 0), 2, "bishop against knight");
    assert_eq!(at(&trace, PIECE_AGAINST_PIECE, 2), -2, "rook against bishop");
    assert_eq!(at(&trace, PAIR_AGAINST_PIECE, 2), 1);
}

#[test]
fn piece_squares_follow_the_king() {
    // The wing makes no difference: the board is mirrored by the king's file.
    let right = traced("6k1/5ppp/8/8/8/5N2/5PPP/6K1 w - -");
    let left = traced("1k6/ppp5/8/8/8/2N5/PPP5/1K6 w - -");
    assert_eq!(right.linear, left.linear);
    assert_ne!(right.linear, traced("1k6/ppp5/8/8/8/5N2/5PPP/6K1 w - -").linear);
}

#[test]
fn isolated_pawns() {
    let trace = traced("4k3/pp6/8/8/8/8/P1P5/4K3 w - -");
    assert_eq!(at(&trace, PAWN_ISOLATED, 0), 1, "a2 is opposed");
    assert_eq!(at(&trace, PAWN_ISOLATED, 4 + 2), 1, "c2 is not");
    assert_eq!(all(&trace, PAWN_ISLAND), 1);
}

#[test]
fn doubled_and_backward_pawns() {
    let trace = traced("4k3/pp6/8/8/8/1P6/1P6/4K3 w - -");
    assert_eq!(all(&trace, PAWN_DOUBLED), 1);
    assert_eq!(all(&trace, PAWN_DOUBLED_ISOLATED), 1);
    // The pawn on d3 is behind c4 and e4, and the pawn on c5 attacks its stop square d4.
    let trace = traced("4k3/8/8/2p5/2P1P3/3P4/8/4K3 w - -");
    assert_eq!(at(&trace, PAWN_BACKWARD, 8 + 2), 1);
    assert_eq!(at(&trace, PAWN_RAMMED, 3), 0, "c4 and c5 cancel out");
    assert_eq!(all(&traced("4k3/8/8/8/2P1P3/3P4/8/4K3 w - -"), PAWN_BACKWARD), 0);
}

#[test]
fn connected_pawns() {
    let trace = traced("4k3/8/8/8/3PP3/2P5/8/4K3 w - -");
    assert_eq!(at(&trace, PAWN_PHALANX, 3), 2);
    assert_eq!(at(&trace, PAWN_SUPPORTED, 3), 1);
    assert_eq!(all(&trace, PAWN_CONNECTED_OPEN), 2);
    assert_eq!(all(&traced("4k3/8/8/8/3P4/2P1P3/8/4K3 w - -"), PAWN_SUPPORTED_TWICE), 1);
}

#[test]
fn levers_and_candidates() {
    let trace = traced("4k3/8/8/1p1p4/2P5/8/8/4K3 w - -");
    assert_eq!(all(&trace, PAWN_WEAK_LEVER), 1);
    assert_eq!(all(&trace, PAWN_LEVER), -1);
    // Two pawns against one: the b-pawn is the candidate.
    let trace = traced("4k3/8/p7/8/PP6/8/8/4K3 w - -");
    assert_eq!(at(&trace, PAWN_CANDIDATE, 8 + 3), 1);
}

#[test]
fn a_passed_pawn_gains_with_every_rank() {
    for rank in 3..6 {
        let fen = |rank: usize| {
            let mut rows = ["2n3k1", "6p1", "8", "8", "8", "8", "6P1", "2N3K1"];
            rows[8 - rank] = "P7";
            rows.join("/")
        };
        assert_better(&fen(rank + 1), &fen(rank));
    }
    let trace = traced("1n4k1/8/8/P7/8/8/8/1N4K1 w - -");
    assert_eq!(all(&trace, PASSED_RANK), 1);
    assert_eq!(at(&trace, PASSED_RANK, 16 + 4), 1, "a knight attacks the stop square a6");
    assert_eq!(all(&trace, PASSED_OUTSIDE), 1);
    assert_eq!(all(&trace, PASSED_PATH_SAFE), 0);
    let trace = traced("6k1/8/n7/P7/8/8/8/R5K1 w - -");
    assert_eq!(at(&trace, PASSED_BLOCKED_BY, 0), 1);
    assert_eq!(all(&trace, PASSED_ROOK_BEHIND), 1);
    assert_eq!(all(&trace, PASSED_STOP_DEFENDED), 1);
    assert_eq!(all(&traced("r5k1/8/8/PP6/8/8/1n6/R5K1 w - -"), PASSED_CONNECTED), 2);
    assert_eq!(all(&traced("6k1/8/8/P7/1n6/8/8/r4NK1 w - -"), PASSED_ENEMY_BEHIND), 1);
}

#[test]
fn races() {
    let unstoppable = |fen| all(&traced(fen), PASSED_UNSTOPPABLE);
    assert_eq!(unstoppable("8/7k/8/P7/8/8/1P6/K7 w - -"), 1);
    // The black king is in the square of the pawn.
    assert_eq!(unstoppable("8/3k4/8/P7/8/8/P7/K7 w - -"), 0);
    // Both promote at the same time.
    assert_eq!(unstoppable("8/8/8/P7/7p/8/8/1K1k4 w - -"), 0);
    // White is two plies faster.
    assert_eq!(unstoppable("8/8/P7/8/7p/8/8/1K1k4 w - -"), 1);
    // A piece can stop the pawn.
    assert_eq!(unstoppable("6n1/7k/8/P7/8/8/1P6/K7 w - -"), 0);
}

#[test]
fn mobility_counts_safe_squares() {
    let trace = traced("4k3/8/8/8/3N4/8/8/4K3 w - -");
    assert_eq!(at(&trace, KNIGHT_MOBILITY, 8), 1);
    // The pawns on c6 and e6 attack b5 and f5.
    let trace = traced("4k3/8/2p1p3/8/3N4/8/8/4K3 w - -");
    assert_eq!(at(&trace, KNIGHT_MOBILITY, 6), 1);
    // A pinned knight has none.
    assert_eq!(at(&traced("4k3/4r3/8/8/8/4N3/8/4K3 w - -"), KNIGHT_MOBILITY, 0), 1);
    assert_eq!(at(&traced("4k3/4r3/8/8/8/4N3/8/4K3 w - -"), PINNED, 1), 1);
    // A rook sees through the other rook.
    assert_eq!(at(&traced("4k3/8/8/8/8/8/8/RR2K3 w - -"), ROOK_MOBILITY, 10), 2);
}

#[test]
fn outposts() {
    let trace = traced("4k3/p6p/8/3N4/4P3/8/8/4K3 w - -");
    assert_eq!(at(&trace, KNIGHT_OUTPOST, 1), 1);
    // The c-pawn can still attack d5.
    assert_eq!(all(&traced("4k3/p1p4p/8/3N4/4P3/8/8/4K3 w - -"), KNIGHT_OUTPOST), 0);
    assert_eq!(all(&traced("4k3/p6p/8/8/4P3/2N5/8/4K3 w - -"), KNIGHT_OUTPOST_REACHABLE), 1);
    assert_eq!(at(&traced("4k3/p6p/8/3B4/4P3/8/8/4K3 w - -"), BISHOP_OUTPOST, 1), 1);
    assert_better("4k3/pp4pp/8/3N4/4P3/8/PP4PP/4K3", "4k3/pp4pp/8/8/4P3/3N4/PP4PP/4K3");
}

#[test]
fn bishops() {
    let trace = traced("4k3/8/8/3p4/3P4/4PP2/8/2B1K3 w - -");
    assert_eq!(all(&trace, BISHOP_SAME_COLOR_PAWNS), 2, "d4, e3");
    assert_eq!(all(&trace, BISHOP_BLOCKED_CENTRE), 2);
    assert_eq!(all(&traced("4k3/8/8/8/8/8/6B1/4K3 w - -"), BISHOP_LONG_DIAGONAL), 1);
    assert_eq!(all(&traced("4k3/8/8/8/4P3/8/6B1/4K3 w - -"), BISHOP_LONG_DIAGONAL), 0);
    assert_eq!(all(&traced("4k3/B1p5/1p6/8/8/8/8/4K3 w - -"), BISHOP_TRAPPED), 1);
    assert_eq!(all(&traced("4k3/2p3pB/6p1/8/8/8/8/4K3 w - -"), BISHOP_TRAPPED), 1);
    assert_eq!(all(&traced("4k3/B1p5/8/8/8/8/8/4K3 w - -"), BISHOP_TRAPPED), 0);
    assert_better("4k3/p1p5/1p6/8/8/B7/8/4K3", "4k3/B1p5/1p6/p7/8/8/8/4K3");
}

#[test]
fn rooks() {
    assert_eq!(at(&traced("4k3/pp6/8/8/8/8/1P6/R3K3 w - -"), ROOK_ON_FILE, 0), 1);
    assert_eq!(at(&traced("4k3/1p6/8/8/8/8/1P6/R3K3 w - -"), ROOK_ON_FILE, 1), 1);
    assert_eq!(all(&traced("4k3/R7/8/8/8/8/8/4K3 w - -"), ROOK_ON_SEVENTH), 1);
    assert_eq!(all(&traced("8/R7/4k3/8/8/8/8/4K3 w - -"), ROOK_ON_SEVENTH), 0);
    assert_eq!(at(&traced("4k3/8/8/8/8/8/6PP/5K1R w - -"), ROOK_TRAPPED, 1), 1);
    assert_eq!(at(&traced("4k3/8/8/8/8/5N2/6PP/4K2R w K -"), ROOK_TRAPPED, 0), 1);
    assert_eq!(all(&traced("4k3/8/8/8/8/8/6PP/5RK1 w - -"), ROOK_TRAPPED), 0);
    for fen in ["6k1/5ppp/8/8/8/6P1/5PRP/6K1 w - -", "1k6/ppp5/8/8/8/1P6/PRP5/1K6 w - -"] {
        assert_eq!(all(&traced(fen), ROOK_TRAPPED), 0, "{fen}");
    }
    assert_eq!(all(&traced("q3k3/8/8/8/8/8/P7/R3K3 w - -"), ROOK_ON_QUEEN_FILE), 1);
    assert_eq!(all(&traced("4k3/8/p7/P7/8/8/8/R3K3 w - -"), ROOK_CLOSED_FILE), 1);
}

#[test]
fn queens() {
    assert_eq!(all(&traced("q3k3/8/8/P7/8/8/8/R3K3 w - -"), QUEEN_XRAYED), -1);
    assert_eq!(all(&traced("4k3/8/8/3Q4/8/8/8/4K2n w - -"), QUEEN_INFILTRATION), 1);
    assert_eq!(all(&traced("4k3/2p5/8/3Q4/8/8/8/4K3 w - -"), QUEEN_INFILTRATION), 0);
}

#[test]
fn minors_behind_pawns_and_near_the_king() {
    let trace = traced("4k3/8/8/8/4P3/4N3/8/4K3 w - -");
    assert_eq!(at(&trace, MINOR_BEHIND_PAWN, 0), 1);
    assert_eq!(at(&trace, MINOR_KING_DISTANCE, 2), 1);
}

#[test]
fn shelter_and_storm() {
    let trace = traced("6k1/pppppppp/8/8/8/8/PPPPPPPP/6K1 w - -");
    assert_eq!((all(&trace, KING_SHELTER), all(&trace, KING_STORM)), (0, 0));
    let trace = traced("1nk5/8/8/6p1/8/6P1/5P1P/6K1 w - -");
    // Files f, g (the king's file) and h: pawns on ranks 2, 3, 2.
    assert_eq!(at(&trace, KING_SHELTER, 2 * 8 + 1), 1);
    assert_eq!(at(&trace, KING_SHELTER, 32 + 8 + 2), 1);
    assert_eq!(at(&trace, KING_STORM, 8 + 4), 1, "g5 is not blocked by g3");
    assert_eq!(at(&traced("1nk5/8/8/8/6p1/6P1/5P1P/6K1 w - -"), KING_STORM, 32 + 8 + 3), 1);
    assert_eq!(at(&traced("1nk5/8/8/8/6p1/6P1/5P1P/6K1 w - -"), KING_PAWN_DISTANCE, 1), 1);
    assert_eq!(all(&traced("6k1/5ppp/8/8/8/8/PPP5/6K1 w - -"), KING_PAWNLESS_FLANK), 0);
    assert_eq!(all(&traced("1nk5/8/8/6p1/8/6P1/5P1P/6K1 w - -"), KING_PAWNLESS_FLANK), -1);
    let worth = |fen| {
        let trace = traced(fen);
        let one = |index| i32::from(at(&trace, KING_SHELTER, index)) * weight(KING_SHELTER, index).mg();
        (0..KING_SHELTER.len).map(one).sum::<i32>()
    };
    let near = worth("3k4/8/8/8/8/8/5PPP/6K1 w - -");
    let far = worth("3k4/8/8/8/5PPP/8/8/6K1 w - -");
    let none = worth("3k4/8/8/8/8/8/PPP5/6K1 w - -");
    assert!(near > far && far > none, "{near} {far} {none}");
}

#[test]
fn castling_rights() {
    let trace = traced("r3k2r/8/8/8/8/8/8/R3K2R w Kq -");
    assert_eq!((at(&trace, CASTLING_RIGHT, 0), at(&trace, CASTLING_RIGHT, 1)), (1, -1));
}

#[test]
fn king_danger_needs_attackers() {
    let danger = |fen| {
        let trace = traced(fen);
        trace.safety.map(|side| count(&side, DANGER_BASE.offset))
    };
    assert_eq!(danger("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -"), [0, 0]);
    let attack = "6k1/5pp1/8/4N3/8/3B4/5PPP/5QK1 w - -";
    assert_eq!(danger(attack), [1, 0]);
    let trace = traced(attack);
    let of = |term: Term, index| count(&trace.safety[0], term.offset + index);
    assert_eq!(of(DANGER_ATTACKER, 0), 1, "the knight attacks f7, g6");
    assert_eq!(of(DANGER_ATTACKER, 1), 1, "the bishop attacks h7, g6");
    assert_eq!(of(DANGER_NO_QUEEN, 0), 0);
    assert_eq!(of(DANGER_UNSAFE_CHECK, 1), 1, "the bishop checks on h7, where the king takes it");
    assert_better("r4rk1/5p2/6pQ/6N1/8/3B4/5PPP/6K1", "r4rk1/5p2/6p1/8/8/8/QB3PPP/1N4K1");
}

#[test]
fn threats() {
    let trace = traced("4k3/8/8/3n1b2/4P3/8/8/4K3 w - -");
    assert_eq!(
        (at(&trace, THREAT_BY_PAWN, 1), at(&trace, THREAT_BY_PAWN, 2)),
        (0, 0),
        "f5 attacks e4, which is undefended"
    );
    let trace = traced("4k3/8/8/3n1b2/4P3/3P4/8/4K3 w - -");
    assert_eq!((at(&trace, THREAT_BY_PAWN, 1), at(&trace, THREAT_BY_PAWN, 2)), (1, 1));
    assert_eq!(all(&traced("4k3/8/3n4/8/8/4P3/3P4/4K3 w - -"), THREAT_BY_PAWN_PUSH), 0);
    assert_eq!(all(&traced("4k3/8/3n4/8/4P3/8/3P4/4K3 w - -"), THREAT_BY_PAWN_PUSH), 1, "by e5");
    assert_eq!(all(&traced("4k3/8/3b4/8/4P3/3P4/8/4K3 w - -"), THREAT_BY_PAWN_PUSH), 0, "the bishop takes on e5");
    assert_eq!(all(&traced("4k3/8/3b4/8/3PP3/8/8/4K3 w - -"), THREAT_BY_PAWN_PUSH), 1);
    let trace = traced("4k3/8/1r6/8/3N4/8/5r2/4K3 w - -");
    assert_eq!(at(&trace, THREAT_BY_MINOR, 3), 0);
    let trace = traced("4k3/8/8/1r6/3N4/8/8/4K3 w - -");
    assert_eq!((at(&trace, THREAT_BY_MINOR, 3), at(&trace, THREAT_HANGING, 3)), (1, 1));
    assert_eq!(at(&traced("4k3/8/8/3q4/8/8/3R4/4K3 w - -"), THREAT_BY_ROOK, 4), 1);
    assert_eq!(all(&traced("8/8/8/1n5k/2K5/8/8/8 w - -"), THREAT_BY_KING), 1);
    assert_eq!(at(&traced("4k3/8/8/3q4/8/8/8/1N2K3 w - -"), THREAT_ON_QUEEN, 0), 1, "from c3");
}

#[test]
fn space_and_centre() {
    let trace = traced("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    assert_eq!(all(&trace, SPACE), 0);
    let trace = traced("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq -");
    assert!(all(&trace, SPACE) > 0);
    assert!(all(&trace, CENTRE_CONTROL) > 0);
}

#[test]
fn complexity() {
    let trace = traced("4k3/p6p/8/8/8/8/P6P/4K3 w - -");
    let of = |term: Term| count(&trace.complexity, term.offset);
    assert_eq!(of(COMPLEXITY_PAWNS), 4);
    assert_eq!(of(COMPLEXITY_BOTH_FLANKS), 1);
    assert_eq!(of(COMPLEXITY_PAWN_ENDGAME), 1);
    assert_eq!(of(COMPLEXITY_PASSED), 0);
    assert_eq!(of(COMPLEXITY_STUCK), 0);
}
