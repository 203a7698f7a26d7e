//! `pgn agreement`: how often engines choose the moves that people played.

mod summary;

use super::bands::BandArgs;
use crate::analyser::{self, EngineTimeouts};
use crate::files;
use crate::games::{GameText, Input};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use crate::progress;
use crate::resume::{self, JournalArgs, JournalEngine, Log};
use crate::threads::parse_threads;
use anyhow::{Context, bail, ensure};
use bartizan_analysis::agreement::{AskedEngine, MoveSample, MoveSampling, PersonMove, agreement, answers};
use bartizan_client::EngineSpec;
use bartizan_types::{Excerpt, Move};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
From each band of ratings (WhiteElo, BlackElo), random positions are taken in
which the player had a choice. Each engine gets the game up to the position, as
the first of a new game, with its limits in --engine or --each. Its answer
agrees if it is the move that was played. For each band, the engine that agrees
most often is compared with the others: p is the probability of such a
difference between equal engines (McNemar's exact test); * marks p below 0.05.

Example:
  bartizan-tools pgn agreement games.pgn \\
      --engine 'cmd=bartizan name=1200 option.UCI_Elo=1200' \\
      --engine 'cmd=bartizan name=1600 option.UCI_Elo=1600' \\
      --each 'option.UCI_LimitStrength=true st=0.1' --journal run.jsonl";

/// The arguments of `pgn agreement`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// PGN files, also as .gz, .bz2 or .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat a game with a problem in its text as broken, such as an illegal move or another result than in its tag
    #[arg(long)]
    strict: bool,
    /// Engine, as KEY=VALUE pairs (see `match --help`); may be repeated
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<EngineSpec>,
    /// Defaults for all engines, in the same form [default: none]
    #[arg(long, value_name = "SPEC")]
    each: Option<EngineSpec>,
    #[command(flatten)]
    bands: BandArgs,
    /// Maximum number of positions of each band
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// First ply of a game whose move counts; 17 leaves out eight moves of each side
    #[arg(long, value_name = "PLY", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    from_ply: u32,
    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Number of concurrent searches, each by separate engines; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    concurrency: NonZeroUsize,
    #[command(flatten)]
    journal: JournalArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Suppress progress
    #[arg(short, long)]
    quiet: bool,
}

/// What decides the results. The journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AgreementSettings {
    /// SHA-256 of each file.
    files: Vec<String>,
    strict: bool,
    engines: Vec<JournalEngine>,
    #[serde(flatten)]
    sampling: MoveSampling,
}

/// What the journal has of a position, under its number in the sample, from 1: the engines' moves in coordinate
/// notation.
#[derive(Serialize, Deserialize)]
struct JournalLine<'a> {
    moves: Cow<'a, [Option<String>]>,
}

/// The engines with their defaults.
fn engines(args: &Args) -> anyhow::Result<Vec<EngineSpec>> {
    let each = args.each.clone().unwrap_or_default();
    let engines: Vec<EngineSpec> = args.engines.iter().map(|engine| engine.or(&each)).collect();
    let mut names = BTreeSet::new();
    for engine in &engines {
        let name = engine.label();
        engine.check().with_context(|| format!("engine '{}'", Excerpt::new(&name)))?;
        ensure!(names.insert(name.clone()), "two engines are called '{}'; give name=NAME", Excerpt::new(&name));
    }
    Ok(engines)
}

/// The positions, and the numbers of games and of broken ones.
fn sample(args: &Args, sampling: MoveSampling, interrupt: &Interrupt) -> anyhow::Result<(Vec<PersonMove>, [usize; 2])> {
    let mut sample = MoveSample::new(sampling);
    let input = Input::of(&args.files, args.strict)?.with_threads(args.concurrency);
    let work = |game: &GameText<'_>| if game.raw.is_game { game.read(usize::MAX) } else { None };
    let read = input.each(interrupt, work, |_, game| {
        game.iter().for_each(|game| sample.see(game));
        Ok(())
    })?;
    let moves = sample.into_moves();
    ensure!(!moves.is_empty(), "no game has a move with a choice from ply {} on", args.from_ply);
    Ok((moves, [read.games, read.broken]))
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let engines = engines(args)?;
    let sampling = MoveSampling {
        bands: args.bands.bands()?,
        positions: args.positions as usize,
        from_ply: args.from_ply as usize,
        seed: args.seed,
    };
    args.journal.path.iter().try_for_each(|journal| files::refuse_input(journal, &args.files))?;
    let (moves, games) = sample(args, sampling, interrupt)?;
    let chosen = ask(args, &engines, sampling, &moves, interrupt)?;
    let bands = agreement(&moves, &chosen);
    let names: Vec<String> = engines.iter().map(EngineSpec::label).collect();
    if args.json {
        say!("{}", summary::json(&bands, &names, games, sampling))?;
    } else {
        say_part!("{}", summary::text(&bands, &names, games))?;
    }
    Ok(())
}

/// Lets the engines choose their moves, except those that the journal has.
fn ask(
    args: &Args,
    engines: &[EngineSpec],
    sampling: MoveSampling,
    moves: &[PersonMove],
    interrupt: &Interrupt,
) -> anyhow::Result<BTreeMap<usize, Vec<Option<Move>>>> {
    let mut chosen = BTreeMap::new();
    let settings = || {
        Ok(AgreementSettings {
            files: resume::digests(&args.files)?,
            strict: args.strict,
            engines: engines.iter().map(|engine| JournalEngine::of(Some(engine))).collect::<anyhow::Result<_>>()?,
            sampling,
        })
    };
    let known = |number: u64, JournalLine { moves: texts }: JournalLine<'_>| {
        let number = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let answer = number.filter(|_| texts.len() == engines.len()).and_then(|number| {
            let game = moves.get(number)?.game();
            let parse = |text: &Option<String>| match text {
                Some(text) => game.position().parse_uci(text).ok().map(Some),
                None => Some(None),
            };
            Some((number, texts.iter().map(parse).collect::<Option<Vec<_>>>()?))
        });
        let (number, answer) = answer.ok_or("a position that is not of this run")?;
        chosen.insert(number, answer);
        Ok(())
    };
    let mut log = Log::open(&args.journal, ("agreement", "a journal of pgn agreement"), settings, known)?;
    let todo: Vec<usize> = (0..moves.len()).filter(|number| !chosen.contains_key(number)).collect();
    let mut teams = Vec::new();
    for _ in 0..args.concurrency.get().min(todo.len()) {
        let start = |spec: &EngineSpec| -> anyhow::Result<AskedEngine> {
            let analyser = analyser::start(Some(spec), &[], args.timeouts, interrupt)?;
            Ok(AskedEngine { analyser, name: spec.label(), limits: spec.limits() })
        };
        teams.push(engines.iter().map(start).collect::<anyhow::Result<Vec<_>>>()?);
    }
    let style = "{bar:30} {pos}/{len} positions  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(moves.len() as u64, style, args.quiet)?;
    bar.set_position(chosen.len() as u64);
    bar.reset_eta();
    let asked = answers(moves, todo.into_iter(), teams, |number, answer| {
        let texts: Vec<Option<String>> = answer.iter().map(|mv| mv.map(|mv| mv.to_string())).collect();
        log.add(number as u64 + 1, &JournalLine { moves: texts.into() })?;
        chosen.insert(number, answer);
        bar.inc(1);
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    asked?;
    if chosen.len() < moves.len() {
        let hint = if args.journal.path.is_some() { "; run again with --resume to continue" } else { "" };
        bail!(Interrupted(format!("after {} of {} positions{hint}", chosen.len(), moves.len())));
    }
    Ok(chosen)
}
