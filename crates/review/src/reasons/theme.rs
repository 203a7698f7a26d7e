//! Themes of a puzzle: what its winning line is about.

use super::claim::{EndingKind, Motif};
use super::line::Line;
use super::material::{exchanged, prize};
use super::{detect, ending};
use crate::points::balance;
use bartizan_position::Position;
use bartizan_types::{Move, PieceType};
use serde::Serialize;

/// A theme, serialised by the name that puzzle collections use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)] // The names suffice.
pub enum Theme {
    Mate,
    MateIn1,
    MateIn2,
    MateIn3,
    MateIn4,
    MateIn5,
    BackRankMate,
    SmotheredMate,
    DoubleCheck,
    Fork,
    Pin,
    Skewer,
    DiscoveredAttack,
    HangingPiece,
    TrappedPiece,
    CapturingDefender,
    Deflection,
    Overloading,
    Intermezzo,
    MateThreat,
    Promotion,
    UnderPromotion,
    EnPassant,
    Sacrifice,
    QuietMove,
    PawnEndgame,
    KnightEndgame,
    BishopEndgame,
    RookEndgame,
    QueenEndgame,
    OneMove,
    Short,
    Long,
    VeryLong,
}

/// The themes of a line that wins for the side to move, in the order of [`Theme`]. The line may end with a move of
/// either side; moves after an illegal one are ignored.
pub fn themes(position: &Position, line: &[Move]) -> Vec<Theme> {
    let line = Line::new(position, line);
    if line.len() == 0 {
        return Vec::new();
    }
    let is_mate = line.end().is_checkmate() && line.len() % 2 == 1;
    let (won, given) = exchanged(position, line.end(), line.winner());
    let prize = prize(&won, &given).filter(|_| !is_mate);
    let mut themes: Vec<Theme> = Vec::new();
    if is_mate {
        themes.push(Theme::Mate);
        themes.extend(mate_in(line.len().div_ceil(2)));
    }
    let is_last = |index: usize| index + 1 == line.len();
    let motifs = detect::motifs(&line, None, prize);
    themes.extend(motifs.iter().filter_map(|motif| of_motif(motif, is_mate, is_last)));
    themes.extend(of_moves(&line));
    themes.extend(ending::kind(position).and_then(of_ending));
    themes.push(match line.len() {
        ..=2 => Theme::OneMove,
        3..=4 => Theme::Short,
        5..=6 => Theme::Long,
        _ => Theme::VeryLong,
    });
    themes.sort_unstable();
    themes.dedup();
    themes
}

fn mate_in(moves: usize) -> Option<Theme> {
    [Theme::MateIn1, Theme::MateIn2, Theme::MateIn3, Theme::MateIn4, Theme::MateIn5].get(moves - 1).copied()
}

fn of_motif(motif: &Motif, is_mate: bool, is_last: impl Fn(usize) -> bool) -> Option<Theme> {
    Some(match motif {
        Motif::SmotheredMate => Theme::SmotheredMate,
        Motif::BackRank { index, .. } => return (is_mate && is_last(*index)).then_some(Theme::BackRankMate),
        Motif::DoubleCheck { .. } => Theme::DoubleCheck,
        Motif::Fork { .. } | Motif::DoubleAttack { .. } => Theme::Fork,
        Motif::Pin { .. } => Theme::Pin,
        Motif::Skewer { .. } => Theme::Skewer,
        Motif::DiscoveredAttack { .. } => Theme::DiscoveredAttack,
        Motif::Hanging { piece, .. } => return (*piece != PieceType::Pawn && !is_mate).then_some(Theme::HangingPiece),
        Motif::Trapped { .. } => Theme::TrappedPiece,
        Motif::RemovedDefender { .. } => Theme::CapturingDefender,
        Motif::Deflection { .. } => Theme::Deflection,
        Motif::Overloaded { .. } => Theme::Overloading,
        Motif::Zwischenzug { .. } => Theme::Intermezzo,
        Motif::MateThreat { .. } => Theme::MateThreat,
        Motif::Promotion { piece: PieceType::Queen, .. } => Theme::Promotion,
        Motif::Promotion { .. } => Theme::UnderPromotion,
        Motif::Threat { .. } => return None,
    })
}

fn of_moves(line: &Line) -> Vec<Theme> {
    let mut themes = Vec::new();
    let before = balance(line.start(), line.winner());
    for index in line.winner_moves() {
        let mv = line.moves()[index];
        let is_quiet = line.capture(index).is_none() && !line.after(index).in_check() && !mv.is_promotion();
        if is_quiet {
            themes.push(Theme::QuietMove);
        }
        if mv.is_en_passant() {
            themes.push(Theme::EnPassant);
        }
        // Two points or more are given after the reply, and the line goes on.
        let is_down = line.positions().get(index + 2).is_some_and(|next| balance(next, line.winner()) <= before - 2);
        if is_down && index + 2 < line.len() {
            themes.push(Theme::Sacrifice);
        }
    }
    themes
}

fn of_ending(kind: EndingKind) -> Option<Theme> {
    Some(match kind {
        EndingKind::Pawns => Theme::PawnEndgame,
        EndingKind::Knights => Theme::KnightEndgame,
        EndingKind::Bishops => Theme::BishopEndgame,
        EndingKind::Rooks => Theme::RookEndgame,
        EndingKind::Queens => Theme::QueenEndgame,
        EndingKind::Minors | EndingKind::Mixed => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::parse_line;

    fn found(fen: &str, line: &str) -> Vec<Theme> {
        let position = Position::from_fen(fen).unwrap();
        themes(&position, &parse_line(&position, line))
    }

    #[test]
    fn a_smothered_mate_is_a_sacrifice_too() {
        let found = found("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", "c4g8 a8g8 h6f7");
        assert_eq!(found, [Theme::Mate, Theme::MateIn2, Theme::SmotheredMate, Theme::Sacrifice, Theme::Short]);
    }

    #[test]
    fn a_fork_wins_a_rook() {
        let found = found("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d7 c7a8");
        assert_eq!(found, [Theme::Fork, Theme::Short]);
    }

    #[test]
    fn no_line_has_no_theme() {
        assert_eq!(found("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", ""), []);
    }
}
