//! Generates games for the benchmark of PGN readers from the lines of `crates/book/eco.tsv`. The same arguments give
//! the same bytes.

use bartizan_notation::san::{San, parse_san};
use bartizan_position::{Game, Position};
use bartizan_types::{GameResult, Move, SplitMix64};
use std::error::Error;
use std::fmt::Write as _;

/// The kind of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Openings of 16 plies with eight tags, as in collections for matches.
    Openings,
    /// Whole games with 17 tags and a clock after each move, as published by chess servers.
    Clocks,
}

/// Games with a total size of about this many bytes.
pub(crate) fn games(kind: Kind, bytes: usize) -> Result<String, Box<dyn Error>> {
    let table = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/book/eco.tsv"))?;
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#') && line.contains('\t')).collect();
    let mut random = SplitMix64::new(16);
    let mut text = String::with_capacity(bytes + 10_000);
    let mut number = 0;
    // Whole games are generated once and then repeated under other names, because generating them takes longer than
    // reading them.
    let mut made: Vec<(String, GameResult)> = Vec::new();
    while text.len() < bytes {
        let line = lines[random.below(lines.len())];
        let mut columns = line.split('\t');
        let (eco, name, moves) = (columns.next(), columns.next(), columns.next());
        let (Some(eco), Some(name), Some(moves)) = (eco, name, moves) else { return Err(line.into()) };
        if made.len() < 2_000 || kind == Kind::Openings {
            made.push(play(kind, moves, &mut random)?);
        }
        let (movetext, result) = &made[number % made.len()];
        number += 1;
        tags(kind, number, (eco, name), *result, &mut text)?;
        text.push_str(movetext);
        if kind == Kind::Openings {
            made.clear();
        }
    }
    Ok(text)
}

fn tags(
    kind: Kind,
    number: usize,
    (eco, name): (&str, &str),
    result: GameResult,
    text: &mut String,
) -> std::fmt::Result {
    let day = number % 28 + 1;
    let (white, black) = (number * 7 % 4_001, number * 11 % 3_989);
    if kind == Kind::Openings {
        write!(text, "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.{day:02}\"]\n[Round \"{number}\"]\n")?;
        write!(text, "[White \"Engine {white}\"]\n[Black \"Engine {black}\"]\n")?;
        return write!(text, "[Result \"{result}\"]\n[ECO \"{eco}\"]\n\n");
    }
    write!(text, "[Event \"Rated Blitz game\"]\n[Site \"https://chess.example/{number:08x}\"]\n")?;
    write!(text, "[Date \"2026.11.{day:02}\"]\n[Round \"-\"]\n")?;
    write!(text, "[White \"player{white}\"]\n[Black \"player{black}\"]\n[Result \"{result}\"]\n")?;
    write!(text, "[UTCDate \"2026.11.{day:02}\"]\n[UTCTime \"00:00:{:02}\"]\n", number % 60)?;
    write!(text, "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n", 1_000 + white / 4, 1_000 + black / 4)?;
    write!(text, "[WhiteRatingDiff \"+5\"]\n[BlackRatingDiff \"-5\"]\n[ECO \"{eco}\"]\n[Opening \"{name}\"]\n")?;
    write!(text, "[TimeControl \"300+3\"]\n[Termination \"Normal\"]\n\n")
}

/// The movetext of a game that begins with these moves.
fn play(kind: Kind, moves: &str, random: &mut SplitMix64) -> Result<(String, GameResult), Box<dyn Error>> {
    let plies = if kind == Kind::Openings { 16 } else { 40 + random.below(80) };
    let mut known = moves.split(' ').filter(|word| !word.ends_with('.'));
    let mut game = Game::default();
    let mut text = String::new();
    let mut column = 0;
    for ply in 0..plies {
        let position = game.position();
        let mv = match known.next() {
            Some(word) => parse_san(position, word)?,
            None => match choose(position, random) {
                Some(mv) if game.outcome().is_none() => mv,
                _ => break,
            },
        };
        let san = San::new(position, mv);
        let number = ply / 2 + 1;
        let word = match kind {
            Kind::Openings if ply % 2 == 0 => format!("{number}. {san}"),
            Kind::Openings => san.to_string(),
            Kind::Clocks => {
                let dots = if ply % 2 == 0 { "." } else { "..." };
                let seconds = (300 - 2 * number + random.below(3)).max(1);
                format!("{number}{dots} {san} {{ [%clk 0:{:02}:{:02}] }}", seconds / 60, seconds % 60)
            }
        };
        // Chess servers do not wrap lines.
        let separator = if ply == 0 {
            ""
        } else if kind == Kind::Openings && column + word.len() >= 80 {
            column = 0;
            "\n"
        } else {
            " "
        };
        column += separator.len() + word.len();
        text += separator;
        text += &word;
        game.push(mv)?;
    }
    let result = game.outcome().map_or(GameResult::Draw, GameResult::from);
    write!(text, " {result}\n\n")?;
    Ok((text, result))
}

/// A move that does not lose material at once, preferably a capture that wins some.
fn choose(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    let better = |threshold| moves.iter().copied().filter(|&mv| position.see_ge(mv, threshold)).collect::<Vec<_>>();
    let mut choice = better(1);
    if choice.is_empty() {
        choice = better(0);
    }
    if choice.is_empty() {
        choice = moves.iter().copied().collect();
    }
    (!choice.is_empty()).then(|| choice[random.below(choice.len())])
}
