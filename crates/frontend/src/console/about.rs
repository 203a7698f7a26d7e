//! `help`, `version`, `license`.

use super::{Commands, ConsoleError};
use crate::FrontEnd;
use bartizan_engine::NAME;

const LICENSE: &str = "\
Bartizan is free software under either of the MIT licence and the Apache License 2.0, at your choice.
There is no warranty. The full texts are in LICENSE-MIT and LICENSE-APACHE beside the source.";

/// The column in which the descriptions of commands begin.
const COLUMN: usize = 34;
/// The longest line.
const WIDTH: usize = 120;

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
    let mut text = String::new();
    let mut line = format!("{synopsis:COLUMN$}");
    if synopsis.len() + 2 > COLUMN {
        text = format!("{synopsis}\n");
        line = " ".repeat(COLUMN);
    }
    let mut is_first = true;
    for word in help.split(' ') {
        if line.len() + word.len() >= WIDTH {
            text += &format!("{}\n", line.trim_end());
            line = " ".repeat(COLUMN);
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line += word;
        is_first = false;
    }
    text + line.trim_end() + "\n"
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
    }
}
