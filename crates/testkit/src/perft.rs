//! Perft suites: `testdata/perft/*.txt`, one position per line with its leaf counts from depth 1.

/// The names of all suites.
pub const PERFT_SUITES: [&str; 4] = ["classic", "tricky", "random", "chess960"];

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCase {
    /// The name of the position, if it has one.
    pub name: Option<String>,
    /// The position.
    pub fen: String,
    /// The number of leaf nodes of the move tree at depth 1, 2, …
    pub counts: Vec<u64>,
    /// The file, relative to `testdata`.
    pub file: String,
    /// The line in the file, from 1.
    pub line: usize,
}

impl PerftCase {
    /// The depths with at most `max_leaves` leaves, each with its count.
    pub fn up_to(&self, max_leaves: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        (1..).zip(self.counts.iter().copied()).filter(move |&(_, count)| count <= max_leaves)
    }
}

/// The positions of `testdata/perft/NAME.txt`.
///
/// # Panics
///
/// When the file cannot be read, contains no position, or contains a line that is not `FEN;COUNT COUNT…`. The message
/// names the file and the line.
pub fn perft_suite(name: &str) -> Vec<PerftCase> {
    let file = format!("perft/{name}.txt");
    let cases = parse(&file, &crate::read(&file)).unwrap_or_else(|error| panic!("{error}"));
    assert!(!cases.is_empty(), "{file}: no position");
    cases
}

fn parse(file: &str, text: &str) -> Result<Vec<PerftCase>, String> {
    crate::lines(text)
        .map(|(line, content, remark)| {
            let wrong = |what: &str| format!("{file}:{line}: {what}");
            let (fen, counts) = content.split_once(';').ok_or_else(|| wrong("missing semicolon after the position"))?;
            let counts: Vec<u64> = counts
                .split_whitespace()
                .map(|count| count.parse().map_err(|_| wrong(&format!("invalid count '{count}'"))))
                .collect::<Result<_, _>>()?;
            if fen.trim().is_empty() || counts.is_empty() {
                return Err(wrong("expected a position and a count"));
            }
            let (fen, name) = (fen.trim().to_owned(), remark.map(str::to_owned));
            Ok(PerftCase { name, fen, counts, file: file.to_owned(), line })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_loads() {
        let sizes = PERFT_SUITES.map(|name| perft_suite(name).len());
        assert_eq!(sizes, [6, 19, 6_752, 960]);
    }

    #[test]
    fn every_fen_has_six_fields_and_every_count_follows_from_moves() {
        for case in PERFT_SUITES.into_iter().flat_map(perft_suite) {
            let at = format!("{}:{}", case.file, case.line);
            assert_eq!(case.fen.split(' ').count(), 6, "{at}");
            // No position is known with more than 218 moves.
            assert!(case.counts[0] <= 218 && case.counts.windows(2).all(|pair| pair[1] <= pair[0] * 218), "{at}");
        }
    }

    #[test]
    fn the_classic_positions_are_named() {
        let names: Vec<_> = perft_suite("classic").into_iter().filter_map(|case| case.name).collect();
        assert_eq!(names, ["start", "kiwipete", "position 3", "position 4", "position 5", "position 6"]);
    }

    #[test]
    fn a_line_is_parsed() {
        let cases = parse("perft/x.txt", "# head\n8/8 w - - 0 1;3 15 60 # name\n").unwrap();
        let expected = PerftCase {
            name: Some("name".into()),
            fen: "8/8 w - - 0 1".into(),
            counts: vec![3, 15, 60],
            file: "perft/x.txt".into(),
            line: 2,
        };
        assert_eq!(cases, [expected]);
        assert_eq!(cases[0].up_to(15).collect::<Vec<_>>(), [(1, 3), (2, 15)]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = |text: &str| parse("x.txt", text).unwrap_err();
        assert_eq!(error("\n8/8 w - - 0 1 20"), "x.txt:2: missing semicolon after the position");
        assert_eq!(error("8/8 w - - 0 1;20 4oo"), "x.txt:1: invalid count '4oo'");
        assert_eq!(error("8/8 w - - 0 1;"), "x.txt:1: expected a position and a count");
        assert_eq!(error(";20"), "x.txt:1: expected a position and a count");
    }
}
