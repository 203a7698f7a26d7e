//! The evaluation taken apart for the tuner: how often each weight counts.

use crate::formula::{FULL_SCALE, Halves, Sums, blend, strong_side};
use crate::tally::Tracer;
use crate::weights::{COUNT, Kind, current, terms};
use crate::{Phase, endgame, evaluation};
use bartizan_position::Position;
use bartizan_types::{Color, Score, Value};

/// How often a weight counts: its index in the flat array of [`weights`](crate::weights), and a number that is not 0.
pub type Count = (u16, i16);

/// How a position's value comes about; [`value_of`] puts it together again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The linear terms, white minus black.
    pub linear: Vec<Count>,
    /// The safety terms, by the side that attacks: white (black's king is in danger), black.
    pub safety: [Vec<Count>; 2],
    /// The complexity terms.
    pub complexity: Vec<Count>,
    /// 0 (kings and pawns) to 24 (all pieces).
    pub phase: i32,
    /// How much the endgame half counts, of 64, if white (first) or black is ahead in it. It does not depend on weights.
    pub scale: [i32; 2],
    /// The side to move, for whom the value is.
    pub turn: Color,
}

impl Default for Trace {
    /// Nothing counted: the value is 0.
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

/// Counts by weight, for both sides.
pub(crate) struct Counts(Vec<[i16; 2]>);

impl Counts {
    pub(crate) fn new() -> Self {
        Self(vec![[0; 2]; COUNT])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([0; 2]);
    }

    /// White's and black's count of the weight at `index`.
    pub(crate) fn get(&self, index: usize) -> [i16; 2] {
        self.0[index]
    }
}

impl Tracer for Counts {
    fn count(&mut self, side: Color, index: usize, times: i32) {
        self.0[index][side.index()] += times as i16;
    }

    fn forget_danger(&mut self, side: Color) {
        for term in terms().iter().filter(|term| term.kind == Kind::Safety) {
            for counts in &mut self.0[term.offset..term.offset + term.len] {
                counts[side.index()] = 0;
            }
        }
    }
}

/// Takes evaluations apart, one after another, without asking for memory each time.
pub struct Tracing {
    counts: Counts,
}

impl Tracing {
    /// Ready for the first position.
    pub fn new() -> Self {
        Self { counts: Counts::new() }
    }

    /// Fills `trace` with how the value of `position` comes about; `false` if endgame knowledge gives the value, and then
    /// the trace means nothing.
    pub fn trace_into(&mut self, position: &Position, trace: &mut Trace) -> bool {
        let is_known = endgame::known_value(position).is_some();
        if !is_known {
            self.fill(position, trace);
        }
        !is_known
    }

    /// The same whatever endgame knowledge says.
    pub(crate) fn fill(&mut self, position: &Position, trace: &mut Trace) {
        self.counts.clear();
        evaluation::sums(position, &mut self.counts);
        trace.linear.clear();
        trace.safety.iter_mut().for_each(Vec::clear);
        trace.complexity.clear();
        for term in terms() {
            for index in term.offset..term.offset + term.len {
                let [white, black] = self.counts.get(index);
                let push = |counts: &mut Vec<Count>, count: i16| {
                    if count != 0 {
                        counts.push((index as u16, count));
                    }
                };
                match term.kind {
                    Kind::Linear => push(&mut trace.linear, white - black),
                    Kind::Complexity => push(&mut trace.complexity, white),
                    Kind::Safety => {
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

impl Default for Tracing {
    fn default() -> Self {
        Self::new()
    }
}

/// How the value of a position comes about; `None` where endgame knowledge gives the value.
pub fn trace(position: &Position) -> Option<Trace> {
    let mut trace = Trace::default();
    Tracing::new().trace_into(position, &mut trace).then_some(trace)
}

/// The value that a trace has with these weights, for the side to move. With
/// [`default_values`](crate::weights::default_values) it is what [`evaluate`](crate::evaluate()) says.
///
/// # The formula
///
/// `linear`, `safety[c]` and `complexity` below are sums of count × weight over the trace's lists, the middlegame and the
/// endgame half apart. All divisions of whole numbers drop what is behind the point.
///
/// ```text
/// mg    = linear.mg + danger_mg(safety[white].mg) − danger_mg(safety[black].mg)
/// eg'   = linear.eg + danger_eg(safety[white].eg) − danger_eg(safety[black].eg)
/// eg    = eg' + sign(eg') · max(complexity.eg, −|eg'|)
/// white = (mg · phase · 64 + eg · (24 − phase) · scale[eg ≥ 0 ? white : black]) / (24 · 64)
/// value = white to move ? white : −white
/// ```
///
/// # King danger
///
/// `danger_mg(x) = max(0, x)² / 1024`, `danger_eg(x) = max(0, x) / 16`: see
/// [`DANGER_MG_DIVISOR`](crate::DANGER_MG_DIVISOR) and [`DANGER_EG_DIVISOR`](crate::DANGER_EG_DIVISOR). Tempo is a linear
/// term, which the side to move has.
///
/// # Panics
/// When there are not [`COUNT`] weights.
pub fn value_of(trace: &Trace, weights: &[(i16, i16)]) -> Value {
    assert_eq!(weights.len(), COUNT, "one pair for each weight");
    let sum = |counts: &[Count]| {
        counts.iter().fold(Halves::default(), |sum, &(index, count)| {
            let (mg, eg) = weights[usize::from(index)];
            Halves { mg: sum.mg + i32::from(mg) * i32::from(count), eg: sum.eg + i32::from(eg) * i32::from(count) }
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

/// A weight as it is played with.
pub(crate) fn weight_at(index: usize) -> Score {
    current()[index]
}
