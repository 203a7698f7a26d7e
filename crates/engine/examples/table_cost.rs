//! Measures how much endgame tables slow a search per node, on positions a few pieces above the tables: `cargo run
//! --release -p bartizan-engine --example table_cost -- [--setting NAME] SYZYGY [TABLES]`.
//!
//! SYZYGY is a folder with Syzygy tables, TABLES one written by `bartizan-tools tb generate`. Each position of
//! `testdata/endings/probing.epd` is searched to a fixed number of nodes, alternately without and with tables, so that
//! a busy machine slows all settings alike. The measure is CPU time. The trees differ, because a probe ends its node;
//! such nodes count like others. For a profiler, `--setting` searches once with one of the settings.
#![allow(clippy::print_stdout)] // A program prints its results.

mod support;

use bartizan_engine::{Engine, Options, SearchEvent};
use bartizan_notation::epd::read_epd;
use bartizan_position::Game;
use bartizan_search::Limits;
use std::fs;
use std::path::{Path, PathBuf};
use support::processor_time;

/// Nodes of a search.
const NODES: u64 = 100_000;

/// Searches per position and setting, after one that fills the tables' caches.
const ROUNDS: usize = 7;

type Error = Box<dyn std::error::Error>;

/// The cost of searching with one set of tables.
struct Setting {
    name: &'static str,
    engine: Engine,
    /// The sum of all positions, by round.
    seconds: Vec<f64>,
    nodes: u64,
    hits: u64,
}

impl Setting {
    fn new(name: &'static str, syzygy: Option<&Path>, tables: Option<&Path>) -> Result<Self, Error> {
        let mut options = Options::default();
        options.syzygy.folders = syzygy.iter().map(|path| path.to_path_buf()).collect();
        options.table_folders = tables.iter().map(|path| path.to_path_buf()).collect();
        let engine = Engine::with_options(options)?;
        Ok(Self { name, engine, seconds: Vec::new(), nodes: 0, hits: 0 })
    }

    /// Searches a position with an empty hash table and returns the CPU time in seconds.
    fn search(&mut self, game: &Game) -> Result<f64, Error> {
        self.engine.new_game();
        self.engine.set_game(game.clone());
        let (mut nodes, mut hits) = (0, 0);
        let start = processor_time()?;
        for event in self.engine.go(Limits::nodes(NODES))? {
            match event {
                SearchEvent::Info(info) => hits = info.tablebase_hits,
                SearchEvent::Finished(result) => nodes = result.nodes,
                _ => {}
            }
        }
        let seconds = processor_time()? - start;
        self.nodes += nodes;
        self.hits += hits;
        Ok(seconds)
    }
}

fn main() -> Result<(), Error> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut only = None;
    if arguments.first().is_some_and(|first| first == "--setting") {
        only = Some(arguments.get(1).ok_or("the name of the setting is missing")?.clone());
        arguments.drain(..2);
    }
    let mut folders = arguments.iter().map(PathBuf::from);
    let (syzygy, tables) = (folders.next().ok_or("the folder with the Syzygy tables is missing")?, folders.next());
    let mut settings = vec![Setting::new("none", None, None)?, Setting::new("syzygy", Some(&syzygy), None)?];
    if let Some(tables) = &tables {
        settings.push(Setting::new("mates", None, Some(tables))?);
        settings.push(Setting::new("both", Some(&syzygy), Some(tables))?);
    }
    if let Some(only) = &only {
        settings.retain(|setting| setting.name == only);
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/endings/probing.epd");
    let positions = read_epd(fs::read(&file)?.as_slice())
        .map(|epd| Ok(Game::new(epd?.position)))
        .collect::<Result<Vec<Game>, Error>>()?;
    let rounds = if only.is_some() { 0 } else { ROUNDS };
    for round in 0..=rounds {
        let mut sums = vec![0.0; settings.len()];
        for game in &positions {
            for (setting, sum) in settings.iter_mut().zip(&mut sums) {
                *sum += setting.search(game)?;
            }
        }
        for (setting, sum) in settings.iter_mut().zip(sums) {
            if round > 0 || only.is_some() {
                setting.seconds.push(sum);
            } else {
                (setting.nodes, setting.hits) = (0, 0);
            }
        }
    }
    let costs = |setting: &Setting| -> Vec<f64> {
        // Every round has the same nodes.
        let nodes = setting.nodes as f64 / setting.seconds.len() as f64;
        setting.seconds.iter().map(|seconds| seconds * 1e9 / nodes).collect()
    };
    let without = settings.first().map_or(Vec::new(), costs);
    println!("{} positions, {NODES} nodes each", positions.len());
    for setting in &settings {
        let costs = costs(setting);
        let mut ratios: Vec<f64> = costs.iter().zip(&without).map(|(with, without)| with / without).collect();
        ratios.sort_by(f64::total_cmp);
        // Speed is the inverse of the time per node.
        let loss = |ratio: f64| 100.0 * (1.0 - 1.0 / ratio);
        let (least, middle, most) = (ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
        println!(
            "{:<7} {:>9} nodes, {:>7} hits, {:>6.1} ns for a node, loss of speed {:>5.1} % ({:.1} to {:.1})",
            setting.name,
            setting.nodes,
            setting.hits,
            costs.iter().sum::<f64>() / costs.len() as f64,
            loss(middle),
            loss(least),
            loss(most)
        );
    }
    Ok(())
}
