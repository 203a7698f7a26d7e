//! The calculation of a player: a plain alpha-beta search of few plies, which leaves out what the player overlooks.

use crate::difficulty::Scene;
use crate::opinion::Opinion;
use crate::oversight::Oversight;
use bartizan_position::{Position, SEE_VALUES};
use bartizan_types::{Color, Move, PieceType, Ply, Square, Value};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// Plies, the first move included.
    pub(crate) plies: usize,
    /// Captures in a row after that.
    pub(crate) captures: usize,
}

/// A move on the board with what the player thinks of it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// For the side to move, in internal centipawns; of a move that is far worse than the best, an upper bound.
    pub(crate) value: i32,
    /// What the player likes about it beyond that, in centipawns.
    pub(crate) liking: i32,
    /// Whether it repeats a position of the game.
    pub(crate) repeats: bool,
}

impl Candidate {
    /// A move that is not calculated yet.
    pub(crate) fn new(mv: Move, liking: i32, repeats: bool) -> Self {
        Self { mv, value: 0, liking, repeats }
    }

    /// The value and what the player likes beyond it.
    pub(crate) fn total(&self) -> i32 {
        self.value + self.liking
    }
}

/// A search.
pub(crate) struct Calculation<'a> {
    us: Color,
    opinion: &'a Opinion,
    oversight: Oversight<'a>,
    horizon: Horizon,
    /// Whether the player must move.
    is_late: &'a dyn Fn() -> bool,
    nodes: u64,
    /// Whether the nodes or the time have run out, so that the values of this depth are of no use.
    is_over: bool,
    /// The last quiet move at each ply that was too good for the opponent.
    killers: Vec<Option<Move>>,
    /// How often a quiet move, by its squares, was too good for the opponent.
    refutations: Box<[[i32; Square::COUNT]; Square::COUNT]>,
}

/// The last move: where it went, and whether it captured.
type Last = Option<(Square, bool)>;

impl<'a> Calculation<'a> {
    /// The nodes after which the player stops looking deeper.
    const MOST_NODES: u64 = 30_000;
    /// The nodes between two looks at the clock, which take some 100 microseconds.
    const PER_CHECK: u64 = 128;
    /// How many plies a line may be extended by checks.
    const CHECK_EXTENSIONS: usize = 2;
    /// What a quiet last move may gain at most, in centipawns.
    const HOPE: i32 = 150;
    /// How much worse than a draw a repetition seems, in centipawns.
    const REPETITION: i32 = 20;
    /// How many of its own moves the player looks at after the opponent's reply.
    const BREADTH: usize = 10;
    /// The longest line.
    const LONGEST: usize = 40;

