//! Games: a start position, the moves played, and the result.

use crate::{IllegalMove, IllegalSetup, KeyHistory, Position, Setup, Tolerance};
use alloc::vec::Vec;
use bartizan_types::{Color, GameResult, Move};
use core::fmt;
use core::str::FromStr;

/// The reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the material to give checkmate.
    InsufficientMaterial,
    /// The position has occurred three times; a player may claim it.
    ThreefoldRepetition,
    /// The position has occurred five times; it ends the game.
    FivefoldRepetition,
    /// 50 moves by each side without a capture or pawn move; a player may claim it.
    FiftyMoves,
    /// 75 moves by each side without a capture or pawn move; it ends the game.
    SeventyFiveMoves,
}

impl Draw {
    const ALL: [Self; 6] = [
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::ThreefoldRepetition,
        Self::FivefoldRepetition,
        Self::FiftyMoves,
        Self::SeventyFiveMoves,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "50-move rule",
            Self::SeventyFiveMoves => "75-move rule",
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a game ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Outcome {
    /// This side has given checkmate.
    Checkmate(Color),
    /// The game is drawn.
    Draw(Draw),
}

impl Outcome {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate(winner) => Some(winner),
            Self::Draw(_) => None,
        }
    }
}

/// Who has won, or why the game is drawn: `White wins by checkmate`, `draw by stalemate`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate(Color::White) => f.write_str("White wins by checkmate"),
            Self::Checkmate(Color::Black) => f.write_str("Black wins by checkmate"),
            Self::Draw(draw) => write!(f, "draw by {draw}"),
        }
    }
}

/// The error of parsing an [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOutcome;

impl fmt::Display for UnknownOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown outcome: expected, for example, 'White wins by checkmate' or 'draw by stalemate'")
    }
}

impl core::error::Error for UnknownOutcome {}

/// Reads what [`Display`](fmt::Display) writes.
///
/// ```
/// use bartizan_position::{Draw, Outcome};
///
/// assert_eq!("draw by 50-move rule".parse(), Ok(Outcome::Draw(Draw::FiftyMoves)));
/// ```
impl FromStr for Outcome {
    type Err = UnknownOutcome;
    fn from_str(text: &str) -> Result<Self, UnknownOutcome> {
        match text {
            "White wins by checkmate" => Ok(Self::Checkmate(Color::White)),
            "Black wins by checkmate" => Ok(Self::Checkmate(Color::Black)),
            _ => {
                let reason = text.strip_prefix("draw by ").ok_or(UnknownOutcome)?;
                Draw::ALL.into_iter().find(|draw| draw.as_str() == reason).map(Self::Draw).ok_or(UnknownOutcome)
            }
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::won_by)
    }
}

/// A game: its start position and the moves played.
///
/// ```
/// use bartizan_position::{Draw, Game, Outcome, Position};
///
/// let mut game = Game::new(Position::startpos());
/// for _ in 0..2 {
///     for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///         game.push(game.position().parse_uci(mv).unwrap()).unwrap();
///     }
/// }
/// assert_eq!(game.claimable_draw(), Some(Draw::ThreefoldRepetition));
/// assert_eq!(game.outcome(), None);
/// game.pop();
/// assert_eq!(game.claimable_draw(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    /// The double step before the start, which a [`Position`] forgets if no pawn can capture.
    double_step: Option<Move>,
    line: Vec<(Move, Position)>,
    keys: KeyHistory,
}

impl Game {
    /// Creates a game from its start position.
    pub fn new(start: Position) -> Self {
        Self::after(start, None)
    }

    /// Creates a game from its start position. Unlike [`Game::new`], it keeps an en passant square on which no pawn can
    /// capture legally, which the keys of Polyglot books need: see [`Game::preceding_move`].
    ///
    /// # Errors
    /// [`IllegalSetup`] lists every illegality that `tolerance` does not cover.
    pub fn from_setup(start: &Setup, tolerance: Tolerance) -> Result<Self, IllegalSetup> {
        Ok(Self::after(start.validate(tolerance)?, start.double_step()))
    }

