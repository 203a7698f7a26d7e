//! Training positions in the optimiser's form: counts in a few large arrays, three bytes each.

use crate::tune::model::WeightCounts;
use crate::tune::objective::Target;
use bartizan_games::records::Points;

/// A position without its counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// Start of the position's counts in the arrays of its shard: linear terms, both dangers, complexity.
    start: u32,
    /// Length of each of these lists.
    lengths: [u16; 4],
    /// See [`WeightCounts`].
    pub(crate) mg_share: f32,
    pub(crate) scale: [f32; 2],
    pub(crate) base: f32,
    /// The target of the fit.
    pub(crate) target: Target,
    /// Result of the game, or of several.
    result: Points,
    /// Score in the game, in centipawns for White.
    score: Option<i16>,
}

/// Weights and their counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries<'a> {
    pub(crate) weights: &'a [u16],
    pub(crate) counts: &'a [i8],
}

impl<'a> Entries<'a> {
    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = (usize, f64)> + use<'a> {
        self.weights.iter().zip(self.counts).map(|(&weight, &count)| (usize::from(weight), f64::from(count)))
    }
}

/// A position with its counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) head: &'a Head,
    pub(crate) linear: Entries<'a>,
    pub(crate) safety: [Entries<'a>; 2],
    pub(crate) complexity: Entries<'a>,
}

/// Several thousand positions with their counts, filled by one thread.
#[derive(Debug, Default)]
pub struct Shard {
    heads: Vec<Head>,
    weights: Vec<u16>,
    counts: Vec<i8>,
}

impl Shard {
    /// Adds a position with the result of its game, or the mean over several, and, if known, its score in the game
    /// (centipawns for White).
    ///
    /// Returns `false` without adding it if the position does not fit: a shard holds fewer than 2³² entries, a position
    /// fewer than 2¹⁶.
    pub fn push(&mut self, counts: &WeightCounts, result: Points, score: Option<i16>) -> bool {
        let lists = counts.lists();
        let Ok(start) = u32::try_from(self.weights.len()) else { return false };
        let mut lengths = [0; 4];
        for (length, list) in lengths.iter_mut().zip(lists) {
            let Ok(fits) = u16::try_from(list.len()) else { return false };
            *length = fits;
        }
        for &(weight, count) in lists.into_iter().flatten() {
            self.weights.push(weight);
            self.counts.push(count);
        }
        let WeightCounts { mg_share, scale, base, .. } = *counts;
        self.heads.push(Head {
            start,
            lengths,
            mg_share,
            scale,
            base,
            target: Target::of_points(result),
            result,
            score,
        });
        true
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        self.heads.shrink_to_fit();
        self.weights.shrink_to_fit();
        self.counts.shrink_to_fit();
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether the shard is empty.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        let head = &self.heads[index];
        let mut at = head.start as usize;
        let [linear, white, black, complexity] = head.lengths.map(|len| {
            let range = at..at + usize::from(len);
            at = range.end;
            Entries { weights: &self.weights[range.clone()], counts: &self.counts[range] }
        });
        Row { head, linear, safety: [white, black], complexity }
    }
}

/// Positions with counts and results.
#[derive(Debug, Default)]
pub struct Dataset {
    shards: Vec<Shard>,
}

/// A range of positions within a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    shard: u32,
    start: u32,
    pub(crate) len: u32,
}

impl Dataset {
    /// A data set of these shards, in this order.
    pub fn new(mut shards: Vec<Shard>) -> Self {
        shards.retain(|shard| !shard.is_empty());
        Self { shards }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// Whether the data set is empty.
    pub fn is_empty(&self) -> bool {
        self.shards.is_empty()
    }

    /// The total number of counts of all positions.
    pub fn entries(&self) -> usize {
        self.shards.iter().map(|shard| shard.weights.len()).sum()
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.shards
            .iter()
            .map(|s| s.heads.capacity() * size_of::<Head>() + s.weights.capacity() * 2 + s.counts.capacity())
            .sum()
    }

    /// The result and the score in the game of each position.
    pub fn outcomes(&self) -> impl Iterator<Item = (Points, Option<i16>)> + '_ {
        self.shards.iter().flat_map(|shard| shard.heads.iter().map(|head| (head.result, head.score)))
    }

