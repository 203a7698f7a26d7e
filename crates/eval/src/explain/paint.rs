//! Colours of a terminal.

#[derive(Clone, Copy, Debug)]
pub(super) enum Paint {
    Plain,
    Ansi,
}

impl Paint {
    fn text(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.text("1", text)
    }

    /// Text about a number: green if it is good for White (or for the owner of a piece), red if bad.
    pub(super) fn by_sign(self, number: f64, text: &str) -> String {
        match number {
            number if number >= 0.005 => self.text("32", text),
            number if number <= -0.005 => self.text("31", text),
            _ => self.text("2", text),
        }
    }
}
