//! Table files.

use crate::checksum::{CHECKSUM, CHUNK, Checksum, is_intact};
use crate::error::{Fault, TablebaseError};
use crate::kind::Kind;
use crate::layout::{Layout, lead_file};
use crate::material::Material;
use crate::pairs::Pairs;
use crate::source::{Cursor, Shared, Source};
use crate::{Fallible, MAX_MEN, Wdl};
use arrayvec::ArrayVec;
use bartizan_position::Position;
use bartizan_types::Color;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

// The flags of a file.
const TWO_SIDED: u8 = 1;
const PAWNS: u8 = 2;

// The flags of a part of a DTZ file.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;

/// The part of a table for one side to move and, with pawns, one file of the leading pawn.
#[derive(Debug)]
struct Part {
    layout: Layout,
    pairs: Pairs,
    /// The distances of the values of a DTZ file, for wins, losses, cursed wins and blessed losses.
    map: Option<[Vec<u16>; 4]>,
}

/// A table whose header is in memory. Values are read on demand.
#[derive(Debug)]
pub(crate) struct Table {
    path: PathBuf,
    source: Source,
    /// The material as stored in the file, where white usually is the stronger side.
    material: Material,
    sides: usize,
    /// The parts by file of the leading pawn and side to move. Without pawns, there is one file.
    parts: Vec<Part>,
}

impl Table {
    /// Opens a table and reads its header.
    pub(crate) fn open(
        path: &Path,
        kind: Kind,
        material: Material,
        shared: &Arc<Shared>,
    ) -> Result<Self, TablebaseError> {
        let source = Source::open(path, shared).map_err(|error| Fault::from(error).in_file(path))?;
        Self::of(path, source, kind, material)
    }

    /// Reads the header of a table.
    pub(crate) fn of(path: &Path, source: Source, kind: Kind, material: Material) -> Result<Self, TablebaseError> {
        let open = || {
            // A file in memory was read as a whole, so its checksum costs little.
            if let Source::Memory(bytes) = &source
                && bytes.len() as u64 % 64 == CHECKSUM
                && !is_intact(bytes)
            {
                return Err(match read(&source, kind, material) {
                    // A more helpful error than the checksum's.
                    Err(fault) => fault,
                    Ok(_) => WRONG_CHECKSUM,
                });
            }
            read(&source, kind, material)
        };
        let (material, sides, parts) = open().map_err(|fault: Fault| fault.in_file(path))?;
        Ok(Self { path: path.to_owned(), source, material, sides, parts })
    }

    /// The stored result, which ignores captures. `material` is that of the position.
    pub(crate) fn wdl(&self, position: &Position, material: Material) -> Result<Wdl, TablebaseError> {
        let probe = || {
            let (part, index, _) = self.find(position, material)?;
            let value = part.pairs.value(&self.source, index)?;
            Wdl::from_stored(value).ok_or(Fault::Damaged("invalid value"))
        };
        probe().map_err(|fault| fault.in_file(&self.path))
    }

    /// The number of plies to the next capture or pawn move, if the table covers the side to move. The position must
    /// not be drawn or won by a capture or pawn move.
    pub(crate) fn dtz(&self, position: &Position, material: Material, wdl: Wdl) -> Result<Option<u32>, TablebaseError> {
        let probe = || {
            let (part, index, turn) = self.find(position, material)?;
            let stored = if part.pairs.flags() & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
            // Without pawns, a table with equal material on both sides covers both sides to move.
            let both_sides = self.material.is_symmetric() && !self.material.has_pawns();
            if stored != turn && !both_sides {
                return Ok(None);
            }
            let value = part.pairs.value(&self.source, index)?;
            part.distance(value, wdl).map(Some)
        };
        probe().map_err(|fault| fault.in_file(&self.path))
    }

