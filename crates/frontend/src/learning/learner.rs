//! Learns from searches, and makes what was learnt available to later ones.

use super::{LearningFile, LearningOptions, MOST_RECORDS, Record};
use crate::background::Background;
use crate::files::user_folder;
use bartizan_engine::{LearntPositions, SearchEvent, SearchInfo, SearchResult};
use bartizan_position::{Game, Position};
use bartizan_types::{Bound, Escaped, Key, Ply, Value};
use std::path::PathBuf;
use std::sync::Arc;

/// The file's name in the user's folder.
const FILE_NAME: &str = "learning.epd";

/// The maximum halfmove clock at which results are kept, in plies. From 10 on the search scales the evaluation down, up
/// to here by a ninth.
const LATEST_CLOCK: u16 = 20;

/// Values beyond this count as equally won or lost, in internal centipawns.
const CLEAR: i32 = 2_000;

/// The result of a search, to be compared with that of the next move.
#[derive(Clone, Copy, Debug)]
struct Expectation {
    key: Key,
    /// Number of moves played before the position.
    ply: usize,
    value: Value,
}

/// A search in progress.
#[derive(Debug)]
struct Watched {
    root: Position,
    /// The position before the last move of the game, and the move.
    before: Option<(Position, bartizan_types::Move)>,
    ply: usize,
    /// The value that the engine's previous search, two plies earlier, expected here.
    expected: Option<Value>,
    /// The value of each completed iteration, from depth 1.
    values: Vec<Value>,
    /// Whether to learn from it: not from a search restricted to some moves, or for a mate.
    counts: bool,
    /// The cost of a draw for the side to move.
    contempt: Value,
    /// Whether a position has occurred twice since the last capture or pawn move, so that repeating it again draws.
    is_repeated: bool,
}

impl Watched {
    /// Whether a root value also holds in other games: it depends neither on this game's halfmove clock nor on its
    /// repetitions nor on the value of a draw to the engine.
    fn is_general(&self, value: Value) -> bool {
        let is_drawn_by_contempt = self.contempt != Value::ZERO && value == -self.contempt;
        self.root.halfmove_clock() <= LATEST_CLOCK && !self.is_repeated && !is_drawn_by_contempt
    }
}

/// Hands learnt positions to the searches, and adds surprising search results to the file.
#[derive(Debug, Default)]
pub(crate) struct Learner {
    /// The records of the file.
    learnt: Arc<LearntPositions>,
    /// The file from which they were read.
    loaded: Option<PathBuf>,
    watched: Option<Watched>,
    last: Option<Expectation>,
    /// Adds records to the file in the background, because another process may hold its lock and a move must not wait
    /// for the disk.
    background: Background<Added>,
}

/// The result of adding records to a file.
#[derive(Debug)]
struct Added {
    path: PathBuf,
    file: Option<LearningFile>,
    notes: Vec<String>,
}

/// The file of the records; `None` if none is set and the user has no folder.
fn path_of(options: &LearningOptions) -> Option<PathBuf> {
    options.file.clone().or_else(|| user_folder().map(|folder| folder.join(FILE_NAME)))
}

impl Learner {
    /// Starts a new game, and reads the file again.
    pub(crate) fn new_game(&mut self, options: &LearningOptions, notes: &mut Vec<String>) {
        self.loaded = None;
        self.last = None;
        self.watched = None;
        self.prepare(options, notes);
    }

    /// Reads the file, unless it has been read, so that no search waits for it.
    pub(crate) fn prepare(&mut self, options: &LearningOptions, notes: &mut Vec<String>) {
        let path = path_of(options).filter(|path| options.enabled && self.loaded.as_ref() != Some(path));
        if let Some(path) = path {
            self.load(path, notes);
        }
    }

    /// What was learnt, for the next search; `None` if there is nothing or learning is off.
    pub(crate) fn teach(&mut self, options: &LearningOptions, notes: &mut Vec<String>) -> Option<Arc<LearntPositions>> {
        self.collect(notes);
        (options.enabled && !self.learnt.is_empty()).then(|| self.learnt.clone())
    }

