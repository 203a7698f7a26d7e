//! The options of `match`: from the command line, from a settings file, or from both.

use super::settings_file;
use crate::threads::parse_concurrency;
use anyhow::bail;
use bartizan_client::EngineSpecErrorKind;
use bartizan_match::{
    DrawRule, EngineLimits, EngineSpec, MatchSettings, OpeningSettings, ResignRule, TablebaseRule, TimeControl,
    TournamentFormat,
};
use bartizan_stats::{Sprt, SprtModel};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;
use std::path::PathBuf;
use std::str::FromStr;

/// What follows the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Keys of --engine and --each (SPEC):
  cmd=PROGRAM        Program of the engine
  name=NAME          Name in tables and PGN [default: file name of the program,
                     without an extension such as .exe or .py]
  arg=ARGUMENT       Argument of the program; may be repeated
  dir=FOLDER         Working directory [default: the current one]
  proto=PROTOCOL     uci or xboard [default: uci]
  option.NAME=VALUE  Option of the engine; may be repeated
  tc=TC, st=SECONDS, nodes=NODES, depth=PLIES
                     Limits, as with the options of these names
  nodestime=NODES    Number of nodes that count as a millisecond, to replace the
                     clock
  factor=FACTOR      Factor for all times [default: 1]
  margin=MILLISECONDS
                     As --margin, for this engine [default: that of --margin]
  ponder=true        Ponder in the opponent's time [default: false]
  restart=true       Restart the engine before each game [default: false]
  answer=SECONDS     Time to wait for replies without a search, such as to
                     isready; more on a busy machine [default: 10]
  Quotes keep spaces: \"cmd=./engine name='my engine' option.'Move Overhead'=20\".
  A backslash escapes a space, a quote or a backslash, and is literal elsewhere.

