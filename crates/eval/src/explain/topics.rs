//! The meaning of the evaluation terms, as sentences. Each linear term belongs to exactly one topic.

use super::ledger::Entry;
use crate::weights::*;
use bartizan_position::Position;
use bartizan_types::{Color, PieceType, Square};

/// A feature of the position, before it is formatted as a sentence.
pub(super) struct Point<'p> {
    pub(super) position: &'p Position,
    /// The side that has it.
    pub(super) side: Color,
    /// The piece that it concerns.
    pub(super) square: Option<Square>,
    /// The kind of pieces that it concerns, if there is one kind and both sides have the same number of it.
    pub(super) kind: Option<PieceType>,
    /// Its largest part: a term and an index in the term's table.
    pub(super) main: Option<Entry>,
    /// Its contribution to the score of `side`, in internal centipawns.
    pub(super) score: f64,
}

impl Point<'_> {
    /// Its contribution to the score, from White's view, in internal centipawns.
    pub(super) fn for_white(&self) -> f64 {
        if self.side.is_white() { self.score } else { -self.score }
    }
}

/// How the counts of a topic are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// One sentence for each piece.
    Piece,
    /// One sentence about the side that has more of it, good or bad.
    Side,
    /// One sentence about the side that is better off.
    Comparison,
    /// The same for each kind of piece.
    Kind,
}

/// Terms that form one sentence.
pub(super) struct Topic {
    pub(super) terms: &'static [Term],
    pub(super) scope: Scope,
    pub(super) text: fn(&Point<'_>) -> String,
}

const fn piece(terms: &'static [Term], text: fn(&Point<'_>) -> String) -> Topic {
    Topic { terms, scope: Scope::Piece, text }
}

const fn side(terms: &'static [Term], text: fn(&Point<'_>) -> String) -> Topic {
    Topic { terms, scope: Scope::Side, text }
}

const fn comparison(terms: &'static [Term], text: fn(&Point<'_>) -> String) -> Topic {
    Topic { terms, scope: Scope::Comparison, text }
}

const fn kind(terms: &'static [Term], text: fn(&Point<'_>) -> String) -> Topic {
    Topic { terms, scope: Scope::Kind, text }
}

pub(super) static TOPICS: &[Topic] = &[
    comparison(&[MATERIAL, PIECE_WITH_PAWN, PIECE_WITH_PIECE, PIECE_AGAINST_PAWN, PIECE_AGAINST_PIECE], material),
    kind(&[PIECE_SQUARE], |p| their(p, "better placed")),
    side(&[BISHOP_PAIR, BISHOP_PAIR_PAWNS, PAIR_AGAINST_PIECE], |p| we(p, "has the bishop pair")),
    piece(&[PAWN_ISOLATED], |p| it(p, "is isolated")),
    piece(&[PAWN_DOUBLED, PAWN_DOUBLED_ISOLATED], |p| it(p, "is doubled")),
    piece(&[PAWN_BACKWARD], |p| it(p, "is backward")),
    piece(&[PAWN_SUPPORTED, PAWN_SUPPORTED_TWICE, PAWN_PHALANX, PAWN_CONNECTED_OPEN], |p| {
        it(p, "is connected with other pawns")
    }),
    piece(&[PAWN_RAMMED], |p| it(p, "is blocked by an enemy pawn")),
    piece(&[PAWN_WEAK_LEVER], |p| it(p, "is attacked by two pawns and not defended by one")),
    piece(&[PAWN_LEVER], |p| it(p, "attacks an enemy pawn")),
    piece(&[PAWN_CANDIDATE], |p| it(p, "is a candidate for a passed pawn")),
    side(&[PAWN_ISLAND], |p| we(p, "has more pawn islands")),
    piece(
        &[
            PASSED_RANK,
            PASSED_PATH_SAFE,
            PASSED_STOP_DEFENDED,
            PASSED_OWN_KING,
            PASSED_ENEMY_KING,
            PASSED_FILE,
            PASSED_CONNECTED,
            PASSED_BLOCKED_BY,
            PASSED_ROOK_BEHIND,
            PASSED_ENEMY_BEHIND,
            PASSED_OUTSIDE,
        ],
        |p| it(p, if p.score > 0.0 { "is passed" } else { "is passed, but well controlled" }),
    ),
    side(&[PASSED_UNSTOPPABLE], |p| we(p, "has a passed pawn that cannot be stopped")),
    kind(&[KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY], |p| their(p, "more mobile")),
    comparison(&[KING_MOBILITY], |p| format!("{} king has more room to move", owner(p.side))),
    piece(&[KNIGHT_OUTPOST, BISHOP_OUTPOST], |p| it(p, "occupies an outpost")),
    piece(&[KNIGHT_OUTPOST_REACHABLE], |p| it(p, "can reach an outpost")),
    piece(&[MINOR_BEHIND_PAWN], |p| it(p, "stands behind a pawn")),
    comparison(&[MINOR_KING_DISTANCE], |p| we(p, "has its minor pieces nearer to its king")),
    piece(&[BISHOP_SAME_COLOR_PAWNS, BISHOP_BLOCKED_CENTRE], |p| it(p, "shares its square colour with own pawns")),
    piece(&[BISHOP_XRAY_PAWNS], |p| it(p, "has enemy pawns on its diagonals")),
    piece(&[BISHOP_LONG_DIAGONAL], |p| it(p, "controls a long diagonal")),
    piece(&[BISHOP_TRAPPED], |p| it(p, "is trapped")),
    piece(&[ROOK_ON_FILE], |p| {
        let file = p.square.map_or(' ', |square| square.file().to_char());
        match p.main.is_some_and(|entry| entry.place == 1) {
            true => it(p, &format!("controls the open {file}-file")),
            false => it(p, &format!("stands on the half-open {file}-file")),
        }
    }),
    piece(&[ROOK_CLOSED_FILE], |p| it(p, "stands behind a blocked pawn")),
    piece(&[ROOK_ON_SEVENTH], |p| it(p, "has reached the seventh rank")),
    piece(&[ROOK_TRAPPED], |p| it(p, "is shut in by its king")),
    piece(&[ROOK_ON_QUEEN_FILE], |p| it(p, "shares its file with a queen")),
    piece(&[QUEEN_XRAYED], |p| it(p, "faces an enemy rook or bishop behind one other man")),
    piece(&[QUEEN_INFILTRATION], |p| it(p, "has entered the enemy camp")),
    piece(&[PINNED], |p| it(p, "is pinned to its king")),
    comparison(&[KING_SHELTER, KING_STORM, KING_PAWNLESS_FLANK, KING_FLANK_ATTACKED, KING_DEFENDERS], |p| {
        let (king, other) = (p.position.king(p.side), p.position.king(!p.side));
        format!("{} king on {king} is better sheltered than {} on {other}", owner(p.side), owner(!p.side))
    }),
    comparison(&[KING_PAWN_DISTANCE], |p| format!("{} king is nearer to the pawns", owner(p.side))),
    side(&[CASTLING_RIGHT], |p| we(p, "may still castle")),
    piece(&[THREAT_BY_PAWN, THREAT_BY_MINOR, THREAT_BY_ROOK, THREAT_HANGING], |p| {
        let is_hanging = p.main.is_some_and(|entry| entry.term == THREAT_HANGING);
        let how = if is_hanging { ", which is poorly defended" } else { "" };
        format!("{} attacks {}{how}", p.side.name(), piece_of(p, !p.side))
    }),
    side(&[THREAT_BY_PAWN_PUSH], |p| we(p, "can attack a piece by advancing a pawn")),
    side(&[THREAT_BY_KING], |p| we(p, "attacks a weak man with its king")),
    side(&[THREAT_QUEEN_DEFENDS], |p| we(p, "attacks a man that only the queen defends")),
    side(&[THREAT_OVERLOADED], |p| we(p, "attacks pieces that have a single defender")),
    comparison(&[THREAT_RESTRICTED], |p| we(p, "restricts the enemy pieces more")),
    side(&[THREAT_ON_QUEEN], |p| we(p, "can attack the enemy queen safely")),
    comparison(&[SPACE], |p| we(p, "has more space")),
    comparison(&[CENTRE_CONTROL], |p| we(p, "controls more of the centre")),
    side(&[TEMPO], |p| we(p, "is to move")),
];

