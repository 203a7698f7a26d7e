//! Every position of king and pawn against king, against two oracles.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_bitbase::kpk;
use bartizan_types::{Color, Direction, File, Rank, Square};

/// A white pawn on files a to d with the two kings.
#[derive(Clone, Copy)]
struct Case {
    strong_to_move: bool,
    pawn: Square,
    strong: Square,
    weak: Square,
}

impl Case {
    /// All of them, legal or not, in the order of the bits of `testdata/kpk/kpk.bin`.
    fn all() -> impl Iterator<Item = Self> {
        let pawns =
            || Rank::ALL[1..7].iter().flat_map(|&rank| File::ALL[..4].iter().map(move |&f| Square::new(f, rank)));
        [true, false].into_iter().flat_map(move |strong_to_move| {
            pawns().flat_map(move |pawn| {
                Square::ALL.into_iter().flat_map(move |strong| {
                    Square::ALL.into_iter().map(move |weak| Self { strong_to_move, pawn, strong, weak })
                })
            })
        })
    }

    fn index(self) -> usize {
        let pawn = (self.pawn.rank().index() - 1) * 4 + self.pawn.file().index();
        let side = usize::from(!self.strong_to_move);
        ((side * 24 + pawn) * 64 + self.strong.index()) * 64 + self.weak.index()
    }

    fn is_legal(self) -> bool {
        self.pawn != self.strong
            && self.pawn != self.weak
            && self.strong.distance(self.weak) > 1
            && !(self.strong_to_move && guards(self.pawn, self.weak))
    }

    fn is_win(self) -> bool {
        kpk::is_win(Color::White, self.strong, self.pawn, self.weak, self.strong_to_move)
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

/// Goes forward, one position and one move at a time, until nothing changes: a position is won when a move wins, or when
/// no move of the weak king escapes.
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
    let Case { strong_to_move, pawn, strong, weak } = case;
    if strong_to_move {
        let single = pawn.step(Direction::North).filter(|&to| to != strong && to != weak);
        let double = single.filter(|_| pawn.rank() == Rank::Second).and_then(|over| over.step(Direction::North));
        let double = double.filter(|&to| to != strong && to != weak);
        steps(strong).any(|strong| won(Case { strong_to_move: false, strong, ..case }))
            || [single, double].into_iter().flatten().any(|to| match to.rank() {
                Rank::Eighth => promotion_wins(to, strong, weak),
                _ => won(Case { strong_to_move: false, pawn: to, ..case }),
            })
    } else {
        let mut moves = steps(weak).filter(|&to| to.distance(strong) > 1 && !guards(pawn, to)).peekable();
        let stalemate = moves.peek().is_none() && !guards(pawn, weak);
        !stalemate && moves.all(|weak| won(Case { strong_to_move: true, weak, ..case }))
    }
}

/// A queen or a rook wins, unless the weak king takes it at once or is stalemate.
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
        let Case { strong_to_move, pawn, strong, weak } = case;
        let won = states[case.index()] == State::Won;
        assert_eq!(case.is_win(), won, "K{strong} P{pawn} k{weak}, strong to move: {strong_to_move}");
    }
}

#[test]
fn equals_syzygy_on_every_legal_position() {
    let path = bartizan_testkit::testdata("kpk/kpk.bin");
    let bits = std::fs::read(&path).unwrap();
    assert_eq!(bits.len(), 24 * 1024, "{}", path.display());
    let (mut legal, mut won) = ([0; 2], [0; 2]);
    for case in Case::all().filter(|case| case.is_legal()) {
        let Case { strong_to_move, pawn, strong, weak } = case;
        let expected = bits[case.index() / 8] >> (case.index() % 8) & 1 != 0;
        assert_eq!(case.is_win(), expected, "K{strong} P{pawn} k{weak}, strong to move: {strong_to_move}");
        legal[usize::from(!strong_to_move)] += 1;
        won[usize::from(!strong_to_move)] += usize::from(expected);
    }
    // The numbers of legal positions and of wins, with the strong side and with the weak side to move.
    assert_eq!((legal, won), ([81_664, 84_012], [62_480, 48_802]));
}

#[test]
fn the_board_has_four_mirror_images() {
    for case in Case::all() {
        let Case { strong_to_move, pawn, strong, weak } = case;
        let squares = [strong, pawn, weak];
        for mirrored in [squares.map(Square::flip_file), squares] {
            let [strong, pawn, weak] = mirrored;
            assert_eq!(kpk::is_win(Color::White, strong, pawn, weak, strong_to_move), case.is_win());
            let [strong, pawn, weak] = mirrored.map(Square::flip_rank);
            assert_eq!(kpk::is_win(Color::Black, strong, pawn, weak, strong_to_move), case.is_win());
        }
    }
}

#[test]
fn illegal_positions_are_no_wins() {
    for color in Color::ALL {
        for case in Case::all().filter(|case| !case.is_legal()) {
            assert!(!case.is_win());
        }
        for square in (Rank::First.bitboard() | Rank::Eighth.bitboard()).into_iter() {
            assert!(!kpk::is_win(color, Square::E6, square, Square::E4, true), "{square}");
        }
    }
}
