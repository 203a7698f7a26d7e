//! Building the programs, first to make a profile and then with it.

use super::profile::TRAINED;
use super::{PAGES, PROGRAMS, Platform};
use crate::error::Result;
use crate::{files, run};
use std::path::{Path, PathBuf};

/// Builds programs that write a profile when they end, and returns their folder.
pub(crate) fn instrumented(platform: &Platform, work: &Path) -> Result<PathBuf> {
    // Without counters that are updated atomically, the counts of threads would vary.
    let flags = ["-Cprofile-generate", "-Cllvm-args=-instrprof-atomic-counter-update-all"].map(str::to_owned);
    build(platform, &work.join("instrumented"), &flags, &TRAINED)
}

/// Builds the programs that are released, and returns their folder.
pub(crate) fn optimised(platform: &Platform, work: &Path, profile: Option<&Path>) -> Result<PathBuf> {
    let flags: Vec<String> = profile.map(|path| format!("-Cprofile-use={}", path.display())).into_iter().collect();
    build(platform, &work.join("optimised"), &flags, &PROGRAMS)
}

fn build(platform: &Platform, target_folder: &Path, flags: &[String], programs: &[&str]) -> Result<PathBuf> {
    let mut flags = flags.to_vec();
    flags.push(format!("-Ctarget-cpu={}", platform.cpu));
    if has_fixed_addresses(&platform.target) {
        flags.push("-Crelocation-model=static".to_owned());
    }
    // Panic messages name source files; the folders of this machine are no part of the release.
    flags.push(format!("--remap-path-prefix={}=.", files::root().display()));
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    // Flags may contain spaces, so they are separated by the unit separator.
    let encoded = flags.join("\u{1f}");
    let environment = [("CARGO_ENCODED_RUSTFLAGS", encoded.as_ref()), ("CARGO_TARGET_DIR", target_folder.as_os_str())];
    let mut command = run::args(&["build", "--profile", "dist", "--locked", "--quiet", "--features", PAGES]);
    // With a target, the flags do not apply to build scripts.
    command.extend(["--target".to_owned(), platform.target.clone()]);
    // All packages are named even if not all programs are built: together they decide which features the libraries
    // have, and a profile fits only libraries with the same features.
    command.extend(PROGRAMS.iter().flat_map(|program| ["--package".to_owned(), (*program).to_owned()]));
    command.extend(programs.iter().flat_map(|program| ["--bin".to_owned(), (*program).to_owned()]));
    run::cargo_clean(&command, &environment)?;
    Ok(target_folder.join(&platform.target).join("dist"))
}

/// Whether programs are linked to fixed addresses, so that an address in a table is a constant of an instruction
/// instead of a register: `bench` searches more nodes per second. Programs at random addresses are harder to
/// attack, but the engine is written in safe Rust. Only Linux on x86-64 has such programs.
fn has_fixed_addresses(target: &str) -> bool {
    target.starts_with("x86_64-") && target.contains("-linux-")
}

/// Cargo's folder, which contains the sources of the dependencies.
fn cargo_home() -> Option<PathBuf> {
    let given = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    given.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_linux_has_fixed_addresses() {
        assert!(has_fixed_addresses("x86_64-unknown-linux-gnu"));
        for target in ["aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-apple-darwin"] {
            assert!(!has_fixed_addresses(target), "{target}");
        }
    }
}
