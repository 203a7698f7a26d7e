//! Syzygy tables.

use crate::{scratch, take_byte};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_tablebase::{TablebaseConfig, Tablebases, WinRanking};
use bartizan_types::{Color, Piece, SplitMix64, Square};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The names of the tables; the last ones are larger than those of `testdata`.
const NAMES: [&str; 12] =
    ["KQvK", "KRvK", "KPvK", "KBvKN", "KRvKR", "KPvKP", "KNNvK", "KRPvKR", "KPPvKP", "KQQvKQQ", "KRPPvKRP", "KPPPPPvK"];

/// A table and positions that it covers.
struct Table {
    folder: PathBuf,
    name: &'static str,
    positions: Vec<Position>,
    /// The bytes of a WDL file.
    wins: Vec<u8>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| NAMES.iter().map(|name| table(name)).collect());

fn table(name: &'static str) -> Table {
    let folder = scratch::path(name);
    fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    let mut random = SplitMix64::new(1);
    let positions = std::iter::repeat_with(|| random_position(name, &mut random)).flatten().take(4).collect();
    Table { folder, name, positions, wins: wins(name) }
}

/// The pieces of a table on random squares; `None` if the position is illegal.
fn random_position(name: &str, random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    let mut color = Color::White;
    if random.below(2) == 1 {
        setup.turn = Color::Black;
    }
    for letter in name.chars() {
        let Some(piece) = Piece::from_char(letter) else {
            color = Color::Black;
            continue;
        };
        let square = Square::from_index(random.below(64));
        if setup.piece_at(square).is_some() {
            return None;
        }
        setup.board[square.index()] = Some(piece.piece_type().of(color));
    }
    setup.validate(Tolerance::ALL).ok()
}

/// A file of arbitrary bytes, padded to a possible table length. The first byte chooses the table and its kind, and
/// whether it is read page by page. The values may be wrong, but every probe ends with a value or an error.
pub fn syzygy(mut data: &[u8]) {
    let flags = take_byte(&mut data);
    let table = &TABLES[usize::from(flags & 15) % TABLES.len()];
    let mut bytes = data.to_vec();
    bytes.resize(data.len().next_multiple_of(64) + 16, 0);
    let kind = if flags & 16 == 0 { "rtbw" } else { "rtbz" };
    let path = table.folder.join(format!("{}.{kind}", table.name));
    fs::write(&path, &bytes).expect("the folder for temporary files is writable");
    // Probing a distance also probes the WDL table first.
    let wdl = table.folder.join(format!("{}.rtbw", table.name));
    if flags & 16 != 0 {
        fs::write(&wdl, &table.wins).expect("the folder for temporary files is writable");
    }
    let mut config = TablebaseConfig::default();
    config.page_cache = 8 << 10;
    // A file that is read whole must have the right checksum, so few such files are tried.
    if flags & 32 == 0 {
        config.whole_file = 0;
    }
    match Tablebases::open_with(&[&table.folder], config) {
        Ok(tables) => {
            for position in &table.positions {
                let _ = tables.probe_wdl(position).map_err(|error| error.to_string());
                let _ = tables.probe_dtz(position).map_err(|error| error.to_string());
            }
            let _ = tables.probe_root(&table.positions[0], WinRanking::ByDistance).map_err(|error| error.to_string());
        }
        Err(error) => assert!(error.to_string().contains(table.name), "{error}"),
    }
    fs::remove_file(&path).expect("the file exists");
}

/// The table of `testdata`, or one that only has the value of a win.
fn wins(name: &str) -> Vec<u8> {
    let real = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/syzygy").join(format!("{name}.rtbw"));
    fs::read(real).unwrap_or_else(|_| {
        let mut bytes = vec![0x71, 0xe8, 0x23, 0x5d];
        // Two sides if the material is not symmetric, and pawns; then a single value for each part.
        let (white, black) = name.split_once('v').unwrap_or((name, ""));
        let pawns = name.contains('P');
        bytes.push(u8::from(white != black) | u8::from(pawns) << 1);
        bytes.resize(80, 0);
        bytes
    })
}
