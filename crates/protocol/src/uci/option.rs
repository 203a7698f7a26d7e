//! The declaration of an option.

use super::MessageError;
use crate::OptionKind;
use crate::number::{Limits, Number};
use crate::tokens::{OneLine, Tokens, collapse, excerpt};
use std::fmt;

/// How the protocol writes an empty text.
pub(super) const EMPTY: &str = "<empty>";

/// The text of an option, where [`EMPTY`] stands for no text.
pub(super) fn read_value(text: &str) -> String {
    if text == EMPTY { String::new() } else { text.to_owned() }
}

struct OrEmpty<'a>(&'a str);

impl fmt::Display for OrEmpty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&OneLine(if self.0.is_empty() { EMPTY } else { self.0 }), f)
    }
}

/// Whether two names denote the same option. The case of ASCII letters and the number of spaces do not matter.
///
/// ```
/// use bartizan_protocol::uci::same_option_name;
/// assert!(same_option_name("Clear Hash", " clear  HASH"));
/// assert!(!same_option_name("Clear Hash", "ClearHash"));
/// ```
pub fn same_option_name(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (Tokens::new(a), Tokens::new(b));
    loop {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(b) => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// The declaration of an option: `option name … type …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptionDecl {
    /// The name, which may contain spaces.
    pub name: String,
    /// The type with the default and the allowed values.
    pub kind: OptionKind,
}

impl OptionDecl {
    /// Parses what follows the word `option`.
    pub(super) fn parse(words: &mut Tokens<'_>) -> Result<Self, MessageError> {
        expect(words, "name", "'name'")?;
        // A name may contain the word `type`, which ends it only before a known type.
        let name = collapse(words.until(|word, after| word == "type" && after.peek().is_some_and(is_type)));
        if name.is_empty() {
            return Err(MessageError::Missing { message: "option", argument: "the option's name" });
        }
        expect(words, "type", "a known 'type'")?;
        let kind = match words.next() {
            Some("check") => parse_check(words)?,
            Some("spin") => parse_spin(words)?,
            Some("combo") => parse_combo(words),
            Some("string") => parse_string(words),
            // `until` has stopped before one of the five types.
            _ => OptionKind::Button,
        };
        Ok(Self { name, kind })
    }
}

fn is_type(word: &str) -> bool {
    matches!(word, "check" | "spin" | "combo" | "button" | "string")
}

fn expect(words: &mut Tokens<'_>, keyword: &str, expected: &'static str) -> Result<(), MessageError> {
    match words.next() {
        Some(word) if word == keyword => Ok(()),
        Some(word) => Err(unexpected(words, word, expected)),
        None => Err(MessageError::Missing { message: "option", argument: expected }),
    }
}

fn unexpected(words: &Tokens<'_>, word: &str, expected: &'static str) -> MessageError {
    MessageError::Unexpected { message: "option", expected, word: excerpt(word), number: words.number() }
}

fn parse_check(words: &mut Tokens<'_>) -> Result<OptionKind, MessageError> {
    let mut default = false;
    while let Some(word) = words.next() {
        if word == "default" {
            default = match words.next() {
                Some(word) if word.eq_ignore_ascii_case("true") => true,
                Some(word) if word.eq_ignore_ascii_case("false") => false,
                Some(word) => return Err(unexpected(words, word, "'true' or 'false'")),
                None => false,
            };
        }
    }
    Ok(OptionKind::Check { default })
}

fn parse_spin(words: &mut Tokens<'_>) -> Result<OptionKind, MessageError> {
    let (mut default, mut min, mut max) = (None, i64::LEAST, i64::GREATEST);
    while let Some(word) = words.next() {
        match word {
            "default" => default = Some(parse_number(words)?),
            "min" => min = parse_number(words)?,
            "max" => max = parse_number(words)?,
            _ => {}
        }
    }
    // Not `clamp`, which panics if min > max.
    Ok(OptionKind::Spin { default: default.unwrap_or(0.min(max).max(min)), min, max })
}

fn parse_number(words: &mut Tokens<'_>) -> Result<i64, MessageError> {
    let Some(word) = words.next() else {
        return Err(MessageError::Missing { message: "option", argument: "a number" });
    };
    word.parse().map(Number::saturate).map_err(|_| unexpected(words, word, "a number"))
}

/// Parses `default D var A var B …` in any order. The word `default` is a keyword only once; after that it belongs to
/// the text, as in `default default var default var aggressive`.
fn parse_combo(words: &mut Tokens<'_>) -> OptionKind {
    let mut default = None;
    let mut vars = Vec::new();
    while let Some(word) = words.next() {
        if word == "default" && default.is_none() {
            default = Some(read_value(words.until(|word, _| word == "var")));
        } else if word == "var" {
            let seen = default.is_some();
            vars.push(read_value(words.until(|word, _| word == "var" || (word == "default" && !seen))));
        }
    }
    OptionKind::Combo { default: default.unwrap_or_default(), vars }
}

/// Parses `default D`. The default is the rest of the line and may contain any word.
fn parse_string(words: &mut Tokens<'_>) -> OptionKind {
    words.until(|word, _| word == "default");
    words.next();
    OptionKind::String { default: read_value(words.rest()) }
}

/// `name … type …`, without the word `option`.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {}", OrEmpty(default))?;
                vars.iter().try_for_each(|var| write!(f, " var {}", OrEmpty(var)))
            }
            OptionKind::Button | OptionKind::Save | OptionKind::Reset => f.write_str("button"),
            OptionKind::String { default } | OptionKind::File { default } | OptionKind::Path { default } => {
                write!(f, "string default {}", OrEmpty(default))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::*;

    fn parse(line: &str) -> OptionDecl {
        match Message::parse(line).unwrap().unwrap() {
            Message::Option(option) => option,
            other => panic!("{other:?}"),
        }
    }

    fn error(line: &str) -> String {
        Message::parse(line).unwrap_err().to_string()
    }

    fn decl(name: &str, kind: OptionKind) -> OptionDecl {
        OptionDecl { name: name.to_owned(), kind }
    }

    fn combo(default: &str, vars: &[&str]) -> OptionKind {
        OptionKind::Combo { default: default.to_owned(), vars: vars.iter().map(|&var| var.to_owned()).collect() }
    }

    fn string(default: &str) -> OptionKind {
        OptionKind::String { default: default.to_owned() }
    }

    #[test]
    fn both_ways() {
        let cases = [
            ("option name Ponder type check default true", decl("Ponder", OptionKind::Check { default: true })),
            (
                "option name Hash type spin default 16 min 1 max 1024",
                decl("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
            ),
            (
                "option name Style type combo default Very Solid var Very Solid var Risky",
                decl("Style", combo("Very Solid", &["Very Solid", "Risky"])),
            ),
            ("option name Clear Hash type button", decl("Clear Hash", OptionKind::Button)),
            ("option name Book type string default a  b/c min 3", decl("Book", string("a  b/c min 3"))),
            ("option name Book type string default <empty>", decl("Book", string(""))),
        ];
        for (line, option) in cases {
            assert_eq!(parse(line), option);
            assert_eq!(Message::Option(option).to_string(), line);
        }
    }

    #[test]
    fn types_that_only_xboard_has() {
        for (kind, text) in [
            (OptionKind::File { default: "/a".to_owned() }, "name X type string default /a"),
            (OptionKind::Path { default: String::new() }, "name X type string default <empty>"),
            (OptionKind::Save, "name X type button"),
            (OptionKind::Reset, "name X type button"),
        ] {
            assert_eq!(decl("X", kind).to_string(), text);
        }
    }

    #[test]
    fn what_engines_leave_out() {
        assert_eq!(parse("option name A type check").kind, OptionKind::Check { default: false });
        assert_eq!(parse("option name A type check default True").kind, OptionKind::Check { default: true });
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        assert_eq!(parse("option name A type spin").kind, spin(0, i64::MIN, i64::MAX));
        assert_eq!(parse("option name A type spin min 5 max 9").kind, spin(5, 5, 9));
        assert_eq!(parse("option name A type spin max -5 min -9").kind, spin(-5, -9, -5));
        assert_eq!(parse("option name A type spin min 9 max 5").kind, spin(9, 9, 5));
        assert_eq!(parse("option name A type combo").kind, combo("", &[]));
        assert_eq!(parse("option name A type combo var x default x").kind, combo("x", &["x"]));
        assert_eq!(parse("option name A type combo default var x").kind, combo("", &["x"]));
        assert_eq!(parse("option name A type string").kind, string(""));
        assert_eq!(parse("option name A type string default").kind, string(""));
    }

    #[test]
    fn keywords_inside_names_and_texts() {
        assert_eq!(parse("option name Book  type type button").name, "Book type");
        let kind = parse("option name A type combo default default var default var no default").kind;
        assert_eq!(kind, combo("default", &["default", "no default"]));
        assert_eq!(parse("option name A type string default default").kind, string("default"));
    }

    #[test]
    fn errors() {
        assert_eq!(error("option"), "option: 'name' is missing");
        assert_eq!(error("option Hash type spin"), "option: expected 'name', found 'Hash' (word 2)");
        assert_eq!(error("option name type spin"), "option: the option's name is missing");
        assert_eq!(error("option name Hash type slider"), "option: a known 'type' is missing");
        assert_eq!(
            error("option name A type check default 1"),
            "option: expected 'true' or 'false', found '1' (word 7)"
        );
        assert_eq!(error("option name A type spin min x"), "option: expected a number, found 'x' (word 7)");
        assert_eq!(error("option name A type spin min"), "option: a number is missing");
    }
}
