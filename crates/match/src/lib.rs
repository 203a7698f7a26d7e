#![doc = include_str!("../README.md")]
//!
//! * Games come in pairs: both engines play the same opening with both colours, and the statistics count pairs.
//! * The referee keeps the clocks and knows the rules. An engine that plays an illegal move, exceeds its time, crashes
//!   or hangs loses that game, with the reason as its [`Termination`], and is restarted; the match continues.
//! * The [`journal`] has every finished game. A match that ended early, however it ended, continues by
//!   [`Match::resume`].
//! * [`StopHandle`] ends a match from another thread, for example from a signal handler.
//! * Nothing is printed: a callback receives [`Event`]s, and [`Outcome`] has the results.
//!
//! Engines are processes that speak UCI or xboard (CECP); [`bartizan_client`] drives them.

mod adjudication;
mod clock;
mod error;
pub mod journal;
mod journal_file;
mod limits;
mod openings;
mod pgn_file;
mod play;
mod record;
mod referee;
mod schedule;
mod settings;
mod single;
mod slots;
mod spec;
mod standing;
mod stop;
mod traffic;

pub use adjudication::{
    Adjudicator, DrawRule, ParseRuleError, ResignRule, TablebaseJudge, TablebaseRule, TablebaseRuleError, Verdict,
};
pub use bartizan_stats as stats;
pub use clock::Clock;
pub use error::MatchError;
pub use journal_file::{JournalError, JournalFile, JournalLines, read_lines};
pub use limits::{Limits, LimitsError, TimeControl, TimeControlError};
pub use openings::{OpeningSettings, Openings, OpeningsError};
pub use play::{End, Event, Match, Outcome};
pub use record::{Fault, FaultKind, GameRecord, SideStats, Termination};
pub use schedule::{Fixture, Schedule};
pub use settings::{Difference, Format, ParseFormatError, Settings, SettingsError};
pub use single::{SingleGame, play_game};
pub use spec::{EngineProblem, EngineSpec, EngineSpecError, EngineSpecErrorKind, ValueError};
pub use standing::{EngineStanding, Standing};
pub use stop::StopHandle;
