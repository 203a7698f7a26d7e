//! Commands in comments: clocks, evaluations, marks and arrows.
//!
//! The commands are those of the proposal "PGN: Enhancements" (Andrew Templeton, 2001; `%clk`, `%emt`) and of the
//! programs of ChessBase and Lichess (`%eval`, `%csl`, `%cal`). Match programs write scores without a command.

use super::MatchComment;
use bartizan_types::{Color, Square};
use std::fmt;
use std::time::Duration;

/// The colour of a mark or an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
    /// `O`
    Orange,
    /// `C`
    Cyan,
}

impl MarkColor {
    const ALL: [(Self, char); 6] = [
        (Self::Green, 'G'),
        (Self::Red, 'R'),
        (Self::Yellow, 'Y'),
        (Self::Blue, 'B'),
        (Self::Orange, 'O'),
        (Self::Cyan, 'C'),
    ];

    /// The letter in PGN.
    pub fn to_char(self) -> char {
        Self::ALL.iter().find(|(color, _)| *color == self).map_or('G', |&(_, letter)| letter)
    }

    /// The colour with this letter in PGN.
    pub fn from_char(letter: char) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == letter).map(|&(color, _)| color)
    }
}

/// An evaluation in a comment, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves; negative if Black mates.
    Mate(i32),
}

/// As in a comment: `-0.25`, `#-3`.
impl fmt::Display for PgnScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => {
                let (sign, score) = (if *score < 0 { "-" } else { "" }, score.unsigned_abs());
                write!(f, "{sign}{}.{:02}", score / 100, score % 100)
            }
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl PgnScore {
    /// The score from the other side's view.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Centipawns(score) => Self::Centipawns(-score),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

/// The parsed commands of a comment, and the rest of its text.
///
/// ```
/// use bartizan_notation::pgn::{Annotations, PgnScore};
/// use std::time::Duration;
///
/// let comment = Annotations::parse("a novelty [%eval -0.25,18] [%clk 1:05:00] [%cal Ge2e4]");
/// assert_eq!(comment.eval, Some((PgnScore::Centipawns(-25), Some(18))));
/// assert_eq!(comment.clock, Some(Duration::from_secs(3900)));
/// assert_eq!(comment.text, "a novelty");
/// assert_eq!(comment.to_string(), "[%clk 1:05:00] [%eval -0.25,18] [%cal Ge2e4] a novelty");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `[%clk …]`: the time on the player's clock after the move, to the millisecond.
    pub clock: Option<Duration>,
    /// `[%emt …]`: the time that the move took, to the millisecond.
    pub elapsed: Option<Duration>,
    /// `[%eval …]`: the evaluation and the depth of the search.
    pub eval: Option<(PgnScore, Option<u32>)>,
    /// `[%csl …]`: marked squares.
    pub squares: Vec<(MarkColor, Square)>,
    /// `[%cal …]`: arrows, from square to square.
    pub arrows: Vec<(MarkColor, Square, Square)>,
    /// The rest of the comment, including unknown and invalid commands. Words are separated by single spaces.
    pub text: String,
}

impl Annotations {
    /// Parses the commands of a comment. It cannot fail: what is not understood stays in the text.
    pub fn parse(comment: &str) -> Self {
        let mut read = Self::default();
        let mut text = String::new();
        let mut rest = comment;
        while let Some(start) = rest.find("[%") {
            let (before, command) = rest.split_at(start);
            let Some(end) = command.find(']') else { break };
            text.push_str(before);
            let inner = command.get(2..end).unwrap_or_default();
            if read.command(inner).is_none() {
                text.push_str(&command[..=end]);
            } else {
                text.push(' ');
            }
            rest = &command[end + 1..];
        }
        text.push_str(rest);
        super::lexer::append_words(&mut read.text, &text);
        read
    }

    /// Like [`Annotations::parse`], for the comment of a move. Without `[%eval …]` and `[%emt …]`, also reads the
    /// format of [match programs](MatchComment), which stays in the text.
    pub fn of_move(comment: &str, mover: Color) -> Self {
        let mut read = Self::parse(comment);
        if let Some(MatchComment { score, depth, elapsed }) = MatchComment::parse(&read.text, mover) {
            read.eval = read.eval.or(Some((score, Some(depth))));
            read.elapsed = read.elapsed.or(elapsed);
        }
        read
    }

