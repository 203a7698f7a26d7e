//! A finished game as PGN.

use super::score::{centipawns, mate};
use super::{Ending, OpenGame};
use bartizan_book::eco;
use bartizan_client::Info;
use bartizan_notation::pgn::{GameResult, PgnGame};
use bartizan_types::Excerpt;
use std::time::Duration;

/// The comment of a move in the format of GUIs: `score/depth time nodes`, with the score in pawns for the mover. The
/// time is the move's cost on the clock.
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

/// Maximum length of the reason for a game's end, in characters. A crash may have a long message.
const LONGEST_ENDING: usize = 200;

/// The reason for a game's end, as readable text.
fn describe(ending: &Ending) -> String {
    if ending.detail.is_empty() {
        return ending.termination.to_string();
    }
    let text = format!("{}: {}", ending.termination, ending.detail);
    Excerpt::with_length(&text, LONGEST_ENDING).to_string()
}

impl OpenGame<'_> {
    /// The game with tags and commented moves. The last comment also has the reason for the end.
    pub(super) fn pgn(&self, ending: &Ending) -> PgnGame {
        let (settings, scheduled) = (self.referee.settings, self.scheduled);
        let (mut moves, mut comment) = (self.moves.clone(), None);
        let last = moves.last_mut().map_or(&mut comment, |played| &mut played.comment);
        *last = Some(last.take().map_or_else(|| describe(ending), |text| format!("{text}, {}", describe(ending))));
        let mut tags = vec![
            ("Event", settings.event.clone()),
            ("Date", self.date.pgn().to_string()),
            ("Round", format!("{}.{}", scheduled.round + 1, scheduled.id % 2 + 1)),
            ("White", settings.label(scheduled.white)),
            ("Black", settings.label(scheduled.black)),
            ("PlyCount", self.moves.len().to_string()),
            ("Termination", ending.termination.pgn().to_owned()),
            ("GameNumber", (scheduled.id + 1).to_string()),
        ];
        let [white, black] =
            [scheduled.white, scheduled.black].map(|engine| settings.engines[engine].limits().to_string());
        if let Some(opening) = eco::classify(&self.game) {
            tags.extend([("ECO", opening.code().to_owned()), ("Opening", opening.opening().to_owned())]);
            tags.extend(opening.variation().map(|variation| ("Variation", variation.to_owned())));
        }
        if white == black {
            tags.push(("TimeControl", white));
        } else {
            tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
        }
        let mut pgn = PgnGame::new(self.game.start().clone());
        pgn.tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        pgn.chess960 = settings.chess960;
        pgn.comment = comment;
        pgn.moves = moves;
        pgn.result = ending.winner.map_or(GameResult::Draw, GameResult::won_by);
        pgn
    }
}
