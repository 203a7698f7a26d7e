//! `learn`: shows and edits learning files.

use crate::files;
use crate::output::{note, say};
use anyhow::{Context, ensure};
use bartizan_engine::MaterialCount;
use bartizan_frontend::learning::{LearningFile, MOST_RECORDS, Record, merge, prune};
use bartizan_notation::san::San;
use bartizan_types::{Bound, Escaped, Variant};
use clap::Subcommand;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SHOW_EXAMPLE: &str = "\
Example:
  bartizan-tools learn show learning.epd --min-depth 12";

const MERGE_EXAMPLE: &str = "\
Example:
  bartizan-tools learn merge all.epd one.epd two.epd";

const PRUNE_EXAMPLE: &str = "\
Example:
  bartizan-tools learn prune learning.epd --most 2000 --since 2026-01-01";

const EXAMPLE: &str = "\
Examples:
  bartizan-tools learn show learning.epd --min-depth 12
  bartizan-tools learn merge all.epd one.epd two.epd
  bartizan-tools learn prune learning.epd --most 2000 --since 2026-01-01";

/// The arguments of `learn`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the positions of a learning file and report damaged lines
    #[command(after_help = SHOW_EXAMPLE)]
    Show {
        /// Learning file
        file: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Minimum search depth of the positions to show
        #[arg(long, value_name = "PLIES", default_value_t = 0)]
        min_depth: u32,
    },
    /// Merge learning files, keeping the deepest entry per position
    #[command(after_help = MERGE_EXAMPLE)]
    Merge {
        /// File to merge into, including its own entries
        target: PathBuf,
        /// Files to merge
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// Maximum number of positions to keep
        #[arg(long, value_name = "POSITIONS", default_value_t = MOST_RECORDS)]
        most: usize,
    },
    /// Remove positions from a learning file, shallow and old ones first
    #[command(after_help = PRUNE_EXAMPLE)]
    Prune {
        /// Learning file
        file: PathBuf,
        /// Maximum number of positions to keep
        #[arg(long, value_name = "POSITIONS", default_value_t = MOST_RECORDS)]
        most: usize,
        /// Minimum search depth of the positions to keep
        #[arg(long, value_name = "PLIES", default_value_t = 0)]
        min_depth: u32,
        /// Earliest date of the positions to keep [default: any date]
        #[arg(long, value_name = "YYYY-MM-DD")]
        since: Option<String>,
    },
}

/// Runs the command.
///
/// # Errors
/// Names the file and the problem. A damaged line is only a warning.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Show { file, json, min_depth } => show(file, *json, *min_depth)?,
        Command::Merge { target, sources, most } => merge_files(target, sources, *most)?,
        Command::Prune { file, most, min_depth, since } => prune_file(file, *most, *min_depth, since.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a file that must exist.
fn read(path: &Path) -> anyhow::Result<LearningFile> {
    // To the engine a missing learning file is an empty one. On the command line it is a mistake.
    std::fs::metadata(path).with_context(|| files::cannot_read(path))?;
    let file = LearningFile::read(path)?;
    report_damages(path, &file);
    Ok(file)
}

fn report_damages(path: &Path, file: &LearningFile) {
    for damage in &file.damages {
        note!("warning: '{}': {damage}", Escaped(path.display()));
    }
}

fn show(path: &Path, as_json: bool, min_depth: u32) -> anyhow::Result<()> {
    let file = read(path)?;
    let records: Vec<&Record> = file.records.iter().filter(|record| record.depth >= min_depth).collect();
    if as_json {
        let records: Vec<Value> = records.into_iter().map(to_json).collect();
        let damages: Vec<Value> = file
            .damages
            .iter()
            .map(|damage| json!({ "line": damage.line, "error": damage.error.to_string() }))
            .collect();
        say!("{}", serde_json::to_string_pretty(&json!({ "records": records, "damages": damages }))?)?;
        return Ok(());
    }
    for record in &records {
        let (score, bound) = (score(record), bound(record.bound));
        let mv = san(record).unwrap_or_else(|| "-".to_owned());
        say!("{}  depth {:>3}  {bound} {score:>9}  {mv:<7} {}", record.date, record.depth, record.position.to_fen())?;
    }
    say!("{} positions, {} damaged lines", records.len(), file.damages.len())?;
    Ok(())
}

fn merge_files(target: &Path, sources: &[PathBuf], most: usize) -> anyhow::Result<()> {
    // Read all files before writing anything.
    let sources: Vec<LearningFile> = sources.iter().map(|path| read(path)).collect::<anyhow::Result<_>>()?;
    let read: usize = sources.iter().map(|file| file.records.len()).sum();
    let records = sources.into_iter().flat_map(|file| file.records);
    let file = LearningFile::update(target, |all| {
        merge(all, records);
        prune(all, most);
    })?;
    report_damages(target, &file);
    say!("{}: {} positions after merging {read}", Escaped(target.display()), file.records.len())?;
    Ok(())
}

fn prune_file(path: &Path, most: usize, min_depth: u32, since: Option<&str>) -> anyhow::Result<()> {
    let since = since.unwrap_or_default();
    ensure!(since.is_empty() || is_date(since), "invalid --since '{since}', expected YYYY-MM-DD");
    let before = read(path)?.records.len();
    let file = LearningFile::update(path, |all| {
        // Dates in this form sort as text.
        all.retain(|record| record.depth >= min_depth && record.date.as_str() >= since);
        prune(all, most);
    })?;
    say!("{}: {} of {before} positions kept", Escaped(path.display()), file.records.len())?;
    Ok(())
}

/// Whether a text is a date as YYYY-MM-DD.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, digits: usize| {
        part.parse::<u32>().ok().filter(|_| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let &[year, month, day] = parts.as_slice() else { return false };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}

fn to_json(record: &Record) -> Value {
    json!({
        "fen": record.position.to_fen(),
        "move": record.mv.map(|mv| mv.to_uci(Variant::Standard).to_string()),
        "score": record.value.0,
        "mate": record.value.mate_in_moves(),
        "bound": bound(record.bound).trim(),
        "depth": record.depth,
        "date": record.date,
    })
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "least",
        Bound::Upper => "most ",
    }
}

