//! The log of games played: a PGN file, and a journal beside it for each game in progress.
//!
//! Each move is appended to the journal as a whole line, so that a process killed at any moment, or a full disk, loses
//! at most the last move. The journal is locked while its process lives. Opening the log turns unlocked journals into
//! games of the PGN file. Before a game is appended, its journal records the length of the PGN file. So a game is in
//! the file exactly once, even if it was appended only in part, or if a process was killed before it removed the
//! journal.
//!
//! The PGN file has a separate lock, which another process may hold. No move waits for it: only the end of a game needs
//! it, and a thread waits there.

use crate::background::Background;
use crate::files::{Lock, check_writable, with_suffix};
use bartizan_files::ZeroGuard;
use bartizan_files::check_kind;
use bartizan_notation::pgn::{GameResult, PgnGame, begins_like_pgn, game_separator_at};
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Date, Escaped, Move, UciMove, Variant};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

const HEADER: &str = "bartizan-journal 1";
/// Starts a journal line with the length of the PGN file just before the game is appended.
const APPEND: &str = "append ";
const JOURNAL_END: &str = ".journal";
/// Suffix of a journal's name until it is locked.
const UNNAMED_END: &str = ".new";
/// The age at which a journal that still has the suffix belongs to a killed process: it is normally renamed within
/// microseconds.
const ABANDONED: Duration = Duration::from_secs(60);

/// The players of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
}

impl Players {
    /// The engine, under its name, with its colour, and its opponent.
    pub fn new(engine: Color, opponent: &str) -> Self {
        let (white, black) =
            if engine.is_white() { (bartizan_engine::NAME, opponent) } else { (opponent, bartizan_engine::NAME) };
        Self { white: white.to_owned(), black: black.to_owned() }
    }
}

/// A log of games: see [`Config::game_log`](crate::Config::game_log).
#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    current: Option<Journal>,
    /// Appends finished games to the PGN file.
    background: Background<io::Result<()>>,
    /// Problems with journals when the log was opened.
    faults: Vec<io::Error>,
}

/// The journal of a game in progress.
#[derive(Debug)]
struct Journal {
    file: File,
    path: PathBuf,
    start: Position,
    players: Players,
    moves: Vec<Move>,
}

impl GameLog {
    /// Opens a log. Its file is created when the first game ends. Unfinished games of other processes are added.
    ///
    /// # Errors
    /// If the file or its folder cannot be written, or if an existing file is not a PGN file.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        check_writable(&path)?;
        check_kind(&path, "a PGN file", begins_like_pgn)?;
        let faults = recover(&path, &Lock::acquire(&path)?)?;
        Ok(Self { path, current: None, background: Background::default(), faults })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Updates the journal to the current state of a game, in which moves may have been played or taken back. A
    /// different game ends the previous one, like [`GameLog::end_in_background`]. A game is different if it has another
    /// start position or first move, if more than one move of each side would have been taken back, or any move if the
    /// players differ. Waits for no lock.
    ///
    /// # Errors
    /// If a file cannot be written. The next call writes what is missing.
    pub fn note(&mut self, game: &Game, variant: Variant, players: &Players) -> io::Result<()> {
        if self.current.as_ref().is_some_and(|journal| !journal.is_of(game, players)) {
            self.end_in_background(GameResult::Unknown, "")?;
        }
        if self.current.is_none() {
            self.current = Some(self.begin(game, variant, players)?);
        }
        self.current.as_mut().map_or(Ok(()), |journal| journal.follow(game))
    }

    /// Appends the current game, if there is one, to the PGN file.
    ///
    /// # Errors
    /// If a file cannot be written. The journal is kept, and opening the log again appends the game.
    pub fn end(&mut self, result: GameResult, reason: &str) -> io::Result<()> {
        self.take_ended(result, reason)?.map_or(Ok(()), |journal| finish(&self.path, journal))
    }

    /// As [`GameLog::end`], without waiting until the game is appended. Dropping the log waits.
    ///
    /// # Errors
    /// If the journal cannot be written. For the PGN file, see [`GameLog::take_faults`].
    pub fn end_in_background(&mut self, result: GameResult, reason: &str) -> io::Result<()> {
        if let Some(journal) = self.take_ended(result, reason)? {
            let path = self.path.clone();
            self.background.run(move || finish(&path, journal));
        }
        Ok(())
    }

