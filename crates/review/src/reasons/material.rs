//! What a line wins, counted in quiet positions.

use super::claim::{Chance, Claim, MistakeContext};
use super::detect;
use super::line::{Line, has_gain};
use crate::points::{COUNTED, balance};
use bartizan_position::Position;
use bartizan_types::{Color, Move, PieceType};

/// The number of moves of a line in which a gain is looked for, and in which the gain of a pawn is.
const HORIZON: usize = 16;
const PAWN_HORIZON: usize = 13;

/// The most prefixes of a line that are tried as a proof.
const PREFIXES: usize = 3;

/// What the side `winner` won from `before` to `end` and what it gave, after equal pieces are cancelled; the most
/// valuable first.
pub(super) fn exchanged(before: &Position, end: &Position, winner: Color) -> (Vec<PieceType>, Vec<PieceType>) {
    let (mut won, mut given) = (Vec::new(), Vec::new());
    for piece in COUNTED {
        let difference = |position: &Position| {
            let count = |side| position.pieces(side, piece).count() as i32;
            count(winner) - count(!winner)
        };
        let change = difference(end) - difference(before);
        let list = if change > 0 { &mut won } else { &mut given };
        list.extend(std::iter::repeat_n(piece, change.unsigned_abs() as usize));
    }
    (won, given)
}

/// The same without bishops for knights, which are even exchanges.
pub(super) fn without_minors(won: &[PieceType], given: &[PieceType]) -> (Vec<PieceType>, Vec<PieceType>) {
    let is_minor = |piece: &PieceType| matches!(piece, PieceType::Bishop | PieceType::Knight);
    let (mut won, mut given) = (won.to_vec(), given.to_vec());
    while let (Some(ours), Some(theirs)) = (won.iter().position(is_minor), given.iter().position(is_minor)) {
        won.remove(ours);
        given.remove(theirs);
    }
    (won, given)
}

/// The most valuable piece that a line wins.
pub(super) fn prize(won: &[PieceType], given: &[PieceType]) -> Option<PieceType> {
    without_minors(won, given).0.first().copied()
}

/// Whether the side to move is not in check, and has nothing to capture unless it is the winner.
pub(super) fn is_quiet(position: &Position, winner: Color) -> bool {
    !position.in_check() && (position.turn() == winner || !has_gain(position))
}

/// Whether the side to move is not in check and has nothing to capture.
pub(super) fn is_quiet_for_both(position: &Position) -> bool {
    !position.in_check() && !has_gain(position)
}

/// The quiet positions of a line: the numbers of moves to them, and the material of `side` there.
fn stops(line: &Line, side: Color, is_quiet: impl Fn(&Position) -> bool) -> Vec<(usize, i32)> {
    let positions = line.positions().iter().enumerate().take(HORIZON + 1);
    positions.filter(|(_, position)| is_quiet(position)).map(|(length, end)| (length, balance(end, side))).collect()
}

/// The quiet positions at the end of a line between which the material does not change any more: the numbers of moves
/// to the first and the last one, and the material.
fn settled(line: &Line, side: Color) -> Option<([usize; 2], i32)> {
    let stops = stops(line, side, is_quiet_for_both);
    let &(last, balance) = stops.last()?;
    let &(first, _) = stops.iter().rev().take_while(|stop| stop.1 == balance).last()?;
    Some(([first, last], balance))
}

