//! The console's `test FILE`: searches each problem of an EPD file.
//!
//! [`Suite`] provides the next search and judges the events of the current one. The front end runs the searches, so
//! that it can still read commands.

use crate::score::{san_line, score_text};
use crate::words::words;
use bartizan_analysis::suite::{NamedProblem, ProblemResult, SearchMoment, SolutionTracker};
use bartizan_analysis::{AnalysisResult, Score};
use bartizan_engine::{EngineError, Limits, MaterialCount, SearchEvent, SearchInfo};
use bartizan_files::Replacement;
use bartizan_notation::epd::EpdError;
use bartizan_notation::list;
use bartizan_position::{Game, Position};
use bartizan_types::{Bound, Escaped, Excerpt};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The arguments of the command.
pub const ARGUMENTS: &str = "FILE [-t SECONDS] [-d DEPTH] [-n NODES] [-x ITERATIONS] [-N LINES] [-o OUTPUT] [-v]";

/// Why a suite cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The arguments are invalid.
    #[error("{0}; usage: test {ARGUMENTS}")]
    Usage(String),
    /// A file cannot be read or written.
    #[error("cannot open '{}': {source}", Escaped(.file))]
    Io {
        /// The file.
        file: String,
        /// The reason.
        source: io::Error,
    },
    /// The results could not be written.
    #[error("cannot write '{}': {source}", Escaped(.file))]
    Write {
        /// The file.
        file: String,
        /// The reason.
        source: io::Error,
    },
    /// Threads or memory are not available.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The results would overwrite the problems.
    #[error("'{}' is the input and would be overwritten; choose another file for '-o'", Escaped(.0))]
    Overwrites(String),
    /// A line of the file is invalid.
    #[error("{}: line {line}: {source}", Escaped(.file))]
    Epd {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The problem.
        source: EpdError,
    },
    /// No position of the file has a task to solve.
    #[error("no position in '{}' has bm, am or dm", Escaped(.0))]
    Empty(String),
}

/// The output file. It replaces an existing one when the suite ends.
#[derive(Debug)]
struct Output {
    name: String,
    /// The contents so far, or why they could not be written.
    content: io::Result<Replacement>,
}

impl Output {
    fn write(&mut self, line: &str) {
        // A full disk must not end the run: the front end shows the lines as well.
        if let Ok(content) = &mut self.content
            && let Err(error) = writeln!(content, "{line}")
        {
            self.content = Err(error);
        }
    }

    /// Moves the file into place.
    fn commit(self) -> Result<(), SuiteError> {
        let written = self.content.and_then(Replacement::commit);
        written.map_err(|source| SuiteError::Write { file: self.name, source })
    }
}

/// A run through a file.
#[derive(Debug)]
pub struct Suite {
    problems: std::vec::IntoIter<NamedProblem>,
    current: Option<NamedProblem>,
    number: usize,
    limits: Limits,
    /// A search ends after this many consecutive iterations with the solution.
    max_solved_iterations: u32,
    lines: usize,
    verbose: bool,
    output: Option<Output>,
    watch: SolutionTracker,
    outcomes: Vec<ProblemResult>,
    faults: Vec<SuiteError>,
}

/// What follows from an event.
#[derive(Debug, Default)]
pub struct SuiteOutput {
    /// Lines to show.
    pub lines: Vec<String>,
    /// Whether the search may end because enough iterations had the solution.
    pub is_decided: bool,
}

