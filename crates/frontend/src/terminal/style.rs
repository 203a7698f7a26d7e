//! The style that an output supports.

use std::io::{IsTerminal, stdout};

/// How text for users is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerminalStyle {
    /// Whether a person reads the output: it is a terminal.
    pub is_terminal: bool,
    /// Whether to use ANSI colours.
    pub colors: bool,
    /// Whether to use the chess symbols of Unicode.
    pub figurines: bool,
}

impl TerminalStyle {
    /// Letters without colours, for pipes and files.
    pub const PLAIN: Self = Self { is_terminal: false, colors: false, figurines: false };

    /// The style that standard output supports. Colours need a terminal and respect `NO_COLOR`
    /// (<https://no-color.org>); symbols need a UTF-8 locale.
    pub fn of_stdout() -> Self {
        Self::choose(stdout().is_terminal(), cfg!(windows), |name| std::env::var(name).ok())
    }

    fn choose(is_terminal: bool, is_windows: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        if !is_terminal {
            return Self::PLAIN;
        }
        // The old Windows console supports neither; its successor sets this variable.
        if is_windows && !is_set("WT_SESSION") {
            return Self { is_terminal, ..Self::PLAIN };
        }
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(&variable).find(|value| !value.is_empty());
        let is_utf8 = locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        Self { is_terminal, colors: !is_dumb && !is_set("NO_COLOR"), figurines: is_windows || is_utf8 }
    }

    /// `text` in an ANSI style ("1" for bold, "32" for green), if there are colours.
    pub(crate) fn paint(self, code: &str, text: &str) -> String {
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(is_terminal: bool, variables: &[(&str, &str)]) -> (bool, bool) {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let style = TerminalStyle::choose(is_terminal, false, variable);
        (style.colors, style.figurines)
    }

    #[test]
    fn colours_and_symbols_need_a_terminal() {
        assert_eq!(choose(false, &[("LANG", "en_US.UTF-8")]), (false, false));
        assert_eq!(choose(true, &[("LANG", "en_US.UTF-8")]), (true, true));
        assert_eq!(choose(true, &[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")]), (true, false));
        assert_eq!(choose(true, &[("LC_CTYPE", "C.utf8"), ("NO_COLOR", "1")]), (false, true));
        assert_eq!(choose(true, &[("TERM", "dumb"), ("NO_COLOR", "")]), (false, false));
    }
}
