//! Reading moves.

use super::San;
use super::error::SanError;
use super::shape::{self, Shape, Step};
use crate::text::{decode, excerpt, number_length};
use alloc::vec::Vec;
use bartizan_position::Position;
use bartizan_types::{CastlingSide, Direction, Move, PieceType, Square, UciMove};

/// Reads a move of `position` in algebraic notation.
///
/// Accepts missing and superfluous `+ # ! ? x =`, a redundant origin (`Ng1f3`), long algebraic notation (`e2-e4`),
/// zeros in castling (`0-0`), promotion as `e8Q`, `e8(Q)` or `e8/Q`, a trailing `e.p.`, `ch` or `mate`, figurines,
/// captures by pawns that name only files (`exd`) or only the target (`d5`), and coordinate notation (`e2e4`, castling
/// in both forms). It never guesses: exactly one legal move must match. [`leniencies`](super::leniencies) tells what
/// had to be accepted.
///
/// # Errors
/// [`SanError`] if the text is not a move, matches no legal move, or matches several.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    parse_bytes(position, text.as_bytes())
}

/// Reads a move of `position` in Standard Algebraic Notation, and nothing else: the text must be the one that [`San`]
/// writes.
///
/// ```
/// use bartizan_notation::san::parse_san_strict;
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("4k3/8/8/3p4/2P5/8/8/4K3 b - - 0 1")?;
/// assert_eq!(parse_san_strict(&position, "dxc4")?, position.parse_uci("d5c4")?);
/// let error = parse_san_strict(&position, "c4").unwrap_err();
/// assert_eq!(error.to_string(), "'c4' is not standard notation: expected 'dxc4'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`parse_san`], and [`SanError::NotStandard`] for any other spelling of a legal move.
pub fn parse_san_strict(position: &Position, text: &str) -> Result<Move, SanError> {
    let mv = parse_san(position, text)?;
    let san = San::new(position, mv);
    if san == text { Ok(mv) } else { Err(SanError::NotStandard { text: excerpt(text), san }) }
}

/// Splits a text such as `1. e4 c5 2.Nf3` at white space into its moves, without their numbers: digits before full
/// stops, an ellipsis or a letter, or on their own. `0-0` is a move. The moves are not validated: use [`parse_san`].
///
/// ```
/// use bartizan_notation::san::split_moves;
///
/// let moves: Vec<&str> = split_moves("1. e4 e5 2.Nf3 Nc6 3 Bc4 3\u{2026}Bc5 4.0-0 5d3").collect();
/// assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "0-0", "d3"]);
/// ```
pub fn split_moves(text: &str) -> impl Iterator<Item = &str> {
    let without_number = |word| {
        let rest = word_after_digits(word);
        if rest.starts_with(|c: char| c.is_alphabetic()) { rest } else { &word[number_length(word.as_bytes())..] }
    };
    text.split_whitespace().map(without_number).filter(|word| !word.is_empty())
}

