//! Tags with a meaning for the reader and the writer.

use super::GameResult;
use crate::text::excerpt;
use bartizan_position::{Position, PositionError, Setup, Tolerance};
use bartizan_types::{Move, Variant};
use std::io::{self, Read, Seek, SeekFrom};

/// The tags that every written game has, in order.
pub const SEVEN_TAG_ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The value to write for a missing tag of the roster.
pub(super) fn unknown(name: &str) -> &'static str {
    if name == "Date" { "????.??.??" } else { "?" }
}

/// The tags that follow from the fields of a game.
const DERIVED: [&str; 4] = ["FEN", "Result", "SetUp", "Variant"];

/// The tag that follows from the fields of a game and has this name. Some files write it in another case.
pub(super) fn derived(name: &str) -> Option<&'static str> {
    DERIVED.into_iter().find(|derived| derived.eq_ignore_ascii_case(name))
}

/// Whether a tag follows from the fields of a game.
pub(super) fn is_derived(name: &str) -> bool {
    derived(name).is_some()
}

/// The position of the tag `FEN`, and the double step before it if the position does not tell it.
pub(super) fn start_of_tag(fen: &str) -> Result<(Position, Option<Move>), PositionError> {
    let setup = Setup::from_fen(fen)?;
    let start = setup.validate(Tolerance::ALL)?;
    let double_step = setup.double_step().filter(|_| start.en_passant().is_none());
    Ok((start, double_step))
}

/// The fields of a game that tags follow from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) result: GameResult,
    pub(super) chess960: bool,
    pub(super) start: &'a Position,
    pub(super) double_step: Option<Move>,
}

impl Source<'_> {
    /// Whether the tag `Variant` is written. Without it, other programs would drop the castling rights of a start
    /// position that is only valid in Chess960.
    pub(super) fn is_chess960(self) -> bool {
        self.chess960 || self.start.variant() == Variant::Chess960
    }

    /// The value of the tag `FEN`. Chess960 games always have one, even if they start from the standard position.
    pub(super) fn fen(self) -> Option<String> {
        self.has_fen().then(|| self.start.to_setup_after(self.double_step).to_string())
    }

    fn has_fen(self) -> bool {
        self.start != Position::startpos_ref() || self.is_chess960()
    }

    /// The value of a tag as written. `FEN` is not stored and cannot be borrowed: see [`Source::fen`].
    pub(super) fn get<'t>(self, tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
        match derived(name) {
            None => tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()),
            Some("Result") => Some(self.result.as_str()),
            Some("Variant") => self.is_chess960().then(|| Variant::Chess960.as_str()),
            Some("SetUp") => self.has_fen().then_some("1"),
            Some(_) => None,
        }
    }
}

/// The error of setting a tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagError {
    /// The name is not valid in PGN: it is empty, or has characters other than ASCII letters, digits and underscores.
    /// Holds its beginning.
    #[error("invalid tag name '{0}': expected letters, digits and underscores")]
    Name(String),
    /// The tag follows from a field of the game.
    #[error("the tag '{0}' follows from a field of the game: set the field")]
    Derived(&'static str),
}

/// Whether a character may be part of the name of a tag.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Replaces the value of a tag, or appends the tag.
pub(super) fn set(tags: &mut Vec<(String, String)>, name: &str, value: String) -> Result<(), TagError> {
    if let Some(name) = derived(name) {
        return Err(TagError::Derived(name));
    }
    if name.is_empty() || !name.chars().all(is_of_name) {
        return Err(TagError::Name(excerpt(name)));
    }
    match tags.iter_mut().find(|(key, _)| key == name) {
        Some((_, old)) => *old = value,
        None => tags.push((name.to_owned(), value)),
    }
    Ok(())
}

