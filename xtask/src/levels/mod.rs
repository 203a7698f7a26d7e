//! `cargo xtask levels`: measures what the limited levels of play are worth.
//!
//! Every part keeps its games and its results in a folder, so that an interrupted run continues where it stopped. The
//! engine is copied into the folder at the first run: all games of a folder are played by the same program.

mod anchors;
mod bullet;
mod conduct;
mod endings;
mod engines;
mod fit;
mod games;
mod ladder;
mod moves;
mod people;

use crate::error::{Error, Result};
use crate::measure::program;
use crate::{files, run};
use clap::ValueEnum;
use serde_json::{Map, Value};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// The openings of all games: lines of the built-in book, which a search sees within 60 centipawns of equality at ply
/// 16; see testdata/book/SOURCE.md.
const OPENINGS: &str = "testdata/book/deeper.pgn";
/// How many plies of them are played.
const OPENING_PLIES: &str = "10";
/// Shuffles the openings.
const SEED: &str = "58";

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Levels {
    /// Parts to measure [default: all]
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// Ratings of the levels, the weakest first
    #[arg(
        long,
        value_name = "ELO,...",
        value_delimiter = ',',
        default_values_t = [600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800]
    )]
    levels: Vec<u32>,
    /// Games of each pairing, and positions of each ending [default: 1000 in the ladder, 100 against anchors and for
    /// conduct, 50 positions, 40 bullet games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// PGN file of rated games of people, for the part moves
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,
    /// PGN or EPD file of balanced openings [default: testdata/book/deeper.pgn, five moves]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Folder that keeps games and results [default: levels in the target folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Number of concurrent games [default: one per core]
    #[arg(long, value_name = "GAMES")]
    concurrency: Option<NonZero<usize>>,
    /// Print the results as JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Neighbouring levels against each other
    Ladder,
    /// Levels against engines with published ratings; uses the games of the ladder
    Anchors,
    /// How the levels err, compared with people and with Stockfish; uses the games of the ladder
    Conduct,
    /// Won endings against perfect defence
    Endings,
    /// Share of the moves of people that each level plays
    Moves,
    /// Losses on time at 1+0.01 on a loaded machine
    Bullet,
}

/// The result of a part.
struct Report {
    /// Tables in Markdown.
    text: String,
    /// The same for programs.
    data: Value,
}