    pub(crate) fn new(
        us: Color,
        opinion: &'a Opinion,
        oversight: Oversight<'a>,
        horizon: Horizon,
        is_late: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            us,
            opinion,
            oversight,
            horizon,
            is_late,
            nodes: 0,
            is_over: false,
            killers: vec![None; Self::LONGEST],
            refutations: Box::new([[0; Square::COUNT]; Square::COUNT]),
        }
    }

    /// The moves that the player considers, best first. The values of those within `margin` centipawns of the best are
    /// exact. `choices` are the moves to choose from.
    pub(crate) fn candidates(
        &mut self,
        position: &Position,
        choices: Vec<Candidate>,
        last: Last,
        margin: i32,
    ) -> Vec<Candidate> {
        let moves: Vec<Move> = choices.iter().map(|choice| choice.mv).collect();
        let scene = Scene::new(position, last, &moves);
        let mut candidates = choices.clone();
        candidates.retain(|candidate| !self.is_overlooked(&scene, position, candidate.mv, 0));
        if candidates.is_empty() {
            let easiest = easiest(&scene, &moves);
            candidates.extend(choices.into_iter().filter(|choice| Some(choice.mv) == easiest));
        }
        // Each look orders the moves for the next, deeper one.
        for depth in 0..self.horizon.plies {
            let mut best = -Value::INFINITE.0;
            let before = candidates.clone();
            for candidate in &mut candidates {
                let next = position.play_unchecked(candidate.mv);
                let least = (best - margin - candidate.liking).max(-Value::INFINITE.0);
                let after = after(position, candidate.mv);
                candidate.value = -self.value(&next, after, depth, 1, -Value::INFINITE.0, -least);
                if candidate.repeats {
                    // Nobody repeats a position by accident, unless there is nothing better than a draw.
                    candidate.value = candidate.value.min(0) - Self::REPETITION;
                }
                best = best.max(candidate.total());
            }
            if self.is_over && depth > 0 {
                // Values of different depths cannot be compared.
                return before;
            }
            candidates.sort_by_key(|candidate| -candidate.total());
        }
        candidates
    }

    fn is_overlooked(&self, scene: &Scene<'_>, position: &Position, mv: Move, ply: usize) -> bool {
        position.piece_type_at(mv.from()).is_some_and(|piece_type| self.oversight.overlooks(scene, piece_type, mv, ply))
    }

    /// The value of a position that is `ply` plies from the board, for the side to move.
    fn value(&mut self, position: &Position, last: Last, depth: usize, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let most = self.horizon.plies + Self::CHECK_EXTENSIONS;
        let depth = if depth == 0 && position.in_check() && ply < most && self.horizon.plies > 1 { 1 } else { depth };
        if depth == 0 || ply + 1 >= Self::LONGEST || self.is_over {
            return self.captures(position, last, self.horizon.captures, ply, alpha, beta);
        }
        self.count();
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return self.end(position, ply);
        }
        let in_check = position.in_check();
        let standing = if in_check { None } else { Some(self.opinion.value(position, self.us)) };
        if let Some(value) = self.pass(position, standing, depth, ply, beta) {
            return value;
        }
        let scene = Scene::new(position, last, &moves);
        let killer = self.killers[ply];
        moves.sort_by_cached_key(|&mv| {
            // Of ordinary moves, those that are easy to see come first.
            let urgency = self.urgency(position, mv, killer);
            -urgency * 100 + if urgency == 0 { (100.0 * scene.difficulty(mv)) as i32 } else { 0 }
        });
        let breadth = if ply >= 2 && ply.is_multiple_of(2) { Self::BREADTH } else { usize::MAX };
        let mut looked_at = 0;
        let mut best = -Value::INFINITE.0;
        for index in 0..=moves.len() {
            // If all moves are overlooked, the most visible one remains.
            let mv = match moves.get(index) {
                Some(_) if looked_at >= breadth => break,
                Some(&mv) if self.is_overlooked(&scene, position, mv, ply) => continue,
                Some(&mv) => mv,
                None if looked_at > 0 => break,
                None => match easiest(&scene, &moves) {
                    Some(mv) => mv,
                    None => break,
                },
            };
            looked_at += 1;
            if let Some(standing) = standing
                && depth == 1
                && best > -Value::MATE_BOUND.0
                && standing + Self::HOPE <= alpha
                && !position.is_tactical(mv)
                && !position.gives_check(mv)
            {
                best = best.max(standing + Self::HOPE);
                continue;
            }
            let next = position.play_unchecked(mv);
            let last = after(position, mv);
            // A null window shows whether a later move is better at all.
            let mut value = if looked_at > 1 && beta > alpha + 1 {
                -self.value(&next, last, depth - 1, ply + 1, -alpha - 1, -alpha)
            } else {
                beta
            };
            if value > alpha {
                value = -self.value(&next, last, depth - 1, ply + 1, -beta, -alpha);
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                }
                if value >= beta {
                    if !position.is_capture(mv) {
                        self.killers[ply] = Some(mv);
                        let refuted = &mut self.refutations[mv.from().index()][mv.to().index()];
                        *refuted = (*refuted + 1 + (depth * depth) as i32).min(8_000);
                    }
                    break;
                }
            }
        }
        best
    }

    /// The value if the side to move is so far ahead that the opponent could even move twice.
    fn pass(&mut self, position: &Position, standing: Option<i32>, depth: usize, ply: usize, beta: i32) -> Option<i32> {
        let pieces = position.occupied() & !position.by_type(PieceType::Pawn) & !position.by_type(PieceType::King);
        if depth < 2 || standing? < beta || !pieces.intersects(position.color(position.turn())) {
            return None;
        }
        let next = position.play_null()?;
        let value = -self.value(&next, None, depth.saturating_sub(3), ply + 1, -beta, 1 - beta);
        (value >= beta).then_some(beta)
    }

    /// The order in which moves are looked at: captures of valuable pieces by cheap ones first.
    fn urgency(&self, position: &Position, mv: Move, killer: Option<Move>) -> i32 {
        let value = |piece_type: Option<PieceType>| piece_type.map_or(0, |piece_type| SEE_VALUES[piece_type]);
        let captured = value(position.captured(mv));
        if captured > 0 {
            return 10_000 + 16 * captured - value(position.piece_type_at(mv.from()));
        }
        match mv.promotes_to() {
            Some(PieceType::Queen) => 20_000,
            Some(_) => -1,
            None if Some(mv) == killer => 9_000,
            None => self.refutations[mv.from().index()][mv.to().index()],
        }
    }

    /// The value when only captures are still looked at.
    fn captures(&mut self, position: &Position, last: Last, left: usize, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.count();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return self.end(position, ply);
        }
        let mut best = self.opinion.value(position, self.us);
        if left == 0 || best >= beta || ply + 1 >= Self::LONGEST || self.is_over {
            return best;
        }
        alpha = alpha.max(best);
        let mut captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| position.is_tactical(mv) && mv.promotes_to().is_none_or(|piece| piece == PieceType::Queen))
            .filter(|&mv| position.see_ge(mv, 0))
            .collect();
        if captures.is_empty() {
            return best;
        }
        let scene = Scene::new(position, last, &moves);
        captures.sort_by_cached_key(|&mv| -self.urgency(position, mv, None));
        for mv in captures {
            if self.is_overlooked(&scene, position, mv, ply) {
                continue;
            }
            let next = position.play_unchecked(mv);
            let value = -self.captures(&next, after(position, mv), left - 1, ply + 1, -beta, -alpha);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Counts a node, and looks at the clock from time to time.
    fn count(&mut self) {
        self.nodes += 1;
        self.is_over |= self.nodes > Self::MOST_NODES || self.nodes.is_multiple_of(Self::PER_CHECK) && (self.is_late)();
    }

    /// The value of a position without legal moves.
    fn end(&self, position: &Position, ply: usize) -> i32 {
        if self.oversight.overlooks_end(position.key()) {
            self.opinion.value(position, self.us)
        } else if position.in_check() {
            Value::mated_in(Ply::ZERO).0 + ply as i32
        } else {
            0
        }
    }
}

