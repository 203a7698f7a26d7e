//! The command line.

use bartizan_engine::Options;
use bartizan_frontend::parse_size;
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
bartizan-xboard is a chess engine for xboard, WinBoard and other programs that
speak their protocol:

  xboard -fcp bartizan-xboard

usage: bartizan-xboard [OPTIONS] [FILE]

arguments:
  [FILE]  file with the starting position as FEN or EPD

options:
  -c, --threads <N>    number of search threads [default: 1]
  -H, --hash <SIZE>    hash table size: 64M, 2G, or a number of MiB
                       [default: 16M]
  -t, --trace          trace the engine's decisions, in lines that begin with #
      -ics             plan the time for games on a chess server
      --config <FILE>  also read this settings file, after bartizan.toml next to
                       the program and in the user's folder
      --no-config      do not read those bartizan.toml files
  -h, --help           print this help
  -V, --version        print the version

In a terminal, type `help` for the commands.

example:
  bartizan-xboard -c 2 -H 256M";

/// The command line, understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Args {
    pub(crate) threads: Option<usize>,
    /// In MiB.
    pub(crate) hash: Option<u64>,
    pub(crate) trace: bool,
    pub(crate) ics: bool,
    pub(crate) config: Option<PathBuf>,
    /// Whether to ignore the settings files beside the program and in the user's folder.
    pub(crate) no_config: bool,
    pub(crate) position: Option<PathBuf>,
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Run(Args),
    Help,
    Version,
}

/// Why a command line is invalid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArgsError {
    #[error("'{0}' needs a value")]
    Missing(String),
    #[error("'{option} {value}': '{value}' is not {expected}")]
    Value { option: String, value: String, expected: &'static str },
    #[error("unknown option '{0}'")]
    Unknown(String),
    #[error("unexpected argument '{0}': only one file is allowed")]
    SecondFile(String),
}

impl Args {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Action, ArgsError> {
        let mut args = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            // `--hash=64M` means `--hash 64M`.
            let (option, mut value) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option.to_owned(), Some(value.to_owned())),
                _ => (word, None),
            };
            let mut argument = || value.take().or_else(|| words.next()).ok_or(ArgsError::Missing(option.clone()));
            match option.as_str() {
                "-h" | "--help" => return Ok(Action::Help),
                "-V" | "--version" => return Ok(Action::Version),
                "-t" | "--trace" => args.trace = true,
                "-ics" | "--ics" => args.ics = true,
                "-c" | "--threads" => {
                    let value = argument()?;
                    let expected = "a number of threads from 1 to 1024";
                    let threads = value.parse().ok().filter(|threads| Options::THREADS.contains(threads));
                    args.threads = Some(threads.ok_or(ArgsError::Value { option, value, expected })?);
                }
                "-H" | "--hash" => {
                    let value = argument()?;
                    let expected = "a size such as 64M or 2G, from 1M to 32768G";
                    let size = parse_size(&value).filter(|&mib| mib <= *Options::HASH_MIB.end() as u64);
                    args.hash = Some(size.ok_or(ArgsError::Value { option, value, expected })?);
                }
                "--config" => args.config = Some(argument()?.into()),
                "--no-config" => args.no_config = true,
                word if word.starts_with('-') && word != "-" => return Err(ArgsError::Unknown(option)),
                _ if args.position.is_some() => return Err(ArgsError::SecondFile(option)),
                word => args.position = Some(word.into()),
            }
        }
        Ok(Action::Run(args))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Action, ArgsError> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn switches() {
        let args = Args {
            threads: Some(2),
            hash: Some(1024),
            trace: true,
            ics: true,
            config: Some("c.toml".into()),
            no_config: true,
            position: Some("p.fen".into()),
        };
        assert_eq!(parse("-c 2 -H 1G -t -ics --config c.toml --no-config p.fen"), Ok(Action::Run(args.clone())));
        assert_eq!(
            parse("--threads=2 --hash=1G --trace --ics --config=c.toml --no-config p.fen"),
            Ok(Action::Run(args))
        );
        assert_eq!(parse("-t --help -x"), Ok(Action::Help));
        assert_eq!(
            parse("-H much").unwrap_err().to_string(),
            "'-H much': 'much' is not a size such as 64M or 2G, from 1M to 32768G"
        );
        for line in ["-H 0", "-H 32769G", "--hash=99999999999G"] {
            assert!(matches!(parse(line), Err(ArgsError::Value { .. })), "{line}");
        }
        assert!(parse("-H 32768G").is_ok());
        let expected = "a number of threads from 1 to 1024";
        for threads in ["0", "1025", "x"] {
            let error = parse(&format!("-c {threads}")).unwrap_err().to_string();
            assert_eq!(error, format!("'-c {threads}': '{threads}' is not {expected}"));
        }
        assert_eq!(parse("-x"), Err(ArgsError::Unknown("-x".to_owned())));
        assert_eq!(parse("-c"), Err(ArgsError::Missing("-c".to_owned())));
        assert_eq!(parse("a b"), Err(ArgsError::SecondFile("b".to_owned())));
    }
}
