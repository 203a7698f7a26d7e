//! A user's description of an engine.

use crate::limits::{EngineLimits, LimitsError, TimeControl, TimeControlError};
use crate::{EngineConfig, Protocol, Variant, program_name, same_option_name};
use bartizan_types::Excerpt;
use std::collections::BTreeMap;
use std::num::{ParseFloatError, ParseIntError};
use std::path::PathBuf;
use std::str::{FromStr, ParseBoolError};
use std::time::Duration;

/// An engine: its program, options and limits.
///
/// ```
/// use bartizan_client::EngineSpec;
///
/// let parsed: EngineSpec = "cmd=./engine name=dev option.Hash=64 tc=10+0.1".parse()?;
/// let built = EngineSpec::new("./engine").name("dev").option("Hash", "64").time_control("10+0.1".parse()?);
/// assert_eq!(parsed, built);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[non_exhaustive]
pub struct EngineSpec {
    /// Name in tables and PGN; by default the file name of the program, without an extension such as `.exe` or `.py`.
    pub name: Option<String>,
    /// Program: a path, or a name to look up in `PATH`.
    pub command: Option<PathBuf>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Working directory; by default the caller's.
    pub directory: Option<PathBuf>,
    /// Protocol: `uci` (the default) or `xboard`.
    pub protocol: Option<String>,
    /// Option values by option name.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "texts"))]
    pub options: BTreeMap<String, String>,
    /// Clock.
    pub tc: Option<TimeControl>,
    /// Seconds per move.
    pub st: Option<f64>,
    /// Nodes that count as a millisecond of clock and time: see [`EngineLimits::nodestime`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub nodestime: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Plies per move.
    pub depth: Option<u32>,
    /// Factor for all times of this engine; by default 1.
    pub factor: Option<f64>,
    /// Milliseconds by which this engine may overstep its time without losing the game; by default those of the match.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub margin: Option<u64>,
    /// Whether the engine ponders; by default it does not. A UCI engine needs the option `Ponder` for it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub ponder: Option<bool>,
    /// Whether to restart the engine for each game; by default it plays all games of its slot.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub restart: Option<bool>,
    /// Seconds for an answer that needs no search, 1 to 86,400; by default 10: see
    /// [`Timeouts::answer`](crate::Timeouts::answer).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub answer: Option<u64>,
}

/// Reads option values, which may also be numbers and booleans.
#[cfg(feature = "serde")]
fn texts<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = <BTreeMap<String, serde_json::Value> as serde::Deserialize>::deserialize(deserializer)?;
    let text = |value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(values.into_iter().map(|(name, value)| (name, text(value))).collect())
}

/// Why a text does not describe an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("invalid engine '{}': {kind}", Excerpt::with_length(spec, Excerpt::LINE))]
pub struct EngineSpecError {
    /// The whole text.
    pub spec: String,
    /// The problem.
    pub kind: EngineSpecErrorKind,
}

/// The problem in an engine's description.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineSpecErrorKind {
    /// A quotation mark is not closed.
    #[error("unterminated quotation mark")]
    UnclosedQuote,
    /// A backslash ends the text.
    #[error("a backslash at the end escapes nothing")]
    TrailingBackslash,
    /// A word is not of the form `KEY=VALUE`.
    #[error("'{}' is not KEY=VALUE", Excerpt::new(.0))]
    NotKeyValue(String),
    /// The first word is not of that form, as if it were the command.
    #[error("'{word}' is not KEY=VALUE; write cmd={word}", word = Excerpt::new(.0))]
    BareCommand(String),
    /// The key does not exist.
    #[error(
        "unknown key '{}' (expected cmd, name, dir, arg, proto, tc, st, nodestime, nodes, depth, factor, \
         margin, ponder, restart, answer or option.NAME)",
        Excerpt::new(.0)
    )]
    UnknownKey(String),
    /// The value is invalid for its key.
    #[error("invalid value in '{}={}': {reason}", Excerpt::new(key), Excerpt::new(value))]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The problem.
        reason: ValueError,
    },
}

