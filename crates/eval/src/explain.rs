//! Explains an evaluation: reasons in sentences, the share of each group of terms for each side, and the worth of each
//! piece on its square.

mod board;
mod ledger;
mod paint;
mod reasons;
mod table;
mod topics;

pub use board::ContributionBoard;
pub use reasons::Reason;
pub use table::{Colored, Table};

use crate::formula::{FULL_SCALE, MgEg, Sums, complexity_score, danger_score, strong_side, taper};
use crate::side_score::NoTrace;
use crate::wdl::{MaterialCount, WdlModel};
use crate::weights::TermGroup;
use crate::{Phase, endgame, evaluate, evaluation};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Color, Piece, PieceType, Square, Value};
use ledger::Ledger;

/// One group of terms. A non-linear group (king danger, complexity) counts as the difference that it makes to the
/// score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The group.
    pub group: TermGroup,
    /// White's share, in internal centipawns.
    pub white: MgEg,
    /// Black's share.
    pub black: MgEg,
}

impl GroupRow {
    /// White minus black.
    pub fn difference(&self) -> MgEg {
        MgEg { mg: self.white.mg - self.black.mg, eg: self.white.eg - self.black.eg }
    }
}

/// A piece and the change of the score if it were removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceContribution {
    /// Its square.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// The score with it minus the score without it, from White's view; `None` for a king, and where the
    /// board without the piece cannot be evaluated because both kings would be in check.
    pub value: Option<Value>,
}

impl PieceContribution {
    /// The worth of the piece for its own side, in pawns of `pawn` internal centipawns, rounded to hundredths; `None`
    /// without a worth.
    pub fn pawns(&self, pawn: f64) -> Option<f64> {
        let value = f64::from(self.value?.0);
        let own = if self.piece.color().is_white() { value } else { -value };
        // The sum turns -0.0 into 0.0.
        Some((100.0 * own / pawn).round() / 100.0 + 0.0)
    }
}

/// A breakdown of the evaluation of a position. Its `Display` shows the main reasons, a table of the terms and a board
/// with the worth of each piece; [`Explanation::colored`] adds terminal colours.
///
/// Fields are in internal centipawns; the text is in pawns as scores are [shown](crate::shown).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The features that decide the value, most important first.
    pub reasons: Vec<Reason>,
    /// One row for each group, in the order of [`TermGroup::ALL`]; their differences add up to [`Self::sum`].
    pub rows: Vec<GroupRow>,
    /// All rows together, White minus Black.
    pub sum: MgEg,
    /// The weight of the middlegame half, from 0 (kings and pawns) to 24 (all pieces).
    pub phase: i32,
    /// The share of the endgame half that counts, in sixty-fourths.
    pub scale: i32,
    /// Whether endgame knowledge gives the value and the terms do not count.
    pub is_known: bool,
    /// The value from White's view: the sum, scaled, tapered, and limited to ±[`ORDINARY_MAX`](crate::ORDINARY_MAX),
    /// unless it comes from endgame knowledge.
    pub white: Value,
    /// The value for the side to move.
    pub value: Value,
    /// All pieces with their worth, from a1 to h8.
    pub pieces: Vec<PieceContribution>,
    /// The number of internal centipawns displayed as one pawn.
    pub pawn: f64,
}

impl Explanation {
    /// A middlegame/endgame pair as it counts at this position's phase, in centipawns, before scaling.
    pub fn tapered(&self, halves: MgEg) -> f64 {
        let mg = f64::from(self.phase) / f64::from(Phase::FULL);
        f64::from(halves.mg) * mg + f64::from(halves.eg) * (1.0 - mg)
    }

    /// The change of the score from scaling down the endgame half.
    pub fn scaling(&self) -> f64 {
        let lost = f64::from(self.scale - FULL_SCALE) / f64::from(FULL_SCALE);
        self.tapered(MgEg { mg: 0, eg: self.sum.eg }) * lost
    }

    /// The table of the terms alone.
    pub fn table(&self) -> Table<'_> {
        Table(self)
    }

    /// The same text with ANSI colours, for a terminal.
    pub fn colored(&self) -> Colored<'_> {
        Colored(self)
    }

    fn row(&self, group: TermGroup) -> GroupRow {
        let none = GroupRow { group, white: MgEg::default(), black: MgEg::default() };
        self.rows.iter().find(|row| row.group == group).copied().unwrap_or(none)
    }
}

/// Breaks down the evaluation of `position`. This takes about as long as 33 evaluations; it is for display, not for
/// searching. The result is meaningless if the side to move is in check.
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
    let mut ledger = Ledger::default();
    let sums = evaluation::sums(position, &mut ledger);
    let sum = sums.halves();
    let value = evaluate(position);
    let mut explanation = Explanation {
        reasons: Vec::new(),
        rows: TermGroup::ALL.map(|group| row(group, &ledger, &sums)).to_vec(),
        sum,
        phase: Phase::of(position).get().clamp(0, Phase::FULL),
        scale: endgame::scale(position, strong_side(sum.eg)),
        is_known: endgame::known_value(position).is_some(),
        white: if position.turn().is_white() { value } else { -value },
        value,
        pieces: pieces(position),
        pawn: WdlModel::FITTED.half_won(MaterialCount::of(position)),
    };
    explanation.reasons = reasons::reasons(position, &ledger, &explanation);
    explanation
}

