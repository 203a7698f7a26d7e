//! Ending games early: when the engines agree on how they will end, or the tablebases know.

use anyhow::{Context, ensure};
use bartizan_position::Position;
use bartizan_tablebase::{TablebaseError, Tablebases, Wdl};
use bartizan_types::Color;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A game is lost for a side whose score was this bad for so many of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Moves in a row.
    pub moves: u32,
    /// At least this many centipawns behind.
    pub score: i32,
    /// Whether the other side must think the same.
    #[serde(default)]
    pub both: bool,
}

/// A game is drawn when both sides have thought so for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// From this move number on.
    pub from_move: u32,
    /// Moves in a row, of each side.
    pub moves: u32,
    /// At most this many centipawns for either side.
    pub score: i32,
}

/// A game is over when the tablebases know how it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseRule {
    /// The folders of Syzygy tables, written as in UCI's `SyzygyPath`.
    pub path: String,
    /// Only positions of at most so many men; those of the tables if missing.
    #[serde(default)]
    pub pieces: Option<usize>,
    /// A win that the 50-move rule would spoil is a win.
    #[serde(default)]
    pub ignore_50: bool,
}

impl TablebaseRule {
    /// Opens the tables.
    ///
    /// # Errors
    /// Names the folder that cannot be read or has no tables, the file that is not whole, the number out of range.
    pub fn open(&self) -> anyhow::Result<TablebaseJudge> {
        let pieces = self.pieces.unwrap_or(bartizan_tablebase::MAX_MEN);
        let range = 3..=bartizan_tablebase::MAX_MEN;
        ensure!(range.contains(&pieces), "tablebase pieces {pieces} is out of range (3 to {})", range.end());
        let tables = Tablebases::open(&self.path)?;
        // A match takes long, and a folder that is named but empty is mostly a mistake.
        if let Some(empty) = tables.empty_folders().first() {
            anyhow::bail!("no tablebase files in {}", empty.display());
        }
        Ok(TablebaseJudge { tables, pieces, ignore_50: self.ignore_50 })
    }
}

/// Looks positions up.
#[derive(Debug)]
pub struct TablebaseJudge {
    tables: Tablebases,
    pieces: usize,
    ignore_50: bool,
}

impl TablebaseJudge {
    /// How the game will end, if the tables know for certain.
    ///
    /// Tables know who wins with the count of the 50-move rule at zero. A win is a win at once where the count is zero;
    /// where it is not, the tables of distances must say that the next capture or pawn move comes in time. A draw is a
    /// draw at any count.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn verdict(&self, position: &Position) -> Result<Option<Verdict>, TablebaseError> {
        if position.occupied().count() as usize > self.pieces {
            return Ok(None);
        }
        let Some(wdl) = self.tables.probe_wdl(position)? else { return Ok(None) };
        let worth = if self.ignore_50 { wdl.without_50_moves() } else { wdl.with_50_moves() };
        let winner = match worth {
            Wdl::Win => position.turn(),
            Wdl::Loss => !position.turn(),
            _ => return Ok(Some(Verdict::Draw)),
        };
        let clock = u32::from(position.halfmove_clock());
        // Distances may be a ply too short: 99, not 100.
        let in_time = || Ok(self.tables.probe_dtz(position)?.is_some_and(|distance| distance.plies() + clock <= 99));
        Ok((self.ignore_50 || clock == 0 || in_time()?).then_some(Verdict::Win(winner)))
    }
}

fn numbers(text: &str) -> anyhow::Result<Vec<i32>> {
    text.split(',').map(|word| word.trim().parse().with_context(|| format!("'{word}' is no whole number"))).collect()
}

/// `MOVES,SCORE` or `MOVES,SCORE,both`.
impl FromStr for ResignRule {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (text, both) = text.strip_suffix(",both").map_or((text, false), |text| (text, true));
        match numbers(text)?[..] {
            [moves, score] if moves > 0 && score > 0 => Ok(Self { moves: moves as u32, score, both }),
            _ => anyhow::bail!("write MOVES,SCORE or MOVES,SCORE,both, as in 4,700"),
        }
    }
}

/// `FROM,MOVES,SCORE`.
impl FromStr for DrawRule {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers = numbers(text)?;
        ensure!(
            matches!(numbers[..], [from, moves, score] if from >= 0 && moves > 0 && score >= 0),
            "write FROM,MOVES,SCORE, as in 40,8,10"
        );
        Ok(Self { from_move: numbers[0] as u32, moves: numbers[1] as u32, score: numbers[2] })
    }
}

/// How a game was ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This side has won.
    Win(Color),
    /// Nobody has.
    Draw,
    /// The game was too long, and counts as drawn.
    TooLong,
}

/// Follows the scores of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    resign: Option<ResignRule>,
    draw: Option<DrawRule>,
    max_moves: Option<u32>,
    /// For each side, for how many of its moves it has been losing.
    losing: [u32; 2],
    /// For each side, for how many of its moves it has been winning.
    winning: [u32; 2],
    /// Plies in a row whose score was near a draw.
    drawish: u32,
}

impl Adjudicator {
    /// At the start of a game.
    pub fn new(resign: Option<ResignRule>, draw: Option<DrawRule>, max_moves: Option<u32>) -> Self {
        Self { resign, draw, max_moves, losing: [0; 2], winning: [0; 2], drawish: 0 }
    }

