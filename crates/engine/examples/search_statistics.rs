//! Prints where the nodes of a search go: `cargo run --release -p bartizan-engine --features statistics --example
//! search_statistics -- [NODES…]`
//!
//! Searches the positions of the bench with an empty table for each of the given numbers of nodes, by default 10,000,
//! 80,000 and 1,000,000. The tables are those of `docs/search.md`.
#![allow(clippy::print_stdout)] // A program for the terminal: printing is its output.

use bartizan_engine::bench;
use bartizan_engine::{Engine, Limits, Options, SearchEvent};
use bartizan_search::{Counter, Statistics};
use bartizan_types::Bound;
use std::error::Error;
use std::fmt::Write;

/// Hash table in MiB: large enough that one search does not fill it.
const HASH: usize = 64;

/// Nodes from which the branching factor is measured: earlier iterations are too small.
const BRANCHING_FROM: u64 = 500;

/// Depths in the table by depth.
const DEPTHS: [(usize, usize); 9] = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 11), (12, 15), (16, 47)];

/// Plies in the table by ply.
const PLIES: [(usize, usize); 8] = [(0, 4), (5, 8), (9, 12), (13, 16), (17, 24), (25, 32), (33, 48), (49, 128)];

/// The searches of all positions with one number of nodes.
#[derive(Default)]
struct Run {
    nodes: u64,
    searches: f64,
    depths: Vec<u32>,
    seldepths: Vec<u32>,
    /// The sum of the logarithms of the factors by which a ply multiplies the nodes, and their number.
    log_branching: f64,
    growths: f64,
    hashfull: f64,
    counts: Statistics,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut budgets = Vec::new();
    for arg in std::env::args().skip(1) {
        budgets.push(arg.parse().map_err(|error| format!("number of nodes '{arg}': {error}"))?);
    }
    if budgets.is_empty() {
        budgets = vec![10_000, 80_000, 1_000_000];
    }
    let mut options = Options::default();
    options.hash_mib = HASH;
    let mut engine = Engine::with_options(options)?;
    let mut runs = Vec::new();
    for nodes in budgets {
        runs.push(search(&mut engine, nodes)?);
    }
    println!("{}", by_budget(&runs)?);
    if let Some(run) = runs.last() {
        println!("{}\n{}", by_depth(run)?, by_ply(run)?);
    }
    Ok(())
}

/// Searches every position that has more than one move.
fn search(engine: &mut Engine, nodes: u64) -> Result<Run, Box<dyn Error>> {
    let mut run = Run { nodes, ..Run::default() };
    for fen in bench::positions() {
        engine.set_position(fen, &[])?;
        if engine.game().position().legal_moves().len() < 2 {
            continue;
        }
        engine.new_game();
        let (mut lines, mut counted, mut searched) = (Vec::new(), None, 0);
        for event in engine.go(Limits::nodes(nodes))? {
            match event {
                SearchEvent::Info(info) if info.bound == Bound::Exact => lines.push(info),
                SearchEvent::Counted(counts) => counted = Some(counts),
                SearchEvent::Finished(result) => searched = result.nodes,
                _ => {}
            }
        }
        let counted = counted.ok_or("the search reported no counts")?;
        if counted.quiescence_nodes() + counted.total(Counter::Node) != searched {
            return Err(format!("{fen}: {searched} nodes were searched, but others counted").into());
        }
        run.counts.add(&counted);
        let Some(last) = lines.last() else { continue };
        run.searches += 1.0;
        run.depths.push(last.depth);
        run.seldepths.push(last.seldepth);
        run.hashfull += f64::from(last.hashfull);
        if let Some(first) = lines.iter().find(|info| info.nodes >= BRANCHING_FROM && info.depth < last.depth) {
            let ratio = last.nodes as f64 / first.nodes as f64;
            run.log_branching += ratio.ln() / f64::from(last.depth - first.depth);
            run.growths += 1.0;
        }
    }
    Ok(run)
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}", part as f64 * 100.0 / whole as f64) }
}

fn ratio(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.2}", part as f64 / whole as f64) }
}

