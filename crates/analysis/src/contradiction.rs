//! Compares the results of games with an engine's evaluation of the last position.

use bartizan_engine::{Engine, Limits, MaterialCount, Options, SearchEvent, shown};
use bartizan_games::filter::Ending;
use bartizan_notation::pgn::PgnGame;
use bartizan_types::{Color, GameResult};
use std::sync::{Mutex, PoisonError};

/// Compares the results of games with the built-in engine's evaluation of the last position. Several threads may share
/// it; each takes its own engine.
#[derive(Debug)]
pub struct ResultChecker {
    /// The evaluation from which a position counts as won, in displayed centipawns.
    centipawns: i32,
    nodes: u64,
    idle: Mutex<Vec<Engine>>,
    /// Why an engine could not search.
    failure: Mutex<Option<String>>,
}

/// What the last position of a game says about its result.
enum LastPosition {
    /// This side has mated.
    Mate(Color),
    /// The rules make it a draw.
    Draw,
    /// The engine's value for White, in displayed centipawns.
    Open(i32),
}

impl ResultChecker {
    /// A checker that counts a position as won from an evaluation of `centipawns` (displayed) after a search of
    /// `nodes`.
    pub fn new(centipawns: i32, nodes: u64) -> Self {
        Self { centipawns, nodes, idle: Mutex::default(), failure: Mutex::default() }
    }

    /// Why an engine could not search.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the winner's last position is lost, or a drawn game's last position is won for a side.
    pub fn contradicts(&self, game: &PgnGame) -> bool {
        match (self.judge(game), game.result) {
            (Some(LastPosition::Mate(winner)), result) => result != GameResult::won_by(winner),
            (Some(LastPosition::Draw), result) => matches!(result, GameResult::WhiteWins | GameResult::BlackWins),
            (Some(LastPosition::Open(for_white)), GameResult::WhiteWins) => for_white <= -self.centipawns,
            (Some(LastPosition::Open(for_white)), GameResult::BlackWins) => for_white >= self.centipawns,
            (Some(LastPosition::Open(for_white)), GameResult::Draw) => for_white.abs() >= self.centipawns,
            _ => false,
        }
    }

    /// Whether the winner's last position is won, or no side of a drawn game is more than `level` centipawns
    /// (displayed) ahead. A game without a result is not confirmed.
    pub fn confirms(&self, game: &PgnGame, level: i32) -> bool {
        match (self.judge(game), game.result) {
            (Some(LastPosition::Mate(winner)), result) => result == GameResult::won_by(winner),
            (Some(LastPosition::Draw), result) => result == GameResult::Draw,
            (Some(LastPosition::Open(for_white)), GameResult::WhiteWins) => for_white >= self.centipawns,
            (Some(LastPosition::Open(for_white)), GameResult::BlackWins) => for_white <= -self.centipawns,
            (Some(LastPosition::Open(for_white)), GameResult::Draw) => for_white.abs() <= level,
            _ => false,
        }
    }

    /// What the last position says; `None` for a game without a result that can still go either way, and if the engine
    /// fails.
    fn judge(&self, game: &PgnGame) -> Option<LastPosition> {
        match Ending::of(game) {
            Ending::Checkmate => {
                let last = game.moves.len() % 2 == usize::from(game.start.turn() == Color::White);
                Some(LastPosition::Mate(if last { Color::White } else { Color::Black }))
            }
            Ending::Stalemate | Ending::Insufficient => Some(LastPosition::Draw),
            // The draw may have been claimed.
            Ending::Repetition | Ending::FiftyMoves if game.result == GameResult::Draw => Some(LastPosition::Draw),
            _ if game.result == GameResult::Unknown => None,
            _ => match self.search(game) {
                Ok(for_white) => Some(LastPosition::Open(for_white)),
                Err(error) => {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    None
                }
            },
        }
    }

    /// The value of the last position for White.
    fn search(&self, game: &PgnGame) -> Result<i32, String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = match idle {
            Some(engine) => engine,
            None => Engine::with_options(Options::default()).map_err(|error| error.to_string())?,
        };
        let game = game.to_game().map_err(|error| error.to_string())?;
        let (turn, material) = (game.position().turn(), MaterialCount::of(game.position()));
        engine.set_game(game);
        // The value must not depend on earlier games.
        engine.new_game();
        let limits = Limits::nodes(self.nodes);
        let events = engine.go(limits).map_err(|error| error.to_string())?;
        let mut found = None;
        for event in events {
            if let SearchEvent::Finished(result) = event {
                found = Some(shown(result.value, material));
            }
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        let value = found.ok_or("the search ended without a result")?;
        Ok(if turn.is_white() { value } else { -value })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_notation::pgn::PgnReader;

    #[test]
    fn wrong_results_are_found() {
        let checker = ResultChecker::new(300, 500);
        let queen_up = "[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"]\n\n1. Qa2";
        for (text, wrong) in [
            (format!("{queen_up} 1-0"), false),
            (format!("{queen_up} 1/2-1/2"), true),
            (format!("{queen_up} 0-1"), true),
            (format!("{queen_up} *"), false),
            ("1. e4 1-0".to_owned(), false),
            ("1. f3 e5 2. g4 Qh4# 0-1".to_owned(), false),
            ("1. f3 e5 2. g4 Qh4# 1-0".to_owned(), true),
            ("1. f3 e5 2. g4 Qh4# *".to_owned(), true),
            ("[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1-0".to_owned(), true),
            ("[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2".to_owned(), false),
            ("[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"]\n\n1... Kb8 2. Rh8# 1-0".to_owned(), false),
        ] {
            let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(checker.contradicts(&game), wrong, "{text}");
        }
        assert_eq!(checker.failure(), None);
    }

    #[test]
    fn results_are_confirmed_by_a_lead_or_its_absence() {
        let checker = ResultChecker::new(150, 500);
        let queen_up = "[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"]\n\n1. Qa2";
        let level = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2";
        for (text, confirmed) in [
            (format!("{queen_up} 1-0"), true),
            (format!("{queen_up} 1/2-1/2"), false),
            (format!("{queen_up} 0-1"), false),
            (format!("{queen_up} *"), false),
            // Neither a lost game that ends level nor a won one is confirmed, though neither is contradicted.
            (format!("{level} 1-0"), false),
            (format!("{level} 0-1"), false),
            (format!("{level} 1/2-1/2"), true),
            ("1. f3 e5 2. g4 Qh4# 0-1".to_owned(), true),
            ("1. f3 e5 2. g4 Qh4# 1/2-1/2".to_owned(), false),
            ("[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2".to_owned(), true),
            ("[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1-0".to_owned(), false),
        ] {
            let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(checker.confirms(&game, 100), confirmed, "{text}");
        }
    }
}
