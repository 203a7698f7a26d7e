//! No token of the moves is dropped or misread in silence: a game with a disturbed token reads the same, or a problem
//! is told.

use bartizan_notation::pgn::{GameResult, PgnGame, PgnMove, PgnReader};
use bartizan_notation::san::parse_san;
use bartizan_position::Position;
use bartizan_types::SplitMix64;
use std::fs::File;

/// A file of games to disturb in place of random ones.
const FILE: &str = "DISTURBED_GAMES";

/// What is put into a token, or in place of one of its characters.
const CHARACTERS: [&str; 34] = [
    "a", "e", "h", "x", "N", "K", "O", "o", "0", "1", "2", "8", "9", "-", "+", "#", "=", "!", "?", "/", ".", ",", "*",
    "$", "(", ")", "[", "]", "}", "<", ">", "\"", "\u{41e}", "\u{2013}",
];

/// The number of disturbances of each game.
const TRIES: usize = 60;

fn random_game(random: &mut SplitMix64) -> PgnGame {
    let mut position = Position::startpos();
    let mut game = PgnGame::default();
    for _ in 0..10 + random.below(60) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        game.moves.push(PgnMove::from(mv));
        position = position.play(mv).expect("the move is legal");
    }
    let results = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
    game.result = results[random.below(3)];
    game
}

fn games(random: &mut SplitMix64) -> Vec<PgnGame> {
    match std::env::var_os(FILE) {
        Some(file) => PgnReader::new(File::open(file).expect("the file exists")).flatten().collect(),
        None => (0..100).map(|_| random_game(random)).collect(),
    }
}

/// The game without comments and glyphs, in which a disturbance could be anything.
fn bare(game: &PgnGame) -> PgnGame {
    let mut bare = PgnGame::new(game.start.clone());
    bare.tags.clone_from(&game.tags);
    bare.moves = game.moves.iter().map(|played| PgnMove::from(played.mv)).collect();
    bare.result = game.result;
    bare
}

/// The text with one token of its moves disturbed, the token, and the number of moves before it.
fn disturb(text: &str, random: &mut SplitMix64) -> (String, String, usize) {
    let movetext = text.find("\n\n").map_or(0, |end| end + 2);
    let tokens: Vec<&str> = text[movetext..].split_whitespace().collect();
    let index = random.below(tokens.len());
    let is_move = |token: &&&str| token.starts_with(|c: char| c.is_alphabetic());
    let before = tokens[..index].iter().filter(is_move).count();
    let token = tokens[index];
    let start = token.as_ptr() as usize - text.as_ptr() as usize;
    let at = random.below(token.len() + 1);
    let put = CHARACTERS[random.below(CHARACTERS.len())];
    let (head, tail) = token.split_at(at);
    let rest = tail.get(1..).unwrap_or_default();
    let disturbed = match random.below(4) {
        0 => format!("{head}{put}{tail}"),
        1 => format!("{head}{put}{rest}"),
        2 => format!("{head}{rest}"),
        _ => format!("{head} {tail}"),
    };
    let text = [&text[..start], &disturbed, &text[start + token.len()..]].concat();
    (text, disturbed, before)
}

/// Whether a token could be meant: it is a legal move or a glyph, so that no reader can know that another was there.
fn has_a_meaning(game: &PgnGame, before: usize, token: &str) -> bool {
    if token.strip_prefix('$').is_some_and(|number| number.parse::<u8>().is_ok()) {
        return true;
    }
    let mut position = game.start.clone();
    for played in game.moves.iter().take(before) {
        position = position.play(played.mv).expect("the move is legal");
    }
    let mut words =
        token.split(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?')).filter(|word| !word.is_empty());
    words.any(|word| parse_san(&position, word.trim_end_matches('=')).is_ok())
}

#[test]
fn a_disturbed_token_is_read_the_same_or_told() {
    let mut random = SplitMix64::new(55);
    let games = games(&mut random);
    let (mut same, mut told, mut other) = (0, 0, 0);
    for game in games.iter().map(bare) {
        let text = game.to_string();
        for _ in 0..TRIES {
            let (disturbed, token, before) = disturb(&text, &mut random);
            let read: Vec<_> = PgnReader::new(disturbed.as_bytes()).collect();
            if read.iter().any(|read| read.as_ref().map_or(true, |game| !game.problems.is_empty())) {
                told += 1;
                continue;
            }
            let [Ok(read)] = &read[..] else { panic!("{} games without a problem: {disturbed}", read.len()) };
            if read.moves.iter().map(|played| played.mv).eq(game.moves.iter().map(|played| played.mv)) {
                assert_eq!(read.result, game.result, "{token}: {disturbed}");
                same += 1;
            } else {
                assert!(has_a_meaning(&game, before, &token), "{token}: {disturbed}");
                other += 1;
            }
        }
    }
    println!("{} games: {same} the same, {told} told, {other} other moves", games.len());
    assert!(same > 0 && told > 0 && other < told / 4, "{same} the same, {told} told, {other} other moves");
}
