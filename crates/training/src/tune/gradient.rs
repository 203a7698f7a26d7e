//! The loss of many positions and its derivative with respect to each weight, on several threads.
//!
//! The result does not depend on the number of threads: positions are divided into groups by index alone, and the group
//! sums are added in a fixed order.

use crate::tune::dataset::{Chunk, Dataset, Entries, Row};
use crate::tune::model::{SafetyForm, WeightCounts, WeightPair};
use crate::tune::objective::{Objective, Scaling, Slope, Target};
use bartizan_parallel::map;

/// Sums over positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradientTotals {
    /// Number of positions.
    pub positions: usize,
    /// Sum of their losses.
    pub loss: f64,
    /// Derivative of that sum by each weight.
    pub gradient: Vec<WeightPair>,
    /// Derivative of that sum by the draw margin.
    pub by_margin: f64,
}

impl GradientTotals {
    fn new(weights: usize) -> Self {
        Self { gradient: vec![[0.0; 2]; weights], ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.by_margin += other.by_margin;
        for (sum, part) in self.gradient.iter_mut().zip(&other.gradient) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
    }

    /// The mean loss.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }
}

/// How values and losses are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Form of king safety.
    pub safety: SafetyForm,
    /// Form of the loss.
    pub objective: Objective,
    /// Converts values to probabilities.
    pub scaling: Scaling,
}

/// Sums even and odd entries separately: an addition takes four cycles, and within one sum each waits for the one
/// before.
#[inline]
fn weighted_sum(entries: Entries<'_>, weights: &[WeightPair]) -> WeightPair {
    let (mut even, mut odd) = ([0.0; 2], [0.0; 2]);
    let mut pairs = entries.iter();
    while let Some((weight, count)) = pairs.next() {
        let w = weights[weight];
        even[0] += count * w[0];
        even[1] += count * w[1];
        if let Some((weight, count)) = pairs.next() {
            let w = weights[weight];
            odd[0] += count * w[0];
            odd[1] += count * w[1];
        }
    }
    [even[0] + odd[0], even[1] + odd[1]]
}

#[inline]
fn scatter(entries: Entries<'_>, factor: WeightPair, gradient: &mut [WeightPair]) {
    for (weight, count) in entries.iter() {
        let g = &mut gradient[weight];
        g[0] += count * factor[0];
        g[1] += count * factor[1];
    }
}

/// A value and its components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// In centipawns for White.
    pub(crate) value: f64,
    /// Danger to the enemy king that White and Black make.
    pub(crate) dangers: [WeightPair; 2],
    /// Endgame half before complexity is applied.
    pub(crate) endgame: f64,
    pub(crate) complexity: f64,
}

impl Parts {
    /// The value from the sums of the weights.
    #[inline]
    fn new(
        linear: WeightPair,
        dangers: [WeightPair; 2],
        complexity: f64,
        (mg_share, scale): (f32, [f32; 2]),
        safety: SafetyForm,
    ) -> Self {
        let [plus, minus] = dangers.map(|danger| safety.score(danger));
        let [middlegame, endgame] = [0, 1].map(|half: usize| linear[half] + plus[half] - minus[half]);
        let mut parts = Self { value: 0.0, dangers, endgame, complexity };
        let eg_share = (1.0 - f64::from(mg_share)) * parts.scale(scale);
        parts.value = f64::from(mg_share) * middlegame + eg_share * parts.won_endgame();
        parts
    }

    /// Whether complexity reduces the endgame half to zero.
    #[inline]
    pub(crate) fn is_levelled(&self) -> bool {
        self.complexity <= -self.endgame.abs()
    }

    /// The endgame half after complexity is applied.
    #[inline]
    fn won_endgame(&self) -> f64 {
        if self.is_levelled() { 0.0 } else { self.endgame + self.sign() * self.complexity }
    }

    /// Sign of the endgame half; 0 if it is even, and then complexity adds nothing.
    #[inline]
    fn sign(&self) -> f64 {
        if self.endgame == 0.0 { 0.0 } else { self.endgame.signum() }
    }

    #[inline]
    fn scale(&self, scale: [f32; 2]) -> f64 {
        f64::from(scale[usize::from(self.endgame < 0.0)])
    }
}

/// The value of a position.
#[inline]
pub(crate) fn value(row: &Row<'_>, weights: &[WeightPair], safety: SafetyForm) -> Parts {
    let linear = weighted_sum(row.linear, weights);
    let dangers = row.safety.map(|entries| weighted_sum(entries, weights));
    let [_, complexity] = weighted_sum(row.complexity, weights);
    let mut parts = Parts::new(linear, dangers, complexity, (row.head.mg_share, row.head.scale), safety);
    parts.value += f64::from(row.head.base);
    parts
}

impl WeightCounts {
    /// The value with these weights, in centipawns for White.
    pub fn value(&self, weights: &[WeightPair], safety: SafetyForm) -> f64 {
        let sum = |list: &[(u16, i8)]| {
            list.iter().fold([0.0; 2], |[mg, eg], &(weight, count)| {
                let (weight, count) = (weights[usize::from(weight)], f64::from(count));
                [mg + count * weight[0], eg + count * weight[1]]
            })
        };
        let [linear, white, black, [_, complexity]] = self.lists().map(sum);
        Parts::new(linear, [white, black], complexity, (self.mg_share, self.scale), safety).value + f64::from(self.base)
    }
}

