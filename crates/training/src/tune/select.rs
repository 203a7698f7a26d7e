//! Selection of the positions to learn from.

use bartizan_eval::{MaterialCount, internal};
use bartizan_games::records::{GameRecord, Points, PositionRecord, Record};
use bartizan_position::{PackedPosition, Position};
use bartizan_types::SplitMix64;
use siphasher::sip::SipHasher13;
use std::collections::HashSet;
use std::hash::Hasher;

/// Settings of the selection.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Selection {
    /// Number of plies to skip at the start of each game because they come from a book or are random.
    pub skip_plies: usize,
    /// Maximum number of positions per game, chosen by the seed; 0 takes all.
    pub per_game: usize,
    /// Absolute score in centipawns from which a position is skipped. Positions without a score are taken.
    pub max_score: i32,
    /// Whether to skip positions in which a capture or a promotion was played. Single positions, whose next move is
    /// unknown, are taken.
    pub quiet: bool,
    /// Whether the scores are displayed ones, normalised by this engine's model, and need to be converted back.
    #[serde(default)]
    pub shown: bool,
    /// Seed of the choice.
    pub seed: u64,
}

impl Default for Selection {
    /// All positions after the first 4 plies of a game with a score below 2,000 centipawns.
    fn default() -> Self {
        Self { skip_plies: 4, per_game: 0, max_score: 2_000, quiet: false, shown: false, seed: 1 }
    }
}

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningSample {
    /// The position.
    pub position: PackedPosition,
    /// Number of its game.
    pub game: u32,
    /// Result of the game, or of several.
    pub result: Points,
    /// Score in the game, in centipawns for White.
    pub score: Option<i16>,
}

/// The number of positions taken, and the reasons why others were not.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct SelectionReport {
    /// Games and single positions with a result.
    pub games: usize,
    /// Games without a result.
    pub without_result: usize,
    /// Games that White won, draws, and games that Black won.
    pub results: [usize; 3],
    /// Single positions that have the mean of different results.
    #[serde(default)]
    pub means: usize,
    /// Positions considered; the skipped plies are not counted.
    pub positions: usize,
    /// Positions skipped because the side to move is in check.
    pub in_check: usize,
    /// Positions skipped because a capture or promotion was played.
    pub tactical: usize,
    /// Positions skipped because of a large score.
    pub decided: usize,
    /// Positions skipped because they occurred before.
    pub repeated: usize,
    /// Positions skipped because of the limit per game.
    pub surplus: usize,
    /// Positions taken.
    pub taken: usize,
}

impl SelectionReport {
    /// Why no position was taken, in words.
    pub fn why_none(&self) -> String {
        let Self { games, without_result, positions, in_check, tactical, decided, repeated, surplus, .. } = self;
        match (games, positions) {
            (0, _) => format!("no game or position with a result, {without_result} games without one"),
            (_, 0) => format!("{games} games or positions with a result, but none beyond the plies that are skipped"),
            _ => format!(
                "of {positions} positions, {in_check} are in check, {tactical} tactical, {decided} decided, \
                 {repeated} repeated and {surplus} beyond the limit per game"
            ),
        }
    }
}

/// Collects samples from records.
#[derive(Debug)]
pub struct Collector {
    selection: Selection,
    seen: HashSet<u64>,
    games: u32,
    samples: Vec<TuningSample>,
    report: SelectionReport,
}

impl Collector {
    /// A collector without samples.
    pub fn new(selection: Selection) -> Self {
        Self { selection, seen: HashSet::new(), games: 0, samples: Vec::new(), report: SelectionReport::default() }
    }

    /// The number of samples so far.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are no samples yet.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The samples, and the report of their selection.
    pub fn finish(mut self) -> (Vec<TuningSample>, SelectionReport) {
        self.report.taken = self.samples.len();
        (self.samples, self.report)
    }

    /// Takes the selected positions of a record.
    pub fn add(&mut self, record: &Record) {
        match record {
            Record::Game(game) => self.add_game(game),
            Record::Position(position) => self.add_position(position),
            Record::NoResult => self.report.without_result += 1,
        }
    }

    fn count_game(&mut self, points: Points) {
        self.report.games += 1;
        match points.result() {
            Some(result) => self.report.results[2 - usize::from(result.min(2))] += 1,
            None => self.report.means += 1,
        }
    }

    fn add_game(&mut self, game: &GameRecord) {
        let result = Points::of_winner(game.winner);
        self.count_game(result);
        let number = self.games;
        self.games += 1;
        let mut found = Vec::new();
        let mut position = game.start.clone();
        for (ply, &(mv, score)) in game.moves.iter().enumerate() {
            if ply >= self.selection.skip_plies {
                self.report.positions += 1;
                let is_normalised = game.is_shown && self.selection.shown;
                let score = score
                    .map(|score| if is_normalised { internal(score, MaterialCount::of(&position)) } else { score });
                if self.selection.quiet && position.is_tactical(mv) {
                    self.report.tactical += 1;
                } else if self.is_wanted(&position, score) {
                    found.push(sample(&position, number, result, score));
                }
            }
            position = position.play_unchecked(mv);
        }
        let wanted = if self.selection.per_game == 0 { found.len() } else { self.selection.per_game };
        if found.len() > wanted {
            // Positions not chosen stay in `seen`, so that no other game contributes them.
            self.report.surplus += found.len() - wanted;
            let mut order: Vec<usize> = (0..found.len()).collect();
            SplitMix64::stream(self.selection.seed, u64::from(number)).shuffle(&mut order);
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
                // The standard library's hash may change between versions.
                let mut hasher = SipHasher13::new();
                hasher.write(id.as_bytes());
                hasher.write_u8(0xff);
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

fn sample(position: &Position, game: u32, result: Points, score: Option<i32>) -> TuningSample {
    let score = score.map(|score| score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16);
    TuningSample { position: PackedPosition::pack(position), game, result, score }
}

/// Splits samples into training and held-out ones and shuffles both. A game is held out as a whole, with probability
/// `share`.
pub fn split(samples: Vec<TuningSample>, share: f64, seed: u64) -> (Vec<TuningSample>, Vec<TuningSample>) {
    let is_held_out =
        |sample: &TuningSample| SplitMix64::stream(seed ^ HOLD_OUT, u64::from(sample.game)).unit_f64() < share;
    let (mut held_out, mut train): (Vec<_>, Vec<_>) = samples.into_iter().partition(is_held_out);
    SplitMix64::stream(seed, SHUFFLE).shuffle(&mut train);
    SplitMix64::stream(seed, SHUFFLE + 1).shuffle(&mut held_out);
    (train, held_out)
}

/// Purposes of the random streams, distinct from all game numbers.
const HOLD_OUT: u64 = 0x9d39_247e_3377_6d41;
const SHUFFLE: u64 = 1 << 40;
