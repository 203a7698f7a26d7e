//! What a user names: which files can be read or written, and how.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// How an input can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A regular file: any number of times.
    File,
    /// Once: a pipe that is already open, such as `<(…)` of a shell or `/dev/stdin`, or a terminal. Also the null
    /// device.
    Stream,
    /// Once, and opening it waits for a writer: a pipe with a name in the file system. See
    /// [`crate::InterruptibleReader`].
    NamedPipe,
}

impl InputKind {
    /// Determines how a path can be read, without opening it.
    ///
    /// # Errors
    /// [`ErrorKind::IsADirectory`]; [`ErrorKind::InvalidInput`] for devices, which may have no end, and sockets; any
    /// error of the file system, such as [`ErrorKind::NotFound`].
    pub fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        if found.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        Ok(match special(&found) {
            None => Self::File,
            Some(Special::Pipe) if has_name(path) => Self::NamedPipe,
            Some(Special::Pipe | Special::Null) => Self::Stream,
            Some(Special::Terminal) if is_terminal(path) => Self::Stream,
            Some(Special::Terminal | Special::Device) => return Err(invalid("a device, not a file")),
            Some(Special::Socket) => return Err(invalid("a socket, not a file")),
        })
    }
}

/// The bytes of an input; `None` if they are unknown, because it is a pipe.
///
/// # Errors
/// As [`InputKind::of`].
pub fn length(path: impl AsRef<Path>) -> io::Result<Option<u64>> {
    let path = path.as_ref();
    let is_file = InputKind::of(path)? == InputKind::File;
    Ok(if is_file { Some(fs::metadata(path)?.len()) } else { None })
}

/// Opens a file, or a pipe that is already open, to read it once.
///
/// # Errors
/// As [`InputKind::of`]; [`ErrorKind::InvalidInput`] for a named pipe, which could wait for ever; if it
/// cannot be opened.
pub fn open_input(path: impl AsRef<Path>) -> io::Result<File> {
    match InputKind::of(path.as_ref())? {
        InputKind::NamedPipe => Err(invalid("a named pipe; choose a regular file or '<(…)' of a shell")),
        InputKind::File | InputKind::Stream => File::open(path),
    }
}

/// Opens a regular file, which can be read at any offset and several times.
///
/// # Errors
/// As [`InputKind::of`]; [`ErrorKind::InvalidInput`] for everything that can be read only once; if it cannot be opened.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    match InputKind::of(path.as_ref())? {
        InputKind::File => File::open(path),
        InputKind::Stream | InputKind::NamedPipe => Err(invalid("not a regular file")),
    }
}

/// Rejects an existing path that [`open_regular`] rejects for its kind. A missing file passes.
///
/// # Errors
/// As [`open_regular`], without opening the file.
pub fn check_regular(path: &Path) -> io::Result<()> {
    match InputKind::of(path) {
        Ok(InputKind::Stream | InputKind::NamedPipe) => Err(invalid("not a regular file")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(InputKind::File) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The most bytes of a list, a file of settings, or another input of that kind, which is read as a whole: 64 MiB.
pub const MOST_WHOLE: u64 = 64 << 20;

/// The content of an input of at most `most` bytes: see [`open_input`]. The length of a larger file is known before it
/// is read.
///
/// # Errors
/// As [`open_input`]; [`ErrorKind::FileTooLarge`]; if it cannot be read.
pub fn read(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    read_at_most(open_input(path)?, most)
}

/// The content of a regular file of at most `most` bytes, which is known to be regular before it is opened.
///
/// # Errors
/// As [`open_regular`]; [`ErrorKind::FileTooLarge`]; if it cannot be read.
pub fn read_regular(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    read_at_most(open_regular(path)?, most)
}

/// Rejects a file of more than `most` bytes, without reading it.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`]; as [`length`].
pub fn check_length(path: impl AsRef<Path>, most: u64) -> io::Result<()> {
    match length(path)? {
        Some(length) if length > most => Err(too_large(Some(length), most)),
        _ => Ok(()),
    }
}

fn read_at_most(mut file: File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(Some(length), most));
    }
    let mut bytes = Vec::new();
    (&mut file).take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(None, most)) } else { Ok(bytes) }
}

/// The text of an input: see [`read`].
///
/// # Errors
/// As [`read`]; [`ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// The error of an input with too many bytes.
fn too_large(length: Option<u64>, most: u64) -> io::Error {
    let text = match length {
        Some(length) => format!("it has {length} bytes, more than {most}"),
        None => format!("it has more than {most} bytes"),
    };
    io::Error::new(ErrorKind::FileTooLarge, text)
}

/// Rejects existing paths that cannot be an output: named pipes, of which the opening would wait for a reader, disks,
/// sockets. Character devices such as `/dev/stdout` and missing files pass, and so do folders, which cannot be opened.
///
/// # Errors
/// [`ErrorKind::InvalidInput`].
pub fn check_output(path: &Path) -> io::Result<()> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    match special(&found) {
        Some(Special::Pipe) if has_name(path) => Err(invalid("a named pipe; write to '/dev/stdout' and redirect it")),
        Some(Special::Device) => Err(invalid("a device, not a file")),
        // Standard output may be a socket.
        Some(Special::Socket) if has_name(path) => Err(invalid("a socket, not a file")),
        _ => Ok(()),
    }
}

