//! Games with variations.

mod edit;
mod error;
mod id;
mod read;
#[cfg(feature = "serde")]
mod serialize;
mod write;

pub use error::TreeError;
pub use id::NodeId;
pub use read::TreeReader;

use super::PgnProblem;
use super::tags::{self, Source};
use super::{Annotations, GameResult, Nag, PgnGame, PgnMove, TagError};
use bartizan_position::Position;
use bartizan_types::Move;
use id::Stamps;

/// A game with comments, glyphs and variations nested to any depth, which can be edited and written.
///
/// The nodes are moves; the root is the start position. The first child of a node continues its line, and the others
/// are variations. Nothing recurses, so only memory limits the depth of a tree.
///
/// A node that is not in the tree, because it has been deleted or belongs to another tree, has neither moves, comments
/// nor glyphs. Methods that change the node or need its position return [`TreeError::NoSuchNode`].
///
/// ```
/// use bartizan_notation::pgn::{GameTree, Nag, TreeReader};
/// use bartizan_notation::san::SanExt;
///
/// let text = "1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) 2. Nf3 *";
/// let mut tree = TreeReader::new(text.as_bytes()).next().unwrap()?;
/// let e4 = tree.main_line().next().unwrap();
/// let sicilian = tree.children(e4).nth(1).unwrap();
/// assert_eq!(tree.comment(sicilian), "Sicilian");
///
/// tree.promote(sicilian)?;
/// tree.nags_mut(sicilian)?.push(Nag::GOOD);
/// let mv = tree.position(sicilian)?.parse_san("Nc3")?;
/// tree.add_move(sicilian, mv)?;
/// let movetext = tree.to_string().split_once("\n\n").unwrap().1.to_owned();
/// assert_eq!(movetext, "1. e4 c5 $1 {Sicilian} (1... e5 2. Nf3) 2. Nf3 (2. c3) (2. Nc3) *\n\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// The tags in order, as pairs of name and value. `Result`, `SetUp`, `FEN` and `Variant` are not included: they
    /// follow from the other fields.
    pub tags: Vec<(String, String)>,
    /// Whether the game is a game of Chess960.
    pub chess960: bool,
    /// The result of the game.
    pub result: GameResult,
    start: Position,
    /// See [`PgnGame::double_step`].
    double_step: Option<Move>,
    problems: Vec<PgnProblem>,
    /// The first is the root.
    nodes: Vec<Node>,
    /// The places of deleted nodes, for later ones.
    free: Vec<u32>,
    stamps: Stamps,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// What distinguishes the node from all others of all trees; 0 if it has been deleted.
    stamp: u64,
    /// `None` for the root and for a null move.
    mv: Option<Move>,
    parent: Option<u32>,
    first_child: Option<u32>,
    last_child: Option<u32>,
    next_sibling: Option<u32>,
    nags: Vec<Nag>,
    /// The comment before the move, and the one after it.
    before: String,
    after: String,
}

impl GameTree {
    /// Creates a tree without moves and tags.
    pub fn new(start: Position) -> Self {
        let mut stamps = Stamps::new();
        let root = Node { stamp: stamps.next(), ..Node::default() };
        Self {
            tags: Vec::new(),
            chess960: false,
            result: GameResult::Unknown,
            start,
            double_step: None,
            problems: Vec::new(),
            nodes: vec![root],
            free: Vec::new(),
            stamps,
        }
    }