    /// As [`Game::from_setup`], from the start position and the double step before it. A move that cannot have been
    /// that double step has no effect.
    pub fn after(start: Position, double_step: Option<Move>) -> Self {
        let double_step = start.to_setup_after(double_step).double_step();
        let keys = core::iter::once(start.key()).collect();
        Self { start, double_step, line: Vec::new(), keys }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The start position with its en passant square, whether or not a pawn can capture there.
    pub fn start_setup(&self) -> Setup {
        self.start.to_setup_after(self.double_step)
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.line.last().map_or(&self.start, |(_, position)| position)
    }

    /// The moves played, oldest first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.line.iter().map(|&(mv, _)| mv)
    }

    /// The last move; `None` at the start.
    pub fn last_move(&self) -> Option<Move> {
        self.line.last().map(|&(mv, _)| mv)
    }

    /// The move that has led to the current position: the last move played; at the start, the double step that the en
    /// passant square of the setup stands for.
    ///
    /// ```
    /// use bartizan_position::{Game, Setup, Tolerance};
    ///
    /// // The pawn on e5 is pinned, so the position has no en passant square.
    /// let setup = Setup::from_fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1")?;
    /// let game = Game::from_setup(&setup, Tolerance::NONE)?;
    /// assert_eq!(game.position().en_passant(), None);
    /// assert_eq!((game.last_move(), game.preceding_move()), (None, setup.double_step()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn preceding_move(&self) -> Option<Move> {
        self.last_move().or(self.double_step)
    }

    /// All positions from the start to the current one: one more than there are moves.
    ///
    /// ```
    /// use bartizan_position::{Game, Position};
    ///
    /// let mut game = Game::default();
    /// game.push(game.position().parse_uci("e2e4")?)?;
    /// assert!(game.positions().eq([&Position::startpos(), game.position()]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> + '_ {
        core::iter::once(&self.start).chain(self.line.iter().map(|(_, position)| position))
    }

    /// The keys of all positions from the start to the current one.
    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal. The game is then unchanged.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.keys.push(next.key());
        self.line.push((mv, next));
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn pop(&mut self) -> Option<Move> {
        let (mv, _) = self.line.pop()?;
        self.keys.pop();
        Some(mv)
    }

    /// How often the current position has occurred, the current occurrence included.
    pub fn occurrences(&self) -> usize {
        self.keys.repetitions(self.position().halfmove_clock()) + 1
    }

    /// The result that holds without a claim: checkmate, stalemate, insufficient material, fivefold repetition or the
    /// 75-move rule. `None` while the game continues.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate(!position.turn())
            } else {
                Outcome::Draw(Draw::Stalemate)
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::Draw(Draw::InsufficientMaterial))
        } else if position.halfmove_clock() >= 150 {
            Some(Outcome::Draw(Draw::SeventyFiveMoves))
        } else if self.occurrences() >= 5 {
            Some(Outcome::Draw(Draw::FivefoldRepetition))
        } else {
            None
        }
    }

    /// The draw that the side to move may claim by announcing a move, before it plays it: after the move, the position
    /// would have occurred three times, or 50 moves by each side would have passed. `None` also if the move is illegal.
    ///
    /// ```
    /// use bartizan_position::{Draw, Game, Position};
    ///
    /// let mut game = Game::new(Position::from_fen("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80")?);
    /// assert_eq!(game.claimable_draw(), None);
    /// let mv = game.position().parse_uci("e1f1")?;
    /// assert_eq!(game.claimable_draw_with(mv), Some(Draw::FiftyMoves));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn claimable_draw_with(&self, mv: Move) -> Option<Draw> {
        let next = self.position().play(mv).ok()?;
        let mut keys = self.keys.recent(self.position().halfmove_clock());
        keys.push(next.key());
        claim(&next, keys.repetitions(next.halfmove_clock()) + 1)
    }

    /// The moves that entitle the side to move to claim a draw by announcing them, with the draw; see
    /// [`Game::claimable_draw_with`].
    pub fn drawing_moves(&self) -> impl Iterator<Item = (Move, Draw)> + '_ {
        self.position().legal_moves().into_iter().filter_map(|mv| Some((mv, self.claimable_draw_with(mv)?)))
    }

    /// The draw that the side to move may claim. Threefold repetition takes precedence over the 50-move rule.
    pub fn claimable_draw(&self) -> Option<Draw> {
        claim(self.position(), self.occurrences())
    }
}

