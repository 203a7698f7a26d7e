//! Collections of tables.

use crate::endgame::{Endgame, MAX_DTM_MEN};
use crate::format::EXTENSION;
use crate::layout::{Layout, Squares};
use crate::shared::{DtmConfig, Shared};
use crate::table::Table;
use crate::{Dtm, DtmError};
use bartizan_files::{Lazy, contents};
use bartizan_position::Position;
use bartizan_tablebase::{Material, split_folders};
use bartizan_types::{Bitboard, Move, MoveKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A file whose header is read at the first probe.
#[derive(Debug)]
struct LazyTable {
    endgame: Endgame,
    path: PathBuf,
    table: Lazy<Table, DtmError>,
}

impl LazyTable {
    fn get(&self, shared: &Arc<Shared>) -> Result<&Table, DtmError> {
        self.table.get(
            || Table::open(&self.path, shared).map_err(|error| shared.note(error)),
            // I/O errors may be temporary.
            |error| matches!(error, DtmError::File { .. }),
        )
    }
}

/// A legal move with the value that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DtmMove {
    /// The move.
    pub mv: Move,
    /// The value of the position before the move if this move is played, for the side that plays it.
    pub dtm: Dtm,
}

/// A set of distance-to-mate tables. Any number of threads may probe it.
///
/// Opening lists the folders. A file's header and index are read at its first probe, blocks of values when needed.
/// [`DtmConfig`] limits the memory. A probe whose block is not in the cache unpacks it, which takes hundreds of times
/// as long: `cargo run --release -p bartizan-dtm --example probe_cost -- TABLES` measures both. All bytes that a probe
/// uses have been verified by checksum.
#[derive(Debug)]
pub struct DtmTables {
    /// Sorted by material; the flag tells whether white plays black's part in the table.
    keys: Vec<(Material, u32, bool)>,
    entries: Vec<LazyTable>,
    shared: Arc<Shared>,
    empty: Vec<PathBuf>,
}

impl DtmTables {
    /// Opens the tables in a list of folders: see [`split_folders`].
    ///
    /// # Errors
    /// See [`DtmTables::open_with`].
    pub fn open(paths: &str) -> Result<Self, DtmError> {
        Self::open_folders(&split_folders(paths))
    }

    /// Opens the tables in several folders. If two folders have the same table, the first is used.
    ///
    /// # Errors
    /// See [`DtmTables::open_with`].
    pub fn open_folders<P: AsRef<Path>>(folders: &[P]) -> Result<Self, DtmError> {
        Self::open_with(folders, DtmConfig::default())
    }

    /// Opens the tables in several folders with limits on memory.
    ///
    /// # Errors
    /// [`DtmError`] if a folder cannot be read or if no folder contains a table. If only some folders contain none,
    /// [`DtmTables::empty_folders`] lists them. Damaged files cause an error when they are probed.
    pub fn open_with<P: AsRef<Path>>(folders: &[P], config: DtmConfig) -> Result<Self, DtmError> {
        let mut found = BTreeMap::new();
        let mut empty = Vec::new();
        for folder in folders {
            if add_folder(folder.as_ref(), &mut found)? == 0 {
                empty.push(folder.as_ref().to_owned());
            }
        }
        Self::of(found, empty, config).ok_or_else(|| no_tables(folders))
    }

    /// Opens the usable tables, and returns the errors for everything else: unreadable folders and folders without
    /// tables. No tables are returned if there are none.
    ///
    /// ```
    /// use bartizan_dtm::{DtmConfig, DtmTables};
    ///
    /// let (tables, faults) = DtmTables::open_usable(&["no/such/folder"], DtmConfig::default());
    /// assert!(tables.is_none());
    /// assert!(faults[0].to_string().starts_with("cannot read the folder of tables 'no/such/folder'"));
    /// ```
    pub fn open_usable<P: AsRef<Path>>(folders: &[P], config: DtmConfig) -> (Option<Self>, Vec<DtmError>) {
        let (mut found, mut empty, mut faults) = (BTreeMap::new(), Vec::new(), Vec::new());
        for folder in folders {
            match add_folder(folder.as_ref(), &mut found) {
                Ok(0) => {
                    faults.push(no_tables(std::slice::from_ref(folder)));
                    empty.push(folder.as_ref().to_owned());
                }
                Ok(_) => {}
                Err(error) => faults.push(error),
            }
        }
        let tables = Self::of(found, empty, config);
        if tables.is_none() && faults.is_empty() {
            faults.push(no_tables(folders));
        }
        (tables, faults)
    }

    /// The tables of a set of files; `None` without files.
    fn of(found: BTreeMap<Endgame, PathBuf>, empty: Vec<PathBuf>, config: DtmConfig) -> Option<Self> {
        if found.is_empty() {
            return None;
        }
        let (mut keys, mut entries) = (Vec::new(), Vec::new());
        for (endgame, path) in found {
            let number = entries.len() as u32;
            let material = endgame.material();
            keys.push((material, number, false));
            if !endgame.material().is_symmetric() {
                keys.push((material.mirrored(), number, true));
            }
            entries.push(LazyTable { endgame, path, table: Lazy::default() });
        }
        keys.sort_unstable();
        Some(Self { keys, entries, shared: Arc::new(Shared::new(config)), empty })
    }

