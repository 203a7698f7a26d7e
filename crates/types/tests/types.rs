//! Text and index round trips, and the arithmetic of sets, scores and values.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_types::{
    Bitboard, Bound, CastlingRights, CastlingSide, Color, Direction, File, Key, Move, MoveKind, ParseError, Piece,
    PieceType, Ply, Rank, Square, TaperedScore, UciMove, Value, Variant, rays,
};
use proptest::prelude::*;

#[test]
fn squares_files_and_ranks_round_trip() {
    for square in Square::ALL {
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(Square::from_index(square.index()), square);
        assert_eq!(Square::new(square.file(), square.rank()), square);
        assert_eq!(square.flip_rank().flip_rank(), square);
        assert_eq!(square.flip_file().file(), square.file().mirror());
        assert_eq!(square.relative_to(Color::Black).rank(), Color::Black.relative_rank(square.rank()));
        assert_eq!(Bitboard::LIGHT.contains(square), square.is_light());
        assert!(square.shade().contains(square) && square.shade().is_one_shade());
        assert!(!(square.bitboard() | !square.shade()).is_one_shade());
    }
    for file in File::ALL {
        assert_eq!(file.to_string().parse(), Ok(file));
    }
    for rank in Rank::ALL {
        assert_eq!(rank.to_string().parse(), Ok(rank));
    }
    for text in ["", "e", "e9", "i1", "E4", "e44", "é4", "4e"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
    assert_eq!(Square::try_from_index(64), None);
    assert_eq!(Square::A1.distance(Square::H8), 7);
    assert!(!Square::A1.is_light() && Square::H1.is_light());
}

#[test]
fn sets_are_parsed_from_digits_and_drawings() {
    for set in [Bitboard::EMPTY, Bitboard::ALL, Bitboard::LIGHT, Bitboard(1), Bitboard(0x8000_0000_0000_00fe)] {
        for text in [set.to_string(), format!("{set:#x}"), format!("{set:#018x}"), format!("{set:016X}")] {
            assert_eq!(text.parse(), Ok(set), "{text}");
        }
    }
    let marks = ".".repeat(64);
    for text in ["", "0x", "e4", "ff00", "0x1ffffffffffffffff", "0x-1", "+00000000000000ff", "0X1", &marks[1..]] {
        assert_eq!(text.parse::<Bitboard>(), Err(ParseError::Bitboard), "{text}");
    }
    for text in [format!("{marks}."), format!("{}o", &marks[1..]), format!("{}é", &marks[1..])] {
        assert_eq!(text.parse::<Bitboard>(), Err(ParseError::Bitboard), "{text}");
    }
}

#[test]
fn pieces_round_trip_through_letters() {
    for piece in Piece::ALL {
        assert_eq!(piece.to_string().parse(), Ok(piece));
        assert_eq!(Piece::new(piece.piece_type(), piece.color()), piece);
        assert_eq!(piece.flip_color().flip_color(), piece);
        assert_eq!(Piece::ALL[piece.index()], piece);
    }
    for piece_type in PieceType::ALL {
        assert_eq!(PieceType::from_char(piece_type.to_char()), Some(piece_type));
        assert_eq!(piece_type.to_string().parse(), Ok(piece_type));
        assert_eq!(PieceType::try_from_index(piece_type.index()), Some(piece_type));
    }
}

#[test]
fn steps_stay_on_the_board() {
    for square in Square::ALL {
        for direction in Direction::ALL {
            let moved = square.bitboard().shift(direction);
            assert_eq!(moved.first(), square.step(direction), "{square} {direction:?}");
            assert!(!moved.has_many());
        }
    }
    assert_eq!(Square::H4.step(Direction::East), None);
}

#[test]
fn moves_round_trip_through_bits() {
    let mut seen = 0;
    for bits in 0..=u16::MAX {
        let Some(mv) = Move::from_bits(bits) else { continue };
        seen += 1;
        assert_eq!(mv.to_bits(), bits);
        let rebuilt = match mv.kind() {
            MoveKind::Normal => Move::normal(mv.from(), mv.to()),
            MoveKind::EnPassant => Move::en_passant(mv.from(), mv.to()),
            MoveKind::Castling => Move::castling(mv.from(), mv.to()),
            MoveKind::Promotion(piece_type) => Move::promotion(mv.from(), mv.to(), piece_type),
        };
        assert_eq!(rebuilt, mv);
        let uci = mv.to_uci(Variant::Chess960);
        assert_eq!(uci.to_string().parse(), Ok(uci));
        assert_eq!(mv.to_uci(Variant::Standard).to_string(), mv.to_string());
    }
    assert_eq!(seen, 7 * 64 * 64);
    assert_eq!(Move::castling(Square::E8, Square::A8).to_uci(Variant::Standard).to_string(), "e8c8");
    for text in ["", "e2", "e2e", "e2e4x", "e2e4qq", "0000", "e2e9", "é2e4"] {
        assert!(text.parse::<UciMove>().is_err(), "{text}");
    }
    // As other programs read it; a castling that only Chess960 knows has one form.
    assert_eq!(Move::castling(Square::E8, Square::A8).to_string(), "e8c8");
    assert_eq!(Move::castling(Square::F1, Square::H1).to_string(), "f1h1");
    assert_eq!("e7e8Q".parse::<UciMove>().unwrap().promotion, Some(PieceType::Queen));
    let sorted: Vec<UciMove> = ["b1c3", "a2a3", "b7b8n", "b7b8q"].map(|text| text.parse().unwrap()).into();
    assert!(sorted.is_sorted());
}

#[test]
fn castling_rights_name_their_rooks() {
    let all = CastlingRights::STANDARD;
    for (color, side, rook) in [
        (Color::White, CastlingSide::King, Square::H1),
        (Color::White, CastlingSide::Queen, Square::A1),
        (Color::Black, CastlingSide::King, Square::H8),
        (Color::Black, CastlingSide::Queen, Square::A8),
    ] {
        assert_eq!(all.rook(color, side, Square::E1.relative_to(color)), Some(rook));
        assert_eq!(all.without(rook.bitboard()).rook(color, side, Square::E1.relative_to(color)), None);
        assert_eq!(all.without_color(color).rooks_of(color), Bitboard::EMPTY);
    }
    assert_eq!(CastlingRights::from_rooks(Square::A4.bitboard()), CastlingRights::NONE);
    assert_eq!(all.flip(), all);
    // The texts of all rights.
    for set in all.rooks().subsets().chain([Bitboard(0x42 << 56 | 0x24), Bitboard(0xff << 56 | 0xff)]) {
        let rights = CastlingRights::from_rooks(set);
        assert_eq!(rights.to_string().parse(), Ok(rights));
    }
    assert_eq!([all.to_string(), CastlingRights::NONE.to_string()], ["KQkq", "-"]);
    assert_eq!("qAkH".parse(), Ok(all));
    for text in ["", "KX", "K-", "--", "kék"] {
        assert_eq!(text.parse::<CastlingRights>(), Err(ParseError::CastlingRights), "{text}");
    }
}

#[test]
fn keys_and_variants_round_trip_through_text() {
    for key in [Key(0), Key(0x463b_9618_1691_fc9c), Key(u64::MAX)] {
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!(format!("{:#018x}", key.0).parse(), Ok(key));
    }
    for text in ["", "0x", "463B96181691FC9", "463B96181691FC9C0", "+63B96181691FC9C", "0x0x463B96181691FC"] {
        assert_eq!(text.parse::<Key>(), Err(ParseError::Key), "{text}");
    }
    for variant in [Variant::Standard, Variant::Chess960] {
        assert_eq!(variant.to_string().parse(), Ok(variant));
        assert_eq!(variant.to_string().to_uppercase().parse(), Ok(variant));
    }
    assert_eq!("Atomic".parse::<Variant>(), Err(ParseError::Variant));
}

#[test]
fn phased_scores_have_halves_of_any_sign() {
    for mg in [i16::MIN, -i16::MAX, -1, 0, i16::MAX] {
        for eg in [i16::MIN, -i16::MAX, -1, 0, i16::MAX] {
            let score = TaperedScore::new(mg, eg);
            let [mg, eg] = [mg, eg].map(|half| i32::from(half.max(-i16::MAX)));
            assert_eq!([score.mg(), score.eg()], [mg, eg]);
            assert_eq!([(-score).mg(), (-score).eg()], [-mg, -eg]);
        }
    }
}

#[test]
fn mates_are_counted_in_moves() {
    for (value, moves) in [
        (Value::mate_in(Ply(1)), 1),
        (Value::mate_in(Ply(2)), 1),
        (Value::mate_in(Ply(3)), 2),
        (Value::mated_in(Ply(0)), 0),
        (Value::mated_in(Ply(2)), -1),
        (Value::mated_in(Ply(4)), -2),
    ] {
        assert_eq!(value.mate_in_moves(), Some(moves), "{value:?}");
        assert!(value.is_mate() && value.is_decisive());
    }
    for value in [Value(i32::MIN), Value(i32::MAX)] {
        assert!(value.is_mate() && value.is_decisive() && value.plies_to_mate() < Some(0), "{value:?}");
    }
    assert_eq!(Value::EVAL_MAX.mate_in_moves(), None);
    assert!(!Value::EVAL_MAX.is_decisive() && Value::TABLE_WIN.is_decisive() && !Value::TABLE_WIN.is_mate());
    assert_ne!(Bound::Exact, Bound::Lower);
}

proptest! {
    #[test]
    fn bitboards_behave_as_sets(a in any::<u64>(), b in any::<u64>()) {
        let (a, b) = (Bitboard(a), Bitboard(b));
        prop_assert_eq!(a.into_iter().collect::<Bitboard>(), a);
        prop_assert_eq!(a.into_iter().len() as u32, a.count());
        prop_assert!(a.into_iter().rev().eq(a.into_iter().collect::<Vec<_>>().into_iter().rev()));
        let mut grown = a;
        grown.extend(b);
        prop_assert_eq!(grown, a | b);
        for square in b {
            let (mut with, mut without, mut other) = (a, a, a);
            with.insert(square);
            without.remove(square);
            other.toggle(square);
            prop_assert_eq!((with, without), (a | square.bitboard(), a - square.bitboard()));
            prop_assert_eq!(other, if a.contains(square) { without } else { with });
        }
        prop_assert_eq!(format!("{a:#018x} {a:016X}"), format!("{:#018x} {:016X}", a.0, a.0));
        prop_assert_eq!(a - b, a & !b);
        prop_assert_eq!(a.intersects(b), (a & b).any());
        prop_assert_eq!((a & b).is_subset_of(a), true);
        prop_assert_eq!(a.has_many(), a.count() > 1);
        prop_assert_eq!(a.first(), a.into_iter().min());
        prop_assert_eq!(a.last(), a.into_iter().max());
        prop_assert_eq!(a.flip_ranks(), a.into_iter().map(Square::flip_rank).collect());
        prop_assert_eq!(a.flip_files(), a.into_iter().map(Square::flip_file).collect());
    }

    #[test]
    fn subsets_are_complete(bits in any::<u64>()) {
        // At most twelve squares: 4,096 subsets.
        let set = Bitboard(bits).into_iter().take(12).collect::<Bitboard>();
        let subsets: std::collections::HashSet<u64> = set.subsets().map(|subset| subset.0).collect();
        prop_assert_eq!(subsets.len(), 1 << set.count());
        prop_assert!(subsets.iter().all(|&subset| Bitboard(subset).is_subset_of(set)));
    }

    #[test]
    fn blockers_outside_the_mask_do_not_count(bits in any::<u64>(), index in 0..64_usize) {
        let square = Square::from_index(index);
        let mask = rays::relevant_blockers(square, &Direction::ROOK);
        let occupied = Bitboard(bits);
        prop_assert_eq!(
            rays::slider_attacks(square, &Direction::ROOK, occupied),
            rays::slider_attacks(square, &Direction::ROOK, occupied & mask)
        );
    }

    /// Arithmetic on packed scores equals arithmetic on the halves.
    #[test]
    fn scores_add_by_halves(
        a in (-8_000..8_000_i16, -8_000..8_000_i16),
        b in (-8_000..8_000_i16, -8_000..8_000_i16),
        factor in -3..=3_i32,
    ) {
        let (x, y) = (TaperedScore::from(a), TaperedScore::from(b));
        let halves = |score: TaperedScore| (score.mg(), score.eg());
        let (a, b) = ((i32::from(a.0), i32::from(a.1)), (i32::from(b.0), i32::from(b.1)));
        prop_assert_eq!(halves(x + y), (a.0 + b.0, a.1 + b.1));
        prop_assert_eq!(halves(x - y), (a.0 - b.0, a.1 - b.1));
        prop_assert_eq!(halves(-x), (-a.0, -a.1));
        prop_assert_eq!(halves(x * factor), (a.0 * factor, a.1 * factor));
    }

    /// Values survive the table at every ply, and corrupt values come out in range.
    #[test]
    fn table_values_round_trip(
        value in -31_000..=31_000_i32,
        ply in 0..=127_i32,
        mate in 0..=127_i32,
        junk in any::<i16>(),
    ) {
        let ply = Ply(ply);
        for value in [Value(value), Value::mate_in(Ply(ply.0 + mate)), Value::mated_in(Ply(ply.0 + mate))] {
            prop_assert_eq!(Value::from_table(value.to_table(ply), ply), value);
            prop_assert!(i16::try_from(value.to_table(ply).0).is_ok());
        }
        let value = Value::from_table(Value(i32::from(junk)), ply);
        prop_assert!(value.0.abs() <= Value::MATE.0);
    }
}

#[test]
#[cfg(feature = "serde")]
fn json_round_trips() {
    assert_eq!(serde_json::to_string(&Square::E4).unwrap(), "\"e4\"");
    let text: UciMove = "e7e8q".parse().unwrap();
    assert_eq!(serde_json::to_string(&text).unwrap(), "\"e7e8q\"");
    assert_eq!(serde_json::from_str::<UciMove>("\"e7e8q\"").unwrap(), text);
    assert!(serde_json::from_str::<UciMove>("\"e7e9\"").is_err());
    let score = TaperedScore::new(-3, 7);
    assert_eq!(serde_json::from_str::<TaperedScore>(&serde_json::to_string(&score).unwrap()).unwrap(), score);
}

/// The text of a value in JSON. It and the number of the value are read back.
#[cfg(feature = "serde")]
fn json<T>(value: T, number: u64) -> String
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value);
    assert_eq!(serde_json::from_str::<T>(&number.to_string()).unwrap(), value);
    text
}

