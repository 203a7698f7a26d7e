//! Compares every position of king and pawn against king with two independent solutions.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_bitbase::kpk;
use bartizan_types::{Color, Direction, File, Rank, Square};

/// A white pawn on files a to d with the two kings.
#[derive(Clone, Copy)]
struct Case {
    turn: Color,
    pawn: Square,
    strong: Square,
    weak: Square,
}

impl Case {
    /// All cases, legal or not, in the order of the bits of `testdata/kpk/kpk.bin`.
    fn all() -> impl Iterator<Item = Self> {
        let pawns =
            || Rank::ALL[1..7].iter().flat_map(|&rank| File::ALL[..4].iter().map(move |&f| Square::new(f, rank)));
        Color::ALL.into_iter().flat_map(move |turn| {
            pawns().flat_map(move |pawn| {
                Square::ALL
                    .into_iter()
                    .flat_map(move |strong| Square::ALL.into_iter().map(move |weak| Self { turn, pawn, strong, weak }))
            })
        })
    }

    fn index(self) -> usize {
        let pawn = (self.pawn.rank().index() - 1) * 4 + self.pawn.file().index();
        ((self.turn.index() * 24 + pawn) * 64 + self.strong.index()) * 64 + self.weak.index()
    }

    fn is_legal(self) -> bool {
        self.pawn != self.strong
            && self.pawn != self.weak
            && self.strong.distance(self.weak) > 1
            && !(self.turn.is_white() && guards(self.pawn, self.weak))
    }

    fn is_win(self) -> bool {
        kpk::is_win(Color::White, self.strong, self.pawn, self.weak, self.turn)
    }
}

fn guards(pawn: Square, square: Square) -> bool {
    [Direction::NorthEast, Direction::NorthWest].into_iter().any(|side| pawn.step(side) == Some(square))
}

fn steps(king: Square) -> impl Iterator<Item = Square> {
    Direction::ALL.into_iter().filter_map(move |direction| king.step(direction))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Unknown,
    Won,
}

/// Solves all positions by repeated forward passes: a position is won if a move wins, or if no move of the weak king
/// escapes. Stops when a pass finds no new win.
fn brute_force() -> Vec<State> {
    let mut states = vec![State::Unknown; 2 * 24 * 64 * 64];
    loop {
        let mut changed = false;
        for case in Case::all().filter(|case| case.is_legal()) {
            if states[case.index()] == State::Unknown && is_won(&states, case) {
                states[case.index()] = State::Won;
                changed = true;
            }
        }
        if !changed {
            return states;
        }
    }
}

fn is_won(states: &[State], case: Case) -> bool {
    let won = |case: Case| case.is_legal() && states[case.index()] == State::Won;
    let Case { turn, pawn, strong, weak } = case;
    if turn.is_white() {
        let single = pawn.step(Direction::North).filter(|&to| to != strong && to != weak);
        let double = single.filter(|_| pawn.rank() == Rank::Second).and_then(|over| over.step(Direction::North));
        let double = double.filter(|&to| to != strong && to != weak);
        steps(strong).any(|strong| won(Case { turn: Color::Black, strong, ..case }))
            || [single, double].into_iter().flatten().any(|to| match to.rank() {
                Rank::Eighth => promotion_wins(to, strong, weak),
                _ => won(Case { turn: Color::Black, pawn: to, ..case }),
            })
    } else {
        let mut moves = steps(weak).filter(|&to| to.distance(strong) > 1 && !guards(pawn, to)).peekable();
        let stalemate = moves.peek().is_none() && !guards(pawn, weak);
        !stalemate && moves.all(|weak| won(Case { turn: Color::White, weak, ..case }))
    }
}

/// A queen or a rook wins unless the weak king captures it at once or is stalemated.
fn promotion_wins(piece: Square, strong: Square, weak: Square) -> bool {
    let sees = |diagonals: bool, to: Square| {
        let files = to.file().index() as i8 - piece.file().index() as i8;
        let ranks = to.rank().index() as i8 - piece.rank().index() as i8;
        let straight = (files == 0) != (ranks == 0);
        let diagonal = diagonals && files != 0 && files.abs() == ranks.abs();
        let (right, up) = (files.signum(), ranks.signum());
        (straight || diagonal)
            && (1..files.abs().max(ranks.abs())).all(|n| piece.offset(right * n, up * n) != Some(strong))
    };
    [true, false].into_iter().any(|queen| {
        let mut moves = steps(weak).filter(|&to| to.distance(strong) > 1 && !sees(queen, to)).peekable();
        let may_stay = moves.peek().is_some() || sees(queen, weak);
        may_stay && moves.all(|to| to != piece)
    })
}

#[test]
fn equals_brute_force_on_every_index() {
    let states = brute_force();
    for case in Case::all() {
        let Case { turn, pawn, strong, weak } = case;
        let won = states[case.index()] == State::Won;
        assert_eq!(case.is_win(), won, "K{strong} P{pawn} k{weak}, {turn} to move");
    }
}

#[test]
fn equals_syzygy_on_every_legal_position() {
    let path = bartizan_testkit::testdata("kpk/kpk.bin");
    let bits = std::fs::read(&path).unwrap();
    assert_eq!(bits.len(), 24 * 1024, "{}", path.display());
    let (mut legal, mut won) = ([0; 2], [0; 2]);
    for case in Case::all().filter(|case| case.is_legal()) {
        let Case { turn, pawn, strong, weak } = case;
        let expected = bits[case.index() / 8] >> (case.index() % 8) & 1 != 0;
        assert_eq!(case.is_win(), expected, "K{strong} P{pawn} k{weak}, {turn} to move");
        legal[turn.index()] += 1;
        won[turn.index()] += usize::from(expected);
    }
    // The numbers of legal positions and of wins, with White and with Black to move.
    assert_eq!((legal, won), ([81_664, 84_012], [62_480, 48_802]));
}

#[test]
fn mirrored_positions_have_the_same_result() {
    for case in Case::all() {
        let Case { turn, pawn, strong, weak } = case;
        let squares = [strong, pawn, weak];
        for mirrored in [squares.map(Square::flip_file), squares] {
            let [strong, pawn, weak] = mirrored;
            assert_eq!(kpk::is_win(Color::White, strong, pawn, weak, turn), case.is_win());
            let [strong, pawn, weak] = mirrored.map(Square::flip_rank);
            assert_eq!(kpk::is_win(Color::Black, strong, pawn, weak, !turn), case.is_win());
        }
    }
}

#[test]
fn illegal_positions_are_not_wins() {
    for color in Color::ALL {
        for case in Case::all().filter(|case| !case.is_legal()) {
            assert!(!case.is_win());
        }
        for square in (Rank::First.bitboard() | Rank::Eighth.bitboard()).into_iter() {
            assert!(!kpk::is_win(color, Square::E6, square, Square::E4, Color::White), "{square}");
        }
    }
}