The keys of a settings file (--config) are the names of the options:
  tc = \"8+0.08\"
  rounds = 1000
  openings = \"openings.epd\"
  engine = [\"cmd=./new name=new\", \"cmd=./old name=old\"]

Example:
  bartizan-tools match --engine \"cmd=./new name=new\" \\
      --engine \"cmd=./old name=old\" --each option.Hash=16 --tc 8+0.08 \\
      --openings openings.epd --seed 1 --rounds 10000 --concurrency 4 \\
      --sprt 0,5 --normalised --journal match.jsonl --pgn games.pgn
  bartizan-tools match --resume match.jsonl";

/// The options. Each is an argument of the command line and a key of the settings file, under the same name.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// TOML or JSON file with these options as keys; the command line takes precedence [default: none]
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    /// Engine as KEY=VALUE pairs, see below; two or more [default: those in the settings file]
    #[arg(long = "engine", value_name = "SPEC", value_parser = engine_spec, help_heading = "Engines")]
    #[serde(rename = "engine", deserialize_with = "settings_file::engines")]
    pub(super) engines: Vec<EngineSpec>,
    /// Defaults for all engines, in the same form [default: none]
    #[arg(long, value_name = "SPEC", value_parser = engine_spec, help_heading = "Engines")]
    #[serde(deserialize_with = "settings_file::engine")]
    pub(super) each: Option<EngineSpec>,
    /// Time control: [MOVES/]BASE[+INCREMENT], in seconds or MINUTES:SECONDS; with BASE 0, the clock starts at
    /// INCREMENT [default: none]
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    pub(super) tc: Option<TimeControl>,
    /// Time per move [default: unlimited]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(super) st: Option<f64>,
    /// Nodes per move [default: unlimited]
    #[arg(long, value_name = "NODES", help_heading = "Limits")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) nodes: Option<u64>,
    /// Depth per move [default: unlimited]
    #[arg(long, value_name = "PLIES", help_heading = "Limits")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) depth: Option<u32>,
    /// Pairings of the engines [default: round-robin]
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(TournamentFormat::ALL.map(TournamentFormat::as_str))
            .try_map(|name| name.parse::<TournamentFormat>()),
        help_heading = "Games"
    )]
    pub(super) format: Option<TournamentFormat>,
    /// Number of game pairs per pairing; a pair plays one opening with both colours [default: 1]
    #[arg(long, value_name = "PAIRS", help_heading = "Games")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) rounds: Option<u32>,
    /// Openings: PGN, EPD or FEN, also as .gz, .bz2 or .zst [default: the starting position]
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    pub(super) openings: Option<PathBuf>,
    /// Seed to shuffle the openings [default: none, file order]
    #[arg(long, value_name = "SEED", help_heading = "Games")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) seed: Option<u64>,
    /// Number of the first opening to play [default: 1]
    #[arg(long, value_name = "NUMBER", help_heading = "Games")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) opening_start: Option<usize>,
    /// Number of plies of each PGN opening to play [default: all]
    #[arg(long, value_name = "PLIES", help_heading = "Games")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) opening_plies: Option<usize>,
    /// Play Chess960
    #[arg(long, help_heading = "Games")]
    pub(super) chess960: bool,
    /// Number of concurrent games [default: 1]
    #[arg(long, value_name = "GAMES", value_parser = parse_concurrency, help_heading = "Games")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) concurrency: Option<usize>,
    /// Pin each concurrent game to one processor core
    #[arg(long, help_heading = "Games")]
    pub(super) pin: bool,
    /// Grace period after the time limit before the game is lost [default: 0]
    #[arg(long, value_name = "MILLISECONDS", help_heading = "Faults")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) margin: Option<u64>,
    /// Time after which an engine that does not move counts as hung. With a clock or --st, it is counted from the end
    /// of the engine's time and is at most 5 s; with --nodes or --depth alone, it restarts with each line that the
    /// engine writes [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Faults")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) hang: Option<u64>,
    /// Win adjudication: the loser reports -SCORE centipawns or less for MOVES moves; with `both`, the winner must
    /// agree [default: none]
    #[arg(long, value_name = "MOVES,SCORE[,both]", help_heading = "Adjudication")]
    #[serde(deserialize_with = "settings_file::text")]
    pub(super) resign: Option<ResignRule>,
    /// Draw adjudication: from move FROM on, both sides report at most SCORE centipawns for MOVES moves in a row,
    /// without a capture or a pawn move, which restarts the count [default: none]
    #[arg(long, value_name = "FROM,MOVES,SCORE", help_heading = "Adjudication")]
    #[serde(deserialize_with = "settings_file::text")]
    pub(super) draw: Option<DrawRule>,
    /// Number of full moves, opening included, after which the game is drawn; the move number of a FEN is ignored
    /// [default: unlimited]
    #[arg(long, value_name = "MOVES", help_heading = "Adjudication")]
    #[serde(alias = "max_moves", deserialize_with = "settings_file::number")]
    pub(super) max_moves: Option<u32>,
    /// Folders of Syzygy tablebases for adjudication, as in the UCI option SyzygyPath [default: none]
    #[arg(long, value_name = "PATH", help_heading = "Adjudication")]
    pub(super) tb: Option<String>,
    /// Maximum number of men to probe, kings and pawns included [default: that of the tables]
    #[arg(long, value_name = "MEN", help_heading = "Adjudication")]
    #[serde(deserialize_with = "settings_file::number")]
    pub(super) tb_pieces: Option<usize>,
    /// Count tablebase wins as wins even where the 50-move rule draws them
    #[arg(long, help_heading = "Adjudication")]
    pub(super) tb_ignore_50: bool,
    /// Hypotheses of an SPRT, in Elo; the match ends when the test is decided [default: none]
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, help_heading = "Sequential test")]
    #[serde(deserialize_with = "settings_file::text")]
    pub(super) sprt: Option<Bounds>,
    /// Probability of accepting a change worth only ELO0 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", help_heading = "Sequential test")]
    pub(super) alpha: Option<f64>,
    /// Probability of rejecting a change worth ELO1 [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", help_heading = "Sequential test")]
    pub(super) beta: Option<f64>,
    /// Interpret ELO0 and ELO1 as normalised instead of logistic Elo
    #[arg(long, help_heading = "Sequential test")]
    pub(super) normalised: bool,
    /// Report every protocol fault and warning; exit with an error if there was a fault, or a fault lost a game
    #[arg(long, help_heading = "Faults")]
    pub(super) strict: bool,
    /// Event tag of the PGN [default: Bartizan match]
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub(super) event: Option<String>,
    /// Journal of the match, for --resume and `match ladder` [default: none]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) journal: Option<PathBuf>,
    /// Continue the match of a journal with its settings; options given as well must match them if they affect results
    /// [default: the file of --journal]
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "Output")]
    #[serde(skip)]
    pub(super) resume: Option<Option<PathBuf>>,
    /// PGN file to append the games to [default: none]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) pgn: Option<PathBuf>,
    /// File to append all engine input and output to [default: none]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) log: Option<PathBuf>,
    /// Do not print a line per finished game
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
    /// Print only the result, as JSON
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
}