    /// Reads the whole file: its checksum, and every block of every part. `stop` is called often and returns whether to
    /// stop; `report` gets the number of bytes done and the total.
    pub(crate) fn verify(
        &self,
        kind: Kind,
        stop: &dyn Fn() -> bool,
        report: &dyn Fn(u64, u64),
    ) -> Result<(), TablebaseError> {
        // The blocks are read twice.
        let all = self.source.len() + self.parts.iter().map(|part| part.pairs.bytes()).sum::<u64>();
        let mut done = 0;
        let mut watch = |bytes: u64| {
            done += bytes;
            report(done, all);
            if stop() { Err(Fault::Interrupted) } else { Ok(()) }
        };
        let mut verify = || {
            self.verify_checksum(&mut watch)?;
            self.parts.iter().try_for_each(|part| part.pairs.verify(&self.source, kind, &mut watch))
        };
        verify().map_err(|fault: Fault| fault.in_file(&self.path))
    }

    fn verify_checksum(&self, watch: &mut dyn FnMut(u64) -> Fallible<()>) -> Fallible<()> {
        let mut file = File::open(&self.path)?;
        let mut left = self.source.len().saturating_sub(CHECKSUM);
        let mut checksum = Checksum::default();
        let mut chunk = vec![0; left.min(CHUNK as u64) as usize];
        while left > 0 {
            let len = left.min(CHUNK as u64) as usize;
            file.read_exact(&mut chunk[..len])?;
            checksum.add(&chunk[..len]);
            left -= len as u64;
            watch(len as u64)?;
        }
        let mut stored = [0; CHECKSUM as usize];
        file.read_exact(&mut stored)?;
        watch(CHECKSUM)?;
        if stored == checksum.finish() { Ok(()) } else { Err(WRONG_CHECKSUM) }
    }

    /// The part of a position, its index, and the side to move in the orientation of the table.
    fn find(&self, position: &Position, material: Material) -> Fallible<(&Part, u64, Color)> {
        // With equal material on both sides, the tables cover only white to move.
        let flip = if self.material.is_symmetric() { !position.turn().is_white() } else { material != self.material };
        let seen = |color: Color| if flip { !color } else { color };
        let turned = if flip { 56 } else { 0 };
        let turn = seen(position.turn());
        let side = turn.index().min(self.sides - 1);
        let squares_of = |piece: bartizan_types::Piece| {
            let squares = position.pieces(seen(piece.color()), piece.piece_type());
            squares.into_iter().map(move |square| square.index() as u8 ^ turned)
        };
        let file = match self.parts[0].layout.men().first() {
            Some(&first) if self.material.has_pawns() => lead_file(squares_of(first)),
            _ => 0,
        };
        let part = self.parts.get(file * self.sides + side).ok_or(Fault::Damaged("missing part"))?;
        let mut squares = ArrayVec::<u8, MAX_MEN>::new();
        for run in part.layout.men().chunk_by(|a, b| a == b) {
            for square in squares_of(run[0]) {
                squares.try_push(square).map_err(|_| WRONG_MEN)?;
            }
        }
        if squares.len() != part.layout.men().len() {
            return Err(WRONG_MEN);
        }
        let index = part.layout.index(&mut squares).ok_or(Fault::Damaged("position without an index"))?;
        Ok((part, index, turn))
    }
}

const WRONG_CHECKSUM: Fault = Fault::Damaged("wrong checksum");

const WRONG_MEN: Fault = Fault::Damaged("the pieces do not match the file name");

impl Part {
    /// Converts a value of a DTZ file to plies.
    fn distance(&self, value: u16, wdl: Wdl) -> Fallible<u32> {
        let (class, in_plies) = match wdl {
            Wdl::Win => (0, WINS_IN_PLIES),
            Wdl::Loss => (1, LOSSES_IN_PLIES),
            // Cursed wins and blessed losses are always stored in moves.
            Wdl::CursedWin => (2, 0),
            Wdl::BlessedLoss => (3, 0),
            Wdl::Draw => return Ok(0),
        };
        let distance = match &self.map {
            Some(map) => *map[class].get(usize::from(value)).ok_or(Fault::Damaged("invalid distance"))?,
            None => value,
        };
        let moves_or_plies = u32::from(distance);
        let plies = if self.pairs.flags() & in_plies != 0 { moves_or_plies } else { 2 * moves_or_plies };
        Ok(plies + 1)
    }
}

