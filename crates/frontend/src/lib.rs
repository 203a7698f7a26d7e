#![doc = include_str!("../README.md")]
//!
//! A front end implements [`FrontEnd`] for its protocol, keeps a [`Session`], and calls [`run`]. Other programs can use
//! the table of [`options`] alone, as in the example.

mod background;
mod config;
pub mod console;
mod files;
mod front_end;
mod game_log;
mod hash_file;
mod interrupt;
pub mod learning;
mod message;
mod notice;
mod opponent;
pub mod options;
mod output;
mod play;
mod records;
mod review;
mod score;
mod session;
mod settings;
pub mod suite;
mod task;
mod terminal;
pub mod trace;
#[cfg(feature = "trace")]
mod tree_file;
mod words;

pub use bartizan_analysis::ReviewStep;
pub use bartizan_notation::why_illegal;
pub use config::{Config, ConfigError, ResignDrawOptions};
pub(crate) use files::user_folder;
pub use front_end::{FrontEnd, run, run_command, run_interactive, run_to_end};
pub use game_log::{GameLog, Players};
pub use hash_file::{HashFileError, LoadHashError, load_hash, save_hash};

pub use interrupt::{Interrupt, exit_on_interrupt};
pub use message::Interrupter;
pub use notice::UserMessage;
pub use opponent::{Opponent, ParseOpponentError};
pub use output::Output;
pub use play::InteractiveGame;
pub use records::Records;
pub use review::{ReviewCommand, ReviewGameError, ReviewOutcome};
pub use score::{resolve_move, san_line, score_text};
pub use session::Session;
pub use settings::{Assignment, FileSettings, SettingsFault, SettingsLine, parse_size};
pub use task::{Purpose, SearchProgress, Searching, Task};
pub use terminal::{LineEditor, TerminalStyle, open_terminal, thinking_heading, thinking_result, thinking_row};
#[cfg(feature = "trace")]
pub use tree_file::TreeFile;
