//! PGN: games with variations. A tree is passed as a list of its moves, so that nothing recurses.

use super::failure::{Failure, json};
use super::moves::find;
use super::position::known;
use bartizan_notation::pgn::{
    Annotations, GameTree, Nag, NodeId, PgnError, PgnProblem, PgnProblemKind, PgnScore, Strictness, TagError,
    TreeError, TreeReader,
};
use bartizan_notation::san::San;
use bartizan_notation::svg::{Arrow, SquareMark};
use bartizan_position::Position;
use bartizan_types::{Color, GameResult, Move, Variant};
use serde::Serialize;
use std::io::Cursor;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

/// The most moves of a game, variations included: its JSON must fit into a string.
const MAX_MOVES: usize = 250_000;

/// A game as JavaScript sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameForm<'a> {
    tags: &'a [(String, String)],
    fen: String,
    chess960: bool,
    comment: &'a str,
    moves: Vec<NodeForm<'a>>,
    result: &'static str,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeForm<'a> {
    /// The number of the move before, from 1; 0 for a move from the start position.
    parent: usize,
    san: String,
    uci: String,
    fen: String,
    nags: Vec<u8>,
    comment_before: &'a str,
    comment: &'a str,
}

#[derive(Serialize)]
struct Problem {
    message: String,
    line: usize,
    column: usize,
    /// `error` if moves are missing, otherwise `warning`.
    severity: &'static str,
}

impl From<&PgnProblem> for Problem {
    fn from(problem: &PgnProblem) -> Self {
        use PgnProblemKind::{Move, Unexpected, UnterminatedComment};
        let is_error = matches!(problem.kind, Move(_) | Unexpected(_) | UnterminatedComment);
        let text = problem.to_string();
        // The place is given in numbers.
        let message = text.split_once(": ").map_or(&*text, |(_, message)| message).to_owned();
        let severity = if is_error { "error" } else { "warning" };
        Self { message, line: problem.line, column: problem.column, severity }
    }
}

impl From<PgnError> for Problem {
    fn from(PgnError { line, column, kind, .. }: PgnError) -> Self {
        Self { message: kind.to_string(), line, column, severity: "error" }
    }
}

fn strictness(name: &str) -> Result<Strictness, Failure> {
    match name {
        "lenient" => Ok(Strictness::Lenient),
        "moves" => Ok(Strictness::Moves),
        "strict" => Ok(Strictness::Strict),
        _ => Err(Failure::new("option", "unknown strictness: expected lenient, moves or strict")),
    }
}

/// The games of a text.
#[wasm_bindgen]
pub struct PgnGames {
    reader: TreeReader<Cursor<Vec<u8>>>,
}

#[wasm_bindgen]
impl PgnGames {
    /// Reads a text in UTF-8 or Windows-1252.
    #[wasm_bindgen(constructor)]
    pub fn new(text: Vec<u8>, strict: &str) -> Result<Self, Failure> {
        Ok(Self { reader: TreeReader::new(Cursor::new(text)).strictness(strictness(strict)?) })
    }

    /// The next game. One that cannot be read has the tags and the moves before the error.
    pub fn next(&mut self) -> Option<String> {
        let mut tree = GameTree::default();
        let read = self.reader.read_next(&mut tree)?;
        Some(json(&form(&tree, read.err())))
    }
}

