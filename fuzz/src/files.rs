//! Files that the programs read: learning, hash table, settings, journal, openings, self-play.

use crate::{scratch, take_byte, take_bytes};
use bartizan_analysis::tree::{SearchTree, TreePart};
use bartizan_engine::{Engine, EvaluationKind, Limits, Options};
use bartizan_frontend::learning::{LearningFile, MOST_RECORDS, Record};
use bartizan_frontend::{Config, FileSettings, load_hash, save_hash};
use bartizan_games::selfplay::{GameReader, GameWriter, MAGIC, SelfplayGame};
use bartizan_match::journal::{self, Journal};
use bartizan_match::{OpeningSettings, Openings};
use std::cell::RefCell;
use std::fs::OpenOptions;

/// The settings file. Accepted settings are valid for the engine.
pub fn settings(data: &[u8]) {
    let settings = FileSettings::parse(&String::from_utf8_lossy(data), "settings.toml");
    for fault in &settings.faults {
        let text = fault.to_string();
        assert!(!text.contains('\n') && text.chars().count() < 2_000, "{text}");
    }
    let mut config = Config::default();
    for assignment in &settings.assignments {
        if assignment.row.set(&mut config, assignment.value.clone()).is_ok() {
            assert_eq!(config.engine.validate().map_err(|error| error.to_string()), Ok(()));
        }
    }
}

/// The tree of a search: whatever is read can be shown, within the bounds.
pub fn trace(data: &[u8]) {
    match SearchTree::read(data) {
        Ok(tree) => {
            let part = TreePart { levels: usize::MAX, children: 3, nodes: 100, ..TreePart::default() };
            let text = tree.text(&part).expect("there is no path").to_string();
            assert!(text.lines().count() <= 302, "{text}");
            let page = tree.page(&part).expect("there is no path").to_string();
            assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.chars().count() < 2_000, "{text}");
        }
    }
}

/// The learning file: records survive a round trip, and a file of another kind is left unchanged.
pub fn learning(data: &[u8]) {
    let path = scratch::file("learning.epd", data);
    match LearningFile::read(&path) {
        Ok(file) => {
            for record in &file.records {
                check_record(record);
            }
            for damage in &file.damages {
                let _ = damage.to_string();
            }
            // Writing takes long.
            if !data.len().is_multiple_of(16) {
                return;
            }
            let kept = LearningFile::add(&path, &file.records, MOST_RECORDS).expect("the file is a learning file");
            let again = LearningFile::read(&path).expect("the file is a learning file");
            assert_eq!(again.damages, []);
            assert_eq!(again.records.len(), kept.records.len());
        }
        Err(error) => {
            let _ = error.to_string();
            assert!(LearningFile::add(&path, &[], MOST_RECORDS).is_err());
            assert_eq!(scratch::read(&path), data);
        }
    }
}

fn check_record(record: &Record) {
    let line = record.to_string();
    let again: Record = line.parse().expect("a written record is read");
    assert_eq!(again.to_string(), line);
    assert_eq!(
        (again.mv, again.value, again.bound, again.depth),
        (record.mv, record.value, record.bound, record.depth)
    );
}

/// A hash table file. The first byte decides whether the checksum and the header are corrected; the keys of the entries
/// are then those of positions that the search visits, so that it meets every kind of entry. The other bits say whether
/// to search, where and how deep.
pub fn hash(mut data: &[u8]) {
    thread_local!(static ENGINE: RefCell<Engine> = RefCell::new(small_engine()));
    let flags = take_byte(&mut data);
    ENGINE.with_borrow_mut(|engine| {
        engine.set_position(FENS[usize::from(flags >> 4 & 3)], &[]).expect("the FEN is valid");
        let bytes = if flags & 1 == 0 { data.to_vec() } else { repaired(engine, data) };
        let path = scratch::file("table.hash", &bytes);
        let is_searched = flags & 0xC0 == 0xC0;
        if is_searched {
            engine.clear();
        }
        match load_hash(engine, &path) {
            Ok(entries) => assert_eq!(entries as usize, (bytes.len() - HEADER - 8) / ENTRY),
            Err(error) => {
                let _ = error.to_string();
                assert_eq!(flags & 1, 0, "{error}");
                return;
            }
        }
        if !is_searched {
            return;
        }
        let limits = Limits::depth(u32::from(flags >> 1 & 3)).with_nodes(2_000);
        let best = engine.go(limits).expect("threads and memory are available").wait().best;
        let position = engine.position();
        assert_eq!(best.is_some(), position.has_legal_move());
        assert!(best.is_none_or(|mv| position.is_legal(mv)), "{position} {best:?}");
        if flags & 8 != 0 {
            let number = save_hash(engine, &path).expect("the folder is writable");
            assert_eq!(load_hash(engine, &path).expect("a saved table is loaded"), number);
        }
    });
}

