use super::*;
use bartizan_position::{Setup, Tolerance};
use bartizan_testkit::mirrored;
use bartizan_types::Square;
use proptest::prelude::*;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The known value from White's point of view.
fn known(fen: &str) -> Option<i32> {
    let position = position(fen);
    known_value(&position).map(|value| if position.turn().is_white() { value.0 } else { -value.0 })
}

fn value(fen: &str) -> i32 {
    known(fen).unwrap_or_else(|| panic!("{fen} is not known"))
}

fn white_scale(fen: &str) -> i32 {
    scale(&position(fen), Color::White)
}

/// White's and black's pieces in every ending with a specific rule, and in some others.
const ENDINGS: [(&str, &str); 40] = [
    ("", ""),
    ("P", ""),
    ("PP", ""),
    ("PPP", ""),
    ("N", ""),
    ("B", ""),
    ("R", ""),
    ("Q", ""),
    ("BB", ""),
    ("BN", ""),
    ("NN", ""),
    ("NNN", ""),
    ("BP", ""),
    ("BPP", ""),
    ("NP", ""),
    ("RP", ""),
    ("QPP", ""),
    ("BNP", ""),
    ("P", "P"),
    ("PP", "P"),
    ("R", "P"),
    ("R", "B"),
    ("R", "N"),
    ("Q", "P"),
    ("Q", "R"),
    ("Q", "B"),
    ("Q", "N"),
    ("NN", "P"),
    ("BB", "N"),
    ("RB", "R"),
    ("BP", "B"),
    ("BP", "N"),
    ("BPP", "B"),
    ("BPP", "BP"),
    ("RBPP", "RBP"),
    ("RP", "R"),
    ("RPP", "RP"),
    ("RP", "B"),
    ("Q", "RP"),
    ("QP", "Q"),
];

/// Places the kings and the pieces of an ending on `squares`, if that gives a legal position.
fn place(ending: usize, squares: &[usize], turn: Color) -> Option<Position> {
    let (white, black) = ENDINGS[ending];
    let mut setup = Setup { turn, ..Setup::EMPTY };
    let mut squares = squares.iter().map(|&square| Square::from_index(square));
    for (letters, color) in [("K", Color::White), ("K", Color::Black), (white, Color::White), (black, Color::Black)] {
        for letter in letters.chars() {
            let square = &mut setup.board[squares.next()?.index()];
            if square.is_some() {
                return None;
            }
            *square = PieceType::from_char(letter).map(|piece_type| piece_type.of(color));
        }
    }
    setup.validate(Tolerance::ALL).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, max_global_rejects: 200_000, ..ProptestConfig::default() })]

    #[test]
    fn knowledge_is_symmetric(
        ending in 0..ENDINGS.len(),
        squares in prop::collection::vec(0..64_usize, 8),
        white_to_move: bool,
    ) {
        let turn = if white_to_move { Color::White } else { Color::Black };
        let placed = place(ending, &squares, turn);
        prop_assume!(placed.is_some());
        let Some(position) = placed else { return Ok(()) };
        let value = known_value(&position);
        prop_assert!(value.is_none_or(|value| value.0.abs() <= Value::EVAL_MAX.0));
        for image in [position.flipped(), mirrored(&position)] {
            prop_assert_eq!(known_value(&image), value);
        }
        for strong in Color::ALL {
            let scaled = scale(&position, strong);
            prop_assert!((0..=SCALE_NORMAL).contains(&scaled));
            prop_assert_eq!(scale(&position.flipped(), !strong), scaled);
            prop_assert_eq!(scale(&mirrored(&position), strong), scaled);
        }
    }
}

/// Compares endgame knowledge with tablebase results. A value above 1,000 counts as a claimed win; a value below 200 or
/// a scale of at most 8 counts as a claimed draw.
#[test]
fn known_results_agree_with_syzygy() {
    let text = bartizan_testkit::read("endings/syzygy.txt");
    let (mut wins, mut draws, mut false_wins, mut false_draws) = (0, 0, Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.splitn(3, ' ');
        let (Some(ending), Some(result), Some(fen)) = (fields.next(), fields.next(), fields.next()) else {
            panic!("expected three fields: {line}");
        };
        let position = Position::from_fen_with(fen, Tolerance::ALL).unwrap_or_else(|error| panic!("{line}: {error}"));
        let white = known_value(&position).map(|value| if position.turn().is_white() { value.0 } else { -value.0 });
        let strong = if result == "-1" { Color::Black } else { Color::White };
        if white.is_some_and(|white| white > 1_000) {
            wins += 1;
            if result != "1" {
                false_wins.push(ending);
            }
        } else if white.is_some_and(|white| white.abs() < 200) || white.is_none() && scale(&position, strong) <= 8 {
            draws += 1;
            if result != "0" {
                false_draws.push(ending);
            }
        }
    }
    assert_eq!((wins, draws), (572, 295), "of 1,000");
    // The exceptions are tactical: the rook wins the queen within two moves, or wins the minor piece.
    assert!(false_wins.len() <= 2 && false_wins.iter().all(|&ending| ending == "KQvKR"), "{false_wins:?}");
    let tactics = |&&ending: &&&str| matches!(ending, "KRvKB" | "KRvKN");
    assert_eq!(false_draws.iter().filter(|ending| !tactics(ending)).count(), 0, "{false_draws:?}");
    assert!(false_draws.len() <= 11, "{false_draws:?}");
}

