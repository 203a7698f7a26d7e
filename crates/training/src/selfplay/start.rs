//! Game starts: openings, Chess960 starting positions, or random endings.

use super::settings::SelfplaySettings;
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Piece, PieceType, SplitMix64, Square};

/// The kind of a game's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Opening,
    Chess960,
    Ending,
}

/// The attempt of [`random_of`] that decides the kind of a game. No game needs this many attempts to start.
const KIND: u64 = u64::MAX;

/// The most pieces of a random ending, apart from the kings.
const ENDING_PIECES: usize = 10;

/// The pieces of a random ending, weighted by repetition: half are pawns.
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

/// The random choices of an attempt to start a game. Files are resumed and reproduced by seed and number, so the
/// sequence must never change.
fn random_of(seed: u64, game: u64, attempt: u64) -> SplitMix64 {
    let game = game.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mut random = SplitMix64::new(seed ^ game ^ attempt.wrapping_mul(0xa5cb_3b1f_2f1c_6d27));
    random.next_u64();
    random
}

/// The start of a game by an attempt, after its random plies; `None` if this attempt gives no playable start.
pub(super) fn random_start(opening: &Game, settings: &SelfplaySettings, id: usize, attempt: u64) -> Option<Game> {
    let mut random = random_of(settings.seed, id as u64, attempt);
    let game = match kind(settings, id) {
        Kind::Opening => play_randomly(opening.clone(), settings, &mut random)?,
        Kind::Chess960 => play_randomly(Game::new(Position::chess960(random.below(960))?), settings, &mut random)?,
        Kind::Ending => Game::new(Position::from_fen(&ending(&mut random)).ok()?),
    };
    game.outcome().is_none().then_some(game)
}

fn kind(settings: &SelfplaySettings, id: usize) -> Kind {
    let percent = random_of(settings.seed, id as u64, KIND).below(100) as u32;
    match percent {
        _ if percent < settings.chess960 => Kind::Chess960,
        _ if percent < settings.chess960 + settings.endings => Kind::Ending,
        _ => Kind::Opening,
    }
}

fn play_randomly(mut game: Game, settings: &SelfplaySettings, random: &mut SplitMix64) -> Option<Game> {
    // One ply more in half of the games, so that either side may be the first to choose a move.
    let one_more = settings.random_plies > 0 && random.next_u64() % 2 == 1;
    let plies = settings.random_plies.saturating_add(one_more.into());
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let mv = *moves.get((random.next_u64() % moves.len().max(1) as u64) as usize)?;
        game.push(mv).ok()?;
    }
    Some(game)
}

/// The FEN of an ending with random pieces on random squares. The sides have equally many pieces, or one has one more.
/// It may be illegal.
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
        for run in board[rank * 8..][..8].chunk_by(|one, next| one.is_none() && next.is_none()) {
            match run {
                [Some(piece)] => fen.push(piece.to_char()),
                empty => fen += &empty.len().to_string(),
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

    #[test]
    fn the_sequence_of_recorded_games_never_changes() {
        assert_eq!(random_of(1, 2, 3).next_u64(), 0x7ceb_73c2_eac3_f143);
    }

    #[test]
    fn most_random_endings_are_legal() {
        let mut random = SplitMix64::new(3);
        let legal = (0..1_000).filter(|_| Position::from_fen(&ending(&mut random)).is_ok()).count();
        assert!(legal > 500, "{legal}");
    }
}
