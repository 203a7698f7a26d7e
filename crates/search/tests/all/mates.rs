//! Searches for mates in one to four moves. A plain solver has proven the distances of the suite.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use std::sync::Arc;

fn suite() -> Vec<(Position, u32)> {
    let text = bartizan_testkit::read("mates/mates.epd");
    let suite: Vec<_> = text
        .lines()
        .map(|line| {
            let (fen, distance) = line.split_once(" dm ").unwrap();
            (Position::from_fen(&format!("{fen} 0 1")).unwrap(), distance.trim_end_matches(';').parse().unwrap())
        })
        .collect();
    assert_eq!(suite.len(), 140);
    suite
}

/// A search for a mate finds each one at its distance, with a line that mates, and none with one move less.
#[test]
fn mate_searches_find_every_mate_and_no_false_one() {
    let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
    let table = Arc::new(TranspositionTable::new(16).unwrap());
    for (position, distance) in suite() {
        let mut search = |mate| {
            let limits = Limits::mate(mate);
            pool.go(Search::new(Game::new(position.clone()), limits), table.clone()).wait()
        };
        if distance > 1 {
            // Quiescence may find a longer mate.
            let found = search(distance - 1).value.mate_in_moves();
            assert!(!found.is_some_and(|moves| moves > 0 && moves < distance as i32), "{position} {found:?}");
        }
        let found = search(distance);
        assert_eq!(found.value.mate_in_moves(), Some(distance as i32), "{position}");
        let end = found.pv.iter().fold(position.clone(), |position, &mv| position.play(mv).unwrap());
        assert!(end.is_checkmate() && found.pv.len() as u32 == 2 * distance - 1, "{position} {:?}", found.pv);
    }
}

/// A normal search with some extra depth finds most mates, too. It may find a longer one first, or win without mate.
#[test]
fn normal_searches_find_most_mates() {
    let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
    let table = Arc::new(TranspositionTable::new(16).unwrap());
    let mut mates = 0;
    for (position, distance) in suite() {
        pool.clear();
        table.clear();
        let limits = Limits::depth(2 * distance + 12);
        let found = pool.go(Search::new(Game::new(position), limits), table.clone()).wait();
        mates += usize::from(found.value.mate_in_moves().is_some_and(|moves| moves > 0));
    }
    assert!(mates >= 130, "{mates} of 140");
}
