//! Why a move is not legal, in words for people.

use crate::san::parse_san;
use bartizan_position::Position;
use bartizan_types::{Bitboard, CastlingSide, File, PieceType, Rank, Square, UciMove};
use std::str::FromStr;

/// Why the text of a move is not legal in a position, such as `no knight can go to f9`; `None` if it is legal or does
/// not have the form of a move. Pieces may be in lower case.
///
/// ```
/// use bartizan_notation::why_illegal;
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")?;
/// assert_eq!(why_illegal(&position, "Rb1").as_deref(), Some("the king would still be in check"));
/// assert_eq!(why_illegal(&position, "O-O-O").as_deref(), Some("the king is in check"));
/// assert_eq!(why_illegal(&position, "Kxe2"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn why_illegal(position: &Position, text: &str) -> Option<String> {
    let text = text.trim();
    if parse_san(position, text).is_ok() || position.parse_uci(text).is_ok() {
        return None;
    }
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    match text {
        "O-O" | "o-o" | "0-0" => return Some(why_no_castling(position, CastlingSide::King).to_owned()),
        "O-O-O" | "o-o-o" | "0-0-0" => return Some(why_no_castling(position, CastlingSide::Queen).to_owned()),
        _ => {}
    }
    match text.to_ascii_lowercase().parse() {
        Ok(mv) => Some(why_not_from(position, mv)),
        Err(_) => Some(text.parse::<Wanted>().ok()?.why_not(position)),
    }
}

fn why_no_castling(position: &Position, side: CastlingSide) -> &'static str {
    let us = position.turn();
    let king = position.king(us);
    if position.castling().rook(us, side, king).is_none() {
        "there is no right to castle on that side"
    } else if position.in_check() {
        "the king is in check"
    } else if position.castling_path_is_free(side) {
        "the king would pass through check"
    } else {
        "a piece is in the way"
    }
}

fn why_not_safe(position: &Position) -> String {
    format!("the king would {}be in check", if position.in_check() { "still " } else { "" })
}

/// Why a move in coordinates is not legal.
fn why_not_from(position: &Position, UciMove { from, to, promotion }: UciMove) -> String {
    let Some(piece) = position.piece_at(from) else { return format!("there is no piece on {from}") };
    let name = piece.piece_type().name();
    if piece.color() != position.turn() {
        return format!("the {name} on {from} is {}'s", piece.color().name());
    }
    let is_castling = piece.piece_type() == PieceType::King
        && from.rank() == to.rank()
        && from.file().distance(to.file()) == 2
        && position.king(position.turn()).file() == File::E;
    if is_castling {
        return why_no_castling(position, CastlingSide::of(from, to)).to_owned();
    }
    if !position.reaches(from, to) {
        return format!("the {name} on {from} cannot go to {to}");
    }
    let promotes = piece.piece_type() == PieceType::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    match (promotes, promotion) {
        (true, None) => format!("the promotion needs a piece: {from}{to}q"),
        (false, Some(_)) => format!("the {name} on {from} does not promote on {to}"),
        _ => why_not_safe(position),
    }
}

/// A move in algebraic notation.
struct Wanted {
    piece: PieceType,
    /// The squares that it may come from.
    origins: Bitboard,
    /// The target as written, which may be off the board.
    target: String,
}

