//! Lets another engine check puzzles: does it choose the same move, and is its second choice a mistake?
//!
//! ```sh
//! bartizan-tools puzzles games.pgn --out puzzles.epd
//! cargo run --release -p bartizan-analysis --example check_puzzles -- 'cmd=stockfish' 5000000 puzzles.epd 2
//! ```
//!
//! The last argument is the number of engines. A puzzle is refuted if the engine prefers another move, or if its second
//! choice loses less than 10 points of win per cent.
#![allow(clippy::print_stdout)] // An example shows its results.

use bartizan_analysis::{Analyser, AnalysisError, EngineSpec, Limits};
use bartizan_notation::epd::{Epd, read_epd};
use bartizan_notation::san::San;
use bartizan_parallel::{FeedOptions, run};
use bartizan_position::Game;
use bartizan_review::WhiteEval;
use bartizan_review::judgement::win_percent;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

/// What the engine says of a puzzle: its choice, and by how much the second choice is worse.
struct Answer {
    agrees: bool,
    choice: String,
    margin: f64,
}

fn check(analyser: &mut Analyser, epd: &Epd, nodes: u64) -> Result<Answer, AnalysisError> {
    let (position, best) = (&epd.position, epd.best_moves().unwrap_or_default());
    let lines = analyser.best_lines(&Game::new(position.clone()), &Limits::nodes(nodes), 2)?;
    let [first, second] = &lines[..] else { return Err(AnalysisError::Failed) };
    let win = |score| win_percent(WhiteEval::new(score, position.turn()));
    Ok(Answer {
        agrees: best.contains(&first.best()),
        choice: San::new(position, first.best()).to_string(),
        margin: (win(first.score) - win(second.score)).abs(),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [spec, nodes, file, engines] = &arguments[..] else {
        return Err("usage: check_puzzles ENGINE NODES FILE.epd ENGINES".into());
    };
    let (spec, nodes, engines): (EngineSpec, u64, usize) = (spec.parse()?, nodes.parse()?, engines.parse()?);
    let puzzles: Vec<Epd> = read_epd(BufReader::new(File::open(file)?)).collect::<Result<_, _>>()?;
    let analysers = (0..engines).map(|_| Analyser::start(&spec)).collect::<Result<Vec<_>, _>>()?;
    println!("engine: {}, {nodes} nodes, two lines", analysers[0].full_name());
    let workers = analysers.into_iter().map(|mut analyser| {
        move |epd: &Epd| Some(check(&mut analyser, epd, nodes).map(|answer| (epd.clone(), answer)))
    });
    let (mut checked, mut other, mut unclear) = (0, 0, 0);
    run(puzzles.iter(), workers, FeedOptions::kept(64), |result| -> Result<(), AnalysisError> {
        let (epd, Answer { agrees, choice, margin }) = result?;
        checked += 1;
        let refutation = match (agrees, margin < 10.0) {
            (false, _) => {
                other += 1;
                format!("prefers {choice}")
            }
            (true, true) => {
                unclear += 1;
                format!("the second choice loses only {margin:.1}")
            }
            (true, false) => return Ok(()),
        };
        println!("{refutation} (margin {margin:.1}): {epd}");
        Ok(())
    })?;
    let refuted = other + unclear;
    let share = 100.0 * f64::from(refuted) / f64::from(checked.max(1));
    println!(
        "{checked} checked, {refuted} refuted ({share:.1} %): {other} another move, {unclear} not the only good one"
    );
    Ok(())
}