/// The variant that the value of a tag `Variant` names, as programs write it; `None` for variants other than chess and
/// Chess960. No value is chess.
///
/// ```
/// use bartizan_notation::pgn::variant_of_tag;
/// use bartizan_types::Variant;
///
/// assert_eq!(variant_of_tag("From Position"), Some(Variant::Standard));
/// assert_eq!(variant_of_tag("Fischer Random"), Some(Variant::Chess960));
/// assert_eq!(variant_of_tag("Chess960 Atomic"), None);
/// ```
pub fn variant_of_tag(value: &str) -> Option<Variant> {
    let mut plain = value.to_ascii_lowercase();
    plain.retain(|c| c.is_ascii_alphanumeric());
    match plain.as_str() {
        "" | "chess" | "standard" | "normal" | "fromposition" => Some(Variant::Standard),
        "chess960"
        | "960"
        | "freestyle"
        | "frc"
        | "dfrc"
        | "fischerandom"
        | "fischerrandom"
        | "doublefischerandom"
        | "doublefischerrandom"
        | "doublechess960"
        | "fischerandomchess"
        | "fischerrandomchess" => Some(Variant::Chess960),
        _ => None,
    }
}

/// Whether a file begins like a PGN file: empty, with a tag, or with a comment. A program that appends games should
/// check this first, so that it does not damage a file of another kind.
///
/// ```
/// use bartizan_notation::pgn::begins_like_pgn;
///
/// assert!(begins_like_pgn(b"") && begins_like_pgn(b"[Event \"?\"]") && begins_like_pgn(b"{Games of my club}"));
/// assert!(!begins_like_pgn(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
/// assert!(!begins_like_pgn(b"{\"event\": \"?\"}"));
/// ```
pub fn begins_like_pgn(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match text {
        [] | [b'%' | b';', ..] => true,
        [b'[', rest @ ..] => rest.trim_ascii_start().first().is_none_or(u8::is_ascii_alphabetic),
        // Neither JSON nor Rich Text.
        [b'{', rest @ ..] => !matches!(rest.trim_ascii_start(), [b'"' | b'}' | b'\\', ..]),
        _ => false,
    }
}

/// The separator between a collection, given by its last bytes, and a game to append: what the text lacks for an empty
/// line at its end. Without that line, other readers lose the tags of the game.
///
/// ```
/// use bartizan_notation::pgn::game_separator;
///
/// assert_eq!(game_separator(b"1. e4 *"), "\n\n");
/// assert_eq!(game_separator(b"1. e4 *\n"), "\n");
/// assert_eq!(game_separator(b"1. e4 *\r\n\r\n"), "");
/// assert_eq!(game_separator(b""), "");
/// ```
pub fn game_separator(text: &[u8]) -> &'static str {
    match text {
        [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    }
}

/// Like [`game_separator`], for the first `length` bytes of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn game_separator_at(file: &mut (impl Read + Seek), length: u64) -> io::Result<&'static str> {
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(3)))?;
    file.take(length.min(3)).read_to_end(&mut end)?;
    Ok(game_separator(&end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tag that the reader would treat as a position is not written as an ordinary tag.
    #[test]
    fn the_case_of_derived_tags_does_not_matter() {
        assert_eq!((derived("Fen"), derived("SETUP"), derived("Feng")), (Some("FEN"), Some("SetUp"), None));
        let mut game = crate::pgn::PgnGame::default();
        assert_eq!(game.set_tag("Fen", "w"), Err(TagError::Derived("FEN")));
        game.tags.push(("fEN".to_owned(), "w".to_owned()));
        assert!(game.tags.len() == 1 && !game.to_string().to_ascii_lowercase().contains("[fen"));
    }

    #[test]
    fn bad_names_are_errors() {
        let mut game = crate::pgn::PgnGame::default();
        for name in ["", "White Elo", "Elo\n", "Élo", "a]", "White-Elo", "\u{1b}[31m"] {
            assert_eq!(game.set_tag(name, "x"), Err(TagError::Name(excerpt(name))));
            let mut tree = crate::pgn::GameTree::default();
            assert!(tree.set_tag(name, "x").unwrap_err().to_string().chars().all(|c| !c.is_control()));
        }
        game.set_tag("_1", "x").unwrap();
        assert_eq!(game.tags, [("_1".to_owned(), "x".to_owned())]);
    }

    #[test]
    fn variants() {
        assert_eq!(variant_of_tag("Chess 960"), Some(Variant::Chess960));
        assert_eq!(variant_of_tag("fischerandom"), Some(Variant::Chess960));
        assert_eq!(variant_of_tag("From Position"), Some(Variant::Standard));
        assert_eq!(variant_of_tag("Atomic"), None);
    }
}
