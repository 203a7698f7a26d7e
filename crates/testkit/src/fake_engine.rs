//! Builds the fake engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The path of the program `fake-engine`, an example of this package, which plays pseudo-random legal moves by UCI or
/// xboard and misbehaves on demand; its `--help` lists how.
///
/// The first call in a process lets cargo build the program beside the running test, so that it is there and up to date
/// whichever packages are tested. A test of the whole workspace has built it already.
///
/// # Panics
///
/// When the build fails; the message shows what cargo said.
pub fn fake_engine() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| build("fake-engine").unwrap_or_else(|error| panic!("cannot build fake-engine: {error}")))
        .clone()
}

fn build(name: &str) -> Result<PathBuf, String> {
    let test = std::env::current_exe().map_err(|error| error.to_string())?;
    let layout = Layout::of(&test).ok_or_else(|| format!("'{}' is not in a target folder of cargo", test.display()))?;
    let program = layout.programs.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if is_newer_than_its_sources(&program) {
        return Ok(program);
    }
    // The features of this package alone can be others than those of all tested packages: then this compiles its
    // dependencies, too.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--example", name]);
    command.args(["--profile", &layout.profile]).arg("--target-dir").arg(&layout.target_folder);
    command.args(layout.triple.iter().flat_map(|triple| ["--target", triple]));
    // Not the folder that the tests run in: that may be gone.
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().map_err(|error| format!("cannot run '{}': {error}", cargo.display()))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(program)
}

/// Whether a program is newer than all the files that cargo lists beside it as its sources.
fn is_newer_than_its_sources(program: &Path) -> bool {
    let modified = |path: &Path| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    let Ok(list) = fs::read_to_string(program.with_extension("d")) else { return false };
    let sources = sources(&list);
    modified(program).is_some_and(|built| {
        !sources.is_empty() && sources.iter().all(|source| modified(source).is_some_and(|changed| changed < built))
    })
}

/// The files of a line `PROGRAM: SOURCE SOURCE …`, where a backslash precedes the blanks in names.
fn sources(list: &str) -> Vec<PathBuf> {
    let Some((_, sources)) = list.lines().next().unwrap_or_default().split_once(": ") else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    let mut continues = false;
    for part in sources.split(' ') {
        let (text, is_cut) = part.strip_suffix('\\').map_or((part, false), |text| (text, true));
        match names.last_mut() {
            Some(name) if continues => name.extend([" ", text]),
            _ => names.push(text.to_owned()),
        }
        continues = is_cut;
    }
    names.retain(|name| !name.is_empty());
    names.into_iter().map(PathBuf::from).collect()
}

/// How cargo was called for the running test, as its path shows.
#[derive(Debug, PartialEq)]
struct Layout {
    /// `target/[TRIPLE/]PROFILE`, where cargo puts programs.
    programs: PathBuf,
    profile: String,
    triple: Option<String>,
    target_folder: PathBuf,
}

impl Layout {
    /// From the path of a test or example: `target/[TRIPLE/]PROFILE/(deps|examples)/TEST`.
    fn of(test: &Path) -> Option<Self> {
        let programs = test.parent()?.parent()?;
        let profile = match programs.file_name()?.to_str()? {
            "debug" => "dev",
            other => other,
        };
        let above = programs.parent()?;
        // Only the names of platforms have three parts.
        let triple = above.file_name()?.to_str().filter(|name| name.split('-').count() >= 3);
        let target_folder = if triple.is_some() { above.parent()? } else { above };
        Some(Self {
            programs: programs.to_owned(),
            profile: profile.to_owned(),
            triple: triple.map(str::to_owned),
            target_folder: target_folder.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_and_the_platform_are_read_from_the_path() {
        let layout = |programs: &str, profile: &str, triple: Option<&str>, target_folder: &str| Layout {
            programs: programs.into(),
            profile: profile.to_owned(),
            triple: triple.map(str::to_owned),
            target_folder: target_folder.into(),
        };
        let plain = Layout::of(Path::new("/x/target/debug/deps/uci-0123"));
        assert_eq!(plain, Some(layout("/x/target/debug", "dev", None, "/x/target")));
        let cross = Layout::of(Path::new("/x/target/x86_64-unknown-linux-gnu/release/deps/uci-0123"));
        let programs = "/x/target/x86_64-unknown-linux-gnu/release";
        assert_eq!(cross, Some(layout(programs, "release", Some("x86_64-unknown-linux-gnu"), "/x/target")));
        assert_eq!(Layout::of(Path::new("uci")), None);
    }

    #[test]
    fn a_program_is_as_new_as_its_sources() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, second: u64| {
            let path = folder.path().join(name);
            let file = fs::File::options().create(true).append(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second)).unwrap();
            path
        };
        let (program, old, spaced) = (file("fake", 20), file("old.rs", 10), file("two words.rs", 10));
        assert!(!is_newer_than_its_sources(&program), "no list of sources");
        let listed = |source: &Path| source.display().to_string().replace(' ', "\\ ");
        fs::write(folder.path().join("fake.d"), format!("fake: {} {}\n", listed(&old), listed(&spaced))).unwrap();
        assert!(is_newer_than_its_sources(&program));
        file("two words.rs", 30);
        assert!(!is_newer_than_its_sources(&program), "a source has changed");
        fs::remove_file(spaced).unwrap();
        assert!(!is_newer_than_its_sources(&program), "a source has gone");
        assert!(sources("x").is_empty());
    }

    #[test]
    fn it_runs() {
        let output = Command::new(fake_engine()).arg("--help").output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(b"An engine for tests."));
    }
}
