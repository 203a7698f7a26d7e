//! `eco compare`: how far the codes in a PGN file agree with the table, and why they differ.

use super::PLIES;
use crate::games::Input;
use crate::interrupt::Interrupt;
use crate::output::say;
use bartizan_book::eco::{CodeCheck, Relation};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools eco compare games.pgn";

/// The arguments of `eco compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let check = CodeCheck::default();
    let mut counts: BTreeMap<Relation, usize> = BTreeMap::new();
    let total = args.input.each(
        interrupt,
        |game| game.read(PLIES).map(|pgn| check.relation(&pgn)),
        |_, relation| {
            if let Some(relation) = relation {
                *counts.entry(relation).or_default() += 1;
            }
            Ok(())
        },
    )?;
    let count = |relation| counts.get(&relation).copied().unwrap_or(0);
    let compared = total.games - total.broken - count(Relation::Unknown) - count(Relation::Untagged);
    #[allow(clippy::cast_precision_loss)] // Numbers of games are far below 2^52.
    let percent = |count: usize| if compared == 0 { 0.0 } else { 100.0 * count as f64 / compared as f64 };
    if args.json {
        let relations: BTreeMap<&str, usize> = Relation::ALL.map(|relation| (relation.name(), count(relation))).into();
        say!("{}", json!({ "games": total.games, "broken": total.broken, "compared": compared, "counts": relations }))?;
    } else {
        say!("{} games, {compared} compared", total.games)?;
        for relation in Relation::ALL {
            let count = count(relation);
            if matches!(relation, Relation::Unknown | Relation::Untagged) {
                say!("{count:>8}          {}", relation.name())?;
            } else {
                say!("{count:>8}  {:>5.1} %  {}", percent(count), relation.name())?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
