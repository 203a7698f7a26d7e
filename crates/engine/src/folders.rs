//! Where a user's files are.

use std::path::PathBuf;

/// The folder of this program's files among the user's: `$XDG_CONFIG_HOME/bartizan` or `~/.config/bartizan`, on macOS
/// `~/Library/Application Support/Bartizan`, on Windows `%APPDATA%\Bartizan`. `None` if the system names no such place.
pub fn user_folder() -> Option<PathBuf> {
    // A relative path would mean another folder wherever the program is started.
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        variable("APPDATA").map(|path| path.join("Bartizan"))
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|path| path.join("Library/Application Support/Bartizan"))
    } else {
        let config = variable("XDG_CONFIG_HOME").or_else(|| variable("HOME").map(|path| path.join(".config")));
        config.map(|path| path.join("bartizan"))
    }
}
