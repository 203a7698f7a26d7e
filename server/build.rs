//! Puts the files of the page, if they are built, into the program: a table of their names and contents.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../web/board/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut names = Vec::new();
    if dist.join("index.html").is_file() {
        list(&dist, &mut names)?;
    }
    names.sort();
    let mut table = String::from("&[\n");
    for path in &names {
        // The path is one of those below `dist`.
        let name = path.strip_prefix(&dist).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        let file = path.canonicalize()?;
        writeln!(table, "    ({name:?}, include_bytes!({:?})),", file.to_string_lossy()).map_err(io::Error::other)?;
    }
    table += "]\n";
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("page.rs"), table)
}

/// Adds the files of a folder and of the folders in it.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), files)?;
        } else if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
