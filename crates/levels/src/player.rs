//! The player.

use crate::Rating;
use crate::calculation::{Calculation, Candidate, Horizon};
use crate::chance::chance;
use crate::difficulty::Scene;
use crate::habits;
use crate::opinion::Opinion;
use crate::oversight::Oversight;
use crate::skill::Skill;
use crate::technique;
use bartizan_position::{Game, Position};
use bartizan_types::{Move, PieceType, Square};

/// How to find the move of a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// The player plays this move.
    Play {
        /// A legal move.
        mv: Move,
        /// How hard the choice was: 0 for a forced move, 1 for one among many of similar value.
        difficulty: f64,
    },
    /// An ordinary search finds it.
    Search {
        /// The limit of its nodes.
        nodes: u64,
        /// The standard deviation of the errors of its evaluation, in internal centipawns; 0 for none.
        error: u32,
        /// The only moves to search, in no particular order; all if empty.
        moves: Vec<Move>,
        /// An estimate of how hard the choice is, as that of [`Plan::Play`].
        difficulty: f64,
    },
}

/// A player of limited strength, for one game.
///
/// The same seed, rating and game give the same plan. Another seed is another person of the same strength: one that
/// overlooks, likes and prefers other moves.
#[derive(Clone, Debug)]
pub struct Player {
    rating: Rating,
    seed: u64,
    skill: Skill,
    opinion: Opinion,
}

impl Player {
    /// The rating from which on the player searches instead of calculating.
    const SEARCHES_FROM: u32 = 2_000;

    /// A player for a new game.
    pub fn new(rating: Rating, seed: u64) -> Self {
        let skill = Skill::of(rating);
        Self { rating, seed, skill, opinion: Opinion::new(&skill, seed) }
    }

    /// The rating.
    pub fn rating(&self) -> Rating {
        self.rating
    }

    /// The seed of the player's choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How to find a move at the end of a game; `None` if no move is legal. A calculation asks `is_late` every some 100
    /// microseconds whether it must end; the plan then depends on the speed of the machine.
    pub fn plan(&self, game: &Game, is_late: &dyn Fn() -> bool) -> Option<Plan> {
        let position = game.position();
        let moves = position.legal_moves();
        let &first = moves.first()?;
        if moves.len() == 1 {
            return Some(Plan::Play { mv: first, difficulty: 0.0 });
        }
        if let Some(nodes) = technique::nodes(position, self.rating) {
            return Some(Plan::Search { nodes, error: 0, moves: Vec::new(), difficulty: 0.3 });
        }
        if self.rating.elo() >= Self::SEARCHES_FROM {
            return Some(self.search(game, &moves));
        }
        let moves: Vec<Move> = moves.iter().copied().filter(|&mv| !is_odd_promotion(position, mv)).collect();
        self.calculate(game, &moves, is_late)
    }

    /// An ordinary search of the player's strength, among given moves.
    pub fn search_among(&self, moves: Vec<Move>) -> Plan {
        self.ordinary_search(moves, 0.5)
    }

    fn ordinary_search(&self, moves: Vec<Move>, difficulty: f64) -> Plan {
        let error = self.skill.search_error.round() as u32;
        Plan::Search { nodes: self.skill.nodes(), error, moves, difficulty }
    }

    /// The plan of a strong player: a search that leaves out the moves which the player overlooks.
    fn search(&self, game: &Game, moves: &[Move]) -> Plan {
        let position = game.position();
        let oversight = Oversight::new(&self.skill, self.seed, position.game_ply());
        let scene = Scene::new(position, last(game), moves);
        let is_seen = |&mv: &Move| {
            let is_mate = || position.gives_check(mv) && position.play_unchecked(mv).is_checkmate();
            let overlooks =
                position.piece_type_at(mv.from()).is_some_and(|piece| oversight.overlooks(&scene, piece, mv, 0));
            !(overlooks || is_mate() && oversight.overlooks_end(position.key_after(mv)))
        };
        let seen: Vec<Move> = moves.iter().copied().filter(is_seen).collect();
        let difficulty = if moves.iter().any(|&mv| scene.is_recapture(mv)) { 0.2 } else { 0.5 };
        let moves = if seen.len() == moves.len() { Vec::new() } else { seen };
        self.ordinary_search(moves, difficulty)
    }