    /// Why games that ended in the background were not appended, since the last call. Their journals are kept, and are
    /// appended when the next game ends or the log is opened again. The first call also returns which files have the
    /// name of a journal but are not one of this version.
    pub fn take_faults(&mut self) -> Vec<io::Error> {
        let mut faults = std::mem::take(&mut self.faults);
        faults.extend(self.background.take_results().into_iter().filter_map(Result::err));
        faults
    }

    /// The journal of the current game, with the result.
    fn take_ended(&mut self, result: GameResult, reason: &str) -> io::Result<Option<Journal>> {
        let Some(mut journal) = self.current.take() else { return Ok(None) };
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
        journal.line(&format!("result {} {reason}", result.as_str()))?;
        Ok(Some(journal))
    }

    fn begin(&self, game: &Game, variant: Variant, players: &Players) -> io::Result<Journal> {
        /// Distinguishes the journals of one process.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let path = with_suffix(&self.path, &format!(".{}-{number}{JOURNAL_END}", std::process::id()));
        // Lock it before it gets its final name: otherwise another process could take it for an abandoned one.
        let unnamed = with_suffix(&path, UNNAMED_END);
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&unnamed)?;
        file.try_lock().map_err(io::Error::from)?;
        std::fs::rename(&unnamed, &path)?;
        let (start, players) = (game.start().clone(), players.clone());
        let mut journal = Journal { file, path, start, players, moves: Vec::new() };
        let name = |name: &str| name.chars().filter(|c| !c.is_control()).take(100).collect::<String>();
        let begun = journal.line(&format!(
            "{HEADER}\nwhite {}\nblack {}\ndate {}\nchess960 {}\nstart {}",
            name(&journal.players.white),
            name(&journal.players.black),
            Date::today().pgn(),
            u8::from(variant == Variant::Chess960),
            game.start().to_fen()
        ));
        if let Err(error) = begun {
            // It is empty. Each move on a full disk would leave another one.
            let _ = std::fs::remove_file(&journal.path);
            return Err(error);
        }
        Ok(journal)
    }
}

/// Appends the game of a journal to the PGN file.
fn finish(path: &Path, mut journal: Journal) -> io::Result<()> {
    let lock = Lock::acquire(path)?;
    // First the games that others have left: part of one may be at the end of the file. Problems with their journals
    // were reported when the log was opened.
    recover(path, &lock)?;
    let text = read(&mut journal.file, &journal.path)?;
    settle(path, &mut journal.file, &journal.path, &text, &lock)
}

/// Appends the games of all unlocked journals to the PGN file. Returns problems with journals of other programs or
/// versions, which are kept.
fn recover(path: &Path, lock: &Lock) -> io::Result<Vec<io::Error>> {
    let mut faults = Vec::new();
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { return Ok(faults) };
    let folder = bartizan_files::folder_of(path);
    let mut left = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let other = entry.file_name().to_string_lossy().into_owned();
        let Some(rest) = other.strip_prefix(&name).filter(|_| entry.path().is_file()) else { continue };
        if rest.strip_suffix(UNNAMED_END).is_some_and(is_journal) {
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
            if age.is_some_and(|age| age > ABANDONED) {
                // Another process may have just removed it.
                let _ = std::fs::remove_file(entry.path());
            }
        } else if is_journal(rest) {
            // Another process may have just removed it, or hold its lock.
            let Ok(mut file) = File::options().read(true).write(true).open(entry.path()) else { continue };
            if file.try_lock().is_err() {
                continue;
            }
            match read(&mut file, &entry.path()) {
                Ok(text) => left.push((file, entry.path(), text)),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => faults.push(error),
                Err(error) => return Err(error),
            }
        }
    }
    // Part of a game may be at the end of the file: that one comes first.
    left.sort_by_cached_key(|(_, path, text)| (begun_at(text).is_none(), path.clone()));
    for (mut file, journal, text) in left {
        settle(path, &mut file, &journal, &text, lock)?;
    }
    Ok(faults)
}

