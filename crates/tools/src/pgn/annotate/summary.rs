//! What the moves of the players have given away.

use bartizan_analysis::{Mark, Tally};
use bartizan_types::{ByColor, Color};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// The judged moves of all games.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// All games, with those that were not annotated.
    pub(super) games: u64,
    pub(super) annotated: u64,
    pub(super) broken: u64,
    /// The number of positions with an opinion.
    pub(super) positions: u64,
    players: BTreeMap<String, Player>,
}

#[derive(Debug, Default)]
struct Player {
    games: u64,
    tally: Tally,
}

impl Summary {
    /// Adds a game with the names of its players.
    pub(super) fn add(&mut self, names: [&str; 2], tallies: &ByColor<Tally>) {
        for (name, color) in names.into_iter().zip([Color::White, Color::Black]) {
            let player = self.players.entry(name.to_owned()).or_default();
            player.games += 1;
            player.tally += tallies[color];
        }
    }

    /// The summary as JSON, with the engine and its limits.
    pub(super) fn to_json(&self, engine: &str, limit: &str) -> Value {
        let player = |(name, player): (&String, &Player)| {
            json!({
                "name": name,
                "games": player.games,
                "moves": player.tally.moves,
                "average_centipawn_loss": player.tally.mean_loss(),
                "inaccuracies": player.tally.count(Mark::Inaccuracy),
                "mistakes": player.tally.count(Mark::Mistake),
                "blunders": player.tally.count(Mark::Blunder),
            })
        };
        json!({
            "engine": engine,
            "limit": limit,
            "games": self.games,
            "annotated": self.annotated,
            "broken": self.broken,
            "positions": self.positions,
            "players": self.players.iter().map(player).collect::<Vec<_>>(),
        })
    }
}

/// The counts, and a table of the players by name.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games: {} annotated", self.games, self.annotated)?;
        if self.broken > 0 {
            write!(f, ", {} broken", self.broken)?;
        }
        write!(f, "; {} positions searched", self.positions)?;
        if self.players.is_empty() {
            return Ok(());
        }
        write!(f, "\n\n   games   moves    loss  inaccuracies  mistakes  blunders  player")?;
        for (name, player) in &self.players {
            let loss = player.tally.mean_loss().map_or_else(|| "–".to_owned(), |loss| format!("{loss:.1}"));
            let [inaccuracies, mistakes, blunders] =
                [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(|mark| player.tally.count(mark));
            write!(
                f,
                "\n{:>8}{:>8}{loss:>8}{inaccuracies:>14}{mistakes:>10}{blunders:>10}  {name}",
                player.games, player.tally.moves
            )?;
        }
        Ok(())
    }
}
