//! Classification of the words of the movetext.

use super::GameResult;

/// The meaning of a word of the movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol<'a> {
    /// A word to skip, such as a move number or an annotation glyph.
    Nothing,
    /// The result of the game.
    Result(GameResult),
    /// A move, without an attached move number.
    Move(&'a str),
}

/// Classifies a word. The position decides later whether a move is valid.
pub(super) fn classify(word: &str) -> Symbol<'_> {
    if let Ok(result) = word.parse() {
        return Symbol::Result(result);
    }
    let word = without_number(word);
    let says_something = word.contains(|c: char| c.is_ascii_alphanumeric()) || word == "--";
    if !says_something || word.starts_with('$') || is_remark(word) { Symbol::Nothing } else { Symbol::Move(word) }
}

/// Removes a leading move number: digits only, or digits and full stops. `0-0` is not changed.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() {
        return rest;
    }
    let dots = ['.', '\u{2026}'];
    if rest.starts_with(dots) { rest.trim_start_matches(dots) } else { word }
}

/// Whether the word is a separate `e.p.`.
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
