//! The declaration of an option: `feature option="NAME -TYPE VALUE …"`.

use crate::OptionKind;
use crate::number::{Limits, Number};
use crate::tokens::{OneLine, Tokens, collapse};
use std::fmt;

/// The declaration of an option: the text of the feature `option`.
///
/// ```
/// use bartizan_protocol::{OptionKind, xboard::OptionDecl};
/// let option = OptionDecl::parse("Hash -spin 16 1 1024").unwrap();
/// assert_eq!(option.kind, OptionKind::Spin { default: 16, min: 1, max: 1024 });
/// assert_eq!(option.to_string(), "Hash -spin 16 1 1024");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptionDecl {
    /// The name, which may contain spaces.
    pub name: String,
    /// The type with the default and the allowed values.
    pub kind: OptionKind,
}

impl OptionDecl {
    /// Parses the text of the feature `option`; `None` without a name or a known type.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = Tokens::new(text);
        let name = collapse(words.until(|word, _| is_type(word)));
        let kind = match words.next()? {
            "-check" => OptionKind::Check { default: matches!(words.next(), Some("1" | "true")) },
            // xboard only displays a slider differently.
            "-spin" | "-slider" => parse_spin(&mut words),
            "-combo" => parse_combo(words.rest()),
            "-button" => OptionKind::Button,
            "-save" => OptionKind::Save,
            "-reset" => OptionKind::Reset,
            "-string" => OptionKind::String { default: words.rest().to_owned() },
            "-file" => OptionKind::File { default: words.rest().to_owned() },
            "-path" => OptionKind::Path { default: words.rest().to_owned() },
            _ => return None,
        };
        (!name.is_empty()).then_some(Self { name, kind })
    }
}

fn is_type(word: &str) -> bool {
    matches!(
        word,
        "-check" | "-spin" | "-slider" | "-combo" | "-button" | "-save" | "-reset" | "-string" | "-file" | "-path"
    )
}

fn parse_spin(words: &mut Tokens<'_>) -> OptionKind {
    let mut number = || words.next().and_then(|word| word.parse::<Number>().ok()).map(Number::saturate);
    OptionKind::Spin {
        default: number().unwrap_or(0),
        min: number().unwrap_or(i64::LEAST),
        max: number().unwrap_or(i64::GREATEST),
    }
}

fn parse_combo(text: &str) -> OptionKind {
    let mut default = None;
    let vars: Vec<String> = text
        .split("///")
        .map(str::trim)
        .map(|var| match var.strip_prefix('*') {
            // No choice begins with the mark, or it could not be written.
            Some(var) => {
                default.insert(var.trim_start_matches(|c: char| c == '*' || c.is_whitespace()).to_owned()).clone()
            }
            None => var.to_owned(),
        })
        .collect();
    OptionKind::Combo { default: default.or_else(|| vars.first().cloned()).unwrap_or_default(), vars }
}

/// `NAME -TYPE VALUE …`.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "-check {}", u8::from(*default)),
            OptionKind::Spin { default, min, max } => write!(f, "-spin {default} {min} {max}"),
            OptionKind::Combo { default, vars } => {
                f.write_str("-combo")?;
                for (i, var) in vars.iter().enumerate() {
                    let part = if i == 0 { "" } else { " ///" };
                    let mark = if var == default { "*" } else { "" };
                    write!(f, "{part} {mark}{}", OneLine(var))?;
                }
                Ok(())
            }
            OptionKind::Button => f.write_str("-button"),
            OptionKind::Save => f.write_str("-save"),
            OptionKind::Reset => f.write_str("-reset"),
            OptionKind::String { default } => write!(f, "-string {}", OneLine(default)),
            OptionKind::File { default } => write!(f, "-file {}", OneLine(default)),
            OptionKind::Path { default } => write!(f, "-path {}", OneLine(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by fuzzing: blanks behind the mark of the default were part of the choice, and lost when it was written.
    #[test]
    fn blanks_behind_the_mark_of_the_default_do_not_count() {
        let option = OptionDecl::parse("Style -combo Solid /// *  Normal").unwrap();
        let vars = ["Solid", "Normal"].map(str::to_owned).to_vec();
        assert_eq!(option.kind, OptionKind::Combo { default: "Normal".to_owned(), vars });
        assert_eq!(option.to_string(), "Style -combo Solid /// *Normal");
    }

    /// Found by fuzzing: a choice that began with the mark was written as the default.
    #[test]
    fn no_choice_begins_with_the_mark_of_the_default() {
        let option = OptionDecl::parse("Style -combo ** Solid /// * Normal").unwrap();
        assert_eq!(option.to_string(), "Style -combo Solid /// *Normal");
        assert_eq!(OptionDecl::parse(&option.to_string()), Some(option));
    }

    #[test]
    fn both_ways() {
        let texts = [
            "Own Book -check 1",
            "Hash -spin -5 -10 1024",
            "Style -combo solid /// *very risky /// mad",
            "Clear Hash -button",
            "Save -save",
            "Defaults -reset",
            "Book -file a b.bin",
            "Tables -path /x",
            "Name -string -x y",
        ];
        for text in texts {
            assert_eq!(OptionDecl::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn sloppy_engines() {
        for text in ["", "Hash", "-spin 1 2 3", "Hash -slide 3"] {
            assert_eq!(OptionDecl::parse(text), None, "{text}");
        }
        let kind = |text| OptionDecl::parse(text).unwrap().kind;
        assert_eq!(kind("A -spin"), OptionKind::Spin { default: 0, min: i64::MIN, max: i64::MAX });
        assert_eq!(kind("A -slider 3 1 x"), OptionKind::Spin { default: 3, min: 1, max: i64::MAX });
        let vars = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(kind("A -combo a /// b"), OptionKind::Combo { default: "a".to_owned(), vars });
        assert_eq!(kind("A -string"), OptionKind::String { default: String::new() });
    }
}
