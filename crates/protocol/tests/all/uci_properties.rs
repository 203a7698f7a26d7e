//! What holds for every UCI line: values survive being written and read, and no text makes a reader panic.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{
    CheckStatus, Command, CurrLine, GoParams, Id, Info, Message, OptionDecl, ScoreInfo, StartPosition,
};
use bartizan_types::{Bound, PieceType, Square, UciMove};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

fn square() -> impl Strategy<Value = Square> {
    (0..64_usize).prop_map(Square::from_index)
}

fn uci_move() -> impl Strategy<Value = UciMove> {
    (square(), square(), of(select(&PieceType::PROMOTIONS[..]))).prop_map(|(from, to, promotion)| UciMove {
        from,
        to,
        promotion,
    })
}

fn moves() -> impl Strategy<Value = Vec<UciMove>> {
    vec(uci_move(), 0..20)
}

/// Text without blanks at its ends; it may be empty and may hold blanks in a row.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-zA-Z0-9_/.:é漢]([ -~é漢😀]{0,30}[!-~é漢])?"]
}

/// A name of several words, none of which is a keyword.
fn name() -> impl Strategy<Value = String> {
    vec("[A-Z][a-z_]{0,8}", 1..4).prop_map(|words| words.join(" "))
}

fn fen() -> impl Strategy<Value = String> {
    "[1-8pnbrqkPNBRQK/]{1,71} [wb] (-|[KQkq]{1,4}) (-|[a-h][36])( [0-9]{1,2} [0-9]{1,3})?"
}

fn go() -> impl Strategy<Value = GoParams> {
    (
        (moves(), any::<bool>(), any::<bool>()),
        (of(any::<i64>()), of(any::<i64>()), of(any::<i64>()), of(any::<i64>()), of(any::<i64>())),
        (of(1..=u32::MAX), of(any::<u32>()), of(any::<u64>()), of(any::<u32>()), of(any::<u32>())),
    )
        .prop_map(|(search, clock, limits)| {
            let mut go = GoParams::default();
            go.searchmoves = search.0;
            go.ponder = search.1;
            go.infinite = search.2;
            go.wtime = clock.0;
            go.btime = clock.1;
            go.winc = clock.2;
            go.binc = clock.3;
            go.movetime = clock.4;
            go.movestogo = limits.0;
            go.depth = limits.1;
            go.nodes = limits.2;
            go.mate = limits.3;
            go.perft = limits.4;
            go
        })
}

fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(StartPosition::Startpos), fen().prop_map(StartPosition::Fen)];
    prop_oneof![
        select(vec![
            Command::Uci,
            Command::IsReady,
            Command::UciNewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
        ]),
        any::<bool>().prop_map(Command::Debug),
        text().prop_map(Command::Register),
        (name(), of(text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, moves()).prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
    ]
}

fn score() -> impl Strategy<Value = ScoreInfo> {
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    (any::<bool>(), any::<i32>(), bound).prop_map(|(mate, number, bound)| {
        let exact = if mate { ScoreInfo::mate(number) } else { ScoreInfo::cp(number) };
        exact.with_bound(bound)
    })
}

fn info() -> impl Strategy<Value = Info> {
    let currline = (of(any::<u32>()), moves()).prop_map(|(cpu, moves)| CurrLine { cpu, moves });
    (
        (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()), of(score()), of(any::<[u16; 3]>())),
        (of(any::<u64>()), of(any::<u64>()), of(any::<u16>()), of(any::<u64>()), of(any::<u16>()), of(any::<u64>())),
        (of(uci_move()), of(any::<u32>()), moves(), of(currline), moves(), of(text())),
    )
        .prop_map(|(result, effort, lines)| {
            let mut info = Info::default();
            info.depth = result.0;
            info.seldepth = result.1;
            info.multipv = result.2;
            info.score = result.3;
            info.wdl = result.4;
            info.nodes = effort.0;
            info.nps = effort.1;
            info.hashfull = effort.2;
            info.tbhits = effort.3;
            info.cpuload = effort.4;
            info.time = effort.5;
            info.currmove = lines.0;
            info.currmovenumber = lines.1;
            info.refutation = lines.2;
            info.currline = lines.3;
            info.pv = lines.4;
            info.string = lines.5;
            info
        })
}