fn form(tree: &GameTree, error: Option<PgnError>) -> GameForm<'_> {
    let variant = Variant::from_chess960(tree.chess960 || tree.start().variant() == Variant::Chess960);
    let mut errors: Vec<Problem> = tree.problems().iter().map(Problem::from).collect();
    errors.extend(error.map(Problem::from));
    let mut moves = Vec::new();
    // The moves that lead to the last one, with their numbers.
    let mut path: Vec<(NodeId, usize)> = Vec::new();
    let mut positions = vec![tree.start().clone()];
    for (node, position) in tree.walk(tree.root()) {
        if moves.len() == MAX_MOVES {
            let message = format!("too long: a game of more than {MAX_MOVES} moves");
            errors.push(Problem { message, line: 1, column: 1, severity: "error" });
            break;
        }
        while path.last().is_some_and(|&(last, _)| tree.parent(node) != Some(last)) {
            path.pop();
            positions.pop();
        }
        let before = positions.last().unwrap_or(tree.start());
        let (san, uci) = match tree.mv(node) {
            Some(mv) => (San::new(before, mv).to_string(), mv.to_uci(variant).to_string()),
            None => ("--".to_owned(), "0000".to_owned()),
        };
        moves.push(NodeForm {
            parent: path.last().map_or(0, |&(_, number)| number),
            san,
            uci,
            fen: position.to_fen(),
            nags: tree.nags(node).iter().map(|nag| nag.0).collect(),
            comment_before: tree.comment_before(node),
            comment: tree.comment(node),
        });
        path.push((node, moves.len()));
        positions.push(position);
    }
    GameForm {
        tags: &tree.tags,
        fen: tree.fen().unwrap_or_else(|| tree.start().to_fen()),
        chess960: variant == Variant::Chess960,
        comment: tree.comment(tree.root()),
        moves,
        result: tree.result.as_str(),
        errors,
    }
}

/// A move to write.
struct Written {
    nags: Vec<u8>,
    comment_before: String,
    comment: String,
}

/// Writes a game.
#[wasm_bindgen]
pub struct PgnWriter {
    tree: GameTree,
    /// The root and the moves.
    ids: Vec<NodeId>,
    run: Run,
    written: Vec<Written>,
}

/// Moves that follow each other, to be added to a tree together: each addition replays the moves before it.
struct Run {
    after: NodeId,
    moves: Vec<Move>,
    position: Position,
}

#[wasm_bindgen]
impl PgnWriter {
    /// Creates a game without moves.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str, chess960: bool, result: &str, comment: &str) -> Result<Self, Failure> {
        let start = known(fen)?;
        let mut tree = GameTree::new(start.clone());
        tree.chess960 = chess960;
        tree.result = result.parse::<GameResult>().map_err(|error| Failure::new("tag", error))?;
        let root = tree.root();
        comment.clone_into(tree.comment_mut(root).map_err(unknown)?);
        let run = Run { after: root, moves: Vec::new(), position: start };
        Ok(Self { tree, ids: vec![root], run, written: Vec::new() })
    }

    /// Sets a tag. Those that follow from the game are ignored.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match self.tree.set_tag(name, value) {
            Ok(()) | Err(TagError::Derived(_)) => Ok(()),
            Err(error) => Err(Failure::new("tag", error)),
        }
    }

    /// Adds a move, SAN or coordinates, after another: 0 is the start. Returns its number. `--` and `0000` are null
    /// moves.
    pub fn add(
        &mut self,
        after: usize,
        text: &str,
        nags: Vec<u8>,
        comment_before: String,
        comment: String,
    ) -> Result<usize, Failure> {
        let Self { tree, ids, run, written } = self;
        if after != written.len() {
            run.end(tree, ids)?;
            let id = *ids.get(after).ok_or_else(|| Failure::new("pgn", format!("there is no move {after}")))?;
            *run = Run { after: id, moves: Vec::new(), position: tree.position(id).map_err(unknown)? };
        }
        if matches!(text, "--" | "0000") {
            run.end(tree, ids)?;
            let id = tree.add_null_move(run.after).map_err(|error| Failure::new("move", error))?;
            ids.push(id);
            *run = Run { after: id, moves: Vec::new(), position: tree.position(id).map_err(unknown)? };
        } else {
            let mv = find(&run.position, text, false)?;
            run.position.make_unchecked(mv);
            run.moves.push(mv);
        }
        written.push(Written { nags, comment_before, comment });
        Ok(written.len())
    }

    /// Writes the game; with `marks`, `!?` in place of `$5`.
    pub fn finish(&mut self, marks: bool) -> Result<String, Failure> {
        let Self { tree, ids, run, written } = self;
        run.end(tree, ids)?;
        for (written, &id) in written.drain(..).zip(ids.iter().skip(1)) {
            // A move that occurs twice at one place has the comments and glyphs of both.
            append(tree.comment_mut(id).map_err(unknown)?, &written.comment);
            append(tree.comment_before_mut(id).map_err(unknown)?, &written.comment_before);
            tree.nags_mut(id).map_err(unknown)?.extend(written.nags.into_iter().map(Nag));
        }
        Ok(if marks { format!("{tree:#}") } else { tree.to_string() })
    }
}

