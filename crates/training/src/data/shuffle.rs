//! Shuffles positions in bounded memory.

use super::{CHUNK, DataSource};
use crate::error::{Error, FileAction};
use crate::positions::{PositionSample, SAMPLE_SIZE};
use bartizan_types::SplitMix64;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Maximum number of temporary files: each has a buffer, and a system allows 1,024 open files.
const MOST_PARTS: u64 = 512;

/// How to shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle<'a> {
    /// The length of all files; `None` if unknown.
    pub bytes: Option<u64>,
    /// Memory to use, in MB; up to 512 times as much can be shuffled.
    pub memory: u64,
    /// Folder of the temporary files.
    pub folder: &'a Path,
    /// Seed of the order.
    pub seed: u64,
}

/// Passes the positions to `write` in a uniformly random order. Returns their number. First, each position goes to a
/// randomly chosen temporary file. Then each of these files is shuffled in memory. The progress counts all bytes twice.
///
/// # Errors
/// If a file cannot be read, or a temporary file cannot be used; those of `write`.
pub fn shuffle<E: From<Error>>(
    source: &DataSource<'_>,
    settings: &Shuffle<'_>,
    mut write: impl FnMut(PositionSample) -> Result<(), E>,
) -> Result<u64, E> {
    let &Shuffle { bytes, memory, folder, seed } = settings;
    // Parts vary a little in size, so the plan leaves some room in memory.
    let parts = bytes.map_or(MOST_PARTS, |bytes| (bytes / (memory << 19) + 1).min(MOST_PARTS));
    let failed = |error: io::Error| FileAction::UseTemporary.failed(folder)(error);
    let mut buckets = Vec::new();
    for _ in 0..parts {
        buckets.push(BufWriter::new(tempfile::tempfile_in(folder).map_err(failed)?));
    }
    let mut random = SplitMix64::new(seed);
    let mut count = 0_u64;
    source.each_chunk(CHUNK, |samples, _| {
        count += samples.len() as u64;
        for sample in samples {
            buckets[random.below(parts as usize)].write_all(&sample.to_bytes()).map_err(failed)?;
        }
        Ok::<_, Error>(())
    })?;
    for bucket in buckets {
        let file = bucket.into_inner().map_err(io::IntoInnerError::into_error).map_err(failed)?;
        let mut records = read_part(file).map_err(failed)?;
        random.shuffle(&mut records);
        for &record in &records {
            write(PositionSample::from_bytes(record))?;
        }
        source.advance((records.len() * SAMPLE_SIZE) as u64)?;
    }
    Ok(count)
}

fn read_part(mut file: File) -> io::Result<Vec<[u8; SAMPLE_SIZE]>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (records, _) = bytes.as_chunks();
    Ok(records.to_vec())
}
