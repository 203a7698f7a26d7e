#![doc = include_str!("../README.md")]
//!
//! * Games come in pairs: both engines play the same opening with both colours, and the statistics count pairs.
//! * The referee keeps the clocks and applies the rules. An engine that plays an illegal move, oversteps its time,
//!   crashes or hangs loses that game, with the reason as its [`Termination`], and is restarted; the match continues.
//! * The [`journal`] records every finished game. A match that ended early, for whatever reason, continues with
//!   [`Match::resume`].
//! * [`Stop`] ends a match from another thread, for example from a signal handler.
//! * The library prints nothing: a callback receives [`Event`]s, and [`Outcome`] has the results.
//!
//! | question | answer |
//! |---|---|
//! | Which of two engines is stronger? | [`Match`], with an SPRT: [`Match::sprt`] |
//! | How many games will that take? | [`plan`] |
//! | What does each of many changes contribute? | [`screen`] |
//! | Which values of the parameters are best? | [`spsa`] |
//! | How does the difference change with the nodes? | [`scaling`] |
//! | How do the engines of several matches rank? | [`RatedGames`] |
//! | How are the results shown? | [`report`] |
//!
//! Engines are processes that speak UCI or xboard (CECP); [`bartizan_client`] drives them.

mod adjudication;
mod clock;
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
    Adjudicator, DrawRule, ParseRuleError, ResignRule, TablebaseJudge, TablebaseRule, TablebaseRuleError, Verdict,
};
pub use bartizan_client::{EngineLimits, EngineSpec, TimeControl};
pub use bartizan_parallel::Stop;
pub use bartizan_stats as stats;
pub use clock::Clock;
pub use error::MatchError;
pub use ladder::{RatedGames, RatedGamesError};
pub use openings::{OpeningSettings, Openings, OpeningsError};
pub use paired::{EngineOptions, ListError, Paired};
pub use play::{End, Event, Match, Outcome};
pub use record::{Fault, FaultKind, GameRecord, SideStats, Termination};
pub use schedule::{Fixture, Schedule};
pub use settings::{Difference, Format, ParseFormatError, Settings, SettingsError};
pub use single::{SingleGame, play_game};
pub use standing::{EngineStanding, Standing};
