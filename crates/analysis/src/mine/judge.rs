//! Decides whether one move of a position is better than all others, by engines or tablebases.

use crate::SearchLine;
use bartizan_client::Score;
use bartizan_position::Position;
use bartizan_tablebase::{TablebaseError, Tablebases, WinRanking};
use bartizan_types::Move;
use serde::{Deserialize, Serialize};

/// What only the best move keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptResult {
    /// Only this move wins.
    Win,
    /// Only this move holds the draw.
    Draw,
}

impl KeptResult {
    /// `win` or `draw`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
        }
    }
}

/// Centipawns from which a position counts as won. Displayed scores are normalised: 100 wins half of the games.
const WON: i32 = 150;
/// Centipawns up to which a position counts as not won.
const NOT_WON: i32 = 50;
/// Centipawns from which a position counts as held.
const HELD: i32 = -30;
/// Centipawns up to which a position counts as lost.
const LOST: i32 = -150;

/// Centipawns beyond which a score is a mate.
const BEYOND: i32 = Score::MATE / 2;

/// A score in centipawns. Mates count more than any other score.
pub(super) fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(centipawns) => centipawns.clamp(-BEYOND, BEYOND),
        mate => mate.centipawns(),
    }
}

/// A score in readable form.
pub(super) fn text(centipawns: i32) -> String {
    if centipawns.abs() > BEYOND {
        let moves = Score::MATE - centipawns.abs();
        format!("{}M{moves}", if centipawns < 0 { '-' } else { '+' })
    } else {
        crate::pawns(centipawns)
    }
}

/// The two best lines as an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TwoBest {
    pub(super) mv: Move,
    /// Centipawns of the best move.
    pub(super) best: i32,
    /// Centipawns of the second move.
    pub(super) second: i32,
}

impl TwoBest {
    /// `None` unless there are two lines with different moves. A search that stops while the best move changes reports
    /// the same move twice.
    pub(super) fn of(lines: &[SearchLine]) -> Option<Self> {
        let [first, second, ..] = lines else { return None };
        let (best, next) = (centipawns(first.score), centipawns(second.score));
        (first.best() != second.best() && best >= next).then_some(Self { mv: first.best(), best, second: next })
    }

    /// How much better the best move is.
    pub(super) fn margin(self) -> i32 {
        self.best - self.second
    }

    /// What only the best move keeps; `None` if the second move keeps it too, or if the best leads by less than
    /// `margin`. Scores may miss each threshold by `slack`.
    pub(super) fn task(self, margin: i32, slack: i32) -> Option<KeptResult> {
        if self.margin() < margin {
            return None;
        }
        if self.best >= WON - slack && self.second <= NOT_WON + slack {
            return Some(KeptResult::Win);
        }
        (self.best >= HELD - slack && self.second <= LOST + slack).then_some(KeptResult::Draw)
    }
}

/// The answer of tablebases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableAnswer {
    /// The tables do not cover all moves.
    Unknown,
    /// Several moves keep the result, or the position is lost.
    NotUnique,
    /// Only this move keeps the result.
    Unique(Move, KeptResult),
}

