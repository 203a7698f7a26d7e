//! Prepares a run: its settings, its file and the games already in the file.

use super::{Args, EvaluationChoice, FormatChoice};
use crate::files;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::resume::{self, SettingsComparison};
use anyhow::{Context, bail, ensure};
use bartizan_engine::{EngineIdentity, EvaluationKind, EvaluationModel};
use bartizan_games::selfplay::SelfplayGame;
use bartizan_training::selfplay::{
    ExistingFile, FileFormat, GamesComparison, InputFile, Openings, SelfplayRun, SelfplaySettings,
};
use bartizan_training::{Error, FileAction};
use bartizan_types::Escaped;
use std::path::Path;

/// Begins or continues the file of the command line. An existing file is checked before it is changed.
pub(super) fn open(args: &Args, interrupt: &Interrupt) -> anyhow::Result<SelfplayRun> {
    let (path, must_exist) = path(args)?;
    let format = args.format.map(FormatChoice::format);
    if args.resume.is_none() || !must_exist && !path.exists() {
        files::refuse_compressed(path)?;
        let settings = given(args, path)?;
        let format = format.unwrap_or_else(|| FileFormat::of(path));
        return SelfplayRun::begin(path, format, settings, args.threads).map_err(|error| match error {
            Error::File { action: FileAction::Create, path, source } => anyhow::Error::from_boxed(source)
                .context(format!("cannot create '{}' (--resume continues an existing file)", Escaped(path.display()))),
            error => error.into(),
        });
    }
    let mut file = ExistingFile::open(path, format)?;
    let stored = file.settings()?;
    let settings = match &stored {
        Some(stored) => compare(args, stored.clone(), path)?,
        None => given(args, path)?,
    };
    let openings = settings.openings()?;
    if stored.is_none() {
        check_games(&mut file, &settings, &openings, path, interrupt)?;
    }
    Ok(SelfplayRun::resume(file, settings, openings, args.threads)?)
}

/// The file, and whether it must already exist.
fn path(args: &Args) -> anyhow::Result<(&Path, bool)> {
    let resumed = args.resume.as_ref().and_then(Option::as_ref);
    Ok((resume::file(("--resume", resumed), ("--out", args.out.as_ref()))?, resumed.is_some()))
}

/// The settings of the command line, for a file without settings.
fn given(args: &Args, path: &Path) -> anyhow::Result<SelfplaySettings> {
    let Some(games) = args.games else {
        bail!(
            "cannot resume '{}': it comes from an older version and has no settings; give those that it was begun \
             with, such as --games, --nodes and --seed",
            Escaped(path.display())
        );
    };
    let usual = SelfplaySettings::new(games, EngineIdentity::of_this_program(EvaluationModel::HandCrafted)?);
    let mut settings = merge(args, usual)?;
    let plies = settings.random_plies;
    ensure!(plies <= RANDOM_PLIES, "invalid --random-plies '{plies}': must be at most {RANDOM_PLIES}");
    check(&settings)?;
    settings.engine = EngineIdentity::of_this_program(settings.model()?)?;
    Ok(settings)
}

/// The settings of the command line. Those not given are taken from the others.
fn merge(args: &Args, others: SelfplaySettings) -> anyhow::Result<SelfplaySettings> {
    Ok(SelfplaySettings {
        games: args.games.unwrap_or(others.games),
        nodes: args.nodes.unwrap_or(others.nodes),
        soft_nodes: args.soft_nodes.or(others.soft_nodes),
        evaluation: args.evaluation.map_or(others.evaluation, EvaluationChoice::kind),
        eval_file: input_file(args.eval_file.as_deref(), InputFile::network)?.or(others.eval_file),
        chess960: args.chess960.unwrap_or(others.chess960),
        endings: args.endings.unwrap_or(others.endings),
        random_plies: args.random_plies.unwrap_or(others.random_plies),
        openings: input_file(args.openings.as_deref(), InputFile::openings)?.or(others.openings),
        balance: args.balance.unwrap_or(others.balance),
        win_score: args.win_score.unwrap_or(others.win_score),
        adjudicate_draws: args.adjudicate_draws || others.adjudicate_draws,
        max_plies: args.max_plies.unwrap_or(others.max_plies),
        seed: args.seed.unwrap_or(others.seed),
        hash: args.hash.unwrap_or(others.hash),
        engine: others.engine,
    })
}

