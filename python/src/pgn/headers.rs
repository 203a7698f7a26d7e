//! The tags of a game as a dictionary.

use super::SharedTree;
use bartizan_notation::pgn::{GameResult, GameTree, SEVEN_TAG_ROSTER, TagError};
use bartizan_types::Excerpt;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The tags of a game, as a dictionary of texts. The seven tags that every game has come first, and are `"?"` if they
/// are not set. `FEN` and `SetUp` follow from `game.setup(board)`, `Variant` from its board.
///
/// >>> from bartizan.pgn import Game
/// >>> game = Game()
/// >>> game.headers["White"] = "Anna"
/// >>> game.headers["White"], game.headers["Black"], game.headers.get("ECO", "-")
/// ('Anna', '?', '-')
#[pyclass(name = "Headers", module = "bartizan.pgn", frozen, mapping)]
pub(crate) struct Headers {
    pub(crate) tree: SharedTree,
}

/// The value of a tag as written.
fn value(tree: &GameTree, name: &str) -> Option<String> {
    let own = if name == "FEN" { tree.fen() } else { tree.tag(name).map(str::to_owned) };
    let unknown =
        || SEVEN_TAG_ROSTER.contains(&name).then(|| if name == "Date" { "????.??.??" } else { "?" }.to_owned());
    own.or_else(unknown)
}

/// All tags in the order in which they are written.
pub(crate) fn all(tree: &GameTree) -> Vec<(String, String)> {
    let others = tree.tags.iter().map(|(name, _)| name.as_str()).filter(|name| !SEVEN_TAG_ROSTER.contains(name));
    let names = SEVEN_TAG_ROSTER.into_iter().chain(["Variant", "SetUp", "FEN"]).chain(others);
    names.filter_map(|name| Some((name.to_owned(), value(tree, name)?))).collect()
}

impl Headers {
    fn set(&self, name: &str, value: String) -> PyResult<()> {
        let mut tree = self.tree.lock();
        if name == "Result" {
            let invalid = |_| PyValueError::new_err(format!("invalid result '{}'", Excerpt::new(&value)));
            tree.result = value.parse::<GameResult>().map_err(invalid)?;
            return Ok(());
        }
        match tree.set_tag(name, value) {
            Ok(()) => Ok(()),
            Err(TagError::Derived(name)) => {
                Err(PyValueError::new_err(format!("the tag '{name}' follows from the board: use game.setup(board)")))
            }
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    }
}

#[pymethods]
impl Headers {
    fn __getitem__(&self, name: &str) -> PyResult<String> {
        let found = value(&self.tree.lock(), name);
        found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, name: &str, value: String) -> PyResult<()> {
        self.set(name, value)
    }

    fn __delitem__(&self, name: &str) -> PyResult<()> {
        let mut tree = self.tree.lock();
        let before = tree.tags.len();
        tree.tags.retain(|(key, _)| key != name);
        match (tree.tags.len() < before, name) {
            (true, _) => Ok(()),
            (false, "Result") => {
                tree.result = GameResult::Unknown;
                Ok(())
            }
            _ => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| value(&self.tree.lock(), &name).is_some())
    }

    fn __len__(&self) -> usize {
        all(&self.tree.lock()).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.try_iter()?.into_any())
    }

    /// The value of a tag, or the default.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(&self, py: Python<'py>, name: &str, default: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let found = value(&self.tree.lock(), name);
        match found {
            Some(value) => Ok(value.into_pyobject(py)?.into_any()),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    /// The names of the tags.
    fn keys(&self) -> Vec<String> {
        let tags = all(&self.tree.lock());
        tags.into_iter().map(|(name, _)| name).collect()
    }

    /// The values of the tags.
    fn values(&self) -> Vec<String> {
        let tags = all(&self.tree.lock());
        tags.into_iter().map(|(_, value)| value).collect()
    }

    /// The tags: pairs of a name and a value.
    fn items(&self) -> Vec<(String, String)> {
        all(&self.tree.lock())
    }

    /// Sets several tags.
    pub(crate) fn update(&self, tags: &Bound<'_, PyAny>) -> PyResult<()> {
        let tags: Bound<'_, PyDict> = tags.py().get_type::<PyDict>().call1((tags,))?.cast_into()?;
        for (name, value) in tags {
            self.set(&name.extract::<String>()?, value.extract()?)?;
        }
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        if let Ok(other) = other.cast::<Self>() {
            let theirs = all(&other.get().tree.lock());
            return all(&self.tree.lock()) == theirs;
        }
        let own: std::collections::BTreeMap<String, String> = all(&self.tree.lock()).into_iter().collect();
        other.extract::<std::collections::BTreeMap<String, String>>().is_ok_and(|other| other == own)
    }

    fn __repr__(&self) -> String {
        let tags: Vec<String> = self.items().iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        format!("Headers({})", tags.join(", "))
    }
}
