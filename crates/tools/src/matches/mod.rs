//! Engine matches: who plays, the referee, the journal, the statistics.

pub mod adjudication;
mod clock;
pub mod config;
mod faults;
pub mod journal;
mod ladder;
pub mod limits;
pub mod openings;
mod referee;
mod report;
pub mod schedule;
mod slots;
pub mod standing;
mod traffic;

use crate::interrupt::Interrupt;
use adjudication::{DrawRule, ResignRule, TablebaseRule};
use anyhow::{Context, bail};
<<<<<<< HEAD
=======
use bartizan_client::{Client, Timeouts};
use bartizan_stats::{Sprt, SprtModel, SprtStatus};
>>>>>>> 4643752 (stats: Move the statistics of matches to a crate of their own)
use clap::Subcommand;
use config::{EngineEntry, Format, Settings};
use crossbeam::channel::unbounded;
use indicatif::{ProgressBar, ProgressStyle};
use journal::{Event, GameRecord, Journal};
use openings::{OpeningSettings, Openings};
use schedule::Schedule;
use slots::{News, Work};
use standing::Standing;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use traffic::Traffic;

/// The arguments. What is given here goes before what the file says.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    #[command(flatten)]
    play: Play,
}

#[derive(Debug, Subcommand)]
enum Sub {
    /// Rate engines from journals or PGN files
    Ladder(ladder::Args),
}

#[derive(Debug, clap::Args)]
struct Play {
    /// Read the settings from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An engine: `cmd=… name=… proto=uci|xboard dir=… arg=… option.NAME=… tc=… st=… nodes=… depth=… factor=…`; twice or more
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<String>,
    /// What holds for every engine, in the same form
    #[arg(long, value_name = "SPEC")]
    each: Option<String>,
    /// Time for each engine: MOVES/BASE+INCREMENT in seconds
    #[arg(long, value_name = "TC")]
    tc: Option<limits::TimeControl>,
    /// Seconds for each move
    #[arg(long, value_name = "S")]
    st: Option<f64>,
    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Who plays whom
    #[arg(long)]
    format: Option<Format>,
    /// Pairs of games for each pair of engines (a pair is one opening with both colours)
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Openings, EPD or PGN
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings with this seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Begin with this opening, counted from 1
    #[arg(long, value_name = "N")]
    opening_start: Option<usize>,
    /// Play only so many plies of PGN openings
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Chess960
    #[arg(long)]
    chess960: bool,
    /// Games at once
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Keep each slot on a core of its own
    #[arg(long)]
    pin: bool,
    /// Milliseconds that a clock may be overdrawn
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Seconds beyond its time after which an engine counts as hung
    #[arg(long, value_name = "S")]
    hang: Option<u64>,
    /// Adjudicate won games: MOVES,SCORE or MOVES,SCORE,both (centipawns as the engines show them)
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Adjudicate drawn games: FROM_MOVE,MOVES,SCORE (centipawns as the engines show them)
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Longer games are drawn
    #[arg(long, value_name = "MOVES")]
    max_moves: Option<u32>,
    /// Adjudicate by the Syzygy tablebases in these folders, written as in UCI's SyzygyPath
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Adjudicate only positions of at most so many men, kings and pawns included
    #[arg(long, value_name = "N")]
    tb_pieces: Option<usize>,
    /// Tablebase wins that the 50-move rule would spoil are wins
    #[arg(long)]
    tb_ignore_50: bool,
    /// Stop when an SPRT between ELO0 and ELO1 is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The test's chance to accept a change that is only worth ELO0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The test's chance to refuse a change that is worth ELO1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// ELO0 and ELO1 are normalised Elo
    #[arg(long)]
    normalised: bool,
    /// Report every fault of protocol and fail at the end if there was one
    #[arg(long)]
    strict: bool,
    /// For the PGN's Event tag
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Keep a journal: with it a match can be resumed and rated
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with the journal
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write the games
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write everything that engines and runner say to each other
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong. What can be checked is checked before the first game.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match args.command {
        Some(Sub::Ladder(args)) => ladder::run(&args),
        None => play(&args.play, interrupt),
    }
}