    /// A move was played: by whom, at which move number, with what score in centipawns for the mover (if it said one),
    /// and whether it was a capture or pawn move, which starts the count for a draw anew.
    pub fn after_move(
        &mut self,
        mover: Color,
        move_number: u32,
        score: Option<i32>,
        irreversible: bool,
    ) -> Option<Verdict> {
        let side = mover.index();
        if let Some(rule) = self.resign {
            let count = |old: u32, holds: bool| if holds { old + 1 } else { 0 };
            self.losing[side] = count(self.losing[side], score.is_some_and(|score| score <= -rule.score));
            self.winning[side] = count(self.winning[side], score.is_some_and(|score| score >= rule.score));
            if self.losing[side] >= rule.moves && (!rule.both || self.winning[1 - side] >= rule.moves) {
                return Some(Verdict::Win(!mover));
            }
            if rule.both && self.winning[side] >= rule.moves && self.losing[1 - side] >= rule.moves {
                return Some(Verdict::Win(mover));
            }
        }
        if let Some(rule) = self.draw {
            let near = score.is_some_and(|score| score.abs() <= rule.score) && !irreversible;
            self.drawish = if near { self.drawish + 1 } else { 0 };
            if move_number >= rule.from_move && self.drawish >= 2 * rule.moves {
                return Some(Verdict::Draw);
            }
        }
        // A move is over when black has made it.
        (mover == Color::Black && self.max_moves.is_some_and(|max| move_number >= max)).then_some(Verdict::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn resignation_needs_so_many_moves_in_a_row() {
        let mut one = Adjudicator::new(Some("2,500".parse().unwrap()), None, None);
        assert_eq!(one.after_move(White, 1, Some(-600), false), None);
        assert_eq!(one.after_move(Black, 1, Some(0), false), None);
        assert_eq!(one.after_move(White, 2, None, false), None);
        assert_eq!(one.after_move(White, 3, Some(-600), false), None);
        assert_eq!(one.after_move(White, 4, Some(-500), false), Some(Verdict::Win(Black)));
        let mut both = Adjudicator::new(Some("1,500,both".parse().unwrap()), None, None);
        assert_eq!(both.after_move(White, 1, Some(-600), false), None);
        assert_eq!(both.after_move(Black, 1, Some(550), false), Some(Verdict::Win(Black)));
    }

    #[test]
    fn draws_need_both_sides_and_quiet() {
        let mut game = Adjudicator::new(None, Some("2,1,10".parse().unwrap()), Some(5));
        assert_eq!(game.after_move(White, 1, Some(0), false), None);
        assert_eq!(game.after_move(Black, 1, Some(0), false), None);
        assert_eq!(game.after_move(White, 2, Some(5), true), None);
        assert_eq!(game.after_move(Black, 2, Some(5), false), None);
        assert_eq!(game.after_move(White, 3, Some(-5), false), Some(Verdict::Draw));
        assert_eq!(game.after_move(White, 5, Some(90), false), None);
        assert_eq!(game.after_move(Black, 5, Some(90), false), Some(Verdict::TooLong));
        assert!("1,2".parse::<DrawRule>().is_err() && "x,2,3".parse::<DrawRule>().is_err());
        assert!("0,2".parse::<ResignRule>().is_err() && "1".parse::<ResignRule>().is_err());
    }

    fn tables(pieces: Option<usize>, ignore_50: bool) -> TablebaseJudge {
        let path = bartizan_testkit::testdata("syzygy").display().to_string();
        TablebaseRule { path, pieces, ignore_50 }.open().unwrap()
    }

    #[test]
    fn tables_know_how_it_ends() {
        let verdict = |judge: &TablebaseJudge, fen: &str| judge.verdict(&Position::from_fen(fen).unwrap()).unwrap();
        let judge = tables(None, false);
        for (fen, expected) in [
            ("8/8/8/4k3/8/8/8/KR6 w - - 0 80", Some(Verdict::Win(White))),
            ("8/8/8/4K3/8/8/8/kr6 w - - 0 80", Some(Verdict::Win(Black))),
            // The mate comes within the 50 moves, or it may not.
            ("8/8/8/4k3/8/8/8/KR6 w - - 40 80", Some(Verdict::Win(White))),
            ("8/8/8/4k3/8/8/8/KR6 w - - 85 90", None),
            ("8/8/8/4K3/8/8/8/kr6 w - - 85 90", None),
            ("k7/8/1K6/8/8/8/8/7R w - - 98 120", Some(Verdict::Win(White))),
            ("8/8/8/4k3/8/8/8/KN6 w - - 30 80", Some(Verdict::Draw)),
            ("8/8/8/4k3/8/8/6r1/KR6 w - - 3 80", Some(Verdict::Draw)),
            // In no table, castling rights, too many men.
            ("8/8/8/4k3/8/8/8/KQR5 w - - 0 80", None),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 80", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(verdict(&judge, fen), expected, "{fen}");
        }
        assert_eq!(verdict(&tables(Some(3), false), "8/8/8/4k3/8/8/6r1/KR6 w - - 3 80"), None);
        let late = "8/8/8/4k3/8/8/8/KR6 w - - 85 90";
        assert_eq!(verdict(&tables(None, true), late), Some(Verdict::Win(White)));
    }

    #[test]
    fn wrong_tables_are_named() {
        let empty = tempfile::tempdir().unwrap();
        let good = bartizan_testkit::testdata("syzygy");
        let error = |path: String, pieces| {
            format!("{:#}", TablebaseRule { path, pieces, ignore_50: false }.open().unwrap_err())
        };
        let both = std::env::join_paths([good.as_path(), empty.path()]).unwrap().into_string().unwrap();
        assert!(error(both, None).contains(empty.path().to_str().unwrap()));
        assert!(error("no-such-folder".to_owned(), None).contains("no-such-folder"));
        assert!(error(good.display().to_string(), Some(8)).contains("pieces 8"));
    }
}
