//! PGN games, with the scores that engines write as comments.

use super::{GameRecord, LoadErrorKind, Record};
use bartizan_notation::pgn::{Annotations, GameResult, MatchComment, PgnGame, PgnReader, PgnScore, Strictness};
use bartizan_types::Color;
use std::io::BufRead;

/// The tag `Event` of self-play games, whose scores are internal. `[%eval]`, which others add, is a displayed score.
pub const SELFPLAY_EVENT: &str = "Bartizan selfplay";

pub(super) fn read(reader: impl BufRead) -> impl Iterator<Item = Result<Record, LoadErrorKind>> {
    PgnReader::new(reader).strictness(Strictness::Moves).map(|game| Ok(record(&game?)))
}

fn record(game: &PgnGame) -> Record {
    if game.result == GameResult::Unknown {
        return Record::NoResult;
    }
    let first = game.start.turn();
    let movers = [first, !first].into_iter().cycle();
    // The `[%eval]` of the position after the last move.
    let mut eval_before = None;
    let is_selfplay = game.tag("Event") == Some(SELFPLAY_EVENT);
    let has_eval = game.moves.iter().any(|played| played.comment.as_deref().and_then(eval).is_some());
    let moves = game.moves.iter().zip(movers).map(|(played, mover)| {
        let comment = played.comment.as_deref();
        // If some scores are displayed ones, the internal ones of the other moves cannot be mixed with them.
        let own = comment.filter(|_| !(is_selfplay && has_eval)).and_then(|text| mover_score(text, mover));
        let score = eval_before.take().or(own);
        eval_before = comment.and_then(eval);
        (played.mv, score)
    });
    let moves = moves.collect();
    let is_shown = has_eval || !is_selfplay;
    Record::Game(GameRecord { start: game.start.clone(), moves, winner: game.result.winner(), is_shown })
}

/// Centipawns of a mate: larger than any evaluation.
const MATE: i32 = 30_000;

/// The score of the engine that moved, in centipawns for White.
fn mover_score(comment: &str, mover: Color) -> Option<i32> {
    Some(centipawns(MatchComment::parse(comment, mover)?.score))
}

/// The score of the position after a move, such as `[%eval -0.35]` or `[%eval #3]`, in centipawns for White.
fn eval(comment: &str) -> Option<i32> {
    if !comment.contains("[%eval ") {
        return None;
    }
    Some(centipawns(Annotations::parse(comment).eval?.0))
}

fn centipawns(score: PgnScore) -> i32 {
    match score {
        PgnScore::Centipawns(score) => score.clamp(-MATE, MATE),
        PgnScore::Mate(moves) if moves < 0 => -MATE,
        PgnScore::Mate(_) => MATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<Result<Record, String>> {
        read(text.as_bytes()).map(|record| record.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn results_and_scores_are_read() {
        let games = "1. e4 {+0.35/12 1.2s} e5 {+0.10/9} 2. Qh5 {-M5/20} Nc6 {book} 3. Bc4 {[%eval 150,17]} Nf6 \
                     {[%eval #2]} 4. Qxf7# {+M1/3} 1-0\n\n1. d4 *\n\n1. d4 1/2-1/2";
        let read = read_all(games);
        let Ok(Record::Game(game)) = &read[0] else { panic!("{read:?}") };
        let scores: Vec<_> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [Some(35), Some(-10), Some(-MATE), None, None, Some(150), Some(MATE)]);
        assert_eq!(game.winner, Some(Color::White));
        let words = "1. e4 {1/2-1/2 offered} e5 {declined} 2. Nf3 {2024/05/01 round 3} Nc6 \
                     {0.00/21 3s} 3. Bb5 {[%emt 0:00:01] +1.00/2} 1-0";
        let Ok(Record::Game(game)) = &read_all(words)[0] else { panic!("{words}") };
        let scores: Vec<_> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [None, None, None, Some(0), Some(100)]);
        assert_eq!(read[1], Ok(Record::NoResult));
        assert!(matches!(&read[2], Ok(Record::Game(game)) if game.winner.is_none()));
    }

    #[test]
    fn scores_of_self_play_are_internal() {
        let selfplay = format!("[Event \"{SELFPLAY_EVENT}\"]\n\n1. e4 {{+0.35/12}} 1-0\n\n");
        for (games, expected) in [
            (selfplay.clone(), false),
            (selfplay.replace("selfplay", "match"), true),
            (selfplay.replace("0.35/12", "0.35/12 [%eval 0.2]"), true),
        ] {
            let read = read_all(&games);
            assert!(matches!(&read[..], [Ok(Record::Game(game))] if game.is_shown == expected), "{games}: {read:?}");
        }
    }

    #[test]
    fn internal_scores_do_not_stand_beside_others() {
        let text = format!("[Event \"{SELFPLAY_EVENT}\"]\n\n1. e4 {{+0.35/12}} e5 {{[%eval 0.2] +0.3/9}} 2. d4 *");
        for (text, first) in [(text.clone(), None), (text.replace("selfplay", "match"), Some(35))] {
            let read = read_all(&text.replace('*', "1-0"));
            let Ok(Record::Game(game)) = &read[0] else { panic!("{read:?}") };
            assert_eq!(game.moves[0].1, first);
            assert_eq!(game.moves[2].1, Some(20));
        }
    }

    #[test]
    fn an_invalid_game_is_reported_and_the_next_is_read() {
        let read = read_all("1. e4 e5\n2. Ke4 1-0\n\n1. d4 0-1");
        assert!(read[0].as_ref().unwrap_err().starts_with("game 1, line 2, column 4: "), "{read:?}");
        assert!(matches!(&read[1], Ok(Record::Game(game)) if game.winner == Some(Color::Black)));
    }
}
