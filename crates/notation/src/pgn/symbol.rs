//! The words of the movetext.

use super::GameResult;

/// What a word of the movetext is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol<'a> {
    /// A move number, a glyph, an opinion: nothing to play.
    Nothing,
    /// A result.
    Result(GameResult),
    /// A move, without the number that may stick to it.
    Move(&'a str),
}

/// Tells what a word is. Whether a move is one is for the position to say.
pub(super) fn classify(word: &str) -> Symbol<'_> {
    if let Ok(result) = word.parse() {
        return Symbol::Result(result);
    }
    let word = without_number(word);
    let says_something = word.contains(|c: char| c.is_ascii_alphanumeric()) || word == "--";
    if !says_something || word.starts_with('$') || is_remark(word) { Symbol::Nothing } else { Symbol::Move(word) }
}

/// Without a move number in front: digits alone, or digits and full stops. `0-0` keeps its zero.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() {
        return rest;
    }
    let dots = ['.', '\u{2026}'];
    if rest.starts_with(dots) { rest.trim_start_matches(dots) } else { word }
}

/// `e.p.` as a word of its own.
fn is_remark(word: &str) -> bool {
    matches!(word, "e.p." | "e.p" | "ep" | "ep.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for word in ["12.", "12", "12...", "...", "$3", "!?", "+-", "=", "±", "e.p.", "…", "∞"] {
            assert_eq!(classify(word), Symbol::Nothing, "{word}");
        }
        for (word, mv) in
            [("12.e4", "e4"), ("12...Nf6", "Nf6"), ("0-0", "0-0"), ("1.0-0-0", "0-0-0"), ("--", "--"), ("♘f3", "♘f3")]
        {
            assert_eq!(classify(word), Symbol::Move(mv), "{word}");
        }
        assert_eq!(classify("1-0"), Symbol::Result(GameResult::WhiteWins));
        assert_eq!(classify("½-½"), Symbol::Result(GameResult::Draw));
    }
}
