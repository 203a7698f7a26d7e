//! The settings file of `match`: TOML or JSON, with the options of the command line as keys.

use super::args::Options;
use crate::files::shown;
use anyhow::{Context, anyhow};
use bartizan_files::MOST_WHOLE;
use bartizan_match::EngineSpec;
use bartizan_types::Escaped;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

/// Reads a file: JSON if its name ends in `.json`, otherwise TOML.
pub(super) fn read(path: &Path) -> anyhow::Result<Options> {
    let text = bartizan_files::read_text(path, MOST_WHOLE);
    let text = text.with_context(|| format!("cannot read the settings '{}'", Escaped(path.display())))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let parsed = if is_json {
        serde_json::from_str(text).map_err(|error| error.to_string())
    } else {
        toml::from_str(text).map_err(|error| error.to_string())
    };
    // The parser quotes whole lines of the file.
    let shorten = |error: String| error.trim_end().lines().map(|line| format!("\n{}", shown(line))).collect::<String>();
    parsed.map_err(|error| anyhow!("invalid settings '{}': {}", Escaped(path.display()), shorten(error).trim_start()))
}

/// Parses a value from its text, in the form of the command line.
pub(super) fn text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    match text.parse() {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(D::Error::custom(format!("invalid value '{}': {error}", shown(&text)))),
    }
}

/// Reads a whole number.
pub(super) fn number<'de, T: TryFrom<u64>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let Some(value) = Option::<Value>::deserialize(deserializer)? else { return Ok(None) };
    let number = value.as_u64().and_then(|number| T::try_from(number).ok());
    let max = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let wrong = || format!("expected a whole number from 0 to {max}, found {}", shown(&value.to_string()));
    number.map(Some).ok_or_else(|| D::Error::custom(wrong()))
}

/// Parses an engine: its text, as on the command line, or a table of the same keys.
pub(super) fn engine<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<EngineSpec>, D::Error> {
    Option::<Value>::deserialize(deserializer)?.map(spec).transpose().map_err(D::Error::custom)
}

/// Reads a list of engines.
pub(super) fn engines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<EngineSpec>, D::Error> {
    Vec::<Value>::deserialize(deserializer)?.into_iter().map(spec).collect::<Result<_, _>>().map_err(D::Error::custom)
}

fn spec(value: Value) -> Result<EngineSpec, String> {
    let table = match value {
        Value::String(text) => {
            return text.parse().map_err(|error: bartizan_client::EngineSpecError| error.to_string());
        }
        Value::Object(table) => table,
        other => return Err(format!("expected an engine as text or table, found {}", shown(&other.to_string()))),
    };
    let mut spec = EngineSpec::default();
    let mut set = |key: &str, value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            other => {
                return Err(format!(
                    "expected a text, number or boolean for '{}', found {}",
                    shown(key),
                    shown(&other.to_string())
                ));
            }
        };
        spec.set(key, &text).map_err(|error| error.to_string())
    };
    for (key, value) in &table {
        match (key.as_str(), value) {
            ("option" | "options", Value::Object(options)) => {
                options.iter().try_for_each(|(name, value)| set(&format!("option.{name}"), value))?;
            }
            ("arg" | "args", Value::Array(args)) => args.iter().try_for_each(|arg| set("arg", arg))?,
            (key, value) => set(key, value)?,
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file_and_the_key() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, part) in [
            ("a.toml", "rouds = 3", "unknown field `rouds`"),
            ("a.toml", "engine = ['cmd=x nodes=y']", "'nodes=y': expected a whole number"),
            ("a.toml", "engine = [{ cmd = 'x', hash = 3 }]", "unknown key 'hash'"),
            ("a.toml", "engine = [{ cmd = [1] }]", "for 'cmd', found [1]"),
            ("a.toml", "resign = '4'", "invalid value '4': expected MOVES,SCORE"),
            ("a.toml", "tc = 'x'", "invalid time control 'x'"),
            ("a.json", "\u{feff}{\"rounds\": -1}", "expected a whole number from 0 to 4294967295, found -1"),
            ("a.toml", "rounds = 4294967296", "found 4294967296"),
            ("a.toml", "opening-start = 'x'", "expected a whole number from 0 to 18446744073709551615, found \"x\""),
            ("a.json", "{\"engine\": [3]}", "found 3"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", read(&path).unwrap_err());
            assert!(error.contains(part) && error.contains(&format!("{name}': ")), "{text}: {error}");
        }
        let error = read(&folder.path().join("none.toml")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read the settings '") && error.contains("none.toml'"), "{error}");
    }
}
