//! Which games are equal.

use crate::tags;
use bartizan_notation::pgn::{PgnGame, RawGame};
use bartizan_position::Position;
use bartizan_types::Move;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hasher;

/// A 128-bit number that identifies the start position and the moves of a game: games with the same moves have the same
/// number, whatever their tags, comments and notation. It is the same on every machine and in every version.
///
/// The probability that any two different games among a billion share a number is below 10⁻²⁰.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameIdentity(pub u128);

impl GameIdentity {
    /// The identity of a game.
    pub fn of(game: &PgnGame) -> Self {
        let mut hash = Running::new(&game.start);
        game.moves.iter().for_each(|played| hash.push(played.mv));
        hash.identity()
    }

    /// The identity for finding equal games; with `same_players`, it includes the names of the players. `None` for a
    /// game without moves whose players are unknown: it equals no other.
    pub fn for_duplicates(raw: &RawGame, game: &PgnGame, same_players: bool) -> Option<Self> {
        let are_known = || ["White", "Black"].iter().all(|name| tags::known(raw, name).is_some());
        if game.moves.is_empty() && !(same_players && are_known()) {
            return None;
        }
        let identity = Self::of(game);
        if !same_players {
            return Some(identity);
        }
        let names = ["White", "Black"].map(|name| tags::value(raw, name).unwrap_or_default());
        Some(identity.with(names.iter().map(AsRef::as_ref)))
    }

    /// The identity of a text, for unreadable games.
    pub fn of_text(text: &[u8]) -> Self {
        let mut hash = SipHasher13::new();
        hash.write_u8(2);
        hash.write(text);
        Self(hash.finish128().as_u128())
    }

    /// An identity that also depends on these texts, such as the names of the players.
    #[must_use]
    pub fn with<'a>(self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = SipHasher13::new();
        hash.write_u8(3);
        hash.write_u128(self.0);
        for text in texts {
            hash.write_u64(text.len() as u64);
            hash.write(text.as_bytes());
        }
        Self(hash.finish128().as_u128())
    }

    /// The part, out of `parts`, to which the game belongs.
    pub fn part(self, parts: u32) -> u32 {
        let part = self.0 % u128::from(parts.max(1));
        u32::try_from(part).unwrap_or_default()
    }
}

/// Whether a game starts from the initial position of chess, ignoring counters.
pub(crate) fn is_usual_start(start: &Position) -> bool {
    start.key() == Position::startpos_ref().key()
}

/// The identity of a game, computed move by move.
#[derive(Clone, Debug)]
pub(crate) struct Running(SipHasher13);

impl Running {
    pub(crate) fn new(start: &Position) -> Self {
        let mut hash = SipHasher13::new();
        if is_usual_start(start) {
            hash.write_u8(0);
        } else {
            // The counters do not affect the identity.
            let fen = start.to_fen();
            hash.write_u8(1);
            fen.split(' ').take(4).for_each(|field| hash.write(field.as_bytes()));
        }
        Self(hash)
    }

    pub(crate) fn push(&mut self, mv: Move) {
        self.0.write_u16(mv.to_bits());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.write_u64(text.len() as u64);
        self.0.write(text.as_bytes());
    }

    pub(crate) fn identity(&self) -> GameIdentity {
        GameIdentity(self.0.finish128().as_u128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;

    fn identity(text: &str) -> GameIdentity {
        GameIdentity::of(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap())
    }

    #[test]
    fn notation_and_tags_do_not_matter_but_moves_and_start_do() {
        let game = identity("[White \"a\"]\n\n1. e4 e5 2. Nf3 *");
        assert_eq!(game, identity("1.e2-e4 {x} e7e5 (1... c5) 2.Ngf3 1-0"));
        assert_ne!(game, identity("1. e4 e5 *"));
        assert_ne!(game, identity("1. Nf3 e5 2. e4 *"));
        let study = identity("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *");
        assert_eq!(study, identity("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\"]\n\n9. e4 *"));
        assert_ne!(study, identity("1. e4 *"));
        let later = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. e4 *";
        assert_eq!(identity(later), identity("1. e4 *"));
        // Recorded: shards made on different machines must match.
        assert_eq!(identity("1. e4 e5 *"), GameIdentity(0xe845_9626_27f5_b6c2_0690_5e44_e3f0_895e));
        assert_ne!(GameIdentity::of_text(b"1. e4 *"), identity("1. e4 *"));
    }
}
