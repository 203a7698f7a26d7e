//! `cargo xtask perft-import`: converts perft suites with lines `id`, `epd` and `perft` to the format of
//! `testdata/perft`.

use crate::error::{Error, Result};
use crate::files;
use std::collections::HashSet;
use std::path::Path;

/// The suites, and whether to keep their ids.
const SUITES: [(&str, bool); 3] = [("tricky", true), ("random", false), ("chess960", false)];

/// A position with its counts from depth 1.
#[derive(Debug, Default, PartialEq, Eq)]
struct Case {
    id: Option<String>,
    epd: String,
    counts: Vec<u64>,
}

/// Reads `NAME.perft` of each suite from `folder` and writes `testdata/perft/NAME.txt`. Returns what it wrote.
pub(crate) fn import(folder: &Path) -> Result<String> {
    let mut report = Vec::new();
    for (name, keep_ids) in SUITES {
        let source = folder.join(name).with_extension("perft");
        let mut cases = parse(&source, &files::read(&source)?)?;
        let read = cases.len();
        let mut seen = HashSet::new();
        cases.retain(|case| seen.insert(case.epd.clone()));
        let target = files::root().join("testdata/perft").join(name).with_extension("txt");
        files::replace(&target, &text(name, &cases, keep_ids))?;
        report.push(format!(
            "{}: {} positions, {} duplicates dropped",
            files::shown(&target),
            cases.len(),
            read - cases.len()
        ));
    }
    Ok(report.join("\n"))
}

/// Parses a suite.
fn parse(path: &Path, text: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut id = None;
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: &str| Error::Line { path: path.to_owned(), line: index + 1, what: what.to_owned() };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once(' ') {
            Some(("id", name)) => id = Some(name.trim().to_owned()),
            Some(("epd", epd)) => {
                let epd = epd.split_whitespace().collect::<Vec<_>>().join(" ");
                if epd.split(' ').count() != 4 {
                    return Err(wrong("expected a position of four fields"));
                }
                cases.push(Case { id: id.take(), epd, counts: Vec::new() });
            }
            Some(("perft", numbers)) => {
                let case = cases.last_mut().ok_or_else(|| wrong("count before the first position"))?;
                let (depth, count) =
                    numbers.trim().split_once(' ').ok_or_else(|| wrong("expected a depth and a count"))?;
                if depth.parse() != Ok(case.counts.len() + 1) {
                    return Err(wrong("expected the next depth"));
                }
                case.counts.push(count.trim().parse().map_err(|_| wrong("invalid count"))?);
            }
            _ => return Err(wrong("expected `id`, `epd` or `perft`")),
        }
    }
    Ok(cases)
}

/// Formats a suite. Each line has the position as a FEN with counters `0 1`, a semicolon, the counts, and `# id` if the
/// id is kept.
fn text(name: &str, cases: &[Case], keep_ids: bool) -> String {
    let mut text = format!("# Made by `cargo xtask perft-import` from {name}.perft; see SOURCE.md for the origin.\n");
    for case in cases {
        let counts: Vec<String> = case.counts.iter().map(u64::to_string).collect();
        text.push_str(&format!("{} 0 1;{}", case.epd, counts.join(" ")));
        if let Some(id) = case.id.as_ref().filter(|_| keep_ids) {
            text.push_str(&format!(" # {id}"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str =
        "# note\nid one\nepd 8/8/8/8/8/8/8/K1k5 w - -\nperft 1 3\nperft 2 9\n\nepd 8/8 b - -\nperft 1 5\n";

    fn parse_text(text: &str) -> Result<Vec<Case>> {
        parse(Path::new("suite.perft"), text)
    }

    #[test]
    fn suites_are_written_one_position_per_line() {
        let cases = parse_text(SUITE).unwrap();
        let lines = |keep_ids| text("suite", &cases, keep_ids).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(true), ["8/8/8/8/8/8/8/K1k5 w - - 0 1;3 9 # one", "8/8 b - - 0 1;5"]);
        assert_eq!(lines(false)[0], "8/8/8/8/8/8/8/K1k5 w - - 0 1;3 9");
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = |text: &str| parse_text(text).unwrap_err().to_string();
        assert_eq!(error("perft 1 3\n"), "suite.perft:1: count before the first position");
        assert_eq!(error("\nepd 8/8 w -\n"), "suite.perft:2: expected a position of four fields");
        assert_eq!(error("epd 8/8 w - -\nperft 2 3\n"), "suite.perft:2: expected the next depth");
        assert_eq!(error("epd 8/8 w - -\nperft 1 x\n"), "suite.perft:2: invalid count");
        assert_eq!(error("epd 8/8 w - -\nperft 1\n"), "suite.perft:2: expected a depth and a count");
        assert_eq!(error("wood\n"), "suite.perft:1: expected `id`, `epd` or `perft`");
    }
}
