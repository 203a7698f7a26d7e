//! Distance-to-mate tables.

use crate::{scratch, take_byte};
use bartizan_dtm::{Dtm, DtmConfig, DtmError, DtmTables, Endgame};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Color, SplitMix64, Square};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The tables of the seeds come first.
const NAMES: [&str; 8] = ["KNK", "KQK", "KPK", "KBBK", "KQKR", "KPKP", "KPPK", "KRPKR"];

/// The layout of a file: the header, and for each block its length and its checksum.
const HEADER: usize = 128;
const ENTRY: usize = 8;

/// Longer files are not made, because their blocks would be zeros.
const LONGEST: u64 = 1 << 17;

/// A table and positions that it covers.
struct Table {
    folder: PathBuf,
    endgame: Endgame,
    positions: Vec<Position>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| NAMES.iter().map(|name| table(name)).collect());

fn table(name: &str) -> Table {
    let folder = scratch::path(&format!("dtm-{name}"));
    fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    let endgame: Endgame = name.parse().expect("the names are endings");
    let mut random = SplitMix64::new(1);
    let positions = std::iter::repeat_with(|| random_position(&endgame, &mut random)).flatten().take(6).collect();
    Table { folder, endgame, positions }
}

/// The pieces of a table on random squares, sometimes with swapped colours; `None` if the position is illegal.
fn random_position(endgame: &Endgame, random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup { turn: Color::ALL[random.below(2)], ..Setup::EMPTY };
    let swapped = random.below(2) == 1;
    for color in Color::ALL {
        for piece in endgame.material().side(color) {
            let square = random.below(64);
            if setup.board[square].is_some() {
                return None;
            }
            setup.board[square] = Some(piece.of(if swapped { !color } else { color }));
        }
    }
    let pawns = Square::ALL.into_iter().filter(|&square| setup.board[square.index()].is_some());
    debug_assert_eq!(pawns.count(), endgame.men());
    setup.validate(Tolerance::ALL).ok()
}

/// A file of arbitrary bytes. The first byte chooses the table, whether it is read block by block, and whether the
/// length and the checksums are corrected, so that the parts after them are reached. The values may then be wrong, but
/// every probe ends with a value or an error that names the file.
pub fn dtm(mut data: &[u8]) {
    let flags = take_byte(&mut data);
    let table = &TABLES[usize::from(flags & 7)];
    let mut bytes = data.to_vec();
    if flags & 0x10 != 0 {
        repair_length(&mut bytes);
    }
    if flags & 0x20 != 0 {
        repair_blocks(&mut bytes);
    }
    if flags & 0x40 != 0 {
        repair_header(&mut bytes);
    }
    let path = table.folder.join(format!("{}.dtm", table.endgame));
    fs::write(&path, &bytes).expect("the folder for temporary files is writable");
    let mut config = DtmConfig::default();
    config.block_cache = 16 << 10;
    if flags & 8 != 0 {
        config.whole_file = 0;
    }
    let tables = DtmTables::open_with(&[&table.folder], config).expect("the folder has a table");
    let name = table.endgame.to_string();
    let check = |error: DtmError| {
        let text = error.to_string();
        assert!(text.contains(&name) && text.contains("at byte"), "{text}");
    };
    for position in &table.positions {
        // Without captures and promotions, whose tables are missing, the moves have values too.
        match tables.probe(position).map_err(check) {
            Ok(value) => assert!(value.is_some(), "{}", position.to_fen()),
            Err(()) => continue,
        }
        let _ = tables.probe_moves(position).map_err(check);
    }
    match tables.summary(&table.endgame).map_err(check) {
        Ok(summary) => assert!(summary.is_some_and(|summary| summary.bytes == bytes.len() as u64)),
        Err(()) => assert!(table.positions.iter().all(|position| tables.probe(position).is_err())),
    }
    if let Ok(positions) = tables.find(&table.endgame, Color::Black, Dtm::Loss(2), 2).map_err(check) {
        assert!(positions.iter().all(|position| tables.probe(position).is_ok_and(|value| value == Some(Dtm::Loss(2)))));
    }
    fs::remove_file(&path).expect("the file exists");
}

/// The number of blocks whose index entry is complete.
fn blocks(bytes: &[u8]) -> usize {
    let wanted = bytes.get(44..48).and_then(|field| field.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
    wanted.min(bytes.len().saturating_sub(HEADER) / ENTRY)
}

fn block_len(bytes: &[u8], block: usize) -> u64 {
    let at = HEADER + block * ENTRY;
    bytes[at..at + 4].try_into().map(u32::from_le_bytes).map_or(0, u64::from)
}

/// Makes the file as long as its blocks require, and updates the header accordingly.
fn repair_length(bytes: &mut Vec<u8>) {
    let blocks = blocks(bytes);
    let len = (HEADER + blocks * ENTRY) as u64 + (0..blocks).map(|block| block_len(bytes, block)).sum::<u64>();
    if bytes.len() >= HEADER && len <= LONGEST {
        bytes.resize(len as usize, 0);
        bytes[48..56].copy_from_slice(&len.to_le_bytes());
    }
}

/// Sets the checksums of the blocks.
fn repair_blocks(bytes: &mut [u8]) {
    let blocks = blocks(bytes);
    let mut start = HEADER + blocks * ENTRY;
    for block in 0..blocks {
        let end = start + block_len(bytes, block) as usize;
        let Some(packed) = bytes.get(start..end) else { return };
        let checksum = crc32fast::hash(packed);
        let at = HEADER + block * ENTRY + 4;
        bytes[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
        start = end;
    }
}

/// Sets the checksum of the header and the index.
fn repair_header(bytes: &mut [u8]) {
    if bytes.len() >= HEADER {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..HEADER - 4]);
        hasher.update(&bytes[HEADER..HEADER + blocks(bytes) * ENTRY]);
        let checksum = hasher.finalize();
        bytes[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    }
}