/// Why a value is invalid for its key.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// The value is not a whole number, or too large.
    #[error("expected a whole number")]
    Integer(#[from] ParseIntError),
    /// The value is not a number.
    #[error("expected a number")]
    Number(#[from] ParseFloatError),
    /// The value is neither yes nor no.
    #[error("expected true or false")]
    Boolean(#[from] ParseBoolError),
    /// The value is not a time control.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
}

/// Parses `KEY=VALUE` words separated by spaces. The keys are `cmd`, `name`, `dir`, `arg` (may be repeated), `proto`,
/// `tc`, `st`, `nodestime`, `nodes`, `depth`, `factor`, `margin`, `ponder`, `restart`, `answer` and `option.NAME`.
/// Single and double quotes protect spaces; a backslash outside single quotes escapes a following space, quote or
/// backslash, and is literal elsewhere.
impl FromStr for EngineSpec {
    type Err = EngineSpecError;
    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        let parse = || {
            let mut spec = Self::default();
            for word in split_words(text)? {
                let Some((key, value)) = word.split_once('=') else {
                    let is_key = !matches!(Self::default().set(&word, ""), Err(EngineSpecErrorKind::UnknownKey(_)));
                    let is_command = spec == Self::default() && !is_key;
                    return Err(if is_command {
                        EngineSpecErrorKind::BareCommand(word)
                    } else {
                        EngineSpecErrorKind::NotKeyValue(word)
                    });
                };
                spec.set(key, value)?;
            }
            Ok(spec)
        };
        parse().map_err(|kind| EngineSpecError { spec: text.to_owned(), kind })
    }
}

impl EngineSpec {
    /// A UCI engine without arguments, options and limits.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self { command: Some(command.into()), ..Self::default() }
    }

    /// Sets the name in tables and PGN.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Adds an argument of the program.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Sets the protocol.
    #[must_use]
    pub fn protocol(self, protocol: Protocol) -> Self {
        let name = match protocol {
            Protocol::Uci => "uci",
            Protocol::Xboard => "xboard",
        };
        Self { protocol: Some(name.to_owned()), ..self }
    }

    /// Sets an option of the engine.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.insert(name.into(), value.into());
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn time_control(self, control: TimeControl) -> Self {
        Self { tc: Some(control), ..self }
    }

    /// Sets the number of nodes per move.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Sets all limits; those that are `None` are left open.
    #[must_use]
    pub fn with_limits(self, limits: EngineLimits) -> Self {
        let EngineLimits { tc, st, nodestime, nodes, depth } = limits;
        Self { tc, st, nodestime, nodes, depth, ..self }
    }

    /// Sets one of the keys that [`EngineSpec::from_str`] reads.
    ///
    /// ```
    /// use bartizan_client::{EngineSpec, EngineSpecErrorKind};
    ///
    /// let mut engine = EngineSpec::new("stockfish");
    /// engine.set("option.Hash", "64")?;
    /// engine.set("nodes", "100000")?;
    /// assert!(matches!(engine.set("colour", "white"), Err(EngineSpecErrorKind::UnknownKey(_))));
    /// # Ok::<(), EngineSpecErrorKind>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineSpecErrorKind::UnknownKey`] and [`EngineSpecErrorKind::Value`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), EngineSpecErrorKind> {
        let number = || -> Result<f64, ValueError> { Ok(value.parse()?) };
        let parse = |spec: &mut Self| -> Result<bool, ValueError> {
            match key {
                "cmd" | "command" => spec.command = Some(value.into()),
                "name" => spec.name = Some(value.to_owned()),
                "dir" | "directory" => spec.directory = Some(value.into()),
                "arg" => spec.args.push(value.to_owned()),
                "proto" | "protocol" => spec.protocol = Some(value.to_owned()),
                "tc" => spec.tc = Some(value.parse()?),
                "st" => spec.st = Some(number()?),
                "nodestime" => spec.nodestime = Some(value.parse()?),
                "nodes" => spec.nodes = Some(value.parse()?),
                "depth" => spec.depth = Some(value.parse()?),
                "factor" => spec.factor = Some(number()?),
                "margin" => spec.margin = Some(value.parse()?),
                "ponder" => spec.ponder = Some(value.parse()?),
                "restart" => spec.restart = Some(value.parse()?),
                "answer" => spec.answer = Some(value.parse()?),
                _ => match key.strip_prefix("option.") {
                    Some(name) if !name.is_empty() => {
                        spec.options.insert(name.to_owned(), value.to_owned());
                    }
                    _ => return Ok(false),
                },
            }
            Ok(true)
        };
        match parse(self) {
            Ok(true) => Ok(()),
            Ok(false) => Err(EngineSpecErrorKind::UnknownKey(key.to_owned())),
            Err(reason) => Err(EngineSpecErrorKind::Value { key: key.to_owned(), value: value.to_owned(), reason }),
        }
    }

    /// This engine with all unset fields taken from `each`.
    ///
    /// ```
    /// use bartizan_client::EngineSpec;
    ///
    /// let each: EngineSpec = "tc=10+0.1 option.Hash=64".parse()?;
    /// let engine: EngineSpec = "cmd=./engine option.Hash=16".parse()?;
    /// assert_eq!(engine.or(&each), "cmd=./engine tc=10+0.1 option.Hash=16".parse()?);
    /// # Ok::<(), bartizan_client::EngineSpecError>(())
    /// ```
    #[must_use]
    pub fn or(&self, each: &Self) -> Self {
        let mut options = each.options.clone();
        set_options(&mut options, &self.options);
        Self {
            name: self.name.clone(),
            command: self.command.clone().or_else(|| each.command.clone()),
            args: if self.args.is_empty() { each.args.clone() } else { self.args.clone() },
            directory: self.directory.clone().or_else(|| each.directory.clone()),
            protocol: self.protocol.clone().or_else(|| each.protocol.clone()),
            options,
            factor: self.factor.or(each.factor),
            margin: self.margin.or(each.margin),
            ponder: self.ponder.or(each.ponder),
            restart: self.restart.or(each.restart),
            answer: self.answer.or(each.answer),
            ..Self::default()
        }
        .with_limits(self.own_limits().or(each.own_limits()))
    }

    /// Sets options in addition to those already set, ignoring the case of their names.
    pub fn set_options(&mut self, options: &BTreeMap<String, String>) {
        set_options(&mut self.options, options);
    }

    fn own_limits(&self) -> EngineLimits {
        let Self { tc, st, nodestime, nodes, depth, .. } = *self;
        EngineLimits { tc, st, nodestime, nodes, depth }
    }

    /// The limits of a move, with all times multiplied by the factor.
    pub fn limits(&self) -> EngineLimits {
        self.own_limits().scaled(self.factor.unwrap_or(1.0))
    }

    /// Whether the engine ponders. For an xboard engine, the option `Ponder` counts as well.
    pub fn ponders(&self) -> bool {
        let is_xboard = || matches!(self.protocol.as_deref(), Some("xboard" | "cecp" | "winboard"));
        self.ponder == Some(true) || self.ponder_option() == Some("true") && is_xboard()
    }

    fn ponder_option(&self) -> Option<&str> {
        self.options.iter().find(|(name, _)| same_option_name(name, "Ponder")).map(|(_, value)| value.as_str())
    }

    /// Whether two engines play alike: everything is equal except the time for answers.
    pub fn plays_as(&self, other: &Self) -> bool {
        *other == Self { answer: other.answer, ..self.clone() }
    }

    /// The display name: the given one, or the [name of the program](program_name).
    pub fn label(&self) -> String {
        let program = || self.command.as_deref().map(program_name);
        self.name.clone().or_else(program).unwrap_or_else(|| "?".to_owned())
    }

    /// The configuration that starts this engine.
    ///
    /// ```no_run
    /// use bartizan_client::EngineSpec;
    ///
    /// let spec: EngineSpec = "cmd=stockfish option.Hash=64 tc=10+0.1".parse()?;
    /// spec.check()?;
    /// let engine = spec.client_config(false)?.start()?;
    /// println!("{}", engine.name());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineProblem::NoCommand`] and [`EngineProblem::Protocol`].
    pub fn client_config(&self, chess960: bool) -> Result<EngineConfig, EngineProblem> {
        let protocol = match self.protocol.as_deref().unwrap_or("uci") {
            "uci" => Protocol::Uci,
            "xboard" | "cecp" | "winboard" => Protocol::Xboard,
            other => return Err(EngineProblem::Protocol(other.to_owned())),
        };
        let command = self.command.clone().ok_or(EngineProblem::NoCommand)?;
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        let mut config = EngineConfig::new(command, protocol).name(self.label()).args(&self.args).variant(variant);
        config.directory.clone_from(&self.directory);
        if let Some(seconds) = self.answer {
            config.timeouts = config.timeouts.with_answer(Duration::from_secs(seconds));
        }
        if protocol == Protocol::Uci {
            config.options.extend(self.nodestime.map(|nodes| ("nodestime".to_owned(), nodes.to_string())));
        }
        config.options.extend(self.ponders().then(|| ("Ponder".to_owned(), "true".to_owned())));
        config.options.extend(self.options.clone());
        Ok(config)
    }

    /// Checks everything that can be checked before the engine starts.
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self) -> Result<(), EngineProblem> {
        self.client_config(false)?;
        self.own_limits().check()?;
        match (self.factor, self.answer) {
            (Some(factor), _) if !(1e-3..=1e3).contains(&factor) => Err(EngineProblem::Factor(factor)),
            (_, Some(seconds)) if !(1..=86_400).contains(&seconds) => Err(EngineProblem::Answer(seconds)),
            // The nodes that an engine reports after a ponder hit include those searched on the opponent's time.
            _ if self.ponders() && self.nodestime.is_some() => Err(EngineProblem::PonderByNodes),
            _ if self.ponder.is_some() && self.ponder_option().is_some_and(|value| value != "true") => {
                Err(EngineProblem::PonderOption)
            }
            _ => Ok(()),
        }
    }
}

