//! Draws that were allowed to a loser, or missed by one.

use super::claim::{Chance, Claim, DrawKind, MistakeContext};
use super::line::Line;
use bartizan_types::Move;

/// The draw that a line reaches first.
pub(super) fn find(context: &MistakeContext<'_>, chance: Chance, own: &[Move]) -> Option<Claim> {
    let line = Line::new(&context.start(chance), own);
    let found = (0..=line.len()).find_map(|length| {
        let line = line.prefix(length);
        draw(&line).map(|draw| Claim::Draw { chance, line: line.moves().to_vec(), draw })
    });
    // If it was drawn already before the mistake, that is no news.
    let stays = chance == Chance::Allowed && draw(&Line::new(context.before, &[])).is_some();
    found.filter(|_| !stays)
}

/// Why the end of a line is drawn.
pub(super) fn draw(line: &Line) -> Option<DrawKind> {
    let end = line.end();
    if end.is_stalemate() {
        return Some(DrawKind::Stalemate);
    }
    if end.is_insufficient_material() {
        return Some(DrawKind::Insufficient);
    }
    let earlier = &line.positions()[..line.len()];
    if let Some(since) = earlier.iter().rposition(|position| position.key() == end.key()) {
        let mut checks = line.winner_moves().filter(|&index| index >= since).map(|index| line.after(index).in_check());
        return Some(if checks.all(|check| check) { DrawKind::Perpetual } else { DrawKind::Repetition });
    }
    let is_known = !end.in_check() && bartizan_eval::known_value(end).is_some_and(|value| value.0 == 0);
    is_known.then_some(DrawKind::Known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::{Case, parse_line};
    use bartizan_position::Position;

    fn kind(fen: &str, moves: &str) -> Option<DrawKind> {
        let position = Position::from_fen(fen).unwrap();
        draw(&Line::new(&position, &parse_line(&position, moves)))
    }

    #[test]
    fn draws_are_told_apart() {
        assert_eq!(kind("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7"), Some(DrawKind::Stalemate));
        assert_eq!(kind("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2"), Some(DrawKind::Insufficient));
        assert_eq!(kind("6k1/6pp/8/8/3Q4/8/1q6/7K w - - 0 1", "d4d8"), None);
        let checks = "d4d8 g8f7 d8d7 f7f6 d7d6 f6f7 d6d7";
        assert_eq!(kind("6k1/6pp/8/8/3Q4/8/1q6/7K w - - 0 1", checks), Some(DrawKind::Perpetual));
        let shuffle = "d4d1 g8f8 d1d4 f8g8";
        assert_eq!(kind("6k1/6pp/8/8/3Q4/8/1q6/7K w - - 0 1", shuffle), Some(DrawKind::Repetition));
        // King and pawn against a king in front of it.
        assert_eq!(kind("8/8/3k4/8/3P4/3K4/8/8 b - - 0 1", "d6d5"), Some(DrawKind::Known));
    }

    #[test]
    fn stalemate_is_allowed() {
        let case = Case::new("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "f2f8", "");
        let claim = find(&case.context(), Chance::Allowed, &[]);
        let expected = Claim::Draw { chance: Chance::Allowed, line: Vec::new(), draw: DrawKind::Stalemate };
        assert_eq!(claim, Some(expected));
    }
}