/// The draw that may be claimed in a position that has occurred this often.
fn claim(position: &Position, occurrences: usize) -> Option<Draw> {
    if occurrences >= 3 {
        Some(Draw::ThreefoldRepetition)
    } else if position.halfmove_clock() >= 100 && !position.is_checkmate() {
        Some(Draw::FiftyMoves)
    } else {
        None
    }
}

/// A game that starts here, without moves. No illegality is tolerated.
impl TryFrom<&Setup> for Game {
    type Error = IllegalSetup;
    fn try_from(start: &Setup) -> Result<Self, IllegalSetup> {
        Self::from_setup(start, Tolerance::NONE)
    }
}

/// The game as the UCI command `position` takes it: `startpos moves e2e4 e7e5`, or `fen` and the FEN of the start.
///
/// ```
/// use bartizan_position::{Game, Position};
///
/// let mut game = Game::default();
/// assert_eq!(game.to_string(), "startpos");
/// game.push(game.position().parse_uci("e2e4")?)?;
/// assert_eq!(game.to_string(), "startpos moves e2e4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.double_step.is_none() && self.start == *Position::startpos_ref() {
            f.write_str("startpos")?;
        } else {
            write!(f, "fen {}", self.start_setup())?;
        }
        let variant = self.start.variant();
        for (index, mv) in self.moves().enumerate() {
            write!(f, "{} {}", if index == 0 { " moves" } else { "" }, mv.to_uci(variant))?;
        }
        Ok(())
    }
}

/// A game that starts here, without moves.
impl From<Position> for Game {
    fn from(start: Position) -> Self {
        Self::new(start)
    }
}

/// A game that starts here, without moves.
impl From<&Position> for Game {
    fn from(start: &Position) -> Self {
        Self::new(start.clone())
    }
}

/// A copy, for functions that take games and positions.
impl From<&Game> for Game {
    fn from(game: &Game) -> Self {
        game.clone()
    }
}

impl Default for Game {
    /// A game from the starting position.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn play(game: &mut Game, moves: &str) {
        for mv in moves.split(' ') {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
        }
    }

    #[test]
    fn outcomes_are_displayed() {
        let mut game = Game::default();
        play(&mut game, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(game.outcome().map(|outcome| outcome.to_string()), Some("Black wins by checkmate".to_string()));
        let stalemate = Game::new(Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap());
        assert_eq!(stalemate.outcome().map(|outcome| outcome.to_string()), Some("draw by stalemate".to_string()));
    }

    #[test]
    fn outcomes_are_read_as_displayed() {
        let draws = Draw::ALL.map(Outcome::Draw);
        let mates = [Color::White, Color::Black].map(Outcome::Checkmate);
        for outcome in draws.into_iter().chain(mates) {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        for text in ["", "draw", "draw by ", "White wins", "draw by Stalemate", "draw by stalemate "] {
            assert_eq!(text.parse::<Outcome>(), Err(UnknownOutcome), "{text}");
        }
    }

    #[test]
    fn a_game_is_displayed_with_the_castling_of_its_variant() {
        let displayed = |fen: &str, moves: &str| {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            play(&mut game, moves);
            game.to_string()
        };
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(displayed(fen, "e1g1 e8e7"), ["fen ", fen, " moves e1g1 e8e7"].concat());
        let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert!(displayed(fen, "f1g1").ends_with(" moves f1g1"));
    }

    #[test]
    fn a_draw_is_claimed_before_the_move() {
        let mut game = Game::default();
        play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert_eq!(game.claimable_draw(), None);
        let claims: Vec<(String, Draw)> = game.drawing_moves().map(|(mv, draw)| (mv.to_string(), draw)).collect();
        assert_eq!(claims, [("f6g8".to_string(), Draw::ThreefoldRepetition)]);
        play(&mut game, "f6g8");
        assert_eq!(game.claimable_draw(), Some(Draw::ThreefoldRepetition));
        // A pawn move ends the count, and a mating move the game.
        let game = Game::new(Position::from_fen("7k/8/6K1/8/8/8/P7/R7 w - - 99 80").unwrap());
        let claims: Vec<String> = game.drawing_moves().map(|(mv, _)| mv.to_string()).collect();
        assert!(claims.contains(&"a1b1".to_string()) && !claims.iter().any(|mv| mv.starts_with("a2")), "{claims:?}");
        let game = Game::new(Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap());
        assert!(game.drawing_moves().all(|(mv, _)| mv.to_string() != "a1a8"));
    }
}
