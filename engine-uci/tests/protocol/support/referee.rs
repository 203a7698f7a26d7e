//! The referee: an independent library that keeps the game and checks the engine's moves.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, GameStatus, Move};

use super::{Engine, Search};

/// A position with the moves that led to it.
#[derive(Clone)]
pub(crate) struct Game {
    command: String,
    board: Board,
    /// Every position of the game so far, including the current one.
    past: Vec<Board>,
    chess960: bool,
}

impl Game {
    /// A game from the start position.
    pub(crate) fn startpos(moves: &str) -> Self {
        Self::begin("startpos".to_owned(), Board::default(), moves, false)
    }

    /// A game from a position, with castling written `e1g1`.
    pub(crate) fn from_fen(fen: &str) -> Self {
        Self::begin(format!("fen {fen}"), fen.parse().unwrap(), "", false)
    }

    /// A game from a position, with castling written king takes rook.
    pub(crate) fn chess960(fen: &str) -> Self {
        Self::begin(format!("fen {fen}"), fen.parse().unwrap(), "", true)
    }

    fn begin(place: String, board: Board, moves: &str, chess960: bool) -> Self {
        let command = if moves.is_empty() { place } else { format!("{place} moves {moves}") };
        let past = vec![board.clone()];
        let mut game = Self { command, board, past, chess960 };
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        game
    }

    /// The `position` line for this game.
    pub(crate) fn position(&self) -> String {
        format!("position {}", self.command)
    }

    /// The legal moves in the notation that the engine must use.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        legal_moves(&self.board, self.chess960).into_iter().map(|(text, _)| text).collect()
    }

    /// Whether the engine may answer `text`.
    pub(crate) fn is_legal(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Plays a move, or returns why it is not legal.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = self.find(text).ok_or_else(|| format!("`{text}` is not legal in {}", self.board))?;
        self.board.play(mv);
        self.past.push(self.board.clone());
        Ok(())
    }

    /// Whether the game is over: mate, stalemate, 50 moves, or a threefold repetition.
    pub(crate) fn is_over(&self) -> bool {
        let times = self.past.iter().filter(|earlier| earlier.same_position(&self.board)).count();
        self.board.status() != GameStatus::Ongoing || times >= 3
    }

    /// Whether the side to move is mated.
    pub(crate) fn is_mate(&self) -> bool {
        self.board.status() == GameStatus::Won
    }

    /// The number of positions below every legal move, by move.
    pub(crate) fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let count = |mv| {
            let mut board = self.board.clone();
            board.play_unchecked(mv);
            perft(&board, depth - 1)
        };
        let mut divided: Vec<_> =
            legal_moves(&self.board, self.chess960).into_iter().map(|(text, mv)| (text, count(mv))).collect();
        divided.sort();
        divided
    }

    /// Checks everything that must hold for every search of this position.
    #[track_caller]
    pub(crate) fn judge(&self, engine: &Engine, search: &Search) {
        if !self.is_legal(&search.best) {
            engine.fail(&format!("bestmove `{}` is not legal", search.best));
        }
        for info in &search.infos {
            if let Err(fault) = self.follow(&info.pv) {
                engine.fail(&format!("pv `{}`: {fault}", info.pv.join(" ")));
            }
        }
        match search.infos.iter().rfind(|info| info.score.is_some() && info.line() == 1) {
            Some(last) if last.may_be_last() => {
                if last.pv[0] != search.best {
                    engine.fail(&format!("bestmove `{}` but the last pv begins `{}`", search.best, last.pv[0]));
                }
                // After a truncated line, the ponder move may come from the hash table.
                if let Some(ponder) = &search.ponder {
                    let replies = self.follow(&last.pv[..1]).unwrap();
                    if last.pv.get(1).map_or(!replies.is_legal(ponder), |second| second != ponder) {
                        engine.fail(&format!("the ponder move `{ponder}` is not the reply of the last pv"));
                    }
                }
            }
            Some(_) => engine.fail("the last line before bestmove is an upper bound or has no pv"),
            None => engine.fail("no line of play before bestmove"),
        }
    }

    /// Plays a line: every move must be legal, and none may follow the end of the game, except the first, which was
    /// requested.
    pub(crate) fn follow(&self, pv: &[String]) -> Result<Self, String> {
        let mut game = self.clone();
        for (ply, text) in pv.iter().enumerate() {
            if ply > 0 && game.is_over() {
                return Err(format!("continues with `{text}` after the game is over"));
            }
            game.play(text)?;
        }
        Ok(game)
    }

    fn find(&self, text: &str) -> Option<Move> {
        legal_moves(&self.board, self.chess960).into_iter().find(|(name, _)| name == text).map(|(_, mv)| mv)
    }
}

/// Legal moves with their names. The library writes castling as king takes rook.
fn legal_moves(board: &Board, chess960: bool) -> Vec<(String, Move)> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        for mv in of_piece {
            let name = if chess960 { mv.to_string() } else { display_uci_move(board, mv).to_string() };
            moves.push((name, mv));
        }
        false
    });
    moves
}

fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|of_piece| {
        for mv in of_piece {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += perft(&next, depth - 1);
        }
        false
    });
    nodes
}
