//! SAN, EPD and PGN.

use crate::starts::{take_move, take_position};
use bartizan_notation::epd::{Epd, read_epd};
use bartizan_notation::list::decode;
use bartizan_notation::pgn::{
    Annotations, Chunks, GameTree, Interest, MoveText, PgnErrorKind, PgnGame, PgnParser, PgnReader, RawGame, RawGames,
    TreeReader, Visitor,
};
use bartizan_notation::san::{Lan, San, leniencies, parse_san, parse_san_strict};
use bartizan_types::Move;

/// SAN in a position: a parsed move is legal, and a written move is read back as the same move.
pub fn san(mut data: &[u8]) {
    let position = take_position(&mut data);
    if let Some(mv) = take_move(&mut data, &position) {
        let san = San::new(&position, mv);
        assert_eq!(parse_san_strict(&position, san.as_str()), Ok(mv), "{position} {san}");
        assert_eq!(parse_san(&position, Lan::new(&position, mv).as_str()), Ok(mv), "{position} {mv}");
        assert_eq!(parse_san(&position, &mv.to_string()), Ok(mv), "{position} {mv}");
    }
    let text = String::from_utf8_lossy(data);
    match parse_san(&position, &text) {
        Ok(mv) => {
            assert!(position.legal_moves().contains(&mv), "{position} {mv}");
            let san = San::new(&position, mv);
            assert_eq!(leniencies(&position, mv, &text).is_empty(), san == *text, "{position} {text}");
            assert_eq!(parse_san(&position, san.as_str()), Ok(mv), "{position} {san}");
        }
        Err(error) => assert!(error.to_string().chars().count() < 2_000),
    }
}

/// EPD: a parsed record can be written and read again.
pub fn epd(data: &[u8]) {
    let text = decode(data);
    for line in text.split('\n') {
        match Epd::parse(line) {
            Ok(epd) => check_epd(&epd, line),
            Err(error) => assert!(error.to_string().chars().count() < 2_000),
        }
    }
    let lines = data.split(|&byte| byte == b'\n').count();
    assert!(read_epd(data).count() <= lines);
}

fn check_epd(epd: &Epd, line: &str) {
    let _ = (epd.best_moves(), epd.avoid_moves(), epd.principal_variation(), epd.perft_counts(), epd.points("c0"));
    let _ = (epd.direct_mate(), epd.analysis_depth(), epd.analysis_nodes(), epd.centipawns(), epd.comment(0));
    for text in [epd.to_string(), format!("{epd:#}")] {
        assert!(!text.chars().any(char::is_control), "{text}");
        let again = Epd::parse(&text).expect("a written EPD is read");
        // Control characters are written as spaces.
        if !line.chars().any(char::is_control) {
            assert_eq!(&again, epd, "{text}");
        }
        assert_eq!(again.to_string(), epd.to_string());
    }
}

/// Counts the games and reads their movetext or skips it.
struct Games(Interest);

impl Visitor for Games {
    type Output = ();

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(self.0)
    }

    fn begin_variation(&mut self) -> Interest {
        self.0
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn end_game(&mut self) {}
}

/// Trees: a parsed tree can be written and read again, even after a fault. Every reader sees the same number of games.
fn trees(data: &[u8], games: usize) {
    for interest in [Interest::Read, Interest::Skip] {
        let mut parser = PgnParser::new(data);
        let mut count = 0;
        while parser.read_game(&mut Games(interest)).expect("bytes can be read").is_some() {
            count += 1;
        }
        assert_eq!(count, games, "{interest:?}");
    }
    let mut reader = TreeReader::new(data);
    let mut tree = GameTree::default();
    let mut count = 0;
    while reader.read_next(&mut tree).is_some() {
        count += 1;
        for id in tree.descendants(tree.root()) {
            let annotations = tree.annotations(id);
            assert_eq!(Annotations::parse(&annotations.to_string()), annotations);
        }
        let written = tree.to_string();
        let mut again = TreeReader::new(written.as_bytes());
        let second = again.next().expect("a written tree is read").expect("a written tree is valid");
        assert!(again.next().is_none(), "{written}");
        assert!(second.problems().is_empty(), "{written}");
        assert_eq!(second.to_string(), written);
    }
    assert_eq!(count, games);
}

/// Texts of games: concatenated they are the input, and each has one game, however the input is cut into parts.
fn cuts(data: &[u8], games: usize) {
    let raw: Vec<RawGame> = RawGames::new(data).map(|game| game.expect("bytes can be read")).collect();
    assert!(raw.iter().flat_map(|game| &game.bytes).eq(data));
    assert_eq!(raw.iter().filter(|game| game.is_game).count(), games);
    for game in &raw {
        assert_eq!(game.games().count(), usize::from(game.is_game));
        let mut copy = Vec::new();
        game.write_with_tags(&mut copy, &[]).expect("memory does not fail");
        assert_eq!(copy, game.bytes);
    }
    let size = data.len() / 3 + 1;
    let chunks = Chunks::new(data).sizes(size, 1 << 20).map(|chunk| chunk.expect("bytes can be read"));
    assert!(chunks.flat_map(|chunk| chunk.raw_games().collect::<Vec<_>>()).eq(raw));
    let cut = Chunks::new(data).sizes(16, 64).map(|chunk| chunk.expect("bytes can be read"));
    assert!(cut.flat_map(|chunk| chunk.as_bytes().to_vec()).eq(data.iter().copied()));
}

/// PGN: parsed games can be written and read again, and a ply limit only truncates games.
pub fn pgn(data: &[u8]) {
    let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<Move>>();
    let games: Vec<_> = PgnReader::new(data).collect();
    assert!(games.len() <= data.len());
    trees(data, games.len());
    cuts(data, games.len());
    let mut cut = PgnReader::new(data).max_plies(3);
    for game in games {
        let short = cut.next();
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert!(error.to_string().chars().count() < 2_000);
                continue;
            }
        };
        let short = short.expect("there are as many games").expect("a valid game is valid when cut off");
        assert!(moves(&game).starts_with(&moves(&short)) && short.moves.len() == game.moves.len().min(3));
        assert!(game.to_game().is_ok());
        let written = game.to_string();
        let mut games = PgnReader::new(written.as_bytes());
        let again = games.next().expect("a written game is read").expect("a written game is valid");
        assert!(games.next().is_none(), "{written}");
        assert_eq!(moves(&again), moves(&game), "{written}");
        assert_eq!(
            (&again.start, again.result, again.chess960),
            (&game.start, game.result, game.chess960),
            "{written}"
        );
        assert_eq!(again.to_string(), written);
    }
}
