//! Checks the reasons that `bartizan-review` gives for the mistakes of games: a second verifier, written apart from the
//! detectors, tries to refute each claim, by the rules of chess and by searches of 2 million nodes from empty tables.
//!
//! `cargo run --release -p bartizan-analysis --example check_reasons -- GAMES.pgn JOURNAL [MISTAKES [EVERY]]` takes
//! every EVERY-th game until it has MISTAKES moves that lose 10 points of win % or more (15: blunders). Every search
//! goes into JOURNAL, so that an interrupted run continues. Files beside the journal say what it found: `table.txt`,
//! `refuted.txt`, `causeless.txt` (mistakes without a concrete cause) and `texts.txt`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command-line program prints its results.

mod draws;
mod endings;
mod line;
mod material;
mod mates;
mod mistakes;
mod motifs;
mod positional;
mod remedies;
mod report;
mod rules;
mod searches;
mod second;

use crate::mistakes::Mistake;
use crate::report::{Explained, Ruled};
use crate::searches::Searches;
use crate::second::Verifier;
use anyhow::{Context, Result, bail};
use bartizan_analysis::Score;
use bartizan_notation::pgn::{PgnGame, PgnReader};
use bartizan_position::Position;
use bartizan_review::PositionEval;
use bartizan_review::reasons::{self, MistakeContext, Searcher};
use bartizan_types::Move;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// What the command line asks for.
struct Args {
    games: String,
    journal: String,
    mistakes: usize,
    every: usize,
}

impl Args {
    fn read() -> Result<Self> {
        let mut words = std::env::args().skip(1);
        let (Some(games), Some(journal)) = (words.next(), words.next()) else {
            bail!("usage: check_reasons GAMES.pgn JOURNAL [MISTAKES [EVERY]]");
        };
        let mut number = |otherwise| words.next().map_or(Ok(otherwise), |word| word.parse());
        let mistakes = number(2_000).context("MISTAKES is no number")?;
        let every: usize = number(1).context("EVERY is no number")?;
        Ok(Self { games, journal, mistakes, every: every.max(1) })
    }
}

/// The mistakes of every n-th game, until there are enough.
fn collect(args: &Args, searches: &Searches, threads: usize) -> Result<Vec<Mistake>> {
    let file = File::open(&args.games).with_context(|| format!("cannot read {}", args.games))?;
    let read: Result<Vec<PgnGame>, _> = PgnReader::new(BufReader::new(file)).step_by(args.every).collect();
    let games: Vec<(usize, PgnGame)> = read?.into_iter().enumerate().collect();
    let mut all = Vec::new();
    for batch in games.chunks(8) {
        let found = bartizan_parallel::map(batch, threads, |(index, game)| {
            mistakes::of_game(searches, index * args.every + 1, game)
        });
        for mistakes in found {
            all.extend(mistakes?);
        }
        eprintln!("{} mistakes in the games up to {}", all.len(), (batch[batch.len() - 1].0) * args.every + 1);
        if all.len() >= args.mistakes {
            break;
        }
    }
    all.truncate(args.mistakes);
    Ok(all)
}

/// Lends the searches of the journal to the detectors.
struct Lent<'a>(&'a Searches);

impl Searcher for Lent<'_> {
    fn search(&mut self, position: &Position, nodes: u64) -> Option<(Score, Vec<Move>)> {
        self.0.best(position, nodes).ok().map(|found| (found.score, found.line))
    }
}

/// Explains a mistake and checks each claim.
fn explain(searches: &Searches, mistake: Mistake) -> Result<Explained> {
    let after = mistake.after();
    let context = MistakeContext {
        before: &mistake.before,
        previous: mistake.previous.as_ref().map(|(position, mv)| (position, *mv)),
        played: mistake.played,
        better: &mistake.better.line,
        refutation: &mistake.refutation.line,
        eval_before: PositionEval::new(&mistake.before, mistake.better.score, &[]).eval,
        eval_after: PositionEval::new(&after, mistake.refutation.score, &[]).eval,
    };
    let reason = reasons::explain(&context, &mut Lent(searches));
    let text = reason.as_ref().map(ToString::to_string).unwrap_or_default();
    let claims = reason.map(|reason| reason.claims).unwrap_or_default();
    let verifier = Verifier::new(searches, &mistake, &claims);
    let rulings: Result<Vec<_>> = claims.iter().map(|claim| verifier.rule(claim)).collect();
    let claims = rulings?.into_iter().zip(&claims).map(|(ruling, claim)| Ruled { claim: claim.clone(), ruling });
    let claims = claims.collect();
    Ok(Explained { mistake, claims, text })
}

/// Writes what is known so far beside the journal.
fn write_reports(journal: &Path, all: &[Explained]) -> Result<()> {
    let folder = journal.parent().unwrap_or(Path::new("."));
    let files = [
        ("table.txt", report::table(all)),
        ("refuted.txt", report::refuted(all)),
        ("causeless.txt", report::causeless(all)),
        ("texts.txt", report::texts(all)),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let args = Args::read()?;
    let threads = bartizan_parallel::cores().get();
    let journal = Path::new(&args.journal);
    let searches = Searches::open(journal)?;
    let mistakes = collect(&args, &searches, threads)?;
    let mut all = Vec::new();
    for batch in mistakes.chunks(16) {
        let explained = bartizan_parallel::map(batch.to_vec(), threads, |mistake| explain(&searches, mistake));
        for explained in explained {
            all.push(explained?);
        }
        eprintln!("{} of {} mistakes checked", all.len(), mistakes.len());
        write_reports(journal, &all)?;
    }
    println!("{}\n{}", report::table(&all), report::refuted(&all));
    Ok(())
}
