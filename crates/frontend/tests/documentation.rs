//! The option tables in README and in the documentation list every option with its default.
#![cfg(not(feature = "tuning"))] // A tuning build has hundreds more.

use bartizan_frontend::{Config, options};
use bartizan_protocol::OptionKind;

#[test]
fn the_tables_of_options_are_complete() {
    for page in ["README.md", "docs/options.md"] {
        let path = format!("{}/../../{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read '{path}': {error}"));
        for row in options::all() {
            let default = match row.kind(&Config::default()) {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } => default,
                _ => String::new(),
            };
            let name = format!("| `{}` |", row.name());
            let line = text.lines().find(|line| line.starts_with(&name));
            let line = line.unwrap_or_else(|| panic!("{page} does not list '{}'", row.name()));
            let cell = line[name.len()..].split('|').next().unwrap_or_default();
            // The default may differ between the programs: `10 (xboard: 20)`.
            let shown = cell.split_whitespace().next().unwrap_or_default();
            assert_eq!(shown.trim_start_matches("empty"), default, "{page}: default of '{}'", row.name());
        }
    }
}
