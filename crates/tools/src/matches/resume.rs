//! Resumes a match: its journal has the settings, and those given again are compared with them.

use super::args::Options;
use crate::resume::{SettingsComparison, path};
use anyhow::Context;
use bartizan_client::same_option_name;
use bartizan_match::{EngineSpec, MatchSettings};
use bartizan_stats::{Sprt, SprtModel};
use bartizan_types::Escaped;
use std::path::Path;

/// Compares an engine's settings with the engine of the journal.
fn compare_engine(compared: &mut SettingsComparison, index: usize, given: &EngineSpec, stored: &EngineSpec) {
    let of = |key: &str| format!("{key} of engine '{}'", stored.label());
    // Engines with the same name were numbered.
    let numbered = given.name.as_ref().map(|name| format!("{name} ({})", index + 1));
    if numbered != stored.name {
        compared.optional(&of("name"), given.name.as_ref(), stored.name.as_ref());
    }
    compared.optional(&of("cmd"), path(given.command.as_ref()), path(stored.command.as_ref()));
    compared.optional(&of("dir"), path(given.directory.as_ref()), path(stored.directory.as_ref()));
    compared.optional(&of("proto"), given.protocol.as_ref(), stored.protocol.as_ref());
    if !given.args.is_empty() {
        compared.stored(&of("arg"), Some(given.args.join(" ")), stored.args.join(" "));
    }
    for (name, value) in &given.options {
        let known = stored.options.iter().find(|(other, _)| same_option_name(other, name));
        compared.optional(&of(&format!("option.{name}")), Some(value), known.map(|(_, value)| value));
    }
    compared.optional(&of("tc"), given.tc, stored.tc);
    compared.optional(&of("st"), given.st, stored.st);
    compared.optional(&of("nodestime"), given.nodestime, stored.nodestime);
    compared.optional(&of("nodes"), given.nodes, stored.nodes);
    compared.optional(&of("depth"), given.depth, stored.depth);
    compared.optional(&of("factor"), given.factor, stored.factor);
    compared.optional(&of("margin"), given.margin, stored.margin);
    compared.optional(&of("ponder"), given.ponder, Some(stored.ponders()));
    compared.optional(&of("restart"), given.restart, Some(stored.restart == Some(true)));
}

/// A sequential test in the form of the command-line options.
fn sprt_options(sprt: &Sprt) -> String {
    let Sprt { elo0, elo1, alpha, beta, model } = sprt;
    let normalised = if *model == SprtModel::Normalised { " --normalised" } else { "" };
    format!("{elo0},{elo1} --alpha {alpha} --beta {beta}{normalised}")
}

impl Options {
    /// The settings of a resumed match: those of the journal. The number of games and how they are run may change, but
    /// not what affects the results.
    pub(super) fn resumed(&self, stored: MatchSettings, journal: &Path) -> anyhow::Result<MatchSettings> {
        let mut compared = SettingsComparison::with("journal");
        let each = self.each();
        if self.engines.is_empty() {
            for (index, engine) in stored.engines.iter().enumerate() {
                compare_engine(&mut compared, index, &each, engine);
            }
        } else if self.engines.len() == stored.engines.len() {
            for (index, (given, engine)) in self.engines.iter().zip(&stored.engines).enumerate() {
                compare_engine(&mut compared, index, &given.or(&each), engine);
            }
        } else {
            let given = format!("given {} times", self.engines.len());
            compared.differs("--engine", &given, &format!("{} engines", stored.engines.len()));
        }
        compared.stored("--format", self.format, stored.format);
        let openings = stored.openings.as_ref();
        let file = openings.map(|openings| &openings.file);
        compared.optional("--openings", path(self.openings.as_ref()), path(file));
        compared.optional("--seed", self.seed, openings.and_then(|openings| openings.seed));
        compared.optional("--opening-start", self.opening_start, openings.map(|openings| openings.start));
        compared.optional("--opening-plies", self.opening_plies, openings.and_then(|openings| openings.plies));
        compared.stored("--margin", self.margin, stored.margin);
        compared.stored("--hang", self.hang, stored.hang);
        compared.flag("--chess960", self.chess960, stored.chess960);
        compared.optional("--resign", self.resign, stored.resign);
        compared.optional("--draw", self.draw, stored.draw);
        compared.optional("--max-moves", self.max_moves, stored.max_moves);
        let tables = stored.tablebases.as_ref();
        compared.optional("--tb", self.tb.as_ref(), tables.map(|tables| &tables.path));
        compared.optional("--tb-pieces", self.tb_pieces, tables.and_then(|tables| tables.pieces));
        compared.flag("--tb-ignore-50", self.tb_ignore_50, tables.is_some_and(|tables| tables.ignore_50));
        let sprt = self.sprt()?;
        if stored.sprt.is_some() {
            let [given, stored] = [&sprt, &stored.sprt].map(|sprt| sprt.as_ref().map(sprt_options));
            compared.optional("--sprt", given, stored);
        }
        compared.finish().with_context(|| format!("cannot resume '{}'", Escaped(journal.display())))?;
        let mut settings = stored;
        for (index, engine) in settings.engines.iter_mut().enumerate() {
            let given = self.engines.get(index).and_then(|given| given.answer);
            engine.answer = given.or(each.answer).or(engine.answer);
        }
        settings.rounds = self.rounds.unwrap_or(settings.rounds);
        settings.concurrency = self.concurrency.unwrap_or(settings.concurrency);
        settings.pin |= self.pin;
        settings.sprt = settings.sprt.or(sprt);
        settings.strict |= self.strict;
        settings.event = self.event.clone().unwrap_or(settings.event);
        Ok(settings.complete()?)
    }
}
