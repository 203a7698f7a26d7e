//! Random positions of games.

use crate::GameIdentity;
use bartizan_notation::epd::{Epd, Operation};
use bartizan_notation::pgn::PgnGame;
use bartizan_position::{Game, MoveGenStage, Position};
use bartizan_types::{GameResult, Key, PieceType, SplitMix64};
use std::ops::{Range, RangeInclusive};

/// How to choose positions from a game.
///
/// ```
/// use bartizan_games::Sampling;
/// use bartizan_notation::pgn::PgnReader;
///
/// let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0";
/// let game = PgnReader::new(text.as_bytes()).next().expect("a game")?;
/// let sampling = Sampling { plies: 2..=9, distance: 4, per_game: 2, ..Sampling::default() };
/// let samples = sampling.of_game(&game);
/// assert_eq!(samples.len(), 2);
/// assert!(samples[1].ply - samples[0].ply >= 4);
/// assert!(samples[0].epd().to_string().ends_with("c9 \"1-0\";"));
/// # Ok::<(), bartizan_notation::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// The number of plies of the game before a position.
    pub plies: RangeInclusive<usize>,
    /// The minimum distance between two positions of a game, in plies.
    pub distance: usize,
    /// The maximum distance from a position to the next one of the same game, in plies; `None` without a limit.
    pub max_distance: Option<usize>,
    /// The maximum number of positions from one game.
    pub per_game: usize,
    /// Whether to play a random legal move after the position of the game.
    pub random_move: bool,
    /// Whether to take only quiet positions: see [`is_quiet`].
    pub quiet: bool,
    /// The numbers of men, kings and pawns included.
    pub men: RangeInclusive<u32>,
    /// The phases: see [`phase`].
    pub phases: RangeInclusive<u32>,
    /// The seed. Together with the moves of a game it decides which positions are taken.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            plies: 0..=usize::MAX,
            distance: 1,
            max_distance: None,
            per_game: 1,
            random_move: false,
            quiet: false,
            men: 2..=32,
            phases: 0..=u32::MAX,
            seed: 1,
        }
    }
}

/// A position from a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledPosition {
    /// The position.
    pub position: Position,
    /// The number of plies of the game before it. A random move is not counted.
    pub ply: usize,
    /// The game.
    pub game: GameIdentity,
    /// The result of the game.
    pub result: GameResult,
}

impl SampledPosition {
    /// The position with the game as `id`, and its result as `c9` if known: the form that the tuner reads.
    pub fn epd(&self) -> Epd {
        let operation = |opcode: &str, operand| Operation { opcode: opcode.to_owned(), operands: vec![operand] };
        let mut epd = Epd::new(self.position.clone());
        // 64 of the 128 bits suffice to distinguish the games of a training set.
        epd.set(operation("id", format!("{:016x}", self.game.0 as u64)));
        if self.result != GameResult::Unknown {
            epd.set(operation("c9", self.result.as_str().to_owned()));
        }
        epd
    }
}

impl Sampling {
    /// Chooses positions of a game, in the order of play. Positions in which the game is over are never chosen.
    pub fn of_game(&self, game: &PgnGame) -> Vec<SampledPosition> {
        let identity = GameIdentity::of(game);
        // A random sequence per game, which depends neither on the other games nor on their order.
        let mut random = SplitMix64::stream(self.seed, identity.0 as u64);
        let positions = positions(game);
        let take = |ply: usize, random: &mut SplitMix64| {
            let position = self.after(positions.get(ply)?.as_ref()?, random)?;
            let sample = SampledPosition { position, ply, game: identity, result: game.result };
            self.takes(&sample.position).then_some(sample)
        };
        let plies = *self.plies.start()..(*self.plies.end()).min(positions.len().saturating_sub(1)).saturating_add(1);
        let mut samples = match self.max_distance {
            None => self.spread(plies, &mut random, take),
            Some(most) => self.chain(plies, most, &mut random, take),
        };
        samples.sort_by_key(|sample| sample.ply);
        samples
    }

    /// Takes plies in random order, as long as they are far enough apart.
    fn spread(
        &self,
        plies: Range<usize>,
        random: &mut SplitMix64,
        take: impl Fn(usize, &mut SplitMix64) -> Option<SampledPosition>,
    ) -> Vec<SampledPosition> {
        let mut samples: Vec<SampledPosition> = Vec::new();
        for ply in shuffled(plies, random) {
            if samples.len() >= self.per_game {
                break;
            }
            if samples.iter().all(|sample| sample.ply.abs_diff(ply) >= self.distance) {
                samples.extend(take(ply, random));
            }
        }
        samples
    }

