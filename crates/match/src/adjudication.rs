//! Ends games early when the engines' scores agree on the result or the tablebases know it.

use bartizan_position::Position;
use bartizan_tablebase::{MAX_MEN, TablebaseError, Tablebases, Wdl};
use bartizan_types::{Color, Escaped};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Adjudicates a win when a side's score has been bad for a number of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Consecutive moves of the losing side.
    pub moves: u32,
    /// Minimum number of centipawns by which this side must be behind.
    pub score: i32,
    /// Whether the other side must have been ahead by as much, for as many moves.
    #[serde(default)]
    pub both: bool,
}

/// Adjudicates a draw when both sides' scores have been near 0 for a number of moves. Captures and pawn moves restart
/// the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// First move of the game at which it may be drawn, counted from the game's start like `max_moves`.
    pub from_move: u32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Largest distance of the scores from 0, in centipawns.
    pub score: i32,
}

/// Adjudicates positions that the tablebases cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseRule {
    /// Folders of Syzygy tables, written as in UCI's `SyzygyPath`.
    pub path: String,
    /// Maximum number of men, kings and pawns included, to look up; by default that of the tables.
    #[serde(default)]
    pub pieces: Option<usize>,
    /// Whether a win that the 50-move rule would spoil counts as a win.
    #[serde(default)]
    pub ignore_50: bool,
}

/// Why the tablebases of a [`TablebaseRule`] are unusable.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseRuleError {
    /// The number of men is out of range.
    #[error("tablebase pieces {0} is out of range (3 to {MAX_MEN})")]
    Pieces(usize),
    /// A folder has no tables.
    #[error("no tablebase files in '{}'", Escaped(.0.display()))]
    EmptyFolder(PathBuf),
    /// The tables cannot be opened.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
}

impl TablebaseRule {
    /// Opens the tables.
    ///
    /// # Errors
    /// When a folder cannot be read or has no tables, when a file is damaged, or when `pieces` is out of range.
    pub fn open(&self) -> Result<TablebaseJudge, TablebaseRuleError> {
        let pieces = self.pieces.unwrap_or(MAX_MEN);
        if !(3..=MAX_MEN).contains(&pieces) {
            return Err(TablebaseRuleError::Pieces(pieces));
        }
        let tables = Tablebases::open(&self.path)?;
        // A match takes long, and an empty folder in the path is probably a mistake.
        if let Some(empty) = tables.empty_folders().first() {
            return Err(TablebaseRuleError::EmptyFolder(empty.clone()));
        }
        Ok(TablebaseJudge { tables, pieces, ignore_50: self.ignore_50 })
    }
}

/// Adjudicates by open tablebases; see [`TablebaseRule::open`].
#[derive(Debug)]
pub struct TablebaseJudge {
    tables: Tablebases,
    pieces: usize,
    ignore_50: bool,
}

impl TablebaseJudge {
    /// The certain result of a game that reached this position.
    ///
    /// The tables assume that the 50-move counter is 0. At a higher count a win is certain only if the distance tables
    /// show that the next capture or pawn move comes in time. A draw is certain at any count.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn verdict(&self, position: &Position) -> Result<Option<Adjudication>, TablebaseError> {
        if position.occupied().count() as usize > self.pieces {
            return Ok(None);
        }
        let Some(wdl) = self.tables.probe_wdl(position)? else { return Ok(None) };
        let worth = if self.ignore_50 { wdl.without_50_moves() } else { wdl.with_50_moves() };
        let winner = match worth {
            Wdl::Win => position.turn(),
            Wdl::Loss => !position.turn(),
            _ => return Ok(Some(Adjudication::Draw)),
        };
        let clock = u32::from(position.halfmove_clock());
        // Distances may be one ply too short, hence 99 instead of 100.
        let in_time = || Ok(self.tables.probe_dtz(position)?.is_some_and(|distance| distance.plies() + clock <= 99));
        Ok((self.ignore_50 || clock == 0 || in_time()?).then_some(Adjudication::Win(winner)))
    }
}

/// A text is not an adjudication rule. The message does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ParseRuleError {
    expected: &'static str,
}

fn numbers(text: &str) -> Option<Vec<i32>> {
    text.split(',').map(|word| word.trim().parse().ok()).collect()
}