/// Asks the tables which moves keep the result.
///
/// # Errors
/// If a table cannot be read or is damaged.
pub(super) fn by_tables(tables: &Tablebases, position: &Position) -> Result<TableAnswer, TablebaseError> {
    let Some(moves) = tables.probe_root(position, WinRanking::Equal)? else { return Ok(TableAnswer::Unknown) };
    let worth = |index: usize| moves.get(index).map(|mv| mv.wdl.with_50_moves().to_int());
    let task = match (worth(0), worth(1)) {
        (Some(2), Some(second)) if second < 2 => KeptResult::Win,
        (Some(0), Some(second)) if second < 0 => KeptResult::Draw,
        _ => return Ok(TableAnswer::NotUnique),
    };
    Ok(TableAnswer::Unique(moves[0].mv, task))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_engine::SearchInfo;
    use bartizan_types::Value;

    fn opinion(best: i32, second: i32) -> TwoBest {
        let position = Position::startpos();
        let [first, other] = ["e2e4", "d2d4"].map(|mv| position.parse_uci(mv).unwrap());
        let line = |mv, cp| SearchLine::of(SearchInfo::new(1, Value::ZERO, vec![mv]), Score::Cp(cp));
        TwoBest::of(&[line(first, best), line(other, second)]).unwrap()
    }

    #[test]
    fn only_a_move_that_changes_the_result_is_a_task() {
        for (best, second, margin, task) in [
            (150, 0, 150, Some(KeptResult::Win)),
            (149, -1, 150, None),
            (400, 51, 150, None),
            (900, 300, 150, None),
            (-30, -180, 150, Some(KeptResult::Draw)),
            (-31, -400, 150, None),
            (0, -149, 100, None),
            (160, 40, 150, None),
            (160, -300, 150, Some(KeptResult::Win)),
        ] {
            assert_eq!(opinion(best, second).task(margin, 0), task, "{best} {second}");
        }
    }

    #[test]
    fn mates_count_more_than_scores() {
        assert!(centipawns(Score::Mate(30)) > centipawns(Score::Cp(i32::MAX)));
        assert!(centipawns(Score::Mate(2)) > centipawns(Score::Mate(3)));
        assert!(centipawns(Score::Mate(-2)) < centipawns(Score::Mate(-3)));
        let texts = [Score::Mate(3), Score::Mate(-3), Score::Cp(-7)].map(|score| text(centipawns(score)));
        assert_eq!(texts, ["+M3", "-M3", "-0.07"]);
    }

    #[test]
    fn a_move_that_is_first_and_second_is_no_opinion() {
        let mv = Position::startpos().parse_uci("e2e4").unwrap();
        let line = SearchLine::of(SearchInfo::new(1, Value::ZERO, vec![mv]), Score::Cp(10));
        assert_eq!(TwoBest::of(&[line.clone(), line.clone()]), None);
        assert_eq!(TwoBest::of(&[line]), None);
    }

    /// Checks random positions of king and pawn against king by probing the tables for each move.
    #[test]
    fn tables_know_the_only_move() {
        let tables = Tablebases::open(&bartizan_testkit::testdata("syzygy").display().to_string()).unwrap();
        let mut random = bartizan_types::SplitMix64::new(1);
        let mut tasks = [0; 2];
        for _ in 0..3_000 {
            let [white, pawn, black] = [0; 3].map(|_| random.below(64));
            let mut board = [b'1'; 64];
            (board[white], board[pawn], board[black]) = (b'K', b'P', b'k');
            let rank = |squares: &[u8]| {
                let text = String::from_utf8(squares.to_vec()).unwrap();
                (2..=8).rev().fold(text, |text, empty| text.replace(&"1".repeat(empty), &empty.to_string()))
            };
            let ranks: Vec<String> = board.chunks(8).map(rank).collect();
            let turn = if random.below(2) == 0 { 'w' } else { 'b' };
            let Ok(position) = Position::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))) else { continue };
            let moves = position.legal_moves();
            let worth = |mv| -> i8 {
                let after = position.play(mv).unwrap();
                -tables.probe_wdl(&after).unwrap().unwrap().with_50_moves().to_int()
            };
            let Some(best) = moves.iter().map(|&mv| worth(mv)).max() else { continue };
            let keeping: Vec<Move> = moves.into_iter().filter(|&mv| worth(mv) == best).collect();
            let expected = match (&keeping[..], best) {
                (&[mv], 2) if position.count_legal_moves() > 1 => TableAnswer::Unique(mv, KeptResult::Win),
                (&[mv], 0) if position.count_legal_moves() > 1 => TableAnswer::Unique(mv, KeptResult::Draw),
                _ => TableAnswer::NotUnique,
            };
            assert_eq!(by_tables(&tables, &position).unwrap(), expected, "{}", position.to_fen());
            if let TableAnswer::Unique(_, task) = expected {
                tasks[task as usize] += 1;
            }
        }
        assert!(tasks.iter().all(|&count| count > 50), "{tasks:?}");
        let unknown = Position::from_fen("8/8/8/4k3/8/8/8/KQR5 w - - 0 80").unwrap();
        assert_eq!(by_tables(&tables, &unknown).unwrap(), TableAnswer::Unknown);
    }
}
