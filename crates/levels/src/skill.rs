//! What a player of a rating can do.

use crate::Rating;

/// The abilities of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skill {
    /// How far the player calculates, in plies; the fraction is the share of moves at which it looks a ply further.
    pub(crate) plies: f64,
    /// How many captures in a row it follows after that.
    pub(crate) captures: f64,
    /// The rate of oversights: a move of difficulty `d` is overlooked with probability 1 − e^(−`oversight` · `d`).
    pub(crate) oversight: f64,
    /// The probability to overlook a checkmate.
    pub(crate) mate_oversight: f64,
    /// How much of the evaluation beyond material counts, 0 to 1.
    pub(crate) positional: f64,
    /// The standard deviation of what a piece is thought to be worth more or less on a square, in centipawns. It stays
    /// the same throughout a game.
    pub(crate) taste: f64,
    /// The standard deviation of the error of the evaluation of a position, in centipawns.
    pub(crate) error: f64,
    /// How far apart two moves may be for the worse to be chosen often, in centipawns: the scale of a softmax.
    pub(crate) temperature: f64,
    /// The weight of habits, 0 to 1.
    pub(crate) habit: f64,
    /// The base-2 logarithm of the nodes of a search, where the player uses one.
    pub(crate) log_nodes: f64,
    /// The standard deviation of the evaluation errors of such a search, in centipawns.
    pub(crate) search_error: f64,
}

impl Skill {
    /// The number of abilities.
    const COUNT: usize = 11;

    /// Ratings with their abilities, in the order of the fields. Found by hand from games of the levels and the conduct
    /// of people (`docs/lab/levels.md`, "2026-11-29 Levels that err like people").
    #[rustfmt::skip]
    const TABLE: [(u32, [f64; Self::COUNT]); 12] = [
        //  plies capt. over  mate  posit. taste error temp. habit  log  error
        (600,  [1.0, 1.0, 2.20, 0.80, 0.20, 25.0, 60.0, 75.0, 1.0,  6.0, 260.0]),
        (800,  [1.0, 2.0, 1.55, 0.68, 0.30, 20.0, 45.0, 58.0, 1.0,  6.6, 228.0]),
        (1000, [1.3, 2.0, 1.05, 0.62, 0.40, 16.0, 32.0, 44.0, 1.0,  7.3, 205.0]),
        (1200, [1.7, 3.0, 0.70, 0.52, 0.50, 12.0, 22.0, 34.0, 0.9,  8.0, 182.0]),
        (1400, [2.1, 4.0, 0.42, 0.42, 0.65, 10.0, 16.0, 25.0, 0.8,  8.7, 160.0]),
        (1600, [2.6, 5.0, 0.25, 0.34, 0.80,  8.0, 12.0, 18.0, 0.7,  9.6, 134.0]),
        (1800, [3.5, 6.0, 0.12, 0.28, 0.90,  6.0,  8.0, 13.0, 0.6, 10.3, 115.0]),
        (2000, [4.6, 8.0, 0.045, 0.22, 1.00,  5.0,  6.0, 10.0, 0.5, 10.5, 108.0]),
        (2200, [3.0, 8.0, 0.03, 0.22, 1.00,  4.0,  4.0,  8.0, 0.4, 11.5,  84.0]),
        (2500, [3.0, 8.0, 0.02, 0.12, 1.00,  2.0,  2.0,  4.0, 0.2, 12.9,  54.0]),
        (2800, [3.0, 8.0, 0.01, 0.02, 1.00,  1.0,  1.0,  2.0, 0.1, 15.0,  16.0]),
        (3000, [3.0, 8.0, 0.00, 0.00, 1.00,  0.0,  0.0,  0.0, 0.0, 18.6,   0.0]),
    ];

    /// The abilities at a rating, in proportion between those of the table.
    pub(crate) fn of(rating: Rating) -> Self {
        let elo = rating.elo();
        let upper = Self::TABLE.iter().position(|&(known, _)| elo <= known).unwrap_or(Self::TABLE.len() - 1).max(1);
        let ((low, from), (high, to)) = (Self::TABLE[upper - 1], Self::TABLE[upper]);
        let share = (f64::from(elo) - f64::from(low)) / f64::from(high - low);
        let at: [f64; Self::COUNT] = std::array::from_fn(|index| from[index] + share * (to[index] - from[index]));
        Self {
            plies: at[0],
            captures: at[1],
            oversight: at[2],
            mate_oversight: at[3],
            positional: at[4],
            taste: at[5],
            error: at[6],
            temperature: at[7],
            habit: at[8],
            log_nodes: at[9],
            search_error: at[10],
        }
    }

    /// The nodes of a search.
    pub(crate) fn nodes(&self) -> u64 {
        self.log_nodes.exp2().round() as u64
    }
}
