//! Endings: pawns that cannot be stopped, and results that change.

use super::claim::{Chance, Claim, EndingKind, MistakeContext, Source, Verdict};
use super::line::Line;
use super::material::is_quiet;
use super::search::{LIMIT, Searcher, score};
use crate::WhiteEval;
use bartizan_position::Position;
use bartizan_types::{Color, Direction, Move, PieceType, Rank, Square};

/// The number of moves of a line in which a pawn may break through.
const HORIZON: usize = 12;

/// The most men besides kings and pawns in an ending.
const MOST_PIECES: u32 = 4;

/// The least score of a won ending, in centipawns, and the greatest of a drawn one.
const WON: i32 = 250;
const DRAWN: i32 = 45;

/// A pawn that cannot be stopped after some moves of a line, and could be before the mistake.
pub(super) fn find_pawn(context: &MistakeContext<'_>, chance: Chance, own: &[Move]) -> Option<Claim> {
    let line = Line::new(&context.start(chance), own);
    let winner = line.winner();
    if chance == Chance::Allowed && runner(context.before, winner).is_some() {
        return None;
    }
    (1..=line.len().min(HORIZON)).find_map(|length| {
        let end = line.at(length);
        let pawn = runner(end, winner).filter(|_| is_quiet(end, winner))?;
        Some(Claim::UnstoppablePawn { chance, line: line.moves()[..length].to_vec(), pawn })
    })
}

/// A pawn of `side` that the other side, which has only pawns, cannot stop by the square rule.
pub(super) fn runner(position: &Position, side: Color) -> Option<Square> {
    let theirs = position.color(!side);
    let pawns = position.by_type(PieceType::Pawn);
    if (theirs - pawns - position.king(!side).bitboard()).any() || position.in_check() {
        return None;
    }
    let tempo = u8::from(position.turn() != side);
    let runs = |pawn: &Square| {
        let distance = distance(*pawn, side);
        let goal = Square::new(pawn.file(), side.relative_rank(Rank::Eighth));
        let mut square = *pawn;
        while let Some(next) = square.step(Direction::forward(side)) {
            if position.occupied().contains(next) {
                return false;
            }
            square = next;
        }
        let is_ahead = (pawns & theirs).into_iter().all(|rival| self::distance(rival, !side) > distance + tempo);
        position.king(!side).distance(goal) > distance + tempo && is_ahead
    };
    position.pieces(side, PieceType::Pawn).into_iter().filter(runs).min_by_key(|&pawn| distance(pawn, side))
}

/// The number of moves that a pawn needs to promote.
fn distance(pawn: Square, side: Color) -> u8 {
    let rank = pawn.relative_to(side).rank().index() as u8;
    (7 - rank).min(5)
}

/// The kind of an ending, if it is one.
pub(super) fn kind(position: &Position) -> Option<EndingKind> {
    let has = |piece| position.by_type(piece).any();
    let pieces = position.occupied() - position.by_type(PieceType::Pawn) - position.by_type(PieceType::King);
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen].map(has);
    (pieces.count() <= MOST_PIECES).then_some(match kinds {
        [false, false, false, false] => EndingKind::Pawns,
        [true, false, false, false] => EndingKind::Knights,
        [false, true, false, false] => EndingKind::Bishops,
        [true, true, false, false] => EndingKind::Minors,
        [false, false, true, false] => EndingKind::Rooks,
        [false, false, false, true] => EndingKind::Queens,
        _ => EndingKind::Mixed,
    })
}

/// An ending whose result the mistake changes, by the evaluations of the context.
pub(super) fn find(context: &MistakeContext<'_>) -> Option<Claim> {
    let player = context.player();
    let from = verdict(for_side(context.eval_before, player))?;
    let to = verdict(for_side(context.eval_after, player))?;
    claim(context, from, to, Source::Search)
}

/// The same by tables.
pub(super) fn find_in_tables(context: &MistakeContext<'_>, searcher: &mut dyn Searcher) -> Option<Claim> {
    let from = searcher.table(context.before)?;
    let to = opposite(searcher.table(&context.after())?);
    claim(context, from, to, Source::Table)
}

fn claim(context: &MistakeContext<'_>, from: Verdict, to: Verdict, source: Source) -> Option<Claim> {
    kind(context.before)?;
    let kind = kind(&context.after())?;
    (rank(from) > rank(to)).then_some(Claim::Ending { kind, from, to, source })
}

