//! The workloads whose instructions `cargo xtask instructions` counts.
//!
//! `bartizan-instructions CASE FILE` runs one case on the positions of a file, one FEN per line; without arguments it
//! lists the cases. Only instructions inside [`measured`] are counted, of the case `search` only those inside the
//! iterations.
//!
//! The input of a case must depend only on the rules of chess. In particular, it must not depend on the order in which
//! moves are generated, or a change of the generator would change the work and not only its cost.
#![allow(clippy::print_stdout)] // A command-line program prints its results.

use bartizan_book::{BookEntry, BuildOptions, Builder};
use bartizan_engine::{Limits, Options, bench};
use bartizan_eval::{Evaluator, HandCrafted, evaluate};
use bartizan_games::CollectionStatistics;
use bartizan_network::{
    Architecture, KING_SQUARES, Network, NetworkEvaluator, NetworkOrigin, NetworkWeights, Quantisation,
};
use bartizan_notation::list;
use bartizan_notation::pgn::{PgnGame, PgnMove, PgnReader};
use bartizan_notation::san::SanExt as _;
use bartizan_position::{Position, perft};
use bartizan_search::internals::MoveOrdering;
use bartizan_types::{Move, SplitMix64};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

/// Work on positions. The result is a checksum, which shows whether two builds did the same work.
type Work = fn(&[Position]) -> u64;

const CASES: [(&str, Work); 19] = [
    ("search", |_| search()),
    ("perft-start-5", |_| perft_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5)),
    ("perft-kiwipete-4", |_| perft_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4)),
    ("perft-position3-6", |_| perft_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6)),
    ("perft-promotion-5", |_| perft_of("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5)),
    ("moves-made", moves_made),
    ("evaluation-from-scratch", evaluation_from_scratch),
    ("evaluation-in-tree", |positions| evaluation_in_tree(positions, &mut HandCrafted::new())),
    ("network-from-scratch", network_from_scratch),
    ("network-in-tree", |positions| evaluation_in_tree(positions, &mut NetworkEvaluator::new(network()))),
    ("see", see),
    ("picker-all", |positions| picker(positions, MoveOrdering::all)),
    ("picker-captures", |positions| picker(positions, MoveOrdering::captures)),
    ("san-write", san_write),
    ("san-read", san_read),
    ("pgn-write", pgn_write),
    ("pgn-read", pgn_read),
    ("pgn-stats", pgn_stats),
    ("book-build", book_build),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => CASES.iter().for_each(|(name, _)| println!("{name}")),
        [case, file] => {
            let (_, work) = CASES.iter().find(|(name, _)| name == case).ok_or_else(|| format!("no case '{case}'"))?;
            let text = std::fs::read_to_string(file)?;
            let positions: Result<Vec<_>, _> = list::records(&text).map(|(_, fen)| Position::from_fen(fen)).collect();
            println!("{case}: {}", work(&positions?));
        }
        _ => return Err("expected CASE FILE".into()),
    }
    Ok(())
}

/// The measured part of a case: callgrind finds this function by its name.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    // Prevents a tail call of `work`, so that the end of this function is visible.
    black_box(work())
}

/// The legal moves in an order that does not depend on the generator.
fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| (mv.from().index(), mv.to().index(), mv.promotes_to().map(|piece| piece.index())));
    moves
}

/// Each position with its legal moves.
fn with_moves(positions: &[Position]) -> Vec<(&Position, Vec<Move>)> {
    positions.iter().map(|position| (position, sorted_moves(position))).collect()
}

/// A short bench, which spends much of its time clearing tables.
fn search() -> u64 {
    let mut options = Options::default();
    (options.threads, options.hash_mib) = (1, bench::HASH);
    bench::run(bench::positions(), options, &Limits::depth(6), |_, _| {}).map_or(0, |result| result.nodes)
}