    /// Parses a command; `None` if it is unknown or invalid.
    fn command(&mut self, command: &str) -> Option<()> {
        let (name, value) = command.split_once(char::is_whitespace)?;
        let value = value.trim();
        match name {
            "clk" if self.clock.is_none() => self.clock = Some(duration(value)?),
            "emt" if self.elapsed.is_none() => self.elapsed = Some(duration(value)?),
            "eval" if self.eval.is_none() => self.eval = Some(eval(value)?),
            "csl" => {
                let squares = value.split(',').map(|mark| {
                    let (color, square) = mark_color(mark.trim())?;
                    Some((color, square.parse().ok()?))
                });
                self.squares.extend(squares.collect::<Option<Vec<_>>>()?);
            }
            "cal" => {
                let arrows = value.split(',').map(|mark| {
                    let (color, squares) = mark_color(mark.trim())?;
                    Some((color, squares.get(..2)?.parse().ok()?, squares.get(2..)?.parse().ok()?))
                });
                self.arrows.extend(arrows.collect::<Option<Vec<_>>>()?);
            }
            _ => return None,
        }
        Some(())
    }
}

fn mark_color(mark: &str) -> Option<(MarkColor, &str)> {
    let mut chars = mark.chars();
    Some((MarkColor::from_char(chars.next()?)?, chars.as_str()))
}

/// Parses hours, minutes and seconds: `1:02:03`, `1:02:03.5`, `1:02:03,5`; also without hours.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let mut seconds = 0_u64;
    let mut parts = 0;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(digits(part)?)?;
        parts += 1;
    }
    if parts > 3 || seconds > u64::from(u32::MAX) {
        return None;
    }
    let milliseconds = format!("{fraction:0<3}").get(..3).and_then(digits)?;
    digits(fraction)?;
    Some(Duration::from_millis(seconds * 1_000 + milliseconds))
}

/// The centipawns at which ChessBase writes a mate of no plies.
const CHESSBASE_MATE: i32 = 32_767;

/// The greatest number of plies of such a mate.
const CHESSBASE_MATE_PLIES: i32 = 500;

/// Parses `0.25`, `-1.5,12` with the depth, `#3`, `#-3`, and `19,17` as ChessBase writes it: centipawns and depth.
/// There, a mate in `n` plies is 32,767 − `n`.
fn eval(text: &str) -> Option<(PgnScore, Option<u32>)> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(u32::try_from(digits(depth.trim())?).ok()?)),
        None => (text, None),
    };
    if let Some(mate) = score.strip_prefix('#') {
        let (sign, moves) = sign(mate);
        return Some((PgnScore::Mate(sign * i32::try_from(digits(moves)?).ok()?), depth));
    }
    let (sign, score) = sign(score);
    if depth.is_some() && !score.contains('.') {
        let score = i32::try_from(digits(score)?).ok()?;
        let plies = CHESSBASE_MATE - score;
        let score = if (0..=CHESSBASE_MATE_PLIES).contains(&plies) {
            // As elsewhere, 0 would not be a mate.
            PgnScore::Mate(sign * ((plies + 1) / 2).max(1))
        } else {
            PgnScore::Centipawns(sign * score)
        };
        return Some((score, depth));
    }
    Some((PgnScore::Centipawns(sign * hundredths(score)?), depth))
}