    /// Loads what was added to the file meanwhile.
    pub(crate) fn collect(&mut self, notes: &mut Vec<String>) {
        for added in self.background.take_results() {
            notes.extend(added.notes);
            if let Some(file) = added.file.filter(|_| self.loaded.as_ref() == Some(&added.path)) {
                self.set_learnt(&file);
            }
        }
    }

    fn load(&mut self, path: PathBuf, notes: &mut Vec<String>) {
        self.learnt = Arc::default();
        match LearningFile::read(&path) {
            Ok(file) => {
                notes.extend(
                    file.damages.iter().map(|damage| format!("learning: {}: {damage}", Escaped(path.display()))),
                );
                notes.push(format!("learning: {} positions from {}", file.records.len(), Escaped(path.display())));
                self.set_learnt(&file);
            }
            Err(error) => notes.push(format!("learning: {error}")),
        }
        self.loaded = Some(path);
    }

    fn set_learnt(&mut self, file: &LearningFile) {
        let entries = file.records.iter().map(|record| (record.key(), record.table_entry()));
        self.learnt = Arc::new(entries.collect());
    }

    /// Whether something was learnt about this position, or about one a move later.
    pub(crate) fn knows(&self, position: &Position) -> bool {
        let is_learnt = |key: Key| self.learnt.get(key).is_some();
        !self.learnt.is_empty()
            && (is_learnt(position.key())
                || position.legal_moves().iter().any(|&mv| is_learnt(position.play_unchecked(mv).key())))
    }

    /// Starts to observe a search with this contempt. If `counts` is false, nothing is learnt from it.
    pub(crate) fn watch(&mut self, game: &Game, contempt: Value, counts: bool) {
        let ply = game.moves().len();
        let mut earlier = game.positions().rev().skip(1);
        let before = earlier.next().cloned();
        let two_back = earlier.next().map(Position::key);
        let expected = self.last.filter(|last| last.ply + 2 == ply && Some(last.key) == two_back);
        self.watched = Some(Watched {
            root: game.position().clone(),
            before: before.zip(game.last_move()),
            ply,
            expected: expected.map(|last| last.value),
            values: Vec::new(),
            counts,
            contempt,
            is_repeated: game.keys().has_repetition(game.position().halfmove_clock()),
        });
    }

