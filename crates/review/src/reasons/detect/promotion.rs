//! A pawn that promotes.

use super::Scene;
use crate::reasons::claim::Motif;
use crate::reasons::line::Line;
use bartizan_types::Square;

/// The move promotes, and the new piece survives the next move.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let piece = line.moves()[index].promotes_to().filter(|_| !scene.is_taken_back())?;
    Some(Motif::Promotion { index, piece, pawn: origin(line, index) })
}

/// Where the man that moves at `index` stands at the start of the line.
fn origin(line: &Line, index: usize) -> Square {
    let mut square = line.moves()[index].from();
    for mv in line.moves()[..index].iter().rev() {
        if mv.destination() == square {
            square = mv.from();
        }
    }
    square
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;

    fn found(fen: &str, line: &str) -> Option<(usize, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Promotion { index, pawn, .. } => Some((index, pawn)),
            _ => None,
        })
    }

    #[test]
    fn a_pawn_promotes() {
        assert_eq!(found("8/1P3k2/8/8/8/8/8/6K1 w - - 0 1", "b7b8q f7f6"), Some((0, Square::B7)));
        assert_eq!(found("8/8/1P3k2/8/8/8/8/6K1 w - - 0 1", "b6b7 f6e6 b7b8q"), Some((2, Square::B6)));
        assert_eq!(found("r7/1P3k2/8/8/8/8/8/6K1 w - - 0 1", "b7a8n f7f6"), Some((0, Square::B7)));
    }

    #[test]
    fn a_new_queen_that_is_taken_is_none() {
        assert_eq!(found("r7/1P3k2/8/8/8/8/8/6K1 w - - 0 1", "b7b8q a8b8"), None);
        assert_eq!(found("8/8/1P3k2/8/8/8/8/6K1 w - - 0 1", "b6b7 f6e6"), None);
    }
}
