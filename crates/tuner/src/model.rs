//! The evaluation as the tuner sees it: weights, and how often each is used in a position.

use crate::safety::SafetyForm;
use bartizan_position::Position;
use bartizan_types::Color;

/// The middlegame and the endgame half of a weight, in internal centipawns.
pub type Pair = [f64; 2];

/// How the weights of a term enter the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Multiplied by white-minus-black counts and added.
    Linear,
    /// Added up to the danger that each side makes, which then goes through [`SafetyForm`].
    Safety,
    /// Added up to how much can still be won: lifts or lowers the endgame half, but never turns it around. Only the
    /// endgame halves of these weights are used.
    Complexity,
}

/// Weights that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name in files.
    pub name: String,
    /// The index of its first weight.
    pub offset: usize,
    /// How many weights it has.
    pub len: usize,
    /// How they enter the value.
    pub kind: TermKind,
}

/// All terms of an evaluation; their weights follow each other without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The terms, by offset.
    pub terms: Vec<Term>,
    /// What is made of a side's danger.
    pub safety: SafetyForm,
}

impl Layout {
    /// How many weights there are.
    pub fn len(&self) -> usize {
        self.terms.last().map_or(0, |term| term.offset + term.len)
    }

    /// Whether there is no weight at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The term a weight belongs to.
    pub fn term_of(&self, weight: usize) -> Option<&Term> {
        self.terms.iter().find(|term| (term.offset..term.offset + term.len).contains(&weight))
    }

    /// A term by its name.
    pub fn term(&self, name: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.name == name)
    }

    /// A weight's name for messages: `mobility[7]`.
    pub fn weight_name(&self, weight: usize) -> String {
        self.term_of(weight)
            .map_or_else(|| format!("weight {weight}"), |term| format!("{}[{}]", term.name, weight - term.offset))
    }
}

/// How often each weight is used in one position: a buffer that is filled again and again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Weight and white-minus-black count of the linear terms.
    pub(crate) linear: Vec<(u16, i8)>,
    /// The same for the danger that white and that black makes.
    pub(crate) safety: [Vec<(u16, i8)>; 2],
    /// The same for the sum of the complexity terms.
    pub(crate) complexity: Vec<(u16, i8)>,
    /// The share of the middlegame half in the value, usually phase / 24; the rest is the endgame's.
    pub mg_share: f32,
    /// What is left of the endgame half when white and when black is ahead in it, from 0 up.
    pub scale: [f32; 2],
}

impl Counts {
    /// Makes it as good as new.
    pub fn clear(&mut self) {
        self.linear.clear();
        self.safety.iter_mut().for_each(Vec::clear);
        self.complexity.clear();
        (self.mg_share, self.scale) = (0.0, [1.0; 2]);
    }

    /// Notes that a linear weight is used `count` times more by white than by black.
    pub fn add(&mut self, weight: u16, count: i32) {
        push(&mut self.linear, weight, count);
    }

    /// Notes that a safety weight is used `count` times in the danger that a side makes.
    pub fn add_safety(&mut self, attacker: Color, weight: u16, count: i32) {
        push(&mut self.safety[attacker.index()], weight, count);
    }

    /// Notes that a complexity weight is used `count` times.
    pub fn add_complexity(&mut self, weight: u16, count: i32) {
        push(&mut self.complexity, weight, count);
    }

    /// All lists, in the order in which a shard keeps them.
    pub(crate) fn lists(&self) -> [&[(u16, i8)]; 4] {
        [&self.linear, &self.safety[0], &self.safety[1], &self.complexity]
    }

    /// Whether all entries are of the first so many weights.
    pub(crate) fn is_within(&self, weights: usize) -> bool {
        self.lists().into_iter().flatten().all(|&(weight, _)| usize::from(weight) < weights)
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        self.lists().iter().map(|list| list.len()).sum()
    }

    /// Whether no weight is used.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A count beyond an `i8` becomes several entries, which add up to the same.
fn push(entries: &mut Vec<(u16, i8)>, weight: u16, mut count: i32) {
    while count != 0 {
        let part = count.clamp(i32::from(i8::MIN), i32::from(i8::MAX));
        entries.push((weight, part as i8));
        count -= part;
    }
}

/// An evaluation that can say how its value comes about.
pub trait Model: Sync {
    /// The terms.
    fn layout(&self) -> &Layout;

    /// The weights to begin with, [`Layout::len`] of them.
    fn start(&self) -> Vec<Pair>;

    /// Fills in the counts of a position; `false` if its value does not come from the weights (a known ending, say).
    /// `counts` is empty before.
    fn trace(&self, position: &Position, counts: &mut Counts) -> bool;

    /// What the engine itself says with the weights of [`Model::start`], in centipawns for white: to check the trace.
    fn reference(&self, position: &Position) -> Option<f64>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_split() {
        let mut counts = Counts::default();
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
}
