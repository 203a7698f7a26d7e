//! Results of deep searches guide shallower ones.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{
    Clock, LearntPositions, Limits, Search, SearchEvent, SearchResult, Searcher, TableEntry, TranspositionTable,
};
use bartizan_types::{Bound, Depth, Move, Value};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

/// A middlegame.
const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8";

/// A move that no search of it would choose, and a value far from its own.
const MOVE: &str = "a2a3";
const VALUE: Value = Value(180);

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn mv(position: &Position, text: &str) -> Move {
    position.parse_uci(text).unwrap()
}

fn entry(mv: Move, value: Value, bound: Bound, depth: i32) -> TableEntry {
    TableEntry { mv: Some(mv), value, eval: None, depth: Depth(depth), bound, is_pv: false }
}

fn learnt(position: &Position, entry: TableEntry) -> Option<Arc<LearntPositions>> {
    Some(Arc::new([(position.key(), entry)].into_iter().collect()))
}

/// The result, and the best move with its value after each iteration.
fn search(search: Search) -> (SearchResult, Vec<(Move, Value)>) {
    let mut iterations = Vec::new();
    let mut listen = |event| {
        if let SearchEvent::Info(info) = event
            && info.multipv == 1
            && info.bound == Bound::Exact
        {
            iterations.push((info.pv[0], info.value));
        }
    };
    let mut searcher = Searcher::new(HandCrafted::new).unwrap();
    let table = Arc::new(TranspositionTable::new(4).unwrap());
    let result = searcher.search(search, &table, &|| false, Some(&mut listen));
    (result, iterations)
}

/// A search of [`FEN`] to a depth, in which this was learnt about the root.
fn guided(depth: u32, entry: TableEntry) -> (SearchResult, Vec<(Move, Value)>) {
    let game = game(FEN);
    let learnt = learnt(game.position(), entry);
    let mut guided = Search::new(game, Limits::depth(depth));
    guided.learnt = learnt;
    search(guided)
}

#[test]
fn the_learnt_move_of_the_root_is_played_until_a_search_is_as_deep() {
    let learnt_move = mv(game(FEN).position(), MOVE);
    let (result, iterations) = guided(8, entry(learnt_move, VALUE, Bound::Exact, 9));
    assert!(iterations.len() >= 8 && iterations.iter().all(|&found| found == (learnt_move, VALUE)), "{iterations:?}");
    assert_eq!((result.best, result.value), (Some(learnt_move), VALUE));
    let (contradicted, _) = guided(9, entry(learnt_move, VALUE, Bound::Exact, 9));
    assert!(contradicted.best != Some(learnt_move) && contradicted.value < VALUE, "{contradicted:?}");
}

#[test]
fn a_lower_bound_is_kept_and_an_upper_bound_names_no_move() {
    let learnt_move = mv(game(FEN).position(), MOVE);
    let (result, _) = guided(7, entry(learnt_move, VALUE, Bound::Lower, 12));
    assert_eq!((result.best, result.value), (Some(learnt_move), VALUE));
    let (result, _) = guided(7, entry(learnt_move, -VALUE, Bound::Lower, 12));
    assert!(result.best == Some(learnt_move) && result.value > -VALUE, "{result:?}");
    let (result, _) = guided(7, entry(learnt_move, VALUE, Bound::Upper, 12));
    assert_ne!(result.best, Some(learnt_move));
}

/// Without learnt positions, with those of other positions, and with a root whose move is excluded.
#[test]
fn other_searches_stay_the_same() {
    let game = game(FEN);
    let position = game.position();
    let (expected, _) = search(Search::new(game.clone(), Limits::depth(7)));
    let other = Position::startpos();
    let mut with_other = Search::new(game.clone(), Limits::depth(7));
    with_other.learnt = learnt(&other, entry(mv(&other, "e2e4"), VALUE, Bound::Exact, 30));
    let (result, _) = search(with_other);
    assert_eq!((result.nodes, result.pv), (expected.nodes, expected.pv));

    let (only, learnt_move) = (mv(position, "e1g1"), mv(position, MOVE));
    let mut restricted = Search::new(game.clone(), Limits::depth(7).with_search_moves(vec![only]));
    restricted.learnt = learnt(position, entry(learnt_move, VALUE, Bound::Exact, 30));
    assert_eq!(search(restricted).0.best, Some(only));
}