impl Play {
    /// The settings of file and command line together.
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.config.as_deref().map(Settings::read).transpose()?.unwrap_or_default();
        for engine in &self.engines {
            settings.engines.push(EngineEntry::parse(engine)?);
        }
        if let Some(each) = &self.each {
            settings.each = EngineEntry::parse(each)?.or(&settings.each);
        }
        let given =
            EngineEntry { tc: self.tc, st: self.st, nodes: self.nodes, depth: self.depth, ..EngineEntry::default() };
        settings.each = given.or(&settings.each);
        if let Some(file) = &self.openings {
            settings.openings = Some(OpeningSettings { file: file.clone(), seed: None, start: 1, plies: None });
        }
        match &mut settings.openings {
            Some(openings) => {
                openings.seed = self.seed.or(openings.seed);
                openings.start = self.opening_start.unwrap_or(openings.start);
                openings.plies = self.opening_plies.or(openings.plies);
            }
            None if self.seed.is_some() || self.opening_start.is_some() || self.opening_plies.is_some() => {
                bail!("--seed, --opening-start and --opening-plies need --openings");
            }
            None => {}
        }
        if let Some(path) = &self.tb {
            settings.tablebases = Some(TablebaseRule { path: path.clone(), pieces: None, ignore_50: false });
        }
        match &mut settings.tablebases {
            Some(rule) => {
                rule.pieces = self.tb_pieces.or(rule.pieces);
                rule.ignore_50 |= self.tb_ignore_50;
            }
            None if self.tb_pieces.is_some() || self.tb_ignore_50 => bail!("--tb-pieces and --tb-ignore-50 need --tb"),
            None => {}
        }
        if let Some(text) = &self.sprt {
            let bounds = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
            let (elo0, elo1) = bounds.with_context(|| format!("--sprt '{text}' is not ELO0,ELO1"))?;
            let model = if self.normalised { SprtModel::Normalised } else { SprtModel::Logistic };
            settings.sprt = Some(Sprt::new(elo0, elo1, self.alpha, self.beta, model)?);
        }
        settings.format = self.format.unwrap_or(settings.format);
        settings.rounds = self.rounds.unwrap_or(settings.rounds);
        settings.concurrency = self.concurrency.unwrap_or(settings.concurrency);
        settings.margin = self.margin.unwrap_or(settings.margin);
        settings.hang = self.hang.unwrap_or(settings.hang);
        settings.resign = self.resign.or(settings.resign);
        settings.draw = self.draw.or(settings.draw);
        settings.max_moves = self.max_moves.or(settings.max_moves);
        settings.event = self.event.clone().unwrap_or(settings.event);
        settings.chess960 |= self.chess960;
        settings.pin |= self.pin;
        settings.strict |= self.strict;
        settings.complete()
    }
}

/// The games as a PGN file: always whole games.
struct PgnFile {
    file: File,
    path: PathBuf,
}

impl PgnFile {
    /// Begins the file with the games that the journal knows, so that both agree whatever happened before.
    fn open(path: &Path, games: &[GameRecord], resumed: bool) -> anyhow::Result<Self> {
        let context = || format!("cannot write {}", path.display());
        if resumed {
            let text: String = games.iter().map(|game| game.pgn.as_str()).collect();
            crate::files::replace(path, text.as_bytes())?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
        Ok(Self { file, path: path.to_owned() })
    }

    fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.file.write_all(game.pgn.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// What is written while games are played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Files<'a> {
    /// The journal, with which a tournament can be resumed.
    pub(crate) journal: Option<&'a Path>,
    /// Go on with it.
    pub(crate) resume: bool,
    /// The games.
    pub(crate) pgn: Option<&'a Path>,
    /// What engines and runner say to each other.
    pub(crate) log: Option<&'a Path>,
}

/// How a tournament stands at the end of a run.
pub(crate) struct Ended {
    standing: Standing,
    /// `complete`, `sprt` or `interrupted`.
    pub(crate) reason: &'static str,
}

/// Starts engines once, so that a wrong command or option is told before any game. Where they play in pairs, the first two
/// stand for all.
fn try_engines(settings: &Settings, traffic: &Traffic) -> anyhow::Result<()> {
    let count = if settings.format == Format::Pairs { 2 } else { settings.engines.len() };
    for engine in settings.engines.iter().take(count) {
        let mut config = engine.client_config(settings.chess960)?;
        config.log = traffic.log_of(0, &engine.label());
        // An engine that does not exit by itself can still play.
        let _ = config.start().with_context(|| format!("engine {}", engine.label()))?.quit();
    }
    Ok(())
}

fn play(args: &Play, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let settings = args.settings()?;
    let files = Files {
        journal: args.journal.as_deref(),
        resume: args.resume,
        pgn: args.pgn.as_deref(),
        log: args.log.as_deref(),
    };
    let Ended { standing, reason } = tournament(&settings, files, args.json, interrupt)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report::summary(&settings, &standing, reason))?);
    } else {
        println!("{}", report::text(&settings, &standing, reason));
    }
    if settings.strict && standing.fault_count() > 0 {
        eprintln!("{} faults of protocol", standing.fault_count());
        return Ok(ExitCode::FAILURE);
    }
    Ok(if reason == "interrupted" { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Plays the games that are left of a tournament; without a progress bar if `quiet`.
pub(crate) fn tournament(
    settings: &Settings,
    files: Files<'_>,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Ended> {
    let openings = settings.openings.as_ref().map_or_else(|| Ok(Openings::startpos()), Openings::load)?;
    let tablebases = settings.tablebases.as_ref().map(TablebaseRule::open).transpose()?;
    let traffic = files.log.map(Traffic::to).transpose()?.unwrap_or_default();
    try_engines(settings, &traffic)?;

    let (mut journal, games) = match files.journal {
        Some(path) if files.resume => {
            let (mut journal, history) = Journal::resume(path)?;
            if let Err(what) = settings.same_tournament(&history.settings) {
                bail!("{}: {what} of the journal and of this run are not the same", path.display());
            }
            journal.write(&Event::Resume { settings: settings.clone(), games: history.games.len() })?;
            (Some(journal), history.games)
        }
        Some(path) => (Some(Journal::create(path, settings)?), Vec::new()),
        None => (None, Vec::new()),
    };
    let mut pgn = files.pgn.map(|path| PgnFile::open(path, &games, files.resume)).transpose()?;
    let schedule = Schedule::new(settings.format, settings.engines.len(), settings.rounds);
    let mut standing = Standing::of(settings.engines.len(), &games);
    let done: std::collections::HashSet<usize> = games.iter().map(|game| game.id).collect();
    let todo = (0..schedule.len()).filter(|id| !done.contains(id)).filter_map(|id| schedule.fixture(id)).collect();

    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(schedule.len() as u64) };
    bar.set_style(
        ProgressStyle::with_template("{pos}/{len}  {msg}  {elapsed} elapsed, {eta} left").context("progress style")?,
    );
    bar.set_position(games.len() as u64);
    bar.reset_eta();
    let work = Work {
        settings,
        openings: &openings,
        tablebases: tablebases.as_ref(),
        todo: parking_lot::Mutex::new(todo),
        decided: AtomicBool::new(is_decided(settings, &standing)),
        interrupt,
        traffic: &traffic,
    };
    thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, news) = unbounded();
        for slot in 0..settings.concurrency {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || slots::run(work, slot, &sender));
        }
        drop(sender);
        let result = listen(&news, settings, &mut standing, journal.as_mut(), pgn.as_mut(), &work, &bar);
        if result.is_err() {
            // Nothing that follows would be kept.
            interrupt.set();
        }
        result
    })?;
    bar.finish_and_clear();

    let complete = standing.games >= schedule.len();
    let reason = match (is_decided(settings, &standing), complete) {
        (true, _) => "sprt",
        (false, true) => "complete",
        (false, false) => "interrupted",
    };
    if let Some(journal) = &mut journal {
        journal.write(&Event::End { reason: reason.to_owned() })?;
    }
    Ok(Ended { standing, reason })
}

