//! `cargo xtask wdl`: writes the coefficients of the win-draw-loss model as Rust source, from the file written by
//! `bartizan-tools wdl`.
//!
//! The header of the source is kept, as in [`crate::params`]. `bartizan_eval::WdlModel::source` writes the same text.

use crate::error::{Error, Result};
use crate::{files, generated};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The end of the header's last line.
const OPENING: &str = "= WdlModel {";

fn fit_path() -> PathBuf {
    files::root().join("testdata/wdl/fit.json")
}

fn path() -> PathBuf {
    files::root().join("crates/eval/src/wdl/fitted.rs")
}

/// The coefficients of the model's two polynomials.
struct Model {
    half_won: [f64; 4],
    spread: [f64; 4],
}

/// Writes the source from the file of the fit. Returns what it did.
pub(crate) fn write() -> Result<String> {
    let (fit, path) = (fit_path(), path());
    let model = model(&fit, &files::read(&fit)?)?;
    let found = files::read(&path)?;
    files::replace(&path, &source(generated::head(&path, &found, OPENING)?, &model))?;
    Ok(format!("wrote {} from {}", files::shown(&path), files::shown(&fit)))
}

/// Fails unless the source equals the output of [`write()`]. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let (fit, path) = (fit_path(), path());
    let model = model(&fit, &files::read(&fit)?)?;
    let found = files::read(&path)?;
    let expected = source(generated::head(&path, &found, OPENING)?, &model);
    generated::compare(&path, &found, &expected, "cargo xtask wdl")?;
    Ok(format!("{} matches `cargo xtask wdl` from {}", files::shown(&path), files::shown(&fit)))
}

fn model(path: &Path, text: &str) -> Result<Model> {
    let error = |line: usize, what: String| Error::Line { path: path.to_owned(), line, what };
    let file: Value = serde_json::from_str(text).map_err(|e| error(e.line(), e.to_string()))?;
    let numbers = |name: &str| -> Result<[f64; 4]> {
        let list = file["model"][name].as_array();
        let list: Option<Vec<f64>> = list.and_then(|list| list.iter().map(Value::as_f64).collect());
        let numbers = list.and_then(|list| list.try_into().ok());
        numbers.ok_or_else(|| error(1, format!("expected four numbers \"{name}\" in \"model\"")))
    };
    Ok(Model { half_won: numbers("half_won")?, spread: numbers("spread")? })
}

fn source(head: &str, model: &Model) -> String {
    let list = |numbers: [f64; 4]| numbers.map(|number| format!("{number:.3}")).join(", ");
    let (half_won, spread) = (list(model.half_won), list(model.spread));
    format!("{head}    // a\n    half_won: [{half_won}],\n    // b\n    spread: [{spread}],\n}};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIT: &str = r#"{"model": {"half_won": [190, -2.5, 0.0, 1.125], "spread": [85.0, 1, 2, 3]}}"#;
    const SOURCE: &str = "//! Head.\nconst FITTED: WdlModel = WdlModel {\n    \
        // a\n    half_won: [190.000, -2.500, 0.000, 1.125],\n    \
        // b\n    spread: [85.000, 1.000, 2.000, 3.000],\n};\n";

    #[test]
    fn the_source_consists_of_head_and_numbers() {
        let model = model(Path::new("fit.json"), FIT).unwrap();
        assert_eq!(source(generated::head(Path::new("a.rs"), SOURCE, OPENING).unwrap(), &model), SOURCE);
    }

    #[test]
    fn invalid_fits_are_reported() {
        for (text, expected) in [
            ("{\n,", "fit.json:2: "),
            ("{}", "fit.json:1: expected four numbers \"half_won\""),
            (
                r#"{"model": {"half_won": [1, 2, 3, 4], "spread": [1, 2, 3]}}"#,
                "fit.json:1: expected four numbers \"spread\"",
            ),
        ] {
            let error = model(Path::new("fit.json"), text).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
