#![doc = include_str!("../README.md")]
//!
//! A front end implements [`FrontEnd`] for its protocol, keeps a [`Session`], and calls [`run`]. Other programs can use
//! the table of [`options`] alone, as in the example.

mod config;
pub mod console;
mod front_end;
mod interrupt;
mod message;
mod opponent;
pub mod options;
mod output;
mod play;
mod score;
mod session;
mod settings;
pub mod suite;
mod task;
mod terminal;
pub mod trace;
mod words;

pub use config::{Config, Manners};
pub use front_end::{FrontEnd, run, run_command, run_interactive, run_to_end};
pub use interrupt::Interrupt;
pub use message::Interrupter;
pub use opponent::{Opponent, ParseOpponentError};
pub use output::Output;
pub use play::Play;
pub use score::{resolve_move, san_line, score_info, score_text};
pub use session::{ConfigError, Session};
pub use settings::{Assignment, Place, SETTINGS_FILE, Settings, SettingsFault, parse_size};
pub use task::{Progress, Purpose, Searching, Task};
pub use terminal::{LineEditor, Style, open_terminal, thinking_heading, thinking_result, thinking_row};