impl Part {
    fn run(self, lab: &Lab<'_>) -> Result<Report> {
        match self {
            Self::Ladder => ladder::run(lab),
            Self::Anchors => anchors::run(lab),
            Self::Conduct => conduct::run(lab),
            Self::Endings => endings::run(lab),
            Self::Moves => moves::run(lab),
            Self::Bullet => bullet::run(lab),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What the parts share.
struct Lab<'a> {
    /// The engine whose levels are measured: a copy in the folder.
    engine: PathBuf,
    tools: PathBuf,
    folder: PathBuf,
    /// The arguments of `match` for openings.
    openings: Vec<String>,
    levels: &'a [u32],
    games: Option<u32>,
    people: Option<PathBuf>,
    concurrency: usize,
    report: &'a dyn Fn(&str),
}

impl Lab<'_> {
    /// A file of the folder.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The number of games or positions: that of the command line, or this one.
    fn games_or(&self, usual: u32) -> u32 {
        self.games.unwrap_or(usual)
    }

    /// The arguments for a journal of the tools, which continue it if it is there.
    fn journal(&self, name: &str) -> Vec<String> {
        let journal = self.file(&format!("{name}.jsonl"));
        let mut args = vec!["--journal".to_owned(), journal.display().to_string()];
        if fs::metadata(&journal).is_ok_and(|file| file.len() > 0) {
            args.push("--resume".to_owned());
        }
        args
    }

    /// Runs the tools and returns their JSON output.
    fn tools(&self, args: &[String]) -> Result<Value> {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        crate::measure::json(&self.tools, &args)
    }
}

/// Measures the parts in order and returns their tables. `report` shows the progress.
pub(crate) fn run(options: &Levels, report: &dyn Fn(&str)) -> Result<String> {
    if options.levels.len() < 2 || !options.levels.is_sorted_by(|one, next| one < next) {
        return Err(Error::Check("--levels needs two or more ratings, the weakest first".to_owned()));
    }
    let folder = match &options.folder {
        Some(folder) => absolute(folder)?,
        None => run::target_folder(run::MAIN)?.join("levels"),
    };
    let openings = match &options.openings {
        Some(file) => vec![absolute(file)?.display().to_string()],
        None => [OPENINGS, "--opening-plies", OPENING_PLIES].map(str::to_owned).to_vec(),
    };
    let openings = ["--openings".to_owned()].into_iter().chain(openings);
    let lab = Lab {
        engine: keep(&program("bartizan")?, &folder)?,
        tools: program("bartizan-tools")?,
        openings: openings.chain(["--seed".to_owned(), SEED.to_owned()]).collect(),
        folder,
        levels: &options.levels,
        games: options.games,
        people: options.people.as_deref().map(absolute).transpose()?,
        concurrency: options.concurrency.unwrap_or_else(bartizan_parallel::cores).get(),
        report,
    };
    let all = options.parts.is_empty();
    let parts = if all { Part::value_variants() } else { &options.parts };
    let (mut texts, mut data, mut skipped) = (Vec::new(), Map::new(), Vec::new());
    for &part in parts {
        let name = part.name();
        let Report { text, data: values } = match part.run(&lab) {
            // The other parts do not need what is missing.
            Err(Error::Skipped(why)) if parts.len() > 1 => {
                skipped.push(format!("SKIPPED: {name}: {why}"));
                continue;
            }
            result => result?,
        };
        files::replace(&lab.file(&format!("{name}.md")), &text)?;
        files::replace(&lab.file(&format!("{name}.json")), &format!("{values:#}\n"))?;
        report(&format!("{name}: done"));
        texts.push(format!("## {name}\n\n{}", text.trim_end()));
        data.insert(name, values);
    }
    skipped.iter().for_each(|line| report(line));
    Ok(if options.json { format!("{:#}", Value::Object(data)) } else { texts.join("\n\n") })
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(Error::io(path))
}

/// Copies a program into the folder, or checks that the copy there is the same program: the games of two versions must
/// not mix, and a build must not replace the program between two games.
fn keep(program: &Path, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let copy = folder.join(program.file_name().unwrap_or_default());
    let new = fs::read(program).map_err(Error::io(program))?;
    match fs::read(&copy) {
        Ok(old) if old == new => {}
        Ok(_) => {
            let what = "has the games of another build; remove it, or name another one with --folder";
            return Err(Error::Check(format!("'{}' {what}", files::shown(folder))));
        }
        Err(_) => {
            let new_copy = copy.with_extension("new");
            fs::copy(program, &new_copy).map_err(Error::io(&new_copy))?;
            fs::rename(&new_copy, &copy).map_err(Error::io(&copy))?;
        }
    }
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_one_build() {
        let folder = tempfile::tempdir().unwrap();
        let (program, games) = (folder.path().join("bartizan"), folder.path().join("games"));
        fs::write(&program, "one").unwrap();
        let copy = keep(&program, &games).unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), "one");
        assert_eq!(keep(&program, &games).unwrap(), copy);
        fs::write(&program, "two").unwrap();
        assert!(keep(&program, &games).unwrap_err().to_string().contains("another build"));
        assert_eq!(fs::read_to_string(copy).unwrap(), "one");
    }

    #[test]
    fn levels_rise() {
        #[derive(Debug, clap::Parser)]
        struct Args {
            #[command(flatten)]
            levels: Levels,
        }
        use clap::Parser as _;
        for list in ["800", "1000,800", "800,800"] {
            let args = Args::try_parse_from(["levels", "ladder", "--levels", list]).unwrap();
            assert!(run(&args.levels, &|_| {}).unwrap_err().to_string().starts_with("--levels needs"), "{list}");
        }
        assert!(Args::try_parse_from(["levels", "--games", "1"]).is_err());
        assert!(Args::try_parse_from(["levels", "ladders"]).is_err());
    }
}
