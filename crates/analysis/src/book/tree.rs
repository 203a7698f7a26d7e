//! Expanding openings into a book whose positions have all been searched.

use super::{score_for_white, search};
use bartizan_book::{BookEntry, PolyglotKey, PolyglotMove};
use bartizan_engine::SingleThreadedEngine;
use bartizan_parallel::StopFlag;
use bartizan_position::{IllegalMove, Position};
use bartizan_types::{Color, Key, Limits, Move};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// What searches of a position have found. Scores are displayed centipawns for White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// The score of the position.
    pub score: i32,
    /// The best move and, if the position is within the limit and has another move, the best of the others. None if the
    /// game is over.
    pub moves: Vec<(Move, i32)>,
}

/// Searches a position with a number of nodes and, if its score is at most `worst` centipawns for either side, with a
/// quarter of them for the best of the other moves; `None` if stopped. Each search begins with empty tables.
///
/// The second search decides only whether the position after that move is searched itself, with all nodes.
pub fn candidates(
    engine: &mut SingleThreadedEngine,
    position: &Position,
    nodes: u64,
    worst: i32,
    stop: &StopFlag,
) -> Option<Candidates> {
    let first = search(engine, position, Limits::nodes(nodes), stop)?;
    let score = score_for_white(position, &first);
    let mut moves: Vec<(Move, i32)> = first.best.map(|mv| (mv, score)).into_iter().collect();
    let others: Vec<Move> = position.legal_moves().iter().copied().filter(|&mv| Some(mv) != first.best).collect();
    if score.abs() <= worst && !others.is_empty() {
        let limits = Limits::nodes(nodes.div_ceil(4)).with_search_moves(others);
        let second = search(engine, position, limits, stop)?;
        moves.extend(second.best.map(|mv| (mv, score_for_white(position, &second))));
    }
    Some(Candidates { score, moves })
}

impl Candidates {
    /// Whether nothing is missing for a book with this limit, in centipawns.
    pub fn is_complete(&self, position: &Position, worst: i32) -> bool {
        let wanted = if self.score.abs() <= worst { position.count_legal_moves().min(2) } else { 0 };
        self.moves.len() >= wanted as usize
    }
}

/// A book that grows from the starting position ply by ply.
///
/// A position enters it if its score is within the limit. It plays the moves of the opening lines, the best move, and
/// the second best if it is hardly worse, as far as the positions that they lead to enter the book.
#[derive(Debug)]
pub struct BookTree {
    /// The moves of the opening lines, by the positions on them.
    lines: HashMap<Key, BTreeSet<u16>>,
    nodes: HashMap<Key, Node>,
    /// Positions that have not been searched.
    frontier: Vec<Position>,
    worst: i32,
    margin: i32,
    plies: usize,
    /// Whether only the lines continue.
    is_full: bool,
}

#[derive(Debug)]
struct Node {
    position: Position,
    /// For White; `None` before the search.
    score: Option<i32>,
    moves: Vec<Move>,
    /// The keys of the position in the book, which depend on the moves that lead there.
    keys: BTreeSet<PolyglotKey>,
}

impl Node {
    fn new(position: Position, key: PolyglotKey) -> Self {
        Self { position, score: None, moves: Vec::new(), keys: BTreeSet::from([key]) }
    }
}

impl BookTree {
    /// Begins a book with opening lines from the starting position. Scores may be `worst` centipawns for either side,
    /// and a second move `margin` centipawns worse than the best one.
    ///
    /// # Errors
    /// If a move of a line is not legal.
    pub fn new(lines: &[Vec<Move>], worst: i32, margin: i32) -> Result<Self, IllegalMove> {
        let start = Position::startpos();
        let mut moves: HashMap<Key, BTreeSet<u16>> = HashMap::new();
        for line in lines {
            let mut position = start.clone();
            for &mv in line {
                moves.entry(position.key()).or_default().insert(mv.to_bits());
                position = position.play(mv)?;
            }
            moves.entry(position.key()).or_default();
        }
        let nodes = HashMap::from([(start.key(), Node::new(start.clone(), PolyglotKey::of(&start)))]);
        Ok(Self { lines: moves, nodes, frontier: vec![start], worst, margin, plies: 0, is_full: false })
    }

