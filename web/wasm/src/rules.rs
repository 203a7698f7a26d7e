//! The rules of chess: positions, games, PGN and pictures of boards.
//!
//! A position is passed as its FEN, so that JavaScript has nothing to free. Functions return JSON, and throw JSON: see
//! [`failure::Failure`].
//!
//! The module of the engine does without them.
#![cfg(not(feature = "engine"))]
#![allow(unreachable_pub, reason = "wasm-bindgen exports the items")]

mod failure;
mod game;
mod moves;
mod openings;
mod pgn;
mod picture;
mod position;
