//! What to play: from the command line, from a file, or from both.

use super::adjudication::{DrawRule, ResignRule, TablebaseRule};
use super::limits::{Limits, TimeControl};
use super::openings::OpeningSettings;
use anyhow::{Context, anyhow, bail, ensure};
<<<<<<< HEAD
use bartizan_client::{EngineConfig, Protocol, Variant};
=======
use bartizan_client::{EngineConfig, Protocol};
use bartizan_stats::Sprt;
>>>>>>> 4643752 (stats: Move the statistics of matches to a crate of their own)
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An engine as a user describes it. What is missing comes from the settings for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineEntry {
    /// The name in tables and PGN; the program's if missing.
    pub name: Option<String>,
    /// The program.
    pub command: Option<PathBuf>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder in which it runs.
    pub directory: Option<PathBuf>,
    /// `uci` or `xboard`.
    pub protocol: Option<String>,
    /// Options by name.
    #[serde(deserialize_with = "texts")]
    pub options: BTreeMap<String, String>,
    /// A clock: `moves/base+increment`.
    pub tc: Option<TimeControl>,
    /// Seconds for each move.
    pub st: Option<f64>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// All its times are multiplied by this.
    pub factor: Option<f64>,
}

/// Option values may be written as numbers and booleans, too.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
    let text = |value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(values.into_iter().map(|(name, value)| (name, text(value))).collect())
}

impl EngineEntry {
    /// Reads `key=value` words: `cmd= name= dir= arg= proto= tc= st= nodes= depth= factor= option.NAME=`. Quotes keep
    /// blanks together.
    ///
    /// # Errors
    /// Names the word that is wrong.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let words = split_words(text).with_context(|| format!("engine '{text}'"))?;
        let mut entry = Self::default();
        for word in words {
            let (key, value) =
                word.split_once('=').with_context(|| format!("engine '{text}': '{word}' is not key=value"))?;
            entry.set(key, value).with_context(|| format!("engine '{text}': {key}={value}"))?;
        }
        Ok(entry)
    }

    fn set(&mut self, key: &str, value: &str) -> anyhow::Result<()> {
        match key {
            "cmd" | "command" => self.command = Some(value.into()),
            "name" => self.name = Some(value.to_owned()),
            "dir" | "directory" => self.directory = Some(value.into()),
            "arg" => self.args.push(value.to_owned()),
            "proto" | "protocol" => self.protocol = Some(value.to_owned()),
            "tc" => self.tc = Some(value.parse()?),
            "st" => self.st = Some(value.parse().context("no number of seconds")?),
            "nodes" => self.nodes = Some(value.parse().context("no number of nodes")?),
            "depth" => self.depth = Some(value.parse().context("no number of plies")?),
            "factor" => self.factor = Some(value.parse().context("no number")?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.insert(name.to_owned(), value.to_owned());
                }
                _ => bail!("unknown key (cmd, name, dir, arg, proto, tc, st, nodes, depth, factor, option.NAME)"),
            },
        }
        Ok(())
    }

    /// With what `each` says where this entry says nothing.
    #[must_use]
    pub fn or(&self, each: &Self) -> Self {
        let limits = self.own_limits().or(each.own_limits());
        let mut options = each.options.clone();
        options.extend(self.options.clone());
        Self {
            name: self.name.clone(),
            command: self.command.clone().or_else(|| each.command.clone()),
            args: if self.args.is_empty() { each.args.clone() } else { self.args.clone() },
            directory: self.directory.clone().or_else(|| each.directory.clone()),
            protocol: self.protocol.clone().or_else(|| each.protocol.clone()),
            options,
            tc: limits.tc,
            st: limits.st,
            nodes: limits.nodes,
            depth: limits.depth,
            factor: self.factor.or(each.factor),
        }
    }

    fn own_limits(&self) -> Limits {
        Limits { tc: self.tc, st: self.st, nodes: self.nodes, depth: self.depth }
    }

    /// How long it may think.
    pub fn limits(&self) -> Limits {
        self.own_limits().scaled(self.factor.unwrap_or(1.0))
    }

    /// The name to show.
    pub fn label(&self) -> String {
        let program = || {
            self.command
                .as_ref()
                .and_then(|command| command.file_stem())
                .map(|stem| stem.to_string_lossy().into_owned())
        };
        self.name.clone().or_else(program).unwrap_or_else(|| "?".to_owned())
    }

    /// What the client needs.
    pub fn client_config(&self, chess960: bool) -> anyhow::Result<EngineConfig> {
        let label = self.label();
        let protocol = match self.protocol.as_deref().unwrap_or("uci") {
            "uci" => Protocol::Uci,
            "xboard" | "cecp" | "winboard" => Protocol::Xboard,
            other => bail!("engine {label}: protocol '{other}' is neither uci nor xboard"),
        };
        let command = self.command.clone().with_context(|| format!("engine {label}: no command is given"))?;
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        let mut config = EngineConfig::new(command, protocol).name(label).args(&self.args).variant(variant);
        config.directory.clone_from(&self.directory);
        config.options.extend(self.options.clone());
        Ok(config)
    }

    fn check(&self) -> anyhow::Result<()> {
        let label = self.label();
        self.client_config(false)?;
        self.own_limits().check(&label)?;
        let factor = self.factor.unwrap_or(1.0);
        ensure!(
            factor.is_finite() && (1e-3..=1e3).contains(&factor),
            "engine {label}: factor {factor} is out of range (0.001 to 1000)"
        );
        Ok(())
    }
}

