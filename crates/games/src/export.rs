//! Output formats for games.

use crate::reading::GameText;
use crate::{filter, tags};
use bartizan_notation::pgn::{
    Annotations, GameTree, MoveText, Nag, PgnErrorKind, PgnGame, PgnScore, RawGame, SEVEN_TAG_ROSTER, TreeError,
    Visitor,
};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::{Color, Variant};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::mem::take;
use std::ops::Range;
use std::time::Duration;

/// How games are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportForm {
    /// Only the moves that were played, without comments, variations and glyphs.
    pub main_line: bool,
    /// Without comments.
    pub no_comments: bool,
    /// Without variations.
    pub no_variations: bool,
    /// Without glyphs such as `$1` and `!?`.
    pub no_glyphs: bool,
    /// Only the first plies, with their comments and variations; the result stays.
    pub keep_plies: Option<u32>,
    /// Without tags, except the seven tag roster and those for the start position; if none is left, the game gets the
    /// tag `Event`.
    pub strip_tags: bool,
    /// As a line of a table.
    pub csv: bool,
    /// As a JSON object, with the clocks, evaluations, glyphs and comments of the moves.
    pub json: bool,
}

/// The columns of a table that are tags.
const COLUMNS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "TimeControl",
];

/// The tags that the moves depend on.
const START: [&str; 3] = ["FEN", "SetUp", "Variant"];

impl ExportForm {
    /// Whether [`ExportForm::write`] needs the moves of the main line.
    pub fn needs_moves(&self) -> bool {
        self.csv || self.json || self.main_line
    }

    fn rewrites_moves(&self) -> bool {
        self.main_line || self.no_comments || self.no_variations || self.no_glyphs || self.keep_plies.is_some()
    }

    /// The header written before the games.
    pub fn header(&self) -> Vec<u8> {
        if self.csv { csv_line(COLUMNS.into_iter().chain(["Plies", "Moves"])) } else { Vec::new() }
    }

    /// The text to write for a game. `pgn` must be given if the format needs the moves. `None` if the game is broken,
    /// which is reported.
    pub fn write(&self, game: &GameText<'_>, pgn: Option<&PgnGame>) -> Option<Vec<u8>> {
        let raw = game.raw;
        let kept = pgn.map(|pgn| self.kept(pgn));
        match kept.as_deref() {
            Some(pgn) if self.json => return Some(json(raw, pgn)),
            Some(pgn) if self.csv => return Some(csv(raw, pgn)),
            Some(pgn) if self.main_line => return Some(self.main_line(pgn)),
            _ => {}
        }
        if self.rewrites_moves() {
            let mut tree = game.tree()?;
            self.strip(&mut tree).ok()?;
            return Some(tree.to_string().into_bytes());
        }
        if self.strip_tags {
            return Some(without_tags(raw));
        }
        Some(raw.line_text().into_owned())
    }

    /// The game up to the last ply to keep.
    pub fn kept<'a>(&self, pgn: &'a PgnGame) -> Cow<'a, PgnGame> {
        match self.keep_plies {
            Some(plies) if pgn.moves.len() > plies as usize => {
                let mut pgn = pgn.clone();
                pgn.moves.truncate(plies as usize);
                set_ply_count(&mut pgn.tags, plies);
                Cow::Owned(pgn)
            }
            _ => Cow::Borrowed(pgn),
        }
    }

    fn main_line(&self, pgn: &PgnGame) -> Vec<u8> {
        let mut pgn = pgn.clone();
        pgn.comment = None;
        pgn.moves.iter_mut().for_each(|played| *played = played.mv.into());
        if self.strip_tags {
            pgn.tags.retain(|(name, _)| is_needed(name));
        }
        pgn.to_string().into_bytes()
    }

    fn strip(&self, tree: &mut GameTree) -> Result<(), TreeError> {
        let root = tree.root();
        if let Some(plies) = self.keep_plies {
            if tree.main_line().nth(plies as usize).is_some() {
                set_ply_count(&mut tree.tags, plies);
            }
            // The moves at this ply in all lines.
            let mut last = vec![root];
            for _ in 0..plies {
                last = last.iter().flat_map(|&node| tree.children(node)).collect();
                if last.is_empty() {
                    break;
                }
            }
            let rest: Vec<_> = last.iter().flat_map(|&node| tree.children(node)).collect();
            rest.into_iter().try_for_each(|node| tree.delete(node))?;
        }
        if self.no_variations {
            let line: Vec<_> = [root].into_iter().chain(tree.main_line()).collect();
            for node in line {
                let variations: Vec<_> = tree.children(node).skip(1).collect();
                variations.into_iter().try_for_each(|variation| tree.delete(variation))?;
            }
        }
        let nodes: Vec<_> = [root].into_iter().chain(tree.descendants(root)).collect();
        for node in nodes {
            if self.no_comments {
                tree.comment_mut(node)?.clear();
                tree.comment_before_mut(node)?.clear();
            }
            if self.no_glyphs {
                tree.nags_mut(node)?.clear();
            }
        }
        if self.strip_tags {
            tree.tags.retain(|(name, _)| is_needed(name));
        }
        Ok(())
    }
}

