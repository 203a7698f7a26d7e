//! Networks with random weights: incremental evaluation, symmetries, and files.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_eval::{Evaluator, HandCrafted, ORDINARY_MAX, PieceContribution};
use bartizan_network::{
    AnyEvaluator, Architecture, EvaluationModel, KING_SQUARES, Network, NetworkError, NetworkEvaluator, NetworkOrigin,
    NetworkWeights, Quantisation,
};
use bartizan_position::{Position, Tolerance};
use bartizan_testkit::{mirrored, random_positions};
use bartizan_types::{Color, Move, MoveKind, Piece, PieceType, SplitMix64, Square, Value};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Numbers from -range to range that look random, the same each time.
fn numbers(count: usize, range: i32, seed: u64) -> impl Iterator<Item = i32> {
    let mut state = seed;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * range as u64 + 1)) as i32 - range
    })
}

fn shorts(count: usize, range: i32, seed: u64) -> Vec<i16> {
    numbers(count, range, seed).map(|number| number as i16).collect()
}

fn random_network(architecture: Architecture) -> Network {
    let (hidden, outputs) = (architecture.hidden(), architecture.outputs());
    let weights = NetworkWeights {
        input: shorts(architecture.inputs() * hidden, 100, 1),
        hidden_bias: shorts(hidden, 200, 2),
        output: shorts(2 * hidden * outputs, 127, 3),
        output_bias: numbers(outputs, 10_000, 4).collect(),
    };
    let origin = NetworkOrigin { data: [7; 32], command: "train --seed 1".to_owned() };
    Network::new(architecture, Quantisation::USUAL, &weights, origin).unwrap()
}

/// One without buckets, and one with several of both kinds.
static NETWORKS: LazyLock<[Arc<Network>; 2]> = LazyLock::new(|| {
    let king_buckets: [u8; KING_SQUARES] = std::array::from_fn(|square| square as u8 / 8);
    [Architecture::plain(32).unwrap(), Architecture::new(64, king_buckets, 8).unwrap()]
        .map(|architecture| Arc::new(random_network(architecture)))
});

/// Positions whose random games soon castle, promote and capture en passant, one of them of Chess960.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/P3k1p1/8/2pP4/5Pp1/1K6/p6P/8 w - c6 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

fn value(evaluator: &mut NetworkEvaluator, position: &Position) -> i32 {
    evaluator.evaluate(position).0
}

#[test]
fn a_combined_value_is_the_mean_unless_the_ending_is_known() {
    let network = &NETWORKS[0];
    let model = EvaluationModel::Combined(Arc::clone(network));
    let position: Position = STARTS[1].parse().unwrap();
    let (by_network, by_hand) = (network.evaluate(&position).0, bartizan_eval::evaluate(&position).0);
    assert_ne!(by_network, by_hand);
    assert_eq!(model.value(&position), Value((by_network + by_hand) / 2));
    let drawn: Position = "8/8/8/4k3/8/8/4N3/4K3 w - - 0 1".parse().unwrap();
    assert_ne!(network.evaluate(&drawn), Value::ZERO);
    assert_eq!(model.value(&drawn), Value::ZERO);
    let alone = EvaluationModel::Network(Arc::clone(network));
    let checksums = [EvaluationModel::HandCrafted, alone, model].map(|model| model.checksum());
    assert_eq!(checksums, [0, network.checksum(), !network.checksum()]);
}

/// A position that endgame knowledge considers drawn is drawn in every evaluation, even near the leaves after an
/// exchange.
#[test]
fn drawn_endings_are_drawn_for_the_network_too() {
    let network = Network::shared().unwrap();
    let before: Position = "1k6/8/8/P3K3/5P2/2B5/6n1/8 b - - 0 1".parse().unwrap();
    let drawn: Position = "1k6/8/8/P7/5K2/2B5/8/8 b - - 0 2".parse().unwrap();
    assert!(network.evaluate(&drawn) < Value(-200));
    for model in [EvaluationModel::Network(Arc::clone(network)), EvaluationModel::Combined(Arc::clone(network))] {
        let mut evaluator = AnyEvaluator::new(&model);
        let mut position = before.clone();
        evaluator.reset(&position);
        assert!(evaluator.evaluate(&position) < Value(-100));
        for mv in ["g2f4", "e5f4"] {
            let mv = position.parse_uci(mv).unwrap();
            evaluator.play(&mut position, mv);
        }
        let values = [evaluator.evaluate_roughly(&position), evaluator.evaluate(&position), model.value(&drawn)];
        assert!(values.iter().all(|value| value.0.abs() < 30 && *value == values[0]), "{values:?}");
    }
}

