//! Thinking output: `PLY SCORE TIME NODES [SELDEPTH SPEED … TBHITS]<TAB>PV`.

use crate::Score;
use crate::number::Number;
use crate::tokens::{OneLine, Tokens, is_blank};
use bartizan_types::Bound;
use std::fmt;

/// A line of thinking output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Thinking {
    /// The depth in plies.
    pub ply: u32,
    /// Centipawns for the side to move; ±(100000 + N) is mate in N moves. See [`Thinking::exact_score`].
    pub score: i32,
    /// The time spent in centiseconds.
    pub time: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The selective depth in plies: the length of the longest line searched.
    pub seldepth: Option<u32>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// The number of positions found in endgame tablebases.
    pub tbhits: Option<u64>,
    /// The bound. A `!` after the line is a lower bound, a `?` an upper bound.
    pub bound: Bound,
    /// The principal variation in any notation.
    pub pv: String,
}

/// A mate in N moves is this plus N.
const MATE: i32 = 100_000;
/// The longest mate in moves. Greater numbers are an engine's own encoding of infinity.
const LONGEST: i32 = 1000;

impl Thinking {
    /// The score as centipawns or a mate. The mate scores of older engines, such as 32000, remain centipawns, since
    /// each engine encodes them differently.
    ///
    /// ```
    /// use bartizan_protocol::{Score, xboard::Thinking};
    /// let mut thinking = Thinking::default();
    /// thinking.score = -100_003;
    /// assert_eq!(thinking.exact_score(), Score::Mate(-3));
    /// thinking.score = 32_755;
    /// assert_eq!(thinking.exact_score(), Score::Cp(32_755));
    /// ```
    pub fn exact_score(&self) -> Score {
        match self.score.unsigned_abs().checked_sub(MATE.unsigned_abs()).and_then(|moves| i32::try_from(moves).ok()) {
            Some(moves) if moves <= LONGEST => Score::Mate(moves * self.score.signum()),
            _ => Score::Cp(self.score),
        }
    }

    /// The number that encodes a score. `Mate(0)`, mated already, is −100000.
    ///
    /// ```
    /// use bartizan_protocol::{Score, xboard::Thinking};
    /// assert_eq!(Thinking::encode_score(Score::Mate(5)), 100_005);
    /// ```
    pub fn encode_score(score: Score) -> i32 {
        match score {
            Score::Cp(centipawns) => centipawns,
            Score::Mate(moves) if moves > 0 => moves.saturating_add(MATE),
            Score::Mate(moves) => moves.saturating_sub(MATE),
        }
    }

    /// Parses a line that begins with four whole numbers; `None` for any other.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut words = Tokens::new(line);
        // Engines append marks to the depth, such as `5.`, `7&` and `9+`.
        let ply = words.next()?.trim_end_matches(['.', ':', '&', '+', '-', '!', '?', '=', '*']);
        let ply: Number = ply.parse().ok()?;
        let mut number = || words.next()?.parse::<Number>().ok();
        let (score, time, nodes) = (number()?, number()?, number()?);
        let (extra, pv) = split_extra(words.rest());
        let (pv, bound) = match pv.strip_suffix('!') {
            Some(pv) => (pv, Bound::Lower),
            None => match pv.strip_suffix('?') {
                Some(pv) => (pv, Bound::Upper),
                None => (pv, Bound::Exact),
            },
        };
        // "The last one is tbhits; of the others the first is the selective depth, and the second the speed."
        let (tbhits, others) = extra.split_last().map_or((None, [].as_slice()), |(last, others)| (Some(last), others));
        Some(Self {
            ply: ply.saturate(),
            score: score.saturate(),
            time: time.saturate(),
            nodes: nodes.saturate(),
            seldepth: others.first().map(|number| number.saturate()),
            speed: others.get(1).map(|number| number.saturate()),
            tbhits: tbhits.map(|number| number.saturate()),
            bound,
            pv: pv.trim_end_matches(is_blank).to_owned(),
        })
    }
}

