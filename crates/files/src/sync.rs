//! What has to survive a power cut.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

/// The most work that a power cut may cost.
const INTERVAL: Duration = Duration::from_secs(1);

/// Brings a file that grows to the disk, at most once a second, because that can take many milliseconds. So a record
/// that comes a second or more after the last one is on the disk at once, and a power cut costs a second of the others.
#[derive(Debug)]
pub struct Syncer {
    interval: Duration,
    /// `None` before the first time.
    last: Option<Instant>,
    is_due: bool,
}

impl Default for Syncer {
    fn default() -> Self {
        Self::every(INTERVAL)
    }
}

impl Syncer {
    pub(crate) fn every(interval: Duration) -> Self {
        Self { interval, last: None, is_due: false }
    }

    /// Call this after each record, with the file that it was appended to.
    ///
    /// # Errors
    /// If the content does not reach the disk.
    pub fn appended(&mut self, file: &File) -> io::Result<()> {
        self.is_due = true;
        if self.last.is_some_and(|last| last.elapsed() < self.interval) { Ok(()) } else { self.finish(file) }
    }

    /// Call this after the last record.
    ///
    /// # Errors
    /// If the content does not reach the disk.
    pub fn finish(&mut self, file: &File) -> io::Result<()> {
        if self.is_due {
            file.sync_data()?;
            (self.last, self.is_due) = (Some(Instant::now()), false);
        }
        Ok(())
    }

    /// Whether the last record may not be on the disk yet.
    pub fn is_due(&self) -> bool {
        self.is_due
    }
}

/// Brings the names in the folder of a file to the disk, after the file was created or renamed. File systems that
/// cannot do so for a folder, and Windows, are left to themselves.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(crate::folder_of(path)).and_then(|folder| folder.sync_all()) {
        // Unreadable folders may be writable.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => {
            #[cfg(test)]
            crate::power::record(crate::power::Operation::SyncFolder);
            synced
        }
    }
}
