//! Building books from games.

mod annotations;
mod collect;
mod read;
mod table;
mod weigh;

pub use annotations::{AnnotationError, AnnotationErrorKind};
pub use read::BuildError;

use crate::key::RunningKey;
use crate::{BookEntry, BookError, PolyglotKey, PolyglotMove};
use annotations::Notes;
use bartizan_notation::pgn::{GameResult, PgnGame};
use bartizan_position::Position;
use bartizan_types::{Color, Key};
use collect::{Collector, Place, Tally};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::sync::Arc;
use table::Table;

/// Which moves a book contains.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The number of games in which a move must have been played.
    pub min_count: u32,
    /// The number of plies of each game that count.
    pub max_ply: usize,
    /// The rating that both players must have, by the tags `WhiteElo` and `BlackElo`; 0 for any game. A missing rating
    /// counts as 0.
    pub min_rating: u32,
    /// The memory for counting moves in bytes. When it is full, moves are sorted on disk.
    pub memory: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { min_count: 3, max_ply: 40, min_rating: 0, memory: 512 << 20 }
    }
}

/// Counts of what a builder has read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildCounts {
    /// Games that counted.
    pub games: u64,
    /// Games below the minimum rating.
    pub below_rating: u64,
    /// Moves of the games, with repetitions.
    pub plies: u64,
    /// Different moves in different positions.
    pub moves: u64,
    /// Sorted parts that were written to disk.
    pub parts: u64,
    /// Positions in the book.
    pub positions: u64,
    /// Entries of the book.
    pub entries: u64,
}

/// Builds a book from games.
///
/// The weight of a move is two points for each win of the side that played it and one for each draw, as in Polyglot. A
/// move that has not scored a point is left out. Where a weight of a position would exceed 65,535, the weights of that
/// position are scaled.
///
/// ```
/// use bartizan_book::{Book, Builder, BuildOptions};
/// use bartizan_notation::pgn::PgnReader;
/// use bartizan_position::Position;
///
/// let pgn = "1. e4 e5 1-0 1. e4 c5 1/2-1/2 1. d4 d5 1/2-1/2";
/// let mut options = BuildOptions::default();
/// options.min_count = 1;
/// let mut builder = Builder::new(options, &std::env::temp_dir());
/// for game in PgnReader::new(pgn.as_bytes()) {
///     builder.add_game(&game?)?;
/// }
/// let mut bytes = Vec::new();
/// let counts = builder.finish(|entry| {
///     bytes.extend(entry.to_bytes());
///     Ok(())
/// })?;
/// assert_eq!((counts.games, counts.entries), (3, 4));
/// let book = Book::from_bytes(bytes)?;
/// let weights: Vec<u16> = book.moves(&Position::startpos(), None)?.iter().map(|mv| mv.weight).collect();
/// assert_eq!(weights, [3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    rules: Arc<Rules>,
    collector: Collector,
    notes: Notes,
    counts: BuildCounts,
}

/// The criteria by which moves of a game count.
#[derive(Clone, Debug)]
struct Rules {
    options: BuildOptions,
    /// Keys of positions that no line enters.
    avoided: HashSet<Key>,
}

impl Builder {
    /// A builder without games. `folder` is for temporary files.
    pub fn new(options: BuildOptions, folder: &Path) -> Self {
        let collector = Collector::new(options.memory, folder);
        let rules = Arc::new(Rules { options, avoided: HashSet::new() });
        Self { rules, collector, notes: Notes::default(), counts: BuildCounts::default() }
    }

    /// The options.
    pub fn options(&self) -> &BuildOptions {
        &self.rules.options
    }