/// Near the leaves only material and piece squares are computed of the terms: what the others added earlier in the line
/// is added again, seen from the side that moves.
#[test]
fn rough_values_take_the_slow_terms_of_an_earlier_position() {
    let network = &NETWORKS[0];
    let model = EvaluationModel::Combined(Arc::clone(network));
    let mut evaluator = AnyEvaluator::new(&model);
    let mut position: Position = STARTS[1].parse().unwrap();
    evaluator.reset(&position);
    // Nothing was computed yet, so this is exact, and computes it.
    let exact = evaluator.evaluate_roughly(&position);
    assert_eq!(exact, model.value(&position));
    let piece_square_part = |position: &Position| {
        let mut hand_crafted = HandCrafted::new();
        hand_crafted.reset(position);
        hand_crafted.piece_square_part(position)
    };
    let slow = bartizan_eval::evaluate(&position) - piece_square_part(&position);
    assert_ne!(slow, Value::ZERO);
    let start = position.clone();
    for sign in [-1, 1, -1] {
        let mv = position.legal_moves()[0];
        evaluator.play(&mut position, mv);
        let terms = piece_square_part(&position) + sign * slow.0;
        let expected = Value((network.evaluate(&position) + terms.0).0 / 2);
        assert_eq!(evaluator.evaluate_roughly(&position), expected, "{}", position.to_fen());
        assert_ne!(expected, model.value(&position));
    }
    // An exact value replaces the earlier one, until its move is undone.
    let exact = evaluator.evaluate(&position);
    assert_eq!((exact, evaluator.evaluate_roughly(&position)), (model.value(&position), exact));
    (0..3).for_each(|_| evaluator.undo());
    assert_eq!(evaluator.evaluate_roughly(&start), model.value(&start));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// After moves, null moves and undos in any order, evaluated or not, the value is that from scratch.
    #[test]
    fn incremental_equals_from_scratch(
        start in prop::sample::select(&STARTS[..]),
        buckets in 0_usize..2,
        model in 0_usize..3,
        choices in prop::collection::vec(any::<u16>(), 1..200),
    ) {
        let network = &NETWORKS[buckets];
        let models = [EvaluationModel::HandCrafted, EvaluationModel::Network(Arc::clone(network)),
            EvaluationModel::Combined(Arc::clone(network))];
        let model = &models[model];
        let mut line: Vec<Position> = vec![start.parse().unwrap()];
        let mut evaluator = AnyEvaluator::new(model);
        evaluator.reset(&line[0]);
        for choice in choices {
            let mut position = line.last().unwrap().clone();
            let moves = position.legal_moves();
            match choice % 8 {
                0 if line.len() > 1 => {
                    evaluator.undo();
                    line.pop();
                    continue;
                }
                1 if !position.in_check() => evaluator.play_null(&mut position),
                _ if moves.is_empty() => continue,
                _ => evaluator.play(&mut position, moves[usize::from(choice / 8) % moves.len()]),
            }
            line.push(position);
            if choice % 3 == 0 {
                let position = line.last().unwrap();
                prop_assert_eq!(evaluator.evaluate(position), model.value(position), "{}", position.to_fen());
            }
        }
        while let Some(position) = line.pop() {
            prop_assert_eq!(evaluator.evaluate(&position), model.value(&position));
            evaluator.undo();
        }
    }

    /// Only a complete, undamaged file is accepted.
    #[test]
    fn damaged_files_are_refused(
        at in any::<prop::sample::Index>(),
        bit in 0_u8..8,
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = NETWORKS[0].to_bytes();
        let mut changed = bytes.clone();
        changed[at.index(bytes.len())] ^= 1_u8 << bit;
        prop_assert!(Network::from_bytes(&changed).is_err());
        prop_assert!(Network::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
    }

    #[test]
    fn any_bytes_are_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..400), has_magic: bool) {
        if has_magic {
            let magic = b"BZNETW01";
            let length = bytes.len().min(magic.len());
            bytes[..length].copy_from_slice(&magic[..length]);
        }
        prop_assert!(Network::from_bytes(&bytes).is_err());
    }
}

/// The kinds of moves played in random games.
#[derive(Debug, Default)]
struct Played {
    moves: u64,
    castlings: u64,
    en_passants: u64,
    promotions: u64,
    nulls: u64,
    undone: u64,
}

