//! How far the codes of games agree with the table, and why they differ.

use super::{Opening, lookup, openings};
use bartizan_notation::pgn::PgnGame;
use bartizan_position::Position;
use bartizan_types::{Key, Move};
use std::collections::{HashMap, HashSet};

/// How the code of a tag relates to that of the table. The first that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The code of the last position of the game that is in the table.
    Same,
    /// The code of the last line of the table that the game follows move by move.
    MoveOrder,
    /// The code of an earlier position of the game.
    Earlier,
    /// The code of a line that goes through the last known position of the game.
    Later,
    /// Another code.
    Other,
    /// The game has no position of the table.
    Unknown,
    /// The game has no code.
    Untagged,
}

impl Relation {
    /// All relations.
    pub const ALL: [Self; 7] =
        [Self::Same, Self::MoveOrder, Self::Earlier, Self::Later, Self::Other, Self::Unknown, Self::Untagged];

    /// A description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same code",
            Self::MoveOrder => "code of the order of moves, without transposition",
            Self::Earlier => "code of an earlier position of the game",
            Self::Later => "code of a continuation",
            Self::Other => "another code",
            Self::Unknown => "no position of the table",
            Self::Untagged => "no ECO tag",
        }
    }
}

/// The lines of the table, move by move, with which the codes of games are compared.
#[derive(Debug)]
pub struct CodeCheck {
    by_moves: HashMap<Vec<Move>, &'static Opening>,
    /// The positions of the line, with its code.
    passed: HashSet<(Key, &'static str)>,
}

impl Default for CodeCheck {
    fn default() -> Self {
        let (mut by_moves, mut passed) = (HashMap::new(), HashSet::new());
        for opening in openings() {
            let (mut position, moves) = (Position::startpos(), opening.line());
            for &mv in &moves {
                position.make_unchecked(mv);
                passed.insert((position.key(), opening.code()));
            }
            by_moves.insert(moves, opening);
        }
        Self { by_moves, passed }
    }
}

impl CodeCheck {
    /// How the tag `ECO` of a game relates to the table.
    pub fn relation(&self, pgn: &PgnGame) -> Relation {
        let tag = pgn.tags.iter().find(|(name, value)| name.eq_ignore_ascii_case("ECO") && !value.is_empty());
        // Scid and others append a letter and a digit to the code.
        let Some(code) = tag.and_then(|(_, code)| code.get(..3)) else { return Relation::Untagged };
        let (mut position, mut moves) = (pgn.start.clone(), Vec::new());
        let see = |position: &Position| lookup(position).map(|opening| (position.key(), opening));
        let (mut known, mut followed) = (Vec::from_iter(see(&position)), None);
        for played in &pgn.moves {
            let Ok(next) = position.play(played.mv) else { break };
            position = next;
            moves.push(played.mv);
            followed = self.by_moves.get(&moves).or(followed);
            known.extend(see(&position));
        }
        let Some(&(key, last)) = known.last() else { return Relation::Unknown };
        if last.code() == code {
            Relation::Same
        } else if followed.is_some_and(|opening| opening.code() == code) {
            Relation::MoveOrder
        } else if known.iter().any(|(_, opening)| opening.code() == code) {
            Relation::Earlier
        } else if self.passed.contains(&(key, code)) {
            Relation::Later
        } else {
            Relation::Other
        }
    }
}
