//! Reviews the games of PGN files, for the commands that judge moves: reading, searching, journal, progress.

use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine, parse_option};
use crate::files;
use crate::games::{GameText, Input};
use crate::interrupt::{Interrupt, Interrupted};
use crate::pgn::output::Numbering;
use crate::progress;
use crate::resume::{self, JournalArgs, JournalEngine, Log};
use crate::threads::parse_threads;
use anyhow::Context;
use bartizan_analysis::{
    Analyser, AnalysisError, DetailOptions, GameError, Limits, PositionEval, ReviewDetails, ReviewOptions,
    ReviewedGame, ReviewedText, Texts, details, review,
};
use bartizan_client::EngineSpec;
use bartizan_notation::pgn::GameTree;
use bartizan_parallel::{FeedOptions, JobSender, JobsClosed, StopFlag, feed};
use indicatif::ProgressBar;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// [`ReviewPlan::usual_nodes`] of a review that looks for mistakes.
pub(crate) const USUAL_NODES: u64 = 100_000;

/// The arguments of all commands that judge moves.
#[derive(Debug, clap::Args)]
pub(crate) struct ReviewArgs {
    /// PGN files, also as .gz, .bz2 or .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Treat a game with a problem in its text as broken, such as an illegal move or another result than in its tag
    #[arg(long)]
    pub(crate) strict: bool,
    /// Engine, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    pub(crate) engine: Option<String>,
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    pub(crate) budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Number of concurrent searches, each by a separate engine; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    pub(crate) concurrency: NonZeroUsize,
    #[command(flatten)]
    pub(crate) journal: JournalArgs,
    /// Suppress progress and summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What a command wants to know of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReviewPlan {
    /// The name of the command, and what its journal is called in messages.
    pub(crate) journal: (&'static str, &'static str),
    /// Nodes per position without another limit: not time, so that the output can be reproduced.
    pub(crate) usual_nodes: u64,
    /// The number of plies that are not judged.
    pub(crate) skipped: usize,
    /// Whether to find moves that were the only good ones.
    pub(crate) only_moves: bool,
    /// Reasons and critical moments.
    pub(crate) details: DetailOptions,
}

/// What decides the results. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ReviewSettings {
    /// SHA-256 of each file.
    files: Vec<String>,
    #[serde(flatten)]
    engine: JournalEngine,
    options: Vec<(String, String)>,
    #[serde(flatten)]
    budget: SearchBudget,
    from_ply: usize,
    reasons: bool,
    critical: usize,
}

/// What the journal has of a game.
#[derive(Serialize, Deserialize)]
struct JournalLine<'a> {
    /// `None` for a position that was not searched.
    opinions: Cow<'a, [Option<PositionEval>]>,
    #[serde(flatten)]
    details: Cow<'a, ReviewDetails>,
}

/// A text of the input, in order.
pub(crate) enum Reviewed {
    /// A game with its number for [`Output::write_game`](crate::pgn::output::Output::write_game).
    Game(u64, Box<ReviewedGame>, ReviewDetails),
    /// A text that is not judged.
    Other(u64, OtherText),
}

/// A text that is not judged.
pub(crate) struct OtherText {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_game: bool,
    pub(crate) is_broken: bool,
}

/// A text on its way.
struct Text {
    number: u64,
    other: Option<OtherText>,
    /// What the journal has of the game.
    details: Option<ReviewDetails>,
}

/// How a review ended.
pub(crate) struct Ended {
    /// Whether all games were judged.
    pub(crate) is_complete: bool,
    /// An error that is not an interruption.
    pub(crate) error: Option<anyhow::Error>,
}

/// What decides what is found in games. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FindSettings {
    #[serde(flatten)]
    review: ReviewSettings,
    conditions: Value,
}

/// What was found in games, by their numbers.
pub(crate) struct Found<T> {
    pub(crate) games: BTreeMap<u64, T>,
    pub(crate) ended: Ended,
}

/// A review that is about to begin.
pub(crate) struct Review<'a> {
    args: &'a ReviewArgs,
    plan: ReviewPlan,
    interrupt: &'a Interrupt,
    input: Input,
    budget: SearchBudget,
    engine: Option<EngineSpec>,
    options: Vec<(String, String)>,
    analysers: Vec<Analyser>,
    explainers: Vec<Analyser>,
}

