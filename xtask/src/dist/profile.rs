//! Profiles: finds the program that merges them, and defines the profiled work.

use crate::error::{Error, Result};
use crate::{files, run};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs that run for the profile. The others use the same libraries.
pub(crate) const TRAINED: [&str; 1] = ["bartizan"];

/// A program's workload for the profile: the search, as in games, but also the rules and the notation alone, which
/// would otherwise count as never executed. The work must not depend on time.
const TRAINING: [(&str, &[&str]); 4] = [
    ("bartizan", &["bench"]),
    ("bartizan", &["bench", "16", "1", "4", "default", "perft"]),
    ("bartizan", &["go", "perft", "5"]),
    ("bartizan", &["loadgame", "testdata/examples/openings.pgn", "36"]),
];

/// Mangled names of the functions whose counts are kept, and exceptions. How often threads wait and read the clock
/// depends on chance, so the same work would give a different profile.
const KEPT: &str = r"(^|;)_ZN[0-9]+(_\$LT\$)?bartizan_(types|attacks|position|eval|network|notation|search)";
const DROPPED: &str = "bartizan_search(\\.\\.|[0-9]+)(control|event|handle|iterate|job|listener|pool|vote)\
                       |clear_parallel|hashfull|populate";

/// Finds an `llvm-profdata` for the compiler's version of LLVM: that of the environment variable `LLVM_PROFDATA`, of
/// the toolchain's component `llvm-tools`, or of the system. The error lists what was tried.
pub(crate) fn find_tool(llvm: u32) -> std::result::Result<PathBuf, String> {
    let given = std::env::var_os("LLVM_PROFDATA").map(PathBuf::from);
    let sysroot = run::output("rustc", &["--print", "target-libdir"]).map_err(|error| error.to_string())?;
    let component = Path::new(&sysroot).with_file_name("bin").join("llvm-profdata");
    let system = [format!("llvm-profdata-{llvm}"), "llvm-profdata".to_owned()].map(PathBuf::from);
    let mut candidates = given.into_iter().chain([component]).chain(system);
    candidates.find(|tool| version(tool) == Some(llvm)).ok_or_else(|| {
        format!(
            "no llvm-profdata of LLVM {llvm} was found; try `rustup component add llvm-tools`, or set LLVM_PROFDATA"
        )
    })
}

/// The major version of an `llvm-profdata`; `None` if it does not run or does not report one, as before LLVM 15.
fn version(tool: &Path) -> Option<u32> {
    let output = Command::new(tool).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    major(&String::from_utf8_lossy(&output.stdout))
}

/// The major version in a text like `LLVM version 22.1.8`.
fn major(text: &str) -> Option<u32> {
    let (_, version) = text.split_once("LLVM version ")?;
    version.split(['.', ' ', '\n']).next()?.parse().ok()
}

/// Runs the training with instrumented programs and returns the merged profile.
pub(crate) fn train(programs: &Path, tool: &Path, work: &Path) -> Result<PathBuf> {
    let raw = work.join("raw");
    if raw.exists() {
        std::fs::remove_dir_all(&raw).map_err(Error::io(&raw))?;
    }
    std::fs::create_dir_all(&raw).map_err(Error::io(&raw))?;
    let mut merge = Command::new(tool);
    let merged = raw.join("merged.profdata");
    merge.args(["merge", "--sparse", &format!("--function={KEPT}"), &format!("--no-function={DROPPED}"), "--output"]);
    merge.arg(&merged);
    for (number, (program, arguments)) in TRAINING.iter().enumerate() {
        let profile = raw.join(format!("{number}.profraw"));
        let mut command = Command::new(programs.join(format!("{program}{}", std::env::consts::EXE_SUFFIX)));
        command.args(*arguments).env("LLVM_PROFILE_FILE", &profile).current_dir(files::root());
        run::captured(&mut command, &format!("{program} {}", arguments.join(" ")))?;
        merge.arg(&profile);
    }
    run::captured(merge.current_dir(files::root()), &format!("{} merge", tool.display()))?;
    let shown = run::output(&tool.to_string_lossy(), &["show", &merged.to_string_lossy()])?;
    if functions(&shown).is_none_or(|count| count == 0) {
        return Err(Error::Check(format!("the profile has no counts: are functions still named like '{KEPT}'?")));
    }
    // Cargo rebuilds when the flags change, but does not look into the profile.
    let mut hasher = DefaultHasher::new();
    std::fs::read(&merged).map_err(Error::io(&merged))?.hash(&mut hasher);
    let named = work.join(format!("{:016x}.profdata", hasher.finish()));
    std::fs::rename(&merged, &named).map_err(Error::io(&named))?;
    Ok(named)
}

/// The number of functions in the output of `llvm-profdata show`.
fn functions(shown: &str) -> Option<u64> {
    shown.lines().find_map(|line| line.strip_prefix("Total functions:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_llvm_is_read() {
        assert_eq!(major("LLVM (http://llvm.org/):\n  LLVM version 22.1.2-rust-1.95.0-stable\n"), Some(22));
        assert_eq!(major("Debian LLVM version 22.1.8\n  Optimized build.\n"), Some(22));
        assert_eq!(major("llvm-profdata: Unknown command!"), None);
    }

    #[test]
    fn the_number_of_functions_is_read() {
        assert_eq!(functions("Instrumentation level: IR\nTotal functions: 222\n"), Some(222));
        assert_eq!(functions(""), None);
    }

    #[test]
    fn a_missing_tool_is_explained() {
        assert_eq!(version(Path::new("no-such-program")), None);
        let error = find_tool(9_999).unwrap_err();
        assert!(error.contains("LLVM 9999") && error.contains("llvm-tools"), "{error}");
    }
}
