//! When to resign, and when to offer or accept a draw. Below full strength, the level resigns and accepts draws.
//!
//! The score for resigning is an option, and therefore in displayed centipawns. Draws are judged in internal
//! centipawns, like contempt.

use bartizan_engine::{Level, MaterialCount, Resignation, shown};
use bartizan_frontend::ResignDrawOptions;
use bartizan_position::Position;
use bartizan_types::{Color, PieceType, Value};

/// Largest distance of a level score from a draw, in internal centipawns. The engine offers a draw when the score is
/// level and all of the following hold.
const LEVEL: i32 = 12;
/// The score has been level for this number of consecutive moves.
const LEVEL_MOVES: u32 = 8;
/// There was no capture or pawn move for this number of plies.
const QUIET_PLIES: u16 = 16;
/// The game is at least this number of plies old.
const OLD_GAME: u32 = 80;
/// Largest distance of the score from a draw in a dead ending, in displayed centipawns: bishops of opposite colours and
/// an extra pawn are still not a win. In an ending with at most one piece besides king and pawns on each side, the
/// engine also offers a draw if the score has been this close for [`DEAD_MOVES`], whatever pawns have moved before the
/// last [`DEAD_QUIET_PLIES`].
const DEAD: i32 = 20;
/// The number of consecutive moves with such a score.
const DEAD_MOVES: u32 = 15;
/// There was no capture or pawn move for this number of plies.
const DEAD_QUIET_PLIES: u16 = 6;
/// Moves between two draw offers.
const PAUSE: u32 = 20;
/// Before this ply, the engine only accepts a draw in a bad position.
const OPENING: u32 = 30;
/// The score of a bad position, in internal centipawns below zero.
const BAD: i32 = 100;

/// What the engine remembers of a game for resigning and draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResignDrawState {
    /// Consecutive moves with a lost score.
    lost: u32,
    /// Consecutive moves with a level score.
    level: u32,
    /// Consecutive moves with the score of a dead ending.
    dead: u32,
    /// Moves since the engine offered a draw.
    since_offer: Option<u32>,
    /// The value of the last search, and the material on the board at that time.
    last: Option<(Value, MaterialCount)>,
    /// Whether the opponent has offered a draw.
    has_offer: bool,
}

/// What [`ResignDrawState::note`] needs to know about the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardSummary {
    material: MaterialCount,
    /// Whether each side has at most one piece besides king and pawns.
    is_small_ending: bool,
}

impl BoardSummary {
    pub(crate) fn of(position: &Position) -> Self {
        let pawns = position.by_type(PieceType::Pawn);
        let pieces = |side| (position.color(side) & !pawns).count();
        Self {
            material: MaterialCount::of(position),
            is_small_ending: Color::ALL.into_iter().all(|side| pieces(side) <= 2),
        }
    }
}

/// What to do in addition to moving, or instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResignDrawDecision {
    pub(crate) resign: bool,
    pub(crate) offer_draw: bool,
}

impl ResignDrawState {
    /// The value of the engine's last search, and the material on the board at that time.
    pub(crate) fn last(&self) -> Option<(Value, MaterialCount)> {
        self.last
    }

    /// The opponent offers a draw.
    pub(crate) fn receive_offer(&mut self) {
        self.has_offer = true;
    }

    /// Withdraws the opponent's offer; returns whether there was one.
    pub(crate) fn withdraw_offer(&mut self) -> bool {
        std::mem::take(&mut self.has_offer)
    }

    /// Forgets the scores of positions that were taken back, and an offer made there.
    pub(crate) fn forget_scores(&mut self) {
        *self = Self { since_offer: self.since_offer, ..Self::default() };
    }

