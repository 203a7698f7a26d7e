//! Checks the values of options.

use crate::OptionError;
use bartizan_protocol::OptionKind;

/// The value in the engine's notation; `None` for a button.
pub(crate) fn check_value(kind: &OptionKind, value: &str) -> Result<Option<String>, OptionError> {
    match kind {
        OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" => Ok(Some("true".to_owned())),
            "false" | "0" | "off" => Ok(Some("false".to_owned())),
            _ => Err(OptionError::NotBoolean { value: value.to_owned() }),
        },
        &OptionKind::Spin { min, max, .. } => match value.trim().parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(Some(number.to_string())),
            Ok(value) => Err(OptionError::OutOfRange { value, min, max }),
            Err(_) => Err(OptionError::NotANumber { value: value.to_owned() }),
        },
        OptionKind::Combo { vars, .. } => match vars.iter().find(|var| var.eq_ignore_ascii_case(value)) {
            Some(var) => Ok(Some(var.clone())),
            None => Err(OptionError::NotAChoice { value: value.to_owned(), choices: vars.clone() }),
        },
        OptionKind::Button | OptionKind::Save | OptionKind::Reset if value.is_empty() => Ok(None),
        OptionKind::Button | OptionKind::Save | OptionKind::Reset => {
            Err(OptionError::ButtonWithValue { value: value.to_owned() })
        }
        OptionKind::String { .. } | OptionKind::File { .. } | OptionKind::Path { .. } => {
            if value.contains(['\n', '\r']) {
                return Err(OptionError::LineBreak);
            }
            Ok(Some(value.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_type() {
        let ok = |kind: &OptionKind, value| check_value(kind, value).unwrap().unwrap();
        let error = |kind: &OptionKind, value| check_value(kind, value).unwrap_err().to_string();
        let check = OptionKind::Check { default: true };
        assert_eq!(ok(&check, "True"), "true");
        assert_eq!(error(&check, "yes"), "'yes' is not true or false");
        let spin = OptionKind::Spin { default: 1, min: -5, max: 9 };
        assert_eq!(ok(&spin, " +7"), "7");
        assert_eq!(error(&spin, "10"), "'10' is not in the range -5 to 9");
        assert_eq!(error(&spin, "x"), "'x' is not a whole number");
        let combo = OptionKind::Combo { default: String::new(), vars: vec!["Solid".to_owned(), "Wild".to_owned()] };
        assert_eq!(ok(&combo, "wild"), "Wild");
        assert_eq!(error(&combo, "mad"), "'mad' is not one of 'Solid', 'Wild'");
        assert_eq!(check_value(&OptionKind::Button, ""), Ok(None));
        assert_eq!(error(&OptionKind::Button, "x"), "a button takes no value, found 'x'");
        let string = OptionKind::String { default: String::new() };
        assert_eq!(ok(&string, ""), "");
        assert_eq!(check_value(&string, "a\nquit"), Err(OptionError::LineBreak));
    }
}
