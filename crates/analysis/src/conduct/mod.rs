//! How people err: the conduct of players, counted move by move.
//!
//! Most figures need only the rules; the losses need the evaluations of the positions. All are meant for comparisons,
//! of players by rating or of engines with people: a piece left to a capture, for example, may be a sacrifice.
//!
//! ```
//! use bartizan_analysis::conduct::Conduct;
//! use bartizan_analysis::JudgedGame;
//! use bartizan_notation::pgn::GameTree;
//! use bartizan_types::Color;
//!
//! // White's queen goes out and back. Without evaluations there are no losses.
//! let game: GameTree = "1. e4 e5 2. Qh5 Nf6 3. Qd1 *".parse()?;
//! let conduct = Conduct::of_game(&JudgedGame::new(&game, &[], 0));
//! assert_eq!(conduct[Color::White].undone.count, 1);
//! assert_eq!(conduct[Color::White].losses.mean(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod captures;
mod moves;
mod table;

pub use moves::{MoveConduct, move_conduct};
pub use table::{ConductRow, ConductTable};

use bartizan_review::judgement::{of_side, win_percent};
use bartizan_review::{JudgedGame, JudgedMove};
use bartizan_types::{ByColor, Color, Move};
use std::ops::AddAssign;

/// How often something happened, of all times when it could have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How often it happened.
    pub count: u64,
    /// How often it could have happened.
    pub of: u64,
}

impl Share {
    fn see(&mut self, happened: Option<bool>) {
        self.count += u64::from(happened == Some(true));
        self.of += u64::from(happened.is_some());
    }

    /// The share in per cent; `None` if it could never have happened.
    pub fn per_cent(self) -> Option<f64> {
        (self.of > 0).then(|| 100.0 * self.count as f64 / self.of as f64)
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.of += other.of;
    }
}

/// The losses of moves in points of win per cent, from 0 to 100: the mover's chance by the evaluation before the move,
/// less that after it, and never below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The number of moves with both evaluations.
    pub moves: u64,
    /// The sum of the losses.
    pub total: f64,
    /// The number of moves that lose less than a point.
    pub under_1: u64,
    /// The number of moves that lose each of [`Losses::LARGE`] or more.
    pub large: [u64; Losses::LARGE.len()],
}

impl Losses {
    /// The losses from which moves are counted: those of an inaccuracy, a mistake and a blunder, and twice the last.
    pub const LARGE: [u32; 4] = [5, 10, 15, 30];

    fn add(&mut self, mv: &JudgedMove, mover: Color) {
        let (Some(before), Some(after)) = (mv.before, mv.after) else { return };
        let [before, after] = [before, after].map(|eval| of_side(win_percent(eval), mover));
        let loss = (before - after).max(0.0);
        self.moves += 1;
        self.total += loss;
        self.under_1 += u64::from(loss < 1.0);
        for (count, large) in self.large.iter_mut().zip(Self::LARGE) {
            *count += u64::from(loss >= f64::from(large));
        }
    }

    /// The mean loss; `None` without a move.
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total / self.moves as f64)
    }

    /// The share of the moves that lose less than a point.
    pub fn small(&self) -> Share {
        Share { count: self.under_1, of: self.moves }
    }

    /// The shares of the moves that lose each of [`Losses::LARGE`] or more.
    pub fn large_shares(&self) -> [Share; Losses::LARGE.len()] {
        self.large.map(|count| Share { count, of: self.moves })
    }
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.under_1 += other.under_1;
        self.large.iter_mut().zip(other.large).for_each(|(sum, count)| *sum += count);
    }
}

/// The conduct of a player or of a group of players. [`MoveConduct`] defines what is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conduct {
    /// The number of moves.
    pub moves: u64,
    /// Moves that leave a gift, of all moves.
    pub gifts_left: Share,
    /// Gifts taken, of those that were there.
    pub gifts_taken: Share,
    /// Own last moves undone, of the moves before move 20.
    pub undone: Share,
    /// King walks, of the moves before move 15.
    pub king_walks: Share,
    /// Mates in one missed, of those that were there.
    pub mates_missed: Share,
    /// Recaptures missed, of those that were there.
    pub recaptures_missed: Share,
    /// The losses of the moves; none without evaluations.
    pub losses: Losses,
}

