//! Serialisation with serde: a tree is a list of moves, so that nothing recurses.

use super::{GameTree, NodeId};
use crate::pgn::{GameResult, Nag};
use bartizan_position::Position;
use bartizan_types::Move;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct TreeForm {
    tags: Vec<(String, String)>,
    start: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_step: Option<Move>,
    chess960: bool,
    result: GameResult,
    /// The comment before the first move.
    comment: String,
    /// The moves in the order of [`GameTree::descendants`].
    moves: Vec<MoveForm>,
}

#[derive(Serialize, Deserialize)]
struct MoveForm {
    /// The number of the move before, from 1; 0 for a move from the start position.
    parent: usize,
    /// `None` for a null move.
    mv: Option<Move>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<Nag>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment_before: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
}

impl Serialize for GameTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut numbers = vec![0; self.nodes.len()];
        let moves = self.descendants(self.root()).zip(1..).map(|(id, number)| {
            numbers[id.index as usize] = number;
            let node = self.node(id);
            MoveForm {
                parent: node.parent.map_or(0, |parent| numbers[parent as usize]),
                mv: node.mv,
                nags: node.nags.clone(),
                comment_before: node.before.clone(),
                comment: node.after.clone(),
            }
        });
        let moves = moves.collect();
        TreeForm {
            tags: self.tags.clone(),
            start: self.start.clone(),
            double_step: self.double_step,
            chess960: self.chess960,
            result: self.result,
            comment: self.comment(self.root()).to_owned(),
            moves,
        }
        .serialize(serializer)
    }
}

/// All moves must be legal, and come after their parents.
impl<'de> Deserialize<'de> for GameTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = TreeForm::deserialize(deserializer)?;
        let mut tree = Self::new(form.start);
        (tree.tags, tree.double_step) = (form.tags, form.double_step);
        (tree.chess960, tree.result) = (form.chess960, form.result);
        let root = tree.root();
        tree.node_mut(root).after = form.comment;
        // The nodes with the positions after them.
        let mut known: Vec<(NodeId, Position)> = vec![(root, tree.start.clone())];
        for (number, form) in (1..).zip(form.moves) {
            let message = |text: String| D::Error::custom(format_args!("move {number}: {text}"));
            let (parent, before) =
                known.get(form.parent).ok_or_else(|| message(format!("there is no move {} before it", form.parent)))?;
            let position = match form.mv {
                Some(mv) => before.play(mv).map_err(|error| message(error.to_string()))?,
                None if before.in_check() => return Err(message("a null move is illegal in check".to_owned())),
                None => {
                    let mut position = before.clone();
                    position.make_null_unchecked();
                    position
                }
            };
            let id = tree.push(*parent, form.mv);
            let node = tree.node_mut(id);
            (node.nags, node.before, node.after) = (form.nags, form.comment_before, form.comment);
            known.push((id, position));
        }
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnGame;

    #[test]
    fn trees_and_games_round_trip() {
        let text = "[White \"A \\\"B\\\"\"]\n\n{first} 1. e4 $1 $14 {best} ({instead} 1. d4 d5 (1... Nf6 2. c4) 2. -- \
                    Nc6) (1. e4 Nf6) 1... e5 {} *";
        let mut tree: GameTree = text.parse().unwrap();
        // Some places are reused.
        let variation = tree.children(tree.root()).nth(1).unwrap();
        tree.delete(variation).unwrap();
        let e4 = tree.next(tree.root()).unwrap();
        let null = tree.add_null_move(e4).unwrap();
        "a } and\na line".clone_into(tree.comment_mut(null).unwrap());
        let json = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<GameTree>(&json).unwrap(), tree);
        let game = tree.to_pgn_game();
        assert_eq!(serde_json::from_str::<PgnGame>(&serde_json::to_string(&game).unwrap()).unwrap(), game);
        // Fields that are missing have their defaults.
        assert_eq!(serde_json::from_str::<PgnGame>("{}").unwrap(), PgnGame::default());
        let short = "{\"moves\":[{\"parent\":0,\"mv\":\"e2e4\"}]}";
        assert_eq!(serde_json::from_str::<GameTree>(short).unwrap(), "1. e4 *".parse().unwrap());
    }

    #[test]
    fn a_tree_of_illegal_moves_is_refused() {
        let start = "\"start\":\"4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\"";
        for (json, error) in [
            ("{\"moves\":[{\"parent\":1,\"mv\":null}]}", "move 1: there is no move 1 before it"),
            ("{\"moves\":[{\"parent\":0,\"mv\":\"e2e5\"}]}", "move 1: "),
            ("{\"moves\":[{\"parent\":0,\"mv\":\"e2e4\"},{\"parent\":1,\"mv\":\"e2e4\"}]}", "move 2: "),
            (
                &format!("{{{start},\"moves\":[{{\"parent\":0,\"mv\":null}}]}}"),
                "move 1: a null move is illegal in check",
            ),
            ("{\"start\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}", ""),
        ] {
            let found = serde_json::from_str::<GameTree>(json).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn deep_trees_do_not_recurse() {
        let text = format!("{}{} *", "Nf3 (Nc3 Nf6 (Nc6 Ng1 (Nb1 Ng8 (Nb8 ".repeat(2_000), ")".repeat(8_000));
        let mut tree = GameTree::default();
        let _ = crate::pgn::TreeReader::new(text.as_bytes()).read_next(&mut tree).unwrap();
        let json = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<GameTree>(&json).unwrap(), tree);
    }
}