    /// The plan of a player who calculates.
    fn calculate(&self, game: &Game, moves: &[Move], is_late: &dyn Fn() -> bool) -> Option<Plan> {
        let position = game.position();
        let subject = position.key().0 ^ u64::from(position.game_ply());
        let whole = |amount: f64, what: u64| {
            let more = chance(self.seed ^ what, subject) < amount.fract();
            amount.trunc() as usize + usize::from(more)
        };
        let horizon = Horizon { plies: whole(self.skill.plies, 1).max(1), captures: whole(self.skill.captures, 2) };
        let temperature = self.skill.temperature.max(0.5);
        let liking = |mv| (self.skill.habit * f64::from(habits::preference(game, mv))) as i32;
        let choices = moves.iter().map(|&mv| Candidate::new(mv, liking(mv), repeats(game, mv))).collect();
        let margin = (4.0 * temperature) as i32;
        let oversight = Oversight::new(&self.skill, self.seed, position.game_ply());
        let mut candidates = Calculation::new(position.turn(), &self.opinion, oversight, horizon, is_late).candidates(
            position,
            choices,
            last(game),
            margin,
        );
        let best = candidates.iter().map(Candidate::total).max()?;
        // Of the others only a bound is known.
        candidates.retain(|candidate| candidate.total() > best - margin);
        let weight = |candidate: &Candidate| (f64::from(candidate.total() - best) / temperature).exp();
        let total: f64 = candidates.iter().map(weight).sum();
        let mut left = total * chance(self.seed ^ 3, subject);
        let chosen = candidates.iter().find(|candidate| {
            left -= weight(candidate);
            left <= 0.0
        });
        let chosen = chosen.or(candidates.first())?;
        let entropy: f64 =
            -candidates.iter().map(|candidate| weight(candidate) / total).map(|p| p * p.max(1e-9).ln()).sum::<f64>();
        Some(Plan::Play { mv: chosen.mv, difficulty: (entropy / 2.0).clamp(0.0, 1.0) })
    }
}

/// Where the last move of a game went, and whether it captured.
fn last(game: &Game) -> Option<(Square, bool)> {
    let mv = game.last_move()?;
    let before = game.positions().rev().nth(1)?;
    Some((mv.destination(), before.is_capture(mv)))
}

/// Whether a move promotes to a rook or bishop, or to a knight without check.
fn is_odd_promotion(position: &Position, mv: Move) -> bool {
    match mv.promotes_to() {
        None | Some(PieceType::Queen) => false,
        Some(PieceType::Knight) => !position.gives_check(mv),
        // A rook is right only where a queen would stalemate.
        Some(_) => {
            let queen = Move::promotion(mv.from(), mv.to(), PieceType::Queen);
            !position.play(queen).is_ok_and(|next| next.is_stalemate())
        }
    }
}

