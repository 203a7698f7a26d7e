//! The layers of the workspace's crates, and the check that dependencies go downwards.
//!
//! Each crate has a layer. A normal or build dependency must go to a lower layer, never to the same one.
//! Dev-dependencies may go anywhere except to [`Place::Workshop`].

use crate::error::{Result, verdict};
use crate::run;
use cargo_metadata::DependencyKind;

/// The place of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A layer; 0 is the lowest.
    Layer(u8),
    /// Supports the tests: may use every crate that has a layer, and be a dev-dependency only.
    TestHelp,
    /// Maintains the repository's files. May use only crates without generated files; no crate may use it.
    Workshop,
}

/// The place of every crate.
const PLACES: [(&str, Place); 28] = [
    ("bartizan-types", Place::Layer(0)),
    ("bartizan-files", Place::Layer(0)),
    ("bartizan-parallel", Place::Layer(0)),
    ("bartizan-attacks", Place::Layer(1)),
    ("bartizan-bitbase", Place::Layer(1)),
    ("bartizan-stats", Place::Layer(1)),
    ("bartizan-position", Place::Layer(2)),
    ("bartizan-notation", Place::Layer(3)),
    ("bartizan-tablebase", Place::Layer(3)),
    ("bartizan-protocol", Place::Layer(3)),
    ("bartizan-eval", Place::Layer(3)),
    ("bartizan-network", Place::Layer(4)),
    ("bartizan-search", Place::Layer(4)),
    ("bartizan-book", Place::Layer(4)),
    ("bartizan-client", Place::Layer(4)),
    ("bartizan-engine", Place::Layer(5)),
    ("bartizan-advisor", Place::Layer(4)),
    ("bartizan-games", Place::Layer(5)),
    ("bartizan-match", Place::Layer(5)),
    ("bartizan-training", Place::Layer(6)),
    ("bartizan-frontend", Place::Layer(6)),
    ("bartizan-chess", Place::Layer(6)),
    ("bartizan", Place::Layer(7)),
    ("bartizan-xboard", Place::Layer(7)),
    ("bartizan-tools", Place::Layer(7)),
    ("bartizan-instructions", Place::Layer(7)),
    ("bartizan-testkit", Place::TestHelp),
    ("xtask", Place::Workshop),
];

/// What the workshop may use. `bartizan-attacks` above all not: `cargo xtask magics` makes what it is built from.
const FOR_WORKSHOP: [&str; 3] = ["bartizan-types", "bartizan-bitbase", "bartizan-files"];

/// A crate of the workspace and its dependencies in the workspace.
#[derive(Debug)]
struct Member {
    name: String,
    uses: Vec<(String, DependencyKind)>,
}

/// Fails if a dependency breaks the rule. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let members: Vec<Member> = run::metadata(run::MAIN)?
        .workspace_packages()
        .into_iter()
        .map(|package| Member {
            name: package.name.to_string(),
            // Only crates of this repository have a path.
            uses: package.dependencies.iter().filter(|d| d.path.is_some()).map(|d| (d.name.clone(), d.kind)).collect(),
        })
        .collect();
    let arrows: usize = members.iter().map(|member| member.uses.len()).sum();
    let summary = format!("{} crates with {arrows} dependencies between them, all downwards", members.len());
    verdict(&problems(&members), summary)
}

/// The violations of the rule, one message each.
fn problems(members: &[Member]) -> Vec<String> {
    let mut problems = Vec::new();
    for member in members {
        let Some(user) = place(&member.name) else {
            problems.push(format!("{} has no layer; add it to xtask/src/layers.rs", member.name));
            continue;
        };
        for (used, kind) in &member.uses {
            if let Err(why) = judge(user, used, *kind) {
                problems.push(format!("{} -> {used} ({}): {why}", member.name, kind_name(*kind)));
            }
        }
    }
    problems
}

fn place(name: &str) -> Option<Place> {
    PLACES.iter().find(|(known, _)| *known == name).map(|&(_, place)| place)
}

