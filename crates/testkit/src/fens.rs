//! Lists of positions: `testdata/fen/*.txt`, one FEN per line.

/// The FENs of `testdata/fen/NAME.txt`, without the comments after ` # `.
///
/// # Panics
///
/// When the file cannot be read or contains no position.
pub fn fens(name: &str) -> Vec<String> {
    let path = format!("fen/{name}.txt");
    let fens = parse(&crate::read(&path));
    assert!(!fens.is_empty(), "{path}: no position");
    fens
}

fn parse(text: &str) -> Vec<String> {
    crate::lines(text).map(|(_, fen, _)| fen.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_empty_lines_are_left_out() {
        let text = "# positions\n8/8/8/8/8/8/8/K1k5 w - - 0 1 # bare kings\n\n8/8/8/8/8/8/k7/2K5 b - - 0 1\n";
        assert_eq!(parse(text), ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/k7/2K5 b - - 0 1"]);
    }

    #[test]
    #[should_panic(expected = "no-such-list.txt")]
    fn a_missing_list_is_named() {
        fens("no-such-list");
    }
}
