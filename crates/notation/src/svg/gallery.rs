//! Several boards in one picture.

use super::{BoardPicture, Escaped, FONT, FRAME};
use std::fmt;

/// The height of a caption.
const CAPTION: u32 = 64;

/// Boards side by side, each below a caption. `Display` writes them as one SVG picture, whose background is the frame
/// colour of the first board.
///
/// ```
/// use bartizan_notation::svg::{BoardPicture, Gallery};
/// use bartizan_position::Position;
///
/// let before = Position::startpos();
/// let after = before.play(before.parse_uci("e2e4")?)?;
/// let (left, right) = (BoardPicture::new(&before), BoardPicture::new(&after));
/// let picture = Gallery::new().board("before", left).board("after", right).to_string();
/// assert!(picture.starts_with("<svg ") && picture.contains(">after</text>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gallery {
    boards: Vec<(String, BoardPicture)>,
}

impl Gallery {
    /// A picture without boards.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a board on the right. Its [`BoardPicture::size`] is ignored: the picture fills the space that it is shown
    /// in.
    #[must_use]
    pub fn board(mut self, caption: impl Into<String>, board: BoardPicture) -> Self {
        self.boards.push((caption.into(), board));
        self
    }
}

impl fmt::Display for Gallery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.boards.iter().map(|(_, board)| board.side()).sum::<u32>();
        let width = width + FRAME * (self.boards.len() as u32).saturating_sub(1);
        let height = CAPTION + self.boards.iter().map(|(_, board)| board.side()).max().unwrap_or(0);
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">"#)?;
        if let Some((_, first)) = self.boards.first() {
            writeln!(f, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, first.theme.frame)?;
        }
        let mut left = 0;
        for (caption, board) in &self.boards {
            let (middle, foot, color) = (left + board.side() / 2, CAPTION - 12, board.theme.text);
            write!(f, r#"<text x="{middle}" y="{foot}" fill="{color}" font-family="{FONT}" font-size="36""#)?;
            writeln!(f, r#" text-anchor="middle">{}</text>"#, Escaped(caption))?;
            writeln!(f, r#"<g transform="translate({left} {CAPTION})">"#)?;
            board.write_content(f)?;
            writeln!(f, "</g>")?;
            left += board.side() + FRAME;
        }
        writeln!(f, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::Theme;
    use bartizan_position::Position;

    #[test]
    fn boards_stand_side_by_side_below_their_captions() {
        let position = Position::startpos();
        let small = BoardPicture::new(&position).coordinates(false).theme(Theme::GREY);
        let picture = Gallery::new().board("a < b", BoardPicture::new(&position)).board("c", small).to_string();
        assert!(picture.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1732 952">"#), "{picture}");
        for part in [r#"<text x="444" y="52""#, r#"<text x="1332" y="52""#, ">a &lt; b</text>", ">c</text>"] {
            assert!(picture.contains(part), "{part}");
        }
        assert!(picture.contains(r#"<g transform="translate(0 64)">"#));
        assert!(picture.contains(r#"<g transform="translate(932 64)">"#));
        assert_eq!((picture.matches("<svg").count(), picture.matches("</svg>").count()), (1, 1));
        assert_eq!((picture.matches("<g ").count(), picture.matches("</g>").count()), (67, 67));
        assert!(Gallery::new().to_string().ends_with("viewBox=\"0 0 0 64\">\n</svg>\n"));
    }
}