/// Random games, of Chess960 and from positions where the rare moves come soon, with null moves, and with moves that
/// are taken back and replaced by others. `BARTIZAN_MOVES` is the number of moves to play.
#[test]
fn long_random_games_are_evaluated_as_from_scratch() {
    let wanted = std::env::var("BARTIZAN_MOVES").map_or(20_000, |moves| moves.parse().unwrap());
    let mut random = SplitMix64::new(960);
    let mut played = Played::default();
    let mut evaluators = NETWORKS.each_ref().map(|network| NetworkEvaluator::new(Arc::clone(network)));
    while played.moves < wanted {
        let start = match random.below(2) {
            0 => Position::chess960(random.below(960)).unwrap(),
            _ => STARTS[random.below(STARTS.len())].parse().unwrap(),
        };
        evaluators.iter_mut().for_each(|evaluator| evaluator.reset(&start));
        let mut line = vec![start];
        // Longer than the initial capacity of evaluators.
        while line.len() < 400 {
            let mut position = line.last().unwrap().clone();
            let moves = position.legal_moves();
            if moves.is_empty() || random.below(10) == 0 {
                for _ in 0..random.below(4).min(line.len() - 1) {
                    evaluators.iter_mut().for_each(Evaluator::undo);
                    line.pop();
                    played.undone += 1;
                }
                if moves.is_empty() && random.below(3) == 0 {
                    break;
                }
                continue;
            }
            if random.below(20) == 0 && !position.in_check() {
                let [one, other] = &mut evaluators;
                one.play_null(&mut position.clone());
                other.play_null(&mut position);
                played.nulls += 1;
            } else {
                // Moves are drawn by their kind first, so that the rare ones are played when they can be.
                let rare: Vec<Move> = moves.iter().copied().filter(|mv| mv.kind() != MoveKind::Normal).collect();
                let mv = match rare.len() {
                    count @ 1.. if random.below(2) == 0 => rare[random.below(count)],
                    _ => moves[random.below(moves.len())],
                };
                match mv.kind() {
                    MoveKind::Normal => {}
                    MoveKind::EnPassant => played.en_passants += 1,
                    MoveKind::Castling => played.castlings += 1,
                    MoveKind::Promotion(_) => played.promotions += 1,
                }
                let [one, other] = &mut evaluators;
                one.play(&mut position.clone(), mv);
                other.play(&mut position, mv);
                played.moves += 1;
            }
            // A search does not evaluate every position of a line.
            if random.below(3) > 0 {
                for (network, evaluator) in NETWORKS.iter().zip(&mut evaluators) {
                    assert_eq!(value(evaluator, &position), network.evaluate(&position).0, "{}", position.to_fen());
                }
            }
            line.push(position);
        }
    }
    let Played { moves, castlings, en_passants, promotions, nulls, undone } = played;
    let least = castlings.min(en_passants).min(promotions).min(nulls).min(undone);
    assert!(least > moves / 5_000, "{played:?}");
}

/// The side to move sees the same board when colours are swapped, and, without castling rights, when files are
/// mirrored.
#[test]
fn values_have_the_symmetries_of_the_inputs() {
    let starts = STARTS.iter().map(|fen| fen.parse().unwrap());
    for position in starts.chain(random_positions(3).step_by(3).take(1_000)) {
        for network in NETWORKS.iter() {
            let value = network.evaluate(&position);
            let fen = position.to_fen();
            assert_eq!(network.evaluate(&position.flipped()), value, "flipped: {fen}");
            assert_eq!(network.evaluate(&mirrored(&position)), value, "mirrored: {fen}");
        }
    }
}

/// The values are the same on every processor. CI runs this for several levels of x86-64, and for ARM.
#[test]
fn values_do_not_depend_on_the_processor() {
    for (network, expected) in NETWORKS.iter().zip([670_526_624_500_853_033_u64, 7_547_814_340_286_780_284]) {
        let sum = random_positions(4).take(1_000).fold(0_u64, |sum, position| {
            sum.wrapping_mul(31).wrapping_add(i64::from(network.evaluate(&position).0).cast_unsigned())
        });
        assert_eq!(sum, expected);
    }
}

/// The value for the side to move of any pieces on any squares, by the definition of a network.
fn by_definition(network: &Network, pieces: &[(Piece, Square)], turn: Color) -> i32 {
    let (architecture, weights) = (network.architecture(), network.weights());
    let hidden = architecture.hidden();
    let bucket = (pieces.len() - 2) * architecture.outputs() / 31;
    let mut sum = 0_i64;
    for (perspective, row) in [turn, !turn].into_iter().zip(2 * bucket..) {
        let king = pieces.iter().find(|(piece, _)| *piece == Piece::new(PieceType::King, perspective)).unwrap().1;
        let view = architecture.view(perspective, king);
        for neuron in 0..hidden {
            let inputs = pieces.iter().map(|&(piece, square)| view.input(piece, square));
            let weighted: i64 = inputs.map(|input| i64::from(weights.input[input * hidden + neuron])).sum();
            let value = (weighted + i64::from(weights.hidden_bias[neuron])).clamp(0, 255);
            sum += value * value * i64::from(weights.output[row * hidden + neuron]);
        }
    }
    let most = i64::from(ORDINARY_MAX.0);
    ((sum / 255 + i64::from(weights.output_bias[bucket])) * 400 / (255 * 64)).clamp(-most, most) as i32
}

