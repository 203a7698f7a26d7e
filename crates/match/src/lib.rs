#![doc = include_str!("../README.md")]
//!
//! * Games come in pairs: both engines play the same opening with both colours, and the statistics count pairs.
//! * The referee keeps the clocks and applies the rules. An engine that plays an illegal move, oversteps its time,
//!   crashes or hangs loses that game, with the reason as its [`Termination`], and is restarted; the match continues.
//! * The [`journal`] records every finished game. A match that ended early, for whatever reason, continues with
//!   [`Match::resume`].
//! * [`StopFlag`] ends a match from another thread, for example from a signal handler.
//! * The library prints nothing: a callback receives [`MatchEvent`]s, and [`MatchResult`] has the results.
//!
//! | question | answer |
//! |---|---|
//! | Which of two engines is stronger? | [`Match`], with an SPRT: [`Match::sprt`] |
//! | How many games will that take? | [`plan`] |
//! | What does each of many changes contribute? | [`screen`] |
//! | Which values of the parameters are best? | [`spsa`] |
//! | How does the difference change with the nodes? | [`scaling`] |
//! | How do the engines of several matches rank? | [`RatedGames`] |
//! | Who scored what against whom? | [`CrossTable`] |
//! | How are the results shown? | [`report`] |
//!
//! Engines are processes that speak UCI or xboard (CECP); [`bartizan_client`] drives them.

mod adjudication;
mod clock;
mod crosstable;
mod error;
pub mod journal;
mod ladder;
mod openings;
mod paired;
mod pgn_file;
pub mod plan;
mod play;
mod record;
mod referee;
mod repeats;
pub mod report;
pub mod scaling;
mod schedule;
pub mod screen;
mod settings;
mod single;
mod slots;
pub mod spsa;
mod standing;
mod traffic;

pub use adjudication::{
    Adjudication, Adjudicator, DrawRule, ParseRuleError, ResignRule, TablebaseJudge, TablebaseRule, TablebaseRuleError,
};
pub use bartizan_client::{EngineLimits, EngineSpec, TimeControl};
pub use bartizan_parallel::StopFlag;
pub use bartizan_stats as stats;
pub use clock::Clock;
pub use crosstable::{CrossTable, CrossTableRow};
pub use error::MatchError;
pub use ladder::{RatedGames, RatedGamesError};
pub use openings::{OpeningSettings, Openings, OpeningsError};
pub use paired::{EngineOptions, ListError, PairedSettings};
pub use play::{Match, MatchEnd, MatchEvent, MatchResult};
pub use record::{GameRecord, ProtocolFault, ProtocolFaultKind, SideStats, Termination};
pub use schedule::{Schedule, ScheduledGame};
pub use settings::{MatchSettings, ParseFormatError, SettingsDifference, SettingsError, TournamentFormat};
pub use single::{SingleGame, play_game};
pub use standing::{EngineStanding, Standing};
