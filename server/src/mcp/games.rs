//! The games of an assistant, by handles.

use bartizan_notation::pgn::{GameTree, Strictness, TreeReader};
use bartizan_notation::san::SanExt as _;
use bartizan_position::{Game, Position};
use bartizan_review::moves_of;
use bartizan_types::{Excerpt, Move};

/// The number of games that are kept. The one that was not used for the longest time goes first.
pub(crate) const MOST_GAMES: usize = 100;

/// The most moves of a game, of both sides. The longest game possible is longer, but nobody has played it.
pub(crate) const MOST_PLIES: usize = 1_200;

/// The longest PGN text and FEN, in bytes.
const MOST_PGN: usize = 512 << 10;
const MOST_FEN: usize = 200;

/// A game and what its PGN said of it.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) game: Game,
    tags: Vec<(String, String)>,
}

impl Record {
    pub(crate) fn new(game: Game) -> Self {
        Self { game, tags: Vec::new() }
    }

    /// The game of a FEN.
    pub(crate) fn of_fen(fen: &str) -> Result<Self, String> {
        if fen.len() > MOST_FEN {
            return Err(format!("a FEN has at most {MOST_FEN} characters"));
        }
        let position = Position::from_fen(fen).map_err(|error| format!("the FEN is not legal: {error}"))?;
        Ok(Self::new(Game::new(position)))
    }

    /// The first game of a PGN text, if all of its moves are legal.
    pub(crate) fn of_pgn(pgn: &str) -> Result<Self, String> {
        if pgn.len() > MOST_PGN {
            return Err(format!("the PGN is too long: at most {MOST_PGN} bytes"));
        }
        let tree = TreeReader::new(pgn.as_bytes()).strictness(Strictness::Moves).next().ok_or("no game in the PGN")?;
        let tree = tree.map_err(|error| format!("the PGN cannot be used: {error}"))?;
        let mut record = Self::new(Game::new(tree.start().clone()));
        for mv in moves_of(&tree) {
            record.push(mv)?;
        }
        record.tags = tree.tags.to_vec();
        Ok(record)
    }

    fn push(&mut self, mv: Move) -> Result<(), String> {
        if self.game.moves().len() >= MOST_PLIES {
            return Err(format!("a game has at most {MOST_PLIES} moves of both sides"));
        }
        self.game.push(mv).map_err(|error| error.to_string())
    }

    /// The legal move that a text means.
    pub(crate) fn find(&self, text: &str) -> Result<Move, String> {
        let position = self.game.position();
        let san = match position.parse_uci(text.trim()) {
            Ok(mv) => return Ok(mv),
            Err(_) => position.parse_san(text.trim()),
        };
        san.map_err(|error| {
            let legal: Vec<String> = position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
            let legal = match legal.is_empty() {
                true => "the game is over".to_owned(),
                false => format!("legal moves are {}", legal.join(" ")),
            };
            format!("'{}' cannot be played: {error}; {legal}", Excerpt::new(text))
        })
    }

    /// Plays moves, all or none.
    pub(crate) fn play(&mut self, moves: &[String]) -> Result<(), String> {
        let mut after = self.clone();
        for (number, text) in moves.iter().enumerate() {
            let played = after.find(text).and_then(|mv| after.push(mv));
            played.map_err(|error| match moves.len() {
                1 => format!("{error}. Nothing was played"),
                _ => format!("move {} of {}: {error}. Nothing was played", number + 1, moves.len()),
            })?;
        }
        *self = after;
        Ok(())
    }

    /// The game as a tree, for reviews.
    pub(crate) fn tree(&self) -> GameTree {
        let mut tree = GameTree::new(self.game.start().clone());
        for (name, value) in &self.tags {
            // Tags that follow from the position are left out.
            drop(tree.set_tag(name, value.as_str()));
        }
        let moves: Vec<Move> = self.game.moves().collect();
        // The moves of a game are legal.
        drop(tree.add_line(tree.root(), &moves));
        tree
    }
}

/// Games, the last used one first.
#[derive(Default)]
pub(crate) struct Games {
    games: Vec<(u64, Record)>,
    /// The number of games that were begun.
    begun: u64,
}

impl Games {
    /// Keeps a game; returns its handle.
    pub(crate) fn add(&mut self, record: Record) -> String {
        self.begun += 1;
        self.games.truncate(MOST_GAMES - 1);
        self.games.insert(0, (self.begun, record));
        handle(self.begun)
    }

    /// The game of a handle.
    pub(crate) fn get(&mut self, name: &str) -> Result<&mut Record, String> {
        let number =
            name.strip_prefix('g').and_then(|number| number.parse().ok()).filter(|&number| handle(number) == name);
        let known = number.filter(|number| (1..=self.begun).contains(number));
        let Some(number) = known else {
            return Err(format!("there is no game '{}'; new_game begins one and gives its handle", Excerpt::new(name)));
        };
        let Some(place) = self.games.iter().position(|(known, _)| *known == number) else {
            return Err(format!(
                "game '{name}' is not kept any more: only the last {MOST_GAMES} used ones are; begin it again \
                 with new_game"
            ));
        };
        self.games[..=place].rotate_right(1);
        // It is the first now.
        Ok(&mut self.games[0].1)
    }
}

fn handle(number: u64) -> String {
    format!("g{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_unused_for_the_longest_time_goes_and_its_handle_says_so() {
        let mut games = Games::default();
        let first = games.add(Record::new(Game::default()));
        for _ in 1..MOST_GAMES {
            games.add(Record::new(Game::default()));
        }
        games.get(&first).unwrap().play(&["e4".to_owned()]).unwrap();
        let last = games.add(Record::new(Game::default()));
        assert_eq!(games.get(&first).unwrap().game.moves().len(), 1);
        assert_eq!(games.get(&last).unwrap().game.moves().len(), 0);
        assert!(games.get("g2").err().unwrap().contains("not kept any more"));
        for bad in ["", "g", "g0", "g01", "g+1", "g999", "1", "G1", "g1 ", &"g".repeat(10_000)] {
            let error = games.get(bad).err().unwrap();
            assert!(error.contains("there is no game") && error.len() < 300, "{error}");
        }
    }

    #[test]
    fn moves_are_played_all_or_none() {
        let mut record = Record::new(Game::default());
        let play =
            |record: &mut Record, text: &str| record.play(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let error = play(&mut record, "e4 e5 Ke3").unwrap_err();
        assert!(error.contains("move 3 of 3: 'Ke3'") && error.contains("Nothing was played"), "{error}");
        assert_eq!(record.game.moves().len(), 0);
        play(&mut record, "e2e4 e5 Nf3 b8c6").unwrap();
        assert_eq!(record.game.moves().len(), 4);
        let error = play(&mut record, "e4").unwrap_err();
        assert!(error.contains("legal moves are") && error.contains("Bb5"), "{error}");
    }

    #[test]
    fn illegal_games_are_refused() {
        for (pgn, why) in
            [("", "no game"), ("1. e4 e5 2. Ke3", "Ke3"), ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "king")]
        {
            let error = Record::of_pgn(pgn).err().unwrap();
            assert!(error.contains(why), "{error}");
        }
        assert!(Record::of_fen("8/8/8/8/8/8/8/8 w - - 0 1").err().unwrap().contains("king"));
        assert!(Record::of_fen(&"8/".repeat(1_000)).err().unwrap().contains("at most"));
    }
}
