//! `epd mine`: finds positions for a suite in games, and proves their best moves.

use crate::analyser::{self, EngineTimeouts, SearchBudget};
use crate::files;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::note;
use crate::pgn::output::Output;
use crate::progress;
use crate::records::Reading;
use crate::resume::{self, JournalArgs, Log};
use anyhow::{Context, ensure};
use bartizan_analysis::mine::{Criteria, MineStage, MinedGames, MinedPosition, Miner};
use bartizan_client::EngineSpec;
use bartizan_engine::{EngineIdentity, EvaluationModel};
use bartizan_games::records::{GameRecord, Record};
use bartizan_notation::epd::{Epd, Operation};
use bartizan_parallel::{FeedOptions, JobSender, StopFlag, feed};
use bartizan_position::Position;
use bartizan_tablebase::Tablebases;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
A position is taken if all engines agree on the best move, each rates it above
the second by the margin, and it is the only move that wins (at least +1.50
against at most +0.50) or the only one that holds the draw (at least -0.30
against at most -1.50). Every search starts with empty tables, so the same
files, engines and options give the same suite, whatever --concurrency is. With
--tb, tablebases decide where they cover all moves.

Examples:
  bartizan-tools epd mine games.pgn --engine \"cmd=stockfish option.Hash=64\" \\
      --nodes 1000000 --limit 200 --journal tactical.jsonl --out tactical.epd
  bartizan-tools epd mine games.pgn --kind endgame --tb tables \\
      --engine cmd=stockfish --limit 100";

/// What the positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// 13 men or more
    Tactical,
    /// Up to 12 men
    Endgame,
}

impl Kind {
    /// The range of men in positions of this kind.
    fn men(self) -> (u32, u32) {
        match self {
            Self::Tactical => (13, 32),
            Self::Endgame => (3, 12),
        }
    }
}

/// The arguments of `epd mine`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Games with a result: PGN, also as .gz, .bz2 or .zst, or files of selfplay. Scores in comments show where to look
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Kind of positions
    #[arg(long, value_name = "KIND", default_value = "tactical")]
    kind: Kind,
    /// Engine that must agree with the built-in one, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE nodes=N'; may be
    /// repeated. A limit in it overrides the options below
    #[arg(long, value_name = "SPEC")]
    engine: Vec<String>,
    /// Use the first --engine, not the built-in engine, for the small searches
    #[arg(long, requires = "engine")]
    no_built_in: bool,
    #[command(flatten)]
    budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Minimum lead of the best move over the second, for every engine
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 150, value_parser = clap::value_parser!(i32).range(0..))]
    margin: i32,
    /// Nodes within which the first engine must not find the move
    #[arg(long, value_name = "NODES", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    easy: u64,
    /// Nodes of the preliminary search that decides whether to search deeply
    #[arg(long, value_name = "NODES", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    sift: u64,
    /// Change of the game's scores that makes a position a candidate; 0 for every position. In games without scores,
    /// every position is a candidate
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..))]
    jump: i32,
    /// Maximum number of positions to take [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Maximum number of positions per game
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,
    /// Minimum distance between two positions of a game
    #[arg(long, value_name = "PLIES", default_value_t = 10)]
    distance: u32,
    /// Minimum number of men, kings and pawns included [default: 13, or 3 for endgames]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=32))]
    min_men: Option<u32>,
    /// Maximum number of men [default: 32, or 12 for endgames]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=32))]
    max_men: Option<u32>,
    /// Folders of Syzygy tables, as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Number of games searched concurrently, each by separate engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Seed of the order in which the positions of a game are tried
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Output file for the suite, also as .gz, .bz2 or .zst; an interrupted run does not replace it [default: standard
    /// output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write one JSON object per position instead of EPD
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    journal: JournalArgs,
    /// Suppress progress and summary
    #[arg(short, long)]
    quiet: bool,
}

/// What decides which positions are found. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MineSettings {
    kind: Kind,
    /// SHA-256 of each file.
    files: Vec<String>,
    engines: Vec<EngineText>,
    #[serde(default)]
    built_in: BuiltIn,
    #[serde(flatten)]
    budget: SearchBudget,
    #[serde(flatten)]
    criteria: Criteria,
    tables: Option<String>,
    skip_errors: bool,
}

/// The specification of an engine; the empty one is the built-in engine. Two are equal if the engines play alike.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct EngineText(String);

impl PartialEq for EngineText {
    fn eq(&self, other: &Self) -> bool {
        let spec = |text: &Self| text.0.parse::<EngineSpec>().ok();
        self.0 == other.0 || spec(self).zip(spec(other)).is_some_and(|(one, other)| one.plays_as(&other))
    }
}

