//! The evaluation for people: what each group of terms gives to each side, and what each piece is worth where it stands.

mod table;

use crate::formula::{FULL_SCALE, Halves, Sums, blend, complexity_worth, danger_worth, strong_side};
use crate::tally::NoTrace;
use crate::trace::{Counts, weight_at};
use crate::weights::{Group, Kind, terms};
use crate::{Phase, endgame, evaluate, evaluation};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Color, Piece, PieceType, Square, Value};

/// One group of terms. What is not linear (king danger, complexity) stands here as what it adds to the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The group.
    pub group: Group,
    /// What white has of it, in centipawns.
    pub white: Halves,
    /// What black has of it.
    pub black: Halves,
}

impl Row {
    /// White minus black.
    pub fn difference(&self) -> Halves {
        Halves { mg: self.white.mg - self.black.mg, eg: self.white.eg - self.black.eg }
    }
}

/// A piece and what the score would lose without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceWorth {
    /// Where it stands.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// The score with it minus the score without it, for white; `None` where the board without it cannot be evaluated
    /// because both kings would be in check.
    pub worth: Option<Value>,
}

/// The evaluation of a position, taken apart; its `Display` is a table and a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// One for each group, in the order of [`Group::ALL`]; their differences add up to [`Self::sum`].
    pub rows: Vec<Row>,
    /// All rows together, white minus black.
    pub sum: Halves,
    /// 0 (kings and pawns) to 24 (all pieces): how much the middlegame half counts, of 24.
    pub phase: i32,
    /// How much the endgame half counts, of 64.
    pub scale: i32,
    /// Whether endgame knowledge gives the value, and the rows have no say.
    pub is_known: bool,
    /// The value for white: the sum, scaled and tapered.
    pub white: Value,
    /// The value for the side to move.
    pub value: Value,
    /// What each piece but the kings is worth, a1 first.
    pub pieces: Vec<PieceWorth>,
}

impl Explanation {
    /// A middlegame/endgame pair as it counts at this position's phase, in centipawns, before scaling.
    pub fn tapered(&self, halves: Halves) -> f64 {
        let mg = f64::from(self.phase) / f64::from(Phase::FULL);
        f64::from(halves.mg) * mg + f64::from(halves.eg) * (1.0 - mg)
    }

    /// What scaling the endgame half down adds to the score.
    pub fn scaling(&self) -> f64 {
        let lost = f64::from(self.scale - FULL_SCALE) / f64::from(FULL_SCALE);
        self.tapered(Halves { mg: 0, eg: self.sum.eg }) * lost
    }
}

/// Takes the evaluation of `position` apart. It takes about 33 evaluations; it is for people, not for searching.
///
/// ```
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").unwrap();
/// let explanation = bartizan_eval::explain(&position);
/// assert_eq!(explanation.value, bartizan_eval::evaluate(&position));
/// println!("{explanation}");
/// ```
pub fn explain(position: &Position) -> Explanation {
    let mut counts = Counts::new();
    let sums = evaluation::sums(position, &mut counts);
    let sum = sums.halves();
    let phase = Phase::new(Phase::of(position).get().clamp(0, Phase::FULL));
    let value = evaluate(position);
    Explanation {
        rows: Group::ALL.map(|group| row(group, &counts, &sums)).to_vec(),
        sum,
        phase: phase.get(),
        scale: endgame::scale(position, strong_side(sum.eg)),
        is_known: endgame::known_value(position).is_some(),
        white: if position.turn().is_white() { value } else { -value },
        value,
        pieces: pieces(position),
    }
}

fn row(group: Group, counts: &Counts, sums: &Sums) -> Row {
    let [white, black] = match group {
        Group::Danger => sums.danger.map(danger_worth),
        Group::Complexity => complexity(sums),
        _ => linear(group, counts),
    };
    Row { group, white, black }
}

fn linear(group: Group, counts: &Counts) -> [Halves; 2] {
    let mut halves = [Halves::default(); 2];
    for term in terms().iter().filter(|term| term.group == group && term.kind == Kind::Linear) {
        for index in term.offset..term.offset + term.len {
            let weight = weight_at(index);
            for (side, count) in halves.iter_mut().zip(counts.get(index)) {
                side.mg += weight.mg() * i32::from(count);
                side.eg += weight.eg() * i32::from(count);
            }
        }
    }
    halves
}

/// It belongs to whoever is ahead in the endgame half, and may take from them.
fn complexity(sums: &Sums) -> [Halves; 2] {
    let without = Sums { complexity: 0, ..*sums }.halves().eg;
    let worth = complexity_worth(without, sums.complexity);
    match strong_side(without) {
        Color::White => [Halves { mg: 0, eg: worth }, Halves::default()],
        Color::Black => [Halves::default(), Halves { mg: 0, eg: -worth }],
    }
}

fn pieces(position: &Position) -> Vec<PieceWorth> {
    let with = score(position);
    let others = position.occupied() - position.by_type(PieceType::King);
    others
        .into_iter()
        .filter_map(|square| {
            let piece = position.piece_at(square)?;
            let worth = without(position, square).map(|position| Value(with.0 - score(&position).0));
            Some(PieceWorth { square, piece, worth })
        })
        .collect()
}

/// The position without the piece on `square`. If that leaves the side not to move in check, the other side is to move.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup: Setup = position.to_setup();
    setup.board[square.index()] = None;
    setup
        .validate(Tolerance::ALL)
        .or_else(|_| {
            setup.turn = !setup.turn;
            setup.validate(Tolerance::ALL)
        })
        .ok()
}

/// The sum of all terms for white, without endgame knowledge: its jumps would say little about a single piece. Nor does
/// the tempo count, so that the side to move makes no difference.
fn score(position: &Position) -> Value {
    let mut sums = evaluation::sums(position, &mut NoTrace);
    let tempo = crate::weights::weight(crate::weights::TEMPO, 0);
    let sign = if position.turn().is_white() { 1 } else { -1 };
    sums.linear.mg -= sign * tempo.mg();
    sums.linear.eg -= sign * tempo.eg();
    blend(sums.halves(), Phase::of(position), FULL_SCALE)
}
