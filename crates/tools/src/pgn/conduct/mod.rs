//! `pgn conduct`: counts how players err.

mod summary;

use super::bands::BandArgs;
use crate::games::{GameText, Input};
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use crate::review::{Ended, Review, ReviewArgs, ReviewPlan, Reviewed};
use anyhow::ensure;
use bartizan_analysis::conduct::ConductTable;
use bartizan_analysis::{DetailOptions, JudgedGame, RatingBand, RatingBands};
use bartizan_games::tags;
use bartizan_notation::pgn::GameTree;
use bartizan_types::ByColor;
use clap::ValueEnum;

/// Enough for the losses of many moves.
const NODES: u64 = 20_000;

const EXAMPLE: &str = "\
Each row has the moves of players in a band of ratings (WhiteElo, BlackElo), or
those of one player. Counted with the rules alone:
  left        moves after which the opponent can win three points or more by one
              capture, beyond what the move itself took, of 100 moves
  gifts       captures that win three points or more: how many of them are taken
  undone      moves that put the piece back where it came from, not in check, of
              100 moves before move 20
  walks       king moves, not in check and not castling, of 100 moves before
              move 15
  mates       mates in one: how many of them are missed
  recaptures  recaptures that win material: how many of them are missed
  openings    different first ten plies
A capture wins the piece it takes, less the taker if that can be taken back. The
losses are the points of win per cent that a move gives away by the engine's
evaluation before and after it. Each position is searched with empty tables, by
20000 nodes without another limit: without --st, the same games and options give
the same table, whatever --concurrency is.

Examples:
  bartizan-tools pgn conduct games.pgn
  bartizan-tools pgn conduct match.pgn --by name --nodes 0
  bartizan-tools pgn conduct games.pgn --band 400 --ratings 800-2400 \\
      --journal run.jsonl --json";

/// The arguments of `pgn conduct`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, mut_arg("nodes", |nodes| {
    nodes.value_parser(clap::value_parser!(u64)).help("Nodes per position; 0 leaves out the losses [default: 20000]")
}))]
pub(super) struct Args {
    #[command(flatten)]
    review: ReviewArgs,
    /// What the rows are
    #[arg(long, value_enum, value_name = "WHAT", default_value = "rating")]
    by: By,
    #[command(flatten)]
    bands: BandArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What players have in common in a row.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Rating,
    Name,
}

/// The players of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Band(RatingBand),
    Name(String),
}

impl By {
    fn groups(self, bands: RatingBands, tree: &GameTree) -> ByColor<Group> {
        ByColor([("White", "WhiteElo"), ("Black", "BlackElo")].map(|(name, rating)| match self {
            Self::Rating => Group::Band(bands.of(tags::rating(tree, rating))),
            Self::Name => Group::Name(tree.tag(name).unwrap_or("?").to_owned()),
        }))
    }
}

/// What was counted.
#[derive(Default)]
struct Counted {
    games: u64,
    broken: u64,
    /// Those in the table: the others are broken or have no moves.
    counted: u64,
    table: ConductTable<Group>,
    /// The engine and its limits, if there are losses.
    engine: Option<(String, String)>,
}

impl Counted {
    fn add(&mut self, groups: ByColor<Group>, game: &JudgedGame) {
        self.counted += 1;
        self.table.add(groups, game);
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let bands = args.bands.bands()?;
    let counted = match args.review.budget.nodes {
        Some(0) => count(args, bands, interrupt)?,
        _ => search(args, bands, interrupt)?,
    };
    ensure!(counted.counted > 0, "no game has a move");
    if args.json {
        say!("{}", summary::json(&counted))?;
    } else {
        say_part!("{}", summary::text(&counted))?;
    }
    Ok(())
}

/// Counts with the rules alone.
fn count(args: &Args, bands: RatingBands, interrupt: &Interrupt) -> anyhow::Result<Counted> {
    let review = &args.review;
    let is_searched = review.budget.depth.is_some()
        || review.budget.st.is_some()
        || review.engine.is_some()
        || review.journal.path.is_some();
    ensure!(!is_searched, "--nodes 0 searches nothing; leave out --depth, --st, --engine and --journal");
    let mut counted = Counted::default();
    let work = |game: &GameText<'_>| {
        let tree = if game.raw.is_game { game.tree()? } else { return None };
        let judged = JudgedGame::new(&tree, &[], 0);
        (!judged.moves.is_empty()).then(|| (args.by.groups(bands, &tree), judged))
    };
    let input = Input::of(&review.files, review.strict)?.with_threads(review.concurrency);
    let read = input.each(interrupt, work, |_, game| {
        if let Some((groups, judged)) = game {
            counted.add(groups, &judged);
        }
        Ok(())
    })?;
    (counted.games, counted.broken) = (read.games as u64, read.broken as u64);
    Ok(counted)
}

/// Counts with the evaluations of an engine.
fn search(args: &Args, bands: RatingBands, interrupt: &Interrupt) -> anyhow::Result<Counted> {
    let plan = ReviewPlan {
        journal: ("conduct", "a journal of pgn conduct"),
        usual_nodes: NODES,
        skipped: 0,
        only_moves: false,
        details: DetailOptions { reasons: false, critical: 0, ..DetailOptions::default() },
    };
    let review = Review::new(&args.review, plan, &[], interrupt)?;
    let mut counted = Counted { engine: Some((review.engine_name(), review.budget())), ..Counted::default() };
    let Ended { is_complete, error } = review.run(|reviewed| {
        match reviewed {
            Reviewed::Game(_, game, _) => {
                counted.games += 1;
                counted.add(args.by.groups(bands, &game.tree), &game.judge());
            }
            Reviewed::Other(_, other) => {
                counted.games += u64::from(other.is_game);
                counted.broken += u64::from(other.is_broken);
            }
        }
        Ok(())
    })?;
    error.map_or(Ok(()), Err)?;
    ensure!(is_complete, Review::interrupted(&args.review, counted.games));
    Ok(counted)
}
