//! Handmade lines: games whose comments, glyphs and variations set the weights of moves.

use crate::{PolyglotKey, PolyglotMove};
use bartizan_notation::pgn::{
    Comment, GameResult, Interest, MoveText, Nag, PgnError, PgnErrorKind, PgnParser, PgnProblemKind, TagValue, Visitor,
};
use bartizan_position::{Position, PositionError, Setup};
use bartizan_types::{Excerpt, Key, Move};
use std::collections::{HashMap, HashSet};
use std::io;

/// What handmade lines say about a move.
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
    /// `?!`: the move is merely playable.
    Dubious,
    /// `?` or `??`
    Mistake,
}

/// The error of reading a file of handmade lines.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct AnnotationError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: AnnotationErrorKind,
}

/// What is wrong in a file of handmade lines.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationErrorKind {
    /// It is not valid PGN, or a move is not legal.
    #[error(transparent)]
    Pgn(PgnErrorKind),
    /// A weight is not a number from 0 to 100.
    #[error("weight '{0}' is not a whole number from 0 to 100")]
    Weight(String),
    /// A weight, a glyph or a variation has no move before it.
    #[error("'{0}' has no move before it")]
    NoMove(String),
    /// A null move has no place in a book.
    #[error("a null move cannot be played")]
    NullMove,
}

impl From<AnnotationErrorKind> for PgnErrorKind {
    /// Carries an error through the parser, which adds its place.
    fn from(kind: AnnotationErrorKind) -> Self {
        Self::Io(io::Error::other(kind))
    }
}

impl From<PgnError> for AnnotationError {
    fn from(PgnError { line, kind, .. }: PgnError) -> Self {
        let kind = match kind {
            PgnErrorKind::Io(error) => match error.downcast::<AnnotationErrorKind>() {
                Ok(kind) => kind,
                Err(error) => AnnotationErrorKind::Pgn(error.into()),
            },
            kind => AnnotationErrorKind::Pgn(kind),
        };
        Self { line, kind }
    }
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
    avoided: &'a HashSet<Key>,
    notes: Notes,
    /// Receives notes on moves that do not count.
    ignored: Note,
    current: Line,
    stack: Vec<Line>,
    /// An error that is reported at the next token or at the end of the game.
    waiting: Option<AnnotationErrorKind>,
    /// The open variations that have no move before them.
    open_faults: usize,
    /// The first error of the file.
    fault: Option<AnnotationError>,
}

/// Reads a file of handmade lines. A move that leads to one of the avoided positions is never played, and the rest of
/// its line does not count.
pub(super) fn read(text: &str, avoided: &HashSet<Key>) -> Result<Notes, AnnotationError> {
    let mut reader = Reader {
        avoided,
        notes: Notes::new(),
        ignored: Note::default(),
        current: Line::new(Position::startpos()),
        stack: Vec::new(),
        waiting: None,
        open_faults: 0,
        fault: None,
    };
    let mut parser = PgnParser::new(text.as_bytes());
    while reader.fault.is_none()
        && let Some(waiting) = parser.read_game(&mut reader)?
    {
        if let Some(kind) = waiting {
            reader.fault.get_or_insert(AnnotationError { line: parser.line(), kind });
        }
    }
    reader.fault.map_or(Ok(reader.notes), Err)
}

