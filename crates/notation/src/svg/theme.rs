//! Colours.

use std::fmt;
use std::str::FromStr;

/// A colour: red, green and blue from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// `#rrggbb`
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The colours of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theme {
    /// Light squares.
    pub light: Rgb,
    /// Dark squares.
    pub dark: Rgb,
    /// The tint of the squares of the last move.
    pub last_move: Rgb,
    /// The frame with the coordinates.
    pub frame: Rgb,
    /// The letters and digits of the coordinates.
    pub text: Rgb,
    /// White pieces, and the lines in black ones.
    pub white: Rgb,
    /// Black pieces, and the lines of white ones.
    pub black: Rgb,
}

impl Theme {
    /// The names of the themes that can be parsed.
    pub const NAMES: [&'static str; 4] = ["brown", "green", "blue", "grey"];

    /// Brown squares in a dark frame.
    pub const BROWN: Self = Self {
        light: Rgb(0xf0, 0xdc, 0xb9),
        dark: Rgb(0xb8, 0x8a, 0x66),
        last_move: Rgb(0xe8, 0xd0, 0x2c),
        frame: Rgb(0x4a, 0x36, 0x2a),
        text: Rgb(0xf0, 0xdc, 0xb9),
        white: Rgb(0xff, 0xff, 0xfb),
        black: Rgb(0x2b, 0x26, 0x22),
    };

    /// Green squares, as on tournament boards.
    pub const GREEN: Self = Self {
        light: Rgb(0xee, 0xee, 0xd6),
        dark: Rgb(0x75, 0x95, 0x5c),
        last_move: Rgb(0xf2, 0xd9, 0x38),
        frame: Rgb(0x33, 0x42, 0x2c),
        text: Rgb(0xee, 0xee, 0xd6),
        ..Self::BROWN
    };

    /// Blue squares.
    pub const BLUE: Self = Self {
        light: Rgb(0xe4, 0xea, 0xee),
        dark: Rgb(0x86, 0xa2, 0xb8),
        last_move: Rgb(0x8f, 0xc8, 0x4a),
        frame: Rgb(0x2f, 0x41, 0x50),
        text: Rgb(0xe4, 0xea, 0xee),
        ..Self::BROWN
    };

    /// Shades of grey, for print.
    pub const GREY: Self = Self {
        light: Rgb(0xff, 0xff, 0xff),
        dark: Rgb(0xc4, 0xc4, 0xc4),
        last_move: Rgb(0x80, 0x80, 0x80),
        frame: Rgb(0xff, 0xff, 0xff),
        text: Rgb(0x20, 0x20, 0x20),
        white: Rgb(0xff, 0xff, 0xff),
        black: Rgb(0x20, 0x20, 0x20),
    };
}

/// [`Theme::BROWN`].
impl Default for Theme {
    fn default() -> Self {
        Self::BROWN
    }
}

/// The error of parsing the name of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme: expected {}", Theme::NAMES.join(", "))]
pub struct UnknownTheme;

/// One of [`Theme::NAMES`].
impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        match text {
            "brown" => Ok(Self::BROWN),
            "green" => Ok(Self::GREEN),
            "blue" => Ok(Self::BLUE),
            "grey" => Ok(Self::GREY),
            _ => Err(UnknownTheme),
        }
    }
}
