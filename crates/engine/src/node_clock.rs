//! A clock that counts nodes instead of time.

use bartizan_position::Game;
use bartizan_search::{Clock, SearchControl};
use std::time::Duration;

/// The engine's own clock for games in which nodes are time. The client's clock, which counts real time, only provides
/// the initial time and the increments.
#[derive(Debug, Default)]
pub(crate) struct NodeClock {
    account: Option<SideClock>,
    /// The last search, and the game that it was for.
    last: Option<(SearchControl, Game)>,
}

/// The time of one side in one game.
#[derive(Debug)]
struct SideClock {
    remaining: Duration,
    /// The initial time, which each time control adds.
    base: Duration,
    moves_to_go: Option<u32>,
    /// The game up to the last search that used the clock.
    game: Game,
}

impl NodeClock {
    /// The clock's time before a search in `game`, if the client's clock shows `clock`. A game that does not continue
    /// the last one begins with the client's time.
    pub(crate) fn show(&mut self, clock: Clock, game: &Game) -> Clock {
        let was_charged = self.charge(clock.increment);
        let account = match self.account.take().filter(|account| goes_on(&account.game, game)) {
            Some(mut account) => {
                // With one move per time control the number never increases.
                let was_last = was_charged && account.moves_to_go == Some(1);
                if was_last || clock.moves_to_go > account.moves_to_go {
                    account.remaining = account.remaining.saturating_add(account.base);
                }
                SideClock { moves_to_go: clock.moves_to_go, ..account }
            }
            None => SideClock {
                remaining: clock.remaining,
                base: clock.remaining,
                moves_to_go: clock.moves_to_go,
                game: game.clone(),
            },
        };
        let remaining = account.remaining;
        self.account = Some(account);
        Clock { remaining, ..clock }
    }

    /// Records a search that has begun with a clock.
    pub(crate) fn started(&mut self, search: SearchControl, game: Game) {
        self.last = Some((search, game));
    }

    /// Subtracts the last search from the clock; returns whether it used the clock. A ponder search that was not hit
    /// does not count.
    fn charge(&mut self, increment: Duration) -> bool {
        let Some((search, game)) = self.last.take() else { return false };
        let (Some(account), Some(spent)) = (&mut self.account, search.clock_time()) else { return false };
        account.remaining = account.remaining.saturating_sub(spent).saturating_add(increment);
        account.game = game;
        true
    }
}

/// Whether `later` continues the same game, with the same side to move.
fn goes_on(earlier: &Game, later: &Game) -> bool {
    earlier.start() == later.start()
        && earlier.position().turn() == later.position().turn()
        && later.moves().len() > earlier.moves().len()
        && earlier.moves().zip(later.moves()).all(|(earlier, later)| earlier == later)
}

#[cfg(test)]
mod tests {
    use crate::Engine;
    use bartizan_search::{Clock, Limits, SearchEvent, SearchHandle};
    use std::time::Duration;

    /// A client's clock without an increment.
    fn clock(seconds: u64) -> Clock {
        Clock { remaining: Duration::from_secs(seconds), increment: Duration::ZERO, moves_to_go: None }
    }

    /// Searches and plays the move. Returns the soft limit in microseconds, and the nodes.
    fn planned(engine: &mut Engine, limits: Limits) -> (u64, u64) {
        engine.set_trace(true);
        let mut soft = Duration::ZERO;
        let result = engine.go(limits).unwrap().wait_with(|event| {
            if let SearchEvent::Planned { soft: Some(time), .. } = event {
                soft = *time;
            }
        });
        engine.play(result.best.unwrap()).unwrap();
        (soft.as_micros() as u64, result.nodes)
    }

    fn engine() -> Engine {
        let mut engine = Engine::new();
        engine.configure(|options| options.node_time = 1).unwrap();
        engine
    }

    /// Any move of the opponent.
    fn answer(engine: &mut Engine) {
        let mv = engine.position().legal_moves()[0];
        engine.play(mv).unwrap();
    }

    #[test]
    fn a_search_on_a_node_clock_is_the_same_each_time() {
        let game = || {
            let mut engine = engine();
            let searches: Vec<_> = (0..3)
                .map(|_| {
                    let plan = planned(&mut engine, Limits::clock(clock(60)));
                    answer(&mut engine);
                    plan
                })
                .collect();
            searches
        };
        let first = game();
        assert_eq!(first, game());
        // The first plan uses all the time, each later one what the previous searches have left.
        assert!(first[0].0 > first[1].0 && first[1].0 > first[2].0, "{first:?}");
        let mut left = 60_000;
        for &(soft, nodes) in &first {
            assert_eq!(soft / 1_000, left / 26, "{first:?}");
            left -= nodes;
        }
    }

    #[test]
    fn another_game_begins_with_the_time_of_the_client() {
        let mut engine = engine();
        let (whole, _) = planned(&mut engine, Limits::clock(clock(60)));
        let (black, _) = planned(&mut engine, Limits::clock(clock(60)));
        assert_eq!(black, whole, "the other side has a clock of its own");
        engine.set_startpos(&[]).unwrap();
        assert_eq!(planned(&mut engine, Limits::clock(clock(60))).0, whole);
        answer(&mut engine);
        engine.new_game();
        assert_eq!(planned(&mut engine, Limits::clock(clock(60))).0, whole);
    }

    #[test]
    fn time_controls_add_their_time() {
        let mut engine = engine();
        let mut session = |moves| {
            let clock = Clock { moves_to_go: Some(moves), ..clock(60) };
            let plan = planned(&mut engine, Limits::clock(clock));
            answer(&mut engine);
            plan
        };
        let (two, first) = session(2);
        let (_, second) = session(1);
        let (next, _) = session(2);
        assert!(next >= two && next <= two + (60_000 - first - second) * 1_000, "{two} {next}");
        assert!(next > two, "what the first session has left is still there");
    }

    #[test]
    fn every_move_may_be_a_time_control() {
        let mut engine = engine();
        let one = Clock { moves_to_go: Some(1), ..clock(2) };
        let mut left = 0;
        for _ in 0..4 {
            left += 2_000;
            let (soft, nodes) = planned(&mut engine, Limits::clock(one));
            assert!(soft / 1_000 <= left && soft / 1_000 > left / 2, "{soft} of {left}");
            left -= nodes;
            answer(&mut engine);
        }
    }

    #[test]
    fn only_a_ponder_hit_starts_the_clock() {
        let shown_after = |is_hit: bool| {
            let mut engine = engine();
            let (_, nodes) = planned(&mut engine, Limits::clock(clock(60)));
            let expected = engine.position().legal_moves()[0];
            let board = engine.game().clone();
            answer(&mut engine);
            let handle = engine.go(Limits::clock(clock(60)).pondering()).unwrap();
            let signal = if is_hit { SearchHandle::ponder_hit } else { SearchHandle::stop };
            signal(&handle);
            let result = handle.wait();
            if is_hit {
                engine.play(result.best.unwrap()).unwrap();
                answer(&mut engine);
            } else {
                engine.set_game(board);
                let other = engine.position().legal_moves().iter().copied().find(|&mv| mv != expected);
                engine.play(other.unwrap()).unwrap();
            }
            (planned(&mut engine, Limits::clock(clock(60))).0 / 1_000, (60_000 - nodes) / 26)
        };
        let (missed, left) = shown_after(false);
        assert_eq!(missed, left);
        let (hit, left) = shown_after(true);
        assert!(hit < left, "{hit} {left}");
    }
}
