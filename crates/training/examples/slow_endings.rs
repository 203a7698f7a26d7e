//! Collects positions in which the side ahead makes no progress for a long time, from self-play games:
//!
//!     cargo run --release -p bartizan-training --example slow_endings -- FILE... > testdata/endings/slow.epd
//!
//! A position is the first one of a stretch of reversible moves, with a search score between 60 and 600 centipawns. The
//! stretch ends a game drawn by the 50-move rule (`id "dead N"`), or has at least 30 plies and is in a game that the
//! side ahead won (`id "slow N"`). `ce` is the score, `c9` the result.

use bartizan_games::records::{GameRecord, Record, Records};
use bartizan_types::{Color, GameResult, PieceType};
use std::io::Write as _;
use std::path::Path;

/// Positions of each kind.
const POSITIONS: usize = 60;

/// The shortest stretch of a won game, in plies.
const SLOW_PLIES: u16 = 30;

/// The halfmove clock that ends a game.
const DEAD_PLIES: u16 = 100;

/// Bounds of the lead, in centipawns of the search.
const LEADS: std::ops::RangeInclusive<i32> = 60..=600;

/// The least number of pawns.
const PAWNS: u32 = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut dead, mut slow) = (Vec::new(), Vec::new());
    for file in std::env::args().skip(1) {
        for record in Records::open(Path::new(&file), None)? {
            if let Record::Game(game) = record? {
                let kind = if game.winner.is_none() { &mut dead } else { &mut slow };
                if kind.len() < POSITIONS {
                    kind.extend(position(&game));
                }
            }
        }
    }
    let mut out = std::io::stdout().lock();
    for (name, positions) in [("dead", dead), ("slow", slow)] {
        for (number, (epd, result)) in positions.iter().enumerate() {
            writeln!(out, "{epd} c9 \"{result}\"; id \"{name} {}\";", number + 1)?;
        }
    }
    Ok(())
}

/// The position of a game, without clocks, and the result.
fn position(game: &GameRecord) -> Option<(String, &'static str)> {
    let mut line = vec![game.start.clone()];
    for &(mv, _) in &game.moves {
        line.extend(line.last().map(|position| position.play_unchecked(mv)));
    }
    let plies = if game.winner.is_none() { DEAD_PLIES } else { SLOW_PLIES };
    // The end of the last stretch that is long enough.
    let end = line.iter().rposition(|position| position.halfmove_clock() >= plies)?;
    let start = end - usize::from(line[end].halfmove_clock());
    let (position, score) = (line.get(start)?, game.moves.get(start)?.1?);
    let lead = match game.winner {
        Some(Color::White) => score,
        Some(Color::Black) => -score,
        None => score.abs(),
    };
    let pawns = position.by_type(PieceType::Pawn).count();
    let wanted = LEADS.contains(&lead) && pawns >= PAWNS && !position.in_check();
    let result = game.winner.map_or(GameResult::Draw, GameResult::won_by).as_str();
    let text = position.to_string();
    let fields: Vec<&str> = text.split(" ").take(4).collect();
    let for_mover = if position.turn().is_white() { score } else { -score };
    wanted.then(|| (format!("{} ce {for_mover};", fields.join(" ")), result))
}
