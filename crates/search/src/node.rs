//! The kinds of node, as types: what is asked at every node is answered when the program is compiled.

/// A kind of node.
pub(crate) trait NodeType {
    /// On the principal variation: the window is open and the value exact.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
}

/// Where the search begins.
pub(crate) struct Root;

/// On the principal variation.
pub(crate) struct Pv;

/// All the others: the window is empty, the value a bound.
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