/// Whether the position after a move has occurred in the game.
fn repeats(game: &Game, mv: Move) -> bool {
    let key = game.position().key_after(mv);
    let reversible = usize::from(game.position().halfmove_clock());
    game.keys().iter().rev().take(reversible + 1).any(|known| known == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_testkit::random_positions;

    const RATINGS: [u32; 6] = [600, 1_000, 1_400, 1_800, 2_200, 2_800];

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for mv in moves {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
        }
        game
    }

    /// The moves that players of a rating with these seeds choose by calculation.
    fn choices(rating: u32, game: &Game, seeds: std::ops::Range<u64>) -> Vec<String> {
        let chosen = |seed| match Player::new(Rating::new(rating), seed).plan(game, &|| false) {
            Some(Plan::Play { mv, .. }) => mv.to_uci(bartizan_types::Variant::Standard).to_string(),
            other => panic!("{other:?}"),
        };
        seeds.map(chosen).collect()
    }

    fn share(choices: &[String], wanted: &str) -> f64 {
        choices.iter().filter(|&choice| choice == wanted).count() as f64 / choices.len() as f64
    }

    #[test]
    fn every_plan_is_legal_and_repeatable() {
        for (index, position) in random_positions(58).take(400).enumerate() {
            let game = Game::new(position);
            let rating = Rating::new(RATINGS[index % RATINGS.len()]);
            let player = Player::new(rating, index as u64);
            let plan = player.plan(&game, &|| false);
            assert_eq!(plan, Player::new(rating, index as u64).plan(&game, &|| false));
            let is_over = !game.position().has_legal_move();
            match plan {
                None => assert!(is_over),
                Some(Plan::Play { mv, difficulty }) => {
                    assert!(game.position().is_legal(mv) && (0.0..=1.0).contains(&difficulty));
                }
                Some(Plan::Search { nodes, moves, difficulty, .. }) => {
                    assert!(nodes > 0 && (0.0..=1.0).contains(&difficulty));
                    assert!(moves.iter().all(|&mv| game.position().is_legal(mv)));
                }
            }
        }
    }

    #[test]
    fn the_same_position_gives_different_moves_in_different_games() {
        for rating in [600, 1_200, 1_900] {
            let mut moves = choices(rating, &Game::default(), 0..40);
            moves.sort_unstable();
            moves.dedup();
            assert!(moves.len() >= 3, "{rating}: {moves:?}");
        }
    }

    #[test]
    fn a_recapture_is_found_at_every_level() {
        let start = "rnbqkb1r/ppp2ppp/4pn2/3p4/3P4/2N1PN2/PPP2PPP/R1BQKB1R b KQkq - 0 1";
        let game = game(start, &["f8b4", "a2a3", "b4c3"]);
        for rating in [600, 800, 1_200, 1_800] {
            let share = share(&choices(rating, &game, 0..50), "b2c3");
            assert!(share >= 0.95, "{rating}: {share}");
        }
    }

    #[test]
    fn the_chance_to_take_a_piece_grows_with_the_level() {
        // The bishop on f4 is free.
        let game = game("rn1qk1nr/ppp2ppp/4p3/8/3P1b2/5N2/PPP2PPP/R1BQKB1R w KQkq - 0 1", &[]);
        let shares: Vec<f64> =
            [600, 1_000, 1_400, 1_900].map(|rating| share(&choices(rating, &game, 0..100), "c1f4")).into();
        assert!(shares[0] > 0.4 && shares[3] > 0.9, "{shares:?}");
        assert!(shares[0] < shares[3], "{shares:?}");
    }

    #[test]
    fn strong_players_miss_fewer_mates() {
        let mate = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &[]);
        let [weak, strong] = [700, 1_900].map(|rating| share(&choices(rating, &mate, 0..100), "d1d8"));
        assert!((0.1..0.9).contains(&weak) && strong > 0.6 && weak < strong, "{weak} {strong}");
    }

    #[test]
    fn nobody_promotes_to_a_rook_by_accident() {
        let game = game("8/P6k/8/8/8/8/7K/1r6 w - - 0 1", &[]);
        for rating in [600, 900, 1_500] {
            let odd = |mv: &String| mv.starts_with("a7a8") && !mv.ends_with('q');
            assert!(!choices(rating, &game, 0..60).iter().any(odd));
        }
    }

    #[test]
    fn won_endings_are_searched_from_the_level_that_knows_them() {
        let is_searched = |fen: &str, rating| {
            matches!(
                Player::new(Rating::new(rating), 1).plan(&game(fen, &[]), &|| false),
                Some(Plan::Search { error: 0, .. })
            )
        };
        let (rook, pawn) = ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
        assert_eq!([999, 1_000].map(|rating| is_searched(rook, rating)), [false, true]);
        assert_eq!([1_199, 1_200].map(|rating| is_searched(pawn, rating)), [false, true]);
    }

    #[test]
    fn strong_players_leave_moves_out_of_their_search() {
        let game = game("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", &[]);
        let left_out = |rating: u32| -> usize {
            let all = game.position().legal_moves().len();
            let of = |seed| match Player::new(Rating::new(rating), seed).plan(&game, &|| false) {
                Some(Plan::Search { moves, .. }) if !moves.is_empty() => all - moves.len(),
                Some(Plan::Search { .. }) => 0,
                other => panic!("{other:?}"),
            };
            (0..200).map(of).sum()
        };
        assert!(left_out(2_000) > left_out(2_600) && left_out(2_600) > 0);
        assert_eq!(left_out(3_000), 0);
    }
}
