//! A position with the moves that led to it. Unlike a [`Game`], it may contain null moves.

use crate::errors::{IllegalMoveError, fen_error};
use crate::moves::Packed;
use bartizan_position::{Game, Position, PositionError, Setup, Tolerance};
use bartizan_types::{Bitboard, Color, Move, PieceType, Square};
use pyo3::PyResult;

/// Positions, the first one at the bottom, and the moves between them.
///
/// Positions are aligned to cache lines, which Python's objects are not: they are kept in vectors.
#[derive(Clone)]
pub(crate) struct State {
    positions: Vec<Position>,
    moves: Vec<Packed>,
    pub(crate) chess960: bool,
    /// The double step before the first position, if that does not tell it.
    double_step: Option<Move>,
}

impl State {
    pub(crate) fn new(start: Position, chess960: bool) -> Self {
        Self { positions: vec![start], moves: Vec::new(), chess960, double_step: None }
    }

    /// Castling rights that exist only in Chess960 are dropped without `chess960`.
    pub(crate) fn of_setup(mut setup: Setup, chess960: bool) -> Result<Self, PositionError> {
        if !chess960 {
            setup.drop_nonstandard_castling();
        }
        let position = setup.validate(Tolerance::ALL)?;
        let double_step = setup.double_step().filter(|_| position.en_passant().is_none());
        Ok(Self { double_step, ..Self::new(position, chess960) })
    }

    pub(crate) fn of_fen(fen: &str, chess960: bool) -> PyResult<Self> {
        let read = || Self::of_setup(Setup::from_fen(fen)?, chess960);
        read().map_err(|error| fen_error(&error))
    }

    pub(crate) fn position(&self) -> &Position {
        // There is always a position.
        self.positions.last().unwrap_or(Position::startpos_ref())
    }

    pub(crate) fn start(&self) -> &Position {
        self.positions.first().unwrap_or(Position::startpos_ref())
    }

    pub(crate) fn moves(&self) -> &[Packed] {
        &self.moves
    }

    /// The positions before each of the moves, and the last one.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The state without moves.
    pub(crate) fn root(&self) -> Self {
        Self { double_step: self.double_step, ..Self::new(self.start().clone(), self.chess960) }
    }

    /// The current position without the moves.
    pub(crate) fn flat(&self) -> Self {
        let double_step = self.double_step().filter(|_| self.position().en_passant().is_none());
        Self { double_step, ..Self::new(self.position().clone(), self.chess960) }
    }

    /// The legal move that a Python move denotes; `None` for a null move.
    pub(crate) fn resolve(&self, mv: Packed) -> PyResult<Option<Move>> {
        let Some(uci) = mv.to_uci() else { return Ok(None) };
        let resolved = self.position().resolve_uci(uci);
        let illegal = |_| IllegalMoveError::new_err(format!("illegal move '{uci}' in {}", self.position().to_fen()));
        resolved.map(Some).map_err(illegal)
    }

    pub(crate) fn is_legal(&self, mv: Packed) -> Option<Move> {
        self.position().resolve_uci(mv.to_uci()?).ok()
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: Move) {
        self.moves.push(Packed::of(mv, self.chess960));
        self.positions.push(self.position().play_unchecked(mv));
    }

    /// Plays a move of Python.
    pub(crate) fn push(&mut self, mv: Packed) -> PyResult<()> {
        match self.resolve(mv)? {
            Some(mv) => self.play(mv),
            None => {
                let in_check = || IllegalMoveError::new_err("a null move is not allowed in check");
                let next = self.position().play_null().ok_or_else(in_check)?;
                self.positions.push(next);
                self.moves.push(Packed::NULL);
            }
        }
        Ok(())
    }

    /// Takes the last move back.
    pub(crate) fn pop(&mut self) -> Option<Packed> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The double step of a pawn that has just been made, whether or not it can be captured.
    pub(crate) fn double_step(&self) -> Option<Move> {
        let Some(&last) = self.moves.last() else {
            return self.double_step.or_else(|| self.start().to_setup().double_step());
        };
        let mv = last.to_uci()?;
        let is_pawn = self.position().piece_type_at(mv.to) == Some(PieceType::Pawn);
        let is_double = mv.promotion.is_none() && mv.from.rank().index().abs_diff(mv.to.rank().index()) == 2;
        (is_pawn && is_double).then(|| Move::normal(mv.from, mv.to))
    }

    /// The square that a pawn has just passed.
    pub(crate) fn passed(&self) -> Option<Square> {
        self.position().to_setup_after(self.double_step()).en_passant
    }

    /// The pawns of the side to move that attack the passed square, pinned or not.
    pub(crate) fn attackers_of_passed(&self) -> Bitboard {
        let position = self.position();
        let Some(square) = self.passed() else { return Bitboard::EMPTY };
        position.attackers_to(square, position.occupied(), position.turn()) & position.by_type(PieceType::Pawn)
    }

    /// The setup of the current position, with the passed square.
    pub(crate) fn setup(&self) -> Setup {
        self.position().to_setup_after(self.double_step())
    }

    /// How often a position like the current one has occurred since the last null move, this time included.
    pub(crate) fn occurrences(&self) -> usize {
        self.occurrences_of(self.position(), 0)
    }

    /// How often a position that is `ahead` plies after the current one has occurred, this time included.
    fn occurrences_of(&self, position: &Position, ahead: usize) -> usize {
        let known = if ahead == 0 { &self.positions[..self.positions.len() - 1] } else { &self.positions[..] };
        let reversible = usize::from(position.halfmove_clock());
        let equal = known.iter().rev().take(reversible).filter(|earlier| earlier.key() == position.key());
        1 + equal.count()
    }

    /// Whether the player to move can claim a draw by repetition, now or by one of the legal moves.
    pub(crate) fn can_claim_repetition(&self) -> bool {
        let position = self.position();
        self.occurrences() >= 3
            || position.halfmove_clock() >= 3
                && position.legal_moves().iter().any(|&mv| self.occurrences_of(&position.play_unchecked(mv), 1) >= 3)
    }

    /// Whether the player to move can claim a draw by the fifty-move rule, now or by one of the legal moves.
    pub(crate) fn can_claim_fifty(&self) -> bool {
        let position = self.position();
        let clock = position.halfmove_clock();
        if clock >= 100 {
            return position.has_legal_move();
        }
        clock == 99
            && position.legal_moves().iter().any(|&mv| {
                let next = position.play_unchecked(mv);
                next.halfmove_clock() >= 100 && next.has_legal_move()
            })
    }

    /// The game since the last null move.
    pub(crate) fn game(&self) -> Game {
        let first = self.moves.iter().rposition(|&mv| mv == Packed::NULL).map_or(0, |null| null + 1);
        let double_step = self.double_step.filter(|_| first == 0);
        let mut game = Game::after(self.positions[first].clone(), double_step);
        for (position, mv) in self.positions[first..].iter().zip(&self.moves[first..]) {
            let played = mv.to_uci().and_then(|mv| position.resolve_uci(mv).ok());
            // The moves have been played.
            if played.is_none_or(|mv| game.push(mv).is_err()) {
                break;
            }
        }
        game
    }

    /// The blockers of a colour between its king and enemy sliders.
    pub(crate) fn pinned(&self, color: Color) -> Bitboard {
        let position = self.position();
        let scan = position.scan_sliders(position.king(color), position.color(!color), position.occupied());
        scan.blockers & position.color(color)
    }
}