/// Reads the header of a file: the material as stored, the number of sides to move, and the parts.
fn read(source: &Source, kind: Kind, material: Material) -> Fallible<(Material, usize, Vec<Part>)> {
    if source.len() % 64 != CHECKSUM {
        return Err(Fault::Damaged("invalid file size"));
    }
    let mut cursor = Cursor::new(source, 0);
    if cursor.u32()? != kind.magic() {
        return Err(Fault::Damaged("invalid magic number"));
    }
    let flags = cursor.u8()?;
    if (flags & PAWNS != 0) != material.has_pawns() {
        return Err(WRONG_MEN);
    }
    let sides = match kind {
        Kind::Wdl if flags & TWO_SIDED != 0 => 2,
        Kind::Wdl if !material.is_symmetric() => return Err(Fault::Damaged("missing side to move")),
        Kind::Wdl | Kind::Dtz => 1,
    };
    let files = if material.has_pawns() { 4 } else { 1 };
    let layouts = read_layouts(&mut cursor, material, files, sides)?;
    let material = layouts[0].material();
    cursor.align(2);
    let mut parts = Vec::with_capacity(layouts.len());
    for layout in layouts {
        let pairs = Pairs::read(&mut cursor, kind, layout.size())?;
        parts.push(Part { layout, pairs, map: None });
    }
    if kind == Kind::Dtz {
        for part in &mut parts {
            part.map = read_map(&mut cursor, part.pairs.flags())?;
        }
        cursor.align(2);
    }
    parts.iter_mut().try_for_each(|part| part.pairs.place_index(&mut cursor))?;
    parts.iter_mut().try_for_each(|part| part.pairs.place_lengths(&mut cursor))?;
    parts.iter_mut().try_for_each(|part| part.pairs.place_blocks(&mut cursor))?;
    if cursor.at() + CHECKSUM > source.len() {
        return Err(Fault::Damaged("unexpected end of file"));
    }
    Ok((material, sides, parts))
}

/// Reads the order of the pieces in each part. The lower half of a byte is for white to move, the upper half for black.
fn read_layouts(cursor: &mut Cursor<'_>, material: Material, files: usize, sides: usize) -> Fallible<Vec<Layout>> {
    let men = material.men();
    let pawn = bartizan_types::PieceType::Pawn;
    let both_have_pawns = Color::ALL.into_iter().all(|color| material.count(pawn.of(color)) > 0);
    let mut layouts = Vec::with_capacity(files * sides);
    for file in 0..files {
        let mut orders = [cursor.u8()?, 0xff];
        if both_have_pawns {
            orders[1] = cursor.u8()?;
        }
        let codes = (0..men).map(|_| cursor.u8()).collect::<Fallible<ArrayVec<u8, MAX_MEN>>>()?;
        for side in 0..sides {
            let half = |byte: u8| if side == 0 { byte & 15 } else { byte >> 4 };
            let codes: ArrayVec<u8, MAX_MEN> = codes.iter().map(|&code| half(code)).collect();
            let layout = Layout::new(&codes, orders.map(half), file)?;
            // Some files have the colours of their name swapped. All parts must agree on that and on the leading
            // pieces.
            let first: &Layout = layouts.first().unwrap_or(&layout);
            let same_lead = first.men()[0] == layout.men()[0] || files == 1;
            if layout.material() != first.material()
                || !same_lead
                || ![material, material.mirrored()].contains(&layout.material())
            {
                return Err(WRONG_MEN);
            }
            layouts.push(layout);
        }
    }
    Ok(layouts)
}

