//! Which positions of the games are learnt from.

use crate::games::{GameRecord, PositionRecord, Record};
use crate::random::Random;
use bartizan_eval::{Material, internal};
use bartizan_position::{PackedPosition, Position};
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Which positions to take.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Selection {
    /// Passes over the first plies of each game, which are the opening's or random.
    pub skip_plies: usize,
    /// Takes at most so many positions of each game, chosen by the seed; 0 takes all.
    pub per_game: usize,
    /// Takes no position whose score (centipawns) is as large or larger; those without a score are taken.
    pub max_score: i32,
    /// Takes only positions in which the game went on with neither capture nor promotion. Single positions, of which this
    /// is not known, are taken.
    pub quiet: bool,
    /// Scores that were written for people are normalised, by this program's numbers.
    #[serde(default)]
    pub shown: bool,
    /// Where the choice comes from.
    pub seed: u64,
}

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: PackedPosition,
    /// The number of its game.
    pub game: u32,
    /// 0 black won, 1 draw, 2 white won.
    pub result: u8,
    /// Its score in the game, in centipawns for white.
    pub score: Option<i16>,
}

/// What was taken and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SelectionReport {
    /// Games with a result, or single positions without an id.
    pub games: usize,
    /// Games without a result.
    pub without_result: usize,
    /// Won by white, drawn, won by black.
    pub results: [usize; 3],
    /// Positions looked at, the first plies of the games not among them.
    pub positions: usize,
    /// Those in check.
    pub in_check: usize,
    /// Those from which the game went on with a capture or promotion.
    pub tactical: usize,
    /// Those with a large score.
    pub decided: usize,
    /// Those that another game had.
    pub repeated: usize,
    /// Those beyond the number for one game.
    pub surplus: usize,
    /// Those taken.
    pub taken: usize,
}

/// Takes positions out of records.
#[derive(Debug)]
pub struct Collector {
    selection: Selection,
    seen: HashSet<u64>,
    games: u32,
    samples: Vec<Sample>,
    report: SelectionReport,
}

impl Collector {
    /// Begins with nothing.
    pub fn new(selection: Selection) -> Self {
        Self { selection, seen: HashSet::new(), games: 0, samples: Vec::new(), report: SelectionReport::default() }
    }

    /// How many positions were taken.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether none was taken.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// What was taken, and how it came to it.
    pub fn finish(mut self) -> (Vec<Sample>, SelectionReport) {
        self.report.taken = self.samples.len();
        (self.samples, self.report)
    }

    /// Takes what it wants of a record.
    pub fn add(&mut self, record: &Record) {
        match record {
            Record::Game(game) => self.add_game(game),
            Record::Position(position) => self.add_position(position),
            Record::NoResult => self.report.without_result += 1,
        }
    }

    fn count_game(&mut self, result: u8) {
        self.report.games += 1;
        self.report.results[2 - usize::from(result.min(2))] += 1;
    }

    fn add_game(&mut self, game: &GameRecord) {
        self.count_game(game.result);
        let number = self.games;
        self.games += 1;
        let mut found = Vec::new();
        let mut position = game.start.clone();
        for (ply, &(mv, score)) in game.moves.iter().enumerate() {
            if ply >= self.selection.skip_plies {
                self.report.positions += 1;
                let is_normalised = game.is_shown && self.selection.shown;
                let score =
                    score.map(|score| if is_normalised { internal(score, Material::of(&position)) } else { score });
                if self.selection.quiet && position.is_tactical(mv) {
                    self.report.tactical += 1;
                } else if self.is_wanted(&position, score) {
                    found.push(sample(&position, number, game.result, score));
                }
            }
            position = position.play_unchecked(mv);
        }
        let wanted = if self.selection.per_game == 0 { found.len() } else { self.selection.per_game };
        if found.len() > wanted {
            // The keys of those not chosen stay noted: they would come from this game anyway.
            self.report.surplus += found.len() - wanted;
            let mut order: Vec<usize> = (0..found.len()).collect();
            Random::new(self.selection.seed, u64::from(number)).shuffle(&mut order);
            order.truncate(wanted);
            order.sort_unstable();
            self.samples.extend(order.into_iter().map(|index| found[index]));
        } else {
            self.samples.extend(found);
        }
    }

    fn add_position(&mut self, record: &PositionRecord) {
        let game = match &record.id {
            Some(id) => {
                let mut hasher = DefaultHasher::new();
                id.hash(&mut hasher);
                hasher.finish() as u32
            }
            None => {
                self.games += 1;
                self.games - 1
            }
        };
        self.count_game(record.result);
        self.report.positions += 1;
        if self.is_wanted(&record.position, record.score) {
            self.samples.push(sample(&record.position, game, record.result, record.score));
        }
    }

    fn is_wanted(&mut self, position: &Position, score: Option<i32>) -> bool {
        let report = &mut self.report;
        let why_not = if position.in_check() {
            &mut report.in_check
        } else if score.is_some_and(|score| score.abs() >= self.selection.max_score) {
            &mut report.decided
        } else if !self.seen.insert(position.key().0) {
            &mut report.repeated
        } else {
            return true;
        };
        *why_not += 1;
        false
    }
}

fn sample(position: &Position, game: u32, result: u8, score: Option<i32>) -> Sample {
    let score = score.map(|score| score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16);
    Sample { position: PackedPosition::pack(position), game, result, score }
}

/// Divides samples into those to learn from and those to be judged by, whole games at a time, and puts both in random
/// order. `share` of the games is held out.
pub fn split(samples: Vec<Sample>, share: f64, seed: u64) -> (Vec<Sample>, Vec<Sample>) {
    let is_held_out = |sample: &Sample| Random::new(seed ^ HOLD_OUT, u64::from(sample.game)).unit() < share;
    let (mut held_out, mut train): (Vec<_>, Vec<_>) = samples.into_iter().partition(is_held_out);
    Random::new(seed, SHUFFLE).shuffle(&mut train);
    Random::new(seed, SHUFFLE + 1).shuffle(&mut held_out);
    (train, held_out)
}

/// Streams of random numbers that meet no other.
const HOLD_OUT: u64 = 0x9d39_247e_3377_6d41;
const SHUFFLE: u64 = 1 << 40;