fn perft_of(fen: &str, depth: u32) -> u64 {
    Position::from_fen(fen).map_or(0, |position| measured(|| perft(black_box(&position), depth)))
}

/// Makes every move, unlike perft, which only counts the moves of the last ply.
fn moves_made(positions: &[Position]) -> u64 {
    let positions = with_moves(positions);
    measured(|| {
        let mut sum = 0_u64;
        for _ in 0..100 {
            for (position, moves) in &positions {
                for &mv in moves {
                    sum = black_box(position.play_unchecked(mv)).key().0.wrapping_add(sum);
                }
            }
        }
        sum
    })
}

fn evaluation_from_scratch(positions: &[Position]) -> u64 {
    let quiet: Vec<&Position> = positions.iter().filter(|position| !position.in_check()).collect();
    let sum =
        measured(|| (0..300).map(|_| quiet.iter().map(|position| evaluate(position).0).sum::<i32>()).sum::<i32>());
    u64::from(sum.unsigned_abs())
}

/// Plays, evaluates and undoes every move, as a search does.
fn evaluation_in_tree(positions: &[Position], evaluator: &mut impl Evaluator) -> u64 {
    let positions = with_moves(positions);
    let sum = measured(|| {
        let mut sum = 0;
        for _ in 0..20 {
            for (position, moves) in &positions {
                evaluator.reset(position);
                if !position.in_check() {
                    sum += evaluator.evaluate(position).0;
                }
                for &mv in moves {
                    let mut child = Position::clone(position);
                    evaluator.play(&mut child, mv);
                    if !child.in_check() {
                        sum += evaluator.evaluate(&child).0;
                    }
                    evaluator.undo();
                }
            }
        }
        sum
    });
    u64::from(sum.unsigned_abs())
}

/// A network of the usual size with random weights.
fn network() -> Arc<Network> {
    const HIDDEN: usize = 128;
    const OUTPUTS: usize = 8;
    let mut random = SplitMix64::new(20_261_123);
    let mut shorts =
        |count: usize, most: usize| (0..count).map(|_| random.below(2 * most + 1) as i16 - most as i16).collect();
    Architecture::new(HIDDEN, [0; KING_SQUARES], OUTPUTS)
        .and_then(|architecture| {
            let weights = NetworkWeights {
                input: shorts(architecture.inputs() * HIDDEN, 100),
                hidden_bias: shorts(HIDDEN, 100),
                output: shorts(2 * HIDDEN * OUTPUTS, 127),
                output_bias: vec![0; OUTPUTS],
            };
            Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default())
        })
        .map(Arc::new)
        .unwrap_or_else(|error| unreachable!("the weights are in range: {error}"))
}

fn network_from_scratch(positions: &[Position]) -> u64 {
    let network = network();
    let sum = measured(|| {
        (0..50).map(|_| positions.iter().map(|position| network.evaluate(position).0).sum::<i32>()).sum::<i32>()
    });
    u64::from(sum.unsigned_abs())
}

/// Exchanges of all moves, including quiet ones, as for pruning.
fn see(positions: &[Position]) -> u64 {
    let positions = with_moves(positions);
    measured(|| {
        let mut count = 0;
        for _ in 0..20 {
            for threshold in [-200, 0, 150] {
                for (position, moves) in &positions {
                    count += moves.iter().filter(|&&mv| position.see_ge(mv, threshold)).count() as u64;
                }
            }
        }
        count
    })
}

/// Orders the moves of each position, without and with a table move.
fn picker(positions: &[Position], order: fn(&MoveOrdering, &Position, Option<Move>) -> u64) -> u64 {
    let positions = with_moves(positions);
    let mut ordering = MoveOrdering::new();
    positions.iter().for_each(|(position, moves)| ordering.learn(position, moves));
    measured(|| {
        let mut sum = 0_u64;
        for _ in 0..20 {
            for (position, moves) in &positions {
                for table_move in [None, moves.first().copied()] {
                    sum = order(&ordering, position, table_move).wrapping_add(sum);
                }
            }
        }
        sum
    })
}

