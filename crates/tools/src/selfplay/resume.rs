//! What a run begins with: its settings, its file and the games that the file has.

use super::format::{ExistingFile, GameFile};
use super::openings::Openings;
use super::play;
use super::settings::{EngineIdentity, InputFile, NETWORK, Settings};
use super::{Args, EvaluationChoice, FileFormat};
use crate::files;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::resume::{self, Comparison, choice};
use crate::searcher::Engine;
use anyhow::{Context, bail, ensure};
use bartizan_engine::EvaluationModel;
use std::collections::HashSet;
use std::path::Path;

/// A run before its first game.
pub(super) struct Run {
    pub(super) settings: Settings,
    pub(super) openings: Openings,
    /// One for each thread.
    pub(super) engines: Vec<Engine>,
    pub(super) file: GameFile,
    /// The numbers of the games that the file has.
    pub(super) done: HashSet<usize>,
}

impl Run {
    /// Begins or continues the file of the command line. An existing file is checked before it is changed.
    pub(super) fn open(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let (path, must_exist) = path(args)?;
        if args.resume.is_none() || !must_exist && !path.exists() {
            files::refuse_compressed(path)?;
            let settings = given(args, path)?;
            let openings = openings(&settings)?;
            let format = args.format.unwrap_or_else(|| FileFormat::of(path));
            let engines = engines(args, &settings)?;
            let file = GameFile::create(path, format, &settings)?;
            return Ok(Self { settings, openings, engines, file, done: HashSet::new() });
        }
        let mut file = ExistingFile::open(path, args.format)?;
        let stored = file.settings()?;
        let settings = match &stored {
            Some(stored) => compare(args, stored.clone(), path)?,
            None => given(args, path)?,
        };
        let openings = openings(&settings)?;
        if stored.is_none() {
            check_games(&mut file, &settings, &openings, path, interrupt)?;
        }
        let done = file.ids();
        let is_changed = stored.as_ref().is_some_and(|stored| *stored != settings);
        let engines = engines(args, &settings)?;
        // Other names of the same content may be too long for the space in the file.
        let mut kept = settings.clone();
        if let Some(stored) = stored {
            (kept.eval_file, kept.openings) = (stored.eval_file, stored.openings);
        }
        Ok(Self { file: file.resume(&kept, is_changed)?, settings, openings, engines, done })
    }
}

/// The file, and whether it must exist.
fn path(args: &Args) -> anyhow::Result<(&Path, bool)> {
    let resumed = args.resume.as_ref().and_then(Option::as_ref);
    Ok((resume::file(("--resume", resumed), ("--out", args.out.as_ref()))?, resumed.is_some()))
}

/// The engines, for which there must be memory before a file is begun or changed.
fn engines(args: &Args, settings: &Settings) -> anyhow::Result<Vec<Engine>> {
    let model = settings.model()?;
    (0..args.threads.get()).map(|_| Engine::with_model(settings.hash, model.clone())).collect()
}

/// The settings of the command line, for a file without settings.
fn given(args: &Args, path: &Path) -> anyhow::Result<Settings> {
    let Some(games) = args.games else {
        bail!(
            "cannot resume '{}': it has no settings, as files of older versions; give those that it was begun with, \
             such as --games, --nodes and --seed",
            path.display()
        );
    };
    let mut settings = Settings {
        games,
        nodes: args.nodes.unwrap_or(5_000),
        soft_nodes: args.soft_nodes,
        evaluation: args.evaluation.unwrap_or_else(EvaluationChoice::without_option),
        eval_file: args.eval_file.as_deref().map(|file| InputFile::read(file, NETWORK)).transpose()?,
        chess960: args.chess960.unwrap_or(0),
        endings: args.endings.unwrap_or(0),
        random_plies: args.random_plies.unwrap_or(8),
        openings: args.openings.as_deref().map(|file| InputFile::read(file, OPENINGS)).transpose()?,
        balance: args.balance.unwrap_or(400),
        win_score: args.win_score.unwrap_or(2_000),
        adjudicate_draws: args.adjudicate_draws,
        max_plies: args.max_plies.unwrap_or(400),
        seed: args.seed.unwrap_or(1),
        hash: args.hash.unwrap_or(4),
        engine: EngineIdentity::of_this_program(EvaluationModel::HandCrafted)?,
    };
    let plies = settings.random_plies;
    ensure!(plies <= RANDOM_PLIES, "invalid --random-plies '{plies}': must be at most {RANDOM_PLIES}");
    check(&settings)?;
    settings.engine = EngineIdentity::of_this_program(settings.model()?)?;
    Ok(settings)
}

/// The greatest number of random plies of a new file: more leave nothing to play. Older files may have more.
const RANDOM_PLIES: usize = 100;

fn check(settings: &Settings) -> anyhow::Result<()> {
    let &Settings { games, max_plies, hash, .. } = settings;
    let most = u32::MAX as usize;
    ensure!((1..=most).contains(&games), "invalid --games '{games}': must be from 1 to {most}");
    let longest = bartizan_games::selfplay::SelfplayGame::MAX_PLIES;
    ensure!(max_plies <= longest, "invalid --max-plies '{max_plies}': must be at most {longest}");
    ensure!((1..=4_096).contains(&hash), "invalid --hash '{hash}': must be from 1 to 4096");
    ensure!(
        settings.evaluation != EvaluationChoice::Classical || settings.eval_file.is_none(),
        "--eval-file names a network, and --evaluation is 'classical'"
    );
    ensure!(settings.chess960 + settings.endings <= 100, "--chess960 and --endings are more than 100 percent together");
    if let Some(soft) = settings.soft_nodes {
        ensure!(soft <= settings.nodes, "invalid --soft-nodes '{soft}': more than --nodes, {}", settings.nodes);
    }
    ensure!(settings.win_score > 0 && settings.balance > 0, "--win-score and --balance must be positive");
    Ok(())
}

