//! Games: trees of moves, to read, edit and write.

mod game;
mod handle;
mod headers;
mod node;
mod problem;
mod reader;
mod tree;

pub(crate) use game::Game;
pub(crate) use handle::{read_game, read_headers, skip_game};
pub(crate) use headers::Headers;
pub(crate) use node::GameNode;
pub(crate) use problem::Problem;
pub(crate) use reader::{PgnIterator, read_pgn};
pub(crate) use tree::SharedTree;