/// Adds the derivatives of one position's loss by the weights; returns the loss and its derivatives by value and
/// margin.
#[inline]
pub(crate) fn add_gradient(row: &Row<'_>, weights: &[WeightPair], form: Form, gradient: &mut [WeightPair]) -> Slope {
    let parts = value(row, weights, form.safety);
    let slope = form.objective.slope(form.scaling, parts.value, row.head.target);
    let middlegame = slope.by_value * f64::from(row.head.mg_share);
    let endgame = if parts.is_levelled() {
        0.0
    } else {
        slope.by_value * (1.0 - f64::from(row.head.mg_share)) * parts.scale(row.head.scale)
    };
    scatter(row.linear, [middlegame, endgame], gradient);
    scatter(row.complexity, [0.0, endgame * parts.sign()], gradient);
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let by_danger = form.safety.slope(parts.dangers[side]);
        if by_danger != [0.0; 2] {
            let factor = [sign * middlegame * by_danger[0], sign * endgame * by_danger[1]];
            scatter(row.safety[side], factor, gradient);
        }
    }
    slope
}

impl Dataset {
    /// The mean squared derivative of the value with respect to each half of each weight, over the positions that use
    /// the weight. It is an estimate that counts each king's danger alone, so that the two do not cancel out. It is 1
    /// for a middlegame weight that is counted once in opening positions, and for a weight that no position uses.
    pub fn mean_effects(&self, weights: &[WeightPair], safety: SafetyForm) -> Vec<WeightPair> {
        let mut sums = vec![[0.0; 2]; weights.len()];
        let mut uses = vec![0; weights.len()];
        for row in self.all_rows() {
            add_effects(&row, weights, safety, &mut sums, &mut uses);
        }
        let mean =
            |(sum, uses): (WeightPair, u32)| if uses == 0 { [1.0; 2] } else { sum.map(|sum| sum / f64::from(uses)) };
        sums.into_iter().zip(uses).map(mean).collect()
    }
}

/// Adds the squared derivatives of one position's value, and counts one use for each entry.
fn add_effects(
    row: &Row<'_>,
    weights: &[WeightPair],
    safety: SafetyForm,
    effects: &mut [WeightPair],
    uses: &mut [u32],
) {
    let parts = value(row, weights, safety);
    let middlegame = f64::from(row.head.mg_share);
    let endgame = (1.0 - middlegame) * parts.scale(row.head.scale);
    let mut add = |entries: Entries<'_>, factor: WeightPair| {
        for (at, count) in entries.iter() {
            uses[at] += 1;
            effects[at][0] += (count * factor[0]).powi(2);
            effects[at][1] += (count * factor[1]).powi(2);
        }
    };
    add(row.linear, [middlegame, endgame]);
    add(row.complexity, [0.0, endgame]);
    for side in [0, 1] {
        let by_danger = safety.slope(parts.dangers[side]);
        add(row.safety[side], [middlegame * by_danger[0], endgame * by_danger[1]]);
    }
}

/// The number of groups into which a call's work is divided, whatever the number of threads: enough to keep many
/// threads busy, few enough that adding the sums is cheap.
const GROUPS: usize = 64;

/// Runs `work` for each group of chunks on `threads` threads and returns the results in the order of the groups.
fn grouped<T: Send>(chunks: &[Chunk], threads: usize, work: impl Fn(&[Chunk]) -> T + Sync) -> Vec<T> {
    map(chunks.chunks(chunks.len().div_ceil(GROUPS).max(1)), threads, work)
}

/// The loss of the given chunks and its gradient.
pub(crate) fn loss_and_gradient(
    data: &Dataset,
    chunks: &[Chunk],
    weights: &[WeightPair],
    form: Form,
    threads: usize,
) -> GradientTotals {
    let sums = grouped(chunks, threads, |group| {
        let mut totals = GradientTotals::new(weights.len());
        for row in group.iter().flat_map(|&chunk| data.rows(chunk)) {
            let slope = add_gradient(&row, weights, form, &mut totals.gradient);
            totals.positions += 1;
            totals.loss += slope.loss;
            totals.by_margin += slope.by_margin;
        }
        totals
    });
    let mut totals = GradientTotals::new(weights.len());
    sums.iter().for_each(|sum| totals.add(sum));
    totals
}

impl Dataset {
    /// The loss of all positions and its gradient.
    pub fn loss_and_gradient(&self, weights: &[WeightPair], form: Form, threads: usize) -> GradientTotals {
        loss_and_gradient(self, &self.chunks(CHUNK), weights, form, threads)
    }

    /// The mean loss of all positions.
    pub fn mean_loss(&self, weights: &[WeightPair], form: Form, threads: usize) -> f64 {
        let sums = grouped(&self.chunks(CHUNK), threads, |group| {
            let losses = group.iter().flat_map(|&chunk| self.rows(chunk)).map(|row| {
                let value = value(&row, weights, form.safety).value;
                form.objective.slope(form.scaling, value, row.head.target).loss
            });
            losses.sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// The value (in centipawns for White) and the target of each position.
    pub fn values(&self, weights: &[WeightPair], safety: SafetyForm, threads: usize) -> Vec<(f64, Target)> {
        let parts = grouped(&self.chunks(CHUNK), threads, |group| {
            let rows = group.iter().flat_map(|&chunk| self.rows(chunk));
            rows.map(|row| (value(&row, weights, safety).value, row.head.target)).collect::<Vec<_>>()
        });
        parts.concat()
    }
}

/// Positions in a chunk: enough to make scheduling cheap, few enough that a mini-batch has several chunks.
pub(crate) const CHUNK: usize = 1024;
