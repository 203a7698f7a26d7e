//! Writing games in the export format.

use super::PgnGame;
use super::lexer::append_words;
use super::tags::{SEVEN_TAG_ROSTER, Source, is_derived, is_of_name, unknown};
use crate::san::San;
use crate::text::Quoted;
use bartizan_types::{Color, Move};
use std::borrow::Cow;
use std::fmt;
use std::io;

impl PgnGame {
    /// Writes the game in the export format, like `Display`.
    ///
    /// # Errors
    /// Any error of `out`.
    pub fn write_to<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        write!(out, "{self}")
    }
}

/// Formats the game in the export format: the Seven Tag Roster, `Variant`, `SetUp` and `FEN` if needed, the other tags,
/// the moves in lines of less than 80 columns, the result, and a blank line.
///
/// Text that PGN cannot represent is changed: braces in comments become parentheses, line ends become spaces, and
/// characters that are not allowed in tag names are dropped. An illegal move ends the movetext with a comment.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tags(f, &self.tags, self.source())?;
        f.write_str("\n")?;
        let mut lines = Lines::new(f);
        self.write_moves(&mut lines)?;
        lines.word(self.result.as_str())?;
        f.write_str("\n\n")
    }
}

/// Writes the tags: the roster, those that follow from the fields of a game, and the others.
pub(super) fn write_tags(f: &mut fmt::Formatter<'_>, tags: &[(String, String)], source: Source<'_>) -> fmt::Result {
    for name in SEVEN_TAG_ROSTER {
        write_tag(f, name, source.get(tags, name).unwrap_or(unknown(name)))?;
    }
    for name in ["Variant", "SetUp"] {
        if let Some(value) = source.get(tags, name) {
            write_tag(f, name, value)?;
        }
    }
    if let Some(fen) = source.fen() {
        write_tag(f, "FEN", &fen)?;
    }
    for (name, value) in tags {
        let name: Cow<'_, str> = match name.chars().all(is_of_name) {
            true => name.into(),
            false => name.chars().filter(|&c| is_of_name(c)).collect::<String>().into(),
        };
        if !name.is_empty() && !is_derived(&name) && !SEVEN_TAG_ROSTER.contains(&&*name) {
            write_tag(f, &name, value)?;
        }
    }
    Ok(())
}

impl PgnGame {
    fn write_moves(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut position = self.start.clone();
        let mut interrupted = write_comment(lines, self.comment.as_deref())? || position.turn() == Color::Black;
        for played in &self.moves {
            let Ok(next) = position.play(played.mv) else {
                return write_comment(lines, Some(&not_legal(played.mv))).map(|_| ());
            };
            let (number, san) = (position.fullmove_number(), San::new(&position, played.mv));
            // Keep number and move on one line: PGN allows it, and it is easier to read.
            match position.turn() {
                Color::White => lines.word(&format!("{number}. {san}"))?,
                Color::Black if interrupted => lines.word(&format!("{number}... {san}"))?,
                Color::Black => lines.word(san.as_str())?,
            }
            for nag in played.nags.iter() {
                lines.word(&nag.to_string())?;
            }
            interrupted = write_comment(lines, played.comment.as_deref())?;
            position = next;
        }
        Ok(())
    }
}

fn not_legal(mv: Move) -> String {
    format!("illegal move {mv}")
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} {}]", Quoted(value))
}

/// Writes a comment. Returns whether there was one.
fn write_comment(lines: &mut Lines<'_, '_>, comment: Option<&str>) -> Result<bool, fmt::Error> {
    comment_words(comment.unwrap_or_default(), |word| lines.word(word))
}

/// Passes the words of a comment, with its braces, to a function. Returns whether there are any.
pub(super) fn comment_words(comment: &str, mut write: impl FnMut(&str) -> fmt::Result) -> Result<bool, fmt::Error> {
    let mut text = String::new();
    append_words(&mut text, comment);
    if text.is_empty() {
        return Ok(false);
    }
    let text = text.replace('{', "(").replace('}', ")");
    let mut rest = text.as_str();
    while rest.len() > MAX_COMMENT {
        let end = (1..=MAX_COMMENT).rev().find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(rest[..end].rfind(' ').unwrap_or(end));
        words_of_comment(&format!("{{{part}}}"), &mut write)?;
        rest = after.trim_start_matches(' ');
    }
    words_of_comment(&format!("{{{rest}}}"), &mut write)?;
    Ok(true)
}

/// The maximum length of a comment in bytes: because readers have limits, a longer one is written as several, which are
/// joined when read back.
const MAX_COMMENT: usize = 1 << 19;

fn words_of_comment(text: &str, mut write: impl FnMut(&str) -> fmt::Result) -> fmt::Result {
    let has_commands = text.contains('[');
    // Text that must not be broken, and whether it contains an unfinished command. Some readers look for commands such
    // as `[%clk 0:01:00]` with a space.
    let (mut start, mut end, mut in_command) = (0, 0, false);
    for word in text.split(' ') {
        let begin = if end > 0 { end + 1 } else { 0 };
        in_command &= end - start + word.len() < Lines::MAX_WIDTH;
        // At the beginning of a line, `%` would hide the line, and `[` would look like a tag.
        if end > 0 && !in_command && !word.starts_with(['%', '[']) {
            write(&text[start..end])?;
            start = begin;
        }
        end = begin + word.len();
        if has_commands {
            let mut before = 0;
            for byte in word.bytes() {
                in_command = byte != b']' && (in_command || (before, byte) == (b'[', b'%'));
                before = byte;
            }
        }
    }
    write(&text[start..])
}

