//! Compares every position of king and pawn against king with two independent solutions.

use bartizan_eval::kpk;
use bartizan_testkit::KingAndPawnMates;
use bartizan_types::{Color, Direction, File, Rank, Square};

/// The directions in which a white pawn captures.
const SIDES: [Direction; 2] = [Direction::NorthEast, Direction::NorthWest];

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
            && !(self.turn.is_white() && SIDES.into_iter().any(|side| self.pawn.step(side) == Some(self.weak)))
    }

    fn is_win(self) -> bool {
        kpk::is_win(Color::White, self.strong, self.pawn, self.weak, self.turn)
    }
}

#[test]
fn equals_the_distances_to_mate_on_every_index() {
    let mates = KingAndPawnMates::get();
    for case in Case::all() {
        let Case { turn, pawn, strong, weak } = case;
        let won = mates.plies_at(turn, pawn, strong, weak).is_some();
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
    for case in Case::all().filter(|case| !case.is_legal()) {
        assert!(!case.is_win());
    }
    for color in Color::ALL {
        for square in (Rank::First.bitboard() | Rank::Eighth.bitboard()).into_iter() {
            assert!(!kpk::is_win(color, Square::E6, square, Square::E4, Color::White), "{square}");
        }
    }
}
