//! Generates tables and writes their files.

use crate::endgame::Endgame;
use crate::format::{self, BLOCK, ENTRY, EXTENSION, HEADER, Header};
use crate::solve::solve;
use crate::solved::Solved;
use crate::summary::CodeCounts;
use crate::table::Table;
use crate::work::{Interrupted, Work};
use crate::{DtmConfig, DtmError};
use bartizan_parallel::StopFlag;
use bartizan_types::Escaped;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Generating distance-to-mate tables failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The work was interrupted. Finished tables are kept.
    #[error("interrupted")]
    Interrupted,
    /// A table that a capture or promotion leads to is missing.
    #[error("the table {missing} is missing")]
    Missing {
        /// The ending.
        missing: Endgame,
    },
    /// The distances do not fit in one-byte codes.
    #[error("{endgame} has mates in more than 126 moves, more than the format can hold")]
    TooLong {
        /// The ending.
        endgame: Endgame,
    },
    /// A finished table cannot be read.
    #[error(transparent)]
    Read(DtmError),
    /// A finished table is damaged.
    #[error("{0}; delete it to make it again")]
    Damaged(DtmError),
    /// A table cannot be written.
    #[error("cannot write table '{}'", Escaped(path.display()))]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl From<DtmError> for GenerateError {
    fn from(error: DtmError) -> Self {
        match error {
            DtmError::Damaged { .. } => Self::Damaged(error),
            _ => Self::Read(error),
        }
    }
}

impl From<Interrupted> for GenerateError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// The progress of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Reading an existing table.
    Checking {
        /// The blocks that are done.
        done: u64,
        /// All blocks.
        of: u64,
    },
    /// Visiting the moves of each position.
    Moves {
        /// The positions that are done.
        done: u64,
        /// The positions of both sides to move.
        of: u64,
    },
    /// Taking back the moves that lead to positions with this distance to mate.
    Distance {
        /// The distance in plies.
        plies: u16,
    },
    /// Compresses the table.
    Packing {
        /// The values that are done.
        done: u64,
        /// All values.
        of: u64,
    },
}

/// A table that a generator has finished or found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether the file already existed.
    pub existed: bool,
}

/// Generates tables in a folder. Existing tables are checked, kept and used.
///
/// ```no_run
/// use bartizan_dtm::{Endgame, Generator, StopFlag};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut generator = Generator::new("tables", 2);
/// for endgame in Endgame::with_successors(&["KPK".parse()?]) {
///     let made = generator.generate(&endgame, &StopFlag::new(), &|_| ())?;
///     println!("{endgame}: {} bytes", made.bytes);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Generator {
    folder: PathBuf,
    threads: usize,
    solved: BTreeMap<Endgame, Arc<Solved>>,
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator")
            .field("folder", &self.folder)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Generator {
    /// A generator that writes to a folder and works with `threads` threads.
    pub fn new(folder: impl Into<PathBuf>, threads: usize) -> Self {
        Self { folder: folder.into(), threads, solved: BTreeMap::new() }
    }

    /// The file of a table.
    pub fn path(&self, endgame: &Endgame) -> PathBuf {
        self.folder.join(format!("{endgame}.{EXTENSION}"))
    }

    /// Generates a table. If the folder already has it, its checksums are checked instead. The tables of
    /// [`Endgame::successors`] must exist.
    ///
    /// The file appears when it is complete. Solving takes 4 bytes of memory for each index of a side to move, and one
    /// or two for those of its successors: 3 GB for the largest endings of 5 men. Tables of up to 4 men stay in memory
    /// for later calls.
    ///
    /// `stop` ends the work early; `report` receives the progress.
    ///
    /// # Errors
    /// [`GenerateError`]; no new file is left in the folder.
    pub fn generate(
        &mut self,
        endgame: &Endgame,
        stop: &StopFlag,
        report: &dyn Fn(Step),
    ) -> Result<Generated, GenerateError> {
        if !endgame.has_table() {
            return Err(GenerateError::TooLong { endgame: *endgame });
        }
        let path = self.path(endgame);
        if path.exists() {
            let table = Table::open_alone(&path, DtmConfig::default())?;
            for done in 0..table.blocks() {
                if stop.is_stopped() {
                    return Err(GenerateError::Interrupted);
                }
                table.check(done)?;
                report(Step::Checking { done: done as u64 + 1, of: table.blocks() as u64 });
            }
            return Ok(Generated { bytes: table.header().file_len, path, existed: true });
        }
        let work = Work { threads: self.threads, stop };
        let successors = endgame.successors();
        self.solved.retain(|known, _| known.men() <= 4 || successors.contains(known));
        for successor in &successors {
            self.load(successor)?;
        }
        let solved = solve(endgame, &|successor| self.solved.get(successor).cloned(), work, report)?;
        let bytes = write(&path, &solved, work, report)?;
        self.solved.insert(*endgame, Arc::new(solved));
        Ok(Generated { path, bytes, existed: false })
    }

    fn load(&mut self, endgame: &Endgame) -> Result<(), GenerateError> {
        if !self.solved.contains_key(endgame) {
            let path = self.path(endgame);
            if !path.exists() {
                return Err(GenerateError::Missing { missing: *endgame });
            }
            let solved = Table::open_alone(&path, DtmConfig::default())?.load()?;
            self.solved.insert(*endgame, Arc::new(solved));
        }
        Ok(())
    }
}