/// Whether the name of a file beside the log is that of a journal, given the part after the log's name:
/// `.PID-NUMBER.journal`.
fn is_journal(rest: &str) -> bool {
    let numbers = rest.strip_prefix('.').and_then(|rest| rest.strip_suffix(JOURNAL_END)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// The complete lines of a journal; an incomplete last line was cut off, and is removed. Anything other than a journal
/// of this version is an error, and is left unchanged.
fn read(journal: &mut File, path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    journal.seek(SeekFrom::Start(0))?;
    ZeroGuard::new(&mut *journal).read_to_end(&mut bytes)?;
    let header = format!("{HEADER}\n");
    if !header.as_bytes().starts_with(&bytes[..bytes.len().min(header.len())]) {
        let text = format!("'{}' is not a journal of this version and is kept", Escaped(path.display()));
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if complete < bytes.len() {
        bytes.truncate(complete);
        journal.set_len(complete as u64)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Appends the game of a journal to the PGN file and deletes the journal.
fn settle(pgn: &Path, journal: &mut File, path: &Path, text: &str, _lock: &Lock) -> io::Result<()> {
    if let Some(game) = parse_journal(text).filter(|game| !game.moves.is_empty()) {
        append(pgn, &game.to_string(), journal, begun_at(text))?;
    }
    std::fs::remove_file(path)
}

/// The length of the PGN file when a process began to append the journal's game.
fn begun_at(text: &str) -> Option<u64> {
    text.lines().rev().find_map(|line| line.strip_prefix(APPEND)?.parse().ok())
}

impl Drop for GameLog {
    fn drop(&mut self) {
        // After the earlier games. If this fails, opening the log again finds the journal.
        let _ = self.end_in_background(GameResult::Unknown, "");
    }
}

/// Appends a game to a file, after an empty line. If an earlier attempt started at a known length, and only part or all
/// of the game follows there, that is replaced.
fn append(path: &Path, game: &str, journal: &mut File, begun: Option<u64>) -> io::Result<()> {
    let mut file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let mut kept = length;
    let mut text = None;
    if let Some(begun) = begun.filter(|&begun| begun <= length && length - begun <= 2 + game.len() as u64) {
        let begun_text = format!("{}{game}", game_separator_at(&mut file, begun)?);
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(begun))?;
        file.read_to_end(&mut part)?;
        if begun_text.as_bytes().starts_with(&part) {
            (kept, text) = (begun, Some(begun_text));
        }
    }
    let text = match text {
        Some(text) => text,
        None => format!("{}{game}", game_separator_at(&mut file, kept)?),
    };
    if begun != Some(kept) {
        bartizan_files::append(journal, format!("{APPEND}{kept}\n").as_bytes())?;
    }
    file.set_len(kept)?;
    file.seek(SeekFrom::Start(kept))?;
    file.write_all(text.as_bytes())
}

impl Journal {
    /// Whether this journal belongs to the game. Clients need not announce a new game, and many games share their first
    /// moves. Writing a game in two parts is better than losing one.
    fn is_of(&self, game: &Game, players: &Players) -> bool {
        let (common, before) = (self.common(game), self.moves.len());
        let has_same_start = common > 0 || before == 0 || game.moves().len() == 0;
        let most_taken_back = if self.players == *players { 2 } else { 0 };
        self.start == *game.start() && has_same_start && before - common <= most_taken_back
    }

    /// The number of plies before two games diverge.
    fn common(&self, game: &Game) -> usize {
        game.moves().zip(&self.moves).take_while(|(a, b)| a == *b).count()
    }

    fn follow(&mut self, game: &Game) -> io::Result<()> {
        let moves: Vec<Move> = game.moves().collect();
        let common = self.common(game);
        let mut text = String::new();
        for _ in common..self.moves.len() {
            text += "undo\n";
        }
        for mv in &moves[common..] {
            // Castling as king takes rook is unambiguous in every variant.
            text += &format!("move {}\n", mv.to_uci(Variant::Chess960));
        }
        if !text.is_empty() {
            self.line(text.trim_end())?;
            self.moves = moves;
        }
        Ok(())
    }

    /// Appends a whole line, or nothing.
    fn line(&mut self, text: &str) -> io::Result<()> {
        bartizan_files::append(&mut self.file, format!("{text}\n").as_bytes())
    }
}

/// The game of a journal's complete lines, up to the first invalid one; `None` if its beginning is incomplete.
fn parse_journal(text: &str) -> Option<PgnGame> {
    let mut tags = vec![("Event", "Bartizan's game log".to_owned())];
    let (mut chess960, mut result) = (false, None);
    let mut game: Option<Game> = None;
    for line in text.lines().skip(1) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "white" => tags.push(("White", rest.to_owned())),
            "black" => tags.push(("Black", rest.to_owned())),
            "date" => tags.push(("Date", rest.to_owned())),
            "chess960" => chess960 = rest == "1",
            "start" => {
                game = Position::from_fen_with(rest, bartizan_position::Tolerance::ALL).ok().map(Game::new);
            }
            "undo" => drop(game.as_mut()?.pop()),
            "move" => {
                let game = game.as_mut()?;
                let mv = rest.parse().ok().and_then(|mv: UciMove| game.position().resolve_uci(mv).ok());
                if mv.is_none_or(|mv| game.push(mv).is_err()) {
                    break;
                }
            }
            "result" => result = Some(rest.to_owned()),
            "append" => {}
            _ => break,
        }
    }
    let game = game?;
    let mut pgn = PgnGame::new(game.start().clone());
    pgn.chess960 = chess960;
    pgn.moves = game.moves().map(Into::into).collect();
    for (name, value) in tags {
        pgn.set_tag(name, value).ok()?;
    }
    let (word, reason) = result.as_deref().map_or(("*", ""), |text| text.split_once(' ').unwrap_or((text, "")));
    pgn.result = match (word, game.outcome()) {
        ("1-0", _) => GameResult::won_by(Color::White),
        ("0-1", _) => GameResult::won_by(Color::Black),
        ("1/2-1/2", _) => GameResult::Draw,
        // Without a result, the final position decides.
        (_, Some(outcome)) => outcome.into(),
        (_, None) => GameResult::Unknown,
    };
    let termination = if result.is_some() { reason } else { "abandoned" };
    if !termination.is_empty() {
        pgn.set_tag("Termination", termination).ok()?;
    }
    Some(pgn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;

    fn players() -> Players {
        Players { white: "A\nB".to_owned(), black: "C".to_owned() }
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for mv in moves.split_whitespace() {
            let mv = game.position().parse_uci(mv).unwrap();
            game.push(mv).unwrap();
        }
        game
    }

    fn games_of(path: &Path) -> Vec<PgnGame> {
        PgnReader::new(&std::fs::read(path).unwrap()[..]).collect::<Result<_, _>>().unwrap()
    }

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn games_are_appended_when_they_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut log = GameLog::open(&path).unwrap();
        for moves in ["e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3", "e2e4 c7c5"] {
            log.note(&game(moves), Variant::Standard, &players()).unwrap();
        }
        assert!(!path.exists());
        log.end(GameResult::Draw, "agreed").unwrap();
        log.end(GameResult::Draw, "agreed").unwrap();
        let games = games_of(&path);
        assert_eq!(games.len(), 1);
        assert_eq!((games[0].moves.len(), games[0].result), (2, GameResult::Draw));
        assert_eq!((games[0].tag("White"), games[0].tag("Termination")), (Some("AB"), Some("agreed")));
        // A different first move means a different game.
        log.note(&game("d2d4"), Variant::Standard, &players()).unwrap();
        log.note(&game("f2f3 e7e5 g2g4 d8h4"), Variant::Standard, &players()).unwrap();
        drop(log);
        let games = games_of(&path);
        assert_eq!(games.len(), 3);
        assert_eq!(games[2].result, GameResult::won_by(Color::Black));
        // The log and its lock file.
        assert_eq!(files(folder.path()), 2);
    }

    #[test]
    fn an_empty_line_separates_the_games() {
        for before in
            ["", "[Event \"x\"]\n\n1. d4 *", "[Event \"x\"]\n\n1. d4 *\n", "[Event \"x\"]\r\n\r\n1. d4 *\r\n\r\n"]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.pgn");
            std::fs::write(&path, before).unwrap();
            let mut log = GameLog::open(&path).unwrap();
            log.note(&game("e2e4"), Variant::Standard, &players()).unwrap();
            drop(log);
            let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            let before = before.replace("\r\n", "\n");
            let separator = if before.is_empty() { "" } else { "\n\n" };
            assert!(text.starts_with(&format!("{}{separator}[Event ", before.trim_end())), "{text}");
        }
    }

    #[test]
    fn the_journal_of_a_killed_process_is_recovered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut log = GameLog::open(&path).unwrap();
        log.note(&game("e2e4 e7e5"), Variant::Standard, &players()).unwrap();
        let journal = log.current.as_ref().unwrap().path.clone();
        let text = std::fs::read_to_string(&journal).unwrap();
        // A locked journal is left alone.
        GameLog::open(&path).unwrap();
        assert!(journal.exists() && !path.exists());
        log.end(GameResult::Draw, "").unwrap();
        // Cut off at any byte: complete lines count.
        let mut lengths = Vec::new();
        for cut in 0..=text.len() {
            std::fs::write(&journal, &text[..cut]).unwrap();
            let _ = std::fs::remove_file(&path);
            GameLog::open(&path).unwrap();
            assert!(!journal.exists());
            lengths.push(if path.exists() { games_of(&path)[0].moves.len() } else { 0 });
        }
        assert!(lengths.is_sorted() && lengths.last() == Some(&2) && lengths.contains(&1), "{lengths:?}");
    }

    #[test]
    fn no_move_waits_for_a_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut log = GameLog::open(&path).unwrap();
        // Another process holds the lock for longer than the timeout.
        let lock = Lock::acquire(&path).unwrap();
        for moves in ["e2e4", "e2e4 e7e5", "d2d4", "d2d4 d7d5"] {
            log.note(&game(moves), Variant::Standard, &players()).unwrap();
        }
        log.end_in_background(GameResult::Draw, "agreed").unwrap();
        log.note(&game("c2c4"), Variant::Standard, &players()).unwrap();
        assert!(!path.exists());
        // The first game is not appended, because the lock is not released in time. Its journal is kept.
        let mut faults = Vec::new();
        while faults.is_empty() {
            faults.extend(log.take_faults());
            std::thread::yield_now();
        }
        assert_eq!(faults[0].kind(), io::ErrorKind::WouldBlock);
        drop(lock);
        // In the end, all three games are in the file, and no journal is left.
        drop(log);
        let games = games_of(&path);
        let mut moves: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
        moves.sort_unstable();
        assert_eq!(moves, [1, 2, 2]);
        assert_eq!(files(folder.path()), 2);
    }

    #[test]
    fn a_journal_without_its_name_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let journal = folder.path().join("games.pgn.1-0.journal.new");
        let file = File::create(&journal).unwrap();
        GameLog::open(&path).unwrap();
        assert!(journal.exists());
        file.set_modified(std::time::SystemTime::now() - 2 * ABANDONED).unwrap();
        GameLog::open(&path).unwrap();
        assert!(!journal.exists());
    }

    #[test]
    fn a_partly_appended_game_is_appended_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut log = GameLog::open(&path).unwrap();
        log.note(&game("d2d4"), Variant::Standard, &players()).unwrap();
        log.end(GameResult::Draw, "").unwrap();
        let first = std::fs::read_to_string(&path).unwrap();
        log.note(&game("e2e4 e7e5"), Variant::Standard, &players()).unwrap();
        let journal = log.current.as_ref().unwrap().path.clone();
        let text = std::fs::read_to_string(&journal).unwrap();
        let text = format!("{text}result 1-0 resigned\n{APPEND}{}\n", first.len());
        log.end(GameResult::won_by(Color::White), "resigned").unwrap();
        let both = std::fs::read_to_string(&path).unwrap();
        for cut in first.len()..=both.len() {
            std::fs::write(&path, &both[..cut]).unwrap();
            std::fs::write(&journal, &text).unwrap();
            GameLog::open(&path).unwrap();
            let now = std::fs::read_to_string(&path).unwrap();
            assert!(now == both, "{cut}: {now}");
        }
        // Another journal, whatever its name, does not come between the parts.
        for name in ["games.pgn.0-0.journal", "games.pgn.99999999-0.journal"] {
            std::fs::write(&path, &both[..first.len() + 20]).unwrap();
            std::fs::write(&journal, &text).unwrap();
            std::fs::write(folder.path().join(name), text.replace("\nappend", "\nlength")).unwrap();
            GameLog::open(&path).unwrap();
            let now = std::fs::read_to_string(&path).unwrap();
            assert_eq!(now, both.clone() + &both[first.len()..]);
        }
    }

    /// A client need not announce a new game.
    #[test]
    fn a_game_with_the_same_first_move_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut log = GameLog::open(&path).unwrap();
        for moves in ["e2e4 e7e5 g1f3 b8c6", "e2e4 e7e5 f1c4", "e2e4 c7c5", "e2e4", "e2e4 e7e5 g1f3 b8c6"] {
            log.note(&game(moves), Variant::Standard, &players()).unwrap();
        }
        log.note(&game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"), Variant::Standard, &players()).unwrap();
        log.note(&game("e2e4 e7e5"), Variant::Standard, &players()).unwrap();
        // Also if both have left their opening long ago.
        log.note(&game("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3"), Variant::Standard, &players()).unwrap();
        log.note(&game("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"), Variant::Standard, &players()).unwrap();
        // With the colours changed.
        let changed = Players { white: players().black, black: players().white };
        log.note(&game("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"), Variant::Standard, &changed).unwrap();
        log.note(&game("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8e7"), Variant::Standard, &players()).unwrap();
        drop(log);
        let lengths: Vec<usize> = games_of(&path).iter().map(|game| game.moves.len()).collect();
        assert_eq!(lengths, [6, 9, 8, 8]);
    }

    #[test]
    fn a_journal_counts_up_to_its_first_wrong_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let journal = folder.path().join("games.pgn.1-0.journal");
        let begin =
            format!("{HEADER}\nwhite A\nblack B\nstart {}\nmove e2e4\nmove e7e5\n", Game::default().start().to_fen());
        for wrong in ["movmove g1f3", "move g1g3", "move", "??", "move g1f3move b8c6"] {
            let _ = std::fs::remove_file(&path);
            std::fs::write(&journal, format!("{begin}{wrong}\nmove g1f3\nresult 1-0\n")).unwrap();
            GameLog::open(&path).unwrap();
            assert_eq!(games_of(&path)[0].moves.len(), 2, "{wrong}");
            assert!(!journal.exists());
        }
    }

    #[test]
    fn files_that_are_no_journals_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = format!("{HEADER}\nwhite A\n");
        let others = [
            ("games.pgn.my.journal", text.as_str()),
            ("games.pgn.journal", &text),
            ("games.pgn.1-x.journal", &text),
            ("games.pgn.1-2.journal", "a diary"),
            ("games.pgn.1-3.journal", "bartizan-journal 2\nwhite A\n"),
            ("games.pgn.x-0.journal.new", ""),
        ];
        for (name, text) in others {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            let old = std::time::SystemTime::now() - 2 * ABANDONED;
            File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        }
        let faults = GameLog::open(&path).unwrap().take_faults();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults.iter().all(|fault| fault.to_string().ends_with("is not a journal of this version and is kept")));
        for (name, text) in others {
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text, "{name}");
        }
    }

    #[test]
    fn a_file_of_another_kind_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        std::fs::write(&path, [0; 32]).unwrap();
        assert_eq!(GameLog::open(&path).unwrap_err().to_string(), "the file exists and is not a PGN file");
        assert_eq!(std::fs::read(&path).unwrap(), [0; 32]);
    }

    /// A game that repeats an earlier one move for move is another game.
    #[test]
    fn the_same_game_again_is_appended_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for number in 1..4 {
            let mut log = GameLog::open(&path).unwrap();
            log.note(&game("e2e4 e7e5"), Variant::Standard, &players()).unwrap();
            let journal = log.current.as_ref().unwrap().path.clone();
            let text = std::fs::read(&journal).unwrap();
            drop(log.current.take());
            // As a killed process would have left it.
            std::fs::write(&journal, text).unwrap();
            drop(log);
            GameLog::open(&path).unwrap();
            assert_eq!(games_of(&path).len(), number);
        }
    }
}
