//! The format: golden bytes, round trips, damaged files.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_games::selfplay::{
    GameReader, GameWriter, ReadError, RecordFault, ScoredMove, SelfplayGame, Unfinished, WriteError, is_selfplay,
};
use bartizan_position::{PackedPosition, Position};
use bartizan_types::Color;
use proptest::prelude::*;
use std::fs::{File, OpenOptions};
use std::path::Path;

/// Bytes before the first block of a file without settings.
const HEADER: usize = 16;

fn game(id: u32, winner: Option<Color>, moves: &[(&str, i16)]) -> SelfplayGame {
    let start = Position::startpos();
    let mut position = start.clone();
    let scored = |&(text, score): &(&str, i16)| {
        let mv = position.parse_uci(text).unwrap();
        position = position.play(mv).unwrap();
        ScoredMove { mv, score }
    };
    let moves = moves.iter().map(scored).collect();
    SelfplayGame { id, start, moves, winner }
}

fn file(games: &[SelfplayGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    bytes
}

fn read(bytes: &[u8]) -> Vec<Result<SelfplayGame, ReadError>> {
    GameReader::new(bytes).unwrap().collect()
}

fn open(path: &Path) -> File {
    OpenOptions::new().read(true).write(true).open(path).unwrap()
}

/// A file of an older version, as documented in the crate.
fn old_file(games: &[SelfplayGame]) -> Vec<u8> {
    let mut bytes = b"BZSELF01".to_vec();
    for game in games {
        let plies = game.moves.len();
        bytes.extend((40 + 4 * plies as u32).to_le_bytes());
        bytes.extend(game.id.to_le_bytes());
        bytes.extend([game.winner.map_or(1, |winner| if winner.is_white() { 2 } else { 0 }), 0]);
        bytes.extend((plies as u16).to_le_bytes());
        bytes.extend(PackedPosition::pack(&game.start).0);
        for scored in &game.moves {
            bytes.extend(scored.mv.to_bits().to_le_bytes());
            bytes.extend(scored.score.to_le_bytes());
        }
    }
    bytes
}

fn sample() -> Vec<SelfplayGame> {
    let bytes = std::fs::read(bartizan_testkit::testdata("wdl/sample.bin")).unwrap();
    let games: Vec<SelfplayGame> = read(&bytes).into_iter().map(Result::unwrap).collect();
    assert!(games.len() > 10 && old_file(&games) == bytes);
    games
}

/// The bytes of a version never change: these were written by its first implementation.
#[test]
fn the_bytes_of_the_format_are_frozen() {
    let golden = std::fs::read(bartizan_testkit::testdata("selfplay/golden.bin")).unwrap();
    let games = sample();
    assert!(file(&games) == golden, "the same games have other bytes");
    assert!(read(&golden).into_iter().map(Result::unwrap).eq(games), "the same bytes have other games");
}

/// A file of an older version keeps its format.
#[test]
fn older_files_are_resumed() {
    let games = [game(7, Some(Color::White), &[("e2e4", 30), ("e7e5", -20)]), game(8, None, &[("d2d4", 1)])];
    let whole = old_file(&games);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    for cut in 8..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (mut writer, ids) = GameWriter::resume(open(&path)).unwrap();
        let missing = games.iter().filter(|game| !ids.contains(&game.id));
        missing.for_each(|game| writer.write(game).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    let settings = b"{}    ";
    let settings = [b"BZSELF02", &(settings.len() as u32).to_le_bytes()[..], settings, &whole[8..]].concat();
    std::fs::write(&path, &settings).unwrap();
    let mut file = Unfinished::open(open(&path)).unwrap();
    file.change_settings("[1, 2]").unwrap();
    file.resume().unwrap().write(&games[0]).unwrap();
    let changed = std::fs::read(&path).unwrap();
    let reader = GameReader::new(&changed[..]).unwrap();
    assert_eq!(reader.settings(), Some("[1, 2]"));
    assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), [&games[..], &games[..1]].concat());
}