/// Writes the file of a table. Returns its length.
fn write(path: &Path, solved: &Solved, work: Work<'_>, report: &dyn Fn(Step)) -> Result<u64, GenerateError> {
    let size = solved.layout.size();
    let blocks: Vec<&[u8]> = solved.codes.iter().flat_map(|codes| codes.chunks(BLOCK)).collect();
    let all = (size * solved.codes.len()) as u64;
    let mut packed: Vec<Vec<u8>> = Vec::with_capacity(blocks.len());
    // `parallel` works in units of values; blocks are grouped so that threads take several at once.
    work.parallel(
        blocks.len() * BLOCK,
        |done| report(Step::Packing { done: all.min(done as u64), of: all }),
        |range| blocks[range.start / BLOCK..range.end / BLOCK].iter().map(|block| format::pack(block)).collect(),
        |part: Vec<Vec<u8>>| -> Result<(), GenerateError> {
            packed.extend(part);
            Ok(())
        },
    )?;
    let mut index = Vec::with_capacity(packed.len() * ENTRY);
    for block in &packed {
        index.extend((block.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(block).to_le_bytes());
    }
    let body: usize = packed.iter().map(Vec::len).sum();
    let mut header = Header {
        endgame: solved.layout.endgame,
        size: size as u64,
        sides: solved.codes.iter().map(|codes| CodeCounts::of(codes).summary()).collect(),
        blocks: packed.len() as u32,
        file_len: (HEADER + index.len() + body) as u64,
        checksum: 0,
    };
    header.checksum = format::checksum(&header.encode(), &index);
    let write = || -> io::Result<()> {
        use std::io::Write;
        let mut file = bartizan_files::Replacement::new(path)?;
        file.write_all(&header.encode())?;
        file.write_all(&index)?;
        packed.iter().try_for_each(|block| file.write_all(block))?;
        file.commit()
    };
    write().map_err(|source| GenerateError::Write { path: path.to_owned(), source })?;
    Ok(header.file_len)
}

#[cfg(test)]
mod tests {
    use super::super::value::DRAW;
    use super::super::{Coverage, DtmTables, VerifyError};
    use super::*;

    /// Values that are wrong even though all checksums match.
    #[test]
    fn the_verifier_finds_every_wrong_value() {
        let folder = tempfile::tempdir().unwrap();
        let stop = StopFlag::new();
        let work = Work { threads: 1, stop: &stop };
        let endgame: Endgame = "KQK".parse().unwrap();
        let path = folder.path().join("KQK.dtm");
        let verify = || {
            let tables = DtmTables::open_folders(&[folder.path()]).unwrap();
            tables.verify(&endgame, Coverage::All, None, 2, &StopFlag::new(), &|_, _| ())
        };
        // Captures lead only to two bare kings.
        let load = || solve(&endgame, &|_| None, work, &|_| ());
        let right = load().unwrap();
        write(&path, &right, work, &|_| ()).unwrap();
        let verified = verify().unwrap();
        assert_eq!(verified.positions, 46_137);
        for (side, wanted, wrong) in [(0, 20, 22), (0, 4, DRAW), (1, 1, 3), (1, DRAW, 21), (1, 13, 11)] {
            let mut table = load().unwrap();
            // A legal position that the verifier does not skip as the mirror image of another.
            let index = (0..table.layout.size()).find(|&index| {
                table.codes[side][index] == wanted
                    && super::super::verify::position(&table.layout, index, bartizan_types::Color::ALL[side]).is_some()
            });
            table.codes[side][index.unwrap()] = wrong;
            write(&path, &table, work, &|_| ()).unwrap();
            let error = verify().unwrap_err();
            assert!(matches!(error, VerifyError::Wrong(_)), "{error}");
            let text = error.to_string();
            assert!(text.contains("KQK.dtm") && text.contains("block ") && text.contains(" index "), "{text}");
        }
    }
}