/// The tag for the number of plies.
const PLY_COUNT: &str = "PlyCount";

/// Corrects the tag `PlyCount`, if present.
fn set_ply_count(tags: &mut [(String, String)], plies: u32) {
    for (_, value) in tags.iter_mut().filter(|(name, _)| name.eq_ignore_ascii_case(PLY_COUNT)) {
        *value = plies.to_string();
    }
}

fn is_needed(name: &str) -> bool {
    SEVEN_TAG_ROSTER.iter().chain(&START).any(|needed| name.eq_ignore_ascii_case(needed))
}

/// The text without the tags that are not needed.
fn without_tags(raw: &RawGame) -> Vec<u8> {
    let bytes = raw.bytes.as_slice();
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let Some(first) = raw.tags.first() else { return raw.line_text().into_owned() };
    let is_kept = |tag: &Range<usize>| is_needed(&String::from_utf8_lossy(raw.tag_name(tag)));
    if !raw.tags.iter().any(is_kept) {
        // Without a tag, the moves could belong to the previous game.
        text.extend_from_slice(&bytes[..first.start]);
        text.extend_from_slice(b"[Event \"?\"]");
        at = first.end;
    }
    for tag in &raw.tags {
        if is_kept(tag) || tag.start < at {
            continue;
        }
        text.extend_from_slice(&bytes[at..tag.start]);
        at = tag.end;
        // If nothing else is on the line, remove the rest of it too.
        let blanks = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if text.last().is_none_or(|&byte| byte == b'\n') && bytes.get(at + blanks) == Some(&b'\n') {
            at += blanks + 1;
        }
    }
    // At the beginning of a line, a `%` comments out the rest of it.
    if bytes[at..].starts_with(b"%") && text.last().is_none_or(|&byte| byte == b'\n') && !bytes[..at].ends_with(b"\n") {
        text.push(b' ');
    }
    text.extend_from_slice(&bytes[at..]);
    text
}

/// The moves in SAN, without numbers.
fn san(pgn: &PgnGame) -> Vec<String> {
    let mut position = pgn.start.clone();
    let word = |mv| {
        let san = San::new(&position, mv).to_string();
        position.make_unchecked(mv);
        san
    };
    pgn.moves.iter().map(|played| played.mv).map(word).collect()
}

