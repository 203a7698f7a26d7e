//! `learn`: the files of what the engine has learnt, for people.

use anyhow::{Context, ensure};
use bartizan_engine::Material;
use bartizan_engine::learning::{LearningFile, MOST_RECORDS, Record, merge, prune};
use bartizan_notation::san::San;
use bartizan_types::{Bound, Variant};
use clap::Subcommand;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to do with learning files.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what a file holds, and which of its lines are damaged
    Show {
        /// The file
        file: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Only positions searched at least so deep, in plies
        #[arg(long, value_name = "N", default_value_t = 0)]
        min_depth: u32,
    },
    /// Put the positions of several files into one; of two about a position the deeper counts
    Merge {
        /// The file to write; what it holds stays in it
        target: PathBuf,
        /// The files to read
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// Keep at most so many positions
        #[arg(long, value_name = "N", default_value_t = MOST_RECORDS)]
        most: usize,
    },
    /// Take positions out of a file: the shallow and old ones first
    Prune {
        /// The file
        file: PathBuf,
        /// Keep at most so many positions
        #[arg(long, value_name = "N", default_value_t = MOST_RECORDS)]
        most: usize,
        /// Keep none that was searched less deep, in plies
        #[arg(long, value_name = "N", default_value_t = 0)]
        min_depth: u32,
        /// Keep none that was learnt before this day, as YYYY-MM-DD
        #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
        since: String,
    },
}

/// Does what the command line says.
///
/// # Errors
/// Names the file and what is wrong with it. A damaged line is told, and is no error.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Show { file, json, min_depth } => show(file, *json, *min_depth)?,
        Command::Merge { target, sources, most } => merge_files(target, sources, *most)?,
        Command::Prune { file, most, min_depth, since } => prune_file(file, *most, *min_depth, since)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a file that must be there.
fn read(path: &Path) -> anyhow::Result<LearningFile> {
    // A learning file that is not there yet is an empty one to the engine; to who names it, it is a slip of the pen.
    std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = LearningFile::read(path)?;
    for damage in &file.damages {
        eprintln!("{}: {damage}", path.display());
    }
    Ok(file)
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
        println!("{}", serde_json::to_string_pretty(&json!({ "records": records, "damages": damages }))?);
        return Ok(());
    }
    for record in &records {
        let (score, bound) = (score(record), bound(record.bound));
        let mv = san(record).unwrap_or_else(|| "-".to_owned());
        println!(
            "{}  depth {:>3}  {bound} {score:>9}  {mv:<7} {}",
            record.date,
            record.depth,
            record.position.to_fen()
        );
    }
    println!("{} positions, {} damaged lines", records.len(), file.damages.len());
    Ok(())
}

fn merge_files(target: &Path, sources: &[PathBuf], most: usize) -> anyhow::Result<()> {
    // All are read before anything is written.
    let sources: Vec<LearningFile> = sources.iter().map(|path| read(path)).collect::<anyhow::Result<_>>()?;
    let read: usize = sources.iter().map(|file| file.records.len()).sum();
    let records = sources.into_iter().flat_map(|file| file.records);
    let file = LearningFile::update(target, |all| {
        merge(all, records);
        prune(all, most);
    })?;
    println!("{}: {} positions, from {read} read", target.display(), file.records.len());
    Ok(())
}

fn prune_file(path: &Path, most: usize, min_depth: u32, since: &str) -> anyhow::Result<()> {
    let is_date = since.len() == 10 && since.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    ensure!(since.is_empty() || is_date, "--since {since}: this is no date as YYYY-MM-DD");
    let before = read(path)?.records.len();
    let file = LearningFile::update(path, |all| {
        // Dates written so sort as text.
        all.retain(|record| record.depth >= min_depth && record.date.as_str() >= since);
        prune(all, most);
    })?;
    println!("{}: {} positions of {before} stay", path.display(), file.records.len());
    Ok(())
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

/// As scores are shown; the file and the JSON have internal centipawns.
fn score(record: &Record) -> String {
    bartizan_frontend::score_text(record.value, Material::of(&record.position))
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
        prune_file(&target, 10, 15, "").unwrap();
        assert_eq!(LearningFile::read(&target).unwrap().records.len(), 1);
        prune_file(&b, 10, 0, "2026-02-01").unwrap();
        assert_eq!(LearningFile::read(&b).unwrap().records.len(), 1);
        prune_file(&b, 0, 0, "").unwrap();
        assert_eq!(LearningFile::read(&b).unwrap().records.len(), 0);
        assert!(prune_file(&b, 0, 0, "yesterday").is_err());
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