/// Checks whether a crate at `user` may use the crate `used`. The error is the reason.
fn judge(user: Place, used: &str, kind: DependencyKind) -> std::result::Result<(), String> {
    let Some(target) = place(used) else {
        return Err("the dependency has no layer; add it to xtask/src/layers.rs".to_owned());
    };
    if kind == DependencyKind::Development {
        return if target == Place::Workshop { Err("no crate may use it".to_owned()) } else { Ok(()) };
    }
    match (user, target) {
        (_, Place::TestHelp) => Err("allowed as a dev-dependency only".to_owned()),
        (_, Place::Workshop) => Err("no crate may use it".to_owned()),
        (Place::TestHelp, Place::Layer(_)) => Ok(()),
        (Place::Workshop, _) if FOR_WORKSHOP.contains(&used) => Ok(()),
        (Place::Workshop, _) => Err(format!("may only use {}", FOR_WORKSHOP.join(", "))),
        (Place::Layer(from), Place::Layer(to)) if to < from => Ok(()),
        (Place::Layer(from), Place::Layer(to)) => {
            let way = if to == from { "sideways" } else { "upwards" };
            Err(format!("goes {way}, from layer {from} to layer {to}"))
        }
    }
}

fn kind_name(kind: DependencyKind) -> &'static str {
    match kind {
        DependencyKind::Normal => "normal",
        DependencyKind::Build => "build",
        DependencyKind::Development => "dev",
        _ => "unknown kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DependencyKind::{Build, Development, Normal};

    fn problems_of(name: &str, used: &str, kind: DependencyKind) -> Vec<String> {
        problems(&[Member { name: name.to_owned(), uses: vec![(used.to_owned(), kind)] }])
    }

    #[test]
    fn dependencies_may_go_down_any_number_of_layers() {
        for kind in [Normal, Build] {
            assert!(problems_of("bartizan-attacks", "bartizan-types", kind).is_empty());
            assert!(problems_of("bartizan", "bartizan-types", kind).is_empty());
            assert!(problems_of("xtask", "bartizan-bitbase", kind).is_empty());
            assert!(problems_of("bartizan-testkit", "bartizan-types", kind).is_empty());
        }
    }

    #[test]
    fn upwards_and_sideways_are_rejected() {
        for kind in [Normal, Build] {
            let upwards = problems_of("bartizan-position", "bartizan-search", kind);
            assert!(upwards[0].contains("goes upwards, from layer 2 to layer 4"), "{upwards:?}");
            let sideways = problems_of("bartizan-notation", "bartizan-protocol", kind);
            assert!(sideways[0].contains("goes sideways, from layer 3 to layer 3"), "{sideways:?}");
            assert!(sideways[0].starts_with("bartizan-notation -> bartizan-protocol"), "{sideways:?}");
        }
    }

    #[test]
    fn the_test_help_is_for_tests_only() {
        assert!(problems_of("bartizan-position", "bartizan-testkit", Development).is_empty());
        assert_eq!(problems_of("bartizan-position", "bartizan-testkit", Normal).len(), 1);
        assert_eq!(problems_of("bartizan-position", "bartizan-testkit", Build).len(), 1);
        assert!(problems_of("bartizan-testkit", "bartizan-protocol", Normal).is_empty());
    }

    #[test]
    fn xtask_needs_no_generated_crate_and_no_crate_needs_xtask() {
        assert_eq!(problems_of("xtask", "bartizan-attacks", Normal).len(), 1);
        assert_eq!(problems_of("xtask", "bartizan-position", Build).len(), 1);
        assert_eq!(problems_of("bartizan-tools", "xtask", Normal).len(), 1);
        assert_eq!(problems_of("bartizan-tools", "xtask", Development).len(), 1);
    }

    #[test]
    fn dev_dependencies_may_go_upwards() {
        assert!(problems_of("bartizan-types", "bartizan-position", Development).is_empty());
    }

    #[test]
    fn crates_without_a_layer_are_reported() {
        let user = problems_of("bartizan-new", "bartizan-types", Normal);
        assert!(user[0].starts_with("bartizan-new has no layer"), "{user:?}");
        let used = problems_of("bartizan-tools", "bartizan-new", Normal);
        assert!(used[0].contains("bartizan-new"), "{used:?}");
    }

    #[test]
    fn every_problem_is_reported() {
        let members = ["bartizan-eval", "bartizan-book"].map(|name| Member {
            name: name.to_owned(),
            uses: vec![("bartizan-engine".to_owned(), Normal), ("bartizan-tools".to_owned(), Normal)],
        });
        assert_eq!(problems(&members).len(), 4);
    }

    #[test]
    fn no_crate_is_listed_twice() {
        let mut names = PLACES.map(|(name, _)| name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