fn json(raw: &RawGame, pgn: &PgnGame) -> Vec<u8> {
    // The text has the original tags, the game the corrected ply count.
    let mut tags: Map<String, Value> = tags::all(raw).map(|(name, value)| (name.into_owned(), value.into())).collect();
    for (name, value) in pgn.tags.iter().filter(|(name, _)| name.eq_ignore_ascii_case(PLY_COUNT)) {
        tags.insert(name.clone(), value.as_str().into());
    }
    let opening = filter::opening(pgn);
    let is_chess960 = pgn.chess960 || pgn.start.variant() == Variant::Chess960;
    let variant = Variant::from_chess960(is_chess960);
    let uci: Vec<String> = pgn.moves.iter().map(|played| played.mv.to_uci(variant).to_string()).collect();
    let start = (pgn.start != *Position::startpos_ref()).then(|| pgn.start.to_fen());
    let object = serde_json::json!({
        "tags": tags,
        "result": pgn.result.as_str(),
        "eco": opening.map(|opening| opening.code()),
        "opening": opening.map(|opening| opening.name()),
        "start": start,
        "plies": pgn.moves.len(),
        "uci": uci.join(" "),
        "san": san(pgn).join(" "),
        "annotations": annotations(raw, pgn),
        "problems": pgn.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    format!("{object}\n").into_bytes()
}

/// The comments and glyphs: an object for each move that has any, and for a comment before the first move.
fn annotations(raw: &RawGame, pgn: &PgnGame) -> Vec<Value> {
    // The moves have been read, so the text is valid.
    let glyphs = raw.parser().read_game(&mut Glyphs::default()).ok().flatten().unwrap_or_default();
    let first = (&pgn.comment, &[][..]);
    let moves = pgn.moves.iter().enumerate();
    let moves = moves.map(|(index, played)| (&played.comment, glyphs.get(index).map_or(&[][..], Vec::as_slice)));
    let all = [first].into_iter().chain(moves).enumerate();
    let turn = pgn.start.turn();
    all.filter_map(|(ply, (comment, nags))| {
        // Plies 1, 3, 5 and so on belong to the side to move at the start.
        let mover = if ply % 2 == 1 { turn } else { !turn };
        annotation(ply, mover, comment.as_deref().unwrap_or_default(), nags)
    })
    .collect()
}

/// The object of a move, numbered from 1; `None` if it has no annotation.
fn annotation(ply: usize, mover: Color, comment: &str, nags: &[u8]) -> Option<Value> {
    if comment.is_empty() && nags.is_empty() {
        return None;
    }
    let comment = if ply == 0 { Annotations::parse(comment) } else { Annotations::of_move(comment, mover) };
    let (cp, mate) = match comment.eval {
        Some((PgnScore::Centipawns(score), _)) => (Some(score), None),
        Some((PgnScore::Mate(moves), _)) => (None, Some(moves)),
        None => (None, None),
    };
    let squares = comment.squares.iter().map(|(color, square)| format!("{}{square}", color.to_char()));
    let arrows = comment.arrows.iter().map(|(color, from, to)| format!("{}{from}{to}", color.to_char()));
    let list = |items: Vec<Value>| Some(Value::from(items)).filter(|list| *list != Value::Array(Vec::new()));
    let fields = [
        ("ply", Some(ply.into())),
        ("clock", comment.clock.as_ref().map(Duration::as_secs_f64).map(Value::from)),
        ("elapsed", comment.elapsed.as_ref().map(Duration::as_secs_f64).map(Value::from)),
        ("cp", cp.map(Value::from)),
        ("mate", mate.map(Value::from)),
        ("depth", comment.eval.and_then(|(_, depth)| depth).map(Value::from)),
        ("nags", list(nags.iter().copied().map(Value::from).collect())),
        ("squares", list(squares.map(Value::from).collect())),
        ("arrows", list(arrows.map(Value::from).collect())),
        ("comment", Some(comment.text).filter(|text| !text.is_empty()).map(Value::from)),
    ];
    let object: Map<String, Value> =
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    Some(object.into())
}

/// Collects the numbers of the glyphs of each move of the main line.
#[derive(Default)]
struct Glyphs(Vec<Vec<u8>>);

impl Visitor for Glyphs {
    type Output = Vec<Vec<u8>>;

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        self.0.push(Vec::new());
        Ok(())
    }

    fn nag(&mut self, nag: Nag) {
        if let Some(last) = self.0.last_mut() {
            last.push(nag.0);
        }
    }

    fn end_game(&mut self) -> Self::Output {
        take(&mut self.0)
    }
}

fn csv(raw: &RawGame, pgn: &PgnGame) -> Vec<u8> {
    let mut fields: Vec<String> =
        COLUMNS.iter().map(|name| tags::value(raw, name).unwrap_or_default().into_owned()).collect();
    fields[6] = pgn.result.as_str().to_owned();
    fields.extend([pgn.moves.len().to_string(), san(pgn).join(" ")]);
    csv_line(&fields)
}

/// A line of a table; fields are quoted where necessary.
fn csv_line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to a vector cannot fail.
    let written = writer.write_record(fields);
    debug_assert!(written.is_ok());
    writer.into_inner().unwrap_or_default()
}
