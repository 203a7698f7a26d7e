//! Generates the engines' manual pages from their help and from the table of options in `docs/options.md`.

use crate::error::{Error, Result};
use crate::{files, run};
use pulldown_cmark::{Event, Parser};
use std::fmt::Write as _;
use std::path::Path;

/// An engine, as its manual page presents it.
pub(crate) struct Engine {
    pub(crate) program: &'static str,
    summary: &'static str,
    synopsis: &'static str,
    see_also: &'static str,
}

/// The engines.
pub(crate) const ENGINES: [Engine; 2] = [
    Engine {
        program: "bartizan",
        summary: "UCI chess engine with a console",
        synopsis: "[--config FILE] [--no-config] [COMMAND [ARGUMENT ...]]",
        see_also: "bartizan-xboard(6), bartizan-tools(1)",
    },
    Engine {
        program: "bartizan-xboard",
        summary: "chess engine for xboard and WinBoard",
        synopsis: "[OPTIONS] [FILE]",
        see_also: "bartizan(6), bartizan-tools(1), xboard(6)",
    },
];

/// The page with the table of options.
const OPTIONS: &str = "docs/options.md";

/// The page of an engine in roff, with the help that the program prints.
pub(crate) fn page(engine: &Engine, programs: &Path) -> Result<String> {
    let program = programs.join(format!("{}{}", engine.program, std::env::consts::EXE_SUFFIX));
    let help = run::output(&program.to_string_lossy(), &["--help"])?;
    let options = options(&files::read(&files::root().join(OPTIONS))?);
    if options.is_empty() {
        return Err(Error::Check(format!("{OPTIONS} has no table of options")));
    }
    Ok(roff(engine, &help, &options))
}

fn roff(engine: &Engine, help: &str, options: &[(String, String, String)]) -> String {
    let Engine { program, summary, synopsis, see_also } = engine;
    let mut page = format!(".TH {} 6\n.SH NAME\n{} \\- {}\n", program.to_uppercase(), escape(program), escape(summary));
    let _ = writeln!(page, ".SH SYNOPSIS\n.B {}\n{}", escape(program), escape(synopsis));
    page.push_str(".SH DESCRIPTION\n.nf\n");
    help.lines().for_each(|line| page.push_str(&(escape(line) + "\n")));
    page.push_str(
        ".fi\n.SH OPTIONS OF THE ENGINE\nChess programs set these; so do \\fBsetoption\\fR and the settings file.\n",
    );
    for (name, default, meaning) in options {
        let default = if default.is_empty() { String::new() } else { format!(" (default: {})", escape(default)) };
        let _ = writeln!(page, ".TP\n.B {}\n{}{default}", escape(name), escape(meaning));
    }
    let _ = writeln!(page, ".SH SEE ALSO\n{}", escape(see_also));
    page
}

/// The rows of the table of options: name, default and meaning.
fn options(page: &str) -> Vec<(String, String, String)> {
    let table = page.lines().skip_while(|line| !line.starts_with("| option | default |")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.trim_matches('|').split('|').map(|cell| plain(cell.trim())).collect::<Vec<_>>());
    cells.filter_map(|cells| <[String; 3]>::try_from(cells).ok()).map(|[a, b, c]| (a, b, c)).collect()
}

/// The text without code and link markup.
fn plain(cell: &str) -> String {
    let text = |event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.into_string()),
        _ => None,
    };
    Parser::new(cell).filter_map(text).collect()
}

/// A line of text for roff, with special characters escaped.
fn escape(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_options_is_found() {
        let options = options(&files::read(&files::root().join(OPTIONS)).unwrap());
        let threads = options.iter().find(|(name, ..)| name == "Threads").unwrap();
        assert_eq!(threads.1, "1");
        assert!(options.len() > 10 && options.iter().all(|(_, _, meaning)| !meaning.is_empty()));
        assert!(options.iter().all(|(_, _, meaning)| !meaning.contains(['`', '[', ']'])), "{options:?}");
        let book = options.iter().find(|(name, ..)| name == "BookFile").unwrap();
        assert!(book.2.contains("Polyglot file"), "{book:?}");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape(".a-b\\c"), "\\&.a\\-b\\ec");
        let page = roff(&ENGINES[0], "usage\n.dot", &[("Hash".to_owned(), "16".to_owned(), "megabytes".to_owned())]);
        assert!(page.contains("usage\n\\&.dot\n") && page.contains(".B Hash\nmegabytes (default: 16)\n"), "{page}");
    }
}
