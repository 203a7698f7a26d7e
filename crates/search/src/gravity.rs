//! The update of history and correction counters.

/// Adds a bonus or malus to a counter with gravity: the closer the counter is to ±`limit`, the less a bonus in its
/// direction moves it. The counter never exceeds the limit as long as the bonus does not, and old results fade.
#[inline]
pub(crate) fn update(counter: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*counter);
    *counter = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::update;

    #[test]
    fn a_counter_approaches_its_limit_and_never_exceeds_it() {
        for sign in [1, -1] {
            let mut counter = 0;
            for _ in 0..1_000 {
                let old = counter;
                update(&mut counter, sign * 200, 1_024);
                assert!(sign * i32::from(counter - old) >= 0 && i32::from(counter).abs() <= 1_024);
            }
            assert!(sign * i32::from(counter) > 1_000, "{counter}");
        }
    }

    #[test]
    fn a_malus_weighs_more_on_a_good_counter() {
        let (mut good, mut neutral) = (900, 0);
        update(&mut good, -100, 1_024);
        update(&mut neutral, -100, 1_024);
        assert!(900 - good > -neutral);
    }
}
