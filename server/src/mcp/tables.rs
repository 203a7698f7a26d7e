//! Endgame tables, which know the result of positions with few pieces.

use super::facts::{self, Facts, side};
use super::games::Record;
use bartizan_tablebase::{Tablebases, Wdl, WinRanking};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// Of `tablebase`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Probe {
    /// Position now.
    pub(crate) position: Facts,
    /// Result with best play for the side to move: `win`, `draw`, `loss`; `cursed win` and `blessed loss` are draws by
    /// the 50-move rule.
    pub(crate) result: String,
    /// Every legal move, the best one first.
    pub(crate) moves: Vec<TableMove>,
}

/// A move and its result.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TableMove {
    /// The move with its number.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// Result for the side that plays it.
    pub(crate) result: String,
    /// Plies to the next capture or pawn move with best play, if known.
    pub(crate) plies_to_zeroing: Option<u32>,
}

pub(crate) fn probe(tables: Option<&Tablebases>, record: &Record, facts: Facts) -> Result<Probe, String> {
    let tables = tables.ok_or("this server has no endgame tables; start it with --syzygy FOLDER, or use analyse")?;
    let position = record.game.position();
    let (men, most) = (position.placement().count(), tables.max_pieces());
    if men > most {
        return Err(format!("the position has {men} pieces, and the tables have at most {most}; use analyse"));
    }
    if record.game.outcome().is_some() {
        return Err(format!("the game is over: {}", facts.status));
    }
    let moves = tables.probe_root(position, WinRanking::ByDistance).map_err(|error| error.to_string())?;
    let moves = moves.ok_or("the tables do not have this position; use analyse")?;
    let result = moves.first().map_or(Wdl::Draw, |best| best.outcome);
    let moves = moves.iter().map(|mv| TableMove {
        mv: facts::san(position, &[mv.mv]),
        result: mv.outcome.to_string(),
        plies_to_zeroing: mv.dtz.filter(|_| mv.outcome != Wdl::Draw).map(|dtz| dtz.0.unsigned_abs()),
    });
    Ok(Probe { result: result.to_string(), moves: moves.collect(), position: facts })
}

impl Probe {
    /// The result in words.
    pub(crate) fn words(&self, record: &Record) -> String {
        let mover = side(record.game.position().turn());
        let moves: Vec<String> = self.moves.iter().map(|mv| format!("{} ({})", mv.mv, mv.result)).collect();
        format!(
            "With best play, {mover} to move: {} (proven by endgame tables). Moves: {}.",
            self.result,
            moves.join(", ")
        )
    }
}
