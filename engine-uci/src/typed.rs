//! Commands in upper or lower case.

/// If the command name is in lower case, converts its keywords to lower case too. Option names, values and FENs are
/// unchanged.
pub(crate) fn with_small_keywords(line: &str) -> String {
    let (command, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match command {
        "go" | "debug" => line.to_lowercase(),
        "setoption" => format!("{command} {}", small_up_to(arguments, &["name", "value"], "value")),
        "position" => format!("{command} {}", small_moves(&small_up_to(arguments, &["startpos", "fen", "moves"], ""))),
        _ => line.to_owned(),
    }
}

/// The text with all `keywords` in lower case, up to the first word that is `last`. Spaces are kept.
fn small_up_to(text: &str, keywords: &[&str], last: &str) -> String {
    let mut small = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(word) = rest.split_inclusive(char::is_whitespace).next() {
        rest = rest.strip_prefix(word).unwrap_or_default();
        let trimmed = word.trim_end();
        match keywords.iter().find(|keyword| keyword.eq_ignore_ascii_case(trimmed)) {
            Some(keyword) => {
                small.push_str(keyword);
                small.push_str(word.strip_prefix(trimmed).unwrap_or_default());
                if *keyword == last {
                    break;
                }
            }
            None => small.push_str(word),
        }
    }
    small + rest
}

/// The text with the moves after the word `moves` in lower case.
fn small_moves(text: &str) -> String {
    match text.split_once("moves") {
        Some((position, moves)) => format!("{position}moves{}", moves.to_lowercase()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_small_and_the_rest_stays() {
        for (typed, expected) in [
            ("go DEPTH 10", "go depth 10"),
            ("go Infinite SearchMoves E2E4", "go infinite searchmoves e2e4"),
            ("debug ON", "debug on"),
            ("position StartPos MOVES E2E4 e7E5", "position startpos moves e2e4 e7e5"),
            ("position FEN 4K3/8/8/8/8/8/4P3/4k3 w - - 0 1", "position fen 4K3/8/8/8/8/8/4P3/4k3 w - - 0 1"),
            ("setoption NAME Hash VALUE 32", "setoption name Hash value 32"),
            (
                "setoption name  EvalFile Value C:\\My  Value\\NAME ",
                "setoption name  EvalFile value C:\\My  Value\\NAME ",
            ),
            ("stop", "stop"),
            ("go", "go"),
            ("position", "position "),
        ] {
            assert_eq!(with_small_keywords(typed), expected, "{typed}");
        }
    }
}
