//! `puzzles`: finds positions in which a player missed the only good move.

mod output;

use crate::interrupt::Interrupt;
use crate::output::{note, say};
use crate::pgn::output::Output;
use crate::review::{Found, Review, ReviewArgs, ReviewPlan, USUAL_NODES};
use anyhow::{Context, ensure};
use bartizan_analysis::{DetailOptions, Limits, Puzzle, PuzzleOptions, find_puzzles};
use bartizan_games::filter::Pattern;
use bartizan_notation::pgn::GameTree;
use bartizan_types::ByColor;
use output::Form;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
A position becomes a puzzle if one move wins and no other does, or if one move
saves the game and all others lose, and the player chose another. The best
move and the best other one are searched with the given limits, then again
with ten times the nodes or time, or 4 plies more; the same move must be best
and better by the margin both times. The solution goes on while the next move
is the only good one, too, and forcing. To take back a piece is no puzzle.

The extension of an output file decides its form: .epd, .pgn, .json, or .html,
a page on which the puzzles can be solved and are repeated after some days.
Without --st, the same games and options give the same puzzles, whatever
--concurrency is. Without a limit, the first searches take 100000 nodes.

Examples:
  bartizan-tools puzzles games.pgn --player mill --out mine.html
  bartizan-tools puzzles *.pgn --out all.epd --out all.pgn --journal run.jsonl";

/// The arguments of `puzzles`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(flatten)]
    review: ReviewArgs,
    /// Player who missed the move: a part of the name, or /a regular expression/; may be repeated [default: either
    /// player]
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// By how much the second best move must be worse, in points of win per cent
    #[arg(long, value_name = "POINTS", default_value_t = 15.0, value_parser = parse_margin)]
    margin: f64,
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done; may be repeated [default: EPD to
    /// standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// Print the numbers of games, puzzles and themes as JSON, instead of a table on standard error
    #[arg(long, requires = "out")]
    json: bool,
}

fn parse_margin(text: &str) -> Result<f64, String> {
    // A move that loses less than 10 points is no mistake.
    let margin = text.parse().ok().filter(|margin| (10.0..=90.0).contains(margin));
    margin.ok_or_else(|| "must be from 10 to 90".to_owned())
}

/// What decides the puzzles, besides the searches. The journal keeps it.
#[derive(Serialize)]
struct Conditions<'a> {
    margin: f64,
    players: &'a [String],
}

/// What the journal has of a game.
#[derive(Serialize, Deserialize)]
struct GamePuzzles {
    puzzles: Vec<Puzzle>,
}

/// Ten times the nodes or the time, or four plies more, which take about as long.
fn tenfold(limits: &Limits) -> Limits {
    let mut limits = limits.clone();
    limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(10));
    limits.move_time = limits.move_time.map(|time| time.saturating_mul(10));
    limits.depth = limits.depth.map(|depth| depth.saturating_add(4));
    limits
}

/// Finds the sides that players with matching names have.
pub(crate) struct Players(Vec<Pattern>);

impl Players {
    pub(crate) fn parse(names: &[String]) -> anyhow::Result<Self> {
        let parse = |name: &String| name.parse().with_context(|| format!("invalid --player '{}'", name.escape_debug()));
        Ok(Self(names.iter().map(parse).collect::<anyhow::Result<_>>()?))
    }

    /// The sides of a game that match; all without a name.
    pub(crate) fn sides(&self, tree: &GameTree) -> ByColor<bool> {
        let matches = |tag| {
            let name = tree.tag(tag).unwrap_or_default();
            self.0.is_empty() || self.0.iter().any(|pattern| pattern.matches(name))
        };
        ByColor(["White", "Black"].map(matches))
    }
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and the problem.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let forms = args.out.iter().map(|path| Form::of(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let players = Players::parse(&args.player)?;
    let plan = ReviewPlan {
        journal: ("puzzles", "a journal of puzzles"),
        usual_nodes: USUAL_NODES,
        skipped: 0,
        only_moves: false,
        details: DetailOptions { reasons: false, critical: 0, ..DetailOptions::default() },
    };
    let review = Review::new(&args.review, plan, &args.out.iter().collect::<Vec<_>>(), interrupt)?;
    let is_printed = args.out.iter().any(|path| path.as_os_str() == "-");
    ensure!(!(args.json && is_printed), "--json prints to standard output; give a file for the puzzles");
    let mut outputs = Vec::new();
    for (path, form) in args.out.iter().zip(forms) {
        outputs.push((Output::new(Some(path))?, form, path.exists()));
    }
    if outputs.is_empty() {
        outputs.push((Output::new(None)?, Form::Epd, false));
    }
    let (engine, budget) = (review.engine_name(), review.budget());
    let limits = review.limits();
    let options = PuzzleOptions { check: tenfold(&limits), limits, margin: args.margin };
    let conditions = Conditions { margin: args.margin, players: &args.player };
    let Found { games, ended } = review.find(&conditions, |analyser, number, tree| {
        let puzzles = find_puzzles(number, tree, players.sides(tree), analyser, &options, |_, _| ())?;
        Ok(GamePuzzles { puzzles })
    })?;
    let count = games.len();
    let mut seen = HashSet::new();
    let puzzles: Vec<Puzzle> = games.into_values().flat_map(|game| game.puzzles).collect();
    let puzzles: Vec<Puzzle> = puzzles.into_iter().filter(|puzzle| seen.insert(puzzle.position.key())).collect();
    for (mut out, form, exists) in outputs {
        // Partial output does not replace a file.
        if ended.is_complete || count > 0 && !exists {
            out.write(form.write(&puzzles)?.as_bytes())?;
            out.commit()?;
        }
    }
    ended.error.map_or(Ok(()), Err)?;
    let mut themes: BTreeMap<&str, usize> = BTreeMap::new();
    puzzles.iter().flat_map(|puzzle| &puzzle.themes).for_each(|theme| *themes.entry(theme).or_default() += 1);
    if args.json {
        let summary =
            json!({"engine": engine, "limit": budget, "games": count, "puzzles": puzzles.len(), "themes": themes});
        say!("{summary}")?;
    } else if !args.review.quiet {
        let mut text = format!("{count} games: {} puzzles", puzzles.len());
        for (theme, count) in &themes {
            text += &format!("\n{count:>8}  {theme}");
        }
        if puzzles.is_empty() {
            text += ": no move that was missed is the only good one";
        }
        note!("{text}");
    }
    ensure!(ended.is_complete, Review::interrupted(&args.review, count as u64));
    Ok(ExitCode::SUCCESS)
}