/// Reads the distances of the values of a part of a DTZ file.
fn read_map(cursor: &mut Cursor<'_>, flags: u8) -> Fallible<Option<[Vec<u16>; 4]>> {
    if flags & MAPPED == 0 {
        return Ok(None);
    }
    let wide = flags & WIDE != 0;
    if wide {
        cursor.align(2);
    }
    let mut map = [const { Vec::new() }; 4];
    for values in &mut map {
        let mut next = || if wide { cursor.u16() } else { cursor.u8().map(u16::from) };
        let count = next()?;
        *values = (0..count).map(|_| next()).collect::<Fallible<Vec<u16>>>()?;
    }
    Ok(Some(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::Handles;
    use bartizan_files::Cache;
    use bartizan_testkit::testdata;
    use std::fs;

    fn open(path: &Path, kind: Kind, name: &str) -> Result<Table, TablebaseError> {
        let shared = Shared { whole: u64::MAX, pages: Cache::new(0), handles: Handles::new(1), next_file: 0.into() };
        Table::open(path, kind, Material::parse(name).unwrap(), &Arc::new(shared))
    }

    /// The bytes of the DTZ table of KRvKR with its map in 16 bits, as in large tables.
    fn widened(bytes: &[u8], map: &[Vec<u16>; 4]) -> Vec<u8> {
        let first_part = 10;
        let source = Source::Memory(bytes.into());
        let mut cursor = Cursor::new(&source, first_part);
        let codes: Vec<u8> = bytes[6..10].iter().map(|code| code & 15).collect();
        let layout = Layout::new(&codes, [bytes[5] & 15, 15], 0).unwrap();
        let mut pairs = Pairs::read(&mut cursor, Kind::Dtz, layout.size()).unwrap();
        let map_at = cursor.at();
        assert!(read_map(&mut cursor, pairs.flags()).unwrap().is_some());
        cursor.align(2);
        let index_at = cursor.at();
        pairs.place_index(&mut cursor).unwrap();
        pairs.place_lengths(&mut cursor).unwrap();
        let index_end = cursor.at();
        cursor.align(64);

        let mut wide = bytes[..map_at as usize].to_vec();
        wide[first_part as usize] |= WIDE;
        for values in map {
            wide.extend((values.len() as u16).to_le_bytes());
            wide.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        wide.extend(&bytes[index_at as usize..index_end as usize]);
        wide.resize(wide.len().next_multiple_of(64), 0);
        wide.extend(&bytes[cursor.at() as usize..bytes.len() - CHECKSUM as usize]);
        let mut checksum = Checksum::default();
        checksum.add(&wide);
        wide.extend(checksum.finish());
        wide
    }

    #[test]
    fn wide_maps() {
        let path = testdata("syzygy/KRvKR.rtbz");
        let narrow = open(&path, Kind::Dtz, "KRvKR").unwrap();
        let map = narrow.parts[0].map.clone().expect("KRvKR has a map of distances");
        let folder = tempfile::tempdir().unwrap();
        let wide_path = folder.path().join("KRvKR.rtbz");
        // Distances that exceed a byte.
        let far = map.map(|values| values.iter().map(|value| value + 300).collect());
        fs::write(&wide_path, widened(&fs::read(&path).unwrap(), &far)).unwrap();
        let wide = open(&wide_path, Kind::Dtz, "KRvKR").unwrap();
        let step = if narrow.parts[0].pairs.flags() & WINS_IN_PLIES != 0 { 300 } else { 600 };
        for fen in ["8/8/8/8/3r4/8/1R6/k1K5 w - - 0 1", "8/8/8/3R4/8/8/1r6/K1k5 b - - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            let men = Material::of(&position);
            let [near, far] = [&narrow, &wide].map(|table| table.dtz(&position, men, Wdl::Win).unwrap().unwrap());
            assert_eq!(near + step, far, "{fen}");
        }
    }

    #[test]
    fn files_must_match_their_names() {
        let what = |file: &str, kind, name| match open(&testdata("syzygy").join(file), kind, name) {
            Err(TablebaseError::Damaged { what, .. }) => what,
            Err(other) => panic!("{other}"),
            Ok(_) => "nothing",
        };
        assert_eq!(what("KRvK.rtbw", Kind::Wdl, "KRvK"), "nothing");
        assert_eq!(what("KRvK.rtbw", Kind::Wdl, "KvKR"), "nothing");
        assert_eq!(what("KRvK.rtbw", Kind::Wdl, "KQvK"), "the pieces do not match the file name");
        assert_eq!(what("KRvK.rtbw", Kind::Wdl, "KPvK"), "the pieces do not match the file name");
        assert_eq!(what("KRvK.rtbw", Kind::Dtz, "KRvK"), "invalid magic number");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KRvK.rtbw");
        fs::write(&path, [0; 100]).unwrap();
        let error = open(&path, Kind::Wdl, "KRvK").unwrap_err().to_string();
        assert!(error.contains("KRvK.rtbw") && error.contains("invalid file size"), "{error}");
        assert!(matches!(open(&testdata("none"), Kind::Wdl, "KRvK"), Err(TablebaseError::File { .. })));
    }
}