    /// Sets the target of each position to a mixture: `share` of its result, and the rest from the result that
    /// `predicted` gives for its score. A position without a score keeps its result.
    pub fn blend(&mut self, share: f64, predicted: impl Fn(i16) -> Target) {
        for head in self.shards.iter_mut().flat_map(|shard| &mut shard.heads) {
            let result = Target::of_points(head.result);
            head.target = head.score.map_or(result, |score| result.mix(predicted(score), share));
        }
    }

    /// For each of the first `weights` weights, the number of positions that use it.
    pub fn usage(&self, weights: usize) -> Vec<u32> {
        let mut usage = vec![0; weights];
        let mut seen = vec![usize::MAX; weights];
        for (number, row) in self.all_rows().enumerate() {
            let lists = [row.linear, row.safety[0], row.safety[1], row.complexity];
            for &weight in lists.into_iter().flat_map(|entries| entries.weights) {
                let weight = usize::from(weight);
                if weight < weights && seen[weight] != number {
                    seen[weight] = number;
                    usage[weight] += 1;
                }
            }
        }
        usage
    }

    /// All positions.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.shards.iter().flat_map(|shard| (0..shard.len()).map(|index| shard.row(index)))
    }

    /// All positions in ranges of at most `size`.
    pub(crate) fn chunks(&self, size: usize) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for (shard, positions) in self.shards.iter().enumerate() {
            for start in (0..positions.len()).step_by(size) {
                let len = size.min(positions.len() - start);
                chunks.push(Chunk { shard: shard as u32, start: start as u32, len: len as u32 });
            }
        }
        chunks
    }

    pub(crate) fn rows(&self, chunk: Chunk) -> impl Iterator<Item = Row<'_>> {
        let shard = &self.shards[chunk.shard as usize];
        let start = chunk.start as usize;
        (start..start + chunk.len as usize).map(|index| shard.row(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Color;

    const RESULTS: [Points; 3] = [Points::LOSS, Points::DRAW, Points::WIN];

    fn shard(positions: usize) -> Shard {
        let mut shard = Shard::default();
        let mut counts = WeightCounts::default();
        for position in 0..positions {
            counts.clear();
            counts.add(position as u16, 1);
            counts.add(0, -2);
            counts.add_safety(Color::Black, 9, 3);
            assert!(shard.push(&counts, RESULTS[position % 3], (position > 0).then_some(100)));
        }
        shard.shrink();
        shard
    }

    #[test]
    fn positions_are_stored_in_order() {
        let data = Dataset::new(vec![shard(3), Shard::default(), shard(2)]);
        assert_eq!((data.len(), data.entries()), (5, 15));
        let chunks = data.chunks(2);
        assert_eq!(chunks.iter().map(|chunk| chunk.len).collect::<Vec<_>>(), [2, 1, 2]);
        let row = data.rows(chunks[1]).next().unwrap();
        assert_eq!(row.linear.iter().collect::<Vec<_>>(), [(2, 1.0), (0, -2.0)]);
        assert_eq!(row.safety.map(|entries| entries.iter().len()), [0, 1]);
        assert_eq!(row.head.target, Target { win: 1.0, loss: 0.0 });
        // Two uses in one position count once.
        assert_eq!(data.usage(10)[..4], [5, 2, 1, 0]);
        assert_eq!(data.usage(10)[9], 5);
    }

    #[test]
    fn targets_are_blended_where_there_is_a_score() {
        let mut data = Dataset::new(vec![shard(2)]);
        data.blend(0.5, |_| Target { win: 1.0, loss: 0.0 });
        let targets: Vec<_> = data.rows(data.chunks(8)[0]).map(|row| row.head.target).collect();
        assert_eq!(targets, [Target { win: 0.0, loss: 1.0 }, Target { win: 0.5, loss: 0.0 }]);
        data.blend(1.0, |_| Target { win: 1.0, loss: 0.0 });
        assert_eq!(data.rows(data.chunks(8)[0]).nth(1).unwrap().head.target, Target { win: 0.0, loss: 0.0 });
    }
}
