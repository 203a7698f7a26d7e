//! Simulated faults: full or read-only folders, and killed or limited programs.

use super::Place;
use super::program::{Program, Tells};
use crate::error::{Error, Result};
use crate::run;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program that runs longer counts as hung.
const HANG: Duration = Duration::from_secs(300);

/// A killed process has ended within this time.
const DYING: Duration = Duration::from_secs(10);

/// Panic messages that do not come from this code: the standard library aborts a process that has memory for a thread,
/// but not for its signal stack. The second message only follows another panic.
const FOREIGN_PANICS: [&str; 2] = ["failed to allocate an alternative stack", "panic in a function that cannot unwind"];

/// How a program is run.
pub(super) struct Run {
    pub(super) kill_after: Option<Duration>,
    pub(super) limit: Option<Limit>,
    pub(super) home: bool,
    pub(super) reads_output: bool,
    /// Whether the program has already run to its end and must find more to do.
    pub(super) again: bool,
}

impl Default for Run {
    fn default() -> Self {
        Self { kill_after: None, limit: None, home: true, reads_output: true, again: false }
    }
}

/// A resource of which a program has too little.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// Bytes of its address space.
    Memory(usize),
    /// Number of threads of a user.
    Threads { number: usize, user: usize },
}

impl Limit {
    /// Whether the system can set the limit.
    pub(super) fn is_possible(self) -> bool {
        let works = |program: &str, args: &[&str]| {
            Command::new(program).args(args).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        match self {
            Self::Memory(_) => works("prlimit", &["--version"]),
            // The limit does not apply to the superuser, so the program runs as another user.
            Self::Threads { user, .. } => works("setpriv", &[&format!("--reuid={user}"), "--clear-groups", "true"]),
        }
    }

    /// The words before a command.
    fn wrap(self) -> String {
        match self {
            Self::Memory(bytes) => format!("prlimit --as={bytes}"),
            Self::Threads { number, user } => {
                format!("setpriv --reuid={user} --clear-groups prlimit --nproc={number}")
            }
        }
    }
}

/// The minimum address space, in steps of 1 MiB, in which the system can load a program. `None` if limits cannot be
/// set.
pub(super) fn least_memory(program: &Path) -> Result<Option<usize>> {
    if !Limit::Memory(0).is_possible() {
        return Ok(None);
    }
    let loads = |mebibytes: usize| {
        let mut command = Command::new("prlimit");
        command.arg(format!("--as={}", mebibytes << 20)).arg(program).arg("--version");
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let (mut fails, mut works) = (0, 1_024);
    if !loads(works) {
        return Err(Error::Check(format!("'{} --version' fails with 1 GiB of memory", program.display())));
    }
    while works - fails > 1 {
        let middle = usize::midpoint(fails, works);
        if loads(middle) { works = middle } else { fails = middle }
    }
    Ok(Some(works << 20))
}

/// How a program has ended.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) was_killed: bool,
    pub(super) output: String,
    pub(super) errors: String,
    pub(super) time: Duration,
}

type Checked = std::result::Result<(), String>;

impl Ended {
    pub(super) fn describe(&self) -> String {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
        let last = |text: &str| {
            text.lines().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" | ")
        };
        // A panic takes precedence, wherever it is.
        let panic = self.errors.lines().skip_while(|line| !line.contains("panicked")).take(2).collect::<Vec<_>>();
        format!("{code}: {} {} {}", panic.join(" | "), last(&self.output), last(&self.errors))
    }

    pub(super) fn succeeded(&self) -> Checked {
        if self.code == Some(0) { Ok(()) } else { Err(self.describe()) }
    }

    /// A fault that the program noticed and reported.
    pub(super) fn failed_clearly(&self, tells: Tells) -> Checked {
        let has =
            |text: &str| ["error", "Error", "cannot", "allocation", "warning"].iter().any(|word| text.contains(word));
        let has_failed = self.code != Some(0) || tells == Tells::Text;
        let is_told = has(&self.errors) || has(&self.output);
        let is_clear = has_failed && is_told || self.code == Some(0) && tells == Tells::Nothing;
        let foreign: usize = FOREIGN_PANICS.iter().map(|message| self.errors.matches(message).count()).sum();
        let has_panicked = self.errors.matches("panicked at").count() > foreign || self.code == Some(101);
        if is_clear && !has_panicked { Ok(()) } else { Err(self.describe()) }
    }

    pub(super) fn failed_clearly_or_not_at_all(&self, tells: Tells) -> Checked {
        if self.code == Some(0) { Ok(()) } else { self.failed_clearly(tells) }
    }
}

