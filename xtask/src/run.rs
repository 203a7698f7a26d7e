//! Runs cargo, for tasks that need a built program.

use crate::error::{Error, Result};
use crate::paths::root;
use cargo_metadata::{Metadata, MetadataCommand};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs cargo in the workspace's root and waits for it. Inherits the output.
pub(crate) fn cargo(args: &[String]) -> Result<()> {
    finish(cargo_command(args), args, false).map(drop)
}

/// Builds the programs for development, with the features of the workspace's tests: after them nothing is left to
/// compile.
pub(crate) fn build_programs() -> Result<()> {
    cargo(&args(&["test", "--quiet", "--workspace", "--no-run"]))
}

/// Runs cargo as [`cargo`] does, with these variables, and without those of the caller that change how it compiles.
pub(crate) fn cargo_clean(args: &[String], environment: &[(&str, &OsStr)]) -> Result<()> {
    let mut command = cargo_command(args);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PROFILE_") || name.starts_with("CARGO_BUILD_") || name == "CARGO_ENCODED_RUSTFLAGS" {
            command.env_remove(&*name);
        }
    }
    command.envs(environment.iter().copied());
    finish(command, args, false).map(drop)
}

/// Runs cargo in the workspace's root and returns its standard output.
pub(crate) fn cargo_output(args: &[String]) -> Result<String> {
    finish(cargo_command(args), args, true)
}

fn cargo_command(args: &[String]) -> Command {
    // Cargo passes its own path, so that `cargo +toolchain xtask` keeps the toolchain.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null()).stderr(Stdio::inherit());
    command
}

fn finish(mut command: Command, args: &[String], capture: bool) -> Result<String> {
    let shown = || format!("cargo {}", args.join(" "));
    command.stdout(if capture { Stdio::piped() } else { Stdio::inherit() });
    let output = command.spawn().and_then(|child| child.wait_with_output());
    let output = output.map_err(|source| Error::Start { command: shown(), source })?;
    if !output.status.success() {
        return Err(Error::Failed { command: shown(), status: output.status });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program in the workspace's root and returns its standard output without the final line end.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String> {
    let shown = format!("{program} {}", args.join(" "));
    let output = captured(Command::new(program).args(args).current_dir(root()), &shown)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program without input and returns its output. If it fails, the error includes its standard error. `shown` is
/// the command in errors.
pub(crate) fn captured(command: &mut Command, shown: &str) -> Result<Output> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| Error::Start { command: shown.to_owned(), source })?;
    if output.status.success() {
        return Ok(output);
    }
    let text = format!("`{shown}` failed: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    Err(Error::Check(text.trim_end().to_owned()))
}

/// The manifest of the main workspace.
pub(crate) const MAIN: &str = "Cargo.toml";

/// The manifest of the benchmarks, which are a separate workspace.
pub(crate) const BENCHES: &str = "benches/Cargo.toml";

/// The manifest of the modules for the web, which are a separate workspace.
pub(crate) const WEB: &str = "web/Cargo.toml";

/// The manifest of the server, which is a separate workspace.
pub(crate) const SERVER: &str = "server/Cargo.toml";

/// The manifest of the Python package, which is a separate workspace.
pub(crate) const PYTHON: &str = "python/Cargo.toml";

/// The target folder of the workspace with a manifest, wherever the configuration puts it.
pub(crate) fn target_folder(manifest: &str) -> Result<PathBuf> {
    Ok(metadata(manifest)?.target_directory.into())
}

/// Cargo's metadata of the packages of the workspace with a manifest, without dependencies.
pub(crate) fn metadata(manifest: &str) -> Result<Metadata> {
    Ok(MetadataCommand::new().manifest_path(root().join(manifest)).no_deps().exec()?)
}

/// The search path for programs, with a folder before all others.
pub(crate) fn path_with(folder: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path)))
        .map_err(|error| Error::Check(format!("PATH: {error}")))
}

/// Converts arguments for [`cargo`].
pub(crate) fn args(args: &[&str]) -> Vec<String> {
    args.iter().map(|&arg| arg.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_reason_that_the_program_gives() {
        let error = output("rustc", &["--no-such-option"]).unwrap_err().to_string();
        assert!(error.starts_with("`rustc --no-such-option` failed: ") && error.contains("\nerror: "), "{error}");
        assert!(output("no-such-program", &[]).unwrap_err().to_string().starts_with("cannot start `no-such-program"));
    }
}