fn material(point: &Point<'_>) -> String {
    let us = point.side.name();
    match (surplus(point.position, point.side), surplus(point.position, !point.side)) {
        (Some(more), None) => format!("{us} is ahead by {more}"),
        (Some(more), Some(less)) => format!("{us} has {more} for {less}"),
        // Too little to mention: an advantage worth nothing in this position.
        (None, Some(less)) => format!("{us} is behind by {less}, which counts for little here"),
        (None, None) => format!("{us} has the better balance of material"),
    }
}

/// "a rook and two pawns": what `side` has more of than the other side, by piece type.
fn surplus(position: &Position, side: Color) -> Option<String> {
    const WORDS: [&str; 9] = ["", "a", "two", "three", "four", "five", "six", "seven", "eight"];
    let mut parts = Vec::new();
    for piece_type in [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn] {
        let count = |color| position.pieces(color, piece_type).count() as usize;
        let more = count(side).saturating_sub(count(!side));
        if more > 0 {
            let number = WORDS.get(more).map_or_else(|| more.to_string(), |&word| word.to_owned());
            let plural = if more == 1 { "" } else { "s" };
            parts.push(format!("{number} {}{plural}", piece_type.name()));
        }
    }
    match parts.split_last()? {
        (last, []) => Some(last.clone()),
        (last, rest) => Some(format!("{} and {last}", rest.join(", "))),
    }
}

/// "White …".
fn we(point: &Point<'_>, text: &str) -> String {
    format!("{} {text}", point.side.name())
}

/// "White's knights are …", "White's queen on d1 is … than Black's on d8".
fn their(point: &Point<'_>, quality: &str) -> String {
    let Some(kind) = point.kind else { return format!("{} pieces are {quality}", owner(point.side)) };
    let only = |side| {
        let pieces = point.position.pieces(side, kind);
        pieces.first().filter(|_| !pieces.has_many())
    };
    let (us, them) = (owner(point.side), owner(!point.side));
    match (only(point.side), only(!point.side)) {
        (Some(ours), Some(theirs)) => {
            format!("{us} {} on {ours} is {quality} than {them} on {theirs}", kind.name())
        }
        _ => format!("{us} {}s are {quality}", kind.name()),
    }
}

/// "White's rook on d1 …".
fn it(point: &Point<'_>, text: &str) -> String {
    format!("{} {text}", piece_of(point, point.side))
}

/// "White's rook on d1".
pub(super) fn piece_of(point: &Point<'_>, side: Color) -> String {
    let owner = owner(side);
    match point.square.and_then(|square| Some((square, point.position.piece_at(square)?))) {
        Some((square, piece)) => format!("{owner} {} on {square}", piece.piece_type().name()),
        None => format!("{owner} army"),
    }
}

fn owner(side: Color) -> &'static str {
    if side.is_white() { "White's" } else { "Black's" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_linear_term_has_one_topic() {
        for term in terms() {
            let topics = TOPICS.iter().filter(|topic| topic.terms.contains(term)).count();
            assert_eq!(topics, usize::from(term.kind == WeightKind::Linear), "{}", term.name);
        }
    }
}