fn append(to: &mut String, text: &str) {
    if !text.is_empty() {
        to.push_str(if to.is_empty() { "" } else { " " });
        to.push_str(text);
    }
}

fn unknown(error: TreeError) -> Failure {
    Failure::new("pgn", error)
}

impl Run {
    /// Adds the moves to the tree, and their nodes to `ids`.
    fn end(&mut self, tree: &mut GameTree, ids: &mut Vec<NodeId>) -> Result<(), Failure> {
        let moves = std::mem::take(&mut self.moves);
        let last = tree.add_line(self.after, &moves).map_err(|error| Failure::new("pgn", error))?;
        let first = ids.len();
        ids.extend(std::iter::successors(Some(last), |&id| tree.parent(id)).take(moves.len()));
        ids[first..].reverse();
        self.after = last;
        Ok(())
    }
}

/// The commands of a comment, and the rest of its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommentForm {
    text: String,
    /// Milliseconds.
    clock: Option<u64>,
    elapsed: Option<u64>,
    centipawns: Option<i32>,
    mate: Option<i32>,
    depth: Option<u32>,
    /// As in `[%csl …]`: `Ge4`.
    squares: Vec<String>,
    /// As in `[%cal …]`: `Ge2e4`.
    arrows: Vec<String>,
}

/// Splits a comment into its commands and its text. With the colour of the player, it also reads the format of match
/// programs.
#[wasm_bindgen]
pub fn parse_comment(comment: &str, color: Option<String>) -> String {
    let read = match color.as_deref().map(str::parse::<Color>) {
        Some(Ok(mover)) => Annotations::of_move(comment, mover),
        _ => Annotations::parse(comment),
    };
    let (mut centipawns, mut mate) = (None, None);
    match read.eval {
        Some((PgnScore::Centipawns(score), _)) => centipawns = Some(score),
        Some((PgnScore::Mate(moves), _)) => mate = Some(moves),
        None => {}
    }
    let milliseconds = |time: Duration| time.as_secs() * 1000 + u64::from(time.subsec_millis());
    json(&CommentForm {
        text: read.text,
        clock: read.clock.map(milliseconds),
        elapsed: read.elapsed.map(milliseconds),
        centipawns,
        mate,
        depth: read.eval.and_then(|(_, depth)| depth),
        squares: read.squares.iter().map(|(color, square)| format!("{}{square}", color.to_char())).collect(),
        arrows: read.arrows.iter().map(|(color, from, to)| format!("{}{from}{to}", color.to_char())).collect(),
    })
}

/// Writes a comment. Times are milliseconds; squares and arrows are separated by commas.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "the fields of a comment")]
pub fn write_comment(
    text: String,
    clock: Option<u32>,
    elapsed: Option<u32>,
    centipawns: Option<i32>,
    mate: Option<i32>,
    depth: Option<u32>,
    squares: &str,
    arrows: &str,
) -> Result<String, Failure> {
    let time = |milliseconds: Option<u32>| milliseconds.map(|time| Duration::from_millis(u64::from(time)));
    let score = mate.map(PgnScore::Mate).or(centipawns.map(PgnScore::Centipawns));
    let mut comment = Annotations {
        clock: time(clock),
        elapsed: time(elapsed),
        eval: score.map(|score| (score, depth)),
        text,
        ..Annotations::default()
    };
    for text in squares.split_terminator(',') {
        let SquareMark { square, color } = text.parse().map_err(|error| Failure::new("option", error))?;
        comment.squares.push((color, square));
    }
    for text in arrows.split_terminator(',') {
        let Arrow { from, to, color } = text.parse().map_err(|error| Failure::new("option", error))?;
        comment.arrows.push((color, from, to));
    }
    Ok(comment.to_string())
}
