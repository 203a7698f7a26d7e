//! `pgn annotate`: writes an engine's judgement of the moves into games.
//!
//! One thread reads the games and deals their positions out, others search these, and the caller's thread writes the
//! games in order. A position is searched with empty tables, so that its evaluation does not depend on the threads.

mod journal;
mod judge;
mod summary;

use super::output::{Numbering, Output};
use crate::files;
use crate::games::Input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use crate::resume;
use crate::solver::{Budget, Patience, Solver, parse_engine, parse_option};
use crate::threads::parse_threads;
use anyhow::{Context, anyhow, ensure};
use bartizan_engine::EvaluationModel;
use bartizan_match::EngineSpec;
use bartizan_notation::pgn::GameTree;
use bartizan_position::Game;
use bartizan_training::selfplay::EngineIdentity;
use crossbeam::channel::{Receiver, Sender, bounded};
use indicatif::ProgressBar;
use journal::{Log, Opinions, Settings};
use judge::{Opinion, Style, annotate};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use summary::Summary;

const EXAMPLE: &str = "\
Every position of the main line is searched with empty tables. The evaluation is written after the move, for White, as
[%eval -0.25] or [%eval #3]. A move is an inaccuracy (?!, $6), a mistake (?, $2) or a blunder (??, $4) if it gives away
at least 0.1, 0.2 or 0.3 points of the expected score, in which a draw is half a point, and if the engine would play
another one. Such a move gets the engine's line as a variation. What the games have stays; they are written anew, in the
export format. Broken games are copied as they are. With nodes or depth, the same games and options give the same
output, whatever --concurrency is.

Examples:
  bartizan-tools pgn annotate games.pgn --nodes 200000 --concurrency auto --out annotated.pgn
  bartizan-tools pgn annotate games.pgn --st 1 --engine 'cmd=stockfish option.Hash=256' --from-ply 17 > annotated.pgn
  bartizan-tools pgn annotate games.pgn --depth 16 --journal run.jsonl --out annotated.pgn --json";

/// The arguments of `pgn annotate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// PGN files, also .gz, .bz2 and .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engine that judges, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    patience: Patience,
    /// First ply that is judged; 21 leaves out ten moves of each side
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from_ply: u32,
    /// Length of the better lines; 0 for none
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    variation_plies: u32,
    /// Remove the evaluations and the glyphs ?!, ? and ?? of the judged moves first. Without it these stay, and such a
    /// move gets no other ones
    #[arg(long)]
    replace: bool,
    /// Number of positions searched at once, each by a separate engine; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    concurrency: NonZeroUsize,
    /// File to write, as a whole and when all is done, also .gz, .bz2 and .zst; an interrupted run does not replace it
    /// [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the losses and marks of the players as JSON, in place of the table on standard error
    #[arg(long, requires = "out")]
    json: bool,
    /// File that records every finished game, so that an interrupted run can be continued
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue the journal
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Print no progress and no table
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    fn settings(&self, engine: Option<&EngineSpec>, options: &[(String, String)]) -> anyhow::Result<Settings> {
        let is_file = |path: &&PathBuf| path.as_os_str() != "-";
        ensure!(
            !self.files.is_empty() && self.files.iter().all(|path| is_file(&path)),
            "standard input can be read only once, and --journal needs to read it twice"
        );
        let Budget { st, depth, nodes } = self.budget;
        Ok(Settings {
            files: self.files.iter().map(|path| resume::digest(path)).collect::<anyhow::Result<_>>()?,
            engine: engine.cloned().map(resume::KeptEngine),
            built_in: match engine {
                Some(_) => None,
                None => Some(EngineIdentity::of_this_program(EvaluationModel::built_in())?),
            },
            options: options.to_owned(),
            st,
            depth,
            nodes,
            from_ply: self.from_ply as usize,
        })
    }

    fn style(&self) -> Style {
        Style { skipped: self.from_ply as usize - 1, variation: self.variation_plies as usize, replaces: self.replace }
    }
}

/// A position to be searched: the last one of a game.
struct Job {
    /// The number of the text in the input, and of the opinion in the game.
    place: (usize, usize),
    /// The number of the game in all files, from 1.
    number: u64,
    game: Game,
}

/// A text of the input.
enum Text {
    /// A game that is annotated once all opinions are there.
    Game(Box<Pending>),
    /// What is copied.
    Copied { bytes: Vec<u8>, is_game: bool, is_broken: bool },
}

/// A game of which opinions may be missing.
struct Pending {
    /// The number of the game in all files, from 1.
    number: u64,
    tree: GameTree,
    opinions: Opinions,
    missing: usize,
}