impl Conduct {
    /// The conduct of both sides in a game, in all moves up to the first null move.
    pub fn of_game(game: &JudgedGame) -> ByColor<Self> {
        let moves: Vec<Move> = game.moves.iter().map(|judged| judged.mv).collect();
        let mut sides = ByColor::<Self>::default();
        let seen = move_conduct(&game.positions, &moves);
        for ((position, judged), seen) in game.positions.iter().zip(&game.moves).zip(seen) {
            let side = &mut sides[position.turn()];
            side.moves += 1;
            side.gifts_left.see(Some(seen.leaves_gift));
            side.gifts_taken.see(seen.takes_gift);
            side.undone.see(seen.undoes);
            side.king_walks.see(seen.walks);
            side.mates_missed.see(seen.misses_mate);
            side.recaptures_missed.see(seen.misses_recapture);
            side.losses.add(judged, position.turn());
        }
        sides
    }
}

impl AddAssign for Conduct {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.gifts_left += other.gifts_left;
        self.gifts_taken += other.gifts_taken;
        self.undone += other.undone;
        self.king_walks += other.king_walks;
        self.mates_missed += other.mates_missed;
        self.recaptures_missed += other.recaptures_missed;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use bartizan_notation::pgn::GameTree;
    use bartizan_review::{PositionEval, WhiteEval};

    fn share(count: u64, of: u64) -> Share {
        Share { count, of }
    }

    /// The conduct of a game whose positions have these evaluations for White in centipawns.
    fn of_game(text: &str, evals: &[i32]) -> ByColor<Conduct> {
        let tree: GameTree = text.parse().unwrap();
        let opinion = |&cp: &i32| {
            let json = serde_json::json!({ "eval": WhiteEval::Cp(cp), "line": "" });
            Some(serde_json::from_value::<PositionEval>(json).unwrap())
        };
        Conduct::of_game(&JudgedGame::new(&tree, &evals.iter().map(opinion).collect::<Vec<_>>(), 0))
    }

    #[test]
    fn the_figures_of_a_short_game() {
        let sides = of_game("1. e4 e5 2. Qh5 Nf6 3. Bc4 a6 4. Qd1 Ng8 5. Qh5 Nf6 6. Qxf7# *", &[]);
        let (white, black) = (sides[Color::White], sides[Color::Black]);
        assert_eq!((white.moves, black.moves), (6, 5));
        // 3. Bc4 leaves the queen, and 3...a6 does not take it. Before 4. Nxe4 takes a pawn only.
        assert_eq!((white.gifts_left, black.gifts_left), (share(1, 6), share(0, 5)));
        assert_eq!((white.gifts_taken, black.gifts_taken), (share(0, 0), share(0, 1)));
        // 4. Qd1 misses 4. Qxf7#, and 6. Qxf7# does not.
        assert_eq!((white.mates_missed, black.mates_missed), (share(1, 2), share(0, 0)));
        // 5. Qh5 and 5...Nf6 go back.
        assert_eq!((white.undone, black.undone), (share(1, 6), share(1, 5)));
        assert_eq!((white.king_walks, white.losses), (share(0, 6), Losses::default()));
    }

