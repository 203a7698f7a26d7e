//! Colours.

use crate::pgn::MarkColor;
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

/// The error of parsing an [`Rgb`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid colour: expected #rrggbb, such as #f0dcb9")]
pub struct InvalidColor;

/// Reads `#rrggbb`.
impl FromStr for Rgb {
    type Err = InvalidColor;

    fn from_str(text: &str) -> Result<Self, InvalidColor> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(InvalidColor)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(InvalidColor);
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).map_err(|_| InvalidColor)?.to_be_bytes();
        Ok(Self(red, green, blue))
    }
}

/// The colours of a board. To use others, change the fields of a theme:
///
/// ```
/// use bartizan_notation::svg::Theme;
///
/// let mut theme = Theme::GREY;
/// theme.dark = "#9fb4c7".parse()?;
/// # Ok::<(), bartizan_notation::svg::InvalidColor>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The mark of a king in check.
    pub check: Rgb,
    /// Arrows, marks and labels: green, red, yellow, blue, orange and cyan ones, in the order of [`MarkColor`].
    pub marks: [Rgb; 6],
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
        check: Rgb(0xe0, 0x10, 0x10),
        marks: [
            Rgb(0x1f, 0x7a, 0x2e),
            Rgb(0x9e, 0x20, 0x20),
            Rgb(0xe0, 0xa0, 0x10),
            Rgb(0x1d, 0x4f, 0x91),
            Rgb(0xd9, 0x66, 0x0c),
            Rgb(0x14, 0x8c, 0x94),
        ],
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
        ..Self::BROWN
    };

    /// The colour of an arrow, a mark or a label.
    pub(super) fn mark(&self, color: MarkColor) -> Rgb {
        self.marks[color as usize]
    }
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
