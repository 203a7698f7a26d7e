//! The comments in which match programs record an engine's search for a move.

use super::PgnScore;
use super::annotations::{digits, duration, hundredths, sign};
use bartizan_types::Color;
use std::time::Duration;

/// The search data that a match program has written about a move.
///
/// The following formats are read:
///
/// | comment | program |
/// |---|---|
/// | `+0.35/12 1.2s` | Cutechess, Fastchess, xboard, this project: score for the mover, depth, time |
/// | `-M5/20/31 0.5s` | Banksia, with the deepest ply; mate in five moves against the mover |
/// | `+0.57 17/28 583 363004` | OpenBench: score for the mover, depth and deepest ply, milliseconds, nodes |
/// | `d=16, sd=51, mt=161000, …, wv=1.08` | TCEC: depth, milliseconds, score for White |
///
/// Commands such as `[%clk 0:01:00]` may precede it. A score for the mover has a sign, unless it is zero, and a decimal
/// point or a mate, to distinguish it from an annotator's text.
///
/// ```
/// use bartizan_notation::pgn::{MatchComment, PgnScore};
/// use bartizan_types::Color;
///
/// let read = MatchComment::parse("-0.35/12 1.2s", Color::Black).unwrap();
/// assert_eq!((read.score, read.depth), (PgnScore::Centipawns(35), 12));
/// assert_eq!(MatchComment::parse("1/2-1/2 agreed", Color::Black), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchComment {
    /// The score, from White's point of view.
    pub score: PgnScore,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The time of the search.
    pub elapsed: Option<Duration>,
}

impl MatchComment {
    /// Parses the comment of a move; `None` if it is not in the format of a match program.
    pub fn parse(comment: &str, mover: Color) -> Option<Self> {
        let text = without_commands(comment);
        // Most comments are written by people.
        if !text.starts_with(['+', '-', '0', '.', 'M', '#', 'd']) {
            return None;
        }
        if text.starts_with("d=") {
            return of_fields(text);
        }
        let mut words = text.split_whitespace();
        let first = words.next()?;
        let (score, depths, is_slashed) = match first.split_once('/') {
            Some((score, depths)) => (score, depths, true),
            None => (first, words.next().filter(|word| word.contains('/'))?, false),
        };
        let score = of_mover(score)?;
        // Some programs write the deepest ply after the depth.
        let mut depths = depths.split('/').map(digits);
        let depth = u32::try_from(depths.next()??).ok()?;
        if depths.any(|depth| depth.is_none()) {
            return None;
        }
        let time = words.next().map(|word| word.trim_end_matches(','));
        let elapsed = match time {
            Some(time) if is_slashed => time.strip_suffix('s').and_then(duration),
            Some(time) => digits(time).map(Duration::from_millis),
            None => None,
        };
        Some(Self { score: if mover.is_white() { score } else { score.negated() }, depth, elapsed })
    }
}

/// The text after any commands.
fn without_commands(comment: &str) -> &str {
    let mut text = comment.trim_start();
    while text.starts_with("[%")
        && let Some((_, rest)) = text.split_once(']')
    {
        text = rest.trim_start();
    }
    text
}

/// Reads the score for the mover: `+0.35`, `0.00`, `-M5`, `#-5`.
fn of_mover(text: &str) -> Option<PgnScore> {
    let (minus, amount) = sign(text);
    if let Some(mate) = amount.strip_prefix(['M', '#']) {
        let (minus_inside, moves) = sign(mate);
        return Some(PgnScore::Mate(minus * minus_inside * i32::try_from(digits(moves)?).ok()?));
    }
    let score = hundredths(amount).filter(|_| amount.contains('.'))?;
    let has_sign = amount.len() < text.len();
    (has_sign || score == 0).then_some(PgnScore::Centipawns(minus * score))
}

/// Reads the comment of TCEC.
fn of_fields(text: &str) -> Option<MatchComment> {
    let field = |name: &str| {
        let value = |field: &'_ str| field.trim().strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
        text.split(',').find_map(value)
    };
    let score = field("wv")?;
    let (minus, amount) = sign(score.trim());
    let score = match amount.strip_prefix(['M', '#']) {
        Some(moves) => PgnScore::Mate(minus * i32::try_from(digits(moves)?).ok()?),
        None => PgnScore::Centipawns(minus * hundredths(amount)?),
    };
    Some(MatchComment {
        score,
        depth: u32::try_from(digits(field("d")?.trim())?).ok()?,
        elapsed: field("mt").and_then(|time| digits(time.trim())).map(Duration::from_millis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_programs_are_read() {
        for (comment, white, black, depth, millis) in [
            ("+0.35/12 1.2s", "0.35", "-0.35", 12, Some(1_200)),
            (" +0.35/12 1.2s ", "0.35", "-0.35", 12, Some(1_200)),
            ("-M5/20/31 0.005s, n=7", "#-5", "#5", 20, Some(5)),
            ("#-2/3", "#-2", "#2", 3, None),
            ("0.00/1 book", "0.00", "0.00", 1, None),
            ("[%emt 0:00:03] [%clk 0:01:00] +1.5/9 2s", "1.50", "-1.50", 9, Some(2_000)),
            ("[%eval 0.2] +1.5/9 2s", "1.50", "-1.50", 9, Some(2_000)),
            ("+0.57 17/28 583 363004", "0.57", "-0.57", 17, Some(583)),
            ("-M12 30/30 5 100", "#-12", "#12", 30, Some(5)),
            ("d=16, sd=51, mt=161000, tl=1, pv=Nf3 d5, tb=0, wv=1.08, R50=49,", "1.08", "1.08", 16, Some(161_000)),
            ("d=1, wv=-M7", "#-7", "#-7", 1, None),
        ] {
            for (mover, score) in [(Color::White, white), (Color::Black, black)] {
                let read = MatchComment::parse(comment, mover).unwrap_or_else(|| panic!("{comment}"));
                assert_eq!((&*read.score.to_string(), read.depth), (score, depth), "{comment}");
                assert_eq!(read.elapsed.map(|time| time.as_millis()), millis, "{comment}");
            }
        }
    }

    #[test]
    fn other_comments_are_not() {
        for comment in [
            "",
            "1/2-1/2",
            "2024/05/01",
            "+0.3",
            "+/12 +-/3 -./x",
            "1.5/2 points",
            "0.5/2",
            "+1/2 pawn",
            "d=16",
            "d=x, wv=1.0",
            "d4 was better",
            "[%eval 0.2",
            "+0.3/12/x",
            "+0.3 a/b",
            "+99999999999.0/1",
            "-0.3/99999999999",
        ] {
            assert_eq!(MatchComment::parse(comment, Color::White), None, "{comment}");
        }
    }
}