/// Whether a path names the standard input of this process, such as `/dev/stdin`.
pub fn is_standard_input(path: &Path) -> bool {
    #[cfg(unix)]
    return crate::descriptor::number(path) == Some(0);
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Rejects a standard input that has no end, such as `/dev/zero`, or is a folder.
///
/// # Errors
/// [`ErrorKind::IsADirectory`], [`ErrorKind::InvalidInput`].
pub fn check_standard_input() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::io::IsTerminal;
        use std::os::fd::AsFd;
        let Ok(descriptor) = io::stdin().as_fd().try_clone_to_owned() else { return Ok(()) };
        let found = File::from(descriptor).metadata()?;
        if found.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if matches!(special(&found), Some(Special::Terminal | Special::Device)) && !io::stdin().is_terminal() {
            return Err(invalid("a device, not a file"));
        }
    }
    Ok(())
}

fn invalid(text: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, text)
}

/// What is neither a regular file nor a folder.
#[cfg_attr(not(unix), expect(dead_code, reason = "other systems do not tell what it is"))]
enum Special {
    Pipe,
    Null,
    /// A character device: possibly a terminal, or without an end.
    Terminal,
    /// A disk, or something that the operating system does not name.
    Device,
    Socket,
}

#[cfg(unix)]
fn special(found: &Metadata) -> Option<Special> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = found.file_type();
    Some(match () {
        () if kind.is_file() || kind.is_dir() => return None,
        () if kind.is_fifo() => Special::Pipe,
        () if kind.is_socket() => Special::Socket,
        () if !kind.is_char_device() => Special::Device,
        () if fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == found.rdev()) => Special::Null,
        () => Special::Terminal,
    })
}

#[cfg(not(unix))]
fn special(found: &Metadata) -> Option<Special> {
    if found.is_file() || found.is_dir() { None } else { Some(Special::Device) }
}

/// Whether a path names a terminal among the descriptors of this process. Only those are opened: opening another device
/// could wait or have an effect.
#[cfg(unix)]
fn is_terminal(path: &Path) -> bool {
    use std::io::IsTerminal;
    crate::descriptor::number(path).is_some() && File::open(path).is_ok_and(|file| file.is_terminal())
}

#[cfg(not(unix))]
fn is_terminal(_: &Path) -> bool {
    false
}

/// Whether a pipe or socket has a place in the file system. One without is already open, and its path, such as
/// `/dev/fd/63`, refers to the open file.
fn has_name(path: &Path) -> bool {
    path.canonicalize().is_ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    #[test]
    fn pipes_and_devices_and_sockets_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, socket, none] = ["pipe", "socket", "none"].map(|name| folder.path().join(name));
        let has_pipe = Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success());
        if has_pipe {
            assert_eq!(InputKind::of(&pipe).unwrap(), InputKind::NamedPipe);
            assert!(check_regular(&pipe).is_err() && check_output(&pipe).is_err());
            assert!(crate::check_kind(&pipe, "a list", |_| true).is_err());
            assert!(open_regular(&pipe).is_err() && read(&pipe, 9).is_err());
        }
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(InputKind::of(&socket).is_err() && check_output(&socket).is_err());
        for endless in ["/dev/zero", "/dev/full"].map(Path::new).iter().filter(|path| path.exists()) {
            assert!(open_input(endless).is_err() && check_regular(endless).is_err() && check_output(endless).is_ok());
        }
        let null = Path::new("/dev/null");
        assert!(crate::check_kind(null, "a list", |_| false).is_ok());
        assert!(check_regular(null).is_err() && check_output(null).is_ok() && read(null, 0).unwrap().is_empty());
        assert_eq!(InputKind::of(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert!(check_regular(folder.path()).is_err() && check_output(folder.path()).is_ok());
        assert_eq!(InputKind::of(&none).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(check_regular(&none).is_ok() && check_output(&none).is_ok());
    }

    #[test]
    fn a_large_file_is_refused_by_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        file.set_len(10).unwrap();
        assert_eq!(read(&path, 10).unwrap(), [0; 10]);
        // Sparse: it has no content to read.
        file.set_len(1 << 40).unwrap();
        let error = read(&path, 10).unwrap_err();
        assert_eq!(error.to_string(), "it has 1099511627776 bytes, more than 10");
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 10).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_that_is_open_already_is_taken_and_bounded() {
        use std::io::Write;
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let path = std::path::PathBuf::from(format!("/proc/{}/fd/0", child.id()));
        assert_eq!(InputKind::of(&path).unwrap(), InputKind::Stream);
        assert!(check_regular(&path).is_err() && check_output(&path).is_ok());
        drop(child.stdin.take());
        child.wait().unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"0123456789").unwrap();
        drop(writer);
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        assert_eq!(read(path, 9).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
