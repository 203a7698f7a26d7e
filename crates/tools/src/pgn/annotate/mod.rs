//! `pgn annotate`: annotates games with an engine's judgement of the moves.
//!
//! Each position is searched with empty tables, so that its evaluation does not depend on the threads.

mod summary;

use super::output::{Numbering, Output};
use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine, parse_option};
use crate::files;
use crate::games::Input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use crate::resume::{self, JournalArgs, JournalEngine, Log};
use crate::threads::parse_threads;
use anyhow::{Context, ensure};
use bartizan_analysis::{AnnotationStyle, PositionEval, ReviewStatistics, ReviewedGame, ReviewedText, Texts, review};
use bartizan_client::EngineSpec;
use bartizan_parallel::JobsClosed;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every position of the main line is searched with empty tables. The evaluation
follows the move as [%eval -0.25] or [%eval #3], from White's point of view. A
move is an inaccuracy (?!, $6), a mistake (?, $2) or a blunder (??, $4) if it
loses at least 0.1, 0.2 or 0.3 points of the expected score, where a draw is
half a point, and the engine prefers another move. The engine's line is added as
a variation. Everything else in the games stays; they are written in export
format. Broken games are copied unchanged. Without --st, the same games and
options give the same output, whatever --concurrency is. Without a limit, each
position is searched with 100000 nodes.

Examples:
  bartizan-tools pgn annotate games.pgn --nodes 200000 --concurrency auto \\
      --out annotated.pgn
  bartizan-tools pgn annotate games.pgn --st 1 --from-ply 17 \\
      --engine 'cmd=stockfish option.Hash=256' > annotated.pgn
  bartizan-tools pgn annotate games.pgn --depth 16 --journal run.jsonl \\
      --out annotated.pgn --json";

/// The arguments of `pgn annotate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// PGN files, also as .gz, .bz2 or .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat a game with a problem in its text as broken, such as an illegal move or another result than in its tag
    #[arg(long)]
    strict: bool,
    /// Engine, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// First ply to annotate; 21 skips ten moves of each side
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from_ply: u32,
    /// Maximum length of the better lines; 0 for none
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    variation_plies: u32,
    /// Replace existing evaluations and the glyphs ?!, ? and ??. Without this option they stay, and their moves get no
    /// new ones
    #[arg(long)]
    replace: bool,
    /// Number of concurrent searches, each by a separate engine; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    concurrency: NonZeroUsize,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done; an interrupted run does not replace it
    /// [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print each player's losses and mistakes as JSON, instead of the table on standard error
    #[arg(long, requires = "out")]
    json: bool,
    #[command(flatten)]
    journal: JournalArgs,
    /// Suppress progress and table
    #[arg(short, long)]
    quiet: bool,
}

/// Nodes per position without another limit: not time, so that the output can be reproduced.
const USUAL_NODES: u64 = 100_000;

/// What decides the opinions. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AnnotateSettings {
    /// SHA-256 of each file.
    files: Vec<String>,
    #[serde(flatten)]
    engine: JournalEngine,
    options: Vec<(String, String)>,
    #[serde(flatten)]
    budget: SearchBudget,
    from_ply: usize,
}

/// What the journal has of a game.
#[derive(Serialize, Deserialize)]
struct Opinions<'a> {
    /// `None` for a position that was not searched.
    opinions: Cow<'a, [Option<PositionEval>]>,
}

impl Args {
    fn settings(&self, engine: Option<&EngineSpec>, options: &[(String, String)]) -> anyhow::Result<AnnotateSettings> {
        let is_file = |path: &&PathBuf| path.as_os_str() != "-";
        ensure!(
            !self.files.is_empty() && self.files.iter().all(|path| is_file(&path)),
            "standard input can be read only once, and --journal needs to read it twice"
        );
        Ok(AnnotateSettings {
            files: self.files.iter().map(|path| resume::digest(path)).collect::<anyhow::Result<_>>()?,
            engine: JournalEngine::of(engine)?,
            options: options.to_owned(),
            budget: self.budget(),
            from_ply: self.from_ply as usize,
        })
    }

    fn budget(&self) -> SearchBudget {
        let usual = SearchBudget { nodes: Some(USUAL_NODES), ..SearchBudget::default() };
        if self.budget == SearchBudget::default() { usual } else { self.budget }
    }

    fn style(&self) -> AnnotationStyle {
        AnnotationStyle {
            skipped: self.from_ply as usize - 1,
            variation: self.variation_plies as usize,
            replaces: self.replace,
        }
    }
}

/// A text that is not annotated.
struct Copied {
    bytes: Vec<u8>,
    is_game: bool,
    is_broken: bool,
}

