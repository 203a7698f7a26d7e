//! The forms in which puzzles are written.

use anyhow::bail;
use bartizan_analysis::Puzzle;
use bartizan_files::Compression;
use bartizan_review::page::{self, PuzzleData, PuzzleReport};
use bartizan_types::Escaped;
use std::path::Path;

/// A form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Epd,
    Pgn,
    Json,
    Html,
}

impl Form {
    /// The form that the name of a file asks for; EPD for standard output.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::Epd);
        }
        let is_compressed = Compression::of_name(path).is_some();
        let name = if is_compressed { Path::new(path.file_stem().unwrap_or_default()) } else { path };
        let extension = name.extension().unwrap_or_default().to_ascii_lowercase();
        Ok(match extension.to_str() {
            Some("epd") => Self::Epd,
            Some("pgn") => Self::Pgn,
            Some("json") => Self::Json,
            Some("html" | "htm") => Self::Html,
            _ => bail!(
                "'{}': unknown form of the output; choose a name that ends in .epd, .pgn, .json or .html",
                Escaped(path.display())
            ),
        })
    }

    /// The puzzles in this form.
    pub(super) fn write(self, puzzles: &[Puzzle]) -> anyhow::Result<String> {
        Ok(match self {
            Self::Epd => puzzles.iter().map(|puzzle| format!("{}\n", puzzle.to_epd())).collect(),
            Self::Pgn => puzzles.iter().map(|puzzle| puzzle.to_pgn().to_string()).collect(),
            Self::Json => {
                // One puzzle a line, for tools that compare lines.
                let lines = puzzles.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
                format!("[{}]\n", lines.join(",\n"))
            }
            Self::Html => page::puzzles(&PuzzleData {
                puzzles: puzzles.iter().map(PuzzleReport::from).collect(),
                ..PuzzleData::default()
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    #[test]
    fn names_decide_the_form() {
        for (name, form) in [
            ("-", Form::Epd),
            ("a.epd", Form::Epd),
            ("b/c.PGN", Form::Pgn),
            ("a.json.gz", Form::Json),
            ("a.epd.html", Form::Html),
        ] {
            assert_eq!(Form::of(Path::new(name)).unwrap(), form, "{name}");
        }
        for name in ["a", "a.gz", "a.txt", "epd", ".html.zst"] {
            let error = Form::of(Path::new(name)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{name}': unknown form")), "{error}");
        }
    }
}
