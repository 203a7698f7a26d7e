//! `data compare`: finds the positions on which a network and the hand-written evaluation agree least.

use super::{CHUNK, Progress, each_chunk, open, total_bytes, unpack};
use crate::files::cannot_read;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use crate::searcher::{Engine, pawns, score_for_white};
use anyhow::Context;
use bartizan_eval::{Material, evaluate, shown, win_draw_loss};
use bartizan_network::Network;
use bartizan_position::{Game, Position};
use bartizan_search::Limits;
use bartizan_types::Value;
use indicatif::ProgressBar;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Values differ by the points that they expect: half a pawn counts for more in a balanced position than in a won one. The
searches use the evaluation of the engine, the mean of its network and the hand-written terms. Scores are for White, in
pawns, as the engine shows them.

Example:
  bartizan-tools data compare held.pos --network network.bin --count 20 --nodes 1000000";

/// The arguments of `data compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of positions of `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Network
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// Number of positions to list
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Nodes of each search
    #[arg(long, value_name = "NODES", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash table of the searches
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Print JSON, and no progress
    #[arg(long)]
    json: bool,
}

/// A position with two values for the side to move.
#[derive(Debug)]
struct Disputed {
    /// The difference of the expected points.
    points: f64,
    position: Position,
    network: Value,
    hand_written: Value,
}

impl Disputed {
    fn new(position: Position, network: Value, hand_written: Value) -> Self {
        let material = Material::of(&position);
        let expected = |value| {
            let [win, draw, _] = win_draw_loss(value, material);
            (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
        };
        let points = (expected(network) - expected(hand_written)).abs();
        Self { points, position, network, hand_written }
    }
}

impl PartialEq for Disputed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Disputed {}

impl PartialOrd for Disputed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Disputed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.points.total_cmp(&other.points)
    }
}

/// A position, its values and what a search says, in centipawns for White as the engine shows them.
#[derive(Debug, Serialize)]
struct Row {
    fen: String,
    network: i32,
    hand_written: i32,
    search: i32,
    /// Full moves to a mate that the search has found, negative if Black mates.
    mate: Option<i32>,
    depth: u32,
    /// The difference of the expected points of the two values.
    points: f64,
}

/// What was compared.
#[derive(Debug, Default, Serialize)]
struct Comparison {
    positions: u64,
    /// The mean difference of the expected points.
    mean_points: f64,
    /// Listed positions in which the value of the network is nearer to that of the search.
    network_nearer: usize,
    /// Listed positions in which the hand-written value is nearer.
    hand_written_nearer: usize,
    rows: Vec<Row>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let network = Network::open(&args.network).with_context(|| cannot_read(&args.network))?;
    let mut comparison = Comparison::default();
    let disputed = find(args, &network, &mut comparison, interrupt)?;
    let mut engine = Engine::new(args.hash)?;
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(disputed.len() as u64) };
    for place in disputed {
        let Disputed { points, position, network, hand_written } = place;
        engine.forget();
        let result = engine.search(&Game::new(position.clone()), Limits::nodes(args.nodes), interrupt);
        let result = result.ok_or_else(|| Interrupted("in the searches: nothing is listed".to_owned()))?;
        let material = Material::of(&position);
        let for_white =
            |value| if position.turn().is_white() { shown(value, material) } else { -shown(value, material) };
        let row = Row {
            fen: position.to_fen(),
            network: for_white(network),
            hand_written: for_white(hand_written),
            search: score_for_white(&position, &result),
            mate: result.value.mate_in_moves().map(|moves| if position.turn().is_white() { moves } else { -moves }),
            depth: result.depth,
            points,
        };
        let [by_network, by_hand] = [row.network, row.hand_written].map(|value| value.abs_diff(row.search));
        comparison.network_nearer += usize::from(by_network < by_hand);
        comparison.hand_written_nearer += usize::from(by_hand < by_network);
        comparison.rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json { say!("{}", serde_json::to_string(&comparison)?) } else { say_part!("{}", text(&comparison)) }?;
    Ok(())
}

/// The positions with the greatest differences, the greatest first.
fn find(
    args: &Args,
    network: &Network,
    comparison: &mut Comparison,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Disputed>> {
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut best = BinaryHeap::new();
    let mut points = 0.0;
    for file in &args.files {
        each_chunk(file, open(file, interrupt)?, CHUNK, |samples, before| {
            for (sample, number) in samples.iter().zip(before + 1..) {
                comparison.positions += 1;
                let position = unpack(sample, file, number)?;
                // As the engine does, which needs no network for endings that are known.
                let by_network = network.value(&position);
                let by_hand = evaluate(&position);
                let place = Disputed::new(position, by_network, by_hand);
                points += place.points;
                best.push(Reverse(place));
                if best.len() > usize::from(args.count) {
                    best.pop();
                }
            }
            progress.add_positions(samples.len())
        })?;
    }
    progress.bar.finish_and_clear();
    comparison.mean_points = points / comparison.positions.max(1) as f64;
    Ok(best.into_sorted_vec().into_iter().map(|Reverse(place)| place).collect())
}

fn text(comparison: &Comparison) -> String {
    let Comparison { positions, mean_points, network_nearer, hand_written_nearer, rows } = comparison;
    let mut text = format!("{positions} positions, which differ by {mean_points:.3} points on average\n\n");
    text.push_str(" network  by hand   search  depth  position\n");
    for Row { fen, network, hand_written, search, mate, depth, .. } in rows {
        let [network, hand_written, search] = [network, hand_written, search].map(|&score| pawns(score));
        let search = mate.map_or(search, |moves| format!("mate {moves:+}"));
        let _ = writeln!(text, "{network:>8} {hand_written:>8} {search:>8} {depth:>6}  {fen}");
    }
    let _ =
        writeln!(text, "\nnearer to the search: the network {network_nearer}, the hand-written {hand_written_nearer}");
    text
}