    /// Takes a random ply, then further ones before the first and behind the last that are neither too close to it nor
    /// too far from it.
    fn chain(
        &self,
        plies: Range<usize>,
        most: usize,
        random: &mut SplitMix64,
        take: impl Fn(usize, &mut SplitMix64) -> Option<SampledPosition>,
    ) -> Vec<SampledPosition> {
        let starts = shuffled(plies.clone(), random);
        let Some(start) = starts.into_iter().find_map(|ply| take(ply, random)).filter(|_| self.per_game > 0) else {
            return Vec::new();
        };
        let (mut first, mut last) = (start.ply, start.ply);
        let mut samples = vec![start];
        let least = self.distance.max(1);
        while samples.len() < self.per_game {
            let before = first.saturating_sub(most).max(plies.start)..first.saturating_sub(least).saturating_add(1);
            let before = if first >= least { before } else { 0..0 };
            let behind = last.saturating_add(least)..last.saturating_add(most).saturating_add(1).min(plies.end);
            let mut candidates: Vec<usize> = before.chain(behind).collect();
            random.shuffle(&mut candidates);
            let Some(sample) = candidates.into_iter().find_map(|ply| take(ply, random)) else { break };
            (first, last) = (first.min(sample.ply), last.max(sample.ply));
            samples.push(sample);
        }
        samples
    }

    /// The position to take instead of one of the game.
    fn after(&self, position: &Position, random: &mut SplitMix64) -> Option<Position> {
        if !self.random_move {
            return Some(position.clone());
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.below(moves.len())]).ok()
    }

    fn takes(&self, position: &Position) -> bool {
        self.men.contains(&position.occupied().count())
            && self.phases.contains(&phase(position))
            && position.has_legal_move()
            && !position.is_insufficient_material()
            && (!self.quiet || is_quiet(position))
    }
}

fn shuffled(plies: Range<usize>, random: &mut SplitMix64) -> Vec<usize> {
    let mut plies: Vec<usize> = plies.collect();
    random.shuffle(&mut plies);
    plies
}

/// The positions of a game from the first on; `None` where the game is drawn by repetition or a counter.
fn positions(game: &PgnGame) -> Vec<Option<Position>> {
    let mut played = Game::new(game.start.clone());
    let at = |played: &Game| played.outcome().is_none().then(|| played.position().clone());
    let mut positions = vec![at(&played)];
    for mv in &game.moves {
        if played.push(mv.mv).is_err() {
            break;
        }
        positions.push(at(&played));
    }
    positions
}

/// Whether the side to move is not in check, and no capture or promotion gains material by static exchange.
pub fn is_quiet(position: &Position) -> bool {
    !position.in_check() && !position.moves(MoveGenStage::Captures).into_iter().any(|mv| position.see_ge(mv, 1))
}

/// The phase of a position: 24 with all pieces on the board, 0 without any. Queens count 4, rooks 2, bishops and
/// knights 1. Promoted pieces can increase it.
pub fn phase(position: &Position) -> u32 {
    let weights = [(PieceType::Queen, 4), (PieceType::Rook, 2), (PieceType::Bishop, 1), (PieceType::Knight, 1)];
    weights.into_iter().map(|(piece, weight)| weight * position.by_type(piece).count()).sum()
}

/// A set of seen positions in constant memory (32 MiB): a Bloom filter (Burton Bloom, "Space/Time Trade-offs in Hash
/// Coding with Allowable Errors", 1970).
///
/// A seen position is always recognised. A new one is mistaken for a seen one with a small probability: 0.04 % after
/// ten million positions, 2 % after thirty million.
#[derive(Clone, Debug)]
pub struct SeenPositions {
    words: Vec<u64>,
}

impl SeenPositions {
    const BITS: usize = 1 << 28;
    const HASHES: u64 = 4;

    /// No position has been seen.
    pub fn new() -> Self {
        Self { words: vec![0; Self::BITS / 64] }
    }

    /// Adds a position. Returns whether it is new. Counters are ignored.
    pub fn see(&mut self, key: Key) -> bool {
        let mut random = SplitMix64::new(key.0);
        let mut is_new = false;
        for _ in 0..Self::HASHES {
            let bit = random.next_u64() as usize % Self::BITS;
            let (word, mask) = (&mut self.words[bit / 64], 1 << (bit % 64));
            is_new |= *word & mask == 0;
            *word |= mask;
        }
        is_new
    }
}