/// Whether searches, or tables, confirm the results.
pub(super) fn verify(
    context: &MistakeContext<'_>,
    [from, to]: [Verdict; 2],
    source: Source,
    searcher: &mut dyn Searcher,
) -> bool {
    let player = context.player();
    match source {
        Source::Table => find_in_tables(context, searcher)
            .is_some_and(|claim| matches!(claim, Claim::Ending { from: f, to: t, .. } if f == from && t == to)),
        Source::Search => [(context.before, from), (&context.after(), to)]
            .into_iter()
            .all(|(position, expected)| score(searcher, position, player).and_then(verdict) == Some(expected)),
    }
}

fn verdict(score: i32) -> Option<Verdict> {
    if score >= WON {
        Some(Verdict::Won)
    } else if score <= -WON {
        Some(Verdict::Lost)
    } else {
        (score.abs() <= DRAWN).then_some(Verdict::Drawn)
    }
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Won => 2,
        Verdict::Drawn => 1,
        Verdict::Lost => 0,
    }
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Won => Verdict::Lost,
        Verdict::Drawn => Verdict::Drawn,
        Verdict::Lost => Verdict::Won,
    }
}

/// The evaluation for a side in centipawns, at most [`LIMIT`].
pub(super) fn for_side(eval: WhiteEval, side: Color) -> i32 {
    let white = match eval {
        WhiteEval::Cp(centipawns) => centipawns.clamp(-LIMIT, LIMIT),
        WhiteEval::Mate(moves) => LIMIT * moves.signum(),
    };
    if side.is_white() { white } else { -white }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::Case;

    fn pawn(fen: &str, side: Color) -> Option<Square> {
        runner(&Position::from_fen(fen).unwrap(), side)
    }

    #[test]
    fn the_square_rule_holds() {
        assert_eq!(pawn("8/8/8/7k/P7/8/8/7K w - - 0 1", Color::White), Some(Square::A4));
        // Black is in the square if he moves.
        assert_eq!(pawn("8/8/8/5k2/P7/8/8/7K w - - 0 1", Color::White), Some(Square::A4));
        assert_eq!(pawn("8/8/8/5k2/P7/8/8/7K b - - 0 1", Color::White), None);
        // The double step.
        assert_eq!(pawn("8/8/7k/8/8/8/P7/7K w - - 0 1", Color::White), Some(Square::A2));
        assert_eq!(pawn("7k/p7/8/8/8/7K/8/8 b - - 0 1", Color::Black), Some(Square::A7));
    }

    #[test]
    fn pieces_blockers_and_rivals_stop_it() {
        assert_eq!(pawn("8/8/8/7k/P7/8/8/1n5K w - - 0 1", Color::White), None);
        assert_eq!(pawn("8/8/p7/7k/P7/8/8/7K w - - 0 1", Color::White), None);
        assert_eq!(pawn("8/8/8/7k/P7/8/3p4/7K w - - 0 1", Color::White), None);
    }

    #[test]
    fn a_king_that_leaves_the_square_allows_it() {
        let case = Case::new("8/8/8/8/P3k3/8/8/7K b - - 0 1", "e4f4", "e4d5 a4a5 d5c6", "a4a5 f4e5 a5a6");
        let expected = Some(Square::A5);
        let context = case.context();
        let found = find_pawn(&context, Chance::Allowed, context.refutation);
        assert!(matches!(&found, Some(Claim::UnstoppablePawn { pawn, .. }) if Some(*pawn) == expected), "{found:?}");
        assert_eq!(find_pawn(&context, Chance::Missed, context.better), None);
    }

    #[test]
    fn endings_have_kinds() {
        let kind = |fen: &str| kind(&Position::from_fen(fen).unwrap());
        assert_eq!(kind("8/8/8/7k/P7/8/8/7K w - - 0 1"), Some(EndingKind::Pawns));
        assert_eq!(kind("8/8/r7/7k/P7/8/8/R6K w - - 0 1"), Some(EndingKind::Rooks));
        assert_eq!(kind("8/8/r6b/7k/P7/8/8/R6K w - - 0 1"), Some(EndingKind::Mixed));
        assert_eq!(kind(&Position::startpos().to_fen()), None);
    }

    #[test]
    fn a_result_changes() {
        let mut case = Case::new("8/8/8/8/P3k3/8/8/7K b - - 0 1", "e4f4", "e4d5", "a4a5");
        case.evals = (WhiteEval::Cp(0), WhiteEval::Cp(900));
        let expected =
            Claim::Ending { kind: EndingKind::Pawns, from: Verdict::Drawn, to: Verdict::Lost, source: Source::Search };
        assert_eq!(find(&case.context()), Some(expected));
        case.evals = (WhiteEval::Cp(100), WhiteEval::Cp(900));
        assert_eq!(find(&case.context()), None);
    }
}