    /// The positions that must be searched next.
    pub fn frontier(&self) -> &[Position] {
        &self.frontier
    }

    /// The number of plies from the starting position to the [`frontier`](Self::frontier).
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Adds the positions of the frontier to the book, if they are within the limit, and moves the frontier on by a
    /// ply. Positions about which nothing was found stay outside.
    pub fn advance<'a>(&mut self, found: impl Fn(&Position) -> Option<&'a Candidates>) {
        self.plies += 1;
        for position in std::mem::take(&mut self.frontier) {
            let Some(candidates) = found(&position) else { continue };
            let is_within = candidates.score.abs() <= self.worst;
            let moves = if is_within { self.choose(&position, candidates) } else { Vec::new() };
            for &mv in &moves {
                let next = position.play_unchecked(mv);
                let key = PolyglotKey::after(&next, Some(mv));
                let node = self.nodes.entry(next.key()).or_insert_with(|| {
                    self.frontier.push(next.clone());
                    Node::new(next, key)
                });
                node.keys.insert(key);
            }
            if let Some(node) = self.nodes.get_mut(&position.key()) {
                node.score = Some(candidates.score);
                node.moves = moves;
            }
        }
    }

    /// From now on, only the moves of the opening lines enter the book.
    pub fn only_lines(&mut self) {
        self.is_full = true;
        self.frontier.retain(|position| self.lines.contains_key(&position.key()));
    }

    /// The moves that the book may play in a position.
    fn choose(&self, position: &Position, candidates: &Candidates) -> Vec<Move> {
        let loss = |score: i32| (candidates.score - score) * sign(position);
        let good = candidates.moves.iter().filter(|&&(_, score)| loss(score) <= self.margin).map(|&(mv, _)| mv);
        let lines = self.lines.get(&position.key());
        let known = |mv: &Move| lines.is_some_and(|lines| lines.contains(&mv.to_bits()));
        let mut moves: Vec<Move> = position.legal_moves().iter().copied().filter(known).collect();
        for mv in good.filter(|_| !self.is_full) {
            if !moves.contains(&mv) && position.is_legal(mv) {
                moves.push(mv);
            }
        }
        moves
    }

    /// The moves of a node whose positions are in the book, with their scores for the side that plays them.
    fn edges(&self, node: &Node) -> Vec<(Move, i32)> {
        let score = |mv: &Move| self.nodes.get(&node.position.play_unchecked(*mv).key())?.score;
        let within = |mv: &Move| Some((*mv, score(mv).filter(|score| score.abs() <= self.worst)?));
        let sign = sign(&node.position);
        node.moves.iter().filter_map(within).map(|(mv, score)| (mv, score * sign)).collect()
    }

    /// The number of moves in the book.
    pub fn moves(&self) -> usize {
        self.nodes.values().map(|node| self.edges(node).len() * node.keys.len()).sum()
    }

    /// The entries of the book, sorted. The best move of a position has the weight 100, another one 2 less for each
    /// centipawn that it is worse, but at least 1.
    pub fn entries(&self) -> Vec<BookEntry> {
        let mut entries = Vec::new();
        for node in self.nodes.values() {
            let edges = self.edges(node);
            let best = edges.iter().map(|&(_, score)| score).max().unwrap_or(0);
            for (mv, score) in edges {
                let weight = u16::try_from((100 - 2 * (best - score)).max(1)).unwrap_or(1);
                let mv = PolyglotMove::from(mv);
                entries.extend(node.keys.iter().map(|&key| BookEntry { key, mv, weight, learn: 0 }));
            }
        }
        entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv.0));
        entries
    }
}

