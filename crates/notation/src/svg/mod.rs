//! Board diagrams in SVG.
//!
//! ```
//! use bartizan_notation::svg::{BoardPicture, Theme};
//! use bartizan_position::Position;
//!
//! let position = Position::startpos();
//! let e4 = position.parse_uci("e2e4")?;
//! let after = position.play(e4)?;
//! let picture = BoardPicture::new(&after).last_move(e4).arrow("Bg8f6".parse()?).theme(Theme::GREEN).to_string();
//! assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`BoardPicture::classes`] names the parts for the CSS of a page, whose rules take precedence over the colours in the
//! picture. With the prefix `b-`:
//!
//! | class | part |
//! |---|---|
//! | `b-frame`, `b-coordinates` | the frame, and the letters and digits in it |
//! | `b-light`, `b-dark` | the squares |
//! | `b-last-move`, `b-check` | the tint of the last move, the mark of a king in check |
//! | `b-piece b-white b-knight` | a piece, with its colour and kind |
//! | `b-mark b-red`, `b-arrow b-red` | a mark and an arrow, with their colour |
//! | `b-label` | a label and its background |
//!
//! The pieces were drawn for this crate and share its licence. The output is deterministic.

mod annotation;
mod gallery;
mod pieces;
mod theme;

pub use crate::pgn::MarkColor;
pub use annotation::{AnnotationError, Arrow, SquareLabel, SquareMark};
pub use gallery::Gallery;
pub use pieces::PieceSymbols;
pub use theme::{InvalidColor, Rgb, Theme, UnknownTheme};

use bartizan_position::{FenStyle, Setup, Tolerance};
use bartizan_types::{Color, File, Move, Rank, Square};
use std::fmt;

/// The side of a square in units of the picture.
const SIDE: u32 = 100;

/// The width of the frame with the coordinates.
const FRAME: u32 = 44;

/// The font of all texts.
const FONT: &str = "Verdana, DejaVu Sans, sans-serif";

/// A text as the content of an element or the value of an attribute.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.chars().try_for_each(|char| match char {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            // XML allows few control characters.
            char if char.is_control() => f.write_char(' '),
            char => f.write_char(char),
        })
    }
}

/// The attribute `class` of an element, after a space.
struct Classes<'a> {
    /// `None` for a picture without classes.
    prefix: Option<&'a str>,
    names: &'a [&'a str],
}

impl fmt::Display for Classes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(prefix) = self.prefix else { return Ok(()) };
        for (index, name) in self.names.iter().enumerate() {
            let begin = if index == 0 { r#" class=""# } else { " " };
            write!(f, "{begin}{}{name}", Escaped(prefix))?;
        }
        f.write_str(r#"""#)
    }
}

/// A picture of a board. `Display` writes it as SVG.
///
/// By default, a king in check is marked, and white is at the bottom of a frame with coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPicture {
    setup: Setup,
    bottom: Color,
    last_move: Option<Move>,
    check: bool,
    coordinates: bool,
    arrows: Vec<Arrow>,
    marks: Vec<SquareMark>,
    labels: Vec<SquareLabel>,
    theme: Theme,
    size: Option<u32>,
    /// What the names of the classes begin with.
    classes: Option<String>,
    /// What the ids of the symbols of pieces begin with.
    symbols: Option<String>,
}

impl BoardPicture {
    /// A picture of a `&Position`, or of a `&Setup`, which need not be legal.
    ///
    /// ```
    /// use bartizan_notation::svg::BoardPicture;
    /// use bartizan_position::Setup;
    ///
    /// let pawns = Setup::from_fen("8/pp3ppp/8/8/8/8/PPP3PP/8 w - -")?;
    /// assert!(BoardPicture::new(&pawns).to_string().ends_with("</svg>\n"));
    /// # Ok::<(), bartizan_position::FenError>(())
    /// ```
    pub fn new(position: impl Into<Setup>) -> Self {
        Self {
            setup: position.into(),
            bottom: Color::White,
            last_move: None,
            check: true,
            coordinates: true,
            arrows: Vec::new(),
            marks: Vec::new(),
            labels: Vec::new(),
            theme: Theme::default(),
            size: None,
            classes: None,
            symbols: None,
        }
    }

    /// Puts this side at the bottom.
    #[must_use]
    pub fn seen_by(mut self, bottom: Color) -> Self {
        self.bottom = bottom;
        self
    }

    /// Tints the squares of the move that led to the position.
    #[must_use]
    pub fn last_move(mut self, mv: impl Into<Option<Move>>) -> Self {
        self.last_move = mv.into();
        self
    }

