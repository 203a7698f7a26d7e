//! Time controls, and the resulting search limits.

use bartizan_engine::{Clock, Limits};
use std::num::NonZeroU64;
use std::time::Duration;

/// The kinds of time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// `level`: a base time for a number of moves (0 for the whole game), and an increment per move.
    Level { moves: u32, base: Duration, increment: Duration },
    /// `st`: a fixed time per move.
    PerMove(Duration),
}

/// The time control and the clocks, as set by `level`, `st`, `sd`, `nps`, `time` and `otim`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Control {
    mode: Mode,
    depth: Option<u32>,
    /// Nodes that count as one second; `None` for real time.
    nps: Option<NonZeroU64>,
    own: Duration,
    other: Duration,
    /// The engine's clock when a ponder search began.
    planned: Duration,
    /// Whether that search is for the last move before the time control, which may use nearly all of the clock.
    is_last: bool,
    /// Whether the client has sent a clock since the last move.
    is_told: bool,
    /// With a fixed time per move, the time already used for the current move before a pause.
    used: Duration,
    /// The ply of the game when `level` came: it counts the moves after it.
    start: usize,
}

/// The default of xboard: 40 moves in five minutes.
impl Default for Control {
    fn default() -> Self {
        let base = Duration::from_secs(300);
        let mode = Mode::Level { moves: 40, base, increment: Duration::ZERO };
        Self {
            mode,
            depth: None,
            nps: None,
            own: base,
            other: base,
            planned: base,
            is_last: false,
            is_told: false,
            used: Duration::ZERO,
            start: 0,
        }
    }
}

impl Control {
    /// Resets the clocks for a new game, removes the depth limit and returns to real time.
    pub(crate) fn new_game(&mut self) {
        self.depth = None;
        self.nps = None;
        if let Mode::Level { base, .. } = self.mode {
            (self.own, self.other) = (base, base);
        }
    }

    /// `level`, at ply `plies` of the game.
    pub(crate) fn set_level(&mut self, plies: usize, moves: u32, base: Duration, increment: Duration) {
        self.mode = Mode::Level { moves, base, increment };
        (self.own, self.other) = (base, base);
        self.start = plies;
    }

    /// The ply of the game at which the time control began.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Moves have been taken back to this ply: if the time control began later, its moves count from here.
    pub(crate) fn taken_back_to(&mut self, plies: usize) {
        self.start = self.start.min(plies);
    }

    /// The game has been replaced by another one: the time control's moves count from its beginning.
    pub(crate) fn restart(&mut self) {
        self.start = 0;
    }

    pub(crate) fn set_move_time(&mut self, time: Duration) {
        self.mode = Mode::PerMove(time);
        self.used = Duration::ZERO;
    }

    /// Limits the depth; 0 for no limit.
    pub(crate) fn set_depth(&mut self, depth: u32) {
        self.depth = (depth > 0).then_some(depth);
    }

    /// Measures time in nodes; 0 for real time.
    pub(crate) fn set_nps(&mut self, nps: u32) {
        self.nps = NonZeroU64::new(nps.into());
    }

    /// Whether nodes serve as time.
    pub(crate) fn counts_nodes(&self) -> bool {
        self.nps.is_some()
    }

    /// Sets the engine's clock. A negative time counts as zero.
    pub(crate) fn set_own(&mut self, centiseconds: i64) {
        self.own = from_centiseconds(centiseconds);
        self.is_told = true;
    }

    /// Sets the opponent's clock. A negative time counts as zero.
    pub(crate) fn set_other(&mut self, centiseconds: i64) {
        self.other = from_centiseconds(centiseconds);
        self.is_told = true;
    }

    /// The engine plays a side from now on, not the same as before if it `changes`. A clock belongs to a side, but
    /// clocks sent since the last move are already those of the new sides.
    pub(crate) fn choose_side(&mut self, changes: bool) {
        let is_told = std::mem::take(&mut self.is_told);
        if changes && !is_told {
            std::mem::swap(&mut self.own, &mut self.other);
        }
    }

    /// Updates the engine's clock after its `made`-th move of the time control, which took `took`. Clients that send
    /// `time` override it.
    pub(crate) fn moved(&mut self, took: Duration, made: u32) {
        self.begin_move();
        if let Mode::Level { moves, base, increment } = self.mode {
            self.own = self.own.saturating_sub(took).saturating_add(increment);
            if moves > 0 && made > 0 && made.is_multiple_of(moves) {
                self.own = self.own.saturating_add(base);
            }
        }
    }

    /// Stops the clocks after the engine has used `took` for its move.
    pub(crate) fn pause_after(&mut self, took: Duration) {
        match self.mode {
            Mode::Level { .. } => self.own = self.own.saturating_sub(took),
            Mode::PerMove(_) => self.used = self.used.saturating_add(took),
        }
    }

    /// The position has changed: its move has used no time, and the client has sent no clock for it.
    pub(crate) fn begin_move(&mut self) {
        self.used = Duration::ZERO;
        self.is_told = false;
    }

    /// The limits of a ponder search, like those of [`Control::limits`].
    pub(crate) fn ponder_limits(&mut self, made: u32) -> Limits {
        let limits = self.limits(made);
        self.planned = self.own;
        self.is_last = limits.clock.is_some_and(|clock| clock.moves_to_go == Some(1));
        limits.pondering()
    }

