//! Splits a line into words, with quotation marks around file names with spaces.

/// The words of a text. One that begins with a quotation mark ends at the next one, or with the text, and may contain
/// spaces.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None if rest.is_empty() => return None,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        rest = after;
        Some(word)
    })
}

/// A file name without any surrounding quotation marks.
pub(crate) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').map_or(name, |quoted| quoted.strip_suffix('"').unwrap_or(quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotation_marks_may_contain_blanks() {
        for (text, expected) in [
            ("", &[][..]),
            (" a  b\t", &["a", "b"]),
            ("\"a b\" -o \"c d.txt\"", &["a b", "-o", "c d.txt"]),
            ("\"\" a\"b c", &["", "a\"b", "c"]),
            ("-d 3 \"a b", &["-d", "3", "a b"]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn names_lose_their_quotation_marks() {
        for (name, expected) in [("a b", "a b"), ("\"a b\"", "a b"), ("\"a b", "a b"), ("a\"b\"", "a\"b\""), ("\"", "")]
        {
            assert_eq!(unquoted(name), expected);
        }
    }
}
