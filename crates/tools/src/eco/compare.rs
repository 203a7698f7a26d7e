//! `eco compare`: how far the codes in a PGN file agree with the table, and why they differ.

use super::PLIES;
use crate::games::Input;
use crate::interrupt::Interrupt;
use crate::output::say;
use bartizan_book::eco::{self, Opening};
use bartizan_notation::pgn::PgnGame;
use bartizan_position::Position;
use bartizan_types::{Key, Move};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};
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

/// How the code of a tag relates to that of the table. The first that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Same,
    /// The code of the last line of the table that the game follows move by move.
    MoveOrder,
    /// The code of an earlier position of the game.
    Earlier,
    /// The code of a line that goes through the last known position of the game.
    Later,
    Other,
    /// The game has no position of the table.
    Unknown,
    /// The game has no code.
    Untagged,
}

impl Relation {
    const ALL: [Self; 7] =
        [Self::Same, Self::MoveOrder, Self::Earlier, Self::Later, Self::Other, Self::Unknown, Self::Untagged];

    fn name(self) -> &'static str {
        match self {
            Self::Same => "same code",
            Self::MoveOrder => "code of the order of moves, without transposition",
            Self::Earlier => "code of an earlier position of the game",
            Self::Later => "code of a continuation",
            Self::Other => "another code",
            Self::Unknown => "no position of the table",
            Self::Untagged => "no ECO tag",
        }
    }
}

/// The lines of the table, move by move.
struct Lines {
    by_moves: HashMap<Vec<Move>, &'static Opening>,
    /// The positions on the way, with the code of the line.
    passed: HashSet<(Key, &'static str)>,
}

impl Lines {
    fn new() -> Self {
        let (mut by_moves, mut passed) = (HashMap::new(), HashSet::new());
        for opening in eco::openings() {
            let (mut position, moves) = (Position::startpos(), opening.line());
            for &mv in &moves {
                position.make_unchecked(mv);
                passed.insert((position.key(), opening.code()));
            }
            by_moves.insert(moves, opening);
        }
        Self { by_moves, passed }
    }

    fn relation(&self, pgn: &PgnGame) -> Relation {
        let tag = pgn.tags.iter().find(|(name, value)| name.eq_ignore_ascii_case("ECO") && !value.is_empty());
        // Scid and others append a letter and a digit to the code.
        let Some(code) = tag.and_then(|(_, code)| code.get(..3)) else { return Relation::Untagged };
        let (mut position, mut moves) = (pgn.start.clone(), Vec::new());
        let (mut known, mut followed): (Vec<(Key, &Opening)>, _) = (Vec::new(), None);
        for played in &pgn.moves {
            let Ok(next) = position.play(played.mv) else { break };
            position = next;
            moves.push(played.mv);
            followed = self.by_moves.get(&moves).or(followed);
            known.extend(eco::lookup(&position).map(|opening| (position.key(), opening)));
        }
        let Some(&(key, last)) = known.last() else { return Relation::Unknown };
        if last.code() == code {
            Relation::Same
        } else if followed.is_some_and(|opening| opening.code() == code) {
            Relation::MoveOrder
        } else if known.iter().any(|(_, opening)| opening.code() == code) {
            Relation::Earlier
        } else if self.passed.contains(&(key, code)) {
            Relation::Later
        } else {
            Relation::Other
        }
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let lines = Lines::new();
    let mut counts: BTreeMap<Relation, usize> = BTreeMap::new();
    let total = args.input.each(
        interrupt,
        |game| game.read(PLIES).map(|pgn| lines.relation(&pgn)),
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