    /// Records the value of a search for the engine's move on this board, at a ply of the game, `quiet` plies after the
    /// last capture or pawn move. If the value is missing, because the search only knows that a move is better than
    /// expected, the position is not lost, level or dead.
    pub(crate) fn note(
        &mut self,
        value: Option<Value>,
        board: BoardSummary,
        ply: u32,
        quiet: u16,
        options: &ResignDrawOptions,
        level: Level,
    ) -> ResignDrawDecision {
        let BoardSummary { material, is_small_ending } = board;
        self.last = value.map(|value| (value, material));
        let count = |holds: &dyn Fn(Value) -> bool, times: u32| if value.is_some_and(holds) { times + 1 } else { 0 };
        let resignation = options.resignation(level);
        let is_lost = |at: Resignation, value| shown(value, material) <= -at.score;
        self.lost = count(&|value| resignation.is_some_and(|at| is_lost(at, value)), self.lost);
        self.level = count(&|value| value.0.abs() <= LEVEL, self.level);
        self.dead = count(&|value| is_small_ending && shown(value, material).abs() <= DEAD, self.dead);
        self.since_offer = self.since_offer.map(|moves| moves + 1);
        let resign = resignation.is_some_and(|at| self.lost >= at.moves);
        let may_ask = self.since_offer.is_none_or(|moves| moves >= PAUSE);
        let is_level = self.level >= LEVEL_MOVES && quiet >= QUIET_PLIES;
        let is_dead = self.dead >= DEAD_MOVES && quiet >= DEAD_QUIET_PLIES;
        let offer_draw = options.draws && !resign && may_ask && (is_level || is_dead) && ply >= OLD_GAME;
        if offer_draw {
            self.since_offer = Some(0);
        }
        ResignDrawDecision { resign, offer_draw }
    }