fn median(values: &[u32]) -> String {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).map_or("–".to_owned(), u32::to_string)
}

/// A name, and a cell for each run.
type Row = (&'static str, fn(&Run) -> String);

fn by_budget(runs: &[Run]) -> Result<String, std::fmt::Error> {
    use Counter::*;
    let rows: &[Row] = &[
        ("depth, median", |run| median(&run.depths)),
        ("selective depth, median", |run| median(&run.seldepths)),
        ("branching factor", |run| format!("{:.2}", (run.log_branching / run.growths).exp())),
        ("nodes in quiescence, %", |run| {
            let quiescence = run.counts.quiescence_nodes();
            percent(quiescence, quiescence + run.counts.total(Node))
        }),
        ("nodes on the principal variation, % of the main search", |run| total(run, PvNode, Node)),
        ("nodes that look for alternatives to a table move, %", |run| total(run, ExcludedNode, Node)),
        ("table hits, %", |run| total(run, Hit, Probe)),
        ("table hits with a move, %", |run| total(run, HitMove, Probe)),
        ("table cutoffs, %", |run| total(run, TableCutoff, Probe)),
        ("table hits in quiescence, %", |run| total(run, QuiescenceHit, QuiescenceProbe)),
        ("table cutoffs in quiescence, %", |run| total(run, QuiescenceCutoff, QuiescenceProbe)),
        ("razored, % of nodes", |run| total(run, Razored, Node)),
        ("reverse futility, % of nodes", |run| total(run, ReverseFutility, Node)),
        ("null moves, % of nodes", |run| total(run, NullMove, Node)),
        ("of these, fail high, %", |run| total(run, NullMoveCutoff, NullMove)),
        ("captures of ProbCut for a cutoff", |run| ratio(run.counts.total(ProbCut), run.counts.total(ProbCutCutoff))),
        ("ProbCut, % of nodes", |run| total(run, ProbCutCutoff, Node)),
        ("ProbCut by the table, % of nodes", |run| total(run, TableProbCut, Node)),
        ("nodes that search moves, %", |run| total(run, Expanded, Node)),
        ("moves for each of these", |run| ratio(run.counts.total(Move), run.counts.total(Expanded))),
        ("cutoffs by the first move, %", |run| total(run, FirstMoveCutoff, Cutoff)),
        ("cutoffs by the second or third, %", |run| total(run, EarlyCutoff, Cutoff)),
        ("moves reduced, %", |run| total(run, Reduced, Move)),
        ("plies for each reduction", |run| ratio(run.counts.total(ReducedPlies), run.counts.total(Reduced))),
        ("reduced moves searched again, %", |run| total(run, Researched, Reduced)),
        ("of these, fail high again, %", |run| total(run, ResearchedHigh, Researched)),
        ("table moves tested as singular, % of nodes with moves", |run| total(run, Singular, Expanded)),
        ("of these, extended by one ply, %", |run| total(run, SingleExtension, Singular)),
        ("of these, extended by two plies, %", |run| total(run, DoubleExtension, Singular)),
        ("of these, multi-cut, %", |run| total(run, MultiCut, Singular)),
        ("windows that fail low, for each iteration", |run| {
            ratio(run.counts.total(WindowLow), run.counts.total(Iteration))
        }),
        ("windows that fail high, for each iteration", |run| {
            ratio(run.counts.total(WindowHigh), run.counts.total(Iteration))
        }),
        ("entries replaced, for each node", |run| {
            ratio(run.counts.total(Replaced), run.counts.quiescence_nodes() + run.counts.total(Node))
        }),
        ("table full, %", |run| format!("{:.1}", run.hashfull / run.searches / 10.0)),
    ];
    let mut table = String::from("| nodes for each position |");
    for run in runs {
        write!(table, " {} |", run.nodes)?;
    }
    write!(table, "\n|---|{}", "---:|".repeat(runs.len()))?;
    for (name, cell) in rows {
        write!(table, "\n| {name} |")?;
        for run in runs {
            write!(table, " {} |", cell(run))?;
        }
    }
    table.push('\n');
    Ok(table)
}

fn total(run: &Run, part: Counter, whole: Counter) -> String {
    percent(run.counts.total(part), run.counts.total(whole))
}

/// A name, the counter, and the total that it is a share of; `None` for all depths together.
type DepthRow = (&'static str, Counter, Option<Counter>);

fn by_depth(run: &Run) -> Result<String, std::fmt::Error> {
    use Counter::*;
    let rows: &[DepthRow] = &[
        ("nodes of the main search, %", Node, None),
        ("table hits, %", Hit, Some(Probe)),
        ("table cutoffs, %", TableCutoff, Some(Probe)),
        ("razored, %", Razored, Some(Node)),
        ("reverse futility, %", ReverseFutility, Some(Node)),
        ("null moves tried, %", NullMove, Some(Node)),
        ("null moves that fail high, %", NullMoveCutoff, Some(NullMove)),
        ("ProbCut, %", ProbCutCutoff, Some(Node)),
        ("search moves, %", Expanded, Some(Node)),
        ("no table move, %", InternalReduction, Some(Expanded)),
        ("moves for each node", Move, Some(Expanded)),
        ("late move pruning, %", LateMovesPruned, Some(Expanded)),
        ("moves pruned by futility", FutilityPruned, Some(Expanded)),
        ("moves pruned by history", HistoryPruned, Some(Expanded)),
        ("moves pruned by exchange", SeePruned, Some(Expanded)),
        ("cutoff by a move, %", Cutoff, Some(Expanded)),
        ("of these, by the first, %", FirstMoveCutoff, Some(Cutoff)),
        ("moves reduced, %", Reduced, Some(Move)),
        ("plies for each reduction", ReducedPlies, Some(Reduced)),
        ("searched again, %", Researched, Some(Reduced)),
        ("fail high again, %", ResearchedHigh, Some(Researched)),
        ("tested as singular, %", Singular, Some(Expanded)),
        ("one ply more, %", SingleExtension, Some(Singular)),
        ("two plies more, %", DoubleExtension, Some(Singular)),
        ("multi-cut, %", MultiCut, Some(Singular)),
        ("hindsight, a ply more, %", HindsightDeeper, Some(Node)),
        ("hindsight, a ply less, %", HindsightShallower, Some(Node)),
        ("replaced entries, %", Replaced, None),
    ];
    let mut table = String::from("| depth |");
    for (low, high) in DEPTHS {
        match high {
            _ if low == high => write!(table, " {low} |")?,
            Statistics::MAX_DEPTH => write!(table, " {low}– |")?,
            _ => write!(table, " {low}–{high} |")?,
        }
    }
    write!(table, "\n|---|{}", "---:|".repeat(DEPTHS.len()))?;
    for &(name, part, whole) in rows {
        write!(table, "\n| {name} |")?;
        for (low, high) in DEPTHS {
            let sum = |counter| (low..=high).map(|depth| run.counts.at(counter, depth)).sum::<u64>();
            let whole = whole.map_or_else(|| run.counts.total(part), sum);
            let show = if name.ends_with('%') { percent } else { ratio };
            write!(table, " {} |", show(sum(part), whole))?;
        }
    }
    table.push('\n');
    Ok(table)
}

fn by_ply(run: &Run) -> Result<String, std::fmt::Error> {
    let mut table = String::from("| ply |");
    for (low, high) in PLIES {
        write!(table, " {low}–{high} |")?;
    }
    write!(table, "\n|---|{}", "---:|".repeat(PLIES.len()))?;
    let quiescence = run.counts.quiescence_nodes();
    let all = quiescence + run.counts.total(Counter::Node);
    let rows: [(&str, &dyn Fn(usize) -> u64); 2] = [
        ("main search, % of all nodes", &|ply| run.counts.nodes_at_ply(ply)),
        ("quiescence, % of all nodes", &|ply| run.counts.quiescence_at_ply(ply)),
    ];
    for (name, count) in rows {
        write!(table, "\n| {name} |")?;
        for (low, high) in PLIES {
            write!(table, " {} |", percent((low..=high).map(count).sum(), all))?;
        }
    }
    table.push('\n');
    Ok(table)
}
