//! The parameters to tune.

use crate::paired::{ListError, list, shown};
use bartizan_client::same_option_name;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::str::FromStr;

/// An integer option of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name of the option.
    pub name: String,
    /// The initial value.
    pub start: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// Distance from the value, in both directions, in the last games. The first games use larger distances.
    pub step: f64,
    /// Change of the value per point in the last games, in units of the step; by default that of the tuning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

impl Parameter {
    /// Reads a list with a line `NAME | START | MIN | MAX | STEP` for each parameter, or one of OpenBench:
    /// `NAME, int, START, MIN, MAX, STEP, RATE`. Blank lines and `#` comments are skipped.
    ///
    /// # Errors
    /// [`ListError`] for the first invalid line.
    pub fn list(text: &str) -> Result<Vec<Self>, ListError> {
        list(text, "parameters", |before: &[Self], line| {
            let parameter = parameter(line)?;
            if before.iter().any(|other| same_option_name(&other.name, &parameter.name)) {
                return Err(format!("the parameter '{}' is listed twice", shown(&parameter.name)));
            }
            Ok(parameter)
        })
    }
}

fn parameter(line: &str) -> Result<Parameter, String> {
    let separator = if line.contains('|') { '|' } else { ',' };
    let parts: Vec<&str> = line.split(separator).map(str::trim).collect();
    let (name, [start, min, max, step], rate) = match *parts.as_slice() {
        [name, start, min, max, step] if separator == '|' => (name, [start, min, max, step], None),
        [name, "int", start, min, max, step, rate] if separator == ',' => (name, [start, min, max, step], Some(rate)),
        _ => return Err(format!("expected NAME | START | MIN | MAX | STEP, found '{}'", shown(line))),
    };
    let whole = |text| number::<i32>(text, "whole number").map(i64::from);
    let real = |text| number::<f64>(text, "number");
    let (start, min, max) = (whole(start)?, whole(min)?, whole(max)?);
    let step = real(step)?;
    let rate = rate.map(real).transpose()?;
    let widest = (max - min) as f64;
    let problem = if name.is_empty() {
        "the parameter has no name".to_owned()
    } else if min >= max {
        format!("the minimum {min} is not below the maximum {max}")
    } else if !(min..=max).contains(&start) {
        format!("the start {start} is not between {min} and {max}")
    } else if !(step > 0.0 && step <= widest) {
        format!("the step {step} is out of range (above 0, at most {widest})")
    } else if let Some(rate) = rate.filter(|&rate| !(rate > 0.0 && rate <= 1.0)) {
        format!("the rate {rate} is out of range (above 0, at most 1)")
    } else {
        return Ok(Parameter { name: name.to_owned(), start, min, max, step, rate });
    };
    Err(problem)
}

fn number<T: FromStr<Err: Display>>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("'{}' is not a {what}: {error}", shown(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        let parameters = Parameter::list("# a comment\n\nlmp_base | 5 | 0 | 10 | 0.8\n margin|-3|-10|10|2\n").unwrap();
        let expected = Parameter { name: "lmp_base".to_owned(), start: 5, min: 0, max: 10, step: 0.8, rate: None };
        assert_eq!(parameters[0], expected);
        assert_eq!((parameters[1].start, parameters[1].min), (-3, -10));
    }

    #[test]
    fn the_parameters_of_openbench_are_read() {
        let parameters = Parameter::list("lmp_base, int, 5, 0, 10, 0.5, 0.002\nmargin,int,-3,-10,10,2,0.01\n").unwrap();
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
            let error = Parameter::list(text).unwrap_err().to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
