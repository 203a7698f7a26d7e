//! Selects games of a collection by a filter, without duplicates, up to a number or as a sample.

use crate::filter::Filter;
use crate::reading::GameText;
use crate::{ExportForm, GameIdentity, Reservoir};
use std::collections::HashSet;
use std::fmt;

/// Which of the games that fulfil the conditions to take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// Whether to read the moves of every game and its variations, so that all problems and broken games are found.
    pub check: bool,
    /// Whether to take only the first of several games with the same moves and start position.
    pub no_duplicates: bool,
    /// Whether games with different players count as different.
    pub same_players: bool,
    /// Size of a random sample.
    pub sample: Option<usize>,
    /// Seed of the sample.
    pub seed: u64,
    /// Maximum number of games to take.
    pub limit: Option<u64>,
    /// Whether the games not taken are also wanted.
    pub keeps_rest: bool,
}

/// What to do with a text.
#[derive(Clone, Debug)]
enum Verdict {
    /// The game is wanted: its output text, and its identity for finding duplicates.
    Wanted(Vec<u8>, Option<GameIdentity>),
    Unwanted,
    Broken,
    /// Not a game, but the rest of one, or a comment.
    Rest,
}

/// A text that has been judged on its own.
#[derive(Clone, Debug)]
pub struct Judged {
    verdict: Verdict,
    /// The text, where it may be needed.
    text: Vec<u8>,
}

impl Selection {
    /// Judges a text on its own: whether it fulfils the conditions, and how it is written.
    pub fn judge(&self, filter: &Filter, form: &ExportForm, game: &GameText<'_>) -> Judged {
        let raw = game.raw;
        let keeps_text = self.keeps_rest || self.sample.is_some();
        let text =
            |verdict| Judged { verdict, text: if keeps_text { raw.line_text().into_owned() } else { Vec::new() } };
        if !raw.is_game {
            return Judged { verdict: Verdict::Rest, text: raw.bytes.clone() };
        }
        let by_tags = filter.by_tags(raw);
        // A game that arrives in parts cannot wait in a sample.
        let needs_moves = form.needs_moves() || self.no_duplicates || self.sample.is_some() && raw.is_part;
        let pgn = if by_tags.is_none() || by_tags == Some(true) && needs_moves {
            let pgn = if self.check { game.read_checked().and_then(Result::ok) } else { game.read(usize::MAX) };
            match pgn {
                Some(pgn) => Some(pgn),
                None => return text(Verdict::Broken),
            }
        } else if self.check && !matches!(game.see_checked(|_, _| ()), Some(Ok(()))) {
            return text(Verdict::Broken);
        } else {
            None
        };
        let is_wanted = by_tags.unwrap_or_else(|| pgn.as_ref().is_some_and(|pgn| filter.by_moves(raw, pgn)));
        if !is_wanted {
            return text(Verdict::Unwanted);
        }
        // Games are equal if their output is.
        let kept = pgn.as_ref().filter(|_| self.no_duplicates).map(|pgn| form.kept(pgn));
        let identity = kept.and_then(|pgn| GameIdentity::for_duplicates(raw, &pgn, self.same_players));
        match form.write(game, pgn.as_ref()) {
            Some(written) => text(Verdict::Wanted(written, identity)),
            None => text(Verdict::Broken),
        }
    }
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextDestination {
    /// To the games that are taken.
    Out,
    /// To the others.
    Rejected,
    /// To the broken ones.
    Broken,
}

/// How many games there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionCounts {
    /// All games.
    pub games: u64,
    /// Those that were taken.
    pub taken: u64,
    /// Duplicates of games that were taken.
    pub duplicates: u64,
    /// Broken games.
    pub broken: u64,
}

impl fmt::Display for SelectionCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games: {} taken", self.games, self.taken)?;
        for (count, what) in [(self.duplicates, "duplicates"), (self.broken, "broken")] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// Selects among the texts of a collection, in order.
#[derive(Debug)]
pub struct Selector {
    selection: Selection,
    sample: Option<Reservoir<(u64, Judged)>>,
    seen: HashSet<GameIdentity>,
    /// Where the last game went.
    last: TextDestination,
    counts: SelectionCounts,
}

impl Selector {
    /// A selector that has seen no game.
    pub fn new(selection: Selection) -> Self {
        let sample = selection.sample.map(|size| Reservoir::new(size, selection.seed));
        Self {
            selection,
            sample,
            seen: HashSet::new(),
            last: TextDestination::Rejected,
            counts: SelectionCounts::default(),
        }
    }

    /// Whether no further game is needed.
    pub fn is_done(&self) -> bool {
        self.is_full() && !self.selection.keeps_rest
    }

    fn is_full(&self) -> bool {
        self.selection.limit.is_some_and(|limit| self.counts.taken >= limit)
    }

    /// Takes the next text, and passes to `write` whatever can now be written: the destination, the number and the
    /// text.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn take<E>(
        &mut self,
        number: u64,
        judged: Judged,
        mut write: impl FnMut(TextDestination, u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Judged { verdict, text } = &judged;
        self.counts.games += u64::from(!matches!(verdict, Verdict::Rest));
        let to = match verdict {
            Verdict::Wanted(_, Some(identity)) if !self.seen.insert(*identity) => {
                self.counts.duplicates += 1;
                TextDestination::Rejected
            }
            Verdict::Wanted(..) if self.is_full() => TextDestination::Rejected,
            Verdict::Wanted(written, _) => {
                self.counts.taken += 1;
                let Some(sample) = &mut self.sample else {
                    self.last = TextDestination::Out;
                    return write(TextDestination::Out, number, written);
                };
                let Some((number, dropped)) = sample.push((number, judged)) else { return Ok(()) };
                self.last = TextDestination::Rejected;
                return write(TextDestination::Rejected, number, &dropped.text);
            }
            Verdict::Unwanted => TextDestination::Rejected,
            Verdict::Broken => {
                self.counts.broken += 1;
                TextDestination::Broken
            }
            // It stays with the preceding game.
            Verdict::Rest => self.last,
        };
        self.last = to;
        write(to, number, text)
    }

    /// Passes the games of the sample to `write`.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn finish<E>(
        mut self,
        mut write: impl FnMut(TextDestination, u64, &[u8]) -> Result<(), E>,
    ) -> Result<SelectionCounts, E> {
        if let Some(sample) = self.sample {
            self.counts.taken = 0;
            for (number, judged) in sample.into_items() {
                if let Verdict::Wanted(written, _) = judged.verdict {
                    write(TextDestination::Out, number, &written)?;
                    self.counts.taken += 1;
                }
            }
        }
        Ok(self.counts)
    }
}