#[test]
fn the_middlegame_is_not_known() {
    let position = Position::startpos();
    assert_eq!(known_value(&position), None);
    for color in Color::ALL {
        assert_eq!(scale(&position, color), SCALE_NORMAL);
    }
}

#[test]
fn a_bare_king_loses_only_to_sufficient_force() {
    for drawn in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
        // Two bishops on squares of one colour; stalemate.
        "4k3/8/8/8/8/8/6B1/4KB2 w - - 0 1",
        "k7/2Q5/8/8/8/8/8/K7 b - - 0 1",
    ] {
        assert_eq!(known_value(&Position::from_fen_with(drawn, Tolerance::ALL).unwrap_or_default()), Some(Value::DRAW));
    }
    for won in [
        "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KR2 b - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        // Checkmate.
        "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",
        "k3R3/8/1K6/8/8/8/8/8 b - - 0 1",
    ] {
        assert!(value(won) >= WIN, "{won}");
    }
}

#[test]
fn values_lead_to_mate() {
    // The bare king goes to the edge, the kings approach each other.
    assert!(value("8/8/8/8/k7/8/8/K6Q w - - 0 1") > value("8/8/8/4k3/8/8/8/K6Q w - - 0 1"));
    assert!(value("8/8/8/2K5/k7/8/8/7R w - - 0 1") > value("8/8/8/8/k7/8/8/K6R w - - 0 1"));
    // With bishop and knight the bare king goes to a corner of the bishop's colour (light here).
    let [right, wrong] = ["k7", "7k"].map(|rank| value(&format!("{rank}/8/8/8/8/8/4B3/4K2N w - - 0 1")));
    assert!(wrong < right);
    // More material is worth more: promoting and capturing raise the value.
    assert!(value("4k3/8/8/8/8/8/8/4K2R w - - 0 1") > value("4k3/7P/8/8/8/8/8/4K3 w - - 0 1"));
    assert!(value("4k3/8/8/8/8/8/8/4K2Q w - - 0 1") > value("4k3/8/8/8/8/8/r7/4K2Q w - - 0 1"));
}