/// The numbers before the last tab that only numbers precede, and the text after it. `Tokens` has already removed the
/// spaces before `rest`. If the tab was among them, there are no such numbers.
fn split_extra(rest: &str) -> (Vec<Number>, &str) {
    let mut words = Tokens::new(rest);
    let mut numbers = Vec::new();
    // The last tab so far: how many numbers precede it, and the text after it.
    let mut tab = None;
    loop {
        let before = words.rest();
        let Some(number) = words.next().map(str::parse::<Number>) else { break };
        let Ok(number) = number else {
            let (count, pv) = tab.unwrap_or((0, rest));
            numbers.truncate(count);
            return (numbers, pv);
        };
        numbers.push(number);
        let blanks = before.len() - words.rest().len();
        if before.get(..blanks).is_some_and(|word_and_blanks| word_and_blanks.contains('\t')) {
            tab = Some((numbers.len(), words.rest()));
        }
    }
    // A tab at the end of the line was removed too. Numbers alone are not a line of moves.
    let (count, pv) = tab.unwrap_or((numbers.len(), ""));
    numbers.truncate(count);
    (numbers, pv)
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.ply, self.score, self.time, self.nodes)?;
        if self.seldepth.is_some() || self.speed.is_some() || self.tbhits.is_some() {
            // Their places tell the numbers apart, so that none can be left out.
            let (seldepth, speed) = (self.seldepth.unwrap_or(self.ply), self.speed.unwrap_or(0));
            write!(f, " {seldepth} {speed} {}", self.tbhits.unwrap_or(0))?;
        }
        write!(f, "\t{}", OneLine(&self.pv))?;
        match self.bound {
            Bound::Lower => f.write_str("!"),
            Bound::Upper => f.write_str("?"),
            Bound::Exact => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Thinking {
        Thinking::parse(line).unwrap()
    }

    #[test]
    fn both_ways() {
        for line in [
            "9 156 1084 48000\tNf3 Nc6 Nc3",
            "9 -100003 0 1 14 2000 3\te2e4 e7e5",
            "1 0 0 0\te2e4!",
            "1 0 0 0 2 3 4\t",
            "1 0 0 0\t?",
        ] {
            assert_eq!(parse(line).to_string(), line);
        }
    }

    #[test]
    fn what_engines_write() {
        let line = parse("  2.  +14   0   38  d1d2 e8e7 ");
        assert_eq!((line.ply, line.score, line.nodes, line.pv.as_str()), (2, 14, 38, "d1d2 e8e7"));
        assert_eq!((line.seldepth, line.tbhits), (None, None));
        let line = parse("8 5 10 20 11 0\t 1. e4 e5\t2. Nf3?");
        assert_eq!((line.seldepth, line.speed, line.tbhits), (Some(11), None, Some(0)));
        assert_eq!((line.bound, line.pv.as_str()), (Bound::Upper, "1. e4 e5\t2. Nf3"));
        let line = parse("8\t5\t10\t20\t12 e4");
        assert_eq!((line.pv.as_str(), line.tbhits), ("12 e4", None));
        assert_eq!(parse("3 1 -1 99999999999999999999 ").nodes, u64::MAX);
        for line in ["", "1-0 {x}", "3 e4", "1 2 3", "stat01: 1 2 3 4", "1. e2e4 e7e5", "- 1 2 3 4"] {
            assert_eq!(Thinking::parse(line), None, "{line}");
        }
    }

    /// As [`split_extra`], in quadratic time.
    fn split_at_every_tab(rest: &str) -> (Vec<Number>, &str) {
        let numbers = |text| Tokens::new(text).map(str::parse).collect::<Result<Vec<Number>, _>>();
        for (tab, _) in rest.rmatch_indices('\t') {
            if let Ok(numbers) = numbers(&rest[..tab]) {
                return (numbers, rest[tab..].trim_matches(is_blank));
            }
        }
        numbers(rest).map_or((Vec::new(), rest), |numbers| (numbers, ""))
    }

    proptest! {
        #[test]
        fn only_numbers_stand_before_the_last_tab_that_counts(text in "([0-9 \t]|x|-1|e4|\\.){0,12}") {
            let mut words = Tokens::new(&text);
            words.next();
            prop_assert_eq!(split_extra(words.rest()), split_at_every_tab(words.rest()));
        }
    }

    #[test]
    fn mates() {
        for score in [-100_000, 100_001, -100_012, 31_999, -99_999, 1_000_000, i32::MIN] {
            let line = Thinking { score, ..Thinking::default() };
            assert_eq!(Thinking::encode_score(line.exact_score()), score);
        }
    }
}