impl Default for SeenPositions {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A random game with a random result.
    fn game(seed: u64, plies: usize) -> PgnGame {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::default();
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            game.push(mv).unwrap();
        }
        let result = [GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown][random.below(3)];
        let mut game = PgnGame::from(&game);
        game.result = result;
        game
    }

    fn key(position: &Position) -> String {
        position.to_fen()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn samples_are_positions_of_the_game(
            seed: u64, plies in 0_usize..200, least in 0_usize..40, distance in 0_usize..30, per_game in 0_usize..9,
        ) {
            let game = game(seed, plies);
            let sampling = Sampling { plies: least..=150, distance, per_game, seed, ..Sampling::default() };
            let samples = sampling.of_game(&game);
            prop_assert!(samples.len() <= per_game);
            let mut positions = vec![game.start.clone()];
            for played in &game.moves {
                positions.push(positions.last().unwrap().play(played.mv).unwrap());
            }
            for sample in &samples {
                prop_assert_eq!(key(&sample.position), key(&positions[sample.ply]));
                prop_assert!(sampling.plies.contains(&sample.ply));
                prop_assert_eq!(sample.result, game.result);
                prop_assert!(sample.position.has_legal_move());
            }
            for pair in samples.windows(2) {
                prop_assert!(pair[0].ply < pair[1].ply && pair[1].ply - pair[0].ply >= distance);
            }
            prop_assert_eq!(sampling.of_game(&game), samples);
        }

        #[test]
        fn a_maximum_distance_makes_a_chain(
            seed: u64, plies in 0_usize..200, distance in 0_usize..12, more in 0_usize..9, per_game in 0_usize..20,
        ) {
            let game = game(seed, plies);
            let sampling = Sampling {
                plies: 5..=120, distance, max_distance: Some(distance + more), per_game, seed, ..Sampling::default()
            };
            let samples = sampling.of_game(&game);
            prop_assert!(samples.len() <= per_game);
            prop_assert!(samples.iter().all(|sample| sampling.plies.contains(&sample.ply)));
            for pair in samples.windows(2) {
                let gap = pair[1].ply - pair[0].ply;
                prop_assert!(gap >= distance.max(1) && gap <= distance + more, "{gap}");
            }
            // Without further conditions, the chain fills the game.
            let most = distance.max(1) + more;
            if let (Some(first), Some(last)) = (samples.first(), samples.last())
                && samples.len() < per_game && more >= 2
            {
                prop_assert!(first.ply < 5 + most && last.ply + most > 120.min(game.moves.len()) - 2, "{samples:?}");
            }
        }

        #[test]
        fn a_random_move_follows_the_position(seed: u64, plies in 0_usize..120) {
            let game = game(seed, plies);
            let sampling = Sampling { random_move: true, per_game: 3, seed, ..Sampling::default() };
            let mut position = game.start.clone();
            let mut positions = vec![position.clone()];
            for played in &game.moves {
                position = position.play(played.mv).unwrap();
                positions.push(position.clone());
            }
            for sample in sampling.of_game(&game) {
                let before = &positions[sample.ply];
                let reached = before.legal_moves().into_iter().map(|mv| before.play(mv).unwrap());
                prop_assert!(reached.into_iter().any(|after| key(&after) == key(&sample.position)));
            }
        }

        #[test]
        fn conditions_hold(seed: u64, men in 2_u32..32, phase_least in 0_u32..24) {
            let game = game(seed, 160);
            let sampling = Sampling {
                per_game: 9, quiet: true, men: men..=32, phases: phase_least..=24, seed, ..Sampling::default()
            };
            for sample in sampling.of_game(&game) {
                prop_assert!(is_quiet(&sample.position) && !sample.position.in_check());
                prop_assert!(sample.position.occupied().count() >= men);
                prop_assert!(phase(&sample.position) >= phase_least);
            }
        }
    }

    #[test]
    fn quiet_positions_have_no_winning_capture() {
        let quiet = |fen| is_quiet(&Position::from_fen(fen).unwrap());
        assert!(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A hanging queen, a defended pawn, a promotion, and a check.
        assert!(!quiet("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"));
        assert!(quiet("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1"));
        assert!(!quiet("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
    }

    #[test]
    fn the_result_and_castling_are_kept() {
        let mut game = game(5, 20);
        for (result, end) in [(GameResult::Draw, "c9 \"1/2-1/2\";"), (GameResult::Unknown, "\";")] {
            game.result = result;
            let epd = Sampling { plies: 0..=3, ..Sampling::default() }.of_game(&game)[0].epd().to_string();
            assert!(epd.ends_with(end) && epd.contains(" KQkq "), "{epd}");
            assert_eq!(epd.contains("c9"), result != GameResult::Unknown);
        }
    }

    #[test]
    fn a_phase_is_24_at_the_start() {
        assert_eq!(phase(&Position::startpos()), 24);
        assert_eq!(phase(&Position::from_fen("4k3/8/8/8/8/8/4P3/4KQ2 w - - 0 1").unwrap()), 4);
    }

    #[test]
    fn a_seen_position_is_never_new() {
        let mut seen = SeenPositions::new();
        let mut random = SplitMix64::new(1);
        let keys: Vec<Key> = (0..100_000).map(|_| Key(random.next_u64())).collect();
        assert_eq!(keys.iter().filter(|&&key| seen.see(key)).count(), keys.len());
        assert!(!keys.iter().any(|&key| seen.see(key)));
    }
}
