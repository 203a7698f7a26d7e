//! Bullet games of the levels on a loaded machine: is any lost on time?

use super::engines;
use super::games::Match;
use super::{Lab, Report};
use crate::error::Result;
use serde_json::json;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Games of each level.
const GAMES: u32 = 40;

/// The clock: one second, and a hundredth a move.
const CLOCK: &str = "1+0.01";

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    let mut table = "| level | games | lost on time | lost by other faults |\n|---:|---:|---:|---:|\n".to_owned();
    let mut data = Vec::new();
    for (index, &level) in lab.levels.iter().enumerate() {
        // Against a neighbour: a level against itself would count each loss for both.
        let other = lab.levels[if index + 1 < lab.levels.len() { index + 1 } else { index - 1 }];
        let specs = [level, other].map(|rating| engines::level(&lab.engine, rating, ""));
        let game = Match::new(lab, format!("bullet-{level}"), specs.to_vec(), lab.games_or(GAMES));
        let played = under_load(|| game.with(&["--tc", CLOCK]).play(lab))?;
        let row = &played.summary["engines"][0];
        let lost = row["lost_by_fault"]["time forfeit"].as_u64().unwrap_or_default();
        let (games, other_faults) = (played.score()?.games(), played.faults().first().map_or(0, |all| all - lost));
        let _ = writeln!(table, "| {level} | {games} | {lost} | {other_faults} |");
        data.push(json!({ "level": level, "games": games, "lost_on_time": lost, "other_faults": other_faults }));
    }
    let cores = bartizan_parallel::cores();
    let text = format!("{table}\nAt {CLOCK}, with {cores} busy threads beside the games on {cores} cores.\n");
    Ok(Report { text, data: data.into() })
}

/// Does something while as many threads are busy as there are cores.
fn under_load<T>(work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..bartizan_parallel::cores().get() {
            scope.spawn(|| {
                // Relaxed: only the flag itself is shared, and a late look does no harm.
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_ends_with_the_work() {
        assert_eq!(under_load(|| 7), 7);
    }
}
