//! The tables' information about a position and each move, as text and as JSON.

use crate::advice::{AdviceError, AdviceTables};
use crate::{Dtm, DtmMove};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_tablebase::{Dtz, RootMove, Wdl, WinRanking};
use bartizan_types::Variant;
use serde_json::{Value, json};
use std::fmt;

/// The information of each kind of tables about a position and its moves.
///
/// ```
/// use bartizan_dtm::ProbeReport;
/// use bartizan_dtm::advice::AdviceTables;
/// use bartizan_position::Position;
/// use bartizan_tablebase::WinRanking;
///
/// let position = Position::from_fen("8/8/8/8/8/2k5/2P5/2K5 w - - 0 1")?;
/// let probed = ProbeReport::new(&position, AdviceTables::default(), WinRanking::Equal, true)?;
/// assert_eq!(probed.to_string(), "8/8/8/8/8/2k5/2P5/2K5 w - - 0 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ProbeReport<'a> {
    position: &'a Position,
    is_brief: bool,
    zeroing: Option<SyzygyProbe>,
    mating: Option<DtmProbe>,
}

/// The result of probing Syzygy tables. A field is `None` if no table covers the position.
#[derive(Debug)]
struct SyzygyProbe {
    wdl: Option<Wdl>,
    dtz: Option<Dtz>,
    moves: Option<Vec<RootMove>>,
}

/// The result of probing distance-to-mate tables. A field is `None` if a table is missing.
#[derive(Debug)]
struct DtmProbe {
    dtm: Option<Dtm>,
    moves: Option<Vec<DtmMove>>,
}

impl<'a> ProbeReport<'a> {
    /// Probes all tables; with `is_brief`, the moves are left out.
    ///
    /// # Errors
    /// If a table cannot be read or is damaged.
    pub fn new(
        position: &'a Position,
        tables: AdviceTables<'_>,
        wins: WinRanking,
        is_brief: bool,
    ) -> Result<Self, AdviceError> {
        let zeroing = match tables.syzygy {
            None => None,
            Some(tables) => {
                let (wdl, dtz) = (tables.probe_wdl(position)?, tables.probe_dtz(position)?);
                let moves = if is_brief { None } else { tables.probe_root(position, wins)? };
                Some(SyzygyProbe { wdl, dtz, moves })
            }
        };
        let mating = match tables.distances {
            None => None,
            Some(tables) => {
                let dtm = tables.probe(position)?;
                let moves = if is_brief || dtm.is_none() { None } else { tables.probe_moves(position)? };
                Some(DtmProbe { dtm, moves })
            }
        };
        Ok(Self { position, is_brief, zeroing, mating })
    }

    /// Whether each kind of tables covers the position.
    pub fn is_known(&self) -> bool {
        let is_known = self.zeroing.as_ref().is_none_or(|zeroing| zeroing.wdl.is_some());
        is_known && self.mating.as_ref().is_none_or(|mating| mating.dtm.is_some())
    }

    /// The result for programs.
    pub fn to_json(&self) -> Value {
        let mut object = json!({"fen": self.position.to_fen()});
        if let Some(zeroing) = &self.zeroing {
            zeroing.add_to(&mut object, self.position, self.is_brief);
        }
        if let Some(mating) = &self.mating {
            mating.add_to(&mut object, self.position, self.is_brief);
        }
        object
    }
}

/// The result as readable text: a line for the position and one for each move.
impl fmt::Display for ProbeReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.position.to_fen())?;
        self.zeroing.iter().try_for_each(|zeroing| zeroing.write(f, self.position))?;
        self.mating.iter().try_for_each(|mating| mating.write(f, self.position))
    }
}

impl SyzygyProbe {
    /// The result given the position's halfmove clock, which is that of the best move.
    fn outcome(&self) -> Option<Wdl> {
        // Without legal moves the game is over: a mate counts whatever the clock.
        self.moves.as_ref()?.iter().map(|root| root.outcome).max().or(self.wdl)
    }

    fn add_to(&self, object: &mut Value, position: &Position, brief: bool) {
        let ranked = |root: &RootMove| {
            json!({
                "move": root.mv.to_uci(Variant::Standard).to_string(),
                "san": San::new(position, root.mv).to_string(),
                "wdl": root.wdl.to_int(),
                "dtz": root.dtz.map(|dtz| dtz.0),
                "outcome": root.outcome.to_int(),
                "rank": root.rank,
            })
        };
        object["wdl"] = json!(self.wdl.map(Wdl::to_int));
        object["dtz"] = json!(self.dtz.map(|dtz| dtz.0));
        if !brief {
            object["outcome"] = json!(self.outcome().map(Wdl::to_int));
            object["moves"] = json!(self.moves.as_ref().map(|moves| moves.iter().map(ranked).collect::<Vec<Value>>()));
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
        let Some(wdl) = self.wdl else { return writeln!(f, "  not in any table") };
        // With the position's clock, where that makes a difference; likewise below.
        let now = self.outcome().filter(|&outcome| outcome != wdl);
        let now = now.map_or_else(String::new, |outcome| format!(", now {outcome}"));
        writeln!(f, "  {wdl}, dtz {}{now}", distance(self.dtz))?;
        for root in self.moves.iter().flatten() {
            let san = San::new(position, root.mv).to_string();
            let outcome = if root.outcome == root.wdl { String::new() } else { format!("  now {}", root.outcome) };
            writeln!(f, "  {san:<8} {:<12}  dtz {:>5}  rank {:>5}{outcome}", root.wdl, distance(root.dtz), root.rank)?;
        }
        Ok(())
    }
}

impl DtmProbe {
    fn add_to(&self, object: &mut Value, position: &Position, brief: bool) {
        let valued = |valued: &DtmMove| {
            let mut value = fields(Some(valued.dtm));
            value["move"] = json!(valued.mv.to_uci(Variant::Standard).to_string());
            value["san"] = json!(San::new(position, valued.mv).to_string());
            value
        };
        object["mate"] = fields(self.dtm);
        if !brief {
            let moves = self.moves.as_ref().map(|moves| moves.iter().map(valued).collect::<Vec<Value>>());
            object["mate_moves"] = json!(moves);
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
        let Some(dtm) = self.dtm else { return writeln!(f, "  not in any distance-to-mate table") };
        writeln!(f, "  {}", described(dtm))?;
        for valued in self.moves.iter().flatten() {
            let san = San::new(position, valued.mv).to_string();
            writeln!(f, "  {san:<8} {}", described(valued.dtm))?;
        }
        Ok(())
    }
}

/// The result and the distance, both `null` if no table covers the position.
fn fields(dtm: Option<Dtm>) -> Value {
    let result = dtm.map(|dtm| match dtm {
        Dtm::Win(_) => "win",
        Dtm::Draw => "draw",
        Dtm::Loss(_) => "loss",
    });
    json!({"result": result, "plies": dtm.and_then(Dtm::plies), "moves": dtm.and_then(Dtm::moves)})
}

fn described(dtm: Dtm) -> String {
    match dtm.plies() {
        Some(plies @ 1..) => format!("{dtm} ({plies} plies)"),
        _ => dtm.to_string(),
    }
}

fn distance(dtz: Option<Dtz>) -> String {
    dtz.map_or_else(|| "-".to_owned(), |dtz| dtz.to_string())
}
