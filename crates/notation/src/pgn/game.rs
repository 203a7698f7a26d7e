//! Games in memory.

use super::tags::{self, Source};
use super::{GameResult, Nags, PgnProblem, TagError};
use bartizan_position::{Game, IllegalMove, Position};
use bartizan_types::Move;

/// A move with its glyphs and its comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The glyphs of the move, such as `$1` and `!?`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub nags: Nags,
    /// The comment after the move. Several comments are joined by spaces.
    pub comment: Option<String>,
}

impl From<Move> for PgnMove {
    fn from(mv: Move) -> Self {
        Self { mv, nags: Nags::default(), comment: None }
    }
}

/// A game: tags, start position, the moves of the main line, and the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct PgnGame {
    /// The tags in order, as pairs of name and value. `Result`, `SetUp`, `FEN` and `Variant` are not included: they
    /// follow from the other fields.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Position,
    /// The double step before the start that the en passant square of the tag `FEN` stands for. A [`Position`] forgets
    /// it if no pawn can capture, but the keys of Polyglot books need it. `None` where [`PgnGame::start`] tells it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub double_step: Option<Move>,
    /// Whether the game is a game of Chess960. A game that starts from a Chess960 position ([`Position::variant`]) is
    /// always written as such.
    pub chess960: bool,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result of the game.
    pub result: GameResult,
    /// What was wrong in the text that the game was read from, in its order, at most 100 of it. It is not written.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub problems: Vec<PgnProblem>,
}

impl PgnGame {
    /// Creates a game without moves and tags.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            double_step: None,
            chess960: false,
            comment: None,
            moves: Vec::new(),
            result: GameResult::Unknown,
            problems: Vec::new(),
        }
    }

    /// The value of a tag in [`PgnGame::tags`], or of `Result`, `SetUp` or `Variant` as written to PGN. For `FEN` this
    /// is `None`: use [`PgnGame::fen`].
    ///
    /// ```
    /// use bartizan_notation::pgn::PgnReader;
    ///
    /// let text = "[White \"Anna\"]\n[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]\n\n1. Ra8# 1-0";
    /// let game = PgnReader::new(text.as_bytes()).next().unwrap()?;
    /// assert_eq!(["White", "Result", "SetUp"].map(|name| game.tag(name)), [Some("Anna"), Some("1-0"), Some("1")]);
    /// assert_eq!(game.fen().as_deref(), Some("7k/8/6K1/8/8/8/8/R7 w - - 0 1"));
    /// # Ok::<(), bartizan_notation::pgn::PgnError>(())
    /// ```
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.source().get(&self.tags, name)
    }

    /// The value of the tag `FEN` as written to PGN: `None` if a game of standard chess starts from the usual position.
    /// The position itself is [`PgnGame::start`].
    pub fn fen(&self) -> Option<String> {
        self.source().fen()
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source { result: self.result, chess960: self.chess960, start: &self.start, double_step: self.double_step }
    }

    /// Replaces the value of a tag, or appends the tag if it is missing.
    ///
    /// # Errors
    /// [`TagError`] if the name is not valid in PGN, or is `Result`, `SetUp`, `FEN` or `Variant`, which follow from the
    /// fields.
    ///
    /// ```
    /// use bartizan_notation::pgn::{PgnGame, TagError};
    ///
    /// let mut game = PgnGame::default();
    /// game.set_tag("WhiteElo", "2400")?;
    /// let error = game.set_tag("White Elo", "2400").unwrap_err();
    /// assert_eq!(error.to_string(), "invalid tag name 'White Elo': expected letters, digits and underscores");
    /// # Ok::<(), TagError>(())
    /// ```
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        tags::set(&mut self.tags, name, value.into())
    }

    /// Plays the moves. The result gives access to the positions and detects repetitions.
    ///
    /// # Errors
    /// [`IllegalMove`] if a move is not legal. Games from [`PgnReader`](super::PgnReader) contain only legal moves.
    pub fn to_game(&self) -> Result<Game, IllegalMove> {
        let mut game = Game::after(self.start.clone(), self.double_step);
        self.moves.iter().try_for_each(|played| game.push(played.mv))?;
        Ok(game)
    }
}

impl Default for PgnGame {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

/// Copies the moves, and the result if the game is decided by the rules.
impl From<&Game> for PgnGame {
    fn from(game: &Game) -> Self {
        let mut pgn = Self::new(game.start().clone());
        pgn.double_step = game.start_setup().double_step().filter(|_| game.start().en_passant().is_none());
        pgn.moves = game.moves().map(PgnMove::from).collect();
        pgn.result = game.outcome().map_or(GameResult::Unknown, GameResult::from);
        pgn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_replaced_in_place() {
        let mut game = PgnGame::default();
        game.set_tag("White", "a").unwrap();
        game.set_tag("Black", "b").unwrap();
        game.set_tag("White", "c").unwrap();
        assert_eq!(game.tags, [("White".into(), "c".into()), ("Black".into(), "b".into())]);
    }

    #[test]
    fn the_en_passant_square_of_a_fen_is_kept() {
        for fen in ["4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"] {
            let text = format!("[FEN \"{fen}\"]\n\n1. Ke2 *");
            let game: PgnGame = text.parse().unwrap();
            assert_eq!(game.fen().as_deref(), Some(fen));
            assert_eq!(game.to_string().parse::<PgnGame>().unwrap().fen().as_deref(), Some(fen));
            let played = game.to_game().unwrap();
            assert_eq!(played.start_setup().to_string(), fen);
            assert_eq!(PgnGame::from(&played).fen().as_deref(), Some(fen));
            let tree: crate::pgn::GameTree = text.parse().unwrap();
            assert_eq!((tree.fen().as_deref(), tree.to_pgn_game()), (Some(fen), game.clone()));
            assert_eq!(crate::pgn::GameTree::from(&game), tree);
        }
        // A move that is no double step of the position has no effect.
        let step = Some(Move::normal(bartizan_types::Square::E2, bartizan_types::Square::E4));
        let game = PgnGame { double_step: step, ..PgnGame::default() };
        assert_eq!((game.fen(), game.to_game().unwrap()), (None, Game::default()));
    }

    /// `tag` and `fen` return what is written.
    #[test]
    fn tags_that_follow_from_the_fields_are_found() {
        let ending = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        for start in [Position::startpos(), ending] {
            for (chess960, result) in [(false, GameResult::Draw), (true, GameResult::Unknown)] {
                let game = PgnGame { chess960, result, ..PgnGame::new(start.clone()) };
                let tree = crate::pgn::GameTree::from(&game);
                let text = game.to_string();
                let written = |name: &str| {
                    let after = text.split_once(&format!("[{name} \""))?.1;
                    Some(after.split_once('"')?.0)
                };
                for name in ["Result", "SetUp", "Variant"] {
                    assert_eq!((game.tag(name), tree.tag(name)), (written(name), written(name)), "{name}");
                }
                assert_eq!((game.fen().as_deref(), tree.fen().as_deref()), (written("FEN"), written("FEN")));
            }
        }
        assert_eq!((PgnGame::default().tag("result"), PgnGame::default().tag("FEN")), (Some("*"), None));
    }

    #[test]
    fn games_convert_to_pgn_and_back() {
        let mut game = Game::default();
        for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
        }
        let pgn = PgnGame::from(&game);
        assert_eq!((pgn.moves.len(), pgn.result), (4, GameResult::BlackWins));
        assert_eq!(pgn.to_game(), Ok(game));
    }
}
