//! The kinds of node.

/// The kind of a node by its window, known at compile time.
pub(crate) trait NodeType {
    /// Whether the node is on the principal variation: the window is open and the value exact.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root of the search.
pub(crate) struct Root;

/// A node on the principal variation below the root.
pub(crate) struct Pv;

/// A node off the principal variation: the window is a null window, and the value is a bound.
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node off the principal variation is expected to be (Donald Knuth and Ronald Moore 1975). Nodes on the
/// principal variation count as all-nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// All moves will fail low.
    All,
    /// A move will fail high.
    Cut,
}

impl Expected {
    /// The expectation for a child that is searched with a null window.
    #[inline]
    pub(crate) fn child(self) -> Self {
        match self {
            Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }

    #[inline]
    pub(crate) fn is_cut(self) -> bool {
        self == Self::Cut
    }
}