fn word_after_digits(word: &str) -> &str {
    word.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Like [`parse_san`] for text that may be Windows-1252.
#[inline]
pub(crate) fn parse_bytes(position: &Position, text: &[u8]) -> Result<Move, SanError> {
    match shape::read_plain(text) {
        Some(step) => match find(position, &step, step.piece.unwrap_or(PieceType::Pawn)) {
            (Some(mv), false) => Ok(mv),
            // Castling written as `Kg1`, and errors.
            _ => resolve(position, &step, &decode(text)),
        },
        None => {
            let side = match text {
                b"O-O" => CastlingSide::King,
                b"O-O-O" => CastlingSide::Queen,
                _ => return parse_loose(position, &decode(text)),
            };
            castling(position, side).ok_or_else(|| SanError::Illegal { text: decode(text).into_owned() })
        }
    }
}

#[inline(never)]
fn parse_loose(position: &Position, text: &str) -> Result<Move, SanError> {
    match shape::read(text) {
        None => Err(SanError::Syntax { text: excerpt(text) }),
        Some(Shape::Null) => Err(SanError::NullMove),
        Some(Shape::Castling(side)) => {
            castling(position, side).ok_or_else(|| SanError::Illegal { text: excerpt(text) })
        }
        Some(Shape::Step(step)) => resolve(position, &step, text),
        Some(Shape::Files(from, to, promotion)) => {
            let fits = |mv: &Move| {
                let pawn = position.pieces(position.turn(), PieceType::Pawn).contains(mv.from());
                pawn && mv.from().file() == from
                    && mv.to().file() == to
                    && promotion.is_none_or(|piece_type| mv.promotes_to() == Some(piece_type))
            };
            only(position.legal_moves().into_iter().filter(fits).collect(), text)
                .unwrap_or_else(|| Err(SanError::NoSuchMove { text: excerpt(text) }))
        }
    }
}

fn castling(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let king = position.king(us);
    let rook = position.castling().rook(us, side, king)?;
    Some(Move::castling(king, rook)).filter(|&mv| position.is_legal(mv))
}

/// The first legal move of a piece of this type that matches the text, and whether there is another. Castling is
/// handled separately.
#[inline]
fn find(position: &Position, step: &Step, piece: PieceType) -> (Option<Move>, bool) {
    let (mut found, mut several) = (None, false);
    position.for_each_move_to(piece, step.to, step.origins(), |mv| {
        if step.promotion.is_none() || mv.promotes_to() == step.promotion {
            several |= found.is_some();
            found = Some(mv);
        }
    });
    (found, several)
}

/// The only candidate; an error if there are several, `None` if there is none.
fn only(mut candidates: Vec<Move>, text: &str) -> Option<Result<Move, SanError>> {
    match candidates[..] {
        [] => None,
        [mv] => Some(Ok(mv)),
        _ => {
            candidates.sort_unstable();
            Some(Err(SanError::Ambiguous { text: excerpt(text), candidates }))
        }
    }
}

#[inline(never)]
fn resolve(position: &Position, step: &Step, text: &str) -> Result<Move, SanError> {
    if let (None, Some(from)) = (step.piece, step.from()) {
        // Coordinate notation, which may also be castling.
        let uci = UciMove { from, to: step.to, promotion: step.promotion };
        if let Ok(mv) = position.resolve_uci(uci) {
            return Ok(mv);
        }
    }
    let mut candidates = Vec::new();
    for piece in PieceType::ALL {
        if step.piece.map_or(piece == PieceType::Pawn || step.from().is_some(), |named| named == piece) {
            position.for_each_move_to(piece, step.to, step.origins(), |mv| {
                if step.promotion.is_none() || mv.promotes_to() == step.promotion {
                    candidates.push(mv);
                }
            });
        }
    }
    if let Some(answer) = only(candidates, text) {
        return answer;
    }
    if step.piece == Some(PieceType::King)
        && let Some(mv) = CastlingSide::ALL.into_iter().find_map(|side| king_castles(position, step, side))
    {
        return Ok(mv);
    }
    if is_reachable(position, step) {
        Err(SanError::Illegal { text: excerpt(text) })
    } else {
        Err(SanError::NoSuchMove { text: excerpt(text) })
    }
}

/// Whether the piece on `from` matches the text.
fn is_meant(position: &Position, step: &Step, from: Square) -> bool {
    let Some(piece) = position.piece_at(from).filter(|piece| piece.color() == position.turn()) else { return false };
    let named = match step.piece {
        Some(piece_type) => piece.piece_type() == piece_type,
        None => piece.piece_type() == PieceType::Pawn || step.from().is_some(),
    };
    named
        && step.file.is_none_or(|file| from.file() == file)
        && step.rank.is_none_or(|rank| from.rank() == rank)
        // Only pawns promote.
        && (step.promotion.is_none() || piece.piece_type() == PieceType::Pawn)
}

/// Castling written as `Kg1` or `Ke1g1`.
fn king_castles(position: &Position, step: &Step, side: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let fits = is_meant(position, step, position.king(us)) && side.king_target(us) == step.to;
    castling(position, side).filter(|_| fits)
}

/// Whether a matching piece could move to the target if its king's safety did not matter.
fn is_reachable(position: &Position, step: &Step) -> bool {
    let (us, to) = (position.turn(), step.to);
    let target = position.piece_at(to);
    if target.is_some_and(|piece| piece.color() == us) {
        return false;
    }
    let attackers = position.attackers_to(to, position.occupied(), us);
    let takes = target.is_some() || position.en_passant() == Some(to);
    let mut reaching =
        attackers.into_iter().filter(|&from| takes || position.piece_type_at(from) != Some(PieceType::Pawn));
    reaching.any(|from| is_meant(position, step, from)) || (target.is_none() && pawn_steps(position, step))
}

/// Whether a matching pawn could push to the target, which is empty.
fn pawn_steps(position: &Position, step: &Step) -> bool {
    let us = position.turn();
    let back = Direction::forward(!us);
    let is_pawn = |square| position.pieces(us, PieceType::Pawn).contains(square) && is_meant(position, step, square);
    let Some(one) = step.to.step(back) else { return false };
    if is_pawn(one) {
        return true;
    }
    let doubles = step.to.relative_to(us).rank() == bartizan_types::Rank::Fourth;
    doubles && position.piece_at(one).is_none() && one.step(back).is_some_and(is_pawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[track_caller]
    fn all_mean(fen: &str, uci: &str, texts: &[&str]) {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap();
        for text in texts {
            assert_eq!(parse_san(&position, text), Ok(mv), "{text}");
        }
    }

    #[test]
    fn informal_texts_are_accepted() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        all_mean(
            start,
            "g1f3",
            &["Nf3", "Nf3+", "Nf3!?", "Nxf3", "Ng1f3", "Ng1-f3", "N1f3", "Ngf3", "g1f3", "nf3", "♘f3"],
        );
        all_mean(start, "e2e4", &["e4", "e2e4", "e2-e4", "e4!!", "Pe4", "Pe2-e4", "ee4", " e4 ", "2e4", "♙e4", "e4="]);
        let captures = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        all_mean(
            captures,
            "e5d6",
            &["exd6", "ed6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5xd6", "e5:d6", "e5d6", "d6", "e5xd6 e.p.+"],
        );
        let promotion = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
        all_mean(
            promotion,
            "e7e8q",
            &[
                "e8=Q",
                "e8Q",
                "e8(Q)",
                "e8/Q",
                "e8=Q+",
                "e8q",
                "e7e8q",
                "e7e8=Q",
                "e8=(Q)",
                "e8♕#",
                "e8+=Q",
                "e8=Qch",
                "e8Q dis.ch.",
            ],
        );
        all_mean(captures, "e5d6", &["exd", "ed", "e:d", "exd+!?"]);
        all_mean(promotion, "e7d8q", &["exd=Q", "edQ", "exd(Q)+"]);
        all_mean(promotion, "e7d8b", &["exd8=B", "exd8b", "ed8B", "e7d8b", "e7xd8=B+!"]);
    }

    #[test]
    fn castling_in_every_form() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        all_mean(fen, "e1g1", &["O-O", "0-0", "o-o", "OO", "O-O+", "e1g1", "e1h1", "Kg1", "Ke1g1", "Ke1-g1"]);
        all_mean(fen, "e1c1", &["O-O-O", "0-0-0", "0-0-0!", "e1c1", "e1a1", "Kc1"]);
        // In Chess960 a one-square move to g1 is not castling.
        let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        all_mean(fen, "f1g1", &["Kg1", "f1g1"]);
        all_mean(fen, "f1h1", &["O-O", "f1h1"]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (fen, text, error) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "invalid move ''"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "hello", "invalid move 'hello'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd9", "invalid move 'Kd9'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd3", "no legal move matches 'Kd3'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1=Q", "no legal move matches 'Kd1=Q'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O", "illegal move 'O-O'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--", "a null move cannot be played"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Z0", "a null move cannot be played"),
            // Pinned.
            ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "illegal move 'Nc3'"),
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "ambiguous move 'Nd2': it could be b1d2 or f3d2"),
            // In check, a pawn does not help.
            ("4r2k/8/8/8/8/8/7P/4K3 w - - 0 1", "h4", "illegal move 'h4'"),
            ("4r2k/8/8/8/8/7N/7P/4K3 w - - 0 1", "h4", "no legal move matches 'h4'"),
            (
                "7k/4P3/8/8/8/8/8/4K3 w - - 0 1",
                "e8",
                "ambiguous move 'e8': it could be e7e8n or e7e8b or e7e8r or e7e8q",
            ),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exf", "no legal move matches 'exf'"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exg", "invalid move 'exg'"),
            ("4k3/3p4/4P3/3p4/4P3/8/8/4K3 w - - 0 1", "exd", "ambiguous move 'exd': it could be e4d5 or e6d7"),
            ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "invalid move 'e8=K'"),
        ] {
            assert_eq!(parse_san(&position(fen), text).unwrap_err().to_string(), error, "{fen} {text}");
        }
    }

    #[test]
    fn strict_reading_refuses_other_spellings() {
        let position = position("r3k2r/8/8/3p4/2P5/8/8/R3K2R w KQkq - 0 1");
        for text in ["cxd5", "O-O", "O-O-O", "Rxh8+", "Kd2"] {
            assert_eq!(parse_san_strict(&position, text), parse_san(&position, text), "{text}");
        }
        for (text, san) in [
            ("d5", "cxd5"),
            ("cd5", "cxd5"),
            ("cxd5!", "cxd5"),
            ("0-0", "O-O"),
            ("Rh8+", "Rxh8+"),
            ("Rxh8", "Rxh8+"),
            ("Rxh8#", "Rxh8+"),
            ("kd2", "Kd2"),
            ("Ked2", "Kd2"),
            ("e1d2", "Kd2"),
        ] {
            let error = parse_san_strict(&position, text).unwrap_err().to_string();
            assert_eq!(error, format!("'{text}' is not standard notation: expected '{san}'"));
        }
        assert_eq!(parse_san_strict(&position, "--"), Err(SanError::NullMove));
        assert!(matches!(parse_san_strict(&position, "Kd3"), Err(SanError::NoSuchMove { .. })));
    }

    #[test]
    fn errors_are_short() {
        let error = parse_san(&Position::startpos(), &"x".repeat(10_000)).unwrap_err();
        assert!(error.to_string().len() < 100);
    }
}
