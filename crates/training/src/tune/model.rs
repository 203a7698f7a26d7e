//! An evaluation in the tuner's form: weights, and their counts in a position.

use bartizan_position::Position;
use bartizan_types::Color;

/// Middlegame and endgame half of a weight, in internal centipawns.
pub type WeightPair = [f64; 2];

/// The score of the danger to a king. The danger is a weighted sum in each phase.
///
/// Middlegame: max(0, danger)² / `mg_divisor`. Endgame: max(0, danger) / `eg_divisor`. Stockfish uses this form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetyForm {
    /// Divisor of the squared middlegame danger, in centipawns.
    pub mg_divisor: f64,
    /// Divisor of the endgame danger, dimensionless.
    pub eg_divisor: f64,
}

impl Default for SafetyForm {
    fn default() -> Self {
        Self { mg_divisor: 1024.0, eg_divisor: 16.0 }
    }
}

impl SafetyForm {
    /// Both halves of the score of a danger, in centipawns.
    #[inline]
    pub fn score(&self, danger: WeightPair) -> WeightPair {
        let [mg, eg] = danger.map(|half| half.max(0.0));
        [mg * mg / self.mg_divisor, eg / self.eg_divisor]
    }

    /// Derivative of each half of the score by its half of the danger.
    #[inline]
    pub fn slope(&self, danger: WeightPair) -> WeightPair {
        let [mg, eg] = danger;
        [2.0 * mg.max(0.0) / self.mg_divisor, if eg > 0.0 { 1.0 / self.eg_divisor } else { 0.0 }]
    }
}

/// How the weights of a term enter the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Each weight is multiplied by its white-minus-black count and added.
    Linear,
    /// The weights add up to the danger that each side makes. [`SafetyForm`] turns danger into a score.
    Safety,
    /// The weights add up to a bonus for the side ahead in the endgame half. The bonus may be negative but never
    /// changes the sign of that half. Only the endgame halves of these weights are used.
    Complexity,
}

/// A named group of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Name of the term in files.
    pub name: String,
    /// Index of its first weight.
    pub offset: usize,
    /// Number of its weights.
    pub len: usize,
    /// How the weights enter the value.
    pub kind: TermKind,
}

/// All terms of an evaluation. Their weights are contiguous.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The terms, sorted by offset.
    pub terms: Vec<Term>,
    /// How danger becomes a score.
    pub safety: SafetyForm,
}

impl Layout {
    /// The number of weights.
    pub fn len(&self) -> usize {
        self.terms.last().map_or(0, |term| term.offset + term.len)
    }

    /// Whether there are no weights.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The term of a weight.
    pub fn term_of(&self, weight: usize) -> Option<&Term> {
        self.terms.iter().find(|term| (term.offset..term.offset + term.len).contains(&weight))
    }

    /// The term with a name.
    pub fn term(&self, name: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.name == name)
    }

    /// Marks the weights of the terms named in `freeze` and, unless `only` is empty, those of all terms not named in
    /// `only`.
    ///
    /// # Errors
    /// [`UnknownTerm`] if a named term does not exist.
    pub fn frozen(&self, freeze: &[String], only: &[String]) -> Result<Vec<bool>, UnknownTerm> {
        if let Some(name) = freeze.iter().chain(only).find(|name| self.term(name).is_none()) {
            let terms: Vec<&str> = self.terms.iter().map(|term| term.name.as_str()).collect();
            return Err(UnknownTerm { name: name.clone(), terms: terms.join(", ") });
        }
        let mut frozen = vec![false; self.len()];
        for term in &self.terms {
            if freeze.contains(&term.name) || !only.is_empty() && !only.contains(&term.name) {
                frozen[term.offset..term.offset + term.len].fill(true);
            }
        }
        Ok(frozen)
    }

    /// The name of a weight for messages, such as `mobility[7]`.
    pub fn weight_name(&self, weight: usize) -> String {
        self.term_of(weight)
            .map_or_else(|| format!("weight {weight}"), |term| format!("{}[{}]", term.name, weight - term.offset))
    }
}

/// The evaluation has no term of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown term '{name}', expected one of {terms}")]
pub struct UnknownTerm {
    /// The name.
    pub name: String,
    /// The names of all terms, separated by commas.
    pub terms: String,
}

/// The count of each weight in one position. One buffer can be reused for many positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightCounts {
    /// Linear terms: weight and white-minus-black count.
    pub(crate) linear: Vec<(u16, i8)>,
    /// Danger that White makes, and danger that Black makes: weight and count.
    pub(crate) safety: [Vec<(u16, i8)>; 2],
    /// Complexity terms: weight and count.
    pub(crate) complexity: Vec<(u16, i8)>,
    /// Share of the middlegame half in the value, usually phase / 24. The rest is the share of the endgame half.
    pub mg_share: f32,
    /// Factors of the endgame half, at least 0: the first if White is ahead in it, the second if Black is.
    pub scale: [f32; 2],
    /// An offset to the value of the weights, in centipawns for White: a part of the evaluation that is not fitted,
    /// such as a network's value.
    pub base: f32,
}