#[test]
fn a_cut_file_ends_with_an_error_that_gives_the_offset() {
    let games = [game(0, None, &[("e2e4", 30)]), game(1, None, &[("d2d4", 1), ("d7d5", 2)])];
    let (whole, second) = (file(&games), file(&games[..1]).len());
    for cut in HEADER..whole.len() {
        let (games, errors): (Vec<_>, Vec<_>) = read(&whole[..cut]).into_iter().partition(Result::is_ok);
        assert_eq!(games.len(), usize::from(cut >= second), "cut at {cut}");
        let errors: Vec<String> = errors.into_iter().map(|error| error.unwrap_err().to_string()).collect();
        let expected = match cut {
            _ if cut == HEADER || cut == second => vec![],
            _ if cut < second => vec![format!("record 1 at byte {HEADER} is incomplete")],
            _ => vec![format!("record 2 at byte {second} is incomplete")],
        };
        assert_eq!(errors, expected, "cut at {cut}");
    }
    for cut in 0..HEADER {
        assert!(GameReader::new(&whole[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn invalid_records_are_named_and_the_next_is_read() {
    let good = old_file(&[game(3, None, &[("e2e4", 30)])])[8..].to_vec();
    for (at, byte, expected, is_fatal) in [
        (8, 3, "record 1 at byte 8: invalid result 3, expected 0, 1 or 2", false),
        (0, 45, "record 1 at byte 8: length 45 does not match 1 plies", true),
        (44, 0, "record 1 at byte 8: ply 1: illegal move", false),
        (12, 0, "record 1 at byte 8: ", false),
    ] {
        let mut bad = good.clone();
        bad[at] = byte;
        let read = read(&[b"BZSELF01", &bad[..], &good].concat());
        let error = read[0].as_ref().unwrap_err();
        assert!(error.to_string().starts_with(expected) && error.is_fatal() == is_fatal, "{error}");
        assert_eq!(read.len(), if is_fatal { 1 } else { 2 });
        assert!(is_fatal || read[1].as_ref().unwrap().id == 3);
    }
}

/// Change any bit: the game to which it belongs is an error, and the games before it are not.
#[test]
fn every_changed_bit_is_found() {
    let mut games = sample();
    games.truncate(3);
    // Numbers of all lengths.
    (games[1].id, games[2].id) = (300, u32::MAX);
    let mut settings = Vec::new();
    let mut writer = GameWriter::with_settings(&mut settings, r#"{"nodes":9}"#).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    for whole in [file(&games), settings] {
        let first = whole.len() - (file(&games).len() - HEADER);
        for bit in 0..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let Ok(reader) = GameReader::new(&changed[..]) else {
                assert!(bit / 8 < first, "bit {bit}");
                continue;
            };
            let read: Vec<_> = reader.collect();
            let (good, errors): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
            assert_eq!(errors.len(), 1, "bit {bit}: {errors:?}");
            // Only damage at the end of the file looks like a file that is being written.
            let is_last = bit / 8 >= file(&games[..2]).len() + first - HEADER;
            let is_incomplete = matches!(errors[0], Err(ReadError::Incomplete { .. }));
            assert!(is_last || !is_incomplete, "bit {bit}: {errors:?}");
            assert!(good.iter().all(|game| games.contains(game.as_ref().unwrap())), "bit {bit}");
        }
    }
}

#[test]
fn other_files_are_rejected() {
    for bytes in [&b""[..], b"BZ", b"[Event \"x\"]"] {
        assert!(matches!(GameReader::new(bytes), Err(ReadError::Magic)));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    for bytes in [
        &b"[Event"[..],
        b"[Event \"x\"]",
        b"BZSELF01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ] {
        std::fs::write(&path, bytes).unwrap();
        assert!(GameWriter::resume(open(&path)).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn games_that_cannot_be_written_are_rejected() {
    let mut long = game(9, None, &[("e2e4", 0)]);
    long.moves = vec![long.moves[0]; SelfplayGame::MAX_PLIES + 1];
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes).unwrap();
    assert!(matches!(writer.write(&long), Err(WriteError::TooLong { id: 9, plies: 65_536 })));
    assert_eq!(bytes.len(), HEADER);
    let illegal = game(9, None, &[("e2e4", 0)]);
    let twice = SelfplayGame { moves: vec![illegal.moves[0]; 2], ..illegal };
    let error = GameWriter::new(Vec::new()).unwrap().write(&twice).unwrap_err();
    assert!(matches!(error, WriteError::Illegal { id: 9, ply: 2 }), "{error}");
}

/// Cut a file at any byte: resuming keeps the complete games, and the file can be completed.
#[test]
fn a_file_cut_anywhere_is_resumed() {
    let games = [Some(Color::White), None, Some(Color::Black)];
    let games: Vec<_> = (0..).zip(games).map(|(id, winner)| game(id, winner, &[("e2e4", 31_990)])).collect();
    let whole = file(&games);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    for cut in 0..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (mut writer, ids) = GameWriter::resume(open(&path)).unwrap();
        let missing = games.iter().filter(|game| !ids.contains(&game.id));
        missing.for_each(|game| writer.write(game).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

/// Settings survive a round trip and a change; a file cut at any byte is continued or left unchanged.
#[test]
fn settings_stand_in_the_file() {
    let games = [game(0, None, &[("e2e4", 1)]), game(1, None, &[("d2d4", 2)])];
    let settings = r#"{"nodes":9}"#;
    let mut whole = Vec::new();
    let mut writer = GameWriter::with_settings(&mut whole, settings).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    let reader = GameReader::new(&whole[..]).unwrap();
    assert_eq!(reader.settings(), Some(settings));
    assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), games);
    assert!(is_selfplay(&whole) && !is_selfplay(b"BZSELF03"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    for cut in 0..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let file = Unfinished::open(open(&path)).unwrap();
        assert_eq!(file.settings().is_none(), file.is_cut());
        let missing: Vec<_> = games.iter().filter(|game| !file.ids().contains(&game.id)).collect();
        // Inspection changes nothing, and other settings cannot begin the file.
        drop(file);
        if (9..12 + settings.len()).contains(&cut) {
            let _ = Unfinished::open(open(&path)).unwrap().begin(Some("x")).unwrap_err();
        }
        assert_eq!(std::fs::read(&path).unwrap(), whole[..cut], "cut at {cut}");
        let file = Unfinished::open(open(&path)).unwrap();
        let mut writer = if file.is_cut() { file.begin(Some(settings)) } else { file.resume() }.unwrap();
        missing.into_iter().for_each(|game| writer.write(game).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    let mut file = Unfinished::open(open(&path)).unwrap();
    let longer = r#"{"nodes":9,"games":12345}"#;
    file.change_settings(longer).unwrap();
    assert!(file.change_settings(&"x".repeat(100)).is_err());
    assert_eq!(file.first_games(1).unwrap(), games[..1]);
    drop(file);
    let changed = std::fs::read(&path).unwrap();
    assert_eq!(GameReader::new(&changed[..]).unwrap().settings(), Some(longer));
    assert_eq!(GameReader::new(&changed[..]).unwrap().map(Result::unwrap).collect::<Vec<_>>(), games);
    // Damaged settings are reported, and nothing is changed.
    for (at, byte, part) in [(10, 0xff, "too long"), (13, 0xff, "checksum")] {
        let mut damaged = whole.clone();
        damaged[at] = byte;
        std::fs::write(&path, &damaged).unwrap();
        let error = Unfinished::open(open(&path)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }
}

/// A random game: the choices of moves and their scores.
fn played(id: u32, winner: Option<Color>, choices: &[(usize, i16)]) -> SelfplayGame {
    let start = Position::startpos();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for &(choice, score) in choices {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get(choice % legal.len().max(1)) else { break };
        position = position.play(mv).unwrap();
        moves.push(ScoredMove { mv, score });
    }
    SelfplayGame { id, start, moves, winner }
}

fn any_game() -> impl Strategy<Value = SelfplayGame> {
    let winner = prop_oneof![Just(None), Just(Some(Color::White)), Just(Some(Color::Black))];
    let choices = prop::collection::vec((any::<usize>(), any::<i16>()), 0..200);
    (any::<u32>(), winner, choices).prop_map(|(id, winner, choices)| played(id, winner, &choices))
}

proptest! {
    #[test]
    fn games_survive_a_round_trip(games in prop::collection::vec(any_game(), 0..4)) {
        let read: Vec<SelfplayGame> = read(&file(&games)).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(read, games);
    }

    /// The start of a game can be any position, with any rights and clocks.
    #[test]
    fn starts_survive_a_round_trip(game in any_game()) {
        let start = game.moves.iter().fold(game.start, |position, scored| position.play(scored.mv).unwrap());
        let game = SelfplayGame { start, moves: Vec::new(), ..game };
        prop_assert_eq!(read(&file(std::slice::from_ref(&game))).remove(0).unwrap(), game);
    }

    /// Any damage is an error or another legal game, never a panic or an endless loop.
    #[test]
    fn damaged_files_never_panic(game in any_game(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = file(&[game.clone(), game]);
        let at = at.index(bytes.len() - HEADER) + HEADER;
        bytes[at] = byte;
        prop_assert!(read(&bytes).len() <= 2);
    }
}

/// The fault is public, so that a caller can tell the kinds apart.
#[test]
fn faults_can_be_matched() {
    let games = [game(0, None, &[]), game(1, None, &[])];
    let mut bytes = file(&games);
    bytes[HEADER + 3] ^= 1;
    let read = read(&bytes);
    let fault = RecordFault::Checksum;
    assert!(matches!(&read[0], Err(ReadError::Record { fault: found, record: 1, offset: 16 }) if *found == fault));
    assert_eq!(read[1].as_ref().unwrap(), &games[1]);
}
