//! Pictures of boards.

use crate::basics::{SquareArg, color};
use crate::board::Board;
use crate::moves::{Packed, PyMove};
use crate::state::State;
use bartizan_notation::svg::{Arrow, BoardPicture, MarkColor, Rgb, SquareLabel, SquareMark, Theme};
use bartizan_position::Setup;
use bartizan_types::{Excerpt, Move, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The size of a picture in a notebook, in pixels.
const SIZE: u32 = 390;

fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn highlighted(mv: Packed) -> Option<Move> {
    mv.to_uci().map(|mv| Move::normal(mv.from, mv.to))
}

/// The picture of a board with its last move.
pub(crate) fn of_board(state: &State) -> String {
    let last = state.moves().last().and_then(|&mv| highlighted(mv));
    BoardPicture::new(state.position()).last_move(last).size(SIZE).to_string()
}

/// The first letter of the name of a colour, as in PGN.
fn mark(name: &str) -> PyResult<MarkColor> {
    let found = name.chars().next().and_then(|letter| MarkColor::from_char(letter.to_ascii_uppercase()));
    found.ok_or_else(|| {
        invalid(format!("unknown colour '{}': expected green, red, yellow, blue, orange or cyan", Excerpt::new(name)))
    })
}

fn theme(name: &str, colors: &BTreeMap<String, String>) -> PyResult<Theme> {
    let mut theme: Theme = name.parse().map_err(invalid)?;
    for (part, color) in colors {
        let rgb: Rgb = color.parse().map_err(invalid)?;
        *match part.as_str() {
            "light" => &mut theme.light,
            "dark" => &mut theme.dark,
            "lastmove" => &mut theme.last_move,
            "frame" => &mut theme.frame,
            "text" => &mut theme.text,
            "white" => &mut theme.white,
            "black" => &mut theme.black,
            "check" => &mut theme.check,
            _ => return Err(invalid(format!("unknown part '{}' of a board", Excerpt::new(part)))),
        } = rgb;
    }
    Ok(theme)
}

/// The text of the picture; `bartizan.svg.board` says what the arguments mean.
#[pyfunction]
#[pyo3(signature = (board, *, orientation, lastmove, arrows, marks, labels, size, coordinates, check, style, colors))]
#[allow(clippy::too_many_arguments, reason = "the options of a picture")]
pub(crate) fn draw_board(
    board: Option<PyRef<'_, Board>>,
    orientation: bool,
    lastmove: Option<PyRef<'_, PyMove>>,
    arrows: Vec<(SquareArg, SquareArg, String)>,
    marks: Vec<(SquareArg, String)>,
    labels: Vec<(SquareArg, String)>,
    size: Option<u32>,
    coordinates: bool,
    check: bool,
    style: &str,
    colors: BTreeMap<String, String>,
) -> PyResult<String> {
    let setup = board.as_ref().map_or(Setup::EMPTY, |board| board.state.setup());
    let own = || board.as_ref().and_then(|board| board.state.moves().last().copied());
    let last = lastmove.map(|mv| mv.0).or_else(own).and_then(highlighted);
    let mut picture = BoardPicture::new(&setup)
        .seen_by(color(orientation))
        .last_move(last)
        .check(check)
        .coordinates(coordinates)
        .theme(theme(style, &colors)?);
    for (from, to, name) in arrows {
        let color = mark(&name)?;
        picture = if from.0 == to.0 {
            picture.mark(SquareMark { square: from.0, color })
        } else {
            picture.arrow(Arrow { from: from.0, to: to.0, color })
        };
    }
    for (square, name) in marks {
        picture = picture.mark(SquareMark { square: square.0, color: mark(&name)? });
    }
    for (square, text) in labels {
        picture = picture.label(SquareLabel { square: square.0, text, color: None });
    }
    Ok(size.map_or(picture.clone(), |size| picture.size(size)).to_string())
}

/// The name of a square.
#[pyfunction]
pub(crate) fn square_name(square: SquareArg) -> String {
    square.0.to_string()
}

/// The square of a name such as `e4`.
#[pyfunction]
pub(crate) fn parse_square(name: &str) -> PyResult<usize> {
    let square = name.parse::<Square>();
    square
        .map(Square::index)
        .map_err(|_| invalid(format!("invalid square '{}': expected a1 to h8", Excerpt::new(name))))
}