    /// Whether to accept a draw, which costs `contempt` internal centipawns.
    pub(crate) fn accepts_draw(&self, ply: u32, contempt: i32, options: &ResignDrawOptions, level: Level) -> bool {
        let Some((value, _)) = self.last.filter(|_| options.draws) else { return false };
        let lead = value.0 + contempt;
        let of_level = level.agrees_to_draw(Value(lead), ply / 2 + 1);
        of_level.unwrap_or(lead <= 0 && (ply >= OPENING || lead <= -BAD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(material: MaterialCount) -> BoardSummary {
        BoardSummary { material, is_small_ending: false }
    }

    #[test]
    fn resigns_after_several_lost_scores_in_a_row() {
        let options = ResignDrawOptions { resign: Some(true), resign_score: 500, resign_moves: 3, draws: true };
        let mut state = ResignDrawState::default();
        let material = MaterialCount::new(40);
        // In displayed centipawns.
        let value = |cp: i32| (-32_000..).map(Value).find(|&value| shown(value, material) >= cp).unwrap();
        let full = Level::FULL;
        let mut resigns = |cp| state.note(Some(value(cp)), board(material), 60, 0, &options, full).resign;
        let answers = [-600, -600, -400, -500, -31_990, -700].map(&mut resigns);
        assert_eq!(answers, [false, false, false, false, false, true]);
        // A better move was found, but its value is unknown.
        assert!(!state.note(None, board(material), 60, 0, &options, full).resign);
        let mut state = ResignDrawState::default();
        let off = ResignDrawOptions { resign: Some(false), ..options };
        assert!((0..9).all(|_| !state.note(Some(Value(-5_000)), board(material), 60, 0, &off, full).resign));
        // Below full strength, the level decides.
        let mut resigns = |elo| {
            let (options, mut state) = (ResignDrawOptions::default(), ResignDrawState::default());
            let mut note = || state.note(Some(value(-750)), board(material), 60, 0, &options, Level::rated(elo)).resign;
            (0..9).position(|_| note())
        };
        assert_eq!([800, 1_600, 2_000, 2_800].map(&mut resigns), [None, None, Some(3), Some(2)]);
    }

    #[test]
    fn offers_a_draw_when_nothing_happens() {
        let options = ResignDrawOptions::default();
        let mut state = ResignDrawState::default();
        let offers: Vec<usize> = (0..60)
            .filter(|&mv| {
                let ply = 80 + 2 * mv as u32;
                state.note(Some(Value(3)), board(MaterialCount::MIN), ply, 40, &options, Level::FULL).offer_draw
            })
            .collect();
        assert_eq!(offers, [7, 27, 47]);
        let mut state = ResignDrawState::default();
        let mut offers =
            || state.note(Some(Value(3)), board(MaterialCount::MIN), 120, 2, &options, Level::FULL).offer_draw;
        assert!((0..60).all(|_| !offers()));
    }

    /// Bishops of opposite colours, an extra pawn for one side, and occasional pawn moves.
    #[test]
    fn offers_a_draw_in_a_dead_ending() {
        let options = ResignDrawOptions::default();
        let offers = |fen: &str, cp: i32| {
            let board = BoardSummary::of(&Position::from_fen(fen).unwrap());
            let value = |cp: i32| (-32_000..).map(Value).find(|&value| shown(value, board.material) >= cp).unwrap();
            let mut state = ResignDrawState::default();
            let mut note = |mv: u32| {
                let value = value(if mv.is_multiple_of(2) { cp } else { -cp });
                state.note(Some(value), board, 80 + 2 * mv, 2 * (mv % 5) as u16, &options, Level::FULL).offer_draw
            };
            (0..60).filter(|&mv| note(mv)).collect::<Vec<_>>()
        };
        let opposite = "8/5kp1/3b3p/p2P4/P7/5BP1/5K1P/8 w - - 0 60";
        assert_eq!(offers(opposite, 18), [14, 34, 54]);
        assert_eq!(offers(opposite, 40), [0; 0]);
        let rooks = "1r6/2r2kp1/3b3p/p2P4/P7/2R2BP1/2R2K1P/8 w - - 0 60";
        assert_eq!(offers(rooks, 18), [0; 0]);
    }

    #[test]
    fn accepts_draws_that_lose_nothing() {
        let options = ResignDrawOptions::default();
        let mut state = ResignDrawState::default();
        let full = Level::FULL;
        assert!(!state.accepts_draw(60, 0, &options, full));
        state.note(Some(Value(0)), board(MaterialCount::MIN), 60, 0, &options, full);
        assert!(state.accepts_draw(60, 0, &options, full) && !state.accepts_draw(4, 0, &options, full));
        let off = ResignDrawOptions { draws: false, ..options };
        assert!(!state.accepts_draw(60, 20, &options, full) && !state.accepts_draw(60, 0, &off, full));
        state.note(Some(Value(-150)), board(MaterialCount::MAX), 4, 0, &options, full);
        assert!(state.accepts_draw(4, 0, &options, full));
        state.note(None, board(MaterialCount::MAX), 60, 0, &options, full);
        assert!(!state.accepts_draw(60, 0, &options, full));
        state.note(Some(Value(15)), board(MaterialCount::MAX), 60, 0, &options, full);
        assert!(!state.accepts_draw(60, 0, &options, full));
    }

    #[test]
    fn a_level_accepts_a_draw_within_its_margin() {
        let options = ResignDrawOptions::default();
        let mut state = ResignDrawState::default();
        state.note(Some(Value(60)), board(MaterialCount::MAX), 40, 0, &options, Level::FULL);
        let accepts = |ply, contempt, elo| state.accepts_draw(ply, contempt, &options, Level::rated(elo));
        // Its margin is 75 at 1200 and 25 at 2400.
        assert_eq!([accepts(40, 0, 1_200), accepts(40, 0, 2_400), accepts(40, 20, 1_200)], [true, false, false]);
        assert!(!accepts(18, 0, 1_200), "before move 11");
        let off = ResignDrawOptions { draws: false, ..options };
        assert!(!state.accepts_draw(40, 0, &off, Level::rated(1_200)));
    }
}
