//! Hand-made lines: games whose comments, glyphs and variations weigh the moves.

use crate::{PolyglotKey, PolyglotMove};
use bartizan_notation::san::parse_san;
use bartizan_position::Position;
use bartizan_types::{Excerpt, Key, Move};
use std::collections::{HashMap, HashSet};

/// What hand-made lines say of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Note {
    /// `weight: N`, 0 to 100.
    pub(super) weight: Option<u8>,
    pub(super) glyph: Option<Glyph>,
    /// The sum of the evaluations at the ends of lines through the move, from the mover's view, -3 to 3, and their
    /// number.
    pub(super) evaluations: (i32, u32),
}

/// A glyph that says how good a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyph {
    /// `!!`
    Brilliant,
    /// `!`
    Good,
    /// `!?`
    Interesting,
    /// `?!` says that a move is playable, no more.
    Dubious,
    /// `?` or `??`
    Mistake,
}

/// Why a file of hand-made lines cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct AnnotationError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: AnnotationErrorKind,
}

/// What is wrong in a file of hand-made lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationErrorKind {
    /// A word of the movetext is not a legal move.
    #[error("'{0}' is not a legal move")]
    Move(String),
    /// A weight is not a number from 0 to 100.
    #[error("weight '{0}' is not a whole number from 0 to 100")]
    Weight(String),
    /// A weight, a glyph or a variation has no move before it.
    #[error("'{0}' has no move before it")]
    NoMove(String),
    /// A `)` ends no variation.
    #[error("unexpected ')'")]
    Close,
    /// A variation is not closed before the game ends.
    #[error("unterminated variation")]
    Open,
    /// A comment is not closed.
    #[error("unterminated comment")]
    Comment,
    /// The FEN of a game is invalid.
    #[error("invalid FEN '{0}'")]
    Fen(String),
}

/// All notes of a file, by key and move of the format.
pub(super) type Notes = HashMap<(u64, u16), Note>;

/// A line from the start of the game.
#[derive(Clone)]
struct Line {
    position: Position,
    last: Option<Move>,
    /// The position before the last move, where a variation begins.
    before: Option<(Position, Option<Move>)>,
    /// Key, move and whether white moved.
    path: Vec<(u64, u16, bool)>,
    evaluation: Option<i32>,
    /// The number of moves after which the line has entered a position to avoid.
    avoided: Option<usize>,
}

impl Line {
    fn new(position: Position) -> Self {
        Self { position, last: None, before: None, path: Vec::new(), evaluation: None, avoided: None }
    }
}

struct Reader<'a> {
    text: &'a str,
    avoided: &'a HashSet<Key>,
    at: usize,
    line: usize,
    notes: Notes,
    /// Takes what is said of moves that do not count.
    ignored: Note,
    current: Line,
    stack: Vec<Line>,
    /// Whether a move was read in this game, so that a tag begins the next one.
    in_moves: bool,
}

/// Reads a file of hand-made lines. A move that leads to one of the avoided positions is never played, and what follows
/// it in its line does not count.
pub(super) fn read(text: &str, avoided: &HashSet<Key>) -> Result<Notes, AnnotationError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let current = Line::new(Position::startpos());
    let notes = Notes::new();
    let (ignored, stack) = (Note::default(), Vec::new());
    let mut reader = Reader { text, avoided, at: 0, line: 1, notes, ignored, current, stack, in_moves: false };
    let result = reader.run();
    let line = reader.line;
    result.map_err(|kind| AnnotationError { line, kind })?;
    Ok(reader.notes)
}

