//! `cargo xtask learning`: measures how far position learning guides a shallow search.
//!
//! In each position, a program learns from deep searches and then plays at a small depth, with and without what it
//! learnt. It learns in two ways: from a deep search of the position itself, and from a trap: its shallow move is
//! played, a deep search answers it, and a deep search of the resulting position shows what the move was worth.

use crate::error::{Error, Result};
use crate::measure::program;
use crate::{files, run};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The node limit of each search, which may end it before its depth.
const MOST_NODES: u64 = 50_000_000;

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Learning {
    /// EPD file of positions with the result of their game as c9, as `bartizan-tools pgn select --decided` writes
    /// them; those are used in which the loser is to move
    positions: PathBuf,
    /// Maximum number of positions
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Depth of the searches to learn from
    #[arg(long, value_name = "PLIES", default_value_t = 18)]
    learn: u32,
    /// Depth of the searches that use what was learnt
    #[arg(long, value_name = "PLIES", default_value_t = 12)]
    play: u32,
    /// Program to measure [default: a release build of bartizan]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Counts over the positions.
#[derive(Debug, Default)]
struct Counts {
    positions: usize,
    /// Positions in which the shallow move is not the deep one.
    differ: usize,
    /// Those in which the program plays another move after learning from the position itself.
    changed: usize,
    /// Those in which it then plays the deep move.
    followed: usize,
    /// Positions in which the program plays another move after the trap.
    avoided: usize,
    /// The nodes of the shallow searches without learning, and after learning from the position.
    nodes: [u64; 2],
}

/// The result of a search: the move and the nodes.
type Found = (String, u64);

/// A program and the file in which it learns.
struct Player<'a> {
    program: &'a Path,
    file: &'a Path,
}

impl Player<'_> {
    /// Learns from a deep search of a position.
    fn learn(&self, position: &str, depth: u32) -> Result<Found> {
        let options = ["Learning Threshold value 1", "Learning Depth value 1", "Learning value true"];
        self.search(&options, position, depth)
    }

    /// Searches a position with what was learnt.
    fn remember(&self, position: &str, depth: u32) -> Result<Found> {
        self.search(&["Learning Read Only value true", "Learning value true"], position, depth)
    }

    /// Searches a position without learning.
    fn forget(&self, position: &str, depth: u32) -> Result<Found> {
        self.search(&[], position, depth)
    }

    fn search(&self, options: &[&str], position: &str, depth: u32) -> Result<Found> {
        let file = format!("setoption name Learning File value {}", self.file.display());
        let set = options.iter().map(|option| format!("setoption name {option}"));
        let search = [format!("position {position}"), format!("go depth {depth} nodes {MOST_NODES}")];
        let mut command = Command::new(self.program);
        command.arg("--no-config").arg(file).args(set).args(&search);
        let shown = format!("{} {}", self.program.display(), search.join(" "));
        let output = run::captured(&mut command, &shown)?;
        found(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| Error::Check(format!("`{shown}` finds no move")))
    }
}

/// The best move, and the last number of nodes.
fn found(output: &str) -> Option<Found> {
    let after = |line: &str, word: &str| {
        let mut words = line.split_whitespace().skip_while(|&found| found != word);
        words.nth(1).map(str::to_owned)
    };
    let best = output.lines().find_map(|line| line.strip_prefix("bestmove ")?.split_whitespace().next())?;
    let nodes = output.lines().rev().find_map(|line| after(line, "nodes"))?;
    (best != "(none)").then_some((best.to_owned(), nodes.parse().ok()?))
}

/// The FEN of an EPD line whose side to move lost its game.
fn lost(line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let loses = match *fields.get(1)? {
        "w" => line.contains("c9 \"0-1\""),
        _ => line.contains("c9 \"1-0\""),
    };
    (loses && fields.len() == 4).then(|| format!("{} 0 1", fields.join(" ")))
}

/// Measures, and returns the table.
pub(crate) fn run(options: &Learning, mut report: impl FnMut(&str)) -> Result<String> {
    let program = match &options.program {
        Some(file) => std::path::absolute(file).map_err(Error::io(file))?,
        None => program("bartizan")?,
    };
    let text = files::read(&options.positions)?;
    let folder = tempfile::tempdir().map_err(Error::io(Path::new("temporary folder")))?;
    let mut counts = Counts::default();
    for (index, fen) in text.lines().filter_map(lost).take(options.limit).enumerate() {
        let [file, trap] = ["learnt", "trap"].map(|name| folder.path().join(format!("{name}-{index}.epd")));
        let player = Player { program: &program, file: &file };
        counts.add(options, &fen, &player, &Player { file: &trap, ..player })?;
        report(&format!("{fen}: {counts:?}"));
    }
    Ok(counts.table(options))
}

impl Counts {
    fn add(&mut self, options: &Learning, fen: &str, player: &Player<'_>, trapped: &Player<'_>) -> Result<()> {
        let Learning { learn, play, .. } = *options;
        let position = format!("fen {fen}");
        let (shallow, nodes) = player.forget(&position, play)?;
        let (deep, _) = player.learn(&position, learn)?;
        let (guided, guided_nodes) = player.remember(&position, play)?;
        self.positions += 1;
        self.nodes = [self.nodes[0] + nodes, self.nodes[1] + guided_nodes];
        if deep != shallow {
            self.differ += 1;
            self.changed += usize::from(guided != shallow);
            self.followed += usize::from(guided == deep);
        }

        let after = format!("{position} moves {shallow}");
        // A mate or stalemate ends the game.
        let Ok((reply, _)) = trapped.forget(&after, learn) else { return Ok(()) };
        if trapped.learn(&format!("{after} {reply}"), learn).is_ok() {
            self.avoided += usize::from(trapped.remember(&position, play)?.0 != shallow);
        }
        Ok(())
    }

    fn table(&self, options: &Learning) -> String {
        let Self { positions, differ, changed, followed, avoided, nodes } = self;
        let Learning { learn, play, .. } = options;
        let mut table = format!("| of {positions} positions from lost games | |\n|---|---:|\n");
        for (what, count) in [
            (format!("the move at depth {play} differs from that at depth {learn}"), *differ as u64),
            (format!("of these, another move at depth {play} after learning at depth {learn}"), *changed as u64),
            (format!("of these, the move of depth {learn}"), *followed as u64),
            ("another move after the first was answered, and the answer learnt from".to_owned(), *avoided as u64),
            (format!("nodes to depth {play} without learning"), nodes[0]),
            (format!("nodes to depth {play} after learning"), nodes[1]),
        ] {
            let _ = writeln!(table, "| {what} | {count} |");
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_the_loser_are_taken() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 6; id \"x\"; c9 \"1-0\";";
        assert_eq!(lost(line).as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"));
        for other in [line.replace(" b ", " w "), line.replace("1-0", "1/2-1/2"), String::new()] {
            assert_eq!(lost(&other), None);
        }
    }

    #[test]
    fn the_move_and_the_last_nodes_are_found() {
        let output = "info depth 1 nodes 20 pv e2e4\ninfo depth 2 nodes 70 nps 5 pv d2d4\nbestmove d2d4 ponder d7d5\n";
        assert_eq!(found(output), Some(("d2d4".to_owned(), 70)));
        assert_eq!(found("info nodes 0\nbestmove (none)\n"), None);
    }
}
