//! The file of parameters.

use crate::files;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A number of the engine: an option of whole values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Parameter {
    /// The option.
    pub(super) name: String,
    pub(super) start: i64,
    pub(super) min: i64,
    pub(super) max: i64,
    /// How far from the value the last games try, upwards and downwards. The first try further.
    pub(super) step: f64,
}

/// Reads a file: a line `NAME | START | MIN | MAX | STEP` for each parameter. Empty lines and those that begin with `#` are
/// passed over.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Parameter>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> anyhow::Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (number, parameter) in files::list(text, parameter)? {
        let same_name = parameters.iter().any(|other| other.name == parameter.name);
        ensure!(!same_name, "line {number}: the parameter {} is there already", parameter.name);
        parameters.push(parameter);
    }
    ensure!(!parameters.is_empty(), "there is no parameter");
    Ok(parameters)
}

fn parameter(line: &str) -> anyhow::Result<Parameter> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, start, min, max, step] = parts.as_slice() else {
        bail!("'{line}' is not NAME | START | MIN | MAX | STEP");
    };
    ensure!(!name.is_empty(), "'{line}' has no name");
    let whole = |text: &str| text.parse::<i32>().map(i64::from).with_context(|| format!("'{text}' is no whole number"));
    let (start, min, max) = (whole(start)?, whole(min)?, whole(max)?);
    ensure!(min < max, "there is nothing between {min} and {max}");
    ensure!((min..=max).contains(&start), "{start} is not between {min} and {max}");
    let step: f64 = step.parse().with_context(|| format!("'{step}' is no number"))?;
    let widest = (max - min) as f64;
    ensure!(step > 0.0 && step <= widest, "the step {step} is not above 0 and at most {widest}");
    Ok(Parameter { name: name.to_owned(), start, min, max, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file() {
        let parameters = parse("# a comment\n\nlmp_base | 5 | 0 | 10 | 0.8\n margin|-3|-10|10|2\n").unwrap();
        let expected = Parameter { name: "lmp_base".to_owned(), start: 5, min: 0, max: 10, step: 0.8 };
        assert_eq!(parameters[0], expected);
        assert_eq!((parameters[1].start, parameters[1].min), (-3, -10));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, what) in [
            ("", "no parameter"),
            ("a | 1 | 0 | 2", "line 1"),
            ("a | x | 0 | 2 | 1", "'x' is no whole number"),
            ("a | 1 | 0 | 99999999999 | 1", "'99999999999' is no whole number"),
            ("a | 1 | 2 | 2 | 1", "nothing between"),
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
