//! The message `info`.

use super::moves::{take_moves, write_moves};
use crate::Score;
use crate::number::{Limits, Number};
use crate::tokens::{Tokens, write_text};
use bartizan_types::{Bound, UciMove};
use std::fmt;
use std::str::FromStr;

/// The arguments of `info`. Every part is optional.
///
/// The parser accepts the output of all engines: it skips unknown words and invalid numbers, truncates fractions,
/// ignores negative counts and reduces numbers that are too large. No `info` line is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Info {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The selective depth in plies: the length of the longest line searched.
    pub seldepth: Option<u32>,
    /// The rank of this line among the best lines, counted from 1.
    pub multipv: Option<u32>,
    /// The score of the line for the side to move.
    pub score: Option<ScoreInfo>,
    /// The chances of a win, a draw and a loss for the side to move, in permille.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the hash table is, in permille.
    pub hashfull: Option<u16>,
    /// The number of positions found in endgame tablebases.
    pub tbhits: Option<u64>,
    /// The processor load in permille.
    pub cpuload: Option<u16>,
    /// The time spent, in milliseconds.
    pub time: Option<u64>,
    /// The root move that is being searched.
    pub currmove: Option<UciMove>,
    /// The number of that move in the list of root moves, counted from 1.
    pub currmovenumber: Option<u32>,
    /// A move and the line that refutes it; empty when there is none.
    pub refutation: Vec<UciMove>,
    /// The line that is being searched.
    pub currline: Option<CurrLine>,
    /// The principal variation, up to the first word that is not a move; empty if there is none.
    pub pv: Vec<UciMove>,
    /// Free text: the rest of the line.
    pub string: Option<String>,
}

/// The line that a processor is searching.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurrLine {
    /// The processor, counted from 1; `None` if there is only one.
    pub cpu: Option<u32>,
    /// The moves.
    pub moves: Vec<UciMove>,
}

/// A score as the protocol writes it, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScoreInfo {
    /// The score.
    pub score: Score,
    /// How it relates to the true score. `lowerbound` is [`Bound::Lower`], `upperbound` is [`Bound::Upper`].
    pub bound: Bound,
}

impl ScoreInfo {
    /// An exact score in centipawns.
    pub const fn cp(centipawns: i32) -> Self {
        Self { score: Score::Cp(centipawns), bound: Bound::Exact }
    }

    /// An exact mate in `moves` moves.
    pub const fn mate(moves: i32) -> Self {
        Self { score: Score::Mate(moves), bound: Bound::Exact }
    }

    /// The same score, as a bound.
    #[must_use]
    pub const fn with_bound(self, bound: Bound) -> Self {
        Self { score: self.score, bound }
    }
}

/// `cp N` or `mate N`, followed by `lowerbound` or `upperbound` if it is a bound.
impl fmt::Display for ScoreInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.score)?;
        match self.bound {
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
            Bound::Exact => Ok(()),
        }
    }
}

impl Info {
    /// Parses what follows the word `info`.
    pub(super) fn parse(words: &mut Tokens<'_>) -> Self {
        let mut info = Self::default();
        let (mut score, mut bound) = (None, Bound::Exact);
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = take_count(words),
                "seldepth" => info.seldepth = take_count(words),
                "multipv" => info.multipv = take_count(words),
                // The word `score` is skipped: some engines write the bound before the number.
                "cp" => score = take_number(words).map(|number| Score::Cp(number.saturate())),
                "mate" => score = take_number(words).map(|number| Score::Mate(number.saturate())),
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                "wdl" => info.wdl = take_wdl(words),
                "nodes" => info.nodes = take_count(words),
                "nps" => info.nps = take_count(words),
                "hashfull" => info.hashfull = take_count(words),
                "tbhits" => info.tbhits = take_count(words),
                "cpuload" => info.cpuload = take_count(words),
                "time" => info.time = take_count(words),
                "currmove" => info.currmove = take_word(words),
                "currmovenumber" => info.currmovenumber = take_count(words),
                "refutation" => info.refutation = take_moves(words),
                "currline" => info.currline = Some(CurrLine { cpu: take_count(words), moves: take_moves(words) }),
                "pv" => info.pv = take_moves(words),
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info.score = score.map(|score| ScoreInfo { score, bound });
        info
    }

    /// Writes each part with a blank before it.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_part(f, "depth", self.depth)?;
        write_part(f, "seldepth", self.seldepth)?;
        write_part(f, "multipv", self.multipv)?;
        write_part(f, "score", self.score)?;
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write_part(f, "nodes", self.nodes)?;
        write_part(f, "nps", self.nps)?;
        write_part(f, "hashfull", self.hashfull)?;
        write_part(f, "tbhits", self.tbhits)?;
        write_part(f, "cpuload", self.cpuload)?;
        write_part(f, "time", self.time)?;
        write_part(f, "currmove", self.currmove)?;
        write_part(f, "currmovenumber", self.currmovenumber)?;
        write_line(f, "refutation", &self.refutation)?;
        if let Some(CurrLine { cpu, moves }) = &self.currline {
            f.write_str(" currline")?;
            cpu.map_or(Ok(()), |cpu| write!(f, " {cpu}"))?;
            write_moves(f, moves)?;
        }
        write_line(f, "pv", &self.pv)?;
        match &self.string {
            Some(text) => {
                f.write_str(" string")?;
                write_text(f, text)
            }
            None => Ok(()),
        }
    }
}