impl Visitor for Reader<'_> {
    /// An error that no token of the game has reported.
    type Output = Option<AnnotationErrorKind>;

    fn begin_game(&mut self) {
        self.current = Line::new(Position::startpos());
        self.stack.clear();
        self.waiting = None;
        self.open_faults = 0;
    }

    fn tag(&mut self, name: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        if name == "FEN" {
            let setup = Setup::from_fen(&value.decode()).map_err(PositionError::from)?;
            let start = Position::try_from(&setup).map_err(PositionError::from)?;
            self.current = Line { last: setup.double_step(), ..Line::new(start) };
        }
        Ok(())
    }

    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        if self.fault.is_some() {
            return Ok(());
        }
        self.waiting.take().map_or(Ok(()), Err)?;
        if text.is_null() {
            return Err(AnnotationErrorKind::NullMove.into());
        }
        let line = &mut self.current;
        let mv = text.find(&line.position)?;
        let key = PolyglotKey::after(&line.position, line.last).0;
        let place = (key, PolyglotMove::from(mv).0, line.position.turn().is_white());
        let next = line.position.play_unchecked(mv);
        line.before = Some((std::mem::replace(&mut line.position, next), line.last.replace(mv)));
        line.path.push(place);
        line.evaluation = None;
        if line.avoided.is_none() {
            let note = self.notes.entry((place.0, place.1)).or_default();
            if self.avoided.contains(&line.position.key()) {
                line.avoided = Some(line.path.len());
                note.weight = Some(0);
            }
        }
        Ok(())
    }

    fn nag(&mut self, nag: Nag) {
        if self.fault.is_some() {
            return;
        }
        let glyph = match nag.0 {
            1 => Glyph::Good,
            2 | 4 => Glyph::Mistake,
            3 => Glyph::Brilliant,
            5 => Glyph::Interesting,
            6 => Glyph::Dubious,
            10..=21 => {
                self.current.evaluation = Some(match nag.0 {
                    14 => 1,
                    15 => -1,
                    16 => 2,
                    17 => -2,
                    18 | 20 => 3,
                    19 | 21 => -3,
                    _ => 0,
                });
                return;
            }
            _ => return,
        };
        match self.note(&nag.to_string()) {
            Ok(note) => note.glyph = Some(glyph),
            Err(error) => self.waiting = Some(error),
        }
    }

    fn comment(&mut self, comment: Comment<'_>) -> Result<(), PgnErrorKind> {
        if self.fault.is_some() {
            return Ok(());
        }
        self.waiting.take().map_or(Ok(()), Err)?;
        let text = comment.decode();
        let Some((_, rest)) = text.split_once("weight:") else { return Ok(()) };
        let number = rest.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.', ';']);
        let weight = number.parse().ok().filter(|&weight| weight <= 100);
        let weight = weight.ok_or_else(|| AnnotationErrorKind::Weight(excerpt(number)))?;
        self.note("weight:")?.weight = Some(weight);
        Ok(())
    }

    fn begin_variation(&mut self) -> Interest {
        if self.fault.is_some() {
            return Interest::Skip;
        }
        let Some((position, last)) = self.current.before.clone().filter(|_| self.waiting.is_none()) else {
            self.waiting.get_or_insert(AnnotationErrorKind::NoMove("(".to_owned()));
            self.open_faults += 1;
            return Interest::Read;
        };
        let mut path = self.current.path.clone();
        path.pop();
        let avoided = self.current.avoided.filter(|&at| at <= path.len());
        let variation = Line { position, last, before: None, path, evaluation: None, avoided };
        self.stack.push(std::mem::replace(&mut self.current, variation));
        Interest::Read
    }

    fn end_variation(&mut self) {
        if let Some(fewer) = self.open_faults.checked_sub(1) {
            self.open_faults = fewer;
            return;
        }
        self.end_line();
        if let Some(outer) = self.stack.pop() {
            self.current = outer;
        }
    }

    fn result(&mut self, _: GameResult) -> Result<(), PgnErrorKind> {
        if self.fault.is_some() {
            return Ok(());
        }
        Ok(self.waiting.take().map_or(Ok(()), Err)?)
    }

    fn fault(&mut self, error: PgnError) {
        // A line needs no result.
        if !matches!(error.kind, PgnErrorKind::Problem(PgnProblemKind::NoResult(_))) {
            self.fault.get_or_insert(error.into());
        }
    }

    fn end_game(&mut self) -> Self::Output {
        self.end_line();
        self.waiting.take()
    }
}

impl Reader<'_> {
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
}

fn excerpt(text: &str) -> String {
    Excerpt::new(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::san::parse_san;

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
            ("1. e4\ne4", "line 2: no legal move matches 'e4'"),
            ("1. e4 {weight: 101}", "line 1: weight '101' is not a whole number from 0 to 100"),
            ("{weight: 7} 1. e4", "line 1: 'weight:' has no move before it"),
            ("$1\n1. e4", "line 2: '$1' has no move before it"),
            ("1. e4 (! d4)", "line 1: '$1' has no move before it"),
            ("(1. e4)", "line 1: '(' has no move before it"),
            ("1. e4 (1. d4 (d5))", "line 1: no legal move matches 'd5'"),
            ("1. e4 *\n\n$1 *", "line 3: '$1' has no move before it"),
            ("1. e4 *\n\n$1 *\n\n1. d4 *", "line 3: '$1' has no move before it"),
            ("$1", "line 1: '$1' has no move before it"),
            ("\n( ) *", "line 2: '(' has no move before it"),
            ("1. e4 ( ( c4 ) )", "line 1: '(' has no move before it"),
            ("1. e4 --", "line 1: a null move cannot be played"),
            ("1. e4 )", "line 1: unexpected ')'"),
            ("1. e4 (1. d4 *", "line 1: unterminated variation"),
            ("1. e4\n\n{x\ny", "line 3: unterminated comment"),
            ("1. e4 *\n[FEN \"x\"]\n1. e4", "line 2: invalid FEN: unexpected 'x' in the board at column 1"),
            ("1. e4!x", "line 1: invalid move 'x'"),
            ("[Event x]\n1. e4", "line 1: invalid tag: expected a name and a quoted value, such as [Event \"?\"]"),
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
