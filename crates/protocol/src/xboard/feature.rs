//! The message `feature`.

use crate::number::Number;
use crate::tokens::{OneLine, is_blank};
use std::fmt;

/// One part of a `feature` line: `ping=1`, `myname="Bartizan 0.1"`.
///
/// ```
/// use bartizan_protocol::xboard::{FeatureValue, Message};
/// let Some(Message::Features(features)) = Message::parse(r#"feature myname="A B" ping=1 done=1"#) else { panic!() };
/// assert_eq!(features[0].value, FeatureValue::Text("A B".to_owned()));
/// assert_eq!(features[2].to_string(), "done=1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Feature {
    /// The name.
    pub name: String,
    /// The value.
    pub value: FeatureValue,
}

/// The value of a feature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum FeatureValue {
    /// A number, usually 0 or 1.
    Number(i64),
    /// A text, written in quotation marks. It cannot contain quotation marks.
    Text(String),
}

impl Feature {
    /// A feature that the engine has or lacks.
    pub fn flag(name: &str, on: bool) -> Self {
        Self { name: name.to_owned(), value: FeatureValue::Number(i64::from(on)) }
    }

    /// A feature whose value is a text.
    pub fn text(name: &str, text: impl Into<String>) -> Self {
        Self { name: name.to_owned(), value: FeatureValue::Text(text.into()) }
    }

    /// Whether the value is a number other than 0.
    pub fn is_on(&self) -> bool {
        matches!(self.value, FeatureValue::Number(number) if number != 0)
    }

    /// Parses what follows the word `feature`. Words without `=` are skipped. An open quotation ends with the line.
    pub(super) fn parse_list(mut rest: &str) -> Vec<Self> {
        let mut features = Vec::new();
        loop {
            rest = rest.trim_start_matches(is_blank);
            let Some(end) = rest.find(|c| c == '=' || is_blank(c)) else { return features };
            let (name, after) = rest.split_at(end);
            let Some(after) = after.strip_prefix('=') else {
                rest = after;
                continue;
            };
            let value;
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => {
                    let (text, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                    (FeatureValue::Text(text.to_owned()), after)
                }
                None => {
                    let (word, after) = after.split_at(after.find(is_blank).unwrap_or(after.len()));
                    let number = word.parse().ok().map(|number: Number| FeatureValue::Number(number.saturate()));
                    (number.unwrap_or_else(|| FeatureValue::Text(word.to_owned())), after)
                }
            };
            features.push(Self { name: name.to_owned(), value });
        }
    }
}

/// `NAME=VALUE`, with a text in quotation marks.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            FeatureValue::Number(number) => write!(f, "{}={number}", OneLine(&self.name)),
            FeatureValue::Text(text) => write!(f, "{}=\"{}\"", OneLine(&self.name), OneLine(&text.replace('"', "'"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::*;

    fn parse(line: &str) -> Vec<Feature> {
        match Message::parse(line) {
            Some(Message::Features(features)) => features,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_ways() {
        let line = r#"feature done=0 myname="A  b = c" option="Hash -spin 16 1 64" variants="" sigint=0 done=1"#;
        assert_eq!(Message::Features(parse(line)).to_string(), line);
    }

    #[test]
    fn sloppy_engines() {
        assert_eq!(parse("feature"), []);
        assert_eq!(parse("feature ping"), []);
        assert_eq!(parse("feature usermove ping=1"), [Feature::flag("ping", true)]);
        assert_eq!(parse("feature myname=\"open"), [Feature::text("myname", "open")]);
        assert_eq!(parse("feature myname=Bare  x=").len(), 2);
        assert_eq!(
            parse("feature a=\"1\"b=2 c=é")[1],
            Feature { name: "b".to_owned(), value: FeatureValue::Number(2) }
        );
        assert_eq!(Feature::text("myname", "a \"b\"\n").to_string(), "myname=\"a 'b' \"");
    }
}
