//! The nodes of a tree.

use super::tree::{is_chess960, tree_error};
use super::{Game, SharedTree};
use crate::basics::SquareArg;
use crate::board::Board;
use crate::moves::{Packed, PyMove};
use crate::state::State;
use bartizan_notation::pgn::{Annotations, GameTree, MarkColor, Nag, NodeId, PgnScore, TreeError};
use bartizan_notation::san::San;
use bartizan_types::Move;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A move of a game with its comments, glyphs and variations; or the game itself, the root.
///
/// >>> from bartizan.pgn import loads
/// >>> game = loads("1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *")
/// >>> [node.san() for node in game.mainline()]
/// ['e4', 'e5', 'Nf3']
/// >>> sicilian = game.next().variations[1]
/// >>> sicilian.comment, sicilian.board().fen()
/// ('Sicilian', 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')
#[pyclass(name = "GameNode", module = "bartizan.pgn", frozen, subclass)]
pub(crate) struct GameNode {
    pub(crate) tree: SharedTree,
    pub(crate) id: NodeId,
}

impl GameNode {
    fn change<T>(&self, change: impl FnOnce(&mut GameTree, NodeId) -> Result<T, TreeError>) -> PyResult<T> {
        change(&mut self.tree.lock(), self.id).map_err(tree_error)
    }

    fn annotate(&self, change: impl FnOnce(&mut Annotations)) -> PyResult<()> {
        self.change(|tree, id| {
            let mut annotations = tree.annotations(id);
            change(&mut annotations);
            tree.set_annotations(id, &annotations)
        })
    }

    /// The annotations of the comment, those of match programs included.
    fn annotations(&self) -> Annotations {
        let tree = self.tree.lock();
        let mover = tree.parent(self.id).and_then(|parent| tree.position(parent).ok()).map(|position| position.turn());
        match mover {
            Some(mover) => Annotations::of_move(tree.comment(self.id), mover),
            None => tree.annotations(self.id),
        }
    }

    /// A move of Python after this node; `None` for a null move.
    fn resolve(&self, mv: Packed) -> PyResult<Option<Move>> {
        let position = self.change(|tree, id| tree.position(id))?;
        let chess960 = is_chess960(&self.tree.lock());
        State::new(position, chess960).resolve(mv)
    }

    fn add(&self, mv: Packed, first: bool) -> PyResult<NodeId> {
        let resolved = self.resolve(mv)?;
        self.change(|tree, id| match resolved {
            Some(mv) if first => tree.insert_move(id, mv),
            Some(mv) => tree.add_move(id, mv),
            None => tree.add_null_move(id),
        })
    }

    fn children(&self) -> Vec<NodeId> {
        let tree = self.tree.lock();
        tree.children(self.id).collect()
    }

    /// A child by its move, its index, or itself.
    fn child(&self, key: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let children = self.children();
        if let Ok(node) = key.cast::<Self>() {
            let node = node.get();
            let is_child = node.tree.is(&self.tree) && children.contains(&node.id);
            return is_child.then_some(node.id).ok_or_else(|| PyKeyError::new_err("not a variation of this node"));
        }
        if let Ok(mv) = key.cast::<PyMove>() {
            let wanted = mv.get().0;
            let resolved = self.resolve(wanted).map_err(|_| PyKeyError::new_err(wanted.text()))?;
            let tree = self.tree.lock();
            let found = children.into_iter().find(|&child| tree.mv(child) == resolved);
            return found.ok_or_else(|| PyKeyError::new_err(wanted.text()));
        }
        if key.is_instance_of::<PyInt>() {
            let count = children.len() as i64;
            let index = key.extract::<i64>().ok().map(|index| if index < 0 { index + count } else { index });
            let found = index.and_then(|index| children.get(usize::try_from(index).ok()?).copied());
            return found.ok_or_else(|| PyIndexError::new_err("there is no such variation"));
        }
        Err(PyTypeError::new_err("a variation is named by its move, its index or its node"))
    }

    /// The nodes that continue the line of this one.
    fn line(&self) -> Vec<NodeId> {
        let tree = self.tree.lock();
        tree.line(self.id).collect()
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.tree.address(), self.id).hash(&mut hasher);
        hasher.finish()
    }
}

fn seconds(time: f64) -> PyResult<Duration> {
    let rounded = Duration::try_from_secs_f64((time * 1000.0).round() / 1000.0);
    rounded.map_err(|_| PyValueError::new_err("a time is a number of seconds, at least 0"))
}

