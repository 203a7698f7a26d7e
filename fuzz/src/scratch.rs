//! Files for readers that take a path. Set `TMPDIR` to a folder in memory for speed; `cargo xtask fuzz` does.

use std::fs;
use std::path::PathBuf;

/// The path of a file in a folder of this process and thread.
pub(crate) fn path(name: &str) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id()).replace(|c: char| !c.is_ascii_digit(), "");
    let folder = std::env::temp_dir().join(format!("bartizan-fuzz-{}-{thread}", std::process::id()));
    if !folder.exists() {
        fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    }
    folder.join(name)
}

/// A file with these bytes.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("the folder for temporary files is writable");
    path
}

/// The bytes of a file.
pub(crate) fn read(path: &std::path::Path) -> Vec<u8> {
    fs::read(path).expect("the file exists")
}
