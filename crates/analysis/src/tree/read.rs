//! Reads the records of a trace.

use super::{SearchTree, Searched, TreeMove, TreeNode};
use bartizan_notation::list::read_line;
use bartizan_position::{Position, PositionError};
use bartizan_types::Excerpt;
use std::io::{self, BufReader, Read};
use std::str::{FromStr, SplitAsciiWhitespace};

/// The version that is read.
const VERSION: &str = "bartizan-trace 1";

/// The most records of a file; the engine's limit of 64 MiB has fewer.
const MOST_RECORDS: usize = 8_000_000;

/// The greatest level: a search of 128 plies has less than four nodes at each.
const DEEPEST: usize = 1_000;

/// The most different names of purposes and steps, and their length in bytes.
const MOST_NAMES: usize = 200;
const LONGEST_NAME: usize = 32;

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct TreeError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: TreeErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeErrorKind {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is something else, or of another version.
    #[error("expected '{VERSION}', the first line of a trace")]
    Version,
    /// The position is wrong.
    #[error("expected 'position FEN': {0}")]
    Position(PositionError),
    /// A record is not as the format demands.
    #[error("invalid record '{0}'")]
    Record(String),
    /// A node is too deep, or comes without the node above it.
    #[error("level {0} does not fit the records around it")]
    Level(usize),
    /// There are too many records.
    #[error("more than {MOST_RECORDS} records")]
    TooMany,
    /// There are too many names of purposes and steps.
    #[error("more than {MOST_NAMES} names of purposes and steps")]
    TooManyNames,
    /// The last line is missing: the file is not complete.
    #[error("the file ends without the line 'end'")]
    Cut,
    /// The last line tells another number of records.
    #[error("the line 'end' does not tell the {0} records before it")]
    Count(usize),
}

impl SearchTree {
    /// Reads a trace.
    ///
    /// # Errors
    /// [`TreeError`] names the line. A file that is not complete is an error.
    pub fn read(input: impl Read) -> Result<Self, TreeError> {
        let mut reader = Reader { input: BufReader::new(input), line: Vec::new(), number: 0 };
        match reader.next_line() {
            Ok(Some(VERSION)) => {}
            Ok(_) => return Err(reader.error(TreeErrorKind::Version)),
            Err(error) => return Err(reader.error(error)),
        }
        let tree = reader.next_line().and_then(|line| {
            let fen = line.and_then(|line| line.strip_prefix("position ")).unwrap_or_default();
            Position::from_fen(fen).map_err(TreeErrorKind::Position)
        });
        let position = tree.map_err(|kind| reader.error(kind))?;
        let mut builder = Builder { levels: Vec::new(), nodes: Vec::new(), names: Vec::new() };
        loop {
            let ended = match reader.next_line() {
                Ok(Some(line)) => builder.take(line),
                Ok(None) => Err(TreeErrorKind::Cut),
                Err(kind) => Err(kind),
            };
            if let Some(left_out) = ended.map_err(|kind| reader.error(kind))? {
                let roots = builder.levels.into_iter().next().unwrap_or_default();
                return Ok(Self { position, left_out, nodes: builder.nodes, roots, names: builder.names });
            }
        }
    }
}

struct Reader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    number: usize,
}

impl<R: Read> Reader<R> {
    fn next_line(&mut self) -> Result<Option<&str>, TreeErrorKind> {
        self.number += 1;
        if !read_line(&mut self.input.by_ref(), &mut self.line)? {
            return Ok(None);
        }
        let text = str::from_utf8(&self.line)
            .map_err(|_| TreeErrorKind::Record(Excerpt::new(&String::from_utf8_lossy(&self.line)).to_string()))?;
        Ok(Some(text.trim_end_matches(['\n', '\r'])))
    }

    fn error(&self, kind: TreeErrorKind) -> TreeError {
        TreeError { line: self.number, kind }
    }
}

struct Builder {
    nodes: Vec<TreeNode>,
    names: Vec<String>,
    /// By level, the nodes that wait for the one above them.
    levels: Vec<Vec<u32>>,
}

