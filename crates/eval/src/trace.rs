//! Traces: how often each weight counts in a position, for the tuner.

use crate::formula::{FULL_SCALE, MgEg, Sums, blend, strong_side};
use crate::side_score::Tracer;
use crate::weights::{COUNT, WeightKind, current, terms};
use crate::{Phase, endgame, evaluation};
use bartizan_position::Position;
use bartizan_types::{Color, TaperedScore, Value};

/// How often a weight counts: its index in the flat array of [`weights`](crate::weights), and a count other than 0.
pub type WeightCount = (u16, i16);

/// The counts of all weights in one position. [`value_of`] computes the value from them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// Counts of the linear terms, white minus black.
    pub linear: Vec<WeightCount>,
    /// Counts of the safety terms by attacking side: white, black.
    pub safety: [Vec<WeightCount>; 2],
    /// Counts of the complexity terms.
    pub complexity: Vec<WeightCount>,
    /// The game phase: 0 (kings and pawns) to 24 (all pieces).
    pub phase: i32,
    /// The scale of the endgame half in sixty-fourths, if white and if black is ahead in it. Independent of the
    /// weights.
    pub scale: [i32; 2],
    /// The side to move; the value is from its point of view.
    pub turn: Color,
}

impl Default for Trace {
    /// An empty trace, with value 0.
    fn default() -> Self {
        Self {
            linear: Vec::new(),
            safety: [Vec::new(), Vec::new()],
            complexity: Vec::new(),
            phase: 0,
            scale: [FULL_SCALE; 2],
            turn: Color::White,
        }
    }
}

/// The counts of every weight, for white and black.
pub(crate) struct Counts(Vec<[i16; 2]>);

impl Counts {
    pub(crate) fn new() -> Self {
        Self(vec![[0; 2]; COUNT])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([0; 2]);
    }

    /// White's and black's counts of the weight at `index`.
    pub(crate) fn get(&self, index: usize) -> [i16; 2] {
        self.0[index]
    }
}

impl Tracer for Counts {
    fn count(&mut self, side: Color, index: usize, times: i32) {
        self.0[index][side.index()] += times as i16;
    }

    fn discard_danger(&mut self, side: Color) {
        for term in terms().iter().filter(|term| term.kind == WeightKind::Safety) {
            for counts in &mut self.0[term.offset..term.offset + term.len] {
                counts[side.index()] = 0;
            }
        }
    }
}

/// Traces many positions and reuses the memory for the counts.
pub struct EvalTracer {
    counts: Counts,
}

impl EvalTracer {
    /// Creates a tracer of positions.
    pub fn new() -> Self {
        Self { counts: Counts::new() }
    }

    /// Traces `position` into `trace`. Returns `false`, and leaves `trace` unchanged, if endgame knowledge replaces the
    /// evaluation of this position.
    #[must_use]
    pub fn trace_into(&mut self, position: &Position, trace: &mut Trace) -> bool {
        let is_known = endgame::known_value(position).is_some();
        if !is_known {
            self.fill(position, trace);
        }
        !is_known
    }

    /// Traces `position`, ignoring endgame knowledge.
    pub(crate) fn fill(&mut self, position: &Position, trace: &mut Trace) {
        self.counts.clear();
        evaluation::sums(position, &mut self.counts);
        trace.linear.clear();
        trace.safety.iter_mut().for_each(Vec::clear);
        trace.complexity.clear();
        for term in terms() {
            for index in term.offset..term.offset + term.len {
                let [white, black] = self.counts.get(index);
                let push = |counts: &mut Vec<WeightCount>, count: i16| {
                    if count != 0 {
                        counts.push((index as u16, count));
                    }
                };
                match term.kind {
                    WeightKind::Linear => push(&mut trace.linear, white - black),
                    WeightKind::Complexity => push(&mut trace.complexity, white),
                    WeightKind::Safety => {
                        push(&mut trace.safety[0], white);
                        push(&mut trace.safety[1], black);
                    }
                }
            }
        }
        trace.phase = Phase::of(position).get().clamp(0, Phase::FULL);
        trace.scale = Color::ALL.map(|strong| endgame::scale(position, strong));
        trace.turn = position.turn();
    }
}

impl Default for EvalTracer {
    fn default() -> Self {
        Self::new()
    }
}

/// Traces a single position; `None` if endgame knowledge replaces its evaluation.
pub fn trace(position: &Position) -> Option<Trace> {
    let mut trace = Trace::default();
    EvalTracer::new().trace_into(position, &mut trace).then_some(trace)
}

/// Computes the value of a trace with the given weights, for the side to move. With
/// [`default_values`](crate::weights::default_values) it equals [`evaluate`](crate::evaluate()).
///
/// # The formula
///
/// Below, `linear`, `safety[c]` and `complexity` are the sums of count × weight over the lists of the trace, separately
/// for the middlegame and endgame half. Integer divisions truncate.
///
/// ```text
/// mg    = linear.mg + danger_mg(safety[white].mg) − danger_mg(safety[black].mg)
/// eg'   = linear.eg + danger_eg(safety[white].eg) − danger_eg(safety[black].eg)
/// eg    = eg' + sign(eg') · max(complexity.eg, −|eg'|)
/// sum   = (mg · phase · 64 + eg · (24 − phase) · scale[eg ≥ 0 ? white : black]) / (24 · 64)
/// white = max(−7500, min(sum, 7500))
/// value = white to move ? white : −white
/// ```
///
/// The limit is [`ORDINARY_MAX`](crate::ORDINARY_MAX).
///
/// # King danger
///
/// `danger_mg(x) = max(0, x)² / 1024`, `danger_eg(x) = max(0, x) / 16`: see
/// [`DANGER_MG_DIVISOR`](crate::DANGER_MG_DIVISOR) and [`DANGER_EG_DIVISOR`](crate::DANGER_EG_DIVISOR).
///
/// # Panics
/// Panics unless there are [`COUNT`] weights.
pub fn value_of(trace: &Trace, weights: &[(i16, i16)]) -> Value {
    assert_eq!(weights.len(), COUNT, "expected one pair for each weight");
    let sum = |counts: &[WeightCount]| {
        counts.iter().fold(MgEg::default(), |sum, &(index, count)| {
            let (mg, eg) = weights[usize::from(index)];
            MgEg { mg: sum.mg + i32::from(mg) * i32::from(count), eg: sum.eg + i32::from(eg) * i32::from(count) }
        })
    };
    let sums = Sums {
        linear: sum(&trace.linear),
        danger: [sum(&trace.safety[0]), sum(&trace.safety[1])],
        complexity: sum(&trace.complexity).eg,
    };
    let halves = sums.halves();
    let white = blend(halves, Phase::new(trace.phase), trace.scale[strong_side(halves.eg).index()]);
    if trace.turn.is_white() { white } else { -white }
}

/// The weight at `index` that the evaluation uses.
pub(crate) fn weight_at(index: usize) -> TaperedScore {
    current()[index]
}
