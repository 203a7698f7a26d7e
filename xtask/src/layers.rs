//! The layers of the crates of the main workspace, of `web`, `server` and `python`, and a check that each uses exactly
//! the crates listed for it.

use crate::error::{Result, verdict};
use crate::run;
use cargo_metadata::{DependencyKind, Package};
use std::collections::{BTreeMap, BTreeSet};

/// The layer and the name of each crate, without `bartizan-`, and the workspace crates that it depends on, including
/// those of build scripts and features. Dependencies go to lower layers only. Tests may use any crate.
///
/// `xtask` must not use crates that are built from files which it writes, such as `attacks`. Layer 9 is for tests and
/// for the maintenance of the repository: no crate may depend on it.
const LAYERS: &str = "\
0 parallel:
0 stats:
0 types:
1 attacks: types
1 files: types
2 position: attacks types
3 eval: attacks position types
3 notation: parallel position types
3 protocol: position types
3 tablebase: files position types
4 book: files notation position types
4 client: notation position protocol types
4 dtm: attacks files notation parallel position tablebase types
4 levels: attacks eval position types
4 network: eval files position types
4 search: attacks eval position types
5 engine: book dtm eval files levels network notation parallel position protocol search tablebase types
5 games: book files notation parallel position types
5 review: attacks book eval notation position protocol types
5 match: book client files notation parallel position stats tablebase types
6 analysis: book client engine eval games match network notation parallel position protocol review search \
            stats tablebase types
6 training: engine eval files games match network notation parallel position stats types
7 chess: analysis attacks book client dtm engine eval network notation position protocol search tablebase types
7 frontend: analysis book dtm engine eval files notation parallel position protocol review types
8 bartizan: engine frontend position protocol types
8 tools: analysis book client dtm engine eval files frontend games match network notation parallel position \
         review stats tablebase training types
8 xboard: engine files frontend notation position protocol types
8 python: analysis book client engine eval files games notation parallel position review tablebase types
8 wasm: analysis book engine eval notation parallel position protocol review tablebase types
8 server: analysis book engine notation parallel position protocol review tablebase types
9 bindgen:
9 instructions: book engine eval games network notation position search types
9 testkit: eval position protocol types
9 xtask: files parallel stats types
";

/// Fails if the dependencies are not the listed ones, or if one does not go to a lower layer. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let workspaces =
        [run::metadata(run::MAIN)?, run::metadata(run::WEB)?, run::metadata(run::SERVER)?, run::metadata(run::PYTHON)?];
    let packages = workspaces.iter().flat_map(|metadata| metadata.workspace_packages());
    let used: BTreeMap<&str, BTreeSet<&str>> = packages.map(|package| (short(&package.name), uses(package))).collect();
    let arrows: usize = used.values().map(BTreeSet::len).sum();
    let summary = format!("{} crates with {arrows} dependencies between them, all listed and downwards", used.len());
    verdict(&problems(LAYERS, &used), summary)
}

/// The workspace crates that a crate is built with. Only these have a path.
fn uses(package: &Package) -> BTreeSet<&str> {
    let built_with = package.dependencies.iter().filter(|d| d.path.is_some() && d.kind != DependencyKind::Development);
    built_with.map(|dependency| short(&dependency.name)).collect()
}

fn short(name: &str) -> &str {
    name.strip_prefix("bartizan-").unwrap_or(name)
}

/// The name in a line of the table, its layer and the crates that it uses.
fn parse(line: &str) -> Option<(&str, (u32, BTreeSet<&str>))> {
    let (head, uses) = line.split_once(':')?;
    let (layer, name) = head.split_once(' ')?;
    Some((name, (layer.parse().ok()?, uses.split_whitespace().collect())))
}

/// The violations, one message each. For a crate that is listed wrongly, the message gives the line to write.
fn problems(table: &str, used: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut listed = BTreeMap::new();
    for line in table.lines() {
        let Some((name, entry)) = parse(line) else {
            problems.push(format!("'{line}' is not a layer, a name, a colon and names"));
            continue;
        };
        if listed.insert(name, entry).is_some() {
            problems.push(format!("{name} is there twice"));
        }
    }
    let layer = |name: &str| listed.get(name).map(|&(layer, _)| layer);
    for (&name, uses) in used {
        let lowest = uses.iter().filter_map(|used| layer(used)).max().map_or(0, |highest| highest + 1);
        if listed.get(name).is_none_or(|(_, known)| known != uses) {
            let names: String = uses.iter().map(|name| format!(" {name}")).collect();
            let layer = layer(name).unwrap_or(lowest);
            problems.push(format!("{name}: xtask/src/layers.rs must have the line '{layer} {name}:{names}'"));
        }
        let upwards = |used: &&&str| layer(name).is_some_and(|own| layer(used).is_some_and(|other| other >= own));
        problems.extend(uses.iter().filter(upwards).map(|used| format!("{name} -> {used} does not go down")));
    }
    problems.extend(listed.keys().filter(|name| !used.contains_key(*name)).map(|name| format!("no crate is {name}")));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "0 types:\n1 attacks: types\n2 position: attacks types\n";

    /// The violations of a workspace that has three crates, or other dependencies for one of them.
    fn problems_with(name: &'static str, uses: &[&'static str]) -> Vec<String> {
        let mut used = BTreeMap::from([("types", BTreeSet::new()), ("attacks", BTreeSet::from(["types"]))]);
        used.insert("position", BTreeSet::from(["attacks", "types"]));
        used.insert(name, uses.iter().copied().collect());
        problems(TABLE, &used)
    }

    #[test]
    fn the_listed_arrows_are_right() {
        assert!(problems_with("position", &["types", "attacks"]).is_empty());
    }

    #[test]
    fn an_arrow_that_nobody_uses_and_one_that_is_not_listed_are_reported_with_the_line_to_write() {
        let unused = "position: xtask/src/layers.rs must have the line '2 position: attacks'";
        assert_eq!(problems_with("position", &["attacks"]), [unused]);
        let none = "attacks: xtask/src/layers.rs must have the line '1 attacks:'";
        assert_eq!(problems_with("attacks", &[]), [none]);
    }

    #[test]
    fn upwards_and_sideways_are_rejected() {
        for used in ["position", "attacks"] {
            let found = problems_with("attacks", &["types", used]);
            assert!(found.contains(&format!("attacks -> {used} does not go down")), "{found:?}");
        }
    }

    #[test]
    fn a_new_crate_gets_the_lowest_layer() {
        let line = "eval: xtask/src/layers.rs must have the line '3 eval: position types'";
        assert_eq!(problems_with("eval", &["types", "position"]), [line]);
    }

    #[test]
    fn crates_that_are_gone_there_twice_or_unreadable_are_reported() {
        let found =
            problems("0 types:\n0 types:\n1 old: types\nnonsense\n", &BTreeMap::from([("types", BTreeSet::new())]));
        assert_eq!(
            found,
            ["types is there twice", "'nonsense' is not a layer, a name, a colon and names", "no crate is old"]
        );
    }

    #[test]
    fn names_are_short() {
        assert_eq!(["bartizan-eval", "bartizan", "xtask"].map(short), ["eval", "bartizan", "xtask"]);
    }

    #[test]
    fn the_crates_of_this_repository_are_listed() {
        check().unwrap();
    }
}