fn option() -> impl Strategy<Value = OptionDecl> {
    let combo_text = || prop_oneof![name(), Just(String::new()), Just("no default".to_owned())];
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (combo_text(), vec(combo_text(), 0..5)).prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
    ];
    (name(), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

fn message() -> impl Strategy<Value = Message> {
    let status = || select(vec![CheckStatus::Checking, CheckStatus::Ok, CheckStatus::Error]);
    prop_oneof![
        text().prop_map(|name| Message::Id(Id::Name(name))),
        text().prop_map(|author| Message::Id(Id::Author(author))),
        option().prop_map(Message::Option),
        select(vec![Message::UciOk, Message::ReadyOk, Message::BestMove { best: None, ponder: None }]),
        (uci_move(), of(uci_move())).prop_map(|(best, ponder)| Message::BestMove { best: Some(best), ponder }),
        info().prop_map(Message::Info),
        status().prop_map(Message::CopyProtection),
        status().prop_map(Message::Registration),
    ]
}

/// Lines made of the protocol's own words in any order: they reach deeper into the readers than random text does.
fn word_salad() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let words = [
        "uci", "debug", "on", "isready", "setoption", "name", "value", "<empty>", "register", "later", "position",
        "startpos", "fen", "8/8/8/8/8/8/8/8", "w", "moves", "e2e4", "e7e8q", "0000", "go", "searchmoves", "ponder",
        "wtime", "winc", "movestogo", "depth", "nodes", "mate", "movetime", "infinite", "perft", "stop", "id", "author",
        "option", "type", "check", "spin", "combo", "button", "string", "default", "min", "max", "var", "true",
        "bestmove", "(none)", "info", "score", "cp", "lowerbound", "wdl", "pv", "currmove", "refutation", "currline",
        "nps", "time", "registration", "ok", "0", "-1", "1.5", "9999999999999999999999999999999999999999", "joho", "é",
    ];
    let first =
        select(vec!["setoption name", "position", "go", "debug", "option name A type", "id", "info", "bestmove"]);
    (first, vec(select(words.to_vec()), 0..30)).prop_map(|(first, words)| format!("{first} {}", words.join(" ")))
}

fn is_one_line(line: &str) -> bool {
    !line.chars().any(|c| c.is_control() || c == '\u{2028}' || c == '\u{2029}')
}

proptest! {
    #[test]
    fn commands_survive_writing_and_reading(command in command()) {
        let line = command.to_string();
        prop_assert!(is_one_line(&line));
        prop_assert_eq!(Command::parse(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn messages_survive_writing_and_reading(message in message()) {
        let line = message.to_string();
        prop_assert!(is_one_line(&line));
        prop_assert_eq!(Message::parse(&line), Ok(Some(message)), "{}", line);
    }

    #[test]
    fn blanks_around_words_do_not_matter(go in go(), blank in "[ \t\r]{1,3}") {
        let line = Command::Go(go.clone()).to_string().replace(' ', &blank);
        prop_assert_eq!(Command::parse(&format!("{blank}{line}\r\n")), Ok(Some(Command::Go(go))));
    }

    #[test]
    fn no_text_makes_a_reader_panic(line in any::<String>()) {
        let _ = Command::parse(&line);
        let _ = Message::parse(&line);
    }

    #[test]
    fn no_text_after_a_keyword_makes_a_reader_panic(start in word_salad(), rest in "\\PC{0,99}", c in any::<char>()) {
        let line = format!("{start} {rest}{c}{rest}");
        if let Ok(Some(command)) = Command::parse(&line) {
            prop_assert!(is_one_line(&command.to_string()));
        }
        if let Ok(Some(message)) = Message::parse(&line) {
            prop_assert!(is_one_line(&message.to_string()));
        }
    }

    #[test]
    fn what_was_read_survives_writing_and_reading(line in word_salad()) {
        if let Ok(Some(mut command)) = Command::parse(&line) {
            // What was skipped is not written again.
            if let Command::Go(go) = &mut command {
                go.faults.clear();
                go.unknown = None;
            }
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
        if let Ok(Some(message)) = Message::parse(&line) {
            prop_assert_eq!(Message::parse(&message.to_string()), Ok(Some(message)));
        }
    }

    #[test]
    fn errors_stay_short(start in select(FAILING_STARTS.to_vec()), word in "[a-zé]{100,5000}") {
        let line = format!("{start} {word}");
        let command = Command::parse(&line).map_err(|error| error.to_string()).err();
        let message = Message::parse(&line).map_err(|error| error.to_string()).err();
        prop_assert!(command.is_some() || message.is_some());
        for text in [command, message].into_iter().flatten() {
            prop_assert!(text.chars().count() < 200 && is_one_line(&text), "{}", text);
        }
    }
}

/// A long word behind any of these is an error of one reader or of both.
const FAILING_STARTS: [&str; 8] = [
    "",
    "position",
    "position startpos moves",
    "go depth",
    "setoption",
    "id",
    "bestmove",
    "option name A type spin min",
];

#[test]
fn very_long_lines_are_read() {
    let moves = " e2e4".repeat(200_000);
    let Ok(Some(Command::Position { moves: read, .. })) = Command::parse(&format!("position startpos moves{moves}"))
    else {
        panic!("a position");
    };
    assert_eq!(read.len(), 200_000);
    assert!(Command::parse(&" ".repeat(1_000_000)).unwrap().is_none());
    assert!(Command::parse(&"x ".repeat(1_000_000)).is_err());
    assert!(Message::parse(&format!("option name {}", "type ".repeat(200_000))).is_err());
}