    /// Avoids positions: a game ends before the move that leads to one of them, and a handmade move that leads to one
    /// is never played. Call this before reading anything.
    pub fn avoid<'a>(&mut self, positions: impl IntoIterator<Item = &'a Position>) {
        Arc::make_mut(&mut self.rules).avoided.extend(positions.into_iter().map(Position::key));
    }

    /// Reads handmade lines: games with variations, whose comments and glyphs set the weights of moves. All their moves
    /// enter the book, however rare they are in other games. Returns the number of different moves.
    ///
    /// `weight: N` in a comment, with `N` from 0 to 100, sets the weight to that share of the greatest weight of the
    /// position; 0 keeps a move in the book that is never played. `!!` means 100, `!` half more than no glyph, `!?` a
    /// quarter more, `?` and `??` never. An evaluation at the end of a line (`+=`, `$14` and so on) makes the moves of
    /// the side that it favours up to 75 % heavier and those of the other side lighter. A move that occurs in too few
    /// games has half the greatest weight of the position.
    ///
    /// # Errors
    /// [`AnnotationError`] gives the line and the error.
    pub fn annotate(&mut self, text: &str) -> Result<usize, AnnotationError> {
        self.notes = annotations::read(text, &self.rules.avoided)?;
        Ok(self.notes.len())
    }

    /// Counts the moves of a game.
    ///
    /// # Errors
    /// [`io::Error`] if a temporary file cannot be written.
    pub fn add_game(&mut self, game: &PgnGame) -> io::Result<()> {
        let Self { rules, collector, counts, .. } = self;
        rules.read(game, counts, |place, tally| collector.add(place, tally))
    }

    /// Starts a part of the games, which another thread may count. Call [`Builder::avoid`] before.
    pub fn part(&self) -> BuildPart {
        BuildPart { rules: self.rules.clone(), table: Table::default(), counts: BuildCounts::default() }
    }

    /// Adds a part. The order of the parts does not matter.
    ///
    /// # Errors
    /// [`io::Error`] if a temporary file cannot be written.
    pub fn add_part(&mut self, part: BuildPart) -> io::Result<()> {
        let BuildPart { table, counts, .. } = part;
        self.counts.games += counts.games;
        self.counts.below_rating += counts.below_rating;
        self.counts.plies += counts.plies;
        table.scattered().map(table::decode).try_for_each(|(place, tally)| self.collector.add(place, tally))
    }

    /// Passes the entries to `write`, sorted, so that the same games give the same bytes.
    ///
    /// # Errors
    /// Those of `write` and of temporary files.
    pub fn finish(self, mut write: impl FnMut(BookEntry) -> io::Result<()>) -> io::Result<BuildCounts> {
        let Self { rules, collector, notes, mut counts } = self;
        counts.parts = collector.parts() as u64;
        // Handmade moves that no game contains.
        let mut waiting: BTreeSet<Place> = notes.keys().copied().collect();
        let mut group: Vec<(Place, Tally)> = Vec::new();
        let mut close = |group: &mut Vec<(Place, Tally)>| -> io::Result<()> {
            let entries = weigh::weigh(group, &notes, rules.options.min_count);
            counts.positions += u64::from(!entries.is_empty());
            counts.entries += entries.len() as u64;
            counts.moves += group.len() as u64;
            group.clear();
            entries.into_iter().try_for_each(&mut write)
        };
        let mut add = |place: Place, tally: Tally| -> io::Result<()> {
            if group.first().is_some_and(|&((key, _), _)| key != place.0) {
                close(&mut group)?;
            }
            group.push((place, tally));
            Ok(())
        };
        collector.finish()?.each(|place, tally| {
            while let Some(&earlier) = waiting.first().filter(|&&first| first < place) {
                waiting.remove(&earlier);
                add(earlier, Tally::default())?;
            }
            waiting.remove(&place);
            add(place, tally)
        })?;
        for place in waiting {
            add(place, Tally::default())?;
        }
        if !group.is_empty() {
            close(&mut group)?;
        }
        Ok(counts)
    }
}

/// The moves of a part of the games: see [`Builder::part`].
#[derive(Clone, Debug)]
pub struct BuildPart {
    rules: Arc<Rules>,
    table: Table,
    counts: BuildCounts,
}

impl BuildPart {
    /// Counts the moves of a game.
    pub fn add_game(&mut self, game: &PgnGame) {
        let Self { rules, table, counts } = self;
        let Ok(()) = rules.read::<Infallible>(game, counts, |place, tally| {
            while !table.add(place, tally) {
                table.grow();
            }
            Ok(())
        });
    }
}

