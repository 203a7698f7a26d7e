//! Pictures of boards.

use super::failure::Failure;
use super::position::{known, square};
use bartizan_notation::svg::{BoardPicture, MarkColor, SquareLabel, Theme};
use bartizan_types::{Color, Excerpt, Move, UciMove};
use std::mem;
use std::str::FromStr;
use wasm_bindgen::prelude::wasm_bindgen;

/// A picture of a board.
#[wasm_bindgen]
pub struct Picture {
    picture: BoardPicture,
    theme: Theme,
}

fn read<T: FromStr<Err: ToString>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| Failure::new("option", error))
}

#[wasm_bindgen]
impl Picture {
    /// A picture of a position.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str, is_white_below: bool, check: bool, coordinates: bool) -> Result<Self, Failure> {
        let bottom = if is_white_below { Color::White } else { Color::Black };
        let picture = BoardPicture::new(&known(fen)?).seen_by(bottom).check(check).coordinates(coordinates);
        Ok(Self { picture, theme: Theme::default() })
    }

    fn change(&mut self, change: impl FnOnce(BoardPicture) -> BoardPicture) {
        let empty = BoardPicture::new(&bartizan_position::Setup::EMPTY);
        self.picture = change(mem::replace(&mut self.picture, empty));
    }

    /// Sets the theme by its name.
    pub fn theme(&mut self, name: &str) -> Result<(), Failure> {
        self.theme = read(name)?;
        Ok(())
    }

    /// Replaces a colour of the theme, as in `#rrggbb`.
    pub fn color(&mut self, part: &str, color: &str) -> Result<(), Failure> {
        let place = match part {
            "light" => &mut self.theme.light,
            "dark" => &mut self.theme.dark,
            "lastMove" => &mut self.theme.last_move,
            "frame" => &mut self.theme.frame,
            "text" => &mut self.theme.text,
            "white" => &mut self.theme.white,
            "black" => &mut self.theme.black,
            "check" => &mut self.theme.check,
            _ => return Err(Failure::new("option", format!("unknown part '{}' of a board", Excerpt::new(part)))),
        };
        *place = read(color)?;
        Ok(())
    }

    /// Tints the squares of a move in coordinates.
    pub fn last_move(&mut self, text: &str) -> Result<(), Failure> {
        let UciMove { from, to, .. } = read(text)?;
        self.change(|picture| picture.last_move(Move::normal(from, to)));
        Ok(())
    }

    /// Adds an arrow, as in `[%cal …]`.
    pub fn arrow(&mut self, text: &str) -> Result<(), Failure> {
        let arrow = read(text)?;
        self.change(|picture| picture.arrow(arrow));
        Ok(())
    }

    /// Marks a square, as in `[%csl …]`.
    pub fn mark(&mut self, text: &str) -> Result<(), Failure> {
        let mark = read(text)?;
        self.change(|picture| picture.mark(mark));
        Ok(())
    }

    /// Adds a label. The colour is a letter, as in `[%csl …]`.
    pub fn label(&mut self, place: &str, text: String, color: Option<char>) -> Result<(), Failure> {
        let unknown = || Failure::new("option", "unknown colour: expected G, R, Y, B, O or C");
        let color = color.map(|letter| MarkColor::from_char(letter).ok_or_else(unknown)).transpose()?;
        let square = square(place)?;
        self.change(|picture| picture.label(SquareLabel { square, text, color }));
        Ok(())
    }

    /// Sets width and height in pixels.
    pub fn size(&mut self, pixels: u32) {
        self.change(|picture| picture.size(pixels));
    }

    /// Gives the parts of the picture classes, whose names begin with a prefix.
    pub fn classes(&mut self, prefix: &str) {
        self.change(|picture| picture.classes(prefix));
    }

    /// The picture.
    pub fn svg(&self) -> String {
        self.picture.clone().theme(self.theme).to_string()
    }
}