/// Writes words and breaks lines before column 80.
pub(super) struct Lines<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// The number of characters in the current line.
    width: usize,
}

impl<'a, 'f> Lines<'a, 'f> {
    const MAX_WIDTH: usize = 79;

    pub(super) fn new(out: &'a mut fmt::Formatter<'f>) -> Self {
        Self { out, width: 0 }
    }

    pub(super) fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.width == 0 {
            self.width = width;
        } else if self.width + 1 + width <= Self::MAX_WIDTH {
            self.out.write_str(" ")?;
            self.width += 1 + width;
        } else {
            self.out.write_str("\n")?;
            self.width = width;
        }
        self.out.write_str(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameResult, PgnMove};
    use bartizan_position::Position;
    use bartizan_types::Square;

    fn game(fen: &str, moves: &[(&str, &str)]) -> PgnGame {
        let mut game = PgnGame::new(Position::from_fen(fen).unwrap());
        let mut position = game.start.clone();
        for &(uci, comment) in moves {
            let mv = position.parse_uci(uci).unwrap();
            position = position.play(mv).unwrap();
            let comment = (!comment.is_empty()).then(|| comment.to_owned());
            game.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
        }
        game
    }

    fn movetext(game: &PgnGame) -> String {
        game.to_string().split_once("\n\n").unwrap().1.to_owned()
    }

    #[test]
    fn a_comment_beyond_the_limit_of_readers_is_written_in_parts() {
        let mut game = game("4k3/8/8/8/8/8/8/4K2R b K - 3 40", &[("e8e7", "")]);
        for comment in ["é word ".repeat(250_000).trim().to_owned(), "é".repeat(600_000)] {
            game.moves[0].comment = Some(comment.clone());
            let read = crate::pgn::PgnReader::new(game.to_string().as_bytes()).next().unwrap().unwrap();
            let again = read.moves[0].comment.clone().unwrap();
            assert_eq!(again.replace(' ', ""), comment.replace(' ', ""));
            // A word that is longer than a line is broken.
            assert!(again == comment || !comment.contains(' '));
        }
    }

    #[test]
    fn a_whole_game() {
        let mut game = game("4k3/8/8/8/8/8/8/4K2R b K - 3 40", &[("e8e7", ""), ("e1g1", "safe}"), ("e7e6", "")]);
        game.set_tag("Black", "O\"Neil \\ Co").unwrap();
        game.set_tag("ECO", "A00").unwrap();
        game.chess960 = true;
        game.result = GameResult::WhiteWins;
        game.comment = Some("an\nending".into());
        let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "O\"Neil \\ Co"]
[Result "1-0"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/4K2R b K - 3 40"]
[ECO "A00"]

{an ending} 40... Ke7 41. O-O {safe)} 41... Ke6 1-0

"#;
        assert_eq!(game.to_string(), expected);
        let mut bytes = Vec::new();
        game.write_to(&mut bytes).unwrap();
        assert_eq!(bytes, expected.as_bytes());
    }

    #[test]
    fn lines_stay_below_80_columns() {
        let comment = "word ".repeat(40) + "%x [y " + &"long".repeat(10);
        let mut game = PgnGame::default();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(30) {
            game.moves.push(Position::startpos().parse_uci(mv).map_or_else(
                |_| PgnMove::from(Move::normal(mv[..2].parse().unwrap(), mv[2..].parse().unwrap())),
                |mv| PgnMove { comment: Some(comment.clone()), ..PgnMove::from(mv) },
            ));
        }
        let text = movetext(&game);
        assert!(text.lines().count() > 100);
        for line in text.lines() {
            assert!(line.len() < 80 && !line.starts_with(['%', '[']) && !line.ends_with(' '), "{line:?}");
        }
    }

    #[test]
    fn commands_are_not_broken() {
        let comment = "[%clk 0:01:00] [%eval -0.25] word";
        let mut game = PgnGame::default();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(10) {
            let (from, to) = (mv[..2].parse().unwrap(), mv[2..].parse().unwrap());
            let mv = PgnMove::from(Move::normal(from, to));
            game.moves.push(PgnMove { comment: Some(comment.to_owned()), ..mv });
        }
        let text = movetext(&game);
        assert_eq!(text.matches("[%clk 0:01:00]").count(), 40, "{text}");
        assert_eq!(text.matches("[%eval -0.25]").count(), 40, "{text}");
        // An unfinished command is ordinary text.
        game.moves[0].comment = Some(format!("[%{}", " word".repeat(200)));
        assert!(movetext(&game).lines().all(|line| line.len() < 80));
    }

    #[test]
    fn an_illegal_move_ends_the_game() {
        let mut game = PgnGame::default();
        game.moves.push(Move::normal(Square::E2, Square::E4).into());
        game.moves.push(Move::normal(Square::E4, Square::E5).into());
        assert_eq!(movetext(&game), "1. e4 {illegal move e4e5} *\n\n");
    }

    #[test]
    fn a_game_without_moves_is_a_result() {
        assert_eq!(movetext(&PgnGame { result: GameResult::Draw, ..PgnGame::default() }), "1/2-1/2\n\n");
    }
}
