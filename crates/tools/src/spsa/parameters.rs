//! The file that lists the parameters to tune.

use crate::files::{self, shown};
use anyhow::{Context, bail, ensure};
use bartizan_client::same_option_name;
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
    /// Change of the value for each point in the last games, in units of the step; `--rate` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rate: Option<f64>,
}

/// Reads a file with a line `NAME | START | MIN | MAX | STEP` for each parameter, or one of OpenBench:
/// `NAME, int, START, MIN, MAX, STEP, RATE`. Blank lines and `#` comments are skipped.
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
        let same_name = parameters.iter().any(|other| same_option_name(&other.name, &parameter.name));
        ensure!(!same_name, "line {number}: the parameter '{}' is listed twice", shown(&parameter.name));
        parameters.push(parameter);
    }
    ensure!(!parameters.is_empty(), "no parameters");
    Ok(parameters)
}

fn parameter(line: &str) -> anyhow::Result<Parameter> {
    let separator = if line.contains('|') { '|' } else { ',' };
    let parts: Vec<&str> = line.split(separator).map(str::trim).collect();
    let (name, [start, min, max, step], rate) = match *parts.as_slice() {
        [name, start, min, max, step] if separator == '|' => (name, [start, min, max, step], None),
        [name, "int", start, min, max, step, rate] if separator == ',' => (name, [start, min, max, step], Some(rate)),
        _ => bail!("expected NAME | START | MIN | MAX | STEP, found '{}'", shown(line)),
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
    let rate = rate.map(|text| text.parse().with_context(|| format!("'{}' is not a number", shown(text))));
    let rate: Option<f64> = rate.transpose()?;
    if let Some(rate) = rate {
        ensure!(rate > 0.0 && rate <= 1.0, "the rate {rate} is out of range (above 0, at most 1)");
    }
    Ok(Parameter { name: name.to_owned(), start, min, max, step, rate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        let parameters = parse("# a comment\n\nlmp_base | 5 | 0 | 10 | 0.8\n margin|-3|-10|10|2\n").unwrap();
        let expected = Parameter { name: "lmp_base".to_owned(), start: 5, min: 0, max: 10, step: 0.8, rate: None };
        assert_eq!(parameters[0], expected);
        assert_eq!((parameters[1].start, parameters[1].min), (-3, -10));
    }

    #[test]
    fn the_parameters_of_openbench_are_read() {
        let parameters = parse("lmp_base, int, 5, 0, 10, 0.5, 0.002\nmargin,int,-3,-10,10,2,0.01\n").unwrap();
        let expected =
            Parameter { name: "lmp_base".to_owned(), start: 5, min: 0, max: 10, step: 0.5, rate: Some(0.002) };
        assert_eq!(parameters[0], expected);
        assert_eq!((parameters[1].start, parameters[1].rate), (-3, Some(0.01)));
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
            ("a, float, 1, 0, 2, 1, 0.002", "line 1: expected NAME | START"),
            ("a, int, 1, 0, 2, 1", "line 1: expected NAME | START"),
            ("a, int, 1, 0, 2, 1, x", "'x' is not a number"),
            ("a, int, 1, 0, 2, 1, 0", "the rate 0 is out of range"),
            ("a, int, 1, 0, 2, 1, NaN", "the rate NaN is out of range"),
            ("a | 1 | 0 | 2 | 1\na | 1 | 0 | 2 | 1", "line 2"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
