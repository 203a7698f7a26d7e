//! Builds the fake engine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the program `fake-engine`, which plays pseudo-random legal moves by UCI or xboard and misbehaves on
/// demand; its `--help` lists how.
///
/// The first call in a process lets cargo build the program beside the running test, so that it is there and up to date
/// whichever packages are tested.
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
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--bin", name]);
    command.args(["--profile", &layout.profile]).arg("--target-dir").arg(&layout.target_folder);
    command.args(layout.triple.iter().flat_map(|triple| ["--target", triple]));
    // Not the folder that the tests run in: that may be gone.
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().map_err(|error| format!("cannot run '{}': {error}", cargo.display()))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(layout.programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
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
    fn it_runs() {
        let output = Command::new(fake_engine()).arg("--help").output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(b"An engine for tests."));
    }
}
