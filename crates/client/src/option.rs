//! Whether an option may have a value.

use bartizan_protocol::OptionKind;

/// The value as the engine should get it, `None` for a button; or what is wrong with it.
pub(crate) fn check_value(kind: &OptionKind, value: &str) -> Result<Option<String>, String> {
    match kind {
        OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" => Ok(Some("true".to_owned())),
            "false" | "0" | "off" => Ok(Some("false".to_owned())),
            _ => Err(format!("`{value}` is neither true nor false")),
        },
        &OptionKind::Spin { min, max, .. } => match value.trim().parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(Some(number.to_string())),
            Ok(number) => Err(format!("{number} is not in its range from {min} to {max}")),
            Err(_) => Err(format!("`{value}` is no whole number")),
        },
        OptionKind::Combo { vars, .. } => match vars.iter().find(|var| var.eq_ignore_ascii_case(value)) {
            Some(var) => Ok(Some(var.clone())),
            None => Err(format!("`{value}` is none of `{}`", vars.join("`, `"))),
        },
        OptionKind::Button | OptionKind::Save | OptionKind::Reset if value.is_empty() => Ok(None),
        OptionKind::Button | OptionKind::Save | OptionKind::Reset => {
            Err(format!("a button has no value, not even `{value}`"))
        }
        OptionKind::String { .. } | OptionKind::File { .. } | OptionKind::Path { .. } => {
            if value.contains(['\n', '\r']) {
                return Err("a value is one line".to_owned());
            }
            Ok(Some(value.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let ok = |kind: &OptionKind, value| check_value(kind, value).unwrap().unwrap();
        let check = OptionKind::Check { default: true };
        assert_eq!(ok(&check, "True"), "true");
        assert_eq!(check_value(&check, "yes").unwrap_err(), "`yes` is neither true nor false");
        let spin = OptionKind::Spin { default: 1, min: -5, max: 9 };
        assert_eq!(ok(&spin, " +7"), "7");
        assert_eq!(check_value(&spin, "10").unwrap_err(), "10 is not in its range from -5 to 9");
        assert_eq!(check_value(&spin, "x").unwrap_err(), "`x` is no whole number");
        let combo = OptionKind::Combo { default: String::new(), vars: vec!["Solid".to_owned(), "Wild".to_owned()] };
        assert_eq!(ok(&combo, "wild"), "Wild");
        assert_eq!(check_value(&combo, "mad").unwrap_err(), "`mad` is none of `Solid`, `Wild`");
        assert_eq!(check_value(&OptionKind::Button, ""), Ok(None));
        assert!(check_value(&OptionKind::Button, "x").is_err());
        let string = OptionKind::String { default: String::new() };
        assert_eq!(ok(&string, ""), "");
        assert!(check_value(&string, "a\nquit").is_err());
    }
}
