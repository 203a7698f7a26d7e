//! Finds games whose result contradicts an engine's evaluation of the last position.

use bartizan_engine::{Engine, Limits, MaterialCount, Options, SearchEvent, shown};
use bartizan_games::filter::Ending;
use bartizan_notation::pgn::PgnGame;
use bartizan_types::{Color, GameResult};
use std::sync::{Mutex, PoisonError};

/// Finds games whose result contradicts the built-in engine's evaluation of the last position. Several threads may
/// share it; each takes its own engine.
#[derive(Debug)]
pub struct ResultChecker {
    /// The evaluation from which a position counts as won, in displayed centipawns.
    centipawns: i32,
    nodes: u64,
    idle: Mutex<Vec<Engine>>,
    /// Why an engine could not search.
    failure: Mutex<Option<String>>,
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
        let for_white = match Ending::of(game) {
            Ending::Checkmate => {
                let last = game.moves.len() % 2 == usize::from(game.start.turn() == Color::White);
                return game.result != GameResult::won_by(if last { Color::White } else { Color::Black });
            }
            Ending::Stalemate | Ending::Insufficient => {
                return matches!(game.result, GameResult::WhiteWins | GameResult::BlackWins);
            }
            // The draw may have been claimed.
            Ending::Repetition | Ending::FiftyMoves if game.result == GameResult::Draw => return false,
            _ if game.result == GameResult::Unknown => return false,
            _ => match self.search(game) {
                Ok(value) => value,
                Err(error) => {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return false;
                }
            },
        };
        match game.result {
            GameResult::WhiteWins => for_white <= -self.centipawns,
            GameResult::BlackWins => for_white >= self.centipawns,
            GameResult::Draw => for_white.abs() >= self.centipawns,
            _ => false,
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
}