    /// The greatest number of pieces of a covered position, kings and pawns included.
    pub fn max_pieces(&self) -> usize {
        self.entries.iter().map(|entry| entry.endgame.men()).max().unwrap_or(0)
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Always `false`: opening fails if there are no tables.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The folders without tables.
    pub fn empty_folders(&self) -> &[PathBuf] {
        &self.empty
    }

    /// Whether any table probed so far could not be read or turned out to be damaged.
    pub fn has_failed(&self) -> bool {
        self.shared.has_failed.load(Relaxed)
    }

    /// The endings that have tables, in ascending order.
    pub fn endgames(&self) -> impl Iterator<Item = &Endgame> {
        self.entries.iter().map(|entry| &entry.endgame)
    }

    /// The value of a position. `None` if no table covers it, for instance because of castling rights.
    ///
    /// Positions with an en passant right are not stored: their value is the best of the en passant captures and of the
    /// position without the right. `None` if one of their tables is missing.
    ///
    /// # Errors
    /// [`DtmError`] if a file cannot be read or is damaged.
    pub fn probe(&self, position: &Position) -> Result<Option<Dtm>, DtmError> {
        if position.occupied().count() as usize > MAX_DTM_MEN || !position.castling().is_empty() {
            return Ok(None);
        }
        if position.en_passant().is_none() {
            return self.stored(position);
        }
        let moves = position.legal_moves();
        let mut captures = moves.iter().filter(|mv| mv.kind() == MoveKind::EnPassant).peekable();
        // If en passant is the only move, the position is not stalemate, and the value without the right would be
        // wrong.
        let mut best = None;
        if moves.iter().any(|mv| mv.kind() != MoveKind::EnPassant) || captures.peek().is_none() {
            let Some(value) = self.stored(position)? else { return Ok(None) };
            best = Some(value);
        }
        for &mv in captures {
            let Some(after) = self.stored(&position.play_unchecked(mv))? else { return Ok(None) };
            best = best.into_iter().chain([after.before_move()]).max_by_key(|value| value.preference());
        }
        Ok(best)
    }

    /// The value of a position, ignoring en passant.
    fn stored(&self, position: &Position) -> Result<Option<Dtm>, DtmError> {
        if position.occupied().count() == 2 {
            return Ok(Some(Dtm::Draw));
        }
        let material = Material::of(position);
        let Ok(place) = self.keys.binary_search_by_key(&material, |&(key, ..)| key) else { return Ok(None) };
        let (_, number, swapped) = self.keys[place];
        let table = self.entries[number as usize].get(&self.shared)?;
        let squares = squares_of(&table.layout, position, swapped);
        let turn = if swapped { !position.turn() } else { position.turn() };
        Ok(table.code(&squares, turn)?.map(Dtm::from_code))
    }

    /// The value of each legal move, best first. `None` if a value is missing.
    ///
    /// # Errors
    /// [`DtmError`] if a file cannot be read or is damaged.
    pub fn probe_moves(&self, position: &Position) -> Result<Option<Vec<DtmMove>>, DtmError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let Some(after) = self.probe(&position.play_unchecked(mv))? else { return Ok(None) };
            moves.push(DtmMove { mv, dtm: after.before_move() });
        }
        moves.sort_by_key(|mv| -mv.dtm.preference());
        Ok(Some(moves))
    }

    pub(crate) fn table(&self, endgame: &Endgame) -> Result<Option<&Table>, DtmError> {
        let entry = self.entries.iter().find(|entry| entry.endgame == *endgame);
        entry.map(|entry| entry.get(&self.shared)).transpose()
    }
}

/// The squares of the pieces in the order of the table.
fn squares_of(layout: &Layout, position: &Position, swapped: bool) -> Squares {
    let mirror = if swapped { 56 } else { 0 };
    let mut squares = Squares::default();
    let mut last = None;
    let mut left = Bitboard::EMPTY;
    for (slot, &piece) in layout.pieces.iter().enumerate() {
        if last != Some(piece) {
            let color = if swapped { !piece.color() } else { piece.color() };
            left = position.pieces(color, piece.piece_type());
            last = Some(piece);
        }
        if let Some(square) = left.pop_first() {
            squares[slot] = square.index() as u8 ^ mirror;
        }
    }
    squares
}

fn no_tables<P: AsRef<Path>>(folders: &[P]) -> DtmError {
    DtmError::NoTables { folders: folders.iter().map(|folder| folder.as_ref().to_owned()).collect() }
}

/// Adds the tables of a folder. Returns their number.
fn add_folder(folder: &Path, found: &mut BTreeMap<Endgame, PathBuf>) -> Result<usize, DtmError> {
    let error = |error: std::io::Error| DtmError::Folder { path: folder.to_owned(), source: Arc::new(error) };
    let mut tables = 0;
    for path in contents(folder).map_err(error)? {
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            continue;
        }
        let endgame = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.parse::<Endgame>().ok());
        if let Some(endgame) = endgame {
            tables += 1;
            found.entry(endgame).or_insert(path);
        }
    }
    Ok(tables)
}

// Threads may share this type.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<DtmTables>();
};
