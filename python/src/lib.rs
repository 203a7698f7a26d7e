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

/// Whether Python's allocator, which aligns to 16 bytes, has room for such objects: a position wants 64, so classes
/// that contain one keep it in a box.
const fn is_aligned<T>() -> bool {
    align_of::<T>() <= 16
}

const _: () = assert!(
    is_aligned::<arrow_stream::PyTable>()
        && is_aligned::<basics::PyPiece>()
        && is_aligned::<board::Board>()
        && is_aligned::<engine::RunningSearch>()
        && is_aligned::<engine::Searcher>()
        && is_aligned::<knowledge::BookReader>()
        && is_aligned::<knowledge::Entry>()
        && is_aligned::<knowledge::PyOpening>()
        && is_aligned::<knowledge::PyTablebase>()
        && is_aligned::<legal_moves::LegalMoves>()
        && is_aligned::<moves::PyMove>()
        && is_aligned::<pgn::Game>()
        && is_aligned::<pgn::GameNode>()
        && is_aligned::<pgn::Headers>()
        && is_aligned::<pgn::PgnIterator>()
        && is_aligned::<pgn::Problem>()
        && is_aligned::<square_set::SquareSet>()
);
