//! Replaces files, and reads lists.

use anyhow::Context;
use bartizan_files::Replacement;
use bartizan_types::{Escaped, Excerpt};
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The beginning of a line or an argument, for an error that quotes it.
pub(crate) fn shown(text: &str) -> Excerpt<'_> {
    Excerpt::with_length(text, Excerpt::LINE)
}

/// The error text for a file that cannot be read.
pub(crate) fn cannot_read(path: &Path) -> String {
    format!("cannot read '{}'", Escaped(path.display()))
}

/// The error text for a file that cannot be written.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", Escaped(path.display()))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of a file. `go_on` receives the number of bytes just read; if it returns false, the result is `None`.
pub(crate) fn sha256(path: &Path, mut go_on: impl FnMut(usize) -> bool) -> anyhow::Result<Option<[u8; 32]>> {
    let mut file = bartizan_files::open_regular(path).with_context(|| cannot_read(path))?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).with_context(|| cannot_read(path))? {
            0 => return Ok(Some(hash.finalize().into())),
            count => {
                hash.update(&buffer[..count]);
                if !go_on(count) {
                    return Ok(None);
                }
            }
        }
    }
}

/// Replaces a whole file.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    bartizan_files::replace(path, bytes).with_context(|| cannot_write(path))
}

/// A new file, which takes the place of an old one when it is whole. Errors of its opening and its end name it.
pub(crate) struct NewFile {
    pub(crate) path: PathBuf,
    file: BufWriter<Replacement>,
}

impl NewFile {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = Replacement::new(path).with_context(|| cannot_write(path))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Whether the path is not a replaceable file, such as standard output.
    pub(crate) fn is_direct(&self) -> bool {
        self.file.get_ref().is_direct()
    }

    /// Moves the file into place.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let written = self.file.into_inner().map_err(io::Error::from).and_then(Replacement::commit);
        written.with_context(|| cannot_write(&self.path))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// File names for a message: the first ones, and the number of the others.
pub(crate) fn names(files: &[PathBuf]) -> String {
    /// More would not help a reader.
    const SHOWN: usize = 3;
    let named: Vec<String> = files.iter().take(SHOWN).map(|file| format!("'{}'", Escaped(file.display()))).collect();
    match files.len().saturating_sub(SHOWN) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Rejects an output file that is also an input.
///
/// # Errors
/// If `output` is one of the inputs.
pub(crate) fn refuse_input<P: AsRef<Path>>(output: &Path, inputs: impl IntoIterator<Item = P>) -> anyhow::Result<()> {
    let is_input = inputs.into_iter().any(|input| bartizan_files::is_same(output, input));
    anyhow::ensure!(
        !is_input,
        "'{}' is an input and would be overwritten; choose another output file",
        Escaped(output.display())
    );
    Ok(())
}

/// Rejects two outputs to the same file.
///
/// # Errors
/// If two of the outputs are one file.
pub(crate) fn refuse_same<P: AsRef<Path>>(outputs: &[P]) -> anyhow::Result<()> {
    for (number, output) in outputs.iter().enumerate() {
        let twice = outputs[..number].iter().any(|other| bartizan_files::is_same_target(output, other));
        anyhow::ensure!(
            !twice,
            "'{}' is given for two outputs; choose different files",
            Escaped(output.as_ref().display())
        );
    }
    Ok(())
}

/// Rejects a name with another image format's extension for an SVG file.
///
/// # Errors
/// If the name ends with the extension of another format.
pub(crate) fn refuse_other_picture(path: &Path) -> anyhow::Result<()> {
    const OTHERS: [&str; 10] = ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "tif", "tiff", "pdf"];
    let extension = path.extension().unwrap_or_default();
    let is_other = OTHERS.iter().any(|other| extension.eq_ignore_ascii_case(other));
    anyhow::ensure!(
        !is_other,
        "'{}': pictures are written as SVG; choose a name that ends in .svg",
        Escaped(path.display())
    );
    Ok(())
}

/// Rejects the name of a compressed file for data that is written without compression.
///
/// # Errors
/// If the name ends with `.gz`, `.bz2` or `.zst`.
pub(crate) fn refuse_compressed(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        bartizan_files::Compression::of_name(path).is_none(),
        "'{}': this output is not compressed; choose a name that does not end in .gz, .bz2 or .zst",
        Escaped(path.display())
    );
    Ok(())
}

/// Parses the records of a list, each with its line number.
///
/// # Errors
/// Those of `parse`, with the line.
pub(crate) fn list<T>(text: &str, parse: impl Fn(&str) -> anyhow::Result<T>) -> anyhow::Result<Vec<(usize, T)>> {
    let parse = |(line, record)| Ok((line, parse(record).with_context(|| format!("line {line}"))?));
    bartizan_notation::list::records(text).map(parse).collect()
}
