#![doc = include_str!("../README.md")]
//!
//! [`Player::plan`] decides how to find a move. Below 2000, the player finds it by its own calculation, which takes a
//! few milliseconds. Above, and in endings that players of its level know how to win, it asks for an ordinary search
//! with few nodes, evaluation errors and some moves left out.
//!
//! ```
//! use bartizan_levels::{Plan, Player, Rating};
//! use bartizan_position::Game;
//!
//! let player = Player::new(Rating::new(1_200), 1);
//! let game = Game::default();
//! match player.plan(&game, &|| false) {
//!     Some(Plan::Play { mv, .. }) => assert!(game.position().is_legal(mv)),
//!     other => panic!("{other:?}"),
//! }
//! ```

#![forbid(unsafe_code)]

mod calculation;
mod chance;
mod difficulty;
mod habits;
mod opinion;
mod oversight;
mod player;
mod rating;
mod skill;
mod technique;

pub use player::{Plan, Player};
pub use rating::Rating;