/// What the other threads tell.
enum News {
    /// The next text of the input, with its number for [`Output::write_game`].
    Text(u64, Text),
    /// An opinion of a game, of which the text has been told.
    Opinion((usize, usize), Option<Opinion>),
}

/// News, or why a thread cannot continue.
type Report = anyhow::Result<News>;

/// The reports are not received any more, after an error elsewhere.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    args.budget.check()?;
    let outputs: Vec<&PathBuf> = [&args.out, &args.journal].into_iter().flatten().collect();
    files::refuse_same(&outputs)?;
    outputs.iter().try_for_each(|output| files::refuse_input(output, &args.files))?;
    let is_printed = args.out.as_ref().is_none_or(|path| path.as_os_str() == "-");
    ensure!(!(args.json && is_printed), "--json needs another file than standard output for the games: give --out");
    let input = Input::of(&args.files)?;
    let engine = args.engine.as_deref().map(parse_engine).transpose()?;
    let options = args.options.iter().map(|text| parse_option(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut solvers = Vec::new();
    for _ in 0..args.concurrency.get() {
        solvers.push(Solver::start(engine.as_ref(), &options, args.patience, interrupt)?);
    }
    let name = solvers[0].full_name(engine.as_ref());
    let out = Output::new(args.out.as_deref())?;
    let (log, done) = match &args.journal {
        None => (Log::none(), BTreeMap::new()),
        Some(path) => Log::open(path, args.resume, args.settings(engine.as_ref(), &options)?)?,
    };

    let bar = progress::bar(None, "{spinner} {prefix}  {elapsed} elapsed", args.quiet)?;
    let mut writer = Writer::new(args.style(), name, log, out, &bar);
    let failed = AtomicBool::new(false);
    let is_stopped = || interrupt.is_set() || failed.load(Relaxed);
    let (read, written) = thread::scope(|scope| -> anyhow::Result<_> {
        let (jobs, to_search) = bounded(2 * solvers.len());
        let (reports, results) = bounded(64);
        for solver in solvers {
            let (to_search, reports, is_stopped) = (to_search.clone(), reports.clone(), &is_stopped);
            let work = move || search(solver, args.budget, &to_search, &reports, is_stopped);
            thread::Builder::new().spawn_scoped(scope, work).context("cannot start a thread")?;
        }
        drop(to_search);
        let (input, bar) = (&input, &bar);
        let work = move || read(input, bar, interrupt, args.style().skipped, done, &jobs, &reports);
        let reader = thread::Builder::new().spawn_scoped(scope, work).context("cannot start a thread")?;
        let written = results.iter().try_for_each(|report| writer.take(report?));
        // The other threads see this and end.
        failed.fetch_or(written.is_err(), Relaxed);
        drop(results);
        let read = reader.join().map_err(|_| anyhow!("the reader of the games has failed"))?;
        Ok((read, written))
    })?;
    bar.finish_and_clear();
    let is_complete = read.is_ok() && written.is_ok() && writer.waiting.is_empty();
    let Writer { engine, out, summary, .. } = writer;
    // Part of the games does not replace a file.
    if is_complete || summary.games > 0 && args.out.as_ref().is_none_or(|path| !path.exists()) {
        out.commit()?;
    }
    written?;
    match read {
        Err(error) if !error.is::<Interrupted>() && !error.is::<Stopped>() => return Err(error),
        _ => {}
    }
    if !args.quiet && !args.json {
        note!("{summary}");
    }
    if args.json {
        say!("{}", summary.to_json(&engine, &args.budget.to_string()))?;
    }
    let hint = if args.journal.is_some() { "; continue with --resume" } else { "" };
    ensure!(is_complete, Interrupted(format!("after {} games{hint}", summary.games)));
    Ok(())
}

/// Reads the games, and deals out the positions that are not `done`.
fn read(
    input: &Input,
    bar: &ProgressBar,
    interrupt: &Interrupt,
    skipped: usize,
    mut done: BTreeMap<u64, Opinions>,
    jobs: &Sender<Job>,
    reports: &Sender<Report>,
) -> anyhow::Result<()> {
    let mut numbers = Numbering::default();
    let (mut texts, mut games) = (0, 0);
    let send = |news| reports.send(Ok(news)).map_err(|_| Stopped);
    let work = |game: &crate::games::Game<'_>| {
        let is_game = game.raw.is_game;
        (is_game, if is_game { game.tree() } else { None }, game.raw.line_text().into_owned())
    };
    input.each_beside(bar, interrupt, work, |place, (is_game, tree, bytes)| {
        let (number, text) = (numbers.next(place), texts);
        texts += 1;
        games += u64::from(is_game);
        let is_broken = is_game && tree.is_none();
        let Some(tree) = tree.filter(|tree| judge::moves(tree).nth(skipped).is_some()) else {
            send(News::Text(number, Text::Copied { bytes, is_game, is_broken }))?;
            return Ok(());
        };
        // The positions before and after each judged move.
        let moves: Vec<_> = judge::moves(&tree).map(|(_, mv)| mv).collect();
        let count = moves.len() - skipped + 1;
        let mut game = Game::new(tree.start().clone());
        let known = done.remove(&games).filter(|opinions| opinions.len() == count);
        let (missing, opinions) = known.map_or_else(|| (count, vec![None; count]), |opinions| (0, opinions));
        send(News::Text(number, Text::Game(Box::new(Pending { number: games, tree, opinions, missing }))))?;
        if missing == 0 {
            return Ok(());
        }
        for index in 0..=moves.len() {
            if let Some(at) = index.checked_sub(skipped) {
                let place = (text, at);
                match game.outcome() {
                    Some(_) => send(News::Opinion(place, None))?,
                    None => jobs.send(Job { place, number: games, game: game.clone() }).map_err(|_| Stopped)?,
                }
            }
            moves.get(index).map_or(Ok(()), |&mv| game.push(mv))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Searches positions until there are no more.
fn search(
    mut solver: Solver,
    budget: Budget,
    jobs: &Receiver<Job>,
    reports: &Sender<Report>,
    is_stopped: &dyn Fn() -> bool,
) {
    for Job { place, number, game } in jobs {
        let position = game.position();
        let report = match solver.lines(&game, &budget, 1, is_stopped) {
            Ok(None) => return,
            Ok(Some(lines)) => Ok(News::Opinion(place, lines.first().map(|best| Opinion::new(position, best)))),
            Err(error) => Err(error.context(format!("game {number}, position '{}'", position.to_fen()))),
        };
        let failed = report.is_err();
        if reports.send(report).is_err() || failed {
            return;
        }
    }
}

/// Writes the games in the order of the input.
struct Writer<'a> {
    style: Style,
    engine: String,
    log: Log,
    out: Output,
    bar: &'a ProgressBar,
    summary: Summary,
    /// The texts that cannot be written yet, by their numbers in the input.
    waiting: BTreeMap<usize, (u64, Text)>,
    /// The number of texts told, and of those written.
    told: usize,
    written: usize,
}

impl<'a> Writer<'a> {
    fn new(style: Style, engine: String, log: Log, out: Output, bar: &'a ProgressBar) -> Self {
        let (summary, waiting) = (Summary::default(), BTreeMap::new());
        Self { style, engine, log, out, bar, summary, waiting, told: 0, written: 0 }
    }

    fn take(&mut self, news: News) -> anyhow::Result<()> {
        match news {
            News::Text(number, text) => {
                self.waiting.insert(self.told, (number, text));
                self.told += 1;
            }
            News::Opinion((text, at), opinion) => {
                if let Some((_, Text::Game(game))) = self.waiting.get_mut(&text) {
                    game.opinions[at] = opinion;
                    game.missing -= 1;
                    if game.missing == 0 {
                        self.log.add(game.number, &game.opinions)?;
                    }
                }
            }
        }
        while let Some(first) = self.waiting.first_entry()
            && *first.key() == self.written
            && !matches!(&first.get().1, Text::Game(game) if game.missing > 0)
        {
            let (number, text) = first.remove();
            self.written += 1;
            self.write(number, text)?;
        }
        let Summary { games, positions, .. } = self.summary;
        self.bar.set_prefix(format!("{games} games, {positions} positions"));
        self.bar.tick();
        Ok(())
    }

    fn write(&mut self, number: u64, text: Text) -> anyhow::Result<()> {
        let summary = &mut self.summary;
        match text {
            Text::Copied { bytes, is_game, is_broken } => {
                summary.games += u64::from(is_game);
                summary.broken += u64::from(is_broken);
                self.out.write_game(number, &bytes)
            }
            Text::Game(game) => {
                let Pending { mut tree, opinions, .. } = *game;
                let tallies = annotate(&mut tree, &opinions, self.style);
                let annotator = match tree.tag("Annotator") {
                    None | Some("" | "?" | "-") => self.engine.clone(),
                    Some(old) if old.contains(&self.engine) => old.to_owned(),
                    Some(old) => format!("{old}; {}", self.engine),
                };
                tree.set_tag("Annotator", annotator);
                summary.games += 1;
                summary.annotated += 1;
                summary.positions += opinions.iter().flatten().count() as u64;
                summary.add(["White", "Black"].map(|name| tree.tag(name).unwrap_or("?")), &tallies);
                self.out.write_game(number, tree.to_string().as_bytes())
            }
        }
    }
}
