//! Files of self-play games, in the format of [`bartizan_games::selfplay`] or PGN.
//!
//! A file records its settings. A game is written as soon as it and all earlier games have ended. An incomplete game at
//! the end is removed when the file is resumed.

use super::pgn::{UnfinishedPgn, header, pgn};
use super::play::{self, FinishedGame};
use super::{Openings, SelfplaySettings};
use crate::error::{Cause, Error, FileAction};
use bartizan_engine::SingleThreadedEngine;
use bartizan_files::Syncer;
use bartizan_games::selfplay::{GameWriter, ScoredMove, SelfplayGame, Unfinished, is_selfplay};
use bartizan_parallel::StopFlag;
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// PGN with the score and depth of each move as a comment.
    Pgn,
    /// The format of [`bartizan_games::selfplay`].
    Binary,
}

impl FileFormat {
    /// The format for a file name.
    pub fn of(path: &Path) -> Self {
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn { Self::Pgn } else { Self::Binary }
    }
}

/// A file open for more games.
#[derive(Debug)]
pub(super) struct GameFile {
    path: PathBuf,
    writer: Writer,
    syncer: Syncer,
}

impl Drop for GameFile {
    fn drop(&mut self) {
        // Each game has been written; a disk that fails now has nowhere to be reported.
        let _ = self.syncer.finish(self.writer.file());
    }
}

#[derive(Debug)]
enum Writer {
    Binary(GameWriter<File>),
    Pgn(File),
}

impl Writer {
    fn file(&self) -> &File {
        match self {
            Self::Binary(writer) => writer.get_ref(),
            Self::Pgn(file) => file,
        }
    }
}

impl GameFile {
    /// Begins a file; fails if it exists.
    pub(super) fn create(path: &Path, format: FileFormat, settings: &SelfplaySettings) -> Result<Self, Error> {
        let settings = settings.to_text()?;
        let writer = begin(path, format, &settings).map_err(FileAction::Create.failed(path))?;
        Ok(Self { path: path.to_owned(), writer, syncer: Syncer::default() })
    }

    /// Appends a game. A power cut costs the games of at most a second: see [`Syncer`].
    pub(super) fn write(&mut self, game: &FinishedGame) -> Result<(), Error> {
        let mut write = || -> Result<(), Cause> {
            match &mut self.writer {
                Writer::Binary(writer) => writer.append(&record(game)?)?,
                Writer::Pgn(file) => bartizan_files::append(file, pgn(game).to_string().as_bytes())?,
            }
            Ok(self.syncer.appended(self.writer.file())?)
        };
        write().map_err(FileAction::Append.failed(&self.path))
    }
}

/// Creates a file with its header, or no file.
fn begin(path: &Path, format: FileFormat, settings: &str) -> Result<Writer, Cause> {
    Ok(match format {
        FileFormat::Binary => {
            let header = GameWriter::with_settings(Vec::new(), settings)?.into_inner();
            Writer::Binary(Unfinished::open(bartizan_files::create(path, &header)?)?.resume()?)
        }
        FileFormat::Pgn => Writer::Pgn(bartizan_files::create(path, header(settings).as_bytes())?),
    })
}

/// A file that already has games, not yet modified.
#[derive(Debug)]
pub struct ExistingFile {
    path: PathBuf,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Binary(Unfinished),
    Pgn(UnfinishedPgn),
}

/// The start of a game in a file.
struct GameStart {
    id: usize,
    start: Position,
    moves: Vec<Move>,
}

/// How the first games of a file compare with those that the settings produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesComparison {
    /// The games start alike, and the engine repeats the first one.
    Same,
    /// The engine plays the first game differently.
    OtherMoves,
    /// The game with this number does not start as these settings make it.
    OtherStart(usize),
}

/// Number of games whose start is checked.
const CHECKED: usize = 5;

/// Number of moves of the first game that are replayed.
const REPLAYED: usize = 8;