impl Builder {
    /// Takes a line; the number of records left out if it is the last one.
    fn take(&mut self, line: &str) -> Result<Option<u64>, TreeErrorKind> {
        let mut fields = line.split_ascii_whitespace();
        let invalid = || TreeErrorKind::Record(Excerpt::new(line).to_string());
        match fields.next() {
            Some("n") => self.node(&mut fields, &invalid)?,
            Some("p") => self.pruned(&mut fields, &invalid)?,
            Some("end") => {
                let records: usize = parse(fields.next(), &invalid)?;
                let left_out = parse(fields.next(), &invalid)?;
                if records != self.nodes.len() {
                    return Err(TreeErrorKind::Count(self.nodes.len()));
                }
                if let Some(level) = (1..self.levels.len()).find(|&level| !self.levels[level].is_empty()) {
                    return Err(TreeErrorKind::Level(level));
                }
                return fields.next().map_or(Ok(Some(left_out)), |_| Err(invalid()));
            }
            _ => return Err(invalid()),
        }
        fields.next().map_or(Ok(None), |_| Err(invalid()))
    }

    fn node(
        &mut self,
        fields: &mut SplitAsciiWhitespace<'_>,
        invalid: &dyn Fn() -> TreeErrorKind,
    ) -> Result<(), TreeErrorKind> {
        let level: usize = parse(fields.next(), invalid)?;
        let mv = read_move(fields.next(), invalid)?;
        let purpose = self.name(fields.next(), invalid)?;
        let depth = parse(fields.next(), invalid)?;
        let [alpha, beta, value] =
            [parse(fields.next(), invalid)?, parse(fields.next(), invalid)?, parse(fields.next(), invalid)?];
        let step = self.name(fields.next(), invalid)?;
        let nodes = parse(fields.next(), invalid)?;
        let searched = Some(Searched { purpose, depth, alpha, beta, value, nodes });
        self.add(level, TreeNode { mv, step, searched, first_child: None, next_sibling: None })
    }

    fn pruned(
        &mut self,
        fields: &mut SplitAsciiWhitespace<'_>,
        invalid: &dyn Fn() -> TreeErrorKind,
    ) -> Result<(), TreeErrorKind> {
        let level: usize = parse(fields.next(), invalid)?;
        let mv = read_move(fields.next(), invalid)?;
        let step = self.name(fields.next(), invalid)?;
        if level == 0 {
            return Err(TreeErrorKind::Level(level));
        }
        self.add(level, TreeNode { mv, step, searched: None, first_child: None, next_sibling: None })
    }

    /// Adds a node, whose children are the waiting nodes of the next level. Deeper ones would have no parent.
    fn add(&mut self, level: usize, mut node: TreeNode) -> Result<(), TreeErrorKind> {
        if self.nodes.len() >= MOST_RECORDS {
            return Err(TreeErrorKind::TooMany);
        }
        let is_orphaned = |deeper: &[Vec<u32>]| deeper.iter().any(|waiting| !waiting.is_empty());
        if level > DEEPEST || self.levels.get(level + 2..).is_some_and(is_orphaned) {
            return Err(TreeErrorKind::Level(level));
        }
        let has_waiting = self.levels.get(level + 1).is_some_and(|waiting| !waiting.is_empty());
        if has_waiting && node.searched.is_none() {
            return Err(TreeErrorKind::Level(level));
        }
        if self.levels.len() < level + 2 {
            self.levels.resize_with(level + 2, Vec::new);
        }
        let children = std::mem::take(&mut self.levels[level + 1]);
        node.first_child = children.first().copied();
        for pair in children.windows(2) {
            self.nodes[pair[0] as usize].next_sibling = Some(pair[1]);
        }
        self.levels[level].push(self.nodes.len() as u32);
        self.nodes.push(node);
        Ok(())
    }

