//! `cargo xtask wdl`: the numbers that turn values into chances as Rust source, from the file that `bartizan-tools wdl`
//! wrote.
//!
//! As with the weights ([`crate::params`]) the head of the source is kept and the numbers are written below it, as
//! `bartizan_eval::WdlModel::source` does, which xtask may not ask.

use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn fit_path() -> PathBuf {
    files::root().join("testdata/wdl/fit.json")
}

fn path() -> PathBuf {
    files::root().join("crates/eval/src/wdl/fitted.rs")
}

/// The coefficients of the two polynomials.
struct Model {
    half_won: [f64; 4],
    spread: [f64; 4],
}

/// Writes the source from the file of the fit. Says what it did.
pub(crate) fn write() -> Result<String> {
    let (fit, path) = (fit_path(), path());
    let model = model(&fit, &files::read(&fit)?)?;
    let found = files::read(&path)?;
    files::replace(&path, &source(head(&path, &found)?, &model))?;
    Ok(format!("wrote {} from {}", files::shown(&path), files::shown(&fit)))
}

/// Fails unless the source is what [`write()`] would make. Says what it compared.
pub(crate) fn check() -> Result<String> {
    let (fit, path) = (fit_path(), path());
    let model = model(&fit, &files::read(&fit)?)?;
    compare(&path, &files::read(&path)?, &model)?;
    Ok(format!("{} is what `cargo xtask wdl` writes from {}", files::shown(&path), files::shown(&fit)))
}

fn compare(path: &Path, found: &str, model: &Model) -> Result<()> {
    let expected = source(head(path, found)?, model);
    if found == expected {
        return Ok(());
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let what = "not what `cargo xtask wdl` writes: run it".to_owned();
    Err(Error::Line { path: path.to_owned(), line: same + 1, what })
}

fn model(path: &Path, text: &str) -> Result<Model> {
    let error = |line: usize, what: String| Error::Line { path: path.to_owned(), line, what };
    let file: Value = serde_json::from_str(text).map_err(|e| error(e.line(), e.to_string()))?;
    let numbers = |name: &str| -> Result<[f64; 4]> {
        let list = file["model"][name].as_array();
        let list: Option<Vec<f64>> = list.and_then(|list| list.iter().map(Value::as_f64).collect());
        let numbers = list.and_then(|list| list.try_into().ok());
        numbers.ok_or_else(|| error(1, format!("there are no four numbers \"{name}\" in \"model\"")))
    };
    Ok(Model { half_won: numbers("half_won")?, spread: numbers("spread")? })
}

/// The source down to the line that opens the model, and with it.
fn head<'a>(path: &Path, source: &'a str) -> Result<&'a str> {
    let opening = source.find("= WdlModel {\n").map(|at| at + "= WdlModel {\n".len());
    let what = || "no line ends with `= WdlModel {`, where the numbers should begin".to_owned();
    opening.map(|end| &source[..end]).ok_or_else(|| Error::Line { path: path.to_owned(), line: 1, what: what() })
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
    const SOURCE: &str = "//! Head.\nconst FITTED: WdlModel = WdlModel {\n    // a\n    half_won: [190.000, -2.500, 0.000, 1.125],\n    \
        // b\n    spread: [85.000, 1.000, 2.000, 3.000],\n};\n";

    #[test]
    fn the_source_is_made_of_head_and_numbers() {
        let path = Path::new("fitted.rs");
        let model = model(Path::new("fit.json"), FIT).unwrap();
        assert_eq!(source(head(path, SOURCE).unwrap(), &model), SOURCE);
        compare(path, SOURCE, &model).unwrap();
        let error = compare(path, &SOURCE.replace("3.000", "3.001"), &model).unwrap_err();
        assert!(error.to_string().starts_with("fitted.rs:6: not what `cargo xtask wdl` writes"), "{error}");
        assert!(compare(path, "nothing", &model).is_err());
    }

    #[test]
    fn a_broken_fit_is_named() {
        for (text, expected) in [
            ("{\n,", "fit.json:2: "),
            ("{}", "fit.json:1: there are no four numbers \"half_won\""),
            (
                r#"{"model": {"half_won": [1, 2, 3, 4], "spread": [1, 2, 3]}}"#,
                "fit.json:1: there are no four numbers \"spread\"",
            ),
        ] {
            let error = model(Path::new("fit.json"), text).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