    /// A node that is known to be in the tree.
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index as usize]
    }

    /// A node that is known to be in the tree.
    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index as usize]
    }

    fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index as usize).filter(|node| node.stamp == id.stamp)
    }

    fn get_mut(&mut self, id: NodeId) -> Result<&mut Node, TreeError> {
        self.nodes.get_mut(id.index as usize).filter(|node| node.stamp == id.stamp).ok_or(TreeError::NoSuchNode)
    }

    fn check(&self, id: NodeId) -> Result<(), TreeError> {
        self.get(id).map(|_| ()).ok_or(TreeError::NoSuchNode)
    }

    fn id(&self, index: u32) -> NodeId {
        NodeId { index, stamp: self.nodes[index as usize].stamp }
    }

    /// What was wrong in the text that the game was read from, in its order, at most 100 of it. It is not written.
    pub fn problems(&self) -> &[PgnProblem] {
        &self.problems
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The value of a tag in [`GameTree::tags`], or of `Result`, `SetUp` or `Variant` as written to PGN. For `FEN` this
    /// is `None`: use [`GameTree::fen`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.source().get(&self.tags, name)
    }

    /// The value of the tag `FEN` as written to PGN: `None` if a game of standard chess starts from the usual position.
    /// The position itself is [`GameTree::start`].
    pub fn fen(&self) -> Option<String> {
        self.source().fen()
    }

    fn source(&self) -> Source<'_> {
        Source { result: self.result, chess960: self.chess960, start: &self.start, double_step: self.double_step }
    }

    /// Replaces the value of a tag, or appends the tag if it is missing.
    ///
    /// # Errors
    /// [`TagError`] if the name is not valid in PGN, or is `Result`, `SetUp`, `FEN` or `Variant`, which follow from the
    /// fields.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        tags::set(&mut self.tags, name, value.into())
    }

    /// The root: the start position.
    pub fn root(&self) -> NodeId {
        self.id(0)
    }

    /// Whether a node is in this tree: it neither has been deleted nor belongs to another tree.
    ///
    /// ```
    /// use bartizan_notation::pgn::{GameTree, TreeError};
    ///
    /// let mut tree: GameTree = "1. e4 e5 2. Nf3 *".parse()?;
    /// let e4 = tree.next(tree.root()).unwrap();
    /// assert!(tree.contains(e4) && tree.clone().contains(e4) && !GameTree::default().contains(e4));
    /// tree.delete(e4)?;
    /// assert!(!tree.contains(e4));
    /// assert_eq!(tree.nags_mut(e4), Err(TreeError::NoSuchNode));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, node: NodeId) -> bool {
        self.get(node).is_some()
    }

    /// The move of a node; `None` for the root and for a null move.
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.get(node)?.mv
    }

    /// Whether a node is a null move.
    pub fn is_null_move(&self, node: NodeId) -> bool {
        self.get(node).is_some_and(|node| node.mv.is_none() && node.parent.is_some())
    }

    /// The parent node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.get(node)?.parent.map(|index| self.id(index))
    }

    /// The moves after a node: first the one that continues its line, then the variations.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(node), |&child| self.next_sibling(child))
    }

    /// The move that continues the line of a node.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.get(node)?.first_child.map(|index| self.id(index))
    }

    /// The next variation beside a move.
    fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).next_sibling.map(|index| self.id(index))
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line(self.root())
    }

    /// The moves that continue the line of a node, without variations.
    pub fn line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(node), |&last| self.next(last))
    }

    /// All nodes below a node, each before its children, in the order of the lines.
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = Some(node).filter(|&node| self.contains(node));
        std::iter::from_fn(move || {
            let current = at?;
            at = self.next(current).or_else(|| {
                let mut last = current;
                while last != node {
                    if let Some(sibling) = self.next_sibling(last) {
                        return Some(sibling);
                    }
                    last = self.parent(last)?;
                }
                None
            });
            at
        })
    }

    /// All nodes below a node, like [`GameTree::descendants`], each with the position after it. This takes one pass,
    /// whereas [`GameTree::position`] replays all earlier moves for each node.
    ///
    /// ```
    /// use bartizan_notation::pgn::TreeReader;
    ///
    /// let text = "1. f3 e5 2. g4 (2. e4 Qh4+ 3. g3) 2... Qh4# *";
    /// let tree = TreeReader::new(text.as_bytes()).next().unwrap()?;
    /// let checks = tree.walk(tree.root()).filter(|(_, position)| position.in_check());
    /// let mates: Vec<bool> = checks.map(|(_, position)| position.is_checkmate()).collect();
    /// assert_eq!(mates, [true, false]);
    /// # Ok::<(), bartizan_notation::pgn::PgnError>(())
    /// ```
    pub fn walk(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Position)> + '_ {
        let mut position = self.position_at(node);
        // The positions before moves whose variations are still to come.
        let mut forks: Vec<Position> = Vec::new();
        self.descendants(node).map(move |id| {
            let is_variation = self.parent(id).and_then(|parent| self.next(parent)) != Some(id);
            if is_variation && let Some(before) = forks.pop() {
                position = before;
            }
            if self.node(id).next_sibling.is_some() {
                forks.push(position.clone());
            }
            self.play(&mut position, id);
            (id, position.clone())
        })
    }

    /// The nodes from the first move to this one.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |&last| self.parent(last)).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The position after a node. The time is proportional to the number of moves before it; for all nodes, see
    /// [`GameTree::walk`].
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn position(&self, node: NodeId) -> Result<Position, TreeError> {
        self.check(node)?;
        Ok(self.position_at(node))
    }

    /// The position after a node that is known to be in the tree.
    fn position_at(&self, node: NodeId) -> Position {
        let mut position = self.start.clone();
        for id in self.path(node) {
            self.play(&mut position, id);
        }
        position
    }

    /// Plays a move of this tree in the position before it.
    fn play(&self, position: &mut Position, node: NodeId) {
        match self.mv(node) {
            Some(mv) => position.make_unchecked(mv),
            None => position.make_null_unchecked(),
        }
    }

    /// The comment after a move; for the root, the comment before the first move.
    pub fn comment(&self, node: NodeId) -> &str {
        self.get(node).map_or("", |node| &node.after)
    }

    /// The comment after a move, mutably.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn comment_mut(&mut self, node: NodeId) -> Result<&mut String, TreeError> {
        Ok(&mut self.get_mut(node)?.after)
    }

    /// The comment before a move at the beginning of a variation. For any other move, it is written as a comment after
    /// the previous move.
    pub fn comment_before(&self, node: NodeId) -> &str {
        self.get(node).map_or("", |node| &node.before)
    }

    /// The comment before a move, mutably.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn comment_before_mut(&mut self, node: NodeId) -> Result<&mut String, TreeError> {
        Ok(&mut self.get_mut(node)?.before)
    }

    /// The commands in the comment after a move: clocks, evaluations, marks and arrows.
    pub fn annotations(&self, node: NodeId) -> Annotations {
        Annotations::parse(self.comment(node))
    }

    /// Replaces the comment after a move.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn set_annotations(&mut self, node: NodeId, annotations: &Annotations) -> Result<(), TreeError> {
        *self.comment_mut(node)? = annotations.to_string();
        Ok(())
    }

    /// The glyphs of a move.
    pub fn nags(&self, node: NodeId) -> &[Nag] {
        self.get(node).map_or(&[], |node| &node.nags)
    }

    /// The glyphs of a move, mutably.
    ///
    /// # Errors
    /// [`TreeError::NoSuchNode`] if the node is not in the tree.
    pub fn nags_mut(&mut self, node: NodeId) -> Result<&mut Vec<Nag>, TreeError> {
        Ok(&mut self.get_mut(node)?.nags)
    }

    /// The main line. Its moves end before the first null move.
    pub fn to_pgn_game(&self) -> PgnGame {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        PgnGame {
            tags: self.tags.clone(),
            start: self.start.clone(),
            double_step: self.double_step,
            chess960: self.chess960,
            comment: text(self.comment(self.root())),
            moves: self
                .main_line()
                .map_while(|id| {
                    let (nags, comment) = (self.nags(id).iter().copied().collect(), text(self.comment(id)));
                    Some(PgnMove { mv: self.mv(id)?, nags, comment })
                })
                .collect(),
            result: self.result,
            problems: self.problems.clone(),
        }
    }
}

