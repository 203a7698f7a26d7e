//! Rates engines from the games of journals and PGN files.

use crate::crosstable::CrossTable;
use crate::journal;
use crate::repeats::Repeats;
use bartizan_files::journal::JournalError;
use bartizan_notation::pgn::{
    GameResult, PgnError, PgnErrorKind, PgnGame, PgnProblemKind, PgnReader, Strictness, begins_like_pgn,
};
use bartizan_parallel::StopFlag;
use bartizan_stats::{Anchor, GameScore, Ladder, LadderError, Rating, WdlCounts};
use bartizan_types::Escaped;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Number of bytes at the beginning of a file that identify its kind.
const START: u64 = 4_096;

/// Why the games of a file cannot be rated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatedGamesError {
    /// The file cannot be read.
    #[error("cannot read '{}'", Escaped(path.display()))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is something else.
    #[error("'{}' is neither a journal of 'match' nor a PGN file", Escaped(.0.display()))]
    Foreign(PathBuf),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A fault of the PGN file may hide games after it.
    #[error("invalid PGN '{}'", Escaped(path.display()))]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: PgnError,
    },
}

/// The results of games between engines, which are identified by name. A game that occurs in several files counts once.
///
/// ```
/// use bartizan_match::RatedGames;
/// use bartizan_parallel::StopFlag;
///
/// let mut games = RatedGames::of(1);
/// let pgn = "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n[White \"b\"]\n[Black \"a\"]\n\n1. d4 d5 1-0\n";
/// games.read("two.pgn".as_ref(), pgn.as_bytes(), &StopFlag::new(), |_| {})?;
/// let ratings = games.rate(None)?;
/// assert_eq!((ratings[0].elo, ratings[1].elo), (0.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct RatedGames {
    /// Results between two engines, by name.
    results: BTreeMap<(String, String), WdlCounts>,
    /// The first engine of the first file.
    first: Option<String>,
    /// Finds games that occur in several files; unused for a single file.
    repeats: Option<Repeats>,
    cut: Vec<PathBuf>,
}

impl RatedGames {
    /// No games yet, from `files` files. With a single file, duplicates are not looked for.
    pub fn of(files: usize) -> Self {
        Self { repeats: (files > 1).then(Repeats::default), ..Self::default() }
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The journals that end within a line; the game of that line is lost.
    pub fn cut_files(&self) -> &[PathBuf] {
        &self.cut
    }

    /// The number of games that also occurred in an earlier file and were not counted again.
    pub fn repeated(&self) -> usize {
        self.repeats.as_ref().map_or(0, Repeats::repeated)
    }

    /// Rates the engines, with the first engine of the first file at 0 Elo unless there is another anchor.
    ///
    /// # Errors
    /// [`LadderError`].
    pub fn rate(&self, anchor: Option<Anchor>) -> Result<Vec<Rating>, LadderError> {
        let mut ladder = Ladder::new();
        for ((white, black), games) in &self.results {
            ladder.add(white, black, *games);
        }
        let usual = || Anchor { name: self.first.clone().unwrap_or_default(), elo: 0.0 };
        ladder.rate(&anchor.unwrap_or_else(usual))
    }

    /// The crosstable of the engines; those with equal scores and tie-breaks are in alphabetical order.
    pub fn crosstable(&self) -> CrossTable {
        let names: BTreeSet<&String> = self.results.keys().flat_map(|(white, black)| [white, black]).collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        let as_white = |white: usize, black: usize| {
            self.results.get(&(names[white].clone(), names[black].clone())).copied().unwrap_or_default()
        };
        CrossTable::new(names.clone(), |first, second| as_white(first, second) + as_white(second, first).reversed())
    }

    fn add(&mut self, white: String, black: String, score: GameScore, game: Option<&PgnGame>) {
        self.first.get_or_insert_with(|| white.clone());
        if let (Some(repeats), Some(game)) = (&mut self.repeats, game)
            && !repeats.is_new(&white, &black, game)
        {
            return;
        }
        self.results.entry((white, black)).or_default().add_game(score);
    }

    /// Adds the finished games of an open file: a journal, or a PGN file by its name or its beginning. `path` names it
    /// in errors. A fault that spoils a single PGN game is passed to `on_fault`. After a stop, the rest of a PGN file
    /// is not read.
    ///
    /// # Errors
    /// [`RatedGamesError`].
    pub fn read(
        &mut self,
        path: &Path,
        mut file: impl Read,
        stop: &StopFlag,
        on_fault: impl FnMut(&PgnError),
    ) -> Result<(), RatedGamesError> {
        if let Some(repeats) = &mut self.repeats {
            repeats.begin_file();
        }
        let mut start = Vec::new();
        if let Err(source) = file.by_ref().take(START).read_to_end(&mut start) {
            return Err(RatedGamesError::Read { path: path.to_owned(), source });
        }
        let is_pgn = bartizan_files::has_extension(path, "pgn") || !start.is_empty() && begins_like_pgn(&start);
        let file = start.as_slice().chain(file);
        if is_pgn {
            self.read_pgn(path, file, stop, on_fault)
        } else if start.is_empty() || start.starts_with(b"{") {
            self.read_journal(path, file)
        } else {
            Err(RatedGamesError::Foreign(path.to_owned()))
        }
    }

    fn read_journal(&mut self, path: &Path, file: impl Read) -> Result<(), RatedGamesError> {
        let journal::JournalContent { settings, games, is_cut, .. } = journal::read_from(path, file)?;
        if is_cut {
            self.cut.push(path.to_owned());
        }
        self.first.get_or_insert_with(|| settings.label(0));
        let engines = 0..settings.engines.len();
        for game in games.iter().filter(|game| engines.contains(&game.white) && engines.contains(&game.black)) {
            // `match` wrote the journal, so an unreadable game is simply not compared with others.
            let read = || PgnReader::new(game.pgn.as_bytes()).next()?.ok();
            let moves = self.repeats.as_ref().and_then(|_| read());
            let (white, black) = (settings.label(game.white), settings.label(game.black));
            self.add(white, black, game.score(game.white), moves.as_ref());
        }
        Ok(())
    }

    fn read_pgn(
        &mut self,
        path: &Path,
        file: impl Read,
        stop: &StopFlag,
        mut on_fault: impl FnMut(&PgnError),
    ) -> Result<(), RatedGamesError> {
        for game in PgnReader::new(BufReader::new(file)).strictness(Strictness::Moves) {
            if stop.is_stopped() {
                break;
            }
            let game = match game {
                Ok(game) => game,
                Err(error) if !hides_games(&error.kind) => {
                    on_fault(&error);
                    continue;
                }
                Err(source) => return Err(RatedGamesError::Pgn { path: path.to_owned(), source }),
            };
            let tag = |name: &str| game.tag(name).map(str::to_owned);
            let (Some(white), Some(black)) = (tag("White"), tag("Black")) else { continue };
            let score = match game.result {
                GameResult::WhiteWins => GameScore::Win,
                GameResult::BlackWins => GameScore::Loss,
                GameResult::Draw => GameScore::Draw,
                _ => continue,
            };
            self.add(white, black, score, Some(&game));
        }
        Ok(())
    }
}

/// Whether a fault may hide further games: an unterminated comment does.
fn hides_games(fault: &PgnErrorKind) -> bool {
    matches!(
        fault,
        PgnErrorKind::Io(_) | PgnErrorKind::TooLong(_) | PgnErrorKind::Problem(PgnProblemKind::UnterminatedComment)
    )
}
