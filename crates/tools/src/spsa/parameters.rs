//! The file that lists the parameters to tune.

use crate::files::{self, shown};
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// An option of the engine with whole numbers as values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Parameter {
    /// Name of the option.
    pub(super) name: String,
    pub(super) start: i64,
    pub(super) min: i64,
    pub(super) max: i64,
    /// Distance from the value, in both directions, that the last games try. The first games try larger distances.
    pub(super) step: f64,
}

/// Reads a file with a line `NAME | START | MIN | MAX | STEP` for each parameter. Blank lines and `#` comments are
/// skipped.
///
/// # Errors
/// When the file cannot be read, or a line is wrong.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Parameter>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the parameters '{}'", path.display()))?;
    parse(&text).with_context(|| format!("invalid parameters '{}'", path.display()))
}

fn parse(text: &str) -> anyhow::Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (number, parameter) in files::list(text, parameter)? {
        let same_name = parameters.iter().any(|other| other.name == parameter.name);
        ensure!(!same_name, "line {number}: the parameter '{}' is listed twice", shown(&parameter.name));
        parameters.push(parameter);
    }
    ensure!(!parameters.is_empty(), "no parameters");
    Ok(parameters)
}

fn parameter(line: &str) -> anyhow::Result<Parameter> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, start, min, max, step] = parts.as_slice() else {
        bail!("expected NAME | START | MIN | MAX | STEP, found '{}'", shown(line));
    };
    ensure!(!name.is_empty(), "the parameter has no name");
    let whole = |text: &str| {
        text.parse::<i32>().map(i64::from).with_context(|| format!("'{}' is not a whole number", shown(text)))
    };
    let (start, min, max) = (whole(start)?, whole(min)?, whole(max)?);
    ensure!(min < max, "the minimum {min} is not below the maximum {max}");
    ensure!((min..=max).contains(&start), "the start {start} is not between {min} and {max}");
    let step: f64 = step.parse().with_context(|| format!("'{}' is not a number", shown(step)))?;
    let widest = (max - min) as f64;
    ensure!(step > 0.0 && step <= widest, "the step {step} is out of range (above 0, at most {widest})");
    Ok(Parameter { name: name.to_owned(), start, min, max, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        let parameters = parse("# a comment\n\nlmp_base | 5 | 0 | 10 | 0.8\n margin|-3|-10|10|2\n").unwrap();
        let expected = Parameter { name: "lmp_base".to_owned(), start: 5, min: 0, max: 10, step: 0.8 };
        assert_eq!(parameters[0], expected);
        assert_eq!((parameters[1].start, parameters[1].min), (-3, -10));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, what) in [
            ("", "no parameters"),
            ("a | 1 | 0 | 2", "line 1"),
            ("a | x | 0 | 2 | 1", "'x' is not a whole number"),
            ("a | 1 | 0 | 99999999999 | 1", "'99999999999' is not a whole number"),
            ("a | 1 | 2 | 2 | 1", "not below the maximum 2"),
            ("a | 5 | 0 | 2 | 1", "5 is not between"),
            ("a | 1 | 0 | 2 | 0", "the step 0"),
            ("a | 1 | 0 | 2 | NaN", "the step NaN"),
            ("a | 1 | 0 | 2 | 3", "the step 3"),
            ("a | 1 | 0 | 2 | 1\na | 1 | 0 | 2 | 1", "line 2"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