#[test]
#[cfg(feature = "serde")]
fn moves_are_text_in_json() {
    for mv in (0..=u16::MAX).step_by(7).filter_map(Move::from_bits) {
        json(mv, mv.to_bits().into());
    }
    for (mv, text) in [
        (Move::normal(Square::E1, Square::G1), "\"e1g1\""),
        (Move::castling(Square::E1, Square::H1), "\"e1h1c\""),
        (Move::en_passant(Square::E5, Square::D6), "\"e5d6e\""),
        (Move::promotion(Square::E7, Square::E8, PieceType::Knight), "\"e7e8n\""),
    ] {
        assert_eq!(json(mv, mv.to_bits().into()), text);
    }
    for text in ["0", "-1", "99999", "\"\"", "\"e2e9\"", "\"e2e4x\"", "\"e2e9c\"", "\"e2e4ee\"", "null"] {
        assert!(serde_json::from_str::<Move>(text).is_err(), "{text}");
    }
    let error = serde_json::from_str::<Move>("\"e2e9\"").unwrap_err();
    let expected = "invalid value: string \"e2e9\", expected a move such as e2e4, e7e8q, e1h1c for castling, or e5d6e \
                    for en passant";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
#[cfg(feature = "serde")]
fn what_has_64_bits_is_text_in_json() {
    assert_eq!(json(Bitboard(0xffff << 48), 0xffff << 48), "\"0xffff000000000000\"");
    assert_eq!(json(Key(1), 1), "\"0x0000000000000001\"");
    let rights = CastlingRights::STANDARD.without_color(Color::Black);
    assert_eq!(json(rights, rights.rooks().0), "\"KQ\"");
    assert!(serde_json::from_str::<Bitboard>("\"0xffff\"").is_err());
    assert!(serde_json::from_str::<CastlingRights>("\"\"").is_err());
}

/// In a format for machines, a move takes two bytes.
#[test]
#[cfg(feature = "serde")]
fn moves_are_numbers_in_binary() {
    use serde::Deserialize;
    use serde::de::{Deserializer, Visitor, value::Error};

    struct Binary(u16);

    impl<'de> Deserializer<'de> for Binary {
        type Error = Error;
        fn is_human_readable(&self) -> bool {
            false
        }
        fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_u16(self.0)
        }
        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(serde::de::Error::custom("the format does not say what follows"))
        }
        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
            seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    let mv = Move::castling(Square::E1, Square::H1);
    assert_eq!(Move::deserialize(Binary(mv.to_bits())), Ok(mv));
    assert!(Move::deserialize(Binary(0)).is_err());
}