impl<'a> Reader<'a> {
    /// Takes text up to a character, which is taken as well; `None` if it does not occur.
    fn take_until(&mut self, end: char) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let length = rest.find(end)?;
        self.at += length + end.len_utf8();
        Some(&rest[..length])
    }

    fn take_line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn run(&mut self) -> Result<(), AnnotationErrorKind> {
        while let Some(first) = self.text[self.at..].chars().next() {
            let is_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            match first {
                '\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                '%' if is_line_start => drop(self.take_line()),
                ';' => {
                    let comment = self.take_line();
                    self.comment(comment)?;
                }
                '[' => {
                    let tag = self.take_line();
                    self.tag(tag)?;
                }
                '{' => {
                    self.at += 1;
                    let comment = self.take_until('}').ok_or(AnnotationErrorKind::Comment)?;
                    self.comment(comment)?;
                    self.line += comment.matches('\n').count();
                }
                '(' => {
                    self.at += 1;
                    self.open()?;
                }
                ')' => {
                    self.at += 1;
                    self.close()?;
                }
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => {
                    let rest = &self.text[self.at..];
                    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '[' | ']');
                    // At least one character, so that a stray bracket does not stop the reader.
                    let length = rest.char_indices().skip(1).find(|&(_, c)| ends(c)).map_or(rest.len(), |(at, _)| at);
                    self.at += length;
                    self.word(&rest[..length])?;
                }
            }
        }
        self.end_game()
    }

    fn tag(&mut self, tag: &str) -> Result<(), AnnotationErrorKind> {
        if self.in_moves {
            self.end_game()?;
        }
        let value =
            tag.trim_start_matches('[').trim_start().strip_prefix("FEN").and_then(|rest| rest.split('"').nth(1));
        if let Some(fen) = value {
            let start = Position::from_fen(fen).map_err(|_| AnnotationErrorKind::Fen(excerpt(fen)))?;
            self.current = Line::new(start);
        }
        Ok(())
    }

    fn end_game(&mut self) -> Result<(), AnnotationErrorKind> {
        if !self.stack.is_empty() {
            return Err(AnnotationErrorKind::Open);
        }
        self.end_line();
        self.current = Line::new(Position::startpos());
        self.in_moves = false;
        Ok(())
    }

    /// The evaluation at the end of a line counts for all its moves.
    fn end_line(&mut self) {
        let Some(evaluation) = self.current.evaluation else { return };
        let counted = self.current.avoided.unwrap_or(usize::MAX);
        for &(key, mv, is_white) in self.current.path.iter().take(counted) {
            let note = self.notes.entry((key, mv)).or_default();
            note.evaluations.0 += if is_white { evaluation } else { -evaluation };
            note.evaluations.1 += 1;
        }
    }

    fn open(&mut self) -> Result<(), AnnotationErrorKind> {
        let (position, last) =
            self.current.before.clone().ok_or_else(|| AnnotationErrorKind::NoMove("(".to_owned()))?;
        let mut path = self.current.path.clone();
        path.pop();
        let avoided = self.current.avoided.filter(|&at| at <= path.len());
        let variation = Line { position, last, before: None, path, evaluation: None, avoided };
        self.stack.push(std::mem::replace(&mut self.current, variation));
        Ok(())
    }

    fn close(&mut self) -> Result<(), AnnotationErrorKind> {
        let outer = self.stack.pop().ok_or(AnnotationErrorKind::Close)?;
        self.end_line();
        self.current = outer;
        Ok(())
    }

    /// The note of the last move.
    fn note(&mut self, cause: &str) -> Result<&mut Note, AnnotationErrorKind> {
        if self.current.avoided.is_some_and(|at| at <= self.current.path.len()) {
            self.ignored = Note::default();
            return Ok(&mut self.ignored);
        }
        match self.current.path.last() {
            Some(&(key, mv, _)) if self.current.before.is_some() => Ok(self.notes.entry((key, mv)).or_default()),
            _ => Err(AnnotationErrorKind::NoMove(excerpt(cause))),
        }
    }

    fn comment(&mut self, text: &str) -> Result<(), AnnotationErrorKind> {
        let Some((_, rest)) = text.split_once("weight:") else { return Ok(()) };
        let number = rest.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.', ';']);
        let weight = number.parse().ok().filter(|&weight| weight <= 100);
        let weight = weight.ok_or_else(|| AnnotationErrorKind::Weight(excerpt(number)))?;
        self.note("weight:")?.weight = Some(weight);
        Ok(())
    }

    fn glyph(&mut self, number: u8, text: &str) -> Result<(), AnnotationErrorKind> {
        let glyph = match number {
            1 => Glyph::Good,
            2 | 4 => Glyph::Mistake,
            3 => Glyph::Brilliant,
            5 => Glyph::Interesting,
            6 => Glyph::Dubious,
            10..=21 => {
                self.current.evaluation = Some(match number {
                    14 => 1,
                    15 => -1,
                    16 => 2,
                    17 => -2,
                    18 | 20 => 3,
                    19 | 21 => -3,
                    _ => 0,
                });
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.note(text)?.glyph = Some(glyph);
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), AnnotationErrorKind> {
        if let Some(number) = word.strip_prefix('$') {
            return number.parse().map_or(Ok(()), |number| self.glyph(number, word));
        }
        if let Some(number) = glyph_of(word) {
            return self.glyph(number, word);
        }
        if matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2") {
            return if self.stack.is_empty() { self.end_game() } else { Ok(()) };
        }
        // `12.`, `12...` and `12.e4`
        let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = if after_number.starts_with('.') { after_number.trim_start_matches('.') } else { word };
        if text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(());
        }
        let (plain, mark) = text.split_at(text.find(['!', '?']).unwrap_or(text.len()));
        let line = &mut self.current;
        let mv = parse_san(&line.position, plain).map_err(|_| AnnotationErrorKind::Move(excerpt(plain)))?;
        let key = PolyglotKey::after(&line.position, line.last).0;
        let place = (key, PolyglotMove::from(mv).0, line.position.turn().is_white());
        let next = line.position.play_unchecked(mv);
        line.before = Some((std::mem::replace(&mut line.position, next), line.last.replace(mv)));
        line.path.push(place);
        line.evaluation = None;
        self.in_moves = true;
        if line.avoided.is_none() {
            let note = self.notes.entry((place.0, place.1)).or_default();
            if self.avoided.contains(&line.position.key()) {
                line.avoided = Some(line.path.len());
                note.weight = Some(0);
            }
        }
        match glyph_of(mark) {
            Some(number) => self.glyph(number, mark),
            None if mark.is_empty() => Ok(()),
            None => Err(AnnotationErrorKind::Move(excerpt(text))),
        }
    }
}

