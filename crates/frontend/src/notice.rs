//! The engine's messages to the user, as text.

use bartizan_engine::Notice;
use std::fmt;

/// A message for the user, which needs no action unless it is a warning. As text, a warning begins with `warning: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserMessage {
    /// What has happened.
    pub text: String,
    /// Whether it is a warning: the options could not be met.
    pub is_warning: bool,
}

impl fmt::Display for UserMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_warning { "warning: " } else { "" }, self.text)
    }
}

impl From<Notice> for UserMessage {
    fn from(notice: Notice) -> Self {
        Self { is_warning: notice.is_warning(), text: notice.to_string() }
    }
}
