//! `cargo xtask examples`: runs the examples of README and the documentation, to check that each works as written.
//!
//! A code block marked `sh` is run. The blocks of one page run in order in one temporary folder, in which `testdata` is
//! the repository's and the programs are on the path. A block marked `text` directly after it is its output; `--write`
//! replaces it by the current output. Other blocks are fragments and are not run.

use crate::error::{Error, Result};
use crate::{files, run};
use bartizan_parallel::{cores, map};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The maximum time that a block may run.
const LIMIT: Duration = Duration::from_secs(120);

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Examples {
    /// Pages whose examples to run [default: README.md and docs/*.md]
    #[arg(value_name = "PAGE")]
    page: Vec<PathBuf>,
    /// Replace the output after each example with that of the release build
    #[arg(long)]
    write: bool,
}

/// Runs every example, even after an earlier one has failed.
pub(crate) fn run(examples: &Examples, report: impl Fn(&str) + Sync) -> Result<String> {
    // Output to be shown comes from the release build.
    if examples.write {
        let packages = ["-p", "bartizan", "-p", "bartizan-xboard", "-p", "bartizan-tools"];
        run::cargo(&run::args(&[&["build", "--quiet", "--release"][..], &packages].concat()))?;
    } else {
        run::build_programs()?;
    }
    let programs = run::target_folder(run::MAIN)?.join(if examples.write { "release" } else { "debug" });
    let pages = if examples.page.is_empty() { pages()? } else { examples.page.clone() };
    // Some of the written outputs show times.
    let threads = if examples.write { 1 } else { cores().get() };
    let (mut passed, mut failed) = (0, 0);
    for page in map(&pages, threads, |path| run_page(path, examples.write, &programs, &report)) {
        let page = page?;
        passed += page.0;
        failed += page.1;
    }
    match failed {
        0 => Ok(format!("{passed} examples ran")),
        _ => Err(Error::Check(format!("{failed} of {} examples failed", passed + failed))),
    }
}

/// Runs the examples of a page; returns the numbers of passes and failures.
fn run_page(path: &Path, write: bool, programs: &Path, report: impl Fn(&str)) -> Result<(usize, usize)> {
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    link(&files::root().join("testdata"), &folder.path().join("testdata"))?;
    let page = files::read(path)?;
    let mut updated = page.clone();
    let (mut passed, mut failed, mut replacements) = (0, 0, Vec::new());
    for Example { script, shown } in examples_of(&page) {
        let first = script.lines().next().unwrap_or_default();
        let ExampleResult { output, failure } = run_script(&script, folder.path(), programs)?;
        match failure {
            None => {
                passed += 1;
                report(&format!("ok      {}: {first}", files::shown(path)));
                replacements.extend(shown.map(|range| (range, output)));
            }
            Some(failure) => {
                failed += 1;
                report(&format!("FAILED  {}: {first}\n{}\n{failure}", files::shown(path), last_lines(&output)));
            }
        }
    }
    // From last to first, so that earlier ranges stay valid.
    for (range, output) in replacements.into_iter().rev() {
        updated.replace_range(range, &output);
    }
    if write && updated != page {
        files::replace(path, &updated)?;
    }
    Ok((passed, failed))
}

/// README and the pages of the documentation.
fn pages() -> Result<Vec<PathBuf>> {
    let docs = files::root().join("docs");
    let entries = std::fs::read_dir(&docs).map_err(Error::io(&docs))?;
    let mut pages: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.push(files::root().join("README.md"));
    pages.sort();
    Ok(pages)
}

/// A script of a page, and the place of its output.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    script: String,
    shown: Option<Range<usize>>,
}

fn examples_of(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    // The mark of the current block, its start, and the position of its text.
    let mut block: Option<(String, usize, Range<usize>)> = None;
    let mut script_end = None;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(mark))) => {
                let text = range.start + page[range.clone()].find('\n').map_or(0, |end| end + 1);
                block = Some((mark.into_string(), range.start, text..text));
            }
            Event::Text(_) => {
                if let Some((_, _, text)) = &mut block {
                    text.end = range.end;
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let Some((mark, start, text)) = block.take() else { continue };
                let follows = script_end.is_some_and(|end: usize| page[end..start].trim().is_empty());
                match (mark.as_str(), examples.last_mut()) {
                    ("sh", _) => examples.push(Example { script: page[text].to_owned(), shown: None }),
                    ("text", Some(example)) if follows => example.shown = Some(text),
                    _ => {}
                }
                script_end = (mark == "sh").then_some(range.end);
            }
            _ => {}
        }
    }
    examples
}

/// What a script printed, and why it failed if it did.
struct ExampleResult {
    output: String,
    failure: Option<String>,
}

/// Runs a script in a folder, with a folder of programs on the path.
fn run_script(script: &str, folder: &Path, programs: &Path) -> Result<ExampleResult> {
    // A pipe would fill up while no one reads it.
    let output = folder.join(".output");
    let file = std::fs::File::create(&output).map_err(Error::io(&output))?;
    let errors = file.try_clone().map_err(Error::io(&output))?;
    let started = Command::new("bash")
        .args(["-eu", "-o", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", run::path_with(programs)?)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn();
    let mut child = started.map_err(|source| Error::Start { command: "bash".to_owned(), source })?;
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().map_err(Error::io(&output))? {
            Some(status) => break Some(status),
            None if begin.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let failure = match status {
        Some(status) if status.success() => None,
        Some(status) => Some(status.to_string()),
        None => Some(format!("stopped after {} s", LIMIT.as_secs())),
    };
    let output = std::fs::read(&output).map_err(Error::io(&output))?;
    Ok(ExampleResult { output: String::from_utf8_lossy(&output).into_owned(), failure })
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link).map_err(Error::io(link))
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    Err(Error::Check("the examples need a Unix shell".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_blocks_are_run_and_their_output_found() {
        let page = "```sh\na\nb\n```\n\n```text\nold\n```\n\n```text\nno output\n```\n\n```\nc\n```\n\n```sh\nd\n```\n";
        let examples = examples_of(page);
        let scripts: Vec<&str> = examples.iter().map(|example| example.script.as_str()).collect();
        assert_eq!(scripts, ["a\nb\n", "d\n"]);
        assert_eq!(examples[0].shown.clone().map(|range| &page[range]), Some("old\n"));
        assert_eq!(examples[1].shown, None);
        let page = "```sh\na\n```\n\n```text\n```\n";
        assert_eq!(examples_of(page)[0].shown, Some(21..21));
    }

    #[cfg(unix)]
    #[test]
    fn a_failing_command_fails_the_example() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(run_script("true | true\ntrue\n", folder.path(), folder.path()).unwrap().failure, None);
        let outcome = run_script("echo reason\nfalse | true\ntrue\n", folder.path(), folder.path()).unwrap();
        assert_eq!(outcome.output, "reason\n");
        assert!(outcome.failure.is_some());
    }
}