/// Some of the starts, and boards that are illegal without the e7 rook, the g2 knight and the pawn.
const EXPLAINED: [&str; 7] = [
    STARTS[0],
    STARTS[1],
    STARTS[2],
    STARTS[4],
    "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
    "k7/1n6/8/3B4/4b3/8/6N1/7K b - - 0 1",
    "8/8/1k6/2p5/8/4B3/8/4K3 w - - 0 1",
];

#[test]
fn worths_are_what_the_value_loses_without_the_piece() {
    for network in NETWORKS.iter() {
        for fen in EXPLAINED {
            let position: Position = fen.parse().unwrap();
            let pieces: Vec<(Piece, Square)> = position.placement().map(|(square, piece)| (piece, square)).collect();
            let with = by_definition(network, &pieces, position.turn());
            assert_eq!(with, network.evaluate(&position).0, "{fen}");
            let worths = network.explain(&position);
            assert_eq!(worths.iter().map(|it| (it.piece, it.square)).collect::<Vec<_>>(), pieces, "{fen}");
            for (index, it) in worths.into_iter().enumerate() {
                let mut fewer = pieces.clone();
                fewer.remove(index);
                let expected = (it.piece.piece_type() != PieceType::King).then(|| {
                    let difference = with - by_definition(network, &fewer, position.turn());
                    Value(if position.turn().is_white() { difference } else { -difference })
                });
                assert_eq!(it.value, expected, "{fen}: {}", it.square);
            }
        }
    }
}

/// The same boards without the piece, set up as positions where that is possible.
#[test]
fn worths_agree_with_positions_that_lack_the_piece() {
    let mut refused = 0;
    for network in NETWORKS.iter() {
        for fen in EXPLAINED {
            let position: Position = fen.parse().unwrap();
            let white = |position: &Position| {
                let value = network.evaluate(position).0;
                if position.turn().is_white() { value } else { -value }
            };
            for it in network.explain(&position) {
                let Some(worth) = it.value else { continue };
                let mut setup = position.to_setup();
                setup.board[it.square.index()] = None;
                match setup.validate(Tolerance::ALL) {
                    Ok(without) => assert_eq!(worth.0, white(&position) - white(&without), "{fen}: {}", it.square),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert_eq!(refused, 2 * 3, "the illegal boards of EXPLAINED");
}

#[test]
fn mirrored_positions_have_mirrored_worths() {
    for network in NETWORKS.iter() {
        for fen in EXPLAINED {
            let position: Position = fen.parse().unwrap();
            let mut there = network.explain(&position.flipped());
            there.iter_mut().for_each(|it| {
                *it = PieceContribution {
                    square: it.square.flip_rank(),
                    piece: Piece::new(it.piece.piece_type(), !it.piece.color()),
                    value: it.value.map(|worth| -worth),
                };
            });
            there.sort_by_key(|it| it.square);
            assert_eq!(network.explain(&position), there, "{fen}");
        }
    }
}

#[test]
fn files_keep_everything() {
    for network in NETWORKS.iter() {
        assert_eq!(Network::from_bytes(&network.to_bytes()).as_ref(), Ok(&**network));
    }
}

#[test]
fn files_of_others_are_named() {
    let bytes = NETWORKS[0].to_bytes();
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        Network::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(Network::from_bytes(b""), Err(NetworkError::Magic));
    assert_eq!(with(0, b'X'), NetworkError::Magic);
    assert_eq!(with(7, b'9').to_string(), "network file of format '09', expected '01'");
    assert_eq!(with(8, 31).to_string(), "unsupported architecture: the number of hidden neurons");
    assert!(matches!(with(8, 64), NetworkError::Length { .. }));
    assert!(matches!(with(bytes.len() - 1, bytes[bytes.len() - 1] ^ 1), NetworkError::Checksum { .. }));
    assert!(matches!(Network::from_bytes(&bytes[..50]), Err(NetworkError::Length { found: 50, .. })));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let architecture = Architecture::plain(32).unwrap();
    let weights = NETWORKS[0].weights();
    let network = |weights: &NetworkWeights| {
        Network::new(architecture.clone(), Quantisation::USUAL, weights, NetworkOrigin::default()).unwrap_err()
    };
    let too_large = NetworkWeights { input: vec![1_024; weights.input.len()], ..weights.clone() };
    assert_eq!(network(&too_large), NetworkError::Weights("the weights of the inputs"));
    let too_large = NetworkWeights { output: vec![129; weights.output.len()], ..weights.clone() };
    assert_eq!(network(&too_large), NetworkError::Weights("the weights of the outputs"));
    let too_large = NetworkWeights { output_bias: vec![i32::MIN], ..weights };
    assert_eq!(network(&too_large), NetworkError::Weights("the weights of an output together"));
}