impl Suite {
    /// Parses the arguments of the command and reads the file.
    ///
    /// # Errors
    /// [`SuiteError`] if they are invalid.
    pub fn open(arguments: &str) -> Result<Self, SuiteError> {
        let mut suite = Self {
            problems: Vec::new().into_iter(),
            current: None,
            number: 0,
            limits: Limits::default(),
            max_solved_iterations: u32::MAX,
            lines: 1,
            verbose: false,
            output: None,
            watch: SolutionTracker::default(),
            outcomes: Vec::new(),
            faults: Vec::new(),
        };
        let (mut file, mut output) = (None, None);
        let mut words = words(arguments);
        while let Some(word) = words.next() {
            match word {
                "-t" => {
                    let seconds: f64 = argument(word, words.next())?;
                    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
                    let invalid = || SuiteError::Usage(format!("invalid time '-t {seconds}'"));
                    suite.limits.move_time = Some(time.ok_or_else(invalid)?);
                }
                "-d" => suite.limits.depth = Some(argument(word, words.next())?),
                "-n" => suite.limits.nodes = Some(argument(word, words.next())?),
                "-x" => suite.max_solved_iterations = argument::<u32>(word, words.next())?.max(1),
                "-N" => suite.lines = argument::<usize>(word, words.next())?.clamp(1, 256),
                "-v" => suite.verbose = true,
                "-o" => output = Some(argument::<String>(word, words.next())?),
                word if word.starts_with('-') => return Err(usage("unknown option", word)),
                word if file.is_none() => file = Some(word),
                word => return Err(usage("unexpected argument", word)),
            }
        }
        let file = file.ok_or_else(|| SuiteError::Usage("no file given".to_owned()))?;
        if suite.limits == Limits::default() {
            suite.limits.move_time = Some(Duration::from_secs(5));
        }
        let (problems, mut faults) = read(file)?;
        if problems.is_empty() {
            return Err(if faults.is_empty() { SuiteError::Empty(file.to_owned()) } else { faults.swap_remove(0) });
        }
        suite.problems = problems.into_iter();
        suite.faults = faults;
        if let Some(name) = output {
            if bartizan_files::is_same(&name, file) {
                return Err(SuiteError::Overwrites(name));
            }
            let path = Path::new(&name);
            suite.output = match Replacement::new(path) {
                Ok(content) => Some(Output { name, content: Ok(content) }),
                Err(source) => return Err(SuiteError::Io { file: name, source }),
            };
        }
        Ok(suite)
    }

    /// The lines of the file that were skipped as invalid.
    pub fn faults(&self) -> &[SuiteError] {
        &self.faults
    }

    /// The next search: the game, its limits, and the number of best lines; `None` at the end.
    pub fn next_search(&mut self) -> Option<(Game, Limits, usize)> {
        self.current = self.problems.next();
        self.number += 1;
        self.watch = SolutionTracker::default();
        let position = self.current.as_ref()?.problem.epd().position.clone();
        Some((Game::new(position), self.limits.clone(), self.lines))
    }

    /// Makes the current search the last one.
    pub fn cut_short(&mut self) {
        self.problems = Vec::new().into_iter();
    }

    /// Judges an event of the search.
    pub fn handle_event(&mut self, event: &SearchEvent) -> SuiteOutput {
        let mut report = SuiteOutput::default();
        let Some(named) = &self.current else { return report };
        match event {
            SearchEvent::Info(info) => {
                if info.multipv == 1 && info.bound == Bound::Exact && !info.pv.is_empty() {
                    let now = SearchMoment { time: info.time, depth: info.depth, nodes: info.nodes };
                    self.watch.take(&named.problem, info.pv[0], info.value.mate_in_moves(), now);
                    report.is_decided = self.watch.held() >= self.max_solved_iterations;
                }
                if self.verbose {
                    report.lines.push(format!("  {}", show(info, &named.problem.epd().position)));
                }
            }
            SearchEvent::Finished(result) => {
                let score = result.value.mate_in_moves().map(Score::Mate);
                let answer = AnalysisResult { best: result.best, score, time: result.time, nodes: result.nodes };
                let outcome = self.watch.outcome(named, &answer);
                let verdict = match outcome.since {
                    Some(SearchMoment { time, depth, nodes }) => {
                        format!("solved in {:.2} s, depth {depth}, {nodes} nodes", time.as_secs_f64())
                    }
                    None if outcome.solved => "solved".to_owned(),
                    None => format!("NOT solved, expected {}", Escaped(outcome.expected.as_str())),
                };
                let played = if result.best.is_some() { &outcome.played } else { "none" };
                let name = Escaped(outcome.name.as_str());
                report.lines.push(format!("{} {name}: {played} {verdict}", self.number));
                self.outcomes.push(outcome);
            }
            _ => {}
        }
        if let Some(output) = &mut self.output {
            report.lines.iter().for_each(|line| output.write(line));
        }
        report
    }

