//! Levels against engines of Debian with published ratings: what the levels are worth on the scale of engines.

use super::fit::{Fit, Known, Meeting, fit};
use super::games::Match;
use super::{Lab, Report, engines, ladder};
use crate::error::{Error, Result};
use serde_json::json;
use std::fmt::Write as _;

/// Games against each of the two levels that are nearest in strength.
const GAMES: u32 = 100;

/// Half a second a move, in a form that xboard engines without fractions of seconds understand.
const TIME: &str = "tc=40/20 margin=1000";

/// The Elo that a doubling of the time is worth to engines of this kind.
const ELO_PER_DOUBLING: f64 = 50.0;

/// What earlier games found: this level is as strong as engines of this rating, and levels differ by less than the
/// engines of the same strength (docs/lab/levels.md).
const FOUND: (f64, f64) = (2100.0, 1640.0);

/// The difference of levels for each Elo between engines: a level of 2590 is as strong as engines of 2420.
const LEVELS_PER_ELO: f64 = 0.63;

/// An engine with a published rating.
struct Anchor {
    name: &'static str,
    program: &'static str,
    package: &'static str,
    /// More of its specification: protocol, arguments, options.
    spec: &'static str,
    /// Its published rating, in Elo.
    published: f64,
    /// The standard error of that rating as an anchor, in Elo: more where the version or the list is uncertain.
    error: f64,
    list: List,
    /// Where the rating is from.
    source: &'static str,
}

/// A list of ratings, which differ by the time for a game.
#[derive(Clone, Copy)]
enum List {
    /// Forty moves in the time that equals 15 minutes on the list's reference processor (40 minutes on an older one).
    Slow,
    /// Two minutes a game and a second a move, about 3 s a move.
    Blitz,
}

impl List {
    const fn name(self) -> &'static str {
        match self {
            Self::Slow => "CCRL 40/15",
            Self::Blitz => "CCRL Blitz",
        }
    }

    /// Seconds a move.
    const fn seconds(self) -> f64 {
        match self {
            Self::Slow => 22.5,
            Self::Blitz => 3.0,
        }
    }
}

/// The weakest first. The ratings are from copies of the lists that others made.
const ANCHORS: [Anchor; 5] = [
    Anchor {
        name: "Fairy-Max 5.0b",
        program: "fairymax",
        package: "fairymax",
        spec: "proto=xboard",
        published: 1890.0,
        error: 60.0,
        list: List::Slow,
        source: "about 1890 on CCRL, quoted in the notes on test opponents of a public repository, 2026-07-17",
    },
    Anchor {
        name: "HoiChess 0.22.0",
        program: "hoichess",
        package: "hoichess",
        spec: "proto=xboard arg=-x",
        published: 1798.0,
        error: 60.0,
        list: List::Blitz,
        source: "CCRL Blitz of 2026-02-05, github.com/op12no2/chess-archive, elox/data.js",
    },
    Anchor {
        name: "Phalanx XXV",
        program: "phalanx",
        package: "phalanx",
        spec: "proto=xboard arg=-b- arg=-l-",
        published: 2610.0,
        error: 20.0,
        list: List::Slow,
        source: "CCRL 40/15 (Blitz: 2644) of 2026-02-05, github.com/op12no2/chess-archive, elox/data.js",
    },
    Anchor {
        name: "GNU Chess 6.2.7",
        program: "gnuchess",
        package: "gnuchess",
        spec: "arg=--uci option.OwnBook=false",
        published: 2694.0,
        error: 40.0,
        list: List::Slow,
        source: "CCRL 40/40 of its engine, Fruit 2.1 (505 games, ± 21), quoted in haVoc's test notes",
    },
    Anchor {
        name: "Glaurung 2.2",
        program: "glaurung",
        package: "glaurung",
        spec: "option.Threads=1 option.Ponder=false option.OwnBook=false",
        published: 2793.0,
        error: 20.0,
        list: List::Slow,
        source: "CCRL 40/40 (1,396 games, ± 13), quoted in haVoc's test notes",
    },
];

impl Anchor {
    /// Its rating at half a second a move.
    fn discounted(&self) -> f64 {
        self.published - ELO_PER_DOUBLING * (self.list.seconds() / 0.5).log2()
    }

    /// The numbers of the two levels that are nearest in strength, the lower one first.
    fn nearest(&self, levels: &[u32]) -> Vec<usize> {
        let (level, rating) = FOUND;
        let equal = level + (self.discounted() - rating) * LEVELS_PER_ELO;
        let distance = |&level: &usize| (f64::from(levels[level]) - equal).abs();
        let mut order: Vec<usize> = (0..levels.len()).collect();
        order.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
        order.truncate(2);
        order.sort_unstable();
        order
    }

