//! Chess in Rust, one crate to depend on: rules, notation, analysis, other engines.
