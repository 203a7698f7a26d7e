//! One learnt position, as a line of text.

use bartizan_engine::TableEntry;
use bartizan_notation::epd::{Epd, EpdError, Operation};
use bartizan_notation::san::San;
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Bound, Date, Depth, Key, Move, Value};
use std::fmt;
use std::str::FromStr;

/// A position with the result of a search.
///
/// As text, it is an EPD line: `acd` is the depth, `ce` the value in internal centipawns (a mate is 32000 minus the
/// number of plies), `bm` the best move. The comment `c0` contains `exact`, `least` (a lower bound) or `most` (an upper
/// bound), and the date.
///
/// ```
/// use bartizan_frontend::learning::Record;
/// let line = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - \
///             acd 3; ce 31999; bm Qxf7#; c0 \"exact 2026-01-31\";";
/// let record: Record = line.parse().unwrap();
/// assert_eq!(record.value.mate_in_moves(), Some(1));
/// assert_eq!(record.to_string(), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// The best move, if one is known.
    pub mv: Option<Move>,
    /// The value for the side to move.
    pub value: Value,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The date of the search, as `YYYY-MM-DD`.
    pub date: String,
}

/// Why a line is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A mandatory field is missing or invalid.
    #[error("{0} is missing or invalid")]
    Field(&'static str),
}

/// Greatest depth of a search, in plies.
const DEEPEST: u32 = Depth::MAX.0 as u32;

impl Record {
    /// A result of today.
    pub(crate) fn new(position: Position, mv: Option<Move>, value: Value, bound: Bound, depth: u32) -> Self {
        Self { position, mv, value, bound, depth: depth.min(DEEPEST), date: Date::today().to_string() }
    }

    /// The key of the position, which does not depend on the move counters.
    pub fn key(&self) -> Key {
        self.position.key()
    }

    /// The record as a hash table entry. It has no static evaluation, which is left to the search's evaluator.
    pub(crate) fn table_entry(&self) -> TableEntry {
        let depth = Depth(self.depth as i32);
        TableEntry { mv: self.mv, value: self.value, eval: None, depth, bound: self.bound, is_pv: false }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The move counters are not part of a record. Without them, the position is still legal.
        let setup = Setup { halfmove_clock: 0, fullmove_number: 1, ..self.position.to_setup() };
        let operation = |opcode: &str, operand| Operation { opcode: opcode.to_owned(), operands: vec![operand] };
        let mut epd = Epd::new(setup.validate(Tolerance::ALL).unwrap_or_else(|_| self.position.clone()));
        epd.set(operation("acd", self.depth.to_string()));
        epd.set(operation("ce", self.value.0.to_string()));
        if let Some(mv) = self.mv.filter(|&mv| self.position.is_legal(mv)) {
            epd.set(operation("bm", San::new(&self.position, mv).to_string()));
        }
        let bound = match self.bound {
            Bound::Exact => "exact",
            Bound::Lower => "least",
            Bound::Upper => "most",
        };
        epd.set(operation("c0", format!("{bound} {}", self.date)));
        write!(f, "{epd}")
    }
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(line: &str) -> Result<Self, RecordError> {
        let epd = Epd::parse(line)?;
        let depth = epd.analysis_depth()?.filter(|depth| (1..=DEEPEST).contains(depth));
        let value = epd.centipawns()?.filter(|value| value.abs() < Value::MATE.0);
        let (bound, date) = epd.comment(0).and_then(|text| text.split_once(' ')).ok_or(RecordError::Field("c0"))?;
        let bound = match bound {
            "exact" => Bound::Exact,
            "least" => Bound::Lower,
            "most" => Bound::Upper,
            _ => return Err(RecordError::Field("c0")),
        };
        if date.len() != 10 || !date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return Err(RecordError::Field("the date in c0"));
        }
        Ok(Self {
            mv: epd.best_moves()?.first().copied(),
            value: Value(value.ok_or(RecordError::Field("ce"))?),
            bound,
            depth: depth.ok_or(RecordError::Field("acd"))?,
            date: date.to_owned(),
            position: epd.position,
        })
    }
}
