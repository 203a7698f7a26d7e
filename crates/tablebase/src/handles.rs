//! Open files, limited in number. The file that has been open longest is closed first.

use arc_swap::ArcSwapOption;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A file that is opened on demand and may be closed in between.
#[derive(Debug)]
pub(crate) struct Handle {
    path: PathBuf,
    file: ArcSwapOption<File>,
}

/// The files that are currently open.
#[derive(Debug)]
pub(crate) struct Handles {
    open: Mutex<VecDeque<Arc<Handle>>>,
    limit: usize,
}

impl Handle {
    pub(crate) fn new(path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), file: ArcSwapOption::empty() })
    }
}

impl Handles {
    /// Allows `limit` files to be open at once, at least one.
    pub(crate) fn new(limit: usize) -> Self {
        Self { open: Mutex::default(), limit: limit.max(1) }
    }

    /// Returns the file, opening it if necessary. Only opening takes a lock.
    pub(crate) fn get(&self, handle: &Arc<Handle>) -> io::Result<Arc<File>> {
        if let Some(file) = handle.file.load_full() {
            return Ok(file);
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = handle.file.load_full() {
            return Ok(file);
        }
        while open.len() >= self.limit
            && let Some(oldest) = open.pop_front()
        {
            // Threads that are reading from the file hold their own `Arc`.
            oldest.file.store(None);
        }
        let file = Arc::new(File::open(&handle.path)?);
        handle.file.store(Some(Arc::clone(&file)));
        open.push_back(Arc::clone(handle));
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_files::read_exact_at;

    #[test]
    fn the_oldest_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let handles = Handles::new(2);
        let files: Vec<Arc<Handle>> = (0..4_u8)
            .map(|n| {
                let path = folder.path().join(n.to_string());
                std::fs::write(&path, [n; 10]).unwrap();
                Handle::new(&path)
            })
            .collect();
        for round in 0..3 {
            for (n, handle) in files.iter().enumerate() {
                let mut buffer = [9; 3];
                read_exact_at(&handles.get(handle).unwrap(), &mut buffer, 7).unwrap();
                assert_eq!(buffer, [n as u8; 3], "round {round}");
                assert!(read_exact_at(&handles.get(handle).unwrap(), &mut buffer, 8).is_err());
                assert!(files.iter().filter(|handle| handle.file.load().is_some()).count() <= 2);
            }
        }
        assert!(handles.get(&Handle::new(&folder.path().join("none"))).is_err());
    }
}