    /// Handles an event of the search. At its end, a surprising result is added to the file in the background.
    pub(crate) fn learn_from(&mut self, event: &SearchEvent, options: &LearningOptions) {
        match event {
            SearchEvent::Info(SearchInfo { multipv: 1, bound: Bound::Exact, depth, value, .. }) => {
                if let Some(watched) = &mut self.watched {
                    watched.values.resize(*depth as usize, *value);
                }
            }
            SearchEvent::Finished(result) => {
                if let Some(watched) = self.watched.take() {
                    self.finish(&watched, result, options);
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, watched: &Watched, result: &SearchResult, options: &LearningOptions) {
        if !watched.counts || result.best.is_none() || result.depth == 0 {
            return;
        }
        self.last = Some(Expectation { key: watched.root.key(), ply: watched.ply, value: result.value });
        if !options.enabled || options.read_only || result.depth < options.depth || !watched.is_general(result.value) {
            return;
        }
        let clear = |value: Value| value.0.clamp(-CLEAR, CLEAR);
        // Compare with half the depth: the first iterations are too unreliable.
        let half = (result.depth as usize / 2).checked_sub(1).and_then(|index| watched.values.get(index)).copied();
        let change = |before: Option<Value>| before.map_or(0, |before| clear(result.value) - clear(before));
        let (within, since) = (change(half), change(watched.expected));
        if within.abs().max(since.abs()) < options.threshold {
            return;
        }
        let fell = if within.abs() > since.abs() { within < 0 } else { since < 0 };
        let mut records =
            vec![Record::new(watched.root.clone(), result.best, result.value, result.bound, result.depth)];
        if let (true, Bound::Exact, Some((before, mv))) = (fell, result.bound, &watched.before) {
            // The opponent's last move leads here, so one ply earlier the opponent has at least the opposite of our
            // value. The search of a later game reaches that position first.
            let value = Value::from_table(-result.value, Ply::ONE);
            records.push(Record::new(before.clone(), Some(*mv), value, Bound::Lower, result.depth + 1));
        }
        let Some(path) = path_of(options) else { return };
        self.background.run(move || match LearningFile::add(&path, &records, MOST_RECORDS) {
            Ok(file) => {
                let notes = records.iter().map(|record| format!("learning: kept {record}")).collect();
                Added { path, file: Some(file), notes }
            }
            Err(error) => Added { path, file: None, notes: vec![format!("learning: {error}")] },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A learner whose file has these lines.
    fn learner(folder: &Path, lines: &str) -> (Learner, LearningOptions) {
        let path = folder.join(FILE_NAME);
        std::fs::write(&path, format!("{}1\n{lines}", super::super::file::HEADER)).unwrap();
        let options = LearningOptions { enabled: true, file: Some(path), ..LearningOptions::default() };
        let mut learner = Learner::default();
        learner.prepare(&options, &mut Vec::new());
        (learner, options)
    }

    /// The position of the tests below, after a move of Black.
    fn game() -> Game {
        let mut game = Game::new(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap());
        game.push(game.position().parse_uci("e8e7").unwrap()).unwrap();
        game
    }

    /// Learns from a search with these values, from depth 1. Returns the records of the file.
    fn learn(learner: &mut Learner, options: &LearningOptions, values: &[i32]) -> Vec<Record> {
        let best = game().position().legal_moves()[0];
        for (depth, &value) in (1..).zip(values) {
            learner.learn_from(&SearchEvent::Info(SearchInfo::new(depth, Value(value), vec![best])), options);
        }
        let mut result = SearchResult::default();
        (result.best, result.depth) = (Some(best), values.len() as u32);
        result.value = Value(values[values.len() - 1]);
        learner.learn_from(&SearchEvent::Finished(result), options);
        // This waits until the file is written.
        learner.background = Background::default();
        options.file.as_ref().map_or_else(Vec::new, |path| LearningFile::read(path).unwrap().records)
    }

    #[test]
    fn half_the_depth_counts() {
        for (values, count) in [([0, 0, 0, 0, 0, 100, 100, 100, 100, 100], 1), ([0, 0, 0, 0, 100, 0, 0, 0, 0, 100], 0)]
        {
            let folder = tempfile::tempdir().unwrap();
            let (mut learner, options) = learner(folder.path(), "");
            learner.watch(&game(), Value::ZERO, true);
            assert_eq!(learn(&mut learner, &options, &values).len(), count, "{values:?}");
        }
    }

    /// The values of a search that ended in a draw.
    const DRAWN: [i32; 10] = [300, 300, 300, 300, 300, 0, 0, 0, 0, 0];

    #[test]
    fn what_holds_for_one_game_only_is_not_kept() {
        let game_at = |clock: u16, rounds: usize| {
            let fen = format!("8/8/8/4k3/8/3BN3/8/3K4 w - - {clock} 100");
            let mut game = Game::new(Position::from_fen(&fen).unwrap());
            for mv in ["d1d2", "e5e6", "d2d1", "e6e5"].iter().cycle().take(4 * rounds) {
                game.push(game.position().parse_uci(mv).unwrap()).unwrap();
            }
            game
        };
        for (clock, rounds, contempt, value, is_kept) in [
            (0, 0, 0, 0, true),
            (20, 0, 0, 0, true),
            (21, 0, 0, 0, false),
            (92, 0, 0, 0, false),
            (0, 1, 0, 0, false),
            (0, 0, 30, 0, true),
            (0, 0, 30, -30, false),
            (0, 0, -30, 30, false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (mut learner, options) = learner(folder.path(), "");
            learner.watch(&game_at(clock, rounds), Value(contempt), true);
            let records = learn(&mut learner, &options, &DRAWN.map(|old| if old == 0 { value } else { old }));
            assert_eq!(!records.is_empty(), is_kept, "clock {clock}, {rounds}, contempt {contempt}, {value}");
        }
    }
}
