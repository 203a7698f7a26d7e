//! Advice on a position: its result, its moves, a plan, and a line of best play.

use crate::Dtm;
use crate::advice::{AdviceError, AdviceTables, Plan, PositionValue, TheoreticalResult, plan};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::{Move, PieceType};
use std::cmp::Reverse;

/// The tables' information about a position, explained.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// The position.
    pub position: Position,
    /// Its value for the side to move. If the tables do not know the result with the 50-move rule, that result is taken
    /// from the best move.
    pub value: PositionValue,
    /// All legal moves, best first.
    pub moves: Vec<AdvisedMove>,
    /// How to play such endings, if there is a known method.
    pub plan: Option<Plan>,
    /// Best play of both sides: to mate, to the end of the tables, to a draw by the 50-move rule, or a few moves if the
    /// position is drawn.
    pub line: Vec<Move>,
}

/// A legal move and its effect on the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdvisedMove {
    /// The move.
    pub mv: Move,
    /// The move in SAN.
    pub san: String,
    /// The value of the position if this move is played, for the side that plays it.
    pub value: PositionValue,
    /// The effect on the result.
    pub verdict: Verdict,
}

/// The effect of a move on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// No move is better.
    Best,
    /// It keeps the result. A win takes this many moves longer, or a loss comes this many moves sooner; 0 if the tables
    /// have no distances to mate.
    Keeps(u16),
    /// It keeps the win without the 50-move rule, but with the rule it only draws.
    TooSlow,
    /// It keeps the result without the 50-move rule, as the best move does with it, but the tables do not tell whether
    /// this move does so with the rule.
    Uncertain,
    /// It spoils a better result; this is the new one.
    Spoils(TheoreticalResult),
}

/// The maximum length of the line in plies, and that in a drawn position.
const LINE: usize = 400;
const DRAWN_LINE: usize = 8;

impl Advice {
    /// Probes the tables for a position.
    ///
    /// # Errors
    /// [`AdviceError`] if no table has the position or one that a move leads to, or if a table cannot be used.
    ///
    /// # Cost
    /// One probe for each legal move, and the same again for each ply of the line: some milliseconds, or more if the
    /// tables are on a slow disk.
    pub fn new(position: &Position, tables: AdviceTables<'_>) -> Result<Self, AdviceError> {
        let missing = || AdviceError::NoTable { castling: !position.castling().is_empty() };
        let mut value = tables.probe(position)?.ok_or_else(missing)?;
        let ranked = ranked(position, tables)?.ok_or_else(missing)?;
        let best = ranked.first().map(|&(_, value)| value);
        value.with_rule = value.with_rule.or(best.and_then(|best| best.with_rule));
        let advised = |&(mv, value): &(Move, PositionValue)| AdvisedMove {
            mv,
            san: San::new(position, mv).to_string(),
            value,
            verdict: best.map_or(Verdict::Best, |best| verdict(value, best)),
        };
        let moves = ranked.iter().map(advised).collect();
        let line = line(position, value, ranked, tables)?;
        Ok(Self { position: position.clone(), value, moves, plan: plan(position, Some(value.outcome)), line })
    }
}

/// Whether the 50-move rule ends the game if either side claims it.
pub(crate) fn can_claim(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && !position.is_checkmate()
}

/// The legal moves with their values, best first. `None` if a table is missing.
fn ranked(position: &Position, tables: AdviceTables<'_>) -> Result<Option<Vec<(Move, PositionValue)>>, AdviceError> {
    let mut moves = Vec::new();
    for mv in position.legal_moves() {
        let after = position.play_unchecked(mv);
        let Some(value) = tables.probe(&after)? else { return Ok(None) };
        let ends_phase =
            position.is_capture(mv) || position.by_type(PieceType::Pawn).contains(mv.from()) || after.is_checkmate();
        moves.push((mv, value.before_move(ends_phase)));
    }
    moves.sort_by_key(|&(_, value)| Reverse(value.preference()));
    Ok(Some(moves))
}

fn verdict(value: PositionValue, best: PositionValue) -> Verdict {
    if value.preference() == best.preference() {
        return Verdict::Best;
    }
    if value.outcome != best.outcome {
        return Verdict::Spoils(value.outcome);
    }
    match (value.with_rule, best.with_rule) {
        (Some(TheoreticalResult::Draw), Some(TheoreticalResult::Win) | None) => Verdict::TooSlow,
        (Some(TheoreticalResult::Loss), Some(TheoreticalResult::Draw)) => Verdict::Spoils(TheoreticalResult::Loss),
        (None, Some(_)) => Verdict::Uncertain,
        _ => {
            let moves = |value: PositionValue| value.mate.and_then(Dtm::moves).unwrap_or(0);
            // The best move may mate later, or be mated sooner, because the rule takes precedence.
            Verdict::Keeps(match value.outcome {
                TheoreticalResult::Loss => moves(best).saturating_sub(moves(value)),
                _ => moves(value).saturating_sub(moves(best)),
            })
        }
    }
}

/// Plays the best moves, beginning with those of the position.
fn line(
    position: &Position,
    value: PositionValue,
    first: Vec<(Move, PositionValue)>,
    tables: AdviceTables<'_>,
) -> Result<Vec<Move>, AdviceError> {
    let longest = if value.outcome == TheoreticalResult::Draw { DRAWN_LINE } else { LINE };
    let (mut line, mut position, mut moves) = (Vec::new(), position.clone(), first);
    while let Some(&(mv, _)) = moves.first()
        && line.len() < longest
        && !position.is_insufficient_material()
        && !can_claim(&position)
    {
        position = position.play_unchecked(mv);
        line.push(mv);
        let Some(next) = ranked(&position, tables)? else { break };
        moves = next;
    }
    Ok(line)
}