impl Default for GameTree {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

/// The main line. The moves end before the first that is not legal.
impl From<&PgnGame> for GameTree {
    fn from(game: &PgnGame) -> Self {
        let mut tree = Self::new(game.start.clone());
        tree.tags.clone_from(&game.tags);
        (tree.double_step, tree.chess960, tree.result) = (game.double_step, game.chess960, game.result);
        let mut last = tree.root();
        tree.node_mut(last).after = game.comment.clone().unwrap_or_default();
        let mut position = game.start.clone();
        for played in &game.moves {
            let Ok(next) = position.play(played.mv) else { break };
            last = tree.push(last, Some(played.mv));
            let node = tree.node_mut(last);
            node.nags = played.nags.to_vec();
            node.after = played.comment.clone().unwrap_or_default();
            position = next;
        }
        tree
    }
}

/// Two trees are equal if they have the same tags, lines, comments and glyphs, in the same order.
impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        fn content(tree: &GameTree, id: NodeId) -> (Option<Move>, &[Nag], &str, &str) {
            let node = tree.node(id);
            (node.mv, &node.nags, &node.before, &node.after)
        }
        let shape = |tree: &Self, id: NodeId| (tree.next(id).is_some(), tree.node(id).next_sibling.is_some());
        let (a, b) = (self.root(), other.root());
        (&self.tags, self.chess960, self.result, &self.start, self.double_step)
            == (&other.tags, other.chess960, other.result, &other.start, other.double_step)
            && content(self, a) == content(other, b)
            && self.next(a).is_some() == other.next(b).is_some()
            && self
                .descendants(a)
                .zip(other.descendants(b))
                .all(|(a, b)| shape(self, a) == shape(other, b) && content(self, a) == content(other, b))
    }
}

