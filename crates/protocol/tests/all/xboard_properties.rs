//! What holds for every xboard line: values survive being written and read, and no text makes a reader panic.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_position::Position;
use bartizan_protocol::OptionKind;
use bartizan_protocol::xboard::{
    Command, Edit, EditLine, Feature, FeatureValue, GameResult, Message, MoveText, OptionDecl, Status, Thinking,
    edit_lines,
};
use bartizan_types::{Bound, CastlingSide, PieceType, Square, UciMove, Variant};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;

fn move_text() -> impl Strategy<Value = MoveText> {
    let square = || (0..64_usize).prop_map(Square::from_index);
    let uci = (square(), square(), of(select(&PieceType::PROMOTIONS[..])));
    prop_oneof![
        uci.prop_map(|(from, to, promotion)| MoveText::Move(UciMove { from, to, promotion })),
        select(vec![CastlingSide::King, CastlingSide::Queen]).prop_map(MoveText::Castle),
        Just(MoveText::Null),
        "[KQRBN][a-h]?x?[a-h][1-8]".prop_map(MoveText::San),
    ]
}

/// Text without blanks at its ends, quotation marks, braces, or what else would end it.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-zA-Z0-9_/.é漢]([ ,-<>-Z_a-zé漢😀]{0,30}[,-<>-Z_a-zé漢])?"]
}

fn name() -> impl Strategy<Value = String> {
    vec("[A-Z][a-z_]{0,8}", 1..4).prop_map(|words| words.join(" "))
}

fn result() -> impl Strategy<Value = GameResult> {
    select(vec![GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw])
}

fn command() -> impl Strategy<Value = Command> {
    let seconds = || (0..1_000_000_u64).prop_map(Duration::from_secs);
    let millis = || (0..1_000_000_u64).prop_map(Duration::from_millis);
    prop_oneof![
        select(vec![Command::New, Command::Go, Command::MoveNow, Command::Analyze, Command::Status]),
        (any::<u32>(), seconds(), millis()).prop_map(|(moves, base, increment)| Command::Level {
            moves,
            base,
            increment
        }),
        millis().prop_map(Command::MoveTime),
        any::<u32>().prop_map(Command::Ping),
        any::<i64>().prop_map(Command::Time),
        any::<u64>().prop_map(Command::Memory),
        move_text().prop_map(Command::Move),
        move_text().prop_map(Command::UserMove),
        of(move_text()).prop_map(Command::Exclude),
        (name(), of(text())).prop_map(|(name, value)| Command::Option { name, value }),
        (result(), text()).prop_map(|(result, reason)| Command::Result { result, reason }),
        ("[a-z]{1,9}", text()).prop_map(|(kind, path)| Command::EgtPath { kind, path }),
        (any::<i32>(), any::<i32>()).prop_map(|(own, opponent)| Command::Rating { own, opponent }),
    ]
}

fn thinking() -> impl Strategy<Value = Thinking> {
    let extra = of((any::<u32>(), any::<u64>(), any::<u64>()));
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    (any::<u32>(), any::<i32>(), any::<u64>(), any::<u64>(), extra, bound, vec(move_text(), 0..9)).prop_map(
        |(ply, score, time, nodes, extra, bound, pv)| {
            let mut line = Thinking::default();
            (line.ply, line.score, line.time, line.nodes) = (ply, score, time, nodes);
            (line.seldepth, line.speed) = (extra.map(|extra| extra.0), extra.map(|extra| extra.1));
            line.tbhits = extra.map(|extra| extra.2);
            line.bound = bound;
            line.pv = pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            line
        },
    )
}

fn feature() -> impl Strategy<Value = Feature> {
    let value = prop_oneof![any::<i64>().prop_map(FeatureValue::Number), text().prop_map(FeatureValue::Text)];
    ("[a-z]{1,9}", value).prop_map(|(name, value)| Feature { name, value })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        vec(feature(), 0..5).prop_map(Message::Features),
        any::<u32>().prop_map(Message::Pong),
        move_text().prop_map(Message::Move),
        ("[a-z ]{0,9}[a-z]", "[a-z0-9]{1,9}")
            .prop_map(|(reason, mv)| Message::IllegalMove { reason: reason.trim_start().to_owned(), mv }),
        (result(), text()).prop_map(|(result, reason)| Message::Result { result, reason }),
        text().prop_map(Message::TellUser),
        text().prop_map(Message::Debug),
        thinking().prop_map(Message::Thinking),
        any::<[u32; 5]>().prop_map(|[time, nodes, ply, moves_left, moves]| Message::Status(Status {
            time: time.into(),
            nodes: nodes.into(),
            ply,
            moves_left,
            moves,
            current: "Nf3".to_owned(),
        })),
    ]
}

fn option() -> impl Strategy<Value = OptionDecl> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        select(vec![OptionKind::Button, OptionKind::Save, OptionKind::Reset]),
        text().prop_map(|default| OptionKind::Path { default }),
        Just(OptionKind::Combo { default: "b c".to_owned(), vars: vec!["a".to_owned(), "b c".to_owned()] }),
    ];
    (name(), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

/// A position of a random game of plain chess.
fn position() -> impl Strategy<Value = Position> {
    vec(any::<proptest::sample::Index>(), 0..120).prop_map(|choices| {
        let mut position = Position::startpos();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position = position.play(*choice.get(&legal)).unwrap();
        }
        position
    })
}

/// Lines that nearly are of the protocol.
fn noise() -> impl Strategy<Value = String> {
    let words = select(
        "level st sd time usermove result option feature = \" -spin -combo /// Illegal Error move ( ): ) 1-0 { } 1 -2 \
         3.5 4: 1:2:3 \t # . ... 5. My is O-O e2e4 é \u{2028} ! ? stat01: egtpath exclude all 99999999999999999999 \
         White resigns offer draw"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    prop_oneof![any::<String>(), vec(words, 0..12).prop_map(|words| words.join(" "))]
}

proptest! {
    #[test]
    fn commands_survive(command in command()) {
        prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
    }

    #[test]
    fn messages_survive(message in message()) {
        prop_assert_eq!(Message::parse(&message.to_string()), Some(message));
    }

    #[test]
    fn options_survive(option in option()) {
        prop_assert_eq!(OptionDecl::parse(&option.to_string()), Some(option));
    }

    /// What a client tells in edit mode is what the engine hears.
    #[test]
    fn edited_positions_survive(position in position(), before in position()) {
        prop_assume!(position.turn() == before.turn());
        let Some(lines) = edit_lines(&position) else { return Ok(()) };
        let mut edit = Edit::new(&before, Variant::Standard);
        let heard = lines.iter().find_map(|line| edit.take(EditLine::parse(&line.to_string()).unwrap()));
        let (heard, told) = (heard.unwrap().unwrap().to_setup(), position.to_setup());
        prop_assert_eq!((heard.board, heard.turn, heard.castling), (told.board, told.turn, told.castling));
        prop_assert_eq!(heard.en_passant, None);
    }

    #[test]
    fn no_line_panics(line in noise()) {
        // What is understood is written as one line.
        if let Ok(Some(command)) = Command::parse(&line) {
            prop_assert_eq!(command.to_string().lines().count(), 1);
        }
        if let Some(message) = Message::parse(&line) {
            prop_assert_eq!(message.to_string().lines().count(), 1);
        }
        let _ = (OptionDecl::parse(&line), EditLine::parse(&line), MoveText::parse(&line).to_string());
    }
}
