//! The games of self-play files; [`selfplay`](crate::selfplay) documents the format.

use super::{GameRecord, LoadErrorKind, Record};
use crate::selfplay::{GameReader, SelfplayGame};
use std::io::BufRead;

pub(super) fn read(reader: impl BufRead) -> Result<impl Iterator<Item = Result<Record, LoadErrorKind>>, LoadErrorKind> {
    Ok(GameReader::new(reader)?.map(|game| Ok(Record::Game(record(game?)))))
}

/// The game with scores for White.
fn record(game: SelfplayGame) -> GameRecord {
    let first = if game.start.turn().is_white() { 1 } else { -1 };
    let signs = [first, -first].into_iter().cycle();
    let for_white =
        game.moves.into_iter().zip(signs).map(|(scored, sign)| (scored.mv, Some(sign * i32::from(scored.score))));
    GameRecord { start: game.start, moves: for_white.collect(), winner: game.winner, is_shown: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{GameWriter, ScoredMove};
    use bartizan_position::Position;
    use bartizan_types::Color;

    #[test]
    fn scores_are_for_white() {
        let start = Position::startpos();
        let e4 = start.parse_uci("e2e4").unwrap();
        let after = start.play(e4).unwrap();
        let e5 = after.parse_uci("e7e5").unwrap();
        let games = [
            (start, vec![(e4, 30), (e5, -20)], Some(Color::White), [Some(30), Some(20)].to_vec()),
            (after, vec![(e5, 7)], None, vec![Some(-7)]),
        ];
        for (start, moves, winner, expected) in games {
            let moves = moves.into_iter().map(|(mv, score)| ScoredMove { mv, score }).collect();
            let mut bytes = Vec::new();
            let game = SelfplayGame { id: 7, start: start.clone(), moves, winner };
            GameWriter::new(&mut bytes).unwrap().write(&game).unwrap();
            let Some(Ok(Record::Game(read))) = read(bytes.as_slice()).unwrap().next() else { panic!("no game") };
            assert_eq!(read.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>(), expected);
            assert_eq!((read.start, read.winner), (start, winner));
        }
    }
}