    /// Whether the king of the side to move is marked in check, if the position is legal.
    #[must_use]
    pub fn check(mut self, check: bool) -> Self {
        self.check = check;
        self
    }

    /// Whether the board has a frame with coordinates.
    #[must_use]
    pub fn coordinates(mut self, coordinates: bool) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// Adds an arrow.
    #[must_use]
    pub fn arrow(mut self, arrow: Arrow) -> Self {
        self.arrows.push(arrow);
        self
    }

    /// Adds a mark.
    #[must_use]
    pub fn mark(mut self, mark: SquareMark) -> Self {
        self.marks.push(mark);
        self
    }

    /// Adds a label. On a board with labels all pieces are smaller, to leave the foot of their squares free.
    #[must_use]
    pub fn label(mut self, label: SquareLabel) -> Self {
        self.labels.push(label);
        self
    }

    /// Sets the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets width and height in pixels. By default, the picture fills the available space.
    #[must_use]
    pub fn size(mut self, pixels: u32) -> Self {
        self.size = Some(pixels);
        self
    }

    /// Gives the parts of the picture CSS classes, whose names begin with `prefix`; see the [module](self).
    #[must_use]
    pub fn classes(mut self, prefix: impl Into<String>) -> Self {
        self.classes = Some(prefix.into());
        self
    }

    /// Refers to the symbols of a [`PieceSymbols`] with this prefix, which must be in the same page, instead of drawing
    /// the pieces.
    #[must_use]
    pub fn symbols(mut self, prefix: impl Into<String>) -> Self {
        self.symbols = Some(prefix.into());
        self
    }