/// Reads `MOVES,SCORE` or `MOVES,SCORE,both`.
impl FromStr for ResignRule {
    type Err = ParseRuleError;
    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let (text, both) = text.strip_suffix(",both").map_or((text, false), |text| (text, true));
        match numbers(text).as_deref() {
            Some(&[moves, score]) if moves > 0 && score > 0 => Ok(Self { moves: moves as u32, score, both }),
            _ => Err(ParseRuleError { expected: "MOVES,SCORE or MOVES,SCORE,both, such as 4,700" }),
        }
    }
}

/// The form that [`FromStr`] reads.
impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, score, both } = self;
        write!(f, "{moves},{score}{}", if *both { ",both" } else { "" })
    }
}

/// Reads `FROM,MOVES,SCORE`.
impl FromStr for DrawRule {
    type Err = ParseRuleError;
    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        match numbers(text).as_deref() {
            Some(&[from, moves, score]) if from >= 0 && moves > 0 && score >= 0 => {
                Ok(Self { from_move: from as u32, moves: moves as u32, score })
            }
            _ => Err(ParseRuleError { expected: "FROM,MOVES,SCORE, such as 40,8,10" }),
        }
    }
}

/// The form that [`FromStr`] reads.
impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from_move, moves, score } = self;
        write!(f, "{from_move},{moves},{score}")
    }
}

/// The result of an adjudicated game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// This side wins.
    Win(Color),
    /// The game is drawn.
    Draw,
    /// The game is drawn because it is too long.
    TooLong,
}

/// Tracks the scores of one game and applies the rules to them.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    resign: Option<ResignRule>,
    draw: Option<DrawRule>,
    max_moves: Option<u32>,
    /// Consecutive losing scores of each side.
    losing: [u32; 2],
    /// Consecutive winning scores of each side.
    winning: [u32; 2],
    /// Consecutive plies with a score near 0 and without capture or pawn move.
    drawish: u32,
}

impl Adjudicator {
    /// An adjudicator at the start of a game. `max_moves` is in full moves, including the opening's. The move number of
    /// a FEN is ignored.
    pub fn new(resign: Option<ResignRule>, draw: Option<DrawRule>, max_moves: Option<u32>) -> Self {
        Self { resign, draw, max_moves, losing: [0; 2], winning: [0; 2], drawish: 0 }
    }

