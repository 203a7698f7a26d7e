//! Protocol violations that do not lose the game, and warnings.

use super::score::mate;
use crate::record::ProtocolFaultKind;
use bartizan_client::{Bound, Info};
use bartizan_position::Game;
use bartizan_types::{Move, Variant};

/// Checks an engine's last line before its move against the rules and the move.
pub(super) fn check(game: &Game, played: Move, info: &Info) -> Vec<(ProtocolFaultKind, String)> {
    let mut faults = Vec::new();
    if info.score.is_none() && info.depth.is_none() && info.pv.is_empty() {
        faults.push((ProtocolFaultKind::Silent, "a move without an info line".to_owned()));
        return faults;
    }
    if info.pv.is_empty() {
        return faults;
    }
    let text = || info.pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut line = game.clone();
    let (mut mated_at, mut is_past_end) = (None, false);
    for (index, &uci) in info.pv.iter().enumerate() {
        let is_over = index > 0 && (line.outcome().is_some() || line.claimable_draw().is_some());
        let legal = line.position().resolve_uci(uci);
        if index == 0 && legal != Ok(played) {
            faults.push((
                ProtocolFaultKind::BestMoveNotPv,
                format!("played {}, pv {}", played.to_uci(Variant::Standard), text()),
            ));
        }
        match legal {
            Ok(mv) if line.push(mv).is_ok() => {}
            _ => {
                faults.push((ProtocolFaultKind::IllegalPv, format!("move {} ({uci}): {}", index + 1, text())));
                break;
            }
        }
        if is_over && !is_past_end {
            is_past_end = true;
            faults.push((ProtocolFaultKind::PvPastEnd, format!("from move {}: {}", index + 1, text())));
        }
        if line.position().is_checkmate() {
            mated_at = Some(index as i64 + 1);
        }
    }
    // A bound only means "at most" or "at least".
    if let Some(mate) = mate(info).filter(|_| info.bound == Bound::Exact) {
        // Mate in N moves takes 2N − 1 plies if the mover mates, 2N if it is mated.
        let moves = i64::from(mate);
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let contradicts = match mated_at {
            Some(at) => at != plies,
            None => info.pv.len() as i64 >= plies,
        };
        if contradicts {
            faults.push((ProtocolFaultKind::ContradictoryMate, format!("mate {mate}, pv {}", text())));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use ProtocolFaultKind::{IllegalPv, PvPastEnd};
    use bartizan_position::Position;

    #[track_caller]
    fn kinds(fen: &str, pv: &str) -> Vec<(ProtocolFaultKind, bool)> {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let mut info = Info::default();
        info.pv = pv.split(' ').map(|text| text.parse().unwrap()).collect();
        let played = game.position().resolve_uci(info.pv[0]).unwrap();
        check(&game, played, &info).into_iter().map(|(kind, _)| (kind, kind.is_warning())).collect()
    }

    #[test]
    fn a_pv_may_continue_where_a_draw_can_be_claimed() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let shuffle = ["g1f3 g8f6 f3g1 f6g8"; 3].join(" ");
        assert_eq!(kinds(start, &shuffle[..39]), []);
        assert_eq!(kinds(start, &shuffle), [(PvPastEnd, true)]);
        // The 50-move rule, and too little material to mate.
        assert_eq!(kinds("4k3/8/8/8/8/8/8/R3K3 w - - 98 90", "a1a2 e8d8 a2a1"), [(PvPastEnd, true)]);
        assert_eq!(kinds("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2 e8d8 e2d2"), [(PvPastEnd, true)]);
        // After the warning, moves must still be legal; after mate, none is.
        assert_eq!(kinds(start, &format!("{shuffle} e2e5")), [(PvPastEnd, true), (IllegalPv, false)]);
        assert_eq!(kinds("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8 g8h8"), [(IllegalPv, false)]);
    }
}
