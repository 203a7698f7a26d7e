//! Mirror images.

use bartizan_position::{Position, Tolerance};
use bartizan_types::{CastlingRights, Square};

/// The position with the board mirrored left to right, without castling rights.
///
/// ```
/// use bartizan_position::Position;
///
/// let position: Position = "4k3/8/8/2pP4/8/8/8/R3K3 w - c6 0 1".parse()?;
/// assert_eq!(bartizan_testkit::mirrored(&position).to_fen(), "3k4/8/8/4Pp2/8/8/8/3K3R w - f6 0 1");
/// # Ok::<(), bartizan_position::PositionError>(())
/// ```
pub fn mirrored(position: &Position) -> Position {
    let mut setup = position.to_setup();
    let board = setup.board;
    for square in Square::ALL {
        setup.board[square.flip_file().index()] = board[square.index()];
    }
    setup.castling = CastlingRights::NONE;
    setup.en_passant = setup.en_passant.map(Square::flip_file);
    match setup.validate(Tolerance::ALL) {
        Ok(position) => position,
        Err(_) => unreachable!("a legal position stays legal when mirrored"),
    }
}