impl FromStr for Wanted {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.rsplit_once('=').map_or(text, |(text, _)| text);
        let mut letters = text.chars().filter(|letter| !matches!(letter, 'x' | '-' | ':'));
        let first = letters.next().ok_or(())?;
        let rest: Vec<char> = letters.collect();
        // A pawn of the b-file captures on the files beside it; anything else is a bishop.
        let is_bishop =
            first == 'b' && matches!(rest[..], [file, _] if file.is_ascii_alphabetic() && !"ac".contains(file));
        let piece = match first {
            'N' | 'n' => PieceType::Knight,
            'B' => PieceType::Bishop,
            'b' if is_bishop => PieceType::Bishop,
            'R' | 'r' => PieceType::Rook,
            'Q' | 'q' => PieceType::Queen,
            'K' | 'k' => PieceType::King,
            'a'..='h' => PieceType::Pawn,
            _ => return Err(()),
        };
        let rest = if piece == PieceType::Pawn { [&[first], &rest[..]].concat() } else { rest };
        let (origin, target) = rest.split_at_checked(rest.len().wrapping_sub(2)).ok_or(())?;
        if !matches!(target, ['a'..='z', '0'..='9']) || origin.len() > 2 {
            return Err(());
        }
        let mut origins = Bitboard::ALL;
        for letter in origin {
            let mut buffer = [0; 4];
            let text = letter.encode_utf8(&mut buffer);
            origins &= match (text.parse::<File>(), text.parse::<Rank>()) {
                (Ok(file), _) => file.bitboard(),
                (_, Ok(rank)) => rank.bitboard(),
                _ => return Err(()),
            };
        }
        Ok(Self { piece, origins, target: target.iter().collect() })
    }
}

impl Wanted {
    /// Why no such move is legal.
    fn why_not(&self, position: &Position) -> String {
        let Self { piece, origins, target } = self;
        let name = piece.name();
        let cannot = || match piece {
            PieceType::King => format!("the king cannot go to {target}"),
            _ => format!("no {name} can go to {target}"),
        };
        let Ok(to) = target.parse::<Square>() else { return cannot() };
        let pieces = position.pieces(position.turn(), *piece) & *origins;
        let able: Vec<Square> = pieces.into_iter().filter(|&from| position.reaches(from, to)).collect();
        let is_legal = |&&from: &&Square| position.legal_moves().iter().any(|mv| (mv.from(), mv.to()) == (from, to));
        match (&able[..], able.iter().filter(is_legal).count()) {
            ([], _) => cannot(),
            (_, 0) => why_not_safe(position),
            (_, 1) => format!("a {name} does not promote like that on {target}"),
            (able, _) => {
                let squares: Vec<String> = able.iter().filter(is_legal).map(ToString::to_string).collect();
                format!("it could be the {name} on {}", squares.join(" or "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let pinned = "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1";
        let attacked = "3r1rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for (fen, text, reason) in [
            (start, "Nf9", "no knight can go to f9"),
            (start, "nf6", "no knight can go to f6"),
            (start, "Ke3", "the king cannot go to e3"),
            (start, "e5", "no pawn can go to e5"),
            (start, "exd3", "no pawn can go to d3"),
            (start, "bf5", "no bishop can go to f5"),
            (start, "bc5", "no pawn can go to c5"),
            (start, "e2e5", "the pawn on e2 cannot go to e5"),
            (start, "E4E5", "there is no piece on e4"),
            (start, "e7e5", "the pawn on e7 is Black's"),
            (start, "e2e4q", "the pawn on e2 does not promote on e4"),
            (start, "O-O", "a piece is in the way"),
            (start, "e1g1", "a piece is in the way"),
            (pinned, "Nc3", "the king would be in check"),
            (pinned, "e2c3", "the king would be in check"),
            (attacked, "Kd1", "the king would be in check"),
            (attacked, "0-0", "the king would pass through check"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O-O", "there is no right to castle on that side"),
            ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O-O", "the king is in check"),
            ("4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1", "Ra8+", "the king would still be in check"),
            ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "it could be the knight on b1 or f1"),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the promotion needs a piece: a7a8q"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(why_illegal(&position, text).as_deref(), Some(reason), "{fen} {text}");
        }
    }

    /// Every text that denotes no legal move gets an answer or none, and a legal one none.
    #[test]
    fn legal_moves_and_other_texts_have_no_reason() {
        let position = Position::startpos();
        for text in ["e4", "Nf3", "e2e4", "", "zz", "help", "N", "Nf", "é4", "x5", "Nbcd2e4", "=Q", "♞f3", "12"] {
            assert_eq!(why_illegal(&position, text), None, "{text}");
        }
    }
}
