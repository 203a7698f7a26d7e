//! The time that moves took.

use bartizan_notation::pgn::{Annotations, GameTree, NodeId};
use std::time::Duration;

/// The first period of a time control in PGN, such as `180+2` or `40/5400+30:1800`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for the period; `None` if unknown.
    pub base: Option<Duration>,
    /// The time added for each move.
    pub increment: Duration,
}

impl TimeControl {
    /// Reads the value of the tag `TimeControl`. What is not understood is unknown.
    ///
    /// ```
    /// use bartizan_review::judgement::TimeControl;
    /// use std::time::Duration;
    ///
    /// let control = TimeControl::parse("40/5400+30:1800+30");
    /// assert_eq!(control.base, Some(Duration::from_secs(5_400)));
    /// assert_eq!(control.increment, Duration::from_secs(30));
    /// assert_eq!(TimeControl::parse("?"), TimeControl::default());
    /// ```
    pub fn parse(tag: &str) -> Self {
        let period = tag.split(':').next().unwrap_or_default();
        let time = period.split_once('/').map_or(period, |(_, time)| time);
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| {
            let seconds: f64 = text.trim().parse().ok()?;
            // A year is more than any game takes.
            (0.0..3.2e7).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) => Self { base: Some(base), increment },
            _ => Self::default(),
        }
    }

    /// The time on the clock below which a player is in time trouble: a tenth of that for the first period, or 30
    /// seconds if it is unknown.
    pub fn trouble(&self) -> Duration {
        self.base.map_or(Duration::from_secs(30), |base| base / 10)
    }
}

/// The time of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveTime {
    /// The time on the player's clock after the move.
    pub left: Option<Duration>,
    /// The time that the move took.
    pub spent: Option<Duration>,
}

/// The times of the moves of a line, from the commands `[%clk …]` and `[%emt …]` in its comments.
pub(crate) fn times(tree: &GameTree, line: &[NodeId], control: TimeControl) -> Vec<MoveTime> {
    let mut times: Vec<MoveTime> = Vec::with_capacity(line.len());
    for (ply, &node) in line.iter().enumerate() {
        let Annotations { clock: left, elapsed, .. } = tree.annotations(node);
        let before = match ply.checked_sub(2) {
            // The clock does not run before the first moves on most servers, and nothing is added.
            None => control.base,
            Some(previous) => times[previous].left.map(|left| left + control.increment),
        };
        let difference = || before?.checked_sub(left?);
        times.push(MoveTime { left, spent: elapsed.or_else(difference) });
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::TreeReader;

    #[test]
    fn time_controls_are_read() {
        let control = |text| {
            let TimeControl { base, increment } = TimeControl::parse(text);
            (base.map(|base| base.as_secs()), increment.as_secs())
        };
        assert_eq!(control("180+2"), (Some(180), 2));
        assert_eq!(control("600"), (Some(600), 0));
        assert_eq!(control("40/7200:3600"), (Some(7_200), 0));
        for unknown in ["", "-", "?", "*60", "1e99", "-5", "NaN", "180+x"] {
            assert_eq!(control(unknown), (None, 0), "{unknown}");
        }
    }

    #[test]
    fn a_move_takes_what_its_clock_lost() {
        let text = "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:02:52]} Nc6 {[%emt 0:00:07]} \
                    3. Bb5 {[%clk 0:02:59]} a6 {[%clk 0:02:00]} *";
        let tree = TreeReader::new(text.as_bytes()).next().unwrap().unwrap();
        let line: Vec<NodeId> = tree.main_line().collect();
        let spent: Vec<_> = times(&tree, &line, TimeControl::parse("180+2")).iter().map(|time| time.spent).collect();
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        // A clock that gained more than the increment says nothing, nor does one without the clock before it.
        assert_eq!(spent, [seconds(0), seconds(0), seconds(10), seconds(7), None, None]);
    }

    #[test]
    fn little_time_is_trouble() {
        let limits = ["180+2", "40/7200:3600", "-"].map(|tag| TimeControl::parse(tag).trouble().as_secs());
        assert_eq!(limits, [18, 720, 30]);
    }
}
