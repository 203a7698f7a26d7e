//! Parses the usual notations of results.

/// A text is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid result '{}', expected 1-0, 1/2-1/2 or 0-1, or 1, 0.5 or 0", .0.escape_debug())]
pub struct ParseResultError(
    /// The first 20 characters of the text.
    pub String,
);

/// Parses `1-0`, `1/2-1/2` and `0-1`, or White's points: `1`, `1.0`, `1/2`, `0.5`, `0`, `0.0`. Returns twice White's
/// points.
///
/// # Errors
/// [`ParseResultError`] for anything else.
pub fn parse_result(text: &str) -> Result<u8, ParseResultError> {
    match text.trim() {
        "1-0" | "1" | "1.0" | "1.00" => Ok(2),
        "1/2-1/2" | "1/2" | "0.5" | ".5" | "0.50" => Ok(1),
        "0-1" | "0" | "0.0" | "0.00" => Ok(0),
        other => Err(ParseResultError(other.chars().take(20).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_are_read() {
        assert_eq!(["1-0", " 0.5 ", "1/2-1/2", "0.0", "0-1", "1"].map(parse_result), [2, 1, 1, 0, 0, 2].map(Ok));
        for bad in ["", "*", "0.7", "1-1"] {
            assert!(parse_result(bad).is_err(), "{bad}");
        }
        assert_eq!(
            parse_result("*").unwrap_err().to_string(),
            "invalid result '*', expected 1-0, 1/2-1/2 or 0-1, or 1, 0.5 or 0"
        );
    }
}
