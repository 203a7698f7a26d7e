//! The files of the page, read once: a request can only name one of them.

use bartizan_types::Escaped;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The page that is built into the program; empty if there was none when it was compiled.
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The limits of a page, against a folder that is none: the built page has a tenth of that.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 200 << 20;

/// Where the page comes from.
const HOW: &str = "`cargo xtask web` makes the page; name its folder with `--dir web/board/dist`, or build this \
                   program again, which then contains it";

/// The files of a page by their paths in requests, such as `/assets/board.js`.
#[derive(Debug)]
pub(crate) struct Page {
    files: BTreeMap<String, Cow<'static, [u8]>>,
}

/// A file of the page.
pub(crate) struct File<'a> {
    /// Its content.
    pub(crate) bytes: &'a Cow<'static, [u8]>,
    /// Its type for browsers.
    pub(crate) kind: &'static str,
}

impl Page {
    /// The page in the program.
    pub(crate) fn built_in() -> Result<Self, String> {
        if BUILT_IN.is_empty() {
            return Err(format!("this program was built without the page. {HOW}"));
        }
        let files = BUILT_IN.iter().map(|&(name, bytes)| (format!("/{name}"), Cow::Borrowed(bytes)));
        Ok(Self { files: files.collect() })
    }

    /// The page in a folder. Links, and files whose names begin with a dot, are left out.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut page = Self { files: BTreeMap::new() };
        let (mut folders, mut size) = (vec![(folder.to_owned(), String::new())], 0);
        let fail = |path: &Path, error: io::Error| format!("cannot read '{}': {error}", Escaped(path.display()));
        while let Some((folder, name)) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(|error| fail(&folder, error))? {
                let entry = entry.map_err(|error| fail(&folder, error))?;
                let kind = entry.file_type().map_err(|error| fail(&entry.path(), error))?;
                let Some(part) = entry.file_name().to_str().filter(|part| !part.starts_with('.')).map(str::to_owned)
                else {
                    continue;
                };
                let (path, name) = (entry.path(), format!("{name}/{part}"));
                if kind.is_dir() {
                    folders.push((path, name));
                } else if kind.is_file() {
                    size += entry.metadata().map_err(|error| fail(&path, error))?.len();
                    if page.files.len() >= MOST_FILES || size > MOST_BYTES {
                        return Err(format!("'{}' has too many files for a page. {HOW}", Escaped(folder.display())));
                    }
                    page.files.insert(name, fs::read(&path).map_err(|error| fail(&path, error))?.into());
                }
            }
        }
        if !page.files.contains_key("/index.html") {
            return Err(format!("'{}' has no file index.html. {HOW}", Escaped(folder.display())));
        }
        Ok(page)
    }

    /// The file of a request; `/` is that of `/index.html`.
    pub(crate) fn file(&self, path: &str) -> Option<File<'_>> {
        let path = if path == "/" { "/index.html" } else { path };
        let bytes = self.files.get(path)?;
        Some(File { bytes, kind: kind(path) })
    }
}

/// The type of a file by the end of its name.
fn kind(name: &str) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    match end {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/vnd.microsoft.icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "txt" | "pgn" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_served() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("dist");
        fs::create_dir_all(folder.join("assets")).unwrap();
        fs::write(outer.path().join("secret"), "s").unwrap();
        assert!(Page::read(&folder).unwrap_err().contains("no file index.html"));
        for (name, text) in [("index.html", "<p>"), ("assets/a.js", "1"), ("assets/.hidden", "h")] {
            fs::write(folder.join(name), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path().join("secret"), folder.join("link")).unwrap();
        let page = Page::read(&folder).unwrap();
        assert_eq!(page.files.keys().map(String::as_str).collect::<Vec<_>>(), ["/assets/a.js", "/index.html"]);
        assert_eq!(page.file("/").unwrap().kind, "text/html; charset=utf-8");
        for bad in
            ["", "/assets", "/assets/", "/../secret", "/assets/../index.html", "/link", "//index.html", "/INDEX.HTML"]
        {
            assert!(page.file(bad).is_none(), "{bad}");
        }
        let error = Page::read(&folder.join("none")).unwrap_err();
        assert!(error.starts_with("cannot read '") && error.contains("none'"), "{error}");
    }
}
