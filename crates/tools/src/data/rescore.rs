//! `data rescore`: gives positions the scores of other, deeper searches.

use super::Reading;
use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine};
use crate::files::{self, cannot_read, cannot_write};
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say};
use crate::progress;
use crate::threads::parse_threads;
use anyhow::{Context, ensure};
use bartizan_analysis::{Analyser, AnalysisError};
use bartizan_client::EngineSpec;
use bartizan_engine::{EvaluationModel, Limits, SingleThreadedEngine};
use bartizan_parallel::{FeedOptions, StopFlag, run as run_jobs};
use bartizan_position::Game;
use bartizan_training::data::samples;
use bartizan_training::positions::{POSITIONS_MAGIC, PositionSample, SAMPLE_SIZE};
use bartizan_types::{Escaped, Value};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Number of positions per thread that may wait for an earlier one.
const WAITING: usize = 16;

/// Hash table of the built-in engine, in MiB.
const HASH: usize = 16;

const EXAMPLE: &str = "\
The positions keep their order and the results of their games. Each search
starts with an empty hash table. Scores are for the side to move: internal
centipawns from the built-in engine, unchanged from other engines.

Each position is written as soon as it and all positions before it have been
searched; --resume continues a file.

Examples:
  bartizan-tools data rescore held.pos --nodes 100000 --out deep.pos
  bartizan-tools data rescore held.pos --nodes 100000 \\
      --engine 'cmd=stockfish' --out other.pos --resume";

/// The arguments of `data rescore`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Position files written by `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Output file for the positions with their new scores
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the output file, which holds the first of these positions
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    budget: SearchBudget,
    /// Engine, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC", value_parser = parse_engine)]
    engine: Option<EngineSpec>,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Number of concurrent searches, each by a separate engine; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print the count as JSON, without progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    args.budget.check()?;
    files::refuse_input(&args.out, &args.files)?;
    files::refuse_compressed(&args.out)?;
    let all = Reading::new(&args.files, false, 1, true, interrupt)?.with(|source| Ok(samples(source)?))?;
    let limits = args.budget.limits();
    let searchers =
        (0..args.threads.get()).map(|_| Searcher::new(args, interrupt)).collect::<anyhow::Result<Vec<_>>>()?;
    let (mut out, done) = open(args, &all)?;
    let bar =
        progress::bar(all.len() as u64, "{bar:30} {pos}/{len} positions  {elapsed} elapsed, {eta} left", args.json)?;
    bar.set_position(done as u64);
    bar.reset_eta();
    let limits = &limits;
    let workers = searchers.into_iter().map(|mut searcher| move |sample| searcher.rescore(sample, limits).transpose());
    let ahead = WAITING * args.threads.get();
    run_jobs(
        all[done..].iter().copied(),
        workers,
        FeedOptions::kept(ahead),
        |sample: anyhow::Result<PositionSample>| {
            out.write_all(&sample?.to_bytes()).with_context(|| cannot_write(&args.out))?;
            bar.inc(1);
            anyhow::Ok(())
        },
    )?;
    let scored = bar.position();
    bar.finish_and_clear();
    if scored < all.len() as u64 {
        note!("interrupted after {scored} of {} positions; run again with --resume to continue", all.len());
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if args.json {
        say!("{}", serde_json::json!({ "positions": scored, "resumed": done }))?;
    } else {
        say!("{}: {scored} positions ({done} resumed)", Escaped(args.out.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What searches.
enum Searcher {
    BuiltIn(Box<SingleThreadedEngine>, StopFlag),
    Other(Analyser),
}

impl Searcher {
    fn new(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Self> {
        if args.engine.is_some() {
            return Ok(Self::Other(analyser::start(args.engine.as_ref(), &[], args.timeouts, interrupt)?));
        }
        ensure!(args.budget.st.is_none(), "--st is for another --engine: give --nodes or --depth");
        Ok(Self::BuiltIn(Box::new(SingleThreadedEngine::new(HASH, EvaluationModel::built_in())?), interrupt.stop()))
    }

    /// A position with the score of a search; `None` if interrupted.
    fn rescore(&mut self, sample: PositionSample, limits: &Limits) -> anyhow::Result<Option<PositionSample>> {
        let position = sample.packed().unpack()?;
        let score = match self {
            Self::BuiltIn(engine, stop) => {
                engine.forget();
                engine.search(&Game::new(position), limits.clone(), stop).map(|result| result.value)
            }
            Self::Other(analyser) => match analyser.clear().and_then(|()| analyser.analyse(position, limits.clone())) {
                Ok(analysis) => Some(Value(analysis.score.centipawns())),
                Err(AnalysisError::Stopped) => None,
                Err(error) => return Err(error.into()),
            },
        };
        Ok(score.map(|score| sample.with_score(score)))
    }
}

/// The file for the positions, and the number that it already has.
fn open(args: &Args, all: &[PositionSample]) -> anyhow::Result<(File, usize)> {
    let path = &args.out;
    if !args.resume || !path.exists() {
        let create = || OpenOptions::new().write(true).create_new(true).open(path);
        let mut file =
            create().with_context(|| format!("cannot create '{}' (--resume continues it)", Escaped(path.display())))?;
        bartizan_files::claim(&file)?;
        file.write_all(&POSITIONS_MAGIC).with_context(|| cannot_write(path))?;
        return Ok((file, 0));
    }
    resume(path, all)
}

fn resume(path: &Path, all: &[PositionSample]) -> anyhow::Result<(File, usize)> {
    // With part of a record; the file of other positions may have more.
    let most = POSITIONS_MAGIC.len() + (all.len() + 1) * SAMPLE_SIZE;
    let bytes = bartizan_files::read_regular(path, most as u64).with_context(|| cannot_read(path))?;
    let records = bytes.get(POSITIONS_MAGIC.len()..).unwrap_or_default();
    let (records, _) = records.as_chunks::<SAMPLE_SIZE>();
    let is_same = |(record, sample): (&[u8; SAMPLE_SIZE], &PositionSample)| {
        PositionSample::from_bytes(*record).is_same_position(sample)
    };
    let is_ours = POSITIONS_MAGIC.starts_with(&bytes[..bytes.len().min(POSITIONS_MAGIC.len())])
        && records.len() <= all.len()
        && records.iter().zip(all).all(is_same);
    ensure!(is_ours, "cannot resume '{}': it does not begin with these positions", Escaped(path.display()));
    let mut file = OpenOptions::new().write(true).open(path).with_context(|| cannot_write(path))?;
    bartizan_files::claim(&file)?;
    // A truncated record is written again.
    let length = POSITIONS_MAGIC.len() + records.len() * SAMPLE_SIZE;
    let mut complete = || {
        file.write_all(&POSITIONS_MAGIC)?;
        file.set_len(length as u64)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))
    };
    complete().with_context(|| cannot_write(path))?;
    Ok((file, records.len()))
}
