//! The types of options, in common to both protocols.

/// The type of an option with its default and the allowed values.
///
/// [`uci::OptionDecl`](crate::uci::OptionDecl) and [`xboard::OptionDecl`](crate::xboard::OptionDecl) write it in the
/// syntax of their protocol. UCI has five of the types: it writes a file or a path as a string, and save and reset as
/// buttons.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum OptionKind {
    /// On or off: `true` or `false` in UCI, 1 or 0 in xboard.
    Check {
        /// The default; `false` if the engine does not give it.
        default: bool,
    },
    /// A whole number. The parsers do not check that `min <= default <= max`.
    Spin {
        /// The default. If the engine does not give it, 0; in UCI the number in range that is closest to 0.
        default: i64,
        /// The least value; `i64::MIN` if the engine does not give it.
        min: i64,
        /// The greatest value; `i64::MAX` if the engine does not give it.
        max: i64,
    },
    /// One of several texts. The parsers do not check that the default is among them.
    Combo {
        /// The default. If the engine does not give it, empty; in xboard the first of the texts.
        default: String,
        /// The texts to choose from. They must not contain the word `var` in UCI, nor `///` in xboard.
        vars: Vec<String>,
    },
    /// An action. It has no value.
    Button,
    /// Any text.
    String {
        /// The default.
        default: String,
    },
    /// The path of a file. Xboard only.
    File {
        /// The default.
        default: String,
    },
    /// The path of a folder. Xboard only.
    Path {
        /// The default.
        default: String,
    },
    /// An action before which the client sends all options. Xboard only.
    Save,
    /// An action after which the engine declares its options again. Xboard only.
    Reset,
}
