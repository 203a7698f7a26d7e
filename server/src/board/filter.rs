//! What a page may say to an engine: positions, searches, and options that name no files.

use super::engine::Engine;
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{Command, OptionDecl, same_option_name};

/// The options that the user sets for the program: they use the computer's memory and cores.
const FIXED: [&str; 2] = ["Threads", "Hash"];

/// The line for the engine that a message of the page stands for.
///
/// # Errors
/// Why it is refused.
pub(crate) fn allowed(text: &str, engine: &Engine) -> Result<Option<String>, String> {
    allowed_with(text, |name| engine.option(name))
}

fn allowed_with<'a>(text: &str, option: impl Fn(&str) -> Option<&'a OptionDecl>) -> Result<Option<String>, String> {
    if text.contains(char::is_control) {
        return Err("a message is one line".to_owned());
    }
    let Some(command) = Command::parse(text).map_err(|error| error.to_string())? else { return Ok(None) };
    match &command {
        Command::SetOption { name, .. } => {
            let option = option(name).ok_or_else(|| format!("no option '{name}'"))?;
            if FIXED.iter().any(|fixed| same_option_name(fixed, name)) {
                return Err(format!("option '{name}' is set when the server starts"));
            }
            // Paths of books, tables and logs are texts.
            if matches!(option.kind, OptionKind::String { .. }) {
                return Err(format!("option '{name}' can only be set with --option"));
            }
        }
        Command::Go(go) if go.perft.is_some() => return Err("go: a page cannot count positions".to_owned()),
        Command::Quit | Command::Debug(_) | Command::Register(_) => {
            return Err("a page cannot use this command".to_owned());
        }
        _ => {}
    }
    // Written anew, so that the engine reads what was checked.
    Ok(Some(command.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Option<String>, String> {
        let option = |name: &str, kind| OptionDecl { name: name.to_owned(), kind };
        let spin = || OptionKind::Spin { default: 1, min: 1, max: 500 };
        let options = [
            option("MultiPV", spin()),
            option("Threads", spin()),
            option("Hash", spin()),
            option("Debug Log File", OptionKind::String { default: String::new() }),
            option("Clear Hash", OptionKind::Button),
        ];
        allowed_with(text, |name| options.iter().find(|option| same_option_name(&option.name, name)))
    }

    #[test]
    fn positions_and_searches_pass() {
        for good in [
            "uci",
            "isready",
            "ucinewgame",
            "stop",
            "ponderhit",
            "go infinite",
            "go depth 5 searchmoves e2e4".trim(),
            "position startpos moves e2e4 e7e5",
            "position fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1",
            "setoption name MultiPV value 3",
            "setoption name Clear Hash",
        ] {
            let line = check(good).unwrap().unwrap();
            assert_eq!(Command::parse(&line).unwrap(), Command::parse(good).unwrap());
        }
        assert_eq!(check("  "), Ok(None));
        assert_eq!(check("joho stop"), Ok(Some("stop".to_owned())));
    }

    #[test]
    fn files_cores_and_lines_are_refused() {
        for (bad, why) in [
            ("setoption name Debug Log File value x.log", "only be set with --option"),
            ("setoption name  debug  log  FILE value x.log", "only be set with --option"),
            ("setoption name threads value 64", "when the server starts"),
            ("setoption name None value 1", "no option 'None'"),
            ("stop\nsetoption name Debug Log File value x", "one line"),
            ("go perft 9", "cannot count"),
            ("quit", "cannot use"),
            ("joho quit", "cannot use"),
            ("!shutdown", "!shutdown"),
        ] {
            let error = check(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}
