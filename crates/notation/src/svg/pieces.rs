//! The drawings of the pieces, made for this crate: flat shapes with an outline, in a square of 100 units.

use super::{Classes, Escaped, Theme};
use bartizan_types::{Color, Piece, PieceType};
use std::fmt;

/// The foot on which every piece stands.
const FOOT: &str = "M27 80C27 75 31 72 36 72H64C69 72 73 75 73 80M23 89V86C23 82 26 80 30 80H70C74 80 77 82 77 86V89Z";

/// The shapes of a piece, from back to front, each filled and outlined.
fn shapes(piece: PieceType) -> &'static [&'static str] {
    match piece {
        PieceType::Pawn => &[
            "M33 73C42 67 45 58 45 48H55C55 58 58 67 67 73Z",
            "M39 50C36 50 35 45 38 44H62C65 45 64 50 61 50Z",
            "M50 18A14 14 0 0 1 50 46A14 14 0 0 1 50 18Z",
        ],
        PieceType::Knight => {
            &["M31 73C32 63 43 59 47 49C42 53 37 53 33 54C30 59 26 63 21 60C16 57 15 52 18 48C23 41 26 36 29 30\
             C31 25 35 21 40 19L42 10L50 17C67 19 77 36 75 57C74.6 63 73 68 70 73Z"]
        }
        PieceType::Bishop => &[
            "M34 73C43 68 46 63 46 56H54C54 63 57 68 66 73Z",
            "M50 19C39 26 32 35 33 44C34 51 40 53 50 53C60 53 66 51 67 44C68 35 61 26 50 19Z",
            "M37 58C34 58 34 52 37 52H63C66 52 66 58 63 58Z",
            "M50 9A5.5 5.5 0 0 1 50 20A5.5 5.5 0 0 1 50 9Z",
        ],
        PieceType::Rook => &[
            "M33 73C36 64 37 54 37 44H63C63 54 64 64 67 73Z",
            "M29 19H39V26H45V19H55V26H61V19H71V38C71 42 69 44 65 44H35C31 44 29 42 29 38Z",
        ],
        PieceType::Queen => &[
            "M31 73C31 66 28 58 20 35L34 52L36 27L46 49L50 22L54 49L64 27L66 52L80 35C72 58 69 66 69 73Z",
            "M19 26A5 5 0 0 1 19 36A5 5 0 0 1 19 26Z",
            "M36 18A5 5 0 0 1 36 28A5 5 0 0 1 36 18Z",
            "M50 12A5.5 5.5 0 0 1 50 23A5.5 5.5 0 0 1 50 12Z",
            "M64 18A5 5 0 0 1 64 28A5 5 0 0 1 64 18Z",
            "M81 26A5 5 0 0 1 81 36A5 5 0 0 1 81 26Z",
        ],
        PieceType::King => &[
            "M47 30V22H40V16H47V9H53V16H60V22H53V30Z",
            "M50 41C45 27 20 29 20 46C20 57 29 61 31 73H69C71 61 80 57 80 46C80 29 55 27 50 41Z",
            "M50 58C43 49 42 37 50 29C58 37 57 49 50 58Z",
        ],
    }
}

/// Lines inside a piece.
fn lines(piece: PieceType) -> &'static str {
    match piece {
        PieceType::Pawn => "",
        PieceType::Knight => "M55 24C65 29 69 42 67 58",
        PieceType::Bishop => "M50 29V43M43.5 35.5H56.5",
        PieceType::Rook => "M37 50H63",
        PieceType::Queen => "M32 65C43 61 57 61 68 65",
        PieceType::King => "M32 66C43 62 57 62 68 66",
    }
}

/// Lines between the parts of a black piece, whose outlines do not show.
fn joints(piece: PieceType) -> &'static str {
    match piece {
        PieceType::Pawn => "M31 80H69M39 47H61",
        PieceType::Bishop => "M31 80H69M38 55H62",
        PieceType::King => "M31 80H69M50 58C43 49 42 37 50 29C58 37 57 49 50 58Z",
        PieceType::Knight | PieceType::Rook | PieceType::Queen => "M31 80H69",
    }
}

/// The classes of a piece.
pub(super) fn classes(piece: Piece) -> [&'static str; 3] {
    let color = if piece.color().is_white() { "white" } else { "black" };
    ["piece", color, piece.piece_type().name()]
}

