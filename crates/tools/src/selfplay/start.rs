//! Where games start: at openings, at starting positions of Chess960, or at random endings.

use super::settings::Settings;
use crate::random;
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Piece, PieceType, SplitMix64, Square};

/// The kind of a game's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Opening,
    Chess960,
    Ending,
}

/// The attempt of [`random::of_game`] that decides the kind of a game. No game needs so many attempts to start.
const KIND: u64 = u64::MAX;

/// The most pieces of a random ending, apart from the kings.
const ENDING_PIECES: usize = 10;

/// The pieces of a random ending, by how often they occur: half are pawns.
const ENDING_TYPES: [PieceType; 8] = [
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// The start of a game by an attempt, after its random plies; `None` if this attempt makes none that can be played on.
pub(super) fn random_start(opening: &Game, settings: &Settings, id: usize, attempt: u64) -> Option<Game> {
    let mut random = random::of_game(settings.seed, id as u64, attempt);
    let game = match kind(settings, id) {
        Kind::Opening => play_randomly(opening.clone(), settings, &mut random)?,
        Kind::Chess960 => {
            let start = Position::from_fen(&chess960(random.below(960))).ok()?;
            play_randomly(Game::new(start), settings, &mut random)?
        }
        Kind::Ending => Game::new(Position::from_fen(&ending(&mut random)).ok()?),
    };
    game.outcome().is_none().then_some(game)
}

fn kind(settings: &Settings, id: usize) -> Kind {
    let percent = random::of_game(settings.seed, id as u64, KIND).below(100) as u32;
    match percent {
        _ if percent < settings.chess960 => Kind::Chess960,
        _ if percent < settings.chess960 + settings.endings => Kind::Ending,
        _ => Kind::Opening,
    }
}

fn play_randomly(mut game: Game, settings: &Settings, random: &mut SplitMix64) -> Option<Game> {
    // One ply more in half of the games, so that either side may be the first to choose a move.
    let plies = settings.random_plies + (settings.random_plies > 0 && random.next_u64() % 2 == 1) as usize;
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let mv = *moves.get((random.next_u64() % moves.len().max(1) as u64) as usize)?;
        game.push(mv).ok()?;
    }
    Some(game)
}

/// The FEN of a starting position of Chess960 by its number below 960, as Reinhard Scharnagl counts them.
fn chess960(number: usize) -> String {
    let mut row = ['\0'; 8];
    let mut put = |index: usize, piece: char| {
        let empty = row.iter().enumerate().filter(|(_, square)| **square == '\0').map(|(file, _)| file).nth(index);
        if let Some(file) = empty {
            row[file] = piece;
        }
    };
    let (light, dark) = (2 * (number % 4) + 1, 2 * (number / 4 % 4));
    // The bishops take their squares by file; the others are counted among the empty files.
    let (first, second) = (light.min(dark), light.max(dark));
    put(first, 'b');
    put(second - 1, 'b');
    put(number / 16 % 6, 'q');
    let (left, right) = KNIGHTS[number / 96 % 10];
    put(left, 'n');
    put(right - 1, 'n');
    for piece in ['r', 'k', 'r'] {
        put(0, piece);
    }
    let black: String = row.iter().collect();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}

/// The places of the knights among five squares.
const KNIGHTS: [(usize, usize); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// The FEN of an ending with random pieces on random squares, as many for either side, or one more for one of them. It
/// need not be legal.
fn ending(random: &mut SplitMix64) -> String {
    let mut board = [None; Square::COUNT];
    let mut put = |piece: Piece, random: &mut SplitMix64| {
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        for _ in 0..Square::COUNT {
            // Pawns stand on the ranks 2 to 7.
            let square = if is_pawn { 8 + random.below(48) } else { random.below(Square::COUNT) };
            if board[square].is_none() {
                board[square] = Some(piece);
                return;
            }
        }
    };
    for color in Color::ALL {
        put(PieceType::King.of(color), random);
    }
    let first = Color::ALL[random.below(2)];
    for i in 0..1 + random.below(ENDING_PIECES) {
        let color = if i % 2 == 0 { first } else { !first };
        let kind = ENDING_TYPES[random.below(ENDING_TYPES.len())];
        put(kind.of(color), random);
    }
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for piece in &board[rank * 8..][..8] {
            match piece {
                Some(piece) => fen.push(piece.to_char()),
                None => fen.push('1'),
            }
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    let turn = if random.below(2) == 0 { 'w' } else { 'b' };
    format!("{fen} {turn} - - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn chess960_has_960_starting_positions() {
        assert!(chess960(518).starts_with("rnbqkbnr/"));
        assert!(chess960(0).starts_with("bbqnnrkr/"));
        assert!(chess960(959).starts_with("rkrnnqbb/"));
        let all: HashSet<String> = (0..960).map(chess960).collect();
        assert_eq!(all.len(), 960);
        for fen in &all {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.castling().rooks().count(), 4, "{fen}");
        }
    }

    #[test]
    fn most_random_endings_are_legal() {
        let mut random = SplitMix64::new(3);
        let legal = (0..1_000).filter(|_| Position::from_fen(&ending(&mut random)).is_ok()).count();
        assert!(legal > 500, "{legal}");
    }
}