fn is_decided(settings: &Settings, standing: &Standing) -> bool {
    report::sprt(settings, standing).is_some_and(|report| report.status != SprtStatus::Continue)
}

/// How often progress is told where no bar is seen.
const QUIET: Duration = Duration::from_secs(30);

/// Takes in what the slots report until the last of them has ended.
fn listen(
    news: &crossbeam::channel::Receiver<News>,
    settings: &Settings,
    standing: &mut Standing,
    mut journal: Option<&mut Journal>,
    mut pgn: Option<&mut PgnFile>,
    work: &Work<'_>,
    bar: &ProgressBar,
) -> anyhow::Result<()> {
    let mut said = Instant::now();
    for news in news {
        match news {
            News::Broken(error) => {
                work.decided.store(true, Relaxed);
                return Err(error);
            }
            News::Restart { slot, engine, reason } => {
                let label = settings.engines[engine].label();
                bar.suspend(|| eprintln!("engine {label} is started anew: {reason}"));
                if let Some(journal) = &mut journal {
                    journal.write(&Event::Restart { slot, engine, reason })?;
                }
            }
            News::Game(record) => {
                if settings.strict {
                    for fault in &record.faults {
                        let label = settings.engines[fault.engine].label();
                        bar.suspend(|| {
                            eprintln!(
                                "game {}, ply {}: {label}: {}: {}",
                                record.id + 1,
                                fault.ply + 1,
                                fault.kind,
                                fault.detail
                            );
                        });
                    }
                }
                // The journal first: it is the truth, and the PGN can be made from it.
                if let Some(journal) = &mut journal {
                    journal.write(&Event::Game((*record).clone()))?;
                }
                if let Some(pgn) = &mut pgn {
                    pgn.add(&record)?;
                }
                standing.add(&record);
                // Relaxed: the flag says "soon".
                work.decided.store(is_decided(settings, standing), Relaxed);
                bar.inc(1);
                bar.set_message(report::live(settings, standing));
                // Without a terminal the bar is not seen: a line now and then, for logs.
                if bar.is_hidden() && said.elapsed() >= QUIET {
                    said = Instant::now();
                    eprintln!("{} games  {}", standing.games, report::live(settings, standing));
                }
            }
        }
    }
    Ok(())
}
