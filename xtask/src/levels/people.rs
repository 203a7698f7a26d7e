//! How people err, by rating.
//!
//! Counted in 664 rated blitz, rapid and classical games of one minute of an October night in 2021, 46,455 moves, from
//! the open database of lichess (CC0); the engine judged each position with 20,000 nodes. The ratings are those of that
//! server, mostly in blitz, some 200 above those of a club. `bartizan-tools pgn conduct` counts the same figures.
//!
//! In a part of them, 467 games, 45 % of those below 1400 end in mate, and 21 % of those from 2000 on; the others are
//! resigned, drawn or lost on time.

/// A figure of conduct.
pub(super) struct Figure {
    /// The heading of its column.
    pub(super) name: &'static str,
    /// The decimals of a table.
    pub(super) decimals: usize,
}

/// The number of figures.
pub(super) const COUNT: usize = 11;

const fn figure(name: &'static str, decimals: usize) -> Figure {
    Figure { name, decimals }
}

/// The figures in the order of the tables. All but the mean loss are per cent.
pub(super) const FIGURES: [Figure; COUNT] = [
    figure("left", 1),
    figure("taken", 0),
    figure("undone", 1),
    figure("king walks", 1),
    figure("mates missed", 0),
    figure("mean loss", 1),
    figure("under 1", 0),
    figure("5 or more", 0),
    figure("10 or more", 1),
    figure("15 or more", 1),
    figure("30 or more", 1),
];

/// What the headings mean.
pub(super) const LEGEND: &str = "\
left: pieces left to a one-move capture, per 100 moves; taken: such gifts taken, in %; undone: own last move undone \
before move 20, per 100; king walks: before move 15, per 100; mates missed: mates in one, in %; mean loss of win %; \
shares of the moves that lose less than 1 % and 5, 10, 15 or 30 % and more, in %.";

/// A band of ratings.
pub(super) struct Band {
    pub(super) name: &'static str,
    /// In the order of [`FIGURES`].
    pub(super) figures: [f64; COUNT],
}

/// The weakest first.
pub(super) const BANDS: [Band; 8] = [
    Band { name: "800–999", figures: [8.1, 65.0, 1.4, 0.6, 56.3, 6.1, 46.0, 30.0, 19.0, 12.0, 5.0] },
    Band { name: "1000–1199", figures: [5.0, 76.0, 1.2, 0.5, 63.8, 5.5, 49.0, 26.0, 16.0, 11.0, 4.6] },
    Band { name: "1200–1399", figures: [3.3, 81.0, 1.3, 0.8, 46.9, 4.7, 49.0, 25.0, 13.0, 8.4, 3.2] },
    Band { name: "1400–1599", figures: [3.4, 78.0, 1.1, 0.6, 32.1, 4.6, 48.0, 25.0, 13.0, 8.3, 3.3] },
    Band { name: "1600–1799", figures: [2.6, 81.0, 0.9, 0.5, 22.5, 4.2, 48.0, 23.0, 11.0, 6.6, 2.4] },
    Band { name: "1800–1999", figures: [1.8, 85.0, 0.8, 0.5, 33.3, 3.7, 51.0, 21.0, 9.7, 5.7, 1.7] },
    Band { name: "2000–2199", figures: [2.1, 83.0, 0.6, 0.7, 40.4, 3.3, 50.0, 19.0, 8.3, 4.7, 1.3] },
    Band { name: "2200 and more", figures: [2.2, 78.0, 0.5, 0.3, 28.6, 3.2, 52.0, 17.0, 7.7, 4.4, 1.1] },
];

/// Figures of a player; those that could not be counted are missing.
pub(super) type Figures = [Option<f64>; COUNT];

/// The distance of a figure from that of a band, in widths of the range over all bands.
pub(super) fn distance(index: usize, value: f64, band: &Band) -> f64 {
    let [low, high] = range(index, &BANDS);
    (value - band.figures[index]).abs() / (high - low)
}

/// The lowest and the highest value of a figure in some bands.
fn range(index: usize, bands: &[Band]) -> [f64; 2] {
    let values = || bands.iter().map(|band| band.figures[index]);
    [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)]
}

/// The number of the band with the least mean distance.
pub(super) fn nearest(figures: &Figures) -> usize {
    let total = |band: &Band| -> f64 {
        figures.iter().enumerate().filter_map(|(index, value)| Some(distance(index, (*value)?, band))).sum()
    };
    (0..BANDS.len()).min_by(|&one, &other| total(&BANDS[one]).total_cmp(&total(&BANDS[other]))).unwrap_or_default()
}

/// The numbers of the figures that lie outside the range of a band and its neighbours. Half of the last decimal shown
/// counts as inside: the figures of people are rounded.
pub(super) fn outside(figures: &Figures, band: usize) -> Vec<usize> {
    let bands = &BANDS[band.saturating_sub(1)..(band + 2).min(BANDS.len())];
    let is_outside = |&index: &usize| {
        let [low, high] = range(index, bands);
        let rounding = 0.5 * 0.1_f64.powi(FIGURES[index].decimals as i32);
        figures[index].is_some_and(|value| value < low - rounding || value > high + rounding)
    };
    (0..COUNT).filter(is_outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_nearest_to_their_own_band() {
        for (number, band) in BANDS.iter().enumerate() {
            let figures = band.figures.map(Some);
            assert_eq!(nearest(&figures), number, "{}", band.name);
            assert!(outside(&figures, number).is_empty());
        }
    }

    #[test]
    fn figures_outside_a_band_and_its_neighbours_are_found() {
        let mut figures = BANDS[3].figures.map(Some);
        figures[0] = Some(3.44);
        assert!(outside(&figures, 3).is_empty());
        figures[0] = Some(3.5);
        figures[4] = None;
        figures[10] = Some(1.0);
        assert_eq!(outside(&figures, 3), [0, 10]);
        // The first band has one neighbour.
        figures[0] = Some(8.2);
        assert_eq!(outside(&figures, 0), [0, 1, 2, 5, 7, 8, 9, 10]);
    }
}
