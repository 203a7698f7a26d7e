//! `tb generate`: generates distance-to-mate tables.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::progress;
use crate::threads::parse_threads;
use anyhow::{Context, bail};
use bartizan_dtm::{Endgame, Endings, GenerateError, Generator, Step};
use bartizan_types::Escaped;
use indicatif::{HumanBytes, ProgressBar};
use serde_json::json;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLE: &str = "\
The tables reached by captures and promotions are made first. Finished tables
are kept: after an interruption, the same command continues with the table in
progress.

Example:
  bartizan-tools tb generate --tables tables all3 KQKR";

/// The arguments of `tb generate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Output folder for the tables, created if it does not exist
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Endings such as KQKR, or all3, all4, all5 for all endings with that number of men (except KPPKP, whose mates are
    /// too long for the format)
    #[arg(value_name = "ENDING", required = true)]
    endings: Vec<Endings>,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print one JSON object per table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.tables).with_context(|| format!("cannot create '{}'", Escaped(args.tables.display())))?;
    let endgames = Endgame::with_successors(&Endings::expand(&args.endings));
    let mut generator = Generator::new(&args.tables, args.threads.get());
    let start = Instant::now();
    let (mut made, mut bytes) = (0, 0);
    for (number, endgame) in endgames.iter().enumerate() {
        let begin = Instant::now();
        let bar = progress::bar(1, "{prefix} {bar:30} {msg}  {elapsed}", args.json)?;
        bar.set_prefix(format!("{}/{} {endgame}", number + 1, endgames.len()));
        let generated = generator.generate(endgame, &interrupt.stop(), &|step| show(&bar, step));
        bar.finish_and_clear();
        let generated = match generated {
            Err(GenerateError::Interrupted) => bail!(Interrupted(format!(
                "at {endgame}; {number} of {} tables are finished and kept in '{}'; run again to continue",
                endgames.len(),
                Escaped(args.tables.display())
            ))),
            generated => generated?,
        };
        let seconds = begin.elapsed().as_secs_f64();
        bytes += generated.bytes;
        made += usize::from(!generated.existed);
        if args.json {
            let object = json!({
                "ending": endgame.to_string(),
                "file": generated.path,
                "bytes": generated.bytes,
                "existed": generated.existed,
                "seconds": seconds,
            });
            say!("{object}")?;
        } else if generated.existed {
            say!("{endgame:<6} {:>12} bytes  already there", generated.bytes)?;
        } else {
            say!("{endgame:<6} {:>12} bytes  {seconds:.1} s", generated.bytes)?;
        }
    }
    if !args.json {
        let seconds = start.elapsed().as_secs_f64();
        say!("{made} tables made, {} there before; {} in {seconds:.1} s", endgames.len() - made, HumanBytes(bytes))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(bar: &ProgressBar, step: Step) {
    let (done, of, message) = match step {
        Step::Checking { done, of } => (done, of, "checking".to_owned()),
        Step::Moves { done, of } => (done, of, "looking at moves".to_owned()),
        Step::Packing { done, of } => (done, of, "packing".to_owned()),
        Step::Distance { plies } => (bar.position(), bar.length().unwrap_or(1), format!("distance {plies}")),
        _ => return,
    };
    bar.set_length(of);
    bar.set_position(done);
    bar.set_message(message);
}