/// Turns scores for White into scores for the side to move.
fn sign(position: &Position) -> i32 {
    if position.turn() == Color::White { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_book::Book;
    use bartizan_notation::san::parse_san;

    fn line(moves: &str) -> Vec<Move> {
        let mut position = Position::startpos();
        let play = |san| {
            let mv = parse_san(&position, san).unwrap();
            position = position.play(mv).unwrap();
            mv
        };
        moves.split_whitespace().map(play).collect()
    }

    /// Grows a book in which all positions have the score 10, except those after some lines.
    fn grown(lines: &[&str], plies: usize, scores: &[(&str, i32)]) -> BookTree {
        let after =
            |text: &str| line(text).iter().fold(Position::startpos(), |position, &mv| position.play(mv).unwrap());
        let scores: Vec<(Position, i32)> = scores.iter().map(|&(text, score)| (after(text), score)).collect();
        let lines: Vec<Vec<Move>> = lines.iter().map(|text| line(text)).collect();
        let mut tree = BookTree::new(&lines, 50, 15).unwrap();
        for _ in 0..=plies {
            let mut found = HashMap::new();
            for position in tree.frontier() {
                let score =
                    scores.iter().find(|(other, _)| other.key() == position.key()).map_or(10, |&(_, score)| score);
                let legal = position.legal_moves();
                // The second move is within the margin for White only.
                let loss = if position.turn().is_white() { 15 } else { 16 };
                let moves = vec![(legal[0], score), (legal[1], score - loss * sign(position))];
                found.insert(position.key(), Candidates { score, moves });
            }
            tree.advance(|position| found.get(&position.key()));
        }
        tree
    }

    #[test]
    fn a_book_has_lines_and_good_moves_within_the_limit() {
        let scores = [("e4", 40), ("e4 d5", 51), ("d4", -51), ("e4 e5 Nf3", 50)];
        let tree = grown(&["e4 e5 Nf3", "e4 d5 exd5", "d4 d5"], 3, &scores);
        let entries = tree.entries();
        assert_eq!(entries.len(), tree.moves());
        let book = Book::from_bytes(entries.iter().flat_map(|entry| entry.to_bytes()).collect::<Vec<u8>>()).unwrap();
        let start = Position::startpos();
        let found = book.moves(&start, None).unwrap();
        let legal = start.legal_moves();
        let mut moves: Vec<(Move, u16)> = found.iter().map(|found| (found.mv, found.weight)).collect();
        moves.sort_unstable_by_key(|&(_, weight)| Reverse(weight));
        assert_eq!(moves[0], (line("e4")[0], 100));
        assert_eq!(moves[1..].iter().map(|&(_, weight)| weight).collect::<Vec<_>>(), [40, 40]);
        assert!(moves[1..].iter().all(|(mv, _)| legal[..2].contains(mv)));
        // Black's second move is outside the margin, and 1... d5 is outside the limit.
        let position = start.play(line("e4")[0]).unwrap();
        let replies = book.moves(&position, Some(line("e4")[0])).unwrap();
        assert!(replies.iter().any(|found| found.mv == line("e4 e5")[1]));
        assert!(!replies.iter().any(|found| found.mv == line("e4 d5")[1]));
        assert!(replies.len() <= 2);
    }

    #[test]
    fn a_full_book_follows_the_lines() {
        let mut tree = grown(&["e4 e5 Nf3 Nc6"], 1, &[]);
        let wide = tree.frontier().len();
        tree.only_lines();
        assert!(wide > 1 && tree.frontier().len() == 1);
        for _ in 0..3 {
            let key = tree.frontier()[0].key();
            let found = Candidates { score: 0, moves: vec![(tree.frontier()[0].legal_moves()[0], 0)] };
            tree.advance(|position| (position.key() == key).then_some(&found));
        }
        assert!(tree.frontier().is_empty());
        assert_eq!(tree.plies(), 5);
    }

    #[test]
    fn searches_of_bad_positions_are_not_repeated_for_a_second_move() {
        let position = Position::startpos();
        let candidates = |score, moves: usize| Candidates { score, moves: vec![(line("e4")[0], score); moves] };
        assert!(!candidates(0, 1).is_complete(&position, 50) && candidates(0, 2).is_complete(&position, 50));
        assert!(candidates(60, 1).is_complete(&position, 50) && !candidates(60, 1).is_complete(&position, 60));
    }
}
