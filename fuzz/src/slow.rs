//! A second, slow implementation of the rules on a plain board: the oracle for the generator.

use bartizan_position::Position;
use bartizan_types::{CastlingSide, Color, File, Move, Piece, PieceType, Rank, Square};

type Board = [Option<Piece>; 64];

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// The square a step away, unless it is off the board.
fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = (square.index() % 8) as i8 + files;
    let rank = (square.index() / 8) as i8 + ranks;
    ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square::from_index((8 * rank + file) as usize))
}

/// The directions of a piece and whether it slides.
fn steps(piece_type: PieceType) -> (Vec<(i8, i8)>, bool) {
    let queen = || ORTHOGONAL.into_iter().chain(DIAGONAL).collect();
    match piece_type {
        PieceType::Pawn => (Vec::new(), false),
        PieceType::Knight => (KNIGHT.to_vec(), false),
        PieceType::Bishop => (DIAGONAL.to_vec(), true),
        PieceType::Rook => (ORTHOGONAL.to_vec(), true),
        PieceType::Queen => (queen(), true),
        PieceType::King => (queen(), false),
    }
}

/// The direction in which pawns move.
fn forward(color: Color) -> i8 {
    if color.is_white() { 1 } else { -1 }
}

/// The squares that a piece attacks.
fn attacks(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    if piece.piece_type() == PieceType::Pawn {
        return [-1, 1].into_iter().filter_map(|file| step(from, (file, forward(piece.color())))).collect();
    }
    let (directions, slides) = steps(piece.piece_type());
    let mut squares = Vec::new();
    for direction in directions {
        let mut at = from;
        while let Some(next) = step(at, direction) {
            squares.push(next);
            if !slides || board[next.index()].is_some() {
                break;
            }
            at = next;
        }
    }
    squares
}

/// The pieces of `by` that attack a square.
fn attackers(board: &Board, square: Square, by: Color) -> Vec<Square> {
    Square::ALL
        .into_iter()
        .filter(|&from| {
            let piece = board[from.index()].filter(|piece| piece.color() == by);
            piece.is_some_and(|piece| attacks(board, from, piece).contains(&square))
        })
        .collect()
}

fn king(board: &Board, color: Color) -> Option<Square> {
    Square::ALL.into_iter().find(|square| board[square.index()] == Some(PieceType::King.of(color)))
}

fn board(position: &Position) -> Board {
    std::array::from_fn(|index| position.piece_at(Square::from_index(index)))
}

/// The pieces that give check, sorted.
pub(crate) fn checkers(position: &Position) -> Vec<Square> {
    let board = board(position);
    king(&board, position.turn()).map_or_else(Vec::new, |king| attackers(&board, king, !position.turn()))
}

/// Whether the king of `us` is safe after pieces have been put on squares.
fn is_safe(board: &Board, us: Color, changes: &[(Square, Option<Piece>)]) -> bool {
    let mut after = *board;
    for &(square, piece) in changes {
        after[square.index()] = piece;
    }
    king(&after, us).is_some_and(|king| attackers(&after, king, !us).is_empty())
}

/// All legal moves, in no particular order.
pub(crate) fn legal_moves(position: &Position) -> Vec<Move> {
    let board = board(position);
    let us = position.turn();
    let mut moves = Vec::new();
    for from in Square::ALL {
        let Some(piece) = board[from.index()].filter(|piece| piece.color() == us) else { continue };
        if piece.piece_type() == PieceType::Pawn {
            pawn_moves(position, &board, from, &mut moves);
            continue;
        }
        for to in attacks(&board, from, piece) {
            let is_own = board[to.index()].is_some_and(|target| target.color() == us);
            if !is_own && is_safe(&board, us, &[(from, None), (to, Some(piece))]) {
                moves.push(Move::normal(from, to));
            }
        }
    }
    castling(position, &board, &mut moves);
    moves
}

fn pawn_moves(position: &Position, board: &Board, from: Square, moves: &mut Vec<Move>) {
    let us = position.turn();
    let pawn = PieceType::Pawn.of(us);
    let mut targets = Vec::new();
    if let Some(one) = step(from, (0, forward(us))).filter(|square| board[square.index()].is_none()) {
        targets.push(one);
        if from.rank() == us.relative_rank(Rank::Second) {
            targets.extend(step(one, (0, forward(us))).filter(|square| board[square.index()].is_none()));
        }
    }
    for to in attacks(board, from, pawn) {
        if board[to.index()].is_some_and(|target| target.color() != us) {
            targets.push(to);
        } else if position.en_passant() == Some(to) {
            let victim = Square::new(to.file(), from.rank());
            if is_safe(board, us, &[(from, None), (victim, None), (to, Some(pawn))]) {
                moves.push(Move::en_passant(from, to));
            }
        }
    }
    for to in targets {
        if !is_safe(board, us, &[(from, None), (to, Some(pawn))]) {
            continue;
        }
        if to.rank() == us.relative_rank(Rank::Eighth) {
            moves.extend(PieceType::PROMOTIONS.map(|piece_type| Move::promotion(from, to, piece_type)));
        } else {
            moves.push(Move::normal(from, to));
        }
    }
}

fn castling(position: &Position, board: &Board, moves: &mut Vec<Move>) {
    let us = position.turn();
    let Some(from) = king(board, us) else { return };
    for rook in position.castling().rooks_of(us) {
        let side = if rook.index() > from.index() { CastlingSide::King } else { CastlingSide::Queen };
        let (king_file, rook_file) = match side {
            CastlingSide::King => (File::G, File::F),
            CastlingSide::Queen => (File::C, File::D),
        };
        let (king_to, rook_to) = (Square::new(king_file, from.rank()), Square::new(rook_file, from.rank()));
        let is_free = |square: &Square| *square == from || *square == rook || board[square.index()].is_none();
        let is_attacked = |square: &Square| !attackers(board, *square, !us).is_empty();
        let changes = [
            (from, None),
            (rook, None),
            (king_to, Some(PieceType::King.of(us))),
            (rook_to, Some(PieceType::Rook.of(us))),
        ];
        if path(from, king_to).chain(path(rook, rook_to)).all(|square| is_free(&square))
            && !path(from, king_to).any(|square| is_attacked(&square))
            && is_safe(board, us, &changes)
        {
            moves.push(Move::castling(from, rook));
        }
    }
}

/// The squares of a rank from one to another, inclusive.
fn path(a: Square, b: Square) -> impl Iterator<Item = Square> {
    (a.index().min(b.index())..=a.index().max(b.index())).map(Square::from_index)
}
