//! Positions and moves.

use crate::invariants::{check_all, check_state};
use crate::starts::{take_move, take_position};
use crate::{take_byte, take_bytes};
use bartizan_position::{FenStyle, Position, Setup, Tolerance};
use bartizan_types::{Bitboard, CastlingRights, Color, Move, Piece, Square, UciMove, Variant};

/// FEN: no text causes a panic, and a parsed position satisfies all invariants.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Setup::from_fen(&text) {
        Ok(setup) => check_setup(&setup),
        Err(error) => assert!(error.to_string().chars().count() < 400),
    }
    if let Ok(position) = Position::from_fen_with(&text, Tolerance::ALL) {
        check_all(&position);
    }
    let _ = Position::from_fen(&text).map_err(|error| error.to_string());
}

/// Setups made of bytes, and up to 50 moves from the legal ones.
///
/// Layout: flags, castling rooks of White and Black by file, en passant square, two counters of 16 bits, 32 bytes with
/// two squares each, then a byte for each move.
pub fn setup(mut data: &[u8]) {
    let setup = take_setup(&mut data);
    check_setup(&setup);
    let Ok(mut position) = setup.validate(Tolerance::ALL) else { return };
    check_all(&position);
    let _ = setup.validate(Tolerance::NONE).map_err(|error| error.to_string());
    for ply in 0..50 {
        if data.is_empty() {
            break;
        }
        let Some(mv) = take_move(&mut data, &position) else { break };
        position = position.play(mv).expect("the move is legal");
        check_state(&position);
        if ply % 8 == 0 {
            check_all(&position);
        }
        if let Some(passed) = position.play_null() {
            check_state(&passed.flipped());
        }
    }
    check_all(&position);
}

fn take_setup(data: &mut &[u8]) -> Setup {
    let [flags, white, black, en_passant] = take_bytes(data);
    let rooks = Bitboard(u64::from(white) | u64::from(black) << 56);
    let mut setup = Setup::EMPTY;
    setup.turn = if flags & 1 == 0 { Color::White } else { Color::Black };
    setup.castling = CastlingRights::from_rooks(rooks);
    setup.en_passant = (en_passant < 64).then(|| Square::from_index(en_passant.into()));
    setup.halfmove_clock = u16::from_le_bytes(take_bytes(data));
    setup.fullmove_number = u16::from_le_bytes(take_bytes(data));
    for (index, byte) in take_bytes::<32>(data).into_iter().enumerate() {
        for (half, nibble) in [byte & 15, byte >> 4].into_iter().enumerate() {
            setup.board[2 * index + half] = Piece::ALL.get(usize::from(nibble).wrapping_sub(1)).copied();
        }
    }
    setup
}

/// What a FEN can express survives a round trip.
fn check_setup(setup: &Setup) {
    assert_eq!(&setup.flipped().flipped(), setup);
    let square = setup.en_passant.map(|square| square.index() / 8);
    if square.is_none_or(|rank| rank == 2 || rank == 5)
        && setup.halfmove_clock <= 9_999
        && (1..=9_999).contains(&setup.fullmove_number)
    {
        let fen = setup.to_fen(FenStyle::Shredder);
        assert_eq!(Setup::from_fen(&fen).as_ref(), Ok(setup), "{fen}");
    }
}

/// Moves as text and as 16 bits, in a position.
pub fn moves(mut data: &[u8]) {
    let position = take_position(&mut data);
    let bits = u16::from_le_bytes(take_bytes(&mut data));
    let legal = position.legal_moves();
    if let Some(mv) = Move::from_bits(bits) {
        assert_eq!(mv.to_bits(), bits);
        assert_eq!(position.is_legal(mv), legal.contains(&mv), "{position} {mv:?}");
        match position.play(mv) {
            Ok(next) => check_state(&next),
            Err(error) => assert!(error.to_string().chars().count() < 400),
        }
    }
    let count = take_byte(&mut data);
    let text = String::from_utf8_lossy(data);
    match text.parse::<UciMove>() {
        Ok(uci) => assert_eq!(uci.to_string().parse(), Ok(uci)),
        Err(error) => assert!(error.to_string().chars().count() < 400),
    }
    match position.parse_uci(&text) {
        Ok(mv) => {
            assert!(legal.contains(&mv), "{position} {text}");
            assert_eq!(position.parse_uci(&mv.to_uci(Variant::Chess960).to_string()), Ok(mv));
        }
        Err(error) => assert!(error.to_string().chars().count() < 400),
    }
    if !legal.is_empty() {
        let mv = legal[usize::from(count) % legal.len()];
        assert_eq!(position.parse_uci(&mv.to_string()), Ok(mv));
        if position.variant() == Variant::Standard {
            assert_eq!(position.parse_uci(&mv.to_uci(Variant::Standard).to_string()), Ok(mv), "{position}");
        }
    }
}