/// Writes a keyword and its value with a space before each; nothing without a value.
pub(super) fn write_part(f: &mut fmt::Formatter<'_>, keyword: &str, part: Option<impl fmt::Display>) -> fmt::Result {
    part.map_or(Ok(()), |part| write!(f, " {keyword} {part}"))
}

fn write_line(f: &mut fmt::Formatter<'_>, keyword: &str, moves: &[UciMove]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {keyword}")?;
    write_moves(f, moves)
}

/// Takes the next word if it can be read; if not it stays, for it may be a keyword.
fn take_word<T: FromStr>(words: &mut Tokens<'_>) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

fn take_number(words: &mut Tokens<'_>) -> Option<Number> {
    take_word(words)
}

/// A number that makes no sense below 0: a speed of −1, say, is an engine's way to say nothing.
fn take_count<T: Limits>(words: &mut Tokens<'_>) -> Option<T> {
    take_number(words).filter(|number| !number.is_negative()).map(Number::saturate)
}

fn take_wdl(words: &mut Tokens<'_>) -> Option<[u16; 3]> {
    Some([take_count(words)?, take_count(words)?, take_count(words)?])
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::*;

    fn parse(line: &str) -> Info {
        match Message::parse(line).unwrap().unwrap() {
            Message::Info(info) => info,
            other => panic!("{other:?}"),
        }
    }

    fn moves(text: &str) -> Vec<UciMove> {
        text.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn both_ways() {
        let lines = [
            "info",
            "info depth 20 seldepth 31 multipv 1 score cp -13 upperbound wdl 100 800 100 nodes 1 nps 2 hashfull 3 \
             tbhits 4 cpuload 5 time 6 currmove e2e4 currmovenumber 7 refutation d1h5 g6h5 currline 2 d2d4 d7d5 \
             pv e7e8q e1g1 string the rest  pv e2e4",
            "info score mate -3",
            "info score mate 5 lowerbound",
            "info depth 3 currmove e2e4 currmovenumber 1",
            "info currline e2e4",
            "info currline",
            "info string",
            "info string depth 3 score cp 5",
        ];
        for line in lines {
            assert_eq!(Message::Info(parse(line)).to_string(), line);
        }
    }

    #[test]
    fn values() {
        let info = parse("info depth 9 score cp 31 lowerbound nodes 5214 time 12 pv e2e4 e7e5 string hi  there \r\n");
        let expected = Info {
            depth: Some(9),
            score: Some(ScoreInfo::cp(31).with_bound(Bound::Lower)),
            nodes: Some(5214),
            time: Some(12),
            pv: moves("e2e4 e7e5"),
            string: Some("hi  there".to_owned()),
            ..Info::default()
        };
        assert_eq!(info, expected);
    }

    #[test]
    fn any_order() {
        let score = Some(ScoreInfo::cp(7).with_bound(Bound::Upper));
        let info = parse("info pv e2e4 score upperbound cp 7 multipv 2 wdl 1 2 3 depth 4");
        assert_eq!((info.score, info.wdl, info.multipv, info.depth), (score, Some([1, 2, 3]), Some(2), Some(4)));
        assert_eq!(info.pv, moves("e2e4"));
    }

    #[test]
    fn sloppy_numbers() {
        let info = parse("info depth 5.0 nps -1 nodes 99999999999999999999 hashfull 70000 time 12.9 score cp 1.7");
        let seen = (info.depth, info.nps, info.nodes, info.hashfull, info.time, info.score);
        assert_eq!(seen, (Some(5), None, Some(u64::MAX), Some(u16::MAX), Some(12), Some(ScoreInfo::cp(1))));
        let info = parse("info nps inf tbhits nan score mate +4 cpuload");
        assert_eq!((info.nps, info.tbhits, info.cpuload, info.score), (None, None, None, Some(ScoreInfo::mate(4))));
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_keyword() {
        let info = parse("info depth nodes 7 score cp nps 8 wdl 1 2 time 9 currmove multipv 2");
        assert_eq!((info.depth, info.nodes, info.score, info.nps), (None, Some(7), None, Some(8)));
        assert_eq!((info.wdl, info.time, info.currmove, info.multipv), (None, Some(9), None, Some(2)));
    }

    #[test]
    fn unknown_words_are_skipped() {
        let info = parse("info fancy depth 3 tempo 88 selective 9 pv e2e4 0000 e7e5 nodes 5");
        assert_eq!(info, Info { depth: Some(3), nodes: Some(5), pv: moves("e2e4"), ..Info::default() });
    }

    #[test]
    fn a_line_end_inside_a_text_stays_inside() {
        assert_eq!(Message::info_string("a\nbestmove e2e4\u{85}").to_string(), "info string a bestmove e2e4 ");
    }
}