    /// The last line, with the number of problems solved. Now the output replaces an old file, or an error is returned
    /// as [`SuiteError::Write`].
    pub fn finish(mut self) -> (String, Result<(), SuiteError>) {
        let searched = self.number - usize::from(self.current.is_none() && self.number > 0);
        let solved = self.outcomes.iter().filter(|outcome| outcome.solved).count();
        let time: Duration = self.outcomes.iter().filter_map(|outcome| Some(outcome.since?.time)).sum();
        let text = format!("solved {solved} of {searched} (time to the solutions {:.2} s)", time.as_secs_f64());
        let written = self.output.take().map_or(Ok(()), |mut output| {
            output.write(&text);
            output.commit()
        });
        (text, written)
    }
}

fn usage(what: &str, word: &str) -> SuiteError {
    SuiteError::Usage(format!("{what} '{}'", Excerpt::new(word)))
}

fn argument<T: std::str::FromStr>(option: &str, word: Option<&str>) -> Result<T, SuiteError> {
    let word = word.ok_or_else(|| SuiteError::Usage(format!("'{option}' needs a value")))?;
    word.parse().map_err(|_| SuiteError::Usage(format!("'{}' after '{option}' is not a number", Excerpt::new(word))))
}

/// The problems of a file, and the errors in its other lines.
fn read(file: &str) -> Result<(Vec<NamedProblem>, Vec<SuiteError>), SuiteError> {
    let io = |source| SuiteError::Io { file: file.to_owned(), source };
    let bytes = crate::files::read(Path::new(file)).map_err(io)?;
    let text = list::decode_file(&bytes).map_err(io)?;
    let (mut problems, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in list::records(&text) {
        match NamedProblem::parse(line, number) {
            Ok(problem) => problems.extend(problem),
            Err(source) => faults.push(SuiteError::Epd { file: file.to_owned(), line: number, source }),
        }
    }
    Ok((problems, faults))
}

/// A line of thinking output, for users.
fn show(info: &SearchInfo, position: &Position) -> String {
    let pv = san_line(position, &info.pv);
    let score = score_text(info.value, MaterialCount::of(position));
    format!("{:>3} {score:>9} {:>8.2} s {:>12}  {pv}", info.depth, info.time.as_secs_f64(), info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_output_stays_until_the_suite_ends() {
        let folder = tempfile::tempdir().unwrap();
        let [suite, output] = ["suite.epd", "out.txt"].map(|name| folder.path().join(name).display().to_string());
        std::fs::write(&suite, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n").unwrap();
        std::fs::write(&output, "old").unwrap();
        let old = || std::fs::read_to_string(&output).unwrap() == "old";
        let open = || Suite::open(&format!("{suite} -d 1 -v -o {output}")).unwrap();
        let mut running = open();
        assert!(running.next_search().is_some() && old());
        running.handle_event(&SearchEvent::Finished(Default::default()));
        assert!(old());
        // A session that is killed or panics.
        drop(running);
        assert!(old() && std::fs::read_dir(folder.path()).unwrap().count() == 2);
        let mut running = open();
        running.next_search();
        running.handle_event(&SearchEvent::Finished(Default::default()));
        let (last, written) = running.finish();
        written.unwrap();
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(text.starts_with("1 line 1: none NOT solved") && text.ends_with(&format!("{last}\n")), "{text}");
    }

    #[test]
    fn the_problems_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite.epd");
        let text = "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n";
        std::fs::write(&suite, text).unwrap();
        let other_name = folder.path().join(".").join("suite.epd").display().to_string();
        let error = Suite::open(&format!("{} -d 1 -o {other_name}", suite.display())).unwrap_err().to_string();
        let expected = "is the input and would be overwritten; choose another file for '-o'";
        assert_eq!(error, format!("'{other_name}' {expected}"));
        assert_eq!(std::fs::read_to_string(&suite).unwrap(), text);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_output_that_cannot_be_written_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite.epd");
        std::fs::write(&suite, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n").unwrap();
        let running = Suite::open(&format!("{} -o /dev/full", suite.display())).unwrap();
        let error = running.finish().1.unwrap_err().to_string();
        assert!(error.starts_with("cannot write '/dev/full': No space left"), "{error}");
        let nowhere = folder.path().join("no/file");
        assert!(Suite::open(&format!("{} -o {}", suite.display(), nowhere.display())).is_err());
    }
}
