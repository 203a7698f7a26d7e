//! `cargo xtask instructions`: counts the instructions of fixed workloads and compares them with those stored in the
//! repository.
//!
//! Unlike times, the counts do not depend on the machine's load. They depend on the compiler and on the target
//! processor. So the program is built for a fixed processor, and counts made by another compiler are shown but not
//! judged.

use crate::error::{Error, Result};
use crate::{files, run};
use bartizan_parallel::{cores, map};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The change, in percent, at which a count is considered to have grown or shrunk.
const TOLERANCE: f64 = 1.0;

/// The target processor of the program: AVX2 and BMI2, which valgrind supports.
const PROCESSOR: &str = "x86-64-v3";

/// The line of the file that names the compiler.
const COMPILER: &str = "# Compiler: ";

/// Which counts to make, and what to do with them.
#[derive(Debug, clap::Args)]
pub(crate) struct Instructions {
    /// Texts of which a case's name must contain one [default: all cases]
    #[arg(value_name = "CASE", conflicts_with = "write")]
    cases: Vec<String>,
    /// Fail if a count has grown by more than 1 %
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the counts to testdata/instructions.txt
    #[arg(long)]
    write: bool,
}

/// The function of the program that does the work of a case, and what the case `search` counts: it spends much of its
/// time clearing tables.
const MEASURED: &str = "*bartizan_instructions::measured*";
const SEARCH: &str = "*bartizan_search::iterate::*::iterate";

/// Work to be counted.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    /// The function whose calls are counted, with everything they call.
    function: &'static str,
}

type Counts = Vec<(String, u64)>;

/// The file with the counts. Lines that begin with `#` are its header.
fn path() -> PathBuf {
    files::root().join("testdata/instructions.txt")
}

/// Counts, prints a table and does what the options request. Returns the summary.
pub(crate) fn run(options: &Instructions, mut report: impl FnMut(&str)) -> Result<String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(Error::Skipped("instructions are counted on x86-64 Linux only".to_owned()));
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        return Err(Error::Skipped("no instructions are counted: valgrind is not installed".to_owned()));
    }
    let compiler = run::output("rustc", &["--version"])?;
    let path = path();
    let (known_compiler, known) = if path.exists() { parse(&path, &files::read(&path)?)? } else { Default::default() };
    let comparable = known_compiler == compiler;
    let difference =
        || format!("the counts of {} are from {known_compiler}, and this is {compiler}", files::shown(&path));
    if options.check && !comparable {
        return Err(Error::Skipped(difference()));
    }
    let cases = cases(&build()?)?;
    let wanted = |case: &Case| options.cases.is_empty() || options.cases.iter().any(|text| case.name.contains(text));
    let cases: Vec<Case> = cases.into_iter().filter(wanted).collect();
    if cases.is_empty() {
        return Err(Error::Check(format!("no case has {} in its name", options.cases.join(" or "))));
    }
    let counts = count_all(&cases)?;
    report(&table(&known, &counts));
    if options.write {
        files::replace(&path, &text(&compiler, &counts))?;
        return Ok(format!("{} counts written to {}", counts.len(), files::shown(&path)));
    }
    if !comparable {
        return Ok(difference());
    }
    let mut problems = problems(&known, &counts);
    if options.cases.is_empty() {
        let gone = known.iter().filter(|(name, _)| self::known(&counts, name).is_none());
        problems.extend(gone.map(|(name, _)| format!("{name} is no longer counted")));
    }
    for (name, old, new) in changed(&known, &counts).filter(|&(_, old, new)| percent(old, new) < -TOLERANCE) {
        report(&format!("{name} shrank from {old} to {new}: run `cargo xtask instructions --write` to keep the gain"));
    }
    if options.check && !problems.is_empty() {
        let advice = "If that is intended, run `cargo xtask instructions --write` and give the reason in the commit.";
        return Err(Error::Check(format!("{}\n{advice}", problems.join("\n"))));
    }
    Ok(format!("{} counts, {} beyond {TOLERANCE} % above {}", counts.len(), problems.len(), files::shown(&path)))
}

/// Builds the program, always in the same way, and returns its path.
fn build() -> Result<PathBuf> {
    let target = run::target_folder(run::MAIN)?.join("instructions");
    let flags = format!("-C target-cpu={PROCESSOR}");
    let environment = [("RUSTFLAGS", flags.as_ref()), ("CARGO_TARGET_DIR", target.as_os_str())];
    run::cargo_clean(
        &run::args(&["build", "--release", "--quiet", "--package", "bartizan-instructions"]),
        &environment,
    )?;
    Ok(target.join("release/bartizan-instructions"))
}

fn cases(program: &Path) -> Result<Vec<Case>> {
    let positions = files::root().join("crates/engine/src/bench_positions.txt");
    let names = run::output(&program.to_string_lossy(), &[])?;
    let case = |name: &str| Case {
        name: name.to_owned(),
        program: program.to_owned(),
        arguments: vec![name.to_owned(), positions.to_string_lossy().into_owned()],
        function: if name == "search" { SEARCH } else { MEASURED },
    };
    Ok(names.lines().map(case).collect())
}

/// Counts all cases, in parallel on all cores.
fn count_all(cases: &[Case]) -> Result<Counts> {
    let folder = tempfile::tempdir().map_err(Error::io(Path::new("temporary folder")))?;
    let count_one = |(index, case): (usize, &Case)| Ok((case.name.clone(), count(case, folder.path(), index)?));
    map(cases.iter().enumerate(), cores().get(), count_one).into_iter().collect()
}