/// Splits at blanks; single and double quotes keep blanks, a backslash keeps the next character.
fn split_words(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut words, mut word, mut quote, mut any) = (Vec::new(), String::new(), None, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                any = true;
            }
            (None | Some('"'), '\\') => word.push(chars.next().context("a backslash at the end")?),
            (None, _) if c.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            _ => word.push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed");
    if any || !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first engine against each of the others.
    Gauntlet,
    /// The first against the second, the third against the fourth, and so on, each two with an opening of their own.
    Pairs,
}

/// A whole match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// For the PGN's Event tag.
    pub event: String,
    /// The players.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineEntry>,
    /// What holds for every engine that does not say otherwise.
    pub each: EngineEntry,
    /// Who plays whom.
    pub format: Format,
    /// Pairs of games for each pair of engines.
    pub rounds: u32,
    /// Where games begin.
    pub openings: Option<OpeningSettings>,
    /// Chess960.
    pub chess960: bool,
    /// Games at once.
    pub concurrency: usize,
    /// Whether each slot stays on a core of its own.
    pub pin: bool,
    /// Milliseconds that a clock may be overdrawn.
    pub margin: u64,
    /// Seconds without a move, beyond its clock or without one, after which an engine counts as hung.
    pub hang: u64,
    /// Adjudicate won games.
    pub resign: Option<ResignRule>,
    /// Adjudicate drawn games.
    pub draw: Option<DrawRule>,
    /// Longer games are drawn.
    pub max_moves: Option<u32>,
    /// Adjudicate by tablebases.
    pub tablebases: Option<TablebaseRule>,
    /// Stop when this test is decided.
    pub sprt: Option<Sprt>,
    /// Report every fault of protocol and fail at the end if there was one.
    pub strict: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            event: "Bartizan match".to_owned(),
            engines: Vec::new(),
            each: EngineEntry::default(),
            format: Format::default(),
            rounds: 1,
            openings: None,
            chess960: false,
            concurrency: 1,
            pin: false,
            margin: 0,
            hang: 60,
            resign: None,
            draw: None,
            max_moves: None,
            tablebases: None,
            sprt: None,
            strict: false,
        }
    }
}