/// The score as engines display it. The file and the JSON contain internal centipawns.
fn score(record: &Record) -> String {
    bartizan_frontend::score_text(record.value, MaterialCount::of(&record.position))
}

fn san(record: &Record) -> Option<String> {
    record.mv.map(|mv| San::new(&record.position, mv).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; ce -120; bm e4; c0 \"exact 2026-01-02\";";
    const DEEPER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 12; ce -130; bm e3; c0 \"exact 2026-01-03\";";
    const OTHER: &str = "4k3/8/8/8/8/8/3P4/4K3 w - - acd 20; ce 31990; c0 \"least 2026-02-03\";";

    fn write(folder: &Path, name: &str, lines: &[&str]) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, format!("# bartizan-learning 1\n{}\n", lines.join("\n"))).unwrap();
        path
    }

    #[test]
    fn merge_and_prune() {
        let folder = tempfile::tempdir().unwrap();
        let a = write(folder.path(), "a", &[ONE, "rubbish"]);
        let b = write(folder.path(), "b", &[DEEPER, OTHER]);
        let target = folder.path().join("c");
        merge_files(&target, &[a, b.clone()], 10).unwrap();
        let text = std::fs::read_to_string(&target).unwrap();
        assert_eq!(text, format!("# bartizan-learning 1\n{DEEPER}\n{OTHER}\n"));
        prune_file(&target, 10, 15, None).unwrap();
        assert_eq!(LearningFile::read(&target).unwrap().records.len(), 1);
        prune_file(&b, 10, 0, Some("2026-02-01")).unwrap();
        assert_eq!(LearningFile::read(&b).unwrap().records.len(), 1);
        prune_file(&b, 0, 0, None).unwrap();
        assert_eq!(LearningFile::read(&b).unwrap().records.len(), 0);
        for date in ["yesterday", "31-12-2025", "2026-13-01", "2026-1-010", "2026-01-00", "----------"] {
            assert!(prune_file(&b, 0, 0, Some(date)).is_err(), "{date}");
        }
        assert!(merge_files(&target, &[folder.path().join("none")], 10).is_err());
    }

    #[test]
    fn shown_in_both_ways() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "a", &[ONE, OTHER, "rubbish"]);
        show(&path, false, 0).unwrap();
        show(&path, true, 0).unwrap();
        let record: Record = OTHER.parse().unwrap();
        assert_eq!(to_json(&record)["mate"], 5);
        assert_eq!(score(&record), "mate in 5");
        assert!(show(&folder.path().join("none"), false, 0).is_err());
    }
}