#[test]
fn king_and_pawn_against_king_is_exact() {
    assert!(value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1") > PAWN_WIN);
    assert_eq!(value("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), 0);
    assert_eq!(value("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), 0);
    assert!(value("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1") < -PAWN_WIN);
    // A second pawn does not reduce the value.
    assert!(value("4k3/8/4K3/4P3/4P3/8/8/8 w - - 0 1") > value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
}

#[test]
fn queen_against_pawn() {
    // Pawn on its seventh rank, its king beside it, queen and king far away: drawn on the a-, c-, f- and h-file.
    for fen in [
        "3K4/4Q3/8/8/8/8/pk6/8 w - - 0 1",
        "5K2/4Q3/8/8/8/8/1kp5/8 w - - 0 1",
        "2K5/3Q4/8/8/8/8/5pk1/8 w - - 0 1",
        "4K3/3Q4/8/8/8/8/6kp/8 w - - 0 1",
    ] {
        assert!(value(fen) < 200, "{fen}");
    }
    for fen in [
        "4K3/4Q3/8/8/8/8/kp6/8 w - - 0 1",
        "5K2/5Q2/8/8/8/8/2kp4/8 w - - 0 1",
        "2K5/2Q5/8/8/8/8/4pk2/8 w - - 0 1",
        "2K5/3Q4/8/8/8/8/6pk/8 w - - 0 1",
        // Won: king near; pawn not on its seventh rank; pawn's king far away.
        "8/8/4Q3/8/2K5/8/pk6/8 w - - 0 1",
        "3K4/4Q3/8/8/8/p7/1k6/8 w - - 0 1",
        "3K4/4Q3/7k/8/8/8/p7/8 w - - 0 1",
    ] {
        assert!(value(fen) > 1_000, "{fen}");
    }
}

#[test]
fn rook_against_pawn_is_a_race() {
    // Won with the king in front of the pawn; drawn with the king far away and the pawn advanced.
    assert!(value("8/8/8/8/3k4/3p4/3K4/7R w - - 0 1") > 400);
    assert!(value("K7/8/8/8/8/3p4/2k5/7R b - - 0 1") < 100);
}

#[test]
fn two_knights_alone_cannot_mate() {
    assert_eq!(white_scale("4k3/ppp5/8/8/8/8/8/1NN1K3 w - - 0 1"), SCALE_DRAW);
    // With a pawn of their own they can win.
    assert_eq!(white_scale("4k3/ppp5/8/8/8/8/P7/1NN1K3 w - - 0 1"), SCALE_NORMAL);
}

#[test]
fn bishops_of_one_colour_alone_cannot_mate() {
    assert_eq!(white_scale("8/4k3/4p3/5p2/3B4/2B1K3/8/8 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("8/4k3/4n3/8/3B4/2B1K3/8/8 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("8/4k3/4p3/5p2/3B4/3BK3/8/8 w - - 0 1"), SCALE_NORMAL);
}

#[test]
fn rook_pawn_and_the_wrong_bishop() {
    assert_eq!(white_scale("k7/8/8/8/8/8/P4B2/K7 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("k7/8/8/P7/8/P7/P4B2/K7 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("7k/8/8/8/8/5B2/7P/K7 w - - 0 1"), SCALE_DRAW);
    // Not drawn: right bishop; second pawn on another file; king not in time.
    assert_eq!(white_scale("7k/8/8/8/8/4B3/7P/K7 w - - 0 1"), SCALE_NORMAL);
    assert_eq!(white_scale("k7/8/8/8/8/8/PP3B2/K7 w - - 0 1"), SCALE_NORMAL);
    assert_eq!(white_scale("8/8/8/8/8/k7/P4B2/1K6 w - - 0 1"), 4);
    assert_eq!(white_scale("5k2/8/PK6/8/8/8/5B2/8 w - - 0 1"), SCALE_NORMAL);
}

#[test]
fn pawns_on_a_rook_file() {
    assert_eq!(white_scale("k7/8/8/P7/P7/8/8/K7 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("7k/7P/6K1/7P/8/8/8/8 b - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("2k5/8/8/P7/P7/8/8/K7 w - - 0 1"), SCALE_NORMAL);
    assert_eq!(white_scale("k7/8/8/P7/1P6/8/8/K7 w - - 0 1"), SCALE_NORMAL);
}

#[test]
fn minor_pieces_and_one_pawn() {
    // The king blocks the pawn on a square that the bishop cannot attack, then on one that it can.
    assert_eq!(white_scale("8/4k3/8/4P3/4K3/3B4/8/6b1 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("4k3/8/4P3/4K3/8/3B4/8/5b2 w - - 0 1"), 21);
    assert_eq!(white_scale("3k4/8/3P4/3K4/8/3B4/8/5n2 w - - 0 1"), SCALE_DRAW);
    // The knight cannot leave its pawn.
    assert_eq!(white_scale("8/Pk6/8/1N6/8/8/8/6K1 w - - 0 1"), SCALE_DRAW);
}

#[test]
fn bishops_of_opposite_colours() {
    let pure = white_scale("8/5k2/4p3/3bP3/3P4/4BK2/8/8 w - - 0 1");
    assert!(pure <= 20, "{pure}");
    let rooks = white_scale("3r4/5k2/4p3/3bP3/3P4/4BK2/8/3R4 w - - 0 1");
    assert!(pure < rooks && rooks < SCALE_NORMAL, "{rooks}");
    assert_eq!(white_scale("8/5k2/4pb2/4P3/3P4/4BK2/8/8 w - - 0 1"), 41);
}

#[test]
fn few_pawns_on_one_wing() {
    // With equal pieces, each extra pawn counts, and so do pawns on both wings.
    for (fen, scale) in [
        ("6k1/8/5p2/2n5/2N5/6P1/6K1/8 w - - 0 1", 21),
        ("6k1/5p2/8/2n5/2N5/5PP1/6K1/8 w - - 0 1", 41),
        ("6k1/5pp1/8/2n5/2N5/5PPP/6K1/8 w - - 0 1", 50),
        ("6k1/5pp1/8/2n5/2N5/P4PP1/6K1/8 w - - 0 1", 54),
        ("6k1/5ppp/8/2n5/2N5/4PPPP/6K1/8 w - - 0 1", SCALE_NORMAL),
        ("6k1/p4p2/8/2n5/2N5/6PP/6K1/8 w - - 0 1", 48),
    ] {
        assert_eq!(white_scale(fen), scale, "{fen}");
    }
    // An extra minor piece wins with two pawns, unless a queen may give perpetual check.
    assert_eq!(white_scale("6k1/5ppp/8/2r5/8/8/1R3PP1/3N2K1 w - - 0 1"), 54);
    assert_eq!(white_scale("6k1/p4ppp/8/2r5/8/8/1R3PP1/3N2K1 w - - 0 1"), SCALE_NORMAL);
    assert_eq!(white_scale("6k1/p4ppp/8/2q5/8/P7/1Q3PP1/3N2K1 w - - 0 1"), 43);
    assert_eq!(white_scale("6k1/p4ppp/8/2r5/8/P7/1R1N1PP1/3R2K1 w - - 0 1"), SCALE_NORMAL);
}

#[test]
fn rook_and_pawn_against_rook() {
    for (name, fen) in [
        ("Philidor", "4k3/8/r7/3KP3/8/8/8/1R6 w - - 0 1"),
        ("Philidor after the pawn's advance", "4k3/8/3KP3/8/8/8/7R/r7 b - - 0 1"),
        ("back rank", "1k6/7R/1P6/2K5/8/8/8/1r6 b - - 0 1"),
        ("rook before its pawn", "R7/P5k1/8/8/8/8/8/r5K1 w - - 0 1"),
        ("blockade", "8/8/8/3k4/3P4/8/6r1/K6R w - - 0 1"),
    ] {
        assert_eq!(white_scale(fen), SCALE_DRAW, "{name}");
    }
    for (name, fen) in [
        ("Lucena", "1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1"),
        ("cut off by two files", "8/1k6/8/4KP2/8/8/7r/2R5 w - - 0 1"),
    ] {
        assert!(white_scale(fen) >= 60, "{name}");
    }
}

#[test]
fn two_pawns_against_one_with_rooks() {
    let held = white_scale("6k1/6p1/8/8/5PP1/8/r7/4R1K1 w - - 0 1");
    assert!(held < 44, "{held}");
    // A passed pawn without the defending king in front of it is not scaled as much.
    assert!(white_scale("6k1/6p1/8/8/1P4P1/8/r7/4R1K1 w - - 0 1") > held);
}

#[test]
fn no_pawns() {
    assert_eq!(white_scale("8/5pk1/4r3/8/4K3/8/8/1Q6 w - - 0 1"), SCALE_DRAW);
    assert_eq!(white_scale("8/5p2/4r3/6k1/4K3/8/8/1Q6 w - - 0 1"), SCALE_NORMAL);
    assert!(white_scale("3rk3/8/8/8/8/8/8/3RKB2 w - - 0 1") < 20);
    assert_eq!(white_scale("2b1k3/8/8/8/8/8/8/3QK3 w - - 0 1"), SCALE_NORMAL);
    assert_eq!(white_scale("4k3/6p1/8/8/8/8/8/4KB2 w - - 0 1"), SCALE_DRAW);
}

#[test]
fn next_to_nothing_is_left_of_a_lead_that_does_not_win() {
    for fen in [
        // The wrong bishop with the king in the corner, even with a pawn in the way or more bishops.
        "k7/8/1K6/8/3B4/8/P7/8 w - - 0 1",
        "k7/8/8/p7/P3K3/4B3/8/8 b - - 0 1",
        "1k6/8/1K6/8/P7/4B3/P7/6B1 w - - 0 1",
        "k7/8/K7/P7/P7/8/P7/8 w - - 0 1",
        "4k3/R7/7r/4PK2/8/8/8/8 b - - 0 1",
        "4k3/6p1/8/8/8/8/8/4KB2 w - - 0 1",
    ] {
        let position = position(fen);
        for (position, white) in [(position.flipped(), Color::Black), (position, Color::White)] {
            let sign = if position.turn() == white { 1 } else { -1 };
            let left = drawn_lead(&position, Value(sign * 400)).map(|value| value.0 * sign);
            assert!(left.is_some_and(|left| (0..=50).contains(&left)), "{fen}: {left:?}");
        }
    }
    for fen in
        ["1k6/8/1K6/8/3B4/8/1P6/8 w - - 0 1", "8/8/8/3k4/8/K7/P3B3/8 w - - 0 1", "1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1"]
    {
        assert_eq!(drawn_lead(&position(fen), Value(400)), None, "{fen}");
    }
    assert_eq!(drawn_lead(&Position::startpos(), Value(400)), None);
}