/// The material that the line of one chance wins compared with the line of the other, as claims; the best first.
pub(super) fn find(context: &MistakeContext<'_>, chance: Chance, own: &[Move]) -> Vec<Claim> {
    let start = context.start(chance);
    let line = Line::new(&start, own);
    let (other_chance, other) = match chance {
        Chance::Allowed => (Chance::Missed, context.better),
        Chance::Missed => (Chance::Allowed, context.refutation),
    };
    let winner = line.winner();
    let other = Line::new(&context.start(other_chance), other);
    let Some((settled, other_balance)) = settled(&other, winner) else { return Vec::new() };
    let before = balance(context.before, winner);
    let stops = stops(&line, winner, |position| is_quiet(position, winner));
    // A gain counts if it is not lost again later in the line.
    let mut gains = Vec::new();
    let mut kept = i32::MAX;
    for &(length, balance) in stops.iter().rev() {
        kept = kept.min(balance);
        let gain = balance - before;
        let is_near = gain > 1 || length <= PAWN_HORIZON;
        if length > 0 && kept == balance && gain > 0 && balance > other_balance && is_near {
            gains.push((length, gain));
        }
    }
    gains.reverse();
    let most = gains.iter().map(|&(_, gain)| gain).max().unwrap_or(0);
    let is_most = |gain: i32| 5 * gain >= 3 * most;
    gains.sort_by_key(|&(length, gain)| (!is_most(gain), length));
    let claim = |(length, gain): (usize, i32), instead: usize| {
        let line = line.prefix(length);
        let (won, given) = exchanged(context.before, line.end(), winner);
        let motif = detect::motifs(&line, Some((context, chance)), prize(&won, &given)).into_iter().next();
        let instead = other.moves()[..instead].to_vec();
        Claim::Material { chance, line: line.moves().to_vec(), instead, gain, won, given, motif }
    };
    let insteads = if settled[0] == settled[1] { &settled[..1] } else { &settled[..] };
    gains.truncate(PREFIXES);
    let pairs = gains.iter().flat_map(|&gain| insteads.iter().map(move |&instead| (gain, instead)));
    pairs.map(|(gain, instead)| claim(gain, instead)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::Case;

    fn gains(case: &Case, chance: Chance) -> Vec<(usize, i32)> {
        let own = if chance == Chance::Allowed { &case.refutation } else { &case.better };
        let claims = find(&case.context(), chance, own);
        let gain = |claim: &Claim| match claim {
            Claim::Material { line, gain, .. } => Some((line.len(), *gain)),
            _ => None,
        };
        claims.iter().filter_map(gain).collect()
    }

    #[test]
    fn a_hanging_knight_is_three_points() {
        // Damiano: 3. Nxe5 is good, but here White has played 3. Nd4 and loses the knight.
        let case = Case::new(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
            "f3d4",
            "b1c3 b8c6 f1b5",
            "e5d4 f1c4 g8f6",
        );
        assert_eq!(gains(&case, Chance::Allowed)[0], (1, 3));
        assert!(gains(&case, Chance::Missed).is_empty());
    }

    #[test]
    fn an_exchange_counts_at_its_end() {
        // The knights are exchanged, and the rook takes the pawn in the end.
        let case = Case::new("4k3/8/4p3/3n4/8/2N5/8/3RK3 w - - 0 1", "c3b1", "c3d5 e6d5 d1d5", "d5f6 e1e2");
        assert_eq!(gains(&case, Chance::Missed)[0], (3, 1));
    }

    #[test]
    fn what_is_lost_in_any_case_is_no_gain() {
        // The rook on a1 is lost whatever White does.
        let case = Case::new("4k3/8/8/8/8/8/6q1/R3K3 w Q - 0 1", "e1d1", "e1c1 g2h1", "g2f1 d1d2");
        assert!(gains(&case, Chance::Allowed).is_empty());
    }

    #[test]
    fn a_bishop_for_a_knight_is_even() {
        let before = Position::from_fen("4k3/8/8/3n4/8/1B6/8/4K3 w - - 0 1").unwrap();
        let end = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let (won, given) = exchanged(&before, &end, Color::White);
        assert_eq!((&won[..], &given[..]), (&[PieceType::Knight][..], &[PieceType::Bishop][..]));
        assert_eq!(without_minors(&won, &given), (Vec::new(), Vec::new()));
        let end = Position::from_fen("4k3/8/8/3B4/8/8/8/4K3 b - - 0 1").unwrap();
        assert_eq!(exchanged(&before, &end, Color::White), (vec![PieceType::Knight], Vec::new()));
    }
}