/// A text of the input: its number for [`Output::write_game`], and the text to copy in place of a game.
type Text = (u64, Option<Copied>);

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let input = Input::of(&args.files, args.strict)?;
    let budget = args.budget();
    budget.check()?;
    let outputs: Vec<&PathBuf> = [&args.out, &args.journal.path].into_iter().flatten().collect();
    files::refuse_same(&outputs)?;
    outputs.iter().try_for_each(|output| files::refuse_input(output, &args.files))?;
    let is_printed = args.out.as_ref().is_none_or(|path| path.as_os_str() == "-");
    ensure!(!(args.json && is_printed), "--json prints to standard output; give --out for the games");
    let engine = args.engine.as_deref().map(parse_engine).transpose()?;
    let options = args.options.iter().map(|text| parse_option(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let start = |_| analyser::start(engine.as_ref(), &options, args.timeouts, interrupt);
    let analysers: Vec<_> = (0..args.concurrency.get()).map(start).collect::<anyhow::Result<_>>()?;
    let name = analyser::full_name(&analysers[0], engine.as_ref());
    let out = Output::new(args.out.as_deref())?;
    let settings = || args.settings(engine.as_ref(), &options);
    let mut done = BTreeMap::new();
    let take = |game, Opinions { opinions }: Opinions<'_>| {
        done.insert(game, opinions.into_owned());
        Ok(())
    };
    let log = Log::open(&args.journal, ("annotate", "a journal of pgn annotate"), settings, take)?;

    let bar = progress::bar(None, "{spinner} {prefix}  {elapsed} elapsed", args.quiet)?;
    let report = ReviewStatistics::default();
    let mut writer = Writer { style: args.style(), engine: name, log, out, bar: &bar, report, is_whole: true };
    let read = |texts: &Texts<'_, Text>| read(&input, &bar, interrupt, args.style().skipped, done, texts);
    let (read, written) =
        review(analysers, &budget.limits(), read, |text| writer.take(text)).context("cannot start a thread")?;
    bar.finish_and_clear();
    let is_complete = read.is_ok() && written.is_ok() && writer.is_whole && !interrupt.is_set();
    let Writer { engine, out, report, .. } = writer;
    // Partial output does not replace a file.
    if is_complete || report.games > 0 && args.out.as_ref().is_none_or(|path| !path.exists()) {
        out.commit()?;
    }
    written?;
    match read {
        Err(error) if !error.is::<Interrupted>() && !error.is::<JobsClosed>() => return Err(error),
        _ => {}
    }
    if !args.quiet && !args.json {
        note!("{}", summary::table(&report));
    }
    if args.json {
        say!("{}", summary::json(&report, &engine, &budget.to_string()))?;
    }
    let hint = if args.journal.path.is_some() { "; run again with --resume to continue" } else { "" };
    ensure!(is_complete, Interrupted(format!("after {} games{hint}", report.games)));
    Ok(())
}

/// Reads the games, with the opinions that are `done`.
fn read(
    input: &Input,
    bar: &ProgressBar,
    interrupt: &Interrupt,
    skipped: usize,
    mut done: BTreeMap<u64, Vec<Option<PositionEval>>>,
    texts: &Texts<'_, Text>,
) -> anyhow::Result<()> {
    let mut numbers = Numbering::default();
    let mut games = 0;
    let work = |game: &crate::games::GameText<'_>| {
        let is_game = game.raw.is_game;
        (is_game, if is_game { game.tree() } else { None }, game.raw.line_text().into_owned())
    };
    input.each_beside(bar, interrupt, work, |place, (is_game, tree, bytes)| {
        let number = numbers.next(place);
        games += u64::from(is_game);
        let is_broken = is_game && tree.is_none();
        let game = tree.and_then(|tree| ReviewedGame::new(games, tree, skipped, done.remove(&games)));
        let copied = game.is_none().then_some(Copied { bytes, is_game, is_broken });
        texts.push(ReviewedText { text: (number, copied), game: game.map(Box::new) })?;
        Ok(())
    })?;
    Ok(())
}

/// Writes the games in the order of the input.
struct Writer<'a> {
    style: AnnotationStyle,
    engine: String,
    log: Log,
    out: Output,
    bar: &'a ProgressBar,
    report: ReviewStatistics,
    /// Whether no game lacks opinions. What follows such a game is not written.
    is_whole: bool,
}

impl Writer<'_> {
    fn take(&mut self, ReviewedText { text: (number, copied), game }: ReviewedText<Text>) -> anyhow::Result<()> {
        let report = &mut self.report;
        if let Some(game) = game {
            self.is_whole &= game.missing == 0;
            if game.missing == 0 && !game.is_known {
                self.log.add(game.number, &Opinions { opinions: (&game.opinions).into() })?;
            }
            if self.is_whole {
                let tree = report.annotate(*game, &self.engine, self.style);
                self.out.write_game(number, tree.to_string().as_bytes())?;
            }
        } else if let Some(copied) = copied.filter(|_| self.is_whole) {
            report.games += u64::from(copied.is_game);
            report.broken += u64::from(copied.is_broken);
            self.out.write_game(number, &copied.bytes)?;
        }
        self.bar.set_prefix(format!("{} games, {} positions", report.games, report.positions));
        self.bar.tick();
        Ok(())
    }
}