    /// Adds a move, and returns the result if the game is now over.
    ///
    /// `plies` is the length of the game including this move and the opening. `score` is in centipawns for the mover,
    /// `None` if the engine gave none. `irreversible` means a capture or a pawn move, which resets the draw counter.
    pub fn after_move(
        &mut self,
        mover: Color,
        plies: usize,
        score: Option<i32>,
        irreversible: bool,
    ) -> Option<Adjudication> {
        let side = mover.index();
        // An engine may report any score; with 64 bits, negation cannot overflow.
        let score = score.map(i64::from);
        if let Some(rule) = self.resign {
            let limit = i64::from(rule.score);
            let count = |old: u32, holds: bool| if holds { old.saturating_add(1) } else { 0 };
            self.losing[side] = count(self.losing[side], score.is_some_and(|score| score <= -limit));
            self.winning[side] = count(self.winning[side], score.is_some_and(|score| score >= limit));
            if self.losing[side] >= rule.moves && (!rule.both || self.winning[1 - side] >= rule.moves) {
                return Some(Adjudication::Win(!mover));
            }
            if rule.both && self.winning[side] >= rule.moves && self.losing[1 - side] >= rule.moves {
                return Some(Adjudication::Win(mover));
            }
        }
        if let Some(rule) = self.draw {
            let near = score.is_some_and(|score| score.abs() <= i64::from(rule.score)) && !irreversible;
            self.drawish = if near { self.drawish.saturating_add(1) } else { 0 };
            if plies.div_ceil(2) >= rule.from_move as usize && self.drawish >= rule.moves.saturating_mul(2) {
                return Some(Adjudication::Draw);
            }
        }
        self.max_moves.is_some_and(|max| plies / 2 >= max as usize).then_some(Adjudication::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn resignation_needs_moves_in_a_row() {
        let mut one = Adjudicator::new(Some("2,500".parse().unwrap()), None, None);
        assert_eq!(one.after_move(White, 1, Some(-600), false), None);
        assert_eq!(one.after_move(Black, 2, Some(0), false), None);
        assert_eq!(one.after_move(White, 3, None, false), None);
        assert_eq!(one.after_move(White, 5, Some(-600), false), None);
        assert_eq!(one.after_move(White, 7, Some(-500), false), Some(Adjudication::Win(Black)));
        let mut both = Adjudicator::new(Some("1,500,both".parse().unwrap()), None, None);
        assert_eq!(both.after_move(White, 1, Some(-600), false), None);
        assert_eq!(both.after_move(Black, 2, Some(550), false), Some(Adjudication::Win(Black)));
    }

    #[test]
    fn draws_need_quiet_moves_of_both_sides() {
        let mut game = Adjudicator::new(None, Some("2,1,10".parse().unwrap()), Some(5));
        assert_eq!(game.after_move(White, 1, Some(0), false), None);
        assert_eq!(game.after_move(Black, 2, Some(0), false), None);
        assert_eq!(game.after_move(White, 3, Some(5), true), None);
        assert_eq!(game.after_move(Black, 4, Some(5), false), None);
        assert_eq!(game.after_move(White, 5, Some(-5), false), Some(Adjudication::Draw));
        assert_eq!(game.after_move(White, 9, Some(90), false), None);
        assert_eq!(game.after_move(Black, 10, Some(90), false), Some(Adjudication::TooLong));
        assert!("1,2".parse::<DrawRule>().is_err() && "x,2,3".parse::<DrawRule>().is_err());
        assert!("0,2".parse::<ResignRule>().is_err() && "1".parse::<ResignRule>().is_err());
    }

    #[test]
    fn rules_are_shown_as_they_are_read() {
        for text in ["3,600", "4,700,both"] {
            assert_eq!(text.parse::<ResignRule>().unwrap().to_string(), text);
        }
        assert_eq!("40,8,10".parse::<DrawRule>().unwrap().to_string(), "40,8,10");
    }

    fn tables(pieces: Option<usize>, ignore_50: bool) -> TablebaseJudge {
        let path = bartizan_testkit::testdata("syzygy").display().to_string();
        TablebaseRule { path, pieces, ignore_50 }.open().unwrap()
    }

    #[test]
    fn tables_decide_games() {
        let verdict = |judge: &TablebaseJudge, fen: &str| judge.verdict(&Position::from_fen(fen).unwrap()).unwrap();
        let judge = tables(None, false);
        for (fen, expected) in [
            ("8/8/8/4k3/8/8/8/KR6 w - - 0 80", Some(Adjudication::Win(White))),
            ("8/8/8/4K3/8/8/8/kr6 w - - 0 80", Some(Adjudication::Win(Black))),
            // A mate within the 50 moves, and one that may come too late.
            ("8/8/8/4k3/8/8/8/KR6 w - - 40 80", Some(Adjudication::Win(White))),
            ("8/8/8/4k3/8/8/8/KR6 w - - 85 90", None),
            ("8/8/8/4K3/8/8/8/kr6 w - - 85 90", None),
            ("k7/8/1K6/8/8/8/8/7R w - - 98 120", Some(Adjudication::Win(White))),
            ("8/8/8/4k3/8/8/8/KN6 w - - 30 80", Some(Adjudication::Draw)),
            ("8/8/8/4k3/8/8/6r1/KR6 w - - 3 80", Some(Adjudication::Draw)),
            // Positions outside the tables, with castling rights, and with too many men.
            ("8/8/8/4k3/8/8/8/KQR5 w - - 0 80", None),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 80", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(verdict(&judge, fen), expected, "{fen}");
        }
        assert_eq!(verdict(&tables(Some(3), false), "8/8/8/4k3/8/8/6r1/KR6 w - - 3 80"), None);
        let late = "8/8/8/4k3/8/8/8/KR6 w - - 85 90";
        assert_eq!(verdict(&tables(None, true), late), Some(Adjudication::Win(White)));
    }

    #[test]
    fn unusable_tables_are_named() {
        let empty = tempfile::tempdir().unwrap();
        let good = bartizan_testkit::testdata("syzygy");
        let error =
            |path: String, pieces| TablebaseRule { path, pieces, ignore_50: false }.open().unwrap_err().to_string();
        let both = std::env::join_paths([good.as_path(), empty.path()]).unwrap().into_string().unwrap();
        assert!(error(both, None).contains(empty.path().to_str().unwrap()));
        assert!(error("no-such-folder".to_owned(), None).contains("no-such-folder"));
        assert!(error(good.display().to_string(), Some(8)).contains("pieces 8"));
    }
}