impl WeightCounts {
    /// Removes all counts.
    pub fn clear(&mut self) {
        self.linear.clear();
        self.safety.iter_mut().for_each(Vec::clear);
        self.complexity.clear();
        (self.mg_share, self.scale, self.base) = (0.0, [1.0; 2], 0.0);
    }

    /// Adds a count of a linear weight: how many more White has than Black.
    pub fn add(&mut self, weight: u16, count: i32) {
        push(&mut self.linear, weight, count);
    }

    /// Adds a count of a safety weight to the danger that `attacker` makes.
    pub fn add_safety(&mut self, attacker: Color, weight: u16, count: i32) {
        push(&mut self.safety[attacker.index()], weight, count);
    }

    /// Adds a count of a complexity weight.
    pub fn add_complexity(&mut self, weight: u16, count: i32) {
        push(&mut self.complexity, weight, count);
    }

    /// All lists, in the order of a shard.
    pub(crate) fn lists(&self) -> [&[(u16, i8)]; 4] {
        [&self.linear, &self.safety[0], &self.safety[1], &self.complexity]
    }

    /// Whether all entries refer to the first `weights` weights.
    pub(crate) fn is_within(&self, weights: usize) -> bool {
        self.lists().into_iter().flatten().all(|&(weight, _)| usize::from(weight) < weights)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.lists().iter().map(|list| list.len()).sum()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Adds an entry. A count that does not fit in an `i8` becomes several entries with the same sum.
fn push(entries: &mut Vec<(u16, i8)>, weight: u16, mut count: i32) {
    while count != 0 {
        let part = count.clamp(i32::from(i8::MIN), i32::from(i8::MAX));
        entries.push((weight, part as i8));
        count -= part;
    }
}

/// An evaluation whose value can be traced back to its weights.
pub trait Model: Sync {
    /// The terms of the evaluation.
    fn layout(&self) -> &Layout;

    /// The initial weights, [`Layout::len`] of them.
    fn start(&self) -> Vec<WeightPair>;

    /// Fills in the counts of a position. Returns `false` if its value does not come from the weights, as in a known
    /// ending. `counts` is empty on entry.
    fn trace(&self, position: &Position, counts: &mut WeightCounts) -> bool;

    /// The engine's own value with the weights of [`Model::start`], in centipawns for White, for checking the trace.
    fn reference(&self, position: &Position) -> Option<f64>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_split() {
        let mut counts = WeightCounts::default();
        for count in [300, -300, 127, -128, 0, 1] {
            counts.clear();
            counts.add(7, count);
            assert_eq!(counts.linear.iter().map(|&(_, part)| i32::from(part)).sum::<i32>(), count);
        }
        counts.add_safety(Color::Black, 3, 2);
        counts.add_complexity(4, -1);
        assert_eq!((counts.len(), counts.safety[1].as_slice()), (3, &[(3, 2)][..]));
    }

    #[test]
    fn weights_have_names() {
        let term = |name: &str, offset, len| Term { name: name.to_owned(), offset, len, kind: TermKind::Linear };
        let layout = Layout { terms: vec![term("material", 0, 5), term("tempo", 5, 1)], safety: SafetyForm::default() };
        assert_eq!(layout.len(), 6);
        assert_eq!(layout.weight_name(4), "material[4]");
        assert_eq!(layout.weight_name(5), "tempo[0]");
        assert_eq!(layout.weight_name(6), "weight 6");
        assert_eq!(layout.term("tempo").map(|term| term.offset), Some(5));
    }

    #[test]
    fn terms_are_frozen_by_name() {
        let term = |name: &str, offset, len| Term { name: name.to_owned(), offset, len, kind: TermKind::Linear };
        let layout = Layout { terms: vec![term("material", 0, 2), term("tempo", 2, 1)], safety: SafetyForm::default() };
        let tempo = ["tempo".to_owned()];
        assert_eq!(layout.frozen(&tempo, &[]).unwrap(), [false, false, true]);
        assert_eq!(layout.frozen(&[], &tempo).unwrap(), [true, true, false]);
        assert_eq!(layout.frozen(&[], &[]).unwrap(), [false; 3]);
        let error = layout.frozen(&["speed".to_owned()], &[]).unwrap_err();
        assert_eq!(error.to_string(), "unknown term 'speed', expected one of material, tempo");
    }
}
