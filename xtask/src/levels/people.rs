//! How people err, by rating.
//!
//! Counted by `bartizan-tools pgn conduct` with 20,000 nodes a position, as the figures of the levels are, in 467 rated
//! blitz, rapid and classical games of one minute of an October night in 2021, 32,270 moves, from the open database of
//! lichess (CC0). The ratings are those of that server, mostly in blitz, some 200 above those of a club.
//!
//! 45 % of the games below 1400 end in mate, and 21 % of those from 2000 on; the others are resigned, drawn or lost on
//! time.

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
    Band { name: "800–999", figures: [7.5, 69.0, 0.8, 0.5, 54.5, 5.6, 46.9, 29.7, 17.4, 11.3, 4.0] },
    Band { name: "1000–1199", figures: [3.8, 78.0, 1.2, 0.4, 62.2, 4.16, 55.7, 21.9, 12.6, 8.1, 2.8] },
    Band { name: "1200–1399", figures: [3.6, 80.0, 1.3, 1.0, 41.9, 4.19, 52.6, 22.7, 11.4, 7.4, 2.7] },
    Band { name: "1400–1599", figures: [3.3, 77.0, 1.0, 0.6, 30.0, 4.05, 55.0, 21.1, 11.8, 7.1, 2.7] },
    Band { name: "1600–1799", figures: [2.7, 80.0, 0.8, 0.6, 21.4, 3.51, 55.8, 19.0, 9.7, 5.3, 1.9] },
    Band { name: "1800–1999", figures: [2.0, 83.0, 0.9, 0.4, 29.0, 3.09, 57.7, 16.9, 8.1, 4.7, 1.4] },
    Band { name: "2000–2199", figures: [2.1, 84.0, 0.8, 0.6, 40.5, 2.82, 57.7, 15.7, 6.9, 3.7, 1.1] },
    Band { name: "2200 and more", figures: [1.7, 78.0, 0.7, 0.3, 25.0, 2.76, 57.1, 15.7, 6.3, 3.2, 0.8] },
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
        figures[0] = Some(3.64);
        assert!(outside(&figures, 3).is_empty());
        figures[0] = Some(3.7);
        figures[4] = None;
        figures[10] = Some(1.0);
        assert_eq!(outside(&figures, 3), [0, 10]);
        // The first band has one neighbour.
        figures[0] = Some(8.2);
        assert_eq!(outside(&figures, 0), [0, 3, 5, 7, 8, 9, 10]);
    }
}
