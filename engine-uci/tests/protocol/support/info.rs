//! A strict reader of `info` lines: unknown words and non-integer numbers are errors.

use std::str::{FromStr, SplitWhitespace};

/// A score from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// Centipawns.
    Cp(i64),
    /// Moves to mate; negative when the mover is mated.
    Mate(i64),
}

impl Score {
    /// A number that increases with the score.
    pub(crate) fn worth(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(moves) if moves > 0 => MATE - moves,
            Self::Mate(moves) => -MATE - moves,
        }
    }
}

/// An `info` line that is not `info string`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    pub(crate) depth: Option<u64>,
    pub(crate) multipv: Option<u64>,
    pub(crate) score: Option<Score>,
    /// The score is a bound, not exact.
    pub(crate) is_bound: bool,
    /// The score is an upper bound.
    pub(crate) is_upper: bool,
    pub(crate) nodes: Option<u64>,
    pub(crate) nps: Option<u64>,
    pub(crate) time: Option<u64>,
    pub(crate) hashfull: Option<u64>,
    pub(crate) tbhits: Option<u64>,
    pub(crate) wdl: Option<[u64; 3]>,
    pub(crate) pv: Vec<String>,
}

impl Info {
    /// The number of the line, 1 by default.
    pub(crate) fn line(&self) -> u64 {
        self.multipv.unwrap_or(1)
    }

    /// A line of play with an exact score.
    pub(crate) fn is_exact_pv(&self) -> bool {
        self.score.is_some() && !self.is_bound && !self.pv.is_empty()
    }

    /// A line that may be the last one: its score is exact, or a lower bound if the search was stopped before it knew
    /// the value of a new best move.
    pub(crate) fn may_be_last(&self) -> bool {
        self.score.is_some() && !self.is_upper && !self.pv.is_empty()
    }
}

impl FromStr for Info {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        if words.next() != Some("info") {
            return Err("not an info line".to_owned());
        }
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = Some(number(&mut words, word)?),
                "multipv" => info.multipv = Some(number(&mut words, word)?),
                "nodes" => info.nodes = Some(number(&mut words, word)?),
                "nps" => info.nps = Some(number(&mut words, word)?),
                "time" => info.time = Some(number(&mut words, word)?),
                "hashfull" => info.hashfull = Some(number(&mut words, word)?),
                "tbhits" => info.tbhits = Some(number(&mut words, word)?),
                "seldepth" | "cpuload" | "currmovenumber" => {
                    number::<u64>(&mut words, word)?;
                }
                "currmove" => {
                    words.next().ok_or("no move behind currmove")?;
                }
                "score" => {
                    info.score = Some(match words.next() {
                        Some("cp") => Score::Cp(number(&mut words, "cp")?),
                        Some("mate") => Score::Mate(number(&mut words, "mate")?),
                        other => return Err(format!("score of kind {other:?}")),
                    });
                }
                "lowerbound" => info.is_bound = true,
                "upperbound" => (info.is_bound, info.is_upper) = (true, true),
                "wdl" => {
                    let mut next = || number(&mut words, word);
                    info.wdl = Some([next()?, next()?, next()?]);
                }
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => return Err(format!("unknown word `{word}`")),
            }
        }
        Ok(info)
    }
}

/// The next word as an integer.
fn number<N: FromStr>(words: &mut SplitWhitespace<'_>, name: &str) -> Result<N, String> {
    let word = words.next().ok_or_else(|| format!("no number behind {name}"))?;
    word.parse().map_err(|_| format!("`{word}` after {name} is not a whole number"))
}