    /// Plays a level.
    fn meet(&self, lab: &Lab<'_>, level: u32) -> Result<Match> {
        let program = engines::opponent(self.program, self.package)?;
        let specs = vec![
            engines::untimed(&lab.engine, level),
            engines::spec(&program, self.name, &format!("{} {TIME}", self.spec)),
        ];
        let name = format!("anchor-{}-{level}", self.program);
        let adjudication = ["--resign", "5,900,both", "--draw", "60,10,10", "--max-moves", "250"];
        Ok(Match::new(lab, name, specs, lab.games_or(GAMES)).with(&adjudication))
    }
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Report> {
    for anchor in &ANCHORS {
        engines::opponent(anchor.program, anchor.package)?;
    }
    let steps = ladder::steps(lab)?;
    let mut meetings = Vec::new();
    let mut data = Vec::new();
    let mut table =
        "| engine | level | games | + = − | Elo of the level | lost by faults |\n|---|---:|---:|---|---:|---|\n"
            .to_owned();
    for (number, anchor) in ANCHORS.iter().enumerate() {
        for index in anchor.nearest(lab.levels) {
            let level = lab.levels[index];
            let played = anchor.meet(lab, level)?.play(lab)?;
            let score = played.score()?;
            let faults = played.faults();
            let estimate = score.estimate().ok_or_else(|| Error::Check(format!("no games against {}", anchor.name)))?;
            meetings.push(Meeting { anchor: number, level: index, estimate });
            let faults_text = match faults.get(1).copied().unwrap_or_default() {
                0 => "none".to_owned(),
                count => format!("{count} by the engine"),
            };
            let (games, wdl, elo) = (score.games(), score.wdl_text(), score.elo_text());
            let _ = writeln!(table, "| {} | {level} | {games} | {wdl} | {elo} | {faults_text} |", anchor.name);
            data.push(json!({ "engine": anchor.name, "level": level, "result": score.json(), "faults": faults }));
        }
    }
    let known = ANCHORS.each_ref().map(|anchor| Known { rating: anchor.discounted(), error: anchor.error });
    let fitted = fit(lab.levels.len(), &steps, &known, &meetings)
        .ok_or_else(|| Error::Check("the games do not determine the ratings".to_owned()))?;
    let text = format!("{table}\n{}", fit_tables(lab.levels, &fitted));
    let levels: Vec<_> = lab.levels.iter().zip(&fitted.levels).collect();
    let data = json!({ "games": data, "levels": levels, "anchors": fitted.anchors, "factor": fitted.factor });
    Ok(Report { text, data })
}

/// The tables of the fit.
fn fit_tables(levels: &[u32], fit: &Fit) -> String {
    let margin = |margin: Option<f64>| margin.map_or_else(|| "?".to_owned(), |margin| format!("{margin:.0}"));
    let mut text =
        "| engine | published | list | at 0.5 s a move | fitted | source |\n|---|---:|---|---:|---:|---|\n".to_owned();
    for (anchor, (rating, error)) in ANCHORS.iter().zip(&fit.anchors) {
        let (published, list, discounted) = (anchor.published, anchor.list.name(), anchor.discounted());
        let error = margin(*error);
        let _ = writeln!(
            text,
            "| {} | {published:.0} | {list} | {discounted:.0} | {rating:.0} ± {error} | {} |",
            anchor.name, anchor.source
        );
    }
    let _ = writeln!(
        text,
        "\nThe discount is {ELO_PER_DOUBLING:.0} Elo for each halving of the time.\n\n\
         | level | fitted rating | difference | |\n|---:|---:|---:|---|"
    );
    let [first, last] = [0, ANCHORS.len() - 1].map(|anchor| fit.anchors[anchor].0);
    for (level, (rating, error)) in levels.iter().zip(&fit.levels) {
        let difference = rating - f64::from(*level);
        let place = if (first..=last).contains(rating) { "" } else { "extrapolated" };
        let _ = writeln!(text, "| {level} | {rating:.0} ± {} | {difference:+.0} | {place} |", margin(*error));
    }
    let factor = fit.factor;
    let _ = writeln!(text, "\nGames between the levels multiply the differences of these ratings by {factor:.2}.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_levels_are_found() {
        let phalanx = &ANCHORS[2];
        assert!((phalanx.discounted() - 2335.0).abs() < 1.0, "{}", phalanx.discounted());
        let levels = [2000, 2200, 2400, 2600];
        assert_eq!(phalanx.nearest(&levels), [2, 3]);
        assert_eq!(ANCHORS[0].nearest(&levels), [0, 1]);
        assert_eq!(phalanx.nearest(&[2600, 2800]), [0, 1]);
        assert!(ANCHORS.is_sorted_by(|one, next| one.discounted() < next.discounted()));
    }

    #[test]
    fn levels_beyond_the_anchors_are_called_extrapolated() {
        let anchors = ANCHORS.each_ref().map(|anchor| (anchor.discounted(), Some(30.0))).to_vec();
        let levels = vec![(950.0, Some(80.0)), (2050.0, Some(40.0)), (2790.0, None)];
        let text = fit_tables(&[1000, 2000, 2800], &Fit { levels, anchors, factor: 1.5 });
        assert!(text.contains("| 1000 | 950 ± 80 | -50 | extrapolated |\n"), "{text}");
        assert!(text.contains("| 2000 | 2050 ± 40 | +50 |  |\n"), "{text}");
        assert!(text.contains("| 2800 | 2790 ± ? | -10 | extrapolated |\n") && text.contains("by 1.50."), "{text}");
    }
}
