//! Results as people write them.

/// A text that is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no result: neither 1-0, 1/2-1/2, 0-1 nor 1, 0.5, 0", .0.escape_debug())]
pub struct ParseResultError(
    /// The text, or the beginning of it.
    pub String,
);

/// Reads `1-0`, `1/2-1/2` and `0-1`, or white's points: `1`, `1.0`, `1/2`, `0.5`, `0`, `0.0`. The result is twice white's
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
            "'*' is no result: neither 1-0, 1/2-1/2, 0-1 nor 1, 0.5, 0"
        );
    }
}