impl ExistingFile {
    /// Opens a file. Without a format, detects it.
    ///
    /// # Errors
    /// If the file cannot be read, another process writes to it, or it is not a file of self-play games.
    pub fn open(path: &Path, format: Option<FileFormat>) -> Result<Self, Error> {
        let open = || -> Result<Content, Cause> {
            bartizan_files::check_regular(path)?;
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            bartizan_files::claim(&file)?;
            let mut first = Vec::new();
            (&mut file).take(8).read_to_end(&mut first)?;
            let found = match first.first() {
                _ if is_selfplay(&first) => FileFormat::Binary,
                None => format.unwrap_or_else(|| FileFormat::of(path)),
                Some(b'[' | b'%') => FileFormat::Pgn,
                Some(_) => FileFormat::Binary,
            };
            if format.is_some_and(|format| format != found) {
                return Err("it has another format".into());
            }
            Ok(match found {
                FileFormat::Binary => Content::Binary(Unfinished::open(file)?),
                FileFormat::Pgn => Content::Pgn(UnfinishedPgn::open(file)?),
            })
        };
        Ok(Self { path: path.to_owned(), content: open().map_err(FileAction::Resume.failed(path))? })
    }

    /// The settings of the file; files of older versions have none.
    ///
    /// # Errors
    /// If another version wrote them.
    pub fn settings(&self) -> Result<Option<SelfplaySettings>, Error> {
        let text = match &self.content {
            Content::Binary(file) => file.settings(),
            Content::Pgn(file) => file.settings(),
        };
        text.map(SelfplaySettings::parse).transpose().map_err(FileAction::Resume.failed(&self.path))
    }

    /// Whether the file ends before its first game could begin.
    pub(super) fn is_cut(&self) -> bool {
        match &self.content {
            Content::Binary(file) => file.is_cut(),
            Content::Pgn(file) => file.is_cut(),
        }
    }

    /// The numbers of the complete games.
    pub(super) fn ids(&self) -> HashSet<usize> {
        match &self.content {
            Content::Binary(file) => file.ids().iter().map(|&id| id as usize).collect(),
            Content::Pgn(file) => file.ids.iter().copied().collect(),
        }
    }

    /// Compares the first games with those that settings and their openings make. Meant for files without settings.
    ///
    /// # Errors
    /// If a game is invalid, or if no engine can be started.
    pub fn compare(
        &mut self,
        settings: &SelfplaySettings,
        openings: &Openings,
        stop: &StopFlag,
    ) -> Result<GamesComparison, Error> {
        let mut first = None;
        for game in self.first_games(CHECKED)? {
            let opening = openings.get(game.id / 2);
            let Some(start) = play::find_start(&opening, settings, game.id, &game.start) else {
                return Ok(GamesComparison::OtherStart(game.id));
            };
            first.get_or_insert((start, game.moves));
        }
        let Some((start, mut moves)) = first else { return Ok(GamesComparison::Same) };
        moves.truncate(REPLAYED);
        let mut engine = SingleThreadedEngine::new(settings.hash, settings.model()?)?;
        let is_same = play::replay(&mut engine, settings, start, &moves, stop);
        Ok(if is_same { GamesComparison::Same } else { GamesComparison::OtherMoves })
    }

    /// The first games, at most `most`.
    fn first_games(&mut self, most: usize) -> Result<Vec<GameStart>, Error> {
        Ok(match &mut self.content {
            Content::Binary(file) => {
                let of = |game: SelfplayGame| GameStart {
                    id: game.id as usize,
                    start: game.start,
                    moves: game.moves.iter().map(|scored| scored.mv).collect(),
                };
                let games = file.first_games(most).map_err(FileAction::Resume.failed(&self.path))?;
                games.into_iter().map(of).collect()
            }
            Content::Pgn(file) => {
                let of = |(game, &id): (&bartizan_notation::pgn::PgnGame, &usize)| GameStart {
                    id,
                    start: game.start.clone(),
                    moves: game.moves.iter().map(|mv| mv.mv).collect(),
                };
                file.games.iter().zip(&file.ids).take(most).map(of).collect()
            }
        })
    }