fn san_write(positions: &[Position]) -> u64 {
    let positions = with_moves(positions);
    measured(|| {
        let length = |(position, moves): &(&Position, Vec<Move>)| -> usize {
            moves.iter().map(|&mv| position.san(mv).as_str().len()).sum()
        };
        (0..20).map(|_| positions.iter().map(length).sum::<usize>()).sum::<usize>() as u64
    })
}

fn san_read(positions: &[Position]) -> u64 {
    let written: Vec<(&Position, Vec<String>)> = with_moves(positions)
        .into_iter()
        .map(|(position, moves)| (position, moves.iter().map(|&mv| position.san(mv).to_string()).collect()))
        .collect();
    measured(|| {
        let read = |(position, texts): &(&Position, Vec<String>)| {
            texts.iter().filter_map(|text| position.parse_san(text).ok()).map(|mv| u64::from(mv.to_bits())).sum::<u64>()
        };
        (0..20).map(|_| written.iter().map(read).sum::<u64>()).sum()
    })
}

/// Random games with comments.
fn games() -> Vec<PgnGame> {
    const PLIES: usize = 120;
    let mut random = SplitMix64::new(20_261_122);
    let mut game = |number: usize| {
        let mut game = PgnGame::default();
        for (name, value) in [("Event", "Instructions"), ("White", "Anna"), ("Black", "Bruno"), ("Opening", "random")] {
            game.tags.push((name.to_owned(), value.to_owned()));
        }
        game.tags.push(("Round".to_owned(), number.to_string()));
        let mut position = game.start.clone();
        while game.moves.len() < PLIES {
            let moves = sorted_moves(&position);
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            position = position.play_unchecked(mv);
            let comment = (game.moves.len() % 3 == 0).then(|| format!("[%eval 0.{}] [%clk 0:01:00]", moves.len()));
            game.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
        }
        game
    };
    (1..=60).map(&mut game).collect()
}

fn pgn_write(_: &[Position]) -> u64 {
    let games = games();
    measured(|| games.iter().map(|game| game.to_string().len() as u64).sum())
}

fn pgn_read(_: &[Position]) -> u64 {
    let text: String = games().iter().map(PgnGame::to_string).collect();
    measured(|| PgnReader::new(text.as_bytes()).filter_map(Result::ok).map(|game| game.moves.len() as u64).sum())
}

/// Statistics of a collection, with moves of variations checked. In this thread, because only it is measured.
fn pgn_stats(_: &[Position]) -> u64 {
    let text: String = games().iter().map(PgnGame::to_string).collect();
    let mut statistics = CollectionStatistics::default();
    measured(|| {
        let mut reader = PgnReader::new(text.as_bytes()).check_variations(true);
        let mut game = PgnGame::default();
        while let Some(read) = reader.read_next(&mut game) {
            let seen = read.as_ref().map(|()| (&game, reader.last_position()));
            statistics.see(seen.map_err(|error| &error.kind), false);
        }
    });
    statistics.plies.iter().map(|(plies, games)| plies * games).sum()
}

/// Counts the moves of parsed games, and creates the entries of a book.
fn book_build(_: &[Position]) -> u64 {
    let games = games();
    let mut options = BuildOptions::default();
    (options.max_ply, options.min_count) = (60, 2);
    measured(|| {
        let mut builder = Builder::new(options, Path::new("."));
        // Most games of a collection begin with known moves.
        for game in (0..10).flat_map(|_| &games) {
            if builder.add_game(game).is_err() {
                return 0;
            }
        }
        let mut sum = 0_u64;
        let add = |entry: BookEntry| {
            sum = sum.wrapping_add(entry.key.0 ^ u64::from(entry.mv.0) ^ u64::from(entry.weight));
            Ok(())
        };
        builder.finish(add).map_or(0, |counts| counts.entries.wrapping_add(sum))
    })
}
