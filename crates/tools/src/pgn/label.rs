//! `pgn label`: lets an engine play games from positions, and records the results.

use super::output::Output;
use crate::epd::suite::parse_positions;
use crate::files;
use crate::input;
use crate::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use crate::output::note;
use crate::progress;
use crate::resume::{JournalArgs, JournalEngine, Log};
use anyhow::{Context, ensure};
use bartizan_analysis::AnalysisError;
use bartizan_analysis::label::{GameIndex, LabelError, LabelRules, Labeller, PlayedGame};
use bartizan_match::{DrawRule, EngineLimits, EngineSpec, ResignRule, TablebaseRule, TimeControl};
use bartizan_notation::epd::{Epd, Operation};
use bartizan_parallel::FeedOptions;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
The result is written as the operation c9 (1-0, 1/2-1/2 or 0-1), which tune
reads. With --games, it is White's mean score, such as 0.375. Everything else on
a line stays. With --nodes or --depth, the same positions and options give the
same results, whatever --concurrency is.

Examples:
  bartizan-tools pgn label positions.epd --nodes 5000 --resign 3,800 \\
      --draw 40,6,10 --out labelled.epd
  bartizan-tools pgn label positions.epd --engine cmd=stockfish --st 0.05 \\
      --concurrency 4 --journal label.jsonl
  bartizan-tools pgn label positions.epd --nodes 2000 --games 4 --out means.epd";

/// The arguments of `pgn label`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions, one EPD or FEN per line, also as .gz, .bz2 or .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Engine that plays both sides, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<EngineSpec>,
    /// Time control: [MOVES/]BASE[+INCREMENT], in seconds
    #[arg(long, value_name = "TC", conflicts_with = "st")]
    tc: Option<TimeControl>,
    /// Time per move
    #[arg(long, value_name = "SECONDS")]
    st: Option<f64>,
    /// Nodes per move
    #[arg(long, value_name = "NODES")]
    nodes: Option<u64>,
    /// Depth per move
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Number of games from each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Random variation of the node limit, so that the games differ [default: 20, or 0 for one game]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=90))]
    vary: Option<u32>,
    /// Seed of the random variation
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write one line per game with its result, instead of the mean
    #[arg(long)]
    each: bool,
    /// Win adjudication: the loser reports -SCORE centipawns or less for MOVES moves; with `both`, the winner must
    /// agree [default: none]
    #[arg(long, value_name = "MOVES,SCORE[,both]")]
    resign: Option<ResignRule>,
    /// Draw adjudication: from move FROM on, both sides report at most SCORE centipawns for MOVES moves in a row,
    /// without a capture or a pawn move, which restarts the count [default: none]
    #[arg(long, value_name = "FROM,MOVES,SCORE")]
    draw: Option<DrawRule>,
    /// Number of full moves after which a game is drawn [default: unlimited]
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Folders of Syzygy tablebases for adjudication, as in the UCI option SyzygyPath [default: none]
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Hash table size of the built-in engine
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=4_096))]
    hash: u32,
    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write one JSON object per position instead of EPD
    #[arg(long, conflicts_with = "each")]
    json: bool,
    #[command(flatten)]
    journal: JournalArgs,
    /// Suppress progress and summary
    #[arg(short, long)]
    quiet: bool,
}

/// What decides the results. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LabelSettings {
    /// SHA-256 of the positions.
    positions: String,
    #[serde(flatten)]
    engine: JournalEngine,
    #[serde(flatten)]
    rules: LabelRules,
    tables: Option<String>,
    hash: u32,
}

impl LabelSettings {
    fn of(args: &Args, text: &[u8]) -> anyhow::Result<Self> {
        let own = EngineLimits { tc: args.tc, st: args.st, nodestime: None, nodes: args.nodes, depth: args.depth };
        let limits = args.engine.as_ref().map_or(own, |engine| engine.limits().or(own));
        limits.check().map_err(|error| anyhow::anyhow!("invalid limits: {error}"))?;
        if let Some(engine) = &args.engine {
            engine.clone().with_limits(limits).check()?;
        }
        let vary = args.vary.unwrap_or(if args.games > 1 { 20 } else { 0 });
        let is_timed = limits.tc.is_some() || limits.st.is_some();
        ensure!(
            args.games == 1 || is_timed || limits.nodes.is_some() && vary > 0,
            "the games of a position would be identical; give --nodes with --vary, or a time limit"
        );
        Ok(Self {
            positions: files::hex(&Sha256::digest(text)),
            engine: JournalEngine::of(args.engine.as_ref())?,
            rules: LabelRules {
                limits,
                games: args.games,
                vary,
                seed: args.seed,
                resign: args.resign,
                draw: args.draw,
                max_moves: args.max_moves,
            },
            tables: args.tb.clone(),
            hash: args.hash,
        })
    }
}

