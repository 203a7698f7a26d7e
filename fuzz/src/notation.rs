//! SAN, EPD and PGN.

use crate::starts::{take_move, take_position};
use bartizan_notation::epd::{Epd, read_epd};
use bartizan_notation::list::decode;
use bartizan_notation::pgn::{PgnGame, PgnReader};
use bartizan_notation::san::{San, parse_san};
use bartizan_types::Move;

/// SAN in a position: what is read is legal, and what is written is read as the same move.
pub fn san(mut data: &[u8]) {
    let position = take_position(&mut data);
    if let Some(mv) = take_move(&mut data, &position) {
        let san = San::new(&position, mv);
        assert_eq!(parse_san(&position, san.as_str()), Ok(mv), "{position} {san}");
        assert_eq!(parse_san(&position, &mv.to_string()), Ok(mv), "{position} {mv}");
    }
    match parse_san(&position, &String::from_utf8_lossy(data)) {
        Ok(mv) => {
            assert!(position.legal_moves().contains(&mv), "{position} {mv}");
            let san = San::new(&position, mv);
            assert_eq!(parse_san(&position, san.as_str()), Ok(mv), "{position} {san}");
        }
        Err(error) => assert!(error.to_string().chars().count() < 2_000),
    }
}

/// EPD: what is read can be written and read again.
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

/// PGN: what is read can be written and read again, and a limit of plies only cuts games off.
pub fn pgn(data: &[u8]) {
    let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<Move>>();
    let mut cut = PgnReader::new(data).max_plies(3);
    for (number, game) in PgnReader::new(data).enumerate() {
        assert!(number <= data.len());
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