/// Where a move goes, and whether it captures.
fn after(position: &Position, mv: Move) -> Last {
    Some((mv.destination(), position.is_capture(mv)))
}

/// The move that is hardest to overlook.
fn easiest(scene: &Scene<'_>, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().min_by(|&a, &b| scene.difficulty(a).total_cmp(&scene.difficulty(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rating;
    use crate::skill::Skill;
    use bartizan_types::Variant;

    /// The best move of a player who overlooks and misjudges nothing, and its value.
    fn best(fen: &str, plies: usize) -> (String, i32) {
        let position = Position::from_fen(fen).unwrap();
        let skill = Skill {
            oversight: 0.0,
            mate_oversight: 0.0,
            taste: 0.0,
            error: 0.0,
            positional: 1.0,
            ..Skill::of(Rating::new(1_500))
        };
        let opinion = Opinion::new(&skill, 1);
        let oversight = Oversight::new(&skill, 1, position.game_ply());
        let moves = position.legal_moves().iter().map(|&mv| Candidate::new(mv, 0, false)).collect();
        let horizon = Horizon { plies, captures: 6 };
        let found = Calculation::new(position.turn(), &opinion, oversight, horizon, &|| false)
            .candidates(&position, moves, None, 20);
        (found[0].mv.to_uci(Variant::Standard).to_string(), found[0].value)
    }

    #[test]
    fn a_mate_in_two_takes_three_plies() {
        let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(best(fen, 3), ("a1a6".to_owned(), Value::MATE.0 - 3));
        assert!(best(fen, 2).1 < Value::MATE_BOUND.0);
    }

    #[test]
    fn a_fork_takes_three_plies() {
        // The knight takes on c7 with a fork of king and rook.
        let (mv, value) = best("r3k3/2p5/8/1N6/8/8/4P3/4K3 w q - 0 1", 3);
        assert!(mv == "b5c7" && value > 200, "{mv} {value}");
    }

    #[test]
    fn a_late_player_still_has_a_value_for_each_move() {
        let position = Position::startpos();
        let skill = Skill::of(Rating::new(1_900));
        let opinion = Opinion::new(&skill, 1);
        let oversight = Oversight::new(&skill, 1, 0);
        let moves = position.legal_moves().iter().map(|&mv| Candidate::new(mv, 0, false)).collect();
        let mut calculation =
            Calculation::new(position.turn(), &opinion, oversight, Horizon { plies: 5, captures: 6 }, &|| true);
        let found = calculation.candidates(&position, moves, None, 40);
        assert!(!found.is_empty() && calculation.nodes < 1_000, "{}", calculation.nodes);
    }

    #[test]
    fn a_repetition_does_not_hide_what_other_moves_lose() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3QR1K1 w - - 0 1").unwrap();
        let skill = Skill { oversight: 0.0, ..Skill::of(Rating::new(1_900)) };
        let opinion = Opinion::new(&skill, 1);
        let mut calculation = Calculation::new(
            position.turn(),
            &opinion,
            Oversight::new(&skill, 1, 0),
            Horizon { plies: 2, captures: 4 },
            &|| false,
        );
        // The best moves repeat; the queen must not be given away for that.
        let legal = position.legal_moves();
        let choice = |&mv: &Move| Candidate::new(mv, 0, mv.to_uci(Variant::Standard).to_string() != "d1d7");
        let found = calculation.candidates(&position, legal.iter().map(choice).collect(), None, 40);
        assert_eq!(found[0].mv.to_uci(Variant::Standard).to_string(), "d1d7");
        assert!(found.iter().skip(1).all(|other| other.repeats && other.value <= found[0].value));
    }

    #[test]
    fn a_guarded_piece_is_not_taken() {
        let (mv, _) = best("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1", 1);
        assert_ne!(mv, "d3d6");
    }
}