fn row(group: TermGroup, ledger: &Ledger, sums: &Sums) -> GroupRow {
    let [white, black] = match group {
        TermGroup::Danger => sums.danger.map(danger_score),
        TermGroup::Complexity => complexity(sums),
        _ => ledger.group(group),
    };
    GroupRow { group, white, black }
}

/// Complexity counts for the side that is ahead in the endgame half, and may reduce its lead.
fn complexity(sums: &Sums) -> [MgEg; 2] {
    let without = Sums { complexity: 0, ..*sums }.halves().eg;
    let value = complexity_score(without, sums.complexity);
    match strong_side(without) {
        Color::White => [MgEg { mg: 0, eg: value }, MgEg::default()],
        Color::Black => [MgEg::default(), MgEg { mg: 0, eg: -value }],
    }
}

fn pieces(position: &Position) -> Vec<PieceContribution> {
    let with = score(position);
    position
        .placement()
        .map(|(square, piece)| {
            let without = (piece.piece_type() != PieceType::King).then(|| without(position, square)).flatten();
            let value = without.map(|position| Value(with.0 - score(&position).0));
            PieceContribution { square, piece, value }
        })
        .collect()
}

/// The position without the piece on `square`. If that leaves the side not to move in check, the other side moves.
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

/// The sum of all terms from White's view, without endgame knowledge and without the limit of the value, which would
/// say little about a single piece, and without the tempo, so that the side to move makes no difference.
fn score(position: &Position) -> Value {
    let mut sums = evaluation::sums(position, &mut NoTrace);
    let tempo = crate::weights::weight(crate::weights::TEMPO, 0);
    let sign = if position.turn().is_white() { 1 } else { -1 };
    sums.linear.mg -= sign * tempo.mg();
    sums.linear.eg -= sign * tempo.eg();
    taper(sums.halves(), Phase::of(position), FULL_SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let explanation = explain(&position);
        explanation.reasons.iter().map(|reason| format!("{:+.0} {}", reason.score.signum(), reason.text)).collect()
    }

    #[test]
    fn what_both_sides_have_is_no_reason() {
        assert_eq!(reasons(&Position::startpos().to_fen()), ["+1 White is to move"]);
    }

    #[test]
    fn reasons_name_side_piece_and_square() {
        let found = reasons("8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - 0 40");
        assert_eq!(found[..2], ["+1 White is ahead by a pawn", "+1 White's pawn on d5 is passed"]);
        let found = reasons("r5k1/pp3ppp/8/8/8/8/PP3PPP/3R2K1 b - - 0 1");
        assert!(found.contains(&"+1 White's rook on d1 controls the open d-file".to_owned()), "{found:?}");
        let found = reasons("4k3/pp3pp1/3b2b1/8/8/1P6/P4PP1/R3K3 w Q - 0 1");
        assert!(
            found[0].ends_with("has a rook for two bishops") || found[0].contains("two bishops for a rook"),
            "{found:?}"
        );
    }

    #[test]
    fn a_lead_that_counts_for_nothing_is_explained() {
        for (fen, reason) in [
            ("4k3/R7/7r/4PK2/8/8/8/8 w - - 0 1", "This position is a known draw"),
            ("8/5pk1/4r3/8/4K3/8/8/1Q6 w - - 0 1", "This position is a known draw"),
            ("4k3/6p1/8/8/8/8/8/4KB2 w - - 0 1", "This material does not win"),
        ] {
            let found = reasons(fen);
            assert!(found.contains(&format!("-1 {reason}: the endgame advantage counts for nothing")), "{found:?}");
        }
    }

    #[test]
    fn a_lead_beyond_the_limit_is_explained() {
        let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
        let explanation = explain(&Position::from_fen_with(fen, Tolerance::ALL).unwrap());
        assert!(explanation.reasons[0].text.contains("9 queens"), "{:?}", explanation.reasons[0]);
        assert_eq!(explanation.value, crate::ORDINARY_MAX);
        let text = explanation.to_string();
        let limit = text.lines().find(|line| line.starts_with("limited to")).unwrap();
        assert!(limit.ends_with(&format!("{:.2}", 7_500.0 / explanation.pawn)), "{limit}");
        let queens = explanation.pieces.iter().filter(|it| it.piece == Piece::WhiteQueen);
        assert!(queens.into_iter().all(|queen| queen.value > Some(Value(500))), "{:?}", explanation.pieces);
        assert!(!explain(&Position::startpos()).to_string().contains("limited to"));
    }

    #[test]
    fn the_mirrored_position_has_the_mirrored_reasons() {
        let position =
            Position::from_fen("r2q1rk1/1b2bppp/p2p1n2/1p2p3/4P3/1BN1B3/PPP1QPPP/3RR1K1 w - - 0 14").unwrap();
        let scores =
            |position: &Position| -> Vec<f64> { explain(position).reasons.iter().map(|reason| reason.score).collect() };
        let (here, there) = (scores(&position), scores(&position.flipped()));
        assert_eq!(here.len(), there.len());
        assert!(here.iter().zip(&there).all(|(a, b)| (a + b).abs() < 1e-9), "{here:?} {there:?}");
    }

    #[test]
    fn only_the_coloured_text_has_escape_sequences() {
        let explanation = explain(&Position::startpos());
        assert!(!explanation.to_string().contains('\x1b'));
        assert!(explanation.colored().to_string().contains("\x1b[32m+0."));
    }
}
