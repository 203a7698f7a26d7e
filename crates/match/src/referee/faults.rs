//! Protocol violations that do not lose the game.

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
    let mut mated_at = None;
    for (index, &uci) in info.pv.iter().enumerate() {
        if index > 0 && (line.outcome().is_some() || line.claimable_draw().is_some()) {
            faults.push((ProtocolFaultKind::PvPastEnd, format!("from move {}: {}", index + 1, text())));
            break;
        }
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