/// Parses a number without sign, such as `0.25`, `.5` or `3`, in hundredths.
pub(super) fn hundredths(text: &str) -> Option<i32> {
    if text.is_empty() {
        return None;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    digits(fraction)?;
    let hundredths = format!("{fraction:0<2}").get(..2).and_then(digits)?;
    let whole = digits(if whole.is_empty() { "0" } else { whole })?;
    i32::try_from(whole.checked_mul(100)?.checked_add(hundredths)?).ok()
}

pub(super) fn sign(text: &str) -> (i32, &str) {
    match text.strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses a number that consists of digits only.
pub(super) fn digits(text: &str) -> Option<u64> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// The comment: the commands, then the text.
impl fmt::Display for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        let mut begin = |f: &mut fmt::Formatter<'_>| f.write_str(std::mem::replace(&mut between, " "));
        for (name, time) in [("clk", self.clock), ("emt", self.elapsed)] {
            if let Some(time) = time {
                begin(f)?;
                let seconds = time.as_secs();
                write!(f, "[%{name} {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
                if time.subsec_millis() > 0 {
                    let fraction = format!("{:03}", time.subsec_millis());
                    write!(f, ".{}", fraction.trim_end_matches('0'))?;
                }
                f.write_str("]")?;
            }
        }
        if let Some((score, depth)) = self.eval {
            begin(f)?;
            write!(f, "[%eval {score}")?;
            match depth {
                Some(depth) => write!(f, ",{depth}]")?,
                None => f.write_str("]")?,
            }
        }
        for (i, (color, square)) in self.squares.iter().enumerate() {
            if i == 0 {
                begin(f)?;
            }
            write!(f, "{}{}{square}", if i == 0 { "[%csl " } else { "," }, color.to_char())?;
        }
        f.write_str(if self.squares.is_empty() { "" } else { "]" })?;
        for (i, (color, from, to)) in self.arrows.iter().enumerate() {
            if i == 0 {
                begin(f)?;
            }
            write!(f, "{}{}{from}{to}", if i == 0 { "[%cal " } else { "," }, color.to_char())?;
        }
        f.write_str(if self.arrows.is_empty() { "" } else { "]" })?;
        if !self.text.is_empty() {
            begin(f)?;
            f.write_str(&self.text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_before_what_engine_matches_have() {
        let read = |comment| {
            let Annotations { eval, elapsed, text, .. } = Annotations::of_move(comment, Color::Black);
            assert!(comment.ends_with(&text));
            let (score, depth) = eval.unwrap_or_else(|| panic!("{comment}"));
            (score.to_string(), depth, elapsed.map(|time| time.as_millis()))
        };
        assert_eq!(read("+0.35/12 1.2s"), ("-0.35".to_owned(), Some(12), Some(1_200)));
        assert_eq!(read("[%emt 0:00:03] +1.5/9 2s"), ("-1.50".to_owned(), Some(9), Some(3_000)));
        assert_eq!(read("[%eval 0.2] +1.5/9 2s"), ("0.20".to_owned(), None, Some(2_000)));
    }

    #[test]
    fn evaluations_of_chessbase_are_read() {
        let read = |text: &str| Annotations::parse(text).eval.map(|(score, depth)| (score.to_string(), depth));
        for (text, score) in [
            ("[%eval 19,17]", "0.19"),
            ("[%eval -24,17]", "-0.24"),
            ("[%eval -32753,17]", "#-7"),
            ("[%eval 32766,17]", "#1"),
            ("[%eval -32767,17]", "#-1"),
            ("[%eval 32000,17]", "320.00"),
            ("[%eval 32768,17]", "327.68"),
        ] {
            assert_eq!(read(text), Some((score.to_owned(), Some(17))), "{text}");
        }
    }

    #[test]
    fn commands_are_read_and_written() {
        for (comment, written) in [
            ("[%clk 0:01:00]", "[%clk 0:01:00]"),
            ("[%clk 1:30]", "[%clk 0:01:30]"),
            ("[%clk 0:00:09,5]", "[%clk 0:00:09.5]"),
            ("[%emt 0:00:05.250] x  y", "[%emt 0:00:05.25] x y"),
            ("[%eval #-3]", "[%eval #-3]"),
            ("[%eval +.5,20]", "[%eval 0.50,20]"),
            ("[%eval -0.07]", "[%eval -0.07]"),
            ("a[%csl Gd4, Rd5][%cal Ge2e4]b", "[%csl Gd4,Rd5] [%cal Ge2e4] a b"),
            ("[%csl Gd4] [%csl Ye5]", "[%csl Gd4,Ye5]"),
            // Not understood: kept.
            ("[%clk x] [%foo 1] [%csl Gd9] [%eval ] [%", "[%clk x] [%foo 1] [%csl Gd9] [%eval ] [%"),
            ("[%clk 99999999999:00:00]", "[%clk 99999999999:00:00]"),
            ("[%cal Gé2e4] [%eval 0.é]", "[%cal Gé2e4] [%eval 0.é]"),
            ("", ""),
        ] {
            let read = Annotations::parse(comment);
            assert_eq!(read.to_string(), written);
            assert_eq!(Annotations::parse(written), read);
        }
    }
}
