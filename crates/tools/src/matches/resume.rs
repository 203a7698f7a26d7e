//! Resuming a match: the settings stand in its journal, and those that are given too are compared with them.

use super::args::Options;
use crate::files::shown;
use anyhow::ensure;
use bartizan_match::{EngineSpec, Settings};
use bartizan_stats::{Sprt, SprtModel};
use std::fmt::Display;
use std::path::Path;

/// What is given and not what the journal has, as texts for people.
struct Differences(Vec<String>);

impl Differences {
    fn show<T: PartialEq + Display>(&mut self, option: &str, given: Option<&T>, stored: Option<&T>) {
        if let Some(given) = given
            && Some(given) != stored
        {
            let stored = stored.map_or_else(|| "none".to_owned(), T::to_string);
            self.add(option, given, &stored);
        }
    }

    fn flag(&mut self, option: &str, given: bool, stored: bool) {
        if given && !stored {
            self.0.push(format!("{option} (the journal is without)"));
        }
    }

    fn add(&mut self, option: &str, given: impl Display, stored: &str) {
        let given = given.to_string();
        self.0.push(format!("{option} {} (the journal has {})", shown(&given), shown(stored)));
    }

    /// Compares what an engine sets with the engine of the journal.
    fn engine(&mut self, index: usize, given: &EngineSpec, stored: &EngineSpec) {
        let of = |key: &str| format!("{key} of engine '{}'", stored.label());
        let path = |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.display().to_string());
        // Engines with the same name have got a number.
        let numbered = given.name.as_ref().map(|name| format!("{name} ({})", index + 1));
        if numbered != stored.name {
            self.show(&of("name"), given.name.as_ref(), stored.name.as_ref());
        }
        self.show(&of("cmd"), path(&given.command).as_ref(), path(&stored.command).as_ref());
        self.show(&of("dir"), path(&given.directory).as_ref(), path(&stored.directory).as_ref());
        self.show(&of("proto"), given.protocol.as_ref(), stored.protocol.as_ref());
        if !given.args.is_empty() {
            self.show(&of("arg"), Some(&given.args.join(" ")), Some(&stored.args.join(" ")));
        }
        for (name, value) in &given.options {
            self.show(&of(&format!("option.{name}")), Some(value), stored.options.get(name));
        }
        self.show(&of("tc"), given.tc.as_ref(), stored.tc.as_ref());
        self.show(&of("st"), given.st.as_ref(), stored.st.as_ref());
        self.show(&of("nodestime"), given.nodestime.as_ref(), stored.nodestime.as_ref());
        self.show(&of("nodes"), given.nodes.as_ref(), stored.nodes.as_ref());
        self.show(&of("depth"), given.depth.as_ref(), stored.depth.as_ref());
        self.show(&of("factor"), given.factor.as_ref(), stored.factor.as_ref());
    }
}

/// A sequential test as the options of the command line.
fn sprt_options(sprt: &Sprt) -> String {
    let Sprt { elo0, elo1, alpha, beta, model } = sprt;
    let normalised = if *model == SprtModel::Normalised { " --normalised" } else { "" };
    format!("{elo0},{elo1} --alpha {alpha} --beta {beta}{normalised}")
}

impl Options {
    /// The settings of a match that is resumed: those of the journal. How many games are played and how they are run
    /// may change; what decides results may not.
    pub(super) fn resumed(&self, stored: Settings, journal: &Path) -> anyhow::Result<Settings> {
        let mut differences = Differences(Vec::new());
        let limits = EngineSpec::default().limited(self.tc, self.st, self.nodes, self.depth);
        let each = limits.or(&self.each.clone().unwrap_or_default());
        if self.engines.is_empty() {
            for (index, engine) in stored.engines.iter().enumerate() {
                differences.engine(index, &each, engine);
            }
        } else if self.engines.len() == stored.engines.len() {
            for (index, (given, engine)) in self.engines.iter().zip(&stored.engines).enumerate() {
                differences.engine(index, &given.or(&each), engine);
            }
        } else {
            let given = format!("given {} times", self.engines.len());
            differences.add("--engine", given, &format!("{} engines", stored.engines.len()));
        }
        differences.show("--format", self.format.as_ref(), Some(&stored.format));
        let openings = stored.openings.as_ref();
        let file = |path: &std::path::PathBuf| path.display().to_string();
        differences.show(
            "--openings",
            self.openings.as_ref().map(file).as_ref(),
            openings.map(|openings| file(&openings.file)).as_ref(),
        );
        differences.show("--seed", self.seed.as_ref(), openings.and_then(|openings| openings.seed.as_ref()));
        differences.show("--opening-start", self.opening_start.as_ref(), openings.map(|openings| &openings.start));
        let plies = openings.and_then(|openings| openings.plies.as_ref());
        differences.show("--opening-plies", self.opening_plies.as_ref(), plies);
        differences.show("--margin", self.margin.as_ref(), Some(&stored.margin));
        differences.show("--hang", self.hang.as_ref(), Some(&stored.hang));
        differences.flag("--chess960", self.chess960, stored.chess960);
        differences.show("--resign", self.resign.as_ref(), stored.resign.as_ref());
        differences.show("--draw", self.draw.as_ref(), stored.draw.as_ref());
        differences.show("--max-moves", self.max_moves.as_ref(), stored.max_moves.as_ref());
        let tables = stored.tablebases.as_ref();
        differences.show("--tb", self.tb.as_ref(), tables.map(|tables| &tables.path));
        let pieces = tables.and_then(|tables| tables.pieces.as_ref());
        differences.show("--tb-pieces", self.tb_pieces.as_ref(), pieces);
        differences.flag("--tb-ignore-50", self.tb_ignore_50, tables.is_some_and(|tables| tables.ignore_50));
        let sprt = self.sprt()?;
        if stored.sprt.is_some() {
            let [given, stored] = [&sprt, &stored.sprt].map(|sprt| sprt.as_ref().map(sprt_options));
            differences.show("--sprt", given.as_ref(), stored.as_ref());
        }
        ensure!(
            differences.0.is_empty(),
            "cannot resume '{}': it was begun with other settings: {}",
            journal.display(),
            differences.0.join(", ")
        );
        let mut settings = stored;
        settings.rounds = self.rounds.unwrap_or(settings.rounds);
        settings.concurrency = self.concurrency.unwrap_or(settings.concurrency);
        settings.pin |= self.pin;
        settings.sprt = settings.sprt.or(sprt);
        settings.strict |= self.strict;
        settings.event = self.event.clone().unwrap_or(settings.event);
        Ok(settings.complete()?)
    }
}