/// Runs a case under callgrind. The environment is empty except for what valgrind needs: it must neither configure the
/// engine nor change the work of the dynamic linker.
fn count(case: &Case, folder: &Path, index: usize) -> Result<u64> {
    let file = folder.join(format!("{index}.out"));
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(format!("--toggle-collect={}", case.function));
    command.arg(&case.program).args(&case.arguments).current_dir(folder).stdin(Stdio::null());
    command.env_clear().envs(["PATH", "VALGRIND_LIB"].iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    let shown = || format!("valgrind {} {}", case.program.display(), case.arguments.join(" "));
    let output = command.output().map_err(|source| Error::Start { command: shown(), source })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Check(format!("`{}` failed: {}\n{}", shown(), output.status, text.trim_end())));
    }
    match totals(&files::read(&file)?) {
        Some(count) if count > 0 => Ok(count),
        _ => Err(Error::Check(format!(
            "`{}` counted nothing: is the function '{}' still there?",
            shown(),
            case.function
        ))),
    }
}

/// The number of instructions in callgrind's output.
fn totals(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("totals:"))?.trim().parse().ok()
}

/// The compiler and the counts in the file.
fn parse(path: &Path, text: &str) -> Result<(String, Counts)> {
    let compiler = text.lines().find_map(|line| line.strip_prefix(COMPILER)).unwrap_or("an unknown compiler");
    let mut counts = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
    {
        let entry = line.split_once(' ').and_then(|(name, count)| Some((name.to_owned(), count.trim().parse().ok()?)));
        let what = || format!("expected a name and a count, found '{line}'");
        counts.push(entry.ok_or_else(|| Error::Line { path: path.to_owned(), line: index + 1, what: what() })?);
    }
    Ok((compiler.to_owned(), counts))
}

/// The text of the file.
fn text(compiler: &str, counts: &Counts) -> String {
    let width = counts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = format!(
        "# Instructions of fixed work, counted by callgrind; written by `cargo xtask instructions --write`.\n\
         # `cargo xtask instructions --check` fails when a count grows by more than {TOLERANCE} %.\n\
         {COMPILER}{compiler}\n\
         # Built in release mode for {PROCESSOR}. The work: xtask/instructions, xtask/src/instructions.rs.\n"
    );
    for (name, count) in counts {
        let _ = writeln!(text, "{name:<width$} {count:>10}");
    }
    text
}

fn percent(old: u64, new: u64) -> f64 {
    (new as f64 - old as f64) / old.max(1) as f64 * 100.0
}

fn known(counts: &Counts, name: &str) -> Option<u64> {
    counts.iter().find(|(known, _)| known == name).map(|&(_, count)| count)
}

/// The cases that have been counted before: name, old count, new count.
fn changed<'a>(old: &'a Counts, new: &'a Counts) -> impl Iterator<Item = (&'a str, u64, u64)> {
    new.iter().filter_map(|(name, new)| Some((name.as_str(), known(old, name)?, *new)))
}

/// The counts next to the old ones.
fn table(old: &Counts, new: &Counts) -> String {
    let width = new.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut table = format!("{:<width$} {:>12} {:>12} {:>9}", "case", "old", "new", "change");
    for (name, count) in new {
        let _ = match known(old, name) {
            Some(old) => write!(table, "\n{name:<width$} {old:>12} {count:>12} {:>+8.2}%", percent(old, *count)),
            None => write!(table, "\n{name:<width$} {:>12} {count:>12}", "-"),
        };
    }
    table
}

/// The problems: counts that have grown, and cases that are not in the file.
fn problems(old: &Counts, new: &Counts) -> Vec<String> {
    let grown = changed(old, new).filter(|&(_, old, new)| percent(old, new) > TOLERANCE);
    let grown = grown
        .map(|(name, old, new)| format!("{name} grew by {:.2} %, from {old} to {new} instructions", percent(old, new)));
    let unknown = new.iter().filter(|(name, _)| known(old, name).is_none());
    grown.chain(unknown.map(|(name, _)| format!("{name} is not in {}", files::shown(&path())))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> Counts {
        counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn only_growth_beyond_the_tolerance_is_a_problem() {
        let old = counts(&[("a", 1_000), ("b", 1_000), ("c", 1_000)]);
        let new = counts(&[("a", 1_010), ("b", 1_011), ("c", 500)]);
        assert_eq!(problems(&old, &new), ["b grew by 1.10 %, from 1000 to 1011 instructions"]);
        assert!(problems(&old, &old[..1].to_vec()).is_empty());
    }

    #[test]
    fn a_new_case_must_be_added_to_the_file() {
        let problems = problems(&counts(&[]), &counts(&[("new", 1)]));
        assert!(problems[0].starts_with("new is not in "), "{problems:?}");
    }

    #[test]
    fn the_file_is_read_as_it_is_written() {
        let kept = counts(&[("perft", 123), ("longer-name", 4)]);
        let (compiler, read) = parse(Path::new("i.txt"), &text("rustc 1.2.3", &kept)).unwrap();
        assert_eq!((compiler.as_str(), read), ("rustc 1.2.3", kept));
    }

    #[test]
    fn errors_in_the_file_name_the_line() {
        let error = parse(Path::new("i.txt"), "# head\na 1\nb x\n").unwrap_err();
        assert_eq!(error.to_string(), "i.txt:3: expected a name and a count, found 'b x'");
    }

    #[test]
    fn the_table_shows_the_change() {
        let table = table(&counts(&[("a", 200)]), &counts(&[("a", 190), ("b", 5)]));
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1..], [vec!["a", "200", "190", "-5.00%"], vec!["b", "-", "5"]]);
    }

    #[test]
    fn the_totals_of_callgrind_are_read() {
        assert_eq!(totals("events: Ir\nfn=(1) main\n1 5\ntotals: 42\n"), Some(42));
        assert_eq!(totals("events: Ir\n"), None);
    }
}