#[pymethods]
impl GameNode {
    /// The move that leads to this node; None for a game.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> PyResult<Option<Py<PyMove>>> {
        let packed = {
            let tree = self.tree.lock();
            match tree.mv(self.id) {
                Some(mv) => Some(Packed::of(mv, is_chess960(&tree))),
                None => tree.is_null_move(self.id).then_some(Packed::NULL),
            }
        };
        packed.map(|packed| packed.object(py)).transpose()
    }

    /// The node before; None for a game.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Py<Self>>> {
        let parent = self.tree.lock().parent(self.id);
        parent.map(|id| self.tree.object(py, id)).transpose()
    }

    /// The nodes after: first the one that continues the line.
    #[getter]
    fn variations(&self, py: Python<'_>) -> PyResult<Vec<Py<Self>>> {
        self.tree.objects(py, &self.children())
    }

    /// The comment after the move; of a game, before the first move.
    #[getter]
    fn comment(&self) -> String {
        self.tree.lock().comment(self.id).to_owned()
    }

    #[setter]
    fn set_comment(&self, comment: String) -> PyResult<()> {
        self.change(|tree, id| {
            *tree.comment_mut(id)? = comment;
            Ok(())
        })
    }

    /// The comment before a move that begins a variation.
    #[getter]
    fn starting_comment(&self) -> String {
        self.tree.lock().comment_before(self.id).to_owned()
    }

    #[setter]
    fn set_starting_comment(&self, comment: String) -> PyResult<()> {
        self.change(|tree, id| {
            *tree.comment_before_mut(id)? = comment;
            Ok(())
        })
    }

    /// The numbers of the glyphs, such as 4 for ??: a set, which can be changed.
    #[getter]
    fn nags<'py>(slf: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static NAGS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = slf.py();
        NAGS.import(py, "bartizan._nags", "Nags")?.call1((slf,))
    }

    #[setter]
    fn set_nags(&self, nags: &Bound<'_, PyAny>) -> PyResult<()> {
        let nags: Vec<u8> = nags.try_iter()?.map(|nag| nag?.extract()).collect::<PyResult<_>>()?;
        self._set_nags(nags)
    }

    fn _get_nags(&self) -> Vec<u16> {
        self.tree.lock().nags(self.id).iter().map(|nag| u16::from(nag.0)).collect()
    }

    fn _set_nags(&self, nags: Vec<u8>) -> PyResult<()> {
        self.change(|tree, id| {
            *tree.nags_mut(id)? = nags.into_iter().map(Nag).collect();
            Ok(())
        })
    }

    /// The game.
    fn game(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        let root = self.tree.lock().root();
        self.tree.object(py, root)
    }

    /// The board after the move, with the moves before.
    fn board(&self) -> PyResult<Board> {
        Ok(Board { state: self.tree.board(self.id)? })
    }

    /// The number of plies since move 1.
    fn ply(&self) -> PyResult<u32> {
        self.change(|tree, id| Ok(tree.position(id)?.game_ply()))
    }

    /// The side to move after the move.
    fn turn(&self) -> PyResult<bool> {
        self.change(|tree, id| Ok(tree.position(id)?.turn().is_white()))
    }

    /// The move in SAN.
    fn san(&self) -> PyResult<String> {
        let tree = self.tree.lock();
        let Some(parent) = tree.parent(self.id) else { return Err(PyValueError::new_err("a game is not a move")) };
        let position = tree.position(parent).map_err(tree_error)?;
        Ok(tree.mv(self.id).map_or_else(|| "--".to_owned(), |mv| San::new(&position, mv).to_string()))
    }

    /// The move in coordinate notation.
    fn uci(&self, py: Python<'_>) -> PyResult<String> {
        let mv = self.r#move(py)?.ok_or_else(|| PyValueError::new_err("a game is not a move"))?;
        Ok(mv.get().0.text())
    }

    /// The node that continues the line, or None.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<Self>>> {
        let next = self.tree.lock().next(self.id);
        next.map(|id| self.tree.object(py, id)).transpose()
    }

    /// The last node of the line.
    fn end(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        let last = self.line().last().copied().unwrap_or(self.id);
        self.tree.object(py, last)
    }

    /// Whether nothing follows.
    fn is_end(&self) -> bool {
        self.tree.lock().next(self.id).is_none()
    }

    /// Whether the move begins a variation.
    fn starts_variation(&self) -> bool {
        let tree = self.tree.lock();
        tree.parent(self.id).is_some_and(|parent| tree.next(parent) != Some(self.id))
    }

    /// Whether the move continues the line of the node before.
    fn is_main_variation(&self) -> bool {
        !self.starts_variation()
    }

    /// Whether the node is in the main line of the game.
    fn is_mainline(&self) -> bool {
        let tree = self.tree.lock();
        let mut at = self.id;
        while let Some(parent) = tree.parent(at) {
            if tree.next(parent) != Some(at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// The nodes that continue the line.
    fn mainline(&self, py: Python<'_>) -> PyResult<Vec<Py<Self>>> {
        self.tree.objects(py, &self.line())
    }

    /// The moves that continue the line.
    fn mainline_moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        let moves: Vec<Packed> = {
            let tree = self.tree.lock();
            let chess960 = is_chess960(&tree);
            let packed = |id| tree.mv(id).map_or(Packed::NULL, |mv| Packed::of(mv, chess960));
            tree.line(self.id).map(packed).collect()
        };
        moves.into_iter().map(|mv| mv.object(py)).collect()
    }

    /// The variation of a move, an index, or a node of it.
    fn variation(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let id = self.child(key)?;
        self.tree.object(key.py(), id)
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        self.variation(key)
    }

    /// Whether there is a variation of a move, an index, or a node.
    fn has_variation(&self, key: &Bound<'_, PyAny>) -> bool {
        self.child(key).is_ok()
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        self.has_variation(key)
    }

    /// Adds a move after this node, the last of its variations, and returns its node; one that is there stays.
    #[pyo3(signature = (r#move, *, comment = None, starting_comment = None, nags = None))]
    fn add_variation(
        &self,
        py: Python<'_>,
        r#move: &PyMove,
        comment: Option<String>,
        starting_comment: Option<String>,
        nags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        self.added(py, r#move.0, false, comment, starting_comment, nags)
    }

    /// Adds a move after this node, the first of its variations, and returns its node.
    #[pyo3(signature = (r#move, *, comment = None, nags = None))]
    fn add_main_variation(
        &self,
        py: Python<'_>,
        r#move: &PyMove,
        comment: Option<String>,
        nags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        self.added(py, r#move.0, true, comment, None, nags)
    }

    /// Adds moves one after the other, and returns the last node. The comment and the glyphs are those of the last.
    #[pyo3(signature = (moves, *, comment = None, starting_comment = None, nags = None))]
    fn add_line(
        &self,
        py: Python<'_>,
        moves: &Bound<'_, PyAny>,
        comment: Option<String>,
        starting_comment: Option<String>,
        nags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let moves: Vec<Packed> =
            moves.try_iter()?.map(|mv| Ok(mv?.cast::<PyMove>()?.get().0)).collect::<PyResult<_>>()?;
        // All moves are checked before the first is added.
        let mut state = self.tree.board(self.id)?;
        moves.iter().try_for_each(|&mv| state.push(mv))?;
        let mut last = Self { tree: self.tree.clone(), id: self.id };
        for (index, mv) in moves.into_iter().enumerate() {
            last.id = last.add(mv, false)?;
            if let Some(comment) = starting_comment.as_ref().filter(|_| index == 0) {
                last.set_starting_comment(comment.clone())?;
            }
        }
        last.decorate(comment, None, nags)?;
        self.tree.object(py, last.id)
    }

    /// Removes a variation, named by its move, index or node.
    fn remove_variation(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let id = self.child(key)?;
        self.change(|tree, _| tree.delete(id))
    }

    /// Puts a variation one place forward.
    fn promote(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.reorder(key, |at, order| order.swap(at.saturating_sub(1), at))
    }

    /// Puts a variation one place back.
    fn demote(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.reorder(key, |at, order| order.swap(at, (at + 1).min(order.len() - 1)))
    }

    /// Makes a variation the one that continues the line.
    fn promote_to_main(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let id = self.child(key)?;
        self.change(|tree, _| tree.promote(id))
    }

    // What comments say.

    /// The seconds on the player's clock after the move, by `[%clk]`; or None.
    fn clock(&self) -> Option<f64> {
        self.annotations().clock.map(|time| time.as_secs_f64())
    }

    /// Writes `[%clk]` into the comment, or removes it.
    #[pyo3(signature = (seconds))]
    fn set_clock(&self, seconds: Option<f64>) -> PyResult<()> {
        let time = seconds.map(self::seconds).transpose()?;
        self.annotate(|annotations| annotations.clock = time)
    }

    /// The seconds that the move took, by `[%emt]`; or None.
    fn emt(&self) -> Option<f64> {
        self.annotations().elapsed.map(|time| time.as_secs_f64())
    }

    /// Writes `[%emt]` into the comment, or removes it.
    #[pyo3(signature = (seconds))]
    fn set_emt(&self, seconds: Option<f64>) -> PyResult<()> {
        let time = seconds.map(self::seconds).transpose()?;
        self.annotate(|annotations| annotations.elapsed = time)
    }

    /// The evaluation after the move, by `[%eval]` or as match programs write it: a `PovScore`, or None.
    fn eval<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        static OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Some((score, _)) = self.annotations().eval else { return Ok(None) };
        let (centipawns, mate) = match score {
            PgnScore::Centipawns(score) => (Some(score), None),
            PgnScore::Mate(moves) => (None, Some(moves)),
        };
        Ok(Some(OF.import(py, "bartizan._score", "_of_white")?.call1((centipawns, mate))?))
    }

    /// The depth of that evaluation, or None.
    fn eval_depth(&self) -> Option<u32> {
        self.annotations().eval.and_then(|(_, depth)| depth)
    }

    /// Writes `[%eval]` into the comment, or removes it.
    #[pyo3(signature = (score, depth = None))]
    fn set_eval(&self, score: Option<Bound<'_, PyAny>>, depth: Option<u32>) -> PyResult<()> {
        let score = match score {
            None => None,
            Some(score) => {
                let white = score.call_method0("white")?;
                let mate: Option<i32> = white.call_method0("mate")?.extract()?;
                let centipawns: Option<i32> = white.call_method0("score")?.extract()?;
                mate.map(PgnScore::Mate).or(centipawns.map(PgnScore::Centipawns))
            }
        };
        self.annotate(|annotations| annotations.eval = score.map(|score| (score, depth)))
    }

    /// The arrows and marked squares, by `[%cal]` and `[%csl]`: origin, target and the name of a colour. A marked
    /// square is an arrow that ends where it begins.
    fn arrows(&self) -> Vec<(usize, usize, &'static str)> {
        let annotations = self.annotations();
        let marks = annotations.squares.iter().map(|&(color, square)| (square.index(), square.index(), name(color)));
        let arrows = annotations.arrows.iter().map(|&(color, from, to)| (from.index(), to.index(), name(color)));
        marks.chain(arrows).collect()
    }

    /// Writes `[%cal]` and `[%csl]` into the comment.
    fn set_arrows(&self, arrows: Vec<(SquareArg, SquareArg, String)>) -> PyResult<()> {
        let (mut squares, mut lines) = (Vec::new(), Vec::new());
        for (from, to, color) in arrows {
            let letter = color.chars().next().map(|letter| letter.to_ascii_uppercase());
            let color = letter.and_then(MarkColor::from_char);
            let color =
                color.ok_or_else(|| PyValueError::new_err("colours are green, red, yellow, blue, orange and cyan"))?;
            if from.0 == to.0 {
                squares.push((color, from.0));
            } else {
                lines.push((color, from.0, to.0));
            }
        }
        self.annotate(|annotations| (annotations.squares, annotations.arrows) = (squares, lines))
    }

    /// The comment without its commands.
    fn text(&self) -> String {
        self.annotations().text
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.id == self.id && other.tree.is(&self.tree)
        })
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let node = slf.get();
        if slf.is_instance_of::<Game>() {
            let tree = node.tree.lock();
            let tag = |name| tree.tag(name).unwrap_or("?");
            return Ok(format!("<Game {:?} - {:?} {}>", tag("White"), tag("Black"), tree.result));
        }
        let state = node.tree.board(node.id)?;
        let before = state.positions().iter().rev().nth(1);
        let number = before.map(bartizan_notation::san::move_number).unwrap_or_default();
        Ok(format!("<GameNode {number} {}>", node.san()?))
    }
}