/// Parses an engine. clap names the text, so the error only says what is wrong with it.
fn engine_spec(text: &str) -> Result<EngineSpec, EngineSpecErrorKind> {
    text.parse::<EngineSpec>().map_err(|error| error.kind)
}

/// The hypotheses of an SPRT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
}

impl FromStr for Bounds {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (elo0, elo1) = text.split_once(',')?;
            Some(Self { elo0: elo0.trim().parse().ok()?, elo1: elo1.trim().parse().ok()? })
        };
        parse().ok_or("expected two numbers ELO0,ELO1, such as 0,5")
    }
}

impl Options {
    /// These options, completed with those of the settings file if there is one.
    pub(super) fn with_file(mut self) -> anyhow::Result<Self> {
        let Some(path) = self.config.take() else { return Ok(self) };
        let mut file = settings_file::read(&path)?;
        /// Takes options and flags of the file. It does not compile if one is forgotten.
        macro_rules! fill {
            ($($option:ident)*; $($flag:ident)*) => {
                let Self { config: _, engines: _, tc: _, st: _, resume: _, $($option: _,)* $($flag: _),* } = &file;
                $(self.$option = self.$option.take().or(file.$option);)*
                $(self.$flag |= file.$flag;)*
            };
        }
        file.engines.append(&mut self.engines);
        self.engines = std::mem::take(&mut file.engines);
        if let (Some(own), Some(each)) = (&mut self.each, &file.each) {
            *own = own.or(each);
        }
        // A clock and a time for each move replace each other.
        if self.st.is_none() && self.tc.is_none() {
            (self.st, self.tc) = (file.st, file.tc);
        }
        fill! {
            each nodes depth format rounds openings seed opening_start opening_plies concurrency margin hang resign draw
            max_moves tb tb_pieces sprt alpha beta event journal pgn log;
            chess960 pin tb_ignore_50 normalised strict quiet json
        }
        Ok(self)
    }

    /// The settings of the match, completed and checked.
    pub(super) fn settings(&self) -> anyhow::Result<MatchSettings> {
        let mut settings = MatchSettings::default();
        settings.engines.clone_from(&self.engines);
        settings.each = self.each();
        settings.format = self.format.unwrap_or(settings.format);
        settings.rounds = self.rounds.unwrap_or(settings.rounds);
        settings.openings = self.openings()?;
        settings.chess960 = self.chess960;
        settings.concurrency = self.concurrency.unwrap_or(settings.concurrency);
        settings.pin = self.pin;
        settings.margin = self.margin.unwrap_or(settings.margin);
        settings.hang = self.hang.unwrap_or(settings.hang);
        settings.resign = self.resign;
        settings.draw = self.draw;
        settings.max_moves = self.max_moves;
        settings.tablebases = self.tablebases()?;
        settings.sprt = self.sprt()?;
        settings.strict = self.strict;
        settings.event = self.event.clone().unwrap_or(settings.event);
        Ok(settings.complete()?)
    }

    /// Defaults for engines that do not set these themselves.
    pub(super) fn each(&self) -> EngineSpec {
        let limits = EngineLimits { tc: self.tc, st: self.st, nodestime: None, nodes: self.nodes, depth: self.depth };
        EngineSpec::default().with_limits(limits).or(&self.each.clone().unwrap_or_default())
    }

    fn openings(&self) -> anyhow::Result<Option<OpeningSettings>> {
        let Some(file) = &self.openings else {
            if self.seed.is_some() || self.opening_start.is_some() || self.opening_plies.is_some() {
                bail!("--seed, --opening-start and --opening-plies need --openings");
            }
            return Ok(None);
        };
        let mut openings = OpeningSettings::new(file);
        openings.seed = self.seed;
        openings.start = self.opening_start.unwrap_or(openings.start);
        openings.plies = self.opening_plies;
        Ok(Some(openings))
    }

    fn tablebases(&self) -> anyhow::Result<Option<TablebaseRule>> {
        let Some(path) = self.tb.clone() else {
            if self.tb_pieces.is_some() || self.tb_ignore_50 {
                bail!("--tb-pieces and --tb-ignore-50 need --tb");
            }
            return Ok(None);
        };
        Ok(Some(TablebaseRule { path, pieces: self.tb_pieces, ignore_50: self.tb_ignore_50 }))
    }

