//! Properties in random legal games of chess and Chess960: written text can be read back, and no text makes a reader
//! panic.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_notation::epd::{Epd, Operation, read_epd};
use bartizan_notation::pgn::{
    Annotations, GameResult, GameTree, Interest, MarkColor, MoveText, Nag, PgnErrorKind, PgnGame, PgnMove, PgnParser,
    PgnReader, PgnScore, TreeReader, Visitor,
};
use bartizan_notation::san::{Lan, San, SanError, leniencies, parse_san, parse_san_strict};
use bartizan_position::{Position, Tolerance};
use bartizan_types::{Move, Square, Variant};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

/// The start positions of Chess960, and some positions that games seldom reach.
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let suites = ["chess960", "classic", "tricky"].into_iter().flat_map(bartizan_testkit::perft_suite);
    suites.map(|case| Position::from_fen_with(&case.fen, Tolerance::ALL).unwrap()).collect()
});

/// A start position and moves from it.
fn games(plies: usize) -> impl Strategy<Value = (Position, Vec<Move>)> {
    let starts = prop_oneof![
        Just(Position::startpos()),
        any::<prop::sample::Index>().prop_map(|index| index.get(&STARTS).clone()),
    ];
    (starts, prop::collection::vec(any::<prop::sample::Index>(), 0..plies)).prop_map(|(start, choices)| {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = *choice.get(&legal);
            position = position.play(mv).unwrap();
            moves.push(mv);
        }
        (start, moves)
    })
}

/// Text with many words that have a meaning in some notation.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "e4",
            "Nf3",
            "O-O",
            "0-0-0",
            "e8=Q",
            "exd6",
            "e.p.",
            "--",
            "1.",
            "12...",
            "$1",
            "!?",
            "*",
            "1-0",
            "1/2-1/2",
            "(",
            ")",
            "(Nf6",
            "[%clk 1:00]",
            "{",
            "}",
            "[",
            "]",
            ";",
            "\n",
            "\"",
            "\\",
            "%",
            "[Event \"",
            "\"]",
            "[FEN \"8/8 w\"]",
            "bm",
            "hmvc",
            "Q(",
            "(Q)",
            "é",
            "\u{2026}",
            "\r\n",
            "=",
            "-",
            "8/8/8/8/8/8/8/K1k5 w - -",
            " ",
        ])
        .prop_map(str::to_owned),
        ".{0,4}",
    ];
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

/// Comments that round-trip: words separated by single spaces, without braces.
fn comments() -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.3, "[^{} \\s\\p{Cc}]{1,12}( [^{} \\s\\p{Cc}]{1,12}){0,12}")
}

fn operations() -> impl Strategy<Value = Operation> {
    let operands = prop::collection::vec("[^\\p{Cc}]{0,12}", 0..4);
    ("[a-z][a-zA-Z0-9_]{0,5}", operands).prop_map(|(opcode, operands)| Operation { opcode, operands })
}

fn results() -> impl Strategy<Value = GameResult> {
    prop::sample::select(vec![GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown])
}

/// Skips every movetext.
struct NoInterest;

impl Visitor for NoInterest {
    type Output = ();

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(Interest::Skip)
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        panic!("movetexts are skipped");
    }

    fn end_game(&mut self) {}
}

/// Texts that may mean a move.
fn spellings(position: &Position, mv: Move) -> Vec<String> {
    let (san, lan) = (San::new(position, mv), Lan::new(position, mv));
    let bases = [san.to_string(), lan.to_string(), san.as_str().replace('x', ""), san.as_str().replace('x', ":")];
    let changes = |text: &String| {
        let bare = text.trim_end_matches(['+', '#']);
        [
            text.clone(),
            bare.to_owned(),
            format!("{bare}+"),
            format!("{bare} mate"),
            format!("{text}!?"),
            format!("{text} e.p."),
            text.replace('O', "0"),
            text.replace('-', "\u{2010}"),
            text.replace('=', ""),
            text.replacen(['N', 'R', 'Q', 'K'], "", 1),
            text.to_lowercase(),
        ]
    };
    let coordinates = [mv.to_uci(Variant::Chess960).to_string(), bases[0].chars().skip(2).collect()];
    bases.iter().flat_map(changes).chain(coordinates).collect()
}