/// The maximum number of random plies of a new file: more leave nothing to play. Older files may have more.
const RANDOM_PLIES: usize = 100;

fn check(settings: &SelfplaySettings) -> anyhow::Result<()> {
    let &SelfplaySettings { games, max_plies, hash, .. } = settings;
    let most = u32::MAX as usize;
    ensure!((1..=most).contains(&games), "invalid --games '{games}': must be from 1 to {most}");
    let longest = SelfplayGame::MAX_PLIES;
    ensure!(max_plies <= longest, "invalid --max-plies '{max_plies}': must be at most {longest}");
    ensure!((1..=4_096).contains(&hash), "invalid --hash '{hash}': must be from 1 to 4096");
    ensure!(
        settings.evaluation != EvaluationKind::Classical || settings.eval_file.is_none(),
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
fn compare(args: &Args, stored: SelfplaySettings, path: &Path) -> anyhow::Result<SelfplaySettings> {
    let mut compared = SettingsComparison::with("file");
    let settings = merge(args, stored.clone())?;
    let name =
        |file: Option<&InputFile>| file.map_or_else(|| "none".into(), |file| Escaped(file.file.display()).to_string());
    // A different network is already an error. The same one may be in another place.
    let is_other = settings.eval_file != stored.eval_file;
    if is_other {
        compared.add(format!("--eval-file (the file has {})", name(stored.eval_file.as_ref())));
    }
    let eval_file = if is_other { &stored } else { &settings }.eval_file.clone();
    let engine = EngineIdentity::of_this_program(SelfplaySettings { eval_file, ..stored.clone() }.model()?)?;
    if engine != stored.engine {
        compared.add(format!("the engine is {engine} (the file has games of {})", stored.engine));
    }
    // The content counts; the file may have another name.
    if settings.openings != stored.openings {
        compared.add(format!("--openings (the file has {})", name(stored.openings.as_ref())));
    }
    compared.fields(&settings, &stored, "nodes soft_nodes evaluation")?;
    // Files omit the number if it is zero.
    compared.stored("--chess960", Some(settings.chess960), stored.chess960);
    compared.stored("--endings", Some(settings.endings), stored.endings);
    compared.fields(&settings, &stored, "random_plies balance win_score adjudicate_draws max_plies seed hash")?;
    let checked = compared.finish().and_then(|()| check(&settings));
    checked.with_context(|| format!("cannot resume '{}'", Escaped(path.display())))?;
    Ok(settings)
}

/// Reads a file on which the games depend, and which is read again when they are continued.
fn input_file(file: Option<&Path>, read: fn(&Path) -> Result<InputFile, Error>) -> anyhow::Result<Option<InputFile>> {
    let Some(file) = file else { return Ok(None) };
    input::refuse_stream(file)?;
    Ok(Some(read(file)?))
}

/// Compares the first games of a file without settings with those that the settings produce.
fn check_games(
    file: &mut ExistingFile,
    settings: &SelfplaySettings,
    openings: &Openings,
    path: &Path,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let comparison = file.compare(settings, openings, &interrupt.stop())?;
    if let GamesComparison::OtherStart(id) = comparison {
        bail!(
            "cannot resume '{}': game {id} does not begin as one of --seed {} and --random-plies {}{}: give the \
             settings that the file was begun with",
            Escaped(path.display()),
            settings.seed,
            settings.random_plies,
            if settings.openings.is_some() { " and --openings" } else { "" }
        );
    }
    note!("warning: '{}' has no settings; using those of the command line", Escaped(path.display()));
    if comparison == GamesComparison::OtherMoves {
        note!(
            "warning: this engine plays the first game of '{}' differently: the file was begun by another version, or \
             with other settings than --nodes {} and --hash {}",
            Escaped(path.display()),
            settings.nodes,
            settings.hash
        );
    }
    Ok(())
}