impl<'a> Review<'a> {
    /// Checks the arguments and starts the engines. `outputs` are the files that will be written.
    pub(crate) fn new(
        args: &'a ReviewArgs,
        plan: ReviewPlan,
        outputs: &[&PathBuf],
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let input = Input::of(&args.files, args.strict)?;
        let usual = SearchBudget { nodes: Some(plan.usual_nodes), ..SearchBudget::default() };
        let budget = if args.budget == SearchBudget::default() { usual } else { args.budget };
        budget.check()?;
        let outputs: Vec<&PathBuf> = outputs.iter().copied().chain(&args.journal.path).collect();
        files::refuse_same(&outputs)?;
        outputs.iter().try_for_each(|output| files::refuse_input(output, &args.files))?;
        let engine = args.engine.as_deref().map(parse_engine).transpose()?;
        let options = args.options.iter().map(|text| parse_option(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let start = || analyser::start(engine.as_ref(), &options, args.timeouts, interrupt);
        let start_all = || (0..args.concurrency.get()).map(|_| start()).collect::<anyhow::Result<Vec<_>>>();
        let has_details = plan.details.reasons || plan.details.critical > 0;
        let (analysers, explainers) = (start_all()?, if has_details { start_all()? } else { Vec::new() });
        Ok(Self { args, plan, interrupt, input, budget, engine, options, analysers, explainers })
    }

    /// The engine's name with its version.
    pub(crate) fn engine_name(&self) -> String {
        analyser::full_name(&self.analysers[0], self.engine.as_ref())
    }

    /// The limits of a search, in words.
    pub(crate) fn budget(&self) -> String {
        self.budget.to_string()
    }

    fn settings(&self) -> anyhow::Result<ReviewSettings> {
        Ok(ReviewSettings {
            files: resume::digests(&self.args.files)?,
            engine: JournalEngine::of(self.engine.as_ref())?,
            options: self.options.clone(),
            budget: self.budget,
            from_ply: self.plan.skipped + 1,
            reasons: self.plan.details.reasons,
            critical: self.plan.details.critical,
        })
    }

    /// The limits of the searches. Those for the only good moves take a quarter of the nodes.
    fn review_options(&self) -> ReviewOptions {
        let limits = self.budget.limits();
        let mut quarter = limits.clone();
        quarter.nodes = limits.nodes.map(|nodes| (nodes / 4).max(1));
        ReviewOptions { limits, only_moves: self.plan.only_moves.then_some(quarter) }
    }

    /// Judges the games, and passes all texts to `take` in the order of the input. After an interruption the texts from
    /// the first unfinished game on are left out.
    ///
    /// # Errors
    /// If the run cannot begin. What ends it later is in [`Ended`].
    pub(crate) fn run(mut self, take: impl FnMut(Reviewed) -> anyhow::Result<()>) -> anyhow::Result<Ended> {
        let mut done = BTreeMap::new();
        let known = |game, JournalLine { opinions, details }: JournalLine<'_>| {
            done.insert(game, (opinions.into_owned(), details.into_owned()));
            Ok(())
        };
        let log = Log::open(&self.args.journal, self.plan.journal, || self.settings(), known)?;
        let bar = progress::bar(None, "{spinner} {prefix}  {elapsed} elapsed", self.args.quiet)?;
        let analysers = std::mem::take(&mut self.analysers);
        let (explainers, plan, options) = (std::mem::take(&mut self.explainers), self.plan, self.review_options());
        let mut sink = Sink { plan, explainers, log, take, bar: &bar, counts: [0; 2], is_whole: true };
        let read = |texts: &Texts<'_, Text>| self.read(&bar, done, texts);
        let (read, taken) =
            review(analysers, &options, read, |text| sink.take(text)).context("cannot start a thread")?;
        bar.finish_and_clear();
        let is_complete = read.is_ok() && taken.is_ok() && sink.is_whole && !self.interrupt.is_set();
        let read = read.err().filter(|error| !error.is::<Interrupted>() && !error.is::<JobsClosed>());
        Ok(Ended { is_complete, error: taken.err().or(read) })
    }

    /// The limits of a search.
    pub(crate) fn limits(&self) -> Limits {
        self.budget.limits()
    }

    /// Lets the engines look at whole games, one game each, with `find`. Besides the arguments, `conditions` decide
    /// what they find.
    ///
    /// # Errors
    /// If the run cannot begin. What ends it later is in [`Ended`].
    pub(crate) fn find<T: Serialize + DeserializeOwned + Send>(
        mut self,
        conditions: &impl Serialize,
        find: impl Fn(&mut Analyser, u64, &GameTree) -> Result<T, GameError> + Sync,
    ) -> anyhow::Result<Found<T>> {
        let settings = || -> anyhow::Result<FindSettings> {
            let conditions = serde_json::to_value(conditions)?;
            Ok(FindSettings { review: self.settings()?, conditions })
        };
        let mut done = BTreeMap::new();
        let known = |game, found: T| {
            done.insert(game, found);
            Ok(())
        };
        let mut log = Log::open(&self.args.journal, self.plan.journal, settings, known)?;
        let bar = progress::bar(None, "{spinner} {prefix}  {elapsed} elapsed", self.args.quiet)?;
        let analysers = std::mem::take(&mut self.analysers);
        let (flow, failed) = (FeedOptions::any(2 * analysers.len()), StopFlag::new());
        let worker = |analyser: Analyser| {
            let (mut analyser, find) = (analyser.stop_by(&failed), &find);
            move |(game, tree): (u64, GameTree)| match find(&mut analyser, game, &tree) {
                Err(error) if matches!(*error.source, AnalysisError::Stopped) => None,
                found => Some(found.map(|found| (game, found))),
            }
        };
        let known: BTreeSet<u64> = done.keys().copied().collect();
        let (input, interrupt) = (&self.input, self.interrupt);
        let read = |jobs: &JobSender<(u64, GameTree)>| {
            let mut games = 0;
            let work = |game: &GameText<'_>| game.raw.is_game.then(|| game.tree());
            input.each_beside(&bar, interrupt, work, |_, tree| {
                games += u64::from(tree.is_some());
                match tree.flatten().filter(|_| !known.contains(&games)) {
                    Some(tree) => Ok(jobs.push((games, tree))?),
                    None => Ok(()),
                }
            })
        };
        let (read, found) = feed(read, analysers.into_iter().map(worker), flow, |found| {
            let take = || -> anyhow::Result<()> {
                let (game, found) = found?;
                log.add(game, &found)?;
                done.insert(game, found);
                bar.set_prefix(progress::counted(done.len() as u64, "game"));
                bar.tick();
                Ok(())
            };
            // Searches in progress need not finish.
            take().inspect_err(|_| failed.stop())
        })
        .context("cannot start a thread")?;
        bar.finish_and_clear();
        let is_complete = read.is_ok() && found.is_ok() && !self.interrupt.is_set();
        let read = read.err().filter(|error| !error.is::<Interrupted>() && !error.is::<JobsClosed>());
        Ok(Found { games: done, ended: Ended { is_complete, error: found.err().or(read) } })
    }

    /// Reads the games, with what is known of them.
    fn read(
        &self,
        bar: &ProgressBar,
        mut done: BTreeMap<u64, (Vec<Option<PositionEval>>, ReviewDetails)>,
        texts: &Texts<'_, Text>,
    ) -> anyhow::Result<()> {
        let mut numbers = Numbering::default();
        let mut games = 0;
        let work = |game: &GameText<'_>| {
            let is_game = game.raw.is_game;
            (is_game, if is_game { game.tree() } else { None }, game.raw.line_text().into_owned())
        };
        self.input.each_beside(bar, self.interrupt, work, |place, (is_game, tree, bytes)| {
            let number = numbers.next(place);
            games += u64::from(is_game);
            let is_broken = is_game && tree.is_none();
            let (opinions, details) = done.remove(&games).unzip();
            let game = tree.and_then(|tree| ReviewedGame::new(games, tree, self.plan.skipped, opinions));
            let other = game.is_none().then_some(OtherText { bytes, is_game, is_broken });
            texts.push(ReviewedText { text: Text { number, other, details }, game: game.map(Box::new) })?;
            Ok(())
        })?;
        Ok(())
    }