/// What tells the built-in engine from other versions of it. Older journals do not know, which is no difference.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct BuiltIn(Option<EngineIdentity>);

impl PartialEq for BuiltIn {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_none() || other.0.is_none() || self.0 == other.0
    }
}

impl MineSettings {
    fn of(args: &Args) -> anyhow::Result<Self> {
        let (least, most) = args.kind.men();
        let (min_men, max_men) = (args.min_men.unwrap_or(least), args.max_men.unwrap_or(most));
        ensure!(min_men <= max_men, "invalid --min-men '{min_men}': greater than the {max_men} of --max-men");
        let built_in = (!args.no_built_in).then(String::new);
        let journal = args.journal.path.as_ref();
        Ok(Self {
            kind: args.kind,
            // Only the journal needs to identify the input.
            files: match journal {
                Some(_) => args.files.iter().map(|path| resume::digest(path)).collect::<anyhow::Result<_>>()?,
                None => {
                    // A missing file is an error before the first search.
                    let exists =
                        |path: &PathBuf| fs::metadata(path).map(drop).with_context(|| files::cannot_read(path));
                    args.files.iter().try_for_each(exists)?;
                    Vec::new()
                }
            },
            built_in: BuiltIn(match (&built_in, journal) {
                (Some(_), Some(_)) => Some(EngineIdentity::of_this_program(EvaluationModel::built_in())?),
                _ => None,
            }),
            engines: built_in.into_iter().chain(args.engine.iter().cloned()).map(EngineText).collect(),
            budget: args.budget,
            criteria: Criteria {
                margin: args.margin,
                easy: args.easy,
                sift: args.sift,
                jump: args.jump,
                per_game: args.per_game,
                distance: args.distance,
                min_men,
                max_men,
                seed: args.seed,
            },
            tables: args.tb.clone(),
            skip_errors: args.skip_errors,
        })
    }

    /// The engines and the budgets of their deep searches.
    fn engines(&self) -> anyhow::Result<Vec<(Option<EngineSpec>, SearchBudget)>> {
        let mut engines = Vec::new();
        for EngineText(text) in &self.engines {
            let spec = if text.is_empty() { None } else { Some(text.parse::<EngineSpec>()?) };
            let own = spec.as_ref().map_or(SearchBudget::default(), |spec| SearchBudget {
                st: spec.st,
                depth: spec.depth,
                nodes: spec.nodes,
            });
            let budget = if own == SearchBudget::default() { self.budget } else { own };
            budget.check()?;
            engines.push((spec, budget));
        }
        Ok(engines)
    }
}

/// A game to be searched.
struct Job {
    number: u64,
    game: GameRecord,
}