fn name(color: MarkColor) -> &'static str {
    match color {
        MarkColor::Green => "green",
        MarkColor::Red => "red",
        MarkColor::Yellow => "yellow",
        MarkColor::Blue => "blue",
        MarkColor::Orange => "orange",
        MarkColor::Cyan => "cyan",
    }
}

impl GameNode {
    fn added(
        &self,
        py: Python<'_>,
        mv: Packed,
        first: bool,
        comment: Option<String>,
        starting_comment: Option<String>,
        nags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let child = Self { tree: self.tree.clone(), id: self.add(mv, first)? };
        child.decorate(comment, starting_comment, nags)?;
        self.tree.object(py, child.id)
    }

    fn decorate(
        &self,
        comment: Option<String>,
        starting_comment: Option<String>,
        nags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(comment) = comment {
            self.set_comment(comment)?;
        }
        if let Some(comment) = starting_comment {
            self.set_starting_comment(comment)?;
        }
        nags.map_or(Ok(()), |nags| if nags.is_instance_of::<PyString>() { Ok(()) } else { self.set_nags(&nags) })
    }

    /// Changes the order of the variations.
    fn reorder(&self, key: &Bound<'_, PyAny>, change: impl FnOnce(usize, &mut [NodeId])) -> PyResult<()> {
        let id = self.child(key)?;
        let mut order = self.children();
        let at = order.iter().position(|&child| child == id).unwrap_or_default();
        change(at, &mut order);
        // Each in turn becomes the last.
        self.change(|tree, _| order.into_iter().try_for_each(|child| tree.demote(child)))
    }
}