    /// The error of a run that was interrupted after a number of games.
    pub(crate) fn interrupted(args: &ReviewArgs, games: u64) -> Interrupted {
        let hint = if args.journal.path.is_some() { "; run again with --resume to continue" } else { "" };
        Interrupted(format!("after {games} games{hint}"))
    }
}

/// Completes the games in the order of the input, and passes them on.
struct Sink<'a, T> {
    plan: ReviewPlan,
    /// They search for reasons and critical moments; empty if neither is wanted.
    explainers: Vec<Analyser>,
    log: Log,
    take: T,
    bar: &'a ProgressBar,
    /// Games and positions so far.
    counts: [usize; 2],
    /// Whether no game lacks opinions. What follows such a game is left out.
    is_whole: bool,
}

impl<T: FnMut(Reviewed) -> anyhow::Result<()>> Sink<'_, T> {
    fn take(&mut self, ReviewedText { text, game }: ReviewedText<Text>) -> anyhow::Result<()> {
        let Text { number, other, details } = text;
        if let Some(game) = game {
            self.is_whole &= game.missing == 0;
            if self.is_whole {
                let details = match details.filter(|_| game.is_known) {
                    Some(details) => details,
                    None => {
                        let found = self.details(&game)?;
                        let line = JournalLine { opinions: (&game.opinions).into(), details: Cow::Borrowed(&found) };
                        self.log.add(game.number, &line)?;
                        found
                    }
                };
                self.counts[1] += game.opinions.iter().flatten().count();
                self.counts[0] += 1;
                (self.take)(Reviewed::Game(number, game, details))?;
            }
        } else if let Some(other) = other.filter(|_| self.is_whole) {
            self.counts[0] += usize::from(other.is_game);
            (self.take)(Reviewed::Other(number, other))?;
        }
        let [games, positions] = self.counts.map(|count| count as u64);
        let counts = [progress::counted(games, "game"), progress::counted(positions, "position")];
        self.bar.set_prefix(counts.join(", "));
        self.bar.tick();
        Ok(())
    }

    fn details(&mut self, game: &ReviewedGame) -> anyhow::Result<ReviewDetails> {
        if self.explainers.is_empty() {
            return Ok(ReviewDetails::default());
        }
        Ok(details(game.number, &game.judge(), &mut self.explainers, &self.plan.details)?)
    }
}