/// The settings of the file, with the number of games of the command line. Other differences are errors.
fn compare(args: &Args, stored: Settings, path: &Path) -> anyhow::Result<Settings> {
    let mut compared = Comparison::with("file");
    let eval_file = args.eval_file.as_deref().map(|file| InputFile::read(file, NETWORK)).transpose()?;
    let is_other = eval_file.is_some() && eval_file != stored.eval_file;
    if is_other {
        let file = stored.eval_file.as_ref().map_or_else(|| "none".into(), |stored| stored.file.display().to_string());
        compared.add(format!("--eval-file (the file has {file})"));
    }
    // Another network is an error already. The same one may lie elsewhere.
    let found = eval_file.clone().filter(|_| !is_other);
    let of_engine = Settings { eval_file: found.or_else(|| stored.eval_file.clone()), ..stored.clone() };
    let engine = EngineIdentity::of_this_program(of_engine.model()?)?;
    if engine != stored.engine {
        compared.add(format!("the engine is {engine} (the file has games of {})", stored.engine));
    }
    let openings = args.openings.as_deref().map(|file| InputFile::read(file, OPENINGS)).transpose()?;
    if openings.is_some() && openings != stored.openings {
        let file = stored.openings.as_ref().map_or_else(|| "none".into(), |stored| stored.file.display().to_string());
        compared.add(format!("--openings (the file has {file})"));
    }
    let settings = Settings {
        games: args.games.unwrap_or(stored.games),
        nodes: compared.stored("--nodes", args.nodes, stored.nodes),
        soft_nodes: compared.optional("--soft-nodes", args.soft_nodes, stored.soft_nodes),
        evaluation: compared.stored_as("--evaluation", args.evaluation, stored.evaluation, choice),
        eval_file: eval_file.or(stored.eval_file),
        chess960: compared.stored("--chess960", args.chess960, stored.chess960),
        endings: compared.stored("--endings", args.endings, stored.endings),
        random_plies: compared.stored("--random-plies", args.random_plies, stored.random_plies),
        // The content is the same; the file may have another name.
        openings: openings.or(stored.openings),
        balance: compared.stored("--balance", args.balance, stored.balance),
        win_score: compared.stored("--win-score", args.win_score, stored.win_score),
        adjudicate_draws: compared.flag("--adjudicate-draws", args.adjudicate_draws, stored.adjudicate_draws),
        max_plies: compared.stored("--max-plies", args.max_plies, stored.max_plies),
        seed: compared.stored("--seed", args.seed, stored.seed),
        hash: compared.stored("--hash", args.hash, stored.hash),
        engine: stored.engine,
    };
    let checked = compared.finish().and_then(|()| check(&settings));
    checked.with_context(|| format!("cannot resume '{}'", path.display()))?;
    Ok(settings)
}

/// Reads the openings, which must be those that the file was begun with.
fn openings(settings: &Settings) -> anyhow::Result<Openings> {
    let Some(opening) = &settings.openings else { return Ok(Openings::startpos()) };
    let file = &opening.file;
    ensure!(
        InputFile::read(file, OPENINGS)? == *opening,
        "the openings '{}' have changed since the games were begun",
        file.display()
    );
    Openings::load(file, settings.seed)
}

/// What errors call the file of `--openings`.
const OPENINGS: &str = "openings";

/// Number of games whose beginning is checked.
const CHECKED: usize = 5;
/// Number of moves of the first game that are played again.
const REPLAYED: usize = 8;

/// Compares the first games of a file without settings with those that the settings make.
fn check_games(
    file: &mut ExistingFile,
    settings: &Settings,
    openings: &Openings,
    path: &Path,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let games = file.first_games(CHECKED)?;
    let mut first = None;
    for game in &games {
        let Some(start) = play::find_start(&openings.get(game.id / 2), settings, game.id, &game.start) else {
            bail!(
                "cannot resume '{}': game {} does not begin as one of --seed {} and --random-plies {}{}: give the \
                 settings that the file was begun with",
                path.display(),
                game.id,
                settings.seed,
                settings.random_plies,
                if settings.openings.is_some() { " and --openings" } else { "" }
            );
        };
        first.get_or_insert((start, &game.moves));
    }
    note!("warning: '{}' has no settings, so those of the command line are taken", path.display());
    if let Some((start, moves)) = first
        && !play::replay(
            &mut Engine::with_model(settings.hash, settings.model()?)?,
            settings,
            start,
            &moves[..moves.len().min(REPLAYED)],
            interrupt,
        )
    {
        note!(
            "warning: this engine plays the first game of '{}' differently: the file was begun by another version, or \
             with other settings than --nodes {} and --hash {}",
            path.display(),
            settings.nodes,
            settings.hash
        );
    }
    Ok(())
}