/// The eye and nostril of the knight.
const EYES: &str = "M36 30A3 3 0 0 1 36 36A3 3 0 0 1 36 30ZM22 52A1.6 1.6 0 0 1 22 55.2A1.6 1.6 0 0 1 22 52Z";

/// Draws a piece in a group with the given attributes, which begin with a space. Its parts are drawn over each other.
fn draw(f: &mut fmt::Formatter<'_>, piece: Piece, attributes: fmt::Arguments<'_>, theme: &Theme) -> fmt::Result {
    let (fill, line, joints) = match piece.color() {
        Color::White => (theme.white, theme.black, ""),
        Color::Black => (theme.black, theme.white, joints(piece.piece_type())),
    };
    let outline = theme.black;
    write!(f, r#"<g{attributes} fill="{fill}" stroke="{outline}""#)?;
    f.write_str(r#" stroke-width="3.4""#)?;
    writeln!(f, r#" stroke-linejoin="round" stroke-linecap="round">"#)?;
    for shape in std::iter::once(&FOOT).chain(shapes(piece.piece_type())) {
        writeln!(f, r#"<path d="{shape}"/>"#)?;
    }
    let lines = lines(piece.piece_type());
    if !(lines.is_empty() && joints.is_empty()) {
        writeln!(f, r#"<path d="{joints}{lines}" fill="none" stroke="{line}" stroke-width="2.6"/>"#)?;
    }
    if piece.piece_type() == PieceType::Knight {
        writeln!(f, r#"<path d="{EYES}" fill="{line}" stroke="none"/>"#)?;
    }
    writeln!(f, "</g>")
}

/// Writes a piece on the square with the given upper left corner. A small piece leaves the foot of the square free.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    piece: Piece,
    (x, y): (u32, u32),
    is_small: bool,
    theme: &Theme,
    class: Classes<'_>,
) -> fmt::Result {
    let (x, scale) = if is_small { (x + 12, " scale(0.76)") } else { (x, "") };
    draw(f, piece, format_args!(r#" transform="translate({x} {y}){scale}"{class}"#), theme)
}

/// Writes a piece as a reference to its symbol.
pub(super) fn write_use(
    f: &mut fmt::Formatter<'_>,
    piece: Piece,
    (x, y): (u32, u32),
    is_small: bool,
    prefix: &str,
) -> fmt::Result {
    let ([_, color, kind], prefix) = (classes(piece), Escaped(prefix));
    let (x, side) = if is_small { (x + 12, 76) } else { (x, 100) };
    writeln!(f, r##"<use href="#{prefix}{color}-{kind}" x="{x}" y="{y}" width="{side}" height="{side}"/>"##)
}

/// The drawings of the twelve pieces as symbols, so that a page with many boards holds each only once.
///
/// `Display` writes an element `svg` that takes no space. The symbols have ids such as `piece-white-knight`, if the
/// prefix is `piece-`, and fill 100 units.
///
/// ```
/// use bartizan_notation::svg::{BoardPicture, PieceSymbols};
/// use bartizan_position::Position;
///
/// let symbols = PieceSymbols::new("piece-").to_string();
/// let board = BoardPicture::new(&Position::startpos()).symbols("piece-").to_string();
/// let page = format!("<!doctype html><title>Boards</title>{symbols}{board}");
/// assert!(page.contains(r#"<symbol id="piece-white-knight""#) && page.contains(r##"href="#piece-white-knight""##));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSymbols {
    prefix: String,
    theme: Theme,
    classes: Option<String>,
}

impl PieceSymbols {
    /// Symbols whose ids begin with `prefix`.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), theme: Theme::default(), classes: None }
    }

    /// Sets the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Gives the drawings CSS classes, as [`BoardPicture::classes`](super::BoardPicture::classes) does.
    #[must_use]
    pub fn classes(mut self, prefix: impl Into<String>) -> Self {
        self.classes = Some(prefix.into());
        self
    }
}

impl fmt::Display for PieceSymbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">"#)?;
        for piece in Piece::ALL {
            let names = classes(piece);
            let ([_, color, kind], prefix) = (names, Escaped(&self.prefix));
            writeln!(f, r#"<symbol id="{prefix}{color}-{kind}" viewBox="0 0 100 100">"#)?;
            let class = Classes { prefix: self.classes.as_deref(), names: &names };
            draw(f, piece, format_args!("{class}"), &self.theme)?;
            writeln!(f, "</symbol>")?;
        }
        writeln!(f, "</svg>")
    }
}