    pub(super) fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some(Bounds { elo0, elo1 }) = self.sprt else {
            if self.alpha.is_some() || self.beta.is_some() || self.normalised {
                bail!("--alpha, --beta and --normalised need --sprt");
            }
            return Ok(None);
        };
        let model = if self.normalised { SprtModel::Normalised } else { SprtModel::Logistic };
        let (alpha, beta) = (self.alpha.unwrap_or(0.05), self.beta.unwrap_or(0.05));
        Ok(Some(Sprt::new(elo0, elo1, alpha, beta, model)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, Command};

    fn command() -> Command {
        Options::augment_args(Command::new("match"))
    }

    #[test]
    fn every_option_gives_its_default() {
        for arg in command().get_arguments().filter(|arg| arg.get_action().takes_values()) {
            let help = arg.get_help().unwrap().to_string();
            assert!(help.contains("[default: "), "--{}: {help}", arg.get_id());
        }
    }

    /// The help texts contain these defaults as text.
    #[test]
    fn the_defaults_of_the_help_are_those_of_the_settings() {
        let settings = MatchSettings::default();
        let of = |id: &str| {
            let command = command();
            let help = command.get_arguments().find(|arg| arg.get_id() == id).unwrap().get_help().unwrap().to_string();
            help.rsplit_once("[default: ").unwrap().1.trim_end_matches(']').to_owned()
        };
        assert_eq!(of("format"), settings.format.to_string());
        assert_eq!(of("rounds"), settings.rounds.to_string());
        assert_eq!(of("concurrency"), settings.concurrency.to_string());
        assert_eq!(of("margin"), settings.margin.to_string());
        assert_eq!(of("hang"), settings.hang.to_string());
        assert_eq!(of("event"), settings.event);
    }

    /// Each option of the command line is a key of the settings file, except those about the file and this run.
    #[test]
    fn options_and_keys_have_the_same_names() {
        for arg in command().get_arguments() {
            let name = arg.get_long().unwrap();
            let parsed: Result<Options, _> = serde_json::from_value(serde_json::json!({ name: null }));
            let is_unknown = parsed.is_err_and(|error| error.to_string().contains("unknown field"));
            assert_eq!(is_unknown, ["config", "resume"].contains(&name), "{name}");
        }
    }

    #[test]
    fn the_command_line_takes_precedence_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.toml");
        let file = r#"
            rounds = 3
            st = 1
            tb = "/tb"
            tb-pieces = 5
            resign = "4,700"
            each = { option = { Hash = 16, Ponder = false } }
            [[engine]]
            cmd = "a"
            [[engine]]
            cmd = "b"
            arg = ["-x", "y"]
            st = 0.1
            factor = 2.0
            option.Hash = 32
        "#;
        std::fs::write(&path, file).unwrap();
        let given = Options { config: Some(path), rounds: Some(7), tc: "10+0.1".parse().ok(), ..Options::default() };
        let settings = given.with_file().unwrap().settings().unwrap();
        assert_eq!(settings.rounds, 7);
        assert_eq!(settings.resign, "4,700".parse().ok());
        assert_eq!(settings.tablebases.as_ref().unwrap().pieces, Some(5));
        let [a, b] = &settings.engines[..] else { panic!("{settings:?}") };
        assert_eq!((a.limits().to_string(), b.limits().to_string()), ("10+0.1".into(), "0.2 s/move".into()));
        assert_eq!((a.options["Hash"].as_str(), a.options["Ponder"].as_str()), ("16", "false"));
        assert_eq!((b.options["Hash"].as_str(), b.args.len()), ("32", 2));
    }

    #[test]
    fn limits_of_each_do_not_mix_with_options() {
        let given = Options {
            engines: vec!["cmd=a".parse().unwrap(), "cmd=b".parse().unwrap()],
            each: Some("st=1 nodes=5".parse().unwrap()),
            tc: "10".parse().ok(),
            ..Options::default()
        };
        let settings = given.settings().unwrap();
        assert_eq!(
            settings.engines[0].limits(),
            EngineLimits { tc: given.tc, nodes: Some(5), ..EngineLimits::default() }
        );
    }
}