    /// Continues the file, or begins it if it is cut. If `settings` differ from those in the file, they replace them.
    pub(super) fn resume(self, settings: &SelfplaySettings, is_changed: bool) -> Result<GameFile, Error> {
        let (is_cut, settings) = (self.is_cut(), settings.to_text()?);
        let resume = || -> Result<Writer, Cause> {
            Ok(match self.content {
                Content::Binary(file) if is_cut => Writer::Binary(file.begin(Some(&settings))?),
                Content::Binary(mut file) => {
                    if is_changed {
                        file.change_settings(&settings)?;
                    }
                    Writer::Binary(file.resume()?)
                }
                Content::Pgn(file) if is_cut => Writer::Pgn(file.begin(&settings)?),
                Content::Pgn(mut file) => {
                    if is_changed {
                        file.change_settings(&settings)?;
                    }
                    Writer::Pgn(file.resume()?)
                }
            })
        };
        let writer = resume().map_err(FileAction::Resume.failed(&self.path))?;
        Ok(GameFile { path: self.path, writer, syncer: Syncer::default() })
    }
}

fn record(game: &FinishedGame) -> Result<SelfplayGame, Cause> {
    let score = |value: Value| value.0.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    let moves = game.moves.iter().map(|scored| ScoredMove { mv: scored.mv, score: score(scored.value) });
    Ok(SelfplayGame {
        id: u32::try_from(game.id).map_err(|_| "game number out of range")?,
        start: game.start.clone(),
        moves: moves.collect(),
        winner: game.winner,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_engine::SearchedMove;
    use bartizan_games::selfplay::{GameReader, ReadError};
    use bartizan_types::Color;

    fn games() -> Vec<FinishedGame> {
        let start = Position::startpos();
        let searched =
            |text: &str, value| SearchedMove { mv: start.parse_uci(text).unwrap(), value: Value(value), depth: 7 };
        let finished = |(id, winner)| FinishedGame {
            id,
            start: start.clone(),
            moves: vec![searched("e2e4", 31_990 - id as i32)],
            winner,
        };
        [Some(Color::White), None, Some(Color::Black)].into_iter().enumerate().map(finished).collect()
    }

    fn settings() -> SelfplaySettings {
        let engine = r#"{"version":"1","searches":"00"}"#;
        let text = format!(
            r#"{{"games":3,"nodes":100,"random_plies":8,"balance":400,"win_score":2000,"adjudicate_draws":false,
            "max_plies":400,"seed":1,"hash":4,"engine":{engine}}}"#
        );
        SelfplaySettings::parse(&text).unwrap()
    }

    /// What a power cut can do to content that was not synchronised: it is lost, kept, halved, or full of zeros.
    fn after_power_cut(now: &[u8], synced: usize) -> [Vec<u8>; 4] {
        let half = synced + (now.len() - synced) / 2;
        let zeros = vec![0; now.len() - synced];
        [now[..synced].to_vec(), now.to_vec(), now[..half].to_vec(), [&now[..synced], &zeros].concat()]
    }

    /// Whatever state a power cut leaves after any operation, the file holds the first games, at least those that were
    /// synchronised, and the others can be added.
    #[test]
    fn a_power_cut_costs_no_synchronised_game() {
        for format in [FileFormat::Binary, FileFormat::Pgn] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games");
            let mut file = GameFile::create(&path, format, &settings()).unwrap();
            // The file appears with its header, which is on the disk.
            let mut synced = (std::fs::read(&path).unwrap().len(), 0);
            let mut states = after_power_cut(&std::fs::read(&path).unwrap(), synced.0).map(|state| (state, 0)).to_vec();
            for (number, game) in (1..).zip(games()) {
                file.write(&game).unwrap();
                let now = std::fs::read(&path).unwrap();
                // Before the game is synchronised, and after it, if it was.
                states.extend(after_power_cut(&now, synced.0).map(|state| (state, synced.1)));
                if !file.syncer.is_due() {
                    synced = (now.len(), number);
                    states.push((now, number));
                }
            }
            assert!(synced.1 > 0, "no game was synchronised");
            drop(file);
            let complete = std::fs::read(&path).unwrap();
            for (state, least) in states {
                std::fs::write(&path, &state).unwrap();
                let file = ExistingFile::open(&path, None).unwrap();
                let found = file.ids().len();
                assert!(found >= least && file.ids() == (0..found).collect(), "{format:?}: {:?}", file.ids());
                if format == FileFormat::Binary {
                    // A reader of a file that is being written finds the same games.
                    let mut reader = GameReader::new(state.as_slice()).unwrap();
                    assert_eq!(reader.by_ref().map_while(Result::ok).count(), found);
                    let is_cut = |error| matches!(error, Some(Err(ReadError::Incomplete { .. })));
                    let last = GameReader::new(state.as_slice()).unwrap().nth(found);
                    assert!(last.is_none() || is_cut(last));
                }
                let mut file = file.resume(&settings(), false).unwrap();
                games().into_iter().skip(found).for_each(|game| file.write(&game).unwrap());
                drop(file);
                assert_eq!(std::fs::read(&path).unwrap(), complete, "{format:?}");
            }
        }
    }

    /// Cut the file at any byte: the complete games stay, none is written twice, and the rest can be added.
    #[test]
    fn a_file_cut_anywhere_is_resumed() {
        for format in [FileFormat::Binary, FileFormat::Pgn] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games");
            let mut file = GameFile::create(&path, format, &settings()).unwrap();
            for game in games() {
                file.write(&game).unwrap();
            }
            drop(file);
            assert!(GameFile::create(&path, format, &settings()).is_err());
            let complete = std::fs::read(&path).unwrap();
            for cut in 0..=complete.len() {
                std::fs::write(&path, &complete[..cut]).unwrap();
                let file = ExistingFile::open(&path, (cut == 0).then_some(format)).unwrap();
                assert_eq!(file.settings().unwrap(), (!file.is_cut()).then(settings), "{format:?} cut at {cut}");
                let done = file.ids();
                assert_eq!(std::fs::read(&path).unwrap(), complete[..cut], "{format:?} cut at {cut}");
                let mut file = file.resume(&settings(), false).unwrap();
                for game in games().into_iter().filter(|game| !done.contains(&game.id)) {
                    file.write(&game).unwrap();
                }
                drop(file);
                assert_eq!(std::fs::read(&path).unwrap(), complete, "{format:?} cut at {cut}");
            }
            // A new number of games replaces the old one.
            let more = SelfplaySettings { games: 123_456, ..settings() };
            drop(ExistingFile::open(&path, None).unwrap().resume(&more, true).unwrap());
            let mut file = ExistingFile::open(&path, None).unwrap();
            assert_eq!(file.settings().unwrap(), Some(more));
            assert_eq!((file.ids().len(), file.first_games(9).unwrap().len()), (3, 3));
            // Two processes cannot write to one file.
            if cfg!(unix) {
                let error = ExistingFile::open(&path, None).err().unwrap();
                let cause = std::error::Error::source(&error).unwrap().to_string();
                assert!(cause.contains("another process"), "{cause}");
            }
        }
    }

    #[test]
    fn files_of_others_are_refused_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let ours = games().iter().map(|game| pgn(game).to_string()).collect::<String>();
        for text in [
            "text",
            "[Event",
            "[Event \"x\"]\n\n1. e4 e5 *",
            "[Event \"x\"]\n\n1. e4 e5 1-0\n\n",
            "[Event \"Bartizan match\"]\n[Round \"1\"]\n\n1. e4 e5 1-0\n\n",
            &format!("{ours}[Event \"other\"]\n\n1. d4 *\n\n"),
            &format!("{ours}notes"),
            "BZSELF03",
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(ExistingFile::open(&path, None).is_err(), "{text}");
            assert!(ExistingFile::open(&path, Some(FileFormat::Pgn)).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        // A PGN file of an older version has no settings.
        std::fs::write(&path, &ours).unwrap();
        let file = ExistingFile::open(&path, None).unwrap();
        assert_eq!((file.settings().unwrap(), file.ids().len(), file.is_cut()), (None, 3, false));
    }
}