const HEADER: usize = 24;
const ENTRY: usize = 16;

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
];

/// With the hand-written evaluation, as in [`repaired`] files.
fn small_engine() -> Engine {
    let options = Options::default().with_hash_mib(1).and_then(|it| it.with_evaluation(EvaluationKind::Classical));
    options.and_then(Engine::with_options).expect("one MiB is available")
}

/// A valid file with the entries of `data`, which lack the keys.
fn repaired(engine: &Engine, mut data: &[u8]) -> Vec<u8> {
    let mut bytes = b"BartizanHash".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    let position = engine.position();
    while !data.is_empty() {
        let mut key = position.key();
        let legal = position.legal_moves();
        let choice = usize::from(take_byte(&mut data));
        if choice > 0 && !legal.is_empty() {
            key = position.play_unchecked(legal[choice % legal.len()]).key();
        }
        bytes.extend(key.0.to_le_bytes());
        bytes.extend(take_bytes::<8>(&mut data));
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The checksum of the format: FNV-1a over 64-bit words, with a shift.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        sum ^ sum >> 29
    })
}

/// The journal of a match. Resuming changes at most an incomplete last line, and nothing in a file that is not a
/// journal.
pub fn journal(data: &[u8]) {
    let path = scratch::file("journal.jsonl", data);
    let read = journal::read(&path);
    assert_eq!(scratch::read(&path), data);
    match (read, Journal::resume(&path)) {
        (Ok(history), Ok((_, resumed))) => {
            assert_eq!(history.games, resumed.games);
            let _ = history.settings.complete().map_err(|error| error.to_string());
            let kept = scratch::read(&path);
            assert!(data.starts_with(&kept) && !data[kept.len()..].contains(&b'\n'));
            assert_eq!(journal::read(&path).expect("the journal is valid").games, history.games);
        }
        (Err(one), Err(other)) => {
            assert_eq!(one.to_string(), other.to_string());
            assert_eq!(scratch::read(&path), data);
        }
        (read, resumed) => panic!("{:?} {:?}", read.map(|_| ()), resumed.map(|_| ())),
    }
}

/// Openings of a match: PGN or EPD, in an order given by a seed.
pub fn openings(mut data: &[u8]) {
    let flags = take_byte(&mut data);
    let name = if flags & 1 == 0 { "openings.pgn" } else { "openings.epd" };
    let mut settings = OpeningSettings::new(scratch::file(name, data));
    settings.start = usize::from(flags >> 2);
    settings.plies = (flags & 2 != 0).then_some(2);
    if flags & 0x80 != 0 {
        settings = settings.shuffled(7);
    }
    match Openings::load(&settings) {
        Ok(openings) => {
            assert!(openings.len() <= data.len());
            for number in 0..openings.len().min(8) {
                assert!(openings.get(number).outcome().is_none());
            }
        }
        Err(error) => assert!(error.to_string().chars().count() < 2_000),
    }
}

/// Self-play files: games survive a round trip; resuming removes at most an incomplete record, and nothing from a file
/// of another kind. If the first byte is even, the magic number is prepended.
pub fn selfplay(mut data: &[u8]) {
    let is_headed = take_byte(&mut data) & 1 == 0;
    let bytes = if is_headed { [&MAGIC[..], data].concat() } else { data.to_vec() };
    if let Ok(reader) = GameReader::new(&bytes[..]) {
        let mut games: Vec<SelfplayGame> = Vec::new();
        for game in reader {
            match game {
                Ok(game) => games.push(game),
                Err(error) => assert!(error.to_string().chars().count() < 2_000),
            }
        }
        let mut buffer = Vec::new();
        let mut writer = GameWriter::new(&mut buffer).expect("memory does not fail");
        for game in &games {
            writer.write(game).expect("memory does not fail");
        }
        let again: Result<Vec<SelfplayGame>, _> = GameReader::new(&buffer[..]).expect("it is headed").collect();
        assert_eq!(again.expect("written games are read"), games);
    }
    let path = scratch::file("games.bin", &bytes);
    let file = OpenOptions::new().read(true).write(true).open(&path).expect("the file exists");
    match GameWriter::resume(file) {
        Ok(_) => {
            // Bytes after the games are removed, or the incomplete header is completed.
            let resumed = scratch::read(&path);
            assert!(bytes.starts_with(&resumed) || bytes.len() < 16 && resumed.starts_with(&bytes));
        }
        Err(error) => {
            let _ = error.to_string();
            assert_eq!(scratch::read(&path), bytes);
        }
    }
}