impl Eq for GameTree {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::san::parse_san;
    use bartizan_position::IllegalMove;

    fn read(text: &str) -> GameTree {
        TreeReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn movetext(tree: &GameTree) -> String {
        tree.to_string().split_once("\n\n").unwrap().1.trim_end().to_owned()
    }

    /// The tree written and read back, without the tag roster.
    fn again(tree: &GameTree) -> GameTree {
        GameTree { tags: tree.tags.clone(), ..read(&tree.to_string()) }
    }

    #[test]
    fn everything_is_read_and_written() {
        let text = "{before all} 1. e4 $1 $14 {best [%clk 0:01:00]} ({instead} 1. d4 d5 (1... Nf6\n2. c4 (2. Nf3) \
                    2... e6) 2. c4) (1. c4) 1... e5 2. -- (2. Nf3 $6) 2... Nc6\n1/2-1/2";
        let tree = read(text);
        assert_eq!(movetext(&tree), text);
        assert_eq!(again(&tree), tree);
        assert_eq!(tree.main_line().count(), 4);
        assert_eq!(tree.descendants(tree.root()).count(), 13);
        assert_eq!(tree.to_pgn_game().moves.len(), 2);
        let e4 = tree.next(tree.root()).unwrap();
        assert_eq!(tree.annotations(e4).clock, Some(std::time::Duration::from_secs(60)));
        assert_eq!(tree.nags(e4), [Nag(1), Nag(14)]);
        let d4 = tree.children(tree.root()).nth(1).unwrap();
        assert_eq!((tree.comment_before(d4), tree.comment(tree.root())), ("instead", "before all"));
        let sloppy = "1.e2-e4! ( ) 1... e7-e5 ?! (c5 {x} ; y\n) ({only words}) 2 Ng1f3 exd *";
        let mut tree = GameTree::default();
        TreeReader::new(sloppy.as_bytes()).read_next(&mut tree).unwrap().unwrap();
        let rest = "; the rest of the line is kept as a comment";
        let problem = format!("line 2, column 26: no legal move matches 'exd'{rest}");
        assert_eq!(tree.problems().iter().map(|problem| problem.to_string()).collect::<Vec<_>>(), [problem]);
        assert!(format!("{tree:#}").contains("1. e4! e5?! {only words} (1... c5 {x y}) 2. Nf3 {exd} *"), "{tree:#}");
    }

    #[test]
    fn the_result_is_that_of_the_tag_where_the_movetext_does_not_know_it() {
        let result = |moves: &str| read(&format!("[Result \"1-0\"]\n\n{moves}")).result;
        assert_eq!(result("1. e4 *"), GameResult::WhiteWins);
        assert_eq!(result("1. e4 1/2-1/2"), GameResult::Draw);
        assert_eq!(read("[Result \"*\"]\n\n1. e4 0-1").result, GameResult::BlackWins);
    }

    #[test]
    fn trees_are_edited() {
        let mut tree = read("1. e4 e5 (1... c5 2. Nf3 d6) (1... e6) 2. Nf3 *");
        let e4 = tree.next(tree.root()).unwrap();
        let [e5, c5, e6] = tree.children(e4).collect::<Vec<_>>()[..] else { panic!() };
        tree.promote(e6).unwrap();
        assert_eq!(movetext(&tree), "1. e4 e6 (1... e5 2. Nf3) (1... c5 2. Nf3 d6) *");
        tree.demote(e6).unwrap();
        let d6 = tree.line(c5).last().unwrap();
        tree.promote_to_main_line(d6).unwrap();
        assert_eq!(movetext(&tree), "1. e4 c5 (1... e5 2. Nf3) (1... e6) 2. Nf3 d6 *");
        tree.delete(e5).unwrap();
        assert!(!tree.contains(e5) && tree.descendants(e5).next().is_none());
        let d4 = parse_san(&tree.position(e6).unwrap(), "d4").unwrap();
        assert_eq!(tree.add_move(e5, d4), Err(TreeError::NoSuchNode));
        let added = tree.add_move(e6, d4).unwrap();
        assert_eq!(tree.add_move(e6, d4), Ok(added));
        let start = tree.start().clone();
        let first = tree.insert_move(tree.root(), parse_san(&start, "d4").unwrap()).unwrap();
        assert_eq!(tree.path(added).len(), 3);
        assert_eq!(movetext(&tree), "1. d4 (1. e4 c5 (1... e6 2. d4) 2. Nf3 d6) *");
        assert_eq!(tree.add_line(first, &[d4]), Err(IllegalMove::new(d4).into()));
        tree.delete(e4).unwrap();
        tree.add_null_move(first).unwrap();
        assert_eq!(movetext(&tree), "1. d4 -- *");
        tree.delete(tree.root()).unwrap();
        assert_eq!(movetext(&tree), "*");
    }

    #[test]
    fn a_node_of_another_tree_is_refused() {
        let mut tree = read("1. e4 {a} e5 2. Nf3 *");
        let mut other = read("1. d4 $1 {b} d5 *");
        let ids = [tree.root()].into_iter().chain(tree.descendants(tree.root())).collect::<Vec<_>>();
        let before = other.clone();
        for node in ids {
            assert!(tree.contains(node) && !other.contains(node));
            assert_eq!((other.mv(node), other.parent(node), other.next(node)), (None, None, None));
            assert_eq!((other.comment(node), other.comment_before(node), other.nags(node)), ("", "", &[][..]));
            assert!(!other.is_null_move(node) && other.path(node).is_empty());
            assert!(other.children(node).chain(other.line(node)).chain(other.descendants(node)).next().is_none());
            assert!(other.walk(node).next().is_none() && other.annotations(node) == Annotations::default());
            let missing = Err(TreeError::NoSuchNode);
            assert_eq!(other.position(node).map(|_| ()), missing);
            assert_eq!(other.delete(node), missing);
            assert_eq!((other.promote(node), other.demote(node)), (missing.clone(), missing.clone()));
            assert_eq!(other.promote_to_main_line(node), missing);
            assert_eq!(other.set_annotations(node, &Annotations::default()), missing);
            assert_eq!(other.comment_mut(node).map(|_| ()), missing);
            assert_eq!(other.comment_before_mut(node).map(|_| ()), missing);
            assert_eq!(other.nags_mut(node).map(|_| ()), missing);
            let mv = other.start().legal_moves()[0];
            for added in [other.add_move(node, mv), other.insert_move(node, mv), other.add_null_move(node)] {
                assert_eq!(added, Err(TreeError::NoSuchNode));
            }
            assert_eq!(other.add_line(node, &[]), Err(TreeError::NoSuchNode));
        }
        assert!(other == before);
        // A clone has the same nodes, but the later ones of each are its own.
        let mut clone = tree.clone();
        let last = tree.main_line().last().unwrap();
        assert_eq!(clone.main_line().last(), Some(last));
        let [ours, theirs] = [&mut tree, &mut clone].map(|tree| tree.add_null_move(last).unwrap());
        assert!(!tree.contains(theirs) && !clone.contains(ours));
        // So has a tree that a reader fills again.
        TreeReader::new("1. c4 *".as_bytes()).read_next(&mut tree).unwrap().unwrap();
        assert!(!tree.contains(last) && !tree.contains(ours));
    }

    #[test]
    fn the_memory_of_deleted_nodes_is_reused() {
        let mut tree = read("1. e4 (1. d4 d5 2. c4) 1... e5 *");
        let size = tree.nodes.len();
        let start = tree.start().clone();
        let [d4, c4] = ["d4", "c4"].map(|text| parse_san(&start, text).unwrap());
        let old = tree.children(tree.root()).nth(1).unwrap();
        tree.delete(old).unwrap();
        assert!(tree.nodes.iter().skip(1).all(|node| node.stamp != 0 || node.after.capacity() == 0));
        for _ in 0..10_000 {
            let node = tree.add_move(tree.root(), d4).unwrap();
            *tree.comment_mut(node).unwrap() = "again".to_owned();
            tree.delete(node).unwrap();
            // Another node in the same place is not the deleted one.
            let other = tree.add_move(tree.root(), c4).unwrap();
            assert!(!tree.contains(node) && !tree.contains(old) && tree.comment(other).is_empty());
            assert_eq!(tree.delete(node), Err(TreeError::NoSuchNode));
            tree.delete(other).unwrap();
        }
        assert_eq!(tree.nodes.len(), size);
        assert_eq!(movetext(&tree), "1. e4 e5 *");
        tree.delete(tree.root()).unwrap();
        assert!(tree.contains(tree.root()) && tree.nodes.len() == tree.free.len() + 1);
    }

    #[test]
    fn trees_are_merged() {
        let mut tree = read("1. e4 {a} e5 2. Nf3 *");
        assert!(tree.merge(&read("1. e4 $1 {b} c5 (1... e5 2. Nc3) 2. Nf3 *")));
        assert_eq!(movetext(&tree), "1. e4 $1 {a; b} 1... e5 (1... c5 2. Nf3) 2. Nf3 (2. Nc3) *");
        let before = tree.clone();
        assert!(!tree.merge(&GameTree::new(Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap())));
        assert!(tree.merge(&before) && tree == before);
        assert!(tree.merge(&read("1. e4 {b} *")) && tree == before);
        // A comment that is part of another one is a different comment.
        let mut tree = read("1. e4 {not a mistake} *");
        assert!(tree.merge(&read("1. e4 {a mistake} *")));
        assert_eq!(movetext(&tree), "1. e4 {not a mistake; a mistake} *");
        // Repeated variations are merged in the same way.
        let many = |mv: &str| format!("1. e4 {}*", format!("(1. {mv} {{x}}) ").repeat(20_000));
        let mut tree = read(&many("d4"));
        assert!(tree.merge(&read(&many("c4"))));
        assert_eq!(tree.children(tree.root()).count(), 20_002);
    }

    #[test]
    fn a_problem_in_a_variation_costs_the_rest_of_it() {
        let mut tree = GameTree::default();
        let mut reader = TreeReader::new("1. e4 e5 (1... c5 2. Ke3 d6 (2... Nc6)) 2. Nf3 * 1. d4 *".as_bytes());
        reader.read_next(&mut tree).unwrap().unwrap();
        assert_eq!((tree.problems().len(), tree.problems()[0].column), (1, 22));
        assert_eq!(movetext(&tree), "1. e4 e5 (1... c5 {Ke3 d6 (2... Nc6)}) 2. Nf3 *");
        reader.read_next(&mut tree).unwrap().unwrap();
        assert_eq!(movetext(&tree), "1. d4 *");
    }

    #[test]
    fn a_comment_in_front_of_the_main_line_is_read_as_written() {
        // The first move of the game is in a variation and has its own comment.
        let tree = read("{before} ({no} 1. e4) *");
        let written = tree.to_string();
        assert!(written.ends_with("\n\n{before no} 1. e4 *\n\n"), "{written}");
        assert_eq!(again(&tree).to_string(), written);
    }

    #[test]
    fn a_game_that_begins_with_a_variation_keeps_its_main_line() {
        let tree = read("(1. Nf3 Nf6) (1. c4) 1. d4 (1. e4) 1... d5 2. c4 *");
        assert_eq!(movetext(&tree), "1. d4 (1. Nf3 Nf6) (1. c4) (1. e4) 1... d5 2. c4 *");
    }

    #[test]
    fn a_walk_visits_all_descendants_with_their_positions() {
        let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3) (2. --) 2... e6) 2. c4) (1. c4 e5) 1... e5 2. -- (2. Nf3) \
                    2... Nc6 *";
        let tree = read(text);
        for node in [tree.root()].into_iter().chain(tree.descendants(tree.root())) {
            let walk: Vec<(NodeId, Position)> = tree.walk(node).collect();
            assert!(walk.iter().map(|&(id, _)| id).eq(tree.descendants(node)));
            assert!(walk.iter().all(|(id, position)| tree.position(*id).as_ref() == Ok(position)));
        }
    }

    /// Neither reading, writing, comparing nor dropping recurses, and the time is linear.
    #[test]
    fn trees_may_be_deep() {
        let depth = 20_000;
        let same = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
        let stairs: String = ["Nf3 (Nc3 ", "Nf6 (Nc6 ", "Nf3 (Nb1 ", "Nf6 (Nb8 "].concat().repeat(depth / 4);
        let tree = read(&same);
        assert_eq!(tree.children(tree.root()).count(), depth + 1);
        for (text, moves) in [(same, depth + 2), (format!("{stairs} {} *", ")".repeat(depth)), 2 * depth)] {
            let mut tree = GameTree::default();
            let _ = TreeReader::new(text.as_bytes()).read_next(&mut tree).unwrap();
            assert!(tree.walk(tree.root()).count() >= moves);
            assert!(again(&tree) == tree);
        }
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(depth / 4);
        assert_eq!(read(&format!("{long} *")).main_line().count(), depth);
    }
}
