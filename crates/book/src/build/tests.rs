use super::*;
use crate::{Book, BookMove};
use bartizan_notation::pgn::{PgnMove, PgnReader};
use bartizan_notation::san::SanExt;
use bartizan_position::{Position, Setup};
use bartizan_types::{Move, SplitMix64};
use proptest::prelude::*;
use std::collections::HashMap;

fn build(options: BuildOptions, games: &str, annotated: &str) -> (Book, BuildCounts) {
    build_around(&[], options, games, annotated)
}

/// Builds a book whose lines end before some positions.
fn build_around(avoided: &[Position], options: BuildOptions, games: &str, annotated: &str) -> (Book, BuildCounts) {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new(options, folder.path());
    builder.avoid(avoided);
    builder.annotate(annotated).unwrap();
    for game in PgnReader::new(games.as_bytes()) {
        builder.add_game(&game.unwrap()).unwrap();
    }
    let mut bytes = Vec::new();
    let write = |entry: BookEntry| {
        bytes.extend(entry.to_bytes());
        Ok(())
    };
    let counts = builder.finish(write).unwrap();
    (Book::from_bytes(bytes).unwrap(), counts)
}

fn options(min_count: u32) -> BuildOptions {
    BuildOptions { min_count, ..BuildOptions::default() }
}