proptest! {
    #[test]
    fn san_is_unambiguous((start, moves) in games(120)) {
        let mut position = start;
        let mut line = moves.into_iter();
        loop {
            let legal = position.legal_moves();
            let texts: HashSet<String> = legal.iter().map(|&mv| San::new(&position, mv).to_string()).collect();
            prop_assert_eq!(texts.len(), legal.len());
            for &mv in &legal {
                let san = San::new(&position, mv);
                prop_assert_eq!(parse_san_strict(&position, san.as_str()), Ok(mv), "{} {}", position, san);
                prop_assert_eq!(parse_san(&position, Lan::new(&position, mv).as_str()), Ok(mv));
                // Coordinates mean what they mean elsewhere.
                for uci in [mv.to_uci(Variant::Chess960).to_string(), mv.to_uci(Variant::Standard).to_string()] {
                    if let Ok(meant) = position.parse_uci(&uci) {
                        prop_assert_eq!(parse_san(&position, &uci), Ok(meant));
                    }
                }
                let after = position.play(mv).unwrap();
                prop_assert_eq!(san.as_str().ends_with('#'), after.is_checkmate());
                prop_assert_eq!(san.as_str().ends_with('+'), after.in_check() && !after.is_checkmate());
            }
            let Some(mv) = line.next() else { break };
            let san = San::new(&position, mv);
            for text in spellings(&position, mv).iter().filter(|text| parse_san(&position, text) == Ok(mv)) {
                let is_standard = leniencies(&position, mv, text).is_empty();
                prop_assert_eq!(is_standard, san == **text, "{} {}", position, text);
                prop_assert_eq!(parse_san_strict(&position, text).is_ok(), is_standard);
            }
            position = position.play(mv).unwrap();
        }
    }

    #[test]
    fn san_is_minimal((start, moves) in games(60)) {
        let position = moves.iter().fold(start, |position, &mv| position.play(mv).unwrap());
        for mv in position.legal_moves() {
            let san = San::new(&position, mv).to_string();
            let bare = san.trim_end_matches(['+', '#']);
            // A piece with its origin or a part of it: without that, the text is ambiguous.
            let squares = bare.chars().filter(char::is_ascii_alphanumeric).filter(|&c| c != 'x').count();
            if bare.starts_with(['N', 'B', 'R', 'Q', 'K']) && squares > 3 {
                let short = format!("{}{}", &bare[..1], &bare[bare.len() - 2..]);
                let ambiguous = matches!(parse_san(&position, &short), Err(SanError::Ambiguous { .. }));
                prop_assert!(ambiguous, "{} {}", position, san);
            }
        }
    }

    #[test]
    fn epd_round_trip(
        (start, moves) in games(80),
        operations in prop::collection::vec(operations(), 0..5),
    ) {
        let mut epd = Epd::new(moves.iter().fold(start, |position, &mv| position.play(mv).unwrap()));
        let best: Vec<Move> = epd.position.legal_moves().into_iter().take(3).collect();
        epd.set(Operation::new("bm", best.iter().map(|&mv| San::new(&epd.position, mv).to_string())).unwrap());
        let others = operations.into_iter().filter(|other| !["bm", "hmvc", "fmvn"].contains(&other.opcode.as_str()));
        epd.operations.extend(others);
        let text = epd.to_string();
        let read = Epd::parse(&text).unwrap();
        prop_assert_eq!(&read, &epd, "{}", text);
        prop_assert_eq!(read.best_moves(), Ok(best));
        prop_assert_eq!(Epd::parse(&format!("{epd:#}")), Ok(epd));
    }

    #[test]
    fn pgn_round_trip(
        (start, moves) in games(120),
        comment in comments(),
        remarks in prop::collection::vec((comments(), prop::collection::vec((0..=u8::MAX).prop_map(Nag), 0..6)), 120),
        result in results(),
        chess960 in any::<bool>(),
        tags in prop::collection::vec(("[A-Z][A-Za-z0-9_]{1,8}", "[^\\p{Cc}]{0,20}"), 0..4),
    ) {
        // A game from such a position is one of Chess960 in any case.
        let chess960 = chess960 || start.variant() == Variant::Chess960;
        let mut game = PgnGame::new(start);
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            game.set_tag(name, format!("The \"{name}\" \\")).unwrap();
        }
        for (name, value) in tags {
            game.set_tag(&name, value).unwrap();
        }
        let remarked = |(mv, (comment, nags)): (Move, (_, Vec<Nag>))| {
            PgnMove { mv, nags: nags.into_iter().collect(), comment }
        };
        game.moves = moves.into_iter().zip(remarks).map(remarked).collect();
        (game.comment, game.result, game.chess960) = (comment, result, chess960);
        let text = format!("{game}{game}");
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            // A word and those that must not begin a line may be longer together than a line.
            prop_assert!(line.chars().count() < 80 || line.contains(['%', '[']), "{}", line);
        }
        let read: Vec<PgnGame> = PgnReader::new(text.as_bytes()).map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), 2);
        prop_assert_eq!(&read[0], &game, "{}", text);
        prop_assert_eq!(&read[1], &game);
    }

    /// Trees that grow at random places, with comments and glyphs.
    #[test]
    fn tree_round_trip(
        start in any::<prop::sample::Index>(),
        growth in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), comments(), 0..12_u8, any::<bool>()),
            0..80,
        ),
        result in results(),
    ) {
        let mut tree = GameTree::new(start.get(&STARTS).clone());
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            tree.set_tag(name, "x").unwrap();
        }
        (tree.result, tree.chess960) = (result, true);
        let mut nodes = vec![tree.root()];
        for (place, choice, comment, nag, null) in growth {
            // Mostly at the end, so that lines become long.
            let node = if nag < 8 { *nodes.last().unwrap() } else { *place.get(&nodes) };
            let legal = tree.position(node).unwrap().legal_moves();
            let added = if legal.is_empty() || null && nag == 0 {
                tree.add_null_move(node)
            } else {
                tree.add_move(node, *choice.get(&legal))
            };
            let Ok(added) = added else { continue };
            if nag > 6 {
                tree.nags_mut(added).unwrap().push(Nag(nag));
            }
            *tree.comment_mut(added).unwrap() = comment.unwrap_or_default();
            nodes.push(added);
        }
        for text in [tree.to_string(), format!("{tree:#}")] {
            let mut reader = TreeReader::new(text.as_bytes());
            prop_assert_eq!(&reader.next().unwrap().unwrap(), &tree, "{}", text);
            prop_assert!(reader.next().is_none());
            // The checked reader sees the main line.
            let game = PgnReader::new(text.as_bytes()).next().unwrap();
            let nulls = tree.main_line().any(|id| tree.is_null_move(id));
            prop_assert!(nulls || game.unwrap() == tree.to_pgn_game());
        }
        prop_assert_eq!(GameTree::from(&tree.to_pgn_game()).to_pgn_game(), tree.to_pgn_game());
    }

    #[test]
    fn annotations_round_trip(
        times in prop::array::uniform2(prop::option::of(0..1_000_000_000_u64)),
        eval in prop::option::of((any::<bool>(), any::<i32>(), prop::option::of(any::<u32>()))),
        marks in prop::collection::vec((0..6_usize, 0..64_usize, prop::option::of(0..64_usize)), 0..6),
        text in comments(),
    ) {
        let colors = ["G", "R", "Y", "B", "O", "C"].map(|letter| MarkColor::from_char(letter.chars().next().unwrap()));
        let mut annotations = Annotations { text: text.unwrap_or_default(), ..Annotations::default() };
        [annotations.clock, annotations.elapsed] = times.map(|time| time.map(Duration::from_millis));
        annotations.eval = eval.map(|(mate, score, depth)| {
            let score = score.max(-i32::MAX);
            (if mate { PgnScore::Mate(score) } else { PgnScore::Centipawns(score) }, depth)
        });
        for (color, from, to) in marks {
            let (color, from) = (colors[color].unwrap(), Square::from_index(from));
            match to {
                Some(to) => annotations.arrows.push((color, from, Square::from_index(to))),
                None => annotations.squares.push((color, from)),
            }
        }
        let text = annotations.to_string();
        prop_assert_eq!(Annotations::parse(&text), annotations, "{}", text);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in words(), prefix in 0..3_usize) {
        let text = format!("{}{text}", ["", "8/8/8/8/8/8/8/K1k5 w - - ", "1. e4 "][prefix]);
        for position in [Position::startpos(), STARTS[3].clone(), STARTS[961].clone()] {
            let _ = parse_san(&position, &text);
            for word in text.split(' ') {
                let _ = parse_san(&position, word);
            }
        }
        let epds = read_epd(text.as_bytes()).filter_map(Result::ok).chain(Epd::parse(&text));
        for epd in epds {
            let _ = (epd.best_moves(), epd.points("c0"), epd.perft_counts(), epd.principal_variation());
            prop_assert!(Epd::parse(&epd.to_string()).is_ok(), "{}", epd);
        }
        for tree in TreeReader::new(text.as_bytes()).flatten() {
            let written = tree.to_string();
            let again = TreeReader::new(written.as_bytes()).next().unwrap().unwrap();
            prop_assert_eq!(again.to_string(), written);
        }
        let annotations = Annotations::parse(&text);
        prop_assert_eq!(Annotations::parse(&annotations.to_string()), annotations);
        let games = PgnReader::new(text.as_bytes()).count();
        prop_assert_eq!(TreeReader::new(text.as_bytes()).count(), games);
        let mut parser = PgnParser::new(text.as_bytes());
        let skipped = std::iter::from_fn(|| parser.read_game(&mut NoInterest).unwrap()).count();
        prop_assert_eq!(skipped, games);
        for game in PgnReader::new(text.as_bytes()).flatten() {
            // What was read can be written and read again.
            let written = game.to_string();
            let again = PgnReader::new(written.as_bytes()).next().unwrap().unwrap();
            let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
            prop_assert_eq!(moves(&again), moves(&game));
            prop_assert_eq!(again.to_string(), written);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(PgnReader::new(bytes.as_slice()).count() <= bytes.len());
        prop_assert!(read_epd(bytes.as_slice()).count() <= bytes.len());
    }
}
