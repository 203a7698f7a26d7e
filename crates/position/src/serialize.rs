//! Serialisation with serde: positions and setups as X-FEN, games as start position and moves.

use crate::{Game, Position, Setup};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use bartizan_types::{Move, UciMove};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_fen(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_setup().serialize(serializer)
    }
}

/// As strict as [`Position::from_fen`]. A position that was made with some [`Tolerance`](crate::Tolerance) may have to
/// be read as a [`Setup`].
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(&Setup::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
struct GameForm {
    start: Setup,
    /// Coordinate notation, as `Move` is displayed.
    moves: Vec<String>,
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = self.moves().map(|mv: Move| mv.to_string()).collect();
        GameForm { start: self.start_setup(), moves }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = GameForm::deserialize(deserializer)?;
        let mut game = Self::try_from(&form.start).map_err(D::Error::custom)?;
        for text in form.moves {
            let text: UciMove = text.parse().map_err(D::Error::custom)?;
            let mv = game.position().resolve_uci(text).map_err(D::Error::custom)?;
            game.push(mv).map_err(D::Error::custom)?;
        }
        Ok(game)
    }
}