/// The moves of a position as `e4:7`, after some moves from the start.
fn shown(book: &Book, line: &str) -> String {
    let (mut position, mut last) = (Position::startpos(), None);
    for text in line.split_whitespace() {
        let mv = position.parse_san(text).unwrap();
        position = position.play(mv).unwrap();
        last = Some(mv);
    }
    let show = |found: &BookMove| format!("{}:{}", position.san(found.mv), found.weight);
    book.moves(&position, last).unwrap().iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn weights_come_from_frequency_and_result() {
    let games = "1. e4 e5 1-0 1. e4 c5 0-1 1. e4 c5 1/2-1/2 1. d4 d5 1/2-1/2 1. a3 e5 0-1 1. b3 e5 *";
    let (book, counts) = build(options(1), games, "");
    assert_eq!(shown(&book, ""), "e4:3 d4:1");
    assert_eq!(shown(&book, "e4"), "c5:3");
    assert_eq!(shown(&book, "a3"), "e5:2");
    assert_eq!((counts.games, counts.plies, counts.moves, counts.positions, counts.entries), (6, 12, 9, 4, 5));
    let (book, _) = build(options(2), games, "");
    assert_eq!(shown(&book, ""), "e4:3");
    assert_eq!(shown(&book, "d4"), "");
}

#[test]
fn games_and_plies_can_be_limited() {
    let games = "[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                 [WhiteElo \"2500\"]\n\n1. d4 d5 1/2-1/2\n\n";
    let (book, counts) = build(BuildOptions { max_ply: 1, min_rating: 2400, ..options(1) }, games, "");
    assert_eq!((shown(&book, "").as_str(), book.len()), ("e4:2", 1));
    assert_eq!((counts.games, counts.below_rating), (1, 1));
}

#[test]
fn annotations_decide() {
    let games = "1. e4 e5 1-0 ".repeat(10) + &"1. d4 d5 1-0 ".repeat(4) + "1. c4 e5 1-0 1. g4 d5 1-0 1. b3 e5 1-0";
    let annotated = "1. d4! (1. e4 {weight: 50}) (1. c4 e5) (1. Nf3!!) (1. f4!?) (1. g4?) (1. a3 {weight: 0}) *";
    let (book, counts) = build(options(2), &games, annotated);
    // e4 has 20 points, so that a neutral move has 10, and d4 with 8 points gets half more.
    assert_eq!(shown(&book, ""), "Nf3:20 f4:13 d4:12 c4:10 e4:10 a3:0 g4:0");
    assert_eq!(shown(&book, "c4"), "e5:100");
    assert_eq!(counts.positions, 2);
}

#[test]
fn two_exclamation_marks_are_the_greatest_weight() {
    let annotated = "1. c4!! (1. e4!) (1. d4!?) (1. g3 {weight: 100}) (1. b3) (1. f4 {weight: 1}) (1. g4??) *";
    assert_eq!(shown(&build(options(1), "", annotated).0, ""), "c4:200 g3:200 e4:150 d4:125 b3:100 f4:2 g4:0");
    // A move that is common in games, and praised, too.
    let (book, _) = build(options(1), &"1. e4 e5 1-0 ".repeat(10), annotated);
    assert_eq!(shown(&book, ""), "c4:31 g3:31 e4:30 d4:13 b3:10 f4:1 g4:0");
}

/// The position after some moves.
fn after(line: &str) -> Position {
    let step = |position: Position, text: &str| position.play(position.parse_san(text).unwrap()).unwrap();
    line.split_whitespace().fold(Position::startpos(), step)
}

#[test]
fn lines_end_before_positions_to_avoid() {
    let games = "1. e4 e5 2. f4 exf4 1-0 1. f4 e5 2. e4 exf4 1-0 1. d4 d5 1-0";
    // The gambit by both move orders; its acceptance is avoided only after 1. d4.
    let avoided = [after("e4 e5 f4"), after("d4 d5 e4")];
    let annotated = "1. e4 e5 2. f4! {weight: 90} (2. Nf3 Nc6) 2... exf4 3. Nf3 += (3. Bc4) *\n\
                     1. d4 d5 2. e4 (2. c4 e6) 2... dxe4 *";
    let (book, _) = build_around(&avoided, options(1), games, annotated);
    assert_eq!(shown(&book, "e4 e5"), "Nf3:100 f4:0");
    assert_eq!(shown(&book, "e4 e5 Nf3"), "Nc6:100");
    assert_eq!(shown(&book, "f4 e5"), "");
    assert_eq!(shown(&book, "e4 e5 f4"), "");
    assert_eq!(shown(&book, "e4 e5 f4 exf4"), "");
    assert_eq!(shown(&book, "d4 d5"), "c4:100 e4:0");
    assert_eq!(shown(&book, "d4 d5 e4"), "");
    assert_eq!(shown(&book, "d4 d5 c4"), "e6:100");
}

#[test]
fn parts_give_the_same_book() {
    let (games, _) = random_games(3, 100);
    let build = |parts: usize| {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::new(options(1), folder.path());
        for games in games.chunks(games.len() / parts) {
            let mut part = builder.part();
            games.iter().for_each(|game| part.add_game(game));
            builder.add_part(part).unwrap();
        }
        let mut bytes = Vec::new();
        let counts = builder
            .finish(|entry| {
                bytes.extend(entry.to_bytes());
                Ok(())
            })
            .unwrap();
        (bytes, counts)
    };
    assert_eq!(build(1), build(7));
    assert_eq!(build(1).1.games, 100);
}

#[test]
fn evaluations_of_lines_weigh_their_moves() {
    let games = "1. e4 e5 1/2-1/2 1. e4 c5 1/2-1/2 1. d4 d5 1/2-1/2 ".repeat(20);
    let (book, _) = build(options(1), &games, "1. e4 e5 $16 (1... c5 $15) *");
    // White's move has the mean of +2 and -1: an eighth more.
    assert_eq!(shown(&book, ""), "e4:45 d4:20");
    assert_eq!(shown(&book, "e4"), "c5:25 e5:10");
}

#[test]
fn great_weights_are_scaled_within_their_position() {
    let entries = weigh::scale(PolyglotKey(1), vec![(1, 1), (2, 131_070), (3, 65_535), (4, 0)]);
    let weights: Vec<_> = entries.iter().map(|entry| (entry.mv.0, entry.weight)).collect();
    assert_eq!(weights, [(2, 65_535), (3, 32_767), (1, 1), (4, 0)]);
}

#[test]
fn merged_books_have_the_moves_of_all() {
    let a = build(options(1), "1. e4 e5 1-0 1. d4 d5 1/2-1/2", "").0;
    let b = build(options(1), "1. e4 c5 1/2-1/2 1. c4 e5 0-1", "").0;
    let mut bytes = Vec::new();
    let mut write = |entry: BookEntry| {
        bytes.extend(entry.to_bytes());
        Ok(())
    };
    let merged = merge(&[a, b], 1, &mut write).unwrap();
    let book = Book::from_bytes(bytes).unwrap();
    assert_eq!(shown(&book, ""), "e4:3 d4:1");
    assert_eq!(shown(&book, "c4"), "e5:2");
    assert_eq!(shown(&book, "e4"), "c5:1");
    assert_eq!(merged, (4, book.len()));
}

#[test]
fn merged_books_keep_what_was_learnt_and_count_duplicates_once() {
    let entry = |mv, weight, learn| BookEntry { key: PolyglotKey(7), mv: PolyglotMove(mv), weight, learn };
    let book = |entries: &[BookEntry]| {
        Book::from_bytes(entries.iter().flat_map(|entry| entry.to_bytes()).collect::<Vec<u8>>()).unwrap()
    };
    let first = book(&[entry(1, 5, 0), entry(1, 8, 0), entry(2, 3, 20)]);
    let second = book(&[entry(1, 4, 10), entry(1, 2, 30), entry(2, 1, 40)]);
    let mut merged = Vec::new();
    let mut write = |entry: BookEntry| {
        merged.push((entry.mv.0, entry.weight, entry.learn));
        Ok(())
    };
    merge(&[first, second], 1, &mut write).unwrap();
    assert_eq!(merged, [(1, 12, 10), (2, 4, 20)]);
}

/// The FEN without the counters, but with a pawn that has just advanced two squares.
fn name(position: &Position, last: Option<Move>) -> String {
    let fen = position.to_fen();
    let pushed = PolyglotKey::after(position, last).0 ^ PolyglotKey::of(position).0;
    format!("{} {pushed:x}", fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
}

/// The en passant square of a FEN counts where a pawn stands beside, even if it cannot capture.
#[test]
fn the_en_passant_square_of_a_fen_is_kept() {
    let fens = [
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
    ];
    for fen in fens {
        let setup = Setup::from_fen(fen).unwrap();
        let position = Position::try_from(&setup).unwrap();
        let text = format!("[FEN \"{fen}\"]\n\n1... {} 0-1", position.san(position.legal_moves()[0]));
        let game: PgnGame = text.parse().unwrap();
        assert_eq!(game.to_string().parse::<PgnGame>().unwrap().fen(), game.fen());
        let mut builder = Builder::new(options(1), &std::env::temp_dir());
        builder.add_game(&game).unwrap();
        let mut keys = Vec::new();
        builder
            .finish(|entry| {
                keys.push(entry.key);
                Ok(())
            })
            .unwrap();
        assert_eq!(keys, [PolyglotKey::after(&position, setup.double_step())], "{fen}");
    }
}

/// Random games as PGN and, counted slowly, the points of every move.
fn random_games(seed: u64, games: usize) -> (Vec<PgnGame>, HashMap<(String, String), u32>) {
    let mut random = SplitMix64::new(seed);
    let mut counted: HashMap<(String, String), u32> = HashMap::new();
    let all = (0..games).map(|_| {
        let mut game = PgnGame::default();
        let result = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw][random.below(3)];
        game.result = result;
        let (mut position, mut last) = (game.start.clone(), None);
        for _ in 0..random.below(24) {
            // Few different moves, so that games meet.
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.below(4.min(moves.len()).max(1))) else { break };
            let points = match result.winner() {
                None => 1,
                Some(winner) => 2 * u32::from(winner == position.turn()),
            };
            *counted.entry((name(&position, last), mv.to_string())).or_default() += points;
            game.moves.push(PgnMove::from(mv));
            last = Some(mv);
            position = position.play(mv).unwrap();
        }
        game
    });
    (all.collect(), counted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_built_is_read(seed in any::<u64>(), games in 1..60_usize, on_disk in any::<bool>()) {
        let memory = if on_disk { 2_000 } else { 1 << 20 };
        let folder = tempfile::tempdir().unwrap();
        let (games, counted) = random_games(seed, games);
        let mut builder = Builder::new(BuildOptions { memory, ..options(1) }, folder.path());
        games.iter().for_each(|game| builder.add_game(game).unwrap());
        let mut bytes = Vec::new();
        let counts = builder.finish(|entry| { bytes.extend(entry.to_bytes()); Ok(()) }).unwrap();
        prop_assert_eq!(bytes.len() as u64, counts.entries * 16);
        if bytes.is_empty() {
            return Ok(());
        }
        let book = Book::from_bytes(bytes).unwrap();
        for game in &games {
            let (mut position, mut last) = (game.start.clone(), None);
            for played in &game.moves {
                let points = counted[&(name(&position, last), played.mv.to_string())];
                let found = book.moves(&position, last).unwrap();
                let weight = found.iter().find(|mv| mv.mv == played.mv).map_or(0, |mv| u32::from(mv.weight));
                prop_assert_eq!(weight, points);
                position = position.play(played.mv).unwrap();
                last = Some(played.mv);
            }
        }
    }
}

const MOVES: [&str; 6] = ["e4", "d4", "c4", "Nf3", "g3", "b3"];
/// From the best to the worst.
const GLYPHS: [&str; 6] = ["!!", "!", "!?", "", "?!", "??"];

proptest! {
    /// Glyphs are in their order, numbers in theirs, and nothing exceeds `!!` and `weight: 100`.
    #[test]
    fn glyphs_and_weights_order_the_moves(
        notes in prop::collection::vec((0..GLYPHS.len(), prop::option::of(0..=100_u8)), MOVES.len()),
        wins in 0..20_usize,
    ) {
        let note = |(glyph, weight): (usize, Option<u8>)| match weight {
            Some(weight) => format!(" {{weight: {weight}}}"),
            None => GLYPHS[glyph].to_owned(),
        };
        let texts: Vec<String> = MOVES.iter().zip(&notes).map(|(mv, &of)| format!("{mv}{}", note(of))).collect();
        let annotated = format!("{} ({}) *", texts[0], texts[1..].join(") ("));
        // The same games for each move: only the notes differ.
        let games: String = MOVES.map(|mv| format!("1. {mv} 1-0 ").repeat(wins)).concat();
        let (book, _) = build(options(1), &games, &annotated);
        let found = book.moves(Position::startpos_ref(), None).unwrap();
        let weight = |text: &str| {
            let mv = Position::startpos().parse_san(text).unwrap();
            found.iter().find(|found| found.mv == mv).unwrap().weight
        };
        let greatest = found[0].weight;
        for (one, &(glyph, number)) in MOVES.iter().zip(&notes) {
            let is_greatest = number.map_or(glyph == 0, |number| number == 100);
            let is_never = number.map_or(glyph == 5, |number| number == 0);
            prop_assert_eq!(weight(one) == 0, is_never);
            prop_assert!(!is_greatest || weight(one) == greatest);
            for (other, &(lesser, smaller)) in MOVES.iter().zip(&notes) {
                match (number, smaller) {
                    (None, None) if glyph < lesser => {
                        // Few points are rounded, and `?!` is as good as no glyph.
                        let may_tie = wins > 0 || (glyph, lesser) == (3, 4);
                        prop_assert!(weight(one) > weight(other) || may_tie && weight(one) == weight(other));
                    }
                    (Some(number), Some(smaller)) if number > smaller => prop_assert!(weight(one) >= weight(other)),
                    (_, None) if is_greatest && (1..3).contains(&lesser) => prop_assert!(weight(one) > weight(other)),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn several_threads_read_the_same_book_and_report_broken_games() {
    let pgn = "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. e5 0-1\n\n[Event \"c\"]\n\n1. d4 d5 1/2-1/2\n";
    let read = |threads: usize| {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::new(BuildOptions { min_count: 1, ..BuildOptions::default() }, folder.path());
        let (mut games, mut broken, mut entries) = (0, Vec::new(), Vec::new());
        let report = |read: Result<u64, _>| match read {
            Ok(count) => games += count,
            Err(error) => broken.push(error),
        };
        builder.read(pgn.as_bytes(), threads.try_into().unwrap(), report).unwrap();
        let write = |entry: BookEntry| {
            entries.push(entry.to_bytes());
            Ok(())
        };
        builder.finish(write).unwrap();
        assert_eq!((games, broken.len(), broken[0].game, entries.len()), (3, 1, 2, 3));
        entries
    };
    assert_eq!(read(1), read(3));
}