/// What was learnt a ply later decides in every iteration, not only in the first.
#[test]
fn a_learnt_reply_keeps_its_value() {
    let game = game(FEN);
    let mut sought = game.clone();
    sought.push(mv(game.position(), MOVE)).unwrap();
    let reply = sought.position().legal_moves()[0];
    let mut guided = Search::new(game.clone(), Limits::depth(9));
    // Black is far behind after the move.
    guided.learnt = learnt(sought.position(), entry(reply, -VALUE, Bound::Exact, 18));
    let (result, iterations) = search(guided);
    assert_eq!((result.best, result.value), (Some(mv(game.position(), MOVE)), VALUE));
    assert!(iterations.iter().skip(1).all(|&(_, value)| value >= VALUE), "{iterations:?}");

    // And a best move whose refutation was learnt is not played.
    let best = search(Search::new(game.clone(), Limits::depth(9))).0.best.unwrap();
    let mut avoided = game.clone();
    avoided.push(best).unwrap();
    let reply = avoided.position().legal_moves()[0];
    let mut warned = Search::new(game.clone(), Limits::depth(9));
    warned.learnt = learnt(avoided.position(), entry(reply, VALUE, Bound::Lower, 18));
    assert_ne!(search(warned).0.best, Some(best));
}

/// The learnt move would repeat a position of the game.
#[test]
fn a_repetition_in_the_game_frees_the_root() {
    let mut game = game("4k3/8/8/8/8/3BN3/8/3K4 w - - 0 1");
    for text in ["d1d2", "e8e7", "d2d1", "e7f7"] {
        game.push(mv(game.position(), text)).unwrap();
    }
    let position = game.position().clone();
    let known = mv(&position, "d1d2");
    let with = |game: Game| {
        let mut guided = Search::new(game, Limits::depth(6));
        guided.learnt = learnt(&position, entry(known, Value(-1_000), Bound::Exact, 30));
        search(guided).0.value
    };
    assert_eq!(with(Game::new(position.clone())), Value(-1_000));
    for text in ["d1d2", "f7f8", "d2d1", "f8f7"] {
        game.push(mv(game.position(), text)).unwrap();
    }
    assert!(with(game) > Value::ZERO);
}

/// A move that is proven to lose is given up before the learnt depth.
#[test]
fn a_proven_loss_contradicts_at_any_depth() {
    // After Rb2, Black mates on e1.
    let game = game("4r1k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1");
    for (text, is_played) in [("a2b2", false), ("a2a1", true)] {
        let learnt_move = mv(game.position(), text);
        let mut guided = Search::new(game.clone(), Limits::depth(6));
        guided.learnt = learnt(game.position(), entry(learnt_move, VALUE, Bound::Exact, 30));
        assert_eq!(search(guided).0.best == Some(learnt_move), is_played, "{text}");
    }
}

/// In a game on a clock, a learnt move is not taken for the only one or an easy one.
#[test]
fn a_learnt_move_is_searched_for_the_usual_time() {
    let game = game(FEN);
    let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
    let learnt_move = mv(game.position(), MOVE);
    let mut timed = Search::new(game.clone(), Limits::clock(clock).with_node_rate(NonZeroU64::new(20_000).unwrap()));
    timed.learnt = learnt(game.position(), entry(learnt_move, VALUE, Bound::Exact, 100));
    let result = search(timed).0;
    assert!(result.best == Some(learnt_move) && result.nodes > 10_000, "{result:?}");
}
