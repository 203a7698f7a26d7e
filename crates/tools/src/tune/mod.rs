//! Fits the evaluation weights to game results.

mod args;
mod plan;

pub(crate) use args::Args;

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say};
use crate::progress;
use crate::records::Reading;
use anyhow::{Context, bail, ensure};
use bartizan_training::tune::{
    CHECKPOINT, Checkpoint, HandCraftedModel, Layout, Model, OUTPUTS, Samples, Tuning, TuningEvent, WeightPair,
    WeightsFile,
};
use bartizan_types::Escaped;
use indicatif::ProgressBar;
use plan::Plan;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
///
/// # Errors
/// Names the problem. The last checkpoint is kept.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let layout = HandCraftedModel::new().layout().clone();
    let layout = &layout;
    let (out, resumes) = plan::directory(&args)?;
    let checkpoint_file = out.join(CHECKPOINT);
    let cannot_resume = || format!("cannot resume from '{}'", Escaped(checkpoint_file.display()));
    let kept = if resumes { Some(read_checkpoint(&checkpoint_file, layout)?) } else { None };
    let plan = Plan::new(&args, out, kept.as_ref());
    let plan = if resumes { plan.with_context(cannot_resume)? } else { plan? };
    if let Some(source) = &plan.inputs.source {
        let inputs = plan.inputs.data.iter().chain(&plan.inputs.start).chain(&plan.inputs.network);
        crate::files::refuse_input(source, inputs)?;
        let outputs = OUTPUTS.iter().map(|name| plan.out.join(name)).chain([source.clone()]);
        crate::files::refuse_same(&outputs.collect::<Vec<_>>())?;
    }
    let model = HandCraftedModel::of(&plan.decisions, plan.inputs.network.as_deref())?;
    let mut start = model.start();
    if let (Some(file), false) = (&plan.inputs.start, resumes) {
        apply_file(file, layout, &mut start)?;
    }
    if args.validate.is_none() {
        plan.check_names()?;
    }
    if kept.is_none() && args.validate.is_none() {
        std::fs::create_dir_all(&plan.out)
            .with_context(|| format!("cannot create '{}'", Escaped(plan.out.display())))?;
        ensure!(
            !checkpoint_file.exists(),
            "'{}' exists from another run; continue it with --resume or remove it",
            Escaped(checkpoint_file.display())
        );
    }

    let Some(samples) = load(&plan, interrupt)? else { return Ok(interrupted()) };
    if let Some(kept) = &kept {
        ensure!(kept.network == model.checksum(), "{}: the network differs", cannot_resume());
        let is_same = kept.fingerprint == samples.fingerprint;
        ensure!(is_same, "{}: the data differ, or the checkpoint is from another version", cannot_resume());
    }
    let stop = interrupt.stop();
    let mut tuning = Tuning::new(&model, &plan.decisions, samples, plan.threads(), &stop);
    if let Some(limit) = args.validate {
        return validate(&plan, &mut tuning, &start, limit);
    }
    let resolve_weights = kept.as_ref().map_or_else(|| start.clone(), |kept| kept.resolve_weights.clone());
    let bar = progress(&plan, tuning.samples().train.len() + tuning.samples().held_out.len(), "positions traced")?;
    let Some(traced) = tuning.trace(&resolve_weights, |positions| bar.inc(positions as u64)) else {
        return Ok(interrupted());
    };
    bar.finish_and_clear();
    ensure!(!tuning.data().train.is_empty(), "no positions left to fit");
    let mut checkpoint = match kept {
        Some(mut kept) => {
            tuning.blend(&kept);
            kept.traced = traced;
            kept
        }
        None => tuning.begin(start, traced)?,
    };
    fit(&plan, &model, &mut tuning, &mut checkpoint)
}

fn interrupted() -> ExitCode {
    note!("interrupted before the first epoch; nothing was written");
    ExitCode::from(INTERRUPTED)
}

/// The most bytes of a checkpoint.
const MOST_CHECKPOINT: u64 = 1 << 30;

fn read_checkpoint(file: &Path, layout: &Layout) -> anyhow::Result<Checkpoint> {
    let context = || format!("cannot resume from '{}'", Escaped(file.display()));
    let text = bartizan_files::read_regular(file, MOST_CHECKPOINT).with_context(context)?;
    let checkpoint: Checkpoint =
        serde_json::from_slice(&text).context("it is not a checkpoint of this program").with_context(context)?;
    ensure!(
        checkpoint.fits(layout),
        "'{}' is from another version of the evaluation, with other weights",
        Escaped(file.display())
    );
    Ok(checkpoint)
}

/// Reads all files; `None` if interrupted.
fn load(plan: &Plan, interrupt: &Interrupt) -> anyhow::Result<Option<Samples>> {
    let Plan { json, inputs, decisions, .. } = plan;
    let (skip_errors, partial) = (inputs.skip_errors, inputs.partial);
    let reading = Reading { files: &inputs.data, skip_errors, partial, quiet: *json, interrupt };
    let samples = reading.with(|files, progress, warn| Samples::load(files, decisions, progress, warn))?;
    if let Some(Samples { report, .. }) = samples.as_ref().filter(|samples| samples.report.taken == 0) {
        bail!("no positions to fit in {}: {}", crate::files::names(&inputs.data), report.why_none());
    }
    let is_countable = samples.as_ref().is_none_or(|samples| u32::try_from(samples.report.taken).is_ok());
    ensure!(is_countable, "more than 2^32 positions");
    Ok(samples)
}

