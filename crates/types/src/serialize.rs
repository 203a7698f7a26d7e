//! Serialisation with serde of types that are numbers in memory: as text in human-readable formats such as JSON, as the
//! number in others. Text keeps all 64 bits where numbers are floating-point, as in JavaScript.

use crate::{Bitboard, CastlingRights, Key, Move, Square, UciMove};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn serialize<S: Serializer>(
    serializer: S,
    text: fmt::Arguments<'_>,
    number: impl Serialize,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() { serializer.collect_str(&text) } else { number.serialize(serializer) }
}

/// A type with both forms.
trait TextOrNumber: Sized {
    /// What to expect, for an error.
    const EXPECTED: &'static str;

    fn from_text(text: &str) -> Option<Self>;

    fn from_number(number: u64) -> Option<Self>;
}

/// Reads both forms.
struct Form<T>(PhantomData<T>);

impl<T: TextOrNumber> Visitor<'_> for Form<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::from_number(number).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        let from_number = |number: i64| T::from_number(number.try_into().ok()?);
        from_number(number).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

/// The bits of a text such as `0x00ff00000000ff00`.
fn bits(text: &str) -> Option<u64> {
    text.parse().ok().map(|Key(bits)| bits)
}

/// The text of a move for [`Move`]'s serialisation: coordinate notation, with a letter for what would otherwise require
/// the position.
struct MoveText(Move);

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(mv) = self;
        let uci = UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotes_to() };
        let mark = if mv.is_castling() {
            "c"
        } else if mv.is_en_passant() {
            "e"
        } else {
            ""
        };
        write!(f, "{uci}{mark}")
    }
}

/// Parses such a text.
fn parse_move(text: &str) -> Option<Move> {
    let marked = |make: fn(Square, Square) -> Move, squares: &[u8; 4]| {
        let &[file, rank, to_file, to_rank] = squares;
        Some(make(Square::from_ascii(file, rank)?, Square::from_ascii(to_file, to_rank)?))
    };
    match text.as_bytes().split_first_chunk() {
        Some((squares, b"c")) => marked(Move::castling, squares),
        Some((squares, b"e")) => marked(Move::en_passant, squares),
        _ => {
            let UciMove { from, to, promotion } = text.parse().ok()?;
            Some(promotion.map_or(Move::normal(from, to), |piece| Move::promotion(from, to, piece)))
        }
    }
}

macro_rules! text_or_number {
    ($($type:ident: $expected:literal, $deserialize:ident,
       |$value:ident| $text:expr, $number:expr, |$read:ident| $from_text:expr, $from_number:expr;)*) => {$(
        impl TextOrNumber for $type {
            const EXPECTED: &'static str = $expected;

            fn from_text($read: &str) -> Option<Self> {
                $from_text
            }

            fn from_number($read: u64) -> Option<Self> {
                $from_number
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = *self;
                serialize(serializer, $text, $number)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    deserializer.deserialize_any(Form::<Self>(PhantomData))
                } else {
                    deserializer.$deserialize(Form::<Self>(PhantomData))
                }
            }
        }
    )*};
}

text_or_number! {
    Move: "a move such as e2e4, e7e8q, e1h1c for castling, or e5d6e for en passant", deserialize_u16,
        |mv| format_args!("{}", MoveText(mv)), mv.to_bits(),
        |read| parse_move(read), Move::from_bits(read.try_into().ok()?);
    Bitboard: "a set of squares: 0x and 16 hexadecimal digits", deserialize_u64,
        |set| format_args!("{set:#018x}"), set.0, |read| bits(read).map(Self), Some(Self(read));
    Key: "a key: 16 hexadecimal digits", deserialize_u64,
        |key| format_args!("{:#018x}", key.0), key.0, |read| bits(read).map(Self), Some(Self(read));
    CastlingRights: "castling rights such as KQkq, Kq or -", deserialize_u64,
        |rights| format_args!("{rights}"), rights.rooks().0,
        |read| read.parse().ok(), Some(Self::from_rooks(Bitboard(read))).filter(|rights| rights.rooks().0 == read);
}
