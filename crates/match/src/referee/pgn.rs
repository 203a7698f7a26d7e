//! A finished game as PGN.

use super::score::{centipawns, mate};
use super::{Ending, OpenGame};
use crate::date::pgn_date;
use bartizan_book::eco;
use bartizan_client::Info;
use bartizan_notation::pgn::{GameResult, PgnGame};
use std::time::Duration;

/// The comment of a move, as GUIs write it: `score/depth time nodes`, with the score in pawns for the mover.
/// The time is what the move cost on the clock.
pub(super) fn comment(info: &Info, cost: Duration) -> String {
    let score = match (mate(info), centipawns(info)) {
        (Some(moves), _) if moves < 0 => format!("-M{}", moves.unsigned_abs()),
        (Some(moves), _) => format!("+M{moves}"),
        (None, Some(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        (None, None) => "?".to_owned(),
    };
    let depth = info.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let nodes = info.nodes.map(|nodes| format!(" n={nodes}")).unwrap_or_default();
    format!("{score}{depth} {:.3}s{nodes}", cost.as_secs_f64())
}

impl OpenGame<'_> {
    /// The game with tags and commented moves.
    pub(super) fn pgn(&self, ending: &Ending) -> PgnGame {
        let (settings, fixture) = (self.referee.settings, self.fixture);
        let termination = if ending.detail.is_empty() {
            ending.termination.to_string()
        } else {
            format!("{}: {}", ending.termination, ending.detail)
        };
        let mut tags = vec![
            ("Event", settings.event.clone()),
            ("Date", pgn_date(self.date)),
            ("Round", format!("{}.{}", fixture.round + 1, fixture.id % 2 + 1)),
            ("White", settings.label(fixture.white)),
            ("Black", settings.label(fixture.black)),
            ("PlyCount", self.moves.len().to_string()),
            ("Termination", termination),
            ("GameNumber", (fixture.id + 1).to_string()),
        ];
        let [white, black] = [fixture.white, fixture.black].map(|engine| settings.engines[engine].limits().to_string());
        if let Some(opening) = eco::classify(&self.game) {
            tags.extend([("ECO", opening.code().to_owned()), ("Opening", opening.opening().to_owned())]);
            tags.extend(opening.variation().map(|variation| ("Variation", variation.to_owned())));
        }
        if white == black {
            tags.push(("TimeControl", white));
        } else {
            tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
        }
        PgnGame {
            tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            start: self.game.start().clone(),
            chess960: settings.chess960,
            comment: None,
            moves: self.moves.clone(),
            result: ending.winner.map_or(GameResult::Draw, GameResult::won_by),
        }
    }
}
