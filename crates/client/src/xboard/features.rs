//! The features that an xboard engine declares, and its options.

use super::Xboard;
use crate::link::{Link, RECOGNITION, Written, after};
use crate::option::check_value;
use crate::uci::is_uciok;
use crate::{ClientError, OptionDecl, OptionError, Protocol};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{self, same_option_name};
use bartizan_protocol::xboard::{self, Command, Feature, FeatureValue, Message};
use std::time::{Duration, Instant};

/// After this silence an engine is treated as one of protocol version 1, which has no features, as in xboard.
const SILENCE: Duration = Duration::from_secs(2);

/// The features of an engine, with the protocol's defaults for undeclared ones.
pub(crate) struct Features {
    pub(crate) name: Option<String>,
    pub(crate) ping: bool,
    pub(crate) setboard: bool,
    pub(crate) usermove: bool,
    pub(crate) time: bool,
    pub(crate) reuse: bool,
    pub(crate) nps: bool,
    pub(crate) exclude: bool,
    pub(crate) analyze: bool,
    pub(crate) variants: Vec<String>,
    memory: bool,
    smp: bool,
    tables: Vec<String>,
    pub(crate) options: Vec<OptionDecl>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            nps: false,
            exclude: false,
            analyze: true,
            variants: vec!["normal".to_owned()],
            memory: false,
            smp: false,
            tables: Vec::new(),
            options: Vec::new(),
        }
    }
}

impl Features {
    /// Sends `protover 2` and reads features up to `done=1` or until the engine falls silent. After `done=0` it may
    /// take all of `timeout`. An engine without features is also asked whether it speaks UCI.
    pub(super) fn negotiate(link: &mut Link, timeout: Duration) -> Result<Self, ClientError> {
        let start = Instant::now();
        let mut features = Self::default();
        let (mut are_declared, mut is_asked, mut needs_time) = (false, false, false);
        let mut written = Written::default();
        Xboard::greet(link)?;
        loop {
            let wait = match (needs_time, is_asked) {
                (true, _) => timeout,
                (false, false) => SILENCE.min(timeout / 2),
                (false, true) => timeout.min(SILENCE + RECOGNITION),
            };
            let line = match link.receive(after(start, wait), "feature done=1") {
                Ok(line) => line,
                Err(ClientError::Timeout { .. }) if !needs_time && (are_declared || is_asked) => return Ok(features),
                Err(ClientError::Timeout { .. }) if !needs_time => {
                    link.send(uci::Command::Uci)?;
                    is_asked = true;
                    continue;
                }
                Err(error) => return Err(error),
            };
            if is_asked && is_uciok(&line.text) {
                return Err(ClientError::OtherProtocol { engine: link.name.clone(), speaks: Protocol::Uci });
            }
            link.count(&mut written, &line, "feature done=1")?;
            let Some(Message::Features(list)) = Message::parse(&line.text) else { continue };
            are_declared = true;
            let mut done = false;
            for feature in list {
                match (feature.name.as_str(), feature.is_on()) {
                    ("done", true) => done = true,
                    ("done", false) => needs_time = true,
                    _ => {}
                }
                let name = feature.name.clone();
                link.send(if features.take(feature) { Command::Accepted(name) } else { Command::Rejected(name) })?;
            }
            if done {
                return Ok(features);
            }
        }
    }

    /// Stores a feature. Returns whether it is accepted.
    fn take(&mut self, feature: Feature) -> bool {
        let on = feature.is_on();
        let list = |text: &str, part: char| text.split(part).map(|word| word.trim().to_owned()).collect();
        match (feature.name.as_str(), feature.value) {
            ("ping", _) => self.ping = on,
            ("setboard", _) => self.setboard = on,
            ("usermove", _) => self.usermove = on,
            ("time", _) => self.time = on,
            ("reuse", _) => self.reuse = on,
            ("nps", _) => self.nps = on,
            ("exclude", _) => self.exclude = on,
            ("analyze", _) => self.analyze = on,
            ("memory", _) => self.memory = on,
            ("smp", _) => self.smp = on,
            ("myname", FeatureValue::Text(name)) => self.name = Some(name),
            ("variants", FeatureValue::Text(text)) => self.variants = list(&text, ','),
            ("egt", FeatureValue::Text(text)) => self.tables = list(&text, ','),
            ("option", FeatureValue::Text(text)) => match xboard::OptionDecl::parse(&text) {
                Some(xboard::OptionDecl { name, kind }) => self.options.push(OptionDecl { name, kind }),
                None => return false,
            },
            // The client writes moves in coordinates and does not send `white` or `black`.
            ("san" | "colors", _) => return !on,
            ("playother" | "draw" | "sigint" | "sigterm" | "ics" | "name" | "pause" | "debug" | "done", _) => {}
            _ => return false,
        }
        true
    }

    pub(crate) fn set_option(&self, link: &mut Link, name: &str, value: &str) -> Result<(), ClientError> {
        if let Some(option) = self.options.iter().find(|option| same_option_name(&option.name, name)) {
            let value = check_value(&option.kind, value).map_err(|reason| link.option_error(name, reason))?;
            let value = match (&option.kind, value) {
                (OptionKind::Check { .. }, Some(value)) => Some(u8::from(value == "true").to_string()),
                (_, value) => value,
            };
            return link.send(Command::Option { name: option.name.clone(), value });
        }
        let is = |common: &str| same_option_name(name, common);
        let number = |link: &Link| -> Result<u32, ClientError> {
            let kind = OptionKind::Spin { default: 1, min: 1, max: u32::MAX.into() };
            let value = check_value(&kind, value).map_err(|reason| link.option_error(name, reason))?;
            Ok(value.and_then(|value| value.parse::<u32>().ok()).unwrap_or(1))
        };
        if self.memory && (is("memory") || is("Hash")) {
            let megabytes = number(link)?.into();
            link.send(Command::Memory(megabytes))
        } else if self.smp && (is("cores") || is("Threads")) {
            let cores = number(link)?;
            link.send(Command::Cores(cores))
        } else if is("SyzygyPath") && self.tables.iter().any(|kind| kind == "syzygy") {
            link.send(Command::EgtPath { kind: "syzygy".to_owned(), path: value.to_owned() })
        } else {
            Err(link.option_error(name, OptionError::unknown(name, &self.options)))
        }
    }
}