    /// The attribute with classes, after a space, or nothing.
    fn class<'a>(&'a self, names: &'a [&'a str]) -> Classes<'a> {
        Classes { prefix: self.classes.as_deref(), names }
    }

    /// The square of the king in check, if it is to be marked.
    fn checked_king(&self) -> Option<Square> {
        let position = self.setup.clone().validate(Tolerance::ALL).ok().filter(|_| self.check)?;
        position.in_check().then(|| position.king(position.turn()))
    }

    fn margin(&self) -> u32 {
        if self.coordinates { FRAME } else { 0 }
    }

    /// The column and row of a square, from the upper left.
    fn cell(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file().index() as u32, square.rank().index() as u32);
        match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (column, row) = self.cell(square);
        (self.margin() + column * SIDE, self.margin() + row * SIDE)
    }

    fn write_squares(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (margin, board, Theme { light, dark, .. }) = (self.margin(), 8 * SIDE, self.theme);
        let (light_class, dark_class) = (self.class(&["light"]), self.class(&["dark"]));
        write!(f, r#"<rect{light_class} x="{margin}" y="{margin}" width="{board}" height="{board}""#)?;
        writeln!(f, r#" fill="{light}"/>"#)?;
        write!(f, r#"<path{dark_class} fill="{dark}" d=""#)?;
        for row in 0..8 {
            for column in (1 - row % 2..8).step_by(2) {
                write!(f, "M{} {}h{SIDE}v{SIDE}h-{SIDE}z", margin + column * SIDE, margin + row * SIDE)?;
            }
        }
        writeln!(f, r#""/>"#)
    }

    fn write_coordinates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, far, middle) = (self.theme.text, FRAME + 8 * SIDE, FRAME / 2);
        let class = self.class(&["coordinates"]);
        writeln!(f, r#"<g{class} fill="{text}" font-family="{FONT}" font-size="26" text-anchor="middle">"#)?;
        for file in File::ALL {
            let (x, _) = self.corner(Square::new(file, Rank::First));
            let (x, top, bottom) = (x + SIDE / 2, middle + 8, far + middle + 8);
            writeln!(f, r#"<text x="{x}" y="{top}">{file}</text><text x="{x}" y="{bottom}">{file}</text>"#)?;
        }
        for rank in Rank::ALL {
            let (_, y) = self.corner(Square::new(File::A, rank));
            let (y, right) = (y + SIDE / 2 + 9, far + middle);
            writeln!(f, r#"<text x="{middle}" y="{y}">{rank}</text><text x="{right}" y="{y}">{rank}</text>"#)?;
        }
        writeln!(f, "</g>")
    }

    fn write_tints(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Theme { last_move: tint, check, .. } = self.theme;
        if let Some(mv) = self.last_move {
            let class = self.class(&["last-move"]);
            for square in [mv.from(), mv.destination()] {
                let (x, y) = self.corner(square);
                write!(f, r#"<rect{class} x="{x}" y="{y}" width="{SIDE}" height="{SIDE}""#)?;
                writeln!(f, r#" fill="{tint}" fill-opacity="0.5"/>"#)?;
            }
        }
        if let Some(king) = self.checked_king() {
            let class = self.class(&["check"]);
            let (x, y) = self.corner(king);
            let (x, y) = (x + SIDE / 2, y + SIDE / 2);
            // Rings instead of a gradient, which would need a name that is unique in the page.
            for (radius, opacity) in [(50, "0.3"), (44, "0.35"), (37, "0.45")] {
                write!(f, r#"<circle{class} cx="{x}" cy="{y}" r="{radius}""#)?;
                writeln!(f, r#" fill="{check}" fill-opacity="{opacity}"/>"#)?;
            }
        }
        Ok(())
    }

    fn write_mark(&self, f: &mut fmt::Formatter<'_>, mark: SquareMark) -> fmt::Result {
        let ((x, y), color) = (self.corner(mark.square), self.theme.mark(mark.color));
        let (x, y) = (x + SIDE / 2, y + SIDE / 2);
        let names = ["mark", annotation::name(mark.color)];
        write!(f, r#"<circle{} cx="{x}" cy="{y}" r="46" fill="none""#, self.class(&names))?;
        writeln!(f, r#" stroke="{color}" stroke-width="6" stroke-opacity="0.8"/>"#)
    }

    /// The text is on a background plate, so that it is readable on any square.
    fn write_label(&self, f: &mut fmt::Formatter<'_>, label: &SquareLabel) -> fmt::Result {
        let ((x, y), Theme { white, black, .. }) = (self.corner(label.square), self.theme);
        let (left, top) = (x + 4, y + 74);
        let class = self.class(&["label"]);
        write!(
            f,
            r#"<rect{class} x="{left}" y="{top}" width="92" height="24" rx="5" fill="{white}" fill-opacity="0.75"/>"#
        )?;
        let (middle, foot, color) = (x + SIDE / 2, y + 94, label.color.map_or(black, |color| self.theme.mark(color)));
        write!(f, r#"<text{class} x="{middle}" y="{foot}" fill="{color}" font-family="{FONT}" font-size="22""#)?;
        writeln!(f, r#" text-anchor="middle">{}</text>"#, Escaped(&label.text))
    }

    /// An arrow is one shape, so that transparent parts do not overlap.
    fn write_arrow(&self, f: &mut fmt::Formatter<'_>, arrow: Arrow) -> fmt::Result {
        if arrow.from == arrow.to {
            return self.write_mark(f, SquareMark { square: arrow.from, color: arrow.color });
        }
        let center = |square| {
            let (x, y) = self.corner(square);
            (f64::from(x + SIDE / 2), f64::from(y + SIDE / 2))
        };
        let ((x0, y0), (x1, y1)) = (center(arrow.from), center(arrow.to));
        // A square root is exact on every machine, unlike trigonometric functions.
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt();
        let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
        // Along the arrow and to its side: the shaft, then the head.
        let outline =
            [(28.0, 9.0), (length - 52.0, 9.0), (length - 52.0, 27.0), (length - 8.0, 0.0), (length - 52.0, -27.0)]
                .into_iter()
                .chain([(length - 52.0, -9.0), (28.0, -9.0)]);
        let names = ["arrow", annotation::name(arrow.color)];
        write!(f, r#"<path{} d=""#, self.class(&names))?;
        for (index, (along, aside)) in outline.enumerate() {
            let (x, y) = (x0 + along * dx - aside * dy, y0 + along * dy + aside * dx);
            write!(f, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' })?;
        }
        writeln!(f, r#"Z" fill="{}" fill-opacity="0.75"/>"#, self.theme.mark(arrow.color))
    }

    /// Width and height in units.
    fn side(&self) -> u32 {
        8 * SIDE + 2 * self.margin()
    }

    /// Everything inside the element that holds the board.
    fn write_content(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<title>{}</title>", self.setup.to_fen(FenStyle::XFen))?;
        if self.coordinates {
            let side = self.side();
            let (class, frame) = (self.class(&["frame"]), self.theme.frame);
            writeln!(f, r#"<rect{class} width="{side}" height="{side}" fill="{frame}"/>"#)?;
        }
        self.write_squares(f)?;
        if self.coordinates {
            self.write_coordinates(f)?;
        }
        self.write_tints(f)?;
        for square in Square::ALL {
            let Some(piece) = self.setup.piece_at(square) else { continue };
            let (corner, is_small) = (self.corner(square), !self.labels.is_empty());
            if let Some(prefix) = &self.symbols {
                pieces::write_use(f, piece, corner, is_small, prefix)?;
                continue;
            }
            let names = pieces::classes(piece);
            pieces::write(f, piece, corner, is_small, &self.theme, self.class(&names))?;
        }
        self.marks.iter().try_for_each(|&mark| self.write_mark(f, mark))?;
        self.arrows.iter().try_for_each(|&arrow| self.write_arrow(f, arrow))?;
        self.labels.iter().try_for_each(|label| self.write_label(f, label))
    }
}

impl fmt::Display for BoardPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side();
        write!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}""#)?;
        if let Some(size) = self.size {
            write!(f, r#" width="{size}" height="{size}""#)?;
        }
        writeln!(f, ">")?;
        self.write_content(f)?;
        writeln!(f, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Position;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The whole text for two kings and a pawn. `testdata/svg/SOURCE.md` says how to make the file.
    #[test]
    fn a_small_board_is_drawn_as_before() {
        let position = position("8/8/8/8/8/2k5/2P5/2K5 b - - 0 1");
        let arrow: Arrow = "Rc3d3".parse().unwrap();
        let mark: SquareMark = "c2".parse().unwrap();
        let picture = BoardPicture::new(&position).arrow(arrow).mark(mark).theme(Theme::BLUE).size(400).to_string();
        let expected = std::fs::read_to_string(bartizan_testkit::testdata("svg/pawn.svg")).unwrap();
        assert_eq!(picture, expected.replace("\r\n", "\n"));
    }

    #[test]
    fn the_side_at_the_bottom_decides_where_squares_are() {
        let position = Position::startpos();
        let cells = |board: BoardPicture| [Square::A1, Square::H8, Square::E4].map(|square| board.cell(square));
        assert_eq!(cells(BoardPicture::new(&position)), [(0, 7), (7, 0), (4, 4)]);
        assert_eq!(cells(BoardPicture::new(&position).seen_by(Color::Black)), [(7, 0), (0, 7), (3, 3)]);
    }

    #[test]
    fn castling_marks_where_the_king_has_been_and_is() {
        let before = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let castling = before.parse_uci("e1g1").unwrap();
        let text = BoardPicture::new(&before.play(castling).unwrap()).last_move(castling).check(false).to_string();
        let tints: Vec<_> = text.lines().filter(|line| line.contains("fill-opacity")).collect();
        let corner = |square| BoardPicture::new(&before).corner(square);
        let expected = [Square::E1, Square::G1].map(corner).map(|(x, y)| format!("<rect x=\"{x}\" y=\"{y}\" "));
        assert_eq!(tints.len(), 2, "{text}");
        assert!(tints.iter().zip(expected).all(|(line, start)| line.starts_with(&start)), "{text}");
    }

    #[test]
    fn a_king_in_check_is_marked_unless_told_otherwise() {
        let mate = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        let circles = |board: BoardPicture| board.to_string().matches("<circle").count();
        assert_eq!(circles(BoardPicture::new(&mate)), 3);
        assert_eq!(circles(BoardPicture::new(&mate).check(false)), 0);
        assert_eq!(circles(BoardPicture::new(&Position::startpos())), 0);
    }

    #[test]
    fn a_setup_is_drawn_without_kings_or_with_many() {
        for fen in ["8/8/8/8/8/8/8/8 w - -", "8/8/8/3P4/8/8/8/8 b - -", "kkkkkkkk/8/8/8/8/8/8/QQQQQQQQ b - -"] {
            let setup = Setup::from_fen(fen).unwrap();
            let pieces = setup.board.iter().flatten().count();
            let text = BoardPicture::new(&setup).to_string();
            assert_eq!((text.matches("<g transform").count(), text.matches("<circle").count()), (pieces, 0), "{fen}");
            assert!(text.contains(&format!("<title>{}", fen.split(' ').next().unwrap())), "{text}");
        }
    }

    #[test]
    fn colours_and_classes_are_the_users() {
        let mate = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        let mut theme = Theme::BROWN;
        theme.check = "#123456".parse().unwrap();
        theme.marks[MarkColor::Red as usize] = Rgb(1, 2, 3);
        let arrow: Arrow = "Re1e2".parse().unwrap();
        let board = BoardPicture::new(&mate).theme(theme).arrow(arrow).mark("Rh4".parse().unwrap());
        let plain = board.to_string();
        assert!(!plain.contains("class="));
        assert_eq!((plain.matches("#123456").count(), plain.matches("#010203").count()), (3, 2));
        let mv = mate.legal_moves().first().copied();
        let text = board.last_move(mv).classes("x\"<").to_string();
        for (class, count) in [("frame", 1), ("light", 1), ("dark", 1), ("coordinates", 1), ("check", 3)] {
            assert_eq!(text.matches(&format!(" class=\"x&quot;&lt;{class}\"")).count(), count, "{class}");
        }
        let text = text.replace("x&quot;&lt;", "");
        for class in ["arrow red", "mark red", "piece black queen"] {
            assert_eq!(text.matches(&format!(" class=\"{class}\"")).count(), 1, "{class}");
        }
        assert_eq!(text.matches(" class=\"piece white pawn\"").count(), 8);
        for text in ["", "123456", "#12345", "#12345g", "#+12345", "#é1234"] {
            assert!(text.parse::<Rgb>().is_err(), "{text}");
        }
    }

    /// Every tag is closed, and no number is lost in an arrow to its own square.
    #[test]
    fn the_text_is_well_formed() {
        let position = Position::startpos();
        let square = Square::E4;
        let own = Arrow { from: square, to: square, color: MarkColor::Cyan };
        for board in [BoardPicture::new(&position).arrow(own), BoardPicture::new(&position).coordinates(false)] {
            let text = board.last_move(position.legal_moves()[0]).to_string();
            assert!(!text.contains("NaN") && !text.contains("inf"));
            for name in ["svg", "g", "text", "title"] {
                let opened = text.matches(&format!("<{name} ")).count() + text.matches(&format!("<{name}>")).count();
                assert_eq!(opened, text.matches(&format!("</{name}>")).count(), "{name}");
            }
            let paths = text.matches("<path").count() + text.matches("<rect").count() + text.matches("<circle").count();
            assert_eq!(paths, text.matches("/>").count());
            assert_eq!(text.matches("<g transform").count(), 32);
        }
    }

    #[test]
    fn a_board_can_refer_to_symbols() {
        let symbols = PieceSymbols::new("p-").classes("b-").theme(Theme::BLUE).to_string();
        assert_eq!(symbols.matches("<symbol id=\"p-").count(), 12);
        assert!(
            symbols
                .contains("<symbol id=\"p-black-king\" viewBox=\"0 0 100 100\">\n<g class=\"b-piece b-black b-king\"")
        );
        let board = BoardPicture::new(&Position::startpos()).symbols("p-").to_string();
        assert_eq!(board.matches("<use href=\"#p-").count(), 32);
        assert!(
            board.contains("<use href=\"#p-white-rook\" x=\"44\" y=\"744\" width=\"100\" height=\"100\"/>"),
            "{board}"
        );
        assert!(!board.contains("stroke-width"));
    }

    #[test]
    fn labels_stand_at_the_foot_of_their_squares_below_small_pieces() {
        let position = position("8/8/8/8/8/2k5/2P5/2K5 b - - 0 1");
        let label = |square, text: &str, color| SquareLabel { square, text: text.to_owned(), color };
        let board = BoardPicture::new(&position).label(label(Square::C2, "1.08", None)).label(label(
            Square::A8,
            "<&>\x1b",
            Some(MarkColor::Red),
        ));
        let text = board.to_string();
        assert!(text.contains(r##"<text x="294" y="738" fill="#2b2622""##), "{text}");
        assert!(text.contains(r##"<text x="94" y="138" fill="#9e2020""##), "{text}");
        assert!(text.contains(">1.08</text>\n") && text.contains(">&lt;&amp;&gt; </text>\n"), "{text}");
        assert_eq!(text.matches(" scale(0.76)").count(), 3);
        assert!(board.seen_by(Color::Black).to_string().contains(r##"<text x="594" y="238" fill="#2b2622""##));
    }

    #[test]
    fn annotations_and_themes_are_parsed() {
        let arrow = Arrow { from: Square::E2, to: Square::E4, color: MarkColor::Green };
        assert_eq!("e2e4".parse(), Ok(arrow));
        assert_eq!("Be2e4".parse(), Ok(Arrow { color: MarkColor::Blue, ..arrow }));
        assert_eq!("Rh8".parse(), Ok(SquareMark { square: Square::H8, color: MarkColor::Red }));
        for text in ["", "e2", "e2e2", "e2e9", "Xe2e4", "e2e4q", "éé"] {
            assert_eq!(text.parse::<Arrow>(), Err(AnnotationError::Arrow), "{text}");
        }
        for text in ["", "R", "e", "e2e4", "é1"] {
            assert_eq!(text.parse::<SquareMark>(), Err(AnnotationError::Mark), "{text}");
        }
        assert!(Theme::NAMES.iter().all(|name| name.parse::<Theme>().is_ok()));
        assert_eq!(
            "pink".parse::<Theme>().unwrap_err().to_string(),
            "unknown theme: expected brown, green, blue, grey"
        );
    }
}