    /// The number of a name.
    fn name(&mut self, name: Option<&str>, invalid: &dyn Fn() -> TreeErrorKind) -> Result<u8, TreeErrorKind> {
        let is_plain = |name: &&str| {
            name.len() <= LONGEST_NAME && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let name = name.filter(is_plain).ok_or_else(invalid)?;
        if let Some(number) = self.names.iter().position(|known| known == name) {
            return Ok(number as u8);
        }
        if self.names.len() >= MOST_NAMES {
            return Err(TreeErrorKind::TooManyNames);
        }
        self.names.push(name.to_owned());
        Ok((self.names.len() - 1) as u8)
    }
}

fn parse<T: FromStr>(field: Option<&str>, invalid: &dyn Fn() -> TreeErrorKind) -> Result<T, TreeErrorKind> {
    field.and_then(|field| field.parse().ok()).ok_or_else(invalid)
}

fn read_move(field: Option<&str>, invalid: &dyn Fn() -> TreeErrorKind) -> Result<TreeMove, TreeErrorKind> {
    Ok(match field {
        Some("-") => TreeMove::Same,
        Some("0000") => TreeMove::Null,
        field => TreeMove::Move(parse(field, invalid)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEAD: &str = "bartizan-trace 1\nposition 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";

    fn error(text: &str) -> String {
        SearchTree::read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_line() {
        let after_head = |rest: &str| error(&format!("{HEAD}{rest}"));
        assert_eq!(error(""), "line 1: expected 'bartizan-trace 1', the first line of a trace");
        assert_eq!(error("bartizan-trace 2\n"), "line 1: expected 'bartizan-trace 1', the first line of a trace");
        assert!(error("bartizan-trace 1\nposition 8/8 w - -\n").starts_with("line 2: expected 'position FEN': "));
        assert_eq!(after_head(""), "line 3: the file ends without the line 'end'");
        assert_eq!(after_head("end 1 0\n"), "line 3: the line 'end' does not tell the 0 records before it");
        assert_eq!(after_head("p 1 e1e2 late\nend 1 0\n"), "line 4: level 1 does not fit the records around it");
        assert_eq!(after_head("p 0 e1e2 late\n"), "line 3: level 0 does not fit the records around it");
        assert_eq!(after_head("p 1001 e1e2 late\n"), "line 3: level 1001 does not fit the records around it");
        assert_eq!(
            after_head("p 3 e1e2 late\nn 0 - root 1 0 1 0 exact 1\n"),
            "line 4: level 0 does not fit the records around it"
        );
        for record in [
            "n",
            "x 1",
            "",
            "n 0 e9e2 root 1 0 1 0 exact 1",
            "n 0 - root 1 0 1 0 exact",
            "n 0 - root 1 0 1 0 exact 1 2",
            "n 0 - root 99999 0 1 0 exact 1",
            "n 0 - <b> 1 0 1 0 exact 1",
            "p 1 e1e2 late move",
            "end 0",
        ] {
            assert_eq!(after_head(&format!("{record}\n")), format!("line 3: invalid record '{record}'"));
        }
        assert!(error(&format!("{HEAD}{}", "n".repeat(70_000))).contains("longer than 65536 bytes"));
    }

    #[test]
    fn names_are_bounded() {
        let records: String = (0..300).map(|number| format!("p 1 e1e2 step-{number}\n")).collect();
        assert_eq!(error(&format!("{HEAD}{records}")), "line 203: more than 200 names of purposes and steps");
    }

    proptest! {
        /// Whatever is read can be shown.
        #[test]
        fn any_records_are_read_or_refused(records in prop::collection::vec((0_usize..4, any::<bool>()), 0..30)) {
            let mut text = HEAD.to_owned();
            for &(level, is_pruned) in &records {
                text += &if is_pruned {
                    format!("p {level} e1e2 late-move\n")
                } else {
                    format!("n {level} e1e2 move 3 -1 2 {} exact 7\n", i32::MIN)
                };
            }
            text += &format!("end {} 0\n", records.len());
            if let Ok(tree) = SearchTree::read(text.as_bytes()) {
                let part = super::super::TreePart { levels: 99, ..Default::default() };
                prop_assert_eq!(tree.len(), records.len());
                prop_assert!(tree.text(&part).is_ok() && !tree.page(&part).unwrap().to_string().is_empty());
            }
        }
    }
}
