//! The native part of the Python package `bartizan`. Its names are exported by the Python part, in `bartizan/`.

mod arrow_stream;
mod basics;
mod board;
mod engine;
mod epd;
mod errors;
mod interrupt;
mod knowledge;
mod legal_moves;
mod moves;
mod outcome;
mod pgn;
mod source;
mod square_set;
mod state;
mod svg;

use pyo3::prelude::*;

/// The native part of bartizan.
#[pymodule(gil_used = false)]
mod _bartizan {
    #[pymodule_export]
    use crate::arrow_stream::{PyTable, pgn_to_arrow};
    #[pymodule_export]
    use crate::basics::PyPiece;
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::{RunningSearch, Searcher, explain_position};
    #[pymodule_export]
    use crate::knowledge::{
        BookReader, Entry, PyOpening, PyTablebase, by_name, classify, openings, planes_of, zobrist_hash,
    };
    #[pymodule_export]
    use crate::legal_moves::LegalMoves;
    #[pymodule_export]
    use crate::moves::PyMove;
    #[pymodule_export]
    use crate::pgn::{Game, GameNode, Headers, PgnIterator, Problem, read_game, read_headers, read_pgn, skip_game};
    #[pymodule_export]
    use crate::square_set::SquareSet;
    #[pymodule_export]
    use crate::svg::{draw_board, parse_square, square_name};
}