impl Settings {
    /// Reads a TOML or JSON file.
    ///
    /// # Errors
    /// Names the file and what is wrong in it, with its line.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let parsed = if is_json {
            serde_json::from_str(&text).map_err(|error| anyhow!(error))
        } else {
            toml::from_str(&text).map_err(|error| anyhow!(error))
        };
        parsed.with_context(|| path.display().to_string())
    }

    /// Fills in what `each` says and checks everything that can be checked before a game starts.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn complete(mut self) -> anyhow::Result<Self> {
        self.engines = self.engines.iter().map(|engine| engine.or(&self.each)).collect();
        self.each = EngineEntry::default();
        ensure!(self.engines.len() >= 2, "a match needs two engines, {} given", self.engines.len());
        ensure!(self.rounds >= 1, "rounds must be at least 1");
        ensure!(
            self.format != Format::Pairs || self.engines.len().is_multiple_of(2),
            "pairs need an even number of engines, {} given",
            self.engines.len()
        );
        ensure!(
            (1..=1_024).contains(&self.concurrency),
            "concurrency {} is out of range (1 to 1024)",
            self.concurrency
        );
        for engine in &self.engines {
            engine.check()?;
        }
        // Same names would be one row in every table.
        for index in 1..self.engines.len() {
            let label = self.engines[index].label();
            if self.engines[..index].iter().any(|other| other.label() == label) {
                self.engines[index].name = Some(format!("{label} ({})", index + 1));
            }
        }
        if let Some(sprt) = &self.sprt {
            ensure!(self.engines.len() == 2, "an SPRT needs exactly two engines, {} given", self.engines.len());
            sprt.validate()?;
        }
        Ok(self)
    }

    /// What must be the same for results to belong to one tournament. Rounds may grow, and how games are run may change.
    pub fn same_tournament(&self, other: &Self) -> Result<(), &'static str> {
        if self.engines != other.engines {
            Err("the engines")
        } else if self.format != other.format {
            Err("the format")
        } else if self.openings != other.openings {
            Err("the openings")
        } else if self.chess960 != other.chess960 {
            Err("chess960")
        } else if (&self.resign, &self.draw, self.max_moves) != (&other.resign, &other.draw, other.max_moves)
            || self.tablebases != other.tablebases
        {
            Err("the adjudication")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_from_words_and_files() {
        let entry =
            EngineEntry::parse(r#"cmd="/a b/c" name='x y' arg=-q option.Hash=16 option.Move\ Overhead=5 tc=2+0.02"#)
                .unwrap();
        assert_eq!(entry.command, Some("/a b/c".into()));
        assert_eq!(entry.label(), "x y");
        assert_eq!(entry.options["Move Overhead"], "5");
        for (text, part) in [
            ("cmd", "'cmd' is not key=value"),
            ("x=1", "unknown key"),
            ("tc=x", "time control 'x'"),
            ("cmd='a", "not closed"),
        ] {
            let error = format!("{:#}", EngineEntry::parse(text).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
        let file = r#"
            rounds = 3
            tablebases = { path = "/tb", pieces = 5 }
            [each]
            tc = "10+0.1"
            options = { Hash = 16, Ponder = false }
            [[engine]]
            command = "a"
            [[engine]]
            command = "b"
            st = 0.1
            factor = 2.0
        "#;
        let settings: Settings = toml::from_str(file).unwrap();
        let settings = settings.complete().unwrap();
        assert_eq!(settings.engines[0].limits().to_string(), "10+0.1");
        assert_eq!(settings.engines[0].options["Hash"], "16");
        assert_eq!(settings.engines[1].limits().to_string(), "0.2 s/move");
        let rule = TablebaseRule { path: "/tb".to_owned(), pieces: Some(5), ignore_50: false };
        assert_eq!(settings.tablebases.as_ref(), Some(&rule));
        let other = Settings { tablebases: None, ..settings.clone() };
        assert_eq!(settings.same_tournament(&other), Err("the adjudication"));
        assert!(toml::from_str::<Settings>("rouds = 3").unwrap_err().to_string().contains("rouds"));
    }

    #[test]
    fn what_is_wrong_is_named_before_a_game_starts() {
        let two = |a: &str, b: &str| Settings {
            engines: vec![EngineEntry::parse(a).unwrap(), EngineEntry::parse(b).unwrap()],
            ..Settings::default()
        };
        let error = |settings: Settings| format!("{:#}", settings.complete().unwrap_err());
        assert!(error(Settings::default()).contains("two engines, 0 given"));
        assert!(error(two("cmd=a nodes=1", "nodes=1")).contains("no command"));
        assert!(error(two("cmd=a nodes=1", "cmd=b")).contains("engine b: no limit"));
        assert!(error(two("cmd=a nodes=1", "cmd=b nodes=1 proto=x")).contains("'x' is neither"));
        let same = two("cmd=a nodes=1", "cmd=a nodes=1").complete().unwrap();
        assert_ne!(same.engines[0].label(), same.engines[1].label());
    }
}