    /// Whether the engine's clock has lost more than a quarter since the ponder search was planned, or a sixteenth
    /// before the last move of the time control. Less is the usual delay of a server, and no plan spends three
    /// quarters, or nine tenths in that case.
    pub(crate) fn has_lost(&self) -> bool {
        let share = if self.is_last { 16 } else { 4 };
        matches!(self.mode, Mode::Level { .. }) && self.own < self.planned - self.planned / share
    }

    /// The limits of the next search, after `made` moves of the engine in the time control.
    pub(crate) fn limits(&self, made: u32) -> Limits {
        let mut limits = Limits::default();
        (limits.depth, limits.node_rate) = (self.depth, self.nps);
        match self.mode {
            Mode::Level { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - made % moves);
                limits.clock = Some(Clock { remaining: self.own, increment, moves_to_go }.into());
            }
            Mode::PerMove(time) => limits.move_time = Some(time.saturating_sub(self.used)),
        }
        limits
    }
}

fn from_centiseconds(centiseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(centiseconds).unwrap_or(0).saturating_mul(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn level_and_st_replace_each_other_and_sd_adds_to_both() {
        let mut control = Control::default();
        control.set_depth(7);
        control.set_move_time(3 * SECOND);
        assert_eq!(control.limits(0), Limits::depth(7).with_move_time(3 * SECOND));
        control.set_level(0, 0, 60 * SECOND, SECOND);
        let clock = Clock { remaining: 60 * SECOND, increment: SECOND, moves_to_go: None };
        assert_eq!(control.limits(9), Limits::depth(7).with_clock(clock));
        control.new_game();
        assert_eq!(control.limits(9).depth, None);
    }

    #[test]
    fn time_is_added_after_the_moves_of_a_session() {
        let mut control = Control::default();
        control.set_level(0, 40, 60 * SECOND, Duration::ZERO);
        let to_go = |control: &Control, made| control.limits(made).clock.unwrap().moves_to_go;
        assert_eq!([0, 1, 39, 40, 41].map(|made| to_go(&control, made)), [40, 39, 1, 40, 39].map(Some));
        control.moved(SECOND, 39);
        assert_eq!(control.own, 59 * SECOND);
        control.moved(SECOND, 40);
        assert_eq!(control.own, 118 * SECOND);
        // Moves made before the time control do not belong to it.
        control.moved(SECOND, 0);
        assert_eq!(control.own, 117 * SECOND);
    }

    #[test]
    fn a_session_that_began_after_moves_that_are_taken_back_begins_there() {
        let mut control = Control::default();
        control.set_level(4, 3, SECOND, Duration::ZERO);
        control.taken_back_to(6);
        assert_eq!(control.start(), 4);
        control.taken_back_to(2);
        assert_eq!(control.start(), 2);
    }

    #[test]
    fn a_pause_gives_no_time_back() {
        let mut control = Control::default();
        let own = control.own;
        control.pause_after(SECOND);
        assert_eq!(control.own, own - SECOND);
        control.set_move_time(5 * SECOND);
        control.pause_after(SECOND);
        control.pause_after(2 * SECOND);
        assert_eq!(control.limits(0).move_time, Some(2 * SECOND));
        control.pause_after(9 * SECOND);
        assert_eq!(control.limits(0).move_time, Some(Duration::ZERO));
        control.moved(9 * SECOND, 1);
        assert_eq!(control.limits(1).move_time, Some(5 * SECOND));
    }

    #[test]
    fn a_plan_for_the_opponents_time_holds_while_the_clock_loses_no_more_than_a_quarter() {
        let mut control = Control::default();
        control.set_level(0, 0, 15 * SECOND, SECOND);
        assert_eq!(control.ponder_limits(1), control.limits(1).pondering());
        for (centiseconds, has_lost) in [(1_500, false), (1_125, false), (1_124, true), (-1, true), (2_000, false)] {
            control.set_own(centiseconds);
            assert_eq!(control.has_lost(), has_lost, "{centiseconds}");
        }
        // The last move before the time control may use nearly all of the clock.
        control.set_level(0, 2, 16 * SECOND, Duration::ZERO);
        control.ponder_limits(1);
        for (centiseconds, has_lost) in [(1_600, false), (1_500, false), (1_499, true)] {
            control.set_own(centiseconds);
            assert_eq!(control.has_lost(), has_lost, "{centiseconds}");
        }
        // With a fixed time per move, the clock does not limit the search.
        control.set_own(0);
        control.set_move_time(SECOND);
        assert!(!control.has_lost());
    }

    #[test]
    fn negative_clocks_count_as_zero() {
        let mut control = Control::default();
        control.set_own(-5);
        control.set_other(250);
        assert_eq!(control.limits(0).clock.unwrap().white, Duration::ZERO);
        control.begin_move();
        control.choose_side(true);
        assert_eq!(control.limits(0).clock.unwrap().white, Duration::from_millis(2_500));
        control.set_own(i64::MAX);
        control.moved(SECOND, 1);
    }

    #[test]
    fn nps_measures_time_in_nodes() {
        let mut control = Control::default();
        control.set_move_time(2 * SECOND);
        control.set_nps(1_000);
        let rate = NonZeroU64::new(1_000).unwrap();
        assert_eq!(control.limits(0), Limits::move_time(2 * SECOND).with_node_rate(rate));
        control.set_level(0, 0, 25 * SECOND, Duration::ZERO);
        let clock = Clock { remaining: 25 * SECOND, increment: Duration::ZERO, moves_to_go: None };
        assert_eq!(control.limits(0), Limits::clock(clock).with_node_rate(rate));
        control.set_nps(0);
        assert_eq!(control.limits(0), Limits::clock(clock));
    }
}