impl Rules {
    /// Passes the moves of a game to `add`.
    fn read<E>(
        &self,
        game: &PgnGame,
        counts: &mut BuildCounts,
        mut add: impl FnMut(Place, Tally) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.options.min_rating > 0 {
            let rating = |tag| game.tag(tag).and_then(|text| text.trim().parse().ok()).unwrap_or(0_u32);
            if rating("WhiteElo").min(rating("BlackElo")) < self.options.min_rating {
                counts.below_rating += 1;
                return Ok(());
            }
        }
        counts.games += 1;
        let mut position = game.start.clone();
        let mut key = RunningKey::new(&position, game.double_step);
        for mv in game.moves.iter().map(|played| played.mv).take(self.options.max_ply) {
            let place = (key.get(&position).0, PolyglotMove::from(mv).0);
            let tally = Tally { games: 1, points: points(game.result, position.turn()) };
            key.make(&mut position, mv);
            if !self.avoided.is_empty() && self.avoided.contains(&position.key()) {
                break;
            }
            add(place, tally)?;
            counts.plies += 1;
        }
        Ok(())
    }
}

/// The score of a move for the side that played it.
fn points(result: GameResult, mover: Color) -> u32 {
    match (result, mover) {
        (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
        (GameResult::Draw, _) => 1,
        _ => 0,
    }
}

/// Merges books: the weights of a move are added, and scaled where the sum of a position exceeds 65,535. Of several
/// entries of a book with the same move, the one with the greatest weight counts, as for [`Book::moves`]. The learning
/// data of a move comes from the first book that has any. Passes the entries with at least `min_weight` to `write`,
/// sorted, and returns the number of positions and of entries.
///
/// [`Book::moves`]: crate::Book::moves
///
/// # Errors
/// [`BookError`] if a book cannot be read, and the errors of `write`.
pub fn merge(
    books: &[crate::Book],
    min_weight: u32,
    mut write: impl FnMut(BookEntry) -> io::Result<()>,
) -> Result<(u64, u64), BookError> {
    let mut sources = Vec::with_capacity(books.len());
    for book in books {
        sources.push(book.iter().peekable());
    }
    let (mut positions, mut entries) = (0, 0);
    loop {
        // The smallest key of all books.
        let mut least: Option<PolyglotKey> = None;
        for source in &mut sources {
            match source.peek() {
                Some(Ok(entry)) => least = Some(least.map_or(entry.key, |key| key.min(entry.key))),
                Some(Err(_)) => return Err(source.next().and_then(Result::err).unwrap_or(BookError::Empty)),
                None => {}
            }
        }
        let Some(key) = least else { return Ok((positions, entries)) };
        let mut weights: BTreeMap<u16, u64> = BTreeMap::new();
        let mut learnt: BTreeMap<u16, u32> = BTreeMap::new();
        for source in &mut sources {
            let mut own: BTreeMap<u16, BookEntry> = BTreeMap::new();
            while let Some(entry) = source.next_if(|entry| entry.as_ref().is_ok_and(|entry| entry.key == key)) {
                let entry = entry?;
                let known = own.entry(entry.mv.0).or_insert(entry);
                if entry.weight > known.weight {
                    *known = entry;
                }
            }
            for (mv, entry) in own {
                *weights.entry(mv).or_default() += u64::from(entry.weight);
                if entry.learn != 0 {
                    learnt.entry(mv).or_insert(entry.learn);
                }
            }
        }
        let weights = weights.into_iter().filter(|&(_, weight)| weight >= u64::from(min_weight));
        let mut scaled = weigh::scale(key, weights.collect());
        for entry in &mut scaled {
            entry.learn = learnt.get(&entry.mv.0).copied().unwrap_or_default();
        }
        positions += u64::from(!scaled.is_empty());
        entries += scaled.len() as u64;
        scaled.into_iter().try_for_each(&mut write)?;
    }
}

#[cfg(test)]
mod tests;