/// Whether the system has a program.
pub(super) fn has_program(name: &str) -> bool {
    let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Runs a program in a folder.
pub(super) fn run(place: &Place, program: &Program, folder: &Folder, options: &Run) -> Result<Ended> {
    let outputs = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let (output, errors) = (outputs.path().join("output"), outputs.path().join("errors"));
    let create = |path: &Path| File::create(path).map_err(Error::io(path));
    let stdout: Stdio = if options.reads_output {
        create(&output)?.into()
    } else {
        let (reader, writer) = std::io::pipe().map_err(Error::io(&output))?;
        drop(reader);
        writer.into()
    };
    let path = run::path_with(&place.programs)?;
    let mut command = Command::new("bash");
    command.args(["-c", &program.script()]).current_dir(folder.path()).env("PATH", path).env("I", &place.inputs);
    command.env("LIMIT", options.limit.map(Limit::wrap).unwrap_or_default());
    command.env("AGAIN", if options.again { "0" } else { "" });
    command.env("HOME", outputs.path()).env_remove("XDG_CONFIG_HOME");
    if !options.home {
        command.env_remove("HOME");
    }
    // With this variable, the standard library reports a lack of memory with a backtrace. That takes memory, and the
    // report of its lack waits forever for the lock that the first one holds (Rust 1.95).
    command.env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null()).stdout(stdout).stderr(create(&errors)?);
    #[cfg(unix)]
    {
        // The engines of a match are killed with it.
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let begin = Instant::now();
    let mut child = command.spawn().map_err(|source| Error::Start { command: "bash".to_owned(), source })?;
    let mut was_killed = false;
    let status: ExitStatus = loop {
        if let Some(status) = child.try_wait().map_err(Error::io(folder.path()))? {
            break status;
        }
        let limit = options.kill_after.unwrap_or(HANG);
        if begin.elapsed() >= limit {
            was_killed = true;
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        sleep(Duration::from_millis(2));
    };
    let time = begin.elapsed();
    if was_killed {
        folder.wait_for_locks()?;
    }
    if was_killed && options.kill_after.is_none() {
        return Err(Error::Check(format!("{}: it hangs", program.name)));
    }
    let read = |path: &Path| {
        let mut text = Vec::new();
        let _ = File::open(path).and_then(|mut file| file.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    };
    Ok(Ended { code: status.code(), was_killed, output: read(&output), errors: read(&errors), time })
}

/// The folder of a program's files. If mounted, it is unmounted when dropped.
pub(super) struct Folder {
    folder: TempDir,
    is_mounted: bool,
}

const BALLAST: &str = "ballast";

impl Folder {
    pub(super) fn plain() -> Result<Self> {
        let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        Ok(Self { folder, is_mounted: false })
    }

    /// A folder on a separate disk; `None` if it cannot be mounted.
    pub(super) fn small(kilobytes: usize) -> Result<Option<Self>> {
        let mut folder = Self::plain()?;
        let size = format!("size={kilobytes}k");
        folder.is_mounted = mount(&["-t", "tmpfs", "-o", &size, "tmpfs"], folder.path());
        Ok(folder.is_mounted.then_some(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fills the disk except for some kilobytes.
    pub(super) fn fill(&self, free: usize) -> Result<()> {
        let path = self.path().join(BALLAST);
        let mut file = File::create(&path).map_err(Error::io(&path))?;
        let block = [0; 1_024];
        let mut length: u64 = 0;
        while let Ok(()) = file.write_all(&block) {
            length += 1_024;
        }
        file.set_len(length.saturating_sub(1_024 * free as u64)).map_err(Error::io(&path))
    }

    /// Removes the file written by [`fill`](Self::fill).
    pub(super) fn empty(&self) -> Result<()> {
        let path = self.path().join(BALLAST);
        std::fs::remove_file(&path).map_err(Error::io(&path))
    }

    pub(super) fn make_read_only(&self) -> Result<()> {
        if mount(&["-o", "remount,ro"], self.path()) {
            Ok(())
        } else {
            Err(Error::Check("a folder cannot be made read-only".to_owned()))
        }
    }

    pub(super) fn make_writable_for_all(&self) {
        set_mode(self.path(), 0o777);
    }

    /// All files, by their path in the folder.
    pub(super) fn contents(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut contents = BTreeMap::new();
        for path in self.all()? {
            let bytes = std::fs::read(&path).map_err(Error::io(&path))?;
            contents.insert(path.strip_prefix(self.path()).unwrap_or(&path).display().to_string(), bytes);
        }
        Ok(contents)
    }

    fn all(&self) -> Result<Vec<PathBuf>> {
        let mut folders = vec![self.path().to_owned()];
        let mut all = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).map_err(Error::io(&folder))? {
                let path = entry.map_err(Error::io(&folder))?.path();
                if path.is_dir() { folders.push(path) } else { all.push(path) }
            }
        }
        Ok(all)
    }

    /// Waits until a file is unlocked: of the killed processes, only the first has certainly ended.
    fn wait_for_locks(&self) -> Result<()> {
        let is_free = |path: &PathBuf| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
        let begin = Instant::now();
        while begin.elapsed() < DYING && !self.all()?.iter().all(is_free) {
            sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// Fails if a temporary file is left.
    pub(super) fn no_temporary(&self) -> std::result::Result<(), String> {
        let all = self.all().map_err(|error| error.to_string())?;
        match all.iter().find(|path| {
            path.to_string_lossy().contains("tmp.")
                || path.extension().is_some_and(|e| e == "bartizan-tmp" || e == "new")
        }) {
            Some(path) => Err(format!("'{}' is left", path.display())),
            None => Ok(()),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_mounted {
            // Lazily: a killed program may not have ended yet.
            let _ = Command::new("umount").arg("-l").arg(self.path()).stderr(Stdio::null()).status();
        }
    }
}

fn mount(args: &[&str], folder: &Path) -> bool {
    Command::new("mount").args(args).arg(folder).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Lets another user read a folder, or a file.
pub(super) fn make_readable(path: &Path) {
    set_mode(path, 0o755);
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}
