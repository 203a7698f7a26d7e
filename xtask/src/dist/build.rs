//! Builds the programs, first to make a profile and then with it.

use super::profile::TRAINED;
use super::{FEATURES, PROGRAMS, Platform};
use crate::error::Result;
use crate::{files, run};
use std::path::{Path, PathBuf};

/// Builds programs that write a profile when they exit, and returns their folder.
pub(crate) fn instrumented(platform: &Platform, work: &Path) -> Result<PathBuf> {
    // Without atomic counters, the counts of threads would vary.
    let flags = ["-Cprofile-generate", "-Cllvm-args=-instrprof-atomic-counter-update-all"].map(str::to_owned);
    build(platform, &work.join("instrumented"), &flags, &TRAINED)
}

/// Builds the release programs, and returns their folder.
pub(crate) fn optimised(platform: &Platform, work: &Path, profile: Option<&Path>) -> Result<PathBuf> {
    let flags: Vec<String> = profile.map(|path| format!("-Cprofile-use={}", path.display())).into_iter().collect();
    build(platform, &work.join("optimised"), &flags, &PROGRAMS)
}

/// Builds the server, and returns its folder. The profile does not fit it: its libraries have other features.
pub(crate) fn server(platform: &Platform, work: &Path) -> Result<PathBuf> {
    let arguments = run::args(&["--profile", "release", "--manifest-path", run::SERVER]);
    cargo_build(platform, &work.join("server"), &[], &arguments)?;
    Ok(work.join("server").join(&platform.target).join("release"))
}

fn build(platform: &Platform, target_folder: &Path, flags: &[String], programs: &[&str]) -> Result<PathBuf> {
    let mut arguments = run::args(&["--profile", "dist", "--features", FEATURES]);
    // All packages are named even if not all programs are built: together they determine the features of the libraries,
    // and a profile only fits libraries with the same features.
    arguments.extend(PROGRAMS.iter().flat_map(|program| ["--package".to_owned(), (*program).to_owned()]));
    arguments.extend(programs.iter().flat_map(|program| ["--bin".to_owned(), (*program).to_owned()]));
    cargo_build(platform, target_folder, flags, &arguments)?;
    Ok(target_folder.join(&platform.target).join("dist"))
}

fn cargo_build(platform: &Platform, target_folder: &Path, flags: &[String], arguments: &[String]) -> Result<()> {
    let mut flags = flags.to_vec();
    flags.push(format!("-Ctarget-cpu={}", platform.cpu));
    flags.extend(linking(&platform.target).map(str::to_owned));
    // Panic messages name source files; this machine's folders must not appear in the release.
    flags.push(format!("--remap-path-prefix={}=.", files::root().display()));
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    // Flags may contain spaces, so they are separated by the unit separator.
    let encoded = flags.join("\u{1f}");
    let environment = [("CARGO_ENCODED_RUSTFLAGS", encoded.as_ref()), ("CARGO_TARGET_DIR", target_folder.as_os_str())];
    // With a target, the flags do not apply to build scripts.
    let mut command = run::args(&["build", "--locked", "--quiet", "--target", &platform.target]);
    command.extend_from_slice(arguments);
    run::cargo_clean(&command, &environment)
}

/// Link options, where the compiler's default is overridden.
///
/// On Linux with x86-64, programs are linked to fixed addresses, so that the address of a table is an instruction's
/// constant instead of a register: `bench` searches more nodes per second. Programs at random addresses are harder to
/// attack, but the engine is written in safe Rust. No other platform gets such programs. On Windows, the C runtime is
/// linked statically; otherwise it is a file (`VCRUNTIME140.dll`) that not every machine has.
fn linking(target: &str) -> Option<&'static str> {
    if target.starts_with("x86_64-") && target.contains("-linux-") {
        Some("-Crelocation-model=static")
    } else if target.ends_with("-windows-msvc") {
        Some("-Ctarget-feature=+crt-static")
    } else {
        None
    }
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
    fn linux_has_fixed_addresses_and_windows_the_c_runtime() {
        assert_eq!(linking("x86_64-unknown-linux-gnu"), Some("-Crelocation-model=static"));
        for target in ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"] {
            assert_eq!(linking(target), Some("-Ctarget-feature=+crt-static"), "{target}");
        }
        for target in ["aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "x86_64-apple-darwin"] {
            assert_eq!(linking(target), None, "{target}");
        }
    }
}