/// Why an engine cannot play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineProblem {
    /// The program is missing.
    #[error("no program given (cmd=PROGRAM)")]
    NoCommand,
    /// The protocol does not exist.
    #[error("the protocol '{}' is neither uci nor xboard", Excerpt::new(.0))]
    Protocol(String),
    /// The limits cannot be used.
    #[error(transparent)]
    Limits(#[from] LimitsError),
    /// The factor for times is out of range.
    #[error("factor {0} is out of range (0.001 to 1000)")]
    Factor(f64),
    /// The time for answers is out of range.
    #[error("answer {0} is out of range (1 to 86400)")]
    Answer(u64),
    /// The engine should ponder, but its time is counted in nodes.
    #[error("ponder and nodestime cannot be combined")]
    PonderByNodes,
    /// The engine should ponder, but its option `Ponder` says otherwise.
    #[error("ponder contradicts option.Ponder")]
    PonderOption,
}

/// Splits at spaces, as described at [`EngineSpec::from_str`].
fn split_words(text: &str) -> Result<Vec<String>, EngineSpecErrorKind> {
    let (mut words, mut word, mut quote, mut any) = (Vec::new(), String::new(), None, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                any = true;
            }
            (None | Some('"'), '\\') => {
                let next = chars.next().ok_or(EngineSpecErrorKind::TrailingBackslash)?;
                // Windows separates folders by it.
                if !matches!(next, '\\' | '"' | '\'') && !next.is_whitespace() {
                    word.push(c);
                }
                word.push(next);
            }
            (None, _) if c.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            _ => word.push(c),
        }
    }
    if quote.is_some() {
        return Err(EngineSpecErrorKind::UnclosedQuote);
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Sets options, ignoring the case of their names.
fn set_options(to: &mut BTreeMap<String, String>, options: &BTreeMap<String, String>) {
    to.retain(|old, _| !options.keys().any(|name| same_option_name(name, old)));
    to.extend(options.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_an_engine() {
        let spec: EngineSpec =
            r#"cmd="/a b/c" name='x y' arg=-q option.Hash=16 option.Move\ Overhead=5 tc=2+0.02"#.parse().unwrap();
        assert_eq!(spec.command, Some("/a b/c".into()));
        assert_eq!(spec.label(), "x y");
        assert_eq!(spec.args, ["-q"]);
        let windows: EngineSpec = r#"cmd="C:\Program Files\sf.exe" dir=C:\\eng\ ines\new arg='\\'"#.parse().unwrap();
        assert_eq!(windows.command, Some(r"C:\Program Files\sf.exe".into()));
        assert_eq!((windows.directory, &*windows.args[0]), (Some(r"C:\eng ines\new".into()), r"\\"));
        assert_eq!(spec.options["Move Overhead"], "5");
        assert_eq!(spec.limits().to_string(), "2+0.02");
    }

    #[test]
    fn the_time_for_answers_has_a_range() {
        let [own, each]: [EngineSpec; 2] =
            ["cmd=a nodes=1 answer=30", "cmd=b nodes=1 answer=86400"].map(|text| text.parse().unwrap());
        assert_eq!([own.or(&each).answer, EngineSpec::new("a").or(&each).answer], [Some(30), Some(86_400)]);
        assert!(EngineSpec { answer: None, ..own.clone() }.plays_as(&own) && !own.plays_as(&each));
        let answer = |spec: &EngineSpec| spec.client_config(false).unwrap().timeouts.answer.as_secs();
        assert_eq!([&own, &each, &EngineSpec::new("a")].map(answer), [30, 86_400, 10]);
        assert_eq!([&own, &each].map(EngineSpec::check), [Ok(()), Ok(())]);
        for seconds in [0, 86_401] {
            let spec = EngineSpec { answer: Some(seconds), ..own.clone() };
            assert_eq!(spec.check(), Err(EngineProblem::Answer(seconds)));
        }
    }

    #[test]
    fn an_engine_has_a_margin_and_ponders() {
        let [own, each]: [EngineSpec; 2] =
            ["cmd=a st=1 ponder=false", "nodestime=5 margin=40 ponder=true"].map(|text| text.parse().unwrap());
        let both = own.or(&each);
        assert_eq!((both.margin, both.ponders(), both.check()), (Some(40), false, Ok(())));
        let ponders = EngineSpec::new("a").or(&each);
        let options = ponders.client_config(false).unwrap().options;
        assert_eq!(options.last(), Some(&("Ponder".to_owned(), "true".to_owned())));
        let timed = EngineSpec { st: Some(1.0), ..ponders };
        assert_eq!(timed.check(), Err(EngineProblem::PonderByNodes));
        let off = |text: &str| text.parse::<EngineSpec>().unwrap();
        assert_eq!(off("cmd=a nodes=1 ponder=true option.ponder=false").check(), Err(EngineProblem::PonderOption));
        assert_eq!(off("cmd=a nodes=1 ponder=true option.Ponder=true").check(), Ok(()));
        assert!(off("cmd=a proto=xboard option.Ponder=true").ponders() && !off("cmd=a option.Ponder=true").ponders());
        assert!(!both.plays_as(&EngineSpec { ponder: Some(true), ..both.clone() }));
        let error = "ponder=yes".parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.ends_with("invalid value in 'ponder=yes': expected true or false"), "{error}");
    }

    #[test]
    fn upper_and_lower_case_of_options_do_not_matter() {
        let [own, each] = ["option.hash=4", "option.Hash=16 option.Threads=2"].map(|text| text.parse().unwrap());
        let both: EngineSpec = EngineSpec::or(&own, &each);
        let all: Vec<_> = both.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(all, ["Threads=2", "hash=4"]);
    }

    #[test]
    fn errors_name_the_engine_and_the_word() {
        for (text, message) in [
            ("cmd", "invalid engine 'cmd': 'cmd' is not KEY=VALUE"),
            ("./x depth=3", "invalid engine './x depth=3': './x' is not KEY=VALUE; write cmd=./x"),
            ("cmd=x y", "invalid engine 'cmd=x y': 'y' is not KEY=VALUE"),
            ("x=1", "invalid engine 'x=1': unknown key 'x' (expected cmd, name,"),
            ("nodes=many", "invalid engine 'nodes=many': invalid value in 'nodes=many': expected a whole number"),
            ("tc=x", "invalid engine 'tc=x': invalid value in 'tc=x': expected [MOVES/]BASE"),
            ("cmd='a", "invalid engine 'cmd='a': unterminated quotation mark"),
            ("cmd=a\\", "invalid engine 'cmd=a\\': a backslash at the end escapes nothing"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn errors_quote_the_beginning_of_a_long_text() {
        let long = "ä".repeat(1 << 20);
        for text in
            [long.clone(), format!("{long}=1"), format!("nodes={long}"), format!("tc={long}"), format!("cmd='{long}")]
        {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains("ä…") && error.chars().count() < 400, "{}", error.len());
        }
        let error = EngineSpec { protocol: Some(long), ..EngineSpec::new("x") }.check().unwrap_err().to_string();
        assert!(error.contains("ä…") && error.len() < 400, "{}", error.len());
    }
}
