//! What an option may be set to, whatever the protocol.

/// The type of an option, its default and its range.
///
/// Each protocol writes it in its own words: [`uci::OptionDecl`](crate::uci::OptionDecl),
/// [`xboard::OptionDecl`](crate::xboard::OptionDecl). UCI knows five of the types; there a file or a path is a string, and
/// what saves or resets is a button.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum OptionKind {
    /// On or off: `true` or `false` in UCI, 1 or 0 in xboard.
    Check {
        /// The value at the start; `false` when an engine does not say.
        default: bool,
    },
    /// A whole number. Strict clients want `min <= default <= max`; the readers do not check it.
    Spin {
        /// The value at the start; when an engine does not say, 0 (in UCI the number in range next to it).
        default: i64,
        /// The least value; `i64::MIN` when an engine does not say.
        min: i64,
        /// The greatest value; `i64::MAX` when an engine does not say.
        max: i64,
    },
    /// One of several texts. Strict clients want the default among them; the readers do not check it.
    Combo {
        /// The value at the start; when an engine does not say, empty (in xboard the first of the texts).
        default: String,
        /// The texts to choose from. In UCI none may hold the word `var`, in xboard none `///`.
        vars: Vec<String>,
    },
    /// Something to do; it has no value.
    Button,
    /// Any text.
    String {
        /// The value at the start.
        default: String,
    },
    /// The path of a file. In xboard only.
    File {
        /// The value at the start.
        default: String,
    },
    /// The path of a folder. In xboard only.
    Path {
        /// The value at the start.
        default: String,
    },
    /// Something to do, before which the client sends all options. In xboard only.
    Save,
    /// Something to do, after which the engine declares its options again. In xboard only.
    Reset,
}
