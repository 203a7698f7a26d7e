//! Measures the engine's speed and its response times, as a GUI sees them.

use super::{median, program};
use crate::error::{Error, Result};
use crate::{bench, run};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const STARTS: usize = 21;
const SEARCHES: usize = 30;
const BENCHES: usize = 5;

/// Nodes and nodes per second of `bench`, with the default hash table and with a large one.
pub(crate) fn speed() -> Result<String> {
    let bartizan = program("bartizan")?;
    let mut table = "| hash | nodes | nodes per second (median, range) |\n|---|---|---|\n".to_owned();
    for hash in ["16", "256"] {
        let mut speeds = Vec::new();
        let mut nodes = 0;
        for _ in 0..BENCHES {
            let output = run::output(&bartizan.to_string_lossy(), &["bench", hash])?;
            let (count, nps) = bench::signature(&output)
                .ok_or_else(|| Error::Check(format!("`bartizan bench {hash}` does not end with 'N nodes N nps'")))?;
            nodes = count;
            speeds.push(nps as f64 / 1e6);
        }
        let (min, max) = speeds.iter().fold((f64::MAX, 0_f64), |(min, max), &speed| (min.min(speed), max.max(speed)));
        let median = median(speeds);
        let _ = writeln!(table, "| {hash} MB | {nodes} | {median:.2} million ({min:.2} to {max:.2}) |");
    }
    Ok(table)
}

/// Start-up, answers during a search, and memory.
pub(crate) fn response() -> Result<String> {
    let bartizan = program("bartizan")?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let started = Instant::now();
        let mut engine = Uci::start(&bartizan)?;
        engine.send("uci")?;
        engine.wait("uciok")?;
        starts.push(milliseconds(started.elapsed()));
    }
    let mut engine = Uci::start(&bartizan)?;
    engine.send("isready")?;
    engine.wait("readyok")?;
    let (mut ready, mut stop) = (Vec::new(), Vec::new());
    for _ in 0..SEARCHES {
        engine.send("go infinite")?;
        std::thread::sleep(Duration::from_millis(100));
        ready.push(engine.time("isready", "readyok")?);
        stop.push(engine.time("stop", "bestmove")?);
    }
    engine.send("go movetime 3000")?;
    engine.wait("bestmove")?;
    let slowest = stop.iter().fold(0_f64, |max, &time| max.max(time));
    let start = median(starts);
    let mut table = "| | median |\n|---|---|\n".to_owned();
    let _ = writeln!(table, "| process start to `uciok` ({STARTS} starts) | {start:.1} ms |");
    let _ =
        writeln!(table, "| `isready` to `readyok` during a search ({SEARCHES} searches) | {:.2} ms |", median(ready));
    let _ = writeln!(table, "| `stop` to `bestmove` | {:.2} ms (maximum {slowest:.2} ms) |", median(stop));
    let memory = engine.peak_memory().map_or_else(|| "unknown on this system".to_owned(), |mb| format!("{mb} MB"));
    let _ = writeln!(table, "| peak resident memory after 3 s of search, `Hash` 16 | {memory} |");
    Ok(table)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A running UCI engine; killed when dropped.
struct Uci {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Uci {
    fn start(program: &Path) -> Result<Self> {
        let started = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|source| Error::Start { command: program.display().to_string(), source })?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input, output: BufReader::new(output) }),
            _ => Err(Error::Check("the engine has no pipes".to_owned())),
        }
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(Error::io(Path::new("engine input")))
    }

    /// Reads until a line begins with `word`.
    fn wait(&mut self, word: &str) -> Result<()> {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            if self.output.read_line(&mut line).map_err(Error::io(Path::new("engine output")))? == 0 {
                return Err(Error::Check(format!("the engine ended before it said '{word}'")));
            }
        }
        Ok(())
    }

    /// Milliseconds from a command to its answer.
    fn time(&mut self, command: &str, answer: &str) -> Result<f64> {
        let sent = Instant::now();
        self.send(command)?;
        self.wait(answer)?;
        Ok(milliseconds(sent.elapsed()))
    }

    /// Peak resident memory in MB, where `/proc` provides it.
    fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