/// The number of a glyph.
fn glyph_of(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "\u{221e}" => 13,
        "+=" | "\u{2a72}" => 14,
        "=+" | "\u{2a71}" => 15,
        "+/-" | "\u{b1}" => 16,
        "-/+" | "\u{2213}" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => return None,
    })
}

fn excerpt(text: &str) -> String {
    Excerpt::new(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str, moves: &str) -> Note {
        let notes = read(text, &HashSet::new()).unwrap();
        let (mut position, mut last) = (Position::startpos(), None);
        let mut found = None;
        for mv in moves.split_whitespace() {
            let mv = parse_san(&position, mv).unwrap();
            found = notes.get(&(PolyglotKey::after(&position, last).0, PolyglotMove::from(mv).0)).copied();
            position = position.play(mv).unwrap();
            last = Some(mv);
        }
        found.unwrap_or_else(|| panic!("{moves} is not in the file"))
    }

    #[test]
    fn weights_and_glyphs_belong_to_their_moves() {
        let text = "[Event \"x\"]\n\n1. e4! {weight: 40, solid} e5 (1... c5!? 2. Nf3 {weight: 7}) ; weight: 90\n\
                    2. Nf3 $3 (2. Qh5? Nc6) 2... Nc6 *\n\n1. d4 d5?? 2.c4!! *";
        assert_eq!(note(text, "e4"), Note { weight: Some(40), glyph: Some(Glyph::Good), evaluations: (0, 0) });
        assert_eq!(note(text, "e4 e5").weight, Some(90));
        assert_eq!(note(text, "e4 c5").glyph, Some(Glyph::Interesting));
        assert_eq!(note(text, "e4 c5 Nf3").weight, Some(7));
        assert_eq!(note(text, "e4 e5 Nf3").glyph, Some(Glyph::Brilliant));
        assert_eq!(note(text, "e4 e5 Qh5").glyph, Some(Glyph::Mistake));
        assert_eq!(note(text, "e4 e5 Qh5 Nc6"), Note::default());
        assert_eq!(note(text, "e4 e5 Nf3 Nc6"), Note::default());
        assert_eq!(note(text, "d4 d5").glyph, Some(Glyph::Mistake));
        assert_eq!(note(text, "d4 d5 c4").glyph, Some(Glyph::Brilliant));
    }

    #[test]
    fn an_evaluation_counts_for_its_line() {
        let text = "1. e4 e5 (1... c5 2. Nf3 +=) (1... d5 -/+) 2. Nf3 $14 Nc6 $10 *";
        assert_eq!(note(text, "e4").evaluations, (-1, 3));
        assert_eq!(note(text, "e4 c5").evaluations, (-1, 1));
        assert_eq!(note(text, "e4 d5").evaluations, (2, 1));
        // Only the last one of a line counts.
        assert_eq!(note(text, "e4 e5 Nf3").evaluations, (0, 1));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, expected) in [
            ("1. e4\ne4", "line 2: 'e4' is not a legal move"),
            ("1. e4 {weight: 101}", "line 1: weight '101' is not a whole number from 0 to 100"),
            ("{weight: 7} 1. e4", "line 1: 'weight:' has no move before it"),
            ("(1. e4)", "line 1: '(' has no move before it"),
            ("1. e4 (1. d4 (d5))", "line 1: 'd5' is not a legal move"),
            ("1. e4 ( ( c4 ) )", "line 1: '(' has no move before it"),
            ("1. e4 )", "line 1: unexpected ')'"),
            ("1. e4 (1. d4 *", "line 1: unterminated variation"),
            ("1. e4\n\n{x\ny", "line 3: unterminated comment"),
            ("[FEN \"x\"]\n1. e4", "line 1: invalid FEN 'x'"),
            ("1. e4!x", "line 1: 'e4!x' is not a legal move"),
        ] {
            assert_eq!(read(text, &HashSet::new()).unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn many_brackets_are_an_error_and_take_linear_time() {
        assert!(read(&"(".repeat(100_000), &HashSet::new()).is_err());
        assert!(read(&format!("1. e4 {}", "(1. d4 ".repeat(20_000)), &HashSet::new()).is_err());
    }
}
