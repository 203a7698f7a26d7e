//! A position seen from the stronger side.

use crate::advice::TheoreticalResult;
use bartizan_attacks as attacks;
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, File, Move, PieceType, Rank, Square};

/// A position, and which side is stronger.
pub(super) struct View<'a> {
    pub(super) position: &'a Position,
    pub(super) strong: Color,
    /// The result for the stronger side, if it is known.
    pub(super) outcome: Option<TheoreticalResult>,
    /// The pieces of both sides, the stronger side's first, as in "KRPKR".
    pub(super) material: String,
}

/// The pieces from strongest to weakest, as in the names of endings, with their usual values.
const ORDER: [(PieceType, u32); 6] = [
    (PieceType::King, 0),
    (PieceType::Queen, 9),
    (PieceType::Rook, 5),
    (PieceType::Bishop, 3),
    (PieceType::Knight, 3),
    (PieceType::Pawn, 1),
];

/// The pieces that can be captured.
const PIECES: [(PieceType, &str); 5] = [
    (PieceType::Pawn, "pawn"),
    (PieceType::Knight, "knight"),
    (PieceType::Bishop, "bishop"),
    (PieceType::Rook, "rook"),
    (PieceType::Queen, "queen"),
];

impl<'a> View<'a> {
    /// `None` if both sides have equal material that includes pieces, and neither wins.
    pub(super) fn new(position: &'a Position, outcome: Option<TheoreticalResult>) -> Option<Self> {
        let pieces = |color: Color| -> String {
            let of_type = |(piece, _): (PieceType, u32)| {
                std::iter::repeat_n(piece.to_char(), position.pieces(color, piece).count() as usize)
            };
            ORDER.into_iter().flat_map(of_type).collect::<String>().to_ascii_uppercase()
        };
        let worth = |color: Color| {
            ORDER.iter().map(|&(piece, worth)| worth * position.pieces(color, piece).count()).sum::<u32>()
        };
        let strong = match worth(Color::White).cmp(&worth(Color::Black)) {
            std::cmp::Ordering::Greater => Color::White,
            std::cmp::Ordering::Less => Color::Black,
            // Between equals, the side that wins, or the one to move.
            std::cmp::Ordering::Equal if outcome == Some(TheoreticalResult::Loss) => position.turn().flip(),
            std::cmp::Ordering::Equal => position.turn(),
        };
        let material = format!("{}{}", pieces(strong), pieces(strong.flip()));
        let outcome = outcome.map(|outcome| if position.turn() == strong { outcome } else { outcome.flip() });
        (position.occupied().count() > 2).then_some(Self { position, strong, outcome, material })
    }

    pub(super) fn weak(&self) -> Color {
        self.strong.flip()
    }

    /// The stronger side, for a sentence.
    pub(super) fn strong_name(&self) -> &'static str {
        self.strong.name()
    }

    /// The weaker side, for a sentence.
    pub(super) fn weak_name(&self) -> &'static str {
        self.weak().name()
    }

    pub(super) fn king(&self) -> Square {
        self.position.king(self.strong)
    }

    pub(super) fn weak_king(&self) -> Square {
        self.position.king(self.weak())
    }

    pub(super) fn is_won(&self) -> bool {
        self.outcome == Some(TheoreticalResult::Win)
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.outcome == Some(TheoreticalResult::Draw)
    }

    pub(super) fn is_lost(&self) -> bool {
        self.outcome == Some(TheoreticalResult::Loss)
    }

    pub(super) fn is_strong_to_move(&self) -> bool {
        self.position.turn() == self.strong
    }

    pub(super) fn is_against_bare_king(&self) -> bool {
        self.position.color(self.weak()).count() == 1
    }

    /// A piece that the side to move can capture at once, and its square.
    pub(super) fn capture(&self) -> Option<(&'static str, Square)> {
        self.capture_where(|_| true)
    }

    /// A sentence on a capture that the weaker side can make at once, for endings that this decides.
    pub(super) fn capture_by_weak(&self) -> Option<String> {
        self.capture_by_mover().filter(|_| !self.is_strong_to_move())
    }

    /// A sentence on a capture that the side to move can make at once, for endings that this decides.
    pub(super) fn capture_by_mover(&self) -> Option<String> {
        let (piece, square) = self.capture().filter(|_| self.outcome.is_none())?;
        Some(format!("{} can take the {piece} on {square}.", self.position.turn().name()))
    }

    /// A capture by the weaker side after which neither side can mate.
    pub(super) fn taken(&self) -> Option<(&'static str, Square)> {
        self.capture_where(|mv| self.position.play_unchecked(*mv).is_insufficient_material())
            .filter(|_| !self.is_strong_to_move())
    }

    fn capture_where(&self, is_wanted: impl Fn(&Move) -> bool) -> Option<(&'static str, Square)> {
        let position = self.position;
        let mv = position.legal_moves().into_iter().find(|mv| position.is_capture(*mv) && is_wanted(mv))?;
        let piece = PIECES.iter().find(|(piece, _)| position.by_type(*piece).contains(mv.to()))?;
        Some((piece.1, mv.to()))
    }

    /// A sentence on a draw in an ending that is normally won.
    pub(super) fn exception(&self) -> String {
        match self.taken() {
            Some((piece, square)) => {
                format!("{} takes the {piece} on {square}, and neither side can mate.", self.weak_name())
            }
            None => "As a rule, this ending is won, but this position is a draw.".to_owned(),
        }
    }

    /// Whether all bishops of the stronger side stand on squares of one colour.
    pub(super) fn has_bishops_of_one_color(&self) -> bool {
        self.position.pieces(self.strong, PieceType::Bishop).is_one_shade()
    }

    /// The only piece of its kind.
    pub(super) fn piece(&self, color: Color, piece: PieceType) -> Option<Square> {
        let pieces = self.position.pieces(color, piece);
        if pieces.has_many() { None } else { pieces.first() }
    }

    /// A rank from a side's point of view: its pawns move up.
    pub(super) fn rank_for(color: Color, square: Square) -> Rank {
        color.relative_rank(square.rank())
    }

    /// The square on which a pawn promotes.
    pub(super) fn promotion(color: Color, pawn: Square) -> Square {
        Square::new(pawn.file(), color.relative_rank(Rank::Eighth))
    }

    /// The squares that the weaker king can reach while the other pieces stay where they are.
    pub(super) fn cage(&self) -> Bitboard {
        let occupied = self.position.occupied() ^ self.weak_king().bitboard();
        let forbidden = self.position.attacked_by(self.strong, occupied) | self.position.color(self.weak());
        let mut reached = self.weak_king().bitboard();
        loop {
            let mut next = reached;
            for square in reached {
                next |= attacks::king(square) & !forbidden;
            }
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The corners of one colour.
pub(super) fn corners(light: bool) -> [Square; 2] {
    if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] }
}

/// The nearest of some squares.
pub(super) fn nearest(from: Square, squares: [Square; 2]) -> Square {
    if from.distance(squares[1]) < from.distance(squares[0]) { squares[1] } else { squares[0] }
}

pub(super) fn color_of(light: bool) -> &'static str {
    if light { "light" } else { "dark" }
}

pub(super) fn is_rook_file(file: File) -> bool {
    matches!(file, File::A | File::H)
}

/// "a1", "a1 and h8", "d6, e6 and f6".
pub(super) fn list(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// A number of moves or squares with its noun.
pub(super) fn count(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