fn apply_file(file: &Path, layout: &Layout, weights: &mut [WeightPair]) -> anyhow::Result<()> {
    let context = || format!("cannot use the weights of '{}'", Escaped(file.display()));
    let text = bartizan_files::read_text(file, bartizan_files::MOST_WHOLE).with_context(context)?;
    let differences = WeightsFile::parse(&text).and_then(|found| found.apply(layout, weights)).with_context(context)?;
    if !differences.missing.is_empty() {
        note!(
            "warning: '{}' lacks {}: using the compiled-in weights",
            Escaped(file.display()),
            differences.missing.join(", ")
        );
    }
    if !differences.unknown.is_empty() {
        note!(
            "warning: '{}' has unknown terms, which are ignored: {}",
            Escaped(file.display()),
            differences.unknown.join(", ")
        );
    }
    Ok(())
}

/// A progress bar; hidden with `--json`.
fn progress(plan: &Plan, length: usize, what: &str) -> anyhow::Result<ProgressBar> {
    let style = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what} {{msg}}  {{elapsed}} elapsed, {{eta}} left");
    progress::bar(length as u64, &style, plan.json)
}

fn print(plan: &Plan, text: &str) {
    if !plan.json {
        // Only the result must be delivered: failing to print a progress line does not end a fit.
        let _ = say!("{text}");
    }
}

/// Runs epochs until the limit, the end of progress or an interruption.
fn fit(
    plan: &Plan,
    model: &HandCraftedModel,
    tuning: &mut Tuning<'_>,
    checkpoint: &mut Checkpoint,
) -> anyhow::Result<ExitCode> {
    let (scaling, data) = (checkpoint.fit.scaling(), tuning.data());
    let line = format!(
        "{} training and {} held-out positions of {} games, {} counts in {} MB; scale {:.0} cp (Texel's K {:.3})",
        data.train.len(),
        data.held_out.len(),
        tuning.samples().report.games,
        data.train.entries() + data.held_out.entries(),
        (data.train.bytes() + data.held_out.bytes()) >> 20,
        1.0 / scaling.per_cp,
        400.0 * scaling.per_cp / std::f64::consts::LN_10,
    );
    print(plan, &line);
    let bar = progress(plan, 0, "positions")?;
    let show = |event: TuningEvent<'_>| match event {
        TuningEvent::Trace(positions) | TuningEvent::Fit(positions) => {
            bar.set_message(if matches!(event, TuningEvent::Trace(_)) { "traced" } else { "" });
            bar.set_length(positions as u64);
            bar.reset();
        }
        TuningEvent::Done(positions) => bar.inc(positions as u64),
        TuningEvent::End => bar.finish_and_clear(),
        TuningEvent::Epoch(report, speed) => {
            let speed = speed.map_or_else(String::new, |speed| format!("  {:.2} M positions/s", speed / 1e6));
            print(plan, &format!("{report}{speed}"));
        }
        _ => {}
    };
    let Some(summary) = tuning.run(model, &plan.inputs, checkpoint, &plan.out, show)? else {
        // The positions are gone, but the output of the last epoch is complete.
        note!("interrupted before epoch {}; run again with --resume to continue", checkpoint.fit.epochs() + 1);
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if plan.json { say!("{}", serde_json::to_string(&summary)?) } else { say!("{summary}") }?;
    Ok(if summary.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// `--validate`: checks gradient and trace without fitting.
fn validate(plan: &Plan, tuning: &mut Tuning<'_>, start: &[WeightPair], limit: usize) -> anyhow::Result<ExitCode> {
    let bar = progress(plan, limit.min(tuning.samples().train.len()), "positions traced")?;
    let Some(validation) = tuning.validate(start, limit, |positions| bar.inc(positions as u64)) else {
        return Ok(interrupted());
    };
    bar.finish_and_clear();
    ensure!(!tuning.data().train.is_empty(), "no positions left to check");
    let mut checks = serde_json::Map::new();
    for (name, check) in &validation.gradients {
        let worst = check.weight.map_or_else(String::new, |(weight, half)| {
            format!(" at {} {}", tuning.layout().weight_name(weight), ["mg", "eg"][half])
        });
        let line = format!(
            "{name}: {} derivatives of {} positions, largest relative error {:.2e}{worst} ({} kinks skipped)",
            check.derivatives, check.positions, check.worst, check.kinks
        );
        print(plan, &line);
        checks.insert((*name).to_owned(), serde_json::to_value(check)?);
    }
    let traced = &validation.trace;
    let position = traced.position.as_deref().unwrap_or("-");
    let line = format!(
        "trace: {} positions, largest difference from the evaluation {:.2} cp in {position} ({} without a trace)",
        traced.positions, traced.worst, traced.untraced
    );
    print(plan, &line);
    checks.insert("trace".to_owned(), serde_json::to_value(traced)?);
    checks.insert("ok".to_owned(), validation.is_ok().into());
    if plan.json {
        say!("{}", serde_json::Value::Object(checks))?;
    }
    ensure!(validation.is_ok(), "the gradient or the trace is wrong");
    Ok(ExitCode::SUCCESS)
}