/// Runs the command.
pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    for path in args.out.iter().chain(&args.journal.path) {
        files::refuse_input(path, &args.files)?;
    }
    files::refuse_same(&args.out.iter().chain(&args.journal.path).collect::<Vec<_>>())?;
    let settings = MineSettings::of(args)?;
    let engines = settings.engines()?;
    let tables = settings.tables.as_deref().map(Tablebases::open).transpose()?;
    let enough = StopFlag::new();
    let mut miners = Vec::new();
    for _ in 0..args.concurrency {
        let start = |(spec, budget): &(Option<EngineSpec>, SearchBudget)| {
            // An engine without this option is rejected before the first game.
            let options = [("MultiPV".to_owned(), "2".to_owned())];
            let analyser = analyser::start(spec.as_ref(), &options, args.timeouts, interrupt)?.stop_by(&enough);
            let name = analyser::full_name(&analyser, spec.as_ref());
            Ok((analyser, budget.limits(), name))
        };
        let engines = engines.iter().map(start).collect::<anyhow::Result<_>>()?;
        miners.push(Miner::new(engines, &settings.criteria, tables.as_ref()));
    }
    let mut games = BTreeMap::new();
    let take = |game, finds| {
        games.insert(game, finds);
        Ok(())
    };
    let mut log = Log::open(&args.journal, ("mine", "a journal of epd mine"), || Ok(settings.clone()), take)?;
    let done: HashSet<u64> = games.keys().copied().collect();
    let mut mined = MinedGames::new(games, args.limit.map(|limit| limit as usize));
    if mined.is_enough() {
        enough.stop();
    }

    let bar = progress::bar(None, "{spinner} {msg}  {elapsed} elapsed", args.quiet)?;
    let read = |jobs: &JobSender<Job>| read(args, interrupt, jobs, &done, &enough);
    let workers = miners.into_iter().map(|mut miner| {
        move |Job { number, game }| match miner.search(&game, number) {
            Err(error) if error.is_stop() => None,
            Err(error) => Some(Err(anyhow::Error::new(error).context(format!("game {}", number + 1)))),
            Ok(finds) => Some(Ok((number, finds))),
        }
    });
    let flow = FeedOptions::any(3 * args.concurrency as usize);
    let (complete, collected) = feed(read, workers, flow, |found| {
        let take = || -> anyhow::Result<()> {
            let (number, finds) = found?;
            log.add(number, &finds)?;
            mined.add(number, finds);
            bar.set_message(format!("{} games, {} positions found", mined.games(), mined.found()));
            bar.tick();
            Ok(())
        };
        let taken = take();
        // Running searches end, even after an error.
        if taken.is_err() || mined.is_enough() {
            enough.stop();
        }
        taken
    })
    .context("cannot start a thread")?;
    collected?;
    let complete = complete?;
    bar.finish_and_clear();
    let complete = complete && !interrupt.is_set() || mined.is_enough();
    let found = mined.taken();
    // A partial suite does not replace a whole one.
    if complete || args.out.as_ref().is_none_or(|path| !path.exists()) {
        write(args, &found)?;
    }
    if !args.quiet {
        note!("{}{}", summary(&mined, found.len()), if complete { "" } else { "; interrupted" });
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Submits the games that are not done yet. Returns whether it has reached the end of the files.
fn read(
    args: &Args,
    interrupt: &Interrupt,
    jobs: &JobSender<Job>,
    done: &HashSet<u64>,
    enough: &StopFlag,
) -> anyhow::Result<bool> {
    let reading = Reading { files: &args.files, skip_errors: args.skip_errors, partial: false, quiet: true, interrupt };
    let (mut number, mut left_out) = (0, 0);
    let mut ended = true;
    let read = reading.each(|record| {
        match record {
            Record::Game(game) => {
                let is_new = !done.contains(&number);
                if interrupt.is_set()
                    || enough.is_stopped()
                    || is_new && jobs.push(Job { number, game: game.clone() }).is_err()
                {
                    ended = false;
                    return ControlFlow::Break(());
                }
                number += 1;
            }
            Record::NoResult | Record::Position(_) => left_out += 1,
        }
        ControlFlow::Continue(0)
    })?;
    if left_out > 0 && !args.quiet {
        note!("skipped: {left_out} games without a result or single positions");
    }
    Ok(ended && read.is_some())
}

fn summary(mined: &MinedGames, taken: usize) -> String {
    format!(
        "{taken} positions from {} games: {} candidates, {} too easy, {} without a clear best move, {} not proven",
        mined.games(),
        mined.count(MineStage::Candidate),
        mined.count(MineStage::Easy),
        mined.count(MineStage::Sifted),
        mined.count(MineStage::Unproven),
    )
}

fn write(args: &Args, found: &[(u64, &MinedPosition)]) -> anyhow::Result<()> {
    let line = |(index, &(game, found)): (usize, &(u64, &MinedPosition))| {
        if args.json { json(args.kind, index, game, found) } else { epd(args.kind, index, found) }
    };
    let lines: Vec<String> = found.iter().enumerate().map(line).collect::<anyhow::Result<_>>()?;
    let mut out = Output::new(args.out.as_deref())?;
    lines.iter().try_for_each(|line| out.write_line(line))?;
    out.commit()
}

fn id(kind: Kind, index: usize) -> String {
    format!("{} {:03}", resume::choice(&kind), index + 1)
}

fn epd(kind: Kind, index: usize, found: &MinedPosition) -> anyhow::Result<String> {
    let (position, best) = position(found)?;
    let mut epd = Epd::new(position);
    epd.set(Operation::new("bm", [best])?);
    epd.set(Operation::new("id", [id(kind, index)])?);
    epd.set(Operation::new("c0", [format!("{}: {}", found.task.as_str(), found.proof.join("; "))])?);
    Ok(epd.to_string())
}

fn json(kind: Kind, index: usize, game: u64, found: &MinedPosition) -> anyhow::Result<String> {
    let (_, san) = position(found)?;
    let object = serde_json::json!({
        "id": id(kind, index),
        "fen": found.fen,
        "best": found.best,
        "san": san,
        "task": found.task,
        "proof": found.proof,
        "game": game + 1,
        "ply": found.ply,
    });
    Ok(object.to_string())
}

/// The position, and the best move in SAN.
fn position(found: &MinedPosition) -> anyhow::Result<(Position, String)> {
    let what = || format!("the journal has '{}' with best move '{}'", files::shown(&found.fen), found.best);
    let position = Position::from_fen(&found.fen).with_context(what)?;
    let best = position.parse_uci(&found.best).with_context(what)?;
    let san = bartizan_notation::san::San::new(&position, best).to_string();
    Ok((position, san))
}
