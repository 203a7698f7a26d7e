//! `help`, `version`, `license`.

use super::{Commands, ConsoleError};
use crate::FrontEnd;
use bartizan_engine::NAME;

const LICENSE: &str = "\
Bartizan is free software, licensed under the MIT licence or the Apache License
2.0, at your option. There is no warranty. The full texts are in the files
LICENSE-MIT and LICENSE-APACHE of the source.";

/// The column in which the descriptions of commands begin.
const COLUMN: usize = 24;
/// The longest line.
const WIDTH: usize = 80;

pub(super) fn help<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    let mut text = format!("{}\n\nConsole commands:\n\n", F::HELP);
    for command in Commands::<F>::ALL {
        // Functions for which the protocol has its own command.
        let names = command.names.iter().copied().filter(|name| !F::PROTOCOL_COMMANDS.contains(name));
        let names: Vec<&str> = names.collect();
        if !names.is_empty() {
            let synopsis = format!("  {} {}", names.join(", "), command.arguments);
            text += &entry(synopsis.trim_end(), command.help);
        }
    }
    front.session().output.line(text.trim_end());
    Ok(())
}

/// A command and its wrapped description.
fn entry(synopsis: &str, help: &str) -> String {
    // The arguments in brackets stay whole.
    let parts = synopsis.split(" [").enumerate().map(|(number, part)| match number {
        0 => part.to_owned(),
        _ => format!("[{part}"),
    });
    let mut text = String::new();
    let mut line = wrap(&mut text, String::new(), parts, 6);
    if line.len() + 2 > COLUMN || !text.is_empty() {
        text += &format!("{line}\n");
        line = String::new();
    }
    let line = wrap(&mut text, format!("{line:COLUMN$}"), help.split(' ').map(str::to_owned), COLUMN);
    text + &line + "\n"
}

/// Adds words to a line. Full lines go to the text; the lines that follow are indented. Returns the last line.
fn wrap(text: &mut String, mut line: String, words: impl Iterator<Item = String>, indent: usize) -> String {
    let mut is_first = true;
    for word in words {
        if line.len() + word.len() >= WIDTH {
            *text += &format!("{}\n", line.trim_end());
            line = " ".repeat(indent);
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line += &word;
        is_first = false;
    }
    line.trim_end().to_owned()
}

pub(super) fn version<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    front.session().output.line(NAME.to_lowercase());
    Ok(())
}

pub(super) fn license<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    front.session().output.line(LICENSE);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_wrapped() {
        let text = entry("  a", "word ".repeat(30).trim_end());
        assert!(text.lines().all(|line| line.len() <= WIDTH && !line.ends_with(' ')), "{text}");
        assert!(text.starts_with(&format!("{:COLUMN$}word word", "  a")), "{text}");
        let text = entry(&"x".repeat(COLUMN), "word");
        assert_eq!(text.lines().count(), 2);
        let text = entry(&format!("  test{}", " [-x VALUE]".repeat(10)), "word");
        assert!(text.lines().all(|line| line.len() <= WIDTH && !line.trim_start().starts_with("VALUE")), "{text}");
    }
}