/// What the journal has of a game: the number of the position's line, and the result.
#[derive(Serialize, Deserialize)]
struct Labelled<'a> {
    line: usize,
    #[serde(flatten)]
    outcome: Cow<'a, PlayedGame>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    files::refuse_same(&args.out.iter().chain(&args.journal.path).collect::<Vec<_>>())?;
    let path = args.file.as_deref().filter(|path| path.as_os_str() != "-");
    let (name, text) = (input::name(path), input::read_positions(path, interrupt)?);
    let positions = parse_positions(&name, &text)?;
    let settings = LabelSettings::of(args, &text)?;
    drop(text);
    let tables = settings.tables.clone().map(|path| TablebaseRule { path, pieces: None, ignore_50: false }.open());
    let tables = tables.transpose()?;
    let mut labellers = Vec::new();
    for _ in 0..args.concurrency {
        let started = Labeller::new(
            args.engine.as_ref(),
            settings.hash as usize,
            &settings.rules,
            tables.as_ref(),
            interrupt.stop(),
        );
        labellers.push(started.map_err(|error| match error {
            LabelError::Engine(AnalysisError::Stopped) => Interrupted("while starting an engine".to_owned()).into(),
            error => anyhow::Error::new(error),
        })?);
    }
    let (mut outcomes, games) = (BTreeMap::new(), settings.rules.games);
    let take = |game, Labelled { line, outcome }: Labelled<'_>| {
        let index = positions.binary_search_by_key(&line, |&(line, _)| line);
        let game = u32::try_from(game).ok().filter(|game| (1..=games).contains(game));
        let (Ok(index), Some(game)) = (index, game) else { return Err("a game that is not of this run") };
        outcomes.insert((index, game - 1), outcome.into_owned());
        Ok(())
    };
    let mut log = Log::open(&args.journal, ("label", "a journal of pgn label"), || Ok(settings.clone()), take)?;
    let all = (0..positions.len()).flat_map(|index| (0..games).map(move |game| (index, game)));
    let todo: Vec<GameIndex> = all.filter(|task| !outcomes.contains_key(task)).collect();
    let resumed = outcomes.len();

    let style = "{bar:30} {pos}/{len} games  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar((resumed + todo.len()) as u64, style, args.quiet)?;
    bar.set_position(resumed as u64);
    bar.reset_eta();
    let mut points = [0_u64; 3];
    let workers = labellers.into_iter().map(|mut labeller| {
        let positions = &positions;
        move |task: GameIndex| {
            let (line, epd) = &positions[task.0];
            let played = labeller.play(&epd.position, task).with_context(|| format!("line {line}"));
            played.map(|outcome| Some((task, outcome?))).transpose()
        }
    });
    let flow = FeedOptions::any(4 * args.concurrency as usize);
    let played = bartizan_parallel::run(todo.iter().copied(), workers, flow, |played| {
        let (task, outcome) = played?;
        let labelled = Labelled { line: positions[task.0].0, outcome: Cow::Borrowed(&outcome) };
        log.add(u64::from(task.1) + 1, &labelled)?;
        points[usize::from(outcome.points).min(2)] += 1;
        outcomes.insert(task, outcome);
        bar.inc(1);
        bar.set_message(format!("White +{} ={} -{}", points[2], points[1], points[0]));
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    // Finished games are written even after an engine error.
    let complete = write(args, &positions, &outcomes, games)?;
    played.context(name)?;
    let done = outcomes.len() == resumed + todo.len();
    if !args.quiet {
        note!("{}", summary(&outcomes, complete, positions.len(), resumed, args));
    }
    Ok(if done { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

fn summary(
    outcomes: &BTreeMap<GameIndex, PlayedGame>,
    complete: usize,
    all: usize,
    resumed: usize,
    args: &Args,
) -> String {
    let count = |points| outcomes.values().filter(|outcome| outcome.points == points).count();
    let plies: usize = outcomes.values().map(|outcome| outcome.plies).sum();
    let interrupted = match (complete < all, &args.journal.path) {
        (false, _) => "",
        (true, Some(_)) => "; interrupted, run again with --resume to continue",
        (true, None) => "; interrupted",
    };
    format!(
        "{complete} of {all} positions, {} games ({resumed} resumed), White +{} ={} -{}, {plies} plies{interrupted}",
        outcomes.len(),
        count(2),
        count(1),
        count(0),
    )
}

/// Writes the positions whose games have all been played. Returns their number. Partial output does not replace a file,
/// which may be the input.
fn write(
    args: &Args,
    positions: &[(usize, Epd)],
    outcomes: &BTreeMap<GameIndex, PlayedGame>,
    games: u32,
) -> anyhow::Result<usize> {
    let is_new = args.out.as_ref().is_none_or(|path| !path.exists());
    let mut out = Output::new(args.out.as_deref())?;
    let mut written = 0;
    for (index, (line, epd)) in positions.iter().enumerate() {
        let own: Vec<&PlayedGame> = outcomes.range((index, 0)..(index + 1, 0)).map(|(_, outcome)| outcome).collect();
        if own.len() < games as usize {
            continue;
        }
        written += 1;
        let mean = own.iter().map(|outcome| f64::from(outcome.points)).sum::<f64>() / (2.0 * f64::from(games));
        let mut labelled = epd.clone();
        if args.json {
            let games: Vec<_> = own.iter().map(|outcome| game_json(outcome)).collect();
            let fen = epd.position.to_fen();
            let object =
                serde_json::json!({ "line": line, "fen": fen, "id": epd.id(), "points": mean, "games": games });
            out.write_line(object)?;
        } else if args.each || games == 1 {
            for outcome in own {
                labelled.set(Operation::new("c9", [outcome.result().as_str()])?);
                out.write_line(&labelled)?;
            }
        } else {
            labelled.set(Operation::new("c9", [mean.to_string()])?);
            out.write_line(&labelled)?;
        }
    }
    if is_new || written == positions.len() {
        out.commit()?;
    }
    Ok(written)
}

fn game_json(outcome: &PlayedGame) -> serde_json::Value {
    serde_json::json!({
        "result": outcome.result().as_str(),
        "reason": outcome.reason,
        "plies": outcome.plies,
    })
}