    #[test]
    fn losses_are_those_of_the_mover() {
        // 50 to 40.9 for White, then 59.1 to 50 for Black, then a gain, which is no loss.
        let sides = of_game("1. e4 e5 2. Nf3 *", &[0, -100, 0, 300]);
        let (white, black) = (sides[Color::White].losses, sides[Color::Black].losses);
        assert!((white.total - 9.10).abs() < 0.01 && (black.total - 9.10).abs() < 0.01, "{sides:?}");
        assert_eq!((white.moves, white.under_1, white.large), (2, 1, [1, 0, 0, 0]));
        assert_eq!((black.moves, black.large_shares()[0]), (1, share(1, 1)));
        assert!((white.mean().unwrap() - 4.55).abs() < 0.01);
        assert_eq!(white.small().per_cent(), Some(50.0));
        // Beyond 10 pawns nothing is lost, and a mate counts as the end of the game.
        let sides = of_game("1. f3 e5 2. g4 Qh4# 0-1", &[1_500, 1_100, 1_000, -1_000, 0]);
        let [white, black] = Color::ALL.map(|side| sides[side].losses);
        assert_eq!((white.under_1, white.large, black.under_1), (1, [1; 4], 2));
        // An evaluation that is missing leaves out the moves before and after it.
        assert_eq!(of_game("1. e4 e5 *", &[0, 0])[Color::Black].losses, Losses::default());
    }

    #[test]
    fn gifts_and_recaptures() {
        // 4. Bxc6 takes a knight; the pawn or the pawn takes back and wins a bishop, which is a gift taken.
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 6. Nf3 Qxe4+ *";
        let sides = of_game(text, &[]);
        let (white, black) = (sides[Color::White], sides[Color::Black]);
        // 3...a6 lets the bishop take a knight: 3 less 3, as the bishop is taken back.
        assert_eq!((black.gifts_left, white.gifts_taken), (share(0, 6), share(0, 0)));
        // 4. Bxc6 took a knight for the bishop: beyond that nothing is left.
        assert_eq!((white.gifts_left, black.gifts_taken), (share(0, 6), share(1, 1)));
        assert_eq!((black.recaptures_missed, white.recaptures_missed), (share(0, 1), share(0, 0)));
        // Not taken back, but 7. exd5 takes back.
        let sides = of_game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 h6 5. Bd5 Nf6 6. d3 Nxd5 7. exd5 *", &[]);
        let (white, black) = (sides[Color::White], sides[Color::Black]);
        assert_eq!((white.recaptures_missed, black.recaptures_missed), (share(0, 1), share(1, 1)));
        assert_eq!((white.gifts_taken, black.gifts_taken), (share(1, 1), share(0, 1)));
        // A rook that takes another rook misses nothing; a king that steps aside does.
        for (reply, missed) in [("Rxh8+", 0), ("Nxd4", 0), ("Kg2", 1)] {
            let start = "[FEN \"3rk2r/8/8/8/3R4/5N2/8/6KR b - - 0 1\"]";
            let sides = of_game(&format!("{start}\n\n1... Rxd4 2. {reply} *"), &[]);
            assert_eq!(sides[Color::White].recaptures_missed, share(missed, 1), "{reply}");
        }
    }

    #[test]
    fn kings_walk_and_moves_are_undone_early_and_of_free_will() {
        let sides = of_game("1. e4 e5 2. Ke2 Qh4 3. Ke3 Qf4+ 4. Ke2 Qf6 5. Ke3 Qf4+ *", &[]);
        let (white, black) = (sides[Color::White], sides[Color::Black]);
        // 4. Ke2 answers a check, so it neither walks nor undoes.
        assert_eq!((white.king_walks, white.undone, black.undone), (share(3, 5), share(1, 5), share(1, 5)));
        // The same, later.
        let start = "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 17\"]\n\n";
        let sides = of_game(&format!("{start}17. Ke2 Qh4 18. Ke3 Qf4+ 19. Ke2 Qf6 20. Ke3 Qf4+ *"), &[]);
        let (white, black) = (sides[Color::White], sides[Color::Black]);
        assert_eq!((white.king_walks, white.undone, black.undone), (share(0, 0), share(0, 3), share(0, 3)));
        // Castling is no walk.
        let sides = of_game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *", &[]);
        assert_eq!(sides[Color::White].king_walks, share(0, 4));
    }
}
